"""Breakpoints as text: typed by the user, and displayed."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

from engine.breakpoints import Stop
from engine.errors import ParameterError
from engine.params import Params
from engine.puzzle import Puzzle, cell_name
from engine.solver import JUMPS, AnySolver
from tui.i18n import _

KIND_WORDS = {
    "uphill": "uphill move", "best": "new best", "reheat": "reheat", "not_raised": "reheat that does not raise T",
    "restart": "restart", "sweep": "new sweep",
    "cooled": "cooling", "improved": "better move", "equal": "equal move", "rejected": "rejected move",
    "accepted": "accepted move", "calibrated": "calibration", "minimum": "local minimum", "contradiction": "dead end",
    "assigned": "assignment", "retracted": "retraction", "filled": "random fill", "solved": "solution",
    "no_solution": "no solution", "gave_up": "giving up", "generation": "generation", "child": "child",
    "eliminated": "elimination", "guess": "guess", "found": "finding", "sat": "SAT answer", "unsat": "UNSAT answer",
    "no_answer": "unknown answer",
    "covered": "cover", "uncovered": "uncover", "propagated": "propagation", "decided": "decision",
    "backjump": "backjump", "passed": "sweep of messages", "dropped": "child dropped", "kept": "child kept",
    "better": "child better than its parents", "refined": "refinement", "turn": "turn of an organism",
    "luck": "taken by chance", "refused": "refusal", "fresh": "fresh start", "merged": "merge", "doubled": "doubling",
    "shifted": "shift of shares", "flight": "flight of a particle", "worker": "turn of a worker",
    "explorer": "turn of an explorer",
}
"""Kinds of events as nouns; other kinds are shown by their own names."""
NOT_OFFERED = ("swap", "scan", "revised", "asked", "done")
"""Kinds that every step has, or that mark the end of the run anyway."""
_CELL = re.compile(r"r(\d+)c(\d+)")
_ENERGY = re.compile(r"(?:(?:best\s+)?e\s*(?:now\s*)?)?(<=|≤|<)?\s*(\d+)")


def kind_word(kind: str, own: Mapping[str, str] = {}) -> str:
    """A kind as a noun; `own` are the solver's words, which take precedence."""
    return _(own.get(kind) or KIND_WORDS.get(kind, kind.replace("_", " ")))


def energy_word(solver: AnySolver) -> str:
    """The E that a stop watches; of a population it is that of its best individual now, which rises at a restart."""
    return _("best E now") if solver.has_individuals else "E"


def words(stop: Stop, n: int, solver: AnySolver) -> str:
    """A stop in words: `uphill move`, `E ≤ 5`, `step at r3c4`."""
    parts = [kind_word(kind, solver.kind_words) for kind in sorted(stop.kinds)]
    if stop.energy is not None:
        parts.append(f"{energy_word(solver)} ≤ {stop.energy}")
    if stop.cell is not None:
        parts.append(_("step at {cell}").format(cell=cell_name(stop.cell, n)))
    return ", ".join(parts)


def offered(solver: AnySolver, params: Params) -> tuple[str, ...]:
    """The kinds of event that a run can halt at, in the order of the list."""
    can = solver.jumps(params)
    kinds = solver.kinds or (*(kind for kind in JUMPS if kind in can), "solved", "gave_up")
    return tuple(kind for kind in kinds if kind not in NOT_OFFERED and (kind in can or kind not in JUMPS))


def fixed_cells(solver: AnySolver, puzzle: Puzzle) -> frozenset[int]:
    """The cells that no step touches: the givens, unless the solver declares that it touches them."""
    return frozenset() if solver.touches_givens else frozenset(
        cell for cell, value in enumerate(puzzle.givens) if value)


def parse(typed: str, n: int, kinds: tuple[str, ...], own: Mapping[str, str] = {},
          fixed: frozenset[int] = frozenset()) -> Stop:
    """Parse `E <= 5`, `r3c4`, or a kind of event in words. Raises ParameterError, also for a cell of `fixed`."""
    word = " ".join(typed.lower().split())
    cell, energy = _CELL.fullmatch(word), _ENERGY.fullmatch(word)
    if cell and all(1 <= int(each) <= n for each in cell.groups()):
        row, column = (int(each) - 1 for each in cell.groups())
        if row * n + column in fixed:
            raise ParameterError(_("{cell} is a given and never changes: expected a free cell").format(cell=word))
        return Stop(cell=row * n + column)
    if energy and len(energy[2]) <= 9 and int(energy[2]) >= (energy[1] == "<"):
        return Stop(energy=int(energy[2]) - (energy[1] == "<"))
    found = [kind for kind in kinds if word in (kind, kind_word(kind, own).lower())]
    if not found:
        raise ParameterError(_("{typed}: expected E <= 5, a cell from r1c1 to r{n}c{n}, or one of {kinds}").format(
            typed=typed.strip(), n=n, kinds=", ".join(kind_word(kind, own) for kind in kinds)))
    return Stop(frozenset(found[:1]))


def never(solver: AnySolver, params: Params, recorded: Container[str], kinds: tuple[str, ...]) -> bool:
    """Whether events of these kinds are not `recorded` and cannot happen with these parameters."""
    able, known = solver.jumps(params), solver.kinds
    return all(kind not in recorded and (kind not in able if kind in JUMPS else bool(known) and kind not in known)
               for kind in kinds)
