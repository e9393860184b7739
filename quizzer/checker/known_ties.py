"""What posing gives whatever the seed is, kept by what the checker is: what it asks, and its ties.

To look for ties may take longer than all else. What is missing, damaged or of another program is
made again, and a folder that cannot be written only costs time. There is no NumPy here until
something is read: what was kept is found before.
"""

import hashlib
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from quizzer import files
from quizzer.checker.sheet import Described
from quizzer.checker.source import Source
from quizzer.sandbox.wire import WireError, first_frame, pack, unpack_foreign

if TYPE_CHECKING:
    from quizzer.checker.bounds import TieInstance
    from quizzer.checker.posed import Posed

_DIGEST = hashlib.sha256().digest_size
_MOST = 4 << 20  # bytes that are kept of one checker
_ROOMS = ("checker", "notation")
"""What decides what posing gives: the notation reads the formulas of a declared checker."""


T = TypeVar("T")


class Kept(Struct, frozen=True):
    """What was kept of a checker, still packed. It came from a process that runs a stranger's code,
    so that it may be unsound."""

    described: bytes
    tied: bytes

    def description(self) -> Described | None:
        """What the checker asks, if it can be read; there is no NumPy in it."""
        return _read(Described, self.described)

    def ties(self) -> "tuple[TieInstance, ...] | None":
        """The instances with ties, if they can be read."""
        from quizzer.checker.bounds import TieInstance

        return _read(tuple[TieInstance, ...], self.tied)


class KnownTies(Struct, frozen=True):
    """What is known of checkers; without a folder nothing is kept."""

    folder: Path | None = None

    def of(self, source: Source) -> Kept | None:
        """What was kept of a checker; None if nothing was."""
        if self.folder is None:
            return None
        with suppress(OSError, WireError):
            kept = files.read_own(self.folder / _key(source), _MOST)
            if hashlib.sha256(kept[_DIGEST:]).digest() == kept[:_DIGEST]:
                described = first_frame(kept[_DIGEST:])
                return Kept(described, kept[_DIGEST + len(described) :])
        return None

    def keep(self, source: Source, posed: "Posed") -> None:
        """Keep what another seed would give, too, unless there was no time for all of it."""
        if self.folder is None or not posed.is_complete:
            return
        with suppress(OSError, WireError):
            packed = pack(posed.described) + pack(posed.tied)
            kept = hashlib.sha256(packed).digest() + packed
            if len(kept) <= _MOST:
                files.write_private(self.folder / _key(source), kept, durable=False)


def _read(kind: type[T], frame: bytes) -> T | None:
    with suppress(WireError):
        return unpack_foreign(kind, frame)
    return None


def _key(source: Source) -> str:
    text = f"{sys.implementation.cache_tag} {_revision()}\n{source}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


@cache
def _revision() -> str:
    """A digest of the program's files that decide what posing gives, by sizes and times."""
    package = Path(__file__).parents[1]
    found = sorted(file for room in _ROOMS for file in (package / room).rglob("*.py"))
    told = [(file.name, stat.st_size, stat.st_mtime_ns) for file in found for stat in [file.stat()]]
    return hashlib.sha256(repr(told).encode()).hexdigest()
