"""Key tables of the screens: the source of bindings, help, footer and command palette.

A key table is a tuple of `Key`. To add a screen: write its table, add it to `TABLES`, and derive the screen from
`AppScreen` (`tui.screens.base`) with the table as `KEYS` and a tuple of footer hints as `FOOTER_HINTS`. The user's
configuration can rebind every action; see `tui.keys.keymap`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from tui.look.glyphs import Glyphs

TIME, FIND, CHANGE, SCREEN, PROGRAM = "Time", "Find", "Change", "Screen", "Program"
"""Groups of keys that several screens have."""


class Key(Struct, frozen=True):
    """A line of a key table: keys, their action, and their text in the help."""

    keys: str
    """Textual's names, separated by commas."""
    action: str
    group: str = ""
    shown: str = ""
    """The key as displayed; empty if the entry before covers both."""
    does: str = ""
    """A short clause for the help; {period} and {knob} are the solver's words. The bracketed part at its end names
    further keys, and is omitted if the user changed them."""
    name: str = ""
    """The name in the configuration; empty: derived from the action."""
    command: str = ""
    """The clause for the palette, where an entry of several keys is a command each; empty: `does`."""

    @property
    def action_name(self) -> str:
        """The name in the configuration: `next-best`; without a `name`, `turn(-1)` is `turn--1`."""
        return self.name or re.sub(r"[^\w-]+", "-", self.action).strip("-").replace("_", "-")


LOOKS: tuple[Key, ...] = (
    Key("L", "light", SCREEN, "L C", "light or dark, contrast", "light", command="light or dark"),
    Key("C", "contrast", name="contrast", command="normal or high contrast"),
    Key("A", "ascii", SCREEN, "A", "ASCII or Unicode", "ascii"),
    Key("ctrl+l", "app.redraw", SCREEN, "ctrl+l", "draw the screen again", "redraw"),
    Key("P", "picture", PROGRAM, "P", "picture of the screen", "picture"),
)
"""Bindings of every main screen: appearance, and a screenshot."""
COMMANDS = Key("colon,ctrl+p", "commands", PROGRAM, ":", "commands (ctrl+p)", "commands")
HELP = Key("question_mark,f1", "help", PROGRAM, "?", "this page", "help")


def key_text(shown: str, glyphs: Glyphs) -> str:
    """A key as this set of glyphs writes it."""
    return glyphs.key(shown)


EXPERIMENT, TABLE, CHARTS = "Experiment", "Table", "Charts"

