"""What the session in a terminal can do, the one in a browser can: one list, tried in both."""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from site_of import Site, words

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.daily import TerminalSession, _Gone, _Leave
from quizzer.cli.terminal.quiz import TerminalQuiz
from quizzer.deck import Filter
from quizzer.judge.judges import Judge
from quizzer.session import sentences
from quizzer.session.commands import Command
from quizzer.session.daily import Session
from quizzer.session.quiz import Basis, Quiz, Result, draw
from quizzer.session.turn import Hinted
from quizzer.values import Bury, Dispute, Flag, Suspend, Undo
from quizzer.web import quizzing

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
def site(here: Path, deck: Path, judge: Judge, tmp_path: Path) -> Iterator[Site]:
    opened = Site(deck, tmp_path / "history.db", judge)
    yield opened
    opened.close()


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
    """Sits at the terminal's quiz: types what is planned, and presses keys."""

    def __init__(self, typed: list[str | Command], keys: list[str]) -> None:
        self.still = True
        self._typed, self._keys = typed, keys

    def answer(self, *_: object, **__: object) -> str | Command:
        return self._typed.pop(0)

    line = answer

    def key(self, *_: object, **__: object) -> str:
        return self._keys.pop(0)

    def forget(self) -> None:
        pass


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
