"""What a person sees and may press: the real program, on a pseudo-terminal of its own."""

import re
import subprocess
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from form.sheets import SIGMOID
from processes import descendants
from pseudo_terminal import (
    ALT_ENTER,
    CTRL_C,
    CTRL_D,
    CTRL_E,
    CTRL_S,
    F4,
    PROGRAM,
    UP,
    Terminal,
    environment,
)
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, MORNING, NUMBER_CARD, card_text
from warm_terminal import WarmTerminal

from quizzer.cli.terminal.live_line import PAUSE
from quizzer.store import Store
from quizzer.tex.width import width
from quizzer.values import Attempt, Rating, Review, State, study_day
from tests.derived import card_of

NOW = "2026-11-20T09:00:00+01:00"
WORDS_CARD = card_text(
    "words", question="(2p) Say it.", solution="**Short Answer:** That.\n\n## Explanation\nLong."
)
SQUARE = {"square.md": DERIVATION_CARD, "square.py": CHECKER}
CUBE = {
    "cube.md": card_text("cube", type_="derivation", question="Derive the message of $x^3$."),
    "cube.py": CHECKER.replace("x**2", "x**3"),
}
RATING = r"1-4 rates, .*\? "
MENU = r"\[b\]ury .* Enter goes back "
COLOUR = re.compile(r"\x1b\[[0-9;]*\b(?:3[0-8]|4[0-8]|9\d|10[0-7])\b[0-9;]*m")
BOX = re.compile("[\u2500-\u259f]")


EASY_CHOICE = CHOICE_CARD.replace("difficulty: 2", "difficulty: 1")
"""Asked before the derivation, as easier cards are introduced first."""


class Desk:
    """Where a learner sits: a home of their own, a deck, and a way to start the program."""

    def __init__(self, home: Path, deck: Path) -> None:
        self.home = home
        self.deck = deck
        home.mkdir()

    def start(
        self, *arguments: str, rows: int = 50, columns: int = 100, now: str = NOW, **more: str
    ) -> Terminal:
        env = environment(self.home, now, **more)
        return WarmTerminal(*arguments, "--deck", self.deck, env=env, rows=rows, columns=columns)

    def store(self) -> Store:
        path = self.home / ".local" / "share" / "quizzer" / "history.db"
        return Store.open(path, MORNING, read_only=True)

    def reviews(self) -> list[tuple[str, str]]:
        with self.store() as store:
            facts = [event.fact for event in store.events(kinds=[Review])]
        return [(fact.card, fact.rating.label) for fact in facts]


SitDown = Callable[..., Desk]


@pytest.fixture
def sit_down(tmp_path: Path, write_deck: Callable[[dict[str, str]], Path]) -> SitDown:
    """A desk with these cards on it."""

    def sit(*files: dict[str, str]) -> Desk:
        return Desk(
            tmp_path / "home", write_deck({k: v for some in files for k, v in some.items()})
        )

    return sit


def editor(tmp_path: Path, script: str) -> str:
    """An editor that does what this shell script does with the file `$1`."""
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_the_first_screen_says_all_that_is_needed_before_deriving(sit_down: SitDown) -> None:
    desk = sit_down(SQUARE, {"words.md": WORDS_CARD})
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        shown = terminal.text
    heading = (
        r"(?m)^1 of 2 · about \d+ min left · ML · derivation · difficulty 2 · 4 points · square"
    )
    assert re.search(heading, shown)
    assert "yᵢ = xᵢ²" in shown
    assert re.search(r"(?m)^  dx  .*shape \(\d,\)", shown)
    assert re.search(r"you may use x \(\d,\), y \(\d,\), dy \(\d,\), delta \(\d,\)", shown)
    assert "indices count from 0" in shown
    assert "Enter twice, Alt+Enter or Ctrl+S sends; Enter before typing shows the keys" in shown


def test_a_card_that_is_asked_through_its_checker_does_not_print_its_options(
    sit_down: SitDown,
) -> None:
    question = "The layer is $y = x^2$. Derive.\n\n## Options\nA) the first\nB) the second"
    both = card_text("square", question=question, solution="**Correct Answer:** A")
    desk = sit_down({"square.md": both, "square.py": CHECKER})
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        assert "the second" not in terminal.text
    (desk.deck / "square.py").unlink()
    with desk.start("review") as terminal:
        terminal.prompt("which of A, B.*")
        assert "the second" in terminal.text


def test_what_all_answers_may_use_is_said_once(sit_down: SitDown) -> None:
    answers = 'answers = ["dx", "y", "dy_dx"]'
    desk = sit_down({"square.md": DERIVATION_CARD, "square.py": f"{CHECKER}\n{answers}\n"})
    with desk.start("show", "square") as terminal:
        assert terminal.ends() == 0
        said = re.findall(r"(?m)^  (.*(?:may use|also) .*)$", terminal.text)
    assert [re.sub(r"\d", "n", line).rstrip() for line in said] == [
        "you may use x (n,), dy (n,), delta (n,)",
        "for dx also y (n,)",
        "for dy_dx also y (n,)",
    ]


def test_labels_of_wide_signs_stay_in_their_column_and_break_within_the_margin(
    sit_down: SitDown,
) -> None:
    answers = 'answers = {"dx": "逆伝播 message", "y": "the layer itself"}'
    desk = sit_down({"square.md": DERIVATION_CARD, "square.py": f"{CHECKER}\n{answers}\n"})
    with desk.start("show", "square", columns=80) as terminal:
        assert terminal.ends() == 0
        asked = re.findall(r"(?m)^  (?:dx|y ) .*(?=shape)", terminal.text)
    assert len(asked) == 2
    assert width(asked[0]) == width(asked[1])
    with desk.start("show", "square", columns=34) as terminal:
        assert terminal.ends() == 0
        assert re.search(r"(?m)^  y   the layer itself   shape\n  \(\d,\)", terminal.text)


