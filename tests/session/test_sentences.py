"""What a session says, in words."""

from datetime import date

import pytest
from msgspec.structs import replace

from quizzer.judge.judgement import Answered, AskedName, Diagnosis, Question
from quizzer.judge.so_far import SoFar, Stopped, Understood
from quizzer.plan.agenda import Remaining
from quizzer.plan.backlog import Backlog
from quizzer.session import ending, sentences
from quizzer.session.summary import Summary
from quizzer.values import Form, Rating, Review, State, Verdict

NOTHING = Summary(
    asked=0,
    rated=0,
    cards=0,
    seconds=0,
    retention=None,
    tomorrow=3,
    waiting=0,
    left=0,
    left_minutes=0,
    beyond=0,
)


def test_a_summary_says_what_was_rated_what_waits_and_what_is_left() -> None:
    ended = Summary(
        asked=3,
        rated=3,
        cards=2,
        seconds=600,
        retention=0.5,
        tomorrow=1,
        waiting=1,
        left=2,
        left_minutes=12,
        beyond=0,
        seen_by=date(2027, 2, 12).toordinal(),
    )
    assert tuple(ending.summary(ended)) == (
        "3 ratings on 2 cards in 10 min, 50% remembered. All saved.",
        "1 card to be repeated today.",
        "Left for today: 2 cards, about 12 min.",
        "Tomorrow: 1 card due.",
        "At this pace you will have seen every card by 2027-02-12.",
    )


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (NOTHING, "Nothing is due now."),
        (replace(NOTHING, asked=1, left=1), "Nothing was rated."),
        (replace(NOTHING, left=2, left_minutes=9), "Today's minutes are spent; 2 cards, about 9"),
        (replace(NOTHING, beyond=4), "Today's limit leaves 4 cards for later"),
    ],
)
def test_a_summary_without_ratings_says_why(ended: Summary, why: str) -> None:
    assert next(ending.summary(ended)).startswith(why)


@pytest.mark.parametrize(
    ("found", "budget", "told"),
    [
        (Backlog(90, 300, 10, 8, 4.4), None, "Today's limit takes the 10 that have waited longest"),
        (Backlog(90, 300, 10, 8, 4.4), 30, "The 30 minutes take the 10 that have waited longest"),
        (Backlog(90, 300, 1, 89, 0.2), 1, "The minute takes the one that has waited longest"),
        (Backlog(90, 300, 10, 8, 4.4, True), None, "the 10 that come first for the exam"),
        (Backlog(90, 300, 10, 8, 4.4), None, "(8 days), about 4 more of them will be forgotten."),
        (Backlog(90, 300, 10, 1, 0.4), None, "(1 day), hardly any more of them"),
    ],
)
def test_a_backlog_says_what_comes_today_and_what_waiting_costs(
    found: Backlog, budget: float | None, told: str
) -> None:
    sentence = sentences.backlog(found, budget)
    assert sentence.startswith("90 cards are due, about 5 h 0 min. ")
    assert told in sentence


def test_the_place_of_a_card_has_the_time_left_only_where_time_is_limited() -> None:
    left = Remaining(steps=1, reviews=2, new=1, minutes=25)
    assert sentences.position(3, left, None) == "3 of 7"
    assert sentences.position(3, left, 30) == "3 of 7 · about 25 min left"
    assert sentences.to_go(left) == "4 cards to go, about 25 min"
    assert sentences.to_go(Remaining(0, 0, 0, 5)) == ""


def test_a_right_answer_needs_no_message() -> None:
    words = sentences.verdict(Answered("dx", Verdict.CORRECT, "right"), "1")
    assert (words.word, words.message, words.diagnosis, words.reading) == ("right", "", "", "")


def test_an_unreadable_answer_names_the_place_and_costs_no_try() -> None:
    answered = Answered("dx", Verdict.INVALID, "`)` is missing.", line=2, column=5)
    words = sentences.verdict(answered, "a\nb(cd")
    assert words.message == "At line 2, column 5: `)` is missing."
    assert "costs no try" in words.word


