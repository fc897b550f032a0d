"""A network of automata after an interrupt."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Sequence
from typing import Any

import pytest

from engine.automata.encodings import NAMES, EncodingName
from engine.automata.network import Network
from engine.automata.prover import Prover
from engine.automata.sudoku import SudokuAutomaton
from engine.interrupt import Breaker, Interrupted
from engine.puzzle import Puzzle

FOUR = Puzzle.from_line("....34....2..1.3")


@pytest.mark.parametrize("encoding", NAMES)
def test_solutions_are_counted_after_an_interrupt_that_came_as_z3_ended(
        encoding: EncodingName, monkeypatch: pytest.MonkeyPatch) -> None:
    automaton, breaker, come = SudokuAutomaton(FOUR, encoding), Breaker(grace=0.0), threading.Event()
    assert automaton.count_solutions(2) == (1, True)
    context, checked = automaton.network.encoding.context, Prover._checked
    interrupt = context.interrupt

    def interrupted() -> None:
        interrupt()
        come.set()

    def ended(prover: Prover, assumed: Sequence[Any]) -> Any:
        """Z3 has answered before the interrupt arrives."""
        found = checked(prover, assumed)
        if not come.is_set():
            breaker.break_off()
            assert come.wait(60)
        return found

    monkeypatch.setattr(context, "interrupt", interrupted)
    monkeypatch.setattr(Prover, "_checked", ended)
    with breaker.watching(), pytest.raises(Interrupted):
        automaton.solve(timeout=None)
    breaker.clear()
    assert automaton.count_solutions(2) == (1, True)


def _used(network: Network, use: str) -> None:
    breaker = Breaker(grace=0.0)
    if use == "asked":
        network.ask([(0, 1)])
    elif use == "tried":
        network.possible([(0, 1)])
    elif use == "broken off":
        breaker.break_off()
        with breaker.watching(), pytest.raises(Interrupted):
            network.ask([(0, 1)])


@pytest.mark.parametrize("use", ["nothing", "asked", "tried", "broken off"])
def test_a_network_without_references_is_freed_at_once(use: str) -> None:
    """Python looks for cycles when it has made some thousand objects: Z3's memory does not count among them."""
    gc.disable()
    try:
        network = Network(FOUR.geometry)
        left = weakref.ref(network)
        _used(network, use)
        del network
        assert left() is None
    finally:
        gc.enable()
