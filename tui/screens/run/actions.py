"""What the keys of the laboratory do: commands to the player, questions, and what only the screen knows of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.geometry import Size

from engine import params as parameters
from engine import text
from engine.errors import BadInput
from engine.params import Value
from engine.puzzle import cell_name
from engine.puzzles.formats import PuzzleRecord
from engine.view import Pair, Sentence, choices_of
from tui import messages
from tui.config import paths
from tui.i18n import _
from tui.keys.bindings import FINDS, RUN_HINTS, RUN_KEYS
from tui.playback import breakpoint_syntax, commands
from tui.playback.commands import Intervene
from tui.playback.loading import PendingRun
from tui.requests import AutomataRequest, HomeRequest, NewRun
from tui.screens.dialogs.prompt import PromptDialog, assignment, number_of, way_to
from tui.screens.hints import HintWorker
from tui.screens.navigation import navigator
from tui.screens.run.layout import PENCILLED
from tui.screens.run.population import CrowdActions, next_stop
from tui.screens.run.presenter import about, said_now, situation, words_of
from tui.widgets.board.layout import LARGEST_LINE_BOX
from tui.widgets.panels.panel import PanelPane
from tui.widgets.tabs import Tabs

if TYPE_CHECKING:
    from tui.screens.dialogs.command_palette import Command


class LabActions(CrowdActions):
    """The actions of the laboratory. Its panes are in `Lab`."""

    KEYS = RUN_KEYS
    FOOTER_HINTS = RUN_HINTS

    hinter: HintWorker
    pending: PendingRun
    tabs: Tabs
    panel: PanelPane
    cursor: int | None = None
    """The cell that the learner has picked."""
    marks = True
    """Whether candidates are pencilled in where there are some."""
    tab = 1
    _picked_choice: Pair | None = None

    @property
    def choice(self) -> Pair | None:
        """The choice of the search that is picked: that of the picked cell, if it has one."""
        found = [pair for pair in choices_of(self.snapshot.view.panel) if pair[0] == self.cursor]
        return self._picked_choice if self._picked_choice in found else next(iter(found), None)

    def show_board(self) -> None:
        """Draw the board and the line about the picked cell."""
        raise TypeError("a laboratory has a board")

    def fits(self, notice: Sentence) -> bool:
        """Whether the verdict line has room for it."""
        raise TypeError("a laboratory has a verdict line")

    def place_panes(self, size: Size) -> None:
        """Put every pane where it belongs at this size."""
        raise TypeError("a laboratory has panes")

    def available(self) -> frozenset[str]:
        facts = {"pencils": self.pencils, "causes": self.cursor is not None and self.snapshot.view.causes is not None,
                 "choices": (self.tabs.display or self.panel.display) and bool(choices_of(self.snapshot.view.panel)),
                 "chosen": self.choice is not None}
        words = situation(self.snapshot, self.pending) | self.crowd_words()
        return words | {word for word, holds in facts.items() if holds}

    @property
    def pencils(self) -> bool:
        """Whether there are candidates, and room to pencil them in."""
        roomy = self.size.width >= PENCILLED[0] and self.size.height >= PENCILLED[1]
        small = self.pending.puzzle.box <= LARGEST_LINE_BOX
        return roomy and small and self._has_candidates

    @property
    def _has_candidates(self) -> bool:
        """Whether there are any at this step, or room is kept for those of other steps."""
        kept = self.marks and "candidates" in self.pending.solver.gives
        return kept or self.snapshot.view.candidates is not None

    def placeholders(self) -> dict[str, str]:
        return words_of(self.pending.solver)

    def help_now(self) -> list[str]:
        picked = self.cursor is not None
        tab = self.tabs.titles[self.tab - 1] if self.tabs.display else None
        return [*said_now(self.snapshot, self.pending, self.table, picked, tab), *self.crowd_now()]

    def help_about(self) -> list[str]:
        return about(self.pending.solver)

    def announce(self, notice: Sentence) -> None:
        self.worker.send(commands.Announce(notice))

    def help_title(self) -> str:
        return " · ".join((_("Laboratory"), _(self.pending.solver.title), self.pending.puzzle_name)).removesuffix(" · ")

    def file_title(self) -> str:
        pending = self.pending
        return f"{pending.solver.title} {pending.puzzle_name} seed {pending.seed} step {self.snapshot.playhead}"

    def action_play(self, direction: int) -> None:
        self.worker.send(commands.Toggle(direction))

    def action_step(self, steps: int) -> None:
        self.worker.send(commands.Step(steps))

    def action_period(self, direction: int) -> None:
        self.worker.send(commands.Period(direction))

    def action_home(self) -> None:
        self.worker.send(commands.Seek(0))

    def action_end(self) -> None:
        self.worker.send(commands.ToEnd())

    def action_faster(self, direction: int) -> None:
        self.worker.send(commands.Faster(direction))

    def action_flat_out(self) -> None:
        self.worker.send(commands.FlatOut())

    def action_zoom(self, direction: int) -> None:
        self.worker.send(commands.Zoom(direction))

    def action_find(self, what: str, direction: int) -> None:
        kinds, word = FINDS["restart" if what == "reheat" and "reheat" not in self.available() else what]
        self.worker.send(commands.Find(kinds, direction, _(word)))

    def action_turn(self, direction: int) -> None:
        self.worker.send(commands.Turn(direction))

    def action_hint(self) -> None:
        self.hinter.ask(self.pending.puzzle, self.snapshot.view.grid)

    def action_goto(self) -> None:
        def asked(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self.worker.send(way_to(typed)))

        self.app.push_screen(PromptDialog(_("Go to step"), "5 000   5k   +100"), asked)

    def _change(self, typed: str) -> None:
        """Set the parameter that was typed; its symbol will do for its name. Raises BadInput."""
        self.worker.send(self._intervention(typed))

    def _intervention(self, typed: str) -> Intervene:
        name, value = assignment(typed)
        declared = parameters.describe(type(self.snapshot.params))
        for each in declared:
            if name in (each.name, each.symbol):
                return Intervene(each.name, parameters.parse(each, value))
        knobs = [knob.name for knob in self.pending.solver.knobs if name in (knob.name, knob.symbol)]
        if knobs:
            return Intervene(knobs[0], number_of(name, value))
        raise BadInput(_("no parameter {name}: expected one of {names}").format(
            name=name, names=", ".join(each.name for each in declared)))

    def action_parameters(self) -> None:
        """All parameters, in a form."""
        if self.snapshot.recipe is None:
            return

        from tui.screens.run.parameter_form import SetupForm, fields

        def asked(answer: tuple[str, Value] | None) -> None:
            if answer is not None:
                self.worker.send(Intervene(*answer))

        rows = fields(self.pending.solver, self.snapshot.params, self.snapshot.knobs)
        self.app.push_screen(SetupForm(rows, self.snapshot.params), asked)

    def action_breakpoints(self) -> None:
        """The list of breakpoints; each change takes effect at once."""
        if self.snapshot.recipe is not None:
            from tui.screens.run.breakpoint_list import BreakpointList

            solver = self.pending.solver
            kinds = breakpoint_syntax.offered(solver, self.snapshot.params)
            self.app.push_screen(BreakpointList(self.snapshot.breakpoints, kinds, self.cursor, self.pending.puzzle.n,
                                                lambda changed: self.worker.send(commands.Break(changed)),
                                                solver.kind_words))

    def action_branches(self) -> None:
        """The list of branches."""
        def asked(number: int | None) -> None:
            if number is not None:
                self.worker.send(commands.Show(number))

        if self.snapshot.branches:
            from tui.screens.run.branch_list import BranchList

            self.app.push_screen(BranchList(self.snapshot.branches), asked)

    def action_undo(self) -> None:
        self.worker.send(commands.Undo())

    def action_redo(self) -> None:
        self.worker.send(commands.Redo())

    def action_switch(self, direction: int) -> None:
        self.worker.send(commands.Switch(direction))

    def action_save(self) -> None:
        """Into the user's data directory, under a name that says what it is."""
        words = f"{self.pending.solver.name} {self.pending.puzzle_name[:40]} seed {self.pending.seed}"
        self.worker.send(commands.Save(paths.saved_runs(), text.file_name(words)))

    def action_back(self) -> None:
        """One thing at a time: what runs is paused, what was opened closed, what was picked let go, and then the
        laboratory is left."""
        if self.snapshot.state in ("RUNNING", "REWINDING", "SEARCHING"):
            self.worker.send(commands.Halt())
        elif self.snapshot.opened is not None:
            self.open_individual(None)
        elif self.in_crowd:
            self.at_panel = False
            self.show_panel()
            self.show_footer()
        elif self.cursor is not None:
            self.cursor = None
            self.show_board()
        elif len(self.app.screen_stack) > 1:  # in front of the bench
            self.worker.send(commands.Halt())
            navigator(self).back()
        else:
            self.action_new_run()

    @property
    def record(self) -> PuzzleRecord:
        """The puzzle."""
        return PuzzleRecord(puzzle=self.pending.puzzle, name=self.pending.puzzle_name)

    @property
    def wish(self) -> HomeRequest:
        """This run's pieces, for another like it."""
        return HomeRequest(self.record, self.pending.solver.name, self.snapshot.params, self.pending.seed)

    def home_request(self) -> HomeRequest:
        return self.wish

    def action_new_run(self) -> None:
        self.worker.send(commands.Halt())
        navigator(self).open_home(self.wish)

    def action_edit(self) -> None:
        self.worker.send(commands.Halt())
        navigator(self).open_editor(self.record, self.wish)

    def action_automata(self) -> None:
        """The automata of the board as it stands."""
        self.worker.send(commands.Halt())
        navigator(self).open_automata(AutomataRequest(self.record, self.snapshot.view.grid, cursor=self.cursor))

    def action_cursor(self, down: int, right: int) -> None:
        if self.in_crowd:
            self.action_pick(down, right)
            return
        n = self.pending.puzzle.n
        if self.cursor is None:
            self.cursor = n // 2 * n + n // 2
        else:
            row, column = divmod(self.cursor, n)
            self.cursor = (row + down) % n * n + (column + right) % n
        self.show_board()

    def action_choice(self, direction: int) -> None:
        """Pick the next choice of the search, and its cell with it; the newest is the first."""
        choices = choices_of(self.snapshot.view.panel)
        if self.population is not None:
            self.action_pick(direction, 0)
            return
        if not choices:
            self.announce(messages.no_choices())
            return
        if self.tabs.display:
            self.action_tab(len(self.tabs.titles))
        place = 0 if self.choice is None else choices.index(self.choice) + direction
        self._picked_choice = choices[max(0, min(place, len(choices) - 1))]
        self.cursor = self._picked_choice[0]
        self.show_board()

    def action_go_there(self) -> None:
        """To the step at which the picked choice was made; the picked individual on the board."""
        if self.population is not None:
            self.action_open_individual()
        elif not choices_of(self.snapshot.view.panel):
            self.announce(messages.no_choices())
        elif self.choice is None:
            self.announce(messages.no_choice_selected())
        else:
            cell, value = self.choice
            name = cell_name(cell, self.pending.puzzle.n)
            self.worker.send(commands.FindChoice(cell, value, f"{name} = {value}" if value else name))

    def action_explain(self) -> None:
        """Why the picked cell cannot hold what it cannot hold: in the verdict line, or on a page if that is long."""
        from tui.screens.dialogs.pager import Pager
        from tui.screens.run import explain

        if self.cursor is None:
            self.announce(explain.no_cell())
            return
        puzzle, snapshot = self.pending.puzzle, self.snapshot
        notice = explain.explained(puzzle, snapshot.view, self.cursor)
        if self.fits(notice):
            self.announce(notice)
        else:
            pages = partial(explain.why_pages, puzzle, snapshot.view, self.cursor, snapshot.playhead)
            self.app.push_screen(Pager(pages))

    def action_marks(self) -> None:
        """Candidates, or only what is placed."""
        if not self._has_candidates:
            self.worker.send(commands.Announce(messages.no_candidates()))
            return
        if not self.pencils:
            self.worker.send(commands.Announce(messages.no_room_for_candidates(*PENCILLED)))
            return
        self.marks = not self.marks
        self.place_panes(self.size)
        self.show_board()

    def action_tab(self, tab: int) -> None:
        self.tab, self.at_panel = tab, False
        self.place_panes(self.size)

    def action_next_tab(self, direction: int) -> None:
        if self.population is not None:
            self.tab, self.at_panel = next_stop(self.arranged.mode, (self.tab, self.at_panel), direction)
            self.place_panes(self.size)
            if self.at_panel and self.crowd.picked is None:
                self.action_pick(0, 0)
            return
        self.action_tab((self.tab - 1 + direction) % len(self.tabs.titles) + 1)

    def action_recipe(self) -> None:
        """The run as one line, into the clipboard and, for terminals that have none, onto the screen."""
        from engine.run import recipe
        from tui.screens.dialogs.pager import Pager, recipe_pages

        if self.snapshot.recipe is None:
            return
        try:
            line = recipe.line(self.snapshot.recipe, self.snapshot.playhead)
        except BadInput as error:
            self.announce(messages.refused(error))
            return
        self.app.copy_to_clipboard(line)
        self.app.push_screen(Pager(partial(recipe_pages, line)))

    def action_set_one(self, name: str) -> None:
        """Ask for a value of this parameter."""
        def asked(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self._change(typed))

        self.app.push_screen(PromptDialog(_("Set"), _("name = value"), f"{name} = "), asked)

    def typed_command(self, typed: str) -> Command | None:
        from tui.screens.dialogs.command_palette import Command

        if "=" not in typed:
            return None
        return Command(typed, _("set a parameter or a knob"), lambda: self.attempt(lambda: self._change(typed)))

    def commands(self) -> Iterator[Command]:
        from engine.puzzles import packs
        from tui.screens.dialogs.command_palette import Command

        yield from super().commands()
        solver = self.pending.solver
        for knob in solver.knobs:
            yield Command(f"set {knob.name}", knob.help, partial(self.action_set_one, knob.name))
        for each in parameters.describe(solver.Params):
            if each.live:
                yield Command(f"set {each.name}", each.help, partial(self.action_set_one, each.name))
        for name in packs.pack_names():
            for number, record in enumerate(packs.pack(name), 1):
                yield Command(f"open {name}:{number}", record.name, partial(self._open_puzzle, record))

    def _open_puzzle(self, record: PuzzleRecord) -> None:
        """A new run of the same solver on another puzzle; this one is kept as it is whenever it is left."""
        pending = self.pending
        new = NewRun(record.puzzle, record.name, pending.solver.name, pending.params, pending.seed)
        navigator(self).open_run(new)
