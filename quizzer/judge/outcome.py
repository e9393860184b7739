"""What a text of several lines came to: verdicts on asked names, and its lines."""

from typing import TYPE_CHECKING

from msgspec import Struct

from quizzer.judge.judgement import Answered

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine


class Reached(Struct, frozen=True):
    """The verdicts on the asked names that a text reaches, and its lines, where it has several."""

    answers: tuple[Answered, ...]
    lines: "tuple[JudgedLine, ...]" = ()
