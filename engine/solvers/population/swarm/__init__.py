"""Particle swarms, in two forms: swarm-velocity as in the textbooks, and the course's workers and explorers.

Read for swarm-velocity:

velocity_update   the update v ← w·v ⊕ c₁·r₁·(pBest ⊖ x) ⊕ c₂·r₂·(gBest ⊖ x), x ← x ⊕ v; the steps
velocity          the solver: parameters, state, view

Read for swarm, swarm-adaptive and swarm-anneal:

swarm             the solvers: parameters, presets, programs
workers           the steps: the turn of a worker or an explorer, the merge into the worst worker, the end of an epoch
base              the solver class that both forms share

The rest is numbers and display: state, view. swarm-anneal anneals its best workers with `population.refine`.
"""
