"""What every kind of session does with the card that it asks.

Each action names the turn that it answers by its `number`, which every action changes: a form that
was sent twice, or from a page that is out of date, is refused with OutdatedTurnError.
"""

from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.session.asked import Asked
from quizzer.session.judging import Examiner, Judged
from quizzer.session.turn import OutdatedTurnError, Turn
from quizzer.values import Clock

if TYPE_CHECKING:
    from quizzer.judge.judges import Judge


class Asking:
    """The card that a session asks, if any, and the number of its turn.

    The numbers go on `after` those of the session before it, where a face has several.
    """

    way_counts = False
    """Whether a derivation with a wrong result may be worth something."""

    def __init__(self, judge: "Judge", clock: Clock, rng: Random, after: int = 0) -> None:
        self._examiner = Examiner(judge, rng)
        self._clock = clock
        self._began = clock()
        self._number = after
        self._asked: Asked | None = None

    @property
    def turn(self) -> Turn | None:
        return self._asked.turn if self._asked else None

    @property
    def number(self) -> int:
        """What an action on the present state must name."""
        return self._number

    def judge(self, number: int, text: str, notation: str | None = None) -> Judged:
        """The verdict on an answer to the open part. Nothing is recorded, in whatever thread."""
        return self._examiner.judged(
            self._at(number), text, self._clock(), notation, way_counts=self.way_counts
        )

    def judge_reading(self, number: int, which: int) -> Judged:
        """The verdict on the reading with this index of the answer that waits for it."""
        return self._examiner.picked(self._at(number), which, self.way_counts)

    def take_back(self, number: int) -> None:
        """Ask no longer which reading is meant: the answer will be written anew."""
        asked = self._at(number)
        self._ask(replace(asked, turn=asked.turn.asking_back(None)))

    def explain(self, number: int) -> bool:
        """Show what is wrong with the first wrong line; False where there is no more to say."""
        asked = self._at(number)
        tried = asked.turn.last_tried
        if tried is None or tried.marked is None or not tried.marked.may_be_told:
            return False
        self._ask(replace(asked, turn=asked.turn.explained()))
        return True

    def tick(self, number: int, had: bool) -> Turn:
        """Say of the open item of the checklist whether the learner had it."""
        asked = self._at(number)
        if asked.turn.open_item is None:
            raise OutdatedTurnError
        turn = asked.turn.ticked(had)
        self._ask(replace(asked, turn=turn))
        return turn

    def _at(self, number: int) -> Asked:
        """The card being asked, if it is the turn with this number."""
        asked = self._asked
        if asked is None or asked.number != number:
            raise OutdatedTurnError
        return asked

    def _ask(self, asked: Asked | None) -> None:
        """Go on to another state: every action before it is out of date."""
        self._number += 1
        self._asked = asked and replace(asked, number=self._number)
