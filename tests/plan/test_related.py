import unicodedata
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from samples import MORNING, card_text

from quizzer.deck import Deck, Entry, Filter, load
from quizzer.plan.exam_gain import LAST_DAYS
from quizzer.plan.queue import Queue, plan
from quizzer.plan.related import Apart
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Memory, Progress, State, study_day

TODAY = study_day(MORNING)
Linked = Callable[..., Deck]


@pytest.fixture
def linked(write_deck: Callable[[dict[str, str]], Path]) -> Linked:
    """A deck of cards `a`, `b` … that link these targets as related."""

    def deck(**links: str) -> Deck:
        files = {
            f"file_of_{card}.md": card_text(card, solution=f"That.\n\n## Related\n- [[{target}]]")
            for card, target in links.items()
        }
        return load((write_deck(files),), None)

    return deck


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_link_names_a_card_however_its_accents_are_encoded(
    linked: Linked, forms: tuple[str, str]
) -> None:
    there, here = (unicodedata.normalize(form, "ÉTÉ") for form in forms)
    first, second = linked(**{there: "other", "b": here}).entries
    assert Apart([first]).waits(second)


def known(days_ago: int, interval: int, state: State = State.REVIEW) -> Progress:
    day = TODAY - days_ago
    at = MORNING - timedelta(days=days_ago)
    return Progress(Memory(state, 5.0, 5.0, at, day, interval, 1, 0, day))


def queue(
    deck: Deck,
    progress: dict[str, Progress],
    done: Done | None = None,
    wanted: Filter | None = None,
) -> Queue:
    return plan(deck, progress, done or Done(), Settings(), MORNING, wanted)


def ids(entries: tuple[Entry, ...]) -> list[str]:
    return [entry.id for entry in entries]


@pytest.mark.parametrize(
    "target", ["b", "B", "file_of_b", "some/folder/File_Of_B.md", "file_of_b#Steps", "b|the other"]
)
def test_links_name_cards_by_id_or_file_and_count_both_ways(linked: Linked, target: str) -> None:
    a, b, c = linked(a=target, b="", c="nowhere").entries
    assert Apart([a]).waits(b) and Apart([b]).waits(a)
    assert not Apart([a, b]).waits(c) and not Apart([c]).waits(a)


@pytest.mark.parametrize(("ahead", "waits"), [(1, False), (LAST_DAYS, False), (60, True)])
def test_soon_before_an_exam_no_card_of_its_course_waits_for_a_related_one(
    linked: Linked, ahead: int, waits: bool
) -> None:
    deck = linked(a="b", b="", c="d", d="", e="f", f="")
    progress = {"a": known(9, 9), "b": known(8, 8), "c": known(9, 9)}
    toward = {"ml": Course(exam_day=TODAY + ahead, new_per_day=9)}
    settings = Settings(courses=toward)
    queue = plan(deck, progress, Done(), settings, MORNING)
    assert sorted(ids(queue.related)) == (["a", "d", "f"] if waits else [])
    assert len(queue.fresh) == (3 if waits else 6)


def test_of_related_cards_only_the_first_comes_today(linked: Linked) -> None:
    deck = linked(a="", b="a", c="b", d="")
    progress = {"a": known(9, 2), "b": known(8, 2), "c": known(7, 2)}
    today = queue(deck, progress)
    assert ids(today.today) == ids(today.reviews) == ["a", "c"]
    assert (ids(today.related), ids(today.new)) == (["b"], ["d"])
    off = plan(deck, progress, Done(), Settings(bury_related=False), MORNING)
    assert (ids(off.today), off.related) == (["a", "b", "c"], ())


def test_a_card_waits_after_a_related_one_was_reviewed_today(linked: Linked) -> None:
    deck = linked(a="b", b="")
    progress = {"a": known(0, 5), "b": known(8, 2)}
    assert ids(queue(deck, progress, Done(reviews=frozenset("a"))).related) == ["b"]
    assert ids(queue(deck, {"b": known(8, 2)}, Done(new=frozenset("a"))).related) == ["b"]
    assert ids(queue(deck, progress).today) == ["b"]


def test_steps_never_wait_but_let_others_wait(linked: Linked) -> None:
    deck = linked(a="b", b="c", c="")
    progress = {"a": known(0, 0, State.LEARNING), "b": known(0, 0, State.RELEARNING)}
    today = queue(deck, progress | {"c": known(5, 2)})
    assert (ids(today.steps), ids(today.related)) == (["a", "b"], ["c"])


def test_waiting_cards_leave_their_place_in_the_limit_to_others(linked: Linked) -> None:
    deck = linked(a="", b="a", c="", d="", e="", f="", g="a")
    today = queue(deck, {})
    assert ids(today.new) == ["a", "c", "d", "e", "f"]
    assert ids(today.related) == ["b"]


def test_a_related_review_for_which_the_day_has_no_room_lets_none_wait(linked: Linked) -> None:
    deck = linked(a="", b="c", c="")
    progress = {"a": known(9, 2), "b": known(8, 2)}
    today = plan(deck, progress, Done(), Settings(reviews_per_day=1), MORNING)
    assert (ids(today.today), ids(today.reviews)) == (["a"], ["a", "b"])
    assert (ids(today.new), today.related) == (["c"], ())


def test_who_names_a_card_gets_it(linked: Linked) -> None:
    deck = linked(a="b", b="")
    progress = {"a": known(0, 5), "b": known(8, 2)}
    done = Done(reviews=frozenset("a"))
    assert ids(queue(deck, progress, done, wanted=Filter(cards=("b",))).today) == ["b"]
