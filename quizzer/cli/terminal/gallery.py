"""The pictures of a card on a terminal: numbered words with their paths."""

from collections.abc import Callable, Mapping
from pathlib import Path

FindImage = Callable[[str], Path | None]


class Gallery:
    """The pictures of a card, numbered as they are shown; shown again, one keeps its number."""

    def __init__(self, find: FindImage = lambda name: None) -> None:
        self._find = find
        self._paths: dict[str, Path | None] = {}
        self._numbers: dict[str, int] = {}

    def show(self, name: str) -> str:
        """What stands in the text for the picture."""
        if name not in self._paths:
            self._paths[name] = self._find(name)
            self._numbers[name] = len(self._paths)
        return f"[image {self._numbers[name]}: {self._paths[name] or name + ', not found'}]"

    @property
    def shown(self) -> Mapping[int, Path]:
        """The files of those shown so far that were found, by their numbers."""
        return {number: path for number, path in enumerate(self._paths.values(), 1) if path}