def test_a_session_in_minutes_tells_how_long_it_will_take_and_what_is_left(
    sit_down: SitDown,
) -> None:
    cards = {f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(5)}
    with sit_down(cards).start("review", "--minutes", "3") as terminal:
        terminal.shows("^1 of 3 · about 3 min left · ML · .* c0")
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.shows("^2 of [34] · about [23] min left · .* c1")
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("\rq")
        assert terminal.ends() == 0
        terminal.shows("^Left for today: 4 cards, about 4 min\\.$")


def test_a_card_is_worked_through_then_asked_for_a_line_and_each_rating_can_be_undone(
    sit_down: SitDown,
) -> None:
    desk = sit_down({"gate.md": SIGMOID})
    with desk.start("review", "--form", "worked") as terminal:
        for step in ("1", "2", "3"):
            terminal.prompt("Enter shows the next step, .*")
            terminal.send("\r")
            terminal.shows(f"^step {step} of 3")
        terminal.prompt("Enter shows the answer, .*")
        terminal.send("\r")
        terminal.prompt(r"1-4 rates, Enter takes good, .*\? ")
        terminal.send("\r")
        terminal.shows("^saved: good, again in 1 d")
    assert desk.reviews() == [("q-gate", "good")]
    with desk.start("undo") as terminal:
        assert terminal.ends() == 0
    with desk.start("review", "--form", "missing") as terminal:
        terminal.prompt("the missing line: ")
        assert re.search(r"= *\?", terminal.text)
        terminal.send("sum_i delta_i [i=j] y_i (1 - y_i)\r")
        terminal.shows("missing line: right")
        terminal.prompt(r"1-4 rates, Enter takes good, .*\? ")
        terminal.send("\r")
        terminal.shows("^saved: good")


def test_a_session_toward_an_exam_begins_with_what_to_expect(sit_down: SitDown) -> None:
    cards = {f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(16)}
    desk = sit_down(cards)
    with desk.start("exam", "ML", "2026-11-26") as terminal:
        assert terminal.ends() == 0
    with desk.start("review", columns=130) as terminal:
        terminal.shows(
            r"^ML: exam in 6 days \(2026-11-26\); expected recall \d+%, all 16 seen by then"
        )
        terminal.shows("^1 of 8 · about 8 min left · ML · .* c0")


def test_a_session_ends_with_a_forecast_which_due_then_shows(sit_down: SitDown) -> None:
    cards = {f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(16)}
    desk = sit_down(cards)
    with desk.start("exam", "ML", "2026-11-26") as terminal:
        assert terminal.ends() == 0
    with desk.start("review", columns=130) as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("\rq")
        assert terminal.ends() == 0
    with desk.start("due", columns=130) as terminal:
        terminal.shows(r"; expected recall \d+%, all 16 seen by then")


def test_a_limit_of_one_session_does_not_change_what_to_expect_of_an_exam(
    sit_down: SitDown,
) -> None:
    desk = sit_down({f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(16)})
    config = desk.home / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        "minutes_per_day = 90\n[course.ML]\nexam = 2026-11-26\nnew_per_day = 1\n", "utf-8"
    )
    for limit in ((), ("--new", "5")):
        with desk.start("review", *limit, columns=130) as terminal:
            terminal.shows("6 of 16 seen by then$")


@pytest.mark.slow
def test_after_a_holiday_a_session_says_what_it_takes_and_what_waiting_costs(
    sit_down: SitDown,
) -> None:
    cards = {f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(8)}
    desk = sit_down(cards)
    path = desk.home / ".local" / "share" / "quizzer" / "history.db"
    path.parent.mkdir(parents=True)
    with Store.open(path, MORNING) as store:
        for number in range(8):
            fact = Review(f"c{number}", Rating.GOOD, 2, State.NEW)
            store.record(fact, at=MORNING, day=study_day(MORNING))
    later = "2026-12-20T09:00:00+01:00"
    with desk.start("review", "--minutes", "3", now=later) as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        assert (
            "8 cards are due, about 8 min. The 3 minutes take the 3 that have waited longest; "
            "if the others wait until they fit (2 days), hardly any more of them will be forgotten."
        ) in " ".join(terminal.text.split())
    with desk.start("review", "--minutes", "1", now=later) as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        assert "The minute takes the one that has waited longest" in " ".join(terminal.text.split())
    with desk.start("review", now=later) as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        assert "are due" not in terminal.text
    config = desk.home / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("reviews_per_day = 0\n", "utf-8")
    with desk.start("review", now=later) as terminal:
        assert terminal.ends() == 0
        assert "Today's limit leaves 8 cards for later." in terminal.text


@pytest.mark.slow
def test_a_backlog_before_an_exam_counts_what_is_due_and_names_the_exam(
    sit_down: SitDown,
) -> None:
    cards = {f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(8)}
    desk = sit_down(cards)
    path = desk.home / ".local" / "share" / "quizzer" / "history.db"
    path.parent.mkdir(parents=True)
    with Store.open(path, MORNING) as store:
        for number in range(8):
            fact = Review(f"c{number}", Rating.GOOD, 2 if number < 5 else 33, State.NEW)
            store.record(fact, at=MORNING, day=study_day(MORNING))
    later = "2026-12-20T09:00:00+01:00"

    def told(*arguments: str) -> str:
        with desk.start("review", *arguments, now=later) as terminal:
            terminal.prompt(r"which of A, B, C\? ")
            return " ".join(terminal.text.split())

    assert (
        "5 cards are due, about 5 min. The minute takes the one that has waited longest; if"
    ) in told("--minutes", "1")
    config = desk.home / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[course.ML]\nexam = 2026-12-22\n", "utf-8")
    assert (
        "5 cards are due, about 5 min. The minute takes the one that comes first for the exam;"
    ) in told("--minutes", "1")
    assert "The 2 minutes take the 2 that come first for the exam;" in told("--minutes", "2")


