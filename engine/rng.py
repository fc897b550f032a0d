"""Counter-based random numbers: a word depends on (seed, stream, step, i) only.

Any step of a run can therefore be repeated without the steps before it. The generator is splitmix64 evaluated at a
position (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). This is the plain
form; `engine.compiled.kernel` compiles the same arithmetic for kernels, and a test compares the two.
"""

from __future__ import annotations

from typing import Final, TypeVar

T = TypeVar("T")

MAX_SEED: Final = 2**63 - 1

FILL: Final = 0
"""Stream of the first fill of a state, and of fresh states after restarts (step = the step of the restart)."""
MOVE: Final = 1
"""Stream of proposals: the high 32 bits pick the neighbour, the low 32 decide."""
WALK: Final = 2
"""Stream of a calibrating random walk."""
CHOICE: Final = 3
"""Stream of all other choices: ties, selection, crossover, mutation. Streams from 16 up are free for a solver."""

GAMMA: Final = 0x9E3779B97F4A7C15
MIX_FACTORS: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
MASK: Final = 2**64 - 1
STEP_SHIFT: Final = 16
"""Each step owns 2**16 positions of its stream."""


def mix64(z: int) -> int:
    """The finaliser of splitmix64: a bijection on 64-bit words."""
    z = (z ^ (z >> 30)) * MIX_FACTORS[0] & MASK
    z = (z ^ (z >> 27)) * MIX_FACTORS[1] & MASK
    return z ^ (z >> 31)


def stream_key(seed: int, stream: int) -> int:
    return mix64((seed + GAMMA * (stream + 1)) & MASK)


def draw(seed: int, stream: int, step: int, i: int = 0) -> int:
    """The 64-bit word at position `i` (0..65535) of `step` (0..2**47) in a stream of the seed."""
    return mix64((stream_key(seed, stream) + GAMMA * ((step << STEP_SHIFT) + i + 1)) & MASK)


def continuing(seed: int, stream: int, step: int, into: int) -> int:
    """The seed, below 2**64, whose stream `into` has at steps 1, 2... the words of steps step + 1, step + 2... of a
    stream of another seed."""
    key = (stream_key(seed, stream) + GAMMA * (step << STEP_SHIFT)) & MASK
    return (_unmix64(key) - GAMMA * (into + 1)) & MASK


def _unmix64(z: int) -> int:
    """The inverse of `mix64`."""
    z ^= z >> 31 ^ z >> 62
    z = z * pow(MIX_FACTORS[1], -1, 2**64) & MASK
    z ^= z >> 27 ^ z >> 54
    z = z * pow(MIX_FACTORS[0], -1, 2**64) & MASK
    return z ^ z >> 30 ^ z >> 60


def below(word: int, bound: int) -> int:
    """A whole number in [0, bound) from the high 32 bits of a word; bound < 2**32."""
    return ((word >> 32) * bound) >> 32


def uniform(word: int) -> float:
    """A number in [0, 1) from the low 32 bits of a word."""
    return (word & 0xFFFFFFFF) / 4294967296.0


def shuffled(values: list[T], seed: int, stream: int, step: int, first: int = 0) -> list[T]:
    """A copy of `values` in random order (Fisher-Yates), using positions first, first + 1, ... of the step."""
    out = list(values)
    for k in range(len(out) - 1, 0, -1):
        j = below(draw(seed, stream, step, first + len(out) - 1 - k), k + 1)
        out[k], out[j] = out[j], out[k]
    return out
