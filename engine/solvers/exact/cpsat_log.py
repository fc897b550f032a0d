"""What CP-SAT writes into its log while it works, line by line: the only look it gives into itself.

Times are left out: they are different at every run and teach nothing. Tables of internals are left out as well.
"""

from __future__ import annotations

import re

Report = tuple[str, str]
"""(stage, text); the stages are `engine`, `model`, `presolve`, `symmetry`, `presolved` and `search`."""

_PASS = re.compile(r"^\s+\S+s\s+\S+d\s+\[(?P<name>\w+)\]\s*(?P<said>.*)$")
_RULE = re.compile(r"^\s+- rule '(?P<rule>.*)' was applied (?P<times>\S+ times?)\.$")
_TIME = re.compile(r",?\s*\(?\b(?:d?time|in|at):?\s+\S*\d\S*\b\)?|\b\d+\.\d+(?:e[-+]\d+)?s\b")
_SPACES = re.compile(r"\s+")
_COUNT = re.compile(r"^#(?P<what>Variables|k\w+): (?P<count>.*)$")
_DOMAIN = re.compile(r"^\s+- (?P<domain>.* in .*)$")


class LogReader:
    """Reads the log as it comes; remembers the part of it that it is in."""

    def __init__(self) -> None:
        self._stage = "engine"
        self._over = False

    def read(self, message: str) -> list[Report]:
        """What there is to be told of a message, which may have several lines or none that matters."""
        return [report for line in message.splitlines() for report in self._line(line.rstrip())]

    def _line(self, line: str) -> list[Report]:
        if line.startswith(("Task timing", "CpSolverResponse")):
            self._over = True
        if self._over or not line.strip():
            return []
        if line.startswith("Starting CP-SAT solver"):
            return [("engine", line.removeprefix("Starting ").strip())]
        if line.startswith("Initial satisfaction model"):
            self._stage = "model"
        elif line.startswith(("Starting presolve", "Presolve summary")):
            self._stage = "presolve"
        elif line.startswith("Presolved satisfaction model"):
            self._stage = "presolved"
        elif line.startswith("Starting search"):
            self._stage = "search"
            return [("search", "the search begins, with one worker")]
        return self._told(line)

    def _told(self, line: str) -> list[Report]:
        """A line that is neither a heading nor a number of a solution, which comes back by itself."""
        if found := _PASS.match(line):
            said = _plain(found["said"])
            return [("presolve", f"{found['name']} {said}")] if said else []
        if found := _RULE.match(line):
            return [("presolve", f"{found['rule'].rstrip('.')}: {found['times']}")]
        if line.startswith("[Symmetry]"):
            said = _plain(line.removeprefix("[Symmetry]"))
            return [("symmetry", said)] if re.search(r"orbit|generators", said) else []
        if self._stage in ("model", "presolved") and (found := _COUNT.match(line)):
            return [(self._stage, f"{found['what'].removeprefix('k')} {found['count']}")]
        if self._stage in ("model", "presolved") and (found := _DOMAIN.match(line)):
            return [(self._stage, f"of these {found['domain']}")]
        return []


def _plain(text: str) -> str:
    return _SPACES.sub(" ", _TIME.sub("", text)).strip()
