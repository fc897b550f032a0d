"""The report as one HTML page that needs nothing else: tables, charts, how to read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from engine import text
from engine.lab import curves
from engine.lab.columns import Columns, Measure
from engine.lab.experiment import Experiment
from engine.lab.report import charts, words
from engine.lab.report.markdown import (
    Table,
    comparison_table,
    origin,
    pairs_table,
    solved_table,
    sweep_table,
)
from engine.lab.report.markup import Markup, joined, tag
from engine.lab.report.style import STYLE
from engine.lab.store import Store
from engine.lab.tables import Comparison, Phase, comparison, heat_maps, phases, sweeps

MOST_CURVES: Final = charts.COLOURS
"""In a chart."""

C = TypeVar("C", curves.StepCurve, curves.Convergence)


def page(experiment: Experiment, store: Store, when: str = "") -> str:
    """The whole page. `when`: the date, as the caller writes it."""
    results = store.columns(experiment)
    found = comparison(experiment, results)
    title = f"{experiment.name}: a comparison of solvers"
    head = tag("head", tag("meta", charset="utf-8"), tag("title", title),
               tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
               tag("meta", name="color-scheme", content="light dark"), Markup(f"<style>{STYLE}</style>"))
    parts = [_beginning(experiment, store, found, when), *_sections(experiment, store, results, found),
             _section("How to read this", tag("ul", *(tag("li", note) for note in words.notes(experiment))))]
    return "<!DOCTYPE html>\n" + tag("html", head, tag("body", tag("main", *parts)), lang="en") + "\n"


def _beginning(experiment: Experiment, store: Store, found: Comparison, when: str) -> Markup:
    facts = [("trials", words.size(experiment, found.made)), ("limit", words.limit(experiment).removeprefix("limit ")),
             ("seeds", _seeds(experiment)), *origin(store.facts()), *([("date", when)] if when else [])]
    about = tag("p", experiment.about, class_="about") if experiment.about else Markup()
    listed = joined(*(joined(tag("dt", name), tag("dd", value)) for name, value in facts))
    warning = Markup() if experiment.repeatable else tag("p", words.notes(experiment)[-1], class_="warning")
    left_out = joined(*(tag("p", each, class_="soft") for each in experiment.left_out))
    return tag("header", tag("h1", experiment.name), about, tag("dl", listed), left_out, warning)


def _seeds(experiment: Experiment) -> str:
    last = experiment.seed + experiment.runs - 1
    return str(experiment.seed) if last == experiment.seed else f"{experiment.seed} … {last}"


def _sections(experiment: Experiment, store: Store, results: Columns, found: Comparison) -> Iterator[Markup]:
    yield _section("Solved", _figure(charts.success(found), "● share solved   ├─┤ Wilson interval of 95 %"))
    along = phases(experiment, results)
    if along:
        yield _section("Along the share of givens", *_phase_parts(along[:MOST_CURVES], found.measure))
    for place, each in enumerate(heat_maps(experiment, results)):
        yield _section(f"{each.label}: share solved, {each.y} by {each.x}",
                       _figure(charts.heat_map(each, f"map-{place}"), "share solved; below it solved of all"))
    for sweep in sweeps(experiment, results):
        yield _section(f"{sweep.label}: {sweep.parameter}", _table(sweep_table(sweep)))
    yield _section("Comparison", _table(comparison_table(found), 2))
    yield _section("How long it takes", *_run_time_parts(experiment, results, found))
    shown = _best(found, curves.convergence(experiment, store.curves(experiment)))
    if shown:
        said = ("line: median over the trials; band: quartiles; before each name the median at the end; a trial that "
                "has ended keeps its last E")
        yield _section("Convergence", _figure(charts.convergence(shown, "steps", "convergence"),
                                              _left_out(found, said)))
    if found.compared:
        yield _section(f"Each with each, by {found.measure}", _table(pairs_table(found), 2))
    yield _section("The solved trials alone", _table(solved_table(found, "seconds"), 2))


def _phase_parts(along: Sequence[Phase], measure: Measure) -> Iterator[Markup]:
    title = "share of givens"
    yield _figure(charts.phase(along, title), "bars: Wilson intervals of 95 %")
    if any(cell.took(measure).median.value for each in along for _, cell in each.points):
        yield _figure(charts.phase_times(along, title, measure), "")


def _run_time_parts(experiment: Experiment, results: Columns, found: Comparison) -> Iterator[Markup]:
    kind, most = experiment.limit
    for measure in dict.fromkeys([found.measure, *([kind] if kind != "none" else [])]):
        shown = _best(found, curves.run_time_curves(experiment, results, measure))
        if shown:
            limit = most if measure == kind else None
            said = "share of all trials solved by then; before each name the share at the end"
            cut = "; | cut off by the limit, which is the dashed line" if limit else ""
            yield _figure(charts.run_times(shown, measure, limit, f"times-{measure}"), _left_out(found, said + cut))


def _best(found: Comparison, all_of_them: Sequence[C]) -> list[C]:
    """As many as a chart has room for: those that solve most, in the order of the experiment."""
    ranked = sorted(all_of_them, key=lambda each: -(found.cell(each.contender).rate.share or 0))[:MOST_CURVES]
    return [each for each in all_of_them if each in ranked]


def _left_out(found: Comparison, said: str) -> str:
    if len(found.labels) <= MOST_CURVES:
        return said
    return f"{said}. The {MOST_CURVES} of {text.count(len(found.labels))} that solve most are shown"


def _section(title: str, *parts: Markup) -> Markup:
    return tag("section", tag("h2", title), *parts)


def _figure(chart: Markup, caption: str) -> Markup:
    return tag("figure", chart, tag("figcaption", caption) if caption else None)


def _table(table: Table, names: int = 1) -> Markup:
    """A table; its first `names` columns are what the rows are about."""
    headings, rows = table
    head = tag("tr", *(tag("th", each, scope="col", class_="name" if place < names else None)
                       for place, each in enumerate(headings)))
    body = [tag("tr", *(tag("th", value, scope="row", class_="name") if place < names else tag("td", value)
                        for place, value in enumerate(row))) for row in rows]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body)), class_="wide")
