"""The values that the panes of the Laboratory show, as pure functions of snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from msgspec.structs import replace

from engine import text
from engine.events import Cooled, Reheated, Restarted, SwapJudged, Swept
from engine.events.population import name_of
from engine.params import Params
from engine.puzzle import Puzzle
from engine.solver import AnySolver
from engine.text import count
from engine.view import Channel, Gauge, Related, Sentence, View, choices_of, population_in, stack_in
from engine.view import Role as MarkRole
from tui import messages
from tui.config.speed import speed_text
from tui.i18n import GAP, _
from tui.keys.default_keys import FINDS
from tui.keys.keymap import KeyTable
from tui.playback.breakpoint_syntax import never
from tui.playback.loading import PendingRun, seed_text
from tui.playback.snapshot import ENDED, FREQUENT, MARKED, History, LogStep, RunState, Snapshot, headline
from tui.screens.run.layout import Needs
from tui.widgets import log  # noqa: F401  (it registers the lines of its events)
from tui.widgets.board.board import Position
from tui.widgets.board.layout import LARGEST_LINE_BOX, Layout, choices, pencil, small
from tui.widgets.board.overlays import hints_of
from tui.widgets.chance import Chance
from tui.widgets.header import Title
from tui.widgets.log import LogLine, lines_of
from tui.widgets.timeline.lanes import lane_channel
from tui.widgets.timeline.transport import STEP

STATE_MARKS: Mapping[RunState, str] = {"PAUSED": "‖ ", "RUNNING": "▶ ", "REWINDING": "◀ "}
LONGEST_STATE = max(len(STATE_MARKS.get(state, "") + state) for state in get_args(RunState))
"""Columns of the longest run state."""
FLICKERING = ("partner", "reach", "parent_a", "parent_b")
"""Marks shown while paused and at steps that can be read: they change at every step and would flicker."""
PLAYING = ("RUNNING", "REWINDING")
SHORT_STEP = 6
"""Columns of the step in a header that has no room for the longest one."""
GAUGES = 5
"""Gauges to reserve room for before the run is loaded, and in a phase before the one with a temperature."""


def title(pending: PendingRun, snapshot: Snapshot, step: bool) -> Title:
    """The header: solver, puzzle, seed and run state. `step`: show the step in place of the screen's name, because no
    transport row shows it."""
    context = tuple(each for each in (pending.solver.title, pending.puzzle_name, seed_text(pending.seed)) if each)
    state = STATE_MARKS.get(snapshot.state, "") + _(snapshot.state)
    if step:
        number = text.count(snapshot.playhead)
        return Title(f"{_('step')} {number:<{STEP}}", context, state, f"{_('step')} {number:<{SHORT_STEP}}")
    return Title("Laboratory", context, state, "Lab", LONGEST_STATE)


def position(puzzle: Puzzle, snapshot: Snapshot, cursor: int | None, marks: bool) -> Position:
    """The board. `marks`: pencil in the candidates of the view. While running, marks that would flicker are left out,
    among them struck candidates and units, and a board too large for its pane does not scroll."""
    view = snapshot.view
    focus = () if snapshot.busy else view.marks.get("moved", ())
    hints = hints_of(view if can_be_read(snapshot) else replace(view, pencils={}, units=()))
    shown = marks_shown(snapshot, view)
    return Position(puzzle, view.grid, shown, cursor, view.candidates, focus, hints, marks)


def marks_shown(snapshot: Snapshot, view: View) -> dict[MarkRole, tuple[int, ...]]:
    """The marks of a view, without those that would flicker."""
    readable = can_be_read(snapshot)
    return {role: where for role, where in view.marks.items() if readable or role not in FLICKERING}


def can_be_read(snapshot: Snapshot) -> bool:
    """Test for a step that stays long enough for all its marks to be read."""
    return not snapshot.busy or (snapshot.state in PLAYING and snapshot.tempo == "slow")


VerdictKind = Literal["step", "summary", "message"]
"""A sentence about this step, about a run that is too fast to be read, or a message of the program."""


def verdict(snapshot: Snapshot, parent: tuple[str, int] | None = None,
            related: Related | None = None) -> tuple[Sentence | None, VerdictKind]:
    """The sentence of the verdict line, and its kind.

    `parent`: (letter, child) if the individual on the board is that parent of that child; `related`: the grid on the
    board in place of the individual's own."""
    if snapshot.notice is not None:
        return snapshot.notice, "message"
    if related is not None:
        differing = sum(a != b for a, b in zip(related.grid, snapshot.view.grid, strict=True))
        return messages.other_grid(related.title, related.energy, differing), "message"
    if snapshot.opened is not None:
        return messages.individual(snapshot.opened, snapshot.individuals, snapshot.view.panel, parent), "message"
    if (start := _at_start(snapshot)) is not None:
        return start, "message"
    if snapshot.readout.summary is not None:
        return snapshot.readout.summary, "summary"
    return headline(snapshot.events, snapshot.sentences, snapshot.returns), "step"


