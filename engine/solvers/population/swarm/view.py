"""A moment of a swarm as plain values: one organism on the board, the numbers, all organisms as a panel."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import structs

from engine import text
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
from engine.solvers.annealing.view import conflicts, partners
from engine.solvers.population.panel import population_panel, with_kinds
from engine.solvers.population.swarm import state as codes
from engine.solvers.population.swarm.state import SwarmState, board, layout
from engine.view import Gauge, PopulationPanel, Role, View


class About(NamedTuple):
    """The organism that a step was about, and who else."""

    who: int
    parents: tuple[int, ...] = ()
    replaced: int | None = None


def about(state: SwarmState, events: tuple[Event, ...]) -> About:
    """The best organism where a step was about all of them."""
    match events[0] if events else None:
        case Turned(organism=who) | Refined(individual=who) | Flown(particle=who) if len(events) == 1 or not any(
                event.kinds[0] == "restart" for event in events):
            return About(who)
        case Merged(into=who, parents=parents):
            return About(who, parents, who)
    return About(int(state.now["leader"]))


def view(state: SwarmState, c: Any, events: tuple[Event, ...], place: int | None = None) -> View:
    """The moment after the step of these events, with the organism at a place on the board, or the one that the step
    was about; c is the record of CONFIG in force."""
    found = about(state, events)
    shown = found if place is None or place == found.who else About(place)
    grid = tuple(state.genes[shown.who].tolist())
    told = events if shown is found else ()
    return View(grid, marks(state, grid, told), gauges=gauges(state, c, shown.who), live=live(state, c, events),
                panel=panel(state, c, shown))


def population(view: View) -> PopulationPanel:
    """The panel of a view of `view`."""
    assert isinstance(view.panel, PopulationPanel)
    return view.panel


def panel(state: SwarmState, c: Any, shown: About) -> PopulationPanel:
    """All organisms, with their kinds and ages."""
    plain = population_panel(state.energies, shown.who, shown.parents, shown.replaced)
    made = with_kinds(plain, np.arange(len(state.energies)) < int(state.now["workers"]))
    ages = np.minimum(1.0, state.ages[:: made.each] / (int(c["patience"]) + 1))
    return structs.replace(made, ages=tuple(ages.tolist()))


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
    layout, puzzle = board(state.puzzle), state.puzzle
    free, starts = layout.free.tolist(), layout.starts.tolist()
    box = next(unit for unit in range(puzzle.n) if cells[0] in free[starts[unit]:starts[unit + 1]])
    return tuple(sorted(set(free[starts[box]:starts[box + 1]]) - set(cells)))


def gauges(state: SwarmState, c: Any, who: int) -> tuple[Gauge, ...]:
    now, size = state.now, int(c["size"])
    found = [Gauge("E", str(state.energies[who])), Gauge("best", str(now["best"]), role="best"),
             Gauge("mean", text.significant(int(now["total"]) / size))]
    if 0 < c["workers"] < size:
        found.append(Gauge("workers", str(now["workers"]), int(now["workers"]) / size))
    found += [Gauge("div.", text.share(float(now["diversity"])), float(now["diversity"])),
              Gauge("epoch", text.count(int(now["epoch"])), min(1.0, int(now["epoch"]) / int(c["epochs"])))]
    if c["attempts"] > 1:
        attempt, attempts = int(now["attempt"]), int(c["attempts"])
        found.append(Gauge("attempt", f"{attempt}/{attempts}", min(1.0, attempt / attempts)))
    return tuple(found)


def live(state: SwarmState, c: Any, events: tuple[Event, ...]) -> dict[str, str]:
    """Current values beside the lines of the program, by line id."""
    now = state.now
    shown = {"best": f"best = {now['best']}",
             "epoch": f"{text.count(int(now['epoch']))}/{text.count(int(c['epochs']))}"}
    if c["attempts"] > 1:
        shown["restart"] = f"{now['attempt']}/{c['attempts']}"
    if c["stagnation"]:
        shown["share"] = f"idle {now['stagnation']}/{c['stagnation']}"
    if c["every"]:
        shown["refine"] = f"{now['refining']} to go" if now["refining"] else ""
    for event in events:
        shown |= _judgement(event)
    return shown


def _judgement(event: Event) -> dict[str, str]:
    match event:
        case Turned(cells=cells, delta=delta, p=p, u=u, age=age) if cells:
            shown = {"swap": f"ΔE = {text.signed(delta)}", "fresh": text.count(age)}
            if p is not None and u is not None:
                p_text, u_text = text.apart(p, u)
                shown["luck"] = f"p = {p_text}, u = {u_text}"
            return shown
        case Merged(parents=parents):
            return {"merge": " × ".join(name_of(each) for each in parents)}
        case Refined(before=before, after=after):
            return {"refine": f"E {before} → {after}"}
    return {}


# From the record of a step to the events that people see, and how a run's end is put into words.


TURNS: Final[dict[int, tuple[Turn, str]]] = {
    codes.IMPROVED: ("improved", "better"), codes.LUCK: ("luck", "luck"), codes.REFUSED: ("refused", "refuse"),
    codes.FRESH: ("fresh", "fresh"),
}
"""How a turn ended, and the line of the program."""
SCALE: Final = 2**32


def told(h: Any, state: SwarmState, c: Any, outcome: Outcome | None) -> tuple[Event, ...]:
    """All events of a step, in order."""
    return (_step(h, state, c), *rare(h, c, outcome))


def rare(h: Any, c: Any, outcome: Outcome | None) -> tuple[Event, ...]:
    """Those of them that `advance` reports."""
    bits, step = int(h["bits"]), int(h["step"])
    found: list[Event] = []
    if bits & codes.BEST and not bits & codes.RESTART:
        found.append(NewBest(step, "best", int(h["best"]), int(h["best_before"])))
    if bits & codes.SHIFTED:
        size = int(c["size"])
        found.append(Shifted(step, "share", int(h["workers_before"]) / size, int(h["workers"]) / size,
                             int(h["stagnation"])))
    if bits & codes.RESTART:
        found.append(Restarted(step, "restart", int(h["attempt"]), int(c["attempts"]), int(h["fresh_best"]),
                               int(h["best_before"])))
        if bits & codes.BEST:
            found.append(NewBest(step, "best", int(h["best"]), int(h["best_before"])))
    if bits & codes.DONE:
        assert outcome is not None
        line = "solved" if outcome.status == "solved" else "give_up"
        found.append(Done(step, line, outcome.status, outcome.energy, outcome.reason))
    return tuple(found)


def _step(h: Any, state: SwarmState, c: Any) -> Event:
    """What the step was."""
    bits, step, who = int(h["bits"]), int(h["step"]), int(h["who"])
    if bits & codes.MERGED:
        second = tuple(bool(int(h["boxes"]) >> box & 1) for box in range(state.puzzle.n))
        mask = tuple(SECOND if second[box] else FIRST for box in layout(state.puzzle)[4].tolist())
        return Merged(step, "merge", (int(h["first"]), int(h["second"])), who, mask,
                      (int(h["first_energy"]), int(h["second_energy"])), int(h["before"]), int(h["energy"]))
    if bits & codes.EPOCH:
        return GenerationEnded(step, "epoch", int(h["epochs"]), int(h["lowest"]), int(h["total"]) / int(c["size"]),
                               int(h["worst"]), float(h["diversity"]), "epoch")
    return _turned(h, bits, step, who, c)


def _turned(h: Any, bits: int, step: int, who: int, c: Any) -> Turned:
    turn, line = next(TURNS[bit] for bit in TURNS if bits & bit)
    before, after = int(h["before"]), int(h["energy"])
    caste: Caste = "worker" if bits & codes.WORKER else "explorer"
    if turn == "fresh":
        line = line if caste == "worker" else "explore"
        return Turned(step, line, who, caste, turn, (), (), after - before, after, 0)
    drawn = int(h["draw"])
    p, u = (int(c["luck"]) / SCALE, drawn / SCALE) if drawn >= 0 else (None, None)
    return Turned(step, line, who, caste, turn, (int(h["a"]), int(h["b"])), (int(h["at_a"]), int(h["at_b"])),
                  int(h["delta"]), after, int(h["age"]), p, u)


def refined(h: Any, proposals: int, accepted: int, temperature: float) -> Refined:
    """The event of an organism that was annealed."""
    return Refined(int(h["step"]), "refine", int(h["who"]), int(h["before"]), int(h["energy"]), proposals, accepted,
                   temperature)


def outcome_of(state: SwarmState) -> Outcome | None:
    """How the run ended, or None while it goes on; the best grid over all attempts comes back."""
    now = state.now
    code, attempts = int(now["status"]), int(now["attempt"])
    if code == codes.RUNNING:
        return None
    reasons = {
        codes.SOLVED: "E = 0",
        codes.ATTEMPTS_SPENT: f"all {text.count(attempts)} attempts are spent" if attempts > 1 else
        "the attempt is spent",
        codes.BUDGET_SPENT: f"the budget of {text.count(int(now['step']))} steps is spent",
        codes.NO_MOVES: "no two free cells share a box" if 0 in state.puzzle.givens else "no cell is free",
    }
    status: Status = "solved" if code == codes.SOLVED else "gave_up"
    return Outcome(status, tuple(state.best_grid.tolist()), int(now["best"]), reasons[code], attempts - 1)
