"""Write the shipped packs: `python -m engine.puzzles.make_packs`, deterministically.

The first puzzles of a pack keep their place and name and are rated again; generated puzzles follow by `PLAN`. Only
a change of the rating or of the plan changes the packs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Final

import msgspec
from msgspec import Struct

from engine.files.atomic import write_whole
from engine.puzzles import packs
from engine.puzzles.formats import PuzzleRecord
from engine.puzzles.formats.comments import comments_of
from engine.puzzles.generate import Made, Spec, puzzles
from engine.puzzles.rating import Rating, Word, rate

GENERATED: Final = "generated, seed "
"""The prefix of the sources of generated puzzles, as `Made.origin` writes them."""

FIRST_WORDS: Final = (
    "amber", "bold", "calm", "dusty", "early", "faint", "gentle", "hidden", "idle", "jolly", "keen", "lone", "mellow",
    "narrow", "old", "pale", "quiet", "rapid", "silver", "tall", "upper", "velvet", "wild", "young")
SECOND_WORDS: Final = (
    "anchor", "bridge", "candle", "desert", "ember", "falcon", "garden", "harbour", "island", "jacket", "kettle",
    "lantern", "meadow", "needle", "orchard", "pebble", "quarry", "ribbon", "saddle", "thicket", "urchin", "valley",
    "willow", "yard")


class Part(Struct, frozen=True):
    """Some puzzles of a pack: the first `count` of a spec, of one level where that is given."""

    pack: str
    spec: Spec
    count: int
    level: Word | None = None


PLAN: Final = (
    Part("easy", Spec(1, symmetry="rotational-180"), 100, "easy"),
    Part("medium", Spec(2, symmetry="rotational-180"), 100, "medium"),
    Part("hard", Spec(3), 100, "hard"),
    Part("extreme", Spec(4), 100, "extreme"),
    Part("4x4", Spec(5, 2), 30),
    Part("16x16", Spec(6, 4, symmetry="rotational-90"), 16),
    Part("diagonal", Spec(7, 3, "diagonal", "rotational-180"), 15, "easy"),
    Part("diagonal", Spec(8, 3, "diagonal", "rotational-180"), 15, "medium"),
    Part("diagonal", Spec(9, 3, "diagonal"), 15, "hard"),
    Part("diagonal", Spec(10, 3, "diagonal"), 15, "extreme"),
)
"""Parts are added at the end, so that the names of the others stay."""


def name_of(place: int) -> str:
    """A name for each place in the plan, `amber-anchor` for the first; they differ up to 576."""
    first, second = len(FIRST_WORDS), len(SECOND_WORDS)
    return f"{FIRST_WORDS[place % first]}-{SECOND_WORDS[(place + place // first) % second]}"


def chosen(part: Part) -> Iterator[tuple[Made, Rating]]:
    """The puzzles of a part, by number, with their ratings; no puzzle twice."""
    seen = set()
    for made in puzzles(part.spec):
        rating = rate(made.puzzle)
        if made.puzzle not in seen and part.level in (None, rating.word):
            seen.add(made.puzzle)
            yield made, rating


def generated() -> dict[str, list[PuzzleRecord]]:
    """The generated puzzles of each pack, each part from the lowest rating to the highest."""
    places = count()
    found: dict[str, list[PuzzleRecord]] = {}
    for part in PLAN:
        best = sorted(islice(chosen(part), part.count), key=lambda pair: (pair[1].value, pair[0].number))
        found.setdefault(part.pack, []).extend(made.record(name_of(next(places)), rating) for made, rating in best)
    return found


def rated_again(record: PuzzleRecord) -> PuzzleRecord:
    rating = rate(record.puzzle)
    return msgspec.structs.replace(record, level=rating.word, rating=rating.value)


def text_of(head: str, records: list[PuzzleRecord]) -> str:
    """The file of a pack: its first comments, and a block a puzzle."""
    blocks = ("\n".join([*comments_of(record), record.puzzle.line]) for record in records)
    return "\n\n".join([head, *blocks]) + "\n"


def main() -> None:
    for name, new in generated().items():
        path = packs.folder() / f"{name}{packs.SUFFIX}"
        kept = [rated_again(record) for record in packs.pack(name) if not record.source.startswith(GENERATED)]
        head, _, _ = path.read_text("utf-8").partition("\n\n")
        write_whole(path, text_of(head, [*kept, *new]).encode())


if __name__ == "__main__":
    main()
