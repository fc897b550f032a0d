"""Panels that show what a solver holds beside the board."""
