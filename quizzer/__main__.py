"""`python -m quizzer`."""

import sys

if not sys.flags.safe_path:
    # Python looks in the current folder first, where a deck may hold a `typer.py`.
    del sys.path[0]

from quizzer.cli.main import program

sys.exit(program())
