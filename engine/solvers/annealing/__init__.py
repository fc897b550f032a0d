"""The annealing family: permutation states, swaps judged at a temperature, and the rules that change it."""
