"""Landlock: the kernel restricts files, TCP ports and signals (Linux 5.13 and newer).

A process that restricts itself without naming a path can no longer open anything; descriptors that
are already open keep working. https://docs.kernel.org/userspace-api/landlock.html
"""

import ctypes
import os
import struct
import sys

from quizzer.sandbox.kernel import system_call

TCP_SINCE, SIGNALS_SINCE = 4, 6
"""The versions of Landlock that first keep a process from TCP, and from signalling others."""

_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_ASK_VERSION = 1
_FILE_RIGHTS = {1: 0x1FFF, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # added by that version
_TCP_RIGHTS = 0b11  # bind, connect
_SCOPES = 0b11  # abstract sockets, signals


def version() -> int:
    """The version of Landlock in this kernel; 0 where it is missing or switched off."""
    if sys.platform != "linux":
        return 0
    try:
        return system_call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(_ASK_VERSION))
    except OSError:
        return 0


def restrict(found: int) -> None:
    """Take every right that version `found` knows from this process, for good.

    Needs `no_new_privs`. Raises OSError where the kernel refuses.
    """
    files = sum(rights for since, rights in _FILE_RIGHTS.items() if found >= since)
    tcp = _TCP_RIGHTS if found >= TCP_SINCE else 0
    scopes = _SCOPES if found >= SIGNALS_SINCE else 0
    rights = struct.pack("=QQQ", files, tcp, scopes)
    ruleset = system_call(_CREATE_RULESET, rights, ctypes.c_size_t(len(rights)), ctypes.c_uint(0))
    try:
        system_call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0))
    finally:
        os.close(ruleset)
