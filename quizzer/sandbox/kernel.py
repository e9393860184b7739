"""The two doors to the Linux kernel that Python does not open by itself: `prctl` and raw calls."""

import ctypes
import os
from functools import cache
from typing import Any


def prctl(option: int, value: int, argument: Any = 0) -> int:
    """What the kernel returns for this option of the process; raises OSError where it refuses."""
    return _checked(_libc().prctl(option, value, argument, 0, 0), f"prctl {option}")


def system_call(number: int, *arguments: Any) -> int:
    """What the kernel returns for a system call of three arguments at most; raises OSError."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments), f"system call {number}")


@cache
def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.restype = ctypes.c_int
    libc.syscall.restype = ctypes.c_long
    return libc


def _checked(returned: int, what: str) -> int:
    if returned < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return returned
