"""Deliver keys one at a time, each to the screen that the previous key brought up.

Textual sends a key to the screen that is in front when the key is read, and acts on it some messages later; keys typed
quickly would reach a screen that is about to be covered or closed. Here a key waits until the previous one, and
everything that it triggered on the screen, is processed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.app import App, ScreenStackError
from textual.message_pump import MessagePump
from textual.screen import Screen

from tui.keys.keymap import INTERRUPT

ROUNDS = 2
"""Passes through the queues to follow a key: it may make a widget post a message (`Input.Submitted`), which is queued
only after the key itself has passed all of them."""


class KeyQueue:
    """Delivers the input events of an application."""

    def __init__(self, app: App[Any], let_in: Callable[[events.InputEvent], Awaitable[None]]) -> None:
        """`let_in` passes an event to its receiver."""
        self._app, self._let_in = app, let_in
        self._waiting: deque[events.InputEvent] = deque()
        self._behind: MessagePump | None = None
        """The queue that holds the end marker of the last key; None if no key is in progress."""

    async def take(self, event: events.InputEvent) -> None:
        """Deliver an event after those before it. Must be called in the application's own task.

        The key that always quits is delivered at once, in place of all that wait: they may be a text that was pasted
        into a terminal without marks for pastes.
        """
        if isinstance(event, events.Key) and event.key == INTERRUPT:
            self._waiting.clear()
            await self._let_in(event)
            return
        self._waiting.append(event)
        if self._behind is None or self._behind._closed:  # the marker in a closed queue never arrives
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
        """The receiver of keys at this moment."""
        return self._app.focused or self._front or self._app

    def _follow(self, pump: MessagePump, front: Screen[Any] | None, rounds: int) -> None:
        """Call back when everything in a queue at this moment is processed."""
        self._behind = pump
        if not pump.call_later(self._dealt_with, pump, front, rounds) and pump is not self._app:
            self._follow(self._app, front, rounds)

    async def _dealt_with(self, pump: MessagePump, front: Screen[Any] | None, rounds: int) -> None:
        """Follow an event that its receiver did not use to the parent, up to the application."""
        await pump._flush_next_callbacks()  # results of dialogs, which Textual leaves until the queue is empty
        if pump is not self._app:
            self._follow(pump._parent or self._app, front, rounds)
        elif front is not self._front or rounds < ROUNDS:
            self._follow(self._to, self._front, rounds + 1)
        else:
            await self._let_in_next()
