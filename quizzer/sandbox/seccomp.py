"""seccomp: a list of the system calls that a process may still make; all others fail with EPERM.

The list holds what computing needs: memory, time, reading and writing what is open, ending. It
has no way to open, connect, start or signal anything (but oneself). Numbers of system calls
differ between processors; only those of x86-64 are known here, elsewhere there is no seccomp.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from functools import cache

from quizzer.sandbox.kernel import prctl, system_call

_X86_64 = 0xC000003E
_ALLOWED = {
    "mmap": 9, "munmap": 11, "brk": 12, "write": 1, "read": 0, "futex": 202,
    "mremap": 25, "mprotect": 10, "madvise": 28, "rt_sigaction": 13, "rt_sigprocmask": 14,
    "rt_sigreturn": 15, "sigaltstack": 131, "restart_syscall": 219, "close": 3, "fstat": 5,
    "lseek": 8, "getpid": 39, "getppid": 110, "gettid": 186, "getuid": 102, "geteuid": 107,
    "getgid": 104, "getegid": 108, "getcwd": 79, "sched_yield": 24, "sched_getaffinity": 204,
    "clock_gettime": 228, "clock_getres": 229, "gettimeofday": 96, "times": 100, "getrusage": 98,
    "nanosleep": 35, "clock_nanosleep": 230, "getrandom": 318, "rseq": 334,
    "exit": 60, "exit_group": 231,
}  # fmt: skip
_TO_ITSELF = {"kill": 62, "tgkill": 234}
"""Allowed with the process's own id as first argument: `abort` and the like."""

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_SECCOMP_CALL, _ASK_ACTION = 317, 2
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06  # classic BPF: a word of the call, a comparison, the end
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16  # where they lie in struct seccomp_data


def missing() -> str | None:
    """Why this system has no seccomp; None where it has."""
    if sys.platform != "linux":
        return "only Linux has it"
    if platform.machine() != "x86_64" or sys.maxsize < 2**32:
        return f"its list is not known for {platform.machine()}"
    try:
        action = struct.pack("=I", _REFUSE & 0xFFFF0000)
        system_call(_SECCOMP_CALL, ctypes.c_uint(_ASK_ACTION), ctypes.c_uint(0), action)
    except OSError as error:
        return f"the kernel does not offer it ({os.strerror(error.errno or 0)})"
    return None


def restrict() -> None:
    """Leave this process only that list, for good. Needs `no_new_privs`; raises OSError."""
    program = ctypes.create_string_buffer(_program(os.getpid()))
    count = len(program.raw) // 8
    header = struct.pack("=HxxxxxxQ", count, ctypes.addressof(program))
    prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.c_char_p(header))


@cache
def _allowing() -> bytes:
    """The part of the program that is the same for every process."""
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _X86_64),  # on a match, over the next step
        (_RETURN, 0, 0, _KILL),  # a call with the numbers of another architecture
        (_LOAD, 0, 0, _NUMBER),
    ]
    for number in _ALLOWED.values():
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    return _assembled(steps)


def _program(pid: int) -> bytes:
    kill, tgkill = _TO_ITSELF.values()
    return _allowing() + _assembled(
        [
            (_EQUAL, 1, 0, kill),
            (_EQUAL, 0, 3, tgkill),
            (_LOAD, 0, 0, _FIRST_ARGUMENT),  # its lower half: the kernel reads no more of a pid
            (_EQUAL, 0, 1, pid),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _REFUSE),
        ]
    )


def _assembled(steps: list[tuple[int, int, int, int]]) -> bytes:
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
