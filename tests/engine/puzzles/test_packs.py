"""The shipped packs: every puzzle is what its comments say, and can be found by number and by name."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import cast, get_args

import pytest

from engine import solutions
from engine.errors import UnknownName
from engine.puzzle import Puzzle, clashes
from engine.puzzles.formats import PuzzleRecord
from engine.puzzles.generate import Spec, Symmetry, make
from engine.puzzles.make_packs import GENERATED, PLAN, name_of
from engine.puzzles.packs import find, folder, pack, pack_names
from engine.puzzles.rating import UNSOLVED, WORDS, Word, rate

PACKS = ("easy", "medium", "hard", "extreme", "4x4", "16x16", "diagonal", "traps")
AT_LEAST = {"4x4": 30, "16x16": 15, "diagonal": 60, "traps": 4}
SHEET = {
    "easy": ("003020600900305001001806400008102900700000008006708200002609500800203009005010300",
             "200080300060070084030500209000105408000000000402706000301007040720040060004010003",
             "000000907000420180000705026100904000050000040000507009920108000034059000507000000",
             "902005403100063025508407060026309001057010290090670530240530600705200304080041950"),
    "hard": ("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
             "52...6.........7.13...........4..8..6......5...........418.........3..2...87.....",
             "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."),
}


class Counter:
    """Counts solutions by bit masks: singles as long as there are any, then the cell with the fewest candidates.

    Independent of the engine's solvers; `guesses` is 0 if singles were enough.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.n = puzzle.n
        self.units = [unit.cells for unit in puzzle.geometry.units]
        self.peers = puzzle.geometry.peers
        self.guesses = 0
        self.solutions: list[tuple[int, ...]] = []
        state = [(1 << self.n) - 1] * self.n**2
        if all(self.place(state, cell, 1 << value - 1) for cell, value in enumerate(puzzle.givens) if value):
            self.search(state)

    def place(self, state: list[int], cell: int, bit: int) -> bool:
        """Leaves only `bit` in the cell and follows the naked singles; False for a contradiction, or several bits."""
        todo = [(cell, bit)]
        while todo:
            where, only = todo.pop()
            if not state[where] & only or only & (only - 1):
                return False
            state[where] = only
            for peer in self.peers[where]:
                if state[peer] & only:
                    state[peer] &= ~only
                    if not state[peer]:
                        return False
                    if not state[peer] & (state[peer] - 1):
                        todo.append((peer, state[peer]))
        return True

    def hidden(self, state: list[int]) -> Iterator[tuple[int, int]]:
        for unit in self.units:
            once = twice = 0
            for cell in unit:
                twice |= once & state[cell]
                once |= state[cell]
            once &= ~twice
            yield from ((cell, state[cell] & once) for cell in unit
                        if state[cell] & once and state[cell] & (state[cell] - 1))

    def settle(self, state: list[int]) -> bool:
        """Follows hidden singles to the end; False for a contradiction."""
        while found := list(self.hidden(state)):
            if not all(self.place(state, cell, bit) for cell, bit in found):
                return False
        return all(self.union(state, unit) == (1 << self.n) - 1 for unit in self.units)

    @staticmethod
    def union(state: list[int], unit: tuple[int, ...]) -> int:
        bits = 0
        for cell in unit:
            bits |= state[cell]
        return bits

    def search(self, state: list[int]) -> None:
        """Depth first, until two solutions are found."""
        stack = [state]
        while stack and len(self.solutions) < 2:
            state = stack.pop()
            if not self.settle(state):
                continue
            open_cells = [cell for cell, bits in enumerate(state) if bits & (bits - 1)]
            if not open_cells:
                self.solutions.append(tuple(bits.bit_length() for bits in state))
                continue
            cell = min(open_cells, key=lambda where: state[where].bit_count())
            for value in range(self.n):
                if state[cell] >> value & 1:
                    self.guesses += 1
                    branch = list(state)
                    if self.place(branch, cell, 1 << value):
                        stack.append(branch)


