"""Human techniques: functions that read a board of candidates and return findings.

They are ordered by difficulty, roughly as in solving guides; the first technique that finds anything gives the next
step.
"""
