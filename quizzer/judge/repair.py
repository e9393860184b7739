"""The last hint: one change that makes a wrong answer right. No NumPy here."""

from msgspec import Struct

from quizzer.judge.judgement import Diagnosis


class Repair(Struct, frozen=True):
    """One edit that mends the answer to `name`."""

    name: str
    where: str
    """Where to look, as a sentence that does not give the change away."""
    edit: str
    """What to write there, as a sentence."""
    text: str
    """The whole answer with the edit made."""

    @property
    def diagnosis(self) -> Diagnosis:
        return Diagnosis("one-edit", self.where)
