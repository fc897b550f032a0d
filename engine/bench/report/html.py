"""The report as one self-contained HTML page: tables, charts, and notes on reading them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from engine import text
from engine.bench import curves
from engine.bench.experiment import Experiment
from engine.bench.report import svg, words
from engine.bench.report.markdown import (
    Table,
    comparison_table,
    origin,
    pairs_table,
    puzzle_table,
    sheet_table,
    solved_table,
    sweep_table,
)
from engine.bench.report.markup import Markup, joined, tag
from engine.bench.store import Store
from engine.bench.tables import Comparison, Phase, comparison, heat_maps, phases, sweeps

MOST_CURVES: Final = svg.COLOURS
"""Most curves in one chart."""

C = TypeVar("C", curves.StepCurve, curves.Convergence)


def page(parts: Sequence[Experiment], store: Store, when: str = "") -> str:
    """The whole page, of an experiment or of all its parts. `when`: the date, as the caller writes it."""
    name = parts[0].whole if len(parts) > 1 else parts[0].name
    head = tag("head", tag("meta", charset="utf-8"), tag("title", f"{name}: a comparison of solvers"),
               tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
               tag("meta", name="color-scheme", content="light dark"), Markup(f"<style>{STYLE}</style>"))
    facts = _facts([*origin(store.facts()), *([("date", when)] if when else [])])
    said = [_Part(part, store, f"part-{number}-" if len(parts) > 1 else "").markup()
            for number, part in enumerate(parts, 1)]
    notes = tag("section", tag("h2", "How to read this"), tag("ul", *(tag("li", note) for note in words.notes(parts))))
    main = tag("main", tag("header", tag("h1", name), facts), *said, notes)
    return "<!DOCTYPE html>\n" + tag("html", head, tag("body", main), lang="en") + "\n"


def _facts(facts: Iterable[tuple[str, str]]) -> Markup:
    return tag("dl", *(joined(tag("dt", name), tag("dd", value)) for name, value in facts))


class _Part:
    """An experiment, which may be one of several on the page."""

    def __init__(self, experiment: Experiment, store: Store, prefix: str) -> None:
        """`prefix` comes before the names of its charts; empty for a single experiment."""
        self.experiment, self.store, self.prefix = experiment, store, prefix
        self.results = store.columns(experiment)
        self.found = comparison(experiment, self.results)

    def markup(self) -> Markup:
        """All of it."""
        return tag("article", self._beginning(), *self._sections())

    def _beginning(self) -> Markup:
        experiment = self.experiment
        facts = [("trials", words.size(experiment, self.found.made)),
                 ("limit", words.limit(experiment).removeprefix("limit ")), ("seeds", _seeds(experiment))]
        return joined(tag("h2", experiment.name, class_="part") if self.prefix else Markup(),
                      tag("p", experiment.about, class_="about") if experiment.about else Markup(), _facts(facts),
                      *(tag("p", each, class_="soft") for each in experiment.left_out),
                      Markup() if experiment.repeatable else tag("p", words.SECONDS, class_="warning"))

    def _section(self, title: str, *parts: Markup) -> Markup:
        return tag("section", tag("h3" if self.prefix else "h2", title), *parts)

    def _sections(self) -> Iterator[Markup]:
        experiment, results, found = self.experiment, self.results, self.found
        solved = self._section("Solved", _figure(svg.success(found, f"{self.prefix}success"),
                                                 "● share solved   ├─┤ Wilson interval of 95 %"))
        shown_first = [*self._along(), *self._maps()]
        yield from shown_first if experiment.report != "table" else ()
        yield solved
        yield from shown_first if experiment.report == "table" else ()
        for sweep in sweeps(experiment, results):
            yield self._section(f"{sweep.label}: {sweep.parameter}", _table(sweep_table(sweep)))
        repeats = words.repeats(found)
        yield self._section("Comparison", _table(comparison_table(found), 2), *([tag("p", repeats)] if repeats else []))
        yield self._section("How long it takes", *self._run_time_parts())
        shown = _best(found, curves.convergence(experiment, self.store.curves(experiment)))
        if shown:
            said = ("line: median over the trials, straight between where they were looked at; band: quartiles; before "
                    "each name the median at the end; a trial that has ended keeps its last E")
            yield self._section("Convergence", _figure(
                svg.convergence(shown, "steps", f"{self.prefix}convergence"), _left_out(found, said)))
        if found.compared:
            yield self._section(f"Each with each, by {found.measure}", _table(pairs_table(found), 2))
        yield self._section("The solved trials alone", _table(solved_table(found, "seconds"), 2))
        if experiment.by_puzzle:
            yield self._section("Puzzle by puzzle", _table(puzzle_table(experiment, results), 2))
        if experiment.sheet:
            yield self._section("Beside the sheet", _table(sheet_table(experiment, found), 2),
                                *([tag("p", experiment.difference)] if experiment.difference else []))

    def _along(self) -> Iterator[Markup]:
        found = phases(self.experiment, self.results)
        if found:
            yield self._section("Along the share of givens", *self._phase_parts(found[:MOST_CURVES]))

    def _maps(self) -> Iterator[Markup]:
        for place, each in enumerate(heat_maps(self.experiment, self.results)):
            yield self._section(f"{each.label}: share solved, {each.y} by {each.x}",
                                _figure(svg.heat_map(each, f"{self.prefix}map-{place}"),
                                        "share solved; below it solved of all"))

    def _phase_parts(self, along: Sequence[Phase]) -> Iterator[Markup]:
        title, measure = "share of givens", self.found.measure
        yield _figure(svg.phase(along, title, f"{self.prefix}phase"), "bars: Wilson intervals of 95 %")
        if any(cell.took(measure).median.value for each in along for _, cell in each.points):
            yield _figure(svg.phase_times(along, title, measure, f"{self.prefix}phase-times"), "")

    def _run_time_parts(self) -> Iterator[Markup]:
        kind, most = self.experiment.limit
        for measure in dict.fromkeys([self.found.measure, *([kind] if kind != "none" else [])]):
            shown = _best(self.found, curves.run_time_curves(self.experiment, self.results, measure))
            if shown:
                limit = most if measure == kind else None
                said = "share of all trials solved by then; before each name the share at the end"
                cut = "; | cut off by the limit, which is the dashed line" if limit else ""
                yield _figure(svg.run_times(shown, measure, limit, f"{self.prefix}times-{measure}"),
                              _left_out(self.found, said + cut))


def _seeds(experiment: Experiment) -> str:
    last = experiment.seed + experiment.runs - 1
    return str(experiment.seed) if last == experiment.seed else f"{experiment.seed} … {last}"


def _best(found: Comparison, all_of_them: Sequence[C]) -> list[C]:
    """The curves that a chart has room for: those that solve most, in the order of the experiment."""
    ranked = sorted(all_of_them, key=lambda each: -(found.cell(each.contender).rate.share or 0))[:MOST_CURVES]
    return [each for each in all_of_them if each in ranked]


def _left_out(found: Comparison, said: str) -> str:
    if len(found.labels) <= MOST_CURVES:
        return said
    return f"{said}. The {MOST_CURVES} of {text.count(len(found.labels))} that solve most are shown"


def _figure(chart: Markup, caption: str) -> Markup:
    return tag("figure", chart, tag("figcaption", caption) if caption else None)


def _value(value: str) -> Markup:
    """A cell that breaks, where there is no room for it, between a value and its interval alone."""
    parts = _BREAKS.split(value)
    if len(parts) == 1:
        return tag("td", value)
    return tag("td", Markup(" ".join(tag("span", part) for part in parts)), class_="parts")


_BREAKS: Final = re.compile(r" (?=\()|(?<= …) |(?<=,) ")


def _table(table: Table, names: int = 1) -> Markup:
    """A table; its first `names` columns name the rows."""
    headings, rows = table
    head = tag("tr", *(tag("th", each, scope="col", class_="name" if place < names else None)
                       for place, each in enumerate(headings)))
    body = [tag("tr", *(tag("th", value, scope="row", class_="name") if place < names else _value(value)
                        for place, value in enumerate(row))) for row in rows]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body)), class_="wide")


STYLE: Final = """
:root { --ink: #1a1a1a; --paper: #ffffff; --soft: #595959; --rule: #d6d6d6; --warm: #fff4d6;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9; --c6: #1a1a1a;
  --c7: #8a8000; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #121212; --soft: #a6a6a6; --rule: #3a3a3a; --warm: #3a2f10;
    --c0: #56b4e9; --c1: #e69f00; --c2: #1fc49a; --c3: #cc79a7; --c4: #f0e442; --c5: #5a9bd4; --c6: #e8e8e8;
    --c7: #f07a2a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2, h3 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; overflow-wrap: anywhere; }
h2.part { font-size: 1.45rem; border-top: 2px solid var(--rule); padding-top: 1rem; margin-top: 3rem; }
h3 { font-size: 1.05rem; }
.about { font-size: 1.1rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
dt, figcaption, p.soft { color: var(--soft); }
dd { margin: 0; }
.warning { background: var(--warm); padding: .5rem .75rem; border-left: 4px solid var(--c1); }
figure { margin: 0 0 1rem; break-inside: avoid; }
figcaption { font-size: .875rem; }
svg { display: block; width: 100%; max-width: 860px; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg text.soft { fill: var(--soft); }
svg text.strong { font-weight: 600; }
svg text.small { font-size: 10px; }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis, .whisker { stroke: var(--ink); stroke-width: 1.5; }
.limit { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 3 3; }
.bar { fill: var(--c0); fill-opacity: .35; }
.dot { fill: var(--c0); stroke: var(--paper); stroke-width: 1; }
.heat { fill: var(--c0); stroke: var(--rule); stroke-width: 1; }
.line { fill: none; stroke-width: 2; }
.mark { fill: none; stroke-width: 1.5; }
.band { stroke: none; fill-opacity: .14; }
.point { stroke: none; }
.wide { overflow-x: auto; margin-bottom: 1rem; }
table { border-collapse: collapse; font-size: .8125rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .45rem; border-bottom: 1px solid var(--rule); }
th, td, td span { white-space: nowrap; }
td.parts { white-space: normal; }
th.name { text-align: left; font-weight: 600; white-space: normal; max-width: 15rem; }
th.name:first-child { min-width: 7rem; }
thead th { color: var(--soft); font-weight: 400; vertical-align: bottom; }
tr { break-inside: avoid; }
li { margin-bottom: .4rem; max-width: 46rem; }
@page { size: landscape; margin: 12mm; }
@media print { main { max-width: none; padding: 0; } body { font-size: 11pt; } h2, h3 { break-after: avoid; }
  svg { max-width: 740px; }
  table { font-size: 7.5pt; } th, td { padding: .1rem .3rem; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
""" + "\n".join(f".line.s{place}, .mark.s{place} {{ stroke: var(--c{place}); }} "
                f".band.s{place}, .point.s{place} {{ fill: var(--c{place}); }}" for place in range(8)) + "\n"
"""For light and dark screens, and for paper. Colours c0 to c7 are those of the curves."""
