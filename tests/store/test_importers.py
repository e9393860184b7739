"""Imports: our own lines, Anki's collection and review log, the CSV for FSRS."""

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from quizzer.fsrs.scheduler import schedule
from quizzer.store import Store, integrity, json_lines, merge
from quizzer.store.codec import Row
from quizzer.store.importers.errors import ImportFileError
from quizzer.store.importers.quizzer_log import QuizzerLog
from quizzer.store.importers.read import reading_file
from quizzer.store.importers.repetitions import ProgramLog, Repetition, matched, rows
from quizzer.values import Flag, Rating, Reset, Review, State, study_day

NOW = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=1)))
NOW_MS = round(NOW.timestamp() * 1000)
HOUR, DAY = 3_600_000, 86_400_000
AGAIN, HARD, GOOD, EASY = Rating


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "history.db", NOW) as opened:
        yield opened


def at(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


def taken(store: Store, told: list[Repetition]) -> tuple[int, int]:
    """Import them; how many were taken and how many were there."""
    lacking, known = rows(told, store.log, at, 4)
    assert merge.sound(lacking, {}).faults == []
    store.take(lacking, NOW)
    assert store.check() == []
    return len(lacking), known


def repetitions(count: int, card: str = "a", start: int = NOW_MS - 100 * DAY) -> list[Repetition]:
    return [Repetition(card, start + n * DAY, GOOD, seconds=9.5) for n in range(count)]


def test_what_is_not_told_is_what_quizzer_would_have_done(store: Store) -> None:
    assert taken(store, repetitions(3)) == (3, 0)
    memory = None
    for event, repetition in zip(store.events(), repetitions(3), strict=True):
        moment = at(repetition.at_ms)
        before, memory = memory, schedule("a", memory, GOOD, moment, study_day(moment))
        state = before.state if before else State.NEW
        assert event.fact == Review("a", GOOD, memory.interval, state, seconds=9.5)
        assert (event.at, event.day) == (moment, study_day(moment))
    assert store.progress_of("a").memory == memory


def test_what_is_told_is_kept(store: Store) -> None:
    start = NOW_MS - DAY
    taken(
        store,
        [
            Repetition("a", start, AGAIN, 0, State.LEARNING),
            Repetition("a", start + HOUR, EASY, 99_999, State.RELEARNING),
            Repetition("a", start + 2 * HOUR, None),
            Repetition("a", start + 3 * HOUR, HARD, 12, State.REVIEW),
        ],
    )
    assert [event.fact for event in store.events()] == [
        Review("a", AGAIN, 0, State.NEW),
        Review("a", EASY, 36_500, State.RELEARNING),
        Reset("a"),
        Review("a", HARD, 12, State.NEW),
    ]


def test_importing_twice_adds_nothing(store: Store) -> None:
    assert taken(store, repetitions(5)) == (5, 0)
    before = [*store.lines()]
    assert taken(store, repetitions(5)[::-1]) == (0, 5)
    assert [*store.lines()] == before


def test_a_longer_log_adds_what_is_new(store: Store) -> None:
    taken(store, repetitions(5))
    assert taken(store, repetitions(8)) == (3, 5)
    assert len({event.device for event in store.events()}) == 1


def test_a_log_with_more_in_the_middle_adds_what_is_new(store: Store) -> None:
    taken(store, repetitions(5))
    more = repetitions(5) + repetitions(5, "b", NOW_MS - 100 * DAY + HOUR)
    assert taken(store, more) == (5, 5)
    assert taken(store, more) == (0, 10)
    assert len(store.events()) == 10


def test_two_machines_that_import_the_same_come_to_have_it_once(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a.db", NOW) as a, Store.open(tmp_path / "b.db", NOW) as b:
        taken(a, repetitions(5))
        taken(b, repetitions(8))
        lacking = merge.lacking(a.log, b.log)
        assert (len(lacking.one.rows), len(lacking.other.rows)) == (3, 0)


def test_old_reviews_come_before_those_that_are_there(store: Store) -> None:
    store.record(Review("a", EASY, 30, State.NEW), at=NOW, day=study_day(NOW))
    taken(store, repetitions(3))
    assert [event.fact.rating for event in store.events()] == [GOOD, GOOD, GOOD, EASY]  # type: ignore[union-attr]
    memory = store.progress_of("a").memory
    assert memory is not None
    assert (memory.reviews, memory.interval, memory.day) == (4, 30, study_day(NOW))


def test_undo_never_takes_an_imported_review_back(store: Store) -> None:
    store.record(Review("own", GOOD, 1, State.NEW), at=NOW, day=study_day(NOW))
    taken(store, repetitions(3, start=NOW_MS - 2 * DAY))
    undone = store.undo(NOW, study_day(NOW))
    assert undone is not None and undone.fact.card == "own"
    assert store.undo(NOW, study_day(NOW)) is None


@settings(max_examples=25, deadline=None)
@given(
    told=st.lists(
        st.builds(
            Repetition,
            st.sampled_from("abc"),
            st.integers(NOW_MS - 400 * DAY, NOW_MS),
            st.none() | st.sampled_from(Rating),
            st.none() | st.integers(-5, 50_000),
            st.none() | st.sampled_from([State.LEARNING, State.REVIEW, State.RELEARNING]),
        ),
        max_size=30,
    ),
    first=st.integers(0, 30),
)
def test_any_part_and_then_the_whole_gives_each_review_once(
    tmp_path_factory: pytest.TempPathFactory, told: list[Repetition], first: int
) -> None:
    path = tmp_path_factory.mktemp("foreign") / "history.db"
    with Store.open(path, NOW, backups=False) as store:
        taken(store, told[:first])
        taken(store, told)
        assert taken(store, told)[0] == 0
        assert len(store.events()) == len({(each.card, each.at_ms) for each in told})


NAMED = ProgramLog(
    "Anki",
    tuple(Repetition(card, NOW_MS, GOOD) for card in ("1", "2", "3", "3", "4", "5", "6")),
    {
        "1": ("1", "guid-1", "10", "softmax", "What is it?"),
        "2": ("2", "guid-2", "20", "Front", "Back"),
        "3": ("3", "guid-3", "30", "nobody knows"),
        "4": ("4", "guid-4", "40", "twice"),
        "5": ("5", "guid-4", "40", "twice"),
    },
)


def test_cards_are_matched_by_a_field_or_as_told_and_never_invented() -> None:
    found = matched(NAMED, {"guid-2": "relu", "6": "relu"}, {"softmax", "relu", "twice"})
    assert [each.card for each in found.repetitions] == ["softmax", "relu", "relu"]
    assert found.unknown == {"3": 2}
    assert found.ambiguous == {"4": 1, "5": 1}


def test_several_cards_may_be_one_if_it_is_said_so() -> None:
    found = matched(NAMED, {"4": "twice", "5": "twice"}, {"twice"})
    assert [each.card for each in found.repetitions] == ["twice", "twice"]
    assert not found.ambiguous


FSRS = """card_id,review_time,review_rating,review_state,review_duration
softmax,1700000000000,3,0,5000
softmax,1700086400000,1,2,
relu,1700086400001,4,1,0
"""


def read_file(path: Path) -> QuizzerLog | ProgramLog:
    """What a file holds, all of it read."""
    with reading_file(path, NOW_MS, path) as found:
        return replace(found, rows=[*found.rows]) if isinstance(found, QuizzerLog) else found


def read(tmp_path: Path, text: str | bytes, name: str = "log.csv") -> object:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = read_file(path)
    assert path.read_bytes() == (text if isinstance(text, bytes) else text.encode())
    return found


def test_the_csv_for_fsrs_is_read(tmp_path: Path) -> None:
    expected = (
        Repetition("softmax", 1_700_000_000_000, GOOD, None, State.NEW, 5.0),
        Repetition("softmax", 1_700_086_400_000, AGAIN, None, State.REVIEW, None),
        Repetition("relu", 1_700_086_400_001, EASY, None, State.LEARNING, None),
    )
    assert read(tmp_path, FSRS) == ProgramLog("FSRS", expected, {})
    plain = "\ufeffReview_Rating, card_id ,review_time\r\n3,x,1.7e12\r\n\r\n"
    assert read(tmp_path, plain) == ProgramLog(
        "FSRS", (Repetition("x", 1_700_000_000_000, GOOD),), {}
    )


@pytest.mark.parametrize(
    ("time", "ms", "offset"),
    [
        ("2024-03-29T20:32:32.123456+00:00", 1_711_744_352_123, None),
        ("2024-03-29 21:32:32.999+01:00", 1_711_744_352_999, 60),
        ("2024-03-29T12:32:32-08:00", 1_711_744_352_000, -480),
        ("2024-03-29T20:32:32Z", 1_711_744_352_000, None),
        ("1711744352000", 1_711_744_352_000, None),
    ],
)
def test_the_csv_for_fsrs_may_tell_times_as_dates(
    tmp_path: Path, time: str, ms: int, offset: int | None
) -> None:
    found = read(tmp_path, HEAD + f"x,{time},3\n")
    expected = Repetition("x", ms, GOOD, offset_min=offset)
    assert found == ProgramLog("FSRS", (expected,), {})


@pytest.mark.parametrize(
    ("time", "offset", "day"),
    [
        ("2025-09-01T04:30:00+02:00", 120, "2025-09-01"),
        ("2025-09-01T03:30:00+02:00", 120, "2025-08-31"),
        ("2025-11-12T23:00:00-08:00", -480, "2025-11-12"),
        ("2025-11-12T23:00:00+23:59", 1439, "2025-11-12"),
        ("2025-11-12T23:00:00-23:59", -1439, "2025-11-12"),
        # Only the instant is told, so the zone of the machine holds.
        ("2025-09-01T02:30:00Z", 300, "2025-09-01"),
        ("2025-09-01T22:30:00+00:00", 300, "2025-09-01"),
        ("1756765800000", 300, "2025-09-01"),
    ],
)
def test_an_offset_that_is_told_is_the_learners_and_decides_the_day(
    tmp_path: Path, store: Store, time: str, offset: int, day: str
) -> None:
    found = read(tmp_path, HEAD + f"x,{time},3\n")
    assert isinstance(found, ProgramLog)

    def in_karachi(ms: int) -> datetime:
        return at(ms).astimezone(timezone(timedelta(hours=5)))

    (row,), _ = rows(found.repetitions, store.log, in_karachi, 4)
    assert (row.offset_min, date.fromordinal(row.day).isoformat()) == (offset, day)
    assert merge.sound([row], {}).faults == []
    store.take([row], NOW)
    assert store.check() == []


def test_times_that_tell_their_offset_give_the_same_rows_in_any_zone_and_order(
    tmp_path: Path, store: Store
) -> None:
    text = HEAD + (
        "x,2025-09-01T04:30:00+02:00,3\nx,2025-09-01T03:30:00+01:00,3\n"
        "x,2025-09-03T23:00:00-08:00,2\nx,2025-09-03T20:00:00+14:00,4\n"
    )
    found = read(tmp_path, text)
    assert isinstance(found, ProgramLog)
    known = [
        rows(told, store.log, lambda ms, zone=zone: at(ms).astimezone(zone), 4)[0]
        for zone in (UTC, timezone(timedelta(hours=9)))
        for told in (found.repetitions, found.repetitions[::-1])
    ]
    assert len(known[0]) == 3
    assert all(rows == known[0] for rows in known)
    assert taken(store, list(found.repetitions)) == (3, 0)
    assert taken(store, list(found.repetitions)) == (0, 3)


@pytest.mark.parametrize("odd", ["-5000", "0", "1e308", "2000000000"])
def test_a_duration_that_nobody_takes_is_not_taken_over(tmp_path: Path, odd: str) -> None:
    text = f"card_id,review_time,review_rating,review_duration\nx,1700000000000,3,{odd}\n"
    assert read(tmp_path, text) == ProgramLog(
        "FSRS", (Repetition("x", 1_700_000_000_000, GOOD),), {}
    )


REVLOG = [
    # id, cid, usn, ease, ivl, lastIvl, factor, time, type
    (1_700_000_000_000, 11, -1, 3, -600, 0, 0, 8000, 0),
    (1_700_000_700_000, 11, -1, 3, 4, -600, 2500, 7000, 0),
    (1_700_400_000_000, 11, -1, 1, -600, 4, 2300, 9000, 1),
    (1_700_400_700_000, 11, -1, 3, 2, -600, 2300, 6000, 2),
    (1_700_500_000_000, 11, -1, 3, 9, 2, 0, 6000, 3),  # a preview that did not count
    (1_700_500_000_001, 11, -1, 2, 9, 2, 2300, 6000, 3),
    (1_700_600_000_000, 11, -1, 0, 20, 2, 2500, 0, 4),  # a new due date
    (1_700_700_000_000, 11, -1, 0, 0, 2, 0, 0, 4),  # made new again
    (1_700_800_000_000, 12, -1, 4, 8, 0, 2500, 5000, 0),
    (1_700_900_000_000, 13, -1, 0, 8, 0, 2500, 5000, 5),
]
REPETITIONS = (
    Repetition("11", 1_700_000_000_000, GOOD, 0, State.LEARNING, 8.0),
    Repetition("11", 1_700_000_700_000, GOOD, 4, State.LEARNING, 7.0),
    Repetition("11", 1_700_400_000_000, AGAIN, 0, State.REVIEW, 9.0),
    Repetition("11", 1_700_400_700_000, GOOD, 2, State.RELEARNING, 6.0),
    Repetition("11", 1_700_500_000_001, HARD, 9, State.REVIEW, 6.0),
    Repetition("11", 1_700_700_000_000, None),
    Repetition("12", 1_700_800_000_000, EASY, 8, State.LEARNING, 5.0),
)


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """What Anki keeps: the tables that matter, and one that needs a collation of Anki's own."""
    path = tmp_path / "collection.anki2"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.create_collation("unicase", lambda a, b: (a > b) - (a < b))
        raw.execute("CREATE TABLE notetypes (id INTEGER, name TEXT COLLATE unicase)")
        raw.execute("CREATE UNIQUE INDEX idx_notetypes_name ON notetypes (name)")
        raw.execute(
            "CREATE TABLE revlog (id INTEGER PRIMARY KEY, cid INTEGER, usn INTEGER, ease INTEGER,"
            " ivl INTEGER, lastIvl INTEGER, factor INTEGER, time INTEGER, type INTEGER)"
        )
        raw.execute("CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INTEGER, ord INTEGER)")
        raw.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, guid TEXT, flds TEXT)")
        raw.executemany("INSERT INTO revlog VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", REVLOG)
        raw.executemany("INSERT INTO cards VALUES (?, ?, 0)", [(11, 1), (12, 2)])
        raw.executemany(
            "INSERT INTO notes VALUES (?, ?, ?)",
            [
                (1, "g1", "softmax\x1fThe <b>softmax</b> &amp; its\nslope\x1f"),
                (2, "g2", "relu\x1f"),
            ],
        )
        raw.commit()
    return path


NAMES = {
    "11": ("11", "g1", "1", "softmax", "The softmax & its slope"),
    "12": ("12", "g2", "2", "relu"),
}


def test_an_anki_collection_is_read_and_left_as_it_is(collection: Path) -> None:
    before = collection.read_bytes()
    assert read_file(collection) == ProgramLog("Anki", REPETITIONS, NAMES)
    assert collection.read_bytes() == before
    assert [file.name for file in collection.parent.iterdir()] == [collection.name]


def test_a_collection_that_anki_has_open_is_read_with_its_newest_reviews(collection: Path) -> None:
    with closing(sqlite3.connect(collection, isolation_level=None)) as anki:
        anki.execute("INSERT INTO revlog VALUES (1700900000001, 12, -1, 3, 9, 8, 2500, 1, 1)")
        found = read_file(collection)
        assert isinstance(found, ProgramLog)
        assert len(found.repetitions) == len(REPETITIONS) + 1


@pytest.mark.parametrize("name", ["collection.anki2", "collection.anki21"])
def test_an_anki_package_is_read(tmp_path: Path, collection: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "deck.apkg", "w") as archive:
        archive.write(collection, name)
        archive.writestr("media", "{}")
    found = read_file(tmp_path / "deck.apkg")
    assert found == ProgramLog("Anki", REPETITIONS, NAMES)


def test_a_csv_of_ankis_review_log_is_read(tmp_path: Path) -> None:
    lines = ["id,cid,usn,ease,ivl,lastIvl,factor,time,type"]
    lines += [",".join(map(str, row)) for row in REVLOG]
    assert read(tmp_path, "\n".join(lines)) == ProgramLog("Anki", REPETITIONS, {})


def test_a_package_of_ankis_newest_kind_is_told_with_the_way_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "deck.apkg", "w") as archive:
        archive.writestr("collection.anki2", b"a stub")
        archive.writestr("collection.anki21b", b"(zstd)")
    with pytest.raises(ImportFileError, match="Support older Anki versions"):
        read_file(tmp_path / "deck.apkg")


