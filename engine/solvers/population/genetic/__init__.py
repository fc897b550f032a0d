"""Genetic algorithms: ga-cells, ga-rows, ga-ordered and ga-memetic, on one base.

Read in this order:

genetic         the algorithm: generations, replacement, restarts; the base of the solvers
selection       the parents: by tournament or by rank
operators       crossover (uniform, one-point, PMX, order), mutation, replacement
breeding        one child: parents → crossover → mutation → E
chromosome      genes as cells, rows or boxes; random populations
ga_cells, ga_rows, ga_ordered, ga_memetic
                the solvers: each its genes, parameters and presets; ga_memetic adds annealing (`population.refine`)

The rest is declarations and display: parameters, state, view.
"""
