"""What the screen can ask of the player. Plain values: they cross from the screen's thread to the player's."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from threading import Condition

from msgspec import Struct

from engine.interrupt import Breaker
from engine.params import Value
from engine.run.breakpoints import Breakpoint
from engine.view import Sentence

Direction = int
"""+1 forwards, -1 backwards."""


class Toggle(Struct, frozen=True):
    """Run in a direction; pause if it is running that way already."""

    direction: Direction = 1


class Halt(Struct, frozen=True):
    """Pause, and give up a search."""


class Step(Struct, frozen=True):
    """So many steps forwards or (negative) backwards."""

    steps: int


class Seek(Struct, frozen=True):
    """To a step; beyond the recorded end the run goes on until there."""

    step: int


class ToEnd(Struct, frozen=True):
    """To the furthest recorded step."""


class Finish(Struct, frozen=True):
    """On to the end of the run, as fast as it goes."""


class Period(Struct, frozen=True):
    """To the end of the next or previous plateau, generation or epoch, whatever this solver has."""

    direction: Direction


class Find(Struct, frozen=True):
    """To the next or previous event of some kinds."""

    kinds: tuple[str, ...]
    direction: Direction
    word: str
    """What the screen calls it."""


class FindChoice(Struct, frozen=True):
    """To the step at which a choice on the stack was made."""

    cell: int
    value: int
    """0: any."""
    word: str
    """What the screen calls it."""


class Speed(Struct, frozen=True):
    """Play at so many steps per second (infinite: flat out)."""

    speed: float


class Faster(Struct, frozen=True):
    """To the next speed up or (negative) down."""

    direction: Direction = 1


class FlatOut(Struct, frozen=True):
    """Run flat out, or go back to the speed before."""


class Zoom(Struct, frozen=True):
    """The timeline so many times twice as close, or (negative) half as close."""

    direction: Direction


class Turn(Struct, frozen=True):
    """Turn the solver's first knob by one notch."""

    direction: Direction


class Intervene(Struct, frozen=True):
    """Give a knob or a parameter a value."""

    name: str
    value: Value


class Undo(Struct, frozen=True):
    """Take back the last intervention."""


class Redo(Struct, frozen=True):
    """Do again what was taken back."""


class Switch(Struct, frozen=True):
    """To the next or (negative) previous branch."""

    direction: Direction


class Show(Struct, frozen=True):
    """To the branch of this number."""

    number: int


class Open(Struct, frozen=True):
    """Put this individual of a population on the board; None: the one that the step is about."""

    place: int | None = None


class Break(Struct, frozen=True):
    """Halt playing here from now on, and nowhere else."""

    breakpoints: tuple[Breakpoint, ...]


class Save(Struct, frozen=True):
    """Write the run to a new file: in this folder, of this name and the next number that is free."""

    folder: Path
    name: str


class Announce(Struct, frozen=True):
    """Say this in the verdict line, as long as any notice."""

    notice: Sentence


class Pace(Struct, frozen=True):
    """How often snapshots are wanted while running."""

    fps: float
    text: float = 2.0
    """Changes a second of what is to be read."""
    charts: bool = True
    """Whether the charts move."""


Command = (Toggle | Halt | Step | Seek | ToEnd | Finish | Period | Find | FindChoice | Speed | Faster | FlatOut | Zoom
         | Turn | Intervene | Undo | Redo | Switch | Show | Open | Break | Save | Announce | Pace)

GOING = (Toggle, Halt, Step, Seek, ToEnd, Finish, Period, Undo, Redo, Switch, Show)
"""Commands that move the playhead or hold it: they end a search that is still going on."""


BREAKING = (Toggle, Halt, Seek, ToEnd, Undo, Redo, Switch, Show)
"""Commands that do not wait for a step that takes long."""
PATIENCE = 0.25
"""Seconds that a step has before it takes long: so many they do wait for it, and no step of a moment is lost by a key
that asks for something else. Who pauses twice does not want to wait."""
PAUSING = (Toggle, Halt)


def _breaks(command: Command) -> bool:
    return isinstance(command, BREAKING) or (isinstance(command, Step) and command.steps < 0)


class Inbox:
    """A queue of commands that may be filled from any thread. Of several seeks in a row only the last is kept, and
    single steps that pile up become one, as do turns of the wheel."""

    def __init__(self) -> None:
        self._queue: deque[Command] = deque()
        self._arrival = Condition()
        self.closed = False
        self.breaker = Breaker(patience=PATIENCE)
        """Breaks off a step that takes long, while a command waits that does not wait for it."""
        self._opening = False

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
                case Zoom(before), Zoom(direction) if (before > 0) == (direction > 0):
                    self._queue[-1] = Zoom(before + direction)
                case _:
                    self._queue.append(command)
            if isinstance(command, Halt) if self._opening else _breaks(command):
                self.breaker.break_off()
            self._arrival.notify()

    def opens(self) -> None:
        """A run is being made: what is typed ahead waits for it, and only what gives it up breaks that off."""
        with self._arrival:
            self._opening = True
            if not self.closed and not any(isinstance(command, Halt) for command in self._queue):
                self.breaker.clear()

    def opened(self) -> None:
        """It is made, or will not be."""
        with self._arrival:
            self._opening = False
            if any(map(_breaks, self._queue)):
                self.breaker.break_off()

    def _pauses_again(self, command: Command) -> bool:
        """Whether a pause waits already for the step under way."""
        waits = self.breaker.in_step and any(isinstance(each, PAUSING) for each in self._queue)
        return waits and isinstance(command, PAUSING)

    def take(self) -> Command | None:
        """The oldest command, or None."""
        with self._arrival:
            command = self._queue.popleft() if self._queue else None
            if not self.closed and not any(map(_breaks, self._queue)):
                self.breaker.clear()
            return command

    def interrupts(self) -> bool:
        """Whether something waits that a search must give way to."""
        with self._arrival:
            return self.closed or any(isinstance(command, GOING) for command in self._queue)

    def gives_up(self) -> bool:
        """Whether what cannot be interrupted otherwise is to be given up."""
        with self._arrival:
            return self.closed or any(isinstance(command, Halt) for command in self._queue)

    def gave_up(self) -> None:
        """What was to be given up is given up: nothing is left to be halted."""
        with self._arrival:
            self._queue = deque(command for command in self._queue if not isinstance(command, Halt))

    def wait(self, seconds: float | None) -> None:
        """Until a command comes, the inbox is closed, or so many seconds have passed (None: without limit)."""
        with self._arrival:
            if not self._queue and not self.closed and (seconds is None or seconds > 0):
                self._arrival.wait(seconds)

    def close(self) -> None:
        """Ask the player to end."""
        with self._arrival:
            self.closed = True
            self.breaker.break_off(at_once=True)
            self._arrival.notify_all()
