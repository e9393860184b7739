from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from in_turn import InTurn
from samples import (
    CHECKER,
    CHOICE_CARD,
    DERIVATION_CARD,
    NUMBER_CARD,
    SettableClock,
    plain_cards,
)

from quizzer.deck import Filter
from quizzer.fsrs.step import DEFAULT_PARAMETERS
from quizzer.plan.settings import Course, Settings
from quizzer.session.rating import RatedElsewhereError
from quizzer.store import Store
from quizzer.values import Attempt, Dispute, Fit, Rating, Reset, Review, State, Verdict

Start = Callable[..., InTurn]
NO_FUZZ_DAYS = 3


def rate(session: InTurn, rating: Rating) -> str:
    turn = session.turn or session.advance()
    assert turn
    session.reveal()
    session.rate(rating)
    return turn.entry.id


def order(session: InTurn, pause: Callable[[], None] = lambda: None) -> list[str]:
    """The ids in the order in which they come, each rated Good, after a pause if there is one."""
    ids: list[str] = []
    while session.advance():
        pause()
        ids.append(rate(session, Rating.GOOD))
        assert len(ids) < 50, "the session does not end"
    return ids


def test_new_cards_come_in_the_decks_order_up_to_the_daily_limit(start: Start) -> None:
    assert order(start(plain_cards(*"gfedcba"))) == ["a", "b", "c", "d", "e"]


