"""Home: the list of puzzles and of the user's runs, a preview, facts, and the solvers."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from textual import events, on
from textual.app import ComposeResult
from textual.geometry import Region
from textual.message import Message

from engine.errors import BadInput
from engine.puzzles.formats import PuzzleRecord
from engine.rng import MAX_SEED
from engine.solutions import Answer
from engine.text import count
from engine.view import Sentence
from tui import messages
from tui.background.solutions import SolutionCounter
from tui.i18n import _
from tui.keys.default_keys import HOME_KEYS, RUN_KEYS
from tui.keys.footer_hints import HOME_HINTS
from tui.keys.keymap import KeyTable
from tui.puzzle_facts import clashing_cells, refuse_clashes
from tui.requests import AutomataRequest, HomeRequest, ResumeSession
from tui.screens.base import AppScreen
from tui.screens.dialogs.prompt import MAX_INPUT, ConfirmDialog, PromptDialog
from tui.screens.home.puzzle_card import Card, about_lines, card_lines
from tui.screens.home.puzzle_list import FilterKeys, PuzzleList
from tui.screens.home.selection import HomeSelection
from tui.screens.home.solver_list import SolverList
from tui.screens.navigation import navigator
from tui.screens.run.presenter import about
from tui.storage import puzzle_files, sessions
from tui.storage.library import (
    COUNTED,
    Entry,
    all_runs,
    count_text,
    draft_entries,
    file_entries,
    last_run,
    pack_entries,
    run_entries,
    session_entries,
)
from tui.storage.puzzle_files import empty_puzzle, parse_pasted
from tui.storage.run_files import SavedRun
from tui.terminal.compositor import Lean
from tui.widgets.board.board import Board, Position
from tui.widgets.board.layout import fitting
from tui.widgets.board.preview import Preview, dense_size
from tui.widgets.footer import Footer
from tui.widgets.header import Header, Title
from tui.widgets.pane import Pane
from tui.widgets.rows import columns, fit
from tui.widgets.text import MessagePane, TextPane

HomePane = Literal["header", "message", "list", "board", "dense", "card", "solvers", "about", "footer"]

SMALLEST = (36, 8)
FULL = (80, 24)
CARD, SIDE = 3, 32
"""Rows of a card under the board; columns of one beside it, at least."""
RUN_NAME = 22
"""Most columns of the name of a run in the footer."""


def plan(width: int, height: int, box: int | None) -> Mapping[HomePane, Region]:
    """The regions of the panes for a puzzle with boxes of this side (None: no puzzle): all, or the list alone."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return {}
    edges: dict[HomePane, Region] = {"header": Region(0, 0, width, 1), "footer": Region(0, height - 1, width, 1),
                                     "message": Region(0, 1, width, 1)}
    if width < FULL[0] or height < FULL[1]:
        return edges | {"list": Region(1, 2, width - 2, height - 3)}
    x, listed, gap = (1, 36, 2) if width < 120 else (2, 42, 4) if width < 160 else (3, 56, 4)
    below = 5 if height < 30 else 9 if height < 50 else 17
    y = height - 1 - below - (height >= 30)
    second = x + listed + gap
    wide = width - second - (1 if width < 120 else 2)
    regions = edges | {
        "list": Region(x, 2, listed, y - 3),
        "solvers": Region(x, y, listed, below),
        "about": Region(second, y, wide, below),
    }
    room = Region(second, 2, wide, y - 2 - (height >= 30))
    return regions if box is None else regions | _board(room, box)


def _board(room: Region, box: int) -> dict[HomePane, Region]:
    """The board and its card beside the list; the card is beside the board, under it or left out."""
    layout = fitting(box, room.width, room.height - 1 - CARD)
    tall = fitting(box, room.width - SIDE - 4, room.height)
    if tall.width <= room.width - SIDE - 4 and tall.height <= room.height:
        layout = tall
    name: HomePane = "board"
    size = layout.width, layout.height
    if size[0] > room.width or size[1] > room.height:
        name, size = "dense", dense_size(box, room.width, room.height)
    placed: dict[HomePane, Region] = {name: Region(room.x, room.y, *size)}
    beside = room.width - size[0] - 4
    under = room.height - size[1] - 1
    if beside >= SIDE:
        placed["card"] = Region(room.x + size[0] + 4, room.y, beside, room.height)
    elif under > 0:
        placed["card"] = Region(room.x + 2, room.y + size[1] + 1, room.width - 2, under)
    return placed


