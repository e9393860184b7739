"""A checker's source, Python or declared, opened.

Runs only inside a sandboxed process: Python source is executed.
"""

from quizzer.checker.load import Checker, load
from quizzer.checker.source import Declared, Source


def opened(source: Source) -> Checker:
    """The checker of a source; raises CheckerError."""
    if isinstance(source, Declared):
        from quizzer.checker.declared.build import build

        return build(source)
    return load(source)
