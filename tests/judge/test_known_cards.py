"""What is kept of cards: the same as would be read, whatever becomes of the files that hold it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from quizzer.card.reader import parse
from quizzer.card.stated import stated_in
from quizzer.judge import known_cards
from quizzer.judge.known_cards import KnownCards, Stated
from quizzer.judge.source import read_source, stated_of

CARDS = Path(__file__).parents[2] / "cards"
BIAS = CARDS / "2_layers" / "bias.md"


def never(*_: object) -> None:
    raise AssertionError("the card was read again")


@pytest.fixture
def known(tmp_path: Path) -> Callable[[], KnownCards]:
    """Makes what another process would: it knows what is on the disk alone."""
    return lambda: KnownCards(tmp_path / "cards")


def test_what_is_kept_of_every_card_of_the_deck_is_what_is_read(
    known: Callable[[], KnownCards],
) -> None:
    for path in CARDS.rglob("*.md"):
        data = path.read_bytes()
        read = KnownCards().of(data, path)
        known().of(data, path)
        assert known().of(data, path) == read


def test_a_card_is_read_once_for_all_processes(
    known: Callable[[], KnownCards], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = BIAS.read_bytes()
    first = known().of(data, BIAS)
    monkeypatch.setattr(known_cards, "_stated", never)
    assert known().of(data, BIAS) == first
    assert isinstance(first, Stated) and first.fence


def test_a_card_that_changed_is_read_again(known: Callable[[], KnownCards], tmp_path: Path) -> None:
    card = tmp_path / "bias.md"
    shutil.copy(BIAS, card)
    before = read_source(card, lambda *_: True, known())
    text = card.read_text("utf-8")
    card.write_text(text.replace("```checker\n", "```checker\n# another\n"), "utf-8")
    after = read_source(card, lambda *_: True, known())
    assert after.source != before.source
    card.write_text(text, "utf-8")
    assert read_source(card, lambda *_: True, known()).source == before.source


def test_another_program_reads_every_card_itself(
    known: Callable[[], KnownCards], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = BIAS.read_bytes()
    known().of(data, BIAS)
    monkeypatch.setattr(known_cards, "revision", lambda: "another")
    monkeypatch.setattr(known_cards, "_stated", never)
    with pytest.raises(AssertionError):
        known().of(data, BIAS)


@pytest.mark.parametrize(
    "damage", [lambda d: b"", lambda d: d[:-9], lambda d: d[:60] + b"?" + d[61:]]
)
def test_a_damaged_file_is_made_again(
    known: Callable[[], KnownCards], tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    data = BIAS.read_bytes()
    read = known().of(data, BIAS)
    (kept,) = (tmp_path / "cards").iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    assert known().of(data, BIAS) == read
    assert kept.read_bytes() == whole


def test_what_cannot_be_kept_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "cards").write_text("a file where the folder should be")
    known = KnownCards(tmp_path / "cards")
    assert known.of(BIAS.read_bytes(), BIAS) == KnownCards().of(BIAS.read_bytes(), BIAS)


def test_what_is_no_card_says_nothing(known: Callable[[], KnownCards], tmp_path: Path) -> None:
    assert known().of(b"# A note\n", tmp_path / "note.md") is None
    assert not (tmp_path / "cards").exists()


def test_the_equations_of_a_question_are_kept_with_its_card(
    known: Callable[[], KnownCards], monkeypatch: pytest.MonkeyPatch
) -> None:
    card = parse(BIAS.read_bytes(), BIAS).card
    assert card is not None
    stated = stated_of(BIAS, known())
    assert stated == stated_in(card) != ()
    monkeypatch.setattr(known_cards, "_stated", never)
    assert stated_of(BIAS, known()) == stated
