"""Solvers that go the way of people."""
