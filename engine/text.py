"""How numbers are written, one way for every screen, sentence and table."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"


def count(value: int) -> str:
    """`410496` as `410 496`: groups of three, a space between."""
    return f"{value:,}".replace(",", " ").replace("-", MINUS)


def signed(value: int) -> str:
    """`+2`, `0`, `−1`: the sign always, with a real minus."""
    return "0" if value == 0 else f"{value:+d}".replace("-", MINUS)


def significant(value: float | None, digits: int = 3) -> str:
    """A number with three significant digits (`0.545`, `12.3`, `0.00102`, `1.2e-05` below a millionth)."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    size = abs(value)
    if size < 1e-6 or size >= 1e6:
        return f"{value:.{digits - 1}e}".replace("-", MINUS)
    before = len(str(int(size))) if size >= 1 else 0
    text = f"{value:.{max(0, digits - before)}f}"
    if size < 0.1:
        zeros = 0
        while size < 0.1 and zeros < 6:
            size, zeros = size * 10, zeros + 1
        text = f"{value:.{digits + zeros}f}"
    return text.replace("-", MINUS)


def apart(first: float, second: float) -> tuple[str, str]:
    """Both numbers with as many digits as it takes to print differently (at most nine), three at least."""
    for digits in range(3, 10):
        texts = significant(first, digits), significant(second, digits)
        if texts[0] != texts[1] or first == second:
            return texts
    return texts


def share(value: float | None) -> str:
    """0.061 as `6.1 %`."""
    return NONE if value is None else f"{value * 100:.1f} %"
