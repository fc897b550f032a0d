"""Bases of the screens: key table, footer, help, palette, the placing of panes, and the verdict line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.widgets import Static

from engine import text
from engine.errors import BadInput
from engine.view import Sentence
from tui import messages
from tui.i18n import _
from tui.keys.default_keys import Key, key_text
from tui.keys.footer_hints import FooterHint
from tui.keys.keymap import KeyChanges, KeyTable
from tui.look import THEMES
from tui.look.theme import Look, Role
from tui.requests import HomeRequest
from tui.screens.navigation import navigator
from tui.widgets.footer import Footer, KeyHint
from tui.widgets.pane import AppWidget
from tui.widgets.rows import Space
from tui.widgets.text import MessagePane
from tui.widgets.verdict import Verdict, VerdictLayout, is_cut

if TYPE_CHECKING:
    from tui.screens.dialogs.command_palette import Command
    from tui.screens.dialogs.help import Topic
    from tui.screens.dialogs.pager import PageMaker

Name = TypeVar("Name", bound=str)
"""The names of a screen's panes in its layout."""
LONGEST_NAME = 160
"""Characters of the name of a picture: room for a title that ends with a seed and a step."""


class AppScreen(Screen[Any], Generic[Name]):
    """A screen of panes with a key table, a footer, help and a command palette.

    Subclasses declare `KEYS`, `FOOTER_HINTS`, `LEAST_SIZE` and `TOO_SMALL`, implement `panes`, `regions_for` and
    `conditions`, and call `show_footer` when the conditions may have changed.
    """

    KEYS: ClassVar[tuple[Key, ...]] = ()
    FOOTER_HINTS: ClassVar[tuple[FooterHint, ...]] = ()
    HAS_BOARD: ClassVar[bool] = True
    """The help explains the marks on boards."""
    ASKS: ClassVar[bool] = False
    """The marks on the board are those of answers, not of steps."""
    LEAST_SIZE: ClassVar[tuple[int, int]] = (1, 1)
    """Columns and rows of the smallest window that has a layout."""
    TOO_SMALL: ClassVar[str] = ""
    """The text in a smaller window, with the fields {w} x {h}, the window, and {W} x {H}, the smallest one."""

    footer: Footer
    _footer_shown: object = None
    """The values that the footer was made from."""

    def __init__(self) -> None:
        super().__init__()
        self._inherited = self._bindings
        self.use_keys({})
        self.too_small = Static("", id="too-small")
        self.regions: Mapping[Name, Region] = {}
        """The regions of the panes; empty if the window is too small."""

    @property
    @abstractmethod
    def panes(self) -> Mapping[Name, AppWidget]:
        """The panes by their names in the layout."""

    @abstractmethod
    def regions_for(self, width: int, height: int) -> Mapping[Name, Region]:
        """The layout for a size of the window; empty below the smallest size."""

    def compose(self) -> ComposeResult:
        if changes := navigator(self).key_changes:
            self.use_keys(changes)
        yield from self.panes.values()
        yield self.too_small

    def use_keys(self, changes: KeyChanges) -> None:
        """Apply the user's keys, checked before, to the key table and bind the result."""
        self.table = KeyTable(self.KEYS).remapped(changes)
        own = BindingsMap(Binding(key.keys, key.action, show=False) for key in self.table.keys)
        others = {key: held for key, held in self._inherited.key_to_bindings.items() if key not in own.key_to_bindings}
        self._bindings = BindingsMap.from_keys({**others, **own.key_to_bindings})

    def on_mount(self) -> None:
        self.show_footer()

    def on_resize(self, event: events.Resize) -> None:
        self.place_panes(event.size)

    def place_panes(self, size: Size) -> None:
        """Arrange the panes for this size of the window."""
        self.regions = self.regions_for(size.width, size.height)
        for name, pane in self.panes.items():
            pane.place(self.regions.get(name))
        self.too_small.display = not self.regions
        if not self.regions:
            width, height = self.LEAST_SIZE
            self.too_small.update(_(self.TOO_SMALL).format(w=size.width, h=size.height, W=width, H=height))

    # For subclasses

    def conditions(self) -> Mapping[str, bool]:
        """The conditions of the footer hints, and whether each holds now."""
        return {}

    def placeholders(self) -> dict[str, str]:
        """Values of {knob}, {period} and the like in the texts of the key table."""
        return {}

    def idle_actions(self) -> frozenset[str]:
        """The names of the actions that do nothing on this screen as it is; the help and the palette omit them."""
        return frozenset()

    def help_title(self) -> str:
        """Title of the help page."""
        return self.file_title()

    def help_now(self) -> Sequence[str]:
        """Sentences about the present state of the screen, for the top of the help page."""
        return ()

    def help_about(self) -> Sequence[str]:
        """A heading and paragraphs for the end of the help page."""
        return ()

    def file_title(self) -> str:
        """Title of files made from the screen: `anneal hard 1 seed 7`."""
        return self.title or ""

    def home_request(self) -> HomeRequest:
        """Preselection for Home, with which another run would start."""
        return HomeRequest()

    def announce(self, notice: Sentence) -> None:
        """Show a message of the program."""

    # Footer and look

    def available(self) -> frozenset[str]:
        """The conditions that hold now."""
        return frozenset(name for name, holds in self.conditions().items() if holds)

    def show_footer(self) -> None:
        """Update the footer to the conditions that hold now; while a text is typed, `?` and `q` are letters of it."""
        glyphs = self.footer.glyphs
        now = (self.table, glyphs, self.available(), self.placeholders())
        if now == self._footer_shown:
            return
        self._footer_shown = now
        always = () if "typing" in self.available() else (("help", "help"), ("quit", "quit"))
        self.footer.show(list(self._footer_hints()),
                         [KeyHint(key_text(self.table.shown(name), glyphs), word, self.table.named[name].action)
                          for name, word in always if name in self.table.named])

    def _footer_hints(self) -> Iterator[KeyHint]:
        """Every hint whose conditions hold; a name in it is left out where it has no room."""
        glyphs, words = self.footer.glyphs, self.placeholders()
        for shown, word, action in self.table.hints(self.FOOTER_HINTS, self.available()):
            template = _(word)
            plain = template.partition(" {")[0]
            yield KeyHint(key_text(shown, glyphs), template.format_map(words), action,
                          plain if plain != template else "")

    @on(Footer.Pressed)
    async def _run_hint(self, event: Footer.Pressed) -> None:
        await self.run_action(event.action)

    def set_look(self, look: Look) -> None:
        """Redraw every pane with these styles and glyphs."""
        for widget in self.walk_children(AppWidget):
            widget.set_look(look)
        self.show_footer()

    # Actions of every screen

    def attempt(self, operation: Callable[[], object]) -> None:
        """Run an operation; announce the BadInput that it raises."""
        try:
            operation()
        except BadInput as error:
            self.announce(messages.refused(error))

    def action_open_file(self) -> None:
        """Ask for a path and open the file."""
        from tui.screens.dialogs.prompt import PathDialog

        def answered(typed: str | None) -> None:
            if typed is not None:
                self.attempt(lambda: self.open_path(typed))

        self.app.push_screen(PathDialog(_("Open")), answered)

    def open_path(self, typed: str) -> None:
        """Open the file at a typed path. Raises BadInput."""
        from tui.storage.puzzle_files import path_of

        navigator(self).open_file(path_of(typed), self.home_request())

    def action_quit(self) -> None:
        self.app.exit()

    def action_light(self) -> None:
        navigator(self).toggle_light()

    def action_contrast(self) -> None:
        navigator(self).toggle_contrast()

    def action_ascii(self) -> None:
        navigator(self).toggle_ascii()

    def help_panes(self) -> Sequence[tuple[str, PageMaker]]:
        """The panes of the screen that can be explained, with the pages that do."""
        return ()

    def action_help(self) -> None:
        from tui.screens.dialogs.help import Help

        self.app.push_screen(Help(self._topic(), self.help_panes()))

    def renew_help(self) -> None:
        """Show the present state of the screen in the help that is open in front of it."""
        if self.is_current:
            return
        from tui.screens.dialogs.help import Help, PaneHelp

        for screen in self.app.screen_stack:
            match screen:
                case Help():
                    screen.renew(self._topic(), self.help_panes())
                case PaneHelp():
                    screen.renew(self.help_panes())

    def _topic(self) -> Topic:
        from tui.screens.dialogs.help import Topic

        mistake, now = navigator(self).mistake, self.help_now()
        if mistake:
            now = [_("The settings: {mistake}.").format(mistake=mistake), *now]
        hints = [(each.key, each.does) for each in self._footer_hints()]
        return Topic(self.help_title(), now, hints, self.table, self.placeholders(), self.help_about(), self.HAS_BOARD,
                     self.ASKS, self.idle_actions())

    def action_picture(self) -> None:
        """Save a picture of the screen."""
        from tui.config import paths
        from tui.look import screenshot

        title = self.file_title()
        drawn = screenshot.svg(self.app, navigator(self).look.palette, title)
        name = text.file_name(f"sudoku-tui {title}"[:LONGEST_NAME])
        self.attempt(lambda: self.announce(messages.saved(str(screenshot.save(drawn, paths.pictures(), name)))))

    def action_commands(self) -> None:
        """Open the command palette."""
        from tui.screens.dialogs.command_palette import CommandPalette

        def chosen(command: Command | None) -> None:
            if command is not None:
                self.call_next(command.run)

        self.app.push_screen(CommandPalette(list(self.commands()), self.typed_command), chosen)

    def commands(self) -> Iterator[Command]:
        """Commands of the palette: every key of the table and the themes; subclasses add theirs."""
        from tui.screens.dialogs.command_palette import Command

        words, left_out = self.placeholders(), {"commands", *self.idle_actions()}
        for key in self.table.commands():
            if key.action_name not in left_out:
                yield Command(key.action_name.replace("-", " "), _(key.does).format_map(words),
                              partial(self.run_action, key.action), self.table.shown(key.action_name),
                              tuple(_(hint.word).format_map(words) for hint in self.FOOTER_HINTS
                                    if key.action_name in hint.names))
        for theme in THEMES:
            yield Command(f"theme {theme}", _("colours of the screen"), partial(navigator(self).set_theme, theme))

    def typed_command(self, typed: str) -> Command | None:
        """The command that a typed line spells out (`alpha = 0.99`), if the screen has such."""
        return None


