"""check, show, list, replay, warmup, completion, and what decides between a command and a puzzle."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

from engine import registry
from engine.energy import is_solution
from engine.params import describe
from engine.puzzle import Puzzle
from engine.puzzles import packs
from engine.puzzles.sources import open_source
from engine.run import run_file
from tests.cli.conftest import EASY, Call, environment
from tests.patience import PATIENCE
from tui.cli import program
from tui.commands import COMMANDS, LAB
from tui.requests import AppRequest, HomeRequest, NewRun


def test_version(cli: Call) -> None:
    from engine import __version__

    assert cli("--version") == (0, f"sudoku-tui {__version__}\n", "")


def test_the_groups_of_a_number_stay_together_in_lists(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in range(60, 100, 5):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert not re.search(r"\d\n +\d{3}\b", cli("list", "solvers").out)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != LAB])
def test_every_command_has_help_with_an_example(name: str, cli: Call) -> None:
    code, out, err = cli(name, "--help")
    assert (code, err) == (0, "")
    assert f"Usage: sudoku-tui {name}" in out
    assert name == "list" or re.search(r"^  +.*sudoku-tui ", out, re.MULTILINE)


def test_help_tells_of_commands_options_and_examples(cli: Call) -> None:
    out = cli("--help").out
    assert cli("-h").out == out
    assert cli("hard:1", "--help").out == out
    for word in ("[PUZZLE]", *(name for name in COMMANDS if name != LAB), "--plain", "--replay", "--theme", "Examples"):
        assert word in out
    assert LAB not in re.findall(r"^  (\w+)  ", out, re.MULTILINE)


def examples() -> list[tuple[str, list[str]]]:
    """The command and the arguments of every example in a help that names a command, without redirections."""
    import click

    texts = [program.epilog or ""]
    with click.Context(program) as ctx:
        commands = {name: command for name in COMMANDS if (command := program.get_command(ctx, name))}
    texts += [command.epilog or "" for command in commands.values()]
    found = re.findall(rf"sudoku-tui ((?:{'|'.join(map(re.escape, commands))})(?: [^|&>\n]+)?)", "\n".join(texts))
    return [(name, arguments) for name, *arguments in (shlex.split(re.split(r"   +|\)", each)[0]) for each in found)]


def test_every_example_of_the_help_is_a_line_that_parses() -> None:
    """An example that the program itself refuses would be worse than none."""
    import click

    shown = examples()
    assert len(shown) >= 40
    with click.Context(program) as ctx:
        for name, arguments in shown:
            command = program.get_command(ctx, name)
            assert command is not None
            command.make_context(name, arguments)


def test_every_puzzle_in_an_example_of_the_help_can_be_read() -> None:
    """Files aside, which the reader has: a digit string of the wrong length parses as an argument."""
    import click

    read = []
    with click.Context(program) as ctx:
        for name, arguments in examples():
            command = program.get_command(ctx, name)
            assert command is not None
            params = command.make_context(name, arguments).params
            given = [*(params.get("sources") or ()), *filter(None, [params.get("source")])]
            for source in given:
                if source != "-" and not re.search(r"\.[a-z]{3}$", source):
                    assert {item.error for item in open_source(source, io.BytesIO())} == {None}, source
                    read.append(source)
    assert {"33............2.", "hard:1", "traps"} <= set(read)


def test_the_clash_in_an_example_of_check_is_reported(cli: Call) -> None:
    code, out, _err = cli("check", "33............2.")
    assert code == 1
    assert "3 appears 2 times in row 1: r1c1 r1c2" in out


def test_a_command_wins_over_a_file_of_its_name(cli: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solve").write_text("34.1.2....1.2.43\n")
    assert cli("solve").err.startswith("sudoku-tui: Missing argument")
    assert "(see `sudoku-tui list params --help`)" in cli("list", "params").err
    assert "34.1.2....1.2.43" in cli("./solve", "--plain", "-s", "backtrack").out
    assert "# puzzle 34.1.2....1.2.43" in cli("--plain", "-s", "backtrack", "./solve").out


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[AppRequest]:
    """The request to the laboratory, recorded instead of opening it; returns 7."""
    requests: list[AppRequest] = []

    def run_app(request: AppRequest) -> int:
        requests.append(request)
        return 7

    monkeypatch.setitem(sys.modules, "tui.launch", types.SimpleNamespace(run_app=run_app))
    monkeypatch.setattr("tui.commands.lab.refuse_without_terminal", lambda *_words: None)
    return requests


def test_the_request_has_the_typed_options(cli: Call, asked: list[AppRequest]) -> None:
    code = cli("easy:1", "-s", "backtrack", "-p", "order=boxes", "--seed", "9", "--speed", "5k", "--fps", "20",
               "--theme", "light", "--ascii", "--play").code
    assert code == 7
    (request,) = asked
    source = request.run_source
    assert isinstance(source, NewRun)
    assert source.puzzle == packs.find("easy:1").puzzle
    assert (source.solver, source.seed, source.puzzle_name) == ("backtrack", 9, "first-steps")
    assert source.params.order == "boxes"  # type: ignore[union-attr]
    assert (request.speed, request.fps, request.theme, request.ascii, request.play) == ("5k", 20, "light", True, True)


@pytest.mark.parametrize(("option", "ascii"), [("--ascii", True), ("--unicode", False), (None, None)])
@pytest.mark.parametrize("experiment", [[], ["quick"]])
def test_the_screen_of_the_bench_takes_the_characters_to_draw_with(
        experiment: list[str], option: str | None, ascii: bool | None, cli: Call, asked: list[AppRequest]) -> None:
    assert cli("bench", *experiment, "--screen", *filter(None, [option])).code == 7
    assert asked[0].ascii is ascii


def test_the_characters_to_draw_with_need_the_screen_of_the_bench(cli: Call) -> None:
    assert cli("bench", "quick", "--unicode")[::2] == (2, "sudoku-tui: --unicode: expected --screen beside it\n")


@pytest.mark.parametrize(("source", "first_of"), [("hard", "hard"), ("hard:1", "")])
def test_the_first_puzzle_of_a_pack_says_that_there_are_others(source: str, first_of: str, cli: Call,
                                                               asked: list[AppRequest]) -> None:
    assert cli(source).code == 7
    run = asked[0].run_source
    assert isinstance(run, NewRun)
    assert (run.puzzle_name, run.first_of) == ("steep-climb", first_of)


@pytest.mark.parametrize("arguments", [[], ["--solver", "backtrack", "--seed", "5", "-p", "order=boxes"]])
def test_without_a_puzzle_home_opens_with_the_rest_chosen(arguments: list[str], cli: Call,
                                                          asked: list[AppRequest]) -> None:
    assert cli(*arguments).code == 7
    wish = asked[0].run_source
    assert isinstance(wish, HomeRequest)
    assert wish.record is None
    assert (wish.solver, wish.seed) == (("backtrack", 5) if arguments else ("anneal", 0))
    assert getattr(wish.params, "order", "boxes") == "boxes"


def test_without_a_puzzle_the_laboratory_plays_one_that_it_solves(cli: Call, asked: list[AppRequest]) -> None:
    assert cli("--play").code == 7
    source = asked[0].run_source
    assert isinstance(source, NewRun)
    assert source.puzzle == packs.find("easy:1").puzzle
    assert source.solver == "anneal"
    assert asked[0].play is True


def test_a_run_file_is_opened_by_the_laboratory(cli: Call, asked: list[AppRequest], tmp_path: Path) -> None:
    path = tmp_path / "kept.run"
    assert cli("solve", "-s", "backtrack", "4x4:1", "--save", str(path)).code == 0
    assert cli("--replay", str(path)).code == 7
    assert cli(str(path)).code == 7  # as PUZZLE too
    assert [each.run_source for each in asked] == [path, path]


def test_a_run_file_is_not_a_puzzle_with_another_recipe(cli: Call, asked: list[AppRequest], tmp_path: Path) -> None:
    path = tmp_path / "kept.run"
    assert cli("solve", "-s", "backtrack", "4x4:1", "--save", str(path)).code == 0
    for arguments in (["-s", "backtrack"], ["--seed", "3"]):
        code, _out, err = cli(str(path), *arguments)
        assert (code, asked) == (2, [])
        assert "a run file has its own recipe" in err
    for command in ("solve", "trace", "check"):
        code, _out, err = cli(command, str(path))
        assert (code, err.count("\n")) == (2, 1)
        assert "is a run file: expected a file of puzzles" in err


@pytest.mark.parametrize("arguments", [["nothing-of-that-name"], ["-p", "T0=nan"], ["--speed", "0"], ["traps:4"],
                                       ["--replay", "./missing.run"], ["--fps", "0"], ["--theme", "pink"]])
def test_the_laboratory_is_not_opened_on_bad_input(arguments: list[str], cli: Call, asked: list[AppRequest]) -> None:
    code, _out, err = cli(*arguments)
    assert (code, asked) == (2, [])
    assert err.count("\n") == 1


# check


def test_check_counts_givens_and_free_cells(cli: Call) -> None:
    code, out, _err = cli("check", EASY)
    assert code == 0
    assert out == "1: 9x9 classic, 32 givens, 49 free cells; one solution\n"


@pytest.mark.parametrize(("line", "words"), [
    ("1" + "." * 15, "1: 4x4 classic, 1 given, 15 free cells; several solutions"),
    ("123434122143432.", "1: 4x4 classic, 15 givens, 1 free cell; one solution"),
])
def test_check_counts_one_of_a_thing_as_one(cli: Call, line: str, words: str) -> None:
    assert cli("check", line).out.splitlines()[0] == words


def test_check_names_unit_and_cells(cli: Call) -> None:
    code, out, _err = cli("check", "11.." + "." * 8 + "...1")
    assert code == 1
    assert "the givens contradict each other" in out
    assert "  1 appears 2 times in row 1: r1c1 r1c2\n" in out
    assert "  1 appears 2 times in box 1: r1c1 r1c2\n" in out
    assert out.count("appears") == 2


def test_check_of_bad_input_beats_a_contradiction(cli: Call) -> None:
    assert cli("check", "11.." + "." * 12, "nothing").code == 2


def test_check_says_which_rows_have_one_free_cell(cli: Call) -> None:
    out = cli("check", "123." + "." * 12).out
    assert "row 1 has one free cell" in out
    assert out.count("one free cell") == 1


def test_check_of_a_solved_grid(cli: Call) -> None:
    code, out, _err = cli("check", "1234341221434321")
    assert code == 0
    assert "16 givens, 0 free cells; already solved" in out


def test_check_of_several_solutions_gives_two(cli: Call) -> None:
    code, out, _err = cli("check", "123." + "." * 12)
    lines = out.splitlines()
    assert code == 1
    assert lines[0] == "1: 4x4 classic, 3 givens, 13 free cells; several solutions"
    first, second = (Puzzle.from_line(line.strip()) for line in lines[1:3])
    assert first != second
    for grid in (first, second):
        assert is_solution(Puzzle.from_line("123." + "." * 12), grid.givens)


@pytest.mark.parametrize(("source", "code", "answer"), [
    ("hard:1", 0, "one"), ("diagonal:1", 0, "one"), ("16x16:1", 0, "one"), ("4x4:1", 0, "one"),
    ("." * 625, 1, "several"),
    ("12....3.........", 1, "none"), ("11" + "." * 14, 1, "none"),
], ids=["9x9", "diagonal", "16x16", "4x4", "25x25", "none", "clash"])
def test_check_tells_how_many_solutions(source: str, code: int, answer: str, cli: Call) -> None:
    told = cli("check", source, "--format", "jsonl")
    found = json.loads(told.out)
    assert (told.code, found["solutions"]) == (code, answer)
    assert len(found["examples"]) == {"one": 1, "several": 2}.get(answer, 0)
    puzzle = Puzzle.from_line(found["puzzle"], found.get("variant", "classic"))
    assert found["free"] == len(puzzle.free_cells) == puzzle.n**2 - found["givens"]
    assert len(found["clashes"]) == len(puzzle.clashes())
    for line in found["examples"]:
        assert is_solution(puzzle, Puzzle.from_line(line).givens)


def test_check_is_unknown_where_the_guesses_are_spent(cli: Call) -> None:
    code, out, _err = cli("check", "." * 256, "--max-guesses", "1")
    assert code == 1
    assert "unknown whether there is a solution: stopped after 1 guess\n" in out
    found = json.loads(cli("check", "." * 256, "--max-guesses", "1", "--format", "jsonl").out)
    assert (found["solutions"], found["guesses"]) == ("unknown", 1)
    assert found["reason"].startswith("unknown")


@pytest.mark.sweep(keep=2)
@pytest.mark.parametrize("engine", ["fast", "z3"])
@pytest.mark.parametrize(("source", "limit", "said", "found", "exact"), [
    ("." * 16, "10", "at least 10 solutions", 10, False), ("." * 16, "288", "288 solutions", 288, True),
    ("." * 16, "287", "at least 287 solutions", 287, False), ("traps:2", "2", "2 solutions", 2, True),
    (EASY, "10", "one solution", 1, True), ("traps:3", "10", "no solution", 0, True),
])
def test_check_counts_solutions(engine: str, source: str, limit: str, said: str, found: int, exact: bool,
                                cli: Call) -> None:
    arguments = ("check", source, "--count", limit, "--engine", engine)
    assert cli(*arguments).out.splitlines()[0].endswith(f"; {said}")
    fields = json.loads(cli(*arguments, "--format", "jsonl").out)
    assert (fields["count"], fields["exact"]) == (found, exact)


def test_check_says_why_it_stopped_counting(cli: Call) -> None:
    out = cli("check", "." * 81, "--count", "1e6", "--max-guesses", "1000").out
    assert re.search(r"; at least \d[\d ]* solutions: stopped after 1 000 guesses\n", out)


def test_check_reports_a_wrong_solution_in_the_source(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(f"quizzes,solutions\n{EASY},{EASY.replace('0', '1')}\n")
    assert "  the solution in its source is wrong\n" in cli("check", str(path)).out


def test_check_continues_after_malformed_input(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "list.sdm"
    path.write_text(f"{EASY}\nrubbish\n{EASY}\n")
    code, out, err = cli("check", str(path), "--format", "jsonl")
    assert (code, err.count("\n")) == (2, 1)
    assert [json.loads(line)["solutions"] for line in out.splitlines()] == ["one", "error", "one"]


# show


def test_show_draws_boxes(cli: Call) -> None:
    assert cli("show", "34.1.2....1.2.43").out.splitlines() == [
        " 3 4 | . 1", " . 2 | . .", "-----+-----", " . . | 1 .", " 2 . | 4 3"]


def test_show_draws_large_grids(cli: Call) -> None:
    lines = cli("show", "16x16:1").out.splitlines()
    assert lines[0].startswith("# ")
    assert len(lines) == 1 + 16 + 3
    assert lines[5] == "+".join(["---------"] * 4)
    assert all(line.count("|") == 3 and len(line.replace("|", "").split()) == 16
               for line in lines[1:] if "+" not in line)


@pytest.mark.parametrize("layout", ["line", "sdm", "sdk", "ss", "csv"])
def test_what_show_writes_is_read_again(layout: str, cli: Call, tmp_path: Path) -> None:
    path = tmp_path / f"list.{layout}"
    sources = ("easy:1", "hard:2") if layout != "sdk" else ("hard:2",)
    path.write_text(cli("show", *sources, "--format", layout).out)
    again = cli("show", str(path), "--format", "line")
    assert again.code == 0
    assert again.out == cli("show", *sources, "--format", "line").out
    assert len(again.out.splitlines()) == len(sources)


def test_a_puzzle_that_a_format_cannot_hold_is_skipped(cli: Call) -> None:
    converted = cli("show", "hard:1", "diagonal:3", "easy:1", "--format", "csv")
    assert (converted.code, len(converted.out.splitlines())) == (2, 3)
    assert "of the diagonal variant" in converted.err


# list


def test_descriptions_of_solvers_are_wrapped_at_the_width_of_the_terminal(
        cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, widest in (("72", 72), ("300", 100)):
        monkeypatch.setenv("COLUMNS", columns)
        _code, out, _err = cli("list", "solvers")
        described = [line for line in out.splitlines() if line.startswith("    ")]
        assert widest - 12 < max(map(len, described)) <= widest
        assert not any(line.endswith("sudoku-") for line in described)


def test_list_solvers_names_all_of_them(cli: Call) -> None:
    out = cli("list", "solvers").out
    for name in registry.names():
        assert re.search(rf"^{name} ", out, re.MULTILINE)
        assert registry.solver(name).title in out


def test_list_puzzles(cli: Call) -> None:
    out = cli("list", "puzzles").out
    for name in packs.pack_names():
        assert packs.span(name) in out
    large = cli("list", "puzzles", "16x16").out.splitlines()[1]
    assert large.endswith(f"  {sum(map(bool, packs.find('16x16:1').puzzle.givens))} of 256 cells")
    rows = cli("list", "puzzles", "easy").out.splitlines()[1:]
    assert len(rows) == len(packs.pack("easy"))
    assert rows[0].split()[0] == "easy:1"
    assert packs.pack("easy")[0].puzzle.line in rows[0]


@pytest.mark.parametrize("name", registry.names())
def test_list_params_are_those_declared(name: str, cli: Call) -> None:
    code, out, _err = cli("list", "params", name)
    solver = registry.solver(name)
    assert code == 0
    for parameter in describe(solver.Params):
        assert re.search(rf"^{parameter.name} ", out, re.MULTILINE)
        assert parameter.help in out
    for preset in solver.presets:
        assert f"preset {preset}: " in out
    for knob in solver.knobs:
        assert f"knob {knob.name}: " in out


# replay


def test_replay_names_the_step_of_a_mismatch(cli: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.solvers.exact import backtrack

    path = str(tmp_path / "kept.run")
    assert cli("solve", "-s", "backtrack", "--max-steps", "100", "hard:1", "--save", path).code == 1
    honest = backtrack.Backtrack.advance

    def drifting(self, state, params, n, *stop):  # type: ignore[no-untyped-def]
        result = honest(self, state, params, n, *stop)
        state.cells[80] = 9
        return result

    monkeypatch.setattr(backtrack.Backtrack, "advance", drifting)
    code, out, err = cli("replay", path)
    assert (code, out) == (1, "")
    assert err.startswith(f"sudoku-tui: {path} does not match: at step 100, ")


def test_replay_names_the_end_as_solve_does(cli: Call, tmp_path: Path) -> None:
    path = str(tmp_path / "kept.run")
    solved = cli("solve", "-s", "dlx", "traps:3", "--save", path).out
    ending = "no solution (every choice leads to a dead end)"
    assert ending in solved
    assert cli("replay", path).out.rstrip().endswith(ending)


def test_a_saved_run_has_the_name_of_its_puzzle(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "kept.run"
    cli("solve", "-s", "backtrack", "hard:1", "--save", str(path))
    assert run_file.read(path).puzzle_name == packs.find("hard:1").name


def test_replay_of_an_altered_file_is_refused(cli: Call, tmp_path: Path) -> None:
    path = tmp_path / "kept.run"
    assert cli("solve", "-s", "backtrack", "4x4:1", "--save", str(path)).code == 0
    path.write_text(path.read_text().replace('"seed": 0', '"seed": 1'))
    code, _out, err = cli("replay", str(path))
    assert code == 2
    assert "checksum" in err


# warmup, completion


@pytest.mark.sweep
def test_warmup_says_where_the_kernels_are(tmp_path: Path) -> None:
    """In a separate process, since numba takes its cache directory when it is imported."""
    script = ("import sys; from engine import registry, solutions; registry.names = lambda: ('backtrack',); "
              "solutions.warm_up = lambda: print('the engine is warm'); "
              "from tui.cli import main; sys.exit(main(['warmup', '--cache-dir', 'cache']))")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment(), capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert "backtrack" in done.stdout
    assert "the engine is warm\nexact engine" in done.stdout
    assert str(tmp_path / "cache") in done.stdout
    assert list((tmp_path / "cache").rglob("*.nbi"))


    """Other users could replace the kernels. In a separate process, for the same reason."""
    """A directory that other users cannot read is refused. In a separate process, for the same reason."""
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    done = subprocess.run([sys.executable, "-m", "tui", "warmup", "--cache-dir", "open"], cwd=tmp_path,
                          env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("sudoku-tui: --cache-dir open: ")
    assert "can be written by others" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell: str, cli: Call) -> None:
    code, out, _err = cli("completion", shell)
    assert code == 0
    assert "_SUDOKU_TUI_COMPLETE" in out
    assert "sudoku-tui" in out


def completions(cli: Call, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """The completions that zsh offers for the last word."""
    monkeypatch.setenv("_SUDOKU_TUI_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["sudoku-tui", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    return cli().out.splitlines()[1::3]


@pytest.mark.parametrize(("words", "expected"), [
    (["so"], "solve"),
    (["ha"], "hard"),
    (["--pl"], "--plain"),
    (["solve", "--solver", "back"], "backtrack"),
    (["solve", "-s", "anneal", "--preset", "str"], "strong"),
    (["--preset", "str"], "strong"),
    (["trace", "-s", "backtrack", "-p", "ord"], "order="),
    (["trace", "-s", "backtrack", "-p", "order=b"], "order=boxes"),
    (["solve", "dia"], "diagonal"),
    (["list", "puz"], "puzzles"),
    (["list", "params", "ba"], "backtrack"),
    (["progress", "--reset", "ba"], "backtrack"),
    (["progress", "--format", "js"], "jsonl"),
    (["show", "--format", "s"], "sdk"),
])
def test_completion_offers(words: list[str], expected: str, cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert expected in completions(cli, monkeypatch, *words)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(("words", "expected"), [
    ("so", ["solve"]), ("ha", ["hands-on", "hard"]), ("solve ha", ["hard"]), ("bench co", ["cooling", "course"]),
    ("check tr", ["traps"]), ("bench course cool", ["cooling"]), ("solve no-such", [])])
def test_bash_completes_names_where_files_fit_too(words: str, expected: list[str], cli: Call, tmp_path: Path) -> None:
    """Bash forgets names that come before the answer that files fit."""
    wrapper = tmp_path / "sudoku-tui"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tui "$@"\n')
    wrapper.chmod(0o755)
    typed = f"sudoku-tui {words}"
    script = cli("completion", "bash").out + (
        f"compopt() {{ :; }}\nCOMP_WORDS=({typed})\nCOMP_CWORD={len(words.split())}\n"
        '_sudoku_tui_completion sudoku-tui\nprintf "%s\\n" "${COMPREPLY[@]}"\n')
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    done = subprocess.run(["bash", "-c", script], env=environment(PATH=path), capture_output=True,
                          text=True, timeout=PATIENCE, check=True)
    assert sorted(filter(None, done.stdout.splitlines())) == expected


def test_completion_of_an_unknown_solver_offers_nothing(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions(cli, monkeypatch, "solve", "-s", "nobody", "--preset", "s") == []


@pytest.mark.sweep
def test_jsonl_is_utf8_whatever_the_locale(program: Call) -> None:
    out = program("trace", "-s", "backtrack", "4x4:1", "--to", "1", "--format", "jsonl", PYTHONUTF8="0", LC_ALL="C",
                  PYTHONIOENCODING="ascii").out
    assert "←" in json.loads(out.splitlines()[1])["sentence"]
