"""The kernels of `belief`: one sweep of sum-product messages between cells and units.

Arrays, for a board of n*n cells with u units:

    messages  float64[u, n, n]  [unit, place in the unit, value - 1]: how well the unit takes the value there, sums to 1
    fixed     int8[n*n]         the value of a settled cell (given or decimated), else 0
    beliefs   float64[n*n, n]   the marginals, each row sums to 1; all 0 for a cell without a possible value
    units     int16[u, n]       the cells of each unit
    places    int16[n*n, w, 2]  (unit, place) of a cell in each of its units; unit -1 if it has fewer than w

All numbers come from additions, multiplications and divisions of float64 in the order written here, so that they are
the same to the bit on every machine. Nothing underflows: a possible value has at least FLOOR, and the product of the
fifteen messages that meet in a unit still fits a float64. A message is therefore exactly 0 only if no assignment of the
unit has that value in that cell, which is a proof, not an estimate.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.kernel import Int, kernel
from engine.compiled.portable_math import natural_log

Floats = NDArray[np.float64]
"""messages, beliefs, or a part of them."""
Values = NDArray[np.int8]
"""fixed."""
Cells = NDArray[np.int16]
"""units, places, or a part of them."""
Indices = NDArray[np.int64]
"""[k]: places in a unit, or values from 0."""

FLOOR: Final = 2.0**-60
"""The smallest message that is not 0; fifteen of them multiply to 2^-900."""
NEGLIGIBLE: Final = 1e-15
"""Smaller beliefs are left out of the entropy."""


@kernel
def normalise(row: Floats) -> None:
    """Scale a row to sum 1, with nonzero entries of at least FLOOR; a zero row stays zero."""
    total = 0.0
    for v in range(row.size):
        total += row[v]
    if total == 0.0:
        return
    for v in range(row.size):
        if row[v] != 0.0:
            row[v] = max(row[v] / total, FLOOR)


@kernel
def to_unit(messages: Floats, places: Cells, cell: Int, unit: Int, row: Floats) -> None:
    """The message of a cell to a unit, into `row` (float64[n]): the product of the messages of its other units. For
    unit -1 the product of all of them: the belief of the cell."""
    for v in range(row.size):
        row[v] = 1.0
    for k in range(places.shape[1]):
        other = places[cell, k, 0]
        if other >= 0 and other != unit:
            for v in range(row.size):
                row[v] *= messages[other, places[cell, k, 1], v]
    normalise(row)


@kernel
def bits_of(size: Int) -> Indices:
    """The number of set bits of each number below `size`: int64[size]."""
    bits = np.zeros(size, dtype=np.int64)
    for s in range(1, size):
        bits[s] = bits[s >> 1] + (s & 1)
    return bits


@kernel
def permanents(p: Floats) -> Floats:
    """The permanents of the minors of a matrix: float64[k, k] from float64[k, k].

    Entry [i, v] is the sum, over all assignments of different columns other than v to the other rows, of the products
    of their entries. Computed by subsets of columns: `first[s]` is that sum for the first rows and exactly the columns
    of s, `last[s]` for the last rows; k * 2^k products instead of k!.
    """
    k = p.shape[0]
    size = 1 << k
    bits = bits_of(size)
    first, last = np.zeros(size), np.zeros(size)
    first[0] = last[0] = 1.0
    for s in range(1, size):
        above, below = bits[s] - 1, k - bits[s]
        for v in range(k):
            if s >> v & 1:
                first[s] += first[s ^ (1 << v)] * p[above, v]
                last[s] += last[s ^ (1 << v)] * p[below, v]
    result = np.zeros((k, k))
    for s in range(size):
        if bits[s] < k and first[s] != 0.0:
            rest = (size - 1) ^ s
            for v in range(k):
                if rest >> v & 1:
                    result[bits[s], v] += first[s] * last[rest ^ (1 << v)]
    return result


@kernel
def open_part(fixed: Values, cells: Cells) -> tuple[Indices, Indices]:
    """The places of a unit whose cells are not settled, and the values (from 0) that no settled one has: int64[k] each.

    No two settled cells of a unit may have the same value.
    """
    n = cells.size
    taken = np.zeros(n, dtype=np.bool_)
    settled = np.zeros(n, dtype=np.bool_)
    for place in range(n):
        if fixed[cells[place]]:
            settled[place] = True
            taken[fixed[cells[place]] - 1] = True
    return np.flatnonzero(~settled), np.flatnonzero(~taken)


@kernel
def from_unit(messages: Floats, fresh: Floats, fixed: Values, units: Cells, places: Cells, unit: Int,
              damping: float) -> float:
    """The messages of a unit to its cells, into `fresh[unit]`; returns the largest change. Settled cells and their
    values are left out: the factor is a permutation of the other values over the other cells. A message of 0 is a proof
    and is not damped."""
    cells, values = open_part(fixed, units[unit])
    free = cells.size
    p = np.zeros((free, free))
    row = np.zeros(fresh.shape[2])
    for i in range(free):
        to_unit(messages, places, units[unit, cells[i]], unit, row)
        for j in range(free):
            p[i, j] = row[values[j]]
    return _write(messages, fresh[unit], unit, cells, values, permanents(p), damping)


@kernel
def _write(messages: Floats, fresh: Floats, unit: Int, cells: Indices, values: Indices, minors: Floats,
           damping: float) -> float:
    """Damp the permanents into messages; returns the largest change of one."""
    change = 0.0
    row = np.zeros(fresh.shape[1])
    for i in range(minors.shape[0]):
        row[:] = 0.0
        for j in range(minors.shape[0]):
            row[values[j]] = minors[i, j]
        normalise(row)
        for v in range(row.size):
            if row[v] != 0.0:
                row[v] = (1.0 - damping) * row[v] + damping * messages[unit, cells[i], v]
        normalise(row)
        for v in range(row.size):
            change = max(change, abs(row[v] - messages[unit, cells[i], v]))
            fresh[cells[i], v] = row[v]
    return change


@kernel
def marginals(messages: Floats, fixed: Values, places: Cells, beliefs: Floats) -> int:
    """Write the beliefs; returns a cell that has no value left, -1 if there is none."""
    empty = -1
    for cell in range(fixed.size):
        if fixed[cell]:
            beliefs[cell, :] = 0.0
            beliefs[cell, fixed[cell] - 1] = 1.0
            continue
        to_unit(messages, places, cell, -1, beliefs[cell])
        if empty < 0 and beliefs[cell].max() == 0.0:
            empty = cell
    return empty


@kernel
def entropy(beliefs: Floats, cells: Indices) -> float:
    """The mean entropy of these cells' beliefs in units of ln n: 0 (certain) to 1 (nothing known); 0 for no cells."""
    total, n = 0.0, beliefs.shape[1]
    for cell in cells:
        for v in range(n):
            if beliefs[cell, v] > NEGLIGIBLE:
                total -= beliefs[cell, v] * natural_log(beliefs[cell, v])
    return min(1.0, max(0.0, total / (natural_log(float(n)) * cells.size))) if cells.size else 0.0
