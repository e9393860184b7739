"""What a server has open for its learner: deck, history, judge, and the session that runs.

All of it lives on one thread, since the history belongs to the thread that opened it. Judging has a
thread of its own, so that a slow answer holds up no page, and so has reading what is being typed.
"""

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import ParamSpec, TypeVar

from quizzer.app.exams import kept
from quizzer.app.failure import Usage
from quizzer.app.reload import reading_again
from quizzer.app.workspace import Workspace
from quizzer.judge.judgement import Answered
from quizzer.judge.judges import Judge
from quizzer.plan.leeches import advice
from quizzer.session import sentences
from quizzer.session.commands import Command
from quizzer.session.daily import Session
from quizzer.session.judging import Judged, Repair
from quizzer.session.quiz import Paper, Quiz
from quizzer.session.rating import RatedElsewhereError
from quizzer.session.turn import OutdatedTurnError, Turn
from quizzer.store import Store
from quizzer.values import Rating
from quizzer.web.editing import open_editor
from quizzer.web.quiz_desk import QuizDesk

P = ParamSpec("P")
R = TypeVar("R")


class Desk:
    """On the thread of the history, but for `judge`."""

    def __init__(self, workspace: Workspace, judge: Judge) -> None:
        self.workspace = workspace
        self.judge = judge
        self.session: Session | None = None
        self.over = False
        """Whether the session is at its end, and shows what it came to."""
        self.quiz: QuizDesk | None = None
        self.news: tuple[str, ...] = ()
        """What the last action has to say."""
        self.editing: str | None = None
        """The card that was opened in the editor, until it is asked anew."""
        self._store: Store | None = None
        self._notices = self._problems = 0

    @property
    def store(self) -> Store:
        """The history. Raises StoreError, which says what to do."""
        if self._store is None:
            self._store = self.workspace.open_store()
        elif self.session is None or self.over:  # one that runs follows it by itself
            self._store.follow(self.workspace.now())
        return self._store

    def close(self) -> None:
        if self._store is not None:
            self.workspace.prove(self._store)
            self._store.close()

    def begin(self, minutes: float | None) -> None:
        """Begin a session of so many minutes, unless one runs."""
        if self.session and not self.over:
            return
        self.workspace.read_again()
        self.judge.warm()
        self.session = Session(
            deck=self.workspace.deck,
            store=self.store,
            judge=self.judge,
            settings=self.workspace.settings,
            clock=self.workspace.clock,
            rng=random.SystemRandom(),
            minutes=minutes,
            reload=reading_again(self.workspace, None),
            after=self._last_number(),
        )
        self._notices = self._problems = 0
        found = self.session.backlog()
        self.news = (sentences.backlog(found, self.session.budget),) if found else ()
        self.over = False
        self._go_on()

    def begin_quiz(self, paper: Paper, minutes: float | None, at_once: bool) -> None:
        """Begin a quiz, unless one runs; it changes nothing of the daily session."""
        if self.quiz and self.quiz.result is None:
            return
        self.judge.warm()
        quiz = Quiz(
            paper=paper,
            store=self.store,
            judge=self.judge,
            settings=self.workspace.settings,
            clock=self.workspace.clock,
            rng=random.SystemRandom(),
            minutes=minutes,
            after=self._last_number(),
        )
        self.quiz = QuizDesk(quiz, at_once)

    def _last_number(self) -> int:
        """A page of a session that is past names no turn of the next one."""
        sessions = [self.session, self.quiz and self.quiz.quiz]
        return max((each.number for each in sessions if each), default=0)

    def turn(self) -> Turn | None:
        """The card being asked, on the day and the history of this moment; None at the end."""
        if self.session is None or self.over:
            return None
        self._go_on()
        return self.session.turn

    def running(self, number: int) -> Session:
        """The session, if it is at this turn. Raises OutdatedTurnError."""
        if self.session is None or self.over or self.session.number != number:
            raise OutdatedTurnError
        return self.session

    def record(self, session: Session, judged: Judged) -> Answered:
        """Record a verdict; when nothing is left to ask, the solution is shown."""
        answered = session.record(judged)
        self.news = ()
        if session.turn and session.turn.complete:
            session.reveal(session.number)
        return answered

    def rate(self, number: int, rating: Rating) -> None:
        """Save a rating and go on."""
        session = self.running(number)
        turn = session.turn
        if turn is None or not turn.revealed:
            raise OutdatedTurnError
        card = turn.entry.id
        try:
            rated = session.rate(number, rating)
        except RatedElsewhereError as error:
            self.news = (f"not saved: {sentences.rated_elsewhere(card, error.now)}",)
        else:
            self.news = (", ".join(sentences.saved(rated)),)
            if rated.leech:
                self.news += (advice(card, rated.leech),)
        self._go_on()

    def hint(self, number: int, repair: Repair | None) -> None:
        """One more hint; what judging adds to it was looked for on the thread of that."""
        more = self.running(number).next_hint(number, repair)
        self.news = () if more else (sentences.NO_MORE_HINTS,)

    def predict(self, number: int, which: int) -> None:
        """Predict the next step of a worked solution, and see it."""
        self.running(number).predict(number, which)
        self.news = ()

    def tick(self, number: int, had: bool) -> None:
        """Say of the open item of a checklist whether the learner had it."""
        self.running(number).tick(number, had)
        self.news = ()

    def explain(self, number: int) -> None:
        """Say what is wrong with the first wrong line of a derivation."""
        self.running(number).explain(number)
        self.news = ()

    def take_back(self, number: int) -> None:
        """The answer will be written anew."""
        self.running(number).take_back(number)
        self.news = ()

    def take_early(self, number: int) -> None:
        """Take a card that still waits in its step."""
        self.running(number).advance(early=True)
        self.news = ()

    def do(self, command: Command, number: int) -> None:
        """Carry out a command that needs nothing but its turn. Raises OutdatedTurnError."""
        if command is Command.UNDO:
            self._undo(number)
            return
        session = self.running(number)
        turn = session.turn
        self.news = ()
        match command:
            case Command.QUIT:
                self.over = True
            case _ if turn is None:
                raise OutdatedTurnError
            case Command.REVEAL:
                session.reveal(number)
            case Command.SKIP:
                session.skip(number)
            case Command.FLAG:
                self.news = (sentences.flag(session.flag(number)),)
            case Command.DISPUTE:
                counts = session.dispute(number)
                self.news = (sentences.DISPUTED if counts else sentences.NO_VERDICT,)
                if session.turn and session.turn.complete:
                    session.reveal(session.number)
            case Command.SUSPEND:
                session.suspend(number)
                self.news = (sentences.suspended(turn.entry.id),)
            case Command.BURY:
                session.bury(number)
                self.news = (sentences.BURIED,)
            case Command.EDIT if self.editing == turn.entry.id:
                self.editing = None
                session.reread(number)
            case Command.EDIT:
                self._open_editor(turn)
        if session.turn is None:
            self._go_on()

    def _open_editor(self, turn: Turn) -> None:
        """Open the card beside the browser, and go on."""
        try:
            opened = open_editor(self.workspace, turn.entry)
        except Usage as error:
            self.news = (str(error),)
        else:
            self.editing = turn.entry.id
            self.news = (f"{opened} When it is saved, ask the card anew.",)

    def work_ahead(self) -> None:
        """What takes its time once the session is over: to prove the history, to look ahead."""
        self.workspace.prove(self.store)
        kept(self.workspace, self.store).renewed(search=False)

    def _undo(self, number: int) -> None:
        """Take back the last rating; from the end of a session too."""
        if self.session is None or self.session.number != number:
            raise OutdatedTurnError
        undone = self.session.undo(number)
        self.news = (sentences.undone(*undone) if undone else sentences.NOTHING_TO_UNDO,)
        if undone:
            self.over = False
            self._go_on()

    def _go_on(self) -> None:
        """The next card, else the wait for one, else the end."""
        session = self.session
        assert session is not None
        if session.advance() is None and session.waiting_until() is None:
            self.over = True
        for notice in session.notices[self._notices :]:
            self.news += (notice,)
        for problem in session.problems[self._problems :]:
            where = f"{self.workspace.short(problem.path)}:{problem.line}"
            self.news += (f"left out {where}: {problem.message}",)
        self._notices, self._problems = len(session.notices), len(session.problems)


