"""What was done on a card and shown of it, one move after the other. Values only."""

from typing import TYPE_CHECKING

from msgspec import Struct

from quizzer.judge.judgement import Answered
from quizzer.session.marks import Marked

if TYPE_CHECKING:
    from quizzer.form.predictions import Prediction


class Tried(Struct, frozen=True):
    """One answer as it was typed, and what was said of it."""

    typed: str
    answered: Answered
    others: tuple[Answered, ...] = ()
    """On the other asked names that the same text settled."""
    marked: Marked | None = None
    """The lines of a derivation."""

    @property
    def answers(self) -> tuple[Answered, ...]:
        return (self.answered, *self.others)


class Hinted(Struct, frozen=True):
    """One hint that was shown."""

    text: str


class Predicted(Struct, frozen=True):
    """One of the choices was predicted for the step that came next."""

    prediction: "Prediction"
    choice: str

    @property
    def is_right(self) -> bool:
        return self.choice == self.prediction.right


class Disputed(Struct, frozen=True):
    """The last verdict on this name was disputed."""

    name: str


class Revealed(Struct, frozen=True):
    """The solution was shown."""


Move = Tried | Hinted | Predicted | Disputed | Revealed
