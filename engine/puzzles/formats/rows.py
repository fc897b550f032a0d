"""Grids drawn over several lines: n rows of n cells, plain, boxed, or in the sections of an .sdk file.

Bars, dashes and box drawing between the cells are ignored. A blank line, a comment or a section ends a block of rows; a
block is a whole grid, or one of its bands (so that blank lines between bands are allowed).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from engine.puzzles.formats.cells import BOX, SIDES, Grid, Mark, marks, numbered, sized_grid, width
from engine.puzzles.formats.comments import Notes
from engine.puzzles.formats.lines import TextItem, TextLine
from engine.puzzles.formats.record import Fault, Item, Malformed, PuzzleRecord

BOX_DRAWING: Final = "".join(map(chr, range(0x2500, 0x2580)))
BARS: Final = frozenset("|" + BOX_DRAWING)
DRAWN: Final = {ord(symbol): " " for symbol in "|!:" + BOX_DRAWING}
"""The characters drawn between the cells of a row, as a translation to blanks."""
RULED: Final = " \t|!+-=:'.*" + BOX_DRAWING
DASHES: Final = frozenset("-=─━═")
SECTION: Final = re.compile(r"\[\s*(\w[\w ]*)\]")
LETTERS: Final = {"D": "name", "L": "level", "S": "source"}
"""The metadata of an .sdk file, by the letter after `#`; a record has no field for the other letters (author, comment,
date, URL)."""
MOST_ROWS: Final = 25
LONGEST_BLOCK: Final = 1_000
"""Rows without a blank line after which a file is taken for something else."""

Row = list[Mark]


class RowReader:
    """Gathers rows into blocks and blocks into grids; `letters` makes `#L...` and the like count (.sdk)."""

    def __init__(self, where: str, letters: bool) -> None:
        self.where = where
        self.letters = letters
        self.notes = Notes()
        self.skipping = False
        self.block: list[Row] = []
        self.bands: list[Row] = []
        self.spoilt: Malformed | None = None
        self.surplus = 0
        """Rows beyond the most that a block may have; they are passed over."""

    def read(self, lines: Iterable[TextItem]) -> Iterator[Item]:
        for item in lines:
            if isinstance(item, Malformed):
                yield from self.spoil(item)
            else:
                yield from self.read_line(item)
            if self.surplus >= LONGEST_BLOCK:
                return
        yield from self.end_block()
        yield from self.end_bands()

    def read_line(self, line: TextLine) -> Iterator[Item]:
        text = line.text.lstrip()
        section = SECTION.fullmatch(text)
        if section or text.startswith("#") or not text:
            yield from self.end_block()
            self.surplus = 0
        if section:
            yield from self.end_bands()
            self.skipping = section[1].strip().lower() != "puzzle"
        elif self.skipping:
            return
        elif text.startswith("#"):
            yield from self.read_comment(text, line.number)
        elif text and not is_rule(text):
            yield from self.add_row(line)

    def add_row(self, line: TextLine) -> Iterator[Item]:
        """Add a row to the block; a block beyond every size is reported once, an endless one ends the file."""
        if self.surplus:
            self.surplus += 1
            if self.surplus == LONGEST_BLOCK:
                what = f"no blank line in {LONGEST_BLOCK} rows, the rest is not read: expected grids of 4 to 25 rows"
                yield Fault(what, line.number, 1).malformed(self.where, fatal=True)
        elif row := marks(line.text.translate(DRAWN), line.number):
            self.block.append(row)
            if len(self.block) > MOST_ROWS:
                yield from self.end_block()
                self.surplus = 1

    def read_comment(self, text: str, number: int) -> Iterator[Item]:
        try:
            ours = self.notes.read(text, number)
        except Fault as fault:
            yield fault.malformed(self.where)
            return
        if self.letters and not ours and len(text) > 2 and text[1] in LETTERS:
            self.notes.note(LETTERS[text[1]], text[2:].strip(), number)

    def spoil(self, item: Malformed) -> Iterator[Item]:
        """A row that cannot be read makes its grid malformed, and is reported in its place."""
        yield item
        if not item.fatal and (self.block or self.bands):
            self.spoilt = item
            self.block.append([Mark("?", item.line or 0, item.column or 0)])
        elif item.fatal:
            self.drop()

    def drop(self) -> None:
        self.block, self.bands, self.spoilt = [], [], None
        self.notes.drop()

    def end_block(self) -> Iterator[Item]:
        """A block of n rows is a grid, one of n / box rows a band of one; any other is malformed."""
        block, self.block = self.block, []
        if not block:
            return
        side = side_of(self.bands or block)
        if len(block) == BOX[side]:
            self.bands += block
            if len(self.bands) == side:
                block, self.bands = self.bands, []
                yield from self.end_grid(block, side)
            return
        yield from self.end_bands()
        yield from self.end_grid(block, side_of(block))

    def end_bands(self) -> Iterator[Item]:
        """End an incomplete sequence of bands."""
        bands, self.bands = self.bands, []
        if bands:
            yield from self.end_grid(bands, side_of(bands))

    def end_grid(self, rows: list[Row], side: int) -> Iterator[Item]:
        if self.spoilt:
            self.drop()
            return
        try:
            yield self.record(rows, side)
        except Fault as fault:
            self.notes.drop()
            yield fault.malformed(self.where)

    def record(self, rows: list[Row], side: int) -> PuzzleRecord:
        return self.notes.record(grid_of_rows(rows, side), rows[0][0].line)


def is_rule(text: str) -> bool:
    """A line of dashes, with or without corners, between two bands or around the grid."""
    return not text.strip(RULED) and not DASHES.isdisjoint(text)


def as_numbers(rows: list[Row]) -> bool:
    """True if the cells of most rows are numbers: two digits occur, and a row has n marks."""
    return numbered([mark for row in rows for mark in row]) and 2 * sum(len(row) in BOX for row in rows) > len(rows)


def side_of(rows: list[Row]) -> int:
    """The side of a grid that rows as wide as most of these may belong to."""
    numbers = as_numbers(rows)
    widths = [width(row, numbers) for row in rows]
    usual = max(widths, key=widths.count)
    return min(BOX, key=lambda side: abs(side - usual))


def grid_of_rows(rows: list[Row], side: int) -> Grid:
    """The grid of n rows of n cells. Raises Fault with line and column."""
    numbers = as_numbers(rows)
    for row in rows:
        check_width(row, side, numbers)
    if len(rows) != side:
        last = rows[min(side, len(rows) - 1)]
        what = f"more than {side} rows" if len(rows) > side else f"the grid ends after {len(rows)} rows"
        if len(rows) == 1:
            what = what.removesuffix("s")
        column = last[0].column if len(rows) > side else last[-1].column + len(last[-1].text)
        raise Fault(f"{what}: expected {side} rows of {side} cells, and a blank line between grids",
                    last[0].line, column)
    found = [mark for row in rows for mark in row]
    return sized_grid(found, SIDES[side * side], numbers)


def check_width(row: Row, side: int, numbers: bool) -> None:
    """Raises Fault at the end of a row that is too short, or at the first cell too many."""
    count = width(row, numbers)
    if count == side:
        return
    cells = row if numbers else [Mark(symbol, m.line, m.column + i) for m in row for i, symbol in enumerate(m.text)]
    place = cells[min(side, count - 1)]
    column = place.column if count > side else place.column + len(place.text)
    raise Fault(f"{count} cell{'s' * (count != 1)} in this row: expected {side}", place.line, column)


def read(lines: Iterable[TextItem], where: str) -> Iterator[Item]:
    """Plain rows: the grids of the lines, with the metadata of `comments`."""
    return RowReader(where, letters=False).read(lines)
