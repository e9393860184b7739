"""A session or a quiz whose actions name the present turn, as those of an up-to-date face do."""

from typing import Any

ACTIONS = frozenset(
    (
        *("answer", "judge", "repair", "hint", "reveal", "dispute", "rate", "undo", "skip"),
        *(
            "flag",
            "suspend",
            "bury",
            "reread",
            "leave",
            "finish",
            "judge_reading",
            "take_back",
            "explain",
            "tick",
            "predict",
        ),
    )
)


class InTurn:
    def __init__(self, session: Any) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._session, name)
        if name not in ACTIONS:
            return found
        return lambda *given, **named: found(self._session.number, *given, **named)
