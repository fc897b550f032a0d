"""Run files: a recipe, how far it got, and digests that prove a replay right.

A file holds no states: opening it re-executes the run and compares the digests on the way. Only a run that cannot be
re-executed carries its recording.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Union

import msgspec
from msgspec import Struct

from engine import __version__, registry, text
from engine import state as states
from engine.errors import BadInput, RunFileError
from engine.events import Event, event_types
from engine.files import access
from engine.files.atomic import write_whole
from engine.run.breakpoints import Breakpoint
from engine.run.recipe import Recipe
from engine.run.recorder import Frame, Recorder
from engine.run.run import DIGEST_EVERY, Run
from engine.solver import AnySolver, Outcome, Stop
from engine.state import State

FORMAT = "sudoku-tui run"
VERSION = 1
MAX_BYTES = 256 * 2**20


class WrittenBreakpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Breakpoint as it is written to a file."""

    kinds: tuple[str, ...] = ()
    energy: int | None = None
    cell: int | None = None
    off: bool | msgspec.UnsetType = msgspec.UNSET
    """True where it is switched off."""


class Tape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The recording of a run that cannot be re-executed: the packed state at step 0, then (events, packed state) of
    each step."""

    initial: bytes
    frames: tuple[tuple[bytes, bytes], ...]


class RunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run file holds, in the order in which it is written."""

    format: str
    version: int
    program: str
    trajectory: int
    recipe: Recipe
    steps: int
    outcome: Outcome | None
    digests: tuple[tuple[int, str], ...]
    """(step, digest) at every 2**20th step, and at the end."""
    playhead: int
    breakpoints: tuple[WrittenBreakpoint, ...] = ()
    tape: Tape | None = None
    checksum: str = ""
    puzzle_name: str | msgspec.UnsetType = msgspec.UNSET
    """What the learner calls the puzzle. Like other parts that not every file has it is left out where it says
    nothing, so that older files keep their checksums."""


class Mismatch(Struct, frozen=True):
    """A replay that did not come out as the file says."""

    step: int
    """The digest at this step is the first that differs: the runs parted at this step or less than 2**20 before."""
    what: str

    @property
    def text(self) -> str:
        return f"the replay differs from the file at step {text.count(self.step)}: {self.what}"


def describe(run: Run, puzzle_name: str = "") -> RunFile:
    """The run as a file would hold it."""
    end = run.recorded
    digests = [each for each in run.digests if each[0] < end] + [(end, states.digest(run.state_at(end)))]
    tape = _tape(run.solver, end) if isinstance(run.solver, Recorder) else None
    return _sealed(_described(run, end, tuple(digests), tape, puzzle_name))


def sketch(run: Run, puzzle_name: str = "") -> RunFile:
    """As `describe`, but of no more than is at hand, in far less than a millisecond however long the run is: the last
    of the digests that were taken on the way, none of the end, and no recording. Good to be replayed, not to be
    written as a run file. May be called while a step of the run is being made by another thread."""
    end = run.recorded
    return _sealed(_described(run, end, tuple(run.digests[-1:]), None, puzzle_name))


def is_sound(file: RunFile) -> bool:
    """Whether what was sketched is what it was."""
    return file.format == FORMAT and file.version == VERSION and _checksum(file) == file.checksum \
        and 0 <= file.playhead <= file.steps


def _described(run: Run, end: int, digests: tuple[tuple[int, str], ...], tape: Tape | None, name: str) -> RunFile:
    return RunFile(FORMAT, VERSION, __version__, run.solver.trajectory, run.recipe, end, run.outcome, digests,
                   min(run.playhead, end), tuple(_written(each) for each in run.breakpoints), tape,
                   puzzle_name=name or msgspec.UNSET)


def _sealed(file: RunFile) -> RunFile:
    return msgspec.structs.replace(file, checksum=_checksum(file))


def _written(each: Breakpoint) -> WrittenBreakpoint:
    stop = each.stop
    return WrittenBreakpoint(tuple(sorted(stop.kinds)), stop.energy, stop.cell, msgspec.UNSET if each.on else True)


def _tape(recorder: Recorder, end: int) -> Tape:
    assert recorder.initial is not None
    return Tape(states.pack(recorder.initial), tuple(map(packed, recorder.frames[:end])))


def packed(frame: Frame) -> tuple[bytes, bytes]:
    """A frame of a recording as a tape has it."""
    events, state = frame
    return msgspec.msgpack.encode(events), states.pack(state)


