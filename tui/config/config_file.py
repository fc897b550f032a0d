"""The configuration file: read and checked, never written.

It belongs to the user. The appearance chosen on the screen is saved elsewhere (`tui.config.settings`).
"""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine import params as parameters
from engine.errors import BadInput, MissingExtra, ParameterError, UnknownName
from engine.files import access
from engine.files.toml_lines import find_line
from engine.params import Parameter
from engine.text import count
from tui.config import paths
from tui.config.settings import Config, Settings
from tui.i18n import _

LARGEST = 2**16
"""Bytes of the largest file that is read."""
LONGEST = 6000
"""Characters of the longest line: TOML's reader takes a time that grows with the square of a dotted name."""
KEYS = "keys"


def load(file: Path | None = None) -> Config:
    """The configuration; without a file, the defaults; with a mistake in it, the defaults and the mistake."""
    try:
        return read(paths.config_file() if file is None else file)
    except BadInput as error:
        return Config(mistake=str(error))


def read(file: Path) -> Config:
    """The configuration in a file, or the defaults if there is none. Raises BadInput: one sentence that names the file,
    the line and what was expected."""
    text = _text(file)
    try:
        return parse(text)
    except _Misplaced as error:
        line = find_line(text, error.where) if error.where else None
        named = display_path(file)
        at = _("{file}, line {line}").format(file=named, line=line) if line else named
        raise ParameterError(f"{at}: {error}") from None


