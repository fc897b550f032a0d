"""Tables of an experiment's results: the share that each contender solved of each group, and the time taken. The
screen, the command line and the reports draw the same structs."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from engine.bench import statistics
from engine.bench.columns import FAILED, GAVE_UP, MEASURES, STATUSES, Columns, Measure
from engine.bench.experiment import Contender, Experiment
from engine.bench.statistics import Duel, Rate, RunTimes, Sample
from engine.params import Value, written

ALL: Final = ""
"""The group of a cell that counts all groups together."""
MOST_COMPARED: Final = 10
"""Most contenders to compare pairwise: with more, the correction hides every difference."""


class Cell(Struct, frozen=True):
    """Some trials together: those of a contender on a group of problems, or of several."""

    rate: Rate
    """Without the refused."""
    refused: int
    statuses: tuple[int, ...]
    """Trials by status, in the order of STATUSES."""
    steps: RunTimes
    evaluations: RunTimes
    seconds: RunTimes
    left: float | None
    """Median of E of the trials that were not solved; None if there are none. Each solver counts E in its own way."""
    errors: float | None
    """The same of the course's count of errors, which is the same for all solvers."""
    restarts: float | None
    """Median over all."""

    def took(self, measure: Measure) -> RunTimes:
        """The distribution of run times."""
        found: RunTimes = getattr(self, measure)
        return found


class Entry(Struct, frozen=True):
    """A cell with its contender and group."""

    contender: int
    group: str
    """ALL: of all groups."""
    cell: Cell


class Compared(Struct, frozen=True):
    """Two contenders, by their places, and the p of each test corrected for all pairs (Holm 1979)."""

    first: int
    second: int
    duel: Duel
    p: float
    p_solved: float
    p_log_rank: float


class Comparison(Struct, frozen=True):
    """Contenders by groups of problems."""

    name: str
    about: str
    labels: tuple[str, ...]
    """Of the contenders."""
    groups: tuple[str, ...]
    made: int
    """Trials that have a result."""
    size: int
    """Trials of the experiment."""
    entries: tuple[Entry, ...]
    """By contender, and for each by group; where there are several groups, ALL comes last."""
    measure: Measure
    """The measure that the contenders are compared by."""
    compared: tuple[Compared, ...]
    """Each with each; empty if there are more than MOST_COMPARED."""
    alike: tuple[int, ...] = ()
    """The contenders whose trials of a puzzle are equal for all seeds: these are not independent."""

    @property
    def whole(self) -> str:
        """The group of the entries that count all trials."""
        return self.groups[0] if len(self.groups) == 1 else ALL

    def cell(self, contender: int, group: str = ALL) -> Cell:
        """A contender on a group, or on all."""
        wanted = group or self.whole
        return next(each.cell for each in self.entries if (each.contender, each.group) == (contender, wanted))


Places = np.ndarray[tuple[int, ...], np.dtype[np.intp]]
"""Of trials among others."""


class _Trials:
    """Results by contender and group."""

    def __init__(self, experiment: Experiment, results: Columns) -> None:
        self.experiment, self.results = experiment, results
        self.mine = apart(results.contender, len(experiment.contenders))
        """By contender."""
        self._limited = experiment.limit[0]

    def cell(self, places: Places) -> Cell:
        """These trials together."""
        these = self.results.only(places)
        ran = these if not these.refused.any() else these.only(~these.refused)
        solved = ran.solved
        steps, evaluations, seconds = (statistics.run_times(Sample.of(ran, measure, self._limited))
                                       for measure in MEASURES)
        statuses = tuple(int(n) for n in np.bincount(these.status, minlength=len(STATUSES)))
        return Cell(statistics.success(int(solved.sum()), len(ran)), len(these) - len(ran), statuses, steps,
                    evaluations, seconds, _median(ran.energy[~solved]), _median(ran.errors[~solved]),
                    _median(ran.restarts))

    def sample(self, places: Places, measure: Measure) -> Sample:
        """The same as a sample."""
        return Sample.of(self.results.only(places), measure, self._limited)


