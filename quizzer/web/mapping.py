"""The map as a page: what each card comes after, how it stands, and what to learn next."""

from itertools import pairwise

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quizzer.deck import Filter
from quizzer.plan.course_map import MOST_NAMED, Place, course_map, next_ready, weak_points
from quizzer.session import sentences
from quizzer.web import pages
from quizzer.web.desk import Desk, Threads
from quizzer.web.looking import choices, present_deck


class Branch(Struct, frozen=True):
    """A card in the tree, which is drawn as lists within lists."""

    place: Place
    opens: bool
    """Whether cards follow below it."""
    closes: int
    """How many lists end behind it."""


class Map(Struct, frozen=True):
    """What the template draws."""

    branches: tuple[Branch, ...]
    told: str
    weak: tuple[Place, ...]
    ready: tuple[Place, ...]
    course: str
    courses: tuple[str, ...]


async def map_(request: Request, desk: Desk, threads: Threads) -> Response:
    """The map of the deck, or of one course."""
    course = request.query_params.get("course", "").strip()
    found = await threads.at_desk(_map, desk, course)
    return pages.page(request, "map.html", here="map", map=found)


def _map(desk: Desk, course: str) -> Map:
    deck, workspace = present_deck(desk), desk.workspace
    wanted = Filter(courses=(course,) if course else ())
    entries = [entry for entry in deck.entries if wanted.matches(entry)]
    places = course_map(
        entries, deck.by_id, desk.store.progress(), workspace.settings, workspace.now()
    )
    depths = [*(place.depth for place in places), 0]
    branches = tuple(
        Branch(place, here < after, max(0, here - after))
        for place, (here, after) in zip(places, pairwise(depths), strict=True)
    )
    return Map(
        branches,
        sentences.standings(places),
        tuple(weak_points(places)[:MOST_NAMED]),
        tuple(next_ready(places)[:MOST_NAMED]),
        course,
        choices(deck)[0],
    )
