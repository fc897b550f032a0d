"""Questions about the next step of a run, and the judging of answers: the learner plays the algorithm.

`forms` has the forms of questions: a choice, several choices, a number, cells on the board, values in order. The other
modules ask them, by type of event: `swaps`, `unit_energy`, `reheats` (annealing, hill climbing), `tabu`, `searches`
(exact solvers, techniques), `arcs`, `covers`, `symbolic` (Z3; `cores` judges by asking it, `contradictions` says why),
`beliefs`, `populations`, `crossovers`, `flights` (swarms with velocities). `asked_about` is all that `Solver.ask`
needs; a solver that knows more than its events passes it in the `Moment`.

The right answer always comes from the step that the solver makes, or from the engine; no author writes it. Where the
algorithm leaves several answers open (ties, any better neighbour) each of them is right.
"""

from __future__ import annotations

from engine.events import Event
from engine.questions import arcs, beliefs, covers, flights, populations, reheats, searches, swaps, symbolic
from engine.questions.forms import KINDS, Answer, Branch, Choice, Judgement, Mark, Number, Question, Several, Values
from engine.questions.moment import Moment, ask

__all__ = ["KINDS", "Answer", "Branch", "Choice", "Judgement", "Mark", "Moment", "Number", "Question", "Several",
           "Values", "asked_about", "may_ask"]

REGISTERED = (arcs, beliefs, covers, flights, populations, reheats, searches, swaps, symbolic)
"""The modules that register questions for types of events."""


def may_ask(events: tuple[Event, ...]) -> bool:
    """Whether any of these events has questions; if not, no Moment is needed."""
    default = ask.dispatch(object)
    return any(ask.dispatch(type(event)) is not default or isinstance(event, searches.SEARCHES) for event in events)


def asked_about(moment: Moment) -> tuple[Question, ...]:
    """The questions about the step of a moment, in the order in which the algorithm decides them."""
    return (*searches.about_the_grid(moment), *(question for event in moment.events for question in ask(event, moment)))