def test_a_session_says_that_another_process_restored_the_history_and_goes_on(
    sit_down: SitDown, tmp_path: Path
) -> None:
    desk = sit_down({f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(2)})
    backup = tmp_path / "backup.db"
    with desk.start("review") as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        with desk.store() as store:
            store.backup_to(backup)
        terminal.send("b\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.prompt(r"which of A, B, C\? ")
        command = [PROGRAM, "restore", backup]
        subprocess.run(command, env=environment(desk.home, NOW), check=True, capture_output=True)
        terminal.send("b\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.prompt(r"which of A, B, C\? ")
        shown = " ".join(terminal.text.split())
    assert "new one; 1 rating of this session is missing from it." in shown
    assert desk.reviews() == [("c1", "good")]


def test_the_rating_that_makes_a_leech_says_what_to_do(sit_down: SitDown) -> None:
    desk = sit_down({"words.md": WORDS_CARD})
    path = desk.home / ".local" / "share" / "quizzer" / "history.db"
    path.parent.mkdir(parents=True)
    with Store.open(path, MORNING) as store:
        for days in range(-30, -1, 4):
            at = MORNING + timedelta(days=days)
            for rating, interval in ((Rating.AGAIN, 0), (Rating.GOOD, 2)):
                fact = Review("words", rating, interval, State.REVIEW)
                store.record(fact, at=at, day=study_day(at))
        memory = store.progress_of("words").memory
        assert memory and memory.lapses == 7
    with desk.start("review") as terminal:
        terminal.prompt("Enter shows the answer, .*")
        terminal.send("\r")
        terminal.prompt(RATING)
        terminal.send("1")
        terminal.shows("^! this card has lapsed 8 times: it is a leech; rewrite it, ")


def test_each_verdict_is_told_in_words_and_the_right_one_ends_the_part(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * x * (dy")
        terminal.shows(r"^\? dx: not read, costs no try\. At column 9: This \( is not closed")
        terminal.prompt("dx = ")
        terminal.answer("-2 * x * dy", CTRL_S)
        terminal.shows(r"^✗ dx: wrong\. \S")
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.shows(r"^✓ dx: right\.")
        terminal.prompt(RATING)
        assert terminal.text.index("✓ dx") < terminal.text.index("Multiply.")


def test_a_wrong_array_is_shown_beside_what_is_expected(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", columns=40, NO_COLOR="1") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * abs(x) * dy + (x == x[0])")
        terminal.shows(r"^  dx\[0 to \d\]\n  got +expected\n  ≠ *-?\d\S* +≠ *-?\d\S*$")
        terminal.prompt("dx = ")


def test_read_aloud_the_differing_entries_come_one_by_one(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", "--plain") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy + (x == x[0])")
        terminal.shows(r"^  dx\[0\] is \S+, expected \S+$")
        terminal.prompt("dx = ")
        assert "≠" not in terminal.text


def test_four_intervals_are_offered_and_enter_takes_the_suggested_rating(sit_down: SitDown) -> None:
    desk = sit_down(SQUARE)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.prompt("1-4 rates, Enter takes good, .*")
        terminal.shows(r"^ 1 again 10 min +2 hard 1 d +3 good 2 d +4 easy \d+ d$")
        assert re.search(r"\x1b\[[0-9;]*7m 3 good ", terminal.raw), "good is marked"
        terminal.send("\r")
        assert terminal.ends() == 0
        terminal.shows(r"^saved: good, again in 2 d$")
        terminal.shows(r"^1 rating on 1 card in \d+ s\. All saved\.$")
        terminal.shows(r"^Tomorrow: 0 cards due\.$")
    assert desk.reviews() == [("square", "good")]
    with desk.store() as store:
        (review,) = (event.fact for event in store.events(kinds=[Review]))
    assert isinstance(review, Review)
    assert review.suggested is Rating.GOOD


def test_each_rating_tells_how_many_cards_and_minutes_are_left(sit_down: SitDown) -> None:
    desk = sit_down(SQUARE, {"words.md": WORDS_CARD})
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.prompt(RATING)
        terminal.send("3")
        # A card of two points is expected to take four minutes.
        terminal.shows("^1 card to go, about 4 min$")
        terminal.prompt("Enter shows the answer.*")
        terminal.send("\r")
        terminal.prompt(RATING)
        terminal.send("3")
        assert terminal.ends() == 0
        assert terminal.text.count("to go") == 1


def test_where_nothing_was_typed_no_rating_is_suggested_and_enter_takes_none(
    sit_down: SitDown,
) -> None:
    desk = sit_down({"words.md": WORDS_CARD})
    with desk.start("review") as terminal:
        terminal.prompt("Enter shows the answer, .* ")
        assert "That." not in terminal.text
        terminal.send("\r")
        terminal.prompt(r"1-4 rates, \[m\]ore .*\? ")
        assert "That." in terminal.text
        assert "Long." not in terminal.text
        terminal.send("\r \x1b\r\x0fm")
        terminal.shows("^Long\\.")
        terminal.prompt(RATING)
        terminal.send("4")
        assert terminal.ends() == 0
    assert desk.reviews() == [("words", "easy")]


def test_what_was_pressed_before_the_rating_was_asked_for_rates_nothing(
    sit_down: SitDown,
) -> None:
    desk = sit_down(SQUARE)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy", ALT_ENTER + ALT_ENTER + "3\r")
        terminal.prompt(RATING)
        terminal.send(ALT_ENTER + "2")
        terminal.shows("^saved: hard")
    assert desk.reviews() == [("square", "hard")]


def test_a_capital_letter_of_the_next_answer_typed_too_early_is_no_key_at_the_rating(
    sit_down: SitDown,
) -> None:
    desk = sit_down(SQUARE)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.prompt(RATING)
        terminal.send("XSBQUDFE")
        terminal.send("2")
        terminal.shows("^saved: hard")
    assert desk.reviews() == [("square", "hard")]
    with desk.store() as store:
        assert not store.progress_of("square").suspended


EDITING = {
    "Ctrl-Z": ("\x1a", "^Z"),
    "Ctrl-R": ("\x12", "i-search"),
    "Ctrl-S": ("\x13", "i-search"),
    "Ctrl-Q": ("\x11!", "!"),
    "Alt-#": ("\x1b#", "#"),
    "Alt-3": ("\x1b3", "arg"),
    "pasted": ("\x1b[200~3 of\r\nmany lines\x1b[201~", "many"),
}


def test_keys_that_edit_a_line_do_nothing_where_one_key_is_asked(sit_down: SitDown) -> None:
    desk = sit_down({"words.md": WORDS_CARD})
    with desk.start("review") as terminal:
        terminal.prompt("Enter shows the answer.* ")
        terminal.send("\r")
        terminal.prompt(RATING)
        before = len(terminal.raw)
        for keys, _ in EDITING.values():
            terminal.send(keys)
            time.sleep(0.1)  # for the screen to be drawn
        terminal.send("2")
        terminal.shows("^saved: hard")
        drawn = terminal.raw[before:]
        assert not [name for name, (_, shown) in EDITING.items() if shown in drawn]
    assert desk.reviews() == [("words", "hard")]


def test_enter_before_typing_opens_a_menu_and_enter_closes_it(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("\r")
        terminal.prompt(MENU)
        terminal.send("\r")
        terminal.prompt("dx = ")
        terminal.send("\r")
        terminal.prompt(MENU)
        terminal.send("h")
        terminal.shows("^hint 1 of 3$")
        terminal.shows("Use the chain rule\\.")
        terminal.prompt("dx = ")


@pytest.mark.parametrize("options", [(), ("--plain",)], ids=["drawn", "plain"])
def test_between_the_blocks_of_a_session_stands_one_blank_line(
    sit_down: SitDown, options: tuple[str, ...]
) -> None:
    desk = sit_down({"words.md": WORDS_CARD}, SQUARE)
    with desk.start("review", *options) as terminal:
        for command in "rur":  # reveal and rate; at the next card undo and rate again
            terminal.until(lambda: terminal.screen.before_cursor.endswith((" = ", "keys ")))
            typed = terminal.screen.before_cursor.endswith(" = ")
            terminal.send(f"\x1b{command}" if typed else command)
            terminal.prompt(RATING)
            terminal.send("3")
            terminal.shows("^saved: good")
        assert terminal.ends() == 0
        assert re.search(r"(?im)^dx =\n\nsolution", terminal.text)
        assert re.search(r"(?i)Say it\.\n\nanswer", terminal.text)
        assert re.search(r"to be rated again.*\n\n 1 again", terminal.text)


def test_a_question_mark_in_the_menu_with_alt_or_f1_shows_the_keys(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", rows=200) as terminal:
        terminal.prompt("dx = ")
        for keys in (["\r", "?"], ["\x1b?"], ["\x1bOP"]):
            for key in keys:
                terminal.send(key)
                terminal.until(lambda: True)
            terminal.shows("^  Alt\\+Enter, Ctrl\\+S +send the answer")
            terminal.shows("^  q, Ctrl-C +quit; every rating is saved already")
            terminal.prompt("dx = ")


def test_the_up_key_brings_back_answers_of_this_card_only(sit_down: SitDown) -> None:
    with sit_down(CUBE, SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("3 * x * dy")
        terminal.shows("^✗ dx")
        terminal.prompt("dx = ")
        terminal.send(UP)
        terminal.prompt(r"dx = 3 \* x \* dy")
        terminal.answer("\x7f" * 5 + "**2 * dy")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.shows("^2 of 2 .* square")
        terminal.prompt("dx = ")
        terminal.send(f"{UP}#")
        terminal.prompt("dx = #")


@pytest.mark.parametrize("key", [CTRL_E, F4], ids=["Ctrl+E", "F4"])
def test_the_editor_gets_what_was_typed_and_gives_back_what_it_wrote(
    sit_down: SitDown, tmp_path: Path, key: str
) -> None:
    script = f'cp "$1" {tmp_path}/seen; printf "z = 2 * x\\ndx = z * dy\\n" > "$1"'
    with sit_down(SQUARE).start("review", EDITOR=editor(tmp_path, script)) as terminal:
        terminal.prompt("dx = ")
        terminal.send("2 * x")
        terminal.prompt(r"dx = 2 \* x")
        terminal.send(key)
        terminal.prompt(r"     dx = z \* dy")
        assert (tmp_path / "seen").read_text() == "2 * x"
        terminal.send(ALT_ENTER)
        terminal.shows("^✓ dx: right")


def test_with_the_option_editor_every_answer_is_written_there(
    sit_down: SitDown, tmp_path: Path
) -> None:
    script = 'printf "2 * x * dy" > "$1"'
    desk = sit_down(SQUARE)
    with desk.start("review", "--editor", EDITOR=editor(tmp_path, script)) as terminal:
        terminal.prompt(RATING)
        terminal.shows("^✓ dx: right")


def test_a_missing_editor_costs_nothing_but_a_sentence(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", EDITOR="no-such-editor") as terminal:
        terminal.prompt("dx = ")
        terminal.send("2 * x" + CTRL_E)
        terminal.shows("cannot start the editor `no-such-editor`")
        terminal.prompt(r"dx = 2 \* x")
        terminal.answer(" * dy")
        terminal.prompt(RATING)
        terminal.send("e")
        terminal.until(lambda: terminal.text.count("cannot start the editor") == 2)
        terminal.prompt(RATING)
        terminal.send("3")
        assert terminal.ends() == 0


def test_an_edited_card_is_opened_with_its_checker_and_asked_anew(
    sit_down: SitDown, tmp_path: Path
) -> None:
    script = f"""sed -i 's/The layer is/Behold the layer/' "$1"; echo "$@" > {tmp_path}/opened"""
    desk = sit_down(SQUARE)
    with desk.start("review", EDITOR=editor(tmp_path, script)) as terminal:
        terminal.prompt("dx = ")
        terminal.send("\x1be")
        terminal.shows("Behold the layer")
        opened = (tmp_path / "opened").read_text().split()
        assert [Path(name).suffix for name in opened] == [".md", ".py"]
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.prompt(RATING)


def test_a_card_that_an_edit_broke_is_left_out_and_told(sit_down: SitDown, tmp_path: Path) -> None:
    script = "sed -i '/^id:/d' \"$1\""
    desk = sit_down(SQUARE, {"words.md": WORDS_CARD})
    with desk.start("review", EDITOR=editor(tmp_path, script)) as terminal:
        terminal.prompt("dx = ")
        terminal.send("\x1be")
        terminal.prompt("Enter shows the answer, .* ")
        terminal.shows(r"^left out \S*square\.md:\d+:")


def quiz_order(terminal: Terminal) -> list[str]:
    """Skip through a quiz of choice cards; the ids in the order asked."""
    while True:
        terminal.until(lambda: terminal.ended or terminal.screen.before_cursor.endswith("C? "))
        if terminal.ended:
            return re.findall(r"(?m)^\d+ of \d+ · .* · (c\d+)", terminal.text)
        terminal.send("A\r")


@pytest.mark.slow
def test_a_seeded_quiz_asks_the_same_cards_in_the_same_order(sit_down: SitDown) -> None:
    cards = {f"c{n}.md": CHOICE_CARD.replace("id: choice", f"id: c{n}") for n in range(9)}
    desk = sit_down(cards)
    orders = []
    for seed in ("5", "5", "6"):
        with desk.start("quiz", "4", "--seed", seed) as terminal:
            orders.append(quiz_order(terminal))
            assert terminal.ends() == 0
    assert orders[0] == orders[1] != orders[2]
    assert len(orders[0]) == len(set(orders[0])) == 4


def test_a_mock_exam_has_a_clock_tells_at_the_end_and_leaves_the_schedule(
    sit_down: SitDown,
) -> None:
    desk = sit_down(SQUARE, {"words.md": WORDS_CARD, "number.md": NUMBER_CARD})
    with desk.start("quiz", "--minutes", "90", "--seed", "1") as terminal:
        for _ in range(3):
            asked = terminal.prompt(r"(dx = |number: |Enter shows the answer, .* )")[1]
            if asked == "dx = ":
                terminal.answer("2 * x * dy")
            elif asked == "number: ":
                terminal.send("7\r")
            else:
                terminal.send("\r")
                terminal.prompt("Your own mark: .* ")
                terminal.send("2")
        assert terminal.ends() == 0
    shown = terminal.text
    assert len(re.findall(r"(?m)^[123] of 3 · 1 h 30 min left · ", shown)) == 3
    assert "✓" not in shown
    assert "✗" not in shown
    assert re.search(r"(?m)^ +\d +4/4 +judged ", shown)
    assert re.search(r"(?m)^ +\d +1/2 +self-assessed ", shown)
    assert re.search(r"(?m)^ +\d +0/1 +judged ", shown)
    assert re.search(r"(?m)^5 of 7 points \(71%\) in \d+ s$", shown)
    assert re.search(r"(?m)^  judged: 2 cards, 4 of 5 points$", shown)
    assert re.search(r"(?m)^  self-assessed: 1 card, 1 of 2 points$", shown)
    assert shown.rstrip().endswith("The schedule has not changed.")
    with desk.store() as store:
        assert store.progress() == {}
        assert {type(event.fact) for event in store.events()} == {Attempt}


@pytest.mark.slow
def test_an_answer_after_the_time_does_not_count(sit_down: SitDown) -> None:
    desk = sit_down({"number.md": NUMBER_CARD})
    with desk.start("quiz", "--minutes", "0.1") as terminal:
        terminal.prompt("number: ")
        time.sleep(6.2)
        terminal.send("0.25\r")
        assert terminal.ends() == 0
        terminal.shows("^The time was up before this answer: it does not count\\.$")
        terminal.shows("^0 of 1 point ")


def test_a_quiz_left_early_counts_what_was_not_reached_as_unanswered(sit_down: SitDown) -> None:
    desk = sit_down({"choice.md": CHOICE_CARD, "number.md": NUMBER_CARD})
    for keys, code in ((CTRL_C, 130), (CTRL_D, 0)):
        with desk.start("quiz", "--seed", "1") as terminal:
            terminal.until(lambda: terminal.screen.before_cursor.endswith(("? ", "number: ")))
            terminal.send(keys)
            assert terminal.ends() == code
            terminal.shows("^  unanswered: 2 cards, 0 of 2 points$")


@pytest.mark.parametrize("command", ["review", "quiz"])
def test_without_a_terminal_it_says_so_and_names_what_scripts_may_use(
    sit_down: SitDown, command: str
) -> None:
    desk = sit_down(SQUARE)
    done = subprocess.run(
        [PROGRAM, command, "--deck", desk.deck],
        env=environment(desk.home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert "quizzer verify" in done.stderr
    assert ("quizzer rate" in done.stderr) == (command == "review")
    assert done.stdout == ""


@pytest.mark.parametrize(("rows", "columns"), [(24, 40), (60, 200)])
def test_a_session_fits_a_small_and_a_large_window(
    sit_down: SitDown, rows: int, columns: int
) -> None:
    desk = sit_down(SQUARE)
    with desk.start("review", rows=rows, columns=columns) as terminal:
        terminal.prompt("dx = ")
        for fact in ("1 of 1", "ML", "derivation", "difficulty 2", "4 points", "square"):
            assert fact in terminal.text
        terminal.answer("2 * x * dy")
        terminal.until(lambda: terminal.screen.before_cursor.endswith("b q ? "))
        assert max(map(len, terminal.text.splitlines())) <= min(columns, 100)
        terminal.send("3")
        assert terminal.ends() == 0


@pytest.mark.parametrize("card", ["sigmoid", "max_pooling_ties"])
def test_a_starter_card_fits_forty_columns(
    tmp_path: Path, write_deck: Callable[[dict[str, str]], Path], card: str
) -> None:
    desk = Desk(tmp_path / "home", write_deck({"card.md": card_of(card).read_text("utf-8")}))
    with desk.start("review", rows=24, columns=40) as terminal:
        terminal.until(lambda: terminal.screen.before_cursor.endswith((" = ", "? ")))
        assert max(map(len, terminal.text.splitlines())) <= 40
        for word in ("(4p)" if card == "sigmoid" else "(2p)", f"q-{card.replace('_', '-')}"):
            assert word in terminal.text


@pytest.mark.parametrize(
    ("options", "more", "coloured"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        (("--no-color",), {}, False),
        ((), {"TERM": "dumb"}, False),
    ],
    ids=["colours", "NO_COLOR", "--no-color", "TERM=dumb"],
)
def test_colours_are_used_only_where_they_are_welcome(
    sit_down: SitDown, options: tuple[str, ...], more: dict[str, str], coloured: bool
) -> None:
    with sit_down(SQUARE).start("review", *options, **more) as terminal:
        terminal.prompt("dx = ")
        terminal.answer("2 * x")
        terminal.shows("^✗ dx")
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.shows("^✓ dx")
        terminal.prompt(RATING)
        assert bool(COLOUR.search(terminal.raw)) == coloured


@pytest.mark.slow
def test_a_dumb_terminal_takes_a_whole_session(sit_down: SitDown) -> None:
    desk = sit_down(SQUARE, {"choice.md": EASY_CHOICE})
    with desk.start("review", TERM="dumb") as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.prompt(RATING)
        terminal.send("1")
        terminal.prompt(r"Take it \[n\]ow, or \[q\]uit\? ")
        terminal.send("q")
        assert terminal.ends() == 0
        assert "\x1b[J" not in terminal.raw
    assert desk.reviews() == [("choice", "good"), ("square", "again")]


def test_a_line_under_the_editor_follows_what_is_typed_and_goes_when_it_is_sent(
    sit_down: SitDown,
) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("2 * x * (dy")
        terminal.shows(r"^dx = 2 \* x \* \(dy\n  not finished yet")
        terminal.shows(r"^  not finished yet: This \( is not closed by a \)\.$")
        terminal.send(")")
        terminal.shows(r"^  read as NumPy$")
        terminal.send(" @ (")
        terminal.shows(r"^  read as NumPy …$")
        terminal.send("\x15dx_i = 2 x_i q_i dy_i")
        terminal.shows(r"^  reading stops at column 14: q is not a known name\.")
        terminal.send("\x15dx_i = 2 x_i dy_i")
        terminal.shows(
            r"^dx = dx_i = 2 x_i dy_i\n  read as index notation: dx\[i\] = 2 x\[i\] dy\[i\]$"
        )
        terminal.send(ALT_ENTER)
        terminal.shows(r"^dx = dx_i = 2 x_i dy_i\n✓ dx: right\.")
        terminal.prompt(RATING)


def test_what_was_kept_over_a_command_is_read_at_once(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("x ⊙ d\x1bf")
        terminal.shows("^flagged$")
        terminal.shows(r"^dx = x ⊙ d\n  not finished yet")


def test_the_line_under_the_editor_is_cut_to_the_window(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", columns=40) as terminal:
        terminal.prompt("dx = ")
        terminal.send("dx_i = 2 x_i dy_i y_i")
        found = terminal.shows(r"^dx = dx_i = 2 x_i dy_i y_i\n(  read as index .*…)$")
        assert len(found[1]) < 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "more"), [(("--plain",), {}), ((), {"TERM": "dumb"})], ids=["--plain", "TERM=dumb"]
)
def test_where_a_screen_is_read_aloud_nothing_changes_under_the_editor(
    sit_down: SitDown, options: tuple[str, ...], more: dict[str, str]
) -> None:
    with sit_down(SQUARE).start("review", *options, **more) as terminal:
        terminal.prompt("dx = ")
        terminal.send("2 * x * (dy")
        time.sleep(3 * PAUSE)
        terminal.answer(")")
        terminal.prompt(RATING)
        assert "not finished" not in terminal.raw


@pytest.mark.parametrize("command", ["review", "quiz"])
def test_plain_draws_no_boxes_and_says_each_formula_on_one_line(
    tmp_path: Path, write_deck: Callable[[dict[str, str]], Path], command: str
) -> None:
    desk = Desk(tmp_path / "home", write_deck({"card.md": card_of("sigmoid").read_text("utf-8")}))
    with desk.start(command, "--plain", "--card", "q-sigmoid") as terminal:
        terminal.prompt("dy_dx = ")
        terminal.answer("np.diag(y * (1 - y))")
        terminal.prompt("dx = ")
        terminal.answer("dy * y * (1 - y)")
        terminal.until(lambda: terminal.ended or "1-4 rates" in terminal.text)
        assert "SOLUTION" in terminal.text
        assert not BOX.search(terminal.text)
        assert re.search(r"(?m)^.*yᵢ = σ\(xᵢ\) = 1/\(1 \+ e", terminal.text)


def test_ctrl_c_ends_with_a_summary_and_130_and_loses_no_rating(sit_down: SitDown) -> None:
    desk = sit_down(SQUARE, {"choice.md": EASY_CHOICE})
    with desk.start("review") as terminal:
        terminal.prompt(r"which of A, B, C\? ")
        terminal.send("B\r")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.prompt("dx = ")
        terminal.send("2 * x" + CTRL_C)
        assert terminal.ends() == 130
        terminal.shows(r"^dx = 2 \* x\n\n1 rating on 1 card in \d+ s\. All saved\.$")
        assert "Traceback" not in terminal.text
    assert desk.reviews() == [("choice", "good")]


def test_ctrl_c_while_an_answer_is_judged_ends_the_session_at_once(sit_down: SitDown) -> None:
    slow = CHECKER + "\nseconds = 30\n"
    desk = sit_down({"square.md": DERIVATION_CARD, "square.py": slow})
    with desk.start("review", OWN_SANDBOX="yes") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("def dx(x, dy):\n    while True:\n        pass")
        terminal.shows("pass$")
        time.sleep(0.5)
        assert list(descendants(terminal.pid))
        terminal.send(CTRL_C)
        assert terminal.ends() == 130
        terminal.shows("^Nothing was rated\\.$")
        assert "Traceback" not in terminal.text


@pytest.mark.slow
def test_an_answer_that_never_ends_costs_no_try_and_the_session_goes_on(sit_down: SitDown) -> None:
    quick = {**SQUARE, "square.py": f"seconds = 1\n{CHECKER}"}
    with sit_down(quick).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("def dx(x, dy):\n    while True:\n        pass")
        terminal.shows(r"^\? dx: not read, costs no try\.")
        terminal.prompt("dx = ")
        terminal.answer("2 * x * dy")
        terminal.prompt("1-4 rates, Enter takes good, .*")


@pytest.mark.slow
def test_a_checker_that_never_ends_is_called_broken_and_the_session_goes_on(
    sit_down: SitDown,
) -> None:
    endless = CHECKER.replace('    return {"y": x**2}', "    while True:\n        pass")
    endless = f"seconds = 1\n{endless}"
    desk = sit_down({"endless.md": DERIVATION_CARD, "endless.py": endless}, CUBE)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer("3 * x**2 * dy")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.prompt("Enter shows the answer, .* ")
        terminal.shows("^! this card's checker is broken: rate yourself\\.")
        terminal.send("\r")
        terminal.prompt(RATING)
        terminal.send("1")
        terminal.shows("^saved: again")
    assert desk.reviews() == [("cube", "good"), ("square", "again")]


@pytest.mark.parametrize("columns", [60, 140])
def test_resizing_keeps_what_is_typed_and_the_rest_fits_the_window(
    sit_down: SitDown, columns: int
) -> None:
    with sit_down(CUBE, SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("3 * x**2 ")
        terminal.prompt(r"dx = 3 \* x\*\*2 ")
        terminal.resize(30, columns)
        terminal.answer("* dy")
        terminal.prompt(RATING)
        terminal.send("3")
        terminal.prompt("dx = ")
        after = terminal.text[terminal.text.index("✓ dx: right") :]
        widest = max(map(len, after.splitlines()))
        assert widest == min(columns, 100)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_killed_session_leaves_no_process_behind(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", OWN_SANDBOX="yes") as terminal:
        terminal.prompt("dx = ")
        started = list(descendants(terminal.pid))
        assert started
        terminal.kill()
    for _ in range(200):
        if not any(Path(f"/proc/{pid}").exists() for pid in started):
            return
        time.sleep(0.05)
    raise AssertionError("a process of the session outlives it")


@pytest.mark.parametrize("below", ["\r", "\r   "], ids=["empty", "blanks"])
def test_enter_on_an_empty_last_line_sends(sit_down: SitDown, below: str) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("2 * x * dy" + below)
        terminal.shows(r"^  read as NumPy$")
        terminal.send("\r")
        terminal.shows("^✓ dx: right")


def test_enter_on_an_empty_line_above_the_last_sends_nothing(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send("\x1b[200~z = 2 * x\n\nz * dy\x1b[201~" + UP)
        terminal.send("\r")
        terminal.shows(r"^     z \* dy\n  read as NumPy")
        assert "right" not in terminal.text
        terminal.send(ALT_ENTER)
        terminal.shows("^✓ dx: right")


@pytest.mark.parametrize(
    "paste", ["\x1b[200~{}\x1b[201~", "{}"], ids=["bracketed", "by a terminal without brackets"]
)
def test_a_pasted_blank_line_sends_nothing(sit_down: SitDown, paste: str) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send(paste.format("z = 2 * x\r\rz * dy\r"))
        terminal.shows(r"^ +z \* dy\n")
        time.sleep(2 * PAUSE)
        assert "✓" not in terminal.text
        assert "✗" not in terminal.text
        terminal.send("\r")
        terminal.shows("^✓ dx: right")


def test_enter_below_the_head_of_a_function_goes_on_with_its_body(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review") as terminal:
        terminal.prompt("dx = ")
        for line in ("def dx(x, dy):", "return 2 * x * dy", ""):
            terminal.send(line)
            terminal.send("\r")
        terminal.shows("^✓ dx: right")


TWO_READINGS = "dx_i = 2 dy_i / x_i x_i x_i"
"""Right as ((2 dy / x) x) x, wrong as 2 dy / (x x x)."""
WHICH = "1 or 2 picks one, any other key goes back to your answer "


def test_of_two_readings_one_is_picked_by_a_key_before_anything_is_judged(
    sit_down: SitDown,
) -> None:
    desk = sit_down(SQUARE)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.answer(TWO_READINGS)
        terminal.prompt(WHICH)
        assert "dx can be read in 2 ways. Which one do you mean?" in terminal.text
        assert re.search("(?m)^  1  dxᵢ = .*   2  dxᵢ = ─+$", terminal.text), "drawn, side by side"
        assert "right" not in terminal.text
        assert "wrong" not in terminal.text
        terminal.send("2")
        terminal.shows("^✗ dx: wrong")
        terminal.prompt("dx = ")
        terminal.answer(TWO_READINGS)
        terminal.prompt(WHICH)
        terminal.send("1")
        terminal.shows("^✓ dx: right")
        terminal.prompt(RATING)
    with desk.store() as store:
        logged = [event.fact for event in store.events(kinds=[Attempt])]
    assert [(fact.verdict.value, fact.answer) for fact in logged] == [
        ("wrong", TWO_READINGS),
        ("correct", TWO_READINGS),
    ]
    assert all(fact.reading for fact in logged)


def test_any_other_key_goes_back_to_the_answer_as_it_was_typed(sit_down: SitDown) -> None:
    desk = sit_down(SQUARE)
    with desk.start("review") as terminal:
        terminal.prompt("dx = ")
        terminal.send(TWO_READINGS)
        for key in ("\x1b", "q", "\r", " "):
            terminal.send(ALT_ENTER)
            terminal.prompt(WHICH)
            terminal.send(key)
            terminal.prompt("dx = " + re.escape(TWO_READINGS))
        terminal.answer("\x15dx_i = 2 x_i dy_i")
        terminal.prompt(RATING)
    with desk.store() as store:
        (event,) = store.events(kinds=[Attempt])
    assert event.fact.answer == "dx_i = 2 x_i dy_i"


def test_readings_too_wide_for_one_row_are_shown_one_below_the_other(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", columns=40) as terminal:
        terminal.prompt("dx = ")
        terminal.answer(TWO_READINGS)
        terminal.shows("^  2  dxᵢ = ")
        assert re.search("(?m)^  1  dxᵢ = [^2]*$", terminal.text)


def test_a_screen_reader_hears_the_readings_on_lines_of_their_own(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("review", "--plain") as terminal:
        terminal.prompt("dx = ")
        terminal.answer(TWO_READINGS)
        terminal.prompt(WHICH)
        assert "\n1: dx[i] = ((2 dy[i]) / x[i]) x[i] x[i]\n" in terminal.text
        assert "\n2: dx[i] = 2 dy[i] / (x[i] x[i] x[i])\n" in terminal.text


def test_a_quiz_asks_for_the_reading_and_says_nothing_of_the_verdict(sit_down: SitDown) -> None:
    with sit_down(SQUARE).start("quiz", "--results", "end") as terminal:
        terminal.prompt("dx = ")
        terminal.answer(TWO_READINGS)
        terminal.prompt(WHICH)
        terminal.send("x")
        terminal.prompt("dx = " + re.escape(TWO_READINGS))
        terminal.send(ALT_ENTER)
        terminal.prompt(WHICH)
        terminal.send("1")
        terminal.shows("^4 of 4 points")
        assert "✓" not in terminal.text
        assert terminal.ends() == 0


def test_the_lines_of_a_derivation_get_marks_in_the_field(sit_down: SitDown) -> None:
    card = card_of("softmax_jacobian").read_text("utf-8")
    desk = sit_down({"softmax_jacobian.md": card})
    with desk.start("review") as terminal:
        terminal.prompt("dp_dz = ")
        terminal.send("dz_j = Σ_k δ_k p_k ([k=j] - p_j)\r= p_j (δ_j - Σ_k p_k)\r= p_j δ_j")
        terminal.send(ALT_ENTER)
        terminal.shows(r"Line 2 is wrong\. Line 1 is right\.")
        shown = terminal.text
        assert shown.count("= p_j (δ_j - Σ_k p_k)") == 1
        assert re.search(r"(?m)^dp_dz = dz_j = .* ✓$", shown)
        assert re.search(r"(?m)^ +Line 2 is wrong\. Line 1 is right\.$", shown)
        assert re.search(r"(?m)^ +p_j δ_j +✗$|= p_j δ_j +✗$", shown)
        terminal.send("\r")
        terminal.shows("Line 2 is wrong: ")
        terminal.send("\x08" * 5 + "δ_k p_k)" + ALT_ENTER)
        terminal.shows("Line 3 is wrong: ")
