"""The pages of a deck without a socket: what is asked and sent by a browser without a script."""

import re
from html import unescape
from pathlib import Path

from starlette.testclient import TestClient

from quizzer.app.workspace import Workspace
from quizzer.judge.judges import Judge
from quizzer.session.daily import Session
from quizzer.store import Store
from quizzer.web.app import create
from quizzer.web.desk import Desk, Threads
from quizzer.web.guards import Keys

PORT = 8765
ORIGIN = f"http://127.0.0.1:{PORT}"


class Site:
    """One server's pages, and a browser that has opened the printed address."""

    def __init__(self, deck: Path, store: Path, judge: Judge, known: bool = True) -> None:
        self.told: list[str] = []
        self.keys = Keys(self.told.append)
        self.desk = Desk(Workspace(deck_option=(deck,), store_option=store), judge)
        self.threads = Threads()
        self.browser = TestClient(
            create(self.desk, self.threads, PORT, self.keys),
            base_url=ORIGIN,
            follow_redirects=False,
            raise_server_exceptions=True,
        )
        self.status = 0
        if known:
            self.browser.get(f"/?token={self.keys.token}")

    def close(self) -> None:
        self.browser.close()
        self.threads.close(self.desk)

    def get(self, path: str) -> str:
        """The page at a path, as text."""
        response = self.browser.get(path, follow_redirects=True)
        self.status = response.status_code
        return response.text

    def send(self, path: str, **fields: object) -> str:
        """Send a form as a page of ours does, and follow where it leads."""
        response = self.browser.post(
            path,
            data={name: str(value) for name, value in fields.items()},
            headers={"origin": ORIGIN},
            follow_redirects=True,
        )
        self.status = response.status_code
        return response.text

    def begin(self, *cards: str) -> str:
        """Begin a session; skip cards until one of these is asked, if any are named."""
        page = self.send("/begin", minutes="all")
        while cards and self.session.turn and self.session.turn.entry.id not in cards:
            page = self.do("skip")
        return page

    def do(self, action: str, **fields: object) -> str:
        """An action on the present turn."""
        return self.send(f"/do/{action}", number=self.session.number, **fields)

    @property
    def session(self) -> Session:
        assert self.desk.session
        return self.desk.session

    @property
    def store(self) -> Store:
        return self.desk.store

    @property
    def events(self) -> list[object]:
        """The facts of the history, the oldest first."""
        return self.threads._desk.submit(
            lambda: [event.fact for event in self.store.events()]
        ).result()


def words(page: str) -> str:
    """What a page says, without its marks."""
    inner = page.partition("<main")[2] or page
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", inner)).split())
