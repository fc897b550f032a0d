"""Daemon threads that work for a screen."""
