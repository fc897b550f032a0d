"""Line numbers of the keys and tables of a TOML text, for error messages: `tomllib` does not keep them.

Strings of all four kinds, comments, arrays and inline tables are skipped whole: nothing inside them is taken for a key
or a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Place = str | int
"""A key, or an index in a list from 0."""
TomlPath = tuple[Place, ...]
"""Keys and indices, from the outermost: ("solvers", 1, "preset")."""

_TOKEN = re.compile(r"""
    (?P<long>\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5})
  | (?P<key>"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[\w+-]+)
  | (?P<comment>\#[^\n]*)
  | (?P<mark>[\[\]{}=\n])
""", re.VERBOSE | re.DOTALL)


def find_line(toml: str, path: TomlPath) -> int | None:
    """The line, from 1, on which the value at a path begins, or the innermost of its parents that has a line.

    None if there is no such line, as for the whole file. The values of an inline table have the line of the table.
    """
    best, depth = None, 0
    for line, found in _lines(toml):
        common = min(len(found), len(path))
        if common > depth and path[:common] == found[:common]:
            best, depth = line, common
    return best


def _lines(toml: str) -> Iterator[tuple[int, TomlPath]]:
    """(line, path) of every header and of every key of a table, in order."""
    table: TomlPath = ()
    indices: dict[TomlPath, int] = {}
    keys: list[str] = []
    depth, line, begun, in_value, header = 0, 1, 1, False, ""
    for token in _TOKEN.finditer(toml):
        text = token[0]
        if token["key"] and not in_value:
            if not keys:
                begun = line
            keys.append(text[1:-1] if text[0] in "\"'" else text)
        elif text == "=" and not in_value and not header:
            in_value = True
            yield begun, (*table, *keys)
        elif text == "[" and not in_value:
            header += "["
        elif text == "]" and header and not in_value:
            table = _table(keys, header == "[[", indices)
            yield begun, table
            in_value = True  # the rest of the line is a comment
        elif in_value and not header and text in "[{":
            depth += 1
        elif in_value and not header and text in "]}":
            depth -= 1
        if text == "\n" and depth <= 0:
            keys, depth, in_value, header = [], 0, False, ""
        line += text.count("\n")


def _table(keys: list[str], in_list: bool, indices: dict[TomlPath, int]) -> TomlPath:
    """The path of the table of a header: in every list on the way it is in the last table so far."""
    path: TomlPath = ()
    for number, key in enumerate(keys):
        path = (*path, key)
        if in_list and number == len(keys) - 1:
            indices[path] = indices.get(path, -1) + 1
        if path in indices:
            path = (*path, indices[path])
    return path