def _at_start(snapshot: Snapshot) -> Sentence | None:
    """The sentence before the first step."""
    if snapshot.playhead or snapshot.events:
        return None
    if not snapshot.recorded and snapshot.outcome is not None:
        return messages.no_steps(snapshot.outcome, snapshot.individuals)
    return messages.ready() if snapshot.state in STATE_MARKS else None


def active_breakpoints(snapshot: Snapshot) -> int:
    """Number of breakpoints that are on."""
    return sum(each.on for each in snapshot.breakpoints)


def chance(snapshot: Snapshot) -> Chance | None:
    """The acceptance test of a step, if it has one; without a random draw p is 1 or 0. It has its T where another one
    may be in force since: after an event that sets T, after each step of some schedules, or set by hand."""
    events = snapshot.events
    judged = next((event for event in events if isinstance(event, SwapJudged) and event.temperature is not None), None)
    if judged is None:
        return None
    T = text.significant(judged.temperature)
    in_force = next((text.significant(value) for value in snapshot.knobs if isinstance(value, float)), T)
    changes_T = any(isinstance(event, Cooled | Reheated | Restarted | Swept) for event in events)
    return Chance(float(judged.accepted) if judged.p is None else judged.p, judged.u, judged.delta,
                  judged.temperature if changes_T or in_force != T else None)


