"""Small cards, a checker and a clock for tests."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

BERLIN = timezone(timedelta(hours=1))
MORNING = datetime(2026, 11, 20, 9, 0, tzinfo=BERLIN)

CHECKER = """
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 8))}

def forward(x):
    return {"y": x**2}
"""


def card_text(
    card_id: str,
    *,
    course: str = "ML",
    type_: str = "open",
    status: str = "to_learn",
    question: str = "What is it?",
    solution: str = "**Short Answer:** That.",
) -> str:
    """A whole card file."""
    return (
        f"---\nid: {card_id}\ncourse: {course}\ntags: []\ndifficulty: 2\n"
        f"type: {type_}\nstatus: {status}\n---\n\n# Question\n{question}\n\n"
        f"---\n# Solution\n{solution}\n"
    )


def plain_cards(*ids: str, **header: str) -> dict[str, str]:
    return {f"{card}.md": card_text(card, **header) for card in ids}


CHOICE_CARD = card_text(
    "choice",
    type_="multiple_choice",
    question="Which?\n\n## Options\nA) this\nB) that\nC) both",
    solution="**Correct Answer:** B\n\n## Explanation\nBecause.",
)
NUMBER_CARD = card_text("number", type_="calculation", solution="**Correct Answer:** 0.25")
DERIVATION_CARD = card_text(
    "square",
    type_="derivation",
    question="(4p) The layer is $y_i = x_i^2$. Derive its backward message.",
    solution="### Steps / Derivation\n1. Square.\n2. Multiply.\n\n## Hints\n- Use the chain rule.",
)


@dataclass
class SettableClock:
    """A clock that stands still until it is told to go on."""

    now: datetime = MORNING

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **duration: float) -> None:
        self.now += timedelta(**duration)
