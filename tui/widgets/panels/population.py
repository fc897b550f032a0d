"""A population: every individual as a glyph by its class of errors, and a histogram of the errors.

Without room for all individuals, neighbours share a cell, which shows the best of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.events.population import name_of
from engine.text import count
from engine.view import PopulationPanel
from tui.i18n import _
from tui.look.glyphs import Glyphs
from tui.look.theme import Role
from tui.widgets.rows import EIGHTHS, Row, Rows, Space, Span, clipped, eighths, length, row, rows, spread
from tui.widgets.timeline.axis import short

LETTERS = "AB"
"""Letters of the parents, in order."""
BEST_CLASS = 4 / 81
"""Lower limit of the second class of errors, for each cell of the grid."""
LATER = (1, 2.5, 5, 10)
"""Lower limits of the later classes, in multiples of that of the second."""
ROUND = 5
"""A line has a multiple of this many cells, so that they are easy to count."""
LEAST_BARS, MOST_BARS = 1, 8
"""Rows of the bars of the histogram."""
HISTOGRAM = 2
"""Rows of the histogram beside its bars: heading and axis."""
CLASS_ROLES: tuple[Role, ...] = ("data_strong", "text", "text", "text", "text")
PITCH = 5
"""Columns from one bar of the histogram to the next, with a blank one."""


class Selection(Struct, frozen=True):
    """The user's selection in a population."""

    by_energy: bool = True
    """Sorted by E, else by index."""
    picked: int | None = None
    """The individual under the cursor."""
    opened: bool = False
    """The individual on the board was opened by hand, and is not that of the step."""
    other_grid: str = ""
    """The name and the E of the grid on the board, if it is not that of an individual: `gBest   E = 30`."""
    sort_key: str = ""
    """The key that changes the order, for the heading."""


class Arrangement(Struct, frozen=True):
    """The positions of the cells of a population in its pane."""

    order: tuple[int, ...]
    """The entries of the panel in the order shown."""
    label: int
    """Columns of the line labels."""
    across: int
    """Cells in a line."""
    pitch: int
    """Columns from one cell to the next, 1 or 2."""
    fold: int
    """Entries that share a cell."""
    top: int
    """The first line of cells."""
    lines: int
    bars: int
    """Rows of the bars of the histogram; 0: no histogram."""
    gap: int
    """Blank lines before the histogram."""


def bounds(n: int) -> tuple[int, ...]:
    """Lower limits of the classes of errors after the first on an n x n grid: 4, 10, 20, 40 for n = 9."""
    second = max(1, round(BEST_CLASS * n * n))
    return tuple(int(times * second) for times in LATER)


def class_of(energy: int, limits: Sequence[int]) -> int:
    """The class of an energy: 0 for the fewest errors, up to 4."""
    return sum(energy >= limit for limit in limits)


# Arrangement