ALL = [pytest.param(name, record, id=f"{name}:{number}") for name in PACKS
       for number, record in enumerate(pack(name), 1)]
SOME = [case for case in ALL if "generated, seed" not in case.values[1].source] + ALL[::23]
"""All that are not made by the script, and some of the others."""
ORIGIN = re.compile(r"generated, seed (\d+), number (\d+)(?:, ([-a-z0-9]+))?")


def test_the_packs_are_there_in_order_and_large_enough() -> None:
    assert pack_names() == PACKS
    assert all(len(pack(name)) >= AT_LEAST.get(name, 100) for name in PACKS)


def test_the_sheets_puzzles_come_first() -> None:
    for name, lines in SHEET.items():
        head = pack(name)[: len(lines)]
        assert [record.puzzle.line for record in head] == [line.replace("0", ".") for line in lines]
        assert {record.source for record in head} == {"course sheet"}
        assert {record.source for record in pack(name)[len(lines) :]} != {"course sheet"}


def test_every_puzzle_has_the_solutions_that_are_stated() -> None:
    for case in ALL:
        name, record = case.values
        known = solutions.count(record.puzzle)
        assert known.exact or known.found == 2
        assert known.found == record.solutions, case.id
        if name != "traps":
            assert known.examples == (record.solution,), case.id
            assert not clashes(record.puzzle, record.solution or ())


@pytest.mark.parametrize(("name", "record"), [case for case in SOME if case.values[0] != "16x16"])
def test_a_search_of_another_kind_counts_the_same(name: str, record: PuzzleRecord) -> None:
    assert len(Counter(record.puzzle).solutions) == record.solutions


@pytest.mark.sweep(keep=18)
@pytest.mark.parametrize(("name", "record"), [
    pytest.param(*case.values, id=case.id, marks=pytest.mark.sweep if case.values[0] == "16x16" else [])
    for case in SOME if case.values[0] != "traps"])
def test_ratings_are_true(name: str, record: PuzzleRecord) -> None:
    rating = rate(record.puzzle)
    assert (record.rating, record.level) == (rating.value, rating.word)


def test_the_readme_describes_the_levels_and_what_the_techniques_do_not_solve() -> None:
    words = " ".join((folder() / "README.md").read_text(encoding="utf-8").split())
    unsolved = [record.name for name in PACKS for record in pack(name) if record.rating == UNSOLVED]
    assert unsolved == ["needle-eye"]
    assert "`needle-eye` is not solved by the techniques" in words
    assert f"{', '.join(f'{word} below {below:g}' for below, word in WORDS)}, extreme from 6 on" in words
    for name, early, expected in (("hard", 13, {"medium": 2, "hard": 3, "extreme": 8}),
                                  ("extreme", 11, {"medium": 1, "hard": 4, "extreme": 6})):
        levels = [record.level for record in pack(name)]
        assert {word: levels[:early].count(word) for word in expected} == expected
        assert {*levels[early:]} == {name}


@pytest.mark.parametrize(("name", "record"), [
    case for case in ALL if "generated, seed" in case.values[1].source][::23])
def test_a_generated_puzzle_follows_from_seed_and_number(name: str, record: PuzzleRecord) -> None:
    origin = ORIGIN.fullmatch(record.source)
    assert origin
    symmetry = cast(Symmetry, origin[3] or "none")
    made = make(Spec(int(origin[1]), record.puzzle.box, record.puzzle.variant, symmetry), int(origin[2]))
    assert made is not None
    assert (made.puzzle, made.solution, made.origin) == (record.puzzle, record.solution, record.source)