HEAD = "card_id,review_time,review_rating\n"
REFUSED = {
    "": "is none of",
    "dear,diary\n": "is none of.*card_id, review_time",
    HEAD + "x,1700000000,3\n": "line 2: .*not in milliseconds.*; times 1000",
    HEAD + "x,1700000000000,3\nx,1700000000000,5\n": "line 3: the rating 5 is none; .* are 1 ",
    HEAD + "x,1700000000000,good\n": "line 2: the rating good is none; ratings are 1 .* 4 ",
    HEAD + "x,1700000000000,\n": r"line 2: the rating \(nothing\) is none; ratings are 1 ",
    HEAD + "x,soon,3\n": "line 2: the time soon is neither",
    HEAD + "x,2024-03-29T20:32:32,3\n": r"line 2: .*does not tell its offset from UTC; "
    r"write 2024-03-29T20:32:32\+01:00 for",
    HEAD + "x,2024-03-29,3\n": r"line 2: the time 2024-03-29 .* write 2024-03-29T00:00:00\+01:00",
    HEAD + "x,1999-12-31T20:32:32Z,3\n": "line 2: the time 1999-12-31T20:32:32Z is before the year",
    HEAD + "x,1e999,3\n": "line 2: the time 1e999 is not a whole number",
    HEAD + "x,nan,3\n": "line 2: the time nan is not a whole number",
    HEAD + "x,9700000000000,3\n": "line 2: .*not over yet",
    HEAD + "x,2027-11-01T09:00:00+01:00,3\n": r"line 2: the time 2027-11-01T09:00:00\+01:00 is not "
    "over yet; mend it",
    HEAD + "x,1700000000000\n": "line 2: it has 2 columns, .* names 3; write a value or nothing",
    HEAD
    + "x,1700000000000,3,4\n": "line 2: it has 4 columns, .* names 3; write a value or nothing",
    HEAD + " ,1700000000000,3\n": "line 2: it names no card; write",
    HEAD[:-1] + ",review_duration\nx,1700000000000,3,long\n": "line 2: the review_duration long is "
    "not a whole number",
    "id,cid,ease,ivl,factor,time,type\n1700000000000,x,3,1,1,1,1\n": "line 2: the cid x is not a",
    "id,cid,ease,ivl,factor,time,type\n1700000000000,1,9,1,1,1,1\n": "line 2: the rating 9 is none",
    HEAD + "x,1700000000000.5,3\n": "line 2: .*not a whole number",
    "{}\n": "line 1: an event has the keys id, device",
    "{\n": "line 1: ",
    '{"id":' * 100_000: "line 1: ",
    "x" * 200_000: "line 1: field larger .*; is a quotation mark before it left open",
    HEAD + "x" * 200_000: "line 2: field larger",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_a_file_that_cannot_be_imported_is_told_with_its_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(ImportFileError, match=REFUSED[text]):
        read(tmp_path, text)


def test_a_csv_whose_lines_end_as_on_old_machines_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, (HEAD + "x,1700000000000,3\n").replace("\n", "\r"))
    assert isinstance(found, ProgramLog) and len(found.repetitions) == 1


