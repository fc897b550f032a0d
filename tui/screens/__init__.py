"""The screens: one to a file."""
