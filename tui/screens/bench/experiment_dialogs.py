"""Choosing an experiment: the list of all, and the form for a new one, which becomes a TOML file."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

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
from tui.screens.dialogs.list_dialog import CARET, ListDialog
from tui.screens.dialogs.prompt import PathDialog
from tui.screens.navigation import navigator
from tui.storage.experiments import ExperimentEntry, experiments
from tui.storage.puzzle_files import path_of
from tui.widgets.rows import Row, Space, fit
from tui.widgets.text import wrapped

Limit = Literal["max_evaluations", "max_steps", "time_limit"]
LIMITS: dict[Limit, tuple[str, str]] = {"max_evaluations": ("1 000 000", "evaluations"),
                                        "max_steps": ("1 000 000", "steps"), "time_limit": ("10", "seconds")}
"""The limits of a run: initial value and unit."""
ABOUT = 2
"""Lines of what the highlighted experiment is about."""
NAME, EXPERIMENT_NAME = 26, 18
"""Columns of the names in the form and in the list."""
NEW, FILE = "new", "file"
"""Answers of the list that are no experiments."""


# The list


class ExperimentList(ListDialog[str]):
    """The experiments. The answer is the name of one, NEW or FILE."""

    heading = "Experiments", "enter runs or resumes   esc closes"
    about = (
        "An experiment runs solvers on puzzles, and compares how often and after how many steps they solve them.",
        "● was opened before: enter shows what it has and runs what is missing.",
        "new: a form, which becomes a TOML file. file: an experiment that you have written yourself.",
    )

    def __init__(self, experiments: Sequence[ExperimentEntry]) -> None:
        super().__init__()
        self._experiments = list(experiments)

    def answers(self) -> list[str]:
        return [*(each.name for each in self._experiments), NEW, FILE]

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        marked = [(each.title, _("your own") if each.own else "", each.begun, each.about)
                  for each in self._experiments]
        marked += [(_("new"), "", False, _("choose solvers, puzzles and runs")),
                   (_("file"), "", False, _("an experiment in a TOML file"))]
        return [self._line(*each, width, glyphs) for each in marked]

    def _line(self, title: str, own: str, begun: bool, about: str, width: int, glyphs: Glyphs) -> Row:
        text = f"{own}: {about}" if own and about else own or about
        mark = glyphs.playhead if begun else " "
        return ((f" {fit(title, EXPERIMENT_NAME, glyphs)} ", "strong"), (f"{mark} ", "data"),
                (fit(text, max(width - EXPERIMENT_NAME - 4, 0), glyphs), "text"))

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        whole = self._experiments[self.index].about if self.index < len(self._experiments) else ""
        lines = wrapped(whole, Space(width, ABOUT, glyphs))
        begun = _("was opened before; enter shows what it has and runs the rest")
        return [((f"{glyphs.playhead} ", "data"), (begun, "muted")),
                *map(tuple, lines), *[()] * (ABOUT - len(lines))]


# The form


class ExperimentDraft(Struct, frozen=True):
    """The values of the form."""

    name: str
    runs: str = "3"
    first: str = "5"
    """Number of puzzles of each pack."""
    limit: Limit = "max_evaluations"
    most: str = "1 000 000"
    packs: tuple[str, ...] = ("easy",)
    solvers: tuple[tuple[str, str], ...] = ()
    """(solver, preset), in the order of the registry."""

    @property
    def toml(self) -> str:
        """The experiment as a TOML file. Raises BadInput."""
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
    """An unused name for an experiment."""
    number = 1
    while (paths.experiments() / f"mine-{number}{SUFFIX}").exists():
        number += 1
    return f"mine-{number}"


def save_draft(draft: ExperimentDraft) -> Path:
    """Check an experiment and save it with the user's own. Raises BadInput, and then writes nothing."""
    for missing, error in ((not draft.name.strip(), _("the name is missing: type one")),
                        (not draft.packs, _("no pack selected: space selects one")),
                        (not draft.solvers, _("no solver selected: space selects one"))):
        if missing:
            raise BadInput(error)
    toml = draft.toml
    path = paths.experiments() / f"{text.file_name(draft.name) or 'mine'}{SUFFIX}"
    if access.checked(path).exists() and access.read_bytes(path) != toml.encode():
        raise BadInput(_("experiment {name} exists: type another name").format(name=draft.name))
    parts(parse(toml, draft.name), Source(draft.name, toml))
    write_whole(path, toml.encode(), make_folder=True)
    return path


ERROR = 2
"""Rows for what is wrong with the form."""
TYPED = ("name", "runs", "first", "limit")
"""The rows with a typed value."""
Entry = tuple[Literal["begin", "name", "runs", "first", "limit", "pack", "solver"], str]