def gauges(snapshot: Snapshot, channels: Sequence[Channel]) -> list[Gauge]:
    """The gauges; E and its best have no range, so their bars are shares of the highest E recorded."""
    labels = {each.label for each in channels if each.role == "energy"}
    energy = next((place for place, each in enumerate(channels) if each.role == "energy"), None)
    if energy is None:
        return list(snapshot.readout.gauges)
    return [_of_most(each, snapshot.history, energy)
            if each.share is None and (each.label in labels or each.role == "best") else each
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
    """The lines of the log, newest first."""
    return [line for step in steps
            for line in (*reversed(intervention_lines(step, solver)), *reversed(lines_of(step.events, n)))]


def intervention_lines(step: LogStep, solver: AnySolver) -> list[LogLine]:
    """A line for each intervention after a step; the last one has what they did to E."""
    lines = [LogLine(step.step, "hand", _("{what} by hand").format(what=messages.changed(solver, change)),
                     brief=messages.changed_briefly(solver, change)) for change in step.changes]
    if step.energies is not None and lines:
        before, after = step.energies
        lines[-1] = replace(lines[-1], delta=text.signed(after - before), energy=str(after))
    return lines


def needs(pending: PendingRun, view: View, marks: bool, picked: bool = False) -> Needs:
    """The sizes that the panes of this run need. `marks`: candidates are pencilled in; `picked`: the cell cursor was
    moved at this step.

    The result is the same before the run is loaded and in each phase of it, so that no pane moves while it runs."""
    box, solver = pending.puzzle.box, pending.solver
    boards = choices(box)
    pencilled = marks and (view.candidates is not None or "candidates" in solver.gives) and box <= LARGEST_LINE_BOX
    tested = solver.has_chance
    warms_up = tested and not any(gauge.role == "knob" for gauge in view.gauges)
    gauges = max(len(view.gauges), GAUGES if warms_up or not view.gauges else 0)
    return Needs(
        _size(small(box)), tuple(_size(each) for each in boards if each.name == "M" or box > LARGEST_LINE_BOX),
        tuple(map(_size, boards)), _size(pencil(box)) if pencilled else None, gauges,
        len(solver.program), len(type(pending.params).__struct_fields__), tested,
        lane_channel(solver.channels) is not None, lane_channel(solver.channels, 1) is not None,
        view.panel is not None or "panel" in solver.gives,
        population_in(view.panel) is not None or (view.panel is None and solver.has_individuals), picked,
        tested,
    )


def _size(layout: Layout) -> tuple[int, int]:
    return layout.width, layout.height


# Footer and help

PROGRAM_ROWS = 12
"""Lines of a program that fit beside a board at 80x24."""
NO_RUN = ("PREPARING", "OPENING", "FAILED")


def conditions(snapshot: Snapshot, pending: PendingRun) -> dict[str, bool]:
    """The conditions of the footer hints at a snapshot:

    `run`: it is loaded; `running`, `searching`, `still`: its state; `first`: the playhead is at step 0; `ended`: it is
    at the end of a run that is over; `changed`: an intervention can be undone; `branches`: there are several;
    `watching`: a breakpoint is on; `knob`, `period`: the solver has one; `uphill`, `best`, `reheat`, `restart`,
    `contradiction`, `better`, `merged`: its events can be of that kind; `population`: there are individuals; `parents`:
    those of the one on the board are known; `inside`: the run is inside a step of another. The screen adds `pencils`,
    `causes`, `choices`, `chosen`, `inner` and those of the population.
    """
    solver, population = pending.solver, population_in(snapshot.view.panel)
    absent = _absent(snapshot, solver) if snapshot.state in ENDED.values() else set()  # keys lead back only from there
    jumps = solver.jumps(snapshot.params) - absent
    return {
        "run": snapshot.state not in NO_RUN,
        "running": snapshot.state in PLAYING,
        "searching": snapshot.state == "SEARCHING",
        "still": snapshot.state == "PAUSED" or snapshot.state in ENDED.values(),
        "first": snapshot.playhead == 0,
        "ended": snapshot.state in ENDED.values(),
        "knob": any(value is not None for value in snapshot.knobs),
        "changed": snapshot.can_undo,
        "branches": len(snapshot.branches) > 1,
        "watching": active_breakpoints(snapshot) > 0,
        "period": bool(solver.period_kind) and solver.period_kind not in absent,
        "uphill": "uphill" in jumps,
        "best": "best" in jumps,
        "reheat": not {"reheat", "sweep"}.isdisjoint(jumps),
        "sweep": "sweep" in jumps and "reheat" not in jumps,
        "restart": not {"restart", "doubled"}.isdisjoint(jumps),
        "contradiction": "contradiction" in jumps.intersection(solver.kinds),
        "better": "better" in solver.kinds,
        "merged": "merged" in solver.kinds,
        "population": snapshot.individuals > 0,
        "parents": population is not None and bool(population.parents),
        "inside": pending.outer is not None,
    }


def _absent(snapshot: Snapshot, solver: AnySolver) -> set[str]:
    """The kinds of events that the recorded part of the run is known not to have. Frequent kinds, and ends of periods,
    are known where the charts show all of it in detail."""
    marks, known = {*snapshot.history.marks}, {*MARKED}
    if snapshot.zoomed is not None and snapshot.window.low <= 1 and snapshot.window.high >= snapshot.recorded:
        marks |= {*snapshot.zoomed.marks}
        known |= {*FREQUENT, solver.period_kind}
    return known - marks


def idle_actions(snapshot: Snapshot, solver: AnySolver) -> frozenset[str]:
    """The names of the actions that do nothing in a run of this solver: they look for events that it never has, or need
    a knob, a population, candidates or choices that it lacks."""
    view, idle = snapshot.view, set[str]()
    for target, (kinds, _word) in FINDS.items():
        if never(solver, snapshot.params, snapshot.history.marks, kinds):
            idle |= {f"next-{target}", f"previous-{target}"}
    if not solver.period_kind:
        idle |= {"next-period", "previous-period"}
    if not solver.knobs:
        idle |= {"knob-down", "knob-up"}
    if not solver.is_changeable:
        idle |= {"undo", "redo", "next-branch", "previous-branch", "branches"}
    if "candidates" not in solver.gives and view.candidates is None:
        idle |= {"marks"} | ({"explain"} if "child" not in solver.kinds else set())
    has_panel = "panel" in solver.gives or view.panel is not None
    if not has_panel and len(solver.program) <= PROGRAM_ROWS:
        idle |= {"panel-up", "panel-down"}
    if not solver.has_individuals:
        idle |= {"parents", "sort"}
        may_choose = "guess" in solver.kinds or (has_panel and view.panel is None)
        if not (may_choose or choices_of(view.panel) or stack_in(view.panel) is not None):
            idle |= {"choice-up", "choice-down"} | (set() if solver.inner_kind else {"go-there"})
    return frozenset(idle)


TURNING_POINTS: Mapping[str, str] = {
    "reheat": "reheat", "sweep": "sweep", "restart": "restart", "doubled": "larger population"}
"""The kinds of events at which a search begins once more, with their names."""


def turning_point(solver: AnySolver, params: Params) -> str:
    """The events at which the search of this solver begins once more: `restart or reheat that changes T`; empty if it
    has none. Where a reheat may leave T as it is, only the others are searched for."""
    jumps = solver.jumps(params)
    changes = {"reheat": _("reheat that changes T")} if "not_raised" in solver.kinds else {}
    words = {**TURNING_POINTS, **changes}
    found = [word for kind, word in words.items() if kind in jumps]
    return " or ".join(sorted(found, key=len))  # a clause at the end is about its own word only


def improvement(solver: AnySolver) -> str:
    """The event of this solver that the key for a better child or a merge leads to; empty if it has neither."""
    return " or ".join(word for kind, word in (("better", "better child"), ("merged", "merge")) if kind in solver.kinds)


def placeholders(solver: AnySolver) -> dict[str, str]:
    """The solver's words for {period} and {knob} in the key table."""
    return {"period": solver.period_word or _("period"),
            "knob": solver.knobs[0].symbol if solver.knobs else _("knob")}


def about(solver: AnySolver) -> list[str]:
    """A solver's title, its energy and its summary, for the end of the help."""
    return [_(solver.title), _("E counts {what}.").format(what=_(solver.energy_counts)), _(solver.summary)]


STATE_HELP: Mapping[str, str] = {
    "PREPARING": "The run is being prepared, as the verdict line says. You can use the keys meanwhile.",
    "OPENING": "A run file is replayed and checked.",
    "FAILED": "There is no run; the verdict line gives the reason.",
    "PAUSED": "The run is paused at step {step} of {recorded} recorded.",
    "RUNNING": "The run plays on ({speed}); this page is about step {step}.",
    "REWINDING": "The run plays on backwards ({speed}); this page is about step {step}.",
    "SEARCHING": "A search is under way, {recorded} steps are recorded; {leave} cancels it.",
    "SOLVED": "The run ended at step {step}: the puzzle is solved.",
    "NO SOLUTION": "The run ended at step {step}: there is no solution.",
    "GAVE UP": "The run ended at step {step}: the solver gave up.",
    "UNKNOWN": "The run ended at step {step}: whether there is a solution is unknown.",
}
def _board_help(snapshot: Snapshot, other: str) -> str:
    """A sentence about the board, with a field for the key that leaves it."""
    if other == "hint":
        return _("The board and the verdict line show a hint; {leave} closes it.")
    if other:
        return _("The board shows the grid {grid}; {leave} returns to that of the individual.").replace(
            "{grid}", other.partition(GAP)[0])
    if snapshot.opened is not None:
        return _("The board shows {who}, which was opened; {leave} returns to that of the step.").replace(
            "{who}", name_of(snapshot.opened))
    return _("The events of this step are highlighted.") if snapshot.state == "PAUSED" and snapshot.events else ""


TAB_HELP: Mapping[str, str] = {
    "Gauges": "the numbers of the state at this step",
    "Code": "the pseudo-code; the line that this step came to is marked",
    "Log": "the last steps, newest first",
    "Setup": "the parameters in force",
    "Population": "every {word} by its errors; {mark} is on the board",
}


def help_now(snapshot: Snapshot, table: KeyTable, picked: bool, tab: str | None, other: str = "",
             mark: str = "[]") -> Iterator[str]:
    """Sentences about the present state of the screen. `picked`: the cell cursor is on; `tab`: title of the open tab,
    if there are tabs; `other`: `hint`, or the name of another grid that is on the board; `mark`: that of the
    individual on the board, in its panel."""
    state = _(STATE_HELP[snapshot.state]).format(step=count(snapshot.playhead), recorded=count(snapshot.recorded),
                                                 speed=speed_text(snapshot.speed), leave=table.shown("leave"))
    board = _board_help(snapshot, other).format(leave=table.shown("leave"))
    yield f"{state} {board}".rstrip()
    if picked:
        yield _("The cell cursor is on the board: {keys} move it, {leave} removes it.").format(
            keys=table.shown("cell-left", "cell-down", "cell-up", "cell-right"), leave=table.shown("leave"))
    if tab is not None:
        population = population_in(snapshot.view.panel)
        shows = _(TAB_HELP.get(tab, "the data of the solver")).format(
            word=_("individual" if population is None else population.word), mark=mark)
        parents = 0 if population is None else len(population.parents)
        shows += ("", _(", A is its parent"), _(", A and B are its parents"))[min(parents, 2)]
        yield _("The open tab is {tab}: {shows}.").format(tab=_(tab), shows=shows)
