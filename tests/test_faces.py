"""What the session in a terminal can do, the one in a browser can: one list, tried in both."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from site_of import Site, words

from quizzer.app.workspace import Workspace
from quizzer.cli.terminal.daily import TerminalSession, _Gone, _Leave
from quizzer.deck import Filter
from quizzer.judge.judges import Judge
from quizzer.session import sentences
from quizzer.session.commands import Command
from quizzer.session.daily import Session
from quizzer.session.turn import Hinted
from quizzer.values import Bury, Dispute, Flag, Suspend, Undo

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
