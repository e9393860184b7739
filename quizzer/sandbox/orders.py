"""What both sides of the process boundary agree on, besides the frames themselves."""

import struct

RUN = struct.Struct("<d16s")
"""Asks for a child, with its time limit in seconds and the kind of its message; three descriptors
come with it: request, reply and output."""
EXPECT = b"expect"
"""Children that wait, from now on, answer the message in the one descriptor to warm up, too."""
LEFT = b"left"
"""The reply is complete: let the child end by itself for a moment, then say how it ended."""
KILL = b"kill"
STATUS = struct.Struct("<i")
"""The answer to each order: 0 when a child has the message, or its exit code."""
_SIGXCPU, _SIGPROF = 24, 27  # the names are not there on every platform
OUT_OF_TIME = (None, -_SIGXCPU, -_SIGPROF)
"""The exit codes of a process whose time is up: killed by us, or out of processor time."""
NOT_WARM = 75
"""The exit code of a child that needed what its warm process has not imported yet."""

MAX_HEADER = 4 << 20
MAX_BODY = 64 << 20
MAX_FRAME = 8 + MAX_HEADER + MAX_BODY
"""Bytes of the largest frame, and of the text and the arrays in it."""
