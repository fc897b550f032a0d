"""The forms of questions and answers, and how an answer is judged.

A question holds its right answers. What a screen may show while it is open is `text`, `given`, `marked` and the form
itself (options, bounds, number of cells); everything else is for the judgement.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, structs

from engine import text
from engine.errors import BadInput
from engine.params import Value
from engine.puzzle import CELL_NAME, SYMBOLS, Variant, cell_name

MOST_TEXT = 78
"""Columns of the longest text of a question, a hint or a judgement: one line of a screen of 80 columns."""


KINDS = (
    "unit-energy", "energy-change", "probability", "accept", "next-temperature", "reheat", "reheat-value",
    "better-neighbour", "tabu-move", "aspiration", "parent", "child-values", "inherited", "mutated", "broken",
    "left-out", "replaced", "pull", "towards", "dead-end", "next-cell", "next-value", "deduction", "struck", "follows",
    "taken-back", "next-column", "covered", "choices-left", "support", "queued", "technique", "pattern", "satisfiable",
    "core", "word", "forced-value", "decision", "propagation", "strongest",
)
"""The kinds of questions that the engine asks. A solver names others of its own in `Solver.question_kinds`."""


def fitting(*sentences: str) -> str:
    """The first sentence that fits one line, else the last: they are given from the most telling to the shortest."""
    return next((each for each in sentences if len(each) <= MOST_TEXT), sentences[-1])


def its_units(variant: Variant) -> str:
    """The units of a cell, in words."""
    return "its row, column and box" if variant == "classic" else "its units"


def unit_kinds(variant: Variant) -> str:
    """The kinds of units of a board, as alternatives."""
    return "row, column or box" if variant == "classic" else "row, column, box or diagonal"


Answer = int | float | frozenset[int] | tuple[int, ...]
"""The place of an option; a number; a set of cells, or of the places of options; values in order."""


class Branch(Struct, frozen=True):
    """An intervention by which a run takes the learner's answer in place of the solver's."""

    name: str
    value: Value
    after: bool
    """It is made after the step of the question, which it alters; else before it."""
    words: str = ""
    """The answer, where the intervention would not name it: to reject a move, the move back is made."""


class Judgement(Struct, frozen=True):
    """The verdict on an answer."""

    right: bool
    correct: str
    """The right answer, as a learner would write it; one of them where several are right."""
    why: str
    """The reason, in one sentence about this state."""
    misconception: str = ""
    """The known mistake that leads to this wrong answer, in one sentence; empty if it is none."""

    def named(self, n: int) -> frozenset[int]:
        """The cells that the reason names, on a grid of side n."""
        places = ((int(row), int(column)) for row, column in CELL_NAME.findall(f"{self.why} {self.misconception}"))
        return frozenset((row - 1) * n + column - 1 for row, column in places if 1 <= row <= n and 1 <= column <= n)


class Question(Struct, frozen=True, kw_only=True):
    """A question about the next step. `kind` names what it trains; progress is counted by it."""

    kind: str
    text: str
    why: str
    given: tuple[tuple[str, str], ...] = ()
    """The facts that are given: (name, value), `("T", "0.842")`."""
    marked: tuple[int, ...] = ()
    """Cells that the question is about."""
    individual: int | None = None
    """The place of the individual that it is about; None: the grid of the state."""
    grid: tuple[int, ...] = ()
    """The grid that it is about, if that is no grid of the state: a child that is half made."""
    hides_conflicts: bool = False
    """True if the board shows no conflicts: they would be the answer, or have nothing to do with it."""
    hint: str = ""
    n: int = 9
    """The side of the grid, for the names of cells."""

    @property
    @abstractmethod
    def model(self) -> Answer:
        """An answer that is right."""

    @property
    @abstractmethod
    def chance(self) -> float:
        """The probability that a guess is right: 0 to 1."""

    @abstractmethod
    def read(self, written: str) -> Answer:
        """An answer from what a learner types. Raises BadInput with what was expected."""

    @abstractmethod
    def write(self, answer: Answer) -> str:
        """An answer as a learner would type it."""

    @abstractmethod
    def is_right(self, answer: Answer) -> bool:
        """True if the answer is one of the right ones."""

    def misconception(self, answer: Answer) -> str:
        """The known mistake behind a wrong answer, or an empty text."""
        return ""

    def branch(self, answer: Answer) -> Branch | None:
        """The way to run this answer on; None if it decides nothing that a run can go on from."""
        return None

    def judge(self, answer: Answer) -> Judgement:
        right = self.is_right(answer)
        return Judgement(right, self.write(self.model), self.why, "" if right else self.misconception(answer))


class Choice(Question, frozen=True, kw_only=True):
    """One of several options."""

    options: tuple[str, ...]
    rights: frozenset[int]
    """The places of the right options."""
    taken: int | None = None
    """The place of the right option that the solver takes; None if it takes none in particular."""
    mistakes: Mapping[int, str] = {}
    """The known mistake behind an option, by its place."""
    branches: Mapping[int, Branch] = {}
    """The ways to run options on, by their places."""
    meanings: Mapping[int, str] = {}
    """The meanings of options, a sentence each, by their places; they are shown while the question is open."""

    @property
    def model(self) -> int:
        return min(self.rights) if self.taken is None else self.taken

    @property
    def chance(self) -> float:
        return len(self.rights) / len(self.options)

    @property
    def numbered(self) -> bool:
        """An option may be given by its number in the list; not where a number is an answer itself, or options have
        letters."""
        lettered = all(option.startswith(f"{chr(ord('a') + place)} ") for place, option in enumerate(self.options))
        return not lettered and not any(_is_number(option) or option.startswith("#") for option in self.options)

    @property
    def listed(self) -> bool:
        """An option takes a line of its own; numbers, yes and no are beside each other."""
        return max(map(len, self.options)) > SHORT

    def key(self, character: str) -> int | None:
        """The place of the option that a key stands for: a value by its digit or letter, an individual by its number,
        another by its beginning."""
        value = str(SYMBOLS.find(character.upper())) if character.isalpha() else character
        return next((place for place, option in enumerate(self.options)
                     if option in (character, value) or option.startswith((f"{character} ", f"#{character} "))), None)

    def read(self, written: str) -> int:
        wanted, *names = (words.strip().lower().replace("-", "−") for words in (written, *self.options))
        if all(name.startswith("a ") for name in names):  # an article, not the letter of an option
            wanted, *names = (words.removeprefix("a ") for words in (wanted, *names))
        for name in (wanted, f"+{wanted}"):  # ΔE = 3 is the option +3
            if name in names:
                return names.index(name)
        value = str(SYMBOLS.find(wanted.upper()))
        if len(wanted) == 1 and wanted.isalpha() and value in names:
            return names.index(value)
        first = [name.split()[0].lstrip("#") for name in names]
        if first.count(wanted.lstrip("#")) == 1:
            return first.index(wanted.lstrip("#"))
        starts = [place for place, name in enumerate(names) if wanted and name.startswith(wanted)]
        if len(starts) == 1:
            return starts[0]
        if starts:
            several = " and of ".join(self.options[place] for place in starts)
            raise BadInput(f"{written.strip()!r} is the beginning of {several}: expected more of it")
        if wanted.isdigit() and 1 <= int(wanted) <= len(names) and self.numbered:
            return int(wanted) - 1
        listed = ", ".join(self.options)
        if len(listed) > MOST_TEXT:
            listed = (f"a number from 1 to {len(self.options)}, or the answer itself" if self.numbered else
                      "one of those listed")
        raise BadInput(f"{written.strip()!r} is none of the answers: expected {listed}")

    def write(self, answer: Answer) -> str:
        return self.options[int(answer)]  # type: ignore[arg-type]

    def judge(self, answer: Answer) -> Judgement:
        """Of several right answers the learner's own is the one that is named."""
        judgement = super().judge(answer)
        return structs.replace(judgement, correct=self.write(answer)) if judgement.right else judgement

    def is_right(self, answer: Answer) -> bool:
        return answer in self.rights

    def misconception(self, answer: Answer) -> str:
        return self.mistakes.get(int(answer), "")  # type: ignore[arg-type]

    def branch(self, answer: Answer) -> Branch | None:
        return self.branches.get(int(answer))  # type: ignore[arg-type]


