"""How an answer is understood while it is typed; nothing is judged."""

import json
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quizzer.judge.so_far import Stopped, Understood, read_so_far
from quizzer.notation import Context
from quizzer.session import sentences
from quizzer.session.asking import Asking
from quizzer.text import one_line
from quizzer.web.desk import Desk, Threads

NOTHING = {"state": "", "said": "", "latex": None}


async def read(request: Request, desk: Desk, threads: Threads) -> Response:
    """The reading of a text for the open part, in words and as LaTeX."""
    return await _understood(request, threads, desk.session)


async def read_in_quiz(request: Request, desk: Desk, threads: Threads) -> Response:
    """The same for the open part of the quiz."""
    return await _understood(request, threads, desk.quiz.quiz if desk.quiz else None)


async def _understood(request: Request, threads: Threads, session: Asking | None) -> Response:
    text, line = await _text(request)
    turn = session.turn if session else None
    if turn is None or turn.part is None or not text.strip():
        return JSONResponse(NOTHING)
    if turn.part.ask and turn.contexts:
        read = threads.reading(_read, turn.contexts, text, turn.part.ask.unit, line)
        return JSONResponse(await read)
    contexts = [each.context for each in (turn.short.usable if turn.short else ()) if each.context]
    return JSONResponse(await threads.reading(_read_line, contexts, text))


def _read_line(contexts: Sequence[Context], text: str) -> dict[str, object]:
    """The right side of one line of a derivation. It may be about anything, so that nothing but
    its verdict says what is wrong with it."""
    from quizzer.form.side import sides

    found = (_read([context], sides(text)[-1], "", None) for context in contexts)
    return next((each for each in found if each["state"] == "read"), dict(NOTHING))


def _read(contexts: Sequence[Context], text: str, unit: str, line: int | None) -> dict[str, object]:
    try:
        found = read_so_far(contexts[0], text, unit, line, contexts[1:])
    except Exception:  # a fault in reading is the verdict's to tell
        return dict(NOTHING)
    match found:
        case Understood(latex=str(latex)):
            return {"state": "read", "said": sentences.read_as(found), "latex": latex}
        case Understood():
            return {"state": "read", "said": _said(found, text), "latex": None}
        case Stopped(complete=complete):
            resting = sentences.so_far(found, text, resting=True)
            state = "stopped" if complete else "unfinished"
            return {"state": state, "said": _said(found, text), "resting": resting, "latex": None}
        case _:
            return dict(NOTHING)


def _said(found: Understood | Stopped, text: str) -> str:
    return one_line(sentences.so_far(found, text), 1000)


async def _text(request: Request) -> tuple[str, int | None]:
    """What is typed, and the line of the cursor, from 1."""
    try:
        sent = json.loads(await request.body())
    except (ValueError, RecursionError):
        return "", None
    if not isinstance(sent, dict) or not isinstance(text := sent.get("text"), str):
        return "", None
    line = sent.get("line")
    return text, line if isinstance(line, int) and 0 < line <= text.count("\n") + 1 else None
