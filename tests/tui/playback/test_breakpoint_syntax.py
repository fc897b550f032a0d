"""Breakpoints as text: parsed and displayed."""

from __future__ import annotations

import pytest

from engine import registry
from engine.breakpoints import Stop
from engine.errors import ParameterError
from tui.playback import breakpoint_syntax

EPOCH = {"generation": "epoch"}


def test_a_solver_brings_its_own_words() -> None:
    stop = Stop(frozenset({"generation"}))
    assert breakpoint_syntax.words(stop, 9) == "generation"
    assert breakpoint_syntax.words(stop, 9, EPOCH) == "epoch"
    assert breakpoint_syntax.parse(" Epoch ", 9, ("best", "generation"), EPOCH) == stop
    with pytest.raises(ParameterError, match=r"or one of new best, epoch$"):
        breakpoint_syntax.parse("nothing", 9, ("best", "generation"), EPOCH)


def test_the_end_of_a_generation_is_called_the_same_where_one_goes_to_it_and_where_one_halts() -> None:
    """`< > epoch` in the last row and `generation` in the list of breakpoints once were the same thing."""
    solvers = [registry.solver(name) for name in registry.names() if name != "cp-sat"]
    found = {(each.period_word, breakpoint_syntax.kind_word("generation", each.kind_words))
             for each in solvers if each.period_kind == "generation"}
    assert found == {("generation", "generation"), ("epoch", "epoch")}
