"""The puzzle editor."""
