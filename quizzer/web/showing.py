"""The pages of the day: how it begins, the card being asked, the wait, the end."""

from collections.abc import Mapping

from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from quizzer.app.exams import kept
from quizzer.app.failure import Usage
from quizzer.app.pictures import must_be_picture
from quizzer.plan.agenda import Agenda, Remaining
from quizzer.session import ending, exams
from quizzer.text import about, count, minutes
from quizzer.web import pages
from quizzer.web.desk import Desk, Threads
from quizzer.web.markup import picture_names
from quizzer.web.today import LABELS, CardPage, card_page

MINUTES = (5, 15, 30)
"""How long a session may be asked for; else it takes all that is due."""
PICTURES: Mapping[str, str] = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".bmp": "image/bmp",
    ".avif": "image/avif",
    ".svg": "image/svg+xml",
}
"""What browsers draw, and what it is called to them."""


class StartPage(Struct, frozen=True):
    """How a day begins."""

    deck: str
    left: Remaining
    choices: tuple[tuple[int, int], ...]
    """So many minutes, and how many cards fit into them."""
    yesterday: str
    exams: tuple[str, ...]
    warnings: tuple[str, ...]
    running: bool

    @property
    def due(self) -> str:
        """What waits, in words."""
        cards = self.left.steps + self.left.reviews
        parts = [f"{count(cards, 'card')} due"] if cards else []
        if self.left.new:
            parts.append(f"{self.left.new} new" if parts else count(self.left.new, "new card"))
        return ", ".join(parts)

    @property
    def time(self) -> str:
        return about(self.left.minutes)


async def start(request: Request, desk: Desk, threads: Threads) -> Response:
    """What is due, and where to begin."""
    shown = await threads.at_desk(_start, desk)
    return pages.page(request, "start.html", here="today", start=shown)


async def today(request: Request, desk: Desk, threads: Threads) -> Response:
    """Where the session is now; without one, where it begins."""
    if desk.session is None:
        return RedirectResponse("/", 303)
    return await present(request, desk, threads)


async def present(
    request: Request, desk: Desk, threads: Threads, status: int = 200, said: str = ""
) -> Response:
    """The present state of the session, with what there is to say above it."""
    if desk.session is None:
        return await start(request, desk, threads)
    template, values = await threads.at_desk(_present, desk)
    news = (said,) if said else desk.news
    response = pages.page(
        request, template, status, here="today", news=news, stale=bool(said), **values
    )
    if desk.over:
        response.background = BackgroundTask(threads.at_desk, desk.work_ahead)
    return response


async def picture(request: Request, desk: Desk, threads: Threads) -> Response:
    """A picture of a card, by its number among the card's own."""
    params = request.path_params
    return await threads.at_desk(_picture, desk, params["card"], params["number"])


def _start(desk: Desk) -> StartPage:
    workspace = desk.workspace
    running = desk.turn() is not None
    if not running:
        workspace.read_again()
    deck, store, settings = workspace.deck, desk.store, workspace.settings

    def agenda(time: float | None) -> Agenda:
        return Agenda(deck, store, settings, workspace.clock, minutes=time)

    def left(time: float | None) -> Remaining:
        return agenda(time).remaining(frozenset(), None)

    done = store.done(workspace.today() - 1)
    cards = len(done.new) + len(done.reviews)
    return StartPage(
        deck=workspace.introduction,
        left=left(None),
        choices=tuple((time, left(time).total) for time in MINUTES),
        yesterday=f"Yesterday: {count(cards, 'card')} in {minutes(done.seconds)}." if cards else "",
        exams=tuple(exams.lines(kept(workspace, store).of_today())),
        warnings=tuple(workspace.warnings(store, agenda(None).at_hand())),
        running=running,
    )


def _present(desk: Desk) -> tuple[str, dict[str, object]]:
    session, turn = desk.session, desk.turn()
    assert session is not None
    if turn is not None:
        shown: CardPage = card_page(desk, session, turn)
        return "card.html", {"card": shown, "labels": LABELS}
    until = session.waiting_until()
    if not desk.over and until is not None:
        left = max(1, round((until - desk.workspace.now()).total_seconds() / 60))
        return "wait.html", {"number": session.number, "minutes": left}
    told = tuple(ending.summary(session.summary()))
    return "end.html", {"number": session.number, "told": told}


def _picture(desk: Desk, card: str, number: int) -> Response:
    entry = desk.workspace.deck.by_id.get(card)
    read = desk.workspace.deck.read(entry).card if entry else None
    if entry is None or read is None:
        raise HTTPException(404)
    names = picture_names(read)
    path = 0 < number <= len(names) and desk.workspace.deck.media(names[number - 1], entry.path)
    kind = path and PICTURES.get(path.suffix.lower())
    if not path or not kind:
        raise HTTPException(404)
    try:
        must_be_picture(path)
    except Usage:
        raise HTTPException(404) from None
    return FileResponse(path, media_type=kind)
