"""A quiz in the browser, form by form, without its script."""

from collections.abc import Callable

import pytest
from samples import SettableClock
from site_of import Site, words

from quizzer.session import sentences
from quizzer.session.quiz import Basis, Quiz
from quizzer.values import Attempt, Review

Open = Callable[..., Site]
RIGHT = {"square": "dx = 2 * x * dy", "choice": "B", "number": "0.25"}


def quiz(pages: Site) -> Quiz:
    assert pages.desk.quiz
    return pages.desk.quiz.quiz


def do(pages: Site, action: str, **fields: object) -> str:
    return pages.send(f"/quiz/do/{action}", number=quiz(pages).number, **fields)


def begin(pages: Site, **fields: object) -> str:
    return pages.send("/quiz/begin", **fields)


def card(pages: Site) -> str:
    turn = quiz(pages).turn
    assert turn
    return turn.entry.id


def test_a_mock_exam_tells_no_verdict_before_its_result(site: Open) -> None:
    pages = site()
    assert 'name="minutes"' in pages.get("/quiz")
    page = begin(pages, minutes="20")
    for _ in range(4):
        assert 'role="timer"' in page and "✓" not in page
        if card(pages) == "open":
            page = do(pages, "reveal")
            assert "Your own mark" in words(page) and "Your own mark" in words(pages.get("/quiz"))
            page = do(pages, "mark", share="2")
        else:
            right = card(pages) != "number"
            page = do(pages, "answer", text=RIGHT[card(pages)] if right else "7")
    said = words(page)
    assert "5.5 of 7 points (79%)" in said
    assert "judged: 3 cards, 5 of 6 points" in said and "self-assessed: 1 card" in said
    assert sentences.SCHEDULE_UNCHANGED in said
    assert pages.get("/quiz") == page, "the time does not run on"
    assert pages.desk.quiz and pages.desk.quiz.result
    ids = [item.entry.id for item in pages.desk.quiz.result.items]
    unfolded = words(pages.get(f"/quiz/items/{ids.index('number') + 1}"))
    assert "✗ number: wrong" in unfolded and "Solution" in unfolded
    unfolded = words(pages.get(f"/quiz/items/{ids.index('open') + 1}"))
    assert "You gave yourself 0.5 of 1." in unfolded and "Not answered" not in unfolded
    facts = set(map(type, pages.events))
    assert Attempt in facts and Review not in facts


def test_without_a_clock_verdict_and_solution_come_after_each_card(site: Open) -> None:
    pages = site()
    page = begin(pages)
    while card(pages) != "square":
        page = do(pages, "leave")
    assert 'role="timer"' not in page
    page = do(pages, "answer", text=RIGHT["square"])
    said = words(page)
    assert "✓ dx: right" in said and "Solution" in said and "4 of 4 points" in said
    do(pages, "next")
    page = do(pages, "end") if quiz(pages).turn else page
    assert pages.desk.quiz and pages.desk.quiz.result
    assert pages.desk.quiz.result.earned == 4
    assert {item.basis for item in pages.desk.quiz.result.items} == {
        Basis.JUDGED,
        Basis.UNANSWERED,
    }


def test_an_answer_after_the_time_does_not_count(
    site: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, clock = site(), SettableClock()
    monkeypatch.setattr(pages.desk.workspace, "clock", clock)
    begin(pages, minutes="1")
    while card(pages) == "open":
        do(pages, "leave")
    clock.forward(minutes=2)
    said = words(do(pages, "answer", text=RIGHT[card(pages)]))
    assert sentences.TOO_LATE in said and "0 of 7 points" in said
    assert Attempt not in map(type, pages.events)


def test_an_answer_with_two_meanings_is_asked_about_in_a_quiz_too(site: Open) -> None:
    pages = site()
    begin(pages, results="each")
    while card(pages) != "square":
        do(pages, "leave")
    assert "dx can be read in 2 ways" in words(
        do(pages, "answer", text="dx_i = 2 dy_i / x_i x_i x_i")
    )
    assert "✗ dx: wrong" in words(do(pages, "reading", which=1))


def test_a_form_that_is_out_of_date_does_nothing_and_shows_the_quiz(site: Open) -> None:
    pages = site()
    begin(pages, results="end")
    stale, here = quiz(pages).number, card(pages)
    do(pages, "leave")
    after = card(pages)
    page = pages.send("/quiz/do/leave", number=stale)
    assert pages.status == 409 and "has gone on meanwhile" in words(page)
    assert card(pages) == after != here
    do(pages, "end")
    pages.send("/quiz/begin")
    assert quiz(pages).number > stale, "a page of one quiz never fits the next"
    pages.send("/quiz/do/leave", number=stale)
    assert pages.status == 409


def test_a_session_and_a_quiz_run_side_by_side(site: Open) -> None:
    pages = site()
    pages.begin("open")
    begin(pages, results="end")
    pages.do("reveal")
    do(pages, "leave")
    assert "saved: good" in words(pages.do("rate", rating=3))
    assert "2 of 4" in pages.get("/quiz")


@pytest.mark.parametrize(
    "fields",
    [{"cards": "none"}, {"cards": "0"}, {"minutes": "-1"}, {"minutes": "nan"}, {"tag": "unknown"}],
)
def test_what_cannot_be_drawn_is_said_above_the_form(site: Open, fields: dict[str, str]) -> None:
    pages = site()
    page = begin(pages, **fields)
    assert pages.status == 422 and 'role="alert"' in page
    assert pages.desk.quiz is None


def test_unknown_actions_marks_and_items_are_refused(site: Open) -> None:
    pages = site()
    pages.send("/quiz/do/leave", number=1)
    assert pages.status == 404
    begin(pages)
    for action, fields in (("fly", {}), ("mark", {"share": "9"})):
        do(pages, action, **fields)
        assert pages.status == 404
    pages.get("/quiz/items/1")
    assert pages.status == 404, "there is no result yet"
