"""A parameter is declared once: everything derived from the declaration, and refused values."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadInput, ParameterError, UnknownName
from engine.params import (
    About,
    Meta,
    Parameter,
    Params,
    build,
    changed,
    condition,
    describe,
    has_effect,
    parse,
    to_dict,
    written,
)


class Sample(Params, frozen=True):
    swaps: Annotated[int, Meta(ge=1, le=1_000_000), About("swaps", "how many", "N")] = 10_000
    alpha: Annotated[float, Meta(gt=0, lt=1), About("", "the factor", "α")] = 0.99
    floor: Annotated[float, Meta(ge=0), About("E", "the lowest T")] = 0.0
    strict: Annotated[bool, About("", "only better ones")] = True
    rule: Annotated[Literal["hold", "restart"], About("", "at the floor", live=False)] = "hold"
    note: Annotated[str, About("", "a word")] = ""
    any_whole: Annotated[int, About("steps", "unbounded")] = 0

    def __post_init__(self) -> None:
        if self.rule == "restart" and not self.strict:
            raise ValueError("rule = restart needs strict = yes")


FIELDS = {each.name: each for each in describe(Sample)}


class Conditional(Params, frozen=True):
    rule: Annotated[Literal["constant", "linear", "adaptive"], About("", "how T falls")] = "linear"
    strict: Annotated[bool, About("", "only better ones")] = True
    alpha: Annotated[float, About("", "the factor", where=(
        ("rule", ("linear", "adaptive")), ("strict", ("yes",)), ("absent", ("never",))))] = 0.5


def test_a_parameter_has_an_effect_where_its_conditions_hold() -> None:
    alpha = describe(Conditional)[2]
    assert condition(alpha) == "rule = linear or adaptive, strict = yes", "no parameter is called absent"
    assert has_effect(alpha, Conditional())
    assert not has_effect(alpha, Conditional(rule="constant"))
    assert not has_effect(alpha, Conditional(strict=False))
    assert condition(describe(Conditional)[0]) == ""
    assert condition(alpha, describe(Conditional)).startswith("rule ≠ constant"), "the only choice that is left out"


def test_declarations_are_described() -> None:
    swaps, alpha, rule = FIELDS["swaps"], FIELDS["alpha"], FIELDS["rule"]
    assert (swaps.type, swaps.default, swaps.minimum, swaps.maximum, swaps.unit) == (int, 10_000, 1, 1_000_000, "swaps")
    assert (alpha.exclusive_minimum, alpha.exclusive_maximum, alpha.symbol) == (True, True, "α")
    assert (rule.choices, rule.type, rule.live) == (("hold", "restart"), str, False)
    assert FIELDS["floor"].symbol == "floor"
    assert list(FIELDS) == list(Sample.__struct_fields__)


@pytest.mark.parametrize(("name", "expected"), [
    ("swaps", "a whole number from 1 to 1 000 000"),
    ("alpha", "a number above 0 and below 1"),
    ("floor", "a number from 0 up"),
    ("strict", "yes or no"),
    ("rule", "one of hold, restart"),
    ("note", "a text"),
])
def test_the_expected_values_are_named(name: str, expected: str) -> None:
    assert FIELDS[name].expected == expected


@pytest.mark.parametrize(("name", "text", "value"), [
    ("swaps", "1e5", 100_000), ("swaps", " 12 000 ", 12_000), ("swaps", "1_000", 1000), ("swaps", "+7", 7),
    ("swaps", "2.0", 2), ("alpha", ".5", 0.5), ("alpha", "1e-3", 0.001), ("floor", "3", 3.0), ("floor", 3, 3.0),
    ("strict", "Yes", True), ("strict", "off", False), ("strict", "0", False), ("rule", "restart", "restart"),
    ("note", " kept as it is ", " kept as it is "),
])
def test_texts_are_read_as_people_write_them(name: str, text: object, value: object) -> None:
    read = parse(FIELDS[name], text)
    assert read == value
    assert type(read) is type(value)


BAD: list[tuple[str, object]] = [
    ("swaps", "x"), ("swaps", ""), ("swaps", "1.5"), ("swaps", "nan"), ("swaps", "inf"), ("swaps", "1e400"),
    ("swaps", True), ("swaps", 1.0), ("swaps", None), ("swaps", 0), ("swaps", "1000001"), ("swaps", "9" * 5000),
    ("swaps", "²"), ("swaps", [1]), ("swaps", "1\n2x"), ("any_whole", "1e30"), ("any_whole", 2**63),
    ("alpha", math.nan), ("alpha", "-inf"), ("alpha", math.inf), ("alpha", 0), ("alpha", 1), ("alpha", True),
    ("alpha", "0,5"), ("alpha", 10**400), ("floor", -1e-300), ("floor", "infinity"),
    ("strict", "maybe"), ("strict", 1), ("strict", None),
    ("rule", "Hold"), ("rule", ""), ("rule", 3), ("note", 3), ("note", None), ("rule", "two\nlines"),
]


@pytest.mark.parametrize(("name", "value"), BAD, ids=lambda each: repr(each)[:20])
def test_a_bad_value_is_refused_with_one_sentence(name: str, value: object) -> None:
    with pytest.raises(ParameterError) as refused:
        build(Sample, {name: value})
    sentence = str(refused.value)
    assert sentence.startswith(f"{name} = ")
    assert ": expected " in sentence
    assert sentence.isprintable()
    assert len(sentence) < 200


def test_whole_numbers_have_at_most_64_bits() -> None:
    assert build(Sample, {"any_whole": 2**63 - 1}).any_whole == 2**63 - 1
    assert build(Sample, {"any_whole": str(-(2**63))}).any_whole == -(2**63)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="no parameter 'swap': expected one of swaps, alpha, floor"):
        build(Sample, {"swap": 1})


def test_a_rule_across_fields_is_a_sentence() -> None:
    with pytest.raises(ParameterError, match="rule = restart needs strict = yes"):
        build(Sample, {"rule": "restart", "strict": "no"})
    with pytest.raises(ParameterError, match="rule = restart needs strict = yes"):
        changed(build(Sample, {"rule": "restart"}), "strict", False)


def test_changed_leaves_the_original() -> None:
    first = build(Sample, {"swaps": 5})
    second = changed(first, "alpha", "0.5")
    assert (first.alpha, second.alpha, second.swaps) == (0.99, 0.5, 5)
    with pytest.raises(BadInput):
        changed(first, "alpha", 2)


def legal(parameter: Parameter) -> st.SearchStrategy[Any]:
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    if parameter.type is bool:
        return st.booleans()
    if parameter.type is int:
        low, high = parameter.minimum, parameter.maximum
        return st.integers(-(2**63) if low is None else int(low), 2**63 - 1 if high is None else int(high))
    if parameter.type is float:
        return st.floats(parameter.minimum, parameter.maximum, allow_nan=False, allow_infinity=False,
                         exclude_min=parameter.exclusive_minimum, exclude_max=parameter.exclusive_maximum)
    return st.text(max_size=20)


@given(st.fixed_dictionaries({}, optional={name: legal(each) for name, each in FIELDS.items()}))
def test_legal_values_build_and_come_back(values: dict[str, Any]) -> None:
    if values.get("rule") == "restart":
        values["strict"] = True
    made = build(Sample, values)
    assert all(getattr(made, name) == value for name, value in values.items())
    assert build(Sample, to_dict(made)) == made
    texts = {name: repr(value) for name, value in to_dict(made).items() if type(value) in (int, float, bool)}
    assert build(Sample, {**to_dict(made), **texts}) == made
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(made)), Sample) == made


@given(st.sampled_from(sorted(FIELDS)).flatmap(lambda name: st.tuples(st.just(FIELDS[name]), legal(FIELDS[name]))))
def test_a_written_value_is_read_unchanged(reported: tuple[Parameter, Any]) -> None:
    parameter, value = reported
    assert parse(parameter, written(value)) == value


def test_a_value_is_written_as_people_type_it() -> None:
    assert [written(value) for value in (True, 90_000, 0.99982, 2.0, 1e-06, 1234567.5, 0.1 + 0.2, "hold")] == [
        "yes", "90000", "0.99982", "2", "1e-06", "1234567.5", "0.30000000000000004", "hold"]


@given(st.sampled_from(sorted(FIELDS)), st.one_of(st.text(), st.integers(), st.floats(), st.none(), st.booleans(),
                                                  st.lists(st.integers()), st.binary()))
def test_any_typed_text_builds_or_is_refused(name: str, value: object) -> None:
    try:
        made = build(Sample, {name: value})
    except BadInput as error:
        sentence = str(error)
    else:
        read = getattr(made, name)
        assert type(read) is FIELDS[name].type
        assert not isinstance(read, float) or math.isfinite(read)
        sentence = ""
    assert sentence.isprintable()


def test_a_declaration_that_cannot_be_a_parameter() -> None:
    class Wrong(Params, frozen=True):
        several: list[int] | None = None

    with pytest.raises(TypeError, match="parameter several: a parameter is an int, float, bool, str or Literal"):
        describe(Wrong)
