"""The view of a swarm (one organism on the board, gauges, the panel of all) and its events.

Events and the outcome are made from log records and status codes of the kernels.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from msgspec import structs

from engine import text
from engine.energy import conflicts
from engine.events import Done, Event, NewBest, Restarted, Status
from engine.events.population import (
    FIRST,
    SECOND,
    Caste,
    Flown,
    GenerationEnded,
    Merged,
    Refined,
    Shifted,
    Turn,
    Turned,
    name_of,
)
from engine.solver import Outcome
from engine.solvers.annealing.view import partners
from engine.solvers.population.panel import population_panel, shown_in, with_kinds
from engine.solvers.population.refine import RefinementResult
from engine.solvers.population.swarm.state import (
    ATTEMPTS_SPENT,
    BEST,
    BUDGET_SPENT,
    DONE,
    EPOCH,
    FRESH,
    IMPROVED,
    LUCK,
    MERGED,
    NO_MOVES,
    REFUSED,
    RESTART,
    RUNNING,
    SHIFTED,
    SOLVED,
    WORKER,
    Config,
    Log,
    SwarmState,
    board,
    box_of,
)
from engine.view import Gauge, PopulationPanel, Role, View


class Subject(NamedTuple):
    """The organism that a step was about; for a merge also its parents, and the place it replaced."""

    who: int
    parents: tuple[int, ...] = ()
    replaced: int | None = None


def subject(state: SwarmState, events: tuple[Event, ...]) -> Subject:
    """The organism of a turn, a merge, a refinement or a flight; the leader if the step was about all organisms."""
    match events[0] if events else None:
        case Turned(organism=who) | Refined(individual=who) | Flown(particle=who) if len(events) == 1 or not any(
                event.kinds[0] == "restart" for event in events):
            return Subject(who)
        case Merged(into=who, parents=parents):
            return Subject(who, parents, who)
    return Subject(int(state.now["leader"]))


def swarm_view(state: SwarmState, config: Config, events: tuple[Event, ...], place: int | None = None) -> View:
    """The view after the step of these events, with the organism at a place on the board (by default the one that the
    step was about). config: the record of CONFIG in force."""
    found = subject(state, events)
    shown = found if place is None or place == found.who else Subject(place)
    grid = tuple(state.genes[shown.who].tolist())
    shown_events = events if shown is found else ()
    return View(grid, marks(state, grid, shown_events), gauges=gauges(state, config, shown.who, events),
                live=live_values(state, config, events), panel=panel(state, config, shown))


def population(view: View) -> PopulationPanel:
    """The population panel of a view."""
    assert isinstance(view.panel, PopulationPanel)
    return view.panel


def panel(state: SwarmState, config: Config, shown: Subject) -> PopulationPanel:
    """The panel of all organisms, with their kinds and ages."""
    plain = population_panel(state.energies, shown.who, shown.parents, shown.replaced)
    made = with_kinds(plain, np.arange(len(state.energies)) < int(state.now["workers"]))
    return structs.replace(made, word="organism", ages=tuple(state.ages[shown_in(made)].tolist()),
                           patience=int(config["patience"]))


def marks(state: SwarmState, grid: tuple[int, ...], events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The marks of the board for the organism that these events are about."""
    puzzle = state.puzzle
    found: dict[Role, tuple[int, ...]] = {"conflict": conflicts(puzzle, grid)}
    match events[0] if events else None:
        case Turned(cells=cells) if cells:
            found |= {"moved": cells, "partner": partners(puzzle, grid, cells), "reach": reach(state, cells)}
        case Flown(velocity=velocity):
            found["moved"] = tuple(sorted({cell for swap in velocity for cell in swap}))
        case Merged(mask=mask):
            free = puzzle.free_cells
            found["parent_a"] = tuple(cell for cell in free if mask[cell] == FIRST)
            found["parent_b"] = tuple(cell for cell in free if mask[cell] == SECOND)
    return {role: cells for role, cells in found.items() if cells}


