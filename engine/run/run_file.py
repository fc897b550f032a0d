"""Run files (JSON): the recipe of a run, its length, and digests that verify a replay.

A run file holds no states: opening it re-executes the run and compares digests along the way. Only a run that cannot
be re-executed carries its recording. While such a run is on the screen, its recording grows in a `RecordingFile`.

Format 2 writes the givens of the puzzle as a line of n*n symbols, format 1 wrote them as n*n numbers. Both are read;
a format 1 file keeps its checksum until it is written again.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Union

import msgspec
from msgspec import Struct

from engine import __version__, registry, text
from engine import state as states
from engine.breakpoints import Breakpoint, Stop
from engine.errors import BadInput, RunFileError
from engine.events import Event, event_types
from engine.files import access
from engine.files.atomic import write_whole
from engine.puzzle import Variant
from engine.run.recipe import Recipe
from engine.run.recorder import Frame, Recorder
from engine.run.run import DIGEST_EVERY, Run
from engine.solver import AnySolver, Outcome
from engine.state import State

FORMAT = "sudoku-tui run"
VERSION = 2
"""The format that is written."""
READABLE = (1, 2)
MAX_BYTES = 256 * 2**20


class _WrittenPuzzle(msgspec.Struct, frozen=True):
    """The form of a Puzzle in a run file of format 2; `Puzzle` itself reads it."""

    givens: str
    box: int
    variant: Variant


class WrittenBreakpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a Breakpoint in a run file."""

    kinds: tuple[str, ...] = ()
    energy: int | None = None
    cell: int | None = None
    off: bool | msgspec.UnsetType = msgspec.UNSET
    """True when it is switched off, otherwise left out."""


class Recording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The steps of a run that cannot be re-executed: the packed state at step 0, then (events, packed state) of each
    step."""

    initial: bytes
    frames: tuple[tuple[bytes, bytes], ...]


class RunFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a run file, in the order of its fields."""

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
    recording: Recording | None = msgspec.field(default=None, name="tape")
    checksum: str = ""
    """blake2b of the compact JSON with an empty checksum."""
    puzzle_name: str | msgspec.UnsetType = msgspec.UNSET
    """The learner's name of the puzzle. Fields added after the first release are left out when they are empty, so
    that older files keep their checksums."""


class _Head(msgspec.Struct, frozen=True):
    """The fields that say what a file is. The others are passed over: they may be large, and anything."""

    format: msgspec.Raw = msgspec.Raw(b"null")
    version: msgspec.Raw = msgspec.Raw(b"null")
    program: msgspec.Raw = msgspec.Raw(b'"?"')


class Mismatch(Struct, frozen=True):
    """The first difference between a replay and its file."""

    step: int
    """The step of the first digest that differs: the runs diverged there, or less than 2**20 steps before."""
    what: str

    @property
    def text(self) -> str:
        return f"the replay differs from the file at step {text.count(self.step)}: {self.what}"


# Saving


def save(run: Run, path: Path | str, puzzle_name: str = "") -> None:
    """Write the run to a file. Raises RunFileError, with the file as it was, when it cannot be written."""
    write(describe(run, puzzle_name), path)


def write(described: RunFile, path: Path | str) -> None:
    """Write a described run to a file. Raises RunFileError as `save` does."""
    data = msgspec.json.format(msgspec.json.encode(encodable(described)), indent=1) + b"\n"
    try:
        write_whole(path, data)
    except BadInput as error:
        raise RunFileError(str(error)) from None


def describe(run: Run, puzzle_name: str = "") -> RunFile:
    """The content of the run's file."""
    end = run.recorded
    digests = [each for each in run.digests if each[0] < end] + [(end, states.digest(run.state_at(end)))]
    recording = None
    if isinstance(run.solver, Recorder):
        assert run.solver.initial is not None
        recording = Recording(states.pack(run.solver.initial), tuple(map(_packed, run.solver.frames[:end])))
    return _described(run, end, tuple(digests), recording, puzzle_name)


def sketch(run: Run, puzzle_name: str = "") -> RunFile:
    """`describe` without the digest at the end and without the recording, in far less than a millisecond for a run of
    any length. It can be replayed; it is not a complete run file. Another thread may be making a step meanwhile."""
    return _described(run, run.recorded, tuple(run.digests[-1:]), None, puzzle_name)


def _described(run: Run, end: int, digests: tuple[tuple[int, str], ...], recording: Recording | None,
               name: str) -> RunFile:
    return _sealed(RunFile(
        FORMAT, VERSION, __version__, run.solver.trajectory, run.recipe, end, run.outcome, digests,
        min(run.playhead, end), _written_breakpoints(run), recording, puzzle_name=name or msgspec.UNSET))


