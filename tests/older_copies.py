"""Daily copies as older versions made them: the bytes in which they differ from a whole one."""

import zlib
from pathlib import Path

from quizzer.store.changes import _HEAD, _LAST, _MARK, _SUMS, _hash

STEP = 128


def write(new: bytes, old: bytes, target: Path) -> None:
    """Write what turns the old file into the new one."""
    steps = range(0, len(new), STEP)
    changed = [at for at in steps if new[at : at + STEP] != old[at : at + STEP]]
    pieces = [piece(at, new[at : at + STEP]) for at in changed]
    sums = _SUMS.pack(len(pieces), len(new), zlib.crc32(new))
    target.write_bytes(b"".join(pieces) + piece(_LAST, sums))


def piece(place: int, content: bytes) -> bytes:
    return _HEAD.pack(_MARK, place, len(content), _hash(place, content)) + content
