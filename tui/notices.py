"""What the program itself says in the verdict line: refusals, what was saved, what was not found."""

from __future__ import annotations

from engine import text
from engine.run import Run
from engine.view import Sentence
from tui.i18n import GAP, _


def told(badge: str, said: str, **fields: str) -> Sentence:
    """A notice. Without fields `said` is taken as it is, braces and all."""
    return Sentence(badge, said, fields) if fields else Sentence(badge, "{said}", {"said": said})


def refused(error: Exception) -> Sentence:
    """Bad input, in its own words."""
    return told(_("REFUSED"), str(error))


def mistake(said: str) -> Sentence:
    """What is wrong with the configuration."""
    return told(_("CONFIG"), _("{mistake}   the defaults are used"), mistake=said)


def broken(error: Exception) -> Sentence:
    """Something that should not have happened; one line of it."""
    first = (str(error).splitlines() or [""])[0]
    return told(_("ERROR"), f"{type(error).__name__}: {first}")


def searching(what: str, step: int) -> Sentence:
    return told(_("SEARCHING"), _("{what}   step {step}   {key_leave} gives up"), what=what, step=text.count(step),
                key_leave="esc")


def broken_off(what: str) -> Sentence:
    return told(_("GIVEN UP"), _("the search for {what} was broken off"), what=what)


def not_found(run: Run, what: str, direction: int, limit: int) -> Sentence:
    """Nothing of the kind was found in that direction."""
    if direction < 0:
        return told(_("NOT FOUND"), _("no {what} before step {step}"), what=what, step=text.count(run.playhead))
    if run.outcome is not None:
        said = _("no {what} up to the end of the run at step {step}")
        return told(_("NOT FOUND"), said, what=what, step=text.count(run.recorded))
    return told(_("NOT FOUND"), _("no {what} in the next {steps} steps"), what=what, steps=text.count(limit))


def over() -> Sentence:
    return told(_("THE END"), _("the run is over: go back with {key_back}, {key_previous_best} or {key_start}"),
                key_back="←", key_previous_best="B", key_start="home")


def no_period() -> Sentence:
    return told(_("NOTHING THERE"), _("this solver has no plateaus or generations to go by"))


def no_knob() -> Sentence:
    return told(_("NOTHING THERE"), _("this solver has no knob to turn"))


def no_candidates() -> Sentence:
    return told(_("NOTHING THERE"), _("this solver keeps no candidates"))


def saved(path: str) -> Sentence:
    return told(_("SAVED"), path)


def intervened(name: str, before: object, after: object, step: int, branch: int | None) -> Sentence:
    """A knob was turned or a parameter changed; `branch` is the number of the branch this began, if it began one."""
    shown = _written(before), _written(after)
    if isinstance(before, float) and isinstance(after, float):
        shown = text.apart(before, after)
    fields = {"name": name, "before": shown[0], "after": shown[1], "step": text.count(step)}
    if branch is None:
        return told(_("BY HAND"), _("{name} {before} → {after}   after step {step}"), **fields)
    template = _("{name} {before} → {after}   branch {number} begins after step {step}   the run it left is kept")
    return told(_("NEW BRANCH"), template, number=str(branch), **fields)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, float):
        return text.significant(value)
    if isinstance(value, int):
        return text.count(value)
    return text.NONE if value is None else str(value)


def compiling() -> Sentence:
    return told(_("COMPILING"), _("the kernels are being compiled, once on this machine   keys work already"))


def waited(notice: Sentence, seconds: float) -> Sentence:
    """The notice, and for how long it has stood there."""
    return Sentence(notice.badge, notice.template + GAP + "{seconds} s",
                    {**notice.fields, "seconds": f"{seconds:.0f}"})


def opening(name: str, steps: int) -> Sentence:
    return told(_("OPENING"), _("{name} is replayed and checked   {steps} steps"), name=name, steps=text.count(steps))


def opened(name: str, steps: int) -> Sentence:
    return told(_("OPENED"), _("{name}   {steps} steps, all as they were recorded"), name=name,
                steps=text.count(steps))


def differs(why: str) -> Sentence:
    """The replay of a run file came out differently."""
    return told(_("DIFFERS"), _("{why}"), why=why)


def told_by_recipe(run: Run, step: int) -> Sentence:
    """The run of a recipe is there; it may end before the step that the recipe names."""
    if run.playhead < step:
        return told(_("RECIPE"), _("the run is over at step {end}   the recipe names step {step}"),
                    end=text.count(run.playhead), step=text.count(step))
    return told(_("RECIPE"), _("step {step}, as the recipe has it"), step=text.count(step))


def ready() -> Sentence:
    return told(_("READY"), _("{key_run} runs and pauses   {key_forward} makes one step   {key_help} lists the keys"),
                key_run="space", key_forward="→", key_help="?")
