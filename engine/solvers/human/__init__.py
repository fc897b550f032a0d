"""Solvers that apply human techniques."""
