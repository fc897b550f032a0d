"""The editor: a puzzle is typed, pasted and corrected, its conflicts shown as one types."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.geometry import Region, Size
from textual.message import Message

from engine import registry
from engine.counting import Answer
from engine.errors import BadInput
from engine.formats import PuzzleRecord
from tui.background.solutions import Counter
from tui.draft import Draft
from tui.i18n import _
from tui.puzzle_facts import clashing_cells, said_of, unique_text
from tui.requests import Wish
from tui.screens.base import TooSmall, put_panes
from tui.screens.editor_actions import EditorActions
from tui.screens.editor_plan import SMALLEST, EditorPane, plan
from tui.screens.hints import Hinter, hinted
from tui.screens.navigation import desk
from tui.terminal.lean import Lean
from tui.widgets.board import Board, Position
from tui.widgets.header import Header, Title
from tui.widgets.keys import Keys
from tui.widgets.lines import Lines, Spans, wrapped
from tui.widgets.message import MessagePane
from tui.widgets.pane import Pane
from tui.widgets.rows import Space

LABEL = 11


class Editor(Lean, EditorActions):
    """A puzzle being edited. What its keys do is in `EditorActions`."""

    class Counted(Message):
        """The solutions of a puzzle have been counted."""

    class Hinted(Message):
        """A hint was found, or that there is none."""

    def __init__(self, record: PuzzleRecord, wish: Wish) -> None:
        """`wish` says with which solver, parameters and seed a run on it would begin."""
        self.draft, self.wish = Draft(record.puzzle, record.name), wish
        self.cursor = record.puzzle.n**2 // 2
        super().__init__()
        self.header, self.message, self.board = Header(), MessagePane(), Board()
        self.facts, self.keys = Lines(id="facts"), Keys()
        self.too_small = TooSmall(_("The window is {w} x {h}; the editor needs {W} x {H}."), SMALLEST)
        self.arranged: Mapping[EditorPane, Region] = {}
        self.hinter = Hinter(lambda: self.post_message(self.Hinted()))
        self._counter = Counter(lambda: self.post_message(self.Counted()))

    @property
    def panes(self) -> dict[EditorPane, Pane]:
        """The panes by their names in the plan."""
        return {"header": self.header, "message": self.message, "board": self.board, "facts": self.facts,
                "keys": self.keys}

    def compose(self) -> ComposeResult:
        yield from self.panes.values()
        yield self.too_small

    def on_mount(self) -> None:
        self.board.keys = self.table.abreast(("cursor-left", "cursor-up", "cursor-down", "cursor-right"))
        self.show()

    def on_unmount(self) -> None:
        """However it is left: what was changed is kept."""
        self._counter.stop()
        try:
            self.keep()
        except BadInput as error:
            desk(self).left_behind(_("the puzzle is not kept: {why}").format(why=error))

    # Showing

    def show(self) -> None:
        """Draw the puzzle as it is now."""
        puzzle = self.draft.puzzle
        clashes = puzzle.clashes()
        state = _("CHANGED") if self.draft.changed else ""
        self.header.show(Title(_("Editor"), tuple(filter(None, (self.draft.name,))), state))
        hint = self.hinter.hint if self.hinting else None
        self.board.show(Position(puzzle, puzzle.givens, {"conflict": clashing_cells(clashes)}, self.cursor)
                        if hint is None else hinted(puzzle, hint, self.cursor, False))
        answer: Answer | None = "none"
        if not clashes:
            answer = self._counter.answer(puzzle)
            if answer is None:
                self._counter.ask(puzzle)
        self.facts.show(lambda space: self._lines(answer, space))
        self.place_panes(self.size)
        self.show_keys()

    def on_editor_hinted(self) -> None:
        if self.hinter.about == (self.draft.puzzle, self.draft.puzzle.givens):
            self.hinting = True
            self.show()
            self.told(self.hinter.notice)

    def on_editor_counted(self) -> None:
        self.show()

    def _lines(self, answer: Answer | None, space: Space) -> list[Spans]:
        """Facts about the puzzle, and every conflict as a sentence."""
        puzzle, n = self.draft.puzzle, self.draft.puzzle.n
        solver = registry.solver(self.wish.solver or registry.names()[0])
        size = f"{n} × {n}" + (", " + _("diagonal") if puzzle.variant == "diagonal" else "")
        givens = _("{givens} of {cells}").format(givens=n * n - len(puzzle.free_cells), cells=n * n)
        facts = [(_("cell"), self.cell_text()), (_("size"), size), (_("givens"), givens),
                 (_("solutions"), unique_text(answer)),
                 (_("solver"), _(solver.title)), (_("seed"), str(self.wish.seed))]
        lines: list[Spans] = [[(label.ljust(LABEL), "muted"), (space.glyphs.text(said), "text")]
                             for label, said in facts]
        clashes = puzzle.clashes()
        if clashes:
            lines += [[], [(_("Conflicts"), "strong")]]
        for clash in clashes:
            room = Space(space.width - 2, 3, space.glyphs)
            for place, line in enumerate(wrapped(said_of(puzzle, clash), room)):
                lines.append([("  " if place else "! ", "alarm"), *line])
        if len(lines) > space.height > 0:
            left = _("{ellipsis} and more").format(ellipsis=space.glyphs.ellipsis)
            lines = [*lines[: space.height - 1], [(left, "muted")]]
        return lines if clashes else [*lines, [], *wrapped(_(
            "Digits and letters give the cell a value, 0 takes it away. A puzzle in any format can be pasted."),
            Space(space.width, 4, space.glyphs), "muted")]

    def say(self, badge: str, said: str) -> None:
        self.message.say(badge, said)

    # Arranging

    def on_resize(self, event: events.Resize) -> None:
        self.place_panes(event.size)

    def place_panes(self, size: Size) -> None:
        """Put every pane where the plan has it."""
        arranged = plan(size.width, size.height, self.draft.puzzle.box)
        put_panes(self.panes, arranged, self.arranged)
        self.arranged = arranged
        self.too_small.tell(not arranged, size)

    def on_board_picked(self, event: Board.Picked) -> None:
        self.place(event.cell)
