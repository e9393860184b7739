"""Whatever stands in a declared checker: it is read, or each fault has a line and a sentence."""

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzer.card import parse
from quizzer.checker.declared.build import build
from quizzer.checker.declared.text import read_declaration
from quizzer.checker.load import CheckerError, call
from quizzer.checker.source import Declared

DECK = Path(__file__).parents[2] / "decks/declared"


def texts() -> list[str]:
    cards = [parse(path.read_bytes(), path).card for path in sorted(DECK.glob("*.md"))]
    fences = [card.checker.text for card in cards if card and card.checker]
    return [*fences, *(path.read_text("utf-8") for path in sorted(DECK.glob("*.checker")))]


LINES = sorted({line for text in texts() for line in text.split("\n")})
PIECES = st.one_of(
    st.sampled_from(LINES),
    st.sampled_from(["x: N × D", "y = x", "  for k < N", " -- ", "h[t] = h[t-1] + x[t]", "    "]),
    st.text(max_size=30),
    st.sampled_from("=:[]{}()_^#\\×δ∈").map(lambda sign: sign * 3),
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Some lines of some checkers, a few of them cut, joined or of something else."""
    lines = draw(st.lists(PIECES, max_size=12))
    cut = draw(st.integers(0, 60))
    return "\n".join(line[: cut or None] if draw(st.booleans()) else line for line in lines)


@given(damaged(), st.integers(1, 500))
@settings(max_examples=300)
def test_any_text_is_read_or_has_faults_on_its_own_lines(text: str, first: int) -> None:
    declaration = read_declaration(text, first)
    last = first + text.count("\n")
    for fault in declaration.faults:
        assert first <= fault.line <= last
        assert 10 < len(fault.message) < 1_000


@given(damaged())
@settings(max_examples=150)
def test_any_text_is_a_checker_or_says_why_not(text: str) -> None:
    try:
        checker = build(Declared(text, 7))
        sample = call(checker.sample, "sample", {"rng": np.random.default_rng(0)})
        call(checker.forward, "forward", sample)  # type: ignore[arg-type]
    except CheckerError as error:
        assert str(error).startswith("line ")
