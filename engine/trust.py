"""Whether a directory is in nobody else's hands. Compiled code is pickled, and whoever can write a pickle that another
one reads can have anything done in their name."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path


def distrusted(folder: Path) -> Path | None:
    """What of a directory, of those above it or of all below it somebody else than root or this user could have
    written or exchanged: it belongs to them, or its mode lets them. None where there is nothing of the kind.

    Raises OSError for what cannot be looked at.
    """
    lexical, real = Path(os.path.abspath(folder)), Path(os.path.realpath(folder))
    for each in dict.fromkeys([*reversed(lexical.parents), lexical, *reversed(real.parents), real]):
        facts = each.lstat()
        if not _trusted(facts, sticky=each not in (lexical, real)):
            return each
    if not real.stat().st_mode & 0o077:
        return None  # nobody else comes to what is in it
    return next((path for path, facts in _below(real) if stat.S_ISLNK(facts.st_mode) or not _trusted(facts)), None)


def _below(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                yield Path(entry.path), entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))


def _trusted(facts: os.stat_result, sticky: bool = False) -> bool:
    """`sticky`: of a directory where everybody may add files and nobody exchange those of others, as /tmp."""
    if facts.st_uid not in (0, os.getuid()):
        return False
    if stat.S_ISLNK(facts.st_mode) or (sticky and facts.st_mode & stat.S_ISVTX):
        return True
    return not facts.st_mode & stat.S_IWOTH and (not facts.st_mode & stat.S_IWGRP or _alone_in(facts.st_gid))


@cache
def _alone_in(group: int) -> bool:
    """Whether a group has no other member than root or this user: many systems give every user a group of the same
    name, and let it write what they make."""
    try:
        named, user = grp.getgrgid(group), pwd.getpwuid(os.getuid()).pw_name
        owner = pwd.getpwnam(named.gr_name)
    except KeyError:
        return group == 0
    return owner.pw_gid == group and owner.pw_uid in (0, os.getuid()) and set(named.gr_mem) <= {user, "root"}
