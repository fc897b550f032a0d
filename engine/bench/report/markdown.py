"""The tables of an experiment in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine import text
from engine.bench.columns import Columns, Measure
from engine.bench.experiment import Experiment
from engine.bench.report import words
from engine.bench.statistics import Spread
from engine.bench.tables import ALL, Cell, Comparison, Entry, HeatMap, Sweep, by_puzzle, comparison, heat_maps, sweeps
from engine.params import written


def markdown(experiment: Experiment, results: Columns, facts: dict[str, str], when: str = "",
             notes: Iterable[str] | None = None) -> str:
    """All tables. `facts`: machine and program as noted in the store. `notes`: how to read the tables; None: those of
    this experiment."""
    found = comparison(experiment, results)
    parts = [f"# {_plain(experiment.name)}", _plain(experiment.about), " · ".join(_first(experiment, found, when)),
             "\n".join(f"- {name}: {_plain(value)}" for name, value in origin(facts)),
             "\n".join(_plain(each) for each in experiment.left_out),
             table(*comparison_table(found)), _plain(words.repeats(found)),
             "## The solved trials alone", table(*solved_table(found, "seconds"))]
    if experiment.by_puzzle:
        parts += ["## Puzzle by puzzle", table(*puzzle_table(experiment, results))]
    if experiment.sheet:
        parts += ["## Beside the sheet", table(*sheet_table(experiment, found)), _plain(experiment.difference)]
    for sweep in sweeps(experiment, results):
        parts += [f"## {_plain(sweep.label)}: {sweep.parameter}", table(*sweep_table(sweep))]
    for found_map in heat_maps(experiment, results):
        parts += [f"## {_plain(found_map.label)}: solved, {found_map.y} by {found_map.x}", table(*map_table(found_map))]
    if found.compared:
        parts += [f"## Each with each, by {found.measure}", table(*pairs_table(found))]
    said = "\n".join(f"- {note}" for note in (words.notes([experiment]) if notes is None else notes))
    parts += ["## How to read this", said] if said else []
    return "\n\n".join(part for part in parts if part) + "\n"


def _first(experiment: Experiment, found: Comparison, when: str) -> Iterator[str]:
    yield words.size(experiment, found.made)
    yield words.limit(experiment)
    if when:
        yield when


def origin(facts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Machine and program, in a fixed order."""
    names = {"machine": "machine", "processor": "processor", "cores": "cores", "execution": "made by",
             "program": "sudoku-tui", "python": "Python"}
    return ((name, facts[fact]) for fact, name in names.items() if facts.get(fact))


# The tables: (headings, rows), for Markdown and HTML alike

MEAN: Final = "mean of solved"

Table = tuple[Sequence[str], list[Sequence[str]]]


def comparison_table(found: Comparison) -> Table:
    """Contenders by groups."""
    headings = ("solver", "puzzles", "solved", "share", "95 %", "time: median", "quartiles", MEAN, "steps: median",
                "errors left", "not solved")
    rows = []
    for each in found.entries:
        *before, steps = cell_words(each.cell)
        rows.append((found.labels[each.contender], _group(each), *before, mean(each.cell), steps,
                     _number(each.cell.errors), words.unsolved(each.cell)))
    return headings, list(rows)


def _group(entry: Entry) -> str:
    return entry.group if entry.group != ALL else "all"


def mean(cell: Cell) -> str:
    """Mean and standard deviation of the seconds of the solved trials: `5.10 s ± 1.2 s`."""
    solved = cell.seconds.among_solved
    if solved is None:
        return text.NONE
    spread = "" if solved.deviation is None else f" ± {words.duration(solved.deviation)}"
    return f"{words.duration(solved.mean)}{spread}"


def puzzle_table(experiment: Experiment, results: Columns) -> Table:
    """Contenders by puzzles."""
    headings = ("solver", "puzzle", "solved", "time: median", "quartiles", MEAN, "errors left", "not solved")
    rows = []
    for each in by_puzzle(experiment, results):
        took = each.cell.seconds
        rows.append((experiment.contenders[each.contender].label, each.group, words.solved_of(each.cell.rate),
                     words.quantile(took, took.median, "seconds", 0.5), words.quartiles(took, "seconds"),
                     mean(each.cell), _number(each.cell.errors), words.unsolved(each.cell)))
    return headings, list(rows)


