"""From the record of a step to the events that people see, and how a run's end is put into words."""

from __future__ import annotations

from typing import Any, Final

from engine import text
from engine.events import Done, Event, NewBest, Restarted, Status
from engine.events.population import FIRST, SECOND, Caste, GenerationEnded, Merged, Refined, Shifted, Turn, Turned
from engine.solver import Outcome
from engine.solvers.population import swarm_codes as codes
from engine.solvers.population.swarm_state import SwarmState, layout

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
