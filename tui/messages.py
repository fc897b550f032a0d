"""The sentences that the program itself shows in the verdict line: refusals, results of commands, progress.

Each function builds one message. Fields named `key_<action>` are replaced by the keys of that action, with the given
text as the default (`tui.keys`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine import params as parameters
from engine import text
from engine.compiled import memory
from engine.events.population import name_of
from engine.run.recipe import Change, Intervention
from engine.run.run import Run
from engine.solver import AnySolver, Outcome
from engine.view import Panel, Sentence, population_in
from tui.i18n import GAP, _

BRIEF = 23
"""Most characters of an intervention in the narrowest log; in ASCII the arrow is two."""

# Building blocks


def message(badge: str, template: str, **fields: str) -> Sentence:
    """A message. Without fields the template is shown unchanged, braces included."""
    if fields:
        return Sentence(badge, template, fields)
    parts = {f"text{place or ''}": part for place, part in enumerate(template.split(GAP))}
    return Sentence(badge, GAP.join(f"{{{name}}}" for name in parts), parts)


def unavailable(template: str, **fields: str) -> Sentence:
    """A key has nothing to act on."""
    return message(_("NOT AVAILABLE"), template, **fields)


def value_text(value: object) -> str:
    """A value of a parameter or knob: integers in groups of three, floats with at most six digits, a dash for None."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return text.count(value)
    if isinstance(value, float):
        return f"{value:.6g}".replace("-", text.MINUS)
    return text.NONE if value is None else str(value)


def changed(solver: AnySolver, change: Change) -> str:
    """An intervention in words: `T 0.545 → 0.600`, `move r1c2 r1c5`."""
    if change.before is None and isinstance(change.after, str):
        return f"{_symbol(solver, change.name)} {change.after}"
    before, after = value_text(change.before), value_text(change.after)
    typed = solver.Params.__struct_fields__  # shown as typed; a knob that is no parameter, such as T, has a long value
    if isinstance(change.before, float) and isinstance(change.after, float) and change.name not in typed:
        before, after = text.apart(change.before, change.after)
    return f"{_symbol(solver, change.name)} {before} → {after}"


def changed_last(solver: AnySolver, interventions: Sequence[Intervention]) -> tuple[str, str]:
    """The last of some interventions, and how many they are: `2 changes, last T = 0.6 after step 500`, and a brief form
    without the step."""
    last, many = interventions[-1], len({(each.step, each.name) for each in interventions})
    typed = last.name in solver.Params.__struct_fields__
    equals = " = " if typed or not isinstance(last.value, str) else " "
    value = text.significant(last.value) if isinstance(last.value, float) and not typed else value_text(last.value)
    brief = f"{_symbol(solver, last.name)}{equals}{value}"
    if many > 1:
        brief = _("{count} changes, last {change}").format(count=text.count(many), change=brief)
    return _("{change} after step {step}").format(change=brief, step=text.count(last.step)), brief


def changed_briefly(solver: AnySolver, change: Change) -> str:
    """An intervention in at most `BRIEF` characters, or without the value before: `accept = sideways`."""
    words = changed(solver, change)
    if len(words) <= BRIEF or change.before is None:
        return words
    return f"{_symbol(solver, change.name)} = {value_text(change.after)}"


def changed_by_hand(changes: Sequence[str], energy: int | None) -> Sentence:
    """The interventions after a step, in place of its reason; with E after them if that is known to have changed."""
    fields = {"changes": ", ".join(changes)}
    if energy is None:
        return Sentence("", _("After this step, by hand: {changes}."), fields)
    return Sentence("", _("After this step, by hand: {changes}, so E is {E} now."), {**fields, "E": str(energy)})


def _symbol(solver: AnySolver, name: str) -> str:
    """The symbol of a knob or a parameter."""
    symbols = {each.name: each.symbol for each in parameters.describe(solver.Params)}
    return _(({**symbols, **{knob.name: knob.symbol for knob in solver.knobs}}).get(name, name))


