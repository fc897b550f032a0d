"""In a kiosk nothing outside its directory is opened, listed or written, whatever it is called."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import BadInput
from engine.files import access
from engine.files.atomic import write_whole
from engine.puzzles.formats import read_path

FEW = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""They share what there is: a refusal must not depend on what was tried before."""
SECRET = "another user's secret"


@pytest.fixture
def ground(tmp_path: Path) -> Path:
    """A kiosk's directory `room`, with links out of it and within, and `outside` beside it."""
    top = tmp_path.resolve()
    room, outside = top / "room", top / "outside"
    for folder in (room / "in" / "deep", room / access.PRIVATE, outside / "in"):
        folder.mkdir(parents=True)
    for path in (outside / "file", outside / "in" / "file"):
        path.write_text(SECRET)
    for path in (room / "file", room / "in" / "file", room / "roomy"):
        path.write_text("of the kiosk")
    (room / "roomy").rename(top / "roommate")
    os.mkfifo(room / "pipe")
    for name, leads_to in {"away": outside, "secret": outside / "file", "new": outside / "new", "up": top,
                           "loop": "loop", "alias": "file", "inner": "in", "twice": "away", "etc": "/etc",
                           "zero": "/dev/zero", "root": "/proc/self/root",
                           "cached": access.PRIVATE}.items():
        (room / name).symlink_to(leads_to)
    return top


