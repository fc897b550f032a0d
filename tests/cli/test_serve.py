"""`serve` where its extra is not installed."""

from __future__ import annotations

import sys

import pytest

from tests.cli.conftest import Call


def test_without_the_extra_it_says_how_to_get_it(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    code, _out, err = cli("serve")
    assert code == 2
    assert err == "sudoku-tui: serve needs the package textual-serve: pip install 'sudoku-tui[web]'\n"
