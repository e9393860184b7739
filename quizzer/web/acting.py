"""What a page sends: the session begins, an answer is judged, a rating is saved."""

from collections.abc import Mapping
from typing import Protocol, TypeVar
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from quizzer.judge.judgement import Answered
from quizzer.session.asking import Asking
from quizzer.session.commands import Command
from quizzer.session.judging import Judged
from quizzer.session.turn import OutdatedTurnError
from quizzer.values import Rating
from quizzer.web import pages, showing
from quizzer.web.desk import Desk, Threads

S = TypeVar("S", bound=Asking)

COMMANDS: Mapping[str, Command] = {
    command.name.lower(): command
    for command in Command
    if command not in (Command.HINT, Command.IMAGE, Command.HELP)
}
"""Those that need nothing but their turn, by their addresses."""

HAD: Mapping[str, bool] = {"yes": True, "no": False}
"""What is sent of an item of a checklist."""


async def begin(request: Request, desk: Desk, threads: Threads) -> Response:
    """A session of so many minutes; one that runs goes on."""
    said = (await form(request)).get("minutes", "")
    minutes = float(said) if said in map(str, showing.MINUTES) else None
    await threads.at_desk(desk.begin, minutes)
    return RedirectResponse("/today", 303)


async def act(request: Request, desk: Desk, threads: Threads) -> Response:
    """One action on the turn that its form was made for."""
    sent = await form(request)
    number = number_in(sent)
    action = request.path_params["action"]
    match action:
        case "answer":
            await answer(desk, threads, number, await typed(request))
        case "reading":
            await pick(desk, threads, number, sent.get("which", ""))
        case "hint":
            session = await threads.at_desk(desk.running, number)
            repair = await threads.judging(session.repair, number)
            await threads.at_desk(desk.hint, number, repair)
        case "tick" if sent.get("had") in HAD:
            await threads.at_desk(desk.tick, number, HAD[sent["had"]])
        case "predict" if sent.get("which", "").isdecimal():
            await threads.at_desk(desk.predict, number, int(sent["which"]))
        case "rate" if sent.get("rating") in [str(rating.value) for rating in Rating]:
            await threads.at_desk(desk.rate, number, Rating(int(sent["rating"])))
        case "explain":
            await threads.at_desk(desk.explain, number)
        case "early":
            await threads.at_desk(desk.take_early, number)
        case _ if action in COMMANDS:
            await threads.at_desk(desk.do, COMMANDS[action], number)
        case _:
            raise HTTPException(404)
    if request.headers.get(pages.FRAGMENT):
        return await showing.present(request, desk, threads)
    return RedirectResponse("/today", 303)


class Recording(Protocol[S]):
    """Where a session runs, of either kind."""

    def running(self, number: int) -> S: ...
    def record(self, session: S, judged: Judged, /) -> Answered | None: ...
    def take_back(self, number: int) -> None: ...


async def answer(desk: Recording[S], threads: Threads, number: int, text: str) -> None:
    """Judge beside the thread of the history, and record on it."""
    session = await threads.at_desk(desk.running, number)
    if session.turn is None or session.turn.part is None:
        raise OutdatedTurnError
    if text:
        judged = await threads.judging(session.judge, number, text)
        await threads.at_desk(desk.record, session, judged)


async def pick(desk: Recording[S], threads: Threads, number: int, which: str) -> None:
    """Judge the reading that is meant; without one, the answer is written anew."""
    session = await threads.at_desk(desk.running, number)
    turn = session.turn
    if turn is None or turn.unclear is None:
        raise OutdatedTurnError
    if which.isdecimal() and int(which) < len(turn.unclear.readings):
        judged = await threads.judging(session.judge_reading, number, int(which))
        await threads.at_desk(desk.record, session, judged)
    else:
        await threads.at_desk(desk.take_back, number)


def number_in(sent: Mapping[str, str]) -> int:
    """The turn that a form was made for; none has a negative number."""
    return int(sent["number"]) if sent.get("number", "").isdecimal() else -1


async def form(request: Request) -> dict[str, str]:
    """The fields that were sent; of several with one name the last."""
    return dict(await _pairs(request))


async def typed(request: Request) -> str:
    """The answer; the letters of a choice come one by one."""
    texts = [value for name, value in await _pairs(request) if name == "text"]
    return ", ".join(texts).replace("\r\n", "\n").strip()


async def _pairs(request: Request) -> list[tuple[str, str]]:
    body = (await request.body()).decode("utf-8", errors="replace")
    return parse_qsl(body, keep_blank_values=True)
