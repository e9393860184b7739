"""What was done on a card and shown of it, one move after the other. Values only."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizzer.judge.judgement import Answered
from quizzer.session.marks import Marked

if TYPE_CHECKING:
    from quizzer.form.predictions import Prediction


@dataclass(frozen=True, slots=True)
class Tried:
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


@dataclass(frozen=True, slots=True)
class Hinted:
    """One hint that was shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Predicted:
    """One of the choices was predicted for the step that came next."""

    prediction: "Prediction"
    choice: str

    @property
    def is_right(self) -> bool:
        return self.choice == self.prediction.right


@dataclass(frozen=True, slots=True)
class Disputed:
    """The last verdict on this name was disputed."""

    name: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The solution was shown."""


Move = Tried | Hinted | Predicted | Disputed | Revealed
