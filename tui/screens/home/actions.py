"""What the keys of Home do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual import events

from engine.errors import BadInput
from engine.puzzles.formats import PuzzleRecord
from engine.view import Sentence
from tui import messages
from tui.i18n import _
from tui.keys.bindings import HOME_HINTS, HOME_KEYS
from tui.puzzle_facts import refuse_clashes
from tui.requests import AutomataRequest, HomeRequest, ResumeSession
from tui.screens.base import AppScreen
from tui.screens.dialogs.prompt import LONGEST, Prompt, Question
from tui.screens.home.selection import HomeChoice
from tui.screens.navigation import navigator
from tui.screens.run.presenter import about
from tui.storage import puzzle_files, sessions
from tui.storage.library import Entry
from tui.storage.puzzle_files import empty, pasted


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def seed_of(typed: str) -> int:
    """The seed that was typed. Raises BadInput."""
    digits = typed.replace(" ", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 30):
        raise BadInput(_("seed {typed}: expected a whole number").format(typed=typed))
    return int(digits)


class HomeActions(AppScreen):
    """The actions of Home. Its panes are in `Home`."""

    KEYS = HOME_KEYS
    FOOTER_HINTS = HOME_HINTS

    chosen: HomeChoice

    def show(self) -> None:
        """Draw what is chosen."""
        raise TypeError("Home has panes")

    def say(self, badge: str, said: str) -> None:
        """Say something under the header, until the next key."""
        raise TypeError("Home has a line for messages")

    def reload(self) -> None:
        """Look again for runs, drafts and files."""
        raise TypeError("Home has a list")

    @property
    def page(self) -> int:
        """Entries of a page."""
        return 1

    def home_request(self) -> HomeRequest:
        return self.chosen.wish

    def available(self) -> frozenset[str]:
        """`some` entries are there; `left`: a session was; `puzzle`, `saved` run, `draft`: what the chosen one is;
        `typing` into the filter, `filtered`; `presets`: the solver has several; `behind`: a run to go back to."""
        entry = self.chosen.entry
        facts = {
            "some": entry is not None, "puzzle": entry is not None and entry.run is None,
            "saved": entry is not None and entry.run is not None, "left": self._left is not None,
            "draft": entry is not None and entry.kind == "draft",
            "typing": self.chosen.list.typing, "filtered": self.chosen.list.typing or bool(self.chosen.list.filter),
            "presets": len(self.chosen.presets) > 1, "behind": navigator(self).has_run,
        }
        return frozenset(word for word, holds in facts.items() if holds)

    def announce(self, notice: Sentence) -> None:
        self.say(notice.badge, messages.flowing(self.table.spelled(notice)))

    def help_about(self) -> list[str]:
        return about(self.chosen.solver)

    def help_title(self) -> str:
        return _("Puzzles")

    def file_title(self) -> str:
        return _("puzzles")

    # The filter

    def on_key(self, event: events.Key) -> None:
        self.say("", "")
        if self.chosen.list.typing:
            self._type(event)

    def _type(self, event: events.Key) -> None:
        """Into the filter; keys that are of no use there go on to their bindings."""
        typed = self.chosen.list.filter
        if event.key in ("backspace", "ctrl+h"):
            self._filter(typed[:-1])
        elif event.key == "ctrl+u":
            self._filter("")
        elif event.is_printable and event.character is not None:
            self._filter(typed + event.character)
        elif event.key in ("tab", "shift+tab"):
            self.chosen.filter(typed, False)
            self.show()
        else:
            return
        event.stop()

    def _filter(self, typed: str) -> None:
        self.chosen.filter(typed[:LONGEST], True)
        self.show()

    def on_paste(self, event: events.Paste) -> None:
        """Into the filter while one types there; otherwise it is a puzzle to edit."""
        event.stop()
        if self.chosen.list.typing:
            self._filter(self.chosen.list.filter + " ".join(event.text.split()))
            return

        def paste() -> None:
            record, _more = pasted(event.text, _("the pasted text"))
            navigator(self).open_editor(record, self.home_request())

        self.attempt(paste)

    def action_filter(self) -> None:
        self._filter(self.chosen.list.filter)

    # Choosing

    def action_move(self, down: int) -> None:
        self.choose(self.chosen.list.chosen + down)

    def action_page(self, direction: int) -> None:
        self.action_move(direction * self.page)

    def action_edge(self, direction: int) -> None:
        self.choose(len(self.chosen.list.entries) if direction > 0 else 0)

    def action_group(self, direction: int) -> None:
        self.chosen.choose_group(direction)
        self.show()

    def choose(self, place: int) -> None:
        self.chosen.choose(place)
        self.show()

    def choose_solver(self, place: int) -> None:
        """Choose it; if it cannot run here, that is said at once."""
        self.chosen.choose_solver(place)
        self.show()
        self.attempt(self.chosen.solver.require)

    def action_solver(self, direction: int) -> None:
        self.choose_solver(self.chosen.place + direction)

    def action_nth(self, number: int) -> None:
        if number <= len(self.chosen.solvers):
            self.choose_solver(number - 1)

    def action_preset(self, direction: int) -> None:
        self.chosen.choose_preset(direction)
        self.show()

    def action_reseed(self, direction: int) -> None:
        self.chosen.choose_seed(self.chosen.seed + direction)
        self.show()

    def action_seed(self) -> None:
        def asked(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self.chosen.choose_seed(seed_of(typed)))
                self.show()

        self.app.push_screen(Prompt(_("Seed"), str(self.chosen.seed)), asked)

    # Opening

    def action_begin(self) -> None:
        entry = self.chosen.entry
        if entry is not None:
            self.attempt(lambda: self._begin(entry))

    def _begin(self, entry: Entry) -> None:
        if entry.run is not None:
            self._go_on(entry.run.path, entry.kind == "session")
            return
        refuse_clashes(entry.puzzle)
        navigator(self).open_run(self.chosen.new_run(entry))

    def _go_on(self, path: Path, is_session: bool) -> None:
        if not is_session:
            navigator(self).open_run(path)
            return
        try:
            navigator(self).open_run(ResumeSession(path))
        except BadInput:
            self.reload()  # somebody else may have it
            raise

    @property
    def _left(self) -> Entry | None:
        """The session to go on with: the chosen one if it is one, else the first; the filter does not matter."""
        cut_off = [each for each in self.chosen.entries if each.kind == "session"]
        return self.chosen.entry if self.chosen.entry in cut_off else next(iter(cut_off), None)

    def action_continue(self) -> None:
        entry = self._left
        if entry is None:
            self.say(_("NOTHING"), _("no session was cut off: there is nothing to go on with"))
        else:
            self.attempt(lambda: self._begin(entry))

    def action_edit(self) -> None:
        entry = self.chosen.entry
        if entry is None:
            self.action_new_puzzle()
        else:
            navigator(self).open_editor(entry.record, self.home_request())

    def action_automata(self) -> None:
        entry = self.chosen.entry
        if entry is not None and entry.run is None:
            navigator(self).open_automata(AutomataRequest(entry.record))
        else:
            self.say(_("NOTHING"), _("pick a puzzle to ask its automata; a run is asked where it stands, once opened"))

    def action_bench(self) -> None:
        from tui.screens.bench.experiment_dialogs import choose

        choose(self)

    def action_new_puzzle(self) -> None:
        navigator(self).open_editor(PuzzleRecord(puzzle=empty()), self.home_request())

    def action_delete(self) -> None:
        entry = self.chosen.entry
        if entry is None or (entry.run is None and entry.kind != "draft"):
            return
        what = _("the draft") if entry.run is None else entry.name if entry.kind == "session" else entry.run.path.name

        def answered(yes: bool | None) -> None:
            if yes:
                self.attempt(lambda: self._delete(None if entry.run is None else entry.run.path,
                                                  sessions.delete if entry.kind == "session" else _remove))
                self.reload()

        self.app.push_screen(Question(_("Delete {what}?").format(what=what)), answered)

    def _delete(self, path: Path | None, remove: Callable[[Path], None]) -> None:
        if path is None:
            puzzle_files.drop()
            return
        try:
            remove(path)
        except OSError as error:
            raise BadInput(_("cannot delete {path}: {why}").format(path=path, why=error.strerror or error)) from error

    # The program

    def action_back(self) -> None:
        shown = self.chosen.list
        if shown.typing or shown.filter:
            self.chosen.filter("", False)
            self.show()
        elif navigator(self).has_run:
            navigator(self).back()
