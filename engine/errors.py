"""Errors of bad input. The text is one sentence: what, where, and what was expected."""


class BadInput(ValueError):
    """Input that the program refuses; `str(error)` is the sentence for the user."""


class PuzzleError(BadInput):
    """An invalid grid: wrong size, a value out of range, contradictory givens."""


class FormatError(BadInput):
    """A file or text that does not follow its format; the sentence names line and column."""


class ParameterError(BadInput):
    """A parameter that is unknown, of the wrong type or out of bounds."""


class UnknownName(BadInput):
    """A solver, preset, pack or knob that does not exist; the sentence lists what does."""


class MissingExtra(BadInput):
    """A solver whose package is not installed; the sentence has the command that installs it."""


class NotEnoughMemory(BadInput):
    """A limit on the memory of this process that is too low for what is asked."""


class RunFileError(BadInput):
    """A run file that is truncated, altered, or from another version."""
