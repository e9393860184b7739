"""The pages and what is done on them; every one goes through the guard."""

from collections.abc import Awaitable, Callable

from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from quizzer.app.failure import Failure, NoCard
from quizzer.app.workspace import shortened
from quizzer.session.turn import OutdatedTurnError
from quizzer.store import StoreError
from quizzer.text import clean
from quizzer.web import (
    acting,
    looking,
    mapping,
    pages,
    planning,
    quizzing,
    reading,
    showing,
    writing,
)
from quizzer.web.desk import Desk, Threads
from quizzer.web.guards import Guard, Keys

Handler = Callable[[Request, Desk, Threads], Awaitable[Response]]


def create(desk: Desk, threads: Threads, port: int, keys: Keys) -> ASGIApp:
    """The application of one learner's desk, as it is served on this port."""

    def route(path: str, handler: Handler, *methods: str) -> Route:
        async def endpoint(request: Request) -> Response:
            return await handler(request, desk, threads)

        return Route(path, endpoint, methods=[*methods] or ["GET"])

    app = Starlette(
        routes=[
            route("/", showing.start),
            route("/today", showing.today),
            route("/media/{number:int}/{card:path}", showing.picture),
            route("/cards", looking.cards),
            route("/cards/do/edit", looking.edit, "POST"),
            route("/cards/{card:path}", looking.card),
            route("/new", writing.new),
            route("/new", writing.write, "POST"),
            route("/new/preview", writing.preview, "POST"),
            route("/new/check", writing.check, "POST"),
            route("/map", mapping.map_),
            route("/stats", looking.stats),
            route("/plan", planning.plan),
            route("/plan/exam", planning.set_exam, "POST"),
            route("/plan/day", planning.set_day, "POST"),
            route("/plan/deck", planning.set_deck, "POST"),
            route("/begin", acting.begin, "POST"),
            route("/do/{action}", acting.act, "POST"),
            route("/read", reading.read, "POST"),
            route("/quiz", quizzing.quiz),
            route("/quiz/another", quizzing.another),
            route("/quiz/begin", quizzing.begin, "POST"),
            route("/quiz/do/{action}", quizzing.act, "POST"),
            route("/quiz/read", reading.read_in_quiz, "POST"),
            route("/quiz/items/{number:int}", quizzing.item),
            Mount("/static", _Static(directory=pages.STATIC)),
        ],
        exception_handlers={
            OutdatedTurnError: _OnPage(desk, threads),
            StoreError: _store_unusable,
            Failure: _failed,
            HTTPException: _refused,
        },
    )
    return Guard(GZipMiddleware(app, minimum_size=1000), port, keys)


class _Static(StaticFiles):
    """Files of ours; an address that holds a file's hash never changes its content.

    What a script imports has an address without one, and is asked for anew.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        pinned = scope["query_string"].startswith(b"v=")
        age = "no-cache" if path.endswith(".mjs") else "max-age=3600"
        response.headers["Cache-Control"] = (
            f"private, {'max-age=31536000, immutable' if pinned else age}"
        )
        return response


class _OnPage(Struct, frozen=True):
    """An action on a state that is past: that is said above the present one."""

    desk: Desk
    threads: Threads

    async def __call__(self, request: Request, error: Exception) -> Response:
        in_quiz = request.url.path.startswith("/quiz")
        present = quizzing.present if in_quiz else showing.present
        return await present(request, self.desk, self.threads, 409, str(error))


async def _store_unusable(request: Request, error: Exception) -> Response:
    said = shortened(clean(str(error)))
    return pages.message(request, "The history cannot be used", [said], 503)


async def _failed(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, NoCard) else 500
    return pages.message(request, "This does not work", [clean(str(error))], status)


async def _refused(request: Request, error: Exception) -> Response:
    """A plain page: what was asked for is not there, or is not asked for in this way."""
    assert isinstance(error, HTTPException)
    said = {404: "There is no such page.", 405: "This page is not used in this way."}
    text = said.get(error.status_code, error.detail)
    return PlainTextResponse(f"{text}\n", error.status_code, headers=dict(error.headers or {}))
