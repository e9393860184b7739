"""Only regular files are opened, only so much of them is read, and ours are for us alone."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quizzer import files

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="no pipes with names")


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    """Whoever waits for a pipe is ended."""
    signal.alarm(120)
    yield
    signal.alarm(0)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path)


def nowhere(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(path.parent)  # the path of a socket must be short
        listening.bind(path.name)
        os.chdir(here)


@posix_only
@pytest.mark.parametrize("make", [pipe, device, terminal, folder, loop, nowhere, bound])
def test_what_is_no_regular_file_is_refused_at_once(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "file")
    for read in (files.read, files.read_text, files.read_own):
        with pytest.raises(OSError) as refused:
            read(tmp_path / "file")
        assert refused.value.strerror
        assert refused.value.filename == str(tmp_path / "file")


@pytest.mark.parametrize("name", ["nul\0inside", "half\ud800character"])
def test_a_name_that_no_file_can_have_is_an_os_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError):
        files.read(tmp_path / name)


def test_a_file_may_hold_the_limit_and_no_byte_more(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert files.read(file, 5) == b"12345"
    with pytest.raises(files.TooLargeError) as refused:
        files.read(file, 4)
    assert "more than" in str(refused.value.strerror)


def test_of_a_huge_file_only_the_limit_is_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as sparse:
        sparse.truncate(1 << 40)
    with pytest.raises(files.TooLargeError):
        files.read(file)


def test_a_link_to_a_regular_file_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert files.read(tmp_path / "link") == b"text"


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xef\xbb\xbftext")
    assert files.read_text(tmp_path / "file") == "text"


@posix_only
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_our_own(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "file"
    files.write_private(file, b"mine")
    assert files.read_own(file) == b"mine"
    file.chmod(mode)
    with pytest.raises(PermissionError):
        files.read_own(file)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root gives files away")
def test_a_file_of_somebody_else_is_not_our_own(tmp_path: Path) -> None:
    files.write_private(tmp_path / "file", b"mine")
    os.chown(tmp_path / "file", 65534, 65534)
    with pytest.raises(PermissionError):
        files.read_own(tmp_path / "file")


@posix_only
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_what_is_written_is_for_its_owner_alone_under_any_umask(tmp_path: Path, umask: int) -> None:
    file = tmp_path / "a" / "b" / "file"
    before = os.umask(umask)
    try:
        files.write_private(file, b"one")
        files.write_private(file, b"two")
    finally:
        os.umask(before)
    assert file.read_bytes() == b"two"
    assert file.stat().st_mode & 0o777 == 0o600
    for made in (tmp_path / "a", tmp_path / "a" / "b"):
        assert made.stat().st_mode & 0o777 == 0o700
    assert list(file.parent.iterdir()) == [file]


def test_what_cannot_be_replaced_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(OSError):
        files.write_private(tmp_path / "file", b"one")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