def one_sentence(notice: Sentence) -> str:
    """The message as running text, for places that wrap it."""
    return notice.text.replace(GAP, "; ")


# Errors and refusals


def refused(error: Exception) -> Sentence:
    """Bad input, in its own words."""
    return message(_("REFUSED"), str(error))


def no_answer(why: str) -> Sentence:
    """An answer that cannot be judged; it does not count."""
    return message(_("NO ANSWER YET"), why)


def internal_error(error: Exception) -> Sentence:
    """An unexpected exception: its class and first line, or that memory ran out."""
    if memory.ran_out(error):
        return message(_("ERROR"), _("not enough memory"))
    first = (str(error).splitlines() or [""])[0]
    return message(_("ERROR"), f"{type(error).__name__}: {first}")


def config_error(error: str) -> Sentence:
    """The mistake in a configuration file, `path: what`."""
    where, colon, what = error.partition(": ")
    return message(_("CONFIG"), _("{where} {what}   using defaults"), where=where + colon.strip(), what=what)


def left_out(why: str) -> Sentence:
    """Some puzzles of a file could not be read."""
    return message(_("LEFT OUT"), why)


# Loading a run


def preparing(solver: AnySolver) -> Sentence:
    """The solver's kernels are loaded, or compiled at the first run; others load an engine or a package."""
    loaded = solver.loads or (_("the package {package}").format(package=solver.extra[0]) if solver.extra else "")
    if loaded:
        return Sentence(_("LOADING"), _("loading {loaded}   keys work"), {"loaded": loaded})
    return Sentence(_("PREPARING"), _("preparing the solver (slow only once)   keys work"), {})


def opening(name: str, steps: int) -> Sentence:
    many = _("1 step") if steps == 1 else _("{steps} steps")
    return message(_("OPENING"), _("replaying and verifying {name}") + GAP + many, name=name, steps=text.count(steps))


def replaying(name: str, step: int, steps: int) -> Sentence:
    """Progress of a replay."""
    return message(_("OPENING"), _("replaying and verifying {name}   step {step} of {steps}   {key_leave} cancels"),
                   name=name, step=text.count(step), steps=text.count(steps), key_leave="esc")


def loading_cancelled() -> Sentence:
    return message(_("CANCELLED"), _("the run was not loaded"))


def replay_cancelled(step: int, steps: int, in_file: bool) -> Sentence:
    template = _("the replay ended at step {step} of {steps}") + (GAP + _("the file is unchanged") if in_file else "")
    return message(_("CANCELLED"), template, step=text.count(step), steps=text.count(steps))


def ready() -> Sentence:
    template = _("{key_run} runs and pauses   {key_forward} makes one step   {key_help} lists the keys")
    return message(_("READY"), template, key_run="space", key_forward="→", key_help="?")


def no_steps(outcome: Outcome, individuals: int) -> Sentence:
    """A run that was over before its first step."""
    why = outcome.reason
    if outcome.status == "solved":
        why = _("the first population holds a solution") if individuals else _("the first grid is a solution")
    return message(_(outcome.status.replace("_", " ").upper()), _("{why}: the run has no steps"),
                   why=why)


def first_of(name: str, source: str) -> Sentence:
    """`ready` for a puzzle whose source holds others as well."""
    template = _("{name}, the first of several puzzles in {source}   {key_run} runs and pauses   {key_help} lists the "
                 "keys")
    return message(_("READY"), template, name=name or _("puzzle 1"), source=source, key_run="space", key_help="?")


def opened(name: str, run: Run) -> Sentence:
    same = (_("1 step, identical to the recording") if run.recorded == 1 else
            _("{steps} steps, identical to the recording"))
    return message(_("OPENED"), "{name}" + GAP + same, name=name, steps=text.count(run.recorded))


