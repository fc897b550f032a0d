"""Commands from the screen to the player, and the inbox that merges them. Plain values, so they may cross threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from threading import Condition

from msgspec import Struct

from engine.breakpoints import Breakpoint
from engine.errors import ParameterError
from engine.interrupt import Breaker
from engine.params import Value
from engine.run.run import Run
from engine.solver import InnerRun
from engine.view import Sentence
from tui.i18n import _

Direction = int
"""+1 forwards, -1 backwards."""


class Toggle(Struct, frozen=True):
    """Play in a direction, or pause if the run plays in that direction."""

    direction: Direction = 1


class Halt(Struct, frozen=True):
    """Pause, and cancel a search or the loading of the run."""


class Step(Struct, frozen=True):
    """Make steps forwards or (negative) backwards."""

    steps: int


class Seek(Struct, frozen=True):
    """Go to a step; beyond the recorded end the run is advanced up to it."""

    step: int


class ToEnd(Struct, frozen=True):
    """Go to the furthest recorded step."""


class Finish(Struct, frozen=True):
    """Play flat out to the end of the run."""


class Period(Struct, frozen=True):
    """Go to the end of the next or previous plateau, generation or epoch."""

    direction: Direction


class Find(Struct, frozen=True):
    """Go to the next or previous event of some kinds."""

    kinds: tuple[str, ...]
    direction: Direction
    word: str
    """Its name in messages."""


class FindChoice(Struct, frozen=True):
    """Go to the step at which a choice on the stack was made."""

    cell: int
    value: int
    """0: any value. -v: v is excluded."""
    word: str
    """Its name in messages."""


class Speed(Struct, frozen=True):
    """Set the speed in steps per second (infinite: flat out)."""

    speed: float


class Faster(Struct, frozen=True):
    """Set the next higher or (negative) lower speed."""

    direction: Direction = 1


class FlatOut(Struct, frozen=True):
    """Run flat out; while it does, go back to the speed before."""


class Zoom(Struct, frozen=True):
    """Zoom the timeline in by powers of two, or (negative) out."""

    direction: Direction
    quiet: bool = False
    """Say nothing where it is as close or as far as it can be: a wheel turns on."""


class Turn(Struct, frozen=True):
    """Turn the solver's first knob by one notch."""

    direction: Direction


class Intervene(Struct, frozen=True):
    """Set a knob or a parameter."""

    name: str
    value: Value


class Compare(Struct, frozen=True):
    """Make an intervention in a branch, and run both on, the shown run and the branch."""

    name: str
    value: Value
    after: bool
    """After the next step; else at the playhead."""
    words: str = ""
    """The choice in words, if the intervention does not name it."""


class Undo(Struct, frozen=True):
    """Undo the last intervention."""


class Redo(Struct, frozen=True):
    """Redo the intervention that was undone last."""


class Switch(Struct, frozen=True):
    """Show the next or (negative) previous branch."""

    direction: Direction


class Show(Struct, frozen=True):
    """Show the branch of this number."""

    number: int


class Open(Struct, frozen=True):
    """Open an individual of a population on the board; None: the one that the step is about."""

    place: int | None = None


class Inside(Struct, frozen=True):
    """Answer with the search inside the playhead's step, from the player's thread; None: there is none."""

    answer: Callable[[InnerRun | None, int], object]
    """Called with the search and the step."""


class OnRun(Struct, frozen=True):
    """Call a function with the shown run, in the player's thread, while the playhead rests."""

    act: Callable[[Run], object]


class Break(Struct, frozen=True):
    """Replace the breakpoints."""

    breakpoints: tuple[Breakpoint, ...]


class Save(Struct, frozen=True):
    """Save the run to a new file `name-N.run` in a folder, N being the next free number."""

    folder: Path
    name: str


class Announce(Struct, frozen=True):
    """Show a message in the verdict line, or none."""

    notice: Sentence | None
    step: int | None = None
    """The step that it is about: it is not shown at another."""


class Pace(Struct, frozen=True):
    """Set the rates of snapshots while running."""

    fps: float
    text: float = 2.0
    """Refreshes of the readout per second."""
    charts: bool = True
    """Whether charts are refreshed, ..."""
    chart_rate: float = 1.0
    """... and how often per second, at most."""
    log: bool = False
    """Whether the log of a run that is watched is refreshed with each snapshot."""


Command = (Toggle | Halt | Step | Seek | ToEnd | Finish | Period | Find | FindChoice | Speed | Faster | FlatOut | Zoom
         | Turn | Intervene | Compare | Undo | Redo | Switch | Show | Open | Inside | OnRun | Break | Save | Announce
         | Pace)

