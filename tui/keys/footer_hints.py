"""The hints of the footer: for each screen, which actions it offers, in what order, and under which conditions."""

from __future__ import annotations

from msgspec import Struct


class FooterHint(Struct, frozen=True):
    """A hint of the footer: a word for some actions, and the conditions under which it is shown."""

    word: str
    """{knob} is the solver's word."""
    names: tuple[str, ...]
    """Actions by name; a click runs the last one."""
    when: str = ""
    """Conditions that must all hold (`AppScreen.conditions`); those after a `!` must not hold."""

    def holds(self, available: frozenset[str]) -> bool:
        """Whether all conditions hold."""
        return all(word[1:] not in available if word[0] == "!" else word in available for word in self.when.split())


BENCH_HINTS: tuple[FooterHint, ...] = (
    FooterHint("pause", ("run",), "running"),
    FooterHint("start", ("run",), "ready"),
    FooterHint("resume", ("run",), "waiting"),
    FooterHint("cancel", ("leave",), "busy"),
    FooterHint("row", ("row-up", "row-down"), "rows"),
    FooterHint("sort", ("sort",), "rows"),
    FooterHint("open worst run", ("worst-run",), "rows"),
    FooterHint("runs", ("trials",), "rows"),
    FooterHint("map axes", ("map-axes",), "map"),
    FooterHint("charts", ("next-chart",), "rows charts"),
    FooterHint("parts", ("previous-part", "next-part"), "parts"),
    FooterHint("filter", ("show-only",), "rows"),
    FooterHint("export", ("export",), "rows"),
    FooterHint("experiment", ("other-experiment",)),
    FooterHint("new", ("new-experiment",)),
    FooterHint("back", ("leave",), "!busy"),
)
"""`ready` to be started, `running`, `waiting` to be resumed, `busy` all of these; `rows` there are results, `map` a
heat map, `parts` several."""


RUN_HINTS: tuple[FooterHint, ...] = (
    FooterHint("cancel", ("leave",), "searching"),
    FooterHint("pause", ("run",), "running"),
    FooterHint("back", ("back",), "ended !first"),
    FooterHint("start", ("start",), "ended !first"),
    FooterHint("run", ("run",), "still !ended"),
    FooterHint("step", ("forward",), "still first !ended"),
    FooterHint("step", ("back", "forward"), "still !first !ended"),
    FooterHint("back to its step", ("undo",), "inside !changed !searching"),
    FooterHint("look inside", ("go-there",), "still inner"),
    FooterHint("speed", ("faster", "slower"), "running"),
    FooterHint("pick", ("cell-left", "cell-down", "cell-up", "cell-right"), "run individuals !searching"),
    FooterHint("open", ("go-there",), "run individuals !opened !inner !searching"),
    FooterHint("close", ("go-there",), "run individuals opened !inner !searching"),
    FooterHint("parents", ("parents",), "run population parents !searching"),
    FooterHint("best grids", ("parents",), "run related !searching"),
    FooterHint("better", ("next-better",), "run !ended !searching better"),
    FooterHint("merge", ("next-better",), "run !ended !searching merged !better"),
    FooterHint("board", ("next-tab",), "run individuals !tabs !searching"),
    FooterHint("gauges", ("next-tab",), "run individuals tabs !searching"),
    FooterHint("pick one", ("next-tab",), "run visible !individuals !searching"),
    FooterHint("population", ("tab-4",), "run hidden !searching"),
    FooterHint("last uphill", ("previous-uphill",), "ended uphill"),
    FooterHint("last best", ("previous-best",), "ended best"),
    FooterHint("last reheat", ("previous-reheat",), "ended reheat !sweep"),
    FooterHint("last sweep", ("previous-reheat",), "ended sweep"),
    FooterHint("last restart", ("previous-reheat",), "ended restart !reheat"),
    FooterHint("last dead end", ("previous-dead-end",), "ended contradiction"),
    FooterHint("uphill", ("next-uphill",), "run !ended !searching uphill"),
    FooterHint("best", ("next-best",), "run !ended !searching best"),
    FooterHint("reheat", ("next-reheat",), "run !ended !searching reheat !sweep"),
    FooterHint("sweep", ("next-reheat",), "run !ended !searching sweep"),
    FooterHint("restart", ("next-reheat",), "run !ended !searching restart !reheat"),
    FooterHint("dead end", ("next-dead-end",), "run !ended !searching contradiction"),
    FooterHint("{period}", ("previous-period", "next-period"), "run period !uphill !contradiction !searching"),
    FooterHint("go there", ("go-there",), "still chosen"),
    FooterHint("stack", ("choice-up", "choice-down"), "still choices"),
    FooterHint("go to", ("go-to",), "run !searching"),
    FooterHint("{knob}", ("knob-down", "knob-up"), "run knob !ended !searching"),
    FooterHint("undo", ("undo",), "changed !searching"),
    FooterHint("branch", ("next-branch",), "branches !searching"),
    FooterHint("breakpoints", ("breakpoints",), "watching !searching"),
    FooterHint("speed", ("faster", "slower"), "still !ended"),
    FooterHint("why", ("explain",), "run causes !searching"),
    FooterHint("hint", ("hint",), "still !ended"),
    FooterHint("marks", ("marks",), "run pencils !searching"),
    FooterHint("cell", ("cell-left", "cell-down", "cell-up", "cell-right"), "run !individuals !searching"),
    FooterHint("sort", ("sort",), "run visible !searching"),
    FooterHint("new", ("new-run",), "!searching"),
    FooterHint("edit", ("edit",), "!searching"),
    FooterHint("light", ("light",), "!run"),
    FooterHint("ASCII", ("ascii",), "!run"),
)
"""The most needed first: hints without room are dropped from the right."""


