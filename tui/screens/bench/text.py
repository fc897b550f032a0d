"""What the bench says: how far it is, what came out, and all about the chosen row. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from engine.bench.experiment import Experiment
from engine.bench.report import words
from engine.bench.statistics import RunTimes
from engine.bench.tables import ALL, Comparison
from engine.text import count, share, significant
from engine.view import Sentence
from tui.i18n import GAP, _
from tui.messages import told
from tui.screens.bench.runner import Stage, Standing
from tui.screens.bench.state import Book, Line
from tui.screens.bench.table import label_of
from tui.widgets.rows import Space, Span, columns, spread
from tui.widgets.text import Spans

LONGEST = len("CANCELLED")
"""Letters of the longest badge."""

HALTS: dict[Stage, str] = {"paused": "PAUSED", "cancelled": "CANCELLED", "cancelling": "CANCELLING"}


def duration(seconds: float) -> str:
    """`8 s`, `3 min`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 90:
        return _("{s} s").format(s=whole)
    minutes = round(seconds / 60)
    if minutes < 90:
        return _("{min} min").format(min=minutes)
    return _("{h} h {min} min").format(h=minutes // 60, min=minutes % 60)


def context(experiment: Experiment) -> tuple[str, ...]:
    """What an experiment is, for the header."""
    return experiment.name, words.factors(experiment), words.limit(experiment)


def state_text(standing: Standing) -> str:
    """`DONE 1 400 / 1 400`."""
    names = {"ready": _("READY"), "reading": _("READING"), "running": _("▶ RUNNING"), "paused": _("‖ PAUSED"),
             "cancelling": _("CANCELLING"), "cancelled": _("CANCELLED"), "done": _("DONE"), "failed": _("STOPPED")}
    return f"{names[standing.stage]} {count(standing.done)} / {count(standing.size)}"


def verdict(standing: Standing, book: Book) -> Sentence:
    """How far it is; once all is made, what came out."""
    fields = {"done": count(standing.done), "size": count(standing.size), "left": count(standing.size - standing.done),
              "key_run": "space", "key_leave": "esc"}
    so_far = _("{done} of {size} runs") + GAP + _("{left} left")
    if standing.stage in ("failed", "reading"):
        failed = standing.stage == "failed"
        return told(_("ERROR"), standing.why) if failed else told(_("READING"), _("what was made before is looked up"))
    if standing.stage == "ready":
        return Sentence(_("READY"), _("{size} runs, which are many") + GAP + _("{key_run} begins"), fields)
    if standing.stage == "running":
        if standing.left is None:
            return Sentence(_("RUNNING"), so_far + GAP + _("solvers that are new here are compiled first"), fields)
        fields |= {"rate": significant(standing.rate), "time": duration(standing.left)}
        return Sentence(_("RUNNING"), so_far + GAP + _("{rate} a second") + GAP + _("about {time} to go"), fields)
    if standing.stage in HALTS:
        going = standing.stage == "cancelling"
        kept = _("all that were made are kept") + GAP + _("{key_run} goes on")
        said = so_far + GAP + (_("what is under way ends within moments") if going else kept)
        return Sentence(_(HALTS[standing.stage]), said, fields)
    found = None if book.digest is None else book.digest.comparison
    return Sentence(_("RESULT"), *result(found if found is not None and found.made == found.size else None))


def result(found: Comparison | None) -> tuple[str, dict[str, str]]:
    """Template and fields of what came out: the best against the worst, over all groups."""
    if found is None:
        return _("the results are being worked out"), {}
    rates = [(found.cell(place).rate, place) for place in range(len(found.labels))]
    ranked = sorted((-(rate.share or 0.0), place) for rate, place in rates if rate.n)
    if not ranked:
        return _("no solver takes these puzzles"), {}
    best, worst = ranked[0][1], ranked[-1][1]
    rate = rates[best][0]
    fields = {"best": found.labels[best], "share": share(rate.share), "low": f"{rate.low * 100:.1f}",
              "high": f"{rate.high * 100:.1f}"}
    if best == worst or ranked[0][0] == ranked[-1][0]:
        all_alike = best != worst
        said = _("all solve {share}") if all_alike else _("{best} solves {share}")
        return said + GAP + _("interval {low} to {high} %"), fields
    fields |= {"worst": found.labels[worst], "other": share(rates[worst][0].share)}
    said = _("{best} solves {share}") + GAP + _("{worst} {other}")
    pair = next((each for each in found.compared if {each.first, each.second} == {best, worst}), None)
    if pair is not None and pair.duel.difference is not None:
        low, high = (pair.duel.low, pair.duel.high) if pair.first == best else (-pair.duel.high, -pair.duel.low)
        fields |= {"points": f"{abs(pair.duel.difference) * 100:.1f}", "below": f"{low * 100:.1f}",
                   "above": f"{high * 100:.1f}"}
        said += GAP + _("difference {points} points, interval {below} to {above}")
    return said, fields


# The chosen row


def selected_lines(book: Book, space: Space) -> Iterator[Spans]:
    """All about the chosen row, in at most four lines."""
    line = book.line
    if line is None or book.digest is None:
        yield [(_("Selected"), "strong")]
        yield [(_("no results yet"), "muted")]
        return
    several = len(book.experiment.groups) > 1
    name = f"{line.label}, {label_of(line.group)}" if several else line.label
    yield spread([(_("Selected"), "strong")], [(space.glyphs.text(name), "muted")], space.width)
    parts = [_solved(line), _interval(line), *_times(line, book.digest.comparison), _cut_off(line)]
    yield from _flowed([part for part in parts if part], space)
    rival = book.rival(line)
    if rival is not None:
        yield from _flowed(list(_against(book, line)), space)


def _flowed(parts: list[list[Span]], space: Space) -> Iterator[Spans]:
    """The parts in lines."""
    spans: list[Span] = []
    for part in parts:
        shown = [(space.glyphs.text(text), role) for text, role in part]
        wide = sum(columns(text) for text, _role in shown)
        if spans and sum(columns(text) for text, _role in spans) + 3 + wide > space.width:
            yield spans
            spans = []
        spans += [*([("   ", "blank")] if spans else []), *shown]  # type: ignore[list-item]
    if spans:
        yield spans


def _solved(line: Line) -> list[Span]:
    rate = line.cell.rate
    return [(_("solved") + " ", "muted"), (count(rate.solved), "strong"), (f" / {count(rate.n)}", "muted")]


def _interval(line: Line) -> list[Span]:
    return [(_("interval") + " ", "muted"), (words.interval(line.cell.rate), "strong")]


def _times(line: Line, found: Comparison) -> Iterator[list[Span]]:
    """Median with interval and quartiles of what is compared by; the mean stands beside them, of the solved alone."""
    took: RunTimes = line.cell.took(found.measure)
    named = _("time") if found.measure == "seconds" else _(found.measure)
    yield [(named + " ", "muted"), (words.median(took, found.measure), "strong"),
           (" " + _("quartiles") + " ", "muted"), (words.quartiles(took, found.measure), "text")]
    alone = took.among_solved
    if alone is not None:
        yield [(_("solved alone: median") + " ", "muted"), (words.amount(alone.median, found.measure), "text"),
               (", " + _("mean") + " ", "muted"), (words.amount(alone.mean, found.measure), "text"),
               (", " + _("deviation") + " ", "muted"), (words.amount(alone.deviation, found.measure), "text")]


def _cut_off(line: Line) -> list[Span]:
    said = words.unsolved(line.cell)
    if line.cell.rate.n == line.cell.rate.solved and not line.cell.refused:
        return []
    return [(_("not solved") + " ", "muted"), (said, "text")]


def _against(book: Book, line: Line) -> Iterator[list[Span]]:
    """The row's solver against the best of the others, over all groups."""
    rival = book.rival(line)
    if rival is None or book.digest is None:
        return
    pair, first = rival
    duel, found = pair.duel, book.digest.comparison
    other = found.labels[pair.second if first else pair.first]
    sign = 1 if first else -1
    where = "" if line.group == ALL or len(found.groups) == 1 else " " + _("on all groups")
    if duel.difference is None:
        yield [(_("against") + f" {other}{where} ", "muted"), (_("nothing to compare yet"), "text")]
        return
    low, high = (duel.low, duel.high) if first else (-duel.high, -duel.low)
    wins, losses = (duel.wins, duel.losses) if first else (duel.losses, duel.wins)
    yield [(_("against") + f" {other}{where} ", "muted"), (words.points(sign * duel.difference), "strong"),
           (" " + _("points, interval") + f" {words.points(low)} … {words.points(high)}", "muted")]
    yield [(_("faster") + " ", "muted"), (count(wins), "text"), (" " + _("slower") + " ", "muted"),
           (count(losses), "text"), (" " + _("undecided") + " ", "muted"), (count(duel.ties), "text"),
           ("  p ", "muted"), (words.probability(pair.p), "text")]
