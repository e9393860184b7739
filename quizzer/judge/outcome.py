"""What a text of several lines came to: verdicts on asked names, and its lines."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizzer.judge.judgement import Answered

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine


@dataclass(frozen=True, slots=True)
class Reached:
    """The verdicts on the asked names that a text reaches, and its lines, where it has several."""

    answers: tuple[Answered, ...]
    lines: "tuple[JudgedLine, ...]" = ()
