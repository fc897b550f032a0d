"""The commands, one file each, and their common parts. None imports Textual or a solver before it is needed."""

from __future__ import annotations

LAB = "lab"
"""The default command; users do not write it."""
COMMANDS = {
    "solve": "tui.commands.solve",
    "trace": "tui.commands.trace",
    "replay": "tui.commands.replay",
    "hands-on": "tui.commands.hands_on",
    "guess": "tui.commands.guess",
    "progress": "tui.commands.progress",
    "generate": "tui.commands.generate",
    "rate": "tui.commands.rate",
    "check": "tui.commands.check",
    "bench": "tui.commands.bench.command",
    "automata": "tui.commands.automata",
    "show": "tui.commands.show",
    "list": "tui.commands.listing",
    "config": "tui.commands.config",
    "serve": "tui.commands.serve",
    "warmup": "tui.commands.warmup",
    "completion": "tui.commands.completion",
    LAB: "tui.commands.lab",
}

COMPLETE = "_SUDOKU_TUI_COMPLETE"
"""The environment variable with which a shell requests completion of a command line."""
