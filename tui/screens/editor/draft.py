"""A puzzle being edited, with undo and redo; values as they are typed. Pure."""

from __future__ import annotations

from engine.puzzle import Puzzle, Variant
from tui.storage.puzzle_files import empty_puzzle
from tui.undo import UndoHistory


class Draft(UndoHistory[Puzzle]):
    """A puzzle and its undo history."""

    def __init__(self, puzzle: Puzzle, name: str = "") -> None:
        super().__init__(puzzle)
        self.name = name
        self._saved = puzzle

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now."""
        return self.now

    @property
    def changed(self) -> bool:
        """Whether it differs from the puzzle that was opened or last saved."""
        return self.puzzle != self._saved

    def mark_saved(self) -> None:
        """The present puzzle is saved."""
        self._saved = self.puzzle

    def put(self, cell: int, value: int) -> bool:
        """Set a cell, 0 for none; whether that changed anything."""
        givens = list(self.puzzle.givens)
        givens[cell] = value
        return self.change(Puzzle(tuple(givens), self.puzzle.box, self.puzzle.variant))

    def clear(self) -> bool:
        """Remove all givens."""
        return self.change(empty_puzzle(self.puzzle.box, self.puzzle.variant))

    def resize(self, box: int) -> bool:
        """Begin an empty board of another size."""
        return box != self.puzzle.box and self.change(empty_puzzle(box, self.puzzle.variant))

    def turn(self) -> bool:
        """Change from classic to diagonal or back."""
        variant: Variant = "classic" if self.puzzle.variant == "diagonal" else "diagonal"
        return self.change(Puzzle(self.puzzle.givens, self.puzzle.box, variant))



def typed_value(before: int, typed: str, n: int, extend: bool) -> int | None:
    """The value of a cell that held `before` after a digit or a letter is typed; None if that is no value.

    Beyond 9, letters are values as on the board, and with `extend` a second digit is appended to the first.
    """
    if typed in ("0", ".") and not (extend and typed == "0" and 0 < before * 10 <= n):
        return 0
    if typed.isascii() and typed.isdigit():
        both = before * 10 + int(typed)
        value = both if extend and both <= n else int(typed)
    elif typed.isascii() and typed.isalpha():
        value = ord(typed.upper()) - ord("A") + 10
    else:
        return None
    return value if 1 <= value <= n else None
