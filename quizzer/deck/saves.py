"""Noticing that files of a deck were saved, by looking at them again and again."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from quizzer.deck.walk import walk

AWAY = 5
"""Looks at which a file may be missing, because its editor is just replacing it."""

Seen = dict[Path, tuple[int, int]]
"""Files with their sizes and the times of their last change (ns)."""


class Saves:
    """The cards, checkers and macros in some folders, or those of single cards."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._known = self._last = _seen(roots)
        self._away = 0

    def look(self) -> frozenset[Path]:
        """The files that were saved, added or removed, once nothing changes any longer."""
        now = _seen(self._roots)
        is_settled = now == self._last
        self._last = now
        self._away = self._away + 1 if self._known.keys() - now.keys() else 0
        if not is_settled or 0 < self._away < AWAY:
            return frozenset()
        files = now.keys() | self._known.keys()
        saved = frozenset(file for file in files if now.get(file) != self._known.get(file))
        self._known = now
        return saved

    def again(self, files: Iterable[Path]) -> None:
        """Report these files once more, as soon as they are there."""
        for file in files:
            self._known.pop(file, None)


def _seen(roots: Sequence[Path]) -> Seen:
    walked = walk(roots)
    files = [file.path for file in walked.files]
    files += [file.checker for file in walked.files if file.checker]
    files += [folder / "macros.tex" for folder in walked.folders]
    seen = {}
    for file in files:
        with suppress(OSError):
            status = file.stat()
            seen[file] = status.st_size, status.st_mtime_ns
    return seen
