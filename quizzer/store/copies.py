"""Daily copies that build on a whole one, as whole files again.

They hold the events that came since; those of an older quizzer the bytes that changed since.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from quizzer.files import partial_of
from quizzer.store import additions, changes, layout
from quizzer.store.errors import StoreDamagedError, StoreError, explained
from quizzer.store.files import base_of, make_private
from quizzer.store.layout import RawRow


@contextmanager
def whole(copy: Path, store: Path) -> Iterator[Path]:
    """A daily copy as a whole file: itself, or rebuilt in a file that is removed in the end.

    Raises StoreError.
    """
    if base_of(copy) is None:
        yield copy
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(private_file(store))
            put_whole(copy, file)
        except (OSError, StoreError):  # of a sound copy, if the disk of the store is full
            file = stack.enter_context(_elsewhere())
            put_whole(copy, file)
        yield file


@contextmanager
def _elsewhere() -> Iterator[Path]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        file = Path(folder, "copy.db")
        make_private(file)
        yield file


@contextmanager
def private_file(store: Path) -> Iterator[Path]:
    """An empty file that is removed in the end. Raises OSError.

    It is beside the store, where a later run removes what a killed one left behind; elsewhere only
    if nothing can be written there.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(partial_of(store))
        except OSError:
            file = stack.enter_context(_elsewhere())
        yield file


def put_whole(copy: Path, target: Path) -> None:
    """Rebuild the whole file of one that builds on another. Raises StoreError."""
    try:
        fault = rebuild(copy, target)
    except OSError as error:
        raise explained(error, copy) from error
    except StoreError as error:
        raise StoreDamagedError.of_backup(copy, error.reason) from error
    if fault:
        raise StoreDamagedError.of_backup(copy, fault)


def rebuild(copy: Path, target: Path) -> str | None:
    """Write the whole file as far as it is intact; what is wrong with it.

    Raises OSError, and StoreError where what it builds on is no store.
    """
    base = base_of(copy)
    assert base
    if changes.are_in(copy):
        return changes.rebuild(copy, base, target)
    return additions.rebuild(copy, base, target)


def has_all(copy: Path) -> bool:
    """Whether this builds on another, and all that it holds itself is as it was written."""
    if base_of(copy) is None:
        return False
    try:
        return changes.are_all_in(copy) if changes.are_in(copy) else additions.are_all_in(copy)
    except OSError:
        return False


def added(copy: Path) -> list[RawRow]:
    """The events that such a copy holds itself, as far as they are as they were written.

    None of one that holds bytes: of those, the whole file shows what they are. Raises OSError.
    """
    return layout.rows(additions.events(copy))
