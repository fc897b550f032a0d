"""A Sudoku as a network of symbolic automata, with Z3 behind it.

The alphabet is the values; a symbolic state is a formula; a transition adds a constraint; a word is accepted where the
formula stays satisfiable (D'Antoni & Veanes, "The Power of Symbolic Automata and Transducers", CAV 2017).

`explanation`, `formula`, `questions` and `strips` do without Z3. Everything else here loads it when it is imported
(some 0.2 s): import it where it is needed.
"""
