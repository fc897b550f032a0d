"""Tests mirror the tree of the program; `python -m tests.bench` measures the budgets."""