def test_the_daily_limit_holds_over_sessions_and_is_fresh_tomorrow(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards(*"abcdefg")
    order(start(files))
    assert start(files).advance() is None
    clock.forward(days=1)
    assert set(order(start(files))) >= {"f", "g"}


def test_the_summary_counts_what_the_limit_allows_and_what_is_beyond_it(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards(*"abcde")
    order(start(files))
    clock.forward(days=30)
    session = start(files, Settings(reviews_per_day=2))
    assert (session.summary().left, session.summary().beyond) == (2, 3)
    assert len(order(session)) == 2
    assert (session.summary().left, session.summary().beyond) == (0, 3)


def test_a_course_with_its_own_limit_does_not_use_up_the_general_one(start: Start) -> None:
    files = plain_cards("a1", "a2", "a3", course="A") | plain_cards("b1", "b2", course="B")
    settings = Settings(new_per_day=1, courses={"a": Course(new_per_day=2)})
    assert order(start(files, settings)) == ["a1", "b1", "a2"]


def test_a_course_may_ask_for_a_higher_retention(start: Start) -> None:
    settings = Settings(courses={"sure": Course(desired_retention=0.97)})
    session = start(plain_cards("a", course="Sure") | plain_cards("b", course="Other"), settings)
    session.advance()
    sure = session.previews()[Rating.EASY].interval
    rate(session, Rating.EASY)
    session.advance()
    assert session.previews()[Rating.EASY].interval > sure


def test_again_brings_a_card_back_after_its_ten_minutes_inside_the_session(
    start: Start, clock: SettableClock
) -> None:
    session = start(plain_cards("a", "b"))
    assert rate(session, Rating.AGAIN) == "a"
    assert rate(session, Rating.GOOD) == "b"
    assert session.advance() is None
    assert session.waiting_until() == clock() + timedelta(minutes=10)
    clock.forward(minutes=10)
    turn = session.advance()
    assert turn
    assert turn.entry.id == "a"


def test_a_waiting_card_may_be_taken_early_when_nothing_else_is_left(start: Start) -> None:
    session = start(plain_cards("a"))
    rate(session, Rating.AGAIN)
    turn = session.advance(early=True)
    assert turn
    assert turn.entry.id == "a"


def test_due_cards_come_before_new_ones_the_most_overdue_in_proportion_first(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards("long", "short")
    session = start(files)
    rate(session, Rating.EASY)
    rate(session, Rating.GOOD)
    clock.forward(days=30)
    assert order(start(files | plain_cards("a-new"))) == ["short", "long", "a-new"]


def test_tomorrow_begins_at_four_in_the_morning(start: Start, clock: SettableClock) -> None:
    files = plain_cards("a")
    session = start(files)
    rate(session, Rating.GOOD)
    interval = session.summary()
    assert interval.rated == 1
    days = start(files)._store.progress_of("a").memory
    assert days
    clock.forward(days=days.interval - 1, hours=18, minutes=59)
    assert start(files).advance() is None
    clock.forward(minutes=1)
    assert start(files).advance()


def test_a_rating_is_in_the_store_when_rate_returns(
    start: Start, store: Store, clock: SettableClock
) -> None:
    rate(start(plain_cards("a")), Rating.GOOD)
    with Store.open(store.path, clock(), read_only=True) as other:
        assert [type(event.fact) for event in other.events()] == [Review]


@pytest.mark.parametrize("other", [Review, Reset])
def test_a_card_that_was_rated_elsewhere_meanwhile_is_not_rated_twice(
    start: Start, store: Store, clock: SettableClock, other: type[Review | Reset]
) -> None:
    session = start(plain_cards("a", "b"))
    assert rate(session, Rating.AGAIN) == "a"
    clock.forward(minutes=11)
    assert (turn := session.advance()) and turn.entry.id == "a"
    session.reveal()
    fact = Reset("a") if other is Reset else Review("a", Rating.GOOD, 3, State.LEARNING)
    with Store.open(store.path, clock(), backups=False) as elsewhere:
        elsewhere.record(fact, at=clock(), day=clock().toordinal())
    before = store.events()
    with pytest.raises(RatedElsewhereError) as caught:
        session.rate(Rating.EASY)
    assert store.events() == before
    assert caught.value.now == store.progress_of("a").memory
    assert session.turn is None
    assert session.summary().rated == 1
    assert rate(session, Rating.GOOD) in ("a", "b")


def test_a_fit_made_elsewhere_does_not_keep_a_card_from_being_rated(
    start: Start, store: Store, clock: SettableClock
) -> None:
    session = start(plain_cards("a"))
    rate(session, Rating.AGAIN)
    clock.forward(minutes=11)
    assert session.advance()
    with Store.open(store.path, clock(), backups=False) as elsewhere:
        own = Fit("FSRS-6", (0.5, *DEFAULT_PARAMETERS[1:]), 9)
        elsewhere.record(own, at=clock(), day=clock().toordinal())
    assert rate(session, Rating.GOOD) == "a"


def test_only_the_very_first_session_says_when_every_card_will_have_been_met(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards(*"abcdefghijkl")
    session = start(files)
    assert session.summary().seen_by is None
    order(session)
    assert session.summary().seen_by == clock().toordinal() + 2
    clock.forward(days=1)
    session = start(files)
    order(session)
    assert session.summary().seen_by is None


@pytest.mark.parametrize(("answer", "interval"), [("2 * x * dy", 1), ("x * dy", 0)])
def test_a_lapse_comes_tomorrow_if_it_was_put_right_and_today_if_not(
    start: Start, store: Store, clock: SettableClock, answer: str, interval: int
) -> None:
    files = {"square.md": DERIVATION_CARD, "square.py": CHECKER}
    session = start(files)
    session.advance()
    session.answer("2 * x * dy")
    session.rate(Rating.GOOD)
    clock.forward(days=5)
    session = start(files)
    turn = session.advance()
    assert turn
    session.answer("2 * x")
    session.answer(answer)
    session.reveal()
    assert session.previews()[Rating.AGAIN].interval == interval
    session.rate(Rating.AGAIN)
    memory = store.progress_of(turn.entry.id).memory
    assert memory
    assert memory.interval == interval


def test_on_the_same_day_only_the_parts_that_went_wrong_are_repeated(
    start: Start, clock: SettableClock
) -> None:
    forward = "def forward(x, w):\n    return {'y': x**2 + w}\n"
    sample = (
        "def sample(rng):\n    return {'x': rng.standard_normal(4), 'w': 1.0 + rng.random(4)}\n"
    )
    session = start({"square.md": DERIVATION_CARD, "square.py": sample + forward})

    def asked() -> tuple[list[str], list[str]]:
        turn = session.advance(early=True)
        assert turn
        assert turn.asks
        return [part.name for part in turn.parts], [ask.name for ask in turn.asks.asked]

    assert asked() == (["dx", "dw"], ["dx", "dw"])
    session.answer("2 * x * dy")
    session.reveal()
    session.rate(Rating.AGAIN)
    assert asked() == (["dw"], ["dw"])
    session.reveal()
    session.rate(Rating.AGAIN)
    assert asked() == (["dw"], ["dw"])
    session.answer("dy")
    session.reveal()
    session.rate(Rating.GOOD)
    clock.forward(days=9)
    assert asked() == (["dx", "dw"], ["dx", "dw"])


def test_each_name_is_judged_by_itself_and_attempts_are_logged(start: Start, store: Store) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    session.advance()
    assert session.answer("2 * x").verdict is Verdict.WRONG
    assert session.answer("2 * x *").verdict is Verdict.INVALID
    assert session.answer("2 * x * dy").verdict is Verdict.CORRECT
    session.reveal()
    assert session.suggestion() is Rating.HARD
    attempts = [event.fact for event in store.events()]
    assert [a.verdict.value for a in attempts if isinstance(a, Attempt)] == [
        "wrong",
        "invalid",
        "correct",
    ]
    seeds = {a.seed for a in attempts if isinstance(a, Attempt)}
    assert len(seeds) == 3


def test_the_log_keeps_which_mistake_of_those_that_the_author_foresaw(
    start: Start, store: Store
) -> None:
    foreseen = '\nwrong = {"dx": {"The upstream is missing.": "2 * x"}}\n'
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER + foreseen})
    session.advance()
    for answer in ("2 * x", "-2 * x * dy", "2 * x * dy"):
        session.answer(answer)
    assert [
        (fact.diagnosis, fact.mistake)
        for event in store.events()
        if isinstance(fact := event.fact, Attempt)
    ] == [("known-mistake", "The upstream is missing."), ("sign", None), (None, None)]


def test_a_dispute_is_logged_and_does_not_count(start: Start, store: Store) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    session.advance()
    assert not session.dispute()
    session.answer("2 * x")
    assert session.dispute()
    session.reveal()
    assert session.suggestion() is None
    disputes = store.events(kinds=[Dispute])
    assert [event.fact.answer for event in disputes] == ["2 * x"]


@pytest.mark.parametrize(
    ("card", "wrong", "right"), [(CHOICE_CARD, "A", "b"), (NUMBER_CARD, "0.5", "1/4")]
)
def test_letters_and_numbers_are_judged_without_a_checker(
    start: Start, card: str, wrong: str, right: str
) -> None:
    session = start({"a.md": card})
    session.advance()
    assert session.answer(wrong).verdict is Verdict.WRONG
    assert session.answer(right).verdict is Verdict.CORRECT


def test_a_broken_checker_leaves_the_card_to_self_rating(start: Start) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": "raise ValueError('oh')"})
    turn = session.advance()
    assert turn
    assert turn.broken
    session.reveal()
    assert session.suggestion() is None
    session.rate(Rating.GOOD)


def test_a_hint_suggests_again(start: Start) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    session.advance()
    assert session.hint() == "Use the chain rule."
    assert session.hint() == "Square."
    assert session.hint() == "Multiply."
    assert session.hint() is None
    session.answer("2 * x * dy")
    session.reveal()
    assert session.suggestion() is Rating.AGAIN


def test_twice_as_fast_as_usual_suggests_easy(start: Start, clock: SettableClock) -> None:
    files = {f"{n}.md": NUMBER_CARD.replace("id: number", f"id: n{n}") for n in range(4)}
    session = start(files)
    for _ in range(3):
        session.advance()
        clock.forward(seconds=60)
        session.answer("0.25")
        session.reveal()
        assert session.suggestion() is Rating.GOOD
        session.rate(Rating.GOOD)
    session.advance()
    clock.forward(seconds=29)
    session.answer("0.25")
    session.reveal()
    assert session.suggestion() is Rating.EASY


def test_what_is_usual_for_a_type_says_nothing_of_another(
    start: Start, clock: SettableClock
) -> None:
    """A choice takes a choice's time, whatever type its header names."""
    choice = CHOICE_CARD.replace("multiple_choice", "calculation")
    choices = {f"{n}.md": choice.replace("id: choice", f"id: c{n}") for n in range(3)}
    session = start(choices | {"z.md": NUMBER_CARD})
    for answer in ("B", "B", "B", "0.25"):
        session.advance()
        clock.forward(seconds=60 if answer == "B" else 5)
        session.answer(answer)
        session.reveal()
        assert session.suggestion() is Rating.GOOD
        session.rate(Rating.GOOD)


def test_time_spent_reading_the_solution_is_not_counted(
    start: Start, store: Store, clock: SettableClock
) -> None:
    session = start({"a.md": NUMBER_CARD})
    session.advance()
    clock.forward(seconds=30)
    session.answer("0.25")
    session.reveal()
    clock.forward(seconds=300)
    assert session.rate(Rating.GOOD).seconds == 30


def test_undo_takes_back_rating_after_rating_and_asks_for_the_rating_again(
    start: Start, store: Store
) -> None:
    session = start(plain_cards("a", "b"))
    rate(session, Rating.GOOD)
    rate(session, Rating.EASY)
    assert session.undo() == ("b", Rating.EASY)
    assert session.turn
    assert session.turn.revealed
    assert session.undo() == ("a", Rating.GOOD)
    assert session.turn
    assert session.turn.entry.id == "a"
    assert session.undo() is None
    assert store.progress() == {}
    session.rate(Rating.AGAIN)
    memory = store.progress_of("a").memory
    assert memory
    assert memory.state is State.LEARNING


def test_undo_reaches_ratings_of_an_earlier_session(start: Start) -> None:
    files = plain_cards("a")
    rate(start(files), Rating.GOOD)
    session = start(files)
    assert session.undo() == ("a", Rating.GOOD)
    assert session.turn
    assert not session.turn.revealed


def test_mastered_cards_are_not_introduced_unless_asked_for(start: Start) -> None:
    files = plain_cards("a") | plain_cards("m", status="mastered")
    assert order(start(files, wanted=Filter(statuses=("mastered",)))) == ["m"]
    assert order(start(files)) == ["a"]


def test_filters_narrow_the_session(start: Start) -> None:
    files = plain_cards("a", course="One") | plain_cards("b", course="Two")
    assert order(start(files, wanted=Filter(courses=("two",)))) == ["b"]


def test_a_limit_counts_cards_and_lets_their_steps_end(start: Start, clock: SettableClock) -> None:
    session = start(plain_cards("a", "b", "c"), limit=1)
    rate(session, Rating.AGAIN)
    assert session.advance() is None
    clock.forward(minutes=10)
    assert rate(session, Rating.GOOD) == "a"
    assert session.advance() is None


def test_minutes_take_the_first_cards_that_fit(start: Start, clock: SettableClock) -> None:
    session = start(plain_cards(*"abcd"), minutes=10)
    session.advance()
    remaining = session.remaining()
    assert (remaining.total, remaining.minutes) == (2, 9)
    assert order(session, lambda: clock.forward(minutes=3)) == ["a", "b", "c"]
    assert (session.summary().left, session.summary().left_minutes) == (1, 3)


def test_a_slower_sitting_takes_fewer_cards(start: Start, clock: SettableClock) -> None:
    session = start(plain_cards(*"abcd"), minutes=10)
    session.advance()
    clock.forward(minutes=5)
    rate(session, Rating.GOOD)
    session.advance()
    assert session.remaining().total == 0
    clock.forward(minutes=1)
    rate(session, Rating.GOOD)
    clock.forward(minutes=2)
    assert session.advance() is None


def test_however_little_time_there_is_the_first_card_comes_and_so_do_steps(
    start: Start, clock: SettableClock
) -> None:
    session = start(plain_cards(*"abcd"), minutes=1)
    session.advance()
    assert session.remaining().total == 0
    assert rate(session, Rating.AGAIN) == "a"
    assert session.advance() is None
    clock.forward(minutes=10)
    assert rate(session, Rating.GOOD) == "a"
    assert session.advance() is None


def test_a_long_card_is_not_passed_over_for_a_shorter_one(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards("a") | plain_cards("b", type_="derivation") | plain_cards("c")
    session = start(files, minutes=10)
    assert order(session, lambda: clock.forward(minutes=3)) == ["a"]


def test_time_spent_today_counts_against_the_days_minutes(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards(*"abcd")
    settings = Settings(minutes_per_day=10)
    session = start(files, settings)
    session.advance()
    assert session.remaining().minutes == 9
    clock.forward(minutes=6)
    rate(session, Rating.GOOD)
    clock.forward(hours=1)
    later = start(files, settings)
    later.advance()
    assert later.remaining().total == 0
    clock.forward(minutes=3)
    assert rate(later, Rating.GOOD) == "b"
    assert later.advance() is None
    assert start(files, settings).advance() is None
    session = start(files, settings, minutes=3)
    assert order(session, lambda: clock.forward(minutes=3)) == ["c"]
    clock.forward(days=1)
    assert start(files, settings).advance()


def test_a_card_that_is_named_comes_whatever_the_days_minutes(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards(*"ab")
    settings = Settings(minutes_per_day=1)
    assert order(start(files, settings)) == ["a"]
    clock.forward(minutes=1)
    assert start(files, settings).advance() is None
    assert order(start(files, settings, wanted=Filter(cards=("b",)))) == ["b"]


def test_a_backlog_is_told_only_where_the_learner_did_not_choose_less_himself(
    start: Start, clock: SettableClock
) -> None:
    files, settings = plain_cards(*"abcde"), Settings(reviews_per_day=1, new_per_day=5)
    order(start(files, settings))
    clock.forward(days=60)
    waiting = start(files, settings).backlog()
    assert waiting and waiting.due == 5
    assert start(files, settings, limit=1).backlog() is None
    assert start(files, settings, wanted=Filter(cards=("a", "b", "c", "d"))).backlog() is None


def test_without_a_budget_of_minutes_the_time_left_is_foretold_too(start: Start) -> None:
    session = start(plain_cards(*"abc"))
    session.advance()
    assert session.budget is None
    assert session.remaining().minutes == 9
    rate(session, Rating.GOOD)
    session.advance()
    assert session.remaining().minutes == 6


def test_ahead_takes_tomorrows_cards_once(start: Start, clock: SettableClock) -> None:
    files = plain_cards("a")
    rate(start(files), Rating.GOOD)
    clock.forward(days=1)
    assert start(files).advance() is None
    assert order(start(files, ahead=30)) == ["a"]


def test_skipped_cards_come_again_in_the_next_session(start: Start) -> None:
    files = plain_cards("a", "b")
    session = start(files)
    session.advance()
    session.skip()
    assert order(session) == ["b"]
    assert order(start(files)) == ["a"]


def test_buried_cards_are_gone_until_tomorrow_and_suspended_ones_for_good(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards("a", "b")
    session = start(files)
    session.advance()
    session.bury()
    session.advance()
    session.suspend()
    assert start(files).advance() is None
    clock.forward(days=1)
    assert order(start(files)) == ["a"]


def test_flags_can_be_set_and_taken_away(start: Start) -> None:
    session = start(plain_cards("a"))
    session.advance()
    assert session.flag()
    assert session.is_flagged()
    assert not session.flag()
    assert not session.is_flagged()


def test_a_card_whose_file_vanished_is_left_out_and_told(start: Start, tmp_path: Path) -> None:
    session = start(plain_cards("a", "b"))
    (tmp_path / "deck" / "a.md").unlink()
    turn = session.advance()
    assert turn
    assert turn.entry.id == "b"
    assert [problem.path.name for problem in session.problems] == ["a.md"]


def test_remaining_counts_what_is_to_come(start: Start) -> None:
    session = start(plain_cards(*"abc"))
    session.advance()
    assert session.remaining().total == 2
    rate(session, Rating.AGAIN)
    session.advance()
    assert (session.remaining().new, session.remaining().steps) == (1, 1)


def test_the_summary_tells_what_comes_tomorrow(start: Start, clock: SettableClock) -> None:
    files = plain_cards("a", "b")
    order(start(files))
    clock.forward(days=NO_FUZZ_DAYS)
    session = start(files)
    rate(session, Rating.AGAIN)
    clock.forward(minutes=3)
    rate(session, Rating.GOOD)
    summary = session.summary()
    assert (summary.rated, summary.retention, summary.waiting) == (2, 0.5, 1)
    assert summary.seconds == 180
    assert summary.tomorrow == 1


def test_after_the_authors_hints_comes_what_would_mend_the_wrong_answer(start: Start) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    session.advance()
    session.answer("-2 * x * dy")
    assert session.hint() == "Use the chain rule."
    where, edit = session.hint(), session.hint()
    assert where
    assert edit
    assert "Square." not in (where, edit)
    assert session.hint() == "Square."
    assert session.answer("2 * x * dy").verdict is Verdict.CORRECT


def test_after_undo_the_time_that_was_needed_is_remembered(
    start: Start, clock: SettableClock
) -> None:
    files = {f"{n}.md": NUMBER_CARD.replace("id: number", f"id: n{n}") for n in range(4)}
    session = start(files)
    for _ in range(4):
        session.advance()
        clock.forward(seconds=60)
        session.answer("0.25")
        session.reveal()
        session.rate(Rating.GOOD)
        clock.forward(seconds=7)
    session.undo()
    assert session.suggestion() is Rating.GOOD
    assert session.rate(Rating.GOOD).seconds == 60


def test_after_undo_a_dispute_is_about_the_card_that_came_back(start: Start, store: Store) -> None:
    session = start({"1.md": CHOICE_CARD, "2.md": NUMBER_CARD})
    rate(session, Rating.GOOD)
    session.advance()
    session.answer("7")
    session.undo()
    assert not session.dispute()
    assert not store.events(kinds=[Dispute])


def test_undo_of_a_card_that_is_gone_asks_no_other(
    start: Start, tmp_path: Path, store: Store
) -> None:
    rate(start(plain_cards("ab")), Rating.GOOD)
    (tmp_path / "deck" / "ab.md").unlink()
    session = start(plain_cards("abc"))
    assert session.undo() == ("ab", Rating.GOOD)
    assert session.turn is None


def test_a_dispute_can_be_made_once(start: Start, store: Store) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    session.advance()
    session.answer("2 * x")
    assert session.dispute()
    assert not session.dispute()
    assert len(store.events(kinds=[Dispute])) == 1


def test_a_card_flagged_in_its_file_stays_flagged(start: Start) -> None:
    session = start(plain_cards("a", status="flagged"))
    session.advance()
    assert session.is_flagged()
    assert session.flag()
    assert session.flag()


def test_where_the_card_was_is_kept_with_its_review(
    start: Start, store: Store, tmp_path: Path
) -> None:
    rate(start(plain_cards("a")), Rating.GOOD)
    assert store.last_paths(["a"]) == {"a": str(tmp_path / "deck" / "a.md")}


def test_the_suggestion_is_kept_beside_the_rating(start: Start, store: Store) -> None:
    session = start({"a.md": NUMBER_CARD})
    session.advance()
    session.answer("0.25")
    session.reveal()
    session.rate(Rating.EASY)
    (review,) = store.events(kinds=[Review])
    assert (review.fact.rating, review.fact.suggested) == (Rating.EASY, Rating.GOOD)


def test_remaining_stays_within_the_sessions_limit(start: Start) -> None:
    session = start(plain_cards(*"abcde"), limit=2)
    session.advance()
    assert session.remaining().total == 1


def test_a_second_wrong_answer_gets_a_hint_of_its_own(start: Start) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    session.advance()
    session.answer("-2 * x * dy")
    hints = [session.hint(), session.hint(), session.hint()]
    session.answer("3 * x * dy")
    assert session.hint() not in (*hints, "Square.")


def test_a_checker_that_breaks_while_judging_is_told_in_its_own_words(
    start: Start, tmp_path: Path
) -> None:
    session = start({"square.md": DERIVATION_CARD, "square.py": CHECKER})
    session.advance()
    (tmp_path / "deck" / "square.py").write_text("raise ValueError('oh dear')")
    assert session.answer("2 * x * dy").verdict is Verdict.BROKEN
    assert session.turn
    assert session.turn.broken
    assert "oh dear" in session.turn.broken


def test_own_times_of_a_card_go_before_those_of_its_type(
    start: Start, clock: SettableClock
) -> None:
    files = {f"{n}.md": NUMBER_CARD.replace("id: number", f"id: n{n}") for n in range(4)}
    for _ in range(3):
        session = start(files)
        while session.advance():
            assert session.turn
            clock.forward(seconds=600 if session.turn.entry.id == "n0" else 6)
            session.answer("0.25")
            session.reveal()
            session.rate(Rating.GOOD)
        clock.forward(days=200)
    session = start(files, wanted=Filter(cards=("n0",)))
    session.advance()
    clock.forward(seconds=100)
    session.answer("0.25")
    session.reveal()
    assert session.suggestion() is Rating.EASY


def test_suspended_cards_do_not_come_tomorrow(start: Start, clock: SettableClock) -> None:
    session = start(plain_cards("a", "b"))
    rate(session, Rating.AGAIN)
    session.advance()
    assert session.turn
    session.skip()
    session.advance(early=True)
    session.suspend()
    assert session.summary().tomorrow == 0


def test_a_named_card_comes_whatever_the_limits_and_its_day(
    start: Start, clock: SettableClock
) -> None:
    files = plain_cards("a", "b", status="mastered")
    settings = Settings(new_per_day=0, reviews_per_day=0)
    named = Filter(cards=("b",))
    assert order(start(files, settings, wanted=named)) == ["b"]
    assert start(files, settings, wanted=named).advance() is None
    clock.forward(days=1)
    assert order(start(files, settings, wanted=named)) == ["b"]


def test_a_card_flagged_in_a_session_is_found_by_that_status(start: Start) -> None:
    files = plain_cards("a", "b")
    session = start(files)
    session.advance()
    session.flag()
    assert order(start(files, wanted=Filter(statuses=("flagged",)))) == ["a"]


def test_undo_interrupts_a_card_that_comes_back_with_its_tries(
    start: Start, clock: SettableClock
) -> None:
    session = start({"1.md": CHOICE_CARD, "2.md": NUMBER_CARD})
    rate(session, Rating.GOOD)
    session.advance()
    session.answer("7")
    session.answer("8")
    session.undo()
    session.rate(Rating.HARD)
    turn = session.advance()
    assert turn
    assert turn.entry.id == "number"
    session.answer("0.25")
    session.reveal()
    assert session.suggestion() is Rating.AGAIN


def test_who_opens_the_file_before_he_answers_has_seen_the_solution(start: Start) -> None:
    session = start({"a.md": NUMBER_CARD})
    session.advance()
    session.reread()
    session.answer("0.25")
    session.reveal()
    assert session.suggestion() is Rating.AGAIN