def apart(codes: Places, size: int) -> list[Places]:
    """The places of each of the codes 0 ... size - 1."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.searchsorted(codes[order], np.arange(1, size)))


def _median(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float | None:
    return float(np.median(values)) if len(values) else None


# The comparison


def comparison(experiment: Experiment, results: Columns, measure: Measure | None = None) -> Comparison:
    """Compare all contenders on all groups. `results` comes from `Store.columns` or `columns.gather`; the experiment
    may be under way. `measure` defaults to steps among contenders of one solver and to seconds otherwise, since steps
    of different solvers are not comparable."""
    chosen: Measure = measure or ("steps" if len({each.solver for each in experiment.contenders}) == 1 else "seconds")
    trials = _Trials(experiment, results)
    labels = tuple(each.label for each in experiment.contenders)
    return Comparison(experiment.name, experiment.about, labels, experiment.groups, len(results), experiment.size,
                      tuple(_entries(trials)), chosen, _compared(trials, chosen),
                      tuple(contender for contender, mine in enumerate(trials.mine) if _repeats_alike(results, mine)))


def _repeats_alike(results: Columns, places: Places) -> bool:
    """Whether some of these trials of a contender repeat a puzzle, and all repeats have the same numbers but times.

    Trials that gave up or that a limit ended do not count as repeats: runs that differ end alike where they spend a
    fixed number of attempts, and how many steps fit in a limit may depend on the machine. But if the numbers of two
    that gave up differ, or of two that a limit ended after as many steps, the seed makes a difference.
    """
    places = places[~(results.refused | np.equal(results.status, FAILED))[places]]
    places = places[np.lexsort((results.status[places], results.censored[places], results.problem[places]))]
    before, after = places[:-1], places[1:]
    paired = (results.problem[before] == results.problem[after]) & (results.censored[before] == results.censored[after])
    before, after = before[paired], after[paired]
    numbers = (results.evaluations, results.status, results.energy, results.errors, results.restarts)
    equal = np.logical_and.reduce([each[before] == each[after] for each in numbers])
    as_many = results.steps[before] == results.steps[after]
    cut = results.censored[before]
    repeats = ~cut & np.not_equal(results.status[before], GAVE_UP)
    return bool(repeats.any() and np.where(cut, equal | ~as_many, equal & as_many).all())


def by_puzzle(experiment: Experiment, results: Columns) -> tuple[Entry, ...]:
    """Each contender on each puzzle; `group` is the name of the puzzle, after that of its group where it is not
    unique."""
    problems = experiment.problems
    often = Counter(problem.name for problem in problems)
    named = [replace(problem, group=problem.name if often[problem.name] == 1 else f"{problem.group}, {problem.name}")
             for problem in problems]
    trials = _Trials(replace(experiment, problems=tuple(named)), results)
    return tuple(each for each in _entries(trials) if each.group != ALL)


def _entries(trials: _Trials) -> Iterator[Entry]:
    groups = trials.experiment.groups
    group_of = np.array([groups.index(problem.group) for problem in trials.experiment.problems])
    for contender, mine in enumerate(trials.mine):
        by_group = apart(group_of[trials.results.problem[mine]], len(groups))
        yield from (Entry(contender, group, trials.cell(mine[places]))
                    for group, places in zip(groups, by_group, strict=True))
        if len(groups) > 1:
            yield Entry(contender, ALL, trials.cell(mine))


def _compared(trials: _Trials, measure: Measure) -> tuple[Compared, ...]:
    experiment, results = trials.experiment, trials.results
    if len(experiment.contenders) > MOST_COMPARED:
        return ()
    identity = results.problem.astype(np.int64) * experiment.runs + (results.seed - experiment.seed)
    ran = [mine[~results.refused[mine]] for mine in trials.mine]
    pairs = list(itertools.combinations(range(len(ran)), 2))
    duels = [_duel(trials, identity, measure, ran[first], ran[second]) for first, second in pairs]
    p, p_solved, p_log_rank = (statistics.holm([getattr(duel, name) for duel in duels])
                               for name in ("p", "p_solved", "p_log_rank"))
    return tuple(Compared(*pair, duels[place], p[place], p_solved[place], p_log_rank[place])
                 for place, pair in enumerate(pairs))


def _duel(trials: _Trials, identity: Places, measure: Measure, first: Places, second: Places) -> Duel:
    """Compare two contenders, paired over the puzzles and seeds that both have tried, if there are any."""
    _, ours, theirs = np.intersect1d(identity[first], identity[second], assume_unique=True, return_indices=True)
    one, other = trials.sample(first, measure), trials.sample(second, measure)
    if not len(ours):
        return statistics.unpaired(one, other)
    duel = statistics.paired(trials.sample(first[ours], measure), trials.sample(second[theirs], measure))
    everybody = len(ours) == len(first) == len(second)
    return duel if everybody else replace(duel, p_log_rank=statistics.log_rank(one, other))


# Sweeps


class Sweep(Struct, frozen=True):
    """The results for each value of one parameter, over all other swept values."""

    label: str
    """The contenders, without the swept parameter."""
    parameter: str
    rows: tuple[tuple[Value, Cell], ...]
    """In the order of the experiment."""


class HeatMap(Struct, frozen=True):
    """The results for pairs of values of two parameters."""

    label: str
    x: str
    y: str
    xs: tuple[Value, ...]
    ys: tuple[Value, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    """cells[y][x]; None where the experiment does not have the pair."""

    @property
    def best(self) -> tuple[int, int] | None:
        """(row, column) of the pair that solves the most, the first of equals that needs the fewest steps; None where
        there is no trial yet."""
        tried = [(-cell.rate.share, cell.steps.median.value if cell.steps.median.value is not None else math.inf, y, x)
                 for y, line in enumerate(self.cells) for x, cell in enumerate(line)
                 if cell is not None and cell.rate.share is not None]
        return min(tried)[2:] if tried else None

    def transposed(self) -> HeatMap:
        """The map with its axes exchanged."""
        cells = tuple(tuple(column) for column in zip(*self.cells, strict=True))
        return HeatMap(self.label, self.y, self.x, self.ys, self.xs, cells)


class Phase(Struct, frozen=True):
    """A contender along the axis of the groups, usually the share of givens."""

    contender: int
    label: str
    points: tuple[tuple[float, Cell], ...]
    """By x, ascending."""


def plain_label(contender: Contender) -> str:
    """The label without the swept parameters."""
    said = "".join(f" {name}={written(value)}" for name, value in contender.sweep.items())
    return contender.label.removesuffix(said)


def _families(experiment: Experiment) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
    """(label, parameters that are swept, places of the contenders)."""
    families: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, each in enumerate(experiment.contenders):
        if each.sweep:
            families.setdefault((plain_label(each), tuple(each.sweep)), []).append(place)
    for (label, swept), places in families.items():
        yield label, swept, places


def sweeps(experiment: Experiment, results: Columns) -> tuple[Sweep, ...]:
    """A table for each parameter that is swept."""
    trials = _Trials(experiment, results)
    return tuple(_sweep(trials, label, name, places)
                 for label, swept, places in _families(experiment) for name in swept)


def _sweep(trials: _Trials, label: str, name: str, places: Sequence[int]) -> Sweep:
    by_value: dict[Value, list[Places]] = {}
    for place in places:
        by_value.setdefault(trials.experiment.contenders[place].sweep[name], []).append(trials.mine[place])
    return Sweep(label, name, tuple((value, trials.cell(np.concatenate(some))) for value, some in by_value.items()))


def heat_maps(experiment: Experiment, results: Columns) -> tuple[HeatMap, ...]:
    """A map for each two parameters that are swept together."""
    trials = _Trials(experiment, results)
    return tuple(_heat_map(trials, label, places) for label, swept, places in _families(experiment) if len(swept) == 2)


def _heat_map(trials: _Trials, label: str, places: Sequence[int]) -> HeatMap:
    contenders = trials.experiment.contenders
    swept = {tuple(contenders[place].sweep.values()): trials.mine[place] for place in places}
    x, y = contenders[places[0]].sweep
    xs, ys = (tuple(dict.fromkeys(values)) for values in zip(*swept, strict=True))
    cells = tuple(tuple(trials.cell(swept[at, up]) if (at, up) in swept else None for at in xs) for up in ys)
    return HeatMap(label, x, y, xs, ys, cells)


def phases(experiment: Experiment, results: Columns) -> tuple[Phase, ...]:
    """Each contender along the axis; empty if no problem has a position on one."""
    xs = sorted({problem.x for problem in experiment.problems if problem.x is not None})
    if not xs:
        return ()
    trials = _Trials(experiment, results)
    code = np.array([len(xs) if problem.x is None else xs.index(problem.x) for problem in experiment.problems])
    return tuple(_phase(trials, contender, xs, code[results.problem[mine]])
                 for contender, mine in enumerate(trials.mine))


def _phase(trials: _Trials, contender: int, xs: Sequence[float], code: Places) -> Phase:
    """`code`: the place of each trial of the contender among xs, len(xs) if it has none."""
    by_x = apart(code, len(xs) + 1)[:-1]
    points = tuple((x, trials.cell(trials.mine[contender][places])) for x, places in zip(xs, by_x, strict=True))
    return Phase(contender, trials.experiment.contenders[contender].label, points)
