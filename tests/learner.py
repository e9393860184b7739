"""A simulated learner: sits at the real program day after day and keeps a book of his own."""

import re
import runpy
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from random import Random

from pseudo_terminal import CTRL_C, CTRL_D, CTRL_S, PROGRAM, Terminal, environment
from warm_terminal import WarmTerminal

from quizzer.card import Choice, Number
from quizzer.card.formulating import formulation_of
from quizzer.checker.declared.build import build
from quizzer.checker.source import Declared
from quizzer.deck.values import read_file
from quizzer.store import Store
from quizzer.values import Event, Rating, Review

PROMPTS = (
    r"(?P<part>\w+) = |(?P<choice>which of [A-Z, ]+\? )|(?P<number>number: )"
    r"|(?P<reveal>Enter shows the answer, \? the keys )|(?P<early>Take it \[n\]ow, or \[q\]uit\? )"
    r"|(?P<rate>1-4 rates, (?:Enter takes (?P<suggested>\w+), )?.*\? )"
)
_HEADER = re.compile(r"(?m)^(?:\d+ of \d+|to be rated again) · (?:.*\n)?.*?([\w-]+)(?: ─*)?$")
_ID = re.compile(r"(?m)^id: (\S+)$")
_SAVED = re.compile(r"(?m)^saved: (\w+), again in (?:(\d+) d|(10 min)|.*)$")
_PROMPT = re.compile(rf"(?m)^(?:{PROMPTS})\Z")


class Plan(StrEnum):
    """How the learner fares with one card."""

    RIGHT = "right at once"
    SLIP = "one wrong answer"
    TWICE = "two wrong answers"
    UNREADABLE = "an answer that cannot be read"
    HINT = "a hint"
    GIVE_UP = "the solution, without an answer"
    DISPUTE = "a verdict disputed"
    FLAG = "flagged"
    RESIZE = "the window resized while he types"
    SKIP = "skipped"
    BURY = "buried"
    SUSPEND = "suspended"
    UNDO = "the rating before it undone"


class Stop(StrEnum):
    """How a session ends before its end."""

    CTRL_C = "Ctrl-C"
    CTRL_D = "Ctrl-D"
    KILL = "killed while he types"
    KILL_AT_RATING = "killed at once after the rating key"


GIVEN = {
    Plan.SLIP: "hard",
    Plan.TWICE: "again",
    Plan.HINT: "again",
    Plan.GIVE_UP: "again",
}
"""The rating that the learner gives, and that must be suggested where he typed something; good
in all other cases."""


@dataclass(frozen=True, slots=True)
class Saved:
    """One line of the book: a rating that the program said it saved.

    `days` is the promised interval, None for one of two months or more.
    """

    card: str
    rating: str
    day: date
    days: int | None

    @property
    def due(self) -> date:
        return date.max if self.days is None else self.day + timedelta(self.days)


