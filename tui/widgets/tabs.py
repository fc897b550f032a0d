"""The row of tab titles, on screens without room for all panes."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.message import Message

from tui.i18n import _
from tui.widgets.pane import Pane
from tui.widgets.rows import Row, Rows, Space, Span, row, rows


def tab_texts(titles: Sequence[str], width: int, chosen: int = 1) -> list[str]:
    """` 1 Gauges `, ` 2 Code `...; the first blank is for the mark.

    If they do not fit, only the tab before the chosen one keeps its last blank; then titles are left out, the first
    ones first, but never that of the chosen tab.
    """
    texts = [f" {place} {_(title)} " for place, title in enumerate(titles, 1)]
    if sum(map(len, texts)) <= width:
        return texts
    texts = [text if place == chosen - 1 else text[:-1] for place, text in enumerate(texts, 1)]
    for place in range(len(texts)):
        if sum(map(len, texts)) > width and place != chosen - 1:
            texts[place] = f" {place + 1}" + " " * (place == chosen - 2)
    return texts


def tabs_row(titles: Sequence[str], chosen: int, space: Space) -> Row:
    """The titles; the chosen one, counted from 1, has a mark and a ground."""
    glyphs = space.glyphs
    spans: list[Span] = [
        (glyphs.current + glyphs.text(text[1:]), "selected") if place == chosen else (glyphs.text(text), "muted")
        for place, text in enumerate(tab_texts(titles, space.width, chosen), 1)
    ]
    return row(spans, space.width)


class Tabs(Pane):
    """Tab titles, one of them chosen; posts clicks on titles."""

    DEFAULT_CSS = "Tabs { height: 1; }"

    class Picked(Message):
        """A click on a title; tabs count from 1."""

        def __init__(self, tab: int) -> None:
            super().__init__()
            self.tab = tab

    def __init__(self, titles: Sequence[str]) -> None:
        super().__init__()
        self.titles = tuple(titles)
        self.chosen = 1

    def show(self, chosen: int, titles: Sequence[str] | None = None) -> None:
        """Choose a tab; `titles` replaces the titles."""
        self.chosen = chosen
        self.titles = self.titles if titles is None else tuple(titles)
        self.repaint()

    def draw(self, space: Space) -> Rows:
        return rows([tabs_row(self.titles, self.chosen, space)], space)

    def on_click(self, event: events.Click) -> None:
        left = 0
        for place, text in enumerate(tab_texts(self.titles, self.size.width, self.chosen), 1):
            if left <= event.x < left + len(text):
                self.post_message(self.Picked(place))
            left += len(text)