def test_a_package_that_cannot_be_unpacked_is_told(tmp_path: Path, collection: Path) -> None:
    sound = tmp_path / "sound.apkg"
    with zipfile.ZipFile(sound, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(collection, "collection.anki2")
    content = sound.read_bytes()
    entry = content.index(b"PK\x01\x02")
    for change in (
        {6: b"\x01", entry + 8: b"\x01"},  # encrypted
        {8: b"\x63", entry + 10: b"\x63"},  # packed in an unknown way
        {60: b"\xff" * 30},
    ):
        broken = bytearray(content)
        for start, new in change.items():
            broken[start : start + len(new)] = new
        with pytest.raises(ImportFileError, match="cannot be unpacked"):
            read(tmp_path, bytes(broken))


def test_a_package_that_would_fill_the_disk_is_not_unpacked(
    tmp_path: Path, collection: Path
) -> None:
    path = tmp_path / "bomb.apkg"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(collection, "collection.anki2")
    claimed = bytearray(path.read_bytes())
    size = claimed.index(b"PK\x01\x02") + 24
    claimed[size : size + 4] = (3_000_000_000).to_bytes(4, "little")
    with pytest.raises(ImportFileError, match=r"3\.0 GB unpacked.*at most 1 GB.*collection\.anki2"):
        read(tmp_path, bytes(claimed))


def test_a_collection_with_an_endless_time_is_told(tmp_path: Path, collection: Path) -> None:
    with closing(sqlite3.connect(collection)) as raw, raw:
        raw.execute("UPDATE revlog SET time = 9e999")
    with pytest.raises(ImportFileError, match="its review log cannot be read"):
        read_file(collection)


@pytest.mark.parametrize("column", ["device", "after", "id", "body", "hash", "day"])
def test_of_a_backup_whose_columns_are_bytes_nothing_is_taken(
    tmp_path: Path, store: Store, column: str
) -> None:
    store.record(Flag("a", True), at=NOW, day=1)
    store.backup_to(tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as raw, raw:
        name = "events_are_never_changed"
        ((sql,),) = raw.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,))
        raw.execute(f"DROP TRIGGER {name}")
        raw.execute(f"UPDATE events SET {column} = x'ff'")
        raw.execute(sql)
    found = read_file(tmp_path / "copy.db")
    assert isinstance(found, QuizzerLog)
    assert merge.sound(found.rows, {}).rows == []


