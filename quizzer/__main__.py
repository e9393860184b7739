"""`python -m quizzer`."""

import sys

from quizzer.cli.main import main

sys.exit(main())
