from pathlib import Path

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


def test_one_item_is_no_checklist_and_ten_are_too_many() -> None:
    assert checklist(card("- alone")) == ()
    assert checklist(card("\n".join(f"- item {number}" for number in range(10)))) == ()
    assert checklist(card("Only words.\n\nAnd more.")) == ()
