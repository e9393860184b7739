"""A little of `benchmarks/fuzz.py`: what reads strangers' bytes ends in no traceback."""

from pathlib import Path
from random import Random

import pytest
from fuzzed import History, kinds

RUNS = 25

NAMES = (
    "front matter",
    "cards",
    "decks",
    "index of a deck",
    "configuration",
    "declared checkers",
    "answers from a file",
    "record of trust",
    "checkers' replies",
    "memory parameters",
    "imports: our own log",
    "imports: CSV",
    "imports: SQLite",
    "backups",
    "daily copies",
    "sync targets",
    "histories",
)


@pytest.mark.parametrize("name", NAMES)
def test_no_mutation_ends_in_a_traceback(name: str, tmp_path: Path) -> None:
    for found, run in kinds(tmp_path):
        if found == name:
            for number in range(RUNS):
                run(Random(f"test {name} {number}"))
            return
    raise AssertionError(name)


def test_every_kind_is_tried_here(tmp_path: Path) -> None:
    assert tuple(name for name, _ in kinds(tmp_path)) == NAMES


def test_a_kind_reads_what_is_sound_as_it_should(tmp_path: Path) -> None:
    """Else a fuzzer that never reaches the reader would find nothing, too."""
    kept = History(tmp_path)
    for words in (("import", "log.jsonl"), ("sync", "target.db"), ("restore", "backup.db")):
        assert kept.run(words[0], tmp_path / words[1]) == 0
