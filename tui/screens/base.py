"""The base of screens with a key table: bindings, last row, clicks on it, and the keys that the learner chose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.binding import Binding, BindingsMap
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.widgets import Static

from engine import text
from engine.errors import BadInput
from engine.view import Sentence
from tui import messages
from tui.i18n import _
from tui.keys.bindings import Key, Offer, key_text
from tui.keys.keymap import KeyChanges, KeyTable
from tui.look.theme import THEMES, Look
from tui.requests import HomeRequest
from tui.screens.navigation import desk
from tui.widgets.footer import Hint, Keys
from tui.widgets.pane import Pane
from tui.widgets.text import MessagePane

if TYPE_CHECKING:
    from tui.screens.dialogs.command_palette import Command


class Keyed(Screen[Any]):
    """A screen that says what its keys are (`KEYS`), what its last row offers (`OFFERS`), and what is so now
    (`situation`). `self.keys` is that row; call `show_keys` when the situation may have changed."""

    KEYS: ClassVar[tuple[Key, ...]] = ()
    OFFERS: ClassVar[tuple[Offer, ...]] = ()
    HAS_BOARD: ClassVar[bool] = True
    """Whether the help tells of the marks on boards."""

    keys: Keys
    _shown_keys_of: object = None
    """What the last row was made of."""

    def __init__(self) -> None:
        super().__init__()
        self._inherited = self._bindings
        self.use_keys({})

    def use_keys(self, changes: KeyChanges) -> None:
        """Have these keys instead of those of the table. They have been checked before."""
        self.table = KeyTable(self.KEYS).remapped(changes)
        own = BindingsMap(Binding(key.keys, key.action, show=False) for key in self.table.keys)
        others = {key: held for key, held in self._inherited.key_to_bindings.items() if key not in own.key_to_bindings}
        self._bindings = BindingsMap.from_keys({**others, **own.key_to_bindings})

    def on_mount(self) -> None:
        changes = desk(self).key_changes
        if changes:
            self.use_keys(changes)
        self.show_keys()

    def situation(self) -> frozenset[str]:
        """The words that are true now, for the offers of the last row."""
        return frozenset()

    def words(self) -> dict[str, str]:
        """What stands for {knob} and the like in the texts of the key table."""
        return {}

    def now(self) -> Sequence[str]:
        """What the screen shows now, in sentences, for the beginning of the help."""
        return ()

    def about(self) -> Sequence[str]:
        """Paragraphs for the end of the help, the first of them their heading."""
        return ()

    def told(self, notice: Sentence) -> None:
        """Say something to the learner."""

    def help_title(self) -> str:
        """What stands at the top of the help."""
        return self.called()

    def called(self) -> str:
        """A name for files that are made of what is shown: `anneal hard 1 seed 7`."""
        return self.title or ""

    def show_keys(self) -> None:
        """Have the last row say what is possible now."""
        glyphs = self.keys.glyphs
        now = (self.table, glyphs, self.situation(), self.words())
        if now == self._shown_keys_of:
            return
        self._shown_keys_of = now
        self.keys.show([Hint(shown, word, action) for shown, word, action in self._offered()],
                       [Hint(key_text(self.table.shown(name), glyphs), word, self.table.named[name].action)
                        for name, word in (("help", "help"), ("quit", "quit")) if name in self.table.named])

    def _offered(self) -> Iterator[tuple[str, str, str]]:
        """(keys, word, action) of what is possible now, as they are shown."""
        glyphs, words = self.keys.glyphs, self.words()
        for shown, word, action in self.table.offered(self.OFFERS, self.situation()):
            yield key_text(shown, glyphs), _(word).format_map(words), action

    def set_look(self, look: Look) -> None:
        """Draw everything with these styles and glyphs."""
        for pane in self.query(Pane):
            pane.set_look(look)
        self.show_keys()

    # What every screen can do

    def wished(self) -> HomeRequest:
        """What another run would be begun with."""
        return HomeRequest()

    def attempt(self, what: Callable[[], object]) -> None:
        """Do it; what is wrong with it is said."""
        try:
            what()
        except BadInput as error:
            self.told(messages.refused(error))

    def action_open_file(self) -> None:
        """Ask for a file and open it."""
        from tui.screens.dialogs.prompt import PathPrompt

        def asked(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self.open_path(typed))

        self.app.push_screen(PathPrompt(_("Open")), asked)

    def open_path(self, typed: str) -> None:
        """Open the file of this name. Raises BadInput."""
        from tui.storage.puzzle_files import path_of

        desk(self).open_file(path_of(typed), self.wished())

    def action_quit(self) -> None:
        self.app.exit()

    def action_light(self) -> None:
        desk(self).change_ground()

    def action_contrast(self) -> None:
        desk(self).change_contrast()

    def action_ascii(self) -> None:
        desk(self).change_glyphs()

    def action_help(self) -> None:
        from tui.screens.dialogs.help import Help, Topic

        mistake = desk(self).mistake
        now = [_("The settings: {mistake}.").format(mistake=mistake), *self.now()] if mistake else self.now()
        offers = [(shown, word) for shown, word, _action in self._offered()]
        self.app.push_screen(Help(Topic(self.help_title(), now, offers, self.table, self.words(), self.about(),
                                   self.HAS_BOARD)))

    def action_picture(self) -> None:
        from tui.config import paths
        from tui.look import screenshot

        name = text.file_name(f"sudoku-tui {self.called()}"[:60])
        drawn = screenshot.svg(self.app, desk(self).look.palette, self.called())
        self.attempt(lambda: self.told(messages.saved(str(screenshot.save(drawn, paths.pictures(), name)))))

    def action_commands(self) -> None:
        from tui.screens.dialogs.command_palette import CommandList

        def chosen(command: Command | None) -> None:
            if command is not None:
                self.call_next(command.run)

        self.app.push_screen(CommandList(list(self.commands()), self.spelled_out), chosen)

    def spelled_out(self, typed: str) -> Command | None:
        """The command that was typed in full, if the screen has such."""
        return None

    def commands(self) -> Iterator[Command]:
        """What the palette offers: every key of the table, the themes; a screen may add its own."""
        from tui.screens.dialogs.command_palette import Command

        words = self.words()
        for line in self.table.lines():
            for name, action in zip(line.names, line.actions, strict=True):
                if name != "commands":
                    yield Command(name.replace("-", " "), _(line.does).format_map(words),
                                  partial(self.run_action, action), self.table.shown(name))
        for theme in THEMES:
            yield Command(f"theme {theme}", _("colours of the screen"), partial(desk(self).set_theme, theme))

    async def on_keys_pressed(self, event: Keys.Pressed) -> None:
        await self.run_action(event.action)


# Panes go where the plan of their screen has them; where no plan fits the window, that is said.


Name = TypeVar("Name", bound=str)


def put_panes(panes: Mapping[Name, Pane], regions: Mapping[Name, Region], before: Mapping[Name, Region]) -> None:
    """Put every pane into its region, and show none that has no region. `before`: where they stand."""
    for name, pane in panes.items():
        region = regions.get(name)
        pane.display = region is not None
        if region is not None and before.get(name) != region:
            pane.styles.offset = region.offset
            pane.styles.width = region.width
            if not isinstance(pane, MessagePane):  # which is as high as what it says
                pane.styles.height = region.height


class TooSmall(Static):
    """Stands alone in a window that no plan fits."""

    def __init__(self, said: str, smallest: tuple[int, int]) -> None:
        """`said` speaks of {w} x {h}, the window, and {W} x {H}, the smallest that there is a plan for."""
        super().__init__("", id="too-small")
        self._said, self._smallest = said, smallest

    def tell(self, needed: bool, size: Size) -> None:
        """Show it in this window, if it is needed."""
        self.display = needed
        if needed:
            width, height = self._smallest
            self.update(self._said.format(w=size.width, h=size.height, W=width, H=height))
