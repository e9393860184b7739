from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec import structs

from quizzer.card import Header
from quizzer.deck import Asking, Entry
from quizzer.plan.course_map import Place, Standing, course_map, next_ready, weak_points
from quizzer.plan.settings import Settings
from quizzer.values import Memory, Progress, State, study_day

ROOT = Path("/deck")
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def cards(**requires: str) -> list[Entry]:
    return [
        Entry(
            ROOT / f"{card}.md", ROOT, Header(card, "", requires=tuple(ids.split())), Asking.REVEAL
        )
        for card, ids in requires.items()
    ]


def known(days_ago: int, interval: int, stability: float = 10.0, lapses: int = 0) -> Progress:
    at = NOW - timedelta(days=days_ago)
    day = study_day(at)
    memory = Memory(State.REVIEW, stability, 5.0, at, day, interval, 3, lapses, day)
    return Progress(memory=memory)


def drawn(entries: list[Entry], progress: dict[str, Progress] | None = None) -> dict[str, Place]:
    deck = {entry.id: entry for entry in entries}
    places = course_map(entries, deck, progress or {}, Settings(), NOW)
    return {place.entry.id: place for place in places}


def test_a_card_is_below_the_last_of_those_that_it_requires() -> None:
    found = drawn(cards(a="", b="a", c="", d="b c", e="a d"))
    assert list(found) == ["a", "b", "d", "e", "c"]
    assert [(p.depth, p.under, p.also) for p in found.values()] == [
        (0, None, ()),
        (1, "a", ()),
        (2, "b", ("c",)),
        (3, "d", ()),
        (0, None, ()),
    ]


def test_a_card_without_requirements_is_below_the_easier_cards_linked_with_it() -> None:
    a, b, c = cards(a="", b="", c="a")
    found = drawn([a, replace(b, easier=("a",)), replace(c, easier=("b",))])
    assert [(p.entry.id, p.depth, p.under) for p in found.values()] == [
        ("a", 0, None),
        ("b", 1, "a"),
        ("c", 1, "a"),
    ]
    assert (found["a"].holds_up, found["b"].standing) == (2, Standing.NEW)
    assert drawn([a, replace(b, easier=("a",))], {"a": known(1, 5)})["b"].standing is Standing.READY


def test_a_card_is_ready_when_what_it_comes_after_does_not_come() -> None:
    assert drawn(cards(a="", b="a"), {"a": Progress(suspended=True)})["b"].standing is (
        Standing.READY
    )
    assert drawn(cards(b="nobody"))["b"].standing is Standing.READY
    a, b = cards(a="", b="a")
    mastered = replace(a, header=structs.replace(a.header, status="mastered"))
    assert drawn([mastered, b])["b"].standing is Standing.READY


def test_cards_of_other_courses_hold_up_those_drawn() -> None:
    a, b = cards(a="", b="a")
    deck = {"a": a, "b": b}
    (place,) = course_map([b], deck, {}, Settings(), NOW)
    assert (place.standing, place.also) == (Standing.NEW, ("a",))


def test_a_card_counts_all_that_rest_on_it_once() -> None:
    found = drawn(cards(a="", b="a", c="a", d="b c"))
    assert {card: place.holds_up for card, place in found.items()} == {
        "a": 3,
        "b": 1,
        "c": 1,
        "d": 0,
    }


def test_circles_and_ids_of_no_card_are_drawn_as_far_as_they_go() -> None:
    found = drawn(cards(a="b", b="a", c="c", d="nobody"))
    assert set(found) == set("abcd")
    assert found["d"].also == ("nobody",)


def test_each_card_stands_as_its_memory_says() -> None:
    deck = cards(fresh="", old="fresh", later="old unmet", unmet="fresh", weak="", leech="")
    found = drawn(
        deck,
        {
            "fresh": known(1, 5),
            "old": known(6, 5),
            "weak": known(200, 5),
            "leech": known(1, 5, lapses=8),
        },
    )
    assert {card: place.standing for card, place in found.items()} == {
        "fresh": Standing.KNOWN,
        "old": Standing.DUE,
        "unmet": Standing.READY,
        "later": Standing.NEW,
        "weak": Standing.WEAK,
        "leech": Standing.WEAK,
    }


def test_what_holds_up_the_most_is_named_first() -> None:
    deck = cards(a="", b="", b1="b", b2="b1", a1="a", c="")
    by_id = {entry.id: entry for entry in deck}
    places = course_map(deck, by_id, {}, Settings(), NOW)
    assert [place.entry.id for place in next_ready(places)] == ["b", "a", "c"]
    forgotten = {card: known(300, 5) for card in ("a", "b", "c")}
    places = course_map(deck, by_id, forgotten, Settings(), NOW)
    assert [place.entry.id for place in weak_points(places)] == ["b", "a"]


def test_a_long_chain_is_drawn() -> None:
    chain = {f"c{n:04}": f"c{n - 1:04}" if n else "" for n in range(3000)}
    found = drawn(cards(**chain))
    assert found["c2999"].depth == 2999 and found["c0000"].holds_up == 2999
