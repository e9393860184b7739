from datetime import timedelta
from pathlib import Path

from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Entry
from quizzer.fsrs.step import DEFAULT_PARAMETERS, MemoryState, retrievability
from quizzer.plan.backlog import Backlog, backlog
from quizzer.plan.pace import Pace
from quizzer.values import Memory, Progress, State, study_day

TODAY = study_day(MORNING)
CARDS = [Entry(Path(f"{n}.md"), Path(), Header(f"c{n}", ""), Asking.REVEAL) for n in range(10)]
STABILITY = 5.0


def known(days_ago: int) -> Progress:
    at, day = MORNING - timedelta(days=days_ago), TODAY - days_ago
    return Progress(Memory(State.REVIEW, STABILITY, 5.0, at, day, 5, 1, 0, day))


def found(due: int, today: int, per_day: int, days_ago: int = 10) -> Backlog | None:
    entries = CARDS[:due]
    progress = {entry.id: known(days_ago) for entry in entries}
    pace = Pace({}, {})
    return backlog(entries, entries[:today], per_day, progress, pace, TODAY, DEFAULT_PARAMETERS)


def recall(days: int) -> float:
    return retrievability(MemoryState(STABILITY, 5.0), days)


def test_twice_a_days_work_is_no_backlog_yet() -> None:
    assert found(due=4, today=2, per_day=2) is None
    assert found(due=5, today=2, per_day=2)


def test_a_day_that_is_used_up_is_told_nothing() -> None:
    assert found(due=10, today=0, per_day=2) is None


def test_waiting_costs_the_recall_lost_until_each_card_fits() -> None:
    waiting = found(due=7, today=2, per_day=2)
    assert waiting
    assert (waiting.due, waiting.today, waiting.days, waiting.minutes) == (7, 2, 3, 21)
    later = 2 * recall(11) + 2 * recall(12) + recall(13)
    assert abs(waiting.forgotten - (5 * recall(10) - later)) < 1e-12


def test_a_day_already_begun_does_not_make_the_next_ones_smaller() -> None:
    waiting = found(due=7, today=1, per_day=3)
    assert waiting
    assert waiting.days == 2


def test_a_day_that_new_cards_would_fill_takes_what_today_still_has_room_for() -> None:
    waiting = found(due=7, today=2, per_day=0)
    assert waiting
    assert waiting.days == 3
