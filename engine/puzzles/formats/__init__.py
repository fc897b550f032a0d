"""Puzzle files: read in eight formats, written in five; one file a format, `detect` tells them apart.

    for item in read_path("list.sdm"):          # streams; never raises for what the file holds
        if isinstance(item, Malformed): ...     # item.sentence: what, where, and what was expected
        else: ...                               # a PuzzleRecord

Every format holds grids of 4x4, 9x9, 16x16 and 25x25 (HoDoKu lines, bank records and OpenSudoku only 9x9). The size
follows from the number of cells. `comments` describes the comments that count, the variant among them.
"""

from engine.puzzles.formats.csv import write as write_csv
from engine.puzzles.formats.detect import FORMATS, WRITTEN, Format, format_of_suffix, write
from engine.puzzles.formats.reading import parse_grid, read_path, read_stream, read_text
from engine.puzzles.formats.record import Item, Malformed, PuzzleRecord
from engine.puzzles.formats.sdk import write as write_sdk
from engine.puzzles.formats.sdm import write as write_sdm
from engine.puzzles.formats.sdm import write_bare as write_line
from engine.puzzles.formats.ss import write as write_ss

__all__ = [
    "FORMATS", "WRITTEN", "Format", "Item", "Malformed", "PuzzleRecord", "format_of_suffix", "parse_grid", "read_path",
    "read_stream", "read_text", "write", "write_csv", "write_line", "write_sdk", "write_sdm", "write_ss",
]
