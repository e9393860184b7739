from pathlib import Path

import pytest
from msgspec.structs import replace
from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Entry
from quizzer.fsrs.scheduler import DEFAULT_POLICY
from quizzer.plan.forms import (
    ALL,
    BLANK_DAYS,
    MOST_SHORT,
    TESTS,
    FormHistory,
    form_for,
    form_history,
    forms_next,
    minutes_by_form,
    policy_for,
)
from quizzer.plan.settings import Course, Settings
from quizzer.store import Entered
from quizzer.values import Form, Memory, Progress, Rating, State

DAY = 700_000
SETTINGS = Settings(forms=ALL)
CARDS = [f"c{number}" for number in range(60)]


def memory(interval: int = 10, reviews: int = 3) -> Memory:
    return Memory(State.REVIEW, 10.0, 5.0, MORNING, DAY - 10, interval, reviews, 0, DAY - 30)


def drawn(history: FormHistory, settings: Settings = SETTINGS) -> set[Form]:
    """The forms in which cards come."""
    return {form_for(card, history, ALL, settings, "C", DAY, memory()) for card in CARDS}


def test_a_new_card_is_worked_through_then_tested_then_a_blank_page() -> None:
    first = form_for("c", FormHistory(), ALL, SETTINGS, "", DAY, None)
    assert first is Form.WORKED
    after = FormHistory().after(first, 1)
    assert drawn(after) == {*TESTS}
    assert drawn(after.after(Form.SLIP, 3)) == {Form.BLANK}


def test_a_short_form_that_was_forgotten_comes_again_before_the_blank_page() -> None:
    history = FormHistory().after(Form.WORKED, 1).after(Form.SLIP, 0, again=True)
    assert drawn(history) == {*TESTS}


def test_a_card_without_a_worked_solution_is_tested_first() -> None:
    available = (Form.MISSING, Form.BLANK)
    assert form_for("c", FormHistory(), available, SETTINGS, "", DAY, None) is Form.MISSING


def test_of_three_reviews_one_at_least_is_a_blank_page() -> None:
    for card in CARDS:
        history, found = FormHistory(blank=10), []
        for reviews in range(30):
            form = form_for(card, history, ALL, SETTINGS, "", DAY, memory(reviews=reviews))
            history = history.after(form, 10)
            found.append(form)
        runs = "".join("b" if form is Form.BLANK else "s" for form in found).split("b")
        assert max(map(len, runs)) == MOST_SHORT
        assert Form.WORKED not in found
        assert {*found} == {*TESTS, Form.BLANK}


def test_after_a_lapse_the_step_is_a_short_form() -> None:
    history = FormHistory(blank=0)
    found = {form_for(c, history, ALL, SETTINGS, "", DAY, memory(interval=0)) for c in CARDS}
    assert found == {*TESTS}


@pytest.mark.parametrize(
    ("days", "forms"), [(BLANK_DAYS, {Form.BLANK}), (BLANK_DAYS + 1, {*TESTS})]
)
def test_in_the_two_weeks_before_an_exam_every_card_is_a_blank_page(
    days: int, forms: set[Form]
) -> None:
    settings = replace(SETTINGS, courses={"c": Course(exam_day=DAY + days)})
    assert drawn(FormHistory(short=1), settings) == forms


def test_only_the_forms_that_are_set_come() -> None:
    assert drawn(FormHistory(short=1), replace(SETTINGS, forms=(Form.SLIP,))) == {Form.SLIP}
    assert drawn(FormHistory(short=1), replace(SETTINGS, forms=(Form.BLANK,))) == {Form.BLANK}


@pytest.mark.parametrize(("blank", "longest"), [(10, 15), (1, 1), (0, 1), (3, 4)])
def test_a_right_short_form_earns_half_as_long_again_at_the_most(blank: int, longest: int) -> None:
    policy = policy_for(DEFAULT_POLICY, Form.SLIP, FormHistory(blank=blank))
    assert policy.maximum_interval == longest
    assert policy.share < 1


def test_a_blank_page_is_scheduled_as_ever() -> None:
    assert policy_for(DEFAULT_POLICY, Form.BLANK, FormHistory(blank=1)) == DEFAULT_POLICY


def test_a_worked_solution_is_asked_for_tomorrow() -> None:
    assert policy_for(DEFAULT_POLICY, Form.WORKED, FormHistory()).maximum_interval == 1


def test_a_card_of_which_no_form_is_told_was_a_blank_page_each_time() -> None:
    assert form_history((), memory(interval=9)) == FormHistory(blank=9)
    assert form_history((), None) == FormHistory()


def test_the_last_blank_page_counts_and_the_short_forms_since() -> None:
    told = [
        Entered(form, Rating.GOOD, interval, None)
        for form, interval in ((Form.WORKED, 1), (Form.BLANK, 4), (Form.SLIP, 6))
    ]
    assert form_history(told, memory()) == FormHistory(short=1, right=1, blank=4)


def test_a_short_form_takes_the_median_of_its_own_times_where_there_are_enough() -> None:
    timed = [(Form.SLIP, 60.0 * minutes) for minutes in (1, 3, 3, 4, 9)]
    assert minutes_by_form([*timed, (Form.MISSING, 60.0)]) == {Form.SLIP: 3.0}


def test_only_cards_with_a_checker_come_in_a_short_form() -> None:
    of = forms_next(lambda card: (), lambda card: Progress(), SETTINGS, DAY)
    entries = [
        Entry(Path(f"/{card}.md"), Path("/"), Header(card, card), asking)
        for card, asking in (("a", Asking.CHECKER), ("b", Asking.REVEAL))
    ]
    assert [of(entry) for entry in entries] == [Form.WORKED, Form.BLANK]


def test_after_three_bare_results_in_a_row_a_line_is_asked_for() -> None:
    history = FormHistory()
    for _ in range(3):
        assert drawn(replace(history, blank=10)) != {Form.MISSING}
        history = history.after(Form.BLANK, 10, bare=True)
    assert drawn(history) == {Form.MISSING}
    assert drawn(history.after(Form.SLIP, 10)) == {Form.MISSING}
    assert drawn(history.after(Form.MISSING, 10)) != {Form.MISSING}
    assert drawn(history.after(Form.BLANK, 10)) != {Form.MISSING}


def test_a_line_is_asked_for_only_where_one_can_be_and_never_before_an_exam() -> None:
    history = FormHistory(blank=10, bare=3)
    of_slips = (Form.SLIP, Form.BLANK)
    forms = {form_for(card, history, of_slips, SETTINGS, "", DAY, memory()) for card in CARDS}
    assert Form.MISSING not in forms
    assert drawn(replace(history, short=MOST_SHORT)) == {Form.BLANK}
    soon = replace(SETTINGS, courses={"c": Course(exam_day=DAY + 3)})
    assert drawn(history, soon) == {Form.BLANK}


def test_the_history_of_a_card_tells_its_bare_results() -> None:
    bare = Entered(Form.BLANK, Rating.GOOD, 10, None, bare=True)
    derived = Entered(Form.BLANK, Rating.GOOD, 10, None)
    assert form_history([derived, bare, bare], memory()).bare == 2
    assert form_history([bare, bare, derived], memory()).bare == 0
