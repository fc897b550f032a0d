"""`guess`: curves on standard output, guesses from standard input."""

from __future__ import annotations

import hashlib
import re

from tests.cli.conftest import EASY, Call


def test_the_commitment_is_the_hash_of_the_line_that_comes_after_the_answer(cli: Call) -> None:
    code, out, err = cli("guess", EASY, "--seed", "5", "--count", "2", stdin=b"?\n1\nnonsense\ntabu\n")
    assert (code, err) == (0, "")
    commitments = re.findall(r"SHA-256 of the recipe: ([0-9a-f]{64})", out)
    lines = [line.strip() for line in out.splitlines() if "solver=" in line]
    assert [hashlib.sha256(line.encode()).hexdigest() for line in lines] == commitments
    assert out.index(commitments[0]) < out.index(lines[0])
    assert "Does E ever rise?" in out
    assert len(re.findall(r"^      E (falls|never|stays).*\.\n      rises: \d+ in the first half, \d+ in the second$",
                          out, re.MULTILINE)) == 2
    assert "'nonsense' is none of the answers: expected a number from 1 to 5, or the answer itself" in out
    assert re.search(r"[012] of 2 right", out)


def test_the_end_of_the_input_ends_it(cli: Call) -> None:
    assert "0 of 0 right" in cli("guess", EASY, "--what", "temperature", stdin=b"").out
    assert "solver=" not in cli("guess", EASY, "--what", "temperature", stdin=b"q\n").out


def test_an_option_that_is_none_is_told_those_that_are_apart(cli: Call) -> None:
    out = cli("guess", EASY, "--what", "temperature", "--count", "1", "--seed", "5", stdin=b"x\n").out
    assert "'x' is none of the answers: expected exponential, linear, hot constant, cold constant\n" in out
