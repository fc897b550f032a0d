"""What bad input raises: always one sentence that says what, where, and what was expected."""


class BadInput(ValueError):
    """Input that the program refuses; `str(error)` is the sentence for the user."""


class PuzzleError(BadInput):
    """A grid that is no puzzle: wrong size, a value out of range, contradictory givens."""


class FormatError(BadInput):
    """A file or text that does not follow its format; the sentence names line and column."""


class ParameterError(BadInput):
    """A parameter that is unknown, of the wrong type or out of bounds."""


class UnknownName(BadInput):
    """A solver, preset, pack or knob that does not exist; the sentence lists what does."""


class MissingExtra(BadInput):
    """A solver that takes a package which is not installed; the sentence says how to get it."""


class RunFileError(BadInput):
    """A run file that is truncated, altered, or from another version."""