HOME_HINTS: tuple[FooterHint, ...] = (
    FooterHint("resume {session}", ("continue",), "left !closed !here !typing"),
    FooterHint("reopen {session}", ("continue",), "left closed !here !typing"),
    FooterHint("reopen", ("begin",), "here closed"),
    FooterHint("resume", ("begin",), "here !closed"),
    FooterHint("resume {selected}", ("begin",), "saved !over !here left"),
    FooterHint("reopen {selected}", ("begin",), "saved over !here left"),
    FooterHint("resume", ("begin",), "saved !over !here !left"),
    FooterHint("reopen", ("begin",), "saved over !here !left"),
    FooterHint("delete", ("delete",), "saved !typing"),
    FooterHint("start", ("begin",), "puzzle"),
    FooterHint("puzzle", ("puzzle-up", "puzzle-down"), "some"),
    FooterHint("show all", ("leave",), "filtered"),
    FooterHint("solver", ("previous-solver", "next-solver"), "puzzle !typing"),
    FooterHint("delete", ("delete",), "draft !typing"),
    FooterHint("back", ("leave",), "behind !filtered !typing"),
    FooterHint("filter", ("filter",), "!filtered !typing"),
    FooterHint("edit", ("edit",), "puzzle !typing"),
    FooterHint("open", ("open-file",), "!typing"),
    FooterHint("new", ("new-puzzle",), "!typing"),
    FooterHint("bench", ("bench",), "!typing"),
    FooterHint("preset", ("next-preset",), "presets puzzle !typing"),
    FooterHint("seed", ("seed",), "puzzle !typing"),
    FooterHint("progress", ("progress",), "!typing"),
    FooterHint("guess", ("guess",), "puzzle !typing"),
)


EDITOR_HINTS: tuple[FooterHint, ...] = (
    FooterHint("start", ("begin",), "sound"),
    FooterHint("hint", ("hint",), "sound"),
    FooterHint("move", ("cursor-left", "cursor-up", "cursor-down", "cursor-right")),
    FooterHint("undo", ("undo",), "past"),
    FooterHint("redo", ("redo",), "future"),
    FooterHint("size", ("larger",)),
    FooterHint("diagonals", ("variant",)),
    FooterHint("clear", ("clear-all",), "givens"),
    FooterHint("save", ("save",), "givens"),
    FooterHint("copy", ("copy",), "givens"),
    FooterHint("open", ("open-file",)),
    FooterHint("leave", ("leave",)),
)


HANDS_ON_HINTS: tuple[FooterHint, ...] = (
    FooterHint("next", ("give-answer",), "judged"),
    FooterHint("run yours on", ("run-answer",), "branch"),
    FooterHint("answer", ("give-answer",), "open"),
    FooterHint("choose", ("option-left", "option-right"), "open choice"),
    FooterHint("cell", ("option-left", "option-down", "option-up", "option-right"), "open cells"),
    FooterHint("mark", ("mark-cell",), "open marks"),
    FooterHint("hint", ("hint",), "open hints"),
    FooterHint("skip", ("skip",), "open"),
    FooterHint("back to the run", ("leave",)),
)
"""`open`: a question waits for its answer, `judged`: it is answered, `branch`: in another way than the solver, and a
run can go on from it; `choice`, `cells`: the form of the question; `marks`: cells or answers are marked;
`hints`: the level has hints."""


GUESS_HINTS: tuple[FooterHint, ...] = (
    FooterHint("next", ("give-answer",), "judged"),
    FooterHint("answer", ("give-answer",), "open"),
    FooterHint("choose", ("answer-up", "answer-down"), "open"),
    FooterHint("hint", ("hint",), "open"),
    FooterHint("skip", ("skip",), "open"),
    FooterHint("recipe", ("recipe",), "judged"),
    FooterHint("solver or T", ("what",), "!busy"),
    FooterHint("back", ("leave",)),
)
"""`open`: the guess waits for an answer, `judged`: it is answered, `busy`: the next curve is being made."""


AUTOMATA_HINTS: tuple[FooterHint, ...] = (
    FooterHint("cancel", ("break-off",), "busy"),
    FooterHint("ask", ("ask",)),
    FooterHint("cell", ("cell-left", "cell-down", "cell-up", "cell-right")),
    FooterHint("try", ("try-1", "try-9")),
    FooterHint("word", ("word",), "unit"),
    FooterHint("formula", ("text",), "unit"),
    FooterHint("core only", ("core",), "listed !alone"),
    FooterHint("show all", ("core",), "listed alone"),
    FooterHint("minimise", ("minimise",), "core"),
    FooterHint("explain", ("explain",), "explained"),
    FooterHint("answer", ("answer",), "answer"),
    FooterHint("set", ("put",), "value"),
    FooterHint("question", ("earlier", "later"), "earlier"),
    FooterHint("undo", ("undo",), "past"),
    FooterHint("unique?", ("unique",), "!unit"),
    FooterHint("automaton", ("unit",)),
    FooterHint("encoding", ("encoding",)),
    FooterHint("count", ("count",), "!unit"),
    FooterHint("leave", ("leave",), "!busy"),
)
