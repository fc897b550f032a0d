"""A plain pane for whatever a view brings along: the stack of a search, a population, a list."""

from __future__ import annotations

from engine.puzzle import SYMBOLS, cell_name
from engine.view import ListPanel, Panel, PopulationPanel, Sections, StackPanel, TablePanel
from tui.glyphs import Glyphs
from tui.i18n import _
from tui.theme import Role
from tui.widgets import panel_tables  # noqa: F401  (it registers the lines of its panels)
from tui.widgets.pane import HeadedPane
from tui.widgets.panel_base import Lines, panel_lines
from tui.widgets.rows import Row, Rows, Space, Span, row, rows, spread

WIDE = 40
"""Columns from which on a choice of a search is told at length."""


@panel_lines.register
def _stack(panel: StackPanel, n: int, space: Space) -> Lines:
    """The deepest choice first: its depth, the cell, the value tried now between those tried and those left."""
    wide = space.width >= WIDE
    lines: Lines = [[(f"{_('depth'):>7}  {_('cell'):<8}{_('value'):>5}  {_('choices')}", "muted")]] if wide else []
    for depth, (cell, value, tried, left) in reversed(list(enumerate(panel.frames, 1))):
        newest = depth == len(panel.frames)
        now, name = SYMBOLS[value] if value else space.glyphs.empty, cell_name(cell, n)
        head: Span = (f" {depth:>6}  {name:<8}{now:>3}    " if wide else f"{depth:>3}  {name:<7}", "text")
        choice: list[Span] = [*_choices(tried, "muted"), (f"[{now}]", "strong"), *_choices(left, "text", " ")]
        if wide and value and not tried and not left:
            choice.append(("   " + _("forced"), "muted"))
        lines.append(_newest(space, [head, *choice]) if newest else [head, *choice])
    return lines


def _choices(values: tuple[int, ...], role: Role, before: str = "") -> list[Span]:
    listed = " ".join(SYMBOLS[each] for each in values)
    return [(before + listed + ("" if before else " "), role)] if values else []


def _newest(space: Space, spans: list[Span]) -> list[Span]:
    """The choice that the search stands at, on the ground of what happens now, with a mark of its own."""
    text = "".join(text for text, _role in spans)
    return [(f"{space.glyphs.current}{text[1:]}".ljust(space.width), "now")]


@panel_lines.register
def _population(panel: PopulationPanel, n: int, space: Space) -> Lines:
    """The errors of the individuals in their order, as many in a line as fit."""
    each = max((len(str(energy)) for energy in panel.energies), default=1) + 2
    across = max(1, space.width // each)
    lines: Lines = []
    for start in range(0, len(panel.energies), across):
        places = range(start, min(start + across, len(panel.energies)))
        lines.append([_individual(panel, place, each) for place in places])
    return lines


def _individual(panel: PopulationPanel, place: int, width: int) -> Span:
    text = f"{panel.energies[place]:>{width - 1}} "
    if place == panel.current:
        return text, "now"
    return text, "data_strong" if place in panel.parents else "text"


@panel_lines.register
def _list(panel: ListPanel, n: int, space: Space) -> Lines:
    return [[(line, "text" if place else "strong")] for place, line in enumerate(panel.lines)]


@panel_lines.register
def _sections(panel: Sections, n: int, space: Space) -> Lines:
    """The panels in their order, each under its title; the last lines give way."""
    lines: Lines = []
    for part in panel.parts:
        lines += [[]] if lines else []
        meaning: list[Span] = [("   " + legend(part), "muted")] if legend(part) else []
        lines.append([(_(part.title), "strong"), *meaning])
        lines += panel_lines(part, n, space)
    return lines


def panel_rows(panel: Panel | None, n: int, space: Space, heading: bool = True) -> Rows:
    """The panel under its title; the number of lines that do not fit stands at its right."""
    if panel is None:
        return rows((), space)
    head: list[Row] = []
    lines = panel_lines(panel, n, space)
    room = space.height - (1 if heading else 0)
    if heading:
        title: list[Span] = [(space.glyphs.text(_(panel.title)), "strong")]
        head.append(spread(title, [(legend(panel), "muted")], space.width))
    if len(lines) > room > 1:
        more = _("{number} more").format(number=len(lines) - room + 1)
        lines[room - 1 :] = [[(f"      {space.glyphs.ellipsis} {more}", "muted")]]
    shown = [row(_spelled(line, space.glyphs), space.width) for line in lines[:room]]
    return rows([*head, *shown], space)


def legend(panel: Panel) -> str:
    """What the marks in a panel mean."""
    match panel:
        case StackPanel():
            return _("tried [now] left")
        case TablePanel(core=core) if core:
            return _("! = in the core")
    return ""


def _spelled(line: list[Span], glyphs: Glyphs) -> list[Span]:
    return [(glyphs.text(text), role) for text, role in line]


class PanelPane(HeadedPane):
    """Shows the panel of a view."""

    def __init__(self, n: int = 9, *, heading: bool = True, id: str | None = None) -> None:
        super().__init__(heading=heading, id=id)
        self._n = n
        self.panel: Panel | None = None

    def show(self, panel: Panel | None) -> None:
        """Show this from now on."""
        self.panel = panel
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return panel_rows(self.panel, self._n, space, self.heading)
