"""Checks of views and sentences, so that a screen can draw them without knowing the solver."""

from __future__ import annotations

import math
import string
from typing import Any, get_args

from engine.conformance.cases import require
from engine.events.because import MOST_BECAUSE
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.view import (
    MOST_SHOWN,
    AutomatonPanel,
    CountsPanel,
    Gauge,
    ListPanel,
    Panel,
    PencilRole,
    PopulationPanel,
    Role,
    Sections,
    Sentence,
    StackPanel,
    TablePanel,
    View,
)

MAX_BADGE = 15


def check_sentence(sentence: Sentence, where: str) -> None:
    """A short badge in capitals, a template whose fields are all there as texts."""
    require(type(sentence) is Sentence, f"{where}: explain returns no Sentence")
    require(0 < len(sentence.badge) <= MAX_BADGE,
            f"{where}: badge {sentence.badge!r}: expected 1 to {MAX_BADGE} characters")
    require(sentence.badge == sentence.badge.upper(), f"{where}: badge {sentence.badge!r} is not in capitals")
    require(sentence.template not in ("", "step {step}"),
            f"{where} has no sentence: register one with @explain.register")
    for _, name, _, _ in string.Formatter().parse(sentence.template + sentence.brief):
        require(name is None or bool(sentence.fields.get(name)), f"{where}: its sentence lacks the field {name!r}")
    require(all(type(value) is str for value in sentence.fields.values()), f"{where}: a field is not written as text")
    require("\n" not in sentence.text, f"{where}: the sentence has more than one line")


def check_reason(said: Sentence, where: str) -> None:
    """One sentence without a badge, which fits one line, with all its fields as texts."""
    require(type(said) is Sentence and not said.badge, f"{where}: because returns no Sentence without a badge")
    for _, name, _, _ in string.Formatter().parse(said.template):
        require(name is None or bool(said.fields.get(name)), f"{where}: its reason lacks the field {name!r}")
    require(all(type(value) is str for value in said.fields.values()), f"{where}: a field is not written as text")
    require(0 < len(said.text) <= MOST_BECAUSE and said.text.endswith(".") and said.text.isprintable(),
            f"{where}: the reason {said.text!r} is not one sentence of at most {MOST_BECAUSE} columns")
    require("  " not in said.text, f"{where}: the reason {said.text!r} has gaps, as sentences of events have")


def check_view(view: View, solver: AnySolver, puzzle: Puzzle, where: str) -> None:
    """All parts are plain values that match the board."""
    size, n = puzzle.n**2, puzzle.n
    require(type(view) is View, f"{where}: the view is no View")
    _check_whole(view.grid, size, 0, n, f"{where}: the grid")
    for role, cells in view.marks.items():
        require(role in get_args(Role), f"{where}: there is no role {role!r}")
        _check_whole(cells, None, 0, size - 1, f"{where}: marks of role {role}")
    if view.candidates is not None:
        _check_whole(view.candidates, size, 0, (1 << n) - 1, f"{where}: the candidates")
    _check_hints(view, size, n, puzzle, where)
    for gauge in view.gauges:
        _check_gauge(gauge, where)
    lines = {line.id for line in solver.program}
    for line, text in view.live.items():
        require(line in lines, f"{where}: a live value for line {line!r}, which is not in the program")
        require(type(text) is str, f"{where}: the live value of line {line} is not a str")
    if view.panel is not None:
        _check_panel(view.panel, size, n, where)
    for related in view.related:
        require(bool(related.title) and type(related.energy) is int, f"{where}: a related grid has no title or no E")
        _check_whole(related.grid, size, 0, n, f"{where}: the related grid {related.title}")
        for role, cells in related.marks.items():
            require(role in get_args(Role), f"{where}: there is no role {role!r}")
            _check_whole(cells, None, 0, size - 1, f"{where}: marks of role {role} on {related.title}")


def _check_hints(view: View, size: int, n: int, puzzle: Puzzle, where: str) -> None:
    """Heat, weights, marks on candidates, units, causes."""
    _check_shares(view.heat, size, f"{where}: the heat")
    _check_shares(view.weights, size * n, f"{where}: the weights")
    for role, pairs in view.pencils.items():
        require(role in get_args(PencilRole), f"{where}: there is no role {role!r} of candidates")
        _check_whole(tuple(cell for cell, _ in pairs), None, 0, size - 1, f"{where}: cells of candidates, {role}")
        _check_whole(tuple(value for _, value in pairs), None, 1, n, f"{where}: values of candidates, {role}")
    _check_whole(view.units, None, 0, len(puzzle.geometry.units) - 1, f"{where}: the units")
    if view.causes is not None:
        require(type(view.causes) is tuple and len(view.causes) == size * n, f"{where}: expected {size * n} causes")
        require(all(type(each) is str for each in view.causes), f"{where}: a cause is not a str")


def _check_shares(values: Any, length: int, what: str) -> None:
    if values is None:
        return
    require(type(values) is tuple and len(values) == length, f"{what}: expected a tuple of {length}")
    within = all(type(value) is float and (0 <= value <= 1 or math.isnan(value)) for value in values)
    require(within, f"{what}: expected floats from 0 to 1")


