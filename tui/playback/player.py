"""Plays a run: obeys commands, keeps the speed, publishes snapshots. No widgets, no threads, an injected clock.

`Player.turn` works for a few milliseconds and returns when it wants its next turn; the caller (`tui.playback.thread`)
decides in which thread. Only the player touches the runs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

from engine.breakpoints import watched
from engine.errors import BadInput
from engine.files import access
from engine.interrupt import Interrupted
from engine.params import Value
from engine.run import run_file
from engine.run.run import Run
from engine.view import Sentence
from tui import messages
from tui.background.threads import Waiting
from tui.config import speed as speeds
from tui.i18n import _
from tui.playback import breakpoint_syntax, commands
from tui.playback.branches import Branches, Intervened
from tui.playback.commands import Command, Inbox
from tui.playback.loading import Progress, RunLoader
from tui.playback.playhead import SLICE, CancelledStep, Movement, Playhead
from tui.playback.search import Search
from tui.playback.snapshot import Snapshot, headline
from tui.playback.snapshots import Clock, SnapshotBuilder
from tui.storage.autosave import Autosave
from tui.storage.sessions import PlaybackSettings

SMALLEST = 0.01
"""The value that a knob at zero is turned up to."""
COMPARED = 1000
"""Steps that a branch and the run that it left run on to be compared."""
NOTICE_SECONDS = 2.0
"""Seconds that a message stays while the run plays."""


class Player:
    """Plays one run of a session at a time, and keeps its branches."""

    def __init__(self, inbox: Inbox, publish: Callable[[Snapshot], None], clock: Clock, first: Snapshot,
                 autosave: Autosave | None = None, accelerates: bool = False) -> None:
        """`first` is shown until the run is loaded; its speed is the one to play at, or to accelerate to."""
        self.inbox = inbox
        self.branches: Branches | None = None
        """None until the run is loaded."""
        self.builder = SnapshotBuilder(clock, first)
        self.playhead = Playhead(clock, first.speed, accelerates)
        self.builder.rare_events = self.playhead.rare_events
        self.autosave = autosave or Autosave()
        self._publish = publish
        self._clock = clock
        self._notice: Sentence | None = None
        self._notice_since = 0.0
        self._notice_step: int | None = None
        """The step that the message is about, if it is about one."""
        self._cancelled: CancelledStep | None = None
        """A step to be reported as cancelled."""

    # Turns

    def open(self, loader: RunLoader) -> None:
        """Load the run and show it. On failure the first snapshot stays, with the reason."""
        self.inbox.loading()
        try:
            run, notice = loader(Progress(self._report_loading, self.inbox.cancels_loading))
        except BadInput as error:
            self._publish(self.builder.failed(messages.refused(error)))
        except Interrupted:
            self._publish(self.builder.failed(messages.loading_cancelled()))
        except Exception as error:  # a foreign solver may raise anything
            self._publish(self.builder.failed(messages.internal_error(error)))
        else:
            self.inbox.drop_halts()
            self.branches = Branches(run)
            self.playhead.stops = watched(run.breakpoints)
            self.autosave.opened(run, self._settings)
            self._announce(notice)
            self._show()
        finally:
            self.inbox.loaded()

    def _report_loading(self, notice: Callable[[], Sentence]) -> None:
        if self.builder.due() <= 0:
            self._publish(self.builder.loading(notice()))

    def close(self) -> Sentence | None:
        """Save the run for the last time. Returns a message if that fails."""
        return None if self.branches is None else self.autosave.close(self._shown_run, self._settings)

    def turn(self) -> float | None:
        """Obey the commands in the inbox, then play for one slice. Returns the seconds until the next turn; None: the
        next command is the next turn."""
        obeyed = False
        while (command := self.inbox.take()) is not None:
            self._obey(command)
            obeyed = True
        self._announce_cancelled()
        if self.branches is None or self.inbox.closed:
            return None
        if not self.playhead.at_rest:
            self._guarded(self._play)
        elif self.builder.unfinished and not obeyed:  # what the command changed is on its way to the screen
            self._guarded(self._study)
        wanted = self.playhead.wanted(self.builder.due())
        if wanted is None and self.builder.unfinished:
            return 0.0
        save = self._save_due()
        return min((each for each in (wanted, save) if each is not None), default=None)

    @property
    def studies(self) -> bool:
        """Whether the next turn only completes the zoomed charts, which can wait."""
        return self.branches is not None and self.playhead.at_rest and self.builder.unfinished

    @property
    def _settings(self) -> PlaybackSettings:
        return PlaybackSettings(self.playhead.speed, self.builder.span)

    def _save_due(self) -> float | None:
        """Save what is due; returns the seconds until the next save."""
        due, notice = self.autosave.save_due(self._shown_run, self._settings, self.playhead.at_rest)
        if notice is not None:
            self._announce(notice)
            self._show()
        return due

    @property
    def run(self) -> Run | None:
        """The shown run; None until it is loaded."""
        return None if self.branches is None else self.branches.current

    @property
    def others(self) -> list[Run]:
        """The other branches of the session."""
        return [row.run for row in self.branches.rows if row.run is not self.run] if self.branches else []

    def _guarded(self, action: Callable[[], None]) -> None:
        """Act; on an error stop the playhead and show it as a message."""
        try:
            action()
        except Interrupted:  # by a command in the inbox, which decides how to continue
            self._cancelled, self.playhead.cancelled = self.playhead.cancelled or self._cancelled, None
        except BadInput as error:
            self.playhead.stop()
            self._announce(messages.refused(error))
            self._show()
        except Exception as error:  # a foreign solver may raise anything
            self.playhead.stop()
            self._publish(self.builder.again(self._shown_run, "PAUSED", messages.internal_error(error)))

    def _play(self) -> None:
        movement = self._move()
        if movement == "halted":
            self._announce_halt()
        if movement in ("arrived", "halted") or (movement == "moving" and self.builder.due() <= 0):
            self._show()

    def _move(self) -> Movement:
        """Move the playhead for one slice; if a step is slow, show that meanwhile."""
        run = self._shown_run
        if not run.solver.interruptible:
            return self.playhead.move(run)
        with self.inbox.breaker.step(), Waiting(commands.PATIENCE, lambda: self._on_slow_step(run)):
            return self.playhead.move(run)

    def _on_slow_step(self, run: Run) -> None:
        """Called from a timer's thread: show that a step is slow, and save what was made before it."""
        self._publish(self.builder.waiting(messages.slow_step(run)))
        self.autosave.save_session(run, self._settings)

    def _announce_cancelled(self) -> None:
        """Report a cancelled step, unless the commands since then have moved the playhead."""
        cancelled, self._cancelled = self._cancelled, None
        if cancelled is not None and self.playhead.at_rest and self.run is cancelled.run:
            self._announce(messages.step_cancelled(*cancelled))
            self._guarded(self._show)

    def _announce_halt(self) -> None:
        run = self._shown_run
        hit = [breakpoint_syntax.words(each.stop, run.puzzle.n, run.solver) for each in run.breakpoints
               if each.on and run.hits(each.stop, run.playhead)]
        self._announce(messages.halted(", ".join(hit), headline(run.events, run.sentences())))

    def _study(self) -> None:
        """Complete the zoomed charts for one slice."""
        self.builder.study(SLICE)
        if not self.builder.unfinished:
            self._show()

    # Commands

    def _obey(self, command: Command) -> None:
        if isinstance(command, commands.Pace):
            self.builder.pace(command)
            return
        if self.branches is not None:
            self._notice = None
            self._guarded(lambda: self._dispatch(command))

    def _dispatch(self, command: Command) -> None:
        match command:
            case commands.Toggle(direction):
                self._toggle(direction)
            case commands.Halt():
                self.playhead.stop()
            case commands.Step(steps):
                self._step(steps)
            case commands.Seek(step):
                self._go_to(step)
            case commands.ToEnd():
                self._to_recorded_end()
            case commands.Finish():
                self._finish()
            case commands.Period(direction):
                self._period(direction)
            case commands.Find() | commands.FindChoice():
                self._find(command)
            case commands.Undo() | commands.Redo() | commands.Switch() | commands.Show():
                self.playhead.stop()
                self._change_run(command)
            case _:
                self._set(command)
        if self.playhead.goal is not None:
            self._play()
        else:
            self._show()

    def _set(self, command: Command) -> None:
        """The commands that leave the playhead where it is."""
        match command:
            case commands.Speed(speed):
                self.playhead.set_speed(speed)
            case commands.Faster(direction):
                self._faster(direction)
            case commands.FlatOut():
                self.playhead.flat_out(self._shown_run)
            case commands.Zoom(direction, quiet):
                if not self.builder.zoom(direction, self._shown_run) and not quiet:
                    self._announce(messages.zoom_ends(direction))
            case commands.Open(place):
                run = self._shown_run
                self.builder.opened = None if place is None else (run, run.playhead, place)
            case commands.Inside(answer):
                answer(self._shown_run.inner_run(), self._shown_run.playhead)
            case commands.OnRun(act):
                self.playhead.stop()
                act(self._shown_run)
            case commands.Turn() | commands.Intervene() | commands.Compare():
                self._by_hand(command)
            case commands.Break(breakpoints):
                self._shown_run.breakpoints = list(breakpoints)
                self.playhead.stops = watched(breakpoints)
            case commands.Save(folder, name):
                self._save(folder, name)
            case commands.Announce(notice, step):
                self._announce(notice, step)

    def _step(self, steps: int) -> None:
        """Move by some steps; before the first one, say so."""
        run = self._shown_run
        start = run.playhead if self.playhead.goal is None else self.playhead.goal
        if steps < 0 and not start:
            self.playhead.stop()
            self._announce(messages.run_begins() if run.recorded or not run.at_end else self._ended())
        else:
            self._go_to(start + steps)

    def _go_to(self, step: int) -> None:
        """Go to a step; from the end of the run, say that there is none beyond it."""
        self.playhead.stop()
        if self._shown_run.at_end and step > self._shown_run.playhead:
            self._announce(self._ended())
        else:
            self.playhead.goal = max(0, step)

    def _toggle(self, direction: int) -> None:
        before, moving = self.playhead.playing, self.playhead.goal is not None
        self.playhead.stop()
        if moving or (before is not None and direction in (1, before.direction)):
            return
        if direction < 0 and not self._shown_run.playhead and not self._shown_run.at_end:
            self._announce(messages.run_begins())
            return
        if direction > 0 and self._shown_run.at_end:
            self._announce(self._ended())
            return
        self.playhead.play(direction)

    def _to_recorded_end(self) -> None:
        """Go to the recorded end; from there, to the end of the run."""
        run = self._shown_run
        if run.playhead == run.recorded and self.playhead.at_rest and run.recorded and not run.at_end:
            self._finish()
            return
        self.playhead.stop()
        if run.at_end:
            self._announce(self._ended())
            return
        run.seek(run.recorded)
        if run.outcome is None:
            self._announce(messages.recorded_end(run.recorded) if run.recorded else messages.nothing_recorded())

    def _ended(self) -> Sentence:
        run = self._shown_run
        return messages.run_ended(run.outcome, run.recorded, run.solver.individuals(run.state))

    def _finish(self) -> None:
        self.playhead.stop()
        if self._shown_run.at_end:
            self._announce(self._ended())
        else:
            self.playhead.play(1, flat_out=True)

    def _save(self, folder: Path, name: str) -> None:
        try:
            access.make_folder(folder)
            path = next(path for number in count(1) if not (path := folder / f"{name}-{number}.run").exists())
        except OSError as error:
            raise BadInput(_("cannot save in {folder}: {why}").format(
                folder=folder, why=error.strerror or error)) from None
        run_file.save(self._shown_run, path, self.autosave.puzzle_name)
        self._announce(messages.saved(str(path)))

    # Finding

    def _period(self, direction: int) -> None:
        solver = self._shown_run.solver
        if not solver.period_kind:
            self._announce(messages.no_period())
            return
        self._find(commands.Find((solver.period_kind,), direction, solver.period_word))

    def _find(self, command: commands.Find | commands.FindChoice) -> None:
        self.playhead.stop()
        self.autosave.save_session(self._shown_run, self._settings)  # a search may take long
        search = Search(self._shown_run, command, self.inbox, self.builder, self._clock, self._publish)
        notice = search.go()
        if notice is not None:
            self._announce(notice)

    # Interventions and branches

    def _by_hand(self, command: commands.Turn | commands.Intervene | commands.Compare) -> None:
        match command:
            case commands.Turn(direction):
                self._turn_knob(direction)
            case commands.Intervene(name, value):
                self._intervene(name, value)
            case commands.Compare():
                self._compare(command)

    def _faster(self, direction: int) -> None:
        before = self.playhead.current_speed
        speed = (speeds.faster if direction > 0 else speeds.slower)(before)
        self.playhead.set_speed(speed)
        if speed == before:
            self._announce(messages.speed_ends(direction))

    def _turn_knob(self, direction: int) -> None:
        run = self._shown_run
        if not run.solver.knobs:
            self._announce(messages.no_knob())
            return
        knob = run.solver.knobs[0]
        now = run.solver.reading(run.state, run.params, knob.name)
        before = float(now) if now is not None else knob.minimum  # the solver refuses where it has none yet
        value = float(f"{before * knob.ratio**direction:.6g}")
        if value <= 0 < direction:
            value = SMALLEST
        least = min(knob.minimum, before) if direction < 0 else knob.minimum  # down never raises a T below the minimum
        self._intervene(knob.name, min(max(value, least), knob.maximum))

    def _intervene(self, name: str, value: Value) -> None:
        branches = self._loaded_branches
        change, effect = branches.intervene(name, value)
        solver, number = self._shown_run.solver, branches.row.number
        words = messages.changed(solver, change)
        match effect:
            case "unchanged":
                self._announce(messages.unchanged(solver, change))
            case "undone":
                self._announce(messages.undone(words, change.step, self._branch_number))
            case _:
                self._announce(messages.intervened(words, change.step, number if effect == "branched" else None))
        self._announce_dropped()

    def _compare(self, choice: commands.Compare) -> None:
        self.playhead.stop()
        found = self._loaded_branches.compare(choice.name, choice.value, int(choice.after), COMPARED)
        words = choice.words or messages.changed(self._shown_run.solver, found.change)
        self._announce(messages.compared(words, found.change.step, found.steps, found.energy, found.left,
                                         found.solved, of_step=bool(choice.words)))
        self._announce_dropped()

    def _change_run(self, command: Command) -> None:
        """Show another run of the session."""
        branches = self._loaded_branches
        match command:
            case commands.Undo():
                self._announce_way(branches.undo(), messages.undone,
                                   messages.nothing_to_undo(bool(self._shown_run.recipe.interventions)))
            case commands.Redo():
                self._announce_way(branches.redo(), messages.redone, messages.nothing_to_redo())
            case commands.Switch(direction):
                self._switch((branches.place + direction) % len(branches.rows))
            case commands.Show(number):
                numbers = [row.number for row in branches.rows]
                self._switch(numbers.index(number) if number in numbers else branches.place)
        self._announce_dropped()

    def _announce_way(self, made: Intervened | None, done: Callable[[str, int, int | None], Sentence],
                      nothing: Sentence) -> None:
        """Report an undo or redo, or that there was nothing to be done."""
        self._announce(nothing if made is None else done(made.words, made.step, self._branch_number))

    @property
    def _branch_number(self) -> int | None:
        """The number of the shown branch; None if there are no others."""
        branches = self._loaded_branches
        return branches.row.number if len(branches.rows) > 1 else None

    def _switch(self, place: int) -> None:
        branches = self._loaded_branches
        branches.switch(place)
        row, several = branches.row, len(branches.rows)
        self._announce(messages.switched(row.number, several, branches.words(row), row.began) if several > 1
                       else messages.no_branches(self._shown_run.solver.is_changeable))

    def _announce_dropped(self) -> None:
        branches = self._loaded_branches
        if branches.dropped:
            self._announce(messages.branches_dropped(branches.dropped))
            branches.dropped.clear()

    # Snapshots

    @property
    def _loaded_branches(self) -> Branches:
        assert self.branches is not None
        return self.branches

    @property
    def _shown_run(self) -> Run:
        return self._loaded_branches.current

    def _announce(self, notice: Sentence | None, step: int | None = None) -> None:
        self._notice, self._notice_since, self._notice_step = notice, self._clock(), step

    def _show(self) -> None:
        """Publish the snapshot at the playhead."""
        if self.playhead.playing is not None and self._clock() - self._notice_since > NOTICE_SECONDS:
            self._notice = None
        if self._notice_step not in (None, self._shown_run.playhead):
            self._notice = None  # it was typed for an earlier step, before the run went on
        self.builder.rival = self._loaded_branches.rival
        self.builder.rival_number = self._loaded_branches.rival_number
        self.builder.can_undo = self._loaded_branches.can_undo
        if self.playhead.at_rest:
            self.builder.branches = self._loaded_branches.summaries()
        self._publish(self.builder.take(self._shown_run, self.playhead.state, self.playhead.shown_speed,
                                        self._notice))
