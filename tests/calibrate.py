"""Fits the constants of `engine.puzzles.rating` to rated puzzles and reports the error on puzzles not used for the fit.

    python -m tests.calibrate FILE [--every N]

FILE is CSV with the columns `puzzle` (81 characters) and `rating` (Sukaku Explainer). Every second puzzle is fitted,
by least squares; Spearman's rank correlation is of the others.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.puzzle import Puzzle
from engine.puzzles import rating
from engine.techniques.order import CHAINS

Numbers = NDArray[np.float64]


def ranks(numbers: Numbers) -> Numbers:
    """Ranks from 1; equal numbers share the mean of theirs."""
    _values, place, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    shared: Numbers = middle[place]
    return shared


def spearman(a: Numbers, b: Numbers) -> float:
    """Spearman's rank correlation, -1 to 1."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def fit(needed: list[dict[str, rating.Needed]], wanted: Numbers, kind: str, columns: int) -> Numbers:
    """Weights of the first features, from the puzzles whose hardest technique is a kind of chain."""
    chosen = [at for at, each in enumerate(needed) if each and _kind(each) == kind]
    table = np.array([rating.features(needed[at])[:columns] for at in chosen])
    weights: Numbers = np.linalg.lstsq(table, wanted[chosen], rcond=None)[0]
    return weights


def _kind(needed: dict[str, rating.Needed]) -> str:
    if any(technique in needed for technique in CHAINS[1:]):
        return "long"
    return "short" if CHAINS[0] in needed else "none"


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the rating to rated puzzles.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--every", type=int, default=1, help="take every Nth puzzle only")
    options = parser.parse_args()
    with options.file.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[::options.every]
    puzzles = [Puzzle.from_line(row["puzzle"]) for row in rows]
    wanted = np.array([float(row["rating"]) for row in rows])
    needed = [rating._walk(puzzle)[0] for puzzle in puzzles]
    for name, kind, columns in (("SHORT", "short", len(rating.SHORT)), ("LONG", "long", len(rating.LONG))):
        weights = fit(needed[::2], wanted[::2], kind, columns)
        print(f"{name} = ({', '.join(f'{weight:.2f}' for weight in weights)})")
    values = np.array([rating.rate(puzzle).value for puzzle in puzzles])
    print(f"Spearman on the other {len(values[1::2])} puzzles, with the present constants: "
          f"{spearman(values[1::2], wanted[1::2]):.3f}")
    for at in (2.5, 3.0, 4.0, 5.0, 6.2, 7.2, 8.2, 9.0):
        if (chosen := wanted == at).any():
            print(f"rated {at}: here {values[chosen].mean():.2f} +- {values[chosen].std():.2f}")


if __name__ == "__main__":
    main()
