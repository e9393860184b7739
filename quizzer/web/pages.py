"""Pages from templates: everything is escaped, and every file of ours is named with its hash."""

import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from quizzer.session import sentences
from quizzer.stats.streak import in_words

HERE = Path(__file__).parent
STATIC = HERE / "static"
PAGES = (
    ("today", "Today", "/"),
    ("quiz", "Quiz", "/quiz"),
    ("cards", "Cards", "/cards"),
    ("map", "Map", "/map"),
    ("stats", "Statistics", "/stats"),
    ("plan", "Plan", "/plan"),
)
"""The pages of the header: name, label, address."""
FRAGMENT = "x-part"
"""The header with which our script asks for what is within `<main>` alone."""


def page(request: Request, template: str, status: int = 200, /, **values: object) -> HTMLResponse:
    """The page, or for our script its inner part."""
    layout = "part.html" if request.headers.get(FRAGMENT) else "page.html"
    html = _templates().get_template(template).render(layout=layout, **values)
    return HTMLResponse(html, status)


def message(request: Request, title: str, lines: list[str], status: int) -> HTMLResponse:
    """A page that says something and nothing else."""
    return page(request, "message.html", status, title=title, lines=lines, here="")


@cache
def address(path: str) -> str:
    """Where a browser gets a file of ours, another address for another content."""
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()
    return f"/static/{path}?v={digest[:12]}"


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals.update(address=address, pages=PAGES, sentences=sentences, streak=in_words)
    return environment