def resumed(name: str, run: Run) -> Sentence:
    """A session was resumed."""
    return message(_("RESUMED"), _("{name}   at step {step} of {steps}, where you left it"), name=name,
                   step=text.count(run.playhead), steps=text.count(run.recorded))


def differs(why: str) -> Sentence:
    """The replay of a run file had another result than the recording."""
    return message(_("DIFFERS"), _("{why}"), why=why)


def recipe_step(run: Run, step: int) -> Sentence:
    """The run of a recipe was loaded; it may end before the step that the recipe names."""
    if run.playhead < step:
        return message(_("RECIPE"), _("the run ended at step {end}, before step {step} of the recipe"),
                       end=text.count(run.playhead), step=text.count(step))
    return message(_("RECIPE"), _("step {step}, as in the recipe"), step=text.count(step))


def worst(run: Run, channel: int) -> Sentence:
    """The playhead is at the worst moment of the run. `channel`: that of E in the chart."""
    value = float(run.solver.sample(run.judged, run.params)[channel])
    said = _("step {step} of {recorded}   {name} {value}, the chart's highest after the first tenth")
    return message(_("WORST MOMENT"), said, step=text.count(run.playhead), recorded=text.count(run.recorded),
                   name=_(run.solver.channels[channel].label),
                   value=text.count(int(value)) if value.is_integer() else text.significant(value))


def interrupted_session(name: str, step: int, ago: str, more: int, ended: bool) -> Sentence:
    """There is a session to resume, and maybe `more` that were interrupted or closed; `ended`: its run had come to its
    end."""
    template = _("{key_continue} reopens {what} step {step}, {ago}") if ended else _(
        "{key_continue} resumes {what} step {step}, {ago}")
    fields = {"what": name, "step": text.count(step), "ago": ago}
    if more:
        template += GAP + (_("1 other session in the list") if more == 1 else _("{more} other sessions in the list"))
        fields["more"] = str(more)
    return message(_("CLOSED") if ended else _("INTERRUPTED"), template, **fields, key_continue="c")


# Playing


def nothing_recorded() -> Sentence:
    return message(_("RECORDED END"), _("nothing is recorded yet   {key_run} runs   {key_forward} makes one step"),
                   key_run="space", key_forward="→")


def recorded_end(step: int) -> Sentence:
    return message(_("RECORDED END"), _("step {step}   {key_end} again runs on to the end of the run"),
                   step=text.count(step), key_end="end")


def playing(rate: float, values: Iterable[tuple[str, str]], profiled: tuple[int, int] | None,
            of_profile: Sequence[tuple[str, str]], windows: Mapping[str, str] | None = None) -> Sentence:
    """The sentence of a run that plays too fast for its steps to be read. `rate`: steps per second; `values`: labels
    and numbers of this step; `profiled`: the first and the last of the profiled steps, of which are the numbers
    `of_profile` and the shares beside the program; `windows`: of what some values are shares, by their labels."""
    parts, fields = [_("{rate} steps/s")], {"rate": text.count(round(rate))}
    brief = [*parts]
    for place, (label, value) in enumerate(values):
        brief.append(f"{_(label)} {{value{place}}}")
        parts.append(brief[-1] + (f" {_(windows[label])}" if windows and windows.get(label) else ""))
        fields[f"value{place}"] = value
    if profiled is not None:
        fields |= {"first": text.count(profiled[0]), "last": text.count(profiled[1])}
        fields |= {f"of{place}": value for place, (_label, value) in enumerate(of_profile)}
        told = ", ".join(f"{_(label)} {{of{place}}}" for place, (label, _value) in enumerate(of_profile))
        of_steps = _("steps {first}–{last}: ") + told if told else _("program of steps {first}–{last}")
        parts, brief = [*parts, of_steps], [*brief, of_steps]
    return Sentence(_("FAST"), GAP.join(parts), fields, GAP.join(brief))


def nothing_open() -> Sentence:
    """The key that closes things was pressed with nothing open."""
    return message(_("NOTHING OPEN"), _("{key_new_run} opens a new run   {key_quit} quits"), key_new_run="n",
                   key_quit="q")


