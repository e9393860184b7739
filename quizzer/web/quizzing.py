"""The pages of a quiz: what to draw, the card being asked, the result."""

import random
from collections.abc import Iterator, Mapping

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from quizzer.app.failure import Usage
from quizzer.deck import Filter
from quizzer.session import sentences
from quizzer.session.quiz import SHARES, Item, Result, draw
from quizzer.session.turn import Turn
from quizzer.text import minutes
from quizzer.values import Verdict
from quizzer.web import acting, pages
from quizzer.web.asking import AskingPage, Said, Told, open_field, talk
from quizzer.web.desk import Desk, Threads
from quizzer.web.looking import choices, present_deck
from quizzer.web.markup import CardPrinter
from quizzer.web.quiz_desk import QuizDesk

MARKS: Mapping[str, str] = {"0": "none", "1": "¼", "2": "½", "3": "¾", "4": "all"}
"""What the keys of SHARES say."""
FIELDS = ("course", "tag", "cards", "minutes", "results")
USUAL = {"course": "", "tag": "", "cards": "10", "minutes": "", "results": ""}


class QuizPage(AskingPage, frozen=True, kw_only=True):
    """A card of the quiz."""

    left: float | None
    """Seconds on the clock."""
    earned: str
    """What the card earned, once all of it is answered and that is told."""

    @property
    def clock(self) -> str:
        return "" if self.left is None else f"{minutes(self.left)} left"


class Answers(Struct, frozen=True):
    """A card of a result, with what was answered on it."""

    item: Item
    turn: Turn
    printer: CardPrinter
    talk: tuple[Told, ...]


async def quiz(request: Request, desk: Desk, threads: Threads) -> Response:
    """Where the quiz is now; without one, what it is to ask."""
    return await present(request, desk, threads)


async def another(request: Request, desk: Desk, threads: Threads) -> Response:
    """What the next quiz is to ask; one that runs goes on."""
    if desk.quiz is not None and desk.quiz.result is None:
        return RedirectResponse("/quiz", 303)
    return await _setup(request, desk, threads, USUAL)


async def begin(request: Request, desk: Desk, threads: Threads) -> Response:
    """Draw the cards and begin."""
    sent = await acting.form(request)
    chosen = {name: sent.get(name, "").strip() for name in FIELDS}
    try:
        await threads.at_desk(_begin, desk, chosen)
    except Usage as refused:
        return await _setup(request, desk, threads, chosen, 422, str(refused))
    return RedirectResponse("/quiz", 303)


async def act(request: Request, desk: Desk, threads: Threads) -> Response:
    """One action on the turn that its form was made for."""
    at, sent = _running(desk), await acting.form(request)
    number = acting.number_in(sent)
    match request.path_params["action"]:
        case "answer":
            await acting.answer(at, threads, number, await acting.typed(request))
        case "reading":
            await acting.pick(at, threads, number, sent.get("which", ""))
        case "reveal":
            await threads.at_desk(at.reveal, number)
        case "leave":
            await threads.at_desk(at.leave, number)
        case "tick" if sent.get("had") in acting.HAD:
            await threads.at_desk(at.tick, number, acting.HAD[sent["had"]])
        case "ticked":
            await threads.at_desk(at.take_ticked, number)
        case "mark" if sent.get("share") in SHARES:
            await threads.at_desk(at.finish, number, SHARES[sent["share"]])
        case "next":
            await threads.at_desk(at.finish, number)
        case "end":
            await threads.at_desk(at.end, number)
        case _:
            raise HTTPException(404)
    if request.headers.get(pages.FRAGMENT):
        return await present(request, desk, threads)
    return RedirectResponse("/quiz", 303)


async def item(request: Request, desk: Desk, threads: Threads) -> Response:
    """A card of the result, with its solution."""
    found = await threads.at_desk(_item, desk, request.path_params["number"])
    return pages.page(request, "quiz_item.html", here="quiz", found=found)


