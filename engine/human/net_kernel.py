"""Following an assumption through singles, in rounds, until something contradicts it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.jit import kernel

_0, _1 = np.uint32(0), np.uint32(1)


@kernel
def rounds_to_contradiction(masks: Any, standing: Any, units: Any, peers: Any, chosen: Any, deepest: Any) -> Any:
    """Rounds of singles until an open cell or a value of a unit is left without a candidate; -1 where `deepest` rounds
    lead to none.

    masks, standing: uint32[n*n], candidates of open cells and the values that stand, as bits; both are changed.
    units: int16[units, n]; peers: int16[n*n, k]; chosen: uint32[n*n], scratch.
    """
    full = (_1 << np.uint32(units.shape[1])) - _1
    for depth in range(deepest + 1):
        if not _singles(masks, standing, units, chosen, full):
            return depth
        if not _place(masks, standing, peers, chosen):
            return -1
    return -1


@kernel
def _singles(masks: Any, standing: Any, units: Any, chosen: Any, full: Any) -> Any:
    """The singles of this moment into `chosen`; whether nothing is contradicted."""
    for cell in range(masks.size):
        mask = masks[cell]
        if mask == _0 and standing[cell] == _0:
            return False
        chosen[cell] = mask if mask & (mask - _1) == _0 else _0
    for unit in range(units.shape[0]):
        once, twice, there = _0, _0, _0
        for at in range(units.shape[1]):
            cell = units[unit, at]
            twice |= once & masks[cell]
            once |= masks[cell]
            there |= standing[cell]
        if once | there != full:
            return False
        alone = once & ~twice
        if alone:
            for at in range(units.shape[1]):
                cell = units[unit, at]
                if masks[cell] & alone and chosen[cell] == _0:
                    chosen[cell] = masks[cell] & alone & (~(masks[cell] & alone) + _1)
    return True


@kernel
def _place(masks: Any, standing: Any, peers: Any, chosen: Any) -> Any:
    """Place what was chosen; whether there was anything."""
    placed = False
    for cell in range(masks.size):
        if masks[cell] & chosen[cell]:
            put(masks, standing, peers, cell, chosen[cell])
            placed = True
    return placed


@kernel
def put(masks: Any, standing: Any, peers: Any, cell: Any, bit: Any) -> Any:
    """Put a value into a cell and strike it from the peers."""
    masks[cell] = _0
    standing[cell] = bit
    for at in range(peers.shape[1]):
        peer = peers[cell, at]
        if peer >= 0:
            masks[peer] &= ~bit


@kernel
def probe(board: Any, units: Any, peers: Any, scratch: Any, cell: Any, levels: Any, deepest: Any) -> Any:
    """For each candidate of a cell the rounds until its being there is contradicted, or -1: into levels, int16[n].

    board: uint32[2, n*n], candidates and standing values as bits; scratch: uint32[3, n*n].
    """
    masks, standing = scratch[0], scratch[1]
    for value in range(levels.size):
        levels[value] = -1
        bit = _1 << np.uint32(value)
        if board[0, cell] & bit:
            for at in range(masks.size):
                masks[at], standing[at] = board[0, at], board[1, at]
            put(masks, standing, peers, cell, bit)
            levels[value] = rounds_to_contradiction(masks, standing, units, peers, scratch[2], deepest)
