"""Line numbers in TOML texts."""

from __future__ import annotations

import pytest

from engine.files.toml_lines import TomlPath, find_line

TEXT = '''name = "a"
about = """
[[puzzles]]
seed = 1
count = "\\"""x"""
runs = [
  1,  # seed = 2
  [2], "]",
]
literal = \'\'\'
seed = 3 " \\\'\'\'
seed = 4 # [[solvers]]
"quoted key".'other' = { solver = "]", preset = ["x"] }

[[solvers]]  # [no]
solver = 'a#b'
[[ solvers ]]
solver = "b"
params.alpha = 0.5
[solvers.sweep]
"t 0" = [1.0]
[[parts]]
[[parts.puzzles]]
[[parts]]
[[parts.puzzles]]
size = 9
'''


@pytest.mark.parametrize(("path", "line"), [
    (("name",), 1), (("about",), 2), (("runs",), 6), (("runs", 1), 6), (("literal",), 10), (("seed",), 12),
    (("quoted key",), 13), (("quoted key", "other", "preset"), 13), (("solvers",), 15), (("solvers", 0, "solver"), 16),
    (("solvers", 1), 17), (("solvers", 1, "solver"), 18), (("solvers", 1, "params", "alpha"), 19),
    (("solvers", 1, "sweep", "t 0", 0), 21), (("solvers", 1, "preset"), 17), (("parts", 1, "puzzles", 0, "size"), 26),
    (("parts", 0, "puzzles", 0, "size"), 23), (("count",), None), (("puzzles",), None), ((), None)])
def test_a_path_has_the_line_it_is_written_on(path: TomlPath, line: int | None) -> None:
    assert find_line(TEXT, path) == line


@pytest.mark.parametrize("text", [
    "", "[", "=\n=", "a = [\n", 'a = """\n', "]]\n[[\n", "a.b.c", "\r\n[x]\r\ny = 1\r\n", "é = 1"])
def test_a_path_that_is_not_there_has_no_line_even_in_invalid_toml(text: str) -> None:
    assert find_line(text, ("z",)) is None


def test_lines_end_at_a_newline_only() -> None:
    assert find_line("a = 'x\u2028\x85y'\r\nb = 1\r\n", ("b",)) == 2