def _is_number(option: str) -> bool:
    return option.lstrip("+−").isdigit()


SHORT = 4
"""The most characters of options that are beside each other."""
USUAL_TOLERANCE = 0.05
HALF_A_DECADE = math.sqrt(10)


class Number(Question, frozen=True, kw_only=True):
    """A number, right within `tolerance`; below `decades` it is enough to be right to a factor of √10."""

    value: float
    low: float
    high: float
    tolerance: float = USUAL_TOLERANCE
    """The relative error that is still right."""
    within: str = ""
    """It in words, where it is not the usual one: `a fifth of the change of T`."""
    digits: int = 3
    """Significant digits of the right answer as it is written."""
    decades: float = 0.0
    floor: float = 0.0
    """Below it, every number up to it is right, 0 too."""
    mistakes: tuple[tuple[float, str], ...] = ()
    """The values that known mistakes lead to."""
    knob: str = ""
    """The knob that takes the answer after the step; empty if none does."""
    happened: bool | None = None
    """Whether that of which the number is the probability then happened; None for other numbers."""

    @property
    def model(self) -> float:
        return self.value

    @property
    def chance(self) -> float:
        """Of a guess that is uniform between the bounds."""
        low, high = self.value - self._margin(self.value), self.value + self._margin(self.value)
        if 0 < self.value < self.decades:
            low, high = min(low, self.value / HALF_A_DECADE), max(high, self.value * HALF_A_DECADE)
        if self.value <= self.floor:
            low, high = 0.0, max(high, self.floor)
        return max(0.0, min(high, self.high) - max(low, self.low)) / (self.high - self.low)

    @property
    def form(self) -> str:
        """The bounds of an answer and the tolerance, in words. A tolerance that is not the usual one follows from the
        value; its figure is not told."""
        usual = f"{USUAL_TOLERANCE * 100:g} % of it" if self.tolerance == USUAL_TOLERANCE else ""
        within = f", right within {self.within or usual}" if self.within or usual else ""
        lowest = f"; below {self.decades:g} within a factor of 3" if self.decades else ""
        return f"a number from {self.low:g} to {self.high:g}{within}{lowest}"

    def read(self, written: str) -> float:
        if not written.strip():
            raise BadInput(f"type a number from {self.low:g} to {self.high:g} first")
        try:
            number = float(written.strip().replace(",", ".").replace("−", "-"))
        except ValueError:
            number = math.nan
        if not self.low <= number <= self.high:
            raise BadInput(f"{written.strip()!r}: expected a number from {self.low:g} to {self.high:g}")
        return number

    def write(self, answer: Answer) -> str:
        number = float(answer)  # type: ignore[arg-type]
        written = f"{number:.{self.digits}g}"
        rounded = self.digits == 3 and ("e" in written or not number.is_integer())
        return text.significant(number) if rounded else written

    def is_right(self, answer: Answer) -> bool:
        number = float(answer)  # type: ignore[arg-type]
        return self._near(number, self.value) or 0 <= max(number, self.value) <= self.floor

    def _near(self, number: float, value: float) -> bool:
        if abs(number - value) <= self._margin(value):
            return True
        return 0 < value < self.decades and value / HALF_A_DECADE <= number <= value * HALF_A_DECADE

    def _margin(self, value: float) -> float:
        """The tolerance, but not less than the last digit of the value as it is written."""
        last_digit = math.pow(10, math.floor(math.log10(value)) + 1 - self.digits) if value > 0 else 0.0
        return max(value * self.tolerance, 0.6 * last_digit)

    def misconception(self, answer: Answer) -> str:
        """That of the value that the answer is near, but not where the answer is far nearer to the highest number: a
        probability of 1 is no slip for one of 0.95."""
        number = float(answer)  # type: ignore[arg-type]
        return next((mistake for value, mistake in self.mistakes
                     if self._near(number, value) and self.high - number >= (self.high - value) / 2), "")

    def branch(self, answer: Answer) -> Branch | None:
        return Branch(self.knob, float(answer), after=True) if self.knob and answer else None  # type: ignore[arg-type]


