"""What the session in a terminal can do, the one in a browser can: one list, tried in both."""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from form.sheets import SIGMOID
from samples import CHECKER, DERIVATION_CARD, card_text, plain_cards
from site_of import Site, words

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.daily import TerminalSession, _Gone, _Leave
from quizzer.cli.terminal.quiz import TerminalQuiz
from quizzer.deck import Filter
from quizzer.judge.judges import Judge
from quizzer.plan import settings as plan_settings
from quizzer.session import sentences
from quizzer.session.commands import Command
from quizzer.session.daily import Session
from quizzer.session.moves import Hinted, Predicted
from quizzer.session.quiz import Basis, Quiz, Result, draw
from quizzer.values import Attempt, Bury, Dispute, Flag, Form, Rating, Review, Suspend, Undo
from quizzer.web import acting, quizzing

T = TypeVar("T")
Done = Callable[[Session, str, list[type]], bool]
ACTIONS: dict[Command, Done] = {
    Command.HINT: lambda session, said, facts: Hinted in _moves(session),
    Command.REVEAL: lambda session, said, facts: bool(session.turn and session.turn.revealed),
    Command.SKIP: lambda session, said, facts: _card(session) != "square",
    Command.DISPUTE: lambda session, said, facts: sentences.DISPUTED in said and Dispute in facts,
    Command.UNDO: lambda session, said, facts: (
        sentences.NOTHING_TO_UNDO in said and Undo not in facts
    ),
    Command.FLAG: lambda session, said, facts: sentences.flag(True) in said and Flag in facts,
    Command.SUSPEND: lambda session, said, facts: (
        sentences.suspended("square") in said and Suspend in facts
    ),
    Command.BURY: lambda session, said, facts: sentences.BURIED in said and Bury in facts,
    Command.EDIT: lambda session, said, facts: bool(session.turn and session.turn.peeked),
    Command.IMAGE: lambda session, said, facts: "image" in said,
    Command.QUIT: lambda session, said, facts: "Nothing was rated." in said,
    Command.HELP: lambda session, said, facts: (
        "completes a name, or turns \\delta" in said or "complete a name, or turn \\delta" in said
    ),
}
"""Each command, and how one sees that it was carried out on the card `square` after a wrong try."""


def _moves(session: Session) -> list[type]:
    return [type(move) for move in session.turn.transcript] if session.turn else []


def _card(session: Session) -> str:
    return session.turn.entry.id if session.turn else ""


def test_the_list_has_every_command() -> None:
    assert set(ACTIONS) == set(Command)


@pytest.fixture(autouse=True)
def editor(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "true")


@pytest.fixture
def deck(deck: Path) -> Path:
    """With a card that has a checklist, too."""
    (deck / "list.md").write_text(LIST["list.md"], "utf-8")
    return deck


@pytest.fixture
def opened(here: Path, judge: Judge, tmp_path: Path) -> Iterator[Callable[[Path], Site]]:
    sites: list[Site] = []

    def open_site(deck: Path) -> Site:
        sites.append(Site(deck, tmp_path / "history.db", judge))
        return sites[-1]

    yield open_site
    for each in sites:
        each.close()


@pytest.fixture
def come_as(forms_in_time: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[Form], None]:
    """Cards come in this form, if they can have it."""
    return lambda form: monkeypatch.setattr(plan_settings, "FORMS", (form, Form.BLANK))


@pytest.fixture
def site(opened: Callable[[Path], Site], deck: Path) -> Site:
    return opened(deck)


