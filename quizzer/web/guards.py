"""Who may talk to the server: the browser that was given the address, and no page of others.

Every local program shares 127.0.0.1, and a browser sends a cookie of one port to all of them. So
the host must be one that we answer to, the address holds a token that works once, and what changes
anything must come from a page of ours.
"""

import secrets
from collections.abc import Callable
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 << 10
"""Of what a page sends: an answer has at most some thousand characters."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Not `no-referrer`: with it a form that is sent without a script has no origin.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
STRANGER = "Open the address that `quizzer serve` printed: only that browser sees your cards.\n"
USED = "This address was used before. A new one is printed where `quizzer serve` runs.\n"


class Keys:
    """The token in the address, which is used up by opening it, and the cookie that it buys."""

    def __init__(self, tell: Callable[[str], None] = lambda token: None) -> None:
        """`tell` gets a new token where somebody came with one that was used."""
        self._tell = tell
        self._cookie = secrets.token_urlsafe(32)
        self._used: list[str] = []
        self._told = True
        self.token = secrets.token_urlsafe(24)

    def trade(self, token: str) -> str | None:
        """The cookie's value for the token; it is another one from then on."""
        if compare_digest(token.encode(), self.token.encode()):
            self._used.append(self.token)
            self.token, self._told = secrets.token_urlsafe(24), False
            return self._cookie
        if not self._told and any(compare_digest(token.encode(), u.encode()) for u in self._used):
            self._told = True
            self._tell(self.token)
        return None

    def known(self, cookie: str) -> bool:
        return compare_digest(cookie.encode(), self._cookie.encode())


class Guard:
    """Lets through what a page of ours asks for, and gives every answer its headers."""

    def __init__(self, app: ASGIApp, port: int, keys: Keys) -> None:
        self._app = app
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._name = f"quizzer-{port}"
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        sender = _with_headers(scope["path"], send)
        refused = self._refused(scope, Headers(scope=scope))
        if refused is not None:
            await refused(scope, receive, sender)
            return
        await self._app(scope, _Limited(receive), sender)

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        """What is answered in place of the page; None where the request may pass."""
        host = headers.get("host", "")
        if host not in self._hosts:
            return PlainTextResponse("quizzer does not answer to this name.\n", 403)
        known = self._keys.known(_cookie(headers, self._name))
        if token := parse_qs(scope["query_string"].decode("latin-1")).get("token"):
            return self._traded(token[0], known)
        if not known:
            return PlainTextResponse(STRANGER, 401)
        if scope["method"] not in ("GET", "HEAD") and headers.get("origin") != f"http://{host}":
            return PlainTextResponse("This was sent by a page that is not quizzer's.\n", 403)
        return None

    def _traded(self, token: str, known: bool) -> Response:
        cookie = self._keys.trade(token)
        if cookie is None and not known:
            return PlainTextResponse(USED, 401)
        response = RedirectResponse("/", 303)
        if cookie:
            response.set_cookie(self._name, cookie, httponly=True, samesite="strict")
        return response


class _Limited:
    """Receives a request's body; more than a page of ours ever sends is refused."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        if self._bytes > MOST_BYTES:
            raise HTTPException(413, "That is too much for one page.")
        return message


def _with_headers(path: str, send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if not path.startswith("/static/"):
                headers["Cache-Control"] = "no-store"
        await send(message)

    return sender


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""