async def present(
    request: Request, desk: Desk, threads: Threads, status: int = 200, said: str = ""
) -> Response:
    """The present state of the quiz, with what there is to say above it."""
    at = desk.quiz
    if at is None:
        return await _setup(request, desk, threads, USUAL, status, said)
    template, values = await threads.at_desk(_present, desk, at)
    news = (said,) if said else at.news
    return pages.page(request, template, status, here="quiz", news=news, stale=bool(said), **values)


async def _setup(
    request: Request,
    desk: Desk,
    threads: Threads,
    chosen: Mapping[str, str],
    status: int = 200,
    said: str = "",
) -> Response:
    courses, tags = await threads.at_desk(lambda: choices(present_deck(desk)))
    return pages.page(
        request, "quiz.html", status, here="quiz", chosen=chosen, courses=courses, tags=tags,
        said=said,
    )  # fmt: skip


def _running(desk: Desk) -> QuizDesk:
    if desk.quiz is None:
        raise HTTPException(404)
    return desk.quiz


def _begin(desk: Desk, chosen: Mapping[str, str]) -> None:
    """Raises Usage for what is no number, and for a quiz without a card."""
    number = _number(chosen["cards"], "cards", least=1)
    time = _number(chosen["minutes"], "minutes", least=0.1)
    wanted = Filter(
        courses=tuple(filter(None, [chosen["course"]])), tags=tuple(filter(None, [chosen["tag"]]))
    )
    cards = None if number is None else int(number)
    paper = draw(present_deck(desk), wanted, cards, random.Random())
    if not paper:
        raise Usage("No card matches.")
    at_once = chosen["results"] == "each" if chosen["results"] else time is None
    desk.begin_quiz(paper, time, at_once)


def _number(said: str, what: str, least: float) -> float | None:
    if not said:
        return None
    try:
        number = float(said)
    except ValueError:
        number = 0
    if not least <= number <= 10_000:
        raise Usage(f"The {what} must be a number from {least:g} to 10000.")
    return number


def _present(desk: Desk, at: QuizDesk) -> tuple[str, dict[str, object]]:
    turn = at.turn()
    if turn is not None:
        return "quiz_card.html", {"card": _card(desk, at, turn), "marks": MARKS}
    assert at.result
    return "quiz_result.html", {
        "items": tuple(enumerate(at.result.items, 1)),
        "score": sentences.result(at.result),
        "told": tuple(sentences.result_by_basis(at.result)),
    }


def _card(desk: Desk, at: QuizDesk, turn: Turn) -> QuizPage:
    place, total = at.quiz.place
    left = at.quiz.left()
    printer = CardPrinter(desk.workspace, turn.entry, turn.card)
    return QuizPage(
        do="/quiz/do/",
        number=at.quiz.number,
        turn=turn,
        printer=printer,
        heading=sentences.heading(turn.entry, f"{place} of {total}", False),
        place=place,
        total=total,
        send="Check" if at.at_once else "Hand in",
        field=open_field(turn),
        talk=tuple(_told(at, turn, printer))[::-1],
        left=None if left is None else left.total_seconds(),
        earned=sentences.earned(at.quiz.present()) if turn.revealed and turn.parts else "",
    )


def _told(at: QuizDesk, turn: Turn, printer: CardPrinter) -> Iterator[Told]:
    """What may be said before the result: of an answer that was judged nothing, but at once."""
    judged = (Verdict.CORRECT, Verdict.WRONG)
    for each in talk(turn, printer):
        if at.at_once or not isinstance(each, Said) or each.verdict not in judged:
            yield each


def _item(desk: Desk, number: int) -> Answers:
    result: Result | None = desk.quiz.result if desk.quiz else None
    if result is None or not 0 < number <= len(result.items):
        raise HTTPException(404)
    found: Item = result.items[number - 1]
    turn = found.turn
    if turn is None:
        entry = found.entry
        turn = Turn(entry, desk.workspace.read(entry))
    printer = CardPrinter(desk.workspace, turn.entry, turn.card)
    return Answers(found, turn, printer, tuple(talk(turn, printer)))
