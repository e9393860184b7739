"""Daily copies of an older quizzer, which hold only the bytes that changed since a whole one."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zlib import crc32

import pytest
from older_copies import piece, write

from quizzer.store import Store, StoreError, restore
from quizzer.store.changes import _LAST, _SUMS
from quizzer.store.copies import has_all, whole
from quizzer.store.errors import StoreDamagedError
from quizzer.store.files import since
from quizzer.store.importers.read import reading_file
from quizzer.values import Flag, study_day

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


def older(path: Path) -> Path:
    """A copy that an older quizzer made, building on a whole one."""
    folder = path.parent / "backups" / path.name
    made = [folder / f"history-2026-03-0{day}.db" for day in (2, 3)]
    for day, file in enumerate(made):
        now = START + timedelta(days=day)
        with Store.open(path, now, backups=False) as store:
            facts = [Flag(f"card-{number}", True) for number in range(300 - 270 * day)]
            store.record(*facts, at=now, day=study_day(now))
            store.backup_to(file)
    base, newer = made
    copy = since(newer, base)
    write(newer.read_bytes(), base.read_bytes(), copy)
    newer.unlink()
    return copy


def flip(file: Path, place: int) -> None:
    data = bytearray(file.read_bytes())
    data[place] ^= 0x10
    file.write_bytes(data)


def ids(path: Path) -> list[str]:
    with whole(path, path) as file, Store.open(file, START, read_only=True) as store:
        assert store.check() == []
        return [event.id for event in store.events()]


def test_it_is_restored(path: Path) -> None:
    copy = older(path)
    before = ids(path)
    with Store.open(path, START, backups=False) as store:
        store.record(Flag("later", True), at=START, day=study_day(START))
    restore(path, copy, START + timedelta(days=9))
    assert ids(path) == before
    assert has_all(copy)


def test_the_next_copies_do_not_build_on_what_it_builds_on(path: Path) -> None:
    copy = older(path)
    with Store.open(path, START + timedelta(days=3)) as store:
        assert [file.suffix for file in store.backups()] == [".db", copy.suffix, ".db"]


@pytest.mark.parametrize("what", ["base", "copy"])
def test_damage_is_named_and_what_is_intact_is_taken(path: Path, what: str) -> None:
    copy = older(path)
    base = copy.with_name("history-2026-03-02.db")
    file = base if what == "base" else copy
    flip(file, file.stat().st_size // 2)
    with pytest.raises(StoreDamagedError) as raised:
        restore(path, copy, START + timedelta(days=9))
    assert (base.name in raised.value.reason) == (what == "base")
    assert has_all(copy) == (what == "base")
    with reading_file(copy, 0, copy) as found:
        taken = {row.id for row in found.rows}  # type: ignore[union-attr]
    assert 300 <= len(taken) <= 330


def test_of_a_copy_that_cannot_be_put_back_its_own_name_is_told(path: Path) -> None:
    copy = older(path)
    with closing(sqlite3.connect(path.with_name("other.db"))) as other:
        other.execute("CREATE TABLE notes (n)")
    content = path.with_name("other.db").read_bytes()
    copy.write_bytes(
        piece(0, content[:4096])
        + piece(4096, content[4096:])
        + piece(_LAST, _SUMS.pack(2, len(content), crc32(content)))
    )
    with pytest.raises(StoreError, match=f"^{copy} .* of another program"):
        restore(path, copy, START)


def test_what_an_entry_claims_makes_no_endless_file(path: Path) -> None:
    copy = older(path)
    claim = piece(_LAST, _SUMS.pack(0, 1 << 60, 0))
    copy.write_bytes(piece(1 << 60, b"x") + claim)
    with pytest.raises(StoreError, match="its end is missing or damaged"):
        restore(path, copy, START)
