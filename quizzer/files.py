"""Files of the user's and of strangers: which are opened, how much is read, who may read ours.

What is called `card.md` may be a pipe that nobody writes to, a device without an end, or a link to
itself. So only regular files are opened, only so many bytes are read, and whatever stands in the
way is an `OSError` whose `strerror` can be shown.
"""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

SMALL = 1 << 20
"""Bytes of the largest text that somebody may have written by hand."""

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


def read(path: Path, most: int = SMALL) -> bytes:
    """All bytes of a regular file that holds at most so many. Raises OSError."""
    with opened(path) as file:
        return _all_of(file, path, most)


def read_text(path: Path, most: int = SMALL) -> str:
    """The same as text without a byte order mark. Raises OSError, UnicodeDecodeError."""
    return read(path, most).decode("utf-8-sig")


def read_own(path: Path, most: int = SMALL) -> bytes:
    """The same of a file that nobody but its owner, who runs this, can have written."""
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


def write_private(path: Path, data: bytes) -> None:
    """Replace a file as a whole by one that only its owner may read. Raises OSError."""
    make_folder(path.parent)
    descriptor, name = tempfile.mkstemp(".tmp", f".{path.name}-", path.parent)
    beside = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        beside.chmod(0o600)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _all_of(file: BinaryIO, path: Path, most: int) -> bytes:
    size = os.fstat(file.fileno()).st_size
    data = file.read(most + 1) if size <= most else b""
    size = max(size, len(data))
    if size > most:
        said = f"it holds {_megabytes(size)}, more than the {_megabytes(most)} that are read"
        raise _refused(TooLargeError, errno.EFBIG, said, path)
    return data


def _refused(kind: type[OSError], number: int, said: str, path: Path) -> OSError:
    return kind(number, said, str(path))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.3g} KB"
