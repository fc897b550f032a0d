"""The lines of the log about populations."""

from __future__ import annotations

from engine import breeding, text
from engine.breeding import name_of
from engine.explain import cells as names_of
from tui.i18n import _
from tui.widgets.log import LogLine, line_of

TURNS = {"improved": "▼", "luck": "▲", "refused": "×", "fresh": "↩"}


def _change(before: int, after: int) -> str:
    return "▼" if after < before else "=" if after == before else "▲"


@line_of.register
def _bred(event: breeding.Bred, n: int = 9) -> LogLine:
    """ΔE is against the better parent."""
    first, second = map(name_of, event.parents)
    parents = first if first == second else f"{first}×{second}"
    better = min(event.parent_energies)
    mark = _change(better, event.energy) if event.kept else "×"
    what = f"{parents} → {name_of(event.child)}" if event.kept else parents
    return LogLine(event.step, mark, what, text.signed(event.energy - better), str(event.energy))


@line_of.register
def _refined(event: breeding.Refined, n: int = 9) -> LogLine:
    return LogLine(event.step, _change(event.before, event.after),
                   _("{who} annealed").format(who=name_of(event.individual)), text.signed(event.after - event.before),
                   str(event.after))


@line_of.register
def _turned(event: breeding.Turned, n: int = 9) -> LogLine:
    who = name_of(event.organism)
    if event.turn == "fresh":
        return LogLine(event.step, TURNS[event.turn], _("{who} filled anew").format(who=who), "", str(event.energy))
    mark = "=" if event.turn == "luck" and event.delta == 0 else TURNS[event.turn]
    return LogLine(event.step, mark, f"{who} {names_of(event.cells, n, '↔')}", text.signed(event.delta),
                   str(event.energy))


@line_of.register
def _flown(event: breeding.Flown, n: int = 9) -> LogLine:
    what = _("{who} by {swaps} swaps").format(who=name_of(event.particle), swaps=len(event.velocity))
    return LogLine(event.step, _change(event.before, event.energy), what, text.signed(event.energy - event.before),
                   str(event.energy))


@line_of.register
def _merged(event: breeding.Merged, n: int = 9) -> LogLine:
    first, second = map(name_of, event.parents)
    return LogLine(event.step, "▶", f"{first}×{second} → {name_of(event.into)}",
                   text.signed(event.energy - event.before), str(event.energy))


@line_of.register
def _outgrown(event: breeding.Outgrown, n: int = 9) -> LogLine:
    return LogLine(event.step, "↩", _("individuals {before} → {after}").format(
        before=text.count(event.before), after=text.count(event.after)))


@line_of.register
def _shifted(event: breeding.Shifted, n: int = 9) -> LogLine:
    return LogLine(event.step, "·", _("workers {before} → {after}").format(
        before=text.share(event.before), after=text.share(event.after)))


@line_of.register
def _generation(event: breeding.GenerationEnded, n: int = 9) -> LogLine:
    return LogLine(event.step, "│", f"{_(event.word)} {text.count(event.number)}", "", str(event.best))
