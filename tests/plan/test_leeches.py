from pathlib import Path

from samples import MORNING

from quizzer.card import Header
from quizzer.deck import Asking, Entry, Filter
from quizzer.plan.leeches import newly
from quizzer.plan.queue import is_wanted
from quizzer.values import UNSEEN, Memory, Progress, State, study_day

DAY = study_day(MORNING)


def lapsed(times: int) -> Progress:
    return Progress(Memory(State.REVIEW, 1.0, 9.0, MORNING, DAY, 1, 20, times, DAY))


def test_the_learner_is_told_at_eight_lapses_and_every_four_after() -> None:
    told = [newly(lapsed(times - 1), lapsed(times)) for times in range(1, 20)]
    assert [lapses for lapses in told if lapses] == [8, 12, 16]


def test_a_rating_that_is_no_lapse_tells_nothing() -> None:
    assert newly(lapsed(8), lapsed(8)) is None
    assert newly(UNSEEN, lapsed(0)) is None


def test_filters_find_leeches_by_status_or_tag_whatever_their_files_say() -> None:
    card = Entry(
        Path("a.md"), Path(), Header("a", "", tags=("cnn",), status="to_learn"), Asking.REVEAL
    )
    for wanted in (
        Filter(statuses=("leech",)),
        Filter(tags=("leech",)),
        Filter(tags=("leech", "rnn"), statuses=("leech", "mastered")),
    ):
        assert is_wanted(card, lapsed(8), wanted)
        assert not is_wanted(card, lapsed(7), wanted)
    assert not is_wanted(card, lapsed(8), Filter(tags=("leech",), statuses=("mastered",)))
    assert not is_wanted(card, lapsed(8), Filter(statuses=("leech",), tags=("rnn",)))
