"""Golden digests: the events and the final state of every solver that can be re-executed, kept in `golden.json`.

    python -m tests.engine.golden [SOLVER[:PRESET] ...]    renew the entries of these solvers, or of all

The file is `{solver: {"trajectory": version, "presets": {preset: {puzzle: [events, state]}}}}`: `events` is a BLAKE2b
digest of the events of up to `STEPS` steps, `state` is `engine.state.digest` after them, and null replaces the pair
where the solver refuses the puzzle. A digest changes only together with the solver's `trajectory`. With SOLVER:PRESET
only the digests of that preset (and of new presets) are renewed; the solver keeps its entry if others differ.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec

from engine import registry
from engine import state as states
from engine.conformance.cases import NINE, SEED
from engine.errors import BadInput
from engine.params import Params
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.state import State

FILE = Path(__file__).with_name("golden.json")
STEPS = 2_000
CHUNK = 512

PUZZLES = {
    "easy": NINE,
    "hard": Puzzle.from_line("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"),
    "diagonal": Puzzle.from_line(".5613.74.....76.3...4...8...27.94..68.5..........8.4..67..139.4...9.......86.72..",
                                 "diagonal"),
}


class Digests(msgspec.Struct, frozen=True, array_like=True):
    """One run: its events, and the state after them."""

    events: str
    state: str


class Entry(msgspec.Struct, frozen=True):
    """One solver."""

    trajectory: int
    presets: dict[str, dict[str, Digests | None]]


def read(file: Path = FILE) -> dict[str, Entry]:
    """The golden file, by solver."""
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Entry])


def covered() -> list[str]:
    """Names of the solvers that belong into the file: those of this distribution that are not recorded."""
    return [name for name in registry.BUILT_IN if not registry.solver(name).recorded]


def entry_of(solver: AnySolver) -> Entry:
    """The present digests of a solver, on every puzzle with every preset."""
    return Entry(solver.trajectory, {preset: {name: _stepped(solver, puzzle, solver.make_params(preset))
                                              for name, puzzle in PUZZLES.items()} for preset in solver.presets})


def advanced(solver: AnySolver, preset: str, name: str) -> str | None:
    """The digest of the state that `advance` reaches in chunks; None where the solver refuses the puzzle."""
    params = solver.make_params(preset)
    state = _begun(solver, PUZZLES[name], params)
    if state is None:
        return None
    while state.step < STEPS:
        result = solver.advance(state, params, min(CHUNK, STEPS - state.step))
        if result.reason == "done" or not result.steps:
            break
    return states.digest(state)


def complaint(solver: AnySolver, kept: Entry | None, now: Entry) -> str | None:
    """A sentence on how a solver differs from its entry in the file, with the remedy; None if it does not."""
    renew = f"renew it with: python -m tests.engine.golden {solver.name}"
    if kept is None:
        return f"{solver.name} is not in golden.json: {renew}"
    changed = list(_changed(kept, now))
    if changed and now.trajectory <= kept.trajectory:
        return (f"{solver.name} has other {changed[0]} than in golden.json, but its trajectory is still "
                f"{now.trajectory}: undo the change, or raise `trajectory` to {kept.trajectory + 1}, name the change "
                f"in the changelog, and {renew}")
    if now.trajectory != kept.trajectory:
        return (f"{solver.name} has trajectory {now.trajectory}, golden.json has its trajectory {kept.trajectory}: "
                f"{renew}")
    if {preset: list(runs) for preset, runs in now.presets.items()} != {
            preset: list(runs) for preset, runs in kept.presets.items()}:
        return f"golden.json has other presets or puzzles for {solver.name} than it is run with: {renew}"
    return None


def renew(names: list[str]) -> list[str]:
    """Write the entries of these solvers as they are now; the complaints about those that keep their old one, because
    they lack a raised trajectory or because presets changed that are not named."""
    kept = read() if FILE.exists() else {}
    refused = []
    for name, presets in _named(names).items():
        solver = registry.solver(name)
        now = entry_of(solver)
        before = kept.get(name)
        why = None if before is None else _refusal(solver, before, now, presets)
        if why is None:
            kept[name] = now
        else:
            refused.append(why)
    ordered = {name: kept[name] for name in covered() if name in kept}
    FILE.write_text(json.dumps(msgspec.to_builtins(ordered), indent=1) + "\n", encoding="utf-8")
    return refused


def _named(names: list[str]) -> dict[str, list[str]]:
    """The presets named for each solver; none: all."""
    found: dict[str, list[str]] = {}
    for name, _, preset in (each.partition(":") for each in names):
        found.setdefault(name, []).extend([preset] if preset else [])
    return found


def _refusal(solver: AnySolver, before: Entry, now: Entry, presets: list[str]) -> str | None:
    """A sentence on why an entry cannot be replaced; None if it can. `presets`: those that may change, none: all."""
    changed = list(_changed(before, now))
    if changed and now.trajectory <= before.trajectory:
        return complaint(solver, before, now)
    others = [each for each in changed if presets and not any(f"(preset {name}," in each for name in presets)]
    if others:
        return (f"{solver.name} has other {others[0]} than in golden.json, and only {', '.join(presets)} "
                "may change: its entry is kept")
    return None


def _begun(solver: AnySolver, puzzle: Puzzle, params: Params) -> State | None:
    try:
        state: State = solver.init(puzzle, params, SEED)
    except BadInput:
        return None
    return state


def _stepped(solver: AnySolver, puzzle: Puzzle, params: Params) -> Digests | None:
    state = _begun(solver, puzzle, params)
    if state is None:
        return None
    events = hashlib.blake2b(digest_size=16)
    for step in islice(solver.steps(state, params), STEPS):
        events.update(msgspec.msgpack.encode(step))
    return Digests(events.hexdigest(), states.digest(state))


def _changed(kept: Entry, now: Entry) -> Iterator[str]:
    """The runs of both entries that differ: `events (preset strong, puzzle easy)`."""
    for preset, runs in kept.presets.items():
        for name, before in runs.items():
            after = now.presets.get(preset, {}).get(name, before)
            if after != before:
                same_events = before is not None and after is not None and before.events == after.events
                yield f"{'states' if same_events else 'events'} (preset {preset}, puzzle {name})"


if __name__ == "__main__":
    sys.exit("\n".join(renew(sys.argv[1:] or covered())) or None)
