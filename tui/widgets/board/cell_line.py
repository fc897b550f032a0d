"""The line under the board: the cell under the cursor, or the legend of the marks on the board."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events.population import name_of
from engine.puzzle import SYMBOLS, Puzzle, cell_name
from engine.view import View, population_in
from tui.i18n import _
from tui.look.glyphs import UNICODE
from tui.widgets.board.overlays import parent_letters
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, length, rows

BETWEEN = "  "
HEAT = UNICODE.heats[5]
"""The bar of heat in legends."""


def candidates(puzzle: Puzzle, view: View, cell: int) -> tuple[int, ...]:
    """The solver's candidates of a cell; if it keeps none, the values that no given among its peers excludes."""
    if view.candidates is not None:
        return tuple(value for value in range(1, puzzle.n + 1) if view.candidates[cell] >> (value - 1) & 1)
    taken = {puzzle.givens[peer] for peer in puzzle.geometry.peers[cell]}
    return tuple(value for value in range(1, puzzle.n + 1) if value not in taken)


def _written(value: int) -> str:
    """A value; a letter with its number, because boards show either."""
    return SYMBOLS[value] if SYMBOLS[value].isdigit() else f"{SYMBOLS[value]} = {value}"


def cell_spans(puzzle: Puzzle, view: View, cell: int, space: Space) -> Row:
    """`r9c7  holds 3  could be 2 3 9`, or `r9c7  given 4`."""
    value = view.grid[cell]
    spans: list[Span] = [(cell_name(cell, puzzle.n), "data_strong")]
    given = bool(puzzle.givens[cell])
    if value:
        spans += [("  " + (_("given") if given else _("holds")) + " ", "muted"), (_written(value), "strong")]
    if not given:
        could = list(candidates(puzzle, view, cell))
        listed = " ".join(map(str, could))
        if could != [value] if could else not value:  # a solver keeps no candidates of a filled cell, or its value
            spans += ([("  " + _("could be") + " ", "muted"), (listed, "text")] if could
                      else [("  " + _("no value is possible"), "text")])
        spans += causes(puzzle, view, cell)
    return tuple(spans)


def causes(puzzle: Puzzle, view: View, cell: int) -> list[Span]:
    """The causes of eliminations from an empty cell, if recorded: `not 3 r1c4  7 box 2`."""
    if view.causes is None or view.grid[cell]:
        return []
    recorded = [(value, view.causes[cell * puzzle.n + value - 1]) for value in range(1, puzzle.n + 1)]
    spans: list[Span] = []
    for value, cause in recorded:
        if cause:
            spans += [("  " + ("" if spans else _("not") + " "), "muted"), (str(value), "strong"),
                      (" " + cause, "text")]
    return spans


def mark_legend(view: View, n: int, other_grid: str = "") -> list[Row]:
    """The legend of an n x n board in pieces: `board #17  A #3  B #41  [ ] mutated`; tabu marks and their time.
    `other_grid`: the name of the grid on the board in place of the individual's."""
    pieces: list[Row] = []
    panel = population_in(view.panel)
    if other_grid:
        return [((_("board") + " ", "muted"), (other_grid, "strong"))]
    if panel is not None and panel.current is not None:
        pieces.append(((_("board") + " ", "muted"), (name_of(panel.current), "strong")))
        pieces += [((f"{letter} ", "strong"), (name_of(parent), "text"))
                   for letter, parent in zip(parent_letters(n), panel.parents, strict=False)]
    if panel is not None and panel.parents and view.marks.get("moved"):
        pieces.append((("[ ]", "now"), (" " + _(panel.own), "muted")))
    if view.marks.get("tabu"):
        pieces.append(((UNICODE.mark("tabu"), "text"), (" " + _("ban"), "muted")))
        if view.heat is not None:
            pieces.append(((HEAT, "muted"), (" " + _("for how long"), "muted")))
    return pieces


class CellLine(Pane):
    """Shows the cell under the cursor; without a cursor, the legend of the marks."""

    DEFAULT_CSS = "CellLine { height: 1; }"
    _cell: tuple[Puzzle, View, int] | None = None
    _legend: Sequence[Row] = ()

    def show(self, puzzle: Puzzle, view: View, cursor: int | None, other_grid: str = "") -> None:
        self._cell = None if cursor is None else (puzzle, view, cursor)
        self._legend = mark_legend(view, puzzle.n, other_grid)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        if self._cell is not None:
            return rows([cell_spans(*self._cell, space)], space)
        spans: list[Span] = []
        bars = space.glyphs.heats[1:] if space.glyphs.ascii else HEAT
        for piece in self._legend:
            shown = [(BETWEEN if spans else "", "blank"),
                     *((bars if text == HEAT else space.glyphs.text(text), role) for text, role in piece)]
            if length(spans) + length(shown) <= space.width:
                spans += shown
        return rows([spans], space)
