"""Step-wise Sudoku solvers whose every move can be watched, stopped and rewound. Knows no screen."""

__version__ = "0.1.0"
