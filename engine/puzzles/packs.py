"""The puzzles that ship: packs by name, puzzles by `pack:number` or by their own name.

A pack is a file of `puzzles/`, described there. The wheel carries the folder as `engine/_puzzles`; in a checkout it is
the folder beside `engine`.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Final

from engine.errors import FormatError, UnknownName
from engine.puzzles.formats import Malformed, PuzzleRecord, read_text
from engine.puzzles.formats.record import shown

ORDER: Final = ("easy", "medium", "hard", "extreme", "4x4", "16x16", "diagonal", "traps")
"""The order they are listed in; packs not named here follow by name."""
SUFFIX: Final = ".txt"


@functools.cache
def folder() -> Path:
    """The folder of the packs. Raises UnknownName if the installation has none."""
    here = Path(__file__).resolve().parents[1]
    for place in (here / "_puzzles", here.parent / "puzzles"):
        if place.is_dir():
            return place
    raise UnknownName("the puzzle packs are missing from this installation: expected the folder engine/_puzzles")


@functools.cache
def pack_names() -> tuple[str, ...]:
    """The names of all packs, from easy to special. Raises UnknownName when the installation has none."""
    names = [entry.name.removesuffix(SUFFIX) for entry in folder().iterdir() if entry.name.endswith(SUFFIX)]
    return tuple(sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name)))


@functools.cache
def pack(name: str) -> tuple[PuzzleRecord, ...]:
    """The puzzles of a pack, in order. Raises UnknownName, and FormatError if its file is damaged."""
    if name not in pack_names():
        hint = nearest(name, pack_names())
        raise UnknownName(f"no pack {shown(name)}{hint}: expected one of {', '.join(pack_names())}")
    records = []
    for item in read_text((folder() / f"{name}{SUFFIX}").read_text("utf-8"), f"pack {name}", SUFFIX):
        if isinstance(item, Malformed):
            raise FormatError(item.sentence)
        records.append(item)
    return tuple(records)


@functools.cache
def by_name() -> dict[str, PuzzleRecord]:
    """Every puzzle of every pack by its name."""
    return {record.name: record for name in pack_names() for record in pack(name)}


def find(text: str) -> PuzzleRecord:
    """The puzzle that `hard:1` (counted from 1) or a name like `coffee` refers to, ignoring case. Raises UnknownName
    with the existing packs and similar names."""
    wanted = text.strip().lower()
    name, colon, number = wanted.partition(":")
    if colon:
        return numbered(name.strip(), number.strip())
    if wanted in by_name():
        return by_name()[wanted]
    if wanted in pack_names():
        raise UnknownName(f"{wanted} is a pack of {len(pack(wanted))} puzzles: expected one of them, {span(wanted)}")
    hint = nearest(wanted, (*by_name(), *pack_names()))
    raise UnknownName(f"no puzzle {shown(text)}{hint}: expected a name like {next(iter(by_name()))}, or pack:number "
                      f"with a pack of {', '.join(pack_names())}")


def numbered(name: str, number: str) -> PuzzleRecord:
    """The puzzle of a pack by its number from 1. Raises UnknownName."""
    records = pack(name)
    if not (number.isascii() and number.isdigit() and len(number) < 10 and 1 <= int(number) <= len(records)):
        raise UnknownName(f"no puzzle {shown(number)} in the pack {name}: expected {span(name)}")
    return records[int(number) - 1]


def span(name: str) -> str:
    """`hard:1 to hard:13`."""
    return f"{name}:1 to {name}:{len(pack(name))}"


def nearest(wrong: str, known: tuple[str, ...]) -> str:
    """`, did you mean coffee?` as part of a sentence, or nothing when no name is near."""
    import difflib  # only a wrong name needs it, and it takes as long to import as all packs to read

    near = difflib.get_close_matches(wrong[:60], known, n=2, cutoff=0.6)
    return f" (did you mean {' or '.join(near)}?)" if near else ""
