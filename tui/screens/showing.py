"""From a moment of a run to what each pane shows. Pure: no widget is touched here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.events import Event, SwapJudged
from engine.view import Channel, Gauge, Sentence
from tui.i18n import _
from tui.moment import LogStep, Moment, RunState, headline
from tui.opening import Opening, seed_text
from tui.screens.plan import Needs
from tui.widgets.board_layout import medium, small
from tui.widgets.chance import Chance
from tui.widgets.header import Title
from tui.widgets.lanes import PERIODS, lane_channel
from tui.widgets.log import Entry, entries
from tui.widgets.rows import Space
from tui.widgets.setup import items, setup_lines
from tui.widgets.timeline import RIVAL

STATE_MARKS: Mapping[RunState, str] = {"PAUSED": "‖ ", "RUNNING": "▶ ", "REWINDING": "◀ "}
LARGEST_ROOMY_BOX = 3
"""The side of a box up to which there is a roomy board."""


def title(opening: Opening, state: RunState) -> Title:
    """The header: the solver, the puzzle, the seed, and whether it runs."""
    context = tuple(each for each in (opening.solver.title, opening.puzzle_name, seed_text(opening.seed)) if each)
    return Title("Laboratory", context, STATE_MARKS.get(state, "") + _(state), "Lab")


def verdict(moment: Moment) -> tuple[Sentence | None, bool]:
    """The sentence of the verdict line, and whether it is about this step (and not the program's own)."""
    if moment.notice is not None:
        return moment.notice, False
    return headline(moment.events, moment.sentences), True


def chance(events: Iterable[Event]) -> Chance | None:
    """The acceptance test of a step; without a draw p is 1 or 0."""
    for event in events:
        if isinstance(event, SwapJudged) and event.temperature is not None:
            return Chance(float(event.accepted) if event.p is None else event.p, event.u)
    return None


def log_entries(steps: Iterable[LogStep], n: int) -> list[Entry]:
    """The lines of the log, the newest first."""
    return [line for step in steps for line in reversed(entries(step.events, n))]


def told(moment: Moment) -> set[str]:
    """What the timeline shows beside the rare events of the run."""
    close = () if moment.close is None else moment.close.marks
    found = {kind for kind in close if kind in (*PERIODS, "contradiction")}
    return found if moment.rival is None else found | {RIVAL}


def needs(opening: Opening, gauges: Sequence[Gauge], panel: bool) -> Needs:
    """What the panes of this run take."""
    box = opening.puzzle.box
    compact = small(box)
    roomy = medium(box) if box <= LARGEST_ROOMY_BOX else None
    return Needs(
        (compact.width, compact.height), None if roomy is None else (roomy.width, roomy.height),
        max(len(gauges), 1), len(opening.solver.program), len(setup_lines(items(opening.params), Space(28))),
        has_test(opening.solver.channels), lane_channel(opening.solver.channels) is not None, panel,
    )


def has_test(channels: Iterable[Channel]) -> bool:
    """Whether moves are tested against a temperature, so that there is a chance to show."""
    return any(channel.role == "temperature" for channel in channels)