def arrange(panel: PopulationPanel, by_energy: bool, space: Space, heading: bool) -> Arrangement:
    """The first arrangement that fits: cells of two columns, of one, without the histogram, cells that are shared. It
    is that of the most individuals that the population grows to, so that it stays while they are made."""
    energies = panel.energies
    most = max(panel.size, panel.room)
    entries = -(-most // panel.each)
    places = range(len(energies))
    order = sorted(places, key=energies.__getitem__) if by_energy else places
    top = heading + len(_legends(panel, space, 9)) + _is_noted(panel, heading)
    rest = space.height - top - 1  # a line below describes the selected individual
    if rest - 1 - HISTOGRAM - LEAST_BARS >= 3 + -(-entries // max(1, _across(space.width, most, 2))):
        top, rest = top + 1, rest - 1
    label = _label(space.width, most)
    for fold, pitch, below in _attempts(entries):
        across = _across(space.width, most, pitch)
        lines = -(-entries // (across * fold)) if across else space.height
        if lines <= rest - below:
            break
    left = rest - lines - HISTOGRAM
    gap = int(left > MOST_BARS // 2)
    bars = min(left - gap, MOST_BARS) if left >= LEAST_BARS else 0
    return Arrangement(tuple(order), label, max(across, 1), pitch, fold, top, min(lines, max(rest, 0)), bars, gap)


def _attempts(entries: int) -> Iterator[tuple[int, int, int]]:
    """(entries a cell, columns a cell, rows for the histogram), best first."""
    yield 1, 2, HISTOGRAM + LEAST_BARS
    yield 1, 1, HISTOGRAM + LEAST_BARS
    yield 1, 2, 0
    yield 1, 1, 0
    for fold in range(2, max(entries, 2) + 1):
        yield fold, 1, 0


def _label(width: int, individuals: int) -> int:
    """Columns of the number of the first individual of a line, with a blank one; 0 if they would take too many."""
    wide = max(4, len(count(individuals - 1)) + 1)  # the last individual begins no line: lines are multiples of ROUND
    return wide if width >= wide + 2 * ROUND else 0


def _across(width: int, individuals: int, pitch: int) -> int:
    fit = (width - _label(width, individuals)) // pitch
    return fit // ROUND * ROUND if fit >= ROUND else fit


def individual_at(panel: PopulationPanel, arrangement: Arrangement, x: int, y: int) -> int | None:
    """The individual at a place of the pane: the best of those that share the cell."""
    line, across = y - arrangement.top, (x - arrangement.label) // arrangement.pitch
    if not (0 <= line < arrangement.lines and 0 <= across < arrangement.across):
        return None
    first = (line * arrangement.across + across) * arrangement.fold
    shared = arrangement.order[first : first + arrangement.fold]
    return None if not shared else panel.shown_in(min(shared, key=panel.energies.__getitem__))


def moved(panel: PopulationPanel, arrangement: Arrangement, picked: int | None, down: int, right: int) -> int:
    """The individual that a move of the cursor leads to; at first the one on the board."""
    if picked is None or picked >= panel.size:
        return 0 if panel.current is None else panel.current
    place = arrangement.order.index(picked // panel.each)
    goal = place + right + down * arrangement.across * arrangement.fold
    if not 0 <= goal < len(arrangement.order):
        goal = place if down else min(max(goal, 0), len(arrangement.order) - 1)
    return panel.shown_in(arrangement.order[goal])


# Texts


def _is_noted(panel: PopulationPanel, heading: bool) -> bool:
    """A line below the legend gives the size, because there is no heading to do so."""
    return not heading and panel.each > 1


def _size(panel: PopulationPanel, fold: int, width: int) -> str:
    """The size of the population, the children of this generation, and the number of individuals that share a cell."""
    each = panel.each * fold
    size, many = count(panel.size - panel.born), _(panel.words)
    if panel.born:
        size += f" + {count(panel.born)}"
    if each == 1:
        return _("{size} {many}").format(size=size, many=many)
    ways = [_("{size} {many}, a cell is the best of {each}"), _("{size} {many}, best of {each}"),
            _("{size}, best of {each}"), _("best of {each}")]
    told = [way.format(size=size, many=many, each=count(each)) for way in ways]
    return next((each for each in told if len(each) <= width), told[-1])


def _heading(panel: PopulationPanel, selection: Selection, fold: int, space: Space) -> Row:
    glyphs = space.glyphs
    title = _(panel.title)
    now, other = _order(panel, selection), _("by index") if selection.by_energy else _("by E")
    size = _size(panel, fold, space.width - len(title) - len(now) - 4)
    left: list[Span] = [(title, "strong"), ("  " + size, "muted")]
    right: list[Span] = [(now, "muted")]
    if selection.sort_key:
        right += [("   ", "blank"), (selection.sort_key, "strong"), (" " + other, "muted")]
    if length(left) + length(right) + 2 > space.width:
        right = right[:1]
    shown = clipped(tuple((glyphs.text(text), role) for text, role in left), space.width, glyphs)
    return spread(shown, right, space.width)


def _legends(panel: PopulationPanel, space: Space, n: int, aged: bool = True) -> list[Row]:
    """The legends: classes of errors, and kinds of individuals if there are several. `aged`: the map has room for
    ages."""
    drawn = [_classes(space, n)]
    if panel.kind_names or panel.ages is not None:
        drawn.append(_kinds(panel, space, aged))
    return drawn


def _classes(space: Space, n: int) -> Row:
    glyphs, limits = space.glyphs, bounds(n)
    texts = []
    for place in range(len(limits) + 1):
        low, high = limits[place - 1] if place else 0, limits[place] - 1 if place < len(limits) else None
        texts.append(f"{low}+" if high is None else f"{low}" if low == high else glyphs.text(f"{low}–{high}"))
    roomy = sum(map(len, texts)) + len(texts) * 5 + 4 <= space.width
    spans: list[Span] = [("E   " if roomy else "", "muted")]
    for place, text in enumerate(texts):
        spans += [(glyphs.classes[place], CLASS_ROLES[place]), (f"{' ' if roomy else ''}{text}", "muted"),
                  ("   " if roomy else " ", "blank")]
    return row(clipped(tuple(spans[:-1]), space.width, glyphs), space.width)


def _kinds(panel: PopulationPanel, space: Space, aged: bool) -> Row:
    """The shapes of each kind, from the fewest errors to the most, and the bar of the age. Those of the first kind are
    all in the line above."""
    glyphs = space.glyphs
    spans: list[Span] = []
    for place, name in enumerate(panel.kind_names.values()):
        shapes = glyphs.other_classes if place else glyphs.classes[0] + glyphs.classes[-1]
        spans += [(shapes, "text"), (f" {glyphs.text(_(name))}  ", "muted")]
    if panel.ages is not None and aged:
        spans += [(glyphs.text(f"{glyphs.eighths[1]}–{glyphs.eighths[-1]}"), "muted"), (" " + _("age"), "muted")]
    return row(spans, space.width)


def _description(panel: PopulationPanel, selection: Selection, shared_by: str, mark: str, space: Space) -> Row:
    """The selected individual, else the one on the board; at the right `shared_by`, what a heading would say. A grid on
    the board that is no individual's own takes their place. `mark`: that of the individual on the board."""
    if selection.other_grid:
        return row([(_("on the board: {grid}").format(grid=space.glyphs.text(selection.other_grid)), "text")],
                   space.width)
    shared: list[Span] = [(shared_by, "muted")] if shared_by else []
    place = selection.picked if selection.picked is not None and selection.picked < panel.size else panel.current
    if place is None:
        return spread((), shared, space.width)
    entry = place // panel.each
    glyphs, energy = space.glyphs, panel.energies[entry]
    exact = panel.each == 1 or place in panel.best[entry : entry + 1]
    if place == panel.current and panel.current_energy is not None:
        energy, exact = panel.current_energy, True
    spans: list[Span] = [(name_of(place), "data_strong" if place == selection.picked else "strong"), ("   E ", "muted"),
                         (glyphs.text("= " if exact else "≥ ") + str(energy), "text")]
    if panel.kinds:
        spans.append(("   " + glyphs.text(_(panel.kind_names[panel.kinds[entry]])), "muted"))
    parents: list[Span] = []
    ways: list[list[Span]] = []
    for letter, parent in zip(LETTERS, panel.parents, strict=False):
        if place == panel.current:
            parents += [(f"   {letter} ", "strong"), (name_of(parent), "muted")]
    if panel.ages is not None and panel.kinds[entry : entry + 1] == next(iter(panel.kind_names), ""):
        age: Span = ("   " + _("age {age}").format(age=count(panel.ages[entry])), "muted")
        limit: Span = (" " + _("of {patience}").format(patience=count(panel.patience)), "muted")
        ways = [[*spans, age, limit], [*spans, age]]
    if not exact:
        ways.append([*spans, (" " + _("(its cell's best)"), "muted")])
    named = [[*way, *parents] for way in (*ways, spans, spans[:3], spans[:1])]  # a number that is cut would be another
    spans = next((way for way in named if length(way) <= space.width), spans[:1])
    if panel.current not in (None, place):
        sign = mark if mark.startswith("[") else _("board")  # one that shares its cell with the selected one has no own
        on_board: list[Span] = [(f"   {sign} ", "strong"), (name_of(panel.current or 0), "muted")]
        spans += on_board if length([*spans, *on_board, *shared]) + 2 * bool(shared) <= space.width else []
    return spread(spans, shared, space.width)


def _order(panel: PopulationPanel, selection: Selection) -> str:
    """The order in words; where an entry is several individuals, it is not theirs."""
    if not selection.by_energy:
        return _("by index")
    return _("sorted by E") if panel.each == 1 else _("cells by best E")


def _order_with_fold(panel: PopulationPanel, selection: Selection, fold: int) -> str:
    """The order of the individuals, and the number that share a cell unless another line gives it."""
    if fold == 1 or panel.each > 1:
        return _order(panel, selection)
    order = _("by E") if selection.by_energy else _("by index")
    return _("{order}, best of {each}").format(order=order, each=fold)


# Cells


def population_rows(panel: PopulationPanel, selection: Selection, n: int, space: Space, heading: bool = True) -> Rows:
    """Heading, legend, individuals, description of the selected one, histogram, for an n x n grid."""
    arrangement = arrange(panel, selection.by_energy, space, heading)
    drawn: list[Row] = [_heading(panel, selection, arrangement.fold, space)] if heading else []
    drawn += _legends(panel, space, n, arrangement.pitch > 1)
    if _is_noted(panel, heading):
        drawn.append(row([(_size(panel, arrangement.fold, space.width), "muted")], space.width))
    drawn += [row((), space.width)] * (arrangement.top - len(drawn))
    drawn += _lines(panel, selection, arrangement, bounds(n), space)
    drawn.append(_description(panel, selection, "" if heading else _order_with_fold(panel, selection, arrangement.fold),
                              mark_on_board(panel, selection, arrangement, space.glyphs), space))
    drawn += [row((), space.width)] * arrangement.gap
    if arrangement.bars:
        room = Space(space.width - arrangement.label, arrangement.bars + HISTOGRAM, space.glyphs)
        margin: Span = (" " * arrangement.label, "blank")
        drawn += [row((margin, *line), space.width) for line in histogram_rows(_counts(panel), room, panel.words)]
    return rows(drawn, space)


def _lines(panel: PopulationPanel, selection: Selection, arrangement: Arrangement, limits: Sequence[int],
           space: Space) -> Iterator[Row]:
    cells = _cells(panel, arrangement, limits, space.glyphs)
    ranked = panel.each == 1 or not selection.by_energy  # cells by their best are no order of the individuals
    for where, text, role in _marks(panel, selection, arrangement, cells, space.glyphs):
        cells[where] = [(text, role)]
    for line in range(arrangement.lines):
        first = line * arrangement.across
        number = count(first * arrangement.fold * panel.each + 1) if ranked and first < len(cells) else ""
        label = number.rjust(arrangement.label - 1).ljust(arrangement.label)
        spans: list[Span] = [(label if arrangement.label else "", "muted")]
        for cell in cells[first : first + arrangement.across]:
            spans += cell
        yield row(spans, space.width)


def _cells(panel: PopulationPanel, arrangement: Arrangement, limits: Sequence[int],
           glyphs: Glyphs) -> list[list[Span]]:
    """Every cell by the class of the best in it, with its age if there is room."""
    first = next(iter(panel.kind_names), "")
    drawn: list[list[Span]] = []
    order, fold = arrangement.order, arrangement.fold
    for start in range(0, len(order), fold):
        entry = order[start] if fold == 1 else min(order[start : start + fold], key=panel.energies.__getitem__)
        grade = class_of(panel.energies[entry], limits)
        other = bool(panel.kinds) and panel.kinds[entry] != first
        cell: list[Span] = [((glyphs.other_classes if other else glyphs.classes)[grade], CLASS_ROLES[grade])]
        if arrangement.pitch > 1:
            spent = 0.0 if panel.ages is None or other else panel.ages[entry] / max(1, panel.patience)
            age = max(eighths(min(1.0, spent)), 0)
            cell.append((glyphs.eighths[age], "muted") if age else (" ", "blank"))
        drawn.append(cell)
    return drawn


def _marks(panel: PopulationPanel, selection: Selection, arrangement: Arrangement, cells: list[list[Span]],
           glyphs: Glyphs) -> Iterator[tuple[int, str, Role]]:
    """(cell, text, role) of every mark, the most important last: replaced, parents, current, selected."""
    wide = arrangement.pitch > 1
    places = {entry: place // arrangement.fold for place, entry in enumerate(arrangement.order)}

    def cell(individual: int) -> int:
        return places[individual // panel.each]

    if panel.replaced is not None:
        yield cell(panel.replaced), glyphs.mark("replaced") + " " * wide, "strong"
    named: dict[int, str] = {}
    for letter, parent in zip(LETTERS, panel.parents, strict=False):
        named[cell(parent)] = named.get(cell(parent), "") + letter
    for where, letters in named.items():
        yield where, letters.ljust(2) if wide else letters[0], "strong"
    if panel.current is not None:
        role: Role = "bar_strong" if selection.opened else "now"
        yield cell(panel.current), "[]" if wide else "[", role
    if selection.picked is not None and selection.picked < panel.size:
        where = cell(selection.picked)
        on_board = panel.current is not None and where == cell(panel.current)
        left, right = ("[", "]" if selection.opened else "<") if on_board else (cells[where][0][0], "<")
        yield where, left + right if wide else "<", "now" if on_board and not selection.opened else "selected"


def mark_on_board(panel: PopulationPanel, selection: Selection, arrangement: Arrangement, glyphs: Glyphs) -> str:
    """The mark of the individual on the board, as it is drawn: `[]`, `[`, `[<`; empty without one."""
    if panel.current is None:
        return ""
    blank: list[list[Span]] = [[(" ", "blank")]] * len(arrangement.order)
    marked = {where: text for where, text, _role in _marks(panel, selection, arrangement, blank, glyphs)}
    return marked[arrangement.order.index(panel.current // panel.each) // arrangement.fold]


# Histogram


def _counts(panel: PopulationPanel) -> tuple[tuple[int, int], ...]:
    """(errors, individuals) pairs of the panel or, if it has none, of its entries."""
    if panel.counts:
        return panel.counts
    return tuple((energy, panel.energies.count(energy) * panel.each) for energy in sorted(set(panel.energies)))


def bin_width(most: int, bins: int) -> int:
    """The smallest of 1, 2, 4, 5, 10, 20, 40, 50, 100... with which `bins` bins cover 0 to `most`."""
    power = 1
    while True:
        for digit in (1, 2, 4, 5):
            if most < digit * power * bins:
                return digit * power
        power *= 10


def binned(counts: Sequence[tuple[int, int]], bins: int) -> tuple[int, list[int]]:
    """(errors a bin, individuals by bin) of (errors, individuals) pairs, up to the last bin that is not empty."""
    most = max((errors for errors, _individuals in counts), default=0)
    wide = bin_width(most, max(bins, 1))
    held = [0] * (most // wide + 1)
    for errors, individuals in counts:
        held[errors // wide] += individuals
    return wide, held


def histogram_rows(counts: Sequence[tuple[int, int]], space: Space, words: str = "individuals") -> Rows:
    """Heading, bars, and the least errors of each bar; `words` names what is counted."""
    wide, held = binned(counts, space.width // PITCH)
    peak = max(held, default=0)
    tall = space.height - 2
    head: list[Span] = [(_("{many} by E").format(many=_(words)), "muted")]
    scale = "   " + _("peak {count}").format(count=count(peak))
    if len(head[0][0]) + len(scale) <= space.width:
        head.append((scale, "muted"))
    heights = [math.ceil(each * tall * EIGHTHS / max(peak, 1)) for each in held]
    lines: list[list[Span]] = [head]
    for line in range(tall):
        below = (tall - 1 - line) * EIGHTHS
        lines.append([span for height in heights for span in _bar(min(max(height - below, 0), EIGHTHS), space)])
    lines.append([(f"{_written(place * wide):<{PITCH}}", "muted") for place in range(len(held))])
    return rows(lines, space)


def _bar(height: int, space: Space) -> tuple[Span, Span]:
    return (space.glyphs.heats[height] * (PITCH - 1), "text" if height else "blank"), (" ", "blank")


def _written(errors: int) -> str:
    return str(errors) if errors < 10 ** (PITCH - 1) else short(errors)
