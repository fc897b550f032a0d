"""The terminal: what it can do, how little can be sent to it, and what happens when it goes away."""