def _written_breakpoints(run: Run) -> tuple[WrittenBreakpoint, ...]:
    return tuple(WrittenBreakpoint(tuple(sorted(each.stop.kinds)), each.stop.energy, each.stop.cell,
                                   msgspec.UNSET if each.on else True) for each in run.breakpoints)


def _packed(frame: Frame) -> tuple[bytes, bytes]:
    events, state = frame
    return msgspec.msgpack.encode(events), states.pack(state)


def with_position(file: RunFile, run: Run) -> RunFile:
    """The file with the playhead and the breakpoints of a shorter run of the same recipe, in the current format."""
    return _sealed(msgspec.structs.replace(file, version=VERSION, playhead=run.playhead,
                                           breakpoints=_written_breakpoints(run)))


def encodable(file: RunFile) -> RunFile:
    """The file in the form that its format writes, ready for `msgspec.json.encode` and for nothing else."""
    if file.version == 1:
        return file
    puzzle = file.recipe.puzzle
    recipe: Any = msgspec.structs.replace(file.recipe, puzzle=_WrittenPuzzle(puzzle.line, puzzle.box, puzzle.variant))
    return msgspec.structs.replace(file, recipe=recipe)


def _sealed(file: RunFile) -> RunFile:
    return msgspec.structs.replace(file, checksum=_checksum(file))


def _checksum(file: RunFile) -> str:
    plain = msgspec.json.encode(encodable(msgspec.structs.replace(file, checksum="")))
    return hashlib.blake2b(plain, digest_size=16).hexdigest()


def is_sound(file: RunFile) -> bool:
    """True if a sketch is of a known format and unaltered."""
    return (file.format == FORMAT and file.version in READABLE and _checksum(file) == file.checksum
            and 0 <= file.playhead <= file.steps)


# Opening


def read(path: Path | str) -> RunFile:
    """The content of a run file, checked but not replayed. Raises RunFileError."""
    where = Path(path)
    try:
        with access.open_file(where) as opened:
            if (size := os.fstat(opened.fileno()).st_size) > MAX_BYTES:
                raise RunFileError(f"{where} is larger than a run file can be ({MAX_BYTES // 2**20} MB)")
            data = opened.read(size)
    except OSError as error:
        raise RunFileError(f"cannot read {where}: {error.strerror or error}") from None
    return _checked(where, data)


def _checked(where: Path, data: bytes) -> RunFile:
    try:
        head = msgspec.json.decode(data, type=_Head)
    except msgspec.ValidationError:  # whole, but no object
        head = _Head()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RunFileError(f"{where} is not a run file or is cut short: expected one whole JSON object") from None
    if _short(head.format) != FORMAT:
        raise RunFileError(f"{where} is not a run file: expected a field format with {FORMAT!r}")
    if _short(head.version) not in READABLE:
        raise RunFileError(f"{where} has run file version {_short(head.version)!r} (written by sudoku-tui "
                           f"{_short(head.program)}): this program reads versions 1 to {VERSION}")
    try:
        file = msgspec.json.decode(data, type=RunFile)
    except msgspec.ValidationError as error:
        raise RunFileError(f"{where} was altered or damaged: {error}") from None
    if _checksum(file) != file.checksum:
        raise RunFileError(f"{where} was altered or damaged: its checksum does not match its content")
    if not _consistent(file):
        raise RunFileError(f"{where} was altered or damaged: its steps, playhead, interventions and digests do not "
                           "match each other")
    return file


def _short(field: msgspec.Raw) -> Any:
    """The value of a short field; None for a long one."""
    return msgspec.json.decode(field) if len(bytes(field)) <= 100 else None


def _consistent(file: RunFile) -> bool:
    """True if all steps lie within the run, in order, and the last digest is the one of its end."""
    made = [each.step for each in file.recipe.interventions]
    compared = [step for step, _ in file.digests]
    within = 0 <= file.playhead <= file.steps and all(0 <= step <= file.steps for step in made)
    in_order = made == sorted(made) and compared == sorted(set(compared))
    return within and in_order and min(compared, default=0) >= 0 and compared[-1:] == [file.steps]


def begin(file: RunFile) -> Run:
    """The run of a file at step 0, not yet replayed. Raises RunFileError if this program cannot replay it."""
    recipe = file.recipe
    solver = registry.solver(recipe.solver)
    lacking = {**solver.earlier, solver.trajectory: {}}.get(file.trajectory)
    if lacking is None:
        raise RunFileError(f"the run was made with version {file.trajectory} of {solver.name}'s trajectory and this "
                           f"program has version {solver.trajectory}: its steps would not be the same")
    if file.recording is not None and file.trajectory != solver.trajectory:
        raise RunFileError(f"the run was recorded with version {file.trajectory} of {solver.name}'s trajectory and "
                           f"this program has version {solver.trajectory}, whose states are others")
    try:
        params = solver.make_params(None, {**lacking, **recipe.params})
        if file.recording is not None:
            like = solver.init(recipe.puzzle, params, recipe.seed)
            solver = Recorder(solver, states.unpack(like, file.recording.initial),
                              _unpacked(file.recording.frames, like))
        run = Run.start(solver, recipe.puzzle, params, recipe.seed, recipe.interventions)
    except BadInput as error:
        raise RunFileError(f"the run cannot be started: {error}") from None
    run.breakpoints = [Breakpoint(Stop(frozenset(each.kinds), each.energy, each.cell), each.off is not True)
                       for each in file.breakpoints]
    return run


