"""The order in which new cards are met: what they require, else the easier cards linked."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from samples import MORNING, card_text

from quizzer.card import Header
from quizzer.deck import Asking, Deck, Entry, Filter, load
from quizzer.deck.linked import with_easier
from quizzer.plan.course_map import Standing, course_map
from quizzer.plan.meeting import FIRST_CARDS
from quizzer.plan.pace import BY_RULE
from quizzer.plan.queue import Queue, plan
from quizzer.plan.settings import Course, Settings
from quizzer.store import Done
from quizzer.values import Form, Memory, Progress, State, study_day

ROOT = Path("/deck")
TODAY = study_day(MORNING)
ALL = Settings(new_per_day=99, bury_related=False)


def card(
    name: str,
    difficulty: int | None,
    links: str = "",
    requires: str = "",
    course: str = "",
    status: str = "",
) -> Entry:
    header = Header(
        name,
        name,
        course=course,
        difficulty=difficulty,
        status=status,
        related=tuple(links.split()),
        requires=tuple(requires.split()),
        requires_line=4 if requires else 0,
    )
    return Entry(ROOT / course / f"{name}.md", ROOT, header, Asking.REVEAL)


def deck_of(*cards: Entry) -> Deck:
    by_id = with_easier({entry.id: entry for entry in cards})
    return Deck((ROOT,), tuple(by_id.values()), 0, (), {}, {}, by_id)


def known(days_ago: int = 1, interval: int = 9) -> Progress:
    day, at = TODAY - days_ago, MORNING - timedelta(days=days_ago)
    return Progress(Memory(State.REVIEW, 5.0, 5.0, at, day, interval, 1, 0, day))


def queue_of(
    deck: Deck,
    settings: Settings = ALL,
    progress: dict[str, Progress] | None = None,
    wanted: Filter | None = None,
) -> Queue:
    return plan(deck, progress or {}, Done(), settings, MORNING, wanted)


def names(entries: Sequence[Entry]) -> str:
    return "".join(entry.id for entry in entries)


def test_easier_linked_cards_of_another_folder_come_first() -> None:
    """By difficulty alone it would be `abcd`: folder by folder."""
    deck = deck_of(
        card("a", 3, "c d", course="A"),
        card("b", 4, course="A"),
        card("c", 2, course="B"),
        card("d", 1, course="B"),
    )
    met = {f"met{number}": known() for number in range(FIRST_CARDS)}
    assert names(queue_of(deck, progress=met).new) == "dcab"


def test_in_the_first_days_a_turn_is_taken_by_what_comes_before() -> None:
    deck = deck_of(
        card("a", 5, "c", course="A"), card("b", 1, course="B"), card("c", 2, course="B")
    )
    assert names(queue_of(deck).new) == "cab"


def test_links_are_followed_from_card_to_card() -> None:
    deck = deck_of(card("a", 3, "b", course="A"), card("b", 2, "c", course="B"), card("c", 1))
    assert names(queue_of(deck).new) == "cba"


def test_requirements_come_before_links() -> None:
    deck = deck_of(card("a", 1, requires="b"), card("b", 2, "a"), card("c", 1))
    assert names(queue_of(deck).new) == "bac"


def test_no_card_waits_for_one_that_is_suspended_mastered_filtered_out_or_of_a_closed_limit() -> (
    None
):
    easy, hard = card("a", 1, course="A"), card("b", 2, "a", course="B")
    deck = deck_of(easy, hard)
    assert names(queue_of(deck, progress={"a": Progress(suspended=True)}).new) == "b"
    assert names(queue_of(deck, wanted=Filter(courses=("B",))).new) == "b"
    closed = replace(ALL, courses={"a": Course(new_per_day=0)})
    assert names(queue_of(deck, closed).new) == "b"
    mastered = deck_of(card("a", 1, course="A", status="mastered"), hard)
    assert names(queue_of(mastered).new) == "b"


def test_a_card_waits_for_one_that_the_limit_of_its_course_puts_off() -> None:
    deck = deck_of(
        card("a", 1, course="A"),
        card("b", 2, course="A"),
        card("c", 3, "b", course="B"),
        card("d", 4, "c", course="B"),
        card("e", 4, course="B"),
    )
    one = replace(ALL, courses={"a": Course(new_per_day=1)})
    assert names(queue_of(deck, one).new) == "ae"
    assert names(queue_of(deck, one, {"a": known()}).new) == "bcde"


def test_a_card_waits_for_one_that_waits_for_a_related_card_of_today() -> None:
    deck = deck_of(card("a", 1), card("b", 2, "r"), card("c", 3, "b"), card("r", None))
    apart = replace(ALL, bury_related=True)
    queue = queue_of(deck, apart, {"r": known(9, 9)})
    assert (names(queue.new), names(queue.related)) == ("a", "b")


def test_an_exam_takes_along_what_comes_before_and_does_not_wait_for_another_limit() -> None:
    deck = deck_of(
        card("a", 1, course="A"),
        card("b", 2, course="A"),
        card("x", 3, "b", course="X"),
        card("y", 3, course="X"),
    )
    toward = {"x": Course(exam_day=TODAY + 3, new_per_day=9)}
    queue = queue_of(deck, replace(ALL, courses=toward))
    assert names(queue.fresh) == "bxya"
    held = replace(ALL, courses=toward | {"a": Course(new_per_day=1)})
    assert names(queue_of(deck, held).fresh) == "xya"


def test_a_short_form_does_not_come_before_the_page_that_it_comes_after() -> None:
    deck = deck_of(card("a", 1), card("b", 2, "a"), card("c", 3))
    short = replace(BY_RULE, form_of=lambda entry: Form.BLANK if entry.id == "a" else Form.SLIP)
    queue = plan(deck, {}, Done(), ALL, MORNING, pace=short)
    assert names(queue.fresh) == "cab"


def test_the_index_keeps_the_order(
    write_deck: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    linked = card_text("hard", solution="So.\n\n## Related Concepts\n- [[two/easy|Easy]]")
    files = {
        "one/hard.md": linked.replace("difficulty: 2", "difficulty: 4"),
        "two/easy.md": card_text("easy"),
    }
    root, kept = write_deck(files), tmp_path / "kept"
    for deck in (load((root,), kept), load((root,), kept)):
        assert deck.by_id["hard"].after == ("easy",)
        assert names(queue_of(deck).new) == "easyhard"
    (root / "two/easy.md").write_text(
        files["two/easy.md"].replace("difficulty: 2", "difficulty: 5")
    )
    again = load((root,), kept)
    assert (again.by_id["hard"].after, again.by_id["easy"].after) == ((), ("hard",))


def test_a_card_that_requires_nothing_says_so_by_an_empty_list(
    write_deck: Callable[[dict[str, str]], Path],
) -> None:
    linked = card_text("hard", solution="So.\n\n## Related Concepts\n- [[easy]]")
    for said in ("", " []"):
        hard = linked.replace("difficulty: 2", f"difficulty: 4\nrequires:{said}")
        deck = load((write_deck({"hard.md": hard, "easy.md": card_text("easy")}),), None)
        assert deck.by_id["hard"].after == ()


cards_drawn = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(1, 4)),
        st.sampled_from("ABC"),
        st.sets(st.sampled_from("abcdefgh"), max_size=3),
        st.sets(st.sampled_from("abcdefgh"), max_size=2),
    ),
    min_size=8,
    max_size=8,
)


def drawn_deck(
    drawn: list[tuple[int | None, str, set[str], set[str]]], with_requires: bool
) -> Deck:
    """Cards of three courses; each requires only cards that have earlier letters."""
    return deck_of(
        *sorted(
            (
                card(
                    name,
                    difficulty,
                    " ".join(sorted(links)),
                    " ".join(sorted(each for each in required if each < name and with_requires)),
                    course,
                )
                for name, (difficulty, course, links, required) in zip(
                    "abcdefgh", drawn, strict=True
                )
            ),
            key=lambda entry: (entry.header.course, entry.id[::-1]),
        )
    )


@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cards_drawn, st.booleans(), st.booleans(), st.integers(1, 3), st.booleans())
def test_day_by_day_no_card_comes_before_those_that_it_comes_after(
    drawn: list[tuple[int | None, str, set[str], set[str]]],
    with_requires: bool,
    bury: bool,
    limit: int,
    own_limit: bool,
) -> None:
    deck = drawn_deck(drawn, with_requires)
    courses = {"b": Course(new_per_day=1)} if own_limit else {}
    settings = Settings(new_per_day=limit, bury_related=bury, courses=courses)
    progress, met = dict[str, Progress](), list[str]()
    for day in range(60):
        now = MORNING + timedelta(days=day)
        ready = {
            place.entry.id
            for place in course_map(deck.entries, deck.by_id, progress, settings, now)
            if place.standing is Standing.READY
        }
        queue = plan(deck, progress, Done(), settings, now)
        # The map and the day agree: what comes first is ready, what follows rests on it.
        for entry in queue.new:
            assert entry.id in ready or set(entry.after) & set(names(queue.new))
        for entry in queue.fresh:
            if entry.id not in progress:
                met.append(entry.id)
            memory = Memory(State.REVIEW, 5.0, 5.0, now, TODAY + day, 5, 1, 0, TODAY + day)
            progress[entry.id] = Progress(memory)
    assert sorted(met) == [*"abcdefgh"]
    for entry in deck.entries:
        required = entry.header.requires
        assert all(met.index(each) < met.index(entry.id) for each in required)
        if not with_requires:
            for other in deck.entries:
                linked = other.id in entry.header.related or entry.id in other.header.related
                both = entry.header.difficulty and other.header.difficulty
                if linked and both and other.header.difficulty < entry.header.difficulty:
                    assert met.index(other.id) < met.index(entry.id)
