"""Atomic writing: no reader sees part of a file, and the renaming is on the disk as well."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from engine.errors import BadInput
from engine.files import atomic
from engine.files.access import restricted_to
from engine.files.atomic import write_whole, written_whole


def test_threads_that_write_one_file_do_not_mix(tmp_path: Path) -> None:
    path, torn = tmp_path / "one", []
    contents = [bytes([letter]) * 100_000 for letter in b"abcd"]
    write_whole(path, contents[0])
    done = threading.Event()

    def write(content: bytes) -> None:
        for _ in range(20):
            write_whole(path, content, synced=False)

    def read() -> None:
        while not done.is_set():
            if path.read_bytes() not in contents:
                torn.append(True)

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(content,)) for content in contents]
    for each in (reader, *writers):
        each.start()
    for each in writers:
        each.join()
    done.set()
    reader.join()
    assert not torn
    assert [each.name for each in tmp_path.iterdir()] == ["one"]


def test_two_hosts_with_the_same_process_id_use_different_temporary_files(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1)
    with written_whole(tmp_path / "one") as first, written_whole(tmp_path / "one") as second:
        assert len([*tmp_path.iterdir()]) == 2
        first.write(b"first")
        second.write(b"second")
    assert (tmp_path / "one").read_bytes() == b"first"  # it was closed last


@pytest.mark.parametrize("kiosk", [False, True])
def test_the_folder_is_synced_after_the_renaming(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kiosk: bool) -> None:
    synced = []

    def fsync(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), (tmp_path / "one").exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    if kiosk:
        with restricted_to(tmp_path):
            write_whole(tmp_path / "one", b"1")
    else:
        write_whole(tmp_path / "one", b"1")
    assert synced == [(False, False), (True, True)]
    synced.clear()
    write_whole(tmp_path / "one", b"2", synced=False)
    assert synced == []


def test_a_folder_that_cannot_be_synced_is_no_reason_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    write_whole(tmp_path / "one", b"1")
    assert (tmp_path / "one").read_bytes() == b"1"


def test_an_exception_leaves_the_file_and_no_temporary_one(tmp_path: Path) -> None:
    write_whole(tmp_path / "one", b"old")

    def fail() -> None:
        with written_whole(tmp_path / "one") as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [each.name for each in tmp_path.iterdir()] == ["one"]
    assert (tmp_path / "one").read_bytes() == b"old"


def test_a_link_in_the_place_of_the_temporary_file_is_not_followed(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic.secrets, "token_hex", lambda length: "0" * length)
    (tmp_path / ".one.000000").symlink_to(tmp_path / "victim")
    with pytest.raises(BadInput, match="cannot write"):
        write_whole(tmp_path / "one", b"1")
    assert not (tmp_path / "victim").exists()
