"""The keys of the bench, and what its last row offers."""

from __future__ import annotations

from tui.screens.key import COMMANDS, HELP, LOOKS, PROGRAM, Key, Offer

EXPERIMENT, TABLE, CHARTS = "Experiment", "Table", "Charts"

BENCH_KEYS: tuple[Key, ...] = (
    Key("space", "go_on", EXPERIMENT, "space", "pause, or go on", "run"),
    Key("o", "other", EXPERIMENT, "o n", "another one, a new one", "other-experiment"),
    Key("n", "new", name="new-experiment"),
    Key("right_square_bracket", "part(1)", EXPERIMENT, "[ ]", "its parts: last, next", "next-part"),
    Key("left_square_bracket", "part(-1)", name="previous-part"),
    Key("e", "export", EXPERIMENT, "e", "CSV, JSON lines, Markdown, HTML", "export"),
    Key("up,k", "move(-1)", TABLE, "↑ ↓", "a row (k j)", "row-up"),
    Key("down,j", "move(1)", name="row-down"),
    Key("pageup", "move(-10)", TABLE, "pgup pgdn", "ten rows (home end: all)", "rows-up"),
    Key("pagedown", "move(10)", name="rows-down"),
    Key("home", "move(-100000)", name="first-row"),
    Key("end", "move(100000)", name="last-row"),
    Key("s", "sort", TABLE, "s S", "sort by; the other way round", "sort"),
    Key("S", "reverse", name="reverse"),
    Key("f", "filter", TABLE, "f", "which groups and solvers", "show-only"),
    Key("t", "measure", TABLE, "t", "time in seconds, steps, weighed", "measure"),
    Key("enter", "worst", TABLE, "enter", "the worst run of the row", "worst-run"),
    Key("r", "trials", TABLE, "r", "all runs of the row", "trials"),
    Key("tab", "charts(1)", CHARTS, "tab", "other charts (back: shift+tab)", "next-chart"),
    Key("shift+tab", "charts(-1)", name="previous-chart"),
    Key("m", "axes", CHARTS, "m", "map: axes, another map", "map-axes"),
    *LOOKS,
    COMMANDS,
    Key("escape", "back", PROGRAM, "esc", "cancel what runs, then leave", "leave"),
    HELP,
    Key("q,ctrl+q,ctrl+c", "quit", PROGRAM, "q", "quit; all results are kept", "quit"),
)

BENCH_OFFERS: tuple[Offer, ...] = (
    Offer("pause", ("run",), "running"),
    Offer("go on", ("run",), "waiting"),
    Offer("cancel", ("leave",), "busy"),
    Offer("row", ("row-up", "row-down"), "rows"),
    Offer("sort", ("sort",), "rows"),
    Offer("open worst run", ("worst-run",), "rows"),
    Offer("runs", ("trials",), "rows"),
    Offer("map axes", ("map-axes",), "map"),
    Offer("charts", ("next-chart",), "rows"),
    Offer("parts", ("previous-part", "next-part"), "parts"),
    Offer("filter", ("show-only",), "rows"),
    Offer("export", ("export",), "rows"),
    Offer("experiment", ("other-experiment",)),
    Offer("new", ("new-experiment",)),
    Offer("back", ("leave",), "!busy"),
)
"""`running`, `waiting` to go on, `busy` either; `rows` there are results, `map` a heat map, `parts` several."""
