"""Keys one at a time: each goes to the screen that the one before it has brought about.

Textual hands a key to the screen that is in front when it is read, and does what the key means some messages later;
what is typed in the same breath would go to a screen that is about to be covered, or gone. Here a key waits until the
one before it, and all that it set in motion on the screen, has been dealt with.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.app import App, ScreenStackError
from textual.message_pump import MessagePump
from textual.screen import Screen

ROUNDS = 2
"""Times that a key is followed through the queues: it may make a widget post a message (`Input.Submitted`), which is
in the queues only after the key itself has come through all of them."""


class KeyQueue:
    """Lets the input of an application through."""

    def __init__(self, app: App[Any], let_in: Callable[[events.InputEvent], Awaitable[None]]) -> None:
        """`let_in` gives an event to whom it is for."""
        self._app, self._let_in = app, let_in
        self._waiting: deque[events.InputEvent] = deque()
        self._behind: MessagePump | None = None
        """In whose queue the end of the last key stands; None when nothing is on its way."""

    async def take(self, event: events.InputEvent) -> None:
        """Let an event in as soon as it is its turn. Must be called in the application's own task."""
        self._waiting.append(event)
        if self._behind is None or self._behind._closed:  # what was in a queue that was closed will not come
            await self._let_in_next()

    async def _let_in_next(self) -> None:
        self._behind = None
        while self._waiting and self._behind is None:
            event = self._waiting.popleft()
            goes_round = isinstance(event, events.Key | events.Paste)
            to, front = self._to, self._front
            await self._let_in(event)
            if goes_round:
                self._follow(to, front, 1)

    @property
    def _front(self) -> Screen[Any] | None:
        try:
            return self._app.screen
        except ScreenStackError:
            return None

    @property
    def _to(self) -> MessagePump:
        """Who is given a key now."""
        return self._app.focused or self._front or self._app

    def _follow(self, pump: MessagePump, front: Screen[Any] | None, rounds: int) -> None:
        """Be told when all has been dealt with that is in a queue by now."""
        self._behind = pump
        if not pump.call_later(self._dealt_with, pump, front, rounds) and pump is not self._app:
            self._follow(self._app, front, rounds)

    async def _dealt_with(self, pump: MessagePump, front: Screen[Any] | None, rounds: int) -> None:
        """What a queue's owner could not use has gone to its parent; and so on up to the application."""
        await pump._flush_next_callbacks()  # answers to questions, which Textual else leaves until the queue is empty
        if pump is not self._app:
            self._follow(pump._parent or self._app, front, rounds)
        elif front is not self._front or rounds < ROUNDS:
            self._follow(self._to, self._front, rounds + 1)
        else:
            await self._let_in_next()
