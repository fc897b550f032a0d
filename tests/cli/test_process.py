"""Behaviour that only a real process shows: exit codes, signals, pipes, terminals, imports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pexpect
import pytest

from engine import registry, rng, solutions
from engine.puzzle import Puzzle
from tests.cli.conftest import EASY, ROOT, SLOW, SOLVED, Call, command, environment
from tests.patience import PATIENCE, eventually
from tui.commands import warmup

EAGER = ("textual", "numba", "z3", "plotext", "numpy", "rich", "engine.solver")


def started(*arguments: str, stdin: int | None = None, **changes: str) -> subprocess.Popen[bytes]:
    """A process of the program; `changes`: of its environment."""
    return subprocess.Popen(command(*arguments), stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment(**changes), cwd=ROOT)


def ended(child: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Exit code and stderr, the last whole line of stdout having been read."""
    assert child.stdout is not None
    assert child.stderr is not None
    with child.stdout, child.stderr:
        rest = child.stdout.read()
        assert rest == b"" or rest.endswith(b"\n")
        return child.wait(PATIENCE), child.stderr.read()


def terminal(*arguments: str, **changes: str) -> pexpect.spawn[str]:
    words = command(*arguments)
    return pexpect.spawn(words[0], words[1:], env=environment(**changes), cwd=str(ROOT), encoding="utf-8",
                         timeout=PATIENCE, dimensions=(24, 100))


@pytest.mark.sweep
@pytest.mark.parametrize(("arguments", "code"), [
    (["solve", "-s", "backtrack", "4x4:1"], 0),
    (["solve", "-s", "backtrack", "--max-steps", "5", "hard:1"], 1),
    (["solve", "-s", "backtrack", "--max-steps", "5", "hard:1", "nothing"], 2),
])
def test_exit_codes(arguments: list[str], code: int, program: Call) -> None:
    assert program(*arguments).code == code


def test_the_laboratory_refuses_a_pipe(program: Call) -> None:
    code, out, err = program()
    assert (code, out) == (2, "")
    assert "--plain" in err
    assert "trace" in err


def test_the_laboratory_refuses_a_dumb_terminal() -> None:
    child = terminal("hard:1", TERM="dumb")
    child.expect("TERM=dumb")
    child.expect("--plain")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 2


@pytest.mark.sweep
def test_plain_works_on_a_dumb_terminal() -> None:
    child = terminal("4x4:1", "--plain", "-s", "backtrack", TERM="dumb")
    child.expect("SOLVED")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_nothing_heavy_is_imported_to_start() -> None:
    script = "import sys, tui.cli; print(*(name for name in sys.argv[1:] if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script, *EAGER], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


@pytest.mark.parametrize("arguments", [["--help"], ["solve", "--help"], ["--version"], ["show", EASY],
                                       ["check", "--help"]])
def test_small_commands_stay_small(arguments: list[str]) -> None:
    script = ("import sys; from tui.cli import main; main(sys.argv[1:]); "
              "print(*(name for name in ('textual', 'numba', 'z3', 'plotext', 'numpy') if name in sys.modules),"
              " file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", script, *arguments], cwd=ROOT, capture_output=True, text=True,
                          check=True)
    assert done.stderr == "\n"


