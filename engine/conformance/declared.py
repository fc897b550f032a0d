"""Laws of declarations: names, texts, program, parameters, channels, knobs."""

from __future__ import annotations

import re
from typing import get_args

from engine import params as parameters
from engine.conformance import cases
from engine.conformance.cases import Nonconformance, require
from engine.errors import BadInput
from engine.events import Event
from engine.params import Parameter, Params
from engine.solver import AnySolver, Knob
from engine.view import Line, Role

FAMILIES = ("annealing", "population", "exact", "symbolic", "human", "inference")
PROGRAM_WIDTH = 31
"""Columns for a line of the program beside a number of one digit, on a screen of 80 or 120 columns."""
TITLE_WIDTH = 32
"""Columns for a title in the list of solvers on a screen of 80 columns."""
MOST_STEPS = 250
"""Steps after which two runs count as equal."""
ROLES = ("energy", "best", "worst", "temperature", "share", "depth")


def names_and_texts(solver: AnySolver) -> None:
    """Name, title, family and summary are there and well-formed."""
    require(bool(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", solver.name)),
            f"name {solver.name!r}: expected lower-case letters, digits and -")
    require(bool(solver.title.strip()), "the title is empty")
    require(len(solver.title) <= TITLE_WIDTH,
            f"the title has {len(solver.title)} columns: expected {TITLE_WIDTH} at most")
    require(solver.family in FAMILIES, f"family {solver.family!r}: expected one of {', '.join(FAMILIES)}")
    require(solver.summary.endswith("."), "the summary does not end with a full stop")
    counts = solver.energy_counts
    require(bool(counts) and not counts.endswith("."),
            "energy_counts is not the end of a sentence without its full stop")
    require(all(type(text) is str and text for text in solver.references), "a reference is not a text")
    require(bool(solver.step_word), "step_word is empty")
    require(solver.speed > 0, "speed is not above 0")
    require(bool(solver.period_word) == bool(solver.period_kind), "period_word and period_kind go together")
    require(solver.trajectory >= 1 and solver.checkpoint_stride >= 1, "trajectory and checkpoint_stride are 1 or more")


def program_is_readable(solver: AnySolver) -> None:
    """The pseudo-code has lines with unique ids, each as wide as the pane or narrower. Beside numbers of two digits
    there is one column less."""
    ids = [line.id for line in solver.program]
    require(bool(ids) and all(type(line) is Line for line in solver.program), "there is no program")
    require(len(ids) == len(set(ids)), "two lines of the program share an id")
    room = PROGRAM_WIDTH + 1 - len(str(len(ids)))
    for line in solver.program:
        require(bool(line.text.strip()), f"program line {line.id!r} is empty")
        require(len(line.text) <= room,
                f"program line {line.id!r} has {len(line.text)} columns: expected {room} at most")


def parameters_are_declared(solver: AnySolver) -> None:
    """Every parameter has a help text, every int a unit; defaults are within bounds, and every preset builds."""
    require(bool(solver.presets), "there is no preset")
    for each in parameters.describe(solver.Params):
        require(bool(each.help), f"parameter {each.name} has no help")
        require(bool(each.unit) or each.type is not int, f"parameter {each.name} is an int without a unit")
        parameters.build(solver.Params, {each.name: each.default})
    for preset in solver.presets:
        made = solver.make_params(preset)
        again = parameters.build(solver.Params, parameters.to_dict(made))
        require(made == again, f"preset {preset} is not rebuilt from its values")
    require(solver.make_params() == solver.make_params(next(iter(solver.presets))), "the first preset is the default")


def parameters_without_effect_have_none(solver: AnySolver) -> None:
    """Another value of a parameter gives the same events where it declares to have no effect."""
    if solver.recorded:  # two runs of it may differ in any case
        return
    declared = {each.name: each for each in parameters.describe(solver.Params)}
    for each in declared.values():
        for name, values in each.where:
            require(name in declared and name != each.name, f"the effect of {each.name} depends on {name}")
            for value in _values(declared[name]):
                if value not in values:
                    start = parameters.changed(solver.make_params(), name, value)
                    require(_events(solver, start) == _events(solver, _with_another(start, each)),
                            f"{each.name} has an effect where {name} = {value}")


def _values(parameter: Parameter) -> tuple[str, ...]:
    require(bool(parameter.choices) or parameter.type is bool, f"{parameter.name} has no list of values")
    return parameter.choices or ("no", "yes")


def _with_another(params: Params, parameter: Parameter) -> Params:
    """A copy with another value of one parameter."""
    value = getattr(params, parameter.name)
    for other in parameter.choices or (value * 2, value // 2, value / 2):
        if other != value:
            try:
                return parameters.changed(params, parameter.name, other)
            except BadInput:
                continue
    raise Nonconformance(f"parameter {parameter.name} has no other value than {value}")


def _events(solver: AnySolver, params: Params) -> list[tuple[Event, ...]]:
    return list(cases.take(solver.steps(solver.init(cases.NINE, params, cases.SEED), params), MOST_STEPS))


def kinds_are_declared(solver: AnySolver) -> None:
    """If `kinds` is declared, it has every kind of event that occurs, once."""
    require(len(set(solver.kinds)) == len(solver.kinds), f"kinds has a duplicate: {', '.join(solver.kinds)}")
    require(not solver.inner_kind or solver.inner_kind in solver.kinds,
            f"inner_kind is {solver.inner_kind!r}, but kinds does not have it")
    for kind, word in solver.kind_words.items():
        require(kind in solver.kinds and bool(word.strip()),
                f"kind_words has {kind}: {word!r}, but kinds does not have it")
    for log in cases.logs(solver) if solver.kinds else ():
        missing = sorted(set(log.kinds()) - set(solver.kinds))
        require(not missing, f"{log}: kinds lacks {', '.join(missing)}")


def marks_have_sentences(solver: AnySolver) -> None:
    """The keys of `mark_words` are roles of marks, and each meaning is a whole sentence."""
    for role, words in solver.mark_words.items():
        require(role in get_args(Role), f"mark_words has {role}, which is no role of a mark")
        require(words[:1].isupper() and words.endswith("."), f"mark_words has {role}: {words!r}, which is no sentence")


def channels_and_knobs_are_declared(solver: AnySolver) -> None:
    """Exactly one channel is the energy; knobs have a range and no name of a parameter."""
    keys = [channel.key for channel in solver.channels]
    require(len(keys) == len(set(keys)), "two channels share a key")
    require([channel.role for channel in solver.channels].count("energy") == 1, "exactly one channel is the energy")
    require(all(channel.role in ROLES and channel.label for channel in solver.channels), "a channel has no role")
    for preset in solver.presets:
        wanted = solver.channels_for(solver.make_params(preset))
        require([(each.key, each.role) for each in wanted] == [(each.key, each.role) for each in solver.channels],
                f"preset {preset} changes more than the scales of the channels")
        require([line.id for line in solver.program_for(solver.make_params(preset))] == [
            line.id for line in solver.program], f"preset {preset} changes more than the texts of the program")
    declared = {each.name for each in parameters.describe(solver.Params)}
    for knob in solver.knobs:
        require(type(knob) is Knob and knob.minimum < knob.maximum and knob.ratio > 1, f"knob {knob.name} has no range")
        require(knob.name not in declared, f"knob {knob.name} has the name of a parameter")
    taken = declared | {knob.name for knob in solver.knobs}
    require(not taken & set(solver.by_hand), "by_hand has the name of a parameter or a knob")


CHECKS = (
    names_and_texts, program_is_readable, parameters_are_declared, parameters_without_effect_have_none,
    channels_and_knobs_are_declared, kinds_are_declared, marks_have_sentences,
)
