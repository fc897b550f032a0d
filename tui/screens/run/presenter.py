"""From a snapshot of a run to what each pane shows. Pure: no widget is touched here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from engine import text
from engine.events import Event, SwapJudged
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.text import count
from engine.view import Channel, Gauge, Sentence, View, population_in
from tui import messages
from tui.config.speed import speed_text
from tui.i18n import _
from tui.keys.keymap import KeyTable
from tui.playback.loading import PendingRun, seed_text
from tui.playback.snapshot import ENDED, FREQUENT, History, LogStep, RunState, Snapshot, headline
from tui.screens.run.layout import Needs
from tui.widgets import log  # noqa: F401  (it registers the lines of its events)
from tui.widgets.board.drawing import Position
from tui.widgets.board.layout import LARGEST_LINE_BOX, Layout, choices, pencil, small
from tui.widgets.board.overlays import hints_of
from tui.widgets.chance import Chance
from tui.widgets.header import Title
from tui.widgets.log import LogLine, lines_of
from tui.widgets.timeline.heading import RIVAL
from tui.widgets.timeline.lanes import PERIODS, lane_channel
from tui.widgets.timeline.transport import STEP

STATE_MARKS: Mapping[RunState, str] = {"PAUSED": "‖ ", "RUNNING": "▶ ", "REWINDING": "◀ "}
PAUSED_MARKS = ("partner", "reach", "parent_a", "parent_b")
"""Marks that are of use to who looks closely, and would flicker while it runs."""
GAUGES = 5
"""Room is kept for so many until there is a run that says how many it has, and in a phase before the one with a
temperature."""


def title(pending: PendingRun, snapshot: Snapshot, step: bool) -> Title:
    """The header: the solver, the puzzle, the seed, and whether it runs. `step`: there is no other place for the
    step, which takes that of the screen's name."""
    context = tuple(each for each in (pending.solver.title, pending.puzzle_name, seed_text(pending.seed)) if each)
    state = STATE_MARKS.get(snapshot.state, "") + _(snapshot.state)
    if step:
        return Title(f"{_(pending.solver.step_word)} {text.count(snapshot.playhead):<{STEP}}", context, state,
                     f"{text.count(snapshot.playhead):<{STEP}}")
    return Title("Laboratory", context, state, "Lab")


def position(puzzle: Puzzle, snapshot: Snapshot, cursor: int | None, marks: bool) -> Position:
    """The board. `marks`: candidates are pencilled in where the view has them. While it runs, the marks that would
    flicker are left out, and a board too large for its pane stays where it is."""
    view = snapshot.view
    shown = {role: where for role, where in view.marks.items() if not (snapshot.busy and role in PAUSED_MARKS)}
    focus = () if snapshot.busy else view.marks.get("moved", ())
    hints = hints_of(replace(view, pencils={}, units=()) if snapshot.busy else view)
    return Position(puzzle, view.grid, shown, cursor, view.candidates if marks else None, focus, hints)


def verdict(snapshot: Snapshot, kin: tuple[str, int] | None = None) -> tuple[Sentence | None, bool]:
    """The sentence of the verdict line, and whether it is about this step (and not the program's own). `kin`: the
    individual on the board is that parent of that one."""
    if snapshot.notice is not None:
        return snapshot.notice, False
    if snapshot.opened is not None:
        return messages.individual(snapshot.opened, snapshot.individuals, snapshot.view.panel, kin), False
    if snapshot.playhead == 0 and not snapshot.events and snapshot.state in STATE_MARKS:
        return messages.ready(), False
    return headline(snapshot.events, snapshot.sentences), True


def watching(snapshot: Snapshot) -> int:
    """How many breakpoints are on."""
    return sum(each.on for each in snapshot.breakpoints)


def chance(events: Iterable[Event]) -> Chance | None:
    """The acceptance test of a step; without a draw p is 1 or 0."""
    for event in events:
        if isinstance(event, SwapJudged) and event.temperature is not None:
            return Chance(float(event.accepted) if event.p is None else event.p, event.u, event.delta)
    return None


def gauges(snapshot: Snapshot, channels: Sequence[Channel]) -> list[Gauge]:
    """The gauges; E and its best, which have no range of their own, are shares of the most E that was recorded."""
    labels = {each.label for each in channels if each.role in ("energy", "best")}
    energy = next((place for place, each in enumerate(channels) if each.role == "energy"), None)
    if energy is None:
        return list(snapshot.readout.gauges)
    return [_of_most(each, snapshot.history, energy) if each.share is None and each.label in labels else each
            for each in snapshot.readout.gauges]


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


def told(snapshot: Snapshot) -> set[str]:
    """What the timeline shows beside the rare events of the run."""
    close = () if snapshot.close is None else snapshot.close.marks
    found = {kind for kind in close if kind in (*PERIODS, *FREQUENT) and kind != "uphill"}
    return found if snapshot.rival is None else found | {RIVAL}


def needs(pending: PendingRun, view: View, marks: bool, picked: bool = False) -> Needs:
    """What the panes of this run take. `marks`: candidates are pencilled in where the view has them; `picked`: a cell
    is. It is the same before there is a run and in each phase of it, so that nothing moves while it goes on."""
    box, solver = pending.puzzle.box, pending.solver
    boards = choices(box)
    pencilled = marks and (view.candidates is not None or "candidates" in solver.gives) and box <= LARGEST_LINE_BOX
    tested = has_test(solver.channels)
    warms_up = tested and not any(gauge.role == "knob" for gauge in view.gauges)
    gauges = max(len(view.gauges), GAUGES if warms_up or not view.gauges else 0)
    return Needs(
        _size(small(box)), tuple(_size(each) for each in boards if each.name == "M" or box > LARGEST_LINE_BOX),
        tuple(map(_size, boards)), _size(pencil(box)) if pencilled else None, gauges,
        len(solver.program), len(type(pending.params).__struct_fields__), tested,
        lane_channel(solver.channels) is not None, lane_channel(solver.channels, 1) is not None,
        view.panel is not None or "panel" in solver.gives,
        population_in(view.panel) is not None or (view.panel is None and solver.has_individuals), picked,
    )


