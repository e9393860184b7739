"""What a session says, in words."""

import pytest

from quizzer.judge.judgement import Answered, AskedName, Diagnosis, Question
from quizzer.plan.agenda import Remaining
from quizzer.plan.backlog import Backlog
from quizzer.session import sentences
from quizzer.session.daily import Summary
from quizzer.values import Verdict


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


def test_a_position_counts_what_is_to_come_and_the_time_where_minutes_are_counted() -> None:
    left = Remaining(steps=1, reviews=2, new=0, minutes=12)
    assert sentences.position(1, left, None) == "1 of 4"
    assert sentences.position(1, left, 30) == "1 of 4 · about 12 min left"


def test_a_backlog_of_one_minute_takes_one_card() -> None:
    said = sentences.backlog(Backlog(9, 20, 1, 8, 0.2), 1)
    assert "The minute takes the one that has waited longest" in said
    assert "(8 days), hardly any more of them will be forgotten" in said


def summary(**values: int) -> Summary:
    known = {"rated": 0, "cards": 0, "tomorrow": 1, "waiting": 0, "left": 0, "beyond": 0}
    known |= values
    return Summary(seconds=60, retention=None, left_minutes=5, **known)


@pytest.mark.parametrize(
    ("done", "asked", "first"),
    [
        (summary(rated=2, cards=1), True, "2 ratings on 1 card in 1 min. All saved."),
        (summary(), True, "Nothing was rated."),
        (summary(left=2), False, "Today's minutes are spent; 2 cards, about 5 min left."),
        (summary(beyond=1), False, "Today's limit leaves 1 card for later."),
        (summary(), False, "Nothing is due now."),
    ],
)
def test_a_summary_says_why_there_was_no_rating(done: Summary, asked: bool, first: str) -> None:
    lines = list(sentences.summary(done, asked))
    assert lines[0] == first and lines[-1] == "Tomorrow: 1 card due."