def lowered(regions: Mapping[HomePane, Region], rows: int) -> Mapping[HomePane, Region]:
    """The regions with the list and the card shrunk from above, and the board moved down, as far as there is room
    above the card or the rows below: a message of more rows does not cover the heading of the list."""
    found = dict(regions)
    if rows < 1:
        return found
    for name in ("list", "card"):
        if name in found:
            x, y, width, height = found[name]
            taken = min(rows, height - 1) if name == "list" or y > 2 else 0
            found[name] = Region(x, y + taken, width, height - taken)
    for name in ("board", "dense"):
        if name in found and "card" in found and found["card"].y > found[name].bottom:
            found[name] = found[name].translate((0, min(rows, found["card"].y - found[name].bottom)))
    return found


def parse_seed(typed: str) -> int:
    """The seed that was typed. Raises BadInput."""
    digits = typed.replace(" ", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 30 and int(digits) <= MAX_SEED):
        raise BadInput(_("seed {typed}: expected a whole number from 0 to {most}").format(
            typed=typed[:40], most=count(MAX_SEED)))
    return int(digits)


class Home(Lean, AppScreen[HomePane]):
    """The screen on which a run begins."""

    KEYS = HOME_KEYS
    FOOTER_HINTS = HOME_HINTS
    LEAST_SIZE = SMALLEST
    TOO_SMALL = "The window is {w} x {h}; the list of puzzles needs {W} x {H}."

    class RunsRead(Message):
        """The user's runs and sessions have been read."""

        def __init__(self, runs: Sequence[SavedRun], sessions: Sequence[Entry]) -> None:
            super().__init__()
            self.runs, self.sessions = tuple(runs), tuple(sessions)

    class RunsChanged(Message):
        """A run was saved while Home is on the screen."""

    class Counted(Message):
        """The solutions of a puzzle have been counted."""

    def __init__(self, request: HomeRequest, notice: Sentence | None = None) -> None:
        """`request` is selected at first, `notice` shown."""
        super().__init__()
        self._request, self._notice = request, notice
        self.header, self.message, self.footer = Header(), MessagePane(), Footer()
        self.list, self.board, self.dense = PuzzleList(), Board(), Preview()
        self.card, self.solvers, self.summary = TextPane(id="card"), SolverList(), TextPane(id="summary")
        self._runs: tuple[SavedRun, ...] = ()
        self._sessions: tuple[Entry, ...] = ()
        self._runs_read = False
        self._wants_first = False
        """The first entry was asked for before the user's runs, which are above the others, were read."""
        self._shown_before = False
        self._solutions = SolutionCounter(lambda: self.post_message(self.Counted()))

    @property
    def panes(self) -> dict[HomePane, Pane]:
        return {"header": self.header, "message": self.message, "list": self.list, "board": self.board,
                "dense": self.dense, "card": self.card, "solvers": self.solvers, "about": self.summary,
                "footer": self.footer}

    def compose(self) -> ComposeResult:
        self.selection = HomeSelection(self._entries(), self._request)
        yield from super().compose()
        self.list.filter_keys = FilterKeys(self.table.shown("filter"), self.table.shown("leave"))

    def regions_for(self, width: int, height: int) -> Mapping[HomePane, Region]:
        entry = self.selection.entry
        regions = plan(width, height, None if entry is None else entry.puzzle.box)
        return lowered(regions, self.message.rows_at(width) - 1)

    def on_mount(self) -> None:
        if self._notice is not None:
            self.announce(self._notice)
        self.show()
        self.call_after_refresh(self._read_runs)

    def on_unmount(self) -> None:
        self._solutions.stop()

    def on_screen_resume(self) -> None:
        if self._shown_before:  # the editor may have left a draft
            self.reload()
        self._shown_before = True

    def on_screen_suspend(self) -> None:
        self.message.show("", "")  # the message was about the screen that comes now

    # The entries

    def _entries(self) -> tuple[Entry, ...]:
        own = (*self._sessions, *run_entries(self._runs), *draft_entries(puzzle_files.load_drafts()))
        return (*own, *file_entries(navigator(self).library.files), *pack_entries())

    def reload(self) -> None:
        """Read runs, drafts and files again."""
        self.selection.replace_entries(self._entries())
        self.show()
        self._read_runs()

    @on(RunsChanged)
    def _read_runs(self) -> None:
        """Read runs and sessions in a thread: there may be many, on a slow disk."""
        client = navigator(self).client

        def read() -> None:
            interrupted = session_entries(sessions.resumable(client=client), time.time())
            self.post_message(self.RunsRead(all_runs(), interrupted))

        threading.Thread(target=read, name="runs", daemon=True).start()

    @on(RunsRead)
    def _take_runs(self, event: RunsRead) -> None:
        wants_first, self._wants_first, self._runs_read = self._wants_first, False, True
        if (event.runs, event.sessions) == (self._runs, self._sessions):
            return
        new_sessions = event.sessions and not self._sessions
        self._runs, self._sessions = event.runs, event.sessions
        self.selection.replace_entries(self._entries())
        if wants_first:
            self.selection.select(0)
        self.show()
        first = event.sessions[0] if new_sessions else None
        if first is not None and first.run is not None and self.message.is_empty:
            what = f"{first.name}, {first.run.solver},"
            self.announce(messages.interrupted_session(
                what, first.run.playhead, first.note, len(event.sessions) - 1, first.run.outcome is not None))

    @property
    def _session(self) -> Entry | None:
        """The session to resume: the selected one, else the first, whatever the filter."""
        interrupted = [each for each in self.selection.entries if each.kind == "session"]
        return self.selection.entry if self.selection.entry in interrupted else next(iter(interrupted), None)

    # Footer and help

    def conditions(self) -> dict[str, bool]:
        """`some`: there are entries; `left`: a session can be resumed, `here`: it is the selected entry, `closed`: its
        run had ended; `puzzle`, `saved`, `draft`: the kind of the selected entry; `over`: its run had ended; `typing`,
        `filtered`: the filter; `presets`: several; `behind`: there is a run to return to."""
        entry, shown, session = self.selection.entry, self.selection.list, self._session
        return {
            "some": entry is not None, "puzzle": entry is not None and entry.run is None,
            "saved": entry is not None and entry.run is not None,
            "over": entry is not None and entry.run is not None and entry.run.outcome is not None,
            "left": session is not None, "here": session is not None and session == entry,
            "closed": session is not None and session.run is not None and session.run.outcome is not None,
            "draft": entry is not None and entry.kind == "draft",
            "typing": shown.typing, "filtered": shown.typing or bool(shown.filter),
            "presets": len(self.selection.presets) > 1, "behind": navigator(self).has_run,
        }

    def placeholders(self) -> dict[str, str]:
        """The runs that keys resume, for the hints of two keys side by side."""
        return {"session": self._run_name(self._session), "selected": self._run_name(self.selection.entry)}

    def _run_name(self, entry: Entry | None) -> str:
        """The puzzle of a run and its solver, in at most `RUN_NAME` columns."""
        if entry is None or entry.run is None:
            return ""
        said = f"{entry.name}, {entry.run.solver}"
        return fit(said, min(columns(said), RUN_NAME), self.footer.glyphs).rstrip()

    def help_about(self) -> list[str]:
        return about(self.selection.solver)

    def help_title(self) -> str:
        return _("Puzzles")

    def file_title(self) -> str:
        return _("puzzles")

    def home_request(self) -> HomeRequest:
        return self.selection.request

    def announce(self, notice: Sentence) -> None:
        """Show a message under the header until the next key."""
        self.message.show(notice.badge, messages.one_sentence(self.table.resolve_keys(notice)))
        self.place_panes(self.size)

    # Keys: the filter

    def on_key(self, event: events.Key) -> None:
        if not self.message.is_empty:
            self.message.show("", "")
            self.place_panes(self.size)
        if self.selection.list.typing:
            self._type(event)

    def _type(self, event: events.Key) -> None:
        """Edit the filter; any other key has its usual meaning."""
        typed = self.selection.list.filter
        if event.key in ("backspace", "ctrl+h"):
            self._filter(typed[:-1])
        elif event.key == "ctrl+u":
            self._filter("")
        elif event.is_printable and event.character is not None:
            self._filter(typed + event.character)
        elif event.key in ("tab", "shift+tab"):
            self.selection.filter(typed, False)
            self.show()
        else:
            return
        event.stop()

    def _filter(self, typed: str) -> None:
        self.selection.filter(typed[:MAX_INPUT], True)
        self.show()

    def action_filter(self) -> None:
        self._filter(self.selection.list.filter)

    def on_paste(self, event: events.Paste) -> None:
        """Paste into the filter while it has the keys, else open the pasted puzzle in the editor."""
        event.stop()
        if self.selection.list.typing:
            self._filter(self.selection.list.filter + " ".join(event.text.split()))
            return

        def paste() -> None:
            record, said = parse_pasted(event.text, _("the pasted text"))
            navigator(self).open_editor(record, self.home_request(), said)

        self.attempt(paste)

    # Keys: selecting

    def select(self, index: int) -> None:
        self.selection.select(index)
        self._wants_first = False
        self.show()

    def action_move(self, down: int) -> None:
        self.select(self.selection.list.selected + down)

    def action_page(self, direction: int) -> None:
        self.action_move(direction * self.list.page)

    def action_edge(self, direction: int) -> None:
        self.select(len(self.selection.list.entries) if direction > 0 else 0)
        self._wants_first = direction < 0 and not self._runs_read

    def action_group(self, direction: int) -> None:
        self.selection.next_group(direction)
        self._wants_first = False
        self.show()

    def select_solver(self, index: int) -> None:
        """Select a solver; show why if it cannot run."""
        self.selection.select_solver(index)
        self.show()
        self.attempt(self.selection.solver.require)

    def action_solver(self, direction: int) -> None:
        self.select_solver(self.selection.solver_index + direction)

    def action_nth(self, number: int) -> None:
        if number <= len(self.selection.solvers):
            self.select_solver(number - 1)

    def action_preset(self, direction: int) -> None:
        self.selection.next_preset(direction)
        self.show()

    def action_reseed(self, direction: int) -> None:
        self.selection.set_seed(self.selection.seed + direction)
        self.show()

    def action_seed(self) -> None:
        def answered(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self.selection.set_seed(parse_seed(typed)))
                self.show()

        self.app.push_screen(PromptDialog(_("Seed"), str(self.selection.seed)), answered)

    # Keys: opening

    def action_begin(self) -> None:
        entry = self.selection.entry
        if entry is not None:
            self.attempt(lambda: self._open(entry))

    def _open(self, entry: Entry) -> None:
        """Open a run, resume a session or begin a run on a puzzle. Raises BadInput."""
        if entry.run is None:
            refuse_clashes(entry.puzzle)
            navigator(self).open_run(self.selection.new_run(entry))
        elif entry.kind == "session":
            try:
                navigator(self).open_run(ResumeSession(entry.run.path))
            except BadInput:
                self.reload()  # another process may have it
                raise
        else:
            navigator(self).open_run(entry.run.path)

    def action_continue(self) -> None:
        entry = self._session
        if entry is None:
            self.announce(messages.unavailable(_("no interrupted session to resume")))
        else:
            self.attempt(lambda: self._open(entry))

    def action_edit(self) -> None:
        entry = self.selection.entry
        if entry is None:
            self.action_new_puzzle()
        else:
            navigator(self).open_editor(entry.record, self.home_request())

    def action_new_puzzle(self) -> None:
        navigator(self).open_editor(PuzzleRecord(puzzle=empty_puzzle()), self.home_request())

    def action_automata(self) -> None:
        entry = self.selection.entry
        if entry is not None and entry.run is None:
            navigator(self).open_automata(AutomataRequest(entry.record))
        else:
            self.announce(messages.unavailable(_("select a puzzle; for a run, open it and ask there")))

    def action_bench(self) -> None:
        from tui.screens.bench.experiment_dialogs import choose

        choose(self)

    def action_guess(self) -> None:
        entry = self.selection.entry
        if entry is not None and entry.run is None:
            self.attempt(lambda: navigator(self).open_guess(entry.record.puzzle))
        else:
            self.announce(messages.unavailable(_("select a puzzle: the curves are of runs on it")))

    def action_progress(self) -> None:
        """List the progress in hands on; `enter` there selects the solver here."""
        from tui.screens.home.progress_list import ProgressList

        def answered(solver: str | None) -> None:
            names = [each.name for each in self.selection.solvers]
            if solver in names:
                self.select_solver(names.index(solver))

        def show() -> None:
            saved = navigator(self).progress.read()
            if saved.progress or saved.damaged:
                self.app.push_screen(ProgressList(saved), answered)
            else:
                laboratory = KeyTable(RUN_KEYS).remapped(navigator(self).key_changes)
                self.announce(messages.no_progress(laboratory.shown("hands-on")))

        self.attempt(show)

    def action_delete(self) -> None:
        entry = self.selection.entry
        if entry is None or (entry.run is None and entry.kind != "draft"):
            self.announce(messages.unavailable(_("only your runs and drafts can be deleted")))
            return
        what = entry.name if entry.run is None else entry.run.path.name
        if entry.run is not None and entry.kind == "session":  # several may be of one puzzle
            what = _("{puzzle}, {solver}, step {step}").format(puzzle=entry.name, solver=entry.run.solver,
                                                               step=count(entry.run.playhead))

        def answered(yes: bool | None) -> None:
            if yes:
                self.attempt(lambda: self._delete(entry))
                self.reload()

        self.app.push_screen(ConfirmDialog(_("Delete {what}?").format(what=what)), answered)

    def _delete(self, entry: Entry) -> None:
        """Delete the file of a run or a session, or a draft. Raises BadInput."""
        if entry.run is None:
            puzzle_files.delete_draft(entry.puzzle)
            return
        path: Path = entry.run.path
        try:
            if entry.kind == "session":
                sessions.delete(path)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise BadInput(_("cannot delete {path}: {why}").format(path=path, why=error.strerror or error)) from error

    def action_back(self) -> None:
        """Clear the filter, else return to the run."""
        shown = self.selection.list
        if shown.typing or shown.filter:
            self.selection.filter("", False)
            self.show()
        elif navigator(self).has_run:
            navigator(self).back()
        else:
            self.announce(messages.unavailable(_("no run to go back to")))

    # Mouse

    @on(PuzzleList.Selected)
    def _pick_entry(self, event: PuzzleList.Selected) -> None:
        if event.index is None:
            self.action_filter()
            return
        self.select(event.index)
        if event.twice:
            self.action_begin()

    @on(SolverList.Selected)
    def _pick_solver(self, event: SolverList.Selected) -> None:
        self.select_solver(event.index)

    # Showing

    def show(self) -> None:
        """Draw the selection; panes whose values are the same draw nothing."""
        selection = self.selection
        argument = "" if selection.entry is None else selection.entry.argument
        self.header.show(Title(_("Puzzles"), (argument,) if argument else (), count_text(selection.list.entries)))
        self.list.show(selection.list)
        self.solvers.show(selection.solvers, selection.solver_index)
        self.summary.show(partial(about_lines, selection.setup))
        self._show_puzzle()
        self.show_footer()

    @on(Counted)
    def _show_puzzle(self) -> None:
        entry = self.selection.entry
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
        """The number of solutions that the file gives or that was counted; None while it is counted."""
        if entry.record.solutions is not None:
            return COUNTED[entry.record.solutions]
        known = self._solutions.answer(entry.puzzle)
        if known is None:
            self._solutions.ask(entry.puzzle)
        return known
