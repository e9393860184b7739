"""Daily copies that hold only what was added since a whole one."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.store import Store, additions, backup, restore, schema
from quizzer.store.connection import Connection
from quizzer.store.copies import whole
from quizzer.store.errors import StoreDamagedError, StoreUnusableError
from quizzer.store.files import base_of
from quizzer.store.importers.errors import LARGEST, ImportFileError
from quizzer.store.importers.read import reading_file
from quizzer.values import Fact, Fit, Flag, Rating, Review, State, study_day

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
EVENTS = 400
"""Of the first day."""

DAMAGES = [
    *(("whole", place) for place in (5000, 12_000, 30_000)),
    *(("additions", place) for place in (2, 9, 700, -3)),
]
"""A file, and the place of a byte in it."""

IN_A_PROCESS = """
import os, resource, signal, sys
from datetime import datetime
from pathlib import Path
from quizzer.store import Store, backup

backup.LARGE = 0
if sys.argv[3] == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
elif sys.argv[3] == "killed":
    backup.put_in_place = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with Store.open(Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2])) as store:
    print(*store.warnings)
"""

KILLED_ONCE_WHOLE = """
import os, signal
from quizzer.store import additions

rebuild = additions.rebuild
def killed(*arguments):
    rebuild(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
additions.rebuild = killed
"""
QUIZZER = """
import sys
from quizzer.cli.main import program
sys.exit(program())
"""


@pytest.fixture(autouse=True)
def short_histories_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "LARGE", 0)
    monkeypatch.setattr(additions, "FEW", EVENTS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "history.db"
    use(path, 0, EVENTS)
    return path


def use(path: Path, day: int, events: int = 1) -> list[str]:
    """Record something on this day; the ids of the events that were there in the morning."""
    now = START + timedelta(days=day)
    with Store.open(path, now) as store:
        assert store.warnings == []
        before = [event.id for event in store.events()]
        facts = [Flag(f"card-{number}", True) for number in range(events)]
        store.record(*facts, at=now, day=study_day(now))
    return before


def record(path: Path, day: int, *facts: Fact) -> None:
    now = START + timedelta(days=day)
    with Store.open(path, now) as store:
        store.record(*facts, at=now, day=study_day(now))


def rate(path: Path, day: int, *cards: str) -> None:
    record(path, day, *(Review(card, Rating.GOOD, 3, State.REVIEW) for card in cards))


def copies(path: Path) -> list[Path]:
    with Store.open(path, START, read_only=True) as store:
        return store.backups()


def ids(path: Path) -> list[str]:
    """Of the events in a history, or in a copy; nothing is wrong with it."""
    with whole(path, path) as file, Store.open(file, START, read_only=True) as store:
        assert store.check() == []
        return [event.id for event in store.events()]


def intact(copy: Path) -> tuple[set[str], list[str]]:
    """What an import takes of a copy, and what it says is wrong."""
    with reading_file(copy, 0, copy) as found:
        taken = {row.id for row in found.rows}  # type: ignore[union-attr]
        return taken, found.faults  # type: ignore[union-attr]


def flip(file: Path, place: int) -> None:
    data = bytearray(file.read_bytes())
    data[place] ^= 0x10
    file.write_bytes(data)


def test_after_a_whole_copy_only_what_was_added_is_copied(path: Path) -> None:
    use(path, 1)
    use(path, 2)
    first, second = copies(path)
    assert [first.name, second.name] == [
        "history-2026-03-02.db",
        "history-2026-03-03.since-2026-03-02",
    ]
    assert second.stat().st_size < first.stat().st_size / 4
    assert base_of(second) == first


def test_each_copy_is_restored_as_the_history_of_its_morning(path: Path) -> None:
    mornings = [use(path, day) for day in range(1, 6)]
    for copy, morning in zip(copies(path), mornings, strict=True):
        restore(path, copy, START + timedelta(days=9))
        assert ids(path) == morning


def test_ten_copies_are_kept_with_those_on_which_they_build_in_little_space(path: Path) -> None:
    mornings = {}
    for day in range(1, 22):
        mornings[f"history-{(START + timedelta(days=day)).date()}"] = use(path, day)
        kept = copies(path)
        assert len(kept) == day or backup.KEPT <= len(kept) <= backup.KEPT + 1
        assert sum(copy.stat().st_size for copy in kept) <= 2.5 * path.stat().st_size
    for copy in kept:
        assert ids(copy) == mornings[copy.stem]


def test_ten_copies_of_a_history_that_grows_quickly_take_little_space(path: Path) -> None:
    for day in range(1, 22):
        use(path, day, EVENTS // 25)
        taken = sum(copy.stat().st_size for copy in copies(path))
        assert day < 3 or taken <= 2.5 * path.stat().st_size


def test_what_is_due_follows_from_the_events_that_were_added(path: Path) -> None:
    """Memory is not copied: of ratings, of one that is taken back, of a fit, of older events."""
    other = path.with_name("other.db")
    rate(other, 0, "card-3", "card-other")
    use(path, 1)
    for day, cards in enumerate((["card-1", "card-2"], ["card-1"], ["card-3"]), start=1):
        rate(path, day, *cards)
    at = START + timedelta(days=4)
    with Store.open(path, at) as store, Store.open(other, at, read_only=True) as theirs:
        store.undo(at, study_day(at))
        store.take(theirs.log.rows([event.id for event in theirs.events()]), at)
    fitted = Fit("fsrs-6", tuple(value * 1.1 for value in DEFAULT_PARAMETERS), 9)
    for day, fact in ((5, Flag("card-5", True)), (6, fitted), (7, Flag("card-6", True))):
        record(path, day, fact)
    found = copies(path)
    assert [base_of(copy) is None for copy in found] == [True] + [False] * (len(found) - 1)
    for copy in found:
        assert ids(copy)  # whose check compares memory with the fold


def test_after_a_restore_the_next_copy_is_whole(path: Path) -> None:
    """Rows that were added after what was put back have numbers that others had before."""
    for day in range(1, 4):
        use(path, day, 5)
    restore(path, copies(path)[1], START + timedelta(days=3))
    morning = use(path, 4, 5)
    assert base_of(copies(path)[-1]) is None
    assert ids(copies(path)[-1]) == morning


def test_after_a_change_of_the_format_the_next_copy_is_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was added has the columns of the new format; the copy has those of the old one."""
    for day in range(1, 3):
        use(path, day, 5)
    monkeypatch.setattr(schema, "NEWEST", schema.NEWEST + 1)
    use(path, 3, 5)
    assert [base_of(copy) is None for copy in copies(path)] == [True, False, True]


def test_whole_copies_of_an_older_quizzer_are_restored_and_the_next_one_is_whole_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "LARGE", 1 << 30)
    mornings = [use(path, day) for day in range(1, 4)]
    monkeypatch.setattr(backup, "LARGE", 0)
    mornings += [use(path, day) for day in range(4, 6)]
    found = copies(path)
    assert [base_of(copy) for copy in found] == [None, None, None, None, found[3]]
    for copy, morning in zip(found, mornings, strict=True):
        restore(path, copy, START + timedelta(days=9))
        assert ids(path) == morning


