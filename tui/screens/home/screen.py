"""Home: every puzzle and the learner's own runs in a list, a preview, what is known about it, and the solvers."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message

from engine.solutions import Answer
from engine.view import Sentence
from tui import messages
from tui.background.solutions import SolutionCounter
from tui.i18n import _
from tui.puzzle_facts import clashing_cells
from tui.requests import HomeRequest
from tui.screens.base import TooSmall, put_panes
from tui.screens.home.actions import HomeActions
from tui.screens.home.layout import SMALLEST, HomePane, HomePlan, plan
from tui.screens.home.puzzle_card import Card, about_lines, card_lines
from tui.screens.home.puzzle_list import PuzzleList
from tui.screens.home.selection import HomeChoice
from tui.screens.home.solver_list import SolverList
from tui.screens.navigation import navigator
from tui.storage import puzzle_files, sessions
from tui.storage.library import (
    COUNTED,
    Entry,
    all_runs,
    counted,
    last_run,
    of_draft,
    of_files,
    of_runs,
    of_sessions,
    shipped,
)
from tui.storage.run_files import SavedRun
from tui.terminal.compositor import Lean
from tui.widgets.board.board import Board, Position
from tui.widgets.board.preview import Preview
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.text import MessagePane, TextPane


class Home(Lean, HomeActions):
    """Where a run begins. What its keys do is in `HomeActions`."""

    class RunsRead(Message):
        """The learner's runs have been looked through."""

        def __init__(self, runs: Sequence[SavedRun], sessions: Sequence[Entry]) -> None:
            super().__init__()
            self.runs, self.sessions = tuple(runs), tuple(sessions)

    class Counted(Message):
        """The solutions of a puzzle have been counted."""

    def __init__(self, wish: HomeRequest, notice: Sentence | None = None) -> None:
        """`wish` is chosen at first; `notice` is said at first."""
        super().__init__()
        self._wish, self._notice = wish, notice
        self.header, self.message, self.footer = Header(), MessagePane(), Footer()
        self.list, self.board, self.dense = PuzzleList(), Board(), Preview()
        self.card, self.solvers, self.summary = TextPane(id="card"), SolverList(), TextPane(id="summary")
        self.too_small = TooSmall(_("The window is {w} x {h}; the list of puzzles needs {W} x {H}."), SMALLEST)
        self.arranged = HomePlan("none", {})
        self._runs: tuple[SavedRun, ...] = ()
        self._sessions: tuple[Entry, ...] = ()
        self._shown_before = False
        self._counter = SolutionCounter(lambda: self.post_message(self.Counted()))

    @property
    def panes(self) -> dict[HomePane, Pane]:
        """The panes by their names in the plan."""
        return {"header": self.header, "message": self.message, "list": self.list, "board": self.board,
                "dense": self.dense, "card": self.card, "solvers": self.solvers, "about": self.summary,
                "footer": self.footer}

    @property
    def page(self) -> int:
        return self.list.page

    def compose(self) -> ComposeResult:
        self.chosen = HomeChoice(self._entries(), self._wish)
        yield from self.panes.values()
        yield self.too_small

    def on_mount(self) -> None:
        if self._notice is not None:
            self.say(self._notice.badge, messages.flowing(self._notice))
        self.show()
        self.call_after_refresh(self._read_runs)

    def on_unmount(self) -> None:
        self._counter.stop()

    # The list

    def _entries(self) -> tuple[Entry, ...]:
        own = (*self._sessions, *of_runs(self._runs), *of_draft(puzzle_files.load()))
        return (*own, *of_files(navigator(self).library.files), *shipped())

    def reload(self) -> None:
        self.chosen.replace_entries(self._entries())
        self.show()
        self._read_runs()

    def _read_runs(self) -> None:
        """In a thread: there may be many, and on a slow disk."""
        client = navigator(self).client

        def read() -> None:
            cut_off = of_sessions(sessions.resumable(client=client), time.time())
            self.post_message(self.RunsRead(all_runs(), cut_off))

        threading.Thread(target=read, name="shelf", daemon=True).start()

    def on_home_runs_read(self, event: RunsRead) -> None:
        if (event.runs, event.sessions) != (self._runs, self._sessions):
            found = event.sessions and not self._sessions
            self._runs, self._sessions = event.runs, event.sessions
            self.chosen.replace_entries(self._entries())
            self.show()
            if found and not self.message.told[1]:
                self._offer(event.sessions)

    def _offer(self, entries: Sequence[Entry]) -> None:
        """Say that there are sessions to go on with."""
        run = entries[0].run
        if run is not None:
            what = f"{entries[0].name}, {run.solver},"
            self.announce(messages.session_left(what, run.playhead, entries[0].note, len(entries) - 1))

    def on_screen_resume(self) -> None:
        """Back from the editor: there may be a draft."""
        if self._shown_before:
            self.reload()
        self._shown_before = True

    def on_screen_suspend(self) -> None:
        """What was said was of what comes now."""
        self.say("", "")

    # Showing

    def show(self) -> None:
        """Draw what is chosen; panes whose values are the same draw nothing."""
        chosen = self.chosen
        self.header.show(Title(_("Puzzles"), (), counted(chosen.list.entries)))
        self.list.show(chosen.list)
        self.solvers.show(chosen.solvers, chosen.place)
        self.summary.show(partial(about_lines, chosen.choice))
        self._show_puzzle()
        self.show_footer()

    def _show_puzzle(self) -> None:
        entry = self.chosen.entry
        if entry is None:
            self.card.show(lambda _space: ())
        else:
            puzzle = entry.puzzle
            clashes = clashing_cells(puzzle.clashes())
            self.board.show(Position(puzzle, puzzle.givens, {"conflict": clashes}))
            self.dense.show(puzzle, self.table.shown("begin"))
            card = Card(entry, self._answer(entry), last_run(self._runs, puzzle))
            self.card.show(partial(card_lines, card))
        self.place_panes(self.size)

    def _answer(self, entry: Entry) -> Answer | None:
        """How many solutions the file says it has, else what was counted; asks for it to be counted."""
        if entry.record.solutions is not None:
            return COUNTED[entry.record.solutions]
        known = self._counter.answer(entry.puzzle)
        if known is None:
            self._counter.ask(entry.puzzle)
        return known

    def on_home_counted(self) -> None:
        self._show_puzzle()

    def say(self, badge: str, said: str) -> None:
        self.message.say(badge, said)

    # Arranging

    def on_resize(self, event: events.Resize) -> None:
        self.place_panes(event.size)

    def place_panes(self, size: Size) -> None:
        """Put every pane where the plan has it."""
        entry = self.chosen.entry
        arranged = plan(size.width, size.height, None if entry is None else entry.puzzle.box)
        put_panes(self.panes, arranged.regions, self.arranged.regions)
        self.arranged = arranged
        self.too_small.show_if(arranged.mode == "none", size)

    # Mouse

    def on_puzzle_list_picked(self, event: PuzzleList.Picked) -> None:
        if event.place is None:
            self.action_filter()
            return
        self.choose(event.place)
        if event.twice:
            self.action_begin()

    def on_solver_list_picked(self, event: SolverList.Picked) -> None:
        self.choose_solver(event.place)
