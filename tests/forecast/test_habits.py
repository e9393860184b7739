import pytest
from msgspec.structs import replace
from samples import MORNING

from quizzer.forecast.habits import USUAL, Luck, habits_of
from quizzer.fsrs.step import DEFAULT_PARAMETERS, days_until
from quizzer.values import Memory, Rating, Review, State


def review(state: State, rating: Rating, seconds: float | None = None) -> Review:
    return Review("a", rating, 1, state, seconds=seconds)


def test_without_reviews_the_learner_rates_as_people_do() -> None:
    habits = habits_of([])
    assert habits.first == pytest.approx(USUAL.first)
    assert habits.step == pytest.approx(USUAL.step)
    assert habits.recalled == pytest.approx(USUAL.recalled)
    assert habits.step_share == 1


def test_the_more_there_are_of_a_learners_reviews_the_more_their_habits_count() -> None:
    few, many = (
        habits_of(
            [review(State.NEW, Rating.EASY)] * count
            + [review(State.RELEARNING, Rating.HARD)] * count
            + [review(State.REVIEW, Rating.HARD)] * count
        )
        for count in (50, 5000)
    )
    assert few.first[3] == pytest.approx((USUAL.first[3] + 1) / 2)
    assert min(many.first[3], many.step[1], many.recalled[1]) > 0.98
    for habits in (few, many):
        for shares in (habits.first, habits.step, habits.recalled):
            assert sum(shares) == pytest.approx(1)


def test_forgetting_a_learned_card_is_no_habit() -> None:
    forgetful = [review(State.REVIEW, Rating.AGAIN)] * 500
    assert habits_of(forgetful).recalled == pytest.approx(USUAL.recalled)


def test_the_share_of_lapses_that_were_put_right_is_a_habit() -> None:
    right = review(State.REVIEW, Rating.AGAIN)
    shown = replace(right, interval=0)
    assert habits_of([shown] * 9).corrected == 0
    share = habits_of([shown, right] * 100).corrected
    assert share == pytest.approx(0.5, abs=0.02)
    luck = Luck(habits_of([shown, right] * 100))
    assert sum(luck.corrects() for _ in range(100)) == pytest.approx(100 * share, abs=1)


def test_repetitions_in_a_step_take_what_they_took() -> None:
    timed = [review(State.REVIEW, Rating.GOOD, 100.0)] * 9
    steps = [review(State.LEARNING, Rating.GOOD, 30.0)] * 9
    assert habits_of(timed + steps).step_share == pytest.approx(0.3)
    assert habits_of(timed + steps[:4]).step_share == 1


def test_of_new_cards_the_usual_shares_are_rated_so_however_few_there_are() -> None:
    luck = Luck(USUAL)
    ratings = [luck.rating(None, 1, DEFAULT_PARAMETERS, 0) for _ in range(100)]
    for some in (ratings, ratings[:25]):
        for rating, share in zip(Rating, USUAL.first, strict=True):
            assert some.count(rating) / len(some) == pytest.approx(share, abs=1.5 / len(some))


def test_a_card_just_forgotten_is_forgotten_again_as_often_as_its_chance_says() -> None:
    luck = Luck(USUAL)

    def is_forgotten(stability: float, chance: float) -> bool:
        elapsed = round(days_until(stability, 1 - chance))
        memory = Memory(State.REVIEW, stability, 5.0, MORNING, 0, elapsed, 1, 0, 0)
        return luck.rating(memory, elapsed, DEFAULT_PARAMETERS, 0) is Rating.AGAIN

    lapses = [is_forgotten(2.0, 0.4) for _ in range(3000) if is_forgotten(100.0, 0.1)]
    assert len(lapses) == pytest.approx(300, abs=5)
    assert sum(lapses) == pytest.approx(0.4 * len(lapses), abs=5)


def test_several_learners_differ_in_which_cards_they_forget_and_not_in_how_many() -> None:
    ratings = []
    for start in (0.1, 0.6):
        luck = Luck(USUAL, start)
        ratings.append([luck.rating(None, 1, DEFAULT_PARAMETERS, 0) for _ in range(200)])
    first, second = ratings
    assert first != second
    assert abs(first.count(Rating.AGAIN) - second.count(Rating.AGAIN)) <= 2
