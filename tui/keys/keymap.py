"""The keys of one screen in force: the table of `tui.keys.default_keys` with the user's changes."""

from __future__ import annotations

import difflib
import re
import string
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import ParameterError, UnknownName
from engine.view import Sentence
from tui.i18n import SIGN, _
from tui.keys.default_keys import TABLES, Key
from tui.keys.footer_hints import FooterHint

KeyChanges = Mapping[str, tuple[str, ...]]
"""Names of actions, and their new keys as the user writes them."""

INTERRUPT = "ctrl+c"
ALWAYS_QUIT = INTERRUPT, "ctrl+q"
"""Keys that quit, whatever the configuration says."""
_DISPLAYED = {"left": "←", "right": "→", "up": "↑", "down": "↓", "escape": "esc", "minus": "−", "pageup": "pgup",
           "pagedown": "pgdn"}
_SENT_AS = {"i": "tab", "m": "enter", "h": "backspace", "[": "esc"}
"""Keys that are the same bytes as another one with ctrl."""
_TYPED = {"esc": "escape", "←": "left", "→": "right", "↑": "up", "↓": "down", "−": "minus", "-": "minus",
          "pgup": "pageup", "pgdn": "pagedown", "return": "enter", "del": "delete", "ins": "insert"}
_WRITTEN: dict[str, str] = {}
"""Textual's name -> character, for the characters beyond ASCII in the configuration."""


class KeyLine(Struct, frozen=True):
    """One line of the help: keys, and what they do."""

    names: tuple[str, ...]
    group: str
    shown: str
    does: str


class KeyTable:
    """The keys of one screen."""

    def __init__(self, keys: Sequence[Key], changed: frozenset[str] = frozenset()) -> None:
        """`changed`: names of the actions whose keys the user changed."""
        self.keys = tuple(keys)
        self.named = {key.action_name: key for key in self.keys}
        self._changed = changed

    def remapped(self, changes: KeyChanges) -> KeyTable:
        """The table with other keys for some actions; unknown actions are ignored. Raises ParameterError for an unknown
        key, and for one that two actions would have."""
        own = {name: keys for name, keys in changes.items() if name in self.named}
        changed = [replace(key, keys=_textual_keys(own[key.action_name], key)) if key.action_name in own else key
                   for key in self.keys]
        table = KeyTable(changed, frozenset(own))
        table._refuse_clashes(own)
        return table

    def _refuse_clashes(self, chosen: Iterable[str]) -> None:
        """Raise ParameterError for a key of two actions; the message names the action that the user changed."""
        holders: dict[str, str] = {}
        for key in sorted(self.keys, key=lambda key: key.action_name in chosen):
            for each in key.keys.split(","):
                other = holders.setdefault(each, key.action_name)
                if other != key.action_name:
                    raise ParameterError(_("{name} = \"{key}\": that is the key of {other}, expected one that is free")
                                         .format(name=key.action_name, key=display_key(each), other=other))

    def shown(self, *names: str) -> str:
        """The keys of some actions as displayed: `← →`."""
        return " ".join(display_key(self.named[name].keys.split(",")[0]) for name in names if name in self.named)

    def lines(self) -> Iterator[KeyLine]:
        """The lines of the help, in the order of the table."""
        together: list[Key] = []
        for key in self.keys:
            if key.shown and together:
                yield self._line(together)
                together = []
            together.append(key)
        if together:
            yield self._line(together)

    def commands(self) -> Iterator[Key]:
        """The actions with the clauses of the palette in `does`, in the order of the table."""
        for line in self.lines():
            for name in line.names:
                key = self.named[name]
                yield replace(key, does=key.command or line.does)

    def _line(self, keys: Sequence[Key]) -> KeyLine:
        first, names = keys[0], tuple(key.action_name for key in keys)
        shown, does = first.shown, first.does
        if self._changed.intersection(names):
            shown, does = self.shown(*names), re.sub(r" \([^)]*\)$", "", does)
        return KeyLine(names, first.group, shown, does)

    def hints(self, hints: Iterable[FooterHint], available: frozenset[str]) -> Iterator[tuple[str, str, str]]:
        """(keys as written, word, action) of the footer hints whose conditions hold."""
        for hint in hints:
            if hint.holds(available) and all(name in self.named for name in hint.names):
                yield self.join_keys(hint.names), hint.word, self.named[hint.names[-1]].action

    def join_keys(self, names: tuple[str, ...]) -> str:
        """The keys of some actions as displayed together: `← →`, `hjkl`, `1–9`."""
        keys = [self.shown(name) for name in names]
        if len(keys) == 2 and all(map(str.isdigit, keys)):
            return "–".join(keys)
        return ("" if len(keys) > 2 and all(map(str.isalpha, keys)) else " ").join(keys)

    def resolve_keys(self, sentence: Sentence) -> Sentence:
        """A message with its `key_` fields replaced by the keys in force."""
        keys = {field: self.shown(field.removeprefix(SIGN).replace("_", "-")) for field in sentence.fields
                if field.startswith(SIGN)}
        return replace(sentence, fields={**sentence.fields, **keys}) if keys else sentence


