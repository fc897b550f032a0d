"""The bench screen: run an experiment and read its results."""