def sheet_table(experiment: Experiment, found: Comparison) -> Table:
    """The figures of the exercise sheet beside the measured ones. A figure is left out where its solver is."""
    headings = ("solver", "puzzles", "the sheet", "here", "median", MEAN)
    rows = []
    for figure in experiment.sheet:
        for each in found.entries:
            label = found.labels[each.contender]
            if figure.solver in ("", label) and each.group == (figure.puzzles or found.whole):
                took = each.cell.seconds
                rows.append((label, _group(each), figure.figure, words.solved_of(each.cell.rate),
                             words.quantile(took, took.median, "seconds", 0.5), mean(each.cell)))
    return headings, list(rows)


def cell_words(cell: Cell) -> tuple[str, ...]:
    """Solved, share, interval, median and quartiles of the seconds, median of the steps."""
    return (words.solved_of(cell.rate), words.share(cell.rate.share), words.interval(cell.rate),
            words.median(cell.seconds, "seconds"), words.quartiles(cell.seconds, "seconds"),
            words.median(cell.steps, "steps"))


def _number(value: float | None) -> str:
    return text.NONE if value is None else f"{value:g}"


def solved_table(found: Comparison, measure: Measure) -> Table:
    """Mean and standard deviation beside median, quartiles and the number of trials left out."""
    headings = ("solver", "puzzles", "solved", "not solved", "median", "quartiles", "mean", "standard deviation")
    rows: list[Sequence[str]] = []
    for each in found.entries:
        rows.append((found.labels[each.contender], each.group if each.group != ALL else "all",
                     words.solved_of(each.cell.rate), words.unsolved(each.cell),
                     *_spread_words(each.cell.took(measure).among_solved, measure)))
    return headings, rows


def _spread_words(found: Spread | None, measure: Measure) -> tuple[str, ...]:
    """Median, quartiles, mean, standard deviation."""
    if found is None:
        return (text.NONE,) * 4
    median, lower, upper, mean, deviation = (
        words.amount(value, measure) for value in (found.median, found.lower, found.upper, found.mean, found.deviation))
    return median, f"{lower} … {upper}", mean, deviation


def sweep_table(sweep: Sweep) -> Table:
    """A row a value."""
    headings = (sweep.parameter, "solved", "share", "95 %", "time: median", "quartiles", "steps: median",
                "not solved")
    return headings, [(written(value), *cell_words(cell), words.unsolved(cell)) for value, cell in sweep.rows]


def map_table(found: HeatMap) -> Table:
    """Shares solved, a row a value of y."""
    rows = [(written(y), *(words.share(cell.rate.share if cell else None) for cell in cells))
            for y, cells in zip(found.ys, found.cells, strict=True)]
    return (f"{found.y} \\ {found.x}", *map(written, found.xs)), list(rows)


def pairs_table(found: Comparison) -> Table:
    """A row a pair of contenders."""
    headings = ("first", "second", "faster : slower : tie", "superiority", "p, time", "solved, points", "95 %",
                "p, solved", "p, log-rank")
    rows = []
    for each in found.compared:
        duel = each.duel
        counts = " : ".join(text.count(n) for n in (duel.wins, duel.losses, duel.ties))
        rows.append((found.labels[each.first], found.labels[each.second], counts,
                     text.NONE if duel.superiority is None else f"{duel.superiority:.2f}",
                     words.probability(each.p), words.points(duel.difference),
                     f"{words.points(duel.low)} … {words.points(duel.high)}", words.probability(each.p_solved),
                     words.probability(each.p_log_rank)))
    return headings, list(rows)


_IN_A_CELL = "\\|`*_[<"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, its columns aligned for reading as text."""
    lines = [[_plain(value, _IN_A_CELL) for value in row] for row in (headings, *rows)]
    widths = [max(3, *(len(line[column]) for line in lines)) for column in range(len(headings))]
    written_lines = ["| " + " | ".join(value.ljust(width) for value, width in zip(line, widths, strict=True)) + " |"
                     for line in lines]
    written_lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(written_lines)


def _plain(value: str, special: str = "\\|`*_[]<>#") -> str:
    """Escape a text for Markdown, on one line."""
    return "".join(f"\\{letter}" if letter in special else letter for letter in " ".join(value.split()))
