"""The memory parameters in force: those of the newest fit not undone, else the defaults."""

from contextlib import closing
from pathlib import Path

from msgspec import Struct

from quizzer.fsrs.limits import NAME, usable
from quizzer.fsrs.step import DEFAULT_PARAMETERS, Parameters
from quizzer.store import log, old_formats, schema
from quizzer.store.connection import Connection
from quizzer.store.errors import StoreError
from quizzer.values import Fit


class Fitted(Struct, frozen=True):
    """Parameters that were fitted on a study day to so many reviews."""

    parameters: Parameters
    day: int
    reviews: int


def newest(connection: Connection) -> Fitted | None:
    """The newest fit that was not undone and that this version can use."""
    fits = log.events(connection, kinds=(Fit,))
    undone = log.undone(connection) if fits else frozenset[str]()
    for event in reversed(fits):
        fact = event.fact
        assert isinstance(fact, Fit)
        if event.id not in undone and fact.model == NAME and usable(fact.parameters):
            return Fitted(fact.parameters, event.day, fact.reviews)
    return None


def in_force(connection: Connection) -> Parameters:
    found = newest(connection)
    return found.parameters if found else DEFAULT_PARAMETERS


def of(path: Path) -> Fitted | None:
    """The newest fit of the store at a path; None if there is none, or the store cannot be read."""
    try:
        if not path.is_file():
            return None
        with closing(Connection.to_file(path, write=False)) as connection:
            format = schema.version(connection)
            if format >= schema.FORMAT:
                return newest(connection)
        if format in old_formats.COUNTED:
            with closing(Connection.to_file(path, write=False).copied_to_memory()) as converted:
                schema.migrate(converted)
                return newest(converted)
        fit = old_formats.fit(path)
    except (StoreError, OSError, ValueError):
        return None  # Whoever opens the store says what is wrong with it.
    return Fitted(fit.parameters, 0, fit.reviews) if fit else None