def _checksum(file: RunFile) -> str:
    plain = msgspec.json.encode(msgspec.structs.replace(file, checksum=""))
    return hashlib.blake2b(plain, digest_size=16).hexdigest()


def save(run: Run, path: Path | str, puzzle_name: str = "") -> None:
    """Write the run to a file. Raises RunFileError, with the file as it was, when it cannot be written."""
    write(describe(run, puzzle_name), path)


def standing_at(file: RunFile, run: Run) -> RunFile:
    """The file with the playhead and the breakpoints of a run that has not come as far."""
    return _sealed(msgspec.structs.replace(file, playhead=run.playhead,
                                           breakpoints=tuple(_written(each) for each in run.breakpoints)))


def write(described: RunFile, path: Path | str) -> None:
    """Write what describes a run. Raises RunFileError as `save` does."""
    data = msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n"
    try:
        write_whole(path, data)
    except BadInput as error:
        raise RunFileError(str(error)) from None


def read(path: Path | str) -> RunFile:
    """What a run file says, checked but not replayed. Raises RunFileError with a sentence about what is wrong."""
    where = Path(path)
    try:
        with access.open_file(where) as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise RunFileError(f"cannot read {where}: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise RunFileError(f"{where} is larger than a run file can be ({MAX_BYTES // 2**20} MB)")
    return _checked(where, data)


def _checked(where: Path, data: bytes) -> RunFile:
    try:
        head = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RunFileError(f"{where} is not a run file or is cut short: expected one whole JSON object") from None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise RunFileError(f"{where} is not a run file: expected a field format with {FORMAT!r}")
    if head.get("version") != VERSION:
        raise RunFileError(f"{where} has run file version {head.get('version')!r} (written by sudoku-tui "
                           f"{head.get('program', '?')}): this program reads version {VERSION}")
    try:
        file = msgspec.convert(head, RunFile, builtin_types=())
    except msgspec.ValidationError as error:
        raise RunFileError(f"{where} was altered or damaged: {error}") from None
    if _checksum(file) != file.checksum:
        raise RunFileError(f"{where} was altered or damaged: its checksum does not fit its content")
    if not _consistent(file):
        raise RunFileError(f"{where} was altered or damaged: its steps, playhead, interventions and digests do not fit "
                           "each other")
    return file


def _consistent(file: RunFile) -> bool:
    """Whether everything lies within the run, in order, and the last digest is that of its end."""
    made = [each.step for each in file.recipe.interventions]
    compared = [step for step, _ in file.digests]
    within = 0 <= file.playhead <= file.steps and all(0 <= step <= file.steps for step in made)
    in_order = made == sorted(made) and compared == sorted(set(compared))
    return within and in_order and min(compared, default=0) >= 0 and compared[-1:] == [file.steps]


def begin(file: RunFile) -> Run:
    """The run of a file at its step 0, with nothing replayed. Raises RunFileError if this program cannot replay it."""
    recipe = file.recipe
    solver = registry.solver(recipe.solver)
    if solver.trajectory != file.trajectory:
        raise RunFileError(f"the run was made with version {file.trajectory} of {solver.name}'s trajectory and this "
                           f"program has version {solver.trajectory}: its steps would not be the same")
    try:
        params = solver.make_params(None, recipe.params)
        if file.tape is not None:
            like = solver.init(recipe.puzzle, params, recipe.seed)
            solver = Recorder(solver, states.unpack(like, file.tape.initial), _frames(file.tape.frames, like))
        run = Run.start(solver, recipe.puzzle, params, recipe.seed, recipe.interventions)
    except BadInput as error:
        raise RunFileError(f"the run cannot be started: {error}") from None
    run.breakpoints = [Breakpoint(Stop(frozenset(each.kinds), each.energy, each.cell), each.off is not True)
                       for each in file.breakpoints]
    return run


def _frames(packed: tuple[tuple[bytes, bytes], ...], like: State) -> list[Frame]:
    decoder = msgspec.msgpack.Decoder(tuple[Union[event_types()], ...])  # type: ignore[misc]  # noqa: UP007
    frames: list[Frame] = []
    for events, state in packed:
        try:
            decoded: tuple[Event, ...] = decoder.decode(events)
        except msgspec.DecodeError:
            raise RunFileError(f"the recording is damaged at step {text.count(len(frames) + 1)}") from None
        frames.append((decoded, states.unpack(like, state)))
    return frames


def replay(run: Run, file: RunFile, progress: Callable[[int], None] = lambda step: None,
           cancelled: Callable[[], bool] = lambda: False) -> Mismatch | None:
    """Re-execute the run as far as the file went, comparing digests, then set the playhead where it was.

    `progress` is told the step every few milliseconds. Returns the first mismatch, or None; a replay that is
    cancelled ends where it is.
    """
    waiting = list(file.digests)
    run.foresee(file.steps)
    while run.playhead < file.steps and not cancelled():
        result = run.advance(min(run.chunk, file.steps - run.playhead, DIGEST_EVERY - run.playhead % DIGEST_EVERY))
        progress(run.playhead)
        while waiting and waiting[0][0] <= run.playhead:
            step, expected = waiting.pop(0)
            if step != run.playhead or states.digest(run.state) != expected:
                return Mismatch(step, "the state there has another digest")
        if result.reason == "done" and run.playhead < file.steps:
            return Mismatch(run.playhead, "the run ends there")
    if not cancelled():
        if _end_of(run, file) != file.outcome:
            return Mismatch(run.playhead, "it ends in another way")
        if waiting and waiting[0][0] == 0 and states.digest(run.state_at(0)) != waiting[0][1]:
            return Mismatch(0, "the initial state has another digest")
        run.seek(file.playhead)
    return None


def _end_of(run: Run, file: RunFile) -> Outcome | None:
    """How the run ended. That a recording of an unfinished run cannot be gone on with is not how it ended."""
    if file.outcome is None and isinstance(run.solver, Recorder) and not run.solver.resumable:
        return run.solver.inner.outcome(run.state)
    return run.outcome


def load(path: Path | str) -> tuple[Run, Mismatch | None]:
    """Read, begin and replay a run file in one go. Raises RunFileError."""
    file = read(path)
    run = begin(file)
    return run, replay(run, file)


def solver_of(file: RunFile) -> AnySolver:
    """The solver that a run file names. Raises UnknownName when this program has none of that name."""
    return registry.solver(file.recipe.solver)


# The recording of a run in a file that only grows: what was added is written, and nothing else. A run file holds
# its recording whole, so that keeping it takes longer the longer the run is. Here a frame costs what a frame costs.
# The file is a row of blocks, each a length (4 bytes, big-endian) and so many bytes: the packed state at step 0,
# then for each step its events and the packed state after it.


_LENGTH = struct.Struct(">I")


class TapeLog:
    """The file of one recording, as it is written by one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._frames = self._size = 0

    def extend(self, recorder: Recorder, end: int) -> None:
        """Have the first `end` steps in the file; those that are there are taken as written. Raises BadInput where
        that cannot be done, and may be called again then."""
        blocks: list[bytes] = []
        if not self._size:
            assert recorder.initial is not None
            blocks.append(states.pack(recorder.initial))
        for frame in recorder.frames[self._frames:end]:
            blocks += packed(frame)
        if not blocks:
            return
        data = b"".join(_LENGTH.pack(len(each)) + each for each in blocks)
        try:
            access.make_folder(self.path.parent)
            with access.open_file(self.path, "ab") as file:
                file.truncate(self._size)  # what was written after that was not written wholly
                file.write(data)
        except OSError as error:
            raise BadInput(f"cannot write {self.path}: {error.strerror or error}") from None
        self._size += len(data)
        self._frames = max(self._frames, end)


def read_recording(path: Path, steps: int) -> Tape:
    """The first so many steps of a recording. Raises RunFileError where they are not there."""
    try:
        data = access.read_bytes(path)
    except OSError as error:
        raise RunFileError(f"cannot read {path}: {error.strerror or error}") from None
    blocks = list(_blocks(data, 2 * steps + 1))
    if len(blocks) < 2 * steps + 1:
        raise RunFileError(f"{path} is cut short: expected a recording of {steps} steps")
    return Tape(blocks[0], tuple(zip(blocks[1::2], blocks[2::2], strict=True)))


def _blocks(data: bytes, most: int) -> Iterator[bytes]:
    at = 0
    for _ in range(most):
        if at + _LENGTH.size > len(data):
            return
        [length] = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if at + length > len(data):
            return
        yield data[at : at + length]
        at += length
