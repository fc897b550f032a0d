"""The line on which something stands in a TOML file: the reader of the standard library does not tell."""

from __future__ import annotations

import re

Place = str | int
"""A key, or a place in a list from 0."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"-]+)\s*\]")
_KEY = re.compile(r"\s*\"?([\w-]+)\"?\s*[=.]")


def place_of(path: str) -> tuple[Place, ...]:
    """`$.solvers[1].sweep` as ("solvers", 1, "sweep"). What is in a table of any keys, `[...]`, has no name there."""
    found = re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path)
    return tuple(key if key else int(index) for key, index in found)


def line_of(toml: str, place: tuple[Place, ...]) -> int:
    """The line, from 1, on which a place begins, or the nearest thing around it that has a line: a table that is
    written within one line is there as a whole. 1 for the whole file."""
    best, depth, here = 1, 0, tuple[Place, ...]()
    seen: dict[tuple[Place, ...], int] = {}
    for line, written in enumerate(toml.splitlines(), 1):
        header = _HEADER.match(written)
        if header:
            here = _table(header[2], len(header[1]) == 2, seen)
            found = here
        else:
            key = _KEY.match(written)
            found = (*here, key[1]) if key else ()
        deep = min(len(found), len(place))
        if deep > depth and place[:deep] == found[:deep]:
            best, depth = line, deep
    return best


def _table(name: str, one_of_many: bool, seen: dict[tuple[Place, ...], int]) -> tuple[Place, ...]:
    """Where the table of a header stands: the last one of every list that it is in."""
    place: tuple[Place, ...] = ()
    keys = [key.strip('"') for key in name.split(".")]
    for number, key in enumerate(keys):
        place = (*place, key)
        if one_of_many and number == len(keys) - 1:
            seen[place] = seen.get(place, -1) + 1
        if place in seen:
            place = (*place, seen[place])
    return place
