"""The puzzle editor: type, paste and correct a puzzle, with undo; its conflicts are shown at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from textual import events, on
from textual.geometry import Region
from textual.message import Message

from engine import registry
from engine.errors import BadInput
from engine.puzzle import Puzzle, Variant, cell_name
from engine.puzzles.formats import PuzzleRecord, write_line
from engine.solutions import Answer
from engine.view import Sentence
from tui import messages
from tui.background.solutions import SolutionCounter
from tui.i18n import _
from tui.keys.default_keys import EDITOR_KEYS
from tui.keys.footer_hints import EDITOR_HINTS
from tui.puzzle_facts import answer_text, clash_text, clashing_cells, refuse_clashes, unique_text
from tui.requests import HomeRequest, NewRun
from tui.screens.base import AppScreen
from tui.screens.dialogs.prompt import ConfirmDialog, PathDialog
from tui.screens.hints import HintWorker, hint_position
from tui.screens.navigation import navigator
from tui.storage import puzzle_files
from tui.storage.puzzle_files import empty_puzzle, parse_pasted, path_of, write_puzzle
from tui.terminal.compositor import Lean
from tui.undo import UndoHistory
from tui.widgets.board.board import Board, Position, step_cell
from tui.widgets.board.layout import fitting
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.rows import Space
from tui.widgets.text import MessagePane, Spans, TextPane, wrapped

BOXES = (2, 3, 4, 5)
AUTOSAVE_SECONDS = 3.0
"""Seconds between two drafts of a puzzle that is being edited."""
LETTERS = "abcdefg"
"""Lower-case letters that are values on every board above 9x9; of the others those that are keys must be capitals."""
SMALL_LETTERS = 16
"""The size of the largest board that needs no other letters."""
LONGEST_LINE = 81
"""Characters of a copied puzzle that its message shows."""
LABEL = 11
"""Columns of the labels of the facts."""

EditorPane = Literal["header", "message", "board", "facts", "footer"]

SMALLEST = (30, 10)
FACTS, GUTTER = 30, 4
"""Columns of the facts beside the board, and between the two."""


def plan(width: int, height: int, box: int) -> Mapping[EditorPane, Region]:
    """The regions of the panes; none in a window below the smallest size.

    A board that is larger than its region scrolls with the cell cursor.
    """
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return {}
    x = 1 if width < 120 else 2 if width < 160 else 3
    room = Region(x, 3, width - 2 * x, height - 5)
    beside = room.width - FACTS - GUTTER
    least = fitting(box, 0, 0)
    if beside < min(least.width, FACTS):
        beside = 0
    layout = fitting(box, beside or room.width, room.height)
    board = Region(x, 3, min(layout.width, beside or room.width), min(layout.height, room.height))
    placed: dict[EditorPane, Region] = {"header": Region(0, 0, width, 1), "message": Region(0, 1, width, 1),
                                        "board": board, "footer": Region(0, height - 1, width, 1)}
    if beside:
        left = board.right + GUTTER
        placed["facts"] = Region(left, 3, min(room.right - left, 60), room.height)
    elif room.bottom - board.bottom > 1:
        placed["facts"] = Region(x, board.bottom + 1, room.width, room.bottom - board.bottom - 1)
    return placed


class NamedPuzzle(Struct, frozen=True):
    """A puzzle, and the one that it was made from, which has a name."""

    puzzle: Puzzle
    name: str
    named: Puzzle


class Draft(UndoHistory[NamedPuzzle]):
    """A puzzle and its undo history."""

    def __init__(self, puzzle: Puzzle, name: str = "") -> None:
        super().__init__(NamedPuzzle(puzzle, name, puzzle))
        self._saved = puzzle

    @property
    def name(self) -> str:
        """The name, which says so if the puzzle is not the one that was given it; empty once no given of that is left.
        """
        name, named, ending = self.now.name, self.now.named, _(", edited")
        if not name or self.puzzle == named:
            return name
        pairs = zip(self.puzzle.givens, named.givens, strict=False)
        if self.puzzle.box != named.box or (any(named.givens) and not any(a and a == b for a, b in pairs)):
            return ""
        return name if name.endswith(ending) else name + ending

    @property
    def puzzle(self) -> Puzzle:
        """The present puzzle."""
        return self.now.puzzle

    @property
    def changed(self) -> bool:
        """The puzzle differs from the one that was opened or last saved."""
        return self.puzzle != self._saved

    def mark_saved(self) -> None:
        """Take the present puzzle for saved."""
        self._saved = self.puzzle

    def edit(self, puzzle: Puzzle) -> bool:
        """Make another puzzle of the present one; False if that changes nothing."""
        return self.change(replace(self.now, puzzle=puzzle))

    def put(self, cell: int, value: int) -> bool:
        """Set a cell, 0 for none; False if that changes nothing."""
        givens = list(self.puzzle.givens)
        givens[cell] = value
        return self.edit(Puzzle(tuple(givens), self.puzzle.box, self.puzzle.variant))

    def clear(self) -> bool:
        """Remove all givens."""
        return self.edit(empty_puzzle(self.puzzle.box, self.puzzle.variant))

    def resize(self, box: int) -> bool:
        """Begin an empty board of another size."""
        return box != self.puzzle.box and self.edit(empty_puzzle(box, self.puzzle.variant))

    def turn(self) -> bool:
        """Change from classic to diagonal or back."""
        variant: Variant = "classic" if self.puzzle.variant == "diagonal" else "diagonal"
        return self.edit(Puzzle(self.puzzle.givens, self.puzzle.box, variant))


def _pasted(record: PuzzleRecord) -> NamedPuzzle:
    return NamedPuzzle(record.puzzle, record.name or _("pasted"), record.puzzle)


def typed_value(before: int, typed: str, n: int, extend: bool) -> int | None:
    """The value of a cell that held `before` after a digit or a letter is typed; None if that is no value.

    Beyond 9, letters are values as on the board, and with `extend` a second digit is appended to the first.
    """
    if typed in ("0", ".") and not (extend and typed == "0" and 0 < before * 10 <= n):
        return 0
    if typed.isascii() and typed.isdigit():
        both = before * 10 + int(typed)
        value = both if extend and both <= n else int(typed)
    elif typed.isascii() and typed.isalpha():
        value = ord(typed.upper()) - ord("A") + 10
    else:
        return None
    return value if 1 <= value <= n else None


class Editor(Lean, AppScreen[EditorPane]):
    """A puzzle being edited."""

    KEYS = EDITOR_KEYS
    FOOTER_HINTS = EDITOR_HINTS
    LEAST_SIZE = SMALLEST
    TOO_SMALL = "The window is {w} x {h}; the editor needs {W} x {H}."

    class Counted(Message):
        """The solutions of a puzzle have been counted."""

    class HintReady(Message):
        """The hint worker has an answer."""

    def __init__(self, record: PuzzleRecord, request: HomeRequest, pasted: str = "") -> None:
        """`request`: solver, parameters and seed of a run on this puzzle. `pasted`: the puzzle in the pasted text, in
        words, if it was pasted: it changes an empty board then."""
        self.draft, self.request = Draft(record.puzzle, record.name), request
        if pasted:
            self.draft = Draft(empty_puzzle(record.puzzle.box, record.puzzle.variant))
            self.draft.change(_pasted(record))
        self._pasted = pasted
        self._made_from = record.puzzle
        """The puzzle whose draft the next one replaces, if it is a draft."""
        self._kept: Puzzle | None = None
        """The puzzle of the draft that was saved while it was edited."""
        self._saved_as = ""
        """The name of that draft."""
        self._is_another_puzzle = False
        """It has no given left of the puzzle that was opened, whose draft stays."""
        self._was_draft = False
        """The puzzle was a draft before it was edited."""
        self._place = (record.puzzle.n // 2, record.puzzle.n // 2)
        """Row and column that the cursor was put on: on a smaller board it is on the last ones."""
        self._path: Path | None = None
        """The file that the puzzle was saved to."""
        super().__init__()
        self.header, self.message, self.board = Header(), MessagePane(), Board()
        self.facts, self.footer = TextPane(id="facts"), Footer()
        self.hints = HintWorker(lambda: self.post_message(self.HintReady()))
        self._solutions = SolutionCounter(lambda: self.post_message(self.Counted()))
        self.shows_hint = False
        self._multi_digit = False
        """The last key was a digit in this cell, so that another one extends the number."""
        self._warned = False
        """The message that the draft cannot be saved was shown: the next esc or q leaves without saving."""
        self._autosave_failed = False
        """The message that the draft cannot be saved by the clock was shown."""

    @property
    def panes(self) -> dict[EditorPane, Pane]:
        return {"header": self.header, "message": self.message, "board": self.board, "facts": self.facts,
                "footer": self.footer}

    def regions_for(self, width: int, height: int) -> Mapping[EditorPane, Region]:
        return plan(width, height, self.draft.puzzle.box)

    def on_mount(self) -> None:
        self.board.keys = self.table.join_keys(("cursor-left", "cursor-up", "cursor-down", "cursor-right"))
        self.set_interval(AUTOSAVE_SECONDS, self._autosave)
        self.show()
        if self._pasted:
            self.message.show(_("PASTED"), self._pasted)

    def on_unmount(self) -> None:
        """Save the draft however the editor is left."""
        self._solutions.stop()
        try:
            self.save_draft()
        except BadInput as error:
            navigator(self).say_on_exit(_("the puzzle is not saved: {why}; it is {line}").format(
                why=error, line=self.draft.puzzle.line))

    @property
    def cursor(self) -> int:
        """The cell under the cursor."""
        n = self.draft.puzzle.n
        row, column = (min(each, n - 1) for each in self._place)
        return row * n + column

    @property
    def record(self) -> PuzzleRecord:
        """The present puzzle, without the facts of the one that it was made from."""
        return PuzzleRecord(puzzle=self.draft.puzzle, name=self.draft.name)

    # Footer and help

    def conditions(self) -> dict[str, bool]:
        """`givens`: there are some; `sound`: without conflicts; `past`, `future`: there is something to undo, redo."""
        draft = self.draft
        return {"givens": any(draft.puzzle.givens), "sound": not draft.puzzle.clashes(), "past": draft.can_undo,
                "future": draft.can_redo}

    def help_title(self) -> str:
        return _("Editor")

    def file_title(self) -> str:
        return f"{_('editor')} {self.draft.name}".strip()

    def home_request(self) -> HomeRequest:
        return self.request

    def announce(self, notice: Sentence) -> None:
        """Show a message under the header until the next key."""
        self.message.show(notice.badge, messages.one_sentence(self.table.resolve_keys(notice)))

    # Typing

    def on_key(self, event: events.Key) -> None:
        self.message.show("", "")
        if self.shows_hint:
            self.shows_hint = False
            self.show()
            if event.key == "escape":  # as in the laboratory, it closes the hint only
                event.stop()
                return
        typed, own = event.character or "", self._bindings.key_to_bindings
        is_key = typed.islower() and event.key in own and typed not in LETTERS
        n, before = self.draft.puzzle.n, self.draft.puzzle.givens[self.cursor]
        value = None if is_key or len(typed) != 1 else typed_value(before, typed, n, self._multi_digit)
        self._multi_digit = value is not None and typed.isdigit()
        if value is not None:
            event.stop()
            self.draft.put(self.cursor, value)
            self.show()
        elif len(typed) == 1 and typed.isascii() and typed.isalnum() and (typed.isdigit() or event.key not in own):
            self.message.show(_("NO VALUE"), _("{typed}: expected a value from 1 to {n}").format(typed=typed, n=n))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.attempt(lambda: self._paste(event.text))

    def _paste(self, text: str) -> None:
        record, said = parse_pasted(text, _("the pasted text"))
        self.replace_puzzle(record)
        self.message.show(_("PASTED"), said)

    def replace_puzzle(self, record: PuzzleRecord) -> None:
        """Edit a pasted puzzle; undo returns to this one and its name."""
        if record.name or record.puzzle != self.draft.puzzle:
            self.draft.change(_pasted(record))
            self._made_from, self._kept = record.puzzle, None
        self._multi_digit = self.shows_hint = False
        self.show()

    # Keys: the board

    def action_cursor(self, down: int, right: int) -> None:
        self.move_cursor(step_cell(self.cursor, self.draft.puzzle.n, down, right))

    def action_hint(self) -> None:
        self.hints.ask(self.draft.puzzle, self.draft.puzzle.givens, shown=True)

    def action_onward(self) -> None:
        self.move_cursor((self.cursor + 1) % self.draft.puzzle.n**2)

    def move_cursor(self, cell: int) -> None:
        """Put the cursor on a cell. A click may have been meant for a larger board that is gone: the last cell then."""
        n, self._multi_digit = self.draft.puzzle.n, False
        self._place = divmod(min(cell, n**2 - 1), n)
        self.show()

    def _changed(self, changed: bool) -> None:
        self._multi_digit = False
        if changed:
            self.show()

    def action_clear_cell(self) -> None:
        self._changed(self.draft.put(self.cursor, 0))

    def action_clear_all(self) -> None:
        self._changed(self.draft.clear())

    def action_resize(self, direction: int) -> None:
        """Begin an empty board of another size; undo returns to the former one."""
        at = BOXES.index(self.draft.puzzle.box) + direction
        self._changed(self.draft.resize(BOXES[at % len(BOXES)]))

    def action_variant(self) -> None:
        self._changed(self.draft.turn())

    def action_undo(self) -> None:
        if not self.draft.can_undo:
            self.announce(messages.nothing_to_undo())
        self._changed(self.draft.undo())

    def action_redo(self) -> None:
        if not self.draft.can_redo:
            self.announce(messages.nothing_to_redo())
        self._changed(self.draft.redo())

    # Keys: the program

    def action_begin(self) -> None:
        self.attempt(self._begin)

    def _begin(self) -> None:
        puzzle, request = self.draft.puzzle, self.request
        refuse_clashes(puzzle)
        solver = request.solver or registry.names()[0]
        self.save_draft()
        name = self.draft.name or (self._saved_as if any(puzzle.givens) else "")  # an empty board is no draft
        navigator(self).open_run(NewRun(puzzle, name, solver, request.params or {}, request.seed))

    def save_draft(self) -> None:
        """Save a changed puzzle as a draft. Raises BadInput."""
        self._keep_draft()
        if any(self.draft.puzzle.givens):
            self.draft.mark_saved()
        self._kept = None

    def _keep_draft(self) -> None:
        """Save a changed puzzle as a draft; one whose changes are undone or in a file is none. Raises BadInput."""
        puzzle = self.draft.puzzle
        if self.draft.changed and any(puzzle.givens) and puzzle != self._kept:
            if self._kept is None:
                self._was_draft = any(each.puzzle == self._made_from for each in puzzle_files.load_drafts())
            is_another = bool(self.draft.now.name) and not self.draft.name
            instead_of = empty_puzzle() if is_another and not self._is_another_puzzle else self._made_from
            self._saved_as, self._is_another_puzzle = puzzle_files.save_draft(self.record, instead_of), is_another
            self._made_from = self._kept = puzzle
        elif not self.draft.changed and self._kept is not None:
            if self._was_draft:
                puzzle_files.save_draft(self.record, self._made_from)
            else:
                puzzle_files.delete_draft(self._kept)
            self._made_from, self._kept = puzzle, None

    def _autosave(self) -> None:
        """Save a draft in case the program is killed. An error is shown once."""
        try:
            self._keep_draft()
        except BadInput as error:
            if not (self._autosave_failed or self._warned):
                self.announce(messages.autosave_failed(str(error)))
            self._autosave_failed = True

    def action_back(self) -> None:
        if self._may_leave():
            navigator(self).back()

    def action_quit(self) -> None:
        if self._may_leave():
            super().action_quit()

    def _may_leave(self) -> bool:
        """Save the draft. False if it cannot be saved, which is announced: the next call is True."""
        try:
            self.save_draft()
        except BadInput as error:
            if not self._warned:
                self._warned = True
                self.message.show(_("NOT SAVED"), _("{why}; {leave} or {quit} leaves without saving").format(
                    why=error, leave=self.table.shown("leave"), quit=self.table.shown("quit")))
                return False
        return True

    def action_copy(self) -> None:
        puzzle = self.draft.puzzle
        self.app.copy_to_clipboard("".join(write_line([PuzzleRecord(puzzle=puzzle)])).rstrip())
        line = puzzle.line if puzzle.variant == "classic" else f"{_(puzzle.variant)}: {puzzle.line}"
        shown = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE - 1]}…"
        self.message.show(_("COPIED"), _("{line} (if the terminal allows that)").format(line=shown))

    def action_save(self) -> None:
        def asked(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self._save(path_of(typed)))

        named = (self.draft.name or "puzzle").replace(", ", "-").replace("/", "-") + ".sdk"
        self.app.push_screen(PathDialog(_("Save as"), str(self._path or named)), asked)

    def _save(self, path: Path) -> None:
        if not os.path.exists(path):
            self._write(path)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.attempt(lambda: self._write(path))

        self.app.push_screen(ConfirmDialog(_("{path} exists. Overwrite it?").format(path=path)), answered)

    def _write(self, path: Path) -> None:
        write_puzzle(path, self.record)
        self._path = path
        self.draft.mark_saved()
        self.show()
        self.message.show(_("SAVED"), str(path))

    def open_path(self, typed: str) -> None:
        self.save_draft()
        super().open_path(typed)

    # Mouse and messages of the threads

    @on(Board.Picked)
    def _pick_cell(self, event: Board.Picked) -> None:
        self.move_cursor(event.cell)

    @on(HintReady)
    def _show_hint(self) -> None:
        if self.hints.about == (self.draft.puzzle, self.draft.puzzle.givens):
            self.shows_hint = True
            self.show()
            self.announce(self.hints.notice)

    # Showing

    @on(Counted)
    def show(self) -> None:
        """Draw the present puzzle."""
        puzzle = self.draft.puzzle
        clashes = puzzle.clashes()
        state = _("CHANGED") if self.draft.changed else ""
        self.header.show(Title(_("Editor"), tuple(filter(None, (self.draft.name,))), state))
        hint = self.hints.hint if self.shows_hint else None
        self.board.show(Position(puzzle, puzzle.givens, {"conflict": clashing_cells(clashes)}, self.cursor)
                        if hint is None else hint_position(puzzle, hint, self.hints.revealed, self.cursor, False))
        answer: Answer | None = "none"
        if not clashes:
            answer = self._solutions.answer(puzzle)
            if answer is None:
                self._solutions.ask(puzzle)
        self.facts.show(lambda space: self._fact_lines(answer, space))
        self.place_panes(self.size)
        self.show_footer()

    def _fact_lines(self, answer: Answer | None, space: Space) -> list[Spans]:
        """The facts of the puzzle, then every conflict as a sentence, or how to type."""
        puzzle, n = self.draft.puzzle, self.draft.puzzle.n
        solver = registry.solver(self.request.solver or registry.names()[0])
        size = f"{n} × {n}" + (", " + _("diagonal") if puzzle.variant == "diagonal" else "")
        givens = _("{givens} of {cells}").format(givens=n * n - len(puzzle.free_cells), cells=n * n)
        facts = [(_("cell"), cell_name(self.cursor, n)), (_("size"), size), (_("givens"), givens),
                 (_("solutions"), unique_text(answer)),
                 (_("solver"), _(solver.title)), (_("seed"), str(self.request.seed))]
        lines: list[Spans] = [[(label.ljust(LABEL), "muted"), (space.glyphs.text(text), "text")]
                             for label, text in facts]
        clashes, conflicts = puzzle.clashes(), []
        for clash in clashes:
            room = Space(space.width - 2, 3, space.glyphs)
            for number, line in enumerate(wrapped(clash_text(puzzle, clash), room)):
                conflicts.append([("  " if number else "! ", "alarm"), *line])
        if clashes:
            lines += [[], [(_("Conflicts"), "strong")], *conflicts]
        if len(lines) > space.height > 0:
            few = [cell_name(self.cursor, n), _("{givens} given").format(givens=givens), answer_text(answer)]
            if clashes:
                few.append(_("1 conflict") if len(clashes) == 1 else _("{count} conflicts").format(count=len(clashes)))
            lines = [*wrapped(", ".join(few), space), *conflicts][: space.height]
        if clashes:
            return lines
        typing = (_("A digit sets the cell, 0 clears it.") if n < 10 else
                  _("Digits and letters set the cell, 0 clears it.") if n <= SMALL_LETTERS else
                  _("Digits and letters (a capital where the small one is a key) set the cell, 0 clears it."))
        how = " ".join((typing, _("Paste a puzzle in any format.")))
        return [*lines, [], *wrapped(how, Space(space.width, 5, space.glyphs), "muted")]
