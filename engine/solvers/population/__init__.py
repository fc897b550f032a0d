"""Populations: genetic algorithms and swarms."""
