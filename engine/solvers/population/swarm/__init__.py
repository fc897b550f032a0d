"""Particle swarms."""