def test_files_of_other_kinds_are_told(tmp_path: Path) -> None:
    with pytest.raises(ImportFileError, match="neither UTF-8"):
        read(tmp_path, b"\xff\xfe\x00")
    with pytest.raises(ImportFileError, match="cannot be unpacked"):
        read(tmp_path, b"PK\x03\x04 and then nothing")
    with pytest.raises(ImportFileError, match="cannot be read"):
        read(tmp_path, b"SQLite format 3\x00 and then nothing")
    with closing(sqlite3.connect(tmp_path / "other.db")) as raw:
        raw.execute("CREATE TABLE t (n)")
    with pytest.raises(ImportFileError, match="another program"):
        read_file(tmp_path / "other.db")


def test_an_exported_line_is_the_same_row_again(store: Store, tmp_path: Path) -> None:
    store.record(Flag("é", True), Review("b", HARD, 3, State.NEW, 1.5), at=NOW, day=1)
    row = integrity.hashed(Row("id", "d", "", 1, 0, 1, "badge", "c", '{"\\u00e9":1}', ""))
    assert json_lines.row_of(json_lines.line(row)) == row
    loosely = json.dumps(json.loads(json_lines.line(row)), ensure_ascii=False, sort_keys=True)
    assert json_lines.row_of(loosely) == row
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(store.lines()) + "\n\n", "utf-8")
    assert read_file(path) == QuizzerLog(store.log.rows(store.log.hashes().keys()))