BENCH_KEYS: tuple[Key, ...] = (
    Key("space", "go_on", EXPERIMENT, "space", "pause or resume", "run"),
    Key("o", "other", EXPERIMENT, "o n", "another one, a new one", "other-experiment",
        command="open another experiment"),
    Key("n", "new", name="new-experiment", command="describe a new experiment"),
    Key("right_square_bracket", "part(1)", EXPERIMENT, "[ ]", "its parts: previous, next", "next-part",
        command="the next part of the experiment"),
    Key("left_square_bracket", "part(-1)", name="previous-part", command="the previous part of the experiment"),
    Key("e", "export", EXPERIMENT, "e", "CSV, JSON lines, Markdown, HTML", "export"),
    Key("up,k", "move(-1)", TABLE, "↑ ↓", "a row (k j)", "row-up", command="the row above"),
    Key("down,j", "move(1)", name="row-down", command="the row below"),
    Key("pageup", "move(-10)", TABLE, "pgup pgdn", "ten rows (home end: all)", "rows-up", command="ten rows up"),
    Key("pagedown", "move(10)", name="rows-down", command="ten rows down"),
    Key("home", "move(-100000)", name="first-row", command="the first row"),
    Key("end", "move(100000)", name="last-row", command="the last row"),
    Key("s", "sort", TABLE, "s S", "sort by; the other way round", "sort", command="choose the column to sort by"),
    Key("S", "reverse", name="reverse", command="sort the other way round"),
    Key("f,slash", "filter", TABLE, "f", "which groups and solvers (/)", "show-only"),
    Key("t", "measure", TABLE, "t", "seconds, steps or evaluations", "measure"),
    Key("enter", "worst", TABLE, "enter", "the worst run of the row", "worst-run"),
    Key("r", "trials", TABLE, "r", "all runs of the row", "trials"),
    Key("tab", "charts(1)", CHARTS, "tab", "other charts (back: shift+tab)", "next-chart", command="the next chart"),
    Key("shift+tab", "charts(-1)", name="previous-chart", command="the previous chart"),
    Key("m", "axes", CHARTS, "m", "map: axes, another map", "map-axes"),
    *LOOKS,
    COMMANDS,
    Key("escape", "back", PROGRAM, "esc", "cancel what runs, then leave", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit; all results are kept", "quit"),
)


RUN_KEYS: tuple[Key, ...] = (
    Key("space", "play(1)", TIME, "space", "run or pause", "run"),
    Key("backspace", "play(-1)", TIME, "backspace", "run backwards", "run-back"),
    Key("left", "step(-1)", TIME, "← →", "one step", "back", command="one step back"),
    Key("right", "step(1)", name="forward", command="one step forward"),
    Key("shift+left,comma", "step(-1000)", TIME, ", ;", "1 000 steps (shift+← →)", "far-back",
        command="1 000 steps back"),
    Key("shift+right,semicolon", "step(1000)", name="far-forward", command="1 000 steps forward"),
    Key("less_than_sign", "period(-1)", TIME, "< >", "one {period}", "previous-period", command="one {period} back"),
    Key("greater_than_sign", "period(1)", name="next-period", command="one {period} forward"),
    Key("home", "home", TIME, "home end", "start, recorded end, the end", "start", command="go to the start"),
    Key("end", "end", name="end", command="go to the recorded end, then to the end"),
    Key("g", "goto", TIME, "g", "go to a step", "go-to"),
    Key("plus,equals_sign", "faster(1)", TIME, "+ −", "faster, slower", "faster", command="faster"),
    Key("minus", "faster(-1)", name="slower", command="slower"),
    Key("exclamation_mark", "flat_out", TIME, "!", "flat out, and back", "flat-out"),
    Key("z", "zoom(1)", TIME, "z Z", "timeline closer, wider", "zoom-in", command="show less of the timeline, closer"),
    Key("Z", "zoom(-1)", name="zoom-out", command="show more of the timeline"),
    Key("u", "find('uphill', 1)", FIND, "u U", "uphill move, next, previous", "next-uphill",
        command="go to the next uphill move"),
    Key("U", "find('uphill', -1)", name="previous-uphill", command="go to the previous uphill move"),
    Key("b", "find('best', 1)", FIND, "b B", "new best, next, previous", "next-best",
        command="go to the next new best"),
    Key("B", "find('best', -1)", name="previous-best", command="go to the previous new best"),
    Key("r", "find('reheat', 1)", FIND, "r R", "reheat or restart", "next-reheat",
        command="go to the next reheat or restart"),
    Key("R", "find('reheat', -1)", name="previous-reheat", command="go to the previous reheat or restart"),
    Key("m", "find('better', 1)", FIND, "m M", "better child, or merge", "next-better",
        command="go to the next better child or merge"),
    Key("M", "find('better', -1)", name="previous-better", command="go to the previous better child or merge"),
    Key("d", "find('dead-end', 1)", FIND, "d D", "dead end", "next-dead-end", command="go to the next dead end"),
    Key("D", "find('dead-end', -1)", name="previous-dead-end", command="go to the previous dead end"),
    Key("up", "choice(-1)", FIND, "↑ ↓", "open choice, individual", "choice-up",
        command="the choice or individual above"),
    Key("down", "choice(1)", name="choice-down", command="the choice or individual below"),
    Key("enter", "go_there", FIND, "enter", "go there, open it, look inside", "go-there"),
    Key("f2", "hint", FIND, "f2 H", "hint; hands on: you decide", "hint", command="a hint, on any board"),
    Key("H", "hands_on", name="hands-on", command="hands on: decide the next steps yourself"),
    Key("left_square_bracket", "turn(-1)", CHANGE, "[ ]", "{knob} down, up", "knob-down", command="turn {knob} down"),
    Key("right_square_bracket", "turn(1)", name="knob-up", command="turn {knob} up"),
    Key("p", "parameters", CHANGE, "p", "parameters, all in a form", "parameters"),
    Key("full_stop", "breakpoints", CHANGE, ".", "breakpoints", "breakpoints"),
    Key("ctrl+z", "undo", CHANGE, "ctrl+z/y", "undo, redo", "undo",
        command="undo the last change, or go back to the outer run"),
    Key("ctrl+y", "redo", name="redo", command="redo the change that was undone"),
    Key("v", "switch(1)", CHANGE, "v V w", "branches: next, previous, list", "next-branch", command="the next branch"),
    Key("V", "switch(-1)", name="previous-branch", command="the previous branch"),
    Key("w", "branches", name="branches", command="list of branches"),
    Key("h", "cursor(0, -1)", SCREEN, "h j k l", "cell cursor", "cell-left", command="cell cursor to the left"),
    Key("j", "cursor(1, 0)", name="cell-down", command="cell cursor down"),
    Key("k", "cursor(-1, 0)", name="cell-up", command="cell cursor up"),
    Key("l", "cursor(0, 1)", name="cell-right", command="cell cursor to the right"),
    Key("c", "marks", SCREEN, "c x", "candidates; why a value", "marks", command="show candidates on the board"),
    Key("x", "explain", name="explain", command="why a cell has its value or its candidates"),
    Key("tab", "next_tab(1)", SCREEN, "tab 1–4", "tabs", "next-tab", command="the next tab"),
    Key("shift+tab", "next_tab(-1)", name="previous-tab", command="the previous tab"),
    Key("1", "tab(1)", name="tab-1", command="tab 1"),
    Key("2", "tab(2)", name="tab-2", command="tab 2"),
    Key("3", "tab(3)", name="tab-3", command="tab 3"),
    Key("4", "tab(4)", name="tab-4", command="tab 4"),
    Key("pageup", "scroll(-1)", SCREEN, "pgup pgdn", "scroll panel or program", "panel-up",
        command="scroll the panel or the program up"),
    Key("pagedown", "scroll(1)", name="panel-down", command="scroll the panel or the program down"),
    Key("a", "parents", SCREEN, "a s", "parents or best grids, sorting", "parents",
        command="show the parents, or the best grids that guide a particle"),
    Key("s", "sort", name="sort", command="sort the population"),
    *LOOKS,
    Key("y", "recipe", PROGRAM, "y", "the run as one line", "recipe"),
    COMMANDS,
    Key("ctrl+s", "save", PROGRAM, "ctrl+s", "save the run to a file", "save"),
    Key("n", "new_run", PROGRAM, "n", "new run: puzzle, solver, seed", "new-run"),
    Key("e", "edit", PROGRAM, "e /", "edit; ask its automata", "edit", command="edit the puzzle"),
    Key("slash", "automata", name="ask", command="ask the automata of the puzzle"),
    Key("o", "open_file", PROGRAM, "o", "open a file", "open-file"),
    Key("escape", "back", PROGRAM, "esc", "pause, cancel a search, close what is open", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit", "quit"),
)

PICK, OPEN = "Choose", "Open"

HOME_KEYS: tuple[Key, ...] = (
    Key("up,k", "move(-1)", PICK, "↑ ↓", "puzzle or run (k j)", "puzzle-up", command="the puzzle or run above"),
    Key("down,j", "move(1)", name="puzzle-down", command="the puzzle or run below"),
    Key("pageup", "page(-1)", PICK, "pgup pgdn", "a page of them", "page-up", command="a page up"),
    Key("pagedown", "page(1)", name="page-down", command="a page down"),
    Key("home", "edge(-1)", PICK, "home end", "the first, the last", "first-puzzle", command="the first puzzle or run"),
    Key("end", "edge(1)", name="last-puzzle", command="the last puzzle or run"),
    Key("tab", "group(1)", PICK, "tab", "next pack (back: shift+tab)", "next-pack", command="the next pack"),
    Key("shift+tab", "group(-1)", name="previous-pack", command="the previous pack"),
    Key("slash", "filter", PICK, "/", "filter by name, pack, level, size, source, solver", "filter"),
    Key("left,h", "solver(-1)", PICK, "← →", "solver (h l)", "previous-solver", command="the previous solver"),
    Key("right,l", "solver(1)", name="next-solver", command="the next solver"),
    Key("1", "nth(1)", PICK, "1–8", "one of the first solvers", "solver-1", command="solver 1"),
    *(Key(str(number), f"nth({number})", name=f"solver-{number}",
        command=f"solver {number}") for number in range(2, 9)),
    Key("p", "preset(1)", PICK, "p", "the next preset", "next-preset"),
    Key("s", "seed", PICK, "s", "type a seed", "seed"),
    Key("plus,equals_sign", "reseed(1)", PICK, "+ −", "next seed, previous seed", "next-seed", command="the next seed"),
    Key("minus", "reseed(-1)", name="previous-seed", command="the previous seed"),
    Key("enter", "begin", OPEN, "enter", "start, or resume a run", "begin"),
    Key("c", "continue", OPEN, "c", "resume or reopen a session", "continue"),
    Key("e", "edit", OPEN, "e", "edit the puzzle", "edit"),
    Key("a", "automata", OPEN, "a", "ask its automata (Z3)", "automata"),
    Key("n", "new_puzzle", OPEN, "n", "type or paste a puzzle", "new-puzzle"),
    Key("b", "bench", OPEN, "b", "compare solvers", "bench"),
    Key("H", "progress", OPEN, "H", "progress in hands on", "progress"),
    Key("g", "guess", OPEN, "g", "guess the solver from its curve of E", "guess"),
    Key("o", "open_file", OPEN, "o", "open a file", "open-file"),
    Key("d,delete", "delete", OPEN, "d", "delete a run or a draft", "delete"),
    *LOOKS,
    COMMANDS,
    Key("escape", "back", PROGRAM, "esc", "clear the filter, or back to the run", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit", "quit"),
)

BOARD, PAST = "Board", "Changes"

EDITOR_KEYS: tuple[Key, ...] = (
    Key("left,h", "cursor(0, -1)", BOARD, "← ↑ ↓ →", "cell cursor (h j k l)", "cursor-left",
        command="cell cursor to the left"),
    Key("up,k", "cursor(-1, 0)", name="cursor-up", command="cell cursor up"),
    Key("down,j", "cursor(1, 0)", name="cursor-down", command="cell cursor down"),
    Key("right,l", "cursor(0, 1)", name="cursor-right", command="cell cursor to the right"),
    Key("space", "onward", BOARD, "space", "the next cell", "next-cell"),
    Key("backspace,delete", "clear_cell", BOARD, "backspace", "clear the cell (also 0 and .)", "clear-cell"),
    Key("s", "resize(1)", BOARD, "s S", "size: 4, 9, 16, 25", "larger", command="next larger size"),
    Key("S", "resize(-1)", name="smaller", command="next smaller size"),
    Key("v", "variant", BOARD, "v", "with or without diagonals", "variant"),
    Key("x", "clear_all", BOARD, "x", "clear all cells", "clear-all"),
    Key("f2", "hint", BOARD, "f2", "hint, on any board", "hint"),
    Key("ctrl+z", "undo", PAST, "ctrl+z", "undo the last change", "undo"),
    Key("ctrl+y", "redo", PAST, "ctrl+y", "redo it", "redo"),
    Key("ctrl+s", "save", PROGRAM, "ctrl+s", "save the puzzle to a file", "save"),
    Key("y", "copy", PROGRAM, "y", "copy it as one line", "copy"),
    Key("o", "open_file", PROGRAM, "o", "open a file", "open-file"),
    Key("enter", "begin", PROGRAM, "enter", "start a run on it", "begin"),
    Key("ctrl+l", "app.redraw", PROGRAM, "ctrl+l", "draw the screen again", "redraw"),
    COMMANDS,
    Key("escape", "back", PROGRAM, "esc", "leave; changes are kept as a draft", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit; changes are kept", "quit"),
)

ASK, ANSWERS, AUTOMATON = "Ask", "Answers", "Automaton"

AUTOMATA_KEYS: tuple[Key, ...] = (
    Key("1", "try(1)", ASK, "1–9", "try the digit in the cell", "try-1", command="try 1 in the cell"),
    *(Key(str(number), f"try({number})", name=f"try-{number}",
        command=f"try {number} in the cell") for number in range(2, 10)),
    Key("slash", "ask", ASK, "/", "type a question or a word", "ask"),
    Key("w", "word", ASK, "w", "a word it accepts, then another", "word"),
    Key("u", "unique", ASK, "u", "is there exactly one solution?", "unique"),
    Key("n", "count", ASK, "n", "count solutions, up to ten", "count"),
    Key("s", "solution", ASK, "s", "is there a solution?", "solution"),
    Key("space", "break_off", ASK, "space", "cancel the questions", "break-off"),
    Key("left", "question(-1)", ANSWERS, "← →", "earlier, later question", "earlier", command="the question before"),
    Key("right", "question(1)", name="later", command="the question after"),
    Key("enter", "answer", ANSWERS, "enter", "the answer on the board", "answer"),
    Key("f", "core", ANSWERS, "f", "only the core, and all again", "core"),
    Key("m", "minimise", ANSWERS, "m", "make the core smaller", "minimise"),
    Key("x", "explain", ANSWERS, "x", "explain it by techniques", "explain"),
    Key("h", "cursor(0, -1)", BOARD, "h j k l", "cell cursor (↑ ↓)", "cell-left", command="cell cursor to the left"),
    Key("j", "cursor(1, 0)", name="cell-down", command="cell cursor down"),
    Key("k", "cursor(-1, 0)", name="cell-up", command="cell cursor up"),
    Key("l", "cursor(0, 1)", name="cell-right", command="cell cursor to the right"),
    Key("down", "cursor(1, 0)", name="arrow-down", command="cell cursor down"),
    Key("up", "cursor(-1, 0)", name="arrow-up", command="cell cursor up"),
    Key("p", "put", BOARD, "p", "set the digit that was tried", "put"),
    Key("ctrl+z", "undo", BOARD, "ctrl+z/y", "undo, redo (backspace)", "undo", command="undo the last change"),
    Key("ctrl+y", "redo", name="redo", command="redo the change that was undone"),
    Key("backspace,delete", "undo", name="take-back", command="undo the last change"),
    Key("v", "unit(1)", AUTOMATON, "v V", "board, row, column, box", "unit",
        command="the next automaton: board, row, column, box"),
    Key("V", "unit(-1)", name="previous-unit", command="the previous automaton"),
    Key("e", "encoding(1)", AUTOMATON, "e E", "encoding: next, previous", "encoding", command="the next encoding"),
    Key("E", "encoding(-1)", name="previous-encoding", command="the previous encoding"),
    Key("t", "text", AUTOMATON, "t", "its formula as Z3 has it", "text"),
    Key("tab", "next_tab(1)", SCREEN, "tab", "next tab (back: shift+tab)", "next-tab", command="the next tab"),
    Key("shift+tab", "next_tab(-1)", name="previous-tab", command="the previous tab"),
    *LOOKS,
    COMMANDS,
    Key("escape", "back", PROGRAM, "esc", "cancel, put away, leave", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit", "quit"),
)

ANSWER = "Answer"

HANDS_ON_KEYS: tuple[Key, ...] = (
    Key("enter", "answer", ANSWER, "enter", "answer; then the next question", "give-answer"),
    Key("left", "move(0, -1)", ANSWER, "← →", "option, or cell (also ↑ ↓; h j k l: always cell)", "option-left",
        command="the option or cell to the left"),
    Key("right", "move(0, 1)", name="option-right", command="the option or cell to the right"),
    Key("up", "move(-1, 0)", name="option-up", command="the option or cell above"),
    Key("down", "move(1, 0)", name="option-down", command="the option or cell below"),
    Key("h", "move_cell(0, -1)", name="cell-left", command="cell cursor to the left"),
    Key("j", "move_cell(1, 0)", name="cell-down", command="cell cursor down"),
    Key("k", "move_cell(-1, 0)", name="cell-up", command="cell cursor up"),
    Key("l", "move_cell(0, 1)", name="cell-right", command="cell cursor to the right"),
    Key("space", "mark", ANSWER, "space", "mark the cell or answer", "mark-cell"),
    Key("backspace", "erase", ANSWER, "backspace", "erase a digit, or all marks", "erase-answer"),
    Key("f2", "hint", ANSWER, "f2", "a hint", "hint"),
    Key("s", "skip", ANSWER, "s", "skip the question", "skip"),
    Key("tab", "level", ANSWER, "tab", "less help: some questions, ten steps alone, the quiz", "level"),
    Key("v", "branch", ANSWER, "v", "run your answer on, beside the solver's", "run-answer"),
    Key("pageup", "scroll(-1)", ANSWER, "pgup pgdn", "scroll the wrong answers at the end (also ↑ ↓)", "panel-up",
        command="scroll the wrong answers up"),
    Key("pagedown", "scroll(1)", name="panel-down", command="scroll the wrong answers down"),
    *LOOKS,
    COMMANDS,
    Key("escape", "back", PROGRAM, "esc", "back to the run", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit", "quit"),
)

GUESS_KEYS: tuple[Key, ...] = (
    Key("enter", "answer", ANSWER, "enter", "answer; then the next curve", "give-answer"),
    Key("up,left", "move(-1)", ANSWER, "↑ ↓", "answer (also its number)", "answer-up", command="the answer above"),
    Key("down,right", "move(1)", name="answer-down", command="the answer below"),
    Key("f2", "hint", ANSWER, "f2", "a hint", "hint"),
    Key("s", "skip", ANSWER, "s", "another curve", "skip"),
    Key("tab", "what", ANSWER, "tab", "guess the solver, or the rule for T", "what"),
    Key("y", "recipe", ANSWER, "y", "the run as one line, after the answer", "recipe"),
    *LOOKS,
    COMMANDS,
    Key("escape", "back", PROGRAM, "esc", "back to the puzzles", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit", "quit"),
)

TABLES: Mapping[str, tuple[Key, ...]] = {"laboratory": RUN_KEYS, "home": HOME_KEYS, "editor": EDITOR_KEYS,
                                         "automata": AUTOMATA_KEYS, "bench": BENCH_KEYS,
                                         "hands-on": HANDS_ON_KEYS, "guess": GUESS_KEYS}
"""The tables of all screens. An action of the same name in several of them has the same keys."""

FINDS: dict[str, tuple[tuple[str, ...], str]] = {
    "uphill": (("uphill",), "uphill move"),
    "best": (("best",), "new best"),
    "reheat": (("reheat", "restart", "doubled", "sweep"), "reheat or restart"),
    "better": (("better", "merged"), "better child or merge"),
    "dead-end": (("contradiction",), "dead end"),
}
"""The kinds of events that the keys of `find` search for, and their names."""