def test_a_history_of_which_most_is_new_is_copied_whole(path: Path) -> None:
    use(path, 1, 4 * EVENTS)
    use(path, 2)
    assert [base_of(copy) for copy in copies(path)] == [None, None]


@pytest.mark.parametrize(("which", "place"), DAMAGES)
def test_damage_to_either_file_is_named_and_costs_only_what_it_hit(
    path: Path, which: str, place: int
) -> None:
    use(path, 1, 30)
    morning = {*use(path, 2)}
    base, newer = copies(path)
    flip(base if which == "whole" else newer, place)
    with pytest.raises(StoreDamagedError) as raised:
        restore(path, newer, START + timedelta(days=9))
    assert str(newer) in str(raised.value)
    assert (base.name in raised.value.reason) == (which == "whole")
    taken, faults = intact(newer)
    assert faults == [raised.value.reason]
    assert taken <= morning
    # A page of the whole copy has about twenty events.
    assert len(taken) >= len(morning) - (25 if which == "whole" else 1)


@pytest.mark.parametrize("part", [1, 2, 3, 4, 5, 6])
def test_damage_to_a_piece_costs_one_event_at_most(path: Path, part: int) -> None:
    use(path, 1, 60)
    use(path, 2)
    base, newer = copies(path)
    base.unlink()
    before, _ = intact(newer)
    flip(newer, newer.stat().st_size * part // 8)
    after, _ = intact(newer)
    assert len(before) >= 60 and len(before - after) <= 1


def test_a_copy_made_after_the_whole_one_was_damaged_is_whole_and_sound(path: Path) -> None:
    use(path, 1)
    use(path, 2)
    base, damaged = copies(path)
    flip(base, 5000)
    morning = use(path, 3)
    assert base_of(copies(path)[2]) is None
    assert ids(copies(path)[2]) == morning
    with pytest.raises(StoreDamagedError, match=base.name):
        ids(damaged)


@pytest.mark.parametrize("how", ["gone", "cut off"])
def test_without_the_whole_copy_what_was_added_is_taken(path: Path, how: str) -> None:
    use(path, 1, 30)
    morning = {*use(path, 2)}
    base, newer = copies(path)
    if how == "gone":
        base.unlink()
    else:
        base.write_bytes(base.read_bytes()[:100])
    with pytest.raises(StoreDamagedError, match=rf"{base.name}, on which it builds, "):
        restore(path, newer, START)
    taken, faults = intact(newer)
    assert len(taken) >= 30
    assert taken < morning
    assert base.name in faults[0]


@pytest.mark.parametrize("how", ["cut off", "empty", "of something else"])
def test_what_is_left_of_a_copy_of_additions_is_taken(path: Path, how: str) -> None:
    use(path, 1)
    use(path, 2)
    base, newer = copies(path)
    data = newer.read_bytes()
    newer.write_bytes({"cut off": data[:-30], "empty": b""}.get(how, b"\0" * 9000))
    with pytest.raises(StoreDamagedError, match="its end is missing or damaged"):
        restore(path, newer, START)
    taken, _ = intact(newer)
    assert {*ids(base)} <= taken


@pytest.mark.skipif(sys.platform == "win32", reason="neither signals nor limits")
@pytest.mark.parametrize("how", ["killed", "full"])
def test_a_copy_that_is_not_finished_leaves_the_earlier_ones_and_is_made_anew(
    path: Path, how: str
) -> None:
    use(path, 1, 30)
    use(path, 2)
    before = {copy: copy.read_bytes() for copy in copies(path)}
    now = (START + timedelta(days=3)).isoformat()
    ran = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS, path, now, how], capture_output=True, text=True
    )
    assert ran.stderr == ""
    assert ran.returncode == (-9 if how == "killed" else 0)
    assert ("No backup was made today" in ran.stdout) == (how == "full")
    assert {copy: copy.read_bytes() for copy in copies(path)} == before
    morning = use(path, 3)
    *earlier, made = copies(path)
    assert earlier == [*before]
    assert ids(made) == morning
    assert sorted(made.parent.iterdir()) == copies(path)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("command", ["restore", "import", "doctor"])
