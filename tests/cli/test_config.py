"""`sudoku-tui config`, and the configuration as the laboratory takes it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Call, environment


def settings(folder: Path, text: str) -> Path:
    path = folder / "sudoku-tui" / "config.toml"
    path.parent.mkdir()
    path.write_text(text)
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def test_the_example_of_the_help_works_in_an_empty_home(cli: Call, tmp_path: Path) -> None:
    lines = [line.strip() for line in cli("config", "--help").out.splitlines()]
    example = "\n".join(line.replace("sudoku-tui", "program") for line in lines if "--path)" in line)
    home = {name: value for name, value in environment().items() if not name.startswith("XDG_")} | {
        "HOME": str(tmp_path / "new"), "PYTHONPATH": str(ROOT)}
    subprocess.run(["sh", "-ec", f"program() {{ '{sys.executable}' -m tui \"$@\"; }}\n{example}"], env=home,
                   check=True, cwd=tmp_path)
    (written,) = (tmp_path / "new").rglob("config.toml")
    assert "# theme" in written.read_text()


def test_it_prints_the_path_and_a_template(cli: Call, home: Path) -> None:
    told = cli("config")
    assert told.code == 0
    assert told.out.splitlines()[0] == f"# {home}/sudoku-tui/config.toml"
    assert '# theme = "dark"' in told.out
    assert '# go-to = "g"' in told.out
    assert tomllib.loads(told.out) == {"keys": {}}
    assert cli("config", "--path").out == f"{home}/sudoku-tui/config.toml\n"
    assert cli("config", "--template").out.startswith("# sudoku-tui: settings.")


def test_it_checks(cli: Call, home: Path) -> None:
    assert "does not exist: all settings have their defaults" in cli("config", "--check").out
    path = settings(home, 'theme = "light"\n[keys]\nrun = "f5"\n')
    assert cli("config", "--check").out == f"{path} is valid: 1 setting, 1 key\n"
    path.write_text("theme = 3\n")
    told = cli("config", "--check")
    assert told.code == 2
    assert told.err == f"sudoku-tui: {path}, line 1: theme = 3: expected one of dark, light, high-contrast, " \
        "high-contrast-light\n"
    assert path.read_text() == "theme = 3\n"


def test_the_solver_of_the_settings_is_the_one_unasked(cli: Call, home: Path) -> None:
    settings(home, 'solver = "hill-climb"\npreset = "restarts"\nspeed = "0.01"\n')
    begun = cli("4x4:1", "--plain").out
    assert "# solver hill-climb, seed 0" in begun
    assert "restarts=100" in begun
    assert "# solver backtrack" in cli("4x4:1", "--plain", "--solver", "backtrack").out
    assert "anneal strong" in cli("solve", "4x4:1").out, "what scripts get does not depend on somebody's settings"


def test_a_mistake_is_reported_and_the_defaults_hold(cli: Call, home: Path) -> None:
    settings(home, 'solver = "magic"\n')
    told = cli("4x4:1", "--plain", "--solver", "backtrack")
    assert told.code == 0
    assert "line 1: solver: no solver 'magic'" in told.err
    assert told.err.count("\n") == 1