def how_to_quit(runs: bool) -> Sentence:
    """The key that always quits was pressed once; `runs`: on the screen of a run."""
    said = _("{key_quit} quits, and so does ctrl+c again")
    if not runs:
        return message(_("QUIT?"), said, key_quit="q")
    return message(_("QUIT?"), said + GAP + _("{key_run} runs and pauses"), key_quit="q", key_run="space")


def no_tabs(tabs: int, room: bool, hidden: Sequence[str] = (), candidates: bool = False) -> Sentence:
    """A digit was pressed that opens no tab. `tabs`: their number; `room`: whether panes are visible where there are no
    tabs; `hidden`: the titles of those that have no room all the same; `candidates`: they are on the board, and there
    is more room without them."""
    if tabs:
        return unavailable(_("there are {tabs} tabs: {key_tab_1} {key_tab_2} {key_tab_3} {key_tab_4} open them"),
                           tabs=str(tabs), key_tab_1="1", key_tab_2="2", key_tab_3="3", key_tab_4="4")
    if not room:
        return unavailable(_("this window has no room for the other panes; a larger one shows them"))
    if hidden:
        named = ", ".join(_(title) for title in hidden)
        if candidates:
            return unavailable(_("no room for {panes}; without candidates ({key_marks}) there is more"), panes=named,
                               key_marks="c")
        return unavailable(_("this window has no room for {panes}; a larger one has"), panes=named)
    return unavailable(_("this window shows all panes at once; in a smaller one the digits open tabs"))


def two_views() -> Sentence:
    """A digit was pressed that opens no tab, where the population takes the place of the other panes."""
    return unavailable(_("{key_tab_1} shows the other panes, {key_tab_4} the population"), key_tab_1="1", key_tab_4="4")


def zoom_ends(direction: int) -> Sentence:
    """The timeline is as close or as far as it can be."""
    return unavailable(_("the timeline cannot show fewer steps than these") if direction > 0 else
                       _("the timeline shows the whole run"))


def speed_ends(direction: int) -> Sentence:
    return unavailable(_("this is the highest speed") if direction > 0 else _("this is the lowest speed"))


def run_ended(outcome: Outcome | None = None, steps: int = 1, individuals: int = 0) -> Sentence:
    """The end of a run: the way back, or the reason for a run without steps."""
    if outcome is not None and not steps:
        return no_steps(outcome, individuals)
    return message(_("END OF RUN"), _("go back with {key_back} or {key_start}"), key_back="←", key_start="home")


def run_begins() -> Sentence:
    """The first step of a run, from which no step goes back."""
    return message(_("START OF RUN"), _("go forward with {key_forward} or {key_run}"), key_forward="→", key_run="space")


def curve_of(points: int) -> str:
    """The caption of a curve of `guess`."""
    return _("E (of a population its mean, rounded down) at {points} steps, spread evenly up to the step in the "
             "recipe; + at the scale: it begins higher").format(points=points)


def halted(words: str, event: Sentence | None) -> Sentence:
    """Playing halted at a breakpoint, at the step of `event`."""
    fields = {"breakpoint": words}
    if event is None:
        return Sentence(_("BREAKPOINT"), "{breakpoint}", fields)
    return Sentence(_("BREAKPOINT"), "{breakpoint}" + GAP + event.template, {**event.fields, **fields})


def slow_step(run: Run) -> Sentence:
    """A step is under way for long."""
    return message(_("WAITING"), _("{what} {step} is taking long   {key_run} cancels it"), what=_(run.solver.step_word),
                   step=text.count(run.recorded + 1), key_run="space")


def step_cancelled(run: Run, step: int) -> Sentence:
    return message(_("UNKNOWN"), _("{what} {step} was cancelled; its result is unknown"),
                   what=_(run.solver.step_word), step=text.count(step))


