"""Budgets of speed and memory, measured: `python -m tests.bench`. One file a row, listed in `registry.ROWS`."""