class VerdictScreen(AppScreen[Name]):
    """A screen with a verdict line. A message that it has no room for is shown over the panes below it."""

    def __init__(self, layout: VerdictLayout) -> None:
        super().__init__()
        self.verdict, self.message = Verdict(layout), MessagePane()

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield self.message

    def fits(self, sentence: Sentence) -> bool:
        """Test that the verdict line has room for a sentence."""
        region, layout = self.verdict.placed, self.verdict.verdict_layout
        return region is None or not is_cut(sentence, Space(*region.size, self.verdict.glyphs), layout.longest)

    def show_sentence(self, sentence: Sentence | None, ground: Role, whole: bool = True,
                      because: Sentence | None = None, passing: bool = False) -> None:
        """Show a sentence and its reason in the verdict line; `ground`: that of its badge; `whole`: show it below if it
        does not fit; `passing`: the next step replaces the reason before it can be read."""
        self.verdict.verdict_layout.ground = ground
        self.verdict.show(sentence, because, passing)
        too_long = whole and sentence is not None and not self.fits(sentence)
        if too_long and sentence is not None and self.verdict.placed is not None:
            self.message.styles.offset, self.message.styles.width = (0, self.verdict.placed.y), self.size.width
            self.message.show(sentence.badge, messages.one_sentence(sentence))
        self.message.display = too_long
