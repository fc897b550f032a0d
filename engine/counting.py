"""How many solutions a puzzle has: none, one, or at least two. Work that can be stopped and gone on with.

Naked and hidden singles are followed as long as there are any, then the cell with the fewest candidates is tried. The
stack is explicit; a slice of work is a number of boards taken from it, so that whoever asks stays in charge.
"""

from __future__ import annotations

from typing import Literal

from engine.puzzle import Puzzle

Answer = Literal["none", "one", "several", "unknown"]
BUDGET = 4_000
"""Boards that are looked at before it is given up."""


class Count:
    """Counts the solutions of one puzzle, up to two. `work` until `over`, then read `answer`."""

    def __init__(self, puzzle: Puzzle, budget: int = BUDGET) -> None:
        geometry = puzzle.geometry
        self._peers = geometry.peers
        self._units = tuple(unit.cells for unit in geometry.units)
        self._budget = budget
        self.found = 0
        """Solutions found so far, at most two."""
        board = [(1 << puzzle.n) - 1] * puzzle.n**2
        fits = all(self._place(board, cell, 1 << value - 1) for cell, value in enumerate(puzzle.givens) if value)
        self._stack: list[list[int]] = [board] if fits else []

    @property
    def over(self) -> bool:
        return not self._stack or self.found > 1 or self._budget <= 0

    @property
    def answer(self) -> Answer:
        """What is known so far; `unknown` while boards are left that nobody has looked at."""
        if self.found > 1:
            return "several"
        if self._stack:
            return "unknown"
        return "one" if self.found else "none"

    def work(self, boards: int = 1) -> None:
        """Look at so many boards, unless it is over before."""
        for _board in range(boards):
            if self.over:
                return
            self._budget -= 1
            self._look()

    def _look(self) -> None:
        """Take a board from the stack; put back what can be made of it."""
        board = self._stack.pop()
        if not self._singles(board):
            return
        free = [cell for cell, mask in enumerate(board) if mask & (mask - 1)]
        if not free:
            self.found += 1
            return
        tried = min(free, key=lambda cell: board[cell].bit_count())
        left = board[tried]
        while left:
            bit = left & -left
            left &= left - 1
            child = board.copy()
            if self._place(child, tried, bit):
                self._stack.append(child)

    def _place(self, board: list[int], cell: int, bit: int) -> bool:
        """Leave only this candidate in a cell and follow the naked singles; False for a contradiction."""
        if not board[cell] & bit:
            return False
        board[cell] = bit
        settled = [cell]
        while settled:
            where = settled.pop()
            only = board[where]
            for peer in self._peers[where]:
                mask = board[peer]
                if mask & only:
                    mask &= ~only
                    if not mask:
                        return False
                    board[peer] = mask
                    if not mask & (mask - 1):
                        settled.append(peer)
        return True

    def _singles(self, board: list[int]) -> bool:
        """Place hidden singles until there are none; False when a value has no place left in a unit."""
        again = True
        while again:
            again = False
            for unit in self._units:
                once = twice = 0
                for cell in unit:
                    twice |= once & board[cell]
                    once |= board[cell]
                if once.bit_count() < len(unit):
                    return False
                once &= ~twice
                for cell in unit:
                    bit = board[cell] & once
                    if bit and board[cell] & (board[cell] - 1):
                        if bit & (bit - 1) or not self._place(board, cell, bit):
                            return False
                        again = True
        return True
