"""Simulated annealing and its relatives: one permutation state, moves that exchange cells, an acceptance rule.

Read in this order, about a thousand lines:

1. `anneal`         the algorithm: parameters, pseudo-code, the solver
2. `annealer`       its loop, one proposal a step, as a generator of events; the base class of the family
3. `acceptance`     the Metropolis test and the other acceptance rules
4. `cooling`        cooling schedules and plateaus; `reheat` has the law of reheating
5. `neighbourhood`  the moves: which are legal, how one is proposed, its ΔE, making it

The variants add parameters and rules: `linear` (the course sheet), `anneal_reheat` with the law of reheating in
`reheat`, `lewis` (Lewis 2007), `propagate` (singles first), `hill_climb` and `tabu`.

The rest is bookkeeping, speed and display. `rules` does what follows a proposal: counts, the best grid, calibration,
the end of a run. `parameters`, `state` and `workspace` declare the data. `kernel` makes millions of proposals a second
with the functions of the files above, `packed_kernel` holds the bit arithmetic that it uses at 9x9. `replay` decodes
many steps at once for the screen, and `view` turns a moment of a run into marks, gauges and events.
"""