class _Misplaced(BadInput):
    """A mistake, with the table and the name of its line."""

    def __init__(self, said: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(said)
        self.where = where


def display_path(file: Path) -> str:
    """The path with ~ for the home directory."""
    try:
        return f"~/{file.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(file)


def _text(path: Path) -> str:
    """The text of the file. Raises ParameterError if it is not a text file."""
    file = display_path(path)
    try:
        if not stat.S_ISREG(access.checked(path).stat().st_mode):
            raise ParameterError(_("{file} is no file, expected the settings as text").format(file=file))
        with access.open_file(path) as opened:
            content = opened.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ParameterError(_("{file} is too large, expected settings of at most 64 kB").format(file=file))
        return content.decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError as error:
        raise ParameterError(_("{file}, byte {byte}: expected text in UTF-8").format(
            file=file, byte=error.start + 1)) from None
    except OSError as error:
        raise ParameterError(_("{file} cannot be read: {why}").format(file=file, why=error.strerror or error)) from None


def parse(text: str) -> Config:
    """Parse a configuration. Raises BadInput without the file's name."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST:
            raise _Misplaced(_("line {line} is too long, expected at most {most} characters").format(
                line=number, most=count(LONGEST)))
    try:
        found = tomllib.loads(text + "\n")  # so that a mistake at the very end has a line too
    except (ValueError, RecursionError) as error:
        raise _Misplaced(_toml_error(error)) from None
    keys = found.pop(KEYS, {})
    values = _settings(found)
    return Config(parameters.build(Settings, values), frozenset(values), _keys(keys))


def _toml_error(error: Exception) -> str:
    """The message of tomllib, with the place first."""
    if isinstance(error, RecursionError):
        return _("the values are nested too deeply, expected lines as theme = \"light\"")
    if not isinstance(error, tomllib.TOMLDecodeError):
        return _("a number is too long, expected one of at most 18 digits")
    said = re.fullmatch(r"(.*?) \(at (line \d+, column \d+|end of document)\)", str(error), re.DOTALL)
    what, where = (said[1], f"{said[2]}: ") if said else (str(error), "")
    return _("{where}{what}, expected lines as theme = \"light\"").format(where=where, what=what)


def _settings(found: Mapping[str, Any]) -> dict[str, object]:
    known = {each.name: each for each in parameters.describe(Settings)}
    values: dict[str, object] = {}
    for name, value in found.items():
        if name not in known:
            raise _Misplaced(_("{name}: no setting of that name, expected one of {names}").format(
                name=_short(name), names=", ".join([*known, f"[{KEYS}]"])), (name,))
        try:
            values[name] = _value(known[name], value)
        except BadInput as error:
            raise _Misplaced(str(error), (name,)) from None
    try:
        _check_solver(values)
    except BadInput as error:
        of_solver = isinstance(error, MissingExtra) or (isinstance(error, UnknownName) and "preset" not in str(error))
        name = "solver" if of_solver else "preset"
        raise _Misplaced(f"{name}: {error}", (name,)) from None
    return values


def _value(parameter: Parameter, value: object) -> object:
    """Check and convert a value. Raises BadInput."""
    if parameter.name == "speed":
        from tui.config.speed import parse_speed

        written = f"{value:.15g}" if isinstance(value, int | float) and not isinstance(value, bool) else value
        if typed := str(parameters.parse(parameter, written)):
            parse_speed(typed)
        return written
    if parameter.type is bool and not isinstance(value, bool):
        raise ParameterError(_("{name} = {value}: expected true or false").format(
            name=parameter.name, value=_short(str(value))))
    if type(value) is not parameter.type:
        raise parameters.refused(parameter, value)
    return getattr(parameters.build(Settings, {parameter.name: value}), parameter.name)


def _check_solver(values: Mapping[str, object]) -> None:
    if "solver" in values or "preset" in values:
        from engine import registry

        solver = registry.solver(str(values.get("solver", Settings().solver)))
        solver.require()
        solver.make_params(str(values.get("preset") or "") or None)


def _keys(found: object) -> dict[str, tuple[str, ...]]:
    from tui.keys.keymap import check, known

    if not isinstance(found, dict):
        raise _Misplaced(_("keys: expected a table of actions and keys, under [keys]"), (KEYS,))
    changes: dict[str, tuple[str, ...]] = {}
    for name, value in found.items():
        several = value if isinstance(value, list) else [value]
        if not several or not all(isinstance(each, str) for each in several):
            raise _Misplaced(_("{name}: expected a key or a list of keys, as \"x\" or [\"x\", \"ctrl+x\"]").format(
                name=_short(name)), (KEYS, name))
        changes[name] = tuple(several)
        try:
            check({name: changes[name]} if name not in known() else {})
        except BadInput as error:
            raise _Misplaced(str(error), (KEYS, name)) from None
    try:
        check(changes)
    except BadInput as error:
        raise _Misplaced(str(error), (KEYS, str(error).split(" = ")[0])) from None
    return changes


def _short(name: str) -> str:
    return name if len(name) <= 40 and name.isprintable() else repr(name[:40])


# The template


def template() -> str:
    """A file with every setting at its default, all as comments."""
    from tui.keys.default_keys import TABLES
    from tui.keys.keymap import display_key

    lines = [_("# sudoku-tui: settings. Remove the # to activate a line."), ""]
    for each in parameters.describe(Settings):
        expected = _("true or false") if each.type is bool else each.expected
        lines += [f"# {_(each.help)}" + ("" if each.type is str and not each.choices else f" ({expected})"),
                  f"# {each.name} = {_toml(each.default)}", ""]
    lines += [_("# Keys: a key or a list of keys for an action, as \"x\" or [\"x\", \"ctrl+x\"]."), f"[{KEYS}]"]
    seen: set[str] = set()
    for keys in TABLES.values():
        for key in keys:
            if key.action_name not in seen:
                seen.add(key.action_name)
                typed = [_plain(display_key(each)) for each in key.keys.split(",")]
                lines.append(f"# {key.action_name} = {_toml(typed[0] if len(typed) == 1 else typed)}")
    return "\n".join(lines) + "\n"


def _plain(key: str) -> str:
    """The key in ASCII: the name of an arrow, not the arrow."""
    for sign, name in (("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down"), ("−", "-")):
        key = key.replace(sign, name)
    return key


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
