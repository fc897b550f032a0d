"""Probabilistic inference: how likely each value is, and what can be read off that."""