def _size(layout: Layout) -> tuple[int, int]:
    return layout.width, layout.height


def has_test(channels: Iterable[Channel]) -> bool:
    """Whether moves are tested against a temperature, so that there is a chance to show."""
    return any(channel.role == "temperature" for channel in channels)


# What is possible now, as a set of words that the last row and the help ask for. Pure.


GOING = ("RUNNING", "REWINDING")
NO_RUN = ("COMPILING", "OPENING", "FAILED")


def situation(snapshot: Snapshot, pending: PendingRun) -> frozenset[str]:
    """The words that are true of a snapshot:

    `run` there is one; `running`, `searching`, `still` what it does; `first` the playhead stands at step 0; `ended` at
    the end of a run that is over; `changed` by hand, `branches` there are several, `watching` a breakpoint is on;
    `knob` the solver has one to turn, `period` something for the keys < > to go by; `choices` of a search stand in the
    panel, `chosen` one of them is picked;
    `uphill`, `best`, `reheat`, `restart`, `contradiction`, `better` its events can be of that kind;
    `population` there are individuals, `kin` the parents of the one on the board are known.
    """
    solver, population = pending.solver, population_in(snapshot.view.panel)
    facts = {
        "run": snapshot.state not in NO_RUN,
        "running": snapshot.state in GOING,
        "searching": snapshot.state == "SEARCHING",
        "still": snapshot.state == "PAUSED" or snapshot.state in ENDED.values(),
        "first": snapshot.playhead == 0,
        "ended": snapshot.state in ENDED.values(),
        "knob": bool(solver.knobs),
        "changed": snapshot.recipe is not None and bool(snapshot.recipe.interventions),
        "branches": len(snapshot.branches) > 1,
        "watching": any(each.on for each in snapshot.breakpoints),
        "period": bool(solver.period_kind),
        "reheat": not {"reheat", "sweep"}.isdisjoint(solver.jumps(snapshot.params)),
        "restart": not {"restart", "doubled"}.isdisjoint(solver.jumps(snapshot.params)),
        **{kind: kind in solver.jumps(snapshot.params) for kind in ("uphill", "best")},
        "contradiction": "contradiction" in solver.kinds,
        "better": not {"better", "merged"}.isdisjoint(solver.kinds),
        "population": snapshot.individuals > 0,
        "kin": population is not None and bool(population.parents),
    }
    return frozenset(word for word, holds in facts.items() if holds)


def words_of(solver: AnySolver) -> dict[str, str]:
    """What the help calls this solver's period and knob."""
    return {"period": solver.period_word or _("period"),
            "knob": solver.knobs[0].symbol if solver.knobs else _("knob")}


def about(solver: AnySolver) -> list[str]:
    """What a solver says of itself."""
    return [_(solver.title), _("E counts {what}.").format(what=_(solver.energy_counts)), _(solver.summary)]


STATES: Mapping[str, str] = {
    "COMPILING": "Kernels are compiled the first time on a machine, and only loaded later. Keys work already.",
    "OPENING": "A run file is replayed and checked.",
    "FAILED": "There is no run: the verdict line says why.",
    "PAUSED": "The run stands at step {step}; {recorded} are recorded. Yellow marks what happened at this step.",
    "RUNNING": "The run goes on at {speed}; it stands at step {step}.",
    "REWINDING": "The run goes backwards at {speed}; it stands at step {step}.",
    "SEARCHING": "A search goes on, {recorded} steps are recorded; {leave} gives it up.",
    "SOLVED": "The run is over at step {step}: the puzzle is solved.",
    "NO SOLUTION": "The run is over at step {step}: there is no solution.",
    "GAVE UP": "The run is over at step {step}: it gave up.",
    "UNKNOWN": "The run is over at step {step}: it is not known whether there is a solution.",
}
TAB_TELLS: Mapping[str, str] = {
    "Gauges": "the numbers of the state, and the chance of the last proposal against its draw",
    "Code": "the pseudo-code; the line that this step came to is marked",
    "Log": "the last steps, the newest first",
    "Setup": "the parameters in force",
    "Population": "every individual by its errors; [] is on the board, A and B are its parents",
}


def said_now(snapshot: Snapshot, pending: PendingRun, table: KeyTable, picked: bool, tab: str | None) -> Iterator[str]:
    """What the laboratory shows now, in sentences; `tab` is the title of the open tab, if there are tabs."""
    yield _(STATES[snapshot.state]).format(step=count(snapshot.playhead), recorded=count(snapshot.recorded),
                                         speed=speed_text(snapshot.speed), leave=table.shown("leave"))
    if picked:
        yield _("A cell is picked: {keys} go to others, {leave} lets go of it.").format(
            keys=table.shown("cell-left", "cell-down", "cell-up", "cell-right"), leave=table.shown("leave"))
    if tab is not None:
        shows = _(TAB_TELLS.get(tab, "what the solver keeps"))
        yield _("The open tab is {tab}: {shows}.").format(tab=_(tab), shows=shows)
