"""What the keys of the editor do."""

from __future__ import annotations

import os
from pathlib import Path

from textual import events

from engine import registry
from engine.errors import BadInput
from engine.formats import PuzzleRecord
from engine.puzzle import cell_name
from engine.view import Sentence
from tui import messages
from tui.draft import Draft, typed_value
from tui.i18n import _
from tui.keys.bindings import EDITOR_KEYS, EDITOR_OFFERS
from tui.puzzle_facts import refuse_clashes
from tui.requests import NewRun, Wish
from tui.screens.base import Keyed
from tui.screens.dialogs.prompt import PathPrompt, Question
from tui.screens.hints import Hinter
from tui.screens.navigation import desk
from tui.storage import puzzle_files
from tui.storage.puzzle_files import pasted, path_of, write_puzzle

BOXES = (2, 3, 4, 5)
SMALL_LETTERS = "abcdefg"
"""Small letters that are values on a 16x16 board; on larger ones the rest of them must be capitals."""


class EditorActions(Keyed):
    """The actions of the editor. Its panes are in `Editor`."""

    KEYS = EDITOR_KEYS
    OFFERS = EDITOR_OFFERS

    draft: Draft
    hinter: Hinter
    hinting = False
    """Whether the board shows a hint."""
    wish: Wish
    cursor: int
    _going_on = False
    """Whether the last key was a digit in this cell, so that another one makes a number of two."""

    def show(self) -> None:
        """Draw the puzzle as it is now."""
        raise TypeError("an editor has panes")

    def say(self, badge: str, said: str) -> None:
        """Say something under the header, until the next key."""
        raise TypeError("an editor has a line for messages")

    def situation(self) -> frozenset[str]:
        """`givens` are there and `sound` if they do not contradict each other; `past` and `future`: what can be taken
        back and made again."""
        draft = self.draft
        filled = any(draft.puzzle.givens)
        facts = {"givens": filled, "sound": not draft.puzzle.clashes(), "past": draft.has_past,
                 "future": draft.has_future}
        return frozenset(word for word, holds in facts.items() if holds)

    @property
    def record(self) -> PuzzleRecord:
        """The puzzle as it is now; a changed one does not keep what was known about the one it was made from."""
        return PuzzleRecord(puzzle=self.draft.puzzle, name=self.draft.name)

    # Typing

    def on_key(self, event: events.Key) -> None:
        self.say("", "")
        if self.hinting:
            self.hinting = False
            self.show()
        typed, own = event.character or "", self._bindings.key_to_bindings
        small = typed.isalpha() and typed.islower() and typed not in SMALL_LETTERS
        n, before = self.draft.puzzle.n, self.draft.puzzle.givens[self.cursor]
        value = None if small or len(typed) != 1 else typed_value(before, typed, n, self._going_on)
        self._going_on = value is not None and typed.isdigit()
        if value is not None:
            event.stop()
            self.draft.put(self.cursor, value)
            self.show()
        elif len(typed) == 1 and typed.isascii() and (typed.isdigit() or (typed.isupper() and event.key not in own)):
            self.say(_("NO VALUE"), _("{typed}: expected a value from 1 to {n}").format(typed=typed, n=n))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.attempt(lambda: self._paste(event.text))

    def _paste(self, text: str) -> None:
        record, more = pasted(text, _("the pasted text"))
        self.take(record)
        self.say(_("PASTED"), _("the first of several puzzles") if more else record.name or _("a puzzle"))

    def take(self, record: PuzzleRecord) -> None:
        """Edit another puzzle; it can be undone."""
        self.draft.become(record.puzzle)
        self.draft.name = record.name or self.draft.name
        self.cursor = min(self.cursor, record.puzzle.n**2 - 1)
        self._going_on = False
        self.show()

    def told(self, notice: Sentence) -> None:
        self.say(notice.badge, messages.flowing(notice))

    def help_title(self) -> str:
        return _("Editor")

    def called(self) -> str:
        return f"{_('editor')} {self.draft.name}".strip()

    # The board

    def action_cursor(self, down: int, right: int) -> None:
        n = self.draft.puzzle.n
        row, column = divmod(self.cursor, n)
        self.place((row + down) % n * n + (column + right) % n)

    def action_hint(self) -> None:
        self.hinter.ask(self.draft.puzzle, self.draft.puzzle.givens)

    def action_onward(self) -> None:
        self.place((self.cursor + 1) % self.draft.puzzle.n**2)

    def place(self, cell: int) -> None:
        """Put the cursor on a cell; on the last one, where a click was meant for a larger board that is gone."""
        self.cursor, self._going_on = min(cell, self.draft.puzzle.n**2 - 1), False
        self.show()

    def _change(self, changed: bool) -> None:
        self._going_on = False
        if changed:
            self.cursor = min(self.cursor, self.draft.puzzle.n**2 - 1)
            self.show()

    def action_clear_cell(self) -> None:
        self._change(self.draft.put(self.cursor, 0))

    def action_clear_all(self) -> None:
        self._change(self.draft.clear())

    def action_resize(self, direction: int) -> None:
        """A board of another size is empty; undo brings the former one back."""
        at = BOXES.index(self.draft.puzzle.box) + direction
        self._change(self.draft.resize(BOXES[at % len(BOXES)]))

    def action_variant(self) -> None:
        self._change(self.draft.turn())

    def action_undo(self) -> None:
        self._change(self.draft.undo())

    def action_redo(self) -> None:
        self._change(self.draft.redo())

    # The program

    def action_begin(self) -> None:
        self.attempt(self._begin)

    def _begin(self) -> None:
        puzzle, wish = self.draft.puzzle, self.wish
        refuse_clashes(puzzle)
        solver = wish.solver or registry.names()[0]
        self.keep()
        desk(self).open_run(NewRun(puzzle, self.draft.name, solver, wish.params or {}, wish.seed))

    def keep(self) -> None:
        """Keep what was changed as a draft, for it is about to be left."""
        if self.draft.changed and any(self.draft.puzzle.givens):
            puzzle_files.keep(self.record)
            self.draft.kept()

    def action_back(self) -> None:
        try:
            self.keep()
        except BadInput as error:
            if not self.warned:
                self.warned = True
                self.say(_("NOT KEPT"), _("{why}; esc leaves all the same").format(why=error))
                return
        desk(self).back()

    warned = False
    """Whether it was said that the draft cannot be kept."""

    def action_copy(self) -> None:
        line = self.draft.puzzle.line
        self.app.copy_to_clipboard(line)
        self.say(_("COPIED"), line)

    def action_save(self) -> None:
        def asked(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self._save(path_of(typed)))

        begun = (self.draft.name or "puzzle").replace("/", "-") + ".sdk"
        self.app.push_screen(PathPrompt(_("Save as"), begun), asked)

    def _save(self, path: Path) -> None:
        if not os.path.exists(path):
            self._write(path)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.attempt(lambda: self._write(path))

        self.app.push_screen(Question(_("{path} exists. Overwrite it?").format(path=path)), answered)

    def _write(self, path: Path) -> None:
        write_puzzle(path, self.record)
        self.draft.kept()
        self.say(_("SAVED"), str(path))

    def wished(self) -> Wish:
        return self.wish

    def open_path(self, typed: str) -> None:
        self.keep()
        super().open_path(typed)

    def cell_text(self) -> str:
        return cell_name(self.cursor, self.draft.puzzle.n)
