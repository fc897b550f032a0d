"""A page composed of all panes beside the board, with fixed values.

`python page.py [LOOK] [--ascii] [--plain]` runs it: `n` shows the next move on all panes, `d` on the board alone, `l`
changes between dark and light.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from engine.events import SwapJudged
from engine.events.explain import explain
from engine.puzzle import Puzzle, clashes
from engine.view import Gauge, Line, View
from tui.look.glyphs import ASCII, UNICODE
from tui.look.theme import PALETTES, Look, textual_theme
from tui.terminal.compositor import LeanApp, LeanScreen
from tui.widgets.board.board import Board, Position
from tui.widgets.board.cell_line import CellLine
from tui.widgets.chance import Chance, ChanceBar
from tui.widgets.footer import Footer, KeyHint
from tui.widgets.gauges import Gauges
from tui.widgets.header import Header, Title
from tui.widgets.log import Log, LogLine, lines_of
from tui.widgets.pane import Pane
from tui.widgets.parameters import Item, ParameterPane
from tui.widgets.program import Program
from tui.widgets.verdict import Verdict

LINE = "417936825936528741852741693325497168791685432684312597298613574563274189174859326"
GRID = tuple(int(symbol) for symbol in LINE)
GIVEN = (0, 6, 8, 10, 21, 28, 34, 40, 42, 49, 57, 59, 61, 63, 66, 72, 74)
PROGRAM = (
    "T ← T₀;  x ← random fill", "repeat", "  pick row r, free cells a, b", "  ΔE ← E(swap a,b) − E(x)",
    "  if ΔE ≤ 0:  accept", "  else:  u ← random(0,1)", "    if u < e^(−ΔE/T):  accept", "    else:  reject",
    "  if E < best:  best ← E", "  every 20 steps:  T ← α·T", "  stuck 90 000:  T ← reheat", "until E = 0",
)
MOVES = (
    SwapJudged(410_496, "7", (52, 51), (9, 5), 2, 8, True, 0.545, 0.0255, 0.0102),
    SwapJudged(410_497, "5", (11, 14), (6, 8), 0, 8, True, 0.545),
    SwapJudged(410_498, "8", (75, 77), (8, 9), 3, 8, False, 0.545, 0.00407, 0.731),
    SwapJudged(410_499, "5", (22, 25), (4, 9), -1, 7, True, 0.545),
    SwapJudged(410_500, "7", (45, 47), (6, 4), 1, 8, True, 0.545, 0.16, 0.0831),
    SwapJudged(410_501, "5", (60, 58), (5, 1), -2, 6, True, 0.545),
)
BIG: Mapping[type[Pane], tuple[int, int, int, int]] = {
    Header: (0, 0, 120, 1), Verdict: (2, 2, 116, 1), Board: (2, 4, 46, 18), CellLine: (2, 22, 46, 1),
    ChanceBar: (52, 4, 28, 4), Gauges: (52, 9, 28, 6), ParameterPane: (52, 16, 28, 4), Program: (84, 4, 34, 13),
    Log: (84, 18, 34, 4), Footer: (0, 35, 120, 1),
}
SMALL: Mapping[type[Pane], tuple[int, int, int, int]] = {
    Header: (0, 0, 80, 1), Verdict: (1, 1, 78, 2), Board: (1, 3, 40, 12), CellLine: (1, 15, 40, 1),
    Gauges: (45, 4, 34, 6), ChanceBar: (45, 11, 34, 4), Footer: (0, 23, 80, 1),
}


class Page(LeanApp[None]):
    """All panes, laid out as in the laboratory."""

    CSS = "Screen { background: $background; overflow: hidden; } Screen > * { position: absolute; }"
    BINDINGS: ClassVar[list[BindingType]] = [("n", "next"), ("d", "board"), ("l", "light"), ("q", "quit")]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, look: Look | None = None, lean: bool = True) -> None:
        self.look = look or Look(PALETTES["dark"])
        self.lean = lean
        self.move = 0
        self.grid = GRID
        self.picked: list[int] = []
        self.log_lines: list[LogLine] = []
        super().__init__(ansi_color=self.look.palette.native)
        self._take_theme()

    def _take_theme(self) -> None:
        theme = textual_theme(self.look.palette)
        self.register_theme(theme)
        self.theme = theme.name

    def get_default_screen(self) -> Screen[None]:
        return LeanScreen(id="_default") if self.lean else Screen(id="_default")

    def compose(self) -> ComposeResult:
        context = ("simulated annealing", "puzzle seventeen", "seed 7")
        yield Header(Title("Laboratory", context, "‖ PAUSED", "Lab"))
        for kind in (Verdict, Board, CellLine, ChanceBar, Gauges, ParameterPane, Program, Log):
            yield kind()
        hints = "space run|←→ step|u uphill|b best|r reheat|g go to|[ ] heat|+ − speed|hjkl cell"
        yield Footer([KeyHint(*hint.rsplit(" ", 1)) for hint in hints.split("|")])

    def on_mount(self) -> None:
        self.query_one(Program).load([Line(str(i), text) for i, text in enumerate(PROGRAM, 1)])
        self.query_one(ParameterPane).show([Item("T₀", "2.2"), Item("α", "0.99982"), Item("reheat", "0.95"),
                                    Item("after", "90 000")])
        self._show_all()

    def on_resize(self, event: events.Resize) -> None:
        places = BIG if event.size.width >= 120 else SMALL
        for pane in self.query(Pane):
            x, y, width, height = places.get(type(pane), (0, 0, 0, 0))
            pane.styles.offset, pane.styles.width, pane.styles.height = (x, y), width, height
            pane.display = height > 0

    def on_board_picked(self, message: Board.Picked) -> None:
        self.picked.append(message.cell)

    def _view(self) -> View:
        puzzle = self._puzzle()
        marked = tuple(sorted({cell for clash in clashes(puzzle, self.grid) for cell in clash.cells}))
        energy = MOVES[self.move].energy
        gauges = (
            Gauge("T", "0.545", 0.46, "knob"), Gauge("accept", "6.1 %", 0.061), Gauge("E", str(energy), energy / 48),
            Gauge("best", "4", 0.08, "best"), Gauge("stuck", f"61 {734 + self.move}", 0.68),
        )
        return View(self.grid, {"moved": MOVES[self.move].cells, "conflict": marked}, None, gauges, {"4": "+2"})

    def _puzzle(self) -> Puzzle:
        return Puzzle(tuple(value if cell in GIVEN else 0 for cell, value in enumerate(self.grid)))

    def _show_board(self) -> None:
        self.query_one(Board).show(Position(self._puzzle(), self.grid, self._view().marks, 78))

    def _show_all(self) -> None:
        self._show_board()
        move, view = MOVES[self.move], self._view()
        self.query_one(Verdict).show(explain(move))
        self.query_one(CellLine).show(self._puzzle(), view, 78)
        self.query_one(ChanceBar).show(Chance(1.0 if move.p is None else move.p, move.u))
        self.query_one(Gauges).show(view.gauges)
        self.query_one(Program).show(move.line, view.live)
        self.log_lines = [*reversed(lines_of([move])), *self.log_lines]
        self.query_one(Log).show(self.log_lines)

    def _step(self) -> None:
        self.move = (self.move + 1) % len(MOVES)
        a, b = MOVES[self.move].cells
        grid = list(self.grid)
        grid[a], grid[b] = grid[b], grid[a]
        self.grid = tuple(grid)

    def action_next(self) -> None:
        self._step()
        self._show_all()

    def action_board(self) -> None:
        self._step()
        self._show_board()

    def action_light(self) -> None:
        self.look = Look(PALETTES["light" if self.look.palette.dark else "dark"], self.look.glyphs)
        self._take_theme()
        for pane in self.query(Pane):
            pane.set_look(self.look)


if __name__ == "__main__":
    names = [argument for argument in sys.argv[1:] if not argument.startswith("--")] or ["dark"]
    glyphs = ASCII if "--ascii" in sys.argv else UNICODE
    Page(Look(PALETTES[names[0]], glyphs), "--plain" not in sys.argv).run()