def test_a_diagnosis_is_not_said_twice() -> None:
    diagnosis = Diagnosis("factor", "A factor of 2 is missing.")
    for message, said in (("wrong", diagnosis.message), (f"No. {diagnosis.message}", "")):
        answered = Answered("dx", Verdict.WRONG, message, diagnosis=diagnosis)
        assert sentences.verdict(answered, "x").diagnosis == said


@pytest.mark.parametrize(
    ("shape", "words"),
    [((), "a number"), (("n",), "shape (n,)"), (("n", "3"), "shape (n, 3), for example")],
)
def test_a_shape_says_whether_its_numbers_are_an_example(
    shape: tuple[str, ...], words: str
) -> None:
    assert sentences.shape(AskedName("dx", "", shape, ())) == words


def test_names_for_one_answer_alone_are_told_apart() -> None:
    asks = Question(
        (AskedName("dx", "", ("n",), ("x", "W")), AskedName("db", "", ("n",), ("x",))), "x > 0"
    )
    assert list(sentences.conditions(asks)) == [
        ("you may use", "x"),
        ("for dx also", "W"),
        ("assume", "x > 0"),
        ("indices count from", "0"),
    ]


def test_a_replaced_history_is_told_with_the_ratings_that_it_lacks() -> None:
    assert "missing" not in sentences.replaced(0)
    assert sentences.replaced(2).endswith("; 2 ratings of this session are missing from it.")


@pytest.mark.parametrize(
    ("so_far", "typed", "words"),
    [
        (None, "", ""),
        (Understood("numpy", "2 * x"), "2*(x)", "read as NumPy"),
        (
            Understood("index", "dx[i] = sum(k) (dy[k] W[k, i])"),
            "dx_i = sum_k dy_k W_ki",
            "read as index notation: dx[i] = sum(k) (dy[k] W[k, i])",
        ),
        (
            Understood("matrix", "dx = (x / 2) y", ("dx = x / (2 y)",)),
            "x / 2 y",
            "read as matrix notation: dx = (x / 2) y, or dx = x / (2 y)",
        ),
        (Stopped("q is no name.", 1, 7, True), "x y q", "reading stops at column 7: q is no name."),
        (
            Stopped("q is no name.", 2, 7, True),
            "s = x\nx * y * q",
            "reading stops at line 2, column 7: q is no name.",
        ),
        (Stopped("dx has 3 axes.", None, None, True), "x^T", "reading stops: dx has 3 axes."),
        (Stopped("A ( is open.", 1, 2, False), "x(", "not finished yet"),
        (Stopped("Nothing is here.", None, None, False), "dx =", "not finished yet"),
    ],
)  # fmt: skip
def test_of_a_text_that_is_being_typed_it_is_said_how_it_is_read_or_where_reading_stops(
    so_far: SoFar | None, typed: str, words: str
) -> None:
    assert sentences.so_far(so_far, typed) == words


def test_what_an_unfinished_text_lacks_is_said_when_nothing_is_typed_for_a_while() -> None:
    unfinished, stopped = (Stopped("A ( is open.", 1, 2, done) for done in (False, True))
    assert sentences.so_far(unfinished, "x(", resting=True) == "not finished yet: A ( is open."
    assert sentences.so_far(stopped, "x(", resting=True) == sentences.so_far(stopped, "x(")


def test_a_verdict_says_which_remarks_were_set_aside() -> None:
    answered = Answered("dx", Verdict.CORRECT, "right", set_aside=("since y = 1", "(why)"))
    assert sentences.verdict(answered, "x").aside == "set aside: since y = 1; (why)"
    assert sentences.verdict(replace(answered, set_aside=()), "x").aside == ""


def test_the_history_says_in_which_short_form_a_review_was() -> None:
    page = Review("a", Rating.GOOD, 3, State.REVIEW)
    assert "(" not in sentences.happened(page)
    slip = Review("a", Rating.GOOD, 3, State.REVIEW, form=Form.SLIP)
    assert sentences.happened(slip).startswith("good (slip), next ")