def test_what_a_killed_process_made_whole_lies_beside_the_history_and_a_later_run_removes_it(
    path: Path, tmp_path: Path, command: str
) -> None:
    use(path, 1)
    use(path, 2)
    copy = copies(path)[-1]
    assert base_of(copy)
    if command == "doctor":  # which looks at the copies of a damaged history
        path.write_bytes(path.read_bytes()[:-4096])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    environment = {**os.environ, "TMPDIR": str(elsewhere), "QUIZZER_STORE": str(path)}
    words = [command] if command == "doctor" else [command, str(copy)]

    def run(program: str) -> int:
        arguments = [sys.executable, "-c", program, *words]
        return subprocess.run(arguments, env=environment, capture_output=True).returncode

    assert run(KILLED_ONCE_WHOLE + QUIZZER) == -signal.SIGKILL
    assert not [*elsewhere.iterdir()]
    (left,) = tmp_path.glob("history.db.*.partial")
    assert left.stat().st_size > copy.stat().st_size
    run(QUIZZER)
    assert left.exists()  # its process might still be at work
    an_hour_ago = time.time() - 3700
    os.utime(left, (an_hour_ago, an_hour_ago))
    run(QUIZZER)
    assert not [*tmp_path.glob("*.partial*"), *elsewhere.iterdir()]


