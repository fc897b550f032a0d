"""From a moment of a run to what each pane shows. Pure: no widget is touched here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from engine import text
from engine.events import Event, SwapJudged
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.view import Channel, Gauge, Sentence, View, population_in
from tui import messages
from tui.i18n import _
from tui.playback.loading import Opening, seed_text
from tui.playback.snapshot import FREQUENT, History, LogStep, Moment, RunState, headline
from tui.screens.plan import Needs
from tui.widgets import log_breeding  # noqa: F401  (it registers the lines of its events)
from tui.widgets.board_drawing import Position
from tui.widgets.board_hints import hints_of
from tui.widgets.board_layout import LARGEST_LINE_BOX, Layout, choices, pencil, small
from tui.widgets.chance import Chance
from tui.widgets.header import Title
from tui.widgets.lanes import PERIODS, lane_channel
from tui.widgets.log import LogLine, lines_of
from tui.widgets.timeline import RIVAL
from tui.widgets.transport import STEP

STATE_MARKS: Mapping[RunState, str] = {"PAUSED": "‖ ", "RUNNING": "▶ ", "REWINDING": "◀ "}
PAUSED_MARKS = ("partner", "reach", "parent_a", "parent_b")
"""Marks that are of use to who looks closely, and would flicker while it runs."""
GAUGES = 5
"""Room is kept for so many until there is a run that says how many it has, and in a phase before the one with a
temperature."""


def title(opening: Opening, moment: Moment, step: bool) -> Title:
    """The header: the solver, the puzzle, the seed, and whether it runs. `step`: there is no other place for the
    step, which takes that of the screen's name."""
    context = tuple(each for each in (opening.solver.title, opening.puzzle_name, seed_text(opening.seed)) if each)
    state = STATE_MARKS.get(moment.state, "") + _(moment.state)
    if step:
        return Title(f"{_(opening.solver.step_word)} {text.count(moment.playhead):<{STEP}}", context, state,
                     f"{text.count(moment.playhead):<{STEP}}")
    return Title("Laboratory", context, state, "Lab")


def position(puzzle: Puzzle, moment: Moment, cursor: int | None, marks: bool) -> Position:
    """The board. `marks`: candidates are pencilled in where the view has them. While it runs, the marks that would
    flicker are left out, and a board too large for its pane stays where it is."""
    view = moment.view
    shown = {role: where for role, where in view.marks.items() if not (moment.busy and role in PAUSED_MARKS)}
    focus = () if moment.busy else view.marks.get("moved", ())
    hints = hints_of(replace(view, pencils={}, units=()) if moment.busy else view)
    return Position(puzzle, view.grid, shown, cursor, view.candidates if marks else None, focus, hints)


def verdict(moment: Moment, kin: tuple[str, int] | None = None) -> tuple[Sentence | None, bool]:
    """The sentence of the verdict line, and whether it is about this step (and not the program's own). `kin`: the
    individual on the board is that parent of that one."""
    if moment.notice is not None:
        return moment.notice, False
    if moment.opened is not None:
        return messages.individual(moment.opened, moment.individuals, moment.view.panel, kin), False
    if moment.playhead == 0 and not moment.events and moment.state in STATE_MARKS:
        return messages.ready(), False
    return headline(moment.events, moment.sentences), True


def watching(moment: Moment) -> int:
    """How many breakpoints are on."""
    return sum(each.on for each in moment.breakpoints)


def chance(events: Iterable[Event]) -> Chance | None:
    """The acceptance test of a step; without a draw p is 1 or 0."""
    for event in events:
        if isinstance(event, SwapJudged) and event.temperature is not None:
            return Chance(float(event.accepted) if event.p is None else event.p, event.u, event.delta)
    return None


def gauges(moment: Moment, channels: Sequence[Channel]) -> list[Gauge]:
    """The gauges; E and its best, which have no range of their own, are shares of the most E that was recorded."""
    labels = {each.label for each in channels if each.role in ("energy", "best")}
    energy = next((place for place, each in enumerate(channels) if each.role == "energy"), None)
    if energy is None:
        return list(moment.slow.gauges)
    return [_of_most(each, moment.history, energy) if each.share is None and each.label in labels else each
            for each in moment.slow.gauges]


def _of_most(gauge: Gauge, history: History, place: int) -> Gauge:
    figures = gauge.text.replace(" ", "")
    if not figures.isdigit():
        return gauge
    now = int(figures)
    recorded = history.values[:, place] if history.values.size else np.zeros(0)
    most = max(float(np.nanmax(recorded, initial=0.0)), now, 1.0)
    return replace(gauge, share=now / most)


def log_lines(steps: Iterable[LogStep], solver: AnySolver, n: int) -> list[LogLine]:
    """The lines of the log, the newest first."""
    return [line for step in steps
            for line in (*reversed(by_hand(step, solver)), *reversed(lines_of(step.events, n)))]


def by_hand(step: LogStep, solver: AnySolver) -> list[LogLine]:
    """A line for everything that was changed by hand after a step."""
    said = [_("{what} by hand").format(what=messages.changed(solver, change)) for change in step.changes]
    return [LogLine(step.step, "◇", what) for what in said]


def told(moment: Moment) -> set[str]:
    """What the timeline shows beside the rare events of the run."""
    close = () if moment.close is None else moment.close.marks
    found = {kind for kind in close if kind in (*PERIODS, *FREQUENT) and kind != "uphill"}
    return found if moment.rival is None else found | {RIVAL}


def needs(opening: Opening, view: View, marks: bool, picked: bool = False) -> Needs:
    """What the panes of this run take. `marks`: candidates are pencilled in where the view has them; `picked`: a cell
    is. It is the same before there is a run and in each phase of it, so that nothing moves while it goes on."""
    box, solver = opening.puzzle.box, opening.solver
    boards = choices(box)
    pencilled = marks and (view.candidates is not None or "candidates" in solver.gives) and box <= LARGEST_LINE_BOX
    tested = has_test(solver.channels)
    warms_up = tested and not any(gauge.role == "knob" for gauge in view.gauges)
    gauges = max(len(view.gauges), GAUGES if warms_up or not view.gauges else 0)
    return Needs(
        _size(small(box)), tuple(_size(each) for each in boards if each.name == "M" or box > LARGEST_LINE_BOX),
        tuple(map(_size, boards)), _size(pencil(box)) if pencilled else None, gauges,
        len(solver.program), len(type(opening.params).__struct_fields__), tested,
        lane_channel(solver.channels) is not None, lane_channel(solver.channels, 1) is not None,
        view.panel is not None or "panel" in solver.gives,
        population_in(view.panel) is not None or (view.panel is None and solver.has_individuals), picked,
    )


def _size(layout: Layout) -> tuple[int, int]:
    return layout.width, layout.height


def has_test(channels: Iterable[Channel]) -> bool:
    """Whether moves are tested against a temperature, so that there is a chance to show."""
    return any(channel.role == "temperature" for channel in channels)
