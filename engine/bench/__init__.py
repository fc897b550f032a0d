"""Honest comparison: an experiment is solvers times puzzles times seeds under one limit, and every trial is a run that
its row alone can repeat."""
