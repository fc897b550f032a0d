"""What is possible now, as a set of words that the last row and the help ask for. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.solver import AnySolver
from engine.text import count
from engine.view import population_in
from tui.config.speed import speed_text
from tui.i18n import _
from tui.keys.keymap import KeyTable
from tui.playback.loading import Opening
from tui.playback.snapshot import ENDED, Moment

GOING = ("RUNNING", "REWINDING")
NO_RUN = ("COMPILING", "OPENING", "FAILED")


def situation(moment: Moment, opening: Opening) -> frozenset[str]:
    """The words that are true of a moment:

    `run` there is one; `running`, `searching`, `still` what it does; `first` the playhead stands at step 0; `ended` at
    the end of a run that is over; `changed` by hand, `branches` there are several, `watching` a breakpoint is on;
    `knob` the solver has one to turn, `period` something for the keys < > to go by; `choices` of a search stand in the
    panel, `chosen` one of them is picked;
    `uphill`, `best`, `reheat`, `restart`, `contradiction`, `better` its events can be of that kind;
    `population` there are individuals, `kin` the parents of the one on the board are known.
    """
    solver, population = opening.solver, population_in(moment.view.panel)
    facts = {
        "run": moment.state not in NO_RUN,
        "running": moment.state in GOING,
        "searching": moment.state == "SEARCHING",
        "still": moment.state == "PAUSED" or moment.state in ENDED.values(),
        "first": moment.playhead == 0,
        "ended": moment.state in ENDED.values(),
        "knob": bool(solver.knobs),
        "changed": moment.recipe is not None and bool(moment.recipe.interventions),
        "branches": len(moment.branches) > 1,
        "watching": any(each.on for each in moment.breakpoints),
        "period": bool(solver.period_kind),
        "reheat": not {"reheat", "sweep"}.isdisjoint(solver.jumps(moment.params)),
        "restart": not {"restart", "doubled"}.isdisjoint(solver.jumps(moment.params)),
        **{kind: kind in solver.jumps(moment.params) for kind in ("uphill", "best")},
        "contradiction": "contradiction" in solver.kinds,
        "better": not {"better", "merged"}.isdisjoint(solver.kinds),
        "population": moment.individuals > 0,
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


def said_now(moment: Moment, opening: Opening, table: KeyTable, picked: bool, tab: str | None) -> Iterator[str]:
    """What the laboratory shows now, in sentences; `tab` is the title of the open tab, if there are tabs."""
    yield _(STATES[moment.state]).format(step=count(moment.playhead), recorded=count(moment.recorded),
                                         speed=speed_text(moment.speed), leave=table.shown("leave"))
    if picked:
        yield _("A cell is picked: {keys} go to others, {leave} lets go of it.").format(
            keys=table.shown("cell-left", "cell-down", "cell-up", "cell-right"), leave=table.shown("leave"))
    if tab is not None:
        shows = _(TAB_TELLS.get(tab, "what the solver keeps"))
        yield _("The open tab is {tab}: {shows}.").format(tab=_(tab), shows=shows)