def test_where_what_was_added_cannot_be_written_a_whole_copy_is_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(path, 1)
    (base,) = copies(path)
    with ExitStack() as stack:
        base.rename(base.with_suffix(".away"))
        base.mkdir()
        stack.callback(base.rmdir)
        morning = use(path, 2)
        made = copies(path)[1]
    assert base_of(made) is None
    assert ids(made) == morning


def test_where_the_name_of_such_a_copy_would_be_too_long_the_whole_copy_is_made(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(path, 1)
    monkeypatch.setattr(backup, "since", lambda copy, base: copy.with_name("n" * 250))
    morning = use(path, 2)
    made = copies(path)[1]
    assert base_of(made) is None
    assert ids(made) == morning


def test_while_what_was_added_is_copied_no_other_process_writes(path: Path) -> None:
    use(path, 1)
    (base,) = copies(path)
    attempt = "import sqlite3, sys; sqlite3.connect(sys.argv[1], 0).execute('BEGIN IMMEDIATE')"
    with closing(Connection.to_file(path, write=True)) as connection:
        with connection.transaction():
            assert backup._put_additions(connection, base, base.with_name("changes"))
            command = [sys.executable, "-c", attempt, path]
            ran = subprocess.run(command, capture_output=True, text=True)
            assert "database is locked" in ran.stderr
        assert subprocess.run(command, check=True)


def test_a_copy_of_additions_is_no_history_to_use(path: Path) -> None:
    use(path, 1)
    use(path, 2)
    with pytest.raises(StoreUnusableError, match="is not a whole file"):
        Store.open(copies(path)[1], START, read_only=True)


def test_a_copy_is_made_whole_elsewhere_if_the_disk_of_the_history_is_full(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(path, 1)
    expected = use(path, 2)
    rebuild = additions.rebuild

    def on_a_full_disk(copy: Path, base: Path, target: Path) -> str | None:
        if target.parent == path.parent:
            raise StoreUnusableError.at(target, "cannot grow, the disk is full")
        return rebuild(copy, base, target)

    monkeypatch.setattr(additions, "rebuild", on_a_full_disk)
    assert ids(copies(path)[1]) == expected


def test_a_copy_on_which_others_build_is_read_but_not_written_to(path: Path) -> None:
    use(path, 1)
    use(path, 2)
    base = copies(path)[0]
    before = base.read_bytes()
    with pytest.raises(StoreUnusableError, match="others build"):
        use(base, 2)
    assert len(ids(base)) == EVENTS
    copies(path)[1].unlink()
    assert base.read_bytes() == before
    use(base, 2)


def test_of_a_copy_to_import_no_endless_file_is_made_either(path: Path) -> None:
    use(path, 1)
    use(path, 2)
    base, copy = copies(path)
    with base.open("r+b") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(ImportFileError, match=f"{base.name}, on which it builds, is too large"):
        intact(copy)


def test_a_restore_does_not_replace_a_copy_on_which_others_build(
    path: Path, tmp_path: Path
) -> None:
    use(path, 1)
    use(path, 2)
    whole_one, second = copies(path)
    backup.copy(path, tmp_path / "other.db")
    before = whole_one.read_bytes()
    with pytest.raises(StoreUnusableError, match="a daily copy on which others build"):
        restore(whole_one, tmp_path / "other.db", START + timedelta(days=3))
    assert whole_one.read_bytes() == before
    assert len(ids(second)) == EVENTS + 1


def test_an_event_that_stands_there_twice_hides_none_that_is_lost(path: Path) -> None:
    use(path, 1, 5)
    use(path, 2)
    copy = copies(path)[-1]
    pieces = parts(copy)
    copy.write_bytes(b"".join([*pieces[:2], pieces[1], *pieces[3:]]))
    with pytest.raises(StoreDamagedError, match="1 of its 5 events are not as they were written"):
        restore(path, copy, START + timedelta(days=3))
    copy.write_bytes(b"".join([*pieces[:2], pieces[1], *pieces[2:]]))
    assert len(ids(copy)) == EVENTS + 5


def test_a_copy_that_lost_its_name_gives_its_events(path: Path, tmp_path: Path) -> None:
    use(path, 1, 5)
    morning = use(path, 2)
    renamed = copies(path)[-1].rename(tmp_path / "mine.db")
    taken, faults = intact(renamed)
    assert taken == set(morning[EVENTS:])
    assert faults == ["its name no longer says on which copy it builds"]


@pytest.mark.parametrize("what", ["whole", "additions"])
def test_of_a_copy_that_grew_to_gigabytes_little_is_read(
    path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(path, 1)
    use(path, 2)
    whole_one, second = copies(path)
    monkeypatch.setattr(additions, "_measured", smaller_than(1 << 30))
    with (whole_one if what == "whole" else second).open("r+b") as file:
        file.truncate(5 << 30)
    with pytest.raises((StoreDamagedError, StoreUnusableError)), whole(second, path):
        pass
    morning = use(path, 3)
    assert ids(copies(path)[-1]) == morning


def smaller_than(most: int) -> Callable[[Path], tuple[int, int]]:
    """How a file is measured, if it is smaller than that."""
    measured = additions._measured

    def look(file: Path) -> tuple[int, int]:
        assert file.stat().st_size < most
        return measured(file)

    return look


def test_what_unpacks_to_more_than_any_history_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(additions, "MOST_ADDED", 20_000_000)
    use(path, 1)
    use(path, 2)
    copy = copies(path)[-1]
    bomb = additions._piece(b"\xf1evt", bytes(9_000_000), bytes(8))
    nested = additions._HEAD.pack(b"\xf1evt", bytes(8), 1_000_000)
    for data in (bomb * 3, nested * 70_000):
        copy.write_bytes(data)
        with pytest.raises(StoreUnusableError, match="it holds too much"), whole(copy, path):
            pass


def test_a_piece_that_claims_more_than_there_is_costs_no_time(path: Path) -> None:
    use(path, 1)
    morning = use(path, 2)
    copy = copies(path)[-1]
    claims = additions._HEAD.pack(b"\xf1evt", bytes(8), 0xFFFFFFFF)
    copy.write_bytes(claims * 30_000 + copy.read_bytes())
    assert ids(copy) == morning


def test_what_somebody_else_wrote_into_the_history_makes_the_next_copy_a_whole_one(
    path: Path,
) -> None:
    use(path, 1)
    with closing(Connection.to_file(path, write=True)) as connection, connection.transaction():
        connection.write("INSERT INTO meta (name, content) VALUES (?, ?)", ("note", b"\xff"))
    morning = use(path, 2)
    newest = copies(path)[-1]
    assert base_of(newest) is None
    assert ids(newest) == morning


@pytest.mark.parametrize("name", ["events", "proven"])
def test_a_number_of_thousands_of_digits_in_the_history_stops_nothing(
    path: Path, name: str
) -> None:
    with closing(Connection.to_file(path, write=True)) as connection, connection.transaction():
        connection.write("DELETE FROM meta WHERE name = ?", (name,))
        connection.write("INSERT INTO meta (name, content) VALUES (?, ?)", (name, "9" * 5000))
    morning = use(path, 1)
    assert len(morning) == EVENTS
    assert ids(path)[:EVENTS] == morning


def parts(copy: Path) -> list[bytes]:
    """The pieces of a copy, as they stand there."""
    data = copy.read_bytes()
    starts = [found.start() for found in additions._MARKS.finditer(data)]
    return [data[i:j] for i, j in pairwise([*starts, len(data)])]
