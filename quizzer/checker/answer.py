"""The request to evaluate answers, and what comes back: the values of the answer side."""

from msgspec import Struct

from quizzer.checker.derivative import Array
from quizzer.checker.instance import Value
from quizzer.notation.values import ReadAs


class Scope(Struct, frozen=True):
    """What an answer may use on one instance, and the shape of what is asked there."""

    names: dict[str, Value]
    shape: tuple[int, ...] | None


class Evaluate(Struct, frozen=True):
    """The request to evaluate texts that answer `asked` on every instance.

    On `tied` instances an answer may fail without being invalid. The `further` ones are left out
    when time is short, and the `many`, for texts with pieces, where they take long or one of them
    has no value.
    """

    asked: str
    texts: tuple[str, ...]
    instances: tuple[Scope, ...]
    tied: tuple[Scope, ...] = ()
    further: tuple[Scope, ...] = ()
    many: tuple[Scope, ...] = ()
    patience: float = 1.0
    """Seconds for one text, after which no further instance is begun."""
    upstreams: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """The card's other asked names."""
    symbols: dict[str, str] | None = None
    first_index: int = 0
    sets: tuple[str, ...] = ()
    """The definitions of sets that the card displays."""
    notation: str | None = None
    meant: str | None = None
    """The reading that the writer picked of a text that has several."""
    samples: tuple[dict[str, tuple[int, ...]], ...] = ()
    """The shapes of all names in some examples, the same whatever the instances are."""
    sizes: dict[str, tuple[int, ...]] | None = None
    """The value of each whole number in these examples."""
    no_python: str | None = None
    """Why no Python may run, where it may not: what is said of a text in NumPy notation."""
    bare: bool = False
    """Whether nobody wants to see how the texts were read."""
    together: bool = False
    """Whether the texts are those of several writers: only formulas are evaluated."""


class EvaluateCases(Struct, frozen=True):
    """The requests to evaluate the checker's own texts on several asked names."""

    cases: tuple[Evaluate, ...]


class Evaluated(Struct, frozen=True):
    """One text's arrays, one an instance; or why there are none, for the learner, and where."""

    values: tuple[Array, ...] = ()
    tied: tuple[Array | None, ...] = ()
    further: tuple[Array | None, ...] = ()
    many: tuple[Array, ...] = ()
    """All of them or none."""
    notation: str | None = None
    invalid: str | None = None
    line: int | None = None
    column: int | None = None
    code: str | None = None
    """What kind of fault it is, where it cannot be read."""
    understood: ReadAs | None = None
    set_aside: tuple[str, ...] = ()
    """The remarks in it, which are not read."""
    readings: tuple[ReadAs, ...] = ()
    """The readings of a text that has several, where they differ in value."""
    late: bool = False
    """Whether time ran out, for this text or for one evaluated with it; or it must be alone."""

    @property
    def is_whole(self) -> bool:
        """Whether it has a value on every problem that time is spent on."""
        return self.invalid is None and all(values is not None for values in self.further)


class EvaluatedTexts(Struct, frozen=True):
    """The result for each text."""

    texts: tuple[Evaluated, ...]


class EvaluatedCases(Struct, frozen=True):
    """The results for each asked name."""

    cases: tuple[EvaluatedTexts, ...]
