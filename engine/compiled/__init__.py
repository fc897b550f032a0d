"""Compiled kernels: the `kernel` decorator over numba, and the cache of compiled code."""