def _check_whole(values: Any, length: int | None, low: int, high: int, what: str) -> None:
    require(type(values) is tuple, f"{what}: expected a tuple")
    require(length is None or len(values) == length, f"{what} has {len(values)} entries, expected {length}")
    require(all(type(value) is int and low <= value <= high for value in values), f"{what}: expected {low} to {high}")


def _check_gauge(gauge: Gauge, where: str) -> None:
    require(type(gauge) is Gauge and bool(gauge.label), f"{where}: a gauge has no label")
    require(type(gauge.text) is str, f"{where}: the text of gauge {gauge.label} is not a str")
    share = gauge.share
    within = share is None or (type(share) is float and 0 <= share <= 1)
    require(within, f"{where}: gauge {gauge.label} is filled to {share!r}, expected a float from 0 to 1")


def _check_panel(panel: Panel, size: int, n: int, where: str) -> None:
    require(bool(panel.title), f"{where}: the panel has no title")
    match panel:
        case StackPanel(frames=frames):
            for cell, value, tried, left in frames:
                _check_whole((cell,), 1, 0, size - 1, f"{where}: a cell on the stack")
                _check_whole((value, *tried, *left), None, 0, n, f"{where}: the values of a choice on the stack")
                require(0 not in (*tried, *left), f"{where}: a choice on the stack has the value 0")
        case PopulationPanel():
            _check_population(panel, where)
        case ListPanel(lines=lines):
            _check_texts(lines, f"{where}: a line of the panel")
            require(bool(panel.about), f"{where}: the list {panel.title!r} has no `about` to explain it")
        case TablePanel(head=head, rows=rows, now=now, core=core, choices=choices):
            _check_texts(head, f"{where}: the head of the table")
            require(bool(panel.about), f"{where}: the table {panel.title!r} has no `about` to explain it")
            for each in rows:
                _check_texts(each, f"{where}: a row of the table")
                require(len(each) == len(rows[0]) and len(head) in (0, len(each)),
                        f"{where}: the rows of the table differ in length")
            _check_whole((*core, *(() if now is None else (now,))), None, 0, len(rows) - 1, f"{where}: rows marked")
            require(len(choices) in (0, len(rows)), f"{where}: {len(choices)} choices in {len(rows)} rows")
            _check_whole(tuple(cell for cell, _value in choices), None, 0, size - 1, f"{where}: a cell of a choice")
            _check_whole(tuple(value for _cell, value in choices), None, -n, n, f"{where}: a value of a choice")
        case CountsPanel(blocks=blocks, now=places):
            for block in blocks:
                require(bool(block.label) and block.across > 0, f"{where}: a block has no label, or no columns")
                _check_whole(block.counts, None, -1, 2**31, f"{where}: the counts of {block.label}")
            require(all(0 <= k < len(blocks) and 0 <= place < len(blocks[k].counts) for k, place in places),
                    f"{where}: the place of a marked count does not exist")
        case AutomatonPanel(reads=reads, letters=letters, because=because, states=states, now=now):
            _check_texts((*reads, *letters, *because, *states), f"{where}: a text of the automaton")
            word = len(reads)
            require((len(letters), len(because), len(states)) == (word, word, word + 1),
                    f"{where}: the automaton has {len(states)} states for {word} letters")
            _check_whole(() if now is None else (now,), None, 0, word - 1, f"{where}: the letter of this step")
        case Sections(parts=parts):
            for part in parts:
                require(not isinstance(part, Sections), f"{where}: sections inside sections")
                _check_panel(part, size, n, where)
        case _:
            require(False, f"{where}: unknown type of panel")


def _check_population(panel: PopulationPanel, where: str) -> None:
    """The entries represent all individuals, and marked individuals exist."""
    entries, size = len(panel.energies), panel.size
    _check_whole(panel.energies, None, 0, 2**62, f"{where}: the energies of the population")
    require(panel.each >= 1 and entries == -(-size // panel.each) and entries <= MOST_SHOWN,
            f"{where}: {entries} entries of {panel.each} do not represent {size} individuals")
    marked = [place for place in (panel.current, panel.replaced) if place is not None]
    _check_whole((*panel.parents, *marked), None, 0, size - 1, f"{where}: an individual of the population")
    _check_whole(tuple(errors for errors, _ in panel.counts), None, 0, 2**62, f"{where}: errors that are counted")
    require(not panel.counts or sum(count for _, count in panel.counts) == size,
            f"{where}: the counts by errors do not sum to {size} individuals")
    _check_whole(panel.best, None, 0, size - 1, f"{where}: the best of the entries")
    require([place // panel.each for place in panel.best] in ([], list(range(entries))),
            f"{where}: the best of the entries are not among the individuals that they represent")
    require(len(panel.kinds) in (0, entries) and set(panel.kinds) <= set(panel.kind_names),
            f"{where}: a kind of individual has no name")
    if panel.ages is not None:
        _check_whole(panel.ages, entries, 0, panel.patience, f"{where}: the ages")


def _check_texts(values: Any, what: str) -> None:
    require(type(values) is tuple and all(type(value) is str for value in values), f"{what}: expected a tuple of str")
