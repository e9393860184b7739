from pathlib import Path

import pytest
from samples import card_text

from quizzer.card import Card, parse
from quizzer.card.checklist import Item, checklist


def card(solution: str, question: str = "Say it.") -> Card:
    found = parse(card_text("c", question=question, solution=solution).encode(), Path("c.md")).card
    assert found
    return found


def test_the_items_of_a_list_with_their_points() -> None:
    assert checklist(card("- (2p) The bound.\n- It is tight.\n  Really.\n- (0.5p) Why.")) == (
        Item("(2p) The bound.", 2),
        Item("It is tight.\nReally.", 1),
        Item("(0.5p) Why.", 0.5),
    )


def test_the_parts_of_a_question_come_before_a_list() -> None:
    parts = "(5p) All.\n\n(a) (2p) The one.\n\n(b) (3p) The other."
    assert checklist(card("- x\n- y", parts)) == (Item("(a)", 2), Item("(b)", 3))


@pytest.mark.parametrize("heading", ["### Steps / Derivation\n", ""])
def test_links_to_other_cards_and_hints_are_no_items(heading: str) -> None:
    others = "## Hints\n- Try it.\n- Again.\n\n## Related Concepts\n- [[relu]]\n- [[sigmoid]]"
    for listed in ("1. The one.\n2. The other.", "- The one.\n- The other."):
        found = checklist(card(f"**Short Answer:** So.\n\n{heading}{listed}\n\n{others}"))
        assert [item.text for item in found] == ["The one.", "The other."]
    assert checklist(card(f"Only words.\n\n{others}")) == ()


def test_one_item_is_no_checklist_and_ten_are_too_many() -> None:
    assert checklist(card("- alone")) == ()
    assert checklist(card("\n".join(f"- item {number}" for number in range(10)))) == ()
    assert checklist(card("Only words.\n\nAnd more.")) == ()
