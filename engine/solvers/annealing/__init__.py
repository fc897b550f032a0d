"""Simulated annealing and its relatives: one permutation state, moves that exchange cells, an acceptance rule.

Read in this order, about a thousand lines:

1. `anneal`         the algorithm: parameters, pseudo-code, the solver
2. `annealer`       its loop, one proposal a step, as a generator of events; the base class of the family
3. `acceptance`     the Metropolis test and the other acceptance rules
4. `cooling`        cooling schedules and plateaus
5. `neighbourhood`  the moves: which are legal, and how one is proposed
6. `energy_delta`   the ΔE of a move, and making it

The variants add parameters and rules: `linear` (the course sheet), `anneal_reheat` with `reheat`, which says when T is
raised and to what, `lewis` (Lewis 2007), `propagate` (singles first), `hill_climb` and `tabu`.

The rest is bookkeeping, speed and display. `rules` does what follows a proposal: counts, the best grid, restarts, the
end of a run; `calibration` finds T₀. `parameters`, `state` and `workspace` declare the data. `kernel` makes millions of
proposals a second with the functions of the files above, `packed_kernel` holds the bit arithmetic that it uses at 9x9.
`replay` decodes many steps at once for the screen, and `view` turns a moment of a run into marks, gauges and events;
`laws` has the rules in words, for questions.
"""