def reach(state: SwarmState, cells: tuple[int, ...]) -> tuple[int, ...]:
    """The other free cells of the box of a swap."""
    made, puzzle = board(state.puzzle), state.puzzle
    free, starts = made.free.tolist(), made.starts.tolist()
    box = next(unit for unit in range(puzzle.n) if cells[0] in free[starts[unit]:starts[unit + 1]])
    return tuple(sorted(set(free[starts[box]:starts[box + 1]]) - set(cells)))


def gauges(state: SwarmState, config: Config, who: int, events: tuple[Event, ...]) -> tuple[Gauge, ...]:
    now, size = state.now, int(config["size"])
    restarted = any(isinstance(event, Restarted) for event in events)
    complete = 1.0 if restarted else min(1.0, int(now["epoch"]) / int(config["epochs"]))  # of the attempt that ended
    found = [Gauge("E", str(state.energies[who])), Gauge("best", str(now["best"]), role="best"),
             Gauge("mean", text.significant(int(now["total"]) / size)),
             Gauge("epoch", text.count(int(now["epochs"])), complete)]
    if 0 < config["workers"] < size or config["stagnation"]:  # the share changes
        found.append(Gauge("workers", str(now["workers"]), int(now["workers"]) / size))
    found.append(Gauge("div.", text.share(float(now["diversity"])), float(now["diversity"])))
    if config["attempts"] > 1:
        attempt, attempts = int(now["attempt"]), int(config["attempts"])
        found.append(Gauge("attempt", f"{text.count(attempt)}/{text.count(attempts)}", min(1.0, attempt / attempts)))
    return tuple(found)


def live_values(state: SwarmState, config: Config, events: tuple[Event, ...]) -> dict[str, str]:
    """Current values beside the lines of the program, by line id."""
    now = state.now
    shown = {"best": f"best = {now['best']}",
             "epoch": f"{text.count(int(now['epoch']))}/{text.count(int(config['epochs']))}"}
    if config["attempts"] > 1:
        shown["restart"] = f"{text.count(int(now['attempt']))}/{text.count(int(config['attempts']))}"
    if config["stagnation"]:
        shown["share"] = f"idle {now['stagnation']}/{config['stagnation']}"
    if config["every"]:
        shown["refine"] = f"{now['refining']} to go" if now["refining"] else ""
    for event in events:
        shown |= _event_values(event)
        if isinstance(event, Shifted) and event.stagnation:  # which sets the count to 0
            shown["share"] = f"idle {event.stagnation}/{config['stagnation']}"
        if isinstance(event, Restarted):  # the epochs that led to it
            shown["epoch"] = "/".join([text.count(int(config["epochs"]))] * 2)
    return shown


def _event_values(event: Event) -> dict[str, str]:
    match event:
        case Turned(cells=cells, delta=delta, p=p, u=u, age=age) if cells:
            shown = {"swap": f"ΔE = {text.signed(delta)}", "fresh": text.count(age)}
            if p is not None and u is not None:
                relation, p_text, u_text = text.chance(p, u)
                shown["luck"] = f"p {relation} {p_text}, u = {u_text}"
            return shown
        case Merged(parents=parents):
            return {"merge": " × ".join(name_of(each) for each in parents)}
        case Refined(before=before, after=after):
            return {"refine": f"E {before} → {after}"}
    return {}


TURNS: Final[dict[int, tuple[Turn, str]]] = {
    IMPROVED: ("improved", "better"), LUCK: ("luck", "luck"), REFUSED: ("refused", "refuse"),
    FRESH: ("fresh", "fresh"),
}
"""The outcome of a turn and its line of the program, by its bit."""
SCALE: Final = 2**32


def step_events(log: Log, state: SwarmState, config: Config, outcome: Outcome | None) -> tuple[Event, ...]:
    """All events of a step, in order, from its log record."""
    return (_step_event(log, state, config), *rare_events(log, config, outcome))


