"""Probabilistic inference: solvers that estimate the probability of each value."""
