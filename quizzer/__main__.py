"""`python -m quizzer`."""

import sys

from quizzer.cli.main import program

sys.exit(program())