def _unpacked(packed: tuple[tuple[bytes, bytes], ...], like: State) -> list[Frame]:
    decoder = msgspec.msgpack.Decoder(tuple[Union[event_types()], ...])  # type: ignore[misc]  # noqa: UP007
    frames: list[Frame] = []
    for events, state in packed:
        try:
            decoded: tuple[Event, ...] = decoder.decode(events)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise RunFileError(f"the recording is damaged at step {text.count(len(frames) + 1)}") from None
        frames.append((decoded, states.unpack(like, state)))
    return frames


def replay(run: Run, file: RunFile, progress: Callable[[int], None] = lambda step: None,
           cancelled: Callable[[], bool] = lambda: False) -> Mismatch | None:
    """Re-execute the run to the length of the file, comparing digests, then restore the playhead.

    Calls `progress` with the step every few milliseconds. Returns the first mismatch, or None. A cancelled replay
    leaves the playhead where it stopped.
    """
    waiting = list(file.digests)
    run.plan_for(file.steps)
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
        if not _same_end(_end_of(run, file), file.outcome):
            return Mismatch(run.playhead, "it ends in another way")
        if waiting and waiting[0][0] == 0 and states.digest(run.state_at(0)) != waiting[0][1]:
            return Mismatch(0, "the initial state has another digest")
        run.seek(file.playhead)
    return None


def _end_of(run: Run, file: RunFile) -> Outcome | None:
    """The outcome of the replay. A recording of an unfinished run that cannot be continued has none."""
    if file.outcome is None and isinstance(run.solver, Recorder) and not run.solver.resumable:
        return run.solver.inner.outcome(run.state)
    return run.outcome


def _same_end(one: Outcome | None, other: Outcome | None) -> bool:
    """Compare two outcomes but for the reason, whose words differ between versions of the program."""
    if one is None or other is None:
        return one is other
    return msgspec.structs.replace(one, reason=other.reason) == other


def load(path: Path | str) -> tuple[Run, Mismatch | None]:
    """Read, begin and replay a run file. Raises RunFileError."""
    file = read(path)
    run = begin(file)
    return run, replay(run, file)


def solver_of(file: RunFile) -> AnySolver:
    """The solver of a run file. Raises UnknownName when this program has none of that name."""
    return registry.solver(file.recipe.solver)


# The recording of a run on the screen
#
# A run file holds its recording whole, so saving it takes longer the longer the run is. A recording file is only
# appended to, at the cost of the new steps. It is a sequence of blocks, each a length (4 bytes, big-endian) and that
# many bytes: the packed state at step 0, then for each step its events and the packed state after it.


_LENGTH = struct.Struct(">I")


class RecordingFile:
    """The growing file of one recording, written by one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._frames = self._size = 0

    def extend(self, recorder: Recorder, end: int) -> None:
        """Append the steps up to `end` that are not in the file yet. Raises BadInput when the file cannot be written;
        a later call then tries again."""
        blocks: list[bytes] = []
        if not self._size:
            assert recorder.initial is not None
            blocks.append(states.pack(recorder.initial))
        for frame in recorder.frames[self._frames:end]:
            blocks += _packed(frame)
        if not blocks:
            return
        data = b"".join(_LENGTH.pack(len(each)) + each for each in blocks)
        try:
            access.make_folder(self.path.parent)
            with access.open_file(self.path, "ab") as file:
                file.truncate(self._size)  # drops the rest of a write that failed
                file.write(data)
        except OSError as error:
            raise BadInput(f"cannot write {self.path}: {error.strerror or error}") from None
        self._size += len(data)
        self._frames = max(self._frames, end)


def read_recording(path: Path, steps: int) -> Recording:
    """The first `steps` steps of a recording file. Raises RunFileError when it holds fewer."""
    try:
        data = access.read_bytes(path)
    except OSError as error:
        raise RunFileError(f"cannot read {path}: {error.strerror or error}") from None
    blocks = list(_blocks(data, 2 * steps + 1))
    if len(blocks) < 2 * steps + 1:
        raise RunFileError(f"{path} is cut short: expected a recording of {steps} steps")
    return Recording(blocks[0], tuple(zip(blocks[1::2], blocks[2::2], strict=True)))


def _blocks(data: bytes, most: int) -> Iterator[bytes]:
    """At most `most` whole blocks from the beginning of a recording file."""
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
