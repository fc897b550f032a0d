"""Whether all that can tell of the solutions of a puzzle tells the same: `python -m tests.agreement`."""
