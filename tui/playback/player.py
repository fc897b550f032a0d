"""Plays a run: obeys commands, keeps the speed, hands over snapshots. No widgets, no threads, an injected clock.

`Player.turn` does a few milliseconds of work and says when it wants its next turn. What calls it, and from which
thread, is somebody else's business (`tui.playback.thread`); the runs are touched by nobody but the player.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

from engine.errors import BadInput
from engine.files import access
from engine.interrupt import Interrupted
from engine.params import Value
from engine.run import run_file
from engine.run.breakpoints import watched
from engine.run.run import Run
from engine.view import Sentence
from tui import messages
from tui.background.threads import Waiting
from tui.config import speed as speeds
from tui.i18n import _
from tui.playback import breakpoint_syntax, commands
from tui.playback.branches import Branches, WayBack
from tui.playback.commands import Command, Inbox
from tui.playback.playhead import SLICE, BrokenOff, Movement, Playhead
from tui.playback.search import Search
from tui.playback.snapshot import Progress, RunLoader, Snapshot, headline
from tui.playback.snapshots import Clock, SnapshotBuilder
from tui.storage.autosave import Autosave
from tui.storage.sessions import PlaybackSettings

SMALLEST = 0.01
"""What a knob that stands at zero is turned up to."""
NOTICE_SECONDS = 2.0
"""How long a notice stays while the run goes on."""


class Player:
    """One run on the player's table, and its branches."""

    def __init__(self, inbox: Inbox, publish: Callable[[Snapshot], None], clock: Clock, first: Snapshot,
                 autosave: Autosave | None = None) -> None:
        """`first` is what the screen shows until the run is there; its speed is the one to play at."""
        self.inbox = inbox
        self.branches: Branches | None = None
        self.builder = SnapshotBuilder(clock, first)
        self.playhead = Playhead(clock, first.speed)
        self._publish = publish
        self._clock = clock
        self.autosave = autosave or Autosave()
        self._notice: Sentence | None = None
        self._notice_since = 0.0
        self._broken_off: BrokenOff | None = None

    # Turns

    def open(self, loader: RunLoader) -> None:
        """Make the run and show it. If that fails the opening snapshot stays, with the reason."""
        self.inbox.opens()
        try:
            run, notice = loader(Progress(self._say_meanwhile, self.inbox.gives_up))
        except BadInput as error:
            self._publish(self.builder.failed(messages.refused(error)))
        except Interrupted:
            self._publish(self.builder.failed(messages.loading_cancelled()))
        except Exception as error:  # a solver may be anybody's: the screen must survive it
            self._publish(self.builder.failed(messages.internal_error(error)))
        else:
            self.inbox.gave_up()
            self.branches = Branches(run)
            self.playhead.stops = watched(run.breakpoints)
            self.autosave.opened(run, self._settings)
            self._say(notice)
            self._show()
        finally:
            self.inbox.opened()

    def _say_meanwhile(self, notice: Callable[[], Sentence]) -> None:
        if self.builder.due() <= 0:
            self._publish(self.builder.meanwhile(notice()))

    def close(self) -> Sentence | None:
        """Save the run for the last time. Returns a message if that fails."""
        return None if self.branches is None else self.autosave.close(self._the_run, self._settings)

    def turn(self) -> float | None:
        """Obey what has come in, then play on for one slice. Returns the seconds until the next turn is wanted;
        None: not before a command comes."""
        while (command := self.inbox.take()) is not None:
            self._obey(command)
        self._say_broken_off()
        if self.branches is None or self.inbox.closed:
            return None
        if not self.playhead.at_rest:
            self._guarded(self._go_on)
        elif self.builder.unfinished:
            self._guarded(self._study)
        wanted = self.playhead.wanted(self.builder.due())
        if wanted is None and self.builder.unfinished:
            return 0.0
        save = self._save_due()
        return min((each for each in (wanted, save) if each is not None), default=None)

    @property
    def _settings(self) -> PlaybackSettings:
        return PlaybackSettings(self.playhead.speed, self.builder.span)

    def _save_due(self) -> float | None:
        """Save what is due; returns the seconds until the next save."""
        due, notice = self.autosave.save_due(self._the_run, self._settings, self.playhead.at_rest)
        if notice is not None:
            self._say(notice)
            self._show()
        return due

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return None if self.branches is None else self.branches.current

    @property
    def others(self) -> list[Run]:
        """Its branches, and what it is a branch of."""
        return [row.run for row in self.branches.rows if row.run is not self.run] if self.branches else []

    def _guarded(self, action: Callable[[], None]) -> None:
        """Whatever goes wrong becomes one sentence, and the run stands still."""
        try:
            action()
        except Interrupted:  # by a command that has come meanwhile, which says how to go on
            self._broken_off, self.playhead.broken_off = self.playhead.broken_off or self._broken_off, None
        except BadInput as error:
            self.playhead.stop()
            self._say(messages.refused(error))
            self._show()
        except Exception as error:  # a solver may be anybody's: the screen must survive it
            self.playhead.stop()
            self._publish(self.builder.again(self._the_run, "PAUSED", messages.internal_error(error)))

    def _move(self) -> Movement:
        """A slice of the way; of a step that takes long the screen says so meanwhile."""
        run = self._the_run
        if not run.solver.interruptible:
            return self.playhead.go_on(run)
        waiting = Waiting(commands.PATIENCE, lambda: self._wait(run))
        with self.inbox.breaker.step(), waiting:
            return self.playhead.go_on(run)

    def _wait(self, run: Run) -> None:
        """A step takes long: from another thread, that is shown, and what was not kept before it is kept."""
        self._publish(self.builder.waiting(messages.slow_step(run)))
        self.autosave.save_session(run, self._settings)

    def _say_broken_off(self) -> None:
        """What was broken off is said once it is known that the run stands still."""
        broken_off, self._broken_off = self._broken_off, None
        if broken_off is not None and self.playhead.at_rest and self.run is broken_off.run:
            self._say(messages.step_cancelled(*broken_off))
            self._guarded(self._show)

    def _go_on(self) -> None:
        movement = self._move()
        if movement == "halted":
            self._say_halted()
        if movement in ("arrived", "halted") or (movement == "moving" and self.builder.due() <= 0):
            self._show()

    def _say_halted(self) -> None:
        run = self._the_run
        hit = [breakpoint_syntax.words(each.stop, run.puzzle.n, run.solver.kind_words) for each in run.breakpoints
               if each.on and run.hits(each.stop, run.playhead)]
        self._say(messages.halted(", ".join(hit), headline(run.events, run.sentences())))

    def _study(self) -> None:
        """A slice of a closer look at what the timeline shows, while nothing else is to be done."""
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
                start = self._the_run.playhead if self.playhead.goal is None else self.playhead.goal
                self._go_to(start + steps)
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
            self._go_on()
        else:
            self._show()

    def _set(self, command: Command) -> None:
        """The commands that leave the playhead where it is."""
        match command:
            case commands.Speed(speed):
                self.playhead.set_speed(speed)
            case commands.Faster(direction):
                self.playhead.set_speed((speeds.faster if direction > 0 else speeds.slower)(self.playhead.speed))
            case commands.FlatOut():
                self.playhead.flat_out(self._the_run)
            case commands.Zoom(direction):
                self.builder.zoom(direction, self._the_run)
            case commands.Open(place):
                self.builder.opened = None if place is None else (self._the_run, self._the_run.playhead, place)
            case commands.Turn(direction):
                self._turn_knob(direction)
            case commands.Intervene(name, value):
                self._intervene(name, value)
            case commands.Break(breakpoints):
                self._the_run.breakpoints = list(breakpoints)
                self.playhead.stops = watched(breakpoints)
            case commands.Save(folder, name):
                self._save(folder, name)
            case commands.Announce(notice):
                self._say(notice)

    def _go_to(self, step: int) -> None:
        self.playhead.stop()
        self.playhead.goal = max(0, step)

    def _toggle(self, direction: int) -> None:
        was, moving = self.playhead.playing, self.playhead.goal is not None
        self.playhead.stop()
        if moving or (was is not None and was.direction == direction):
            return
        if direction > 0 and self._the_run.at_end:
            self._say(messages.run_ended())
            return
        self.playhead.play(direction)

    def _to_recorded_end(self) -> None:
        """To the recorded end; from there on to the end of the run."""
        run = self._the_run
        if run.playhead == run.recorded and self.playhead.at_rest and run.recorded and not run.at_end:
            self._finish()
            return
        self.playhead.stop()
        run.seek(run.recorded)
        if run.outcome is None:
            self._say(messages.recorded_end(run.recorded) if run.recorded else messages.nothing_recorded())

    def _finish(self) -> None:
        self.playhead.stop()
        if self._the_run.at_end:
            self._say(messages.run_ended())
        else:
            self.playhead.play(1, flat_out=True)

    def _save(self, folder: Path, name: str) -> None:
        try:
            access.make_folder(folder)
            path = next(path for number in count(1) if not (path := folder / f"{name}-{number}.run").exists())
        except OSError as error:
            raise BadInput(_("cannot save in {folder}: {why}").format(
                folder=folder, why=error.strerror or error)) from None
        run_file.save(self._the_run, path, self.autosave.puzzle_name)
        self._say(messages.saved(str(path)))

    # Finding

    def _period(self, direction: int) -> None:
        solver = self._the_run.solver
        if not solver.period_kind:
            self._say(messages.no_period())
            return
        self._find(commands.Find((solver.period_kind,), direction, solver.period_word))

    def _find(self, command: commands.Find | commands.FindChoice) -> None:
        self.playhead.stop()
        self.autosave.save_session(self._the_run, self._settings)  # a search may take long
        search = Search(self._the_run, command, self.inbox, self.builder, self._clock, self._publish)
        notice = search.go()
        if notice is not None:
            self._say(notice)

    # Intervening

    def _turn_knob(self, direction: int) -> None:
        run = self._the_run
        if not run.solver.knobs:
            self._say(messages.no_knob())
            return
        knob = run.solver.knobs[0]
        now = run.solver.reading(run.state, run.params, knob.name)
        value = (float(now) if now is not None else 0.0) * knob.ratio**direction
        if value <= 0 < direction:
            value = SMALLEST
        self._intervene(knob.name, min(max(value, knob.minimum), knob.maximum))

    def _intervene(self, name: str, value: Value) -> None:
        branches = self._the_branches
        change, branched = branches.intervene(name, value)
        words = messages.changed(self._the_run.solver, change)
        self._say(messages.intervened(words, change.step, branches.row.number if branched else None))
        self._say_dropped()

    def _change_run(self, command: Command) -> None:
        """To another run of the session, the breakpoints coming along."""
        branches, breakpoints = self._the_branches, self._the_run.breakpoints
        match command:
            case commands.Undo():
                self._say_changed(branches.undo(), messages.undone, messages.nothing_to_undo())
            case commands.Redo():
                self._say_changed(branches.redo(), messages.redone, messages.nothing_to_redo())
            case commands.Switch(direction):
                self._switch((branches.place + direction) % len(branches.rows))
            case commands.Show(number):
                numbers = [row.number for row in branches.rows]
                self._switch(numbers.index(number) if number in numbers else branches.place)
        self._the_run.breakpoints = breakpoints
        self._say_dropped()

    def _say_changed(self, made: WayBack | None, said: Callable[[str, int, int], Sentence],
                     otherwise: Sentence) -> None:
        self._say(otherwise if made is None else said(made.words, made.step, self._the_branches.row.number))

    def _switch(self, place: int) -> None:
        branches = self._the_branches
        branches.switch(place)
        row, several = branches.row, len(branches.rows)
        self._say(messages.switched(row.number, several, row.words, row.began) if several > 1
                  else messages.no_branches())

    def _say_dropped(self) -> None:
        branches = self._the_branches
        if branches.dropped:
            self._say(messages.branches_dropped(branches.dropped))
            branches.dropped.clear()

    # Showing

    @property
    def _the_branches(self) -> Branches:
        assert self.branches is not None
        return self.branches

    @property
    def _the_run(self) -> Run:
        return self._the_branches.current

    def _say(self, notice: Sentence | None) -> None:
        self._notice, self._notice_since = notice, self._clock()

    def _show(self) -> None:
        """Hand over the snapshot at the playhead."""
        if self.playhead.playing is not None and self._clock() - self._notice_since > NOTICE_SECONDS:
            self._notice = None
        self.builder.rival = self._the_branches.rival
        if self.playhead.at_rest:
            self.builder.branches = self._the_branches.summaries()
        self._publish(self.builder.take(self._the_run, self.playhead.state, self.playhead.speed, self._notice))
