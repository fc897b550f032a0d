"""What comes from the terminal, as text in which a paste is nothing but a paste.

Textual takes an escape within a paste for the beginning of a sequence, and what follows it for keys that were pressed.
"""

from __future__ import annotations

import codecs

BEGIN, END = "\x1b[200~", "\x1b[201~"


class Reading:
    """A decoder of what is read: what is no text becomes a character like any other, an escape that was pasted a
    blank."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._pastes = False
        self._before = ""
        """Outside a paste: the last that was read, which may have begun the mark of one."""
        self._held = ""
        """Within a paste: what may have begun the mark of its end."""

    def decode(self, data: bytes, final: bool = False) -> str:
        """What is known to have been read by now."""
        text, done = self._held + self._decoder.decode(data, final), ""
        self._held = ""
        while text:
            part, text = self._pasted(text, final) if self._pastes else self._typed(text)
            done += part
        return done

    def _typed(self, text: str) -> tuple[str, str]:
        """What is read up to the beginning of a paste, and what follows."""
        seen = self._before + text
        at = seen.find(BEGIN)
        if at < 0:
            self._before = seen[-len(BEGIN) + 1 :]
            return text, ""
        self._pastes = True
        after = at + len(BEGIN) - len(self._before)
        self._before = ""
        return text[:after], text[after:]

    def _pasted(self, text: str, final: bool) -> tuple[str, str]:
        """What is read up to the end of the paste, and what follows."""
        inner, end, rest = text.partition(END)
        if end:
            self._pastes = False
        elif not final:
            begun = next((size for size in range(len(END) - 1, 0, -1) if inner.endswith(END[:size])), 0)
            inner, self._held = inner[: len(inner) - begun], inner[len(inner) - begun :]
        return inner.replace("\x1b", " ") + end, rest