@pytest.mark.parametrize("name", PACKS)
def test_every_puzzle_has_metadata(name: str) -> None:
    for record in pack(name):
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", record.name)
        made_here = ORIGIN.fullmatch(record.source)
        assert made_here or record.source == "course sheet" or re.fullmatch(
            r"generated for sudoku-tui, seed \d+|made for sudoku-tui", record.source)
        assert (record.level == "trap") == (name == "traps") == (record.rating is None)
        if made_here and name in get_args(Word):
            assert record.level == name
        assert record.puzzle.n == {"4x4": 4, "16x16": 16}.get(name, 9)
        assert record.puzzle.variant == ("diagonal" if name == "diagonal" else "classic")


def test_generated_puzzles_come_last_and_from_easy_to_hard() -> None:
    for name in PACKS:
        made_here = [record for record in pack(name) if record.source.startswith(GENERATED)]
        assert list(pack(name)[len(pack(name)) - len(made_here):]) == made_here
        assert len(made_here) == sum(part.count for part in PLAN if part.pack == name)


def test_the_plan_has_names_enough() -> None:
    many = sum(part.count for part in PLAN)
    assert len({name_of(place) for place in range(many)}) == many


def test_names_are_unique_and_no_pack_has_a_puzzles_name() -> None:
    names = [record.name for name in PACKS for record in pack(name)]
    assert len(names) == len(set(names))
    assert not set(names) & set(PACKS)


def test_no_puzzle_occurs_twice() -> None:
    lines = [record.puzzle.line for name in PACKS for record in pack(name)]
    assert len(lines) == len(set(lines))


@pytest.mark.parametrize("name", ["hard", "extreme"])
def test_hard_puzzles_are_minimal(name: str) -> None:
    for record in pack(name):
        for cell in (cell for cell, value in enumerate(record.puzzle.givens) if value):
            givens = list(record.puzzle.givens)
            givens[cell] = 0
            assert solutions.unique(Puzzle(tuple(givens))) is False


def test_the_traps_fit_their_names() -> None:
    blank, two, dead, quarrel = (find(name).puzzle for name in ("blank", "two-ways", "dead-end", "quarrel"))
    assert not any(blank.givens)
    assert not two.clashes()
    assert not dead.clashes()
    assert Counter(dead).guesses >= 10
    assert [(clash.unit.name, clash.value, clash.cells) for clash in quarrel.clashes()] == [
        ("row 1", 3, (0, 2)), ("box 1", 3, (0, 2))]


def test_puzzles_are_found_by_number_and_by_name() -> None:
    assert find("hard:1") is pack("hard")[0]
    assert find(" HARD:3 ") is pack("hard")[2]
    assert find("4x4:2") is pack("4x4")[1]
    assert find("Coffee") is pack("easy")[2]


@pytest.mark.parametrize(("text", "said"), [
    ("cofee", "no puzzle 'cofee' (did you mean coffee?)"),
    ("hrd:1", "no pack 'hrd' (did you mean hard?): expected one of easy, medium, hard, extreme, 4x4, 16x16, diagonal"),
    ("extreem", "did you mean extreme?"),
    ("hard", "hard is a pack of 113 puzzles: expected one of them, hard:1 to hard:113"),
    ("hard:0", "no puzzle '0' in the pack hard: expected hard:1 to hard:113"),
    ("hard:114", "no puzzle '114' in the pack hard"),
    ("hard:-1", "no puzzle '-1' in the pack hard"),
    ("hard:", "no puzzle '' in the pack hard"),
    ("hard:\u0661", "in the pack hard"),
    ("", "no puzzle ''"),
    ("../hard:1", "no pack '../hard'"),
    ("z" * 5000, "expected a name like first-steps, or pack:number with a pack of easy"),
])
def test_an_unknown_name_lists_the_known_ones(text: str, said: str) -> None:
    with pytest.raises(UnknownName) as raised:
        find(text)
    assert said in str(raised.value)
    assert len(str(raised.value)) < 400


def test_the_packs_load_without_numba_or_a_solver() -> None:
    code = ("import sys; from engine.puzzles.packs import pack_names, find; find('coffee'); "
            "print(*sorted({'numba', 'numpy', 'z3', 'textual', 'click'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
