from pathlib import Path

from quizzer.card import Header
from quizzer.deck import Asking, Entry
from quizzer.deck.required import required_first, required_problems

ROOT = Path("/deck")


def cards(**requires: str) -> list[Entry]:
    return [
        Entry(
            ROOT / f"{card}.md",
            ROOT,
            Header(card, card, requires=tuple(ids.split()), requires_line=4),
            Asking.REVEAL,
        )
        for card, ids in requires.items()
    ]


def order(**requires: str) -> str:
    return "".join(entry.id for entry in required_first(cards(**requires)))


def said(**requires: str) -> list[str]:
    entries = cards(**requires)
    found = required_problems(entries, {entry.id: entry for entry in entries})
    return [f"{problem.path.stem}:{problem.line}: {problem.message}" for problem in found]


def test_what_a_card_requires_comes_before_it() -> None:
    assert order(a="c", b="", c="d", d="") == "dcab"
    assert order(a="b c", b="c", c="") == "cba"
    assert order(a="", b="", c="a") == "abc"


def test_what_is_no_new_card_any_more_is_not_waited_for() -> None:
    assert order(a="seen", b="") == "ab"


def test_every_card_of_a_circle_comes_once() -> None:
    assert order(a="b", b="c", c="a") == "cba"
    assert order(a="a", b="") == "ab"


def test_a_long_chain_is_followed_to_its_end() -> None:
    chain = {f"c{number}": f"c{number + 1}" for number in range(3000)}
    ids = [entry.id for entry in required_first(cards(**chain))]
    assert ids == [*reversed(chain)]


def test_an_id_of_no_card_is_told_with_its_line_and_what_was_meant() -> None:
    assert said(relu_backward="", b="relu_backwards", c="zzz") == [
        "b:4: requires relu_backwards, which is the id of no card; did you mean `relu_backward`?",
        "c:4: requires zzz, which is the id of no card; mend it, or delete it",
    ]


def test_cards_that_require_each_other_are_told() -> None:
    assert said(a="b", b="c", c="a", d="a") == [
        "a:4: a requires b requires c requires a: "
        "none of them could come first; delete one of these",
        "b:4: b requires c requires a requires b: "
        "none of them could come first; delete one of these",
        "c:4: c requires a requires b requires c: "
        "none of them could come first; delete one of these",
    ]