ENDS_SEARCH = (Toggle, Halt, Step, Seek, ToEnd, Finish, Period, Undo, Redo, Switch, Show)
"""Commands that move or stop the playhead: they cancel a search."""
CANCELS_STEP = (Toggle, Halt, Seek, ToEnd, Undo, Redo, Switch, Show)
"""Commands that do not wait for a slow step; nor does a step backwards."""
PAUSES = (Toggle, Halt)
PATIENCE = 0.25
"""Seconds after which a step counts as slow. Until then commands wait, so that no quick step is lost by a key that
asks for something else; a second pause does not wait."""


def _cancels_step(command: Command) -> bool:
    return isinstance(command, CANCELS_STEP) or (isinstance(command, Step) and command.steps < 0)


class Inbox:
    """A queue of commands that any thread may fill.

    Successive seeks are merged into the last one, successive steps or zooms in one direction into their sum.
    """

    def __init__(self) -> None:
        self._queue: deque[Command] = deque()
        self._arrival = Condition()
        self.closed = False
        self.breaker = Breaker(patience=PATIENCE)
        """Interrupts a slow step while a command that cancels it is in the queue."""
        self._loading = False

    def put(self, command: Command) -> None:
        with self._arrival:
            if self._pauses_again(command):
                self.breaker.break_off(at_once=True)
                return
            last = self._queue[-1] if self._queue else None
            match last, command:
                case Seek(), Seek():
                    self._queue[-1] = command
                case Step(before), Step(steps) if (before > 0) == (steps > 0):
                    self._queue[-1] = Step(before + steps)
                case Zoom(before, quiet), Zoom(direction, also_quiet) if (before > 0) == (direction > 0):
                    self._queue[-1] = Zoom(before + direction, quiet and also_quiet)
                case _:
                    self._queue.append(command)
            if isinstance(command, Halt) if self._loading else _cancels_step(command):
                self.breaker.break_off()
            self._arrival.notify()

    def loading(self) -> None:
        """Until `loaded`, only Halt interrupts; other commands wait for the run."""
        with self._arrival:
            self._loading = True
            if not self.closed and not any(isinstance(command, Halt) for command in self._queue):
                self.breaker.clear()

    def loaded(self) -> None:
        """The run is there, or loading it has failed."""
        with self._arrival:
            self._loading = False
            if any(map(_cancels_step, self._queue)):
                self.breaker.break_off()

    def _pauses_again(self, command: Command) -> bool:
        """Whether a pause for the step under way is in the queue already."""
        waits = self.breaker.in_step and any(isinstance(each, PAUSES) for each in self._queue)
        return waits and isinstance(command, PAUSES)

    def take(self) -> Command | None:
        """Remove and return the oldest command; None if there is none."""
        with self._arrival:
            command = self._queue.popleft() if self._queue else None
            if not self.closed and not any(map(_cancels_step, self._queue)):
                self.breaker.clear()
            return command

    def interrupts(self) -> bool:
        """Whether a search is to be cancelled."""
        with self._arrival:
            return self.closed or any(isinstance(command, ENDS_SEARCH) for command in self._queue)

    def cancels_loading(self) -> bool:
        """Whether the loading of the run is to be cancelled."""
        with self._arrival:
            return self.closed or any(isinstance(command, Halt) for command in self._queue)

    def drop_halts(self) -> None:
        """Remove each Halt: it has cancelled the loading."""
        with self._arrival:
            self._queue = deque(command for command in self._queue if not isinstance(command, Halt))

    def wait(self, seconds: float | None) -> None:
        """Wait for a command or for `close`, up to a number of seconds (None: without limit)."""
        with self._arrival:
            if not self._queue and not self.closed and (seconds is None or seconds > 0):
                self._arrival.wait(seconds)

    def close(self) -> None:
        """Ask the player to end."""
        with self._arrival:
            self.closed = True
            self.breaker.break_off(at_once=True)
            self._arrival.notify_all()


def parse_step(typed: str) -> Seek | Step:
    """The command for a typed step: `5 000`, `5k`, `1e6`; `+100` and `-100` from where the playhead will be.

    Raises ParameterError.
    """
    word = typed.strip().lower().replace(" ", "").replace("_", "").replace("−", "-")
    relative = word[:1] in ("+", "-")
    factor = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}.get(word[-1:], 1)
    digits = word[:-1] if factor > 1 else word
    try:
        number = float(digits) * factor
        step = int(number)
    except (ValueError, OverflowError):
        step, number = 0, 0.5
    if step != number or not digits.lstrip("+-")[:1].isdigit():
        raise ParameterError(_("step {typed}: expected a whole number, as 5 000, 5k or +100").format(typed=typed))
    return Step(step) if relative else Seek(step)
