"""Populations: many grids at once, of which the better ones guide the others.

genetic     genetic algorithms: selection, crossover, mutation, replacement
swarm       particle swarms: workers and explorers; positions and velocities
refine      annealing of one individual, for the hybrids ga-memetic and swarm-anneal
refinement  the same annealing as a run of its own, proposal by proposal
panel       the panel of individuals and the diversity, for both families

Start with the map in `genetic` or in `swarm`.
"""
