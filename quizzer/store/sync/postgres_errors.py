"""What PostgreSQL and psycopg say, as sentences of ours that never repeat a password."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from quizzer.store.errors import TargetError
from quizzer.store.sync.address import secrets, shown
from quizzer.text import one_line


class Purpose(Struct, frozen=True):
    """What a database is opened for, in the words that say what to do if it cannot be used."""

    done: str
    again: str
    when_it_can: str
    right: str
    timeout: str = "60s"
    """How long one statement may take."""


SYNCING = Purpose(
    done="synced",
    again="sync again",
    when_it_can="Sync again when it can: what is lacking then is added.",
    right="for the right to use the schema quizzer, and to select from and insert into its "
    "tables; the first to sync must be allowed to make it.",
)
LOOKING = Purpose(
    done="read",
    again="look again",
    when_it_can="Look again when it can.",
    right="for the right to use the schema quizzer and to select from its tables.",
    timeout="10min",
)
MAKING = Purpose(
    done="set up",
    again="do this again",
    when_it_can="Do this again when it can: what is done stays done.",
    right="to run this, or for the right to create a schema (CREATE on the database) and roles "
    "(CREATEROLE).",
    timeout="10min",
)


class Explaining:
    """A context in which errors of PostgreSQL become a TargetError."""

    def __init__(self, address: str, purpose: Purpose) -> None:
        self.name = shown(address)
        self.purpose = purpose
        self._address = address

    @contextmanager
    def __call__(self) -> Iterator[None]:
        import psycopg

        try:
            yield
        except psycopg.errors.LockNotAvailable as error:
            raise TargetError.at(
                self.name, "is being synced by another machine", "Try again when it is done."
            ) from error
        except psycopg.errors.InsufficientPrivilege as error:
            raise TargetError.at(
                self.name,
                f"does not allow it: {self._said(error)}",
                f"Ask who keeps it {self.purpose.right}",
            ) from error
        except psycopg.errors.QueryCanceled as error:
            raise TargetError.at(
                self.name,
                f"took longer than {self.purpose.timeout} to answer",
                self.purpose.when_it_can,
            ) from error
        except psycopg.OperationalError as error:
            raise TargetError.at(
                self.name,
                f"cannot be reached: {self._said(error)}",
                self.purpose.when_it_can,
            ) from error
        except (psycopg.Error, UnicodeError) as error:
            raise TargetError.at(
                self.name,
                f"could not be {self.purpose.done}: {self._said(error)}",
                f"Then {self.purpose.again}.",
            ) from error

    def _said(self, error: Exception) -> str:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        text = one_line(lines[0], width=300).rstrip(".")
        for secret in secrets(self._address):
            text = text.replace(secret, "…")
        return text
