"""The form of all parameters and knobs of a run, and the parsing of changes typed as `name = value`.

A value is checked while it is typed and becomes an intervention at the playhead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import ClassVar

from msgspec import Struct
from textual.binding import Binding, BindingType

from engine import params as parameters
from engine.errors import BadInput, ParameterError
from engine.params import Params, Value
from engine.solver import AnySolver, Knob
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.messages import value_text
from tui.screens.dialogs.list_dialog import CARET, ListDialog
from tui.widgets.rows import Row, clipped
from tui.widgets.text import broken

VALUE = 15
"""Columns of a value, at least."""
MOST_TYPED = 40


class Field(Struct, frozen=True):
    """One parameter or knob with its present value."""

    name: str
    symbol: str
    value: Value | None
    unit: str
    help: str
    expected: str
    live: bool
    """It can change during a run."""
    declared: parameters.Parameter | None
    """None for a knob."""
    bounds: tuple[float, float] = (0.0, 0.0)
    """Bounds of a knob; a parameter declares its own."""
    unless: str = ""
    """The condition under which it has an effect, if it has none now."""

    @property
    def label(self) -> str:
        """The symbol, and the name if they differ."""
        return self.name if self.symbol == self.name else f"{_(self.symbol)}  {self.name}"

    def read(self, typed: str, params: Params) -> Value:
        """Parse a value. Raises BadInput."""
        if self.declared is not None:
            changed: Value = getattr(parameters.changed(params, self.name, typed), self.name)
            return changed
        value = parse_number(self.name, typed)
        if not self.bounds[0] <= value <= self.bounds[1]:
            raise ParameterError(_("{name} = {typed}: expected {expected}").format(
                name=self.name, typed=typed, expected=self.expected))
        return value


def fields(solver: AnySolver, params: Params, knobs: Sequence[Value | None]) -> tuple[Field, ...]:
    """The rows: knobs with their present values, then parameters in the order of declaration."""
    turned = [_of_knob(knob, now) for knob, now in zip_longest(solver.knobs, knobs[:len(solver.knobs)])]
    declared = parameters.describe(type(params))
    return (*turned, *(Field(
        each.name, each.symbol, getattr(params, each.name), each.unit, each.help, each.expected, each.live, each,
        unless="" if parameters.has_effect(each, params) else parameters.condition(each, declared),
    ) for each in declared))


def _of_knob(knob: Knob, now: Value | None) -> Field:
    expected = _("a number from {low:g} to {high:g}").format(low=knob.minimum, high=knob.maximum)
    return Field(knob.name, knob.symbol, now, "", knob.help, expected, True, None, (knob.minimum, knob.maximum))


def parse_number(name: str, typed: str) -> float:
    """The number that was typed for a knob. Raises ParameterError."""
    try:
        value = float(typed.replace(" ", "").replace("_", "").replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ParameterError(_("{name} = {typed}: expected a number").format(name=name, typed=typed))
    return value


def with_equals(typed: str, solver: AnySolver, params: Params) -> str:
    """`set T 0.5`, in the words of the command palette, and `T 0.5` as `T = 0.5`; any other text unchanged."""
    found = re.fullmatch(r"\s*set\s+(\S+)\s+([^\s=].*)", typed) or re.fullmatch(r"\s*(\S+)\s+([-−+.\d].*)", typed)
    declared = parameters.describe(type(params))
    names = [*solver.by_hand, *(name for each in declared for name in (each.name, each.symbol)),
             *(name for knob in solver.knobs for name in (knob.name, knob.symbol))]
    return f"{found[1]} = {found[2]}" if found is not None and found[1] in names else typed


def parse_change(typed: str, solver: AnySolver, params: Params) -> tuple[str, Value]:
    """(name, value) of a change typed as `name = value`; the symbol is accepted for the name. Raises BadInput."""
    name, sign, value = (part.strip() for part in typed.partition("="))
    declared = parameters.describe(type(params))
    if not (name and sign and value):
        examples = [f"{each.name} = {parameters.written(getattr(params, each.name))}" for each in declared]
        raise ParameterError(_("{typed}: expected NAME = VALUE, as {example}").format(
            typed=typed, example=next(iter(examples), "T = 1")))
    for each in declared:
        if name in (each.name, each.symbol):
            return each.name, parameters.parse(each, value)
    for knob in solver.knobs:
        if name in (knob.name, knob.symbol):
            return knob.name, parse_number(name, value)
    if name in solver.by_hand:
        return name, value
    names = [*(each.name for each in declared), *(knob.name for knob in solver.knobs), *solver.by_hand]
    raise BadInput(_("no parameter {name}: expected one of {names}").format(name=name, names=", ".join(names)))


def _bounds(each: Field, room: int, glyphs: Glyphs) -> Row:
    """The values that a field takes, in `room` columns: in full, in short, without `from`, or as many whole words of
    that as fit."""
    long, short = each.expected, each.expected.partition("number ")[2] or each.expected
    if each.unless:
        long, short = (template.format(condition=each.unless) for template in (
            _("no effect unless {condition}"), _("only if {condition}")))
    elif not each.live:
        long = short = _("fixed during a run")
    least = short.removeprefix("from ")
    fitting = next((text for text in map(glyphs.text, (long, short, least)) if len(text) <= room), glyphs.text(short))
    return clipped(((fitting, "muted"),), room, glyphs)


def _explained(each: Field) -> str:
    """The meaning of a field, the values that it takes, and the condition for its effect where that does not hold."""
    text = _("{name}: {help}. Expected {expected}.").format(
        name=each.name, help=_(each.help) or each.name, expected=each.expected)
    return text + (" " + _("No effect unless {condition}.").format(condition=each.unless) if each.unless else "")


class ParameterForm(ListDialog[tuple[str, Value]]):
    """The form. Its answer is the (name, value) to set."""

    heading = "Parameters", "type a value, enter sets it   ← → choose   esc closes"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("left", "choose(-1)", show=False),
                                             Binding("right", "choose(1)", show=False)]

    def __init__(self, rows: tuple[Field, ...], params: Params) -> None:
        super().__init__(next((index for index, each in enumerate(rows) if each.live), 0))
        self._rows, self._params = rows, params

    @property
    def _field(self) -> Field:
        return self._rows[self.index]

    def listed(self, width: int, glyphs: Glyphs) -> list[Row]:
        return [self._line(place, each, width, glyphs) for place, each in enumerate(self._rows)]

    def _line(self, place: int, each: Field, width: int, glyphs: Glyphs) -> Row:
        editing = place == self.index and self.typed
        value = self.typed + CARET if editing else value_text(each.value)
        label, unit = (max(len(glyphs.text(text)) for text in texts) for texts in (
            [row.label for row in self._rows], [_(row.unit) for row in self._rows]))
        texts = (f" {glyphs.text(each.label):<{label}}  ", f"{glyphs.text(value):<{VALUE}} ",
                 f"{glyphs.text(_(each.unit)):<{unit}}  ")
        room = width - sum(map(len, texts))
        shown = each.live and not each.unless
        plain: Role = "text" if shown else "muted"
        return ((texts[0], plain), (texts[1], "strong" if shown else "muted"), (texts[2], "muted"),
                *_bounds(each, room, glyphs))

    def below(self, width: int, glyphs: Glyphs) -> list[Row]:
        helps = [broken(glyphs.text(_explained(each)), width) for each in self._rows]
        most = max(map(len, helps))
        lines = (broken(glyphs.text(self.error), width) if self.error else helps[self.index])[:most]
        lines += [""] * (most - len(lines))
        return [((line, "strong" if self.error else "text"),) for line in lines]

    def type(self, character: str) -> bool:
        if character == "?":
            return False
        if not self._field.live:
            self._refuse()
        elif len(self.typed) < MOST_TYPED and (self.typed or character != " "):
            self.typed += character
        return True

    def typing_changed(self) -> None:
        name = self.typed[:-1].strip() if self.typed.endswith("=") else ""
        found = [place for place, each in enumerate(self._rows) if name and name in (each.name, each.symbol)]
        if found:  # `name = value` selects that row
            self.move_to(found[0])
        elif self.typed:
            self.error = self._mistake()

    def _mistake(self) -> str:
        """The error in the typed value, as one sentence; empty if there is none."""
        try:
            self._field.read(self.typed, self._params)
        except BadInput as error:
            return str(error)
        return ""

    def _refuse(self) -> None:
        """Say that the highlighted parameter is fixed."""
        self.error = _("{name} cannot change during a run: start a new run").format(name=self._field.name)
        self.refresh_rows()

    def action_choose(self, direction: int) -> None:
        """Select the next value of a parameter with a fixed set of values."""
        declared = self._field.declared
        choices = () if declared is None else declared.choices or (("no", "yes") if declared.type is bool else ())
        if not self._field.live:
            self._refuse()
        elif not choices:
            self.error = _("{name} has no list of values: type one").format(name=self._field.name)
            self.refresh_rows()
        else:
            now = self.typed if self.typed in choices else value_text(self._field.value)
            at = choices.index(now) if now in choices else 0
            self.typed = choices[(at + direction) % len(choices)]
            self.typing_changed()
            self.refresh_rows()

    def picked(self) -> None:
        self.error = self._mistake() if self.typed else self.error
        if self.typed and not self.error:
            self.leave((self._field.name, self._field.read(self.typed, self._params)))
