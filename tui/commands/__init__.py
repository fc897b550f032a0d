"""The commands, one file each, and what they share. None imports Textual, or a solver before it is asked for."""

from __future__ import annotations

LAB = "lab"
"""The command that is meant where none is named; it is not written by people."""
COMMANDS = {
    "solve": "tui.commands.solve",
    "trace": "tui.commands.trace",
    "replay": "tui.commands.replay",
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
"""The environment variable by which a shell asks to complete a command line."""
