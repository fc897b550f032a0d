"""The facts of the selected puzzle and the selected solver, as many as fit. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from msgspec import Struct

from engine import registry, text
from engine.params import Params
from engine.solutions import Answer
from engine.solver import AnySolver
from tui import messages
from tui.i18n import _, steps_text
from tui.puzzle_facts import Landscape, answer_text, landscape, magnitude, unique_text
from tui.storage.library import Entry, run_text, setup_text, solver_title, state_text
from tui.storage.run_files import SavedRun
from tui.widgets.parameters import items, paired_lines
from tui.widgets.rows import Space, Span, columns, length, row
from tui.widgets.text import Spans, wrapped

TALL = 12
"""Rows from which on the card has a row for each fact."""
LABEL = 12
BESIDE, READABLE, GUTTER = 110, 70, 6
"""Columns from which on the program is beside the summary, columns of the summary, and between the two."""


class Card(Struct, frozen=True):
    """A puzzle and the facts about it."""

    entry: Entry
    answer: Answer | None
    """The number of its solutions; None while they are counted."""
    last: SavedRun | None
    """The last run on it; None: there is none."""


class RunSetup(Struct, frozen=True):
    """Solver, name of the preset (empty: custom parameters), parameters and seed of a run."""

    solver: AnySolver
    preset: str
    params: Params
    seed: int



def card_lines(card: Card, space: Space) -> list[Spans]:
    """The facts of a puzzle or a run."""
    return _tall(card, space) if space.height >= TALL else _short(card, space)


def _of_run(run: SavedRun, space: Space) -> list[Spans]:
    """Solver, seed and state of a run."""
    head: Spans = [(space.glyphs.text(solver_title(run)), "strong"), ("   " + _("seed") + " ", "muted"),
                  (str(run.seed), "strong")]
    at = _("at step {step}").format(step=text.count(run.playhead))
    return [head, [(f"{state_text(run)}, {steps_text(run.steps)}, {at}", "text")]]


def _recipe(run: SavedRun, width: int) -> list[str]:
    """The preset, the parameters and the interventions of a run, by which runs of one puzzle differ: on one line if it
    fits."""
    setup, made = setup_text(run), run.recipe.interventions
    if not made:
        return [setup] if setup else []
    changes = messages.changed_last(registry.solver(run.solver), made)
    shown = next((each for each in changes if columns(each) <= width), changes[-1])
    if not setup:
        return [shown]
    both = f"{setup}; {changes[0]}"
    return [both] if columns(both) <= width else [shown, setup]


def _givens(card: Card) -> list[Span]:
    """The number of givens and that of solutions."""
    number = card.entry.givens
    word = _("given") if number == 1 else _("givens")
    return [(str(number), "strong"), (" " + word, "muted"), ("   ", "blank"), *_solutions(card.answer)]


def _short(card: Card, space: Space) -> list[Spans]:
    entry, record = card.entry, card.entry.record
    if entry.run is not None:
        if entry.note:
            return [*_of_run(entry.run, space), [(entry.group + " ", "muted"), (entry.note, "text")]]
        told = _recipe(entry.run, space.width)
        return [*_of_run(entry.run, space), [(space.glyphs.text(told[0]), "text")] if told else _givens(card)]
    first = _givens(card)
    if record.rating is not None:
        first += [("   " + _("rating") + " ", "muted"), (f"{record.rating:.2f}", "strong")]
    rows_, boxes = landscape(entry.puzzle, "row"), landscape(entry.puzzle, "box")
    second = _search_space(_("rows"), rows_, space)
    if space.width >= 60:
        second += [("   ", "blank"), *_search_space(_("boxes"), boxes, space)]
        return [first, second, _last(card, space)]
    return [first, second, _last(card, space) if card.last else _search_space(_("boxes"), boxes, space)]


def _solutions(answer: Answer | None) -> list[Span]:
    """`1 solution`, its number strong."""
    number, space, rest = answer_text(answer).partition(" ")
    if number.isdigit():
        return [(number, "strong"), (space + rest, "muted")]
    return [(number + space + rest, "text" if answer == "none" else "muted")]


def _search_space(name: str, faced: Landscape, space: Space) -> list[Span]:
    """`rows 1 234 swaps, 1.2 · 10⁶¹ grids`."""
    if not faced.states:
        return [(f"{name} ", "muted"), (_("no grid keeps the givens"), "text")]
    return [(f"{name} ", "muted"), (magnitude(faced.neighbours), "strong"), (" " + _("swaps") + "  ", "muted"),
            (magnitude(faced.states, space.glyphs.ascii), "strong"), (" " + _("grids"), "muted")]


def _last(card: Card, space: Space) -> Spans:
    if card.last is None:
        source = card.entry.record.source
        return [(_("source") + " ", "muted"), (space.glyphs.text(source), "text")] if source else []
    texts = [(_("your last run"), run_text(card.last)), (_("last run"), run_text(card.last))]
    lines: list[Spans] = [[(label + " ", "muted"), (space.glyphs.text(shown), "text")] for label, shown in texts]
    brief = f"{card.last.solver}, {state_text(card.last)}"
    return next((line for line in lines if length(line) <= space.width), [
        (_("last run") + " ", "muted"), (space.glyphs.text(brief), "text")])


def _tall(card: Card, space: Space) -> list[Spans]:
    entry, record = card.entry, card.entry.record
    n = entry.puzzle.n
    where = entry.argument or entry.group
    variant = ", " + _("diagonal") if entry.puzzle.variant == "diagonal" else ""
    facts = [
        (_("from"), where), (_("size"), f"{n} × {n}{variant}"),
        (_("level"), record.level + (f", {record.rating:.2f}" if record.rating is not None else "")),
        (_("givens"), _("{givens} of {cells}").format(givens=entry.givens, cells=n * n)),
        (_("solutions"), unique_text(card.answer)), (_("source"), record.source),
        (_("last run"), "" if entry.run is not None else run_text(card.last) if card.last else _("none yet")),
    ]
    lines: list[Spans] = [[(space.glyphs.text(entry.name), "strong")]]
    if entry.run is not None:
        told = [line for each in _recipe(entry.run, space.width) for line in wrapped(each, space)]
        lines += [*_of_run(entry.run, space), *told, []]
        lines += [*_fact(entry.group, entry.note, space)] if entry.note else []
    lines += [line for label, value in facts if value for line in _fact(label, value, space)]
    lines += [[], [(_("Search space of an annealer"), "strong")]]
    for name, representation in ((_("in rows"), "row"), (_("in boxes"), "box")):
        faced = landscape(entry.puzzle, representation)  # type: ignore[arg-type]
        if not faced.states:
            lines += _fact(name, _("none: no grid keeps the givens"), space)
            continue
        lines += _fact(name, _("{swaps} neighbours").format(swaps=magnitude(faced.neighbours)), space)
        lines += _fact("", _("{grids} grids").format(grids=magnitude(faced.states, space.glyphs.ascii)), space)
    lines += [[], *wrapped(_("A neighbour swaps two free cells of a row (of a box); there are Σ C(f,2) of them, where "
                             "f is the number of free cells of each row (box). Π f! grids keep the givens and "
                             "repeat no value in a row (box)."), Space(space.width, 6, space.glyphs), "muted")]
    return lines



def _fact(label: str, value: str, space: Space) -> Iterable[Spans]:
    room = Space(space.width - LABEL, 2, space.glyphs)
    for number, line in enumerate(wrapped(value, room)):
        yield [(("" if number else label).ljust(LABEL), "muted"), *line]


def about_lines(setup: RunSetup, space: Space) -> list[Spans]:
    """Setup and summary of the solver; where they fit, its parameters and its program."""
    if space.width < BESIDE:
        return _summary(setup, space, True)
    left = [row(line, READABLE) for line in _summary(setup, Space(READABLE, space.height, space.glyphs), False)]
    right = _program(setup, space) if len(setup.solver.program) < space.height else []
    return [[*a, (" " * GUTTER, "blank"), *b] for a, b in zip_longest(left, right, fillvalue=row((), READABLE))]


def _summary(setup: RunSetup, space: Space, program: bool) -> list[Spans]:
    """Preset and seed with their keys, the solver's summary, the parameters, and the `program` if it fits."""
    solver, glyphs = setup.solver, space.glyphs
    lines: list[Spans] = [[("p", "strong"), (" " + _("preset") + " ", "muted"),
                          (setup.preset or _("custom"), "strong"), ("   ", "blank"), ("s", "strong"),
                          (" " + _("seed") + " ", "muted"), (str(setup.seed), "strong")]]
    summary = wrapped(_(solver.summary), Space(space.width, space.height - 1, glyphs))
    lines += summary
    room = space.height - len(lines)
    params = paired_lines(items(setup.params), Space(space.width, 1, glyphs))
    if room > len(params) + 1:
        lines += [[], *params]
        room = space.height - len(lines)
    if program and room > len(solver.program) + 1:
        lines += [[], *_program(setup, space)]
    return lines


def _program(setup: RunSetup, space: Space) -> list[Spans]:
    """The solver's pseudo-code."""
    lines: list[Spans] = [[(_("Program"), "strong")]]
    lines += [[(space.glyphs.text(_(line.text)), "text")] for line in setup.solver.program_for(setup.params)]
    return lines