def test_a_text_that_utf8_has_no_signs_for_is_exported_and_read_back(
    store: Store, tmp_path: Path
) -> None:
    odd = "d\udcff/é.md"
    store.record(Review("a", HARD, 3, State.NEW, path=odd), at=NOW, day=1)
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(store.lines()) + "\n", "utf-8")
    assert read_file(path) == QuizzerLog(store.log.rows(store.log.hashes().keys()))
    assert json.loads(path.read_text("utf-8"))["body"]["path"] == odd


@pytest.mark.parametrize(
    "change",
    [
        {"after": 1},
        {"after": "1"},
        {"day": 1 << 63},
        {"card": "\ud800"},
        {"body": 3},
        {"body": "{}"},
        {"at_ms": True},
        {"at_ms": 1.0},
        {"hash": None},
    ],
)
def test_a_line_that_no_event_can_be_is_named(
    store: Store, tmp_path: Path, change: dict[str, object]
) -> None:
    store.record(Flag("a", True), at=NOW, day=1)
    told = read(tmp_path, json.dumps({**json.loads(next(store.lines())), **change}))
    assert isinstance(told, QuizzerLog)
    found = merge.sound(told.rows, {})
    assert (found.rows, len(found.faults)) == ([], 1)


def test_lines_with_other_keys_are_told(store: Store, tmp_path: Path) -> None:
    store.record(Flag("a", True), at=NOW, day=1)
    with pytest.raises(ImportFileError, match="line 1: an event has the keys"):
        read(tmp_path, json.dumps({**json.loads(next(store.lines())), "extra": 1}))
    with pytest.raises(ImportFileError, match="neither text nor a number"):
        read(tmp_path, json.dumps({**json.loads(next(store.lines())), "id": ["1"]}))