class NewExperiment(ListDialog[str]):
    """The form. The answer is the path of the saved experiment."""

    heading = "New experiment", "enter selects   ← → change   type a value   esc closes"
    about = (
        "enter on begin saves the experiment as a TOML file and runs it.",
        "enter on a value goes to the next row. ← → on a number count down and up, on the limit they change its unit.",
        "enter or space selects a pack or a solver, or takes it out. ← → on a solver change its preset.",
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("left", "turn(-1)", show=False),
                                             Binding("right", "turn(1)", show=False)]

    def __init__(self, solvers: Sequence[str] = ("anneal",)) -> None:
        super().__init__()
        known = [registry.solver(name) for name in registry.names()]
        self._presets = {solver.name: tuple(solver.presets) or ("",) for solver in known if solver.missing() is None}
        self.draft = ExperimentDraft(free_name(), solvers=tuple((name, self._presets[name][0]) for name in solvers
                                                      if name in self._presets))
        self._before_typing = ""
        """The value that typing replaces: it comes back when all that was typed is erased."""
        self._entries: list[Entry] = [
            ("begin", ""), ("name", ""), ("runs", ""), ("first", ""), ("limit", ""),
            *(("pack", pack) for pack in packs.pack_names()), *(("solver", name) for name in self._presets)]

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        return [self._line(index, *entry, width, glyphs) for index, entry in enumerate(self._entries)]

    def _line(self, index: int, kind: str, name: str, width: int, glyphs: Glyphs) -> Row:
        title, value, role = self._texts(kind, name)
        if index == self.index and self.typed:
            value, role = self.typed + CARET, "strong"
        return ((f" {fit(title, NAME, glyphs)} ", "text"), (fit(value, max(width - NAME - 2, 0), glyphs), role))

    def _texts(self, kind: str, name: str) -> tuple[str, str, Role]:
        draft = self.draft
        if kind == "pack":
            return f"{'[x]' if name in draft.packs else '[ ]'} {_('pack')} {name}", "", "text"
        if kind == "solver":
            preset = dict(draft.solvers).get(name)
            shown = "" if preset is None else preset or _("no preset")
            return f"{'[ ]' if preset is None else '[x]'} {name}", shown, "muted" if preset is None else "strong"
        size = _("solvers: {solvers}   packs: {packs}").format(solvers=len(draft.solvers), packs=len(draft.packs))
        limit = f"{draft.most} {_(LIMITS[draft.limit][1])}"
        texts = {"begin": (_("begin"), size), "name": (_("name"), draft.name),
                 "runs": (_("runs of each puzzle"), draft.runs), "first": (_("puzzles of each pack"), draft.first),
                 "limit": (_("limit of a run"), limit)}
        return *texts[kind], "strong"

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        lines = [tuple(line) for line in wrapped(self.error, Space(width, ERROR, glyphs), "strong")]
        return [*lines, *[()] * (ERROR - len(lines))]

    # Changing

    def type(self, character: str) -> bool:
        kind, name = self._entries[self.index]
        if character == "?" and kind != "name":
            return False
        if character == " " and kind in ("pack", "solver"):
            self._toggle(kind, name)
        elif kind in TYPED:
            if not self.typed:
                self._before_typing = getattr(self.draft, self._field)
            self.typed += character
        return True

    @property
    def _field(self) -> str:
        """The field of the draft that the highlighted row shows."""
        kind, _name = self._entries[self.index]
        return "most" if kind == "limit" else kind

    def typing_changed(self) -> None:
        if self._entries[self.index][0] in TYPED:
            self.draft = replace(self.draft, **{self._field: self.typed or self._before_typing})

    def _toggle(self, kind: str, name: str) -> None:
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
        """Count up or down, take the next limit or preset, select a pack or not."""
        kind, name = self._entries[self.index]
        self.error = ""
        if kind == "begin":
            self.error = _("enter begins")
        elif kind == "name":
            self.error = _("type a name")
        elif kind in ("runs", "first"):
            self._count(kind, direction)
        elif kind == "limit":
            kinds = list(LIMITS)
            limit = kinds[(kinds.index(self.draft.limit) + direction) % len(kinds)]
            self.draft = replace(self.draft, limit=limit, most=LIMITS[limit][0])
        elif kind == "pack":
            self._toggle(kind, name)
        elif kind == "solver":
            now, presets = dict(self.draft.solvers), self._presets[name]
            if name not in now:
                self._toggle(kind, name)
            else:
                now[name] = presets[(presets.index(now[name]) + direction) % len(presets)]
                self.draft = replace(self.draft, solvers=tuple(now.items()))
        self.typed = ""
        self.refresh_rows()

    def _count(self, kind: str, direction: int) -> None:
        try:
            now = _whole("puzzles" if kind == "first" else kind, getattr(self.draft, kind))
        except BadInput as error:
            self.error = str(error)
        else:
            self.draft = replace(self.draft, **{kind: str(max(now + direction, 1))})

    def picked(self) -> None:
        kind, name = self._entries[self.index]
        self.typed = ""
        if kind in ("pack", "solver"):
            self._toggle(kind, name)
            return
        if kind in TYPED:
            self.move_to(self.index + 1)
            return
        try:
            self.leave(str(save_draft(self.draft)))
        except BadInput as error:
            self.error = str(error)


# Opening


def load_and_open(screen: AppScreen[Any], name: str) -> None:
    """Load an experiment in a thread, since some generate hundreds of puzzles, then open it."""
    def work() -> None:
        try:
            parts = load(name)
        except BadInput as error:
            then(partial(screen.announce, messages.refused(error)))
        else:
            request = BenchRequest(name, parts)
            then(lambda: screen.attempt(lambda: navigator(screen).open_bench(request)))

    def then(what: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the program has ended
            screen.app.call_from_thread(what)

    screen.announce(messages.message(_("OPENING"), _("loading experiment {name}"), name=Path(name).stem))
    threading.Thread(target=work, name="experiment", daemon=True).start()


def choose(screen: AppScreen[Any]) -> None:
    """Show the list, and open the experiment that is chosen."""
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


def compose_new(screen: AppScreen[Any]) -> None:
    """Show the form, and open the experiment that is made."""
    def composed(path: str | None) -> None:
        if path is not None:
            load_and_open(screen, path)

    screen.app.push_screen(NewExperiment(), composed)
