"""The request to work out a derivation, and what comes back, without what works it out."""

from msgspec import Struct

from quizzer.checker.derivative import Array
from quizzer.checker.instance import Instance
from quizzer.checker.sheet import Sheet
from quizzer.checker.source import Source


class Choice(Struct, frozen=True):
    """Which of its two meanings each ∂ has that has two, and whether derivatives of a 0-d output
    have the upstream."""

    direct: tuple[tuple[str, str], ...] = ()
    upstream: bool = False


class Known(Struct, frozen=True):
    """What a claim gives and what it should, on each instance where both are known."""

    values: tuple[Array, ...]
    truths: tuple[Array, ...]
    errors: tuple[Array, ...]
    doubt: str = ""
    """What speaks against a definition, which nothing else judges."""


class Look(Struct, frozen=True):
    """A wrong claim to be looked at, by the meanings that make the lines above it right."""

    claim: int
    choice: Choice = Choice()


class Part(Struct, frozen=True):
    """A summand of the wrong line: what it gives on every instance, and what it should give where
    all others are right."""

    text: str
    values: tuple[Array, ...]
    wanted: tuple[Array, ...]


class Mend(Struct, frozen=True):
    """One change that makes the wrong line right, or the right line `line` the wrong one."""

    change: str
    """A `Change`."""
    was: str
    within: str = ""
    line: int | None = None
    """0 for the card's own formula."""
    added: bool = False
    """Whether it puts something in where `was` is."""
    way: str = ""
    """The name by way of which a term is missing."""


class Seen(Struct, frozen=True):
    """What the look found."""

    parts: tuple[Part, ...] = ()
    mend: Mend | None = None


class Small(Struct, frozen=True):
    """A wrong claim to be refuted: the claims that must stay right, and one of them that gives what
    the wrong one should."""

    claim: int
    choice: Choice
    right: tuple[int, ...] = ()


class Example(Struct, frozen=True):
    """Values at which a line is wrong: the given names, what it should give, and what it gives."""

    given: tuple[tuple[str, str], ...]
    wanted: str
    got: str
    entry: str = ""
    """The index of the entry that these two are, where the line gives many."""


class Derive(Struct, frozen=True):
    """The request to work out a derivation on these instances."""

    source: Source
    text: str
    sheet: Sheet
    instances: tuple[Instance, ...]
    sets: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    """The equations that the card's question displays."""
    upstream: bool = False
    """Whether derivatives of a 0-d output have the upstream, where nothing else tells."""
    every: bool = False
    """Whether by all meanings of what is ambiguous, not only by the first."""
    differentials: bool = False
    """Whether d-names are differentials wherever they can be."""
    look: Look | None = None
    small: Small | None = None


class Said(Struct, frozen=True):
    """One link of a line, as far as it was read."""

    line: int
    statement: int
    kind: str
    left: str
    text: str = ""
    """The right side, with names in the place of its derivatives."""
    shown: str = ""
    asked: str | None = None
    letters: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    """The names that it is about, on either side."""
    needs: tuple[str, ...] = ()
    """What its right side uses that somebody has to work out: derivatives, asked names, and names
    that the text defines."""
    gives: str = ""
    """What it is about, `∂L/∂x` or `∂L/∂x in part`; a name for a derivative is about that."""
    unread: str | None = None
    code: str = ""


class By(Struct, frozen=True):
    """What every claim gives by one choice; None where it was not worked out."""

    choice: Choice
    known: tuple[Known | None, ...]


class Derived(Struct, frozen=True):
    """A derivation, worked out."""

    claims: tuple[Said, ...]
    by: tuple[By, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    number: bool = False
    """Whether the only output is a number, so that the upstream may be in or out."""
    seen: Seen | None = None
    example: Example | None = None
