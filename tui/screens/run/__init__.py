"""The laboratory: watch one run."""
