"""Confining a process that runs a card's code or an answer.

Each protection is used where the platform has it. One that the kernel refuses is an error: a
process that could not be confined must not go on. `protection` lists those of this system.
"""

import os
import signal
import sys
from functools import cache
from pathlib import Path

from quizzer.sandbox import landlock, seccomp
from quizzer.sandbox.kernel import prctl

LIMITS = True
"""Whether the system knows limits for a process."""
try:
    import resource
except ImportError:  # Windows
    LIMITS = False

MEMORY = 512 << 20
"""Bytes that a message may take beyond what the process holds when it is confined."""
NOBODY = 65534
"""The user and the group that a process becomes where the program runs as root."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
_CAPABILITIES = 1 << 6 | 1 << 7  # CAP_SETGID, CAP_SETUID
_SIGKILL = 9


def enclosed() -> bool:
    """Whether this system has a sandbox: code in it can reach no file, network or process.

    Only seccomp closes all ways out. Landlock alone leaves sockets open, and with them every
    service that listens on one.
    """
    return seccomp.missing() is None


def step_down(parent: int) -> None:
    """Give up what a process inherits: root's rights, gaining new ones, debuggers, and outliving
    its parent, whose process id is `parent`.
    """
    if sys.platform != "linux":
        return
    become_nobody()
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    prctl(_PR_SET_DUMPABLE, 0)
    prctl(_PR_SET_PDEATHSIG, _SIGKILL)  # after the change of user, which would clear it
    if os.getppid() != parent:
        os._exit(1)  # it ended before it could be watched


def confine(seconds: float) -> None:
    """Confine this process for good: processor time, memory, files, processes, network.

    Call it after NumPy has been imported and has multiplied: OpenBLAS takes its buffers then, and
    ends the process without a message when it cannot.
    """
    limit(seconds)
    if version := landlock.version():
        landlock.restrict(version)
    if seccomp.missing() is None:
        seccomp.restrict()


def become_nobody() -> None:
    """Stop being root: limits on the number of processes hold for other users only."""
    if not may_become_nobody():
        return
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


@cache
def may_become_nobody() -> bool:
    """Whether we are root and may become another user; in some containers root may not.

    Looked up once, for forked processes too: it takes longer than the answer to most messages.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    try:
        status = Path("/proc/self/status").read_text("utf-8")
        held = int(status.partition("CapEff:")[2].split()[0], 16)
        maps = [Path(f"/proc/self/{name}").read_text("ascii") for name in ("uid_map", "gid_map")]
        known = all(any(map(_holds_nobody, ids.splitlines())) for ids in maps)
    except (OSError, ValueError, IndexError):
        return False
    return known and held & _CAPABILITIES == _CAPABILITIES


def limit(seconds: float) -> None:
    """Set the limits of POSIX: time, memory, no written file, no core, no further process."""
    if not LIMITS:
        return
    # This ends the process; if the signal is ignored, the limit below does.
    signal.setitimer(signal.ITIMER_PROF, seconds)
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


def hide_from_debuggers() -> None:
    """Let no process of the same user look into this one or change it."""
    if sys.platform == "linux":
        prctl(_PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that none escapes."""
    if sys.platform == "linux":
        prctl(_PR_SET_CHILD_SUBREAPER, 1)


def children() -> set[int]:
    """The process ids of all present children of this process (Linux; empty elsewhere)."""
    try:
        listing = Path("/proc/thread-self/children").read_text("ascii")
        return {int(pid) for pid in listing.split()}
    except (OSError, ValueError):
        return set()


def _holds_nobody(line: str) -> bool:
    """Whether a line of a map of ids, which is first id, first outside, count, has `NOBODY`."""
    first, _, count = map(int, line.split())
    return first <= NOBODY < first + count


def _address_space() -> int:
    pages = Path("/proc/self/statm").read_text("ascii").split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