def _textual_keys(typed: tuple[str, ...], key: Key) -> str:
    keys = [parse_key(each, key.action_name) for each in typed]
    taken = [each for each in keys if each in ALWAYS_QUIT]
    if taken and key.action_name != "quit":
        raise ParameterError(_("{name} = \"{key}\": that always quits, expected another key").format(
            name=key.action_name, key=taken[0]))
    if key.action_name == "quit" and INTERRUPT not in keys:
        keys.append(INTERRUPT)
    return ",".join(dict.fromkeys(keys))


def parse_key(typed: str, name: str) -> str:
    """Textual's name of a key as typed: `]`, `ctrl+s`, `esc`. Raises ParameterError, which names the action `name`."""
    from textual.keys import _character_to_key

    *modifiers, last = typed.split("+") if len(typed) > 1 and not typed.endswith("++") else [typed]
    last = _TYPED.get(last.lower(), unicodedata.normalize("NFC", last))
    if len(last) == 1 and last.isprintable() and not (modifiers and last.isupper()):
        character = last
        last = _character_to_key(character) if not character.isspace() else "space"
        if not character.isascii():
            _WRITTEN[last] = character
        if modifiers == ["ctrl"] and character in _SENT_AS:
            raise ParameterError(_("{name} = {typed!r}: terminals send {key} for it, expected another key").format(
                name=name, typed=typed, key=_SENT_AS[character]))
        if modifiers in ([], ["ctrl"], ["alt"]):
            return "+".join([*modifiers, last])
    elif last in _key_names() and set(modifiers) <= {"ctrl", "shift", "alt"}:
        return "+".join([*sorted(set(modifiers)), last])
    raise ParameterError(_("{name} = {typed!r}: expected a key, as \"x\", \"ctrl+x\", \"f5\", \"space\" or \"left\"")
                         .format(name=name, typed=typed))


@cache
def _signs() -> Mapping[str, str]:
    """Textual's name -> character, for the signs of ASCII."""
    from textual.keys import _character_to_key

    return {_character_to_key(sign): sign for sign in string.punctuation}


@cache
def _key_names() -> frozenset[str]:
    """The names of keys that are not a single character."""
    from textual.keys import Keys

    named = (key.value for key in Keys if "+" not in key.value and "<" not in key.value)
    return frozenset({*named, *_signs(), "space"})


def display_key(key: str) -> str:
    """A key, given by Textual's name, as displayed."""
    *modifiers, last = key.split("+")
    return "+".join([*modifiers, _DISPLAYED.get(last) or _signs().get(last) or _WRITTEN.get(last, last)])


@cache
def known() -> frozenset[str]:
    """The names of all actions of all screens."""
    return frozenset(key.action_name for keys in TABLES.values() for key in keys)


def check(changes: KeyChanges) -> None:
    """Check changes: raises UnknownName for an unknown action, ParameterError for an unknown or taken key."""
    for name in changes:
        if name not in known():
            near = difflib.get_close_matches(name, sorted(known()), 1)
            hint = _(" (did you mean {near}?)").format(near=near[0]) if near else ""
            raise UnknownName(_("{name}: no action of that name{hint}, expected one that `sudoku-tui config` lists")
                              .format(name=name if name.isprintable() else repr(name), hint=hint))
    for keys in TABLES.values():
        KeyTable(keys).remapped(changes)
