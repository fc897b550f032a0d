"""Elements of HTML and SVG, with escaped text."""

from __future__ import annotations

import html
from typing import Final

_VOID: Final = frozenset({"meta", "br"})


class Markup(str):
    """Markup, as opposed to text that needs escaping."""

    __slots__ = ()


def tag(name: str, /, *children: str | None, **attributes: object) -> Markup:
    """An element. Of the names of attributes a last `_` is left off, others are hyphens: `class_`, `stroke_width`.
    Children and attributes that are None are left out; children that are not Markup are text."""
    inside = "".join(each if isinstance(each, Markup) else html.escape(each) for each in children if each is not None)
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{html.escape(_value(value))}"'
                   for key, value in attributes.items() if value is not None)
    if name in _VOID or (not children and name in _EMPTY):
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{inside}</{name}>")


_EMPTY: Final = frozenset({"line", "rect", "path", "circle", "polyline", "polygon"})


def _value(value: object) -> str:
    """Coordinates to a tenth: finer than any screen."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def joined(*parts: Markup) -> Markup:
    """Concatenate elements."""
    return Markup("".join(parts))
