"""Puzzles: shipped packs, file formats, sources named on a command line, generation, rating."""
