"""`python -m quizzer`."""

import os
import sys

# Python looks in the current folder first, where a deck may hold a `typer.py`.
try:
    if not sys.flags.safe_path and sys.path[0] == os.getcwd():  # noqa: PTH109
        del sys.path[0]
except OSError:  # the folder is gone, and so not in the path
    pass

from quizzer.cli.main import program

sys.exit(program())
