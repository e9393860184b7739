"""How files are read and written: which are opened, how much is read, who may read ours.

What is called `card.md` may be a pipe that nobody writes to, a device without an end, or a link to
itself. So only regular files are opened, only so many bytes are read, and whatever stands in the
way is an `OSError` whose `strerror` can be shown.

What is written appears whole or not at all: it is written beside its place and then gets its name.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

SMALL = 1 << 20
"""Bytes of the largest text that somebody may have written by hand."""
PRIVATE = 0o600
Data = bytes | Iterable[bytes | memoryview]
"""All that a file is to hold, or its parts as they come."""

_PARTIAL = re.compile(r".*\.\d+\.partial(-journal)?", re.DOTALL)
_STALE = 3600.0
"""Seconds after which nobody writes to a half-written file any more."""

_HOW = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOINHERIT", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe is opened at once, and then refused
    | getattr(os, "O_NOCTTY", 0)
)


class NotAFileError(OSError):
    """A folder, a pipe or a device stands where a file is wanted."""


class TooLargeError(OSError):
    """The file holds more than is read of such a one."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file, open for reading its bytes. Raises OSError for all that is no regular file."""
    try:
        descriptor = os.open(path, _HOW)
    except ValueError as error:  # a NUL, or half a character
        said = "its name holds a character that no name may"
        raise _refused(OSError, errno.EINVAL, said, path) from error
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind):
        os.close(descriptor)
        what = "a folder" if stat.S_ISDIR(kind) else "a pipe or a device"
        raise _refused(NotAFileError, errno.EINVAL, f"it is {what}, not a file", path)
    with os.fdopen(descriptor, "rb") as file:
        yield file


@contextmanager
def mapped(path: Path, most: int | None = None) -> Iterator[mmap | bytes]:
    """All bytes of a regular file, of at most `most`, which take no memory until they are used.

    Raises OSError.
    """
    with opened(path) as file:
        # Closed once nothing refers to it: earlier, a search that was interrupted would object.
        length = os.fstat(file.fileno()).st_size
        if most is not None:
            _see_size(length, path, most)
        yield mmap(file.fileno(), 0, access=ACCESS_READ) if length else b""


def read(path: Path, most: int = SMALL) -> bytes:
    """All bytes of a regular file that holds at most so many. Raises OSError."""
    with opened(path) as file:
        return _all_of(file, path, most)


def beginning(path: Path, count: int, most: int) -> bytes:
    """So many bytes of a regular file that holds at most `most`. Raises OSError."""
    with opened(path) as file:
        _see_size(os.fstat(file.fileno()).st_size, path, most)
        return file.read(count)


def read_text(path: Path, most: int = SMALL) -> str:
    """The same as text without a byte order mark. Raises OSError, UnicodeDecodeError."""
    return read(path, most).decode("utf-8-sig")


def read_own(path: Path, most: int = SMALL) -> bytes:
    """The same of a file that only its owner, who runs this, can have written."""
    with opened(path) as file:
        status = os.fstat(file.fileno())
        if hasattr(os, "geteuid") and (
            status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        ):
            raise _refused(PermissionError, errno.EPERM, "somebody else may have written it", path)
        return _all_of(file, path, most)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for its owner alone. Raises OSError."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir(mode=0o700)
            each.chmod(0o700)  # a umask may have taken more away


def write_private(path: Path, data: Data, *, durable: bool = True) -> None:
    """Replace a file as a whole by one that only its owner may read. Raises OSError.

    It is on the disk when this returns, unless it need not be `durable`, as a cache.
    """
    make_folder(path.parent)
    with partial_of(path) as partial:
        _fill(partial, data, durable)
        partial.replace(path)
        if durable:
            flush(path.parent)


def write_new(path: Path, data: Data) -> None:
    """Write a file that is not there yet, for its owner alone; its parts as they come.

    Raises OSError, FileExistsError among them.
    """
    with partial_of(path) as partial:
        _fill(partial, data)
        put_in_place(partial, path)


def replace(path: Path, data: bytes) -> None:
    """Replace what a file of the user's holds, or make it; its mode stays. Raises OSError."""
    make_folder(path.parent)
    with partial_of(path) as partial:
        _fill(partial, data)
        if path.exists():
            path.open("ab").close()  # what may not be written is not replaced either
            partial.chmod(path.stat().st_mode & 0o777)
        partial.replace(path)
        flush(path.parent)


@contextmanager
def partial_of(target: Path) -> Iterator[Path]:
    """An empty file to be written before it gets its name; removed in the end, with its journal.

    What killed processes left half written for the same name is removed first. Raises OSError.
    """
    clear_partials(target.parent, target.name)
    partial = target.with_name(f"{target.name}.{int.from_bytes(os.urandom(6))}.partial")
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
    try:
        partial.chmod(PRIVATE)  # a umask may have taken more away
        yield partial
    finally:
        for left in (partial, partial.with_name(f"{partial.name}-journal")):
            with suppress(OSError):
                left.unlink(missing_ok=True)


def clear_partials(folder: Path, beginning: str, *, older: float = _STALE) -> None:
    """Remove the half-written files whose names begin so and that are so many seconds old."""
    with suppress(OSError):
        for file in folder.iterdir():
            rest = file.name.removeprefix(beginning)
            if file.name.startswith(beginning) and _PARTIAL.fullmatch(rest):
                with suppress(OSError):
                    if time.time() - file.stat().st_mtime >= older:
                        file.unlink()


def put_in_place(finished: Path, target: Path) -> None:
    """Give a finished file its name. Raises FileExistsError if another file has it by now."""
    try:
        os.link(finished, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without a second name for a file
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        finished.replace(target)
    finished.unlink(missing_ok=True)
    flush(target.parent)


def flush(folder: Path) -> None:
    """Bring a new name to the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _fill(file: Path, data: Data, durable: bool = True) -> None:
    with file.open("wb") as out:
        out.writelines([data] if isinstance(data, bytes) else data)
        if durable:
            out.flush()
            os.fsync(out.fileno())


def _all_of(file: BinaryIO, path: Path, most: int) -> bytes:
    _see_size(os.fstat(file.fileno()).st_size, path, most)
    data = file.read(most + 1)
    _see_size(len(data), path, most)
    return data


def _see_size(size: int, path: Path, most: int) -> None:
    """Raise TooLargeError for a file of which not so much is read."""
    if size > most:
        said = f"it holds {_megabytes(size)}, more than the {_megabytes(most)} that are read"
        raise _refused(TooLargeError, errno.EFBIG, said, path)


def _refused(kind: type[OSError], number: int, said: str, path: Path) -> OSError:
    return kind(number, said, str(path))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.3g} KB"
