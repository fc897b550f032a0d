"""A moment of an annealer's run as plain values: marks, gauges, the numbers beside the pseudo-code."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any

from engine import text
from engine.events import Assigned, Contradiction, Event, Restarted, Scanned, SwapJudged
from engine.puzzle import Puzzle
from engine.solvers.annealing import config as codes
from engine.solvers.annealing.neighbourhood import groups
from engine.solvers.annealing.state import CALIBRATE, SEARCH, AnnealState
from engine.view import Gauge, Role, View


def conflicts(puzzle: Puzzle, cells: tuple[int, ...]) -> tuple[int, ...]:
    """The cells whose value stands again in one of their units, ascending (energy.conflicts, unit by unit)."""
    found: set[int] = set()
    for unit in puzzle.geometry.units:
        first: dict[int, int] = {}
        for cell in unit.cells:
            value = cells[cell]
            if value and value in first:
                found |= {cell, first[value]}
            elif value:
                first[value] = cell
    return tuple(sorted(found))


def moved_cells(events: Iterable[Event]) -> tuple[int, ...]:
    """The cells that the proposal of this step was about, whatever its verdict."""
    for event in events:
        if isinstance(event, SwapJudged | Scanned):
            return event.cells
        if isinstance(event, Assigned):
            return (event.cell,)
    return ()


def within_reach(state: AnnealState, moved: tuple[int, ...]) -> tuple[int, ...]:
    """The free cells that a move of one of the moved cells could have touched: those of its row, box or band. A
    single cell was filled in, not moved."""
    if len(moved) < 2:
        return ()
    return _reach(state.puzzle, state.fixed.tobytes(), int(state.now["neighbourhood"]), bool(state.now["boxes"]), moved)


@functools.lru_cache(maxsize=512)
def _reach(puzzle: Puzzle, fixed: bytes, neighbourhood: int, boxes: bool, moved: tuple[int, ...]) -> tuple[int, ...]:
    if neighbourhood == codes.EXTENDED:
        band = puzzle.box * puzzle.n
        units = {range(cell // band * band, cell // band * band + band) for cell in moved}
        found = {cell for unit in units for cell in unit}
    else:
        found = {cell for unit in groups(puzzle, boxes) if not set(moved).isdisjoint(unit.cells) for cell in unit.cells}
    return tuple(sorted(cell for cell in found - set(moved) if not fixed[cell]))


def partners(puzzle: Puzzle, cells: tuple[int, ...], moved: tuple[int, ...]) -> tuple[int, ...]:
    """The cells that are in conflict with one of the moved cells."""
    peers = puzzle.geometry.peers
    found = {other for cell in moved if cells[cell] for other in peers[cell] if cells[other] == cells[cell]}
    return tuple(sorted(found - set(moved)))


def marks(state: AnnealState, cells: tuple[int, ...], events: tuple[Event, ...]) -> dict[Role, tuple[int, ...]]:
    """The marks of the board. After a restart the cells are others than those that the move was about."""
    puzzle = state.puzzle
    restarted = any(isinstance(event, Restarted) for event in events)
    moved = () if restarted else moved_cells(events)
    core = next((event.cells for event in events if isinstance(event, Contradiction)), ())
    found: dict[Role, tuple[int, ...]] = {"moved": moved, "partner": partners(puzzle, cells, moved),
                                          "reach": within_reach(state, moved),
                                          "conflict": conflicts(puzzle, cells), "core": core}
    return {role: where for role, where in found.items() if where}


def view(state: AnnealState, c: Any, events: tuple[Event, ...], has_temperature: bool) -> View:
    """The view of the state after the step of these events; c is the record of CONFIG in force."""
    cells = state.grid
    shown = temperature_gauges(state, c) if has_temperature else climb_gauges(state, c)
    gauges = (*shown, *energy_gauges(state), *attempt_gauge(state, c))
    return View(cells, marks(state, cells, events), gauges=gauges, live=live(state, c, events))


def energy_gauges(state: AnnealState) -> tuple[Gauge, ...]:
    now = state.now
    return Gauge("E", str(now["energy"])), Gauge("best", str(now["best"]), role="best")


def attempt_gauge(state: AnnealState, c: Any) -> tuple[Gauge, ...]:
    attempt, attempts = int(state.now["attempt"]), int(c["attempts"])
    if attempts == 1 or not restarts(c):
        return ()
    return (Gauge("attempt", _attempt(state, c), attempt / attempts if attempts else None),)


def restarts(c: Any) -> bool:
    """Whether this run can ever come to a restart (rules._end_plateau, rules._climb)."""
    spent = c["stagnation"] and c["max_reheats"]
    return bool(c["patience"] or spent or c["at_floor"] == codes.AT_FLOOR_RESTART)


def temperature_gauges(state: AnnealState, c: Any) -> tuple[Gauge, ...]:
    now = state.now
    searching = now["phase"] == SEARCH
    T = float(now["temperature"]) if searching else None
    share = float(now["last_accepted"] / now["last_moves"]) if now["last_moves"] else None
    gauges = [Gauge("T", text.significant(T), _log_share(T, c, float(now["calibrated"])), "knob"),
              Gauge("accept", text.share(share), share)]
    if now["phase"] == CALIBRATE:
        gauges.append(Gauge("walk", f"{now['walked']}/{c['walk']}", int(now["walked"]) / int(c["walk"])))
    else:
        done = min(1.0, int(now["moves"]) / int(c["moves"]))
        gauges.append(Gauge("plateau", text.count(int(now["plateau"]) + 1), done))
    if c["stagnation"]:
        stuck, limit = int(now["stagnation"]), int(c["stagnation"])
        gauges.append(Gauge("stuck", f"{stuck}/{limit}", min(1.0, stuck / limit)))
    return tuple(gauges)


def climb_gauges(state: AnnealState, c: Any) -> tuple[Gauge, ...]:
    now = state.now
    waited, patience = int(now["since_better"]), int(c["patience"])
    share = int(now["total_accepted"]) / int(now["step"]) if now["step"] else None
    return (Gauge("stuck", text.count(waited), min(1.0, waited / patience)), Gauge("accept", text.share(share), share))


def _log_share(T: float | None, c: Any, calibrated: float) -> float | None:
    """Where T stands between the floor and T₀ on a logarithmic scale."""
    low, high = float(c["t_min"]), float(c["t0"]) or calibrated
    if T is None or low <= 0 or high <= low:
        return None
    if low >= T:
        return 0.0
    return min(1.0, math.log(T / low) / math.log(high / low))


def live(state: AnnealState, c: Any, events: tuple[Event, ...]) -> dict[str, str]:
    """Current values beside the lines of the program, by line id; short, for the pane is narrow."""
    now = state.now
    shown = {"best": str(now["best"])}
    if c["patience"]:
        shown["stuck"] = text.count(int(now["since_better"]))
    elif now["phase"] == SEARCH:
        shown["cool"] = f"{now['moves']}/{c['moves']}"
    if c["stagnation"]:
        shown["reheat"] = f"{now['stagnation']}/{c['stagnation']}"
    if c["attempts"] != 1 and restarts(c):
        shown["restart"] = _attempt(state, c)
    if c["at_floor"] == codes.AT_FLOOR_SWEEP:
        shown["sweep"] = text.count(int(now["sweep"]))
    if c["walk"]:
        calibrated = float(now["calibrated"])
        shown["calibrate"] = text.significant(calibrated) if calibrated else f"{now['walked']}/{c['walk']}"
    return shown | _judgement(events)


def _attempt(state: AnnealState, c: Any) -> str:
    return text.count(int(state.now["attempt"])) + (f"/{c['attempts']}" if c["attempts"] else "")


def _judgement(events: tuple[Event, ...]) -> dict[str, str]:
    """The numbers of this step's proposal."""
    for event in events:
        if isinstance(event, SwapJudged | Scanned):
            shown = {"delta": text.signed(event.delta)}
            if isinstance(event, SwapJudged) and event.p is not None and event.u is not None:
                p, u = text.apart(event.p, event.u)
                shown["uphill"] = f"p = {p}, u = {u}"
            return shown
    return {}