@pytest.fixture(autouse=True)
def _kiosk(ground: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(ground / "room")
    with access.restricted_to(ground / "room"):
        yield


def outside_of(ground: Path) -> dict[str, str]:
    """Everything beside the room, and its content."""
    return {str(path): path.read_text() if path.is_file() else "" for path in sorted(ground.rglob("*"))
            if ground / "room" not in (path, *path.parents)}


PIECES = st.sampled_from(["..", ".", "", "~", "~root", "file", "in", "deep", "pipe", "away", "secret", "new", "up",
                          "room", "outside", "roommate", "loop", "alias", "inner", "twice", "etc", "passwd", "zero",
                          "root", "cached", access.PRIVATE, "dev", "fd", "0", "proc", "self", "none", "a\0b", "a\nb",
                          "\x1b[2J", "\udcff", "%2e%2e", "...", " ", "x" * 300, "CON", "\N{FULLWIDTH FULL STOP}" * 2])
BEGINNINGS = st.sampled_from(["", "", "", "/", "//", "{room}/", "{room}", "{top}/", "/proc/self/cwd/", "/dev/fd/",
                              "/proc/self/root{room}/", "file:", "./"])


@st.composite
def names(draw: Callable[[st.SearchStrategy[Any]], Any]) -> str:
    return str(draw(BEGINNINGS)) + "/".join(draw(st.lists(PIECES, max_size=6)))


@given(name=names())
@FEW
def test_only_files_of_the_directory_are_opened(ground: Path, name: str) -> None:
    path, room = name.format(room=ground / "room", top=ground), str(ground / "room")
    try:
        with access.open_file(path) as file:
            where = os.readlink(f"/proc/self/fd/{file.fileno()}")
            assert SECRET not in file.read().decode(errors="replace")
    except access.Refused:
        said = str(access.refused(path))
        assert said.endswith(f": this is a kiosk: files are in {room}")
        assert said.isprintable()
        return
    except OSError:
        return
    assert where.startswith(f"{room}/")
    assert not where.startswith(f"{room}/{access.PRIVATE}")


@pytest.mark.sweep
@given(name=names(), make=st.booleans())
@FEW
def test_nothing_outside_is_written(ground: Path, name: str, make: bool) -> None:
    path, before = name.format(room=ground / "room", top=ground), outside_of(ground)
    for write in (lambda: write_whole(path, b"written", make_folder=make), lambda: access.open_text(path, "x").close(),
                  lambda: access.open_text(path, "w").close(), lambda: access.make_folder(path)):
        try:
            write()
        except (BadInput, OSError):
            continue
    assert outside_of(ground) == before
    assert sorted(path.name for path in (ground / "room" / access.PRIVATE).iterdir()) == []


@given(name=names())
@FEW
def test_nothing_outside_is_listed(ground: Path, name: str) -> None:
    path = name.format(room=ground / "room", top=ground)
    try:
        listed = access.entries(path)
    except (BadInput, OSError):
        return
    assert {"roommate", "passwd", "outside"}.isdisjoint(each for each, _folder in listed)
    assert {"away", "secret", "etc", "zero", "root", "twice", "up", "new", access.PRIVATE}.isdisjoint(
        each for each, _folder in listed)


def test_a_refusal_does_not_reveal_existing_files(ground: Path) -> None:
    for there, missing in (("outside/file", "outside/none"), ("outside/in", "outside/on")):
        said = [next(read_path(ground / each)).sentence for each in (there, missing)]  # type: ignore[union-attr]
        assert said[0].replace(there, "") == said[1].replace(missing, "")
        assert not access.allows(ground / there)
        assert not access.allows(ground / missing)


def test_a_path_through_a_link_outside_does_not_reveal_the_link(ground: Path) -> None:
    (ground / "link").symlink_to("/")
    try:
        assert access.allows(f"{ground}/link/../room/file") == access.allows(f"{ground}/no-link/../room/file")
    finally:
        (ground / "link").unlink()


@pytest.mark.parametrize("swapped", ["in", "in/file"])
def test_a_link_swapped_in_after_the_check_is_not_followed(ground: Path, monkeypatch: pytest.MonkeyPatch,
                                                        swapped: str) -> None:
    looked, place = access._parts, ground / "room" / swapped
    aside = ground / "room" / "aside"

    def look_and_swap(path: access.AnyPath) -> tuple[str, ...]:
        found = looked(path)
        if not aside.exists():
            place.rename(aside)
            place.symlink_to(ground / "outside" / swapped if swapped == "in" else ground / "outside" / "file")
        return found

    monkeypatch.setattr(access, "checked", Path)
    monkeypatch.setattr(access, "_parts", look_and_swap)
    try:
        with pytest.raises(OSError, match=r"(Not a directory|Too many levels)"):
            access.open_file("in/file")
    finally:
        place.unlink()
        aside.rename(place)


def test_links_within_are_followed(ground: Path) -> None:
    assert access.read_bytes("alias") == access.read_bytes("inner/file") == b"of the kiosk"
    write_whole("inner/written", b"new")
    assert (ground / "room" / "in" / "written").read_bytes() == b"new"


def test_a_pipe_is_refused_without_waiting() -> None:
    with pytest.raises(OSError, match="no regular file"):
        access.open_file("pipe")


def test_a_file_that_has_another_name_outside_is_not_written(ground: Path) -> None:
    (ground / "room" / "double").hardlink_to(ground / "outside" / "file")
    try:
        with pytest.raises(OSError, match="several names"):
            access.open_text("double", "w")
        write_whole("double", b"mine")
    finally:
        (ground / "room" / "double").unlink()
    assert (ground / "outside" / "file").read_text() == SECRET


def test_a_file_that_has_two_names_is_read(ground: Path) -> None:
    (ground / "room" / "double").hardlink_to(ground / "room" / "file")
    try:
        assert access.read_bytes("double") == b"of the kiosk"
    finally:
        (ground / "room" / "double").unlink()


def test_a_new_file_has_the_usual_permissions(ground: Path) -> None:
    before = os.umask(0o022)
    try:
        access.open_text("made", "x").close()
        assert stat.S_IMODE((ground / "room" / "made").stat().st_mode) == 0o644
        os.umask(0)
        access.open_text("open", "x").close()
        assert stat.S_IMODE((ground / "room" / "open").stat().st_mode) == 0o666
    finally:
        os.umask(before)


def test_only_what_is_opened_in_the_directory_is_marked_as_checked() -> None:
    with access.folder("in"):
        assert access.is_checked()
    assert not access.is_checked()
    with access.folder("in"), access.folder("in/deep"):
        pass
    assert not access.is_checked()


def test_a_missing_folder_is_made_only_where_that_is_asked_for(ground: Path) -> None:
    with pytest.raises(FileNotFoundError), access.folder("in/none"):
        pass
    with pytest.raises(FileNotFoundError):
        access.open_text("in/none/file", "w")
    assert not (ground / "room" / "in" / "none").exists()
    with access.folder("in/none", make=True):
        assert (ground / "room" / "in" / "none").is_dir()


def test_the_directory_of_the_kiosk_is_known_while_there_is_one(ground: Path) -> None:
    assert access.kiosk() == ground / "room"
    (ground / "short").symlink_to("room")
    with access.restricted_to(ground / "short"):
        assert access.kiosk() == ground / "room"
    (ground / "short").unlink()


def test_a_directory_that_is_a_link_may_be_named_so(ground: Path) -> None:
    (ground / "short").symlink_to("room")
    try:
        with access.restricted_to(ground / "short"):
            assert access.read_bytes(ground / "short" / "file") == access.read_bytes(ground / "room" / "file")
            assert not access.allows(ground / "outside")
    finally:
        (ground / "short").unlink()


def test_it_stays_the_directory_that_it_was(ground: Path) -> None:
    """Renaming the directory does not put another one in its place."""
    (ground / "room").rename(ground / "moved")
    (ground / "room").symlink_to("outside")
    try:
        assert not access.allows(ground / "room" / "file") or access.read_bytes("file") != SECRET.encode()
    finally:
        (ground / "room").unlink()
        (ground / "moved").rename(ground / "room")


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors have names under Linux")
def test_no_descriptor_is_left_open() -> None:
    before = sorted(os.listdir("/proc/self/fd"))
    for name in ("file", "in/file", "in/none", "pipe", "away/file", "in/deep/x/y"):
        for use in (access.read_bytes, access.make_folder):
            try:
                use(name)
            except (BadInput, OSError):
                continue
    assert sorted(os.listdir("/proc/self/fd")) == before
