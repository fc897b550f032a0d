"""Techniques that people use: each a small function that reads a board of candidates and says what it finds.

The order is that of growing difficulty, roughly as solving guides have it; the first technique that finds anything is
the next step.
"""
