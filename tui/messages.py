"""What the program itself says in the verdict line: refusals, what was saved, what was not found."""

from __future__ import annotations

from collections.abc import Sequence

from engine import params as parameters
from engine import text
from engine.events.population import name_of
from engine.run.recipe import Change
from engine.run.run import Run
from engine.solver import AnySolver
from engine.view import Panel, Sentence, population_in
from tui.i18n import GAP, _

# How the values of parameters and knobs are written on the screen.


def value_text(value: object) -> str:
    """A value to be read: whole numbers in groups of three, others with six digits at most, a dash for none."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return text.count(value)
    if isinstance(value, float):
        return f"{value:.6g}".replace("-", text.MINUS)
    return text.NONE if value is None else str(value)


def told(badge: str, said: str, **fields: str) -> Sentence:
    """A notice. Without fields `said` is taken as it is, braces and all."""
    return Sentence(badge, said, fields) if fields else Sentence(badge, "{said}", {"said": said})


def individual(place: int, size: int, panel: Panel | None, kin: tuple[str, int] | None = None) -> Sentence:
    """Whose grid is on the board, where it was put there by hand; `kin`: which parent of whom it is."""
    said, fields = _("{who} of {size}"), {"who": name_of(place), "size": text.count(size)}
    if kin is not None:
        said += GAP + _("parent {letter} of {child}")
        fields |= {"letter": kin[0], "child": name_of(kin[1])}
    population = population_in(panel)
    if population is not None:
        if population.each == 1:
            said, fields["E"] = said + GAP + "E = {E}", str(population.energies[place])
        if population.kinds:
            said += GAP + _(population.kind_names[population.kinds[place // population.each]])
        for letter, parent in zip("AB", population.parents, strict=False):
            said, fields[letter] = said + GAP + letter + " {" + letter + "}", name_of(parent)
    return told(_("INDIVIDUAL"), said + GAP + _("{key_leave} shows the step's again"), **fields, key_leave="esc")


def nobody() -> Sentence:
    return told(_("NOTHING THERE"), _("this solver has no population"))


def out_of_sight() -> Sentence:
    return told(_("NOTHING THERE"), _("the population is not in sight   {key_next_tab} leads to it"),
                key_next_tab="tab")


def no_parents() -> Sentence:
    return told(_("NOTHING THERE"), _("the parents of the individual on the board are not known"))


def flowing(notice: Sentence) -> str:
    """The notice as one sentence, for where it is broken into lines."""
    return notice.text.replace(GAP, "; ")


def refused(error: Exception) -> Sentence:
    """Bad input, in its own words."""
    return told(_("REFUSED"), str(error))


def mistake(said: str) -> Sentence:
    """What is wrong with the configuration."""
    where, colon, what = said.partition(": ")
    return told(_("CONFIG"), _("{where} {what}   defaults hold"), where=where + colon.strip(), what=what)


def broken(error: Exception) -> Sentence:
    """Something that should not have happened; one line of it."""
    first = (str(error).splitlines() or [""])[0]
    return told(_("ERROR"), f"{type(error).__name__}: {first}")


def searching(what: str, step: int) -> Sentence:
    return told(_("SEARCHING"), _("{what}   step {step}   {key_leave} gives up"), what=what, step=text.count(step),
                key_leave="esc")


def broken_off(what: str) -> Sentence:
    return told(_("GIVEN UP"), _("the search for {what} was broken off"), what=what)


def not_before(what: str, step: int) -> Sentence:
    return told(_("NOT FOUND"), _("no {what} before step {step}"), what=what, step=text.count(step))


def not_up_to_the_end(what: str, step: int) -> Sentence:
    """The run is over at that step, recorded or not."""
    return told(_("NOT FOUND"), _("no {what} up to the end of the run at step {step}"), what=what,
                step=text.count(step))


def not_within(what: str, steps: int) -> Sentence:
    return told(_("NOT FOUND"), _("no {what} in the next {steps} steps"), what=what, steps=text.count(steps))


def never(what: str) -> Sentence:
    """There is nothing of the kind to look for."""
    return told(_("NOTHING THERE"), _("no {what} can happen in this run"), what=what)


def nothing_recorded() -> Sentence:
    return told(_("RECORDED END"), _("nothing is recorded yet   {key_run} runs   {key_forward} makes one step"),
                key_run="space", key_forward="→")


def over() -> Sentence:
    said = _("the run is over: go back with {key_back} or {key_start}")
    return told(_("THE END"), said, key_back="←", key_start="home")


def no_period() -> Sentence:
    return told(_("NOTHING THERE"), _("this solver has no plateaus or generations to go by"))


def made_here(choice: str) -> Sentence:
    return told(_("HERE"), _("{choice} was chosen at this step"), choice=choice)


def no_choice(choice: str) -> Sentence:
    return told(_("NOT FOUND"), _("{choice} was not chosen at any step before this one"), choice=choice)


def no_choices() -> Sentence:
    return told(_("NOTHING THERE"), _("no choices of a search stand at this step"))


def no_choice_picked() -> Sentence:
    return told(_("NOTHING PICKED"), _("no choice of the stack is picked   {key_choice_down} goes to the first"),
                key_choice_down="↓")


def no_knob() -> Sentence:
    return told(_("NOTHING THERE"), _("this solver has no knob to turn"))


def no_candidates() -> Sentence:
    return told(_("NOTHING THERE"), _("there are no candidates at this step"))


def no_room_for_candidates(width: int, height: int) -> Sentence:
    said = _("candidates need a window of {w} x {h}, and 9 x 9 cells at most   those of a picked cell are listed")
    return told(_("NO ROOM"), said, w=str(width), h=str(height))


def left_out(why: str) -> Sentence:
    """What of a file could not be taken."""
    return told(_("LEFT OUT"), why)


def saved(path: str) -> Sentence:
    return told(_("SAVED"), path)


def changed(solver: AnySolver, change: Change) -> str:
    """A change in words: `T 0.545 → 0.600`."""
    symbols = {each.name: each.symbol for each in parameters.describe(solver.Params)}
    symbols |= {knob.name: knob.symbol for knob in solver.knobs}
    before, after = value_text(change.before), value_text(change.after)
    if isinstance(change.before, float) and isinstance(change.after, float):
        before, after = text.apart(change.before, change.after)
    return f"{_(symbols.get(change.name, change.name))} {before} → {after}"


def intervened(what: str, step: int, branch: int | None) -> Sentence:
    """A knob was turned or a parameter changed; `branch` is the number of the branch this began, if it began one."""
    fields = {"what": what, "step": text.count(step)}
    if branch is None:
        return told(_("BY HAND"), _("{what}   after step {step}   {key_undo} takes it back"), key_undo="ctrl+z",
                    **fields)
    template = _("{what}   branch {number} begins after step {step}   the run it left is kept")
    return told(_("NEW BRANCH"), template, number=str(branch), **fields)


def undone(what: str, step: int, number: int) -> Sentence:
    return told(_("TAKEN BACK"), _("{what}   after step {step}   this is branch {number}   {key_redo} does it again"),
                what=what, step=text.count(step), number=str(number), key_redo="ctrl+y")


def redone(what: str, step: int, number: int) -> Sentence:
    return told(_("DONE AGAIN"), _("{what}   after step {step}   this is branch {number}"), what=what,
                step=text.count(step), number=str(number))


def nothing_undone() -> Sentence:
    return told(_("NOTHING THERE"), _("no knob was turned and no parameter changed that could be taken back"))


def nothing_redone() -> Sentence:
    return told(_("NOTHING THERE"), _("nothing was taken back last that could be done again"))


def switched(number: int, count: int, words: str, began: int | None) -> Sentence:
    """Another branch is shown."""
    fields = {"number": str(number), "count": str(count)}
    if began is None:
        return told(_("BRANCH"), _("{number}, one of {count}   the run that was begun with"), **fields)
    return told(_("BRANCH"), _("{number}, one of {count}   {words}   after step {step}"), words=words,
                step=text.count(began), **fields)


def no_branches() -> Sentence:
    return told(_("NOTHING THERE"), _("this run has no branches: turn a knob or change a parameter in its past"))


def dropped(numbers: Sequence[int]) -> Sentence:
    """Branches that had to go."""
    return told(_("DROPPED"), _("branch {numbers}   there are too many to keep them all"),
                numbers=", ".join(str(number) for number in numbers))


def halted(words: str, told_before: Sentence | None) -> Sentence:
    """Playing halted at a breakpoint; what happened there is said too."""
    fields = {"breakpoint": words}
    if told_before is None:
        return Sentence(_("BREAKPOINT"), "{breakpoint}", fields)
    return Sentence(_("BREAKPOINT"), "{breakpoint}" + GAP + told_before.template, {**told_before.fields, **fields})


def recorded_end(step: int) -> Sentence:
    return told(_("RECORDED END"), _("step {step}   {key_end} again runs on to the end of the run"),
                step=text.count(step), key_end="end")


def given_up_replaying(step: int, steps: int) -> Sentence:
    """A replay was broken off on its way."""
    said = _("the replay was broken off at step {step} of {steps}   what is on disk stays as it is")
    return told(_("GIVEN UP"), said, step=text.count(step), steps=text.count(steps))


def not_kept(why: str) -> Sentence:
    """The run cannot be kept by itself."""
    return told(_("NOT KEPT"), _("the run is not saved by itself: {why}"), why=why)


def compiling() -> Sentence:
    said = _("kernels are compiled the first time, and only loaded later   keys work already")
    return Sentence(_("COMPILING"), said, {})


def waited(notice: Sentence, seconds: float) -> Sentence:
    """The notice, and for how long it has stood there."""
    return Sentence(notice.badge, notice.template + GAP + "{seconds} s",
                    {**notice.fields, "seconds": f"{seconds:.0f}"})


def opening(name: str, steps: int) -> Sentence:
    return told(_("OPENING"), _("{name} is replayed and checked   {steps} steps"), name=name, steps=text.count(steps))


def replaying(name: str, step: int, steps: int) -> Sentence:
    """How far a replay has come."""
    return told(_("OPENING"), _("{name} is replayed and checked   step {step} of {steps}   {key_leave} gives up"),
                name=name, step=text.count(step), steps=text.count(steps), key_leave="esc")


def opened(name: str, run: Run) -> Sentence:
    return told(_("OPENED"), _("{name}   {steps} steps, all as they were recorded"), name=name,
                steps=text.count(run.recorded))


def continued(name: str, run: Run) -> Sentence:
    """A session goes on where it was left."""
    return told(_("CONTINUED"), _("{name}   at step {step} of {steps}, where you left it"), name=name,
                step=text.count(run.playhead), steps=text.count(run.recorded))


def session_left(what: str, step: int, ago: str, more: int) -> Sentence:
    """There is a session to be gone on with, and maybe others."""
    said = _("{key_continue} continues {what} step {step}, {ago}")
    fields = {"what": what, "step": text.count(step), "ago": ago}
    if more:
        said += GAP + (_("1 more is in the list") if more == 1 else _("{more} more are in the list"))
        fields["more"] = str(more)
    return told(_("CUT OFF"), said, **fields, key_continue="c")


def differs(why: str) -> Sentence:
    """The replay of a run file came out differently."""
    return told(_("DIFFERS"), _("{why}"), why=why)


def told_by_recipe(run: Run, step: int) -> Sentence:
    """The run of a recipe is there; it may end before the step that the recipe names."""
    if run.playhead < step:
        return told(_("RECIPE"), _("the run is over at step {end}   the recipe names step {step}"),
                    end=text.count(run.playhead), step=text.count(step))
    return told(_("RECIPE"), _("step {step}, as the recipe has it"), step=text.count(step))


def worst(run: Run) -> Sentence:
    """The playhead stands where the run went worst."""
    return told(_("WORST MOMENT"), _("step {step} of {recorded}   E = {E}, the highest after the first tenth"),
                step=text.count(run.playhead), recorded=text.count(run.recorded), E=str(run.state.energy))


def ready() -> Sentence:
    return told(_("READY"), _("{key_run} runs and pauses   {key_forward} makes one step   {key_help} lists the keys"),
                key_run="space", key_forward="→", key_help="?")


def waiting(run: Run) -> Sentence:
    """A step is not done yet."""
    return told(_("WAITING"), _("{what} {step} takes long   {key_run} breaks it off"), what=_(run.solver.step_word),
                step=text.count(run.recorded + 1), key_run="space")


def step_broken_off(run: Run, step: int) -> Sentence:
    """A step was to end before it was done."""
    return told(_("UNKNOWN"), _("{what} {step} was broken off: it is not made, and nothing is known of it"),
                what=_(run.solver.step_word), step=text.count(step))


def given_up_opening() -> Sentence:
    return told(_("GIVEN UP"), _("making the run was broken off"))
