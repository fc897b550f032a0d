"""Home: choose a puzzle and a solver."""
