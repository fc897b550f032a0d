"""The automata screen: ask Z3 about a board."""
