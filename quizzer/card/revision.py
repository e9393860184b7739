"""What reads cards, so that what was kept of them is known to be as this program would read it."""

import hashlib
from functools import cache
from pathlib import Path

import msgspec

_ROOMS = ("card", "deck", "tex")


@cache
def revision() -> str:
    """A digest of what reads cards, by sizes and times: another version of a file, or one edited
    in a checkout, may read them otherwise, and so may another version of a library, whose update
    changes the folder that libraries are in."""
    told = [
        (file.name, stat.st_size, stat.st_mtime_ns)
        for file in [*files(), Path(msgspec.__file__).parents[1]]
        for stat in [file.stat()]
    ]
    return hashlib.sha256(repr(told).encode()).hexdigest()


def files() -> list[Path]:
    """The program's files that decide what a card says."""
    rooms = Path(__file__).parents[1]
    found = sorted(file for room in _ROOMS for file in (rooms / room).glob("*.py"))
    return [*found, rooms / "text.py"]  # which cleans what is read
