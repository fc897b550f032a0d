"""A run: advance, stop, seek, find, intervene, branch.

Seeking is deterministic replay: a checkpoint of the state is kept at regular steps, and any other step is reached by
re-executing from the nearest checkpoint before it. Frequent events are found the same way, rare ones in an index. A run
is used by one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from engine import params as parameters
from engine import registry, text
from engine import state as states
from engine.breakpoints import NEVER, Breakpoint, Stop
from engine.errors import BadInput, ParameterError
from engine.events import Event, rare_kinds
from engine.interrupt import Interrupted
from engine.params import Params
from engine.puzzle import Puzzle
from engine.questions import Question
from engine.rng import MAX_SEED
from engine.run.checkpoints import Checkpoints, Nearby
from engine.run.cursor import Cursor
from engine.run.recipe import Change, Intervention, Recipe, plain_value
from engine.run.recorder import Recorder
from engine.run.series import EventIndex, Series
from engine.solver import Advanced, AnySolver, InnerRun, Outcome
from engine.state import State
from engine.view import Sentence, View

FIND_WINDOW, FIND_WIDEST = 1024, 2**18
CHOOSING = frozenset({"assigned", "decided"})
"""Kinds of events that make a choice."""


DIGEST_EVERY = 2**20
CHUNK_STRIDES = 64
RECENT_STRIDES = 256
"""Once checkpoints are farther apart than this many strides, a recent state is kept at each such multiple."""
BRANCH_STRIDES = 1024
"""Branches starting within this many strides of step 0 are replayed from the start, for a full-resolution history."""


class Run:
    """One run of a solver on a puzzle, made by `Run.start`."""

    def __init__(self, recipe: Recipe, solver: AnySolver, cursor: Cursor) -> None:
        self.recipe = recipe
        self.solver = solver
        self.recorded = cursor.step
        self.outcome: Outcome | None = solver.outcome(cursor.state)
        """The outcome, once the end has been reached; the playhead may be elsewhere."""
        self.breakpoints: list[Breakpoint] = []
        self.digests: list[tuple[int, str]] = []
        """(step, digest of the state) at every multiple of 2**20 steps reached."""
        self._cursor = cursor
        self._events: tuple[Event, ...] | None = ()
        self._checkpoints = Checkpoints(solver.checkpoint_stride, cursor)
        self._nearby = Nearby(solver.checkpoint_stride)
        self.series = Series(len(solver.channels))
        self.index = EventIndex()
        self._sample()

    @classmethod
    def start(cls, solver: AnySolver | str, puzzle: Puzzle, params: Params | None = None, seed: int = 0,
              interventions: Sequence[Intervention] = ()) -> Run:
        """A run at step 0. Raises BadInput for a puzzle that the solver refuses, for a seed outside 0..2**63-1, and if
        the solver's package is not installed."""
        found = registry.solver(solver) if isinstance(solver, str) else solver
        if not 0 <= seed <= MAX_SEED:
            raise ParameterError(f"seed = {seed}: expected a whole number from 0 to {MAX_SEED}")
        found.require()
        chosen = found.make_params() if params is None else params
        recipe = Recipe(puzzle, found.name, parameters.to_dict(chosen), seed, tuple(interventions))
        if found.recorded and not isinstance(found, Recorder):
            found = Recorder(found)
        cursor = Cursor(found, found.init(puzzle, chosen, seed), chosen, recipe.interventions)
        cursor.arrive()
        return cls(recipe, found, cursor)

    def plan_for(self, steps: int) -> None:
        """Space checkpoints and samples as for a run of this many steps from now on: replaying it then takes fewer
        halts."""
        self.series.plan_for(steps)
        self._checkpoints.plan_for(steps)

    # The state of the run

    @property
    def puzzle(self) -> Puzzle:
        return self.recipe.puzzle

    @property
    def seed(self) -> int:
        return self.recipe.seed

    @property
    def params(self) -> Any:
        """The parameters in force at the playhead."""
        return self._cursor.params

    @property
    def state(self) -> Any:
        """The state at the playhead, to be read only."""
        return self._cursor.state

    @property
    def playhead(self) -> int:
        return self._cursor.step

    @property
    def at_end(self) -> bool:
        return self.outcome is not None and self.playhead == self.recorded

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the playhead's step; none at step 0."""
        if self._events is None:
            self._events = self._cursor_at(self.playhead - 1).single() or ()
        return self._events

    @property
    def judged(self) -> Any:
        """The state that the sentence of the playhead's step is about, to be read only: that at the playhead, unless
        the step went on from it to another one."""
        state = self.state
        found = self.solver.judged(state, self._before, self.params, self.events)
        return state if found is None else found

    def _before(self) -> Any:
        """The state before the playhead's step."""
        return self.cursor_at(self.playhead - 1).state

    def because(self, event: Event) -> Sentence:
        """The reason of one of the playhead's events, which interventions after it do not change."""
        found: Sentence = self.solver.because_in(event, self.events, self._before, *self._judged_as_made())
        return found

    def _judged_as_made(self) -> tuple[Any, Any]:
        """`judged` and the parameters, before the interventions made at the playhead."""
        if not self.recipe.made_after(self.playhead):
            return self.judged, self.params
        state, params = self.as_made(self.playhead)
        found = self.solver.judged(state, self._before, params, self.events)
        return state if found is None else found, params

    def view(self, individual: int | None = None) -> View:
        """The view of the playhead's state, or of an individual, with interventions made there. While these leave the
        grid as it is, its marks and the gauges but those of knobs are of the step, as the program's values always are.
        """
        view = self._view_of(self.judged if individual is None else self.state, self.params, individual)
        if not self.playhead or not self.recipe.made_after(self.playhead):
            return view
        state, params = self._judged_as_made() if individual is None else self.as_made(self.playhead)
        made = self._view_of(state, params, individual)
        if made.grid != view.grid:
            return msgspec.structs.replace(view, live=made.live)
        knobs = {each.label: each for each in view.gauges if each.role == "knob"}
        gauges = tuple(knobs.get(each.label, each) for each in made.gauges)
        return msgspec.structs.replace(view, live=made.live, marks=made.marks, gauges=gauges)

    def _view_of(self, state: Any, params: Any, individual: int | None) -> View:
        found: View = self.solver.view(state, params, self.events) if individual is None else self.solver.view_of(
            state, params, self.events, individual)
        return found

    def sentences(self) -> tuple[Sentence, ...]:
        """The events of the playhead's step as sentences."""
        return tuple(self.solver.explain(event, self.puzzle.n) for event in self.events)

    @property
    def nbytes(self) -> int:
        """Approximate memory of checkpoints, samples and index, in bytes."""
        return self._checkpoints.nbytes + self._nearby.nbytes + self.series.nbytes + self.index.nbytes

    @property
    def chunk(self) -> int:
        """Steps that take a few ms at most: the most to make between two checks for cancellation."""
        return 1 if self.solver.interruptible else CHUNK_STRIDES * self.solver.checkpoint_stride

    def changes(self, step: int) -> tuple[Change, ...]:
        """The interventions after a recorded step, one Change for each name."""
        made = self.recipe.made_after(step)
        if not made:
            return ()
        state, params = self.as_made(step)
        names = dict.fromkeys(each.name for each in made)
        before = {name: self.solver.reading(state, params, name) for name in names}
        return tuple(Change(step, name, before[name], [each.value for each in made if each.name == name][-1])
                     for name in names)

    def as_made(self, step: int) -> tuple[Any, Any]:
        """The state and the parameters at a recorded step, before the interventions made after it."""
        if not step:
            params = self.solver.make_params(None, self.recipe.params)
            return self.solver.init(self.puzzle, params, self.seed), params
        cursor = self._cursor_at(step - 1)
        next(self.solver.steps(cursor.state, cursor.params), None)
        return cursor.state, cursor.params

    def inner_run(self) -> InnerRun | None:
        """The search inside the playhead's step as a run of its own; None if there is none."""
        kind = self.solver.inner_kind
        if not kind or not any(kind in event.kinds for event in self.events):
            return None
        before = self.cursor_at(self.playhead - 1)
        found: InnerRun | None = self.solver.inner_run(before.state, before.params, self.events)
        return found

    def ask(self) -> tuple[Question, ...]:
        """The questions about the step that follows the playhead, which does not move; none at the end of the run."""
        return next(self.ask_ahead(), ())

    def ask_ahead(self) -> Iterator[tuple[Question, ...]]:
        """The questions about each step that follows the playhead, which does not move."""
        cursor = self.cursor_at(self.playhead)
        while True:
            before, params = states.copy(cursor.state), cursor.params
            events = cursor.single()
            if events is None:
                return
            yield self.solver.ask(before, params, events)

    def best(self) -> tuple[tuple[int, ...], int]:
        """The best grid up to the playhead and its energy."""
        return self._cursor.best()

    # Moving

    def advance(self, n: int = 1, *stops: Stop) -> Advanced:
        """Make up to n steps from the playhead, halting at the first hit of any of `stops`; beyond the recorded end the
        run is extended. Makes fewer steps if one is interrupted; raises Interrupted if that is the first."""
        stop, *others = stops or (NEVER,)
        n, first = self._until_hit(n, others)
        made, reason = 0, "steps"
        rare: list[Event] = []
        while made < n and reason == "steps" and not self.at_end:
            try:
                result = self._advance_to_boundary(min(n - made, self._until_boundary()), stop, last=n - made)
            except Interrupted:
                if not made:
                    raise
                break
            made += result.steps
            rare += result.rare
            reason = result.reason
        if self.at_end:
            return Advanced(made, "done", tuple(rare))
        halted = reason == "stop" or (first and made == n)
        return Advanced(made, "stop" if halted else "steps", tuple(rare))

    def _until_hit(self, n: int, stops: Iterable[Stop]) -> tuple[int, bool]:
        """(steps, at most n, until the first hit of any of `stops`; whether there is one). A kernel watches one energy
        and one cell at a time, so each stop is looked for separately."""
        hit = False
        for stop in stops:
            ahead = self._cursor.copy().advance(n, stop)
            if ahead.reason == "stop":
                n, hit = ahead.steps, True
        return n, hit

    def _advance_to_boundary(self, n: int, stop: Stop, last: int) -> Advanced:
        """At most n steps, none of them across a boundary. Step number `last` is made singly, to have its events
        without re-executing it."""
        single = n == 1 and last == 1
        result = self._single(stop) if single else self._cursor.advance(n - 1 if n == last else n, stop)
        if not single:
            self._events = None
        if self.playhead > self.recorded or result.reason == "done":
            self._record(result)
        return result

    def _single(self, stop: Stop) -> Advanced:
        before = self.state.energy
        events = self._cursor.single()
        if events is None:
            return Advanced(0, "done", ())
        self._events = events
        rare = tuple(event for event in events if event.RARE)
        if self.solver.outcome(self.state) is not None:
            return Advanced(1, "done", rare)
        return Advanced(1, "stop" if stop and stop.hit(events, before, self.state.energy) else "steps", rare)

    @property
    def _recent(self) -> int:
        return RECENT_STRIDES * self.solver.checkpoint_stride

    def _until_boundary(self) -> int:
        """Steps to the next one at which something is recorded."""
        if self.playhead < self.recorded:
            return self.recorded - self.playhead
        strides = (self.series.stride, self._checkpoints.stride, self._recent, DIGEST_EVERY)
        return min(stride - self.playhead % stride for stride in strides)

    def _record(self, result: Advanced) -> None:
        self.recorded = self.playhead
        self._checkpoints.keep(self._cursor)
        if self._checkpoints.stride > self._recent and self.playhead % self._recent == 0:
            self._nearby.keep(self._cursor)
        self._sample()
        for event in result.rare:
            for kind in event.kinds:
                self.index.mark(kind, event.step)
        if self.playhead % DIGEST_EVERY == 0 and self.playhead > (self.digests[-1][0] if self.digests else 0):
            self.digests.append((self.playhead, states.digest(self.state)))
        if result.reason == "done":
            self.outcome = self.solver.outcome(self.state)

    def _sample(self) -> None:
        self.series.record(self.playhead, self.solver.sample(self.state, self.params))

    def _cursor_at(self, step: int) -> Cursor:
        """A new cursor at a recorded step. Leaves states near it for further steps back."""
        checkpoint = self._checkpoints.place_before(step)
        state, params = self._nearby.before(step, checkpoint) or self._checkpoints.before(step)
        cursor = Cursor(self.solver, state, params, self.recipe.interventions)
        for mark in self._nearby.marks(cursor.step, step):
            cursor.replay(mark)
            self._nearby.keep(cursor)
        cursor.replay(step)
        return cursor

    def cursor_at(self, step: int) -> Cursor:
        """A new cursor at a step, clamped to the recorded part, to read a part of the run again without moving the
        playhead."""
        step = min(max(step, 0), self.recorded)
        return self._cursor.copy() if step == self.playhead else self._cursor_at(step)

    def state_at(self, step: int) -> State:
        """A copy of the state at a recorded step; the playhead does not move."""
        return self._cursor_at(step).state

    def seek(self, step: int) -> None:
        """Set the playhead to a step, clamped to the recorded part. Raises Interrupted if a step on the way is
        interrupted; the playhead may then be between."""
        target = min(max(step, 0), self.recorded)
        if target == self.playhead:
            return
        if target == 0:
            self._cursor, self._events = self._cursor_at(0), ()
            return
        if 0 < target - self.playhead < self._checkpoints.stride:
            cursor, self._events = self._cursor, None
            cursor.replay(target - 1)
        else:
            cursor = self._cursor_at(target - 1)
        events = cursor.single() or ()
        self._cursor, self._events = cursor, events

    def step_back(self) -> bool:
        """One step back; False at step 0."""
        if self.playhead == 0:
            return False
        self.seek(self.playhead - 1)
        return True

    # Finding

    def find(self, what: str | Collection[str], direction: int, *, limit: int | None = None,
             cancelled: Callable[[], bool] = lambda: False,
             progress: Callable[[int], None] = lambda step: None,
             recording: Callable[[int, int], None] = lambda step, found: None) -> int | None:
        """The step of the next (+1) or previous (-1) event of a kind, or of any of several; None if there is none. The
        playhead does not move.

        A forward search continues beyond the recorded end, to at most `limit` steps from the playhead (None: to the
        recorded end). The steps up to the event found are then recorded. Every few milliseconds `cancelled` is polled
        and `progress` called with the step, or `recording` with the step and the one found. Cancelled, it returns None.
        """
        kinds = frozenset((what,) if isinstance(what, str) else what)
        if direction > 0:
            found = self._find_next(kinds, limit, cancelled, progress)
            return found if found is None or self._record_up_to(found, cancelled, recording) else None
        before = [self._find_previous(kind, cancelled, progress) for kind in sorted(kinds)]
        return None if cancelled() else max((step for step in before if step is not None), default=None)

    def last_stop(self, low: int, *stops: Stop, before: int | None = None,
                  cancelled: Callable[[], bool] = lambda: False) -> int | None:
        """The last step after `low` and before `before` (default: the playhead) that hits one of `stops`: the halt of
        playing backwards. None if there is none or when cancelled."""
        high, window = (self.playhead if before is None else before) - 1, FIND_WINDOW
        while stops and high > low and not cancelled():
            start = max(low, high - window)
            hits = [self._last_hit(stop, start, high, cancelled) for stop in stops]
            found = max((step for step in hits if step is not None), default=None)
            if found is not None:
                return found
            high, window = start, min(window * 4, FIND_WIDEST)
        return None

    def last_choice(self, cell: int, value: int, *, cancelled: Callable[[], bool] = lambda: False) -> int | None:
        """The last step up to the playhead that assigned `value` (0: any) to the cell, or decided that it holds (-v:
        that v is excluded): the step of a choice on the stack. None if there is none or when cancelled."""
        before = self.playhead + 1
        while (step := self.last_stop(0, Stop(cell=cell), before=before, cancelled=cancelled)) is not None:
            events = self._cursor_at(step - 1).single() or ()
            if any(_chose(event, cell, value) for event in events):
                return step
            before = step
        return None

    def rare_events(self, least: int) -> tuple[Event, ...]:
        """The last rare events up to the playhead, in order of their steps: at least this many, if there are. They are
        found in the index, and made again. The playhead does not move."""
        found: list[Event] = []
        high = self.playhead
        while len(found) < least:
            marked = [steps[-1] for kind in self.index.kinds if (steps := self.index.steps(kind, 0, high))]
            if not marked or not high:
                break
            low = max(max(marked) - 1, 0)
            found[:0] = self._rare_between(low, min(high, low + self.index.stride))
            high = low
        return tuple(found)

    def _rare_between(self, low: int, high: int) -> list[Event]:
        """The rare events in (low, high]."""
        cursor, found = self._cursor_at(low), list[Event]()
        while cursor.step < high:
            result = cursor.advance(min(high - cursor.step, self.chunk))
            found += result.rare
            if result.reason == "done":
                break
        return found

    def hits(self, stop: Stop, step: int) -> bool:
        """True if a recorded step hits a stop."""
        if step < 1:
            return False
        cursor = self._cursor_at(step - 1)
        before = cursor.state.energy
        return stop.hit(cursor.single() or (), before, cursor.state.energy)

    def _find_next(self, kinds: frozenset[str], limit: int | None, cancelled: Callable[[], bool],
                   progress: Callable[[int], None]) -> int | None:
        ahead, stop = self._cursor.copy(), Stop(kinds)
        end = self.recorded if limit is None else ahead.step + limit
        while ahead.step < end and not cancelled():
            result = ahead.advance(min(self.chunk, end - ahead.step), stop)
            progress(ahead.step)
            ended = result.reason == "done"
            if result.reason == "stop" or (ended and result.steps and self.hits(stop, ahead.step)):
                return ahead.step
            if ended:
                break
        return None

    def _record_up_to(self, found: int, cancelled: Callable[[], bool], recording: Callable[[int, int], None]) -> bool:
        """Record the run up to a step; False if that is cancelled. The playhead comes back."""
        if found > self.recorded:
            start = self.playhead
            self.seek(self.recorded)
            while self.recorded < found and not cancelled():
                self.advance(min(self.chunk, found - self.recorded))
                recording(self.recorded, found)
            self.seek(start)
        return self.recorded >= found

    def _find_previous(self, what: str, cancelled: Callable[[], bool], progress: Callable[[int], None]) -> int | None:
        high, window = self.playhead - 1, FIND_WINDOW
        rare = what in rare_kinds()  # the index has every event of these kinds
        while high > 0 and not cancelled():
            if rare:
                marked = self.index.steps(what, 0, high)
                if not marked:
                    return None
                low = max(marked[-1] - 1, 0)
                high = min(high, low + self.index.stride)
            else:
                low = max(0, high - window)
            progress(high)
            found = self._last_hit(Stop(frozenset({what})), low, high, cancelled)
            if found is not None:
                return found
            high, window = low, min(window * 4, FIND_WIDEST)
        return None

    def _last_hit(self, stop: Stop, low: int, high: int, cancelled: Callable[[], bool]) -> int | None:
        """The last step in (low, high] that hits a stop, by re-executing that window; None when cancelled."""
        cursor, found = self._cursor_at(low), None
        while cursor.step < high:
            if cancelled():
                return None
            result = cursor.advance(min(high - cursor.step, self.chunk), stop)
            if result.reason == "stop":
                found = cursor.step
            elif result.reason == "done":
                return cursor.step if self.hits(stop, cursor.step) else found
        return found

    # Intervening

    def intervene(self, name: str, value: object) -> Run:
        """Change a knob or a parameter at the playhead.

        At the recorded end this run is changed and returned. Otherwise a branch is returned and this run stays as it
        is. Raises BadInput, with nothing changed, if the solver refuses.
        """
        if self.outcome is not None and self.at_end:
            raise BadInput(f"the run is over at step {text.count(self.playhead)}: "
                           f"go back to an earlier step to change {name}")
        probe, plain = self._cursor.copy(), plain_value(value)
        probe.params = self.solver.intervene(probe.state, probe.params, name, plain)
        made = Intervention(self.playhead, name, plain)
        recipe = msgspec.structs.replace(self.recipe, interventions=(*self.recipe.until(self.playhead), made))
        target = self if self.playhead == self.recorded else self._branch()
        target._enter(recipe, probe)
        return target

    def twin(self) -> Run:
        """A copy of this run that ends at the playhead."""
        twin = object.__new__(Run)
        twin.recipe = msgspec.structs.replace(self.recipe, interventions=self.recipe.until(self.playhead))
        twin.solver = self.solver
        twin.recorded, twin.outcome = self.playhead, self.outcome if self.at_end else None
        twin.breakpoints = list(self.breakpoints)
        twin.digests = [each for each in self.digests if each[0] <= self.playhead]
        twin._events = self.events
        twin._cursor = Cursor(self.solver, states.copy(self.state), self.params, twin.recipe.interventions)
        twin._checkpoints = self._checkpoints.until(self.playhead)
        twin._nearby = Nearby(self.solver.checkpoint_stride)
        twin.series, twin.index = self.series.copy(), self.index.copy()
        twin.series.truncate(self.playhead)
        twin.index.truncate(self.playhead)
        return twin

    def _branch(self) -> Run:
        """A copy that ends at the playhead. Near the start of a long run it is replayed instead, because the history of
        a long run is too coarse for a short one."""
        if self.series.stride == 1 or self.playhead > BRANCH_STRIDES * self.solver.checkpoint_stride:
            return self.twin()
        solver = self.solver
        twin = Run.start(solver, self.puzzle, solver.make_params(None, self.recipe.params), self.seed,
                         self.recipe.until(self.playhead))
        twin.advance(self.playhead)
        twin.breakpoints = list(self.breakpoints)
        return twin

    def _enter(self, recipe: Recipe, changed: Cursor) -> None:
        """Continue from a state that an intervention has just changed."""
        if isinstance(self.solver, Recorder):
            self.solver = self.solver.until(changed.step)
        self.recipe, self.outcome = recipe, None
        self._cursor = Cursor(self.solver, changed.state, changed.params, recipe.interventions)
        self._nearby.forget(self.playhead)
        self._checkpoints.keep(self._cursor)
        self._sample()
        if self.digests and self.digests[-1][0] == self.playhead:
            self.digests[-1] = (self.playhead, states.digest(self.state))


def _chose(event: Event, cell: int, value: int) -> bool:
    chosen = not CHOOSING.isdisjoint(event.kinds) and cell in event.touched
    found = getattr(event, "value", value)
    return chosen and value in (0, found if getattr(event, "holds", True) else -found)