@pytest.mark.sweep
def test_records_stream_from_stdin() -> None:
    """The first answer comes while the list is still being written."""
    child = started("solve", "-", "-s", "backtrack", "--format", "line", stdin=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    for _ in range(3):
        child.stdin.write(EASY.encode() + b"\n")
        child.stdin.flush()
        assert child.stdout.readline().decode() == SOLVED + "\n"
    child.stdin.close()
    assert ended(child) == (0, b"")


@pytest.mark.sweep
def test_an_interrupt_leaves_what_was_done() -> None:
    child = started("solve", "-s", "backtrack", "--time-limit", "0", "--format", "jsonl", "4x4:1", SLOW)
    assert child.stdout is not None
    first = json.loads(child.stdout.readline())
    child.send_signal(signal.SIGINT)
    assert all(json.loads(line)["status"] == "unknown" for line in child.stdout)
    code, err = ended(child)
    assert code == 130
    assert first["status"] == "solved"
    assert err.startswith(b"sudoku-tui: interrupted")
    assert err.count(b"\n") == 1


@pytest.mark.sweep
def test_compiling_ahead_can_be_interrupted(tmp_path: Path) -> None:
    """LLVM calls back into Python, where an interrupt would be dropped, and the kernel then lacks its code."""
    child = started("warmup", "--cache-dir", str(tmp_path))
    eventually(lambda: any(tmp_path.rglob("*.nbi")), lambda: str(list(tmp_path.rglob("*"))))
    child.send_signal(signal.SIGINT)
    assert ended(child) == (130, b"sudoku-tui: interrupted\n")


def test_a_replay_can_be_interrupted_while_kernels_compile(cli: Call, monkeypatch: pytest.MonkeyPatch,
                                                           tmp_path: Path) -> None:
    run = str(tmp_path / "my.run")
    assert cli("solve", EASY, "--save", run).code == 0
    over = threading.Event()

    def compile_kernels(puzzle: Puzzle, params: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        over.wait(PATIENCE)

    monkeypatch.setattr(registry.solver("anneal"), "warm_up", compile_kernels)
    assert cli("replay", run) == (130, "", "sudoku-tui: interrupted\n")
    over.set()


def test_compiling_ahead_covers_every_preset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves that are drawn group by group are made by kernels of their own."""
    solver, seen = registry.solver("anneal"), []
    monkeypatch.setattr(solver, "warm_up", lambda puzzle=None, params=None: seen.append(params))
    warmup._warm_up(solver)
    assert seen == [solver.make_params(preset) for preset in solver.presets]


def _endless() -> str:
    """A 25x25 grid with four cells in ten given, one of them another value than in the grid they come from: the
    contradiction lies too deep to be found."""
    full = solutions.solve(Puzzle((0,) * 625, 5)).grid or ()
    givens = [value if rng.below(rng.draw(0, rng.FILL, 0, cell), 100) < 40 else 0 for cell, value in enumerate(full)]
    cell = next(cell for cell in range(301, 625) if givens[cell])
    others = [Puzzle((*givens[:cell], value, *givens[cell + 1:]), 5) for value in range(1, 26) if value != full[cell]]
    return next(puzzle.line for puzzle in others if not puzzle.clashes())


@pytest.mark.sweep
def test_a_check_can_be_interrupted() -> None:
    child = started("check", "--max-guesses", "1e15", "--format", "jsonl", "4x4:1", _endless())
    assert child.stdout is not None
    assert json.loads(child.stdout.readline())["solutions"] == "one"
    child.send_signal(signal.SIGINT)
    code, err = ended(child)
    assert code == 130
    assert err.startswith(b"sudoku-tui: interrupted")


@pytest.mark.parametrize(("code", "heard"), [(130, b"ended by itself\n"), (1, b"ended by itself\ntaken apart\n")])
def test_the_end_of_what_was_interrupted_is_not_waited_for(code: int, heard: bytes) -> None:
    """Taking numba apart costs a quarter of a second of processor time."""
    script = ("import atexit, sys, tui.cli, tui.__main__\n"
              "class Loaded:\n"
              "    def __init__(self): self.say = sys.stdout.write\n"
              "    def __del__(self): self.say('taken apart\\n'); sys.stdout.flush()\n"
              "loaded = Loaded()\n"
              "atexit.register(lambda: print('ended by itself', flush=True))\n"
              f"tui.cli.main = lambda: {code}\n"
              "tui.__main__.start()")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, env=environment(), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, heard, b"")


def test_an_interrupt_during_the_imports_leaves_no_traceback() -> None:
    script = ("import os, signal, sys, tui.__main__\n"
              "class Late:\n"
              "    def find_spec(self, name, *others):\n"
              "        if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
              "sys.meta_path.insert(0, Late())\n"
              "tui.__main__.start()")
    done = subprocess.run([sys.executable, "-c", script, "--version"], cwd=ROOT, capture_output=True,
                          env=environment(), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@pytest.mark.parametrize(("words", "said"), [
    (("solve", "-s", "backtrack", "4x4:1"), b"interrupted after 0 runs"),
    (("trace", "-s", "backtrack", "4x4:1"), b"interrupted"), (("--plain", "-s", "backtrack", "4x4:1"), b"interrupted")])
def test_compiling_does_not_keep_an_interrupt_waiting(words: Sequence[str], said: bytes) -> None:
    """The kernels would take as long as the test waits at most."""
    script = ("import threading, tui.__main__\n"
              "from engine.registry import solver\n"
              "def compile(*arguments): print('compiling', flush=True); threading.Event().wait()\n"
              "type(solver('backtrack')).warm_up = compile\n"
              "tui.__main__.start()")
    child = subprocess.Popen([sys.executable, "-c", script, *words], cwd=ROOT,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert child.stdout is not None
    assert child.stdout.readline() == b"compiling\n"
    child.send_signal(signal.SIGINT)
    assert ended(child) == (130, b"sudoku-tui: " + said + b"\n")


@pytest.mark.sweep
def test_a_trace_can_be_interrupted() -> None:
    child = started("trace", "-s", "backtrack", SLOW)
    assert child.stdout is not None
    assert any(b"ASSIGNED" in line for line in child.stdout)
    child.send_signal(signal.SIGINT)
    assert ended(child) == (130, b"sudoku-tui: interrupted\n")


@pytest.mark.sweep
@pytest.mark.parametrize("arguments", [
    ["trace", "-s", "backtrack", SLOW],
    ["trace", "-s", "backtrack", SLOW, "--format", "jsonl"],
    ["solve", "-s", "backtrack", "--runs", "1000000", "4x4:1"],
    ["--plain", "-s", "backtrack", SLOW],
    ["solve", "-s", "swarm", "--history", "-", SLOW],
])
def test_a_closed_pipe_is_quiet(arguments: list[str]) -> None:
    """As `| head -1` does."""
    child = started(*arguments)
    assert child.stdout is not None
    assert child.stderr is not None
    assert child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == b""
    assert child.wait(PATIENCE) == 141
    child.stderr.close()


@pytest.mark.sweep
def test_a_run_is_saved_before_a_closed_pipe_ends_the_program(tmp_path: Path) -> None:
    """`solve ... --save my.run | head -2`, where head ends before anything is written."""
    kept = tmp_path / "my.run"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command("solve", "-s", "backtrack", "4x4:1", "--save", str(kept)), stdout=writing,
                          stderr=subprocess.PIPE, env=environment(), cwd=ROOT, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
    assert kept.exists()


@pytest.mark.sweep
def test_a_full_disk_is_one_sentence() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command("solve", "-s", "backtrack", "4x4:1"), stdout=full, stderr=subprocess.PIPE,
                              env=environment(), cwd=ROOT, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"sudoku-tui: ")
    assert done.stderr.count(b"\n") == 1


def test_missing_standard_streams_are_no_traceback() -> None:
    line = " ".join(["exec", *command("solve", "-", "-s", "backtrack"), "<&-", ">&-"])
    done = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, env=environment(), cwd=ROOT, check=False)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.sweep
def test_a_locale_without_the_signs_spells_them(program: Call) -> None:
    code, out, err = program("trace", "-s", "backtrack", "4x4:1", "--to", "1", PYTHONUTF8="0", LC_ALL="C",
                             PYTHONIOENCODING="ascii")
    assert (code, err) == (0, "")
    assert "r1c3 := 2" in out


@pytest.mark.sweep
def test_the_progress_bar_on_a_terminal() -> None:
    child = terminal("solve", "4x4:1", SLOW, "-s", "backtrack", "--time-limit", "0", "--max-steps", "1e15", "-p",
                     "max_steps=0")
    child.expect(r"\[[#]{12}[.]{12}\]  50 % puzzle 2   1 solved   step [\d ]+   E \d+")
    child.sendintr()
    child.expect("unknown")
    child.expect("interrupted")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


@pytest.mark.sweep
def test_no_progress_bar_off_a_terminal(program: Call) -> None:
    assert program("solve", "-s", "backtrack", "4x4").err == ""


def test_an_internal_error_is_one_sentence_and_names_the_debug_variable() -> None:
    script = ("import sys, engine.puzzles.sources, tui.commands.sources as used\n"
              "def broken(*arguments): raise ZeroDivisionError('one\\nby\\nnone')\n"
              "used.open_source = broken\n"
              "from tui.cli import main; sys.exit(main(['check', 'hard:1']))")

    def run(**changes: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False,
                              env=environment(**changes))

    quiet, loud = run(), run(SUDOKU_TUI_DEBUG="1")
    assert (quiet.returncode, loud.returncode) == (70, 70)
    assert quiet.stderr.startswith("sudoku-tui: internal error: ZeroDivisionError: one by none")
    assert "SUDOKU_TUI_DEBUG=1" in quiet.stderr
    assert quiet.stderr.count("\n") == 1
    assert "Traceback" in loud.stderr


@pytest.mark.sweep
def test_memory_stays_flat_on_a_long_list(tmp_path: Path) -> None:
    """Twenty times the list costs no more memory at its peak."""
    line = b"3..1.2....1.2..3" + b" " * 4000 + b"\n"
    script = ("import sys, tracemalloc; from tui.cli import main; main(['check', '4x4:1']); tracemalloc.start(); "
              "main(sys.argv[1:]); print(tracemalloc.get_traced_memory()[1], file=sys.stderr)")

    def peak(lines: int) -> int:
        path = tmp_path / f"{lines}.txt"
        path.write_bytes(line * lines)
        done = subprocess.run([sys.executable, "-c", script, "check", str(path)], cwd=ROOT, check=True,
                              env=environment(), capture_output=True, text=True)
        assert done.stdout.count("free cells") == lines + 1
        return int(done.stderr)

    assert peak(2_000) < peak(100) + 200_000


@pytest.mark.sweep
def test_worker_processes_import_no_module_of_the_current_directory(tmp_path: Path) -> None:
    (tmp_path / "multiprocessing.py").write_text("open('was-run', 'w')")
    as_installed = "import sys; sys.path.remove(''); from tui.__main__ import start; start()"
    arguments = ["bench", "-s", "norvig", "--packs", "4x4:1", "-j", "1", "--out", "results"]
    done = subprocess.run(
        [sys.executable, "-c", as_installed, *arguments],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert not (tmp_path / "was-run").exists(), done.stderr
    assert done.returncode == 0, done.stderr
