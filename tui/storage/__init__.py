"""Files that the program keeps for its user: autosaved runs, sessions, puzzles."""