NONE = ("none", "-", "−", "")
MOST_FAULTS = 2
"""The most wrong cells or options of an answer that are explained."""


def _explained(faults: Mapping[int, str], answer: frozenset[int]) -> str:
    """The faults of the first wrong cells or options of an answer, each said once."""
    return " ".join([*dict.fromkeys(faults[place] for place in sorted(answer) if place in faults)][:MOST_FAULTS])


class Mark(Question, frozen=True, kw_only=True):
    """Cells on the board. `rights` are the sets that are right; the empty set is written `none`."""

    rights: frozenset[frozenset[int]]
    most: int
    """The most cells that an answer has."""
    among: int
    """The number of cells that may be marked."""
    faults: Mapping[frozenset[int], str] = {}
    """Known mistakes, by their answers."""
    taken: frozenset[int] | None = None
    """The right answer that the solver's step gives; None if it gives none in particular."""
    by_hand: str = ""
    """The intervention that takes the cells in place of the step; empty if none does."""
    inside: bool = False
    """True if an answer is some of the cells in `marked`."""
    free: frozenset[int] = frozenset()
    """The free cells, where an answer has no others; empty if it may have any cell."""
    least: int = 1
    """The fewest cells that an answer has; 0: none may be the answer."""
    wrongs: Mapping[int, str] = {}
    """The fault of a cell that no right answer has, by the cell."""
    repeated: frozenset[int] = frozenset()
    """The cells of repeated values that the question is about: conflicts, shown once the answer is judged."""

    @property
    def model(self) -> frozenset[int]:
        return min(self.rights, key=sorted) if self.taken is None else self.taken

    @property
    def chance(self) -> float:
        """Of a guess that has as many cells as the model."""
        sets = math.comb(max(self.among, self.most), len(self.model))
        return min(1.0, len(self.rights) / max(2, sets))

    def read(self, written: str) -> frozenset[int]:
        wanted = written.strip().lower()
        if wanted in NONE:
            return self.checked(frozenset())
        cells = set()
        for word in filter(None, re.split(r"[\s,;↔]+", wanted)):
            found = CELL_NAME.fullmatch(word)
            row, column = (int(found[1]), int(found[2])) if found else (0, 0)
            if not (1 <= row <= self.n and 1 <= column <= self.n):
                raise BadInput(f"{word!r} is no cell: expected {self.form}")
            cells.add((row - 1) * self.n + column - 1)
        return self.checked(frozenset(cells))

    @property
    def form(self) -> str:
        """The form of an answer, in words."""
        if self.least:
            return f"a cell such as r1c{self.n}" if self.most == 1 else f"cells such as r1c{self.n}"
        return f"cells such as r1c{self.n}, or none if there is no such cell"

    def checked(self, cells: frozenset[int]) -> frozenset[int]:
        """Cells that are an answer, right or wrong. Raises BadInput for others, with what was expected."""
        if len(cells) > self.most:
            raise BadInput(f"{len(cells)} cells: expected {self.most} at most")
        if len(cells) < self.least:
            raise BadInput("mark a cell first" if self.most == 1 else "mark at least one cell first")
        if self.inside and not cells <= set(self.marked):
            raise BadInput(f"{self.write(frozenset(cells - set(self.marked)))} is outside: expected some of "
                           f"{self.write(frozenset(self.marked))}")
        if self.free and not cells <= self.free:
            raise BadInput(f"{self.write(cells - self.free)} is not free: expected free cells")
        return cells

    def write(self, answer: Answer) -> str:
        assert isinstance(answer, frozenset)
        return " ".join(cell_name(cell, self.n) for cell in sorted(answer)) or "none"

    def judge(self, answer: Answer) -> Judgement:
        """Of several right answers the learner's own is the one that is named. After a wrong one it is the solver's, or
        if that gives none the nearest, and then it is said that there are others."""
        judgement = super().judge(answer)
        if judgement.right:
            return structs.replace(judgement, correct=self.write(answer))
        if self.taken is not None or len(self.rights) == 1:
            return judgement
        return structs.replace(judgement, correct=f"{self.write(self.nearest(answer))}, or others")

    def nearest(self, answer: Answer) -> frozenset[int]:
        """The right answer that shares the most cells with this one; of several the model, or else the first."""
        assert isinstance(answer, frozenset)
        return min(self.rights, key=lambda right: (-len(right & answer), right != self.model, sorted(right)))

    def is_right(self, answer: Answer) -> bool:
        return answer in self.rights

    def misconception(self, answer: Answer) -> str:
        assert isinstance(answer, frozenset)
        wrong = _explained(self.wrongs, answer)
        if answer in self.faults or wrong:
            return self.faults.get(answer, wrong)
        nearest = self.nearest(answer)
        return f"Right as far as it goes: {len(answer)} of {len(nearest)} cells." if answer and answer < nearest else ""

    def branch(self, answer: Answer) -> Branch | None:
        return Branch(self.by_hand, self.write(answer), after=False) if self.by_hand and answer else None