class Learner:
    """Knows by heart what the checkers call right and wrong; asserts what he was promised."""

    def __init__(self, home: Path, decks: list[Path], seed: int) -> None:
        self.home = home
        self.rng = Random(seed)
        self.plans = self._deal()
        self.book: list[Saved] = []
        self.used: set[Plan] = set()
        self.suspended: set[str] = set()
        self.flagged: set[str] = set()
        self.buried: dict[str, date] = {}
        self._decks = [word for deck in decks for word in ("--deck", str(deck))]
        self._files = {
            found[1]: file
            for deck in decks
            for file in deck.rglob("*.md")
            if (found := _ID.search(file.read_text("utf-8")))
        }
        self._studied: set[str] = set()
        self._hinted: set[str] = set()
        self._right: dict[str, dict[str, list[str]]] = {}
        self._wrong: dict[str, dict[str, list[str]]] = {}

    def sit(self, now: str, day: date, new: int, stop: Stop | None = None) -> None:
        """One session of this study day. Raises AssertionError where a promise is broken."""
        arguments = ["review", "--new", str(new), *self._decks]
        with WarmTerminal(*arguments, env=environment(self.home, now)) as terminal:
            sitting = Sitting(self, terminal, day, stop)
            sitting.run()
        if stop in (Stop.KILL, Stop.KILL_AT_RATING):
            self._look_whether_saved(sitting.unseen)
        elif stop is None:
            in_step = {saved.card for saved in self.newest().values() if not saved.days}
            missed = self.due(day) - in_step - sitting.skipped
            assert not missed, f"due on {day} and not asked: {missed}"

    def run(self, day: date, *words: str) -> str:
        """What another command prints on this day."""
        env = environment(self.home, f"{day}T08:00:00+01:00")
        command = [str(PROGRAM), *words, *self._decks]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def newest(self) -> dict[str, Saved]:
        """The rating of each card that counts last."""
        return {saved.card: saved for saved in self.book}

    def due(self, day: date) -> set[str]:
        """The cards promised for this day or before it."""
        return {
            card
            for card, saved in self.newest().items()
            if saved.due <= day and card not in self.suspended and self.buried.get(card) != day
        }

    def right(self, card: str, part: str) -> str:
        return self.rng.choice(self._right[card][part])

    def can(self, plan: Plan, card: str) -> bool:
        """Whether the card leaves room for this plan."""
        if plan in (Plan.SLIP, Plan.TWICE, Plan.DISPUTE):
            return card in self._wrong and all(self._wrong[card].values())
        return card in {Plan.HINT: self._hinted, Plan.UNREADABLE: self._right}.get(plan, [card])

    def wrong(self, card: str, part: str) -> str:
        return self.rng.choice(self._wrong[card][part])

    def _deal(self) -> Iterator[Plan]:
        """Every plan again and again, each time in another order."""
        plans = [*Plan, *[Plan.RIGHT] * 2, Plan.SLIP, Plan.HINT]
        while True:
            self.rng.shuffle(plans)
            yield from plans

    def study(self, name: str) -> None:
        """Learn the answers to one card: its checker's, else those of its key."""
        if name in self._studied:
            return
        self._studied.add(name)
        path = self._files[name]
        card = read_file(path).card
        assert card and card.header.id == name
        if card.hints or card.steps:
            self._hinted.add(name)
        checker = path.with_suffix(".py")
        if checker.exists():
            module = runpy.run_path(str(checker))
            self._right[name] = module["right"]
            self._wrong[name] = {
                part: [text for text in known.values() if isinstance(text, str)]
                for part, known in module["wrong"].items()
            }
        elif card.checker:
            declared = build(Declared(card.checker.text, card=formulation_of(card)))
            self._right[name] = {part: list(texts) for part, texts in declared.right.items()}
            self._wrong[name] = {
                part: list(known.values()) for part, known in declared.wrong.items()
            }
        elif isinstance(card.asks, Choice):
            letters = sorted(card.asks.letters)
            self._right[name] = {"choice": ["".join(letters), ", ".join(letters).lower()]}
            self._wrong[name] = {
                "choice": [o.letter for o in card.options if o.letter not in letters]
            }
        elif isinstance(card.asks, Number):
            self._right[name] = {"number": [repr(card.asks.value)]}
            self._wrong[name] = {"number": [repr(card.asks.value + 7)]}

    def _look_whether_saved(self, unseen: Saved | None) -> None:
        """What he rated in the instant of the kill may have been saved or not: he looks."""
        logged = [(event.fact.card, event.fact.rating.label) for event in standing(self.home)]
        booked = [(saved.card, saved.rating) for saved in self.book]
        if unseen and logged == [*booked, (unseen.card, unseen.rating)]:
            self.book.append(unseen)
        else:
            assert logged == booked