class Threads:
    """The threads of a server: a card that is checked holds up no answer."""

    def __init__(self) -> None:
        self._desk, self._judging, self._reading = (
            ThreadPoolExecutor(1, thread_name_prefix=name) for name in ("desk", "judge", "read")
        )
        self._one_check = asyncio.Lock()

    async def at_desk(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What a function returns on the thread of the history."""
        return await _within(self._desk, partial(function, *args, **kwargs))

    async def judging(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await _within(self._judging, partial(function, *args, **kwargs))

    async def reading(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await _within(self._reading, partial(function, *args, **kwargs))

    async def checking(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """In a thread that nobody waits for at the end: to check a card may take minutes."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[R] = loop.create_future()

        def settle(set_: Callable[[], None]) -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(lambda: None if done.done() else set_())

        def check() -> None:
            try:
                found = function(*args, **kwargs)
            except BaseException as error:
                settle(partial(done.set_exception, error))
            else:
                settle(partial(done.set_result, found))

        async with self._one_check:
            Thread(target=check, daemon=True).start()
            return await done

    def close(self, desk: Desk, patience: float | None = None) -> bool:
        """End them and close the history; whoever still judges is not waited for.

        Whether that was done within so many seconds: the history may be waiting for another
        process, or be looked ahead from.
        """
        for pool in (self._judging, self._reading):
            pool.shutdown(wait=False, cancel_futures=True)
        closed = self._desk.submit(desk.close)
        self._desk.shutdown(wait=False)
        try:
            closed.result(patience)
        except TimeoutError:
            return False
        return True


async def _within(pool: ThreadPoolExecutor, function: Callable[[], R]) -> R:
    return await asyncio.get_running_loop().run_in_executor(pool, function)