class Values(Question, frozen=True, kw_only=True):
    """The values of the marked cells, in their order."""

    values: tuple[int, ...]
    ways: int
    """The number of answers that a guess is drawn from."""
    faults: Mapping[tuple[int, ...], str] = {}
    """Known mistakes, by their answers."""

    @property
    def model(self) -> tuple[int, ...]:
        return self.values

    @property
    def chance(self) -> float:
        return 1 / self.ways

    def read(self, written: str) -> tuple[int, ...]:
        words = written.replace(",", " ").upper().split()
        if not words:
            raise BadInput(f"type the {len(self.values)} values first")
        if len(words) == 1 and len(self.values) > 1:
            words = list(words[0])
        found = tuple(int(word) if word.isdecimal() else SYMBOLS.find(word) if len(word) == 1 else 0 for word in words)
        for word, value in zip(words, found, strict=True):
            if not 1 <= value <= self.n:
                raise BadInput(f"{word!r} is no value: expected 1 to {SYMBOLS[self.n]}")
        if len(found) != len(self.values):
            raise BadInput(f"{len(found)} value{'' if len(found) == 1 else 's'}: expected {len(self.values)}")
        return found

    def write(self, answer: Answer) -> str:
        assert isinstance(answer, tuple)
        return in_order(answer)

    def is_right(self, answer: Answer) -> bool:
        return answer == self.values

    def misconception(self, answer: Answer) -> str:
        assert isinstance(answer, tuple)
        return self.faults.get(answer, "")


def in_order(values: Sequence[int]) -> str:
    """Values in words: `4 1 13 2`."""
    return " ".join(map(str, values))


Verdict = tuple[bool, str]
"""Whether a set of options is right, and the reason, in one sentence."""


class Several(Question, frozen=True, kw_only=True):
    """Several of some options. Right are the sets in `rights`, or those that `check` finds right. No right answer is
    empty."""

    options: tuple[str, ...]
    most: int
    """The most options that an answer has."""
    taken: frozenset[int]
    """The places of the options in a right answer."""
    rights: frozenset[frozenset[int]] = frozenset()
    check: Callable[[frozenset[int]], Verdict] | None = None
    """Judges a set that is not empty; its reason replaces `why`. None: `rights` decides."""
    faults: Mapping[int, str] = {}
    """The known mistake of an answer that has an option, by the place of the option."""

    @property
    def model(self) -> frozenset[int]:
        return self.taken

    @property
    def chance(self) -> float:
        """Of a guess that has as many options as the model; with a `check` at least that."""
        alike = sum(len(each) == len(self.taken) for each in self.rights) if self.check is None else 1
        return alike / math.comb(len(self.options), len(self.taken))

    def read(self, written: str) -> frozenset[int]:
        wanted = written.strip().lower().replace("->", "→")
        if wanted in NONE:
            raise BadInput("mark at least one answer first")
        words = re.split(r"[\s,;]+", wanted)
        if not all(word.isdigit() for word in words):
            words = [word.strip() for word in re.split("[,;]", wanted)]
        places = frozenset(self._place(word) for word in words if word)
        if len(places) > self.most:
            raise BadInput(f"{len(places)} answers: expected {self.most} at most")
        return places

    def _place(self, word: str) -> int:
        if word.isdigit() and 1 <= int(word) <= len(self.options):
            return int(word) - 1
        names = ["".join(option.lower().split()) for option in self.options]
        name = "".join(word.split())
        if name in names:
            return names.index(name)
        raise BadInput(f"{word!r} is none of the answers: expected numbers from 1 to {len(names)}, or their names")

    def write(self, answer: Answer) -> str:
        assert isinstance(answer, frozenset)
        return " ".join(str(place + 1) for place in sorted(answer)) or "none"

    def is_right(self, answer: Answer) -> bool:
        return self.verdict(answer)[0]

    def verdict(self, answer: Answer) -> Verdict:
        """Whether an answer is right, and why."""
        assert isinstance(answer, frozenset)
        if not answer:
            return False, self.why
        return self.check(answer) if self.check is not None else (answer in self.rights, self.why)

    def misconception(self, answer: Answer) -> str:
        """The known mistake, or, of an answer that `check` judges, why the model is right."""
        assert isinstance(answer, frozenset)
        if self.check is None and len(self.rights) == 1 and answer and answer < self.model:
            return f"Right as far as it goes: {len(answer)} of {len(self.model)}."
        judged = self.why if self.check is not None and answer else ""
        return _explained(self.faults, answer) or judged

    def judge(self, answer: Answer) -> Judgement:
        right, why = self.verdict(answer)
        correct = self.write(answer if right else self.model)
        if self.check is not None and not right:
            correct = f"{correct}, or another"
        return Judgement(right, correct, why, "" if right else self.misconception(answer))
