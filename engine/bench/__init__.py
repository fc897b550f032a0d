"""Experiments: solvers times puzzles times seeds under one limit. Every trial is a run that its row alone can repeat.
"""
