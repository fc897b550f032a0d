"""Other libraries that solve Sudoku, and a race against them."""
