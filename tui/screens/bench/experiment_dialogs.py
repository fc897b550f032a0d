"""A new experiment: a form of runs, limit, packs and solvers. It is kept as a TOML file like those that ship."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace
from textual.binding import Binding, BindingType

from engine import registry, text
from engine.bench.experiment_file import SUFFIX, load, parse, parts
from engine.bench.toml_schema import Source
from engine.errors import BadInput
from engine.files import access
from engine.files.atomic import write_whole
from engine.puzzles import packs
from tui import messages
from tui.config import paths
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.requests import BenchRequest
from tui.screens.base import AppScreen
from tui.screens.bench.dialogs import fitted
from tui.screens.dialogs.list_dialog import CARET, ListDialog
from tui.screens.dialogs.prompt import PathDialog
from tui.screens.navigation import navigator
from tui.storage.experiments import ExperimentEntry, experiments
from tui.storage.puzzle_files import path_of
from tui.widgets.rows import Span

# Opening an experiment, while the screen that asks for it goes on.


def load_and_open(screen: AppScreen, name: str) -> None:
    """Open an experiment once it is worked out, in a thread: some make hundreds of puzzles."""
    def work() -> None:
        try:
            parts = load(name)
        except BadInput as error:
            then(partial(screen.announce, messages.refused(error)))
        else:
            wish = BenchRequest(name, parts)
            then(lambda: screen.attempt(lambda: navigator(screen).open_bench(wish)))

    def then(what: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the program has ended meanwhile
            screen.app.call_from_thread(what)

    screen.announce(messages.message(_("OPENING"), _("the experiment {name} is worked out"), name=Path(name).stem))
    threading.Thread(target=work, name="experiment", daemon=True).start()


Limit = Literal["max_evaluations", "max_steps", "time_limit"]
LIMITS: dict[Limit, tuple[str, str]] = {"max_evaluations": ("1 000 000", "candidates weighed"),
                                        "max_steps": ("1 000 000", "steps"), "time_limit": ("10", "seconds")}
"""What a run can be limited by: how much at first, and its unit."""
NAME = 26


class Draft(Struct, frozen=True):
    """An experiment that is being put together."""

    name: str
    runs: str = "3"
    first: str = "5"
    """Puzzles of each pack."""
    limit: Limit = "max_evaluations"
    most: str = "1 000 000"
    packs: tuple[str, ...] = ("easy",)
    solvers: tuple[tuple[str, str], ...] = ()
    """(solver, preset), in the order of the registry."""

    @property
    def toml(self) -> str:
        """As a file."""
        lines = [f"name = {_quoted(self.name)}", f"runs = {_whole('runs', self.runs)}",
                 f"{self.limit} = {_number(self.limit, self.most)}"]
        for pack in self.packs:
            lines += ["", "[[puzzles]]", f"sources = [{_quoted(pack)}]", f"first = {_whole('puzzles', self.first)}"]
        for solver, preset in self.solvers:
            lines += ["", "[[solvers]]", f"solver = {_quoted(solver)}"]
            lines += [f"preset = {_quoted(preset)}"] if preset else []
        return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def _whole(name: str, typed: str) -> int:
    digits = typed.replace(" ", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and int(digits)):
        raise BadInput(_("{name} = {typed}: expected a whole number from 1 on").format(name=name, typed=typed))
    return int(digits)


def _number(name: str, typed: str) -> str:
    try:
        value = float(typed.replace(" ", "").replace("_", ""))
    except ValueError:
        value = 0.0
    if not 0 < value <= 1e18:
        raise BadInput(_("{name} = {typed}: expected a number above 0").format(name=name, typed=typed))
    return f"{value:.17g}"


def free_name() -> str:
    """A name that no file has yet."""
    number = 1
    while (paths.experiments() / f"mine-{number}{SUFFIX}").exists():
        number += 1
    return f"mine-{number}"


def kept(draft: Draft) -> Path:
    """The draft as a file with the learner's experiments, once it has been worked out. Raises BadInput for what it
    lacks, and then nothing is written."""
    for lacks, said in ((not draft.name.strip(), _("it has no name: type one")),
                        (not draft.packs, _("no pack is chosen: space chooses one")),
                        (not draft.solvers, _("no solver is chosen: space chooses one"))):
        if lacks:
            raise BadInput(said)
    toml = draft.toml
    path = paths.experiments() / f"{text.file_name(draft.name) or 'mine'}{SUFFIX}"
    if access.checked(path).exists() and access.read_bytes(path) != toml.encode():
        raise BadInput(_("there is an experiment {name} already: type another name").format(name=draft.name))
    parts(parse(toml, str(path)), Source(str(path), toml))
    write_whole(path, toml.encode(), make_folder=True)
    return path


Entry = tuple[Literal["begin", "name", "runs", "first", "limit", "pack", "solver"], str]


class NewExperiment(ListDialog[str]):
    """Answers with the path of an experiment."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("left", "turn(-1)", show=False),
                                             Binding("right", "turn(1)", show=False)]

    def __init__(self, solvers: Sequence[str] = ("anneal",)) -> None:
        super().__init__()
        known = [registry.solver(name) for name in registry.names()]
        self._presets = {solver.name: tuple(solver.presets) or ("",) for solver in known if solver.missing() is None}
        self.draft = Draft(free_name(), solvers=tuple((name, self._presets[name][0]) for name in solvers
                                                      if name in self._presets))
        self._entries: list[Entry] = [
            ("begin", ""), ("name", ""), ("runs", ""), ("first", ""), ("limit", ""),
            *(("pack", pack) for pack in packs.pack_names()), *(("solver", name) for name in self._presets)]

    @property
    def heading(self) -> tuple[str, str]:
        return "New experiment", _("space or enter chooses   ← → change   type a value   esc closes")

    def listed(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        return [self._line(place, *entry, width, glyphs) for place, entry in enumerate(self._entries)]

    def _line(self, place: int, kind: str, name: str, width: int, glyphs: Glyphs) -> tuple[Span, ...]:
        title, value, role = self._texts(kind, name)
        if place == self.index and self.typed:
            value, role = self.typed + CARET, "strong"
        return ((f" {fitted(title, NAME, glyphs)} ", "text"), (fitted(value, max(width - NAME - 2, 0), glyphs), role))

    def _texts(self, kind: str, name: str) -> tuple[str, str, Role]:
        draft = self.draft
        if kind == "pack":
            return f"{'[x]' if name in draft.packs else '[ ]'} {_('pack')} {name}", "", "text"
        if kind == "solver":
            preset = dict(draft.solvers).get(name)
            shown = "" if preset is None else preset or _("its parameters")
            return f"{'[ ]' if preset is None else '[x]'} {name}", shown, "muted" if preset is None else "strong"
        size = _("solvers: {solvers}   packs: {packs}").format(solvers=len(draft.solvers), packs=len(draft.packs))
        limit = f"{draft.most} {_(LIMITS[draft.limit][1])}"
        texts = {"begin": (_("begin"), size), "name": (_("name"), draft.name),
                 "runs": (_("runs of each puzzle"), draft.runs), "first": (_("puzzles of each pack"), draft.first),
                 "limit": (_("limit of a run"), limit)}
        return *texts[kind], "strong"

    def below(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        return [((glyphs.text(self.error), "strong"),)]

    # Changing

    def type(self, character: str) -> bool:
        kind, name = self._entries[self.index]
        if character == " " and kind in ("pack", "solver"):
            self._choose(kind, name)
        elif kind in ("name", "runs", "first", "limit"):
            self.typed += character
        return True

    def typing_changed(self) -> None:
        kind, _name = self._entries[self.index]
        field = "most" if kind == "limit" else kind
        if self.typed and kind in ("name", "runs", "first", "limit"):
            self.draft = replace(self.draft, **{field: self.typed})

    def _choose(self, kind: str, name: str) -> None:
        draft = self.draft
        if kind == "pack":
            wanted = {*draft.packs} ^ {name}
            self.draft = replace(draft, packs=tuple(each for each in packs.pack_names() if each in wanted))
        else:
            now = dict(draft.solvers)
            if now.pop(name, None) is None:
                now[name] = self._presets[name][0]
            self.draft = replace(draft, solvers=tuple((each, now[each]) for each in self._presets if each in now))

    def action_turn(self, direction: int) -> None:
        """The next limit, the next preset; a pack is chosen or not."""
        kind, name = self._entries[self.index]
        if kind == "limit":
            kinds = list(LIMITS)
            limit = kinds[(kinds.index(self.draft.limit) + direction) % len(kinds)]
            self.draft = replace(self.draft, limit=limit, most=LIMITS[limit][0])
        elif kind == "pack":
            self._choose(kind, name)
        elif kind == "solver":
            now, presets = dict(self.draft.solvers), self._presets[name]
            if name not in now:
                self._choose(kind, name)
            else:
                now[name] = presets[(presets.index(now[name]) + direction) % len(presets)]
                self.draft = replace(self.draft, solvers=tuple(now.items()))
        self.typed = ""
        self.refresh_rows()

    def picked(self) -> None:
        kind, name = self._entries[self.index]
        self.typed = ""
        if kind in ("pack", "solver"):
            self._choose(kind, name)
            return
        try:
            self.leave(str(kept(self.draft)))
        except BadInput as error:
            self.error = str(error)


def compose_new(screen: AppScreen) -> None:
    """Put an experiment together and open it."""
    def composed(path: str | None) -> None:
        if path is not None:
            load_and_open(screen, path)

    screen.app.push_screen(NewExperiment(), composed)


# The list of experiments: those that ship, the learner's own, any file, or a new one.


EXPERIMENT_NAME = 18
NEW, FILE = "new", "file"
"""What is chosen where it is no experiment that there is."""


class ExperimentList(ListDialog[str]):
    """Answers with the name of an experiment, NEW or FILE."""

    def __init__(self, experiments: Sequence[ExperimentEntry]) -> None:
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
        return ((f" {fitted(title, EXPERIMENT_NAME, glyphs)} ", "strong"), (f"{mark} ", "data"),
                (fitted(said, max(width - EXPERIMENT_NAME - 4, 0), glyphs), "text"))

    def below(self, width: int, glyphs: Glyphs) -> list[tuple[Span, ...]]:
        return [((f"{glyphs.current} ", "data"), (_("there are results: they are shown, and what is missing is made"),
                                                  "muted"))]

    def picked(self) -> None:
        answers = [*(each.name for each in self._experiments), NEW, FILE]
        self.leave(answers[self.index])


def choose(screen: AppScreen) -> None:
    """Ask for an experiment and open it."""
    def chosen(name: str | None) -> None:
        if name == NEW:
            compose_new(screen)
        elif name == FILE:
            screen.app.push_screen(PathDialog(_("Experiment")), typed)
        elif name is not None:
            load_and_open(screen, name)

    def typed(path: str | None) -> None:
        if path is not None:
            try:
                load_and_open(screen, str(path_of(path)))
            except BadInput as error:
                screen.announce(messages.refused(error))

    screen.app.push_screen(ExperimentList(list(experiments())), chosen)
