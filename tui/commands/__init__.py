"""The commands, one file each, and what they share. None imports Textual, or a solver before it is asked for."""