def rare_events(log: Log, config: Config, outcome: Outcome | None) -> tuple[Event, ...]:
    """The events of a step that `advance` reports."""
    bits, step = int(log["bits"]), int(log["step"])
    found: list[Event] = []
    if bits & BEST and not bits & RESTART:
        found.append(NewBest(step, "best", int(log["best"]), int(log["best_before"])))
    if bits & SHIFTED:
        size = int(config["size"])
        found.append(Shifted(step, "share", int(log["workers_before"]) / size, int(log["workers"]) / size,
                             int(log["stagnation"])))
    if bits & RESTART:
        found.append(Restarted(step, "restart", int(log["attempt"]), int(config["attempts"]), int(log["fresh_best"]),
                               int(log["best_before"])))
        if bits & BEST:
            found.append(NewBest(step, "best", int(log["best"]), int(log["best_before"])))
    if bits & DONE:
        assert outcome is not None
        line = "solved" if outcome.status == "solved" else "give_up"
        found.append(Done(step, line, outcome.status, outcome.energy, outcome.reason))
    return tuple(found)


def _step_event(log: Log, state: SwarmState, config: Config) -> Event:
    """The first event of a step: a merge, the end of an epoch, or a turn."""
    bits, step, who = int(log["bits"]), int(log["step"]), int(log["who"])
    if bits & MERGED:
        second = tuple(bool(int(log["boxes"]) >> box & 1) for box in range(state.puzzle.n))
        mask = tuple(SECOND if second[box] else FIRST for box in box_of(state.puzzle.n, state.puzzle.box).tolist())
        return Merged(step, "merge", (int(log["first"]), int(log["second"])), who, mask,
                      (int(log["first_energy"]), int(log["second_energy"])), int(log["before"]), int(log["energy"]))
    if bits & EPOCH:
        mean = int(log["total"]) / int(config["size"])
        return GenerationEnded(step, "epoch", int(log["epochs"]), int(log["lowest"]), mean, int(log["worst"]),
                               float(log["diversity"]), "epoch")
    return _turn_event(log, bits, step, who, config)


def _turn_event(log: Log, bits: int, step: int, who: int, config: Config) -> Turned:
    turn, line = next(TURNS[bit] for bit in TURNS if bits & bit)
    before, after = int(log["before"]), int(log["energy"])
    caste: Caste = "worker" if bits & WORKER else "explorer"
    if turn == "fresh":
        line = line if caste == "worker" else "explore"
        return Turned(step, line, who, caste, turn, (), (), after - before, after, 0)
    drawn = int(log["draw"])
    p, u = (int(config["luck"]) / SCALE, drawn / SCALE) if drawn >= 0 else (None, None)
    return Turned(step, line, who, caste, turn, (int(log["a"]), int(log["b"])), (int(log["at_a"]), int(log["at_b"])),
                  int(log["delta"]), after, int(log["age"]), p, u)


def refined_event(log: Log, found: RefinementResult, temperature: float, *, cooled: bool) -> Refined:
    """The event of an annealed organism; `temperature` at first."""
    return Refined(int(log["step"]), "refine", int(log["who"]), int(log["before"]), int(log["energy"]),
                   found.proposals, found.accepted, temperature, found.temperature if cooled else None)


def outcome_of(state: SwarmState) -> Outcome | None:
    """The outcome with the best grid over all attempts; None while the run is not over."""
    now = state.now
    code, attempts = int(now["status"]), int(now["attempt"])
    if code == RUNNING:
        return None
    reasons = {
        SOLVED: "E = 0",
        ATTEMPTS_SPENT: f"all {text.count(attempts)} attempts are spent" if attempts > 1 else
        "the attempt is spent",
        BUDGET_SPENT: f"the budget is spent at step {text.count(int(now['step']))}",
        NO_MOVES: "no two free cells share a box" if 0 in state.puzzle.givens else "no cell is free",
    }
    status: Status = "solved" if code == SOLVED else "gave_up"
    return Outcome(status, tuple(state.best_grid.tolist()), int(now["best"]), reasons[code], attempts - 1)
