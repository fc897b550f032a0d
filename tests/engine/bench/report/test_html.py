"""The page: well-formed, whole in itself, and safe whatever things are called."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from engine.bench.columns import gather
from engine.bench.experiment import Experiment, Problem, SheetFigure
from engine.bench.report.html import page
from engine.bench.report.markup import Markup, tag
from engine.bench.report.svg import phase_times
from engine.bench.store import Store
from engine.bench.tables import phases
from engine.run.solve import Limits
from tests.engine.bench import made

SVG = "{http://www.w3.org/2000/svg}"
NASTY = made.NASTY + " <script>alert(1)</script> ' onload='x"


class Reader(HTMLParser):
    """A parser for open elements, ids and text."""

    VOID = ("meta", "br", "line", "rect", "path", "circle")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.ids: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def swept(name: str = "a", limits: Limits | None = None) -> Experiment:
    """All kinds of charts at once."""
    contenders = [made.contender(name, alpha=alpha, T0=T0) for alpha in (0.9, 0.99) for T0 in (1.0, 2.0)]
    return made.experiment([*contenders, made.contender("other", "backtrack")], 3, limits, ("30 %", "60 %"), (0.3, 0.6))


def written(tmp_path: Path, whole: Experiment, when: str = "") -> str:
    store = Store(tmp_path / "results.sqlite")
    results = [made.solved(7), made.cut(), made.gave_up(), made.solved(90), made.REFUSED]
    store.keep(whole, ((trial, results[place % 5]) for place, trial in enumerate(whole.trials())))
    store.note(processor="fast <&> \"cheap\"")
    return page([whole], store, when)


def charts(html: str) -> list[ET.Element]:
    return [ET.fromstring(each) for each in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def test_every_tag_is_closed_and_every_id_is_one(tmp_path: Path) -> None:
    reader = Reader()
    reader.feed(written(tmp_path, swept()))
    reader.close()
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids)) > 4


def test_the_figures_of_a_sheet_and_single_puzzles_have_sections(tmp_path: Path) -> None:
    whole = swept()
    sheet = (SheetFigure(whole.groups[0], f"3 / 5 {NASTY}"),)
    reader = Reader()
    reader.feed(written(tmp_path, structs.replace(whole, by_puzzle=True, sheet=sheet, difference=f"Slower {NASTY}")))
    reader.close()
    assert reader.open == []
    assert "script" not in reader.tags
    for text in ("Puzzle by puzzle", "Beside the sheet", f"3 / 5 {NASTY}", f"Slower {NASTY}"):
        assert text in reader.text
    (tmp_path / "results.sqlite").unlink()
    assert "Beside the sheet" not in written(tmp_path, whole)


def test_every_chart_is_well_formed_and_described(tmp_path: Path) -> None:
    found = charts(written(tmp_path, swept()))
    assert len(found) == 7  # success, phase, its times, map, run times by seconds and by steps, convergence
    for each in found:
        title, described = each[0], each[1]
        assert (each.tag, title.tag, described.tag) == (f"{SVG}svg", f"{SVG}title", f"{SVG}desc")
        assert each.get("aria-labelledby", "").split() == [title.get("id"), described.get("id")]
        assert each.get("role") == "img"
        assert title.text
        assert described.text


def test_drawings_stay_inside(tmp_path: Path) -> None:
    for each in charts(written(tmp_path, swept())):
        _, _, width, height = map(float, each.get("viewBox", "").split())
        for element in each.iter():
            assert "nan" not in str(element.attrib)
            for name, most in (("x", width), ("x1", width), ("x2", width), ("cx", width), ("y", height), ("y1", height),
                               ("y2", height), ("cy", height)):
                assert 0 <= float(element.get(name, "0")) <= most


@pytest.mark.parametrize("place", ["name", "about", "label", "group", "problem"])
def test_names_cannot_become_markup(place: str, tmp_path: Path) -> None:
    whole = swept(NASTY if place == "label" else "a")
    first, last = whole.problems
    odd = Problem(NASTY if place == "group" else "30 %", NASTY if place == "problem" else "one", first.line, "classic",
                  first.x)
    named = Experiment(NASTY if place == "name" else "try", NASTY if place == "about" else "", whole.contenders,
                       (odd, last), whole.runs, whole.seed, whole.limits)
    html = written(tmp_path, named)
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    assert not reader.tags & {"script", "b"}
    assert "onload" not in reader.names
    assert len(charts(html)) == 7
    assert place == "problem" or NASTY[:20] in reader.text


def test_nothing_is_loaded_from_anywhere(tmp_path: Path) -> None:
    html = written(tmp_path, swept()).replace('xmlns="http://www.w3.org/2000/svg"', "")
    reader = Reader()
    reader.feed(html)
    assert not reader.tags & {"script", "link", "img", "iframe", "object", "embed", "use", "image"}
    assert not reader.names & {"src", "href"}
    assert not re.search(r"https?:|url\(|@import", html)


def test_the_page_names_its_origin(tmp_path: Path) -> None:
    reader = Reader()
    reader.feed(written(tmp_path, swept(limits=Limits(seconds=0.5)), "21 November 2026"))
    for said in ("5 solvers × 2 puzzles × 3 seeds = 30 trials", "limit0.5 s a trial", "fast <&> \"cheap\"",
                 "21 November 2026", "not comparable between machines", "0 … 2", "cut off", "refused"):
        assert said in reader.text


def test_the_same_results_give_the_same_page(tmp_path: Path) -> None:
    assert written(tmp_path, swept()) == written(tmp_path, swept())


def test_the_limit_is_drawn_at_its_place(tmp_path: Path) -> None:
    """Nothing was cut off at 1 000 steps: the line of the limit is far from the last that was solved."""
    whole = made.experiment([made.contender()], runs=1)
    store = Store(tmp_path / "results.sqlite")
    store.keep(whole, made.results(whole, made.solved(10), made.solved(100)))
    chart = next(each for each in charts(page([whole], store)) if each[0].get("id") == "times-steps-title")
    limit = next(each for each in chart.iter() if each.get("class") == "limit")
    curve = next(each for each in chart.iter(f"{SVG}path") if each.get("class") == "line s0")
    corners = re.findall(r"[ML]([\d.]+) ", curve.get("d", ""))
    first, last = float(corners[1]), float(corners[-1])
    assert float(limit.get("x1", "0")) - last == pytest.approx(last - first, abs=0.2)


def test_parts_stand_below_one_another(tmp_path: Path) -> None:
    store = Store(tmp_path / "results.sqlite")
    parts = [structs.replace(swept(), name=f"whole: {name}", part_of="whole") for name in ("one", "two")]
    store.keep(parts[0], ((trial, made.solved(7)) for trial in parts[0].trials()))
    reader = Reader()
    html = page(parts, store)
    reader.feed(html)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    assert len(charts(html)) == 14
    assert (html.count("<h1>"), html.count("<h2"), reader.text.count("whole: two")) == (1, 3, 1)


def test_a_chart_has_no_more_curves_than_can_be_distinguished(tmp_path: Path) -> None:
    many = made.experiment([made.contender(f"c{number}") for number in range(20)])
    html = written(tmp_path, many)
    assert "The 8 of 20 that solve most are shown" in html
    assert "s8" not in html


def test_elements() -> None:
    assert tag("p", "a < b", None, Markup("<br/>"), class_="x", stroke_width=1.25, id=None) == (
        '<p class="x" stroke-width="1.2">a &lt; b<br/></p>')
    assert tag("line", x1=2.0) == '<line x1="2"/>'
    assert tag("td") == "<td></td>"
    assert tag("text", "say \"'\"", title="\"'") == '<text title="&quot;&#x27;">say &quot;&#x27;&quot;</text>'


def test_the_subject_of_an_experiment_comes_first(tmp_path: Path) -> None:
    whole = swept()
    for report, first in (("table", "Solved"), ("curve", "Along the share of givens")):
        said = written(tmp_path, structs.replace(whole, report=report))
        titles = re.findall(r"<h2>([^<]*)</h2>", said)
        assert titles[0] == first
        assert len(titles) == len(set(titles))


def test_a_value_and_its_interval_may_stand_below_one_another(tmp_path: Path) -> None:
    cells = re.findall(r'<td class="parts"><span>([^<]*)</span> <span>([^<]*)</span></td>', written(tmp_path, swept()))
    assert "250 ms" in {value for value, _interval in cells}
    assert any(interval.startswith("(") for _value, interval in cells)


def test_no_line_goes_where_no_median_was_seen() -> None:
    shares = (0.2, 0.4, 0.6, 0.8)
    problems = tuple(Problem(str(x), str(x), made.HARD, "classic", x) for x in shares)
    whole = structs.replace(made.experiment([made.contender()], 1), problems=problems)
    results = gather(made.results(whole, made.solved(7), made.cut(), made.solved(9), made.solved(8)))
    drawn = phase_times(phases(whole, results), "share of givens", "steps", "it")
    lines = re.findall(r'd="(M[^"Z]*)" class="line s0"', drawn)
    assert [line.count("L") for line in lines] == [0, 1]
    assert ">20 %<" in drawn