def with_seconds(notice: Sentence, seconds: float) -> Sentence:
    """The message, and for how long it has been shown."""
    return Sentence(notice.badge, notice.template + GAP + "{seconds} s",
                    {**notice.fields, "seconds": f"{seconds:.0f}"})


def saved(path: str) -> Sentence:
    return message(_("SAVED"), path)


def autosave_failed(why: str) -> Sentence:
    return message(_("NOT SAVED"), _("autosave failed: {why}"), why=why)


def progress_not_saved(why: str) -> Sentence:
    return message(_("NOT SAVED"), _("progress is not saved: {why}"), why=why)


def progress_damaged(lines: int, path: str) -> Sentence:
    """Lines of the file of progress cannot be read."""
    template = _("1 line of {path} cannot be read") if lines == 1 else _("{lines} lines of {path} cannot be read")
    return message(_("DAMAGED"), template, lines=str(lines), path=path)


def no_progress(key: str) -> Sentence:
    """`key`: that of hands on in the laboratory."""
    return unavailable(_("no questions answered yet   open a puzzle and press {key} to decide the next steps"), key=key)


# Finding


def searching(what: str, step: int) -> Sentence:
    return message(_("SEARCHING"), _("{what}   step {step}   {key_leave} cancels"), what=what, step=text.count(step),
                   key_leave="esc")


def recording(what: str, found: int, step: int) -> Sentence:
    return message(_("SEARCHING"), _("{what} found at step {found}   recorded {step}   {key_leave} cancels"), what=what,
                   found=text.count(found), step=text.count(step), key_leave="esc")


def searching_hint() -> Sentence:
    return message(_("SEARCHING"), _("a hint   the first can take some seconds"))


def search_cancelled(what: str) -> Sentence:
    return message(_("CANCELLED"), _("search for {what}"), what=what)


def not_before(what: str, step: int) -> Sentence:
    return message(_("NOT FOUND"), _("no {what} before step {step}"), what=what, step=text.count(step))


def not_before_end(what: str, step: int) -> Sentence:
    """The run ends at that step, recorded or not."""
    return message(_("NOT FOUND"), _("no {what} up to the end of the run at step {step}"), what=what,
                   step=text.count(step))


def not_within(what: str, steps: int) -> Sentence:
    return message(_("NOT FOUND"), _("no {what} in the next {steps} steps"), what=what, steps=text.count(steps))


def never(what: str) -> Sentence:
    return unavailable(_("no {what} is ever reported in this run"), what=what)


def no_period() -> Sentence:
    return unavailable(_("this solver has no plateaus or generations"))


def chosen_here(choice: str) -> Sentence:
    return message(_("HERE"), _("{choice} was chosen at this step"), choice=choice)


def no_choice(choice: str) -> Sentence:
    return message(_("NOT FOUND"), _("{choice} was not chosen before this step"), choice=choice)


def makes_no_choices() -> Sentence:
    return unavailable(_("this solver makes no choices"))


def no_choices() -> Sentence:
    return unavailable(_("there are no choices at this step   {key_go_there} goes to a choice"), key_go_there="enter")


def no_choice_selected() -> Sentence:
    return unavailable(_("no choice is selected   {key_choice_down} selects the first"), key_choice_down="↓")


# Interventions and branches


def no_knob() -> Sentence:
    return unavailable(_("this solver has no knob to turn"))


def intervened(what: str, step: int, branch: int | None) -> Sentence:
    """A knob or parameter was changed; `branch` is the number of the branch that this began, if any."""
    fields = {"what": what, "step": text.count(step)}
    if branch is None:
        return message(_("BY HAND"), _("{what}   after step {step}   {key_undo} undoes it"), **fields,
                       key_undo="ctrl+z")
    return message(_("NEW BRANCH"), _("{what}   branch {number} begins after step {step}   the earlier run is kept"),
                   number=str(branch), **fields)


