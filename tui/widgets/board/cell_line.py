"""The rows under the board: the cell under the cursor, or the legend of the marks on the board."""

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


def cell_pieces(puzzle: Puzzle, view: View, cell: int, brief: bool = False) -> list[Row]:
    """`r9c7  holds 3`, `could be 2 3 9` or `r9c7  given 4`, and the recorded causes; `brief`: `r9c7 3`."""
    value, name = view.grid[cell], cell_name(cell, puzzle.n)
    head: list[Span] = [(name, "data_strong")]
    given = bool(puzzle.givens[cell])
    if value:
        word = " " if brief and not given else f"  {_('given') if given else _('holds')} "
        head += [(word, "muted"), (_written(value), "strong")]
    pieces: list[Row] = [tuple(head)]
    if not given:
        could = list(candidates(puzzle, view, cell))
        listed = " ".join(map(str, could))
        if could != [value] if could else not value:  # a solver keeps no candidates of a filled cell, or its value
            pieces.append(((_("could be") + " ", "muted"), (listed, "text")) if could
                          else ((_("no value is possible"), "text"),))
        pieces += causes(puzzle, view, cell)
    return pieces


def causes(puzzle: Puzzle, view: View, cell: int) -> list[Row]:
    """The causes of eliminations from an empty cell, if recorded: `not 3 r1c4`, `7 box 2`."""
    if view.causes is None or view.grid[cell]:
        return []
    recorded = [(value, view.causes[cell * puzzle.n + value - 1]) for value in range(1, puzzle.n + 1)]
    pieces: list[Row] = []
    for value, cause in recorded:
        if cause:
            own: Row = ((str(value), "strong"), (" " + cause, "text"))
            pieces.append(own if pieces else ((_("not") + " ", "muted"), *own))
    return pieces


def packed(pieces: Sequence[Row], width: int) -> list[list[Span]]:
    """The pieces in rows, as many in each as fit; one that is wider than a row has a row of its own."""
    lines: list[list[Span]] = []
    for piece in pieces:
        if lines and length(lines[-1]) + len(BETWEEN) + length(piece) <= width:
            lines[-1] += [(BETWEEN, "muted"), *piece]
        else:
            lines.append(list(piece))
    return lines


def cell_rows(puzzle: Puzzle, view: View, cell: int, space: Space) -> Rows:
    """The facts of a cell, in brief if they do not fit else; those that have no room are cut at the end."""
    for brief in (False, True):
        pieces = cell_pieces(puzzle, view, cell, brief)
        lines = packed(pieces, space.width)
        if len(lines) <= space.height and all(length(line) <= space.width for line in lines):
            return rows(lines, space)
    last = [span for line in lines[space.height - 1:] for span in ((BETWEEN, "muted"), *line)][1:]
    return rows([*lines[: space.height - 1], last], space)


def mark_legend(view: View, n: int, other_grid: str = "") -> list[Row]:
    """The legend of an n x n board in pieces: `board #17  A #3  B #41  [ ] mutated`; tabu marks and their time.
    `other_grid`: the name of the grid on the board in place of the individual's."""
    pieces: list[Row] = []
    panel = population_in(view.panel)
    if other_grid:
        return [((_("board") + " ", "muted"), (other_grid, "strong"))]
    if panel is not None and panel.current is not None:
        pieces.append(((_("board") + " ", "muted"), (name_of(panel.current), "strong")))
        if view.marks.get("parent_a") or view.marks.get("parent_b"):
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

    _cell: tuple[Puzzle, View, int] | None = None
    _legend: Sequence[Row] = ()

    def show(self, puzzle: Puzzle, view: View, cursor: int | None, other_grid: str = "") -> None:
        self._cell = None if cursor is None else (puzzle, view, cursor)
        self._legend = mark_legend(view, puzzle.n, other_grid)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        if self._cell is not None:
            return cell_rows(*self._cell, space)
        spans: list[Span] = []
        bars = space.glyphs.heats[1:] if space.glyphs.ascii else HEAT
        for piece in self._legend:
            shown = [(BETWEEN if spans else "", "blank"),
                     *((bars if text == HEAT else space.glyphs.text(text), role) for text, role in piece)]
            if length(spans) + length(shown) <= space.width:
                spans += shown
        return rows([spans], space)
