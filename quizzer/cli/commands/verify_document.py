"""What `verify --json` and a line of `verify --batch` say of a judgement."""

from typing import TYPE_CHECKING

from quizzer.judge.judgement import Answered, View
from quizzer.session.scripted import Judged

if TYPE_CHECKING:
    from quizzer.judge.derivation import JudgedLine


def document(card: str, judged: Judged) -> dict[str, object]:
    """What `verify --json` says of a judgement; `card` is its id."""
    judgement = judged.judgement
    return {
        "card": card,
        "verdict": judgement.verdict.value,
        "seed": judgement.seed,
        "answers": [
            {
                "name": answered.name,
                "verdict": answered.verdict.value,
                "notation": answered.notation,
                "message": answered.message,
                "diagnosis": {
                    "code": answered.diagnosis.code,
                    "message": answered.diagnosis.message,
                }
                if answered.diagnosis
                else None,
                "line": answered.line,
                "column": answered.column,
                "shape": _listed(answered.shape),
                "expected_shape": _listed(answered.expected_shape),
                "reading": answered.understood and answered.understood.text,
                "latex": answered.understood and answered.understood.latex,
                **_readings(answered),
                "view": _view(answered.view) if answered.view else None,
                **_lines(judged.lines.get(answered.name, ())),
            }
            for answered in judgement.answers
        ],
        "missing": judged.missing,
        "suggested_rating": judged.suggestion.label if judged.suggestion else None,
    }


def _readings(answered: Answered) -> dict[str, object]:
    """The readings of an answer that has several."""
    return {"readings": [each.text for each in answered.readings]} if answered.readings else {}


def _lines(lines: "tuple[JudgedLine, ...]") -> dict[str, object]:
    """The lines of an answer that has several."""
    found = [
        {
            "line": each.line,
            "verdict": each.mark.value,
            "diagnosis": each.diagnosis and each.diagnosis.code,
            "message": each.message,
            "reading": each.reading,
            **({"example": each.example} if each.example else {}),
        }
        for each in lines
    ]
    return {"lines": found} if found else {}


def _listed(shape: tuple[int, ...] | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _view(view: View) -> dict[str, object]:
    return {
        "slice": view.place,
        "got": view.got,
        "expected": view.expected,
        "differs": view.differs,
    }