@pytest.mark.parametrize("command", Command, ids=lambda command: command.name.lower())
def test_the_terminal_carries_out(
    command: Command,
    here: Path,
    deck: Path,
    judge: Judge,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    workspace = Workspace(deck_option=(deck,), store_option=tmp_path / "history.db")
    with workspace.open_store() as store:
        session = Session(
            deck=workspace.deck,
            store=store,
            judge=judge,
            settings=workspace.settings,
            clock=workspace.clock,
            rng=Random(1),
            wanted=Filter(cards=("square", "open")),
        )
        while session.advance() and _card(session) != "square":
            session.skip(session.number)
        session.answer(session.number, "dx = dy")
        face = TerminalSession(workspace, session, plain=True, in_editor=False)
        try:
            face._do(command)
        except (_Gone, _Leave) as left:
            if isinstance(left, _Leave):
                face._summary()
            else:
                session.advance()
        facts = [type(event.fact) for event in store.events()]
        assert ACTIONS[command](session, capsys.readouterr().out, facts)


@pytest.mark.parametrize("command", Command, ids=lambda command: command.name.lower())
def test_the_browser_carries_out(command: Command, site: Site) -> None:
    page = site.begin("square")
    page = site.do("answer", text="dx = dy")
    if command is Command.IMAGE:
        said = "opens the card’s picture" in words(page) and "image"
    elif command is Command.HELP:
        said = words(page)
    else:
        said = words(site.do(command.name.lower()))
        if command is Command.EDIT:
            assert "Ask anew" in said
            site.do("edit")
    facts = [type(fact) for fact in site.events]
    assert ACTIONS[command](site.session, str(said), facts)


class Typist:
    """Sits at the terminal: types what is planned, presses keys, and goes."""

    def __init__(self, typed: list[str | Command], keys: list[str]) -> None:
        self.still = True
        self._typed, self._keys = typed, keys

    def answer(self, *_: object, **__: object) -> str | Command:
        return _next(self._typed)

    line = answer

    def key(self, *_: object, **__: object) -> str:
        return _next(self._keys)

    def forget(self) -> None:
        pass

    def keep(self, text: str) -> None:
        pass


def _next(planned: list[T]) -> T:
    if not planned:
        raise EOFError
    return planned.pop(0)


@dataclass(frozen=True)
class OnCard:
    """What a learner does on one card besides commands: how each face gives it, and what is so
    then."""

    files: dict[str, str]
    typed: tuple[str, ...]
    keys: tuple[str, ...]
    sent: tuple[tuple[str, dict[str, str]], ...]
    done: Callable[[Session, list[type]], bool]
    form: Form = Form.BLANK


SQUARE = {"square.md": DERIVATION_CARD, "square.py": CHECKER}
OPEN = plain_cards("open")
LIST = {"list.md": card_text("list", solution="- (2p) This.\n- That.\n- And that.")}
TWO_WAYS = "dx_i = 2 dy_i / x_i x_i x_i"
SLIP_BELOW = "dx_i = 2 x_i dy_i\n= -2 x_i dy_i"
REVEAL = ("reveal", {})
ON_CARD: dict[str, OnCard] = {
    "answer": OnCard(
        SQUARE,
        ("dx = 2 * x * dy",),
        (),
        (("answer", {"text": "dx = 2 * x * dy"}),),
        lambda session, facts: facts == [Attempt] and bool(session.turn and session.turn.revealed),
    ),
    "judge_reading": OnCard(
        SQUARE,
        (TWO_WAYS,),
        ("1",),
        (("answer", {"text": TWO_WAYS}), ("reading", {"which": "0"})),
        lambda session, facts: facts == [Attempt],
    ),
    "take_back": OnCard(
        SQUARE,
        (TWO_WAYS,),
        ("",),
        (("answer", {"text": TWO_WAYS}), ("reading", {"which": "none"})),
        lambda session, facts: not facts and bool(session.turn and session.turn.unclear is None),
    ),
    "explain": OnCard(
        SQUARE,
        (SLIP_BELOW, ""),
        (),
        (("answer", {"text": SLIP_BELOW}), ("explain", {})),
        lambda session, facts: bool(session.turn and session.turn.derivations[0].told),
    ),
    "tick": OnCard(
        LIST,
        (),
        ("r", "y", "n", "y"),
        (REVEAL, ("tick", {"had": "yes"}), ("tick", {"had": "no"}), ("tick", {"had": "yes"})),
        lambda session, facts: (
            bool(session.turn and session.turn.earned == (3, 4))
            and session.suggestion() is Rating.HARD
        ),
    ),
    "predict": OnCard(
        {"gate.md": SIGMOID},
        (),
        ("2",),
        (("predict", {"which": "1"}),),
        lambda session, facts: (
            not facts
            and _moves(session) == [Predicted, Hinted]
            and sentences.outcomes(session.turn) == "1 of 1 predicted"
        ),
        Form.WORKED,
    ),
    "rate": OnCard(
        OPEN,
        (),
        ("r", "4"),
        (REVEAL, ("rate", {"rating": "4"})),
        lambda session, facts: facts == [Review] and session.turn is None,
    ),
    "early": OnCard(
        OPEN,
        (),
        ("r", "1", "n"),
        (REVEAL, ("rate", {"rating": "1"}), ("early", {})),
        lambda session, facts: facts == [Review] and _card(session) == "open",
    ),
}
OF_COMMANDS = {
    "hint", "reveal", "skip", "dispute", "undo", "flag", "suspend", "bury", "reread",
}  # fmt: skip
WITHIN_OTHERS = {"judge", "repair", "next_hint"}


def test_the_list_has_all_that_changes_a_session() -> None:
    public = {name for name in dir(Session) if not name.startswith("_")}
    changes = {
        name
        for name in public
        if callable(each := getattr(Session, name))
        and "number" in inspect.signature(each).parameters
    }
    assert changes == set(ON_CARD) - {"early"} | OF_COMMANDS | WITHIN_OTHERS


@pytest.mark.parametrize("name", ON_CARD)
def test_in_the_terminal_one_can(
    name: str,
    here: Path,
    write_deck: Callable[[dict[str, str]], Path],
    judge: Judge,
    tmp_path: Path,
    come_as: Callable[[Form], None],
) -> None:
    given = ON_CARD[name]
    come_as(given.form)
    workspace = Workspace(
        deck_option=(write_deck(given.files),), store_option=tmp_path / "history.db"
    )
    with workspace.open_store() as store:
        session = Session(
            deck=workspace.deck,
            store=store,
            judge=judge,
            settings=workspace.settings,
            clock=workspace.clock,
            rng=Random(1),
        )
        face = TerminalSession(workspace, session, plain=True, in_editor=False)
        face._asker = Typist([*given.typed], [*given.keys])  # type: ignore[assignment]
        face.run()
        assert given.done(session, [type(event.fact) for event in store.events()])


@pytest.mark.parametrize("name", ON_CARD)
def test_in_the_browser_one_can(
    name: str,
    write_deck: Callable[[dict[str, str]], Path],
    opened: Callable[[Path], Site],
    come_as: Callable[[Form], None],
) -> None:
    given = ON_CARD[name]
    come_as(given.form)
    site = opened(write_deck(given.files))
    site.begin()
    for action, fields in given.sent:
        site.do(action, **fields)
        assert site.status == 200
    assert given.done(site.session, [type(fact) for fact in site.events])


def test_the_browser_has_no_action_that_is_not_tried() -> None:
    known = set(re.findall(r'case "(\w+)"', inspect.getsource(acting.act)))
    tried = {action for given in ON_CARD.values() for action, _ in given.sent}
    assert known == tried - {"reveal"} | {"hint"}, "commands are tried above"


@dataclass(frozen=True)
class InQuiz:
    """One action of a quiz on one card: how each face gives it, and what the card earns."""

    card: str
    typed: tuple[str | Command, ...]
    keys: tuple[str, ...]
    sent: tuple[tuple[str, dict[str, str]], ...]
    earned: float
    basis: Basis


IN_QUIZ = {
    "answer": InQuiz(
        "square",
        ("dx = 2 * x * dy",),
        (),
        (("answer", {"text": "dx = 2 * x * dy"}),),
        4,
        Basis.JUDGED,
    ),
    "wrong": InQuiz("choice", ("C",), (), (("answer", {"text": "C"}),), 0, Basis.JUDGED),
    "skip": InQuiz("square", (Command.SKIP,), ("s",), (("leave", {}),), 0, Basis.UNANSWERED),
    "mark": InQuiz(
        "open", (), ("r", "2"), (("reveal", {}), ("mark", {"share": "2"})), 0.5, Basis.SELF
    ),
    "tick": InQuiz(
        "list",
        (),
        ("r", "y", "n", "y", ""),
        (
            ("reveal", {}),
            ("tick", {"had": "yes"}),
            ("tick", {"had": "no"}),
            ("tick", {"had": "yes"}),
            ("ticked", {}),
        ),
        0.75,
        Basis.SELF,
    ),
    "skip a card": InQuiz("open", (), ("s",), (("leave", {}),), 0, Basis.UNANSWERED),
    "end": InQuiz("square", (Command.QUIT,), (), (("end", {}),), 0, Basis.UNANSWERED),
}


def earned(result: Result | None) -> tuple[float, Basis]:
    assert result
    (item,) = result.items
    return item.earned, item.basis


@pytest.mark.parametrize("name", IN_QUIZ)
def test_the_quiz_of_the_terminal_takes(
    name: str, here: Path, deck: Path, judge: Judge, tmp_path: Path
) -> None:
    given = IN_QUIZ[name]
    workspace = Workspace(deck_option=(deck,), store_option=tmp_path / "history.db")
    with workspace.open_store() as store:
        quiz = Quiz(
            paper=draw(workspace.deck, Filter(cards=(given.card,)), None, Random(1)),
            store=store,
            judge=judge,
            settings=workspace.settings,
            clock=workspace.clock,
            rng=Random(1),
        )
        face = TerminalQuiz(workspace, quiz, plain=True, at_once=False)
        face._asker = Typist([*given.typed], [*given.keys])  # type: ignore[assignment]
        face.run()
        assert earned(quiz.result()) == (given.earned, given.basis)


@pytest.mark.parametrize("name", IN_QUIZ)
def test_the_quiz_of_the_browser_takes(name: str, site: Site) -> None:
    given = IN_QUIZ[name]
    paper = draw(site.desk.workspace.deck, Filter(cards=(given.card,)), None, Random(1))
    site.threads._desk.submit(site.desk.begin_quiz, paper, None, False).result()
    at = site.desk.quiz
    assert at
    site.get("/quiz")
    for action, fields in given.sent:
        site.send(f"/quiz/do/{action}", number=at.quiz.number, **fields)
    assert earned(at.result) == (given.earned, given.basis)


def test_the_quiz_of_the_browser_has_no_action_that_is_not_tried() -> None:
    known = set(re.findall(r'case "(\w+)"', inspect.getsource(quizzing.act)))
    tried = {action for given in IN_QUIZ.values() for action, _ in given.sent}
    assert known == tried | {"reading", "next"}, "one is tried in test_quizzing, one goes on"
