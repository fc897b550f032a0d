"""Tables in Markdown, word for word."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from engine.bench.columns import gather
from engine.bench.experiment import SheetFigure
from engine.bench.report.markdown import markdown, table
from engine.run.solve import Limits
from tests.engine.bench import made

WHOLE = made.experiment([made.contender(), made.contender("other", "backtrack")], runs=1)
FACTS = {"execution": "processes", "machine": "Linux x86_64", "processor": "fast", "cores": "2", "program": "1.2",
         "python": "3.11", "version": "1"}


def said(whole=WHOLE, *results, when=""):
    return markdown(whole, gather(made.results(whole, *results)), FACTS, when)


def test_the_whole_report() -> None:
    text = said(WHOLE, made.solved(7), made.solved(5, 0.5), made.cut(), made.REFUSED, when="2026-11-21")
    assert text.split("## How to read this")[0] == (Path(__file__).parent / "expected.md").read_text("utf-8")


def test_the_figures_of_a_sheet_are_beside_the_measured_ones() -> None:
    sheet = (SheetFigure("easy", "3 / 5, mean 5.1 s", "slow"), SheetFigure("", "none", "other"))
    asked = structs.replace(WHOLE, sheet=sheet, difference="It ran once.", by_puzzle=True)
    text = said(asked, made.solved(7), made.solved(5, 0.5), made.cut(), made.REFUSED)
    beside = text.split("## Beside the sheet\n\n")[1].split("\n\n")
    assert [[value.strip() for value in line.split("|")[1:-1]] for line in beside[0].splitlines()[2:]] == [
        ["slow", "easy", "3 / 5, mean 5.1 s", "1 / 1", "250 ms", "250 ms"],
        ["other", "all", "none", "1 / 1", "500 ms", "500 ms"]]
    assert beside[1] == "It ran once."
    rows = text.split("## Puzzle by puzzle\n\n")[1].split("\n\n")[0].splitlines()[2:]
    assert [line.split("|")[2].strip() for line in rows] == ["easy 1", "hard 1", "easy 1", "hard 1"]
    assert "## Beside the sheet" not in said(WHOLE)


def test_text_is_escaped() -> None:
    lines = table(("a|b", "c"), [(made.NASTY, "> 5")]).splitlines()
    assert lines == ["| a\\|b                              | c   |", "|" + "-" * 35 + "|-----|",
                     "| \\<b>\"a\" & 'b'\\</b> \\| \\*c\\* \\_d\\_ | > 5 |"]
    assert table(("a",), [("two\nlines",)]).count("\n") == 2


def test_missing_results_are_reported() -> None:
    assert "= 4 trials, of which 3 are not made yet" in said(WHOLE, made.solved(7))
    assert "= 4 trials, of which 1 is not made yet" in said(WHOLE, *[made.solved(7)] * 3)


def test_limits_in_seconds_are_not_comparable_between_machines() -> None:
    seconds = made.experiment(WHOLE.contenders, limits=Limits(seconds=0.5))
    assert "limit 0.5 s a trial" in said(seconds)
    assert "not comparable between machines" in said(seconds)
    assert "not comparable between machines" not in said()
    assert "can be repeated from its row" in said()
    assert "Not those of" not in said()
    asked = made.experiment([made.contender("slow"), made.contender("asked", "z3")])
    assert "only the seconds belong to this machine. Not those of asked: another program makes" in said(asked)
    assert "no limit" in said(made.experiment(WHOLE.contenders, limits=Limits()))


def test_sweeps_and_maps_have_their_tables() -> None:
    swept = made.experiment([made.contender("a", alpha=alpha, T0=T0) for alpha in (0.9, 0.99) for T0 in (1.0, 2.0)],
                            runs=1, groups=("30 %", "60 %"), xs=(0.3, 0.6))
    text = said(swept, made.solved(3), made.cut(), made.cut(), made.cut())
    assert "## a: alpha\n" in text
    assert "## a: T0\n" in text
    assert "| T0 \\\\ alpha | 0.9     | 0.99  |" in text
    assert "| 1           | 100.0 % | 0.0 % |" in text
