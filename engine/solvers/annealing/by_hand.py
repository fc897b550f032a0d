"""A move made by hand between two steps: the learner's own choice, which the run then goes on from."""

from __future__ import annotations

from engine.errors import ParameterError
from engine.puzzle import CELL_NAME, cell_name
from engine.solvers.annealing.parameters import RUNNING, SEARCH
from engine.solvers.annealing.state import AnnealState, board_of_state, energy_of
from engine.solvers.annealing.workspace import NO_CELL

MOVE = "move"
"""The name of the intervention; its value names the cells, `r1c2 r1c5`."""


def move_by_hand(state: AnnealState, value: object) -> None:
    """Make a legal move: exchange two cells, or rotate three, the value of each going to the next one. It is no step,
    and no u is drawn. Raises ParameterError, with nothing changed, for anything else."""
    n, written = state.puzzle.n, str(value)
    cells = [(int(row) - 1) * n + int(column) - 1 for row, column in CELL_NAME.findall(written)]
    first = cells.index(min(cells)) if cells else 0
    known = [*cells[first:], *cells[:first], NO_CELL][:3]  # as the board lists moves: the lowest cell comes first
    legal = board_of_state(state).moves.tolist()
    if len(cells) > 3 or known not in legal:
        example = " ".join(cell_name(cell, n) for move in legal[:1] for cell in move if cell != NO_CELL)
        raise ParameterError(f"move = {written}: expected the free cells of one of {len(legal)} moves, as {example}")
    if state.now["status"] != RUNNING or state.now["phase"] != SEARCH:
        raise ParameterError("no move can be made by hand now: the search is not under way")
    before = state.cells[cells].copy()
    state.cells[[*cells[1:], cells[0]]] = before
    energy = energy_of(state)
    if not energy:
        state.cells[cells] = before
        raise ParameterError(f"move = {written}: it would give E = 0, and the last move is the solver's")
    now = state.now
    now["energy"] = energy
    now["minimum"] = min(int(now["minimum"]), energy)
    if energy < now["lowest"]:
        now["lowest"], now["since_better"] = energy, 0
    if energy < now["best"]:
        now["best"] = energy
        state.best[:] = state.cells
