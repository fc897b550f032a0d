"""Toy solvers that are nothing like annealing: the contract must carry them as it carries the real ones."""