class Sitting:
    """One session: looks at the screen, does what it asks, notes what it says."""

    def __init__(self, learner: Learner, terminal: Terminal, day: date, stop: Stop | None) -> None:
        self._learner = learner
        self._terminal = terminal
        self._day = day
        self._stop = stop
        self._saved = 0
        self._early = 0
        self.skipped: set[str] = set()
        self.unseen: Saved | None = None

    def run(self) -> None:
        """Until nothing is left, or the session is stopped at its second card."""
        turns = 0
        while prompt := self._look():
            if prompt["early"]:
                self._early += 1
                self._terminal.send("n" if self._early < 3 else "q")
                continue
            card = self._card()
            self._learner.study(card)
            self._may_be_asked(card)
            turns += 1
            if turns == 2 and self._stop and self._stop is not Stop.KILL_AT_RATING:
                self._leave(prompt)
                return
            self._play(card, next(self._learner.plans), prompt)
            if self.unseen:
                return
        assert not self._terminal.ends(), self._terminal.text
        self._foretells_tomorrow()

    def _look(self) -> re.Match[str] | None:
        """The prompt at which the program waits, None at its end."""
        terminal = self._terminal

        def prompted() -> re.Match[str] | None:
            return _PROMPT.search(terminal.screen.before_cursor)

        terminal.until(lambda: bool(prompted()) or terminal.ended, "a prompt or the end")
        return prompted() if not terminal.ended else None

    def _card(self) -> str:
        return _HEADER.findall(self._terminal.text)[-1]

    def _may_be_asked(self, card: str) -> None:
        learner = self._learner
        promised = learner.newest().get(card)
        early = f"{card} comes on {self._day} despite {promised}:\n{self._terminal.text}"
        assert promised is None or promised.due <= self._day, early
        assert card not in learner.suspended | self.skipped
        assert learner.buried.get(card) != self._day

    def _play(self, card: str, plan: Plan, prompt: re.Match[str]) -> None:
        """One card from its question to its rating, or to where the plan leaves it."""
        terminal, learner = self._terminal, self._learner
        if not learner.can(plan, card) or (plan is Plan.UNDO and not self._saved):
            plan = Plan.RIGHT
        learner.used.add(plan)
        match plan:
            case Plan.SKIP:
                self._leave_card("s", prompt)
                self.skipped.add(card)
                return
            case Plan.BURY:
                self._leave_card("b", prompt)
                terminal.shows("^buried until tomorrow")
                learner.buried[card] = self._day
                return
            case Plan.SUSPEND:
                self._leave_card("x", prompt)
                terminal.shows(f"^suspended; `quizzer unsuspend {card}`")
                learner.suspended.add(card)
                return
            case Plan.UNDO:
                self._undo(prompt)
                return
        rated = self._answer(card, plan, prompt)
        self._rate(card, plan, rated)

    def _leave_card(self, key: str, prompt: re.Match[str]) -> None:
        self._terminal.send(key if prompt["reveal"] else f"\x1b{key}")

    def _undo(self, prompt: re.Match[str]) -> None:
        """Take back the rating before this card, and give another one."""
        book = self._learner.book
        gone = book.pop()
        self._leave_card("u", prompt)
        self._terminal.shows(f"^took back {gone.rating} on {gone.card}")
        again = self._look()
        assert again and again["rate"] and self._card() == gone.card
        self._note(gone.card, "easy")

    def _answer(self, card: str, plan: Plan, prompt: re.Match[str]) -> re.Match[str]:
        """Follow the plan until a rating is asked for."""
        terminal, learner = self._terminal, self._learner
        if plan is Plan.FLAG:
            self._leave_card("f", prompt)
            learner.flagged ^= {card}
            terminal.shows("^flagged$" if card in learner.flagged else "^flag removed$")
        elif plan is Plan.HINT:
            self._leave_card("h", prompt)
            terminal.shows("^hint 1 of")
        elif plan is Plan.GIVE_UP:
            self._leave_card("r", prompt)
        elif plan is Plan.RESIZE:
            terminal.resize(self._learner.rng.randint(20, 60), self._learner.rng.randint(90, 160))
        elif plan is Plan.UNREADABLE:
            self._say("1 +* (", "not read, costs no try")
        elif plan in (Plan.SLIP, Plan.TWICE, Plan.DISPUTE):
            for _ in range(2 if plan is Plan.TWICE else 1):
                self._say(learner.wrong(card, self._name(prompt)), "wrong")
                prompt = self._look() or prompt
        if plan is Plan.DISPUTE:
            terminal.send("\x1bd")
            terminal.shows("^noted: it does not count against you")
        while (prompt := self._look() or prompt) and not prompt["rate"]:
            if prompt["reveal"]:
                terminal.send("\r")
            else:
                self._say(learner.right(card, self._name(prompt)), "right")
        return prompt

    def _name(self, prompt: re.Match[str]) -> str:
        return prompt["part"] or ("choice" if prompt["choice"] else "number")

    def _say(self, text: str, verdict: str) -> None:
        """Answer the part that is asked, and see the verdict on it."""
        prompt = self._look()
        assert prompt
        name = self._name(prompt)
        before = self._terminal.text.count(f" {name}: {verdict}")
        if prompt["part"]:
            self._terminal.answer(text, self._learner.rng.choice(["\x1b\r", CTRL_S]))
        else:
            self._terminal.send(f"{text}\r")
        self._terminal.until(
            lambda: self._terminal.text.count(f" {name}: {verdict}") > before,
            f"{name}: {verdict} after {text!r}",
        )

    def _rate(self, card: str, plan: Plan, prompt: re.Match[str]) -> None:
        rating = GIVEN.get(plan, "good")
        suggested = prompt["suggested"]
        if suggested:
            expected = ("good", "easy") if rating == "good" else (rating,)
            assert suggested in expected, f"{suggested} is suggested after {plan} on {card}"
        if self._stop is Stop.KILL_AT_RATING:
            self._terminal.send("3")
            self.unseen = Saved(card, "good", self._day, None)
            self._terminal.kill()
            return
        self._note(card, rating, by_enter=suggested == rating)

    def _note(self, card: str, rating: str, by_enter: bool = False) -> None:
        """Press the key, and write down what is said to be saved."""
        key = "\r" if by_enter else str(Rating[rating.upper()].value)
        self._terminal.send(key)
        self._terminal.until(lambda: len(_SAVED.findall(self._terminal.text)) > self._saved)
        said, days, step = _SAVED.findall(self._terminal.text)[self._saved]
        self._saved += 1
        assert said == rating
        interval = 0 if step else int(days) if days else None
        self._learner.book.append(Saved(card, said, self._day, interval))

    def _leave(self, prompt: re.Match[str]) -> None:
        """Stop the session at this prompt."""
        terminal = self._terminal
        if not prompt["reveal"]:
            terminal.send("dx = 1 +")
            terminal.shows(re.escape("dx = 1 +"))
        if self._stop is Stop.KILL:
            terminal.kill()
        elif self._stop is Stop.CTRL_C:
            terminal.send(CTRL_C)
            assert terminal.ends() == 130
            terminal.shows(r"All saved\.$|^Nothing was rated\.$")
        else:
            if not prompt["reveal"]:  # Ctrl-D ends the session at an empty line only
                terminal.send("\b" * 8)
                self._look()
            terminal.send(CTRL_D)
            assert terminal.ends() == 0
            terminal.shows(r"All saved\.$|^Nothing was rated\.$")

    def _foretells_tomorrow(self) -> None:
        """The last line counts the cards that will be due, buried ones among them."""
        learner = self._learner
        tomorrow = self._day + timedelta(1)
        due = sum(
            saved.due <= tomorrow and card not in learner.suspended
            for card, saved in learner.newest().items()
        )
        said = self._terminal.shows(r"^Tomorrow: (\d+) cards? due")
        assert int(said[1]) == due


def standing(home: Path) -> list[Event]:
    """The reviews in the log that were not taken back, oldest first."""
    with open_store(home) as store:
        undone = store.undone_ids()
        return [event for event in store.events(kinds=[Review]) if event.id not in undone]


def open_store(home: Path) -> Store:
    """The learner's history, where the program keeps it."""
    path = home / ".local" / "share" / "quizzer" / "history.db"
    return Store.open(path, datetime.now().astimezone(), read_only=True)
