"""Every operation on an automaton can be interrupted at any point: it then has no answer, and the next one has."""

import threading
from collections.abc import Callable

import pytest

from engine.automata import encodings, givens
from engine.automata.encodings import Encoding
from engine.automata.givens import validate_givens
from engine.automata.network import Network, NoAnswer
from engine.automata.prover import Deadline, Prover
from engine.automata.sudoku import SudokuAutomaton
from engine.automata.unit import RowAutomaton
from engine.interrupt import Breaker, Interrupted, give_way
from engine.puzzle import Puzzle, geometry

EVERY = pytest.mark.parametrize("encoding", encodings.NAMES)
EMPTY, FOUR = Puzzle((0,) * 256, 4), Puzzle((1, *(0,) * 15), 2)
TWICE = Puzzle((1, 1, *(0,) * 14), 2)
LONG = 600.0


@pytest.fixture
def at_once(monkeypatch):
    """Call a function from another thread during the next query to Z3, and never later."""

    plain = Prover._checked

    def have(interrupt: Callable[[], None]) -> None:
        def checked(prover: Prover, assumed):
            thread = threading.Thread(target=interrupt)
            thread.start()
            try:
                return plain(prover, assumed)
            finally:
                thread.join()

        monkeypatch.setattr(Prover, "_checked", checked)

    return have


@pytest.mark.sweep
@pytest.mark.parametrize("encoding", ["int-distinct", "bit-vectors"])
def test_an_interrupted_query_is_unknown_and_can_be_repeated(encoding, at_once, monkeypatch):
    automaton = SudokuAutomaton(EMPTY, encoding)
    at_once(automaton.interrupt)
    solved = automaton.solve(timeout=LONG)
    assert (solved.status, solved.reason) == ("unknown", "interrupted")
    assert automaton.unique(timeout=LONG) == "unknown"
    breaker = Breaker()
    at_once(breaker.break_off)
    with breaker.watching(), pytest.raises(Interrupted) as broken:
        automaton.solve(timeout=LONG)
    assert broken.value.by is breaker
    monkeypatch.undo()
    assert automaton.automata[0].accepts(range(1, 17), timeout=LONG)


OPERATIONS = {
    "solve": lambda automaton, timeout: automaton.solve(timeout).status,
    "valid": lambda automaton, timeout: automaton.is_valid_placement(0, 1, 2, timeout),
    "ask": lambda automaton, timeout: automaton.ask(0, 1, 1, timeout).result,
    "count": lambda automaton, timeout: automaton.count_solutions(1000, timeout),
    "unique": lambda automaton, timeout: automaton.unique(timeout),
    "accepts": lambda automaton, timeout: bool(automaton.automata[0].accepts([1, 2, 3, 3], timeout)),
    "model": lambda automaton, timeout: sorted(automaton.automata[0].model(timeout=timeout)),
    "givens": lambda automaton, timeout: validate_givens(TWICE, timeout=timeout, network=automaton.network).status,
}
ANSWERS = {"solve": "solved", "valid": True, "ask": "unsat", "count": (72, True), "unique": "no", "accepts": False,
           "model": [1, 2, 3, 4], "givens": "contradictory"}
NONE = {"solve": "unknown", "ask": "unknown", "count": (0, False), "unique": "unknown", "givens": "unknown"}


def answer(name: str, automaton: SudokuAutomaton, timeout: float | None = None) -> object:
    """The result of an operation; None for one without an answer."""
    try:
        found = OPERATIONS[name](automaton, timeout)
    except NoAnswer:
        return None
    return None if found == NONE.get(name) else found


class Broken:
    """Runs a function once, after the given number of cells."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left, self.act = 0, lambda: None
        plain = Encoding._grow

        def grow(encoding, cell):
            plain(encoding, cell)
            self.left -= 1
            if not self.left:
                self.act()

        monkeypatch.setattr(Encoding, "_grow", grow)

    def after(self, cells: int, act: Callable[[], None]) -> None:
        self.left, self.act = cells, act


@pytest.mark.sweep(keep=13)
@EVERY
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_that_ends_while_the_board_is_built_has_no_answer_and_the_next_continues(
        name, encoding, monkeypatch):
    automaton, broken = SudokuAutomaton(FOUR, encoding), Broken(monkeypatch)
    broken.after(5, automaton.interrupt)
    assert answer(name, automaton) is None
    assert automaton.cells == list(FOUR.givens)
    assert len(automaton.network._encoding.literals) == 5, "it was not left off at once"
    breaker = Breaker(grace=0)
    broken.after(4, breaker.break_off)
    with breaker.watching(), pytest.raises(Interrupted):
        answer(name, automaton)
    assert len(automaton.network._encoding.literals) == 9, "what was written is kept"
    assert answer(name, automaton) == ANSWERS[name]


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_time_at_all_writes_nothing(name):
    automaton = SudokuAutomaton(FOUR)
    assert answer(name, automaton, 0) is None
    assert not automaton.network._encoding.literals
    assert answer(name, automaton) == ANSWERS[name]


@pytest.mark.parametrize("name", ["solve", "valid", "count", "givens"])
def test_the_two_solvers_of_a_board_are_written_apart(name):
    automaton = SudokuAutomaton(FOUR)
    assert automaton.is_valid_placement(0, 1, 2)
    assert not automaton.is_valid_placement(0, 1, 1)
    assert answer(name, automaton) == ANSWERS[name]
    assert automaton.is_valid_placement(0, 1, 2)


def test_solutions_counted_before_the_timeout_count_and_nothing_stays_blocked(monkeypatch):
    automaton = SudokuAutomaton(FOUR)
    plain, left = automaton.network.block, [3]

    def block(values):
        plain(values)
        left[0] -= 1
        if not left[0]:
            automaton.interrupt()

    monkeypatch.setattr(automaton.network, "block", block)
    assert automaton.count_solutions(1000) == (3, False)
    assert automaton.count_solutions(1000) == (72, True)


def test_a_core_that_is_not_made_small_in_time_is_a_core_all_the_same():
    network = Network(geometry(2))
    placed = [(0, 1), (1, 1), (4, 2), (5, 2)]
    core = network.ask(placed).core
    network.interrupt()
    assert network.minimised(core) == core
    network.begin()
    assert network.minimised(core).size == 3


def test_a_contradiction_without_an_explanation_in_time_is_reported(monkeypatch):
    network = Network(geometry(2))

    def why(puzzle, core):
        network.interrupt()
        give_way()

    monkeypatch.setattr(givens, "why", why)
    verdict = validate_givens(TWICE, network=network)
    assert verdict.status == "contradictory"
    assert [each.because for each in verdict.contradictions] == ["no explanation: interrupted"]


def test_an_automaton_alone_is_written_in_the_time_of_its_word():
    row = RowAutomaton(0)
    with pytest.raises(NoAnswer, match="the limit of 0 s is reached"):
        row.model(timeout=0)
    assert row.accepts(range(1, 10))
    assert row.formula()


def test_a_deadline():
    assert Deadline(None).left() is None
    assert Deadline(0).left() == 0
    assert 0 < Deadline(LONG).left() <= LONG