def compared(what: str, step: int, steps: int, energy: int, left: int, solved: bool, of_step: bool = False) -> Sentence:
    """A learner's choice was run on in a branch, beside the solver's. `solved`: the branch ended so after the steps;
    `of_step`: the choice is about the step itself, else it is made after it."""
    if solved:
        later = (_("solved 1 step on; the solver's E then is {left}") if steps == 1 else
                 _("solved {steps} steps on; the solver's E then is {left}"))
    else:
        later = (_("1 step on: E = {energy}, the solver's {left}") if steps == 1 else
                 _("{steps} steps on: E = {energy}, the solver's {left}"))
    said = (_("{what} at step {step}") if of_step else _("{what} after step {step}")) + GAP + later
    fields = {} if solved else {"energy": text.count(energy)}
    return message(_("YOUR CHOICE"), said, what=what, step=text.count(step), steps=text.count(steps), **fields,
                   left=text.count(left))


def unchanged(solver: AnySolver, change: Change) -> Sentence:
    """A knob or parameter was set to the value that it has."""
    return message(_("UNCHANGED"), _("{what} is {value} already"), what=_symbol(solver, change.name),
                   value=value_text(change.after))


def undone(what: str, step: int, number: int | None) -> Sentence:
    """`number`: the branch that is shown now; None if there are no branches."""
    if number is None:
        return message(_("UNDONE"), _("{what}   after step {step}   {key_redo} redoes it"), what=what,
                       step=text.count(step), key_redo="ctrl+y")
    return message(_("UNDONE"), _("{what}   after step {step}   now on branch {number}   {key_redo} redoes it"),
                   what=what, step=text.count(step), number=str(number), key_redo="ctrl+y")


def redone(what: str, step: int, number: int | None) -> Sentence:
    """`number`: the branch that is shown now; None if there are no branches."""
    if number is None:
        return message(_("REDONE"), _("{what}   after step {step}"), what=what, step=text.count(step))
    return message(_("REDONE"), _("{what}   after step {step}   now on branch {number}"), what=what,
                   step=text.count(step), number=str(number))


def nothing_to_undo(opened_with_changes: bool = False) -> Sentence:
    """`opened_with_changes`: a run has some that were made before it was opened."""
    return unavailable(_("nothing to undo since this run was opened") if opened_with_changes else _("nothing to undo"))


def nothing_to_redo() -> Sentence:
    return unavailable(_("nothing to redo"))


def switched(number: int, count: int, words: str, began: int | None) -> Sentence:
    """Another branch is shown; `count`: of all there are, whose numbers may have gaps."""
    fields = {"number": str(number), "count": text.count(count), "words": words}
    if began is None:
        return message(_("BRANCH"), _("{number}   {words}   {count} branches"), **fields)
    return message(_("BRANCH"), _("{number}   {words}   after step {step}   {count} branches"),
                   step=text.count(began), **fields)


def unbranched(made: int, last: str) -> str:
    """A run that left no other: the original one or, with interventions, how many were made in it, and the last."""
    if made < 2:
        return _("1 change: {last}").format(last=last) if made else _("the original run")
    return _("{made} changes, last {last}").format(made=text.count(made), last=last)


def no_branches(changeable: bool) -> Sentence:
    """`changeable`: something can be changed during a run of the solver."""
    return unavailable(_("no branches yet: change a knob or a parameter at an earlier step") if changeable else
                       _("no branches: nothing can be changed during a run of this solver"))


def branches_dropped(numbers: Sequence[int]) -> Sentence:
    return message(_("DROPPED"), _("branch {numbers}   too many branches, or too much memory"),
                   numbers=", ".join(str(number) for number in numbers))


# Boards


