"""Compiled kernels: the `kernel` decorator over numba, bit operations, and the cache of compiled code.

    kernel.py       the decorator; random words in compiled form
    bits.py         population count and the index of a bit
    cache.py        which directories hold compiled code, and whether they can be trusted
    memory.py       refusals where the address space of the process is too small
    numba_cache.py  numba's cache of one function, spread over several directories (imports numba)
"""
