"""Columns that are kept say the same as the log from which they were read."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.store import Store, kept_reviews, restore
from quizzer.store.codec import Row
from quizzer.store.ids import next_id
from quizzer.store.integrity import hashed
from quizzer.values import Attempt, Fact, Rating, Reset, Review, State, Undo, Verdict

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
BODY = '{"interval":3,"rating":3,"state":"review"}'


@pytest.fixture(autouse=True)
def keep_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_reviews, "MANY", 1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with opened(tmp_path) as store:
        record(store, good("a"), good("b"), Reset("b"), good("a", seconds=9.5))
        assert len(store.brief_reviews()) == 3
    assert kept_in(tmp_path)
    return tmp_path


def opened(home: Path, **named: bool) -> Store:
    return Store.open(home / "history.db", NOW, cache=home / "cache", **named)


def good(card: str, seconds: float | None = None) -> Review:
    return Review(card, Rating.GOOD, 1, State.REVIEW, seconds=seconds)


def record(store: Store, *facts: Fact) -> list[str]:
    return [store.record(fact, at=NOW, day=NOW.toordinal())[0].id for fact in facts]


def kept_in(home: Path) -> list[Path]:
    return [*(home / "cache").glob("reviews-*")]


def read_of(store: Store, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many reviews were read of the log when all are asked for; they are as they should be."""
    pages, rows = kept_reviews.log.kept_pages, list[object]()

    def counted(*given: object) -> Iterator[list[tuple[object, ...]]]:
        for page in pages(*given):  # type: ignore[arg-type]
            rows.extend(page)
            yield page

    with monkeypatch.context() as context:
        context.setattr(kept_reviews.log, "kept_pages", counted)
        found = store.brief_reviews()
    assert [*found] == [*whole(store)]
    return len(rows)


def whole(store: Store) -> "kept_reviews.ReviewColumns":
    with Store.open(store.path, NOW, read_only=True) as other:
        return other.brief_reviews()


def earlier(card: str, at: datetime = NOW - timedelta(days=9)) -> Row:
    """A review on another device, before all others."""
    ms = int(at.timestamp() * 1000)
    id, device = (next_id(None, ms, os.urandom) for _ in range(2))
    return hashed(Row(id, device, "", ms, 0, at.toordinal(), "review", card, BODY, ""))


def test_only_what_is_new_is_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(home) as store:
        assert read_of(store, monkeypatch) == 0
        record(store, good("b"), good("c"), Reset("a"), good("a"))
        assert read_of(store, monkeypatch) == 4
        assert read_of(store, monkeypatch) == 0


def test_a_history_that_ended_before_does_not_go_on(home: Path) -> None:
    with opened(home) as store:
        record(store, good("b"))
        assert [each.history for each in store.brief_reviews()] == [0, 1, 0, 2]


def test_few_new_ones_are_not_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_reviews, "MANY", 2)
    with opened(home) as store:
        record(store, good("c"))
        assert [read_of(store, monkeypatch) for _ in range(2)] == [1, 1]


def test_an_earlier_review_of_another_device_counts(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(home) as store:
        store.take([earlier("z")], NOW)
        assert read_of(store, monkeypatch) == 5
        assert next(each.card for each in store.brief_reviews()) == "z"


def test_a_kept_review_that_was_taken_back_does_not_count(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(home) as store:
        store.undo(NOW, NOW.toordinal())
        assert read_of(store, monkeypatch) == 4
        assert len(store.brief_reviews()) == 2


def test_a_later_one_that_was_taken_back_costs_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(home) as store:
        record(store, good("c"))
        store.undo(NOW, NOW.toordinal())
        assert read_of(store, monkeypatch) == 1


def test_another_history_at_the_same_place_is_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(home / "other.db", NOW) as other:
        record(other, good("x"), good("y"), good("y"), good("y"))
    restore(home / "history.db", home / "other.db", NOW)
    with opened(home) as store:
        assert read_of(store, monkeypatch) == 4


def test_a_lost_review_for_which_another_came_is_no_longer_counted(home: Path) -> None:
    with opened(home) as store:
        with store._connection.transaction():
            store._connection.write("DROP TRIGGER events_are_never_deleted")
            store._connection.write("DELETE FROM events WHERE id = (SELECT MIN(id) FROM events)")
        store.take([earlier("z")], NOW)
        assert [*store.brief_reviews()] == [*whole(store)]


@pytest.mark.parametrize("place", [0, 5, 9, 200, -1])
def test_a_damaged_file_is_not_used(
    home: Path, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file,) = kept_in(home)
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)
    with opened(home) as store:
        assert read_of(store, monkeypatch) == 4
        assert read_of(store, monkeypatch) == 0


@pytest.mark.parametrize("data", [b"", b"\0" * 8, b"\0\0\0\0\0\0\0\xff{}"])
def test_a_file_that_is_none_of_ours_is_not_used(home: Path, data: bytes) -> None:
    kept_in(home)[0].write_bytes(data)
    with opened(home) as store:
        assert len(store.brief_reviews()) == 3


def test_a_file_that_another_may_have_written_is_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_in(home)[0].chmod(0o666)
    with opened(home, read_only=True) as store:
        assert read_of(store, monkeypatch) == 4


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    with opened(tmp_path) as store:
        record(store, good("a"))
        assert len(store.brief_reviews()) == 1


def test_what_others_wrote_meanwhile_is_not_taken_for_kept(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = kept_reviews.log.kept_pages

    def interrupted(*given: object) -> Iterator[list[tuple[object, ...]]]:
        yield from pages(*given)  # type: ignore[arg-type]
        other.take([earlier("z")], NOW)

    with opened(home) as store, opened(home) as other:
        record(store, good("c"))
        with monkeypatch.context() as context:
            context.setattr(kept_reviews.log, "kept_pages", interrupted)
            store.brief_reviews()
        assert [*store.brief_reviews()] == [*whole(store)]


@given(st.lists(st.sampled_from("abrsuvmt"), max_size=25))
@settings(max_examples=60, deadline=None)
def test_whatever_is_done_the_kept_ones_are_those_of_the_log(done: list[str]) -> None:
    with TemporaryDirectory() as folder, opened(Path(folder)) as store:
        reviews = list[str]()
        for number, each in enumerate(done):
            match each:
                case "r" | "s":
                    record(store, Reset("a" if each == "r" else "b"))
                case "u":
                    store.undo(NOW, NOW.toordinal())
                case "v" if reviews:
                    record(store, Undo("a", reviews[len(reviews) // 2]))
                case "m":
                    store.take([earlier("a", NOW - timedelta(days=1 + number))], NOW)
                case "t":
                    record(store, Attempt("a", "dx", "x", Verdict.WRONG))
                case _:
                    reviews += record(store, good(each, seconds=float(number)))
            assert [*store.brief_reviews()] == [*whole(store)]
