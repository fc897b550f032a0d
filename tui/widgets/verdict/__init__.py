"""The verdict line: what happened at this step."""
