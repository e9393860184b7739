"""What can be wrong with a file to import, and how much of one is read."""

LARGEST = 1_000_000_000
"""Bytes of a file that are read, or unpacked: some packages are made to fill a disk."""


class ImportFileError(ValueError):
    """A file that cannot be imported; the message says what is wrong with it."""


class UnusableFileError(ImportFileError):
    """A database that cannot be used: damaged, another program's, or a newer quizzer's."""
