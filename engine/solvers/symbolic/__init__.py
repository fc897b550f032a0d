"""Solvers that ask an engine of logic: Z3."""
