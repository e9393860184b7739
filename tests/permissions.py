"""Permissions bind root too: without two capabilities it is treated as the owner of its files.

To become another user would not do: he may not be able to enter the folder of this checkout, or of
Python, and the program imports as it goes.
"""

import ctypes
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_SYS_CAPGET, _SYS_CAPSET = {"x86_64": (125, 126), "aarch64": (90, 91)}.get(
    os.uname().machine, (0, 0)
)
_PR_GET_SECUREBITS, _PR_SET_SECUREBITS, _NO_SETUID_FIXUP = 27, 28, 1 << 2
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1 << 1, 1 << 2


@contextmanager
def binding() -> Iterator[None]:
    """In this thread nothing may be read or written against its permissions."""
    if os.geteuid():
        yield
        return
    if not _SYS_CAPGET:
        pytest.skip("permissions do not bind root here")
    libc = ctypes.CDLL(None, use_errno=True)
    bits = libc.prctl(_PR_GET_SECUREBITS, 0, 0, 0, 0)
    before = _capabilities(libc)
    effective, *others = before
    # Else access(2) would answer for all that root may.
    if libc.prctl(_PR_SET_SECUREBITS, bits | _NO_SETUID_FIXUP, 0, 0, 0):
        pytest.skip("permissions bind root only where it may give up its rights")
    _set(libc, (effective & ~(_DAC_OVERRIDE | _DAC_READ_SEARCH), *others))
    try:
        yield
    finally:
        _set(libc, before)
        libc.prctl(_PR_SET_SECUREBITS, bits, 0, 0, 0)


def _capabilities(libc: ctypes.CDLL) -> tuple[int, ...]:
    """Effective, permitted, inheritable; first the lower 32 of them, then the upper."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    held = ctypes.create_string_buffer(24)
    assert libc.syscall(_SYS_CAPGET, header, held) == 0
    return struct.unpack("=6I", held.raw)


def _set(libc: ctypes.CDLL, capabilities: tuple[int, ...]) -> None:
    header = ctypes.create_string_buffer(struct.pack("=Ii", 0x20080522, 0))
    held = ctypes.create_string_buffer(struct.pack("=6I", *capabilities))
    assert libc.syscall(_SYS_CAPSET, header, held) == 0, os.strerror(ctypes.get_errno())
