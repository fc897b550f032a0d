"""Check that everything that decides a puzzle agrees: `python -m tests.agreement`."""
