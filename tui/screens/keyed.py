"""The base of screens with a key table: bindings, last row, clicks on it, and the keys that the learner chose."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import Binding, BindingsMap
from textual.screen import Screen

from tui.i18n import _
from tui.screens.keymap import Key, Offer, key_text
from tui.screens.keytable import Changes, KeyTable
from tui.widgets.keys import Hint, Keys


class Keyed(Screen[Any]):
    """A screen that says what its keys are (`KEYS`), what its last row offers (`OFFERS`), and what is so now
    (`situation`). `self.keys` is that row; call `show_keys` when the situation may have changed."""

    KEYS: ClassVar[tuple[Key, ...]] = ()
    OFFERS: ClassVar[tuple[Offer, ...]] = ()

    keys: Keys

    def __init__(self) -> None:
        super().__init__()
        self._inherited = self._bindings
        self.use_keys({})

    def use_keys(self, changes: Changes) -> None:
        """Have these keys instead of those of the table. They have been checked before."""
        self.table = KeyTable(self.KEYS).remapped(changes)
        own = BindingsMap(Binding(key.keys, key.action, show=False) for key in self.table.keys)
        others = {key: held for key, held in self._inherited.key_to_bindings.items() if key not in own.key_to_bindings}
        self._bindings = BindingsMap.from_keys({**others, **own.key_to_bindings})

    def on_mount(self) -> None:
        changes = getattr(self.app, "key_changes", {})
        if changes:
            self.use_keys(changes)
        self.show_keys()

    def situation(self) -> frozenset[str]:
        """The words that are true now, for the offers of the last row."""
        return frozenset()

    def words(self) -> dict[str, str]:
        """What stands for {knob} and the like in the texts of the key table."""
        return {}

    def show_keys(self) -> None:
        """Have the last row say what is possible now."""
        glyphs, words = self.keys.glyphs, self.words()
        offered = self.table.offered(self.OFFERS, self.situation())
        self.keys.show([Hint(key_text(shown, glyphs), _(word).format_map(words), action)
                        for shown, word, action in offered],
                       [Hint(key_text(self.table.shown(name), glyphs), word, self.table.named[name].action)
                        for name, word in (("help", "help"), ("quit", "quit")) if name in self.table.named])

    async def on_keys_pressed(self, event: Keys.Pressed) -> None:
        await self.run_action(event.action)
