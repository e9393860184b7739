"""The server of the browser's pages as a process of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=\S+")


@contextmanager
def serving(*argv: object) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """The server as a process, the address that it prints, and its port."""
    command = [sys.executable, "-m", "quizzer", "serve", "--no-open", *map(str, argv)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        try:
            assert process.stdout
            address = process.stdout.readline().strip()
            found = ADDRESS.fullmatch(address)
            assert found, (address, process.stderr and process.stderr.read())
            yield process, address, int(found[1])
        finally:
            process.kill()
