"""Laws of questions: the model answer is the solver's own step, and what is shown while a question is open fits."""

from __future__ import annotations

from engine import state as states
from engine.conformance import cases as trial
from engine.conformance.cases import require
from engine.errors import BadInput
from engine.params import Params
from engine.questions import Answer, Branch, Choice, Mark, Number, Question, Several, Values
from engine.questions.forms import MOST_TEXT
from engine.run.cursor import Cursor
from engine.solver import AnySolver

STEPS_ON = 20
"""Steps that an answer is run on."""
MOST_OPTION = 24
"""Columns of the longest option."""


def questions_agree_with_the_steps(solver: AnySolver) -> None:
    """At every step asked about, the model answer of each question is right, can be written and read back, and other
    answers are not right; asking changes nothing."""
    for log in trial.logs(solver):
        params = log.case.params
        before: states.State | None = None
        for state, events in log.moments():
            if before is not None and state.step == before.step + 1:
                digest = states.digest(before)
                for question in solver.ask(before, params, events):
                    _check(question, f"{log}, step {state.step}, {question.kind}")
                require(states.digest(before) == digest, f"{log}, step {state.step}: `ask` changed the state")
            before = states.copy(state)


def _check(question: Question, where: str) -> None:
    model = question.model
    require(question.judge(model).right, f"{where}: the model answer is judged wrong")
    require(question.is_right(question.read(question.write(model))), f"{where}: the written model answer is wrong")
    require(0 <= question.chance <= 1, f"{where}: the chance of a guess is {question.chance}")
    for text in (question.text, question.why, question.hint):
        require(0 < len(text) <= MOST_TEXT and text[-1] in ".?" and text.isprintable(),
                f"{where}: {text!r} is not one sentence of at most {MOST_TEXT} columns")
    require(all(name and value for name, value in question.given), f"{where}: something that is given has no value")
    if isinstance(question, Choice):
        require(len(set(question.options)) == len(question.options), f"{where}: two options are alike")
        require(max(map(len, question.options)) <= MOST_OPTION, f"{where}: an option is wider than {MOST_OPTION}")
        require(0 < len(question.rights) < len(question.options), f"{where}: all options are right, or none")
        wrong = [place for place in range(len(question.options)) if place not in question.rights]
        require(not any(question.judge(place).right for place in wrong), f"{where}: a wrong option is judged right")
        require(not question.rights & question.mistakes.keys(), f"{where}: a right option is called a mistake")
        require(all(0 < len(meaning) <= MOST_TEXT for meaning in question.meanings.values()),
                f"{where}: the meaning of an option is not one sentence of at most {MOST_TEXT} columns")
    if isinstance(question, Mark | Values) and model:
        require(question.write(model) not in f"{question.text} {question.hint}",
                f"{where}: the answer is in the question or in its hint")
    if isinstance(question, Values):
        require(len(question.values) == len(question.marked) and set(question.values) <= set(range(1, question.n + 1)),
                f"{where}: the right values are not one value of the grid for each marked cell")
        others = (*question.faults, tuple(value % question.n + 1 for value in question.values))
        require(not any(question.judge(values).right for values in others), f"{where}: wrong values are judged right")
    if isinstance(question, Several):
        require(len(set(question.options)) == len(question.options), f"{where}: two options are alike")
        require(max(map(len, question.options)) <= MOST_OPTION, f"{where}: an option is wider than {MOST_OPTION}")
        require(0 < len(question.model) <= question.most <= len(question.options),
                f"{where}: the model answer has no options, or more than {question.most}")
        require(not question.judge(frozenset()).right, f"{where}: an answer without options is judged right")
        for answer in (question.model, frozenset({0}), frozenset()):
            said = question.judge(answer).why
            require(0 < len(said) <= MOST_TEXT and said[-1] == ".", f"{where}: {said!r} is not one sentence")
    if isinstance(question, Mark):
        require(not question.inside or all(cells <= set(question.marked) for cells in question.rights),
                f"{where}: a right answer has other cells than those that are marked")
        require(not question.rights & question.faults.keys(), f"{where}: right cells are called a mistake")
        require(all(question.least <= len(cells) <= question.most for cells in question.rights),
                f"{where}: a right answer has not {question.least} to {question.most} cells")
        require(all(not question.free or cells <= question.free for cells in question.rights),
                f"{where}: a right answer has a cell that is filled")
        require(not question.wrongs.keys() & frozenset().union(*question.rights),
                f"{where}: a cell of a right answer is called wrong")


def answers_can_be_run_on(solver: AnySolver) -> None:
    """The intervention that runs an answer on is taken, or refused in a sentence; `advance` and `steps` then agree."""
    for log in trial.logs(solver):
        params = log.case.params
        before: states.State | None = None
        for state, events in log.moments():
            if before is not None and state.step == before.step + 1:
                for question in solver.ask(before, params, events):
                    where = f"{log}, step {state.step}, {question.kind}"
                    for answer in _answers(question):
                        branch = question.branch(answer)
                        if branch is not None:
                            _run_on(solver, states.copy(state if branch.after else before), params, branch, where)
            before = states.copy(state)


def _answers(question: Question) -> tuple[Answer, ...]:
    """Some answers to a question, the model among them."""
    if isinstance(question, Choice):
        return tuple(range(len(question.options)))
    if isinstance(question, Number):
        return question.model, (question.low + question.high) / 2
    return (question.model,)


def _run_on(solver: AnySolver, state: states.State, params: Params, branch: Branch, where: str) -> None:
    kept = states.digest(state)
    try:
        params = solver.intervene(state, params, branch.name, branch.value)
    except BadInput:
        require(states.digest(state) == kept, f"{where}: a refused answer changed the state")
        return
    stepped = Cursor(solver, states.copy(state), params)
    for _ in range(STEPS_ON):
        stepped.single()
    solver.advance(state, params, STEPS_ON)
    require(states.digest(stepped.state) == states.digest(state),
            f"{where}: after {branch.name} = {branch.value}, advance and steps differ")


CHECKS = (questions_agree_with_the_steps, answers_can_be_run_on)
