"""The forms that each card can have, as `check` last found them; kept in the cache folder."""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from quizzer import files
from quizzer.app.workspace import Workspace
from quizzer.card import Card
from quizzer.deck import Deck, Entry
from quizzer.plan.forms import may_have_forms
from quizzer.values import Form

FILE = "forms.json"
MOST_BYTES = 64_000_000
VERSION = 1
"""Of the rules by which forms are made: what was found by others does not count."""

Stamps = list[list[int]]


class KnownForms:
    """What was found of cards that have not changed since."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def of(self, entry: Entry) -> tuple[Form, ...] | None:
        """The forms that a card can have; None where its lines have not been proven yet."""
        if not may_have_forms(entry):
            return (Form.BLANK,)
        known = self._kept.get(str(entry.path))
        if not isinstance(known, list) or len(known) != 2 or known[0] != _stamps(entry):
            return None
        try:
            return tuple(map(Form, known[1]))
        except (ValueError, TypeError):
            return None

    def find(self, deck: Deck, entries: Sequence[Entry]) -> dict[str, tuple[Form, ...]]:
        """The forms of these cards by their ids; lines that are not proven yet are proven."""
        unknown = [entry for entry in entries if self.of(entry) is None]
        cards: list[tuple[Entry, Path, Card]] = [
            (entry, entry.checker, card)
            for entry in unknown
            if entry.checker and (card := deck.read(entry).card)
        ]
        if cards:
            self._prove(cards)
        return {entry.id: self.of(entry) or (Form.BLANK,) for entry in entries}

    def _prove(self, cards: list[tuple[Entry, Path, Card]]) -> None:
        from quizzer.form.known import forms_of_all

        stamps = [_stamps(entry) for entry, _, _ in cards]
        with self._workspace.report.progress("working out forms") as step:
            beside = [(checker, card) for _, checker, card in cards]
            found = forms_of_all(beside, self._workspace.allows, step)
        for (entry, _, _), stamp, forms in zip(cards, stamps, found, strict=True):
            self._kept[str(entry.path)] = [stamp, [form.value for form in forms]]
        kept = {path: known for path, known in self._kept.items() if Path(path).exists()}
        try:
            told = json.dumps({"version": VERSION, "cards": kept}).encode()
            files.write_private(self._file, told, durable=False)
        except (OSError, ValueError):
            return  # found again next time

    @cached_property
    def _kept(self) -> dict[str, Any]:
        try:
            told = json.loads(files.read(self._file, MOST_BYTES))
            return dict(told["cards"]) if told["version"] == VERSION else {}
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return {}

    @property
    def _file(self) -> Path:
        return self._workspace.cache_path / FILE


def _stamps(entry: Entry) -> Stamps | None:
    """What changes when the card or its checker is saved; None for a file that is not there."""
    try:
        stats = [path.stat() for path in (entry.path, entry.checker) if path]
    except OSError:
        return None
    return [[stat.st_size, stat.st_mtime_ns] for stat in stats]
