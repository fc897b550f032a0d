"""What is possible now, as a set of words that the last row and the help ask for. Pure."""

from __future__ import annotations

from tui.moment import ENDED, Moment
from tui.opening import Opening

GOING = ("RUNNING", "REWINDING")
NO_RUN = ("COMPILING", "OPENING", "FAILED")


def situation(moment: Moment, opening: Opening) -> frozenset[str]:
    """The words that are true of a moment:

    `run` there is one; `running`, `searching`, `still` what it does; `first` the playhead stands at step 0; `ended` at
    the end of a run that is over; `knob` the solver has one to turn, `period` something for the keys < > to go by;
    `uphill`, `best`, `reheat` its events can be of that kind.
    """
    solver = opening.solver
    facts = {
        "run": moment.state not in NO_RUN,
        "running": moment.state in GOING,
        "searching": moment.state == "SEARCHING",
        "still": moment.state == "PAUSED" or moment.state in ENDED.values(),
        "first": moment.playhead == 0,
        "ended": moment.state in ENDED.values(),
        "knob": bool(solver.knobs),
        "period": bool(solver.period_kind),
        "reheat": not {"reheat", "restart", "sweep"}.isdisjoint(solver.jumps(moment.params)),
        **{kind: kind in solver.jumps(moment.params) for kind in ("uphill", "best")},
    }
    return frozenset(word for word, holds in facts.items() if holds)
