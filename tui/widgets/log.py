"""The log: the line of each type of event (`line_of`), and the pane that shows the last lines, newest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import singledispatch

from msgspec import Struct
from msgspec.structs import replace

from engine import events, text
from engine.events import population, search
from engine.events.explain import cells as names_of
from engine.events.population import name_of
from engine.puzzle import cell_name
from tui.i18n import GAP, _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets.pane import HeadedPane
from tui.widgets.rows import Row, Rows, Space, length, rows

STEP, WHAT, DELTA, ENERGY = 7, 9, 2, 3
"""Least columns of the step, the text, ΔE and E."""


class LogLine(Struct, frozen=True):
    """A line of the log; `delta` and `energy` are empty if the event has none."""

    step: int
    meaning: str
    """A key of `look.glyphs.MARKS`."""
    what: str
    delta: str = ""
    energy: str = ""
    brief: str = ""
    """The text where `what` has no room, or leaves none for E; empty: there is no shorter one."""


def short_step(step: int) -> str:
    """A step in 7 columns: exact below a million, else with three to four digits (`1.234 M`)."""
    if step < 1_000_000:
        return text.count(step)
    unit, size = ("M", 1e6) if step < 999_950_000 else ("G", 1e9)
    value = step / size
    return f"{value:.{3 - (value >= 9.9995) - (value >= 99.995)}f} {unit}"


TURNS = {"improved": "improved", "luck": "uphill", "refused": "rejected", "fresh": "restart"}
"""The meanings of the marks of turns."""
NO_PLACE = (re.compile(r"(?P<unit>\w+ \d+) has no place left for (?P<value>\w+)"),
            re.compile(r"no place is left for (?P<value>\w+) in (?P<unit>\w+ \d+)"))
"""The reasons of dead ends in which a unit lacks a value."""
ANSWERS = {"sat": "placed", "unsat": "ruled_out", "unknown": "unknown"}
"""The meanings of the marks of answers."""


@singledispatch
def line_of(event: events.Event, n: int = 9) -> LogLine | None:
    """The line of an event, or None if it needs none. Each type of event can register its function."""
    energy = event.energy_after
    return LogLine(event.step, "noted", _(event.kinds[0].replace("_", " ")), "", "" if energy is None else str(energy))


@line_of.register
def _swap(event: events.SwapJudged, n: int = 9) -> LogLine | None:
    return _move(event, n, event.verdict)


@line_of.register
def _scan(event: events.Scanned, n: int = 9) -> LogLine | None:
    return _move(event, n, event.kinds[0])


def _move(event: events.SwapJudged | events.Scanned, n: int, meaning: str) -> LogLine:
    between = "↔" if len(event.cells) == 2 else "→"
    what = between.join(cell_name(cell, n) for cell in event.cells)
    return LogLine(event.step, meaning, what, text.signed(event.delta), str(event.energy))


@line_of.register
def _cooled(event: events.Cooled, n: int = 9) -> LogLine | None:
    before, after = text.apart(event.before, event.after)
    if event.before == event.after:  # a sweep that ends at 0 does not hold T there
        stayed = _("T {T} held") if event.after else _("T is {T}")
        return LogLine(event.step, "cooled", stayed.format(T=after))
    return LogLine(event.step, "cooled", f"T {before} → {after}")


@line_of.register
def _reheated(event: events.Reheated, n: int = 9) -> LogLine | None:
    before, after = text.apart(event.before, event.after)
    return LogLine(event.step, "reheat", f"T {before} → {after}")


@line_of.register
def _not_raised(event: events.NotRaised, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "noted", _("T {T}, not raised").format(T=text.significant(event.temperature)))


@line_of.register
def _swept(event: events.Swept, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "reheat", _("sweep {sweep} ended").format(sweep=event.sweep), "", str(event.energy))


@line_of.register
def _minimum(event: events.LocalMinimum, n: int = 9) -> LogLine | None:
    what = _("patience spent") if event.better else _("local minimum")
    return LogLine(event.step, "noted", what, "", str(event.energy))


@line_of.register
def _restarted(event: events.Restarted, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "restart", _("attempt {attempt}").format(attempt=event.attempt), "", str(event.energy))


@line_of.register
def _best(event: events.NewBest, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "best", _("new best"), "", str(event.energy))


@line_of.register
def _assigned(event: events.Assigned, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "placed", f"{cell_name(event.cell, n)} ← {event.value}")


@line_of.register
def _retracted(event: events.Retracted, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "taken_back", f"{cell_name(event.cell, n)} ← ∅")


@line_of.register
def _contradiction(event: events.Contradiction, n: int = 9) -> LogLine | None:
    first = cell_name(event.cells[0], n) if event.cells else ""
    if lacks := next(filter(None, (form.fullmatch(event.reason) for form in NO_PLACE)), None):
        brief = _("no {value} in {unit}").format_map(lacks.groupdict())
    elif first in event.reason.split():
        brief = _("no value for {cell}").format(cell=first)
    else:
        brief = event.reason.partition(GAP)[0]
    return LogLine(event.step, "dead_end", _(event.reason), brief=brief)


@line_of.register
def _eliminated(event: events.Eliminated, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "ruled_out", f"{cell_name(event.cell, n)} ≠ {event.value}")


@line_of.register
def _found(event: search.Found, n: int = 9) -> LogLine | None:
    technique = _(event.technique)
    placed = "".join(f": {cell_name(cell, n)} ← {value}" for cell, value in event.placed[:1])
    return LogLine(event.step, "placed" if placed else "ruled_out", f"{technique}: {event.where}",
                   brief=technique + placed)


@line_of.register
def _revised(event: search.Revised, n: int = 9) -> LogLine | None:
    arc = f"{cell_name(event.cell, n)}→{cell_name(event.against, n)}"
    struck = "".join(f" ≠ {value}" for value in event.struck)
    return LogLine(event.step, "ruled_out" if struck else "noted", arc + struck)


@line_of.register
def _covered(event: search.Covered, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "placed", f"{cell_name(event.cell, n)} ← {event.value}")


@line_of.register
def _uncovered(event: search.Uncovered, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "taken_back", f"{cell_name(event.cell, n)} ← ∅")


@line_of.register
def _asked(event: search.Asked, n: int = 9) -> LogLine | None:
    return LogLine(event.step, ANSWERS[event.answer], f"{event.question} {event.answer}")


@line_of.register
def _literal(event: search.Propagated | search.Decided, n: int = 9) -> LogLine | None:
    meaning = "placed" if event.holds else "ruled_out"
    return LogLine(event.step, meaning, f"{cell_name(event.cell, n)} {'=' if event.holds else '≠'} {event.value}")


@line_of.register
def _passed(event: search.Passed, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "noted", _("entropy {value}").format(value=text.significant(event.entropy)))


@line_of.register
def _backjumped(event: search.Backjumped, n: int = 9) -> LogLine | None:
    return LogLine(event.step, "taken_back", _("back to level {level}").format(level=event.level))


@line_of.register
def _done(event: events.Done, n: int = 9) -> LogLine | None:
    """The end, with E of the grid that is returned; after a proof the board shows the last state instead."""
    energy = "" if event.status == "no_solution" else str(event.energy)
    return LogLine(event.step, event.status, _(event.status.replace("_", " ")), "", energy)


# Populations


def _change(before: int, after: int) -> str:
    return "improved" if after < before else "equal" if after == before else "uphill"


@line_of.register
def _bred(event: population.Bred, n: int = 9) -> LogLine:
    """A child; ΔE is relative to the better parent."""
    first, second = map(name_of, event.parents)
    parents = first if first == second else f"{first}×{second}"
    better = min(event.parent_energies)
    meaning = _change(better, event.energy) if event.kept else "rejected"
    what = f"{parents} → {name_of(event.child)}" if event.kept else parents
    return LogLine(event.step, meaning, what, text.signed(event.energy - better), str(event.energy), parents)


@line_of.register
def _refined(event: population.Refined, n: int = 9) -> LogLine:
    who = name_of(event.individual)
    return LogLine(event.step, _change(event.before, event.after), _("{who} annealed").format(who=who),
                   text.signed(event.after - event.before), str(event.after), who)


@line_of.register
def _turned(event: population.Turned, n: int = 9) -> LogLine:
    who = name_of(event.organism)
    if event.turn == "fresh":
        return LogLine(event.step, TURNS[event.turn], _("{who} refilled").format(who=who), "", str(event.energy))
    meaning = "equal" if event.turn == "luck" and event.delta == 0 else TURNS[event.turn]
    cells = names_of(event.cells, n, "↔")
    return LogLine(event.step, meaning, f"{who} {cells}", text.signed(event.delta), str(event.energy), cells)


@line_of.register
def _flown(event: population.Flown, n: int = 9) -> LogLine:
    who = name_of(event.particle)
    swaps = len(event.velocity)
    what = (_("{who} by 1 swap") if swaps == 1 else _("{who} by {swaps} swaps")).format(who=who, swaps=swaps)
    return LogLine(event.step, _change(event.before, event.energy), what, text.signed(event.energy - event.before),
                   str(event.energy), who)


@line_of.register
def _merged(event: population.Merged, n: int = 9) -> LogLine:
    first, second = map(name_of, event.parents)
    return LogLine(event.step, "placed", f"{first}×{second} → {name_of(event.into)}",
                   text.signed(event.energy - event.before), str(event.energy), f"{first}×{second}")


@line_of.register
def _outgrown(event: population.Outgrown, n: int = 9) -> LogLine:
    sizes = f"{text.count(event.before)} → {text.count(event.after)}"
    return LogLine(event.step, "more", _("individuals {sizes}").format(sizes=sizes), brief=sizes)


@line_of.register
def _shifted(event: population.Shifted, n: int = 9) -> LogLine:
    shares = f"{text.share(event.before)} → {text.share(event.after)}"
    return LogLine(event.step, "shifted", _("workers {shares}").format(shares=shares), brief=shares)


@line_of.register
def _generation(event: population.GenerationEnded, n: int = 9) -> LogLine:
    return LogLine(event.step, "generation", f"{_(event.word)} {text.count(event.number)}", "", str(event.best))


# Rows


def lines_of(step: Iterable[events.Event], n: int = 9) -> list[LogLine]:
    """The lines of the events of a step, in order. A dead end and a local minimum are on the board as they are: what
    follows them in their step, a value taken back or a new attempt, is not there yet."""
    lines: list[LogLine] = []
    to_come = ""  # the meaning of what follows such an event
    for event in step:
        line = line_of(event, n)
        if line is not None:
            later = line.meaning == to_come
            lines.append(replace(line, what=_("then {what}").format(what=line.what)) if later else line)
            if line.meaning == "dead_end":
                to_come = "taken_back"
            elif isinstance(event, events.LocalMinimum):
                to_come = "restart"
    return lines


def line_widths(lines: Sequence[LogLine], glyphs: Glyphs) -> tuple[int, int, int]:
    """Columns of the texts before ΔE, of ΔE, and of E with the blank after its letter."""
    return (max([WHAT, *(len(glyphs.text(line.what)) for line in lines if line.delta)]),
            max([DELTA, *(len(line.delta) for line in lines)]),
            max([ENERGY, *(1 + len(line.energy) for line in lines)]))


def _columns(widths: tuple[int, int, int]) -> int:
    """The columns of a line without the three gaps."""
    wide, changes, deep = widths
    return STEP + 2 + wide + changes + 1 + deep


def line_spans(line: LogLine, widths: tuple[int, int, int], newest: bool, space: Space, more: int = 0) -> Row:
    """Step, glyph, text, ΔE, E. In a narrow pane gaps are smaller, then E is dropped, then the text is the brief one.
    `widths`: of text, ΔE and E; `more`: the columns that steps have beyond `STEP`, to be exact."""
    wide, changes, deep = widths
    glyphs = space.glyphs
    role: Role = "strong" if newest else "text"
    gap = "  " if _columns(widths) + more + 6 <= space.width else " "
    step = text.count(line.step) if more else short_step(line.step)
    at: Row = ((f"{step:>{STEP + more}}", "muted"), (gap, "blank"))
    energy: Row = ((f"{gap}E", "strong" if newest else "muted"), (f"{line.energy:>{deep}}", role))
    mark, what, brief = glyphs.mark(line.meaning), glyphs.text(line.what), glyphs.text(line.brief or line.what)
    if line.delta:
        changed: Row = (*at, (f"{mark} {what:<{wide}}", role), (f"{gap}{glyphs.text(line.delta):>{changes}}", role))
        return (*changed, *energy) if line.energy and length((*changed, *energy)) <= space.width else changed
    before_energy = wide + len(gap) + changes
    texts = what, brief
    ways: list[Row] = [(*at, (f"{mark} {each:<{before_energy}}", role), *energy) for each in texts if line.energy]
    ways += [(*at, (f"{mark} {each}", role)) for each in texts]
    ways.append((at[0], (f" {mark} {brief}", role)))
    return next((way for way in ways if length(way) <= space.width), ways[-1])


def log_rows(lines: Sequence[LogLine], space: Space, heading: bool = True, waits: bool = False) -> Rows:
    """The lines, newest first; the newest is bold. `waits`: they are of earlier steps, and muted."""
    head: list[Row] = [((_("Log"), "strong"),)] if heading else []
    shown = lines[: max(0, space.height - len(head))]
    widths = line_widths(shown, space.glyphs)
    if _columns(widths) + 3 > space.width:
        shown = [replace(line, what=line.brief or line.what) for line in shown]
        widths = line_widths(shown, space.glyphs)
    more = max((len(text.count(line.step)) - STEP for line in shown), default=0)
    if more < 0 or _columns(widths) + more + 3 > space.width:
        more = 0
    spans = [line_spans(line, widths, not i, space, more) for i, line in enumerate(shown)]
    if waits:
        spans = [tuple((words, "muted") for words, _role in line) for line in spans]
    return rows([*head, *spans], space)


class Log(HeadedPane):
    """The last steps of a run."""

    DEFAULT_CSS = "Log { height: 4; }"
    lines: tuple[LogLine, ...] = ()
    waits = False

    def show(self, lines: Iterable[LogLine], waits: bool = False) -> None:
        """Show these lines, newest first. `waits`: they are of earlier steps."""
        self.lines, self.waits = tuple(lines), waits
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return log_rows(self.lines, space, self.heading, self.waits)
