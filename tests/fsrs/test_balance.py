from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime
from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from quizzer.fsrs.balance import EVEN, Load
from quizzer.fsrs.scheduler import Policy, fuzz_range, intervals, preview, schedule
from quizzer.values import Memory, Rating, State

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY = AT.toordinal()
PLAIN = Policy(fuzz=False)
SATURDAY = 5


def memory(stability: float, interval: int, reviews: int = 3) -> Memory:
    day = TODAY - interval
    return Memory(State.REVIEW, stability, 5.0, AT, day, interval, reviews, 0, day)


def counting(due: Mapping[int, int], shares: tuple[float, ...] = EVEN) -> Load:
    return Load(lambda first, last: {d: n for d, n in due.items() if first <= d <= last}, shares)


def weekday(interval: int) -> int:
    return date.fromordinal(TODAY + interval).weekday()


cards = st.text(min_size=1, max_size=5)
memories = st.none() | st.builds(
    memory, st.floats(0.1, 2000), st.integers(1, 400), reviews=st.integers(1, 30)
)
loads = st.builds(
    counting,
    st.dictionaries(st.integers(TODAY, TODAY + 60), st.integers(1, 50)),
    st.tuples(*[st.sampled_from([0.0, 0.2, 1.0])] * 7),
)
limits = st.integers(1, 400)


@given(cards, memories, loads, limits)
def test_balancing_stays_inside_the_fuzz_range_and_keeps_the_order(
    card: str, before: Memory | None, load: Load, limit: int
) -> None:
    plain = intervals(card, before, TODAY, Policy(maximum_interval=limit, fuzz=False))
    chosen = intervals(card, before, TODAY, Policy(maximum_interval=limit), load)
    for rating, interval in chosen.items():
        least, greatest = fuzz_range(plain[rating], limit)
        assert least <= interval <= greatest
    again, hard, good, easy = (chosen[rating] for rating in Rating)
    assert again == 0
    assert hard <= good <= easy
    assert good < easy or easy == limit


@given(cards, memories, loads)
def test_a_preview_promises_what_is_scheduled(card: str, before: Memory | None, load: Load) -> None:
    shown = preview(card, before, AT, TODAY, load=load)
    for rating in Rating:
        assert schedule(card, before, rating, AT, TODAY, load=load) == shown[rating]


def test_nothing_is_asked_of_the_days_when_nothing_can_be_chosen() -> None:
    def never(first: int, last: int) -> Mapping[int, int]:
        raise AssertionError("nothing to balance")

    assert intervals("a", memory(10.0, 10), TODAY, PLAIN, Load(never))
    step = Memory(State.LEARNING, 0.2, 5.0, AT, TODAY, 0, 1, 0, TODAY)
    assert intervals("a", step, TODAY, load=Load(never))[Rating.GOOD] == 1


def test_balanced_days_are_much_more_even_and_the_intervals_hardly_longer() -> None:
    before = memory(20.0, 20)
    (least, greatest) = fuzz_range(intervals("a", before, TODAY, PLAIN)[Rating.GOOD])
    drawn, due = Counter[int](), Counter[int]()
    for number in range(400):
        drawn[intervals(f"card-{number}", before, TODAY)[Rating.GOOD]] += 1
        chosen = intervals(f"card-{number}", before, TODAY, load=counting(due))
        due[TODAY + chosen[Rating.GOOD]] += 1
    days = range(least, greatest + 1)
    even = 400 / len(days)
    off = sum((drawn[day] - even) ** 2 for day in days)
    off_balanced = sum((due[TODAY + day] - even) ** 2 for day in days)
    assert off_balanced < 0.5 * off
    middle = fmean(day - TODAY for day in due.elements())
    assert abs(middle - (least + greatest) / 2) < 0.1 * (greatest - least)


def test_easy_weekdays_get_their_share() -> None:
    before = memory(20.0, 20)

    def on_saturdays(share: float) -> int:
        shares = tuple(share if day == SATURDAY else 1.0 for day in range(7))
        due = Counter[int]()
        for number in range(300):
            chosen = intervals(f"card-{number}", before, TODAY, load=counting(due, shares))
            due[TODAY + chosen[Rating.GOOD]] += 1
        return sum(n for day, n in due.items() if weekday(day - TODAY) == SATURDAY)

    usual, half = on_saturdays(1.0), on_saturdays(0.5)
    assert on_saturdays(0.0) == 0
    assert 0.35 * usual < half < 0.65 * usual


def test_where_every_day_is_one_without_work_one_is_taken_all_the_same() -> None:
    chosen = intervals("a", memory(20.0, 20), TODAY, load=counting({}, (0.0,) * 7))
    assert chosen[Rating.GOOD] > 1
