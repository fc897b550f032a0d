"""What all formats with one puzzle a line share: blank lines, comments, and that a bad line costs only itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine.formats.comments import Notes
from engine.formats.lines import TextItem, TextLine
from engine.formats.record import Fault, Item, Malformed, PuzzleRecord

LineReader = Callable[[TextLine, Notes], PuzzleRecord | None]
"""The record of a line that is neither blank nor a comment, None if it holds none (a header). Raises Fault."""


def read_each(lines: Iterable[TextItem], where: str, read_line: LineReader,
              notes: Notes | None = None) -> Iterator[Item]:
    """The items of lines, one at a time; `notes` is what the comments before them have said."""
    notes = Notes() if notes is None else notes
    for item in lines:
        if isinstance(item, Malformed):
            yield item
            continue
        if not item.text:
            continue
        try:
            if item.text.lstrip().startswith("#"):
                notes.read(item.text.lstrip(), item.number)
                continue
            record = read_line(item, notes)
        except Fault as fault:
            notes.drop()
            yield fault.malformed(where)
        else:
            if record is not None:
                yield record
