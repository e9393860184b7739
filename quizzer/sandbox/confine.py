"""The walls around a process that runs a card's code or an answer, as far as there are any."""

import ctypes
import os
import sys
from pathlib import Path

MEMORY = 512 << 20
"""Bytes that a stage may take beyond what the process holds when it is confined."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
_SIGKILL = 9


def confine(seconds: float) -> None:
    """Limit this process for good: processor time, memory, no files, no core, no new privileges.

    To be called after NumPy has been imported and has multiplied: OpenBLAS takes its buffers then
    and ends the process without a word when it cannot.
    """
    if sys.platform == "linux":
        _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
        _prctl(_PR_SET_DUMPABLE, 0)
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if sys.platform != "win32":
        _limit(seconds)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parents end, so that none can slip away."""
    if sys.platform == "linux":
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def children() -> list[int]:
    """The process ids of all present children of this process (Linux; empty elsewhere)."""
    try:
        listing = Path("/proc/thread-self/children").read_text("ascii")
        return [int(pid) for pid in listing.split()]
    except (OSError, ValueError):
        return []


def _limit(seconds: float) -> None:
    import resource

    cpu = int(seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    limits = [
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ]
    if sys.platform == "linux":
        limits.append((resource.RLIMIT_AS, _address_space() + MEMORY))
    for which, value in limits:
        _, hard = resource.getrlimit(which)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (bound, bound))


def _address_space() -> int:
    pages = Path("/proc/self/statm").read_text("ascii").split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), f"prctl {option} was refused")
