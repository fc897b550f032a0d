"""A puzzle that is being edited: every change can be taken back and made again. Pure."""

from __future__ import annotations

from engine.puzzle import Puzzle, Variant
from tui.storage.puzzle_files import empty
from tui.undo import Past


class Draft(Past[Puzzle]):
    """A puzzle and its past and future."""

    def __init__(self, puzzle: Puzzle, name: str = "") -> None:
        super().__init__(puzzle)
        self.name = name
        self._began = puzzle

    @property
    def puzzle(self) -> Puzzle:
        """What stands on the board."""
        return self.now

    @property
    def changed(self) -> bool:
        """Whether it differs from what was opened, or from what was kept since."""
        return self.puzzle != self._began

    def kept(self) -> None:
        """What stands there now is safe elsewhere."""
        self._began = self.puzzle

    def put(self, cell: int, value: int) -> bool:
        """Give a cell a value, 0 for none. Whether that changed anything."""
        givens = list(self.puzzle.givens)
        givens[cell] = value
        return self.become(Puzzle(tuple(givens), self.puzzle.box, self.puzzle.variant))

    def clear(self) -> bool:
        """Take away all givens."""
        return self.become(empty(self.puzzle.box, self.puzzle.variant))

    def resize(self, box: int) -> bool:
        """An empty board of another size."""
        return box != self.puzzle.box and self.become(empty(box, self.puzzle.variant))

    def turn(self) -> bool:
        """From classic to diagonal, and back."""
        variant: Variant = "classic" if self.puzzle.variant == "diagonal" else "diagonal"
        return self.become(Puzzle(self.puzzle.givens, self.puzzle.box, variant))






def typed_value(before: int, typed: str, n: int, going_on: bool) -> int | None:
    """The value of a cell that held `before` when a digit or a letter is typed; None for what is no value here.

    Beyond 9, letters stand for values as on the board, and a second digit makes a number of two (`going_on`).
    """
    if typed in ("0", ".") and not (going_on and typed == "0" and 0 < before * 10 <= n):
        return 0
    if typed.isascii() and typed.isdigit():
        both = before * 10 + int(typed)
        value = both if going_on and both <= n else int(typed)
    elif typed.isascii() and typed.isalpha():
        value = ord(typed.upper()) - ord("A") + 10
    else:
        return None
    return value if 1 <= value <= n else None
