"""The command `sudoku-tui bench`."""
