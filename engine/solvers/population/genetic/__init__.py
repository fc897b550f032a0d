"""Genetic algorithms."""
