"""A Sudoku as a network of symbolic automata, with Z3 behind it.

The alphabet is the values. The state of one unit's automaton is the set of values that may still be read
(`transitions`). To Z3 an automaton is a formula: a letter read adds a constraint, and a word is accepted where the
formula stays satisfiable (D'Antoni & Veanes, "The Power of Symbolic Automata and Transducers", CAV 2017).

Read `transitions` (states, transitions, acceptance of a unit), `unit` (the automata of rows, columns, boxes, asked of
Z3), `sudoku` (the automaton of a board), `encodings` (how a board becomes a formula), `unsat_core` (minimal cores),
`givens` (which givens contradict each other). `network` and `prover` hold the shared Z3 solvers; `questions` and
`answers` serve the automata screen; `formula` and `explanation` show what is asked and answered.

`explanation`, `formula`, `transitions` and `questions` do not import Z3. The other modules do, which takes about 0.2 s:
import them where they are needed.
"""
