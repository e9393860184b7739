from collections.abc import Callable

import pytest
from in_turn import InTurn
from samples import SettableClock, card_text

from quizzer.session.sentences import repeats
from quizzer.values import Rating

Start = Callable[..., InTurn]
LIST = {"c.md": card_text("c", question="Say it.", solution="- (2p) one\n- two\n- three")}


@pytest.mark.parametrize(
    ("had", "suggested"),
    [
        ((True, True, True), Rating.GOOD),
        ((True, True, False), Rating.HARD),
        ((False, True, True), Rating.AGAIN),
        ((True, True), None),
        ((), None),
    ],
)
def test_ticks_suggest_a_rating_by_their_points(
    start: Start, had: tuple[bool, ...], suggested: Rating | None
) -> None:
    session = start(LIST)
    session.advance()
    session.reveal()
    for each in had:
        session.tick(each)
    assert session.suggestion() is suggested


PARTS = {
    "c.md": card_text(
        "c", question="(5p) All.\n\n(a) (2p) The one.\n\n(b) (3p) The other.", solution="So."
    )
}


def test_only_the_parts_that_failed_are_repeated_the_same_day(
    start: Start, clock: SettableClock
) -> None:
    session = start(PARTS)
    session.advance()
    session.reveal()
    session.tick(True)
    session.tick(False)
    session.rate(Rating.AGAIN)
    clock.forward(minutes=11)
    turn = session.advance()
    assert turn and [item.text for item in turn.checklist] == ["(b)"]
    assert repeats(turn) == "Again: only (b)."
    session.reveal()
    session.tick(True)
    assert session.suggestion() is Rating.GOOD


def test_a_repeated_list_does_not_tell_what_was_missed(start: Start, clock: SettableClock) -> None:
    session = start(LIST)
    session.advance()
    session.reveal()
    for had in (True, False, False):
        session.tick(had)
    session.rate(Rating.AGAIN)
    clock.forward(minutes=11)
    turn = session.advance()
    assert turn and len(turn.checklist) == 2
    assert repeats(turn) == "Again: only what you missed, 2 items of the solution."
