"""The sentences of the bench screen: progress, outcome, and the facts of the selected row. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from engine.bench.columns import Measure
from engine.bench.experiment import Experiment
from engine.bench.report import words
from engine.bench.statistics import RunTimes
from engine.bench.tables import ALL, Comparison
from engine.text import count, share, significant
from engine.view import Sentence
from tui.i18n import GAP, _
from tui.messages import message
from tui.screens.bench.runner import BenchProgress, Stage
from tui.screens.bench.state import BenchState, TableRow
from tui.screens.bench.table import group_name
from tui.widgets.rows import Space, Span, length, spread
from tui.widgets.text import Spans

BADGE = len("CANCELLED")
"""Letters to which the badges are padded."""

INTERRUPTED: dict[Stage, str] = {"paused": "PAUSED", "cancelled": "CANCELLED", "cancelling": "CANCELLING"}


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
    """Name, factors and limit of an experiment, for the header."""
    return experiment.name, words.factors(experiment), words.limit(experiment)


def stage_text(progress: BenchProgress) -> str:
    """`DONE 1 400 / 1 400`."""
    names = {"ready": _("READY"), "reading": _("READING"), "running": _("▶ RUNNING"), "paused": _("‖ PAUSED"),
             "cancelling": _("CANCELLING"), "cancelled": _("CANCELLED"), "done": _("DONE"), "failed": _("STOPPED")}
    return f"{names[progress.stage]} {count(progress.done)} / {count(progress.size)}"


def verdict(progress: BenchProgress, state: BenchState) -> Sentence:
    """The progress of the experiment; its outcome once it is done."""
    fields = {"done": count(progress.done), "size": count(progress.size), "left": count(progress.size - progress.done),
              "key_run": "space", "key_leave": "esc"}
    so_far = _("{done} of {size} runs") + GAP + _("{left} left")
    if progress.stage in ("failed", "reading"):
        failed = progress.stage == "failed"
        return message(_("ERROR"), progress.why) if failed else message(_("READING"), _("reading earlier results"))
    if progress.stage == "ready":
        return Sentence(_("READY"), _("{size} runs, a large experiment") + GAP + _("{key_run} starts it"), fields)
    if progress.stage == "running":
        if len(state.parts) == 1:  # tables and charts are computed from time to time
            fields["shown"] = count(0 if state.results is None else state.results.comparison.made)
            so_far += GAP + _("{shown} in the table")
        if progress.left is None:
            waits = "" if progress.rate else GAP + _("preparing solvers (slow only once)")
            return Sentence(_("RUNNING"), so_far + waits, fields)
        fields |= {"rate": significant(progress.rate), "time": duration(progress.left)}
        return Sentence(_("RUNNING"), so_far + GAP + _("{rate} per second") + GAP + _("about {time} to go"), fields)
    if progress.stage in INTERRUPTED:
        cancelling = progress.stage == "cancelling"
        hint = _("stopping the current runs") if cancelling else _("finished runs are saved") + GAP + _(
            "{key_run} resumes")
        return Sentence(_(INTERRUPTED[progress.stage]), so_far + GAP + hint, fields)
    found = None if state.results is None else state.results.comparison
    group = state.filter.name if state.filter.kind == "group" else ALL
    return Sentence(_("RESULT"), *outcome(found if found is not None and found.made == found.size else None, group))


def outcome(found: Comparison | None, group: str = ALL) -> tuple[str, dict[str, str]]:
    """Template and fields of the outcome: the best solver against the worst, on a group of puzzles or on all of them,
    which it names if there are several."""
    if found is None:
        return _("computing the results"), {}
    template, fields = _best_and_worst(found, group)
    if len(found.groups) < 2 or not fields:
        return template, fields
    return _("{where}: ") + template, {"where": _("all puzzles") if group == ALL else group, **fields}


def _best_and_worst(found: Comparison, group: str) -> tuple[str, dict[str, str]]:
    """Template and fields of the best and the worst solver on a group; their difference is that on all groups."""
    rates = [found.cell(contender, group).rate for contender in range(len(found.labels))]
    ranked = sorted((-(rate.share or 0.0), contender) for contender, rate in enumerate(rates) if rate.n)
    if not ranked:
        return _("no solver accepts these puzzles"), {}
    best, worst = ranked[0][1], ranked[-1][1]
    rate = rates[best]
    fields = {"best": found.labels[best], "share": share(rate.share), "low": f"{rate.low * 100:.1f}",
              "high": f"{rate.high * 100:.1f}"}
    if best == worst or ranked[0][0] == ranked[-1][0]:
        all_alike = best != worst
        template = _("all solve {share}") if all_alike else _("{best} solves {share}")
        return template + GAP + _("interval {low} to {high} %"), fields
    fields |= {"worst": found.labels[worst], "other": share(rates[worst].share)}
    equal = [found.labels[contender] for place, contender in ranked[1:] if place == ranked[0][0]]
    solves = _("{best} solves {share}")
    if len(equal) == 1:
        solves, fields["also"] = _("{best} and {also} solve {share}"), equal[0]
    elif equal:
        solves, fields["more"] = _("{best} and {more} more solve {share}"), count(len(equal))
    equal = [found.labels[contender] for place, contender in ranked[:-1] if place == ranked[-1][0]]
    others = _("{worst} {other}")
    if len(equal) == 1:
        others, fields["tied"] = _("{tied} and {worst} {other}"), equal[0]
    elif equal:
        others, fields["ties"] = _("{worst} and {ties} more {other}"), count(len(equal))
    template = solves + GAP + others
    pair = next((each for each in found.compared if {each.first, each.second} == {best, worst}), None)
    if group in (ALL, found.whole) and pair is not None and pair.duel.difference is not None:
        low, high = (pair.duel.low, pair.duel.high) if pair.first == best else (-pair.duel.high, -pair.duel.low)
        points = f"{abs(pair.duel.difference) * 100:.1f}"
        fields |= {"points": points, "below": words.points(low), "above": words.points(high)}
        template += GAP + _("difference {points} points, interval {below} to {above}")
    return template, fields


# The selected row


def selected_lines(state: BenchState, space: Space) -> Iterator[Spans]:
    """The facts of the selected row; of more lines than there is room for the last in view ends in an ellipsis."""
    lines = list(_facts(state, space))
    if len(lines) > space.height:
        lines = [*lines[:space.height - 1], [*lines[space.height - 1], (f" {space.glyphs.ellipsis}", "muted")]]
    yield from lines


def _facts(state: BenchState, space: Space) -> Iterator[Spans]:
    row = state.row
    if row is None or state.results is None:
        yield [(_("Selected"), "strong")]
        yield [(_("no results yet"), "muted")]
        return
    several = len(state.experiment.groups) > 1
    name = f"{row.label}, {group_name(row.group)}" if several else row.label
    yield spread([(_("Selected"), "strong")], [(space.glyphs.text(name), "muted")], space.width)
    found = state.results.comparison
    times, *of_solved = _times(row, found)
    yield from _flow([*_solved(row, found), times, *_unsolved(row)], space)
    yield from _flow([*_against(state, row), *of_solved], space)


def _flow(parts: list[list[Span]], space: Space) -> Iterator[Spans]:
    """The parts side by side, on as few lines as they take: each on the first line that has room for it."""
    lines: list[list[Span]] = []
    for part in parts:
        shown: list[Span] = [(space.glyphs.text(text), role) for text, role in part]
        line = next((each for each in lines if length(each) + 3 + length(shown) <= space.width), None)
        if line is None:
            lines.append(shown)
        else:
            line += [("   ", "blank"), *shown]
    yield from lines


def _solved(row: TableRow, found: Comparison) -> Iterator[list[Span]]:
    rate = row.cell.rate
    yield [(_("solved") + " ", "muted"), (count(rate.solved), "strong"), (f" / {count(rate.n)}", "muted")]
    yield [(_("interval") + " ", "muted"), (words.interval(rate), "strong"),
           *([(", " + _("too narrow: equal for all seeds"), "muted")] if row.contender in found.alike else ())]


def measure_word(measure: Measure) -> str:
    return _("time") if measure == "seconds" else _(measure)


def _times(row: TableRow, found: Comparison) -> Iterator[list[Span]]:
    """Median with interval and quartiles of the measure; then median, mean and deviation of the solved runs alone."""
    took: RunTimes = row.cell.took(found.measure)
    yield [(measure_word(found.measure) + " ", "muted"), (words.median(took, found.measure), "strong"),
           (" " + _("quartiles") + " ", "muted"), (words.quartiles(took, found.measure), "text")]
    solved = took.among_solved
    if solved is not None:
        yield [(_("solved runs only: median") + " ", "muted"), (words.amount(solved.median, found.measure), "text"),
               (", " + _("mean") + " ", "muted"), (words.amount(solved.mean, found.measure), "text"),
               (", " + _("deviation") + " ", "muted"), (words.amount(solved.deviation, found.measure), "text")]


def _unsolved(row: TableRow) -> Iterator[list[Span]]:
    if row.cell.rate.n != row.cell.rate.solved or row.cell.refused:
        yield [(_("not solved") + " ", "muted"), (words.unsolved(row.cell), "text")]


def _against(state: BenchState, row: TableRow) -> Iterator[list[Span]]:
    """The row's solver against the best of the others, over all groups."""
    rival = state.rival(row)
    if rival is None or state.results is None:
        return
    pair, first = rival
    duel, found = pair.duel, state.results.comparison
    other = found.labels[pair.second if first else pair.first]
    where = "" if row.group == ALL or len(found.groups) == 1 else " " + _("on all groups")
    against: Span = (_("against") + f" {other}{where} ", "muted")
    if duel.difference is None:
        yield [against, (_("nothing to compare yet"), "text")]
        return
    difference = duel.difference if first else -duel.difference
    low, high = (duel.low, duel.high) if first else (-duel.high, -duel.low)
    wins, losses = (duel.wins, duel.losses) if first else (duel.losses, duel.wins)
    yield [against, (words.points(difference), "strong"),
           (" " + _("points, interval") + f" {words.points(low)} … {words.points(high)}", "muted")]
    yield [(_("faster") + " ", "muted"), (count(wins), "text"), (" " + _("slower") + " ", "muted"),
           (count(losses), "text"), (" " + _("undecided") + " ", "muted"), (count(duel.ties), "text"),
           ("  p ", "muted"), (words.probability(pair.p), "text")]
