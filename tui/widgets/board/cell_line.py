"""What is known of the cell under the cursor, on one line: its value, and what it could hold."""

from __future__ import annotations

from engine.events.population import name_of
from engine.puzzle import SYMBOLS, Puzzle, cell_name
from engine.view import View, population_in
from tui.i18n import _
from tui.widgets.pane import Pane
from tui.widgets.rows import Rows, Space, Span, length, rows

BETWEEN = "  "


def candidates(puzzle: Puzzle, view: View, cell: int) -> tuple[int, ...]:
    """The solver's candidates of a cell; where it keeps none, the values that no given among its peers rules out."""
    if view.candidates is not None:
        return tuple(value for value in range(1, puzzle.n + 1) if view.candidates[cell] >> (value - 1) & 1)
    taken = {puzzle.givens[peer] for peer in puzzle.geometry.peers[cell]}
    return tuple(value for value in range(1, puzzle.n + 1) if value not in taken)


def _written(value: int) -> str:
    """A value; a letter with the number it stands for, for the board may show either."""
    return SYMBOLS[value] if SYMBOLS[value].isdigit() else f"{SYMBOLS[value]} = {value}"


def cell_spans(puzzle: Puzzle, view: View, cell: int, space: Space) -> tuple[Span, ...]:
    """`r9c7  holds 3  could be 2 3 9`, or `r9c7  given 4`."""
    value = view.grid[cell]
    spans: list[Span] = [(cell_name(cell, puzzle.n), "data_strong")]
    given = bool(puzzle.givens[cell])
    if value:
        spans += [("  " + (_("given") if given else _("holds")) + " ", "muted"), (_written(value), "strong")]
    if not given:
        could = list(candidates(puzzle, view, cell))
        listed = " ".join(SYMBOLS[each] for each in could)
        if could != [value] if could else not value:  # of what it has filled a solver may keep none, or that value
            spans += [("  " + _("could be") + " ", "muted"), (listed or space.glyphs.none, "text")]
        spans += causes(puzzle, view, cell)
    return tuple(spans)


def causes(puzzle: Puzzle, view: View, cell: int) -> list[Span]:
    """What struck each of the other candidates of an empty cell, where the solver knows: `not 3 r1c4  7 box 2`."""
    if view.causes is None or view.grid[cell]:
        return []
    told = [(value, view.causes[cell * puzzle.n + value - 1]) for value in range(1, puzzle.n + 1)]
    spans: list[Span] = []
    for value, cause in told:
        if cause:
            spans += [("  " + ("" if spans else _("not") + " "), "muted"), (SYMBOLS[value], "strong"),
                      (" " + cause, "text")]
    return spans


def whose(view: View) -> list[tuple[Span, ...]]:
    """`board #17  A #3  B #41  [ ] mutated`, and what the marks of cells that may not move mean; piece by piece."""
    pieces: list[tuple[Span, ...]] = []
    panel = population_in(view.panel)
    if panel is not None and panel.current is not None:
        pieces.append(((_("board") + " ", "muted"), (name_of(panel.current), "strong")))
        pieces += [((f"{letter} ", "strong"), (name_of(parent), "text"))
                   for letter, parent in zip("AB", panel.parents, strict=False)]
    if panel is not None and panel.parents and view.marks.get("moved"):
        pieces.append((("[ ]", "now"), (" " + _(panel.own), "muted")))
    if view.marks.get("tabu"):
        pieces.append((("×", "text"), (" " + _("tabu"), "muted")))
        if view.heat is not None:
            pieces.append((("▅", "muted"), (" " + _("for how long"), "muted")))
    return pieces


class CellLine(Pane):
    """One line under the board about the cell cursor; without one, whose grid of a population is on the board, and what
    the letters on it mean."""

    DEFAULT_CSS = "CellLine { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._what: tuple[Puzzle, View, int] | None = None
        self._whose: list[tuple[Span, ...]] = []

    def show(self, puzzle: Puzzle, view: View, cursor: int | None) -> None:
        """Show this cell from now on."""
        self._what = None if cursor is None else (puzzle, view, cursor)
        self._whose = whose(view)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        if self._what is not None:
            return rows([cell_spans(*self._what, space)], space)
        spans: list[Span] = []
        for piece in self._whose:
            shown = [(BETWEEN if spans else "", "blank"), *((space.glyphs.text(text), role) for text, role in piece)]
            if length(spans) + length(shown) <= space.width:
                spans += shown
        return rows([spans], space)
