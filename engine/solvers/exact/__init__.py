"""Searches that find every solution there is, or prove that there is none."""
