"""Processes as Linux shows them."""

import time
from collections.abc import Iterator
from pathlib import Path


def is_running(pid: int) -> bool:
    """Whether a process is there, and not only waits for its parent to notice its end."""
    fields = _fields(pid)
    return bool(fields) and fields[0] != "Z"


def is_gone_soon(pid: int) -> bool:
    for _ in range(500):
        if not is_running(pid):
            return True
        time.sleep(0.02)
    return False


def is_computing(pid: int) -> bool:
    """Whether a process has used a fifth of a second of processor time."""
    fields = _fields(pid)
    return bool(fields) and int(fields[11]) > 20


def children(pid: int) -> list[int]:
    """The processes that this one's first thread has begun."""
    return _begun_by(Path(f"/proc/{pid}/task/{pid}"))


def descendants(pid: int) -> Iterator[int]:
    """The processes below this one, whichever thread began them."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in _begun_by(task):
            yield child
            yield from descendants(child)


def _begun_by(task: Path) -> list[int]:
    try:
        return [int(child) for child in (task / "children").read_text().split()]
    except OSError:  # it has ended meanwhile
        return []


def _fields(pid: int) -> list[str]:
    """What its `stat` says after the name; nothing once it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []
