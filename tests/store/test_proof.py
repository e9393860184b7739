"""A long log: an event is proven when it is new and then once a week, with no lock held."""

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quizzer.store import Store, backup, examine, layout, proof
from quizzer.store.errors import StoreDamagedError
from quizzer.store.pages import Page
from quizzer.values import Flag, study_day

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)


@pytest.fixture(autouse=True)
def long_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten events are many here."""
    monkeypatch.setattr(proof, "FEW", 10)


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the events that are proven from now on."""
    found: list[str] = []
    as_written = examine.kept_as_written

    def look(page: Page) -> list[bool]:
        found.extend(row[0] for row in layout.rows(page))
        return as_written(page)

    monkeypatch.setattr(examine, "kept_as_written", look)
    return found


def use(path: Path, days: int, events: int = 1, prove: bool = False) -> list[str]:
    """Use the store on one day; its warnings."""
    now = NOW + timedelta(days=days)
    with Store.open(path, now) as store:
        facts = [Flag(f"card-{number}", True) for number in range(events)]
        store.record(*facts, at=now, day=study_day(now))
        if prove and store.is_to_be_proven(study_day(now)):
            store.prove(study_day(now))
        return store.warnings


def damage(path: Path, where: str) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TRIGGER events_are_never_changed")
        changed = raw.execute(f"UPDATE events SET card = 'other' WHERE {where}")
        assert changed.rowcount == 1
    raw.close()


OLDEST = "id = (SELECT MIN(id) FROM events)"
BEFORE_THE_NEWEST = "id = (SELECT id FROM events ORDER BY id DESC LIMIT 1 OFFSET 1)"


def test_only_events_that_came_since_are_proven_before_the_first_question(
    tmp_path: Path, hashed: list[str]
) -> None:
    path = tmp_path / "history.db"
    use(path, 0, events=20, prove=True)
    use(path, 1, events=3)
    hashed.clear()
    assert use(path, 2) == []
    assert len(hashed) == 3
    hashed.clear()
    assert use(path, 3) == []
    assert len(hashed) == 1


def test_a_long_log_that_was_never_proven_is_copied_at_once_and_proven_afterwards(
    tmp_path: Path, hashed: list[str]
) -> None:
    path = tmp_path / "history.db"
    use(path, 0, events=20)
    hashed.clear()
    use(path, 1)
    assert not hashed
    with Store.open(path, NOW + timedelta(days=1)) as store:
        assert len(store.backups()) == 1
        assert store.is_to_be_proven(study_day(NOW) + 1)


def test_damage_to_a_new_event_is_found_the_next_day(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    use(path, 0, events=20, prove=True)
    use(path, 1, events=2)
    damage(path, BEFORE_THE_NEWEST)
    (warning,) = use(path, 2)
    assert "No backup was made today" in warning


def test_damage_to_an_old_event_is_found_within_a_week(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    use(path, 0, events=20, prove=True)
    damage(path, OLDEST)
    assert use(path, 1, prove=True) == []
    with pytest.raises(StoreDamagedError, match="is not as it was written"):
        use(path, proof.WEEK, prove=True)


def test_as_long_as_the_log_is_not_proven_no_copy_gives_way_to_a_newer_one(
    tmp_path: Path,
) -> None:
    path = tmp_path / "history.db"
    use(path, 0, events=20, prove=True)
    for day in range(1, 6):
        use(path, day)
    damage(path, OLDEST)
    for day in range(6, 20):
        use(path, day)
    copies = Store.open(path, NOW, read_only=True).backups()
    assert len(copies) > backup.KEPT
    with Store.open(copies[0], NOW, read_only=True) as oldest:
        assert oldest.check() == []


def test_while_the_log_is_proven_each_week_ten_copies_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    for day in range(20):
        use(path, day, events=11, prove=True)
    with Store.open(path, NOW, read_only=True) as store:
        assert len(store.backups()) == backup.KEPT


def test_while_a_long_log_is_proven_others_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.db"
    use(path, 0, events=20)
    as_written = examine.kept_as_written
    written: list[str] = []

    def look(page: Page) -> list[bool]:
        if not written:
            with Store.open(path, NOW, patience=0, backups=False) as other:
                (event,) = other.record(Flag("b", True), at=NOW, day=study_day(NOW))
                written.append(event.id)
        return as_written(page)

    monkeypatch.setattr(examine, "kept_as_written", look)
    with Store.open(path, NOW, backups=False) as store:
        store.prove(study_day(NOW))
        assert not store.is_to_be_proven(study_day(NOW))
    assert len(written) == 1


def test_a_history_restored_meanwhile_is_not_taken_for_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "history.db"
    use(path, 0, events=20)
    of_the_log = examine.of_the_log

    def renamed(*arguments: object, **named: object) -> object:
        with sqlite3.connect(path) as raw:
            raw.execute("UPDATE meta SET content = 'another' WHERE name = 'device'")
        raw.close()
        return of_the_log(*arguments, **named)  # type: ignore[arg-type]

    with Store.open(path, NOW, backups=False) as store:
        monkeypatch.setattr(examine, "of_the_log", renamed)
        store.prove(study_day(NOW))
        assert store.is_to_be_proven(study_day(NOW))
