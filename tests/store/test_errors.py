import errno
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quizzer.store.errors import StoreDamagedError, StoreError, StoreUnusableError, explained


def failure(path: Path, *statements: str) -> sqlite3.Error:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        try:
            for statement in statements:
                raw.execute(statement).fetchall()
        except sqlite3.Error as error:
            return error
    raise AssertionError("nothing failed")


def test_a_full_disk_is_told_as_one(tmp_path: Path) -> None:
    error = failure(
        tmp_path / "full.db",
        "CREATE TABLE t (x)",
        "PRAGMA max_page_count = 1",
        "INSERT INTO t VALUES (zeroblob(100000))",
    )
    told = explained(error, tmp_path / "full.db")
    assert isinstance(told, StoreUnusableError)
    assert "the disk is full" in str(told)
    assert "stays saved" in str(told)


def test_what_has_no_sentence_of_its_own_is_told_as_damage(tmp_path: Path) -> None:
    told = explained(failure(tmp_path / "x.db", "SELECT * FROM nowhere"), tmp_path / "x.db")
    assert isinstance(told, StoreDamagedError)
    assert "no such table: nowhere" in str(told)


@pytest.mark.parametrize(
    ("statements", "says"),
    [
        (["PRAGMA query_only = ON", "CREATE TABLE t (x)"], "may not be written"),
        (["ATTACH '/nowhere/at/all.db' AS other"], "cannot be opened"),
    ],
)
def test_refusals_say_what_to_do(tmp_path: Path, statements: list[str], says: str) -> None:
    told = explained(failure(tmp_path / "x.db", *statements), tmp_path / "x.db")
    assert says in str(told)
    assert "--store" in str(told)


def test_a_name_cannot_bring_control_signs_into_a_message() -> None:
    told = explained(OSError(5, "gone\x1b[2J"), Path("history\x1b[31m.db"))
    assert isinstance(told, StoreError)
    assert "\x1b" not in str(told)


def test_a_disk_that_the_system_says_is_full_is_told_as_sqlite_tells_it(tmp_path: Path) -> None:
    told = explained(OSError(errno.ENOSPC, "No space left on device"), tmp_path / "full.db")
    assert isinstance(told, StoreUnusableError)
    assert "the disk is full" in str(told)
