"""A checker's source, as it travels to the sandbox."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Declared:
    """The text of a declared checker, and the number of its first line in its file."""

    text: str
    line: int = 1


Source = str | Declared
"""The source of a Python module, or the text of a declared checker."""