def individual(place: int, size: int, panel: Panel | None, parent_of: tuple[str, int] | None = None) -> Sentence:
    """An individual was opened on the board; `parent_of`: the letter of a parent, and its child."""
    template, fields = _("{who} of {size}"), {"who": name_of(place), "size": text.count(size)}
    if parent_of is not None:
        template += GAP + _("parent {letter} of {child}")
        fields |= {"letter": parent_of[0], "child": name_of(parent_of[1])}
    population, badge = population_in(panel), _("INDIVIDUAL")
    if population is not None:
        badge = _(population.word).upper()
        if population.each == 1:
            template, fields["E"] = template + GAP + "E = {E}", str(population.energies[place])
        if population.kinds:
            template += GAP + _(population.kind_names[population.kinds[place // population.each]])
        for letter, parent in zip("AB", population.parents, strict=False):
            template, fields[letter] = template + GAP + letter + " {" + letter + "}", name_of(parent)
    return message(badge, template + GAP + _("{key_leave} returns to that of the step"), **fields,
                   key_leave="esc")


def other_grid(title: str, energy: int, differing: int) -> Sentence:
    """A grid that guides the individual is on the board in place of its own."""
    differ = _("1 cell differs") if differing == 1 else _("{cells} cells differ")
    return message(_("OTHER GRID"), "{title}" + GAP + "E = {E}" + GAP + differ + GAP + _("{key_leave} returns"),
                   title=title, E=str(energy), cells=str(differing), key_leave="esc")


def scrolled_to_the_end(log: bool) -> Sentence:
    """`log`: the log is on the screen, and has earlier lines."""
    if not log:
        return unavailable(_("nothing more to scroll to"))
    return unavailable(_("nothing more to scroll to; {key_back} shows earlier lines of the log"), key_back="←")


def inside(step: int, outer: str) -> Sentence:
    """The search inside a step is on the screen, as a run."""
    return message(_("INSIDE A STEP"), _("each proposal inside step {step} of {outer}") + GAP
                   + _("{key_undo} returns"), step=text.count(step), outer=outer, key_undo="ctrl+z")


def nothing_inside() -> Sentence:
    return unavailable(_("this step had nothing to search: its E was 0 before"))


def belongs_to_a_step(changed: bool) -> Sentence:
    """A run inside a step cannot be saved. `changed`: it has changes, which undo takes back first."""
    returns = _("{key_undo} undoes the changes, then returns to it") if changed else _("{key_undo} returns to it")
    return unavailable(_("this run is inside a step of another, which can be saved") + GAP + returns, key_undo="ctrl+z")


def leaves_by_undo(changed: bool) -> Sentence:
    """Nothing is open in a run inside a step. `changed`: it has changes, which undo takes back first."""
    returns = _("{key_undo} undoes the changes, then returns to the run that this step belongs to") if changed else (
        _("{key_undo} returns to the run that this step belongs to"))
    return unavailable(_("nothing is open") + GAP + returns, key_undo="ctrl+z")


def no_population(loaded: bool = True) -> Sentence:
    """`loaded`: the run was there when the key was pressed."""
    return unavailable(_("this solver has no population") if loaded else _("the run was still being prepared"))


def same_look(ascii: bool) -> Sentence:
    """The terminal has nothing else to draw with. `ascii`: other characters were asked for, else other colours."""
    return unavailable(_("this terminal draws ASCII only") if ascii else _("this terminal has no such colours"))


def population_hidden() -> Sentence:
    return unavailable(_("the population is hidden   {key_tab_4} shows it"), key_tab_4="4")


def no_parents() -> Sentence:
    return unavailable(_("the parents of this individual are unknown"))


def no_candidates(listed: bool) -> Sentence:
    """`listed`: there is a line about the selected cell."""
    return unavailable(_("the solver keeps no candidates at this step") + (
        GAP + _("the line of a selected cell says what the givens allow") if listed else ""))


def no_room_for_candidates(width: int, height: int, listed: bool) -> Sentence:
    """`listed`: there is a line about the selected cell."""
    template = _("candidates need a window of {w} x {h} and at most 9 x 9 cells")
    return message(_("NO ROOM"), template + (GAP + _("the selected cell's are listed") if listed else ""), w=str(width),
                   h=str(height))
