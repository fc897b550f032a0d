"""The list of experiments: those that ship, the learner's own, any file, or a new one."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import BadInput
from tui import messages
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.screens.asking import PathPrompt
from tui.screens.base import Keyed
from tui.screens.bench_lists import fitted
from tui.screens.bench_new import compose_new
from tui.screens.bench_opening import load_and_open
from tui.screens.sheet import Sheet
from tui.storage.experiments import Listed, listed
from tui.storage.puzzle_files import path_of
from tui.widgets.rows import Span

NAME = 18
NEW, FILE = "new", "file"
"""What is chosen where it is no experiment that there is."""


class ExperimentList(Sheet):
    """Answers with the name of an experiment, NEW or FILE."""

    def __init__(self, experiments: Sequence[Listed]) -> None:
        super().__init__()
        self._experiments = list(experiments)

    @property
    def heading(self) -> tuple[str, str]:
        return "Experiments", _("enter runs it, or goes on with it   esc closes")

    def listed(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        marked = [(each.title, _("your own") if each.own else "", each.begun, each.about)
                  for each in self._experiments]
        marked += [(_("new"), "", False, _("choose solvers, puzzles and runs")),
                   (_("file"), "", False, _("an experiment in a TOML file"))]
        return [self._line(*each, width, glyphs) for each in marked]

    def _line(self, title: str, own: str, begun: bool, about: str, width: int, glyphs: Glyphs) -> tuple[Span, ...]:
        said = f"{own}: {about}" if own and about else own or about
        mark = glyphs.current if begun else " "
        return ((f" {fitted(title, NAME, glyphs)} ", "strong"), (f"{mark} ", "data"),
                (fitted(said, max(width - NAME - 4, 0), glyphs), "text"))

    def below(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        return [((f"{glyphs.current} ", "data"), (_("there are results: they are shown, and what is missing is made"),
                                                  "muted"))]

    def picked(self) -> None:
        answers = [*(each.name for each in self._experiments), NEW, FILE]
        self.leave(answers[self.place])


def choose(screen: Keyed) -> None:
    """Ask for an experiment and open it."""
    def chosen(name: str | None) -> None:
        if name == NEW:
            compose_new(screen)
        elif name == FILE:
            screen.app.push_screen(PathPrompt(_("Experiment")), typed)
        elif name is not None:
            load_and_open(screen, name)

    def typed(path: str | None) -> None:
        if path is not None:
            try:
                load_and_open(screen, str(path_of(path)))
            except BadInput as error:
                screen.told(messages.refused(error))

    screen.app.push_screen(ExperimentList(list(listed())), chosen)
