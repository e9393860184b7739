"""A deadline for what we compute ourselves on arrays that a stranger chose."""

from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def within(seconds: float, work: Callable[[], T]) -> T | None:
    """What `work` gives; None where it takes longer than that, or fails on what it was given.

    A thread cannot be ended from outside: a late one goes on in the background. So `work` must
    change nothing, start nothing, and end eventually.
    """
    found: list[T] = []
    context = copy_context()  # NumPy's error state is part of it

    def run() -> None:
        with suppress(Exception):
            found.append(context.run(work))

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else None
