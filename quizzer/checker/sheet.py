"""What a checker says of itself, without its code: what it asks, what answers may use. No NumPy."""

from typing import TYPE_CHECKING

from msgspec import Struct, field

from quizzer.checker.meaning import UPSTREAM_ALIASES, Kind, Meaning, resolve
from quizzer.checker.numbers import Tolerance
from quizzer.checker.taken import Taken

if TYPE_CHECKING:
    from quizzer.checker.instance import Instance, Value


class Sheet(Struct, frozen=True):
    """The part of a checker that is no code: enough to ask and to judge."""

    asked: dict[str, str]
    """Asked names in order, each with its label."""
    variables: tuple[str, ...]
    outputs: tuple[str, ...]
    symbols: dict[str, str]
    sizes: dict[str, tuple[str, int]]
    symmetric: tuple[str, ...]
    ties: bool | None
    decides: bool
    """Whether the checker's own `accept` is asked about answers."""
    first_index: int
    assume: str | None
    hints: tuple[str, ...]
    right: dict[str, tuple[str, ...]]
    one_sign: tuple[str, ...] = ()
    """Inputs that a domain says to have one sign."""
    taken: Taken = field(default_factory=Taken)
    inner: tuple[str, ...] = ()
    """The asked names that are intermediates."""
    shown: tuple[str, ...] = ()
    """The names whose numbers the question shows."""
    within: dict[str, Tolerance] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    """The asked names of which a value is chosen."""

    def meaning(self, asked: str) -> Meaning:
        """What an asked name means."""
        if asked in self.inner:
            return Meaning(Kind.FORWARD, output=asked)
        return resolve(asked, self.variables, self.outputs)

    def is_symmetric(self, asked: str) -> bool:
        """Whether only the symmetric part of an asked gradient is compared."""
        return self.meaning(asked).variable in self.symmetric

    def sizes_of(self, instance: "Instance") -> "dict[str, Value]":
        """The named sizes on one instance."""
        from quizzer.checker.instance import shape

        names = instance.names
        return {size: shape(names[array])[axis] for size, (array, axis) in self.sizes.items()}

    def answer_names(self, instance: "Instance", asked: str) -> "dict[str, Value]":
        """All that an answer to `asked` may use on one instance; the reader knows the aliases."""
        names = instance.names | self.sizes_of(instance)
        for name in (asked, *UPSTREAM_ALIASES):
            names.pop(name, None)
        for name in self.given_before(asked):
            if name in instance.truths:
                names[name] = instance.truths[name].value
        return names

    def given_before(self, asked: str) -> list[str]:
        """The closed forms that were asked before another one, which may use them."""
        if self.meaning(asked).kind is not Kind.REFERENCE:
            return []
        before = list(self.asked)[: list(self.asked).index(asked)]
        return [name for name in before if self.meaning(name).kind is Kind.REFERENCE]


class Described(Struct, frozen=True):
    """What is asked, with the shapes of every name and asked name in some examples."""

    sheet: Sheet
    shapes: tuple[dict[str, tuple[int, ...]], ...]
    asked: tuple[dict[str, tuple[int, ...]], ...]
    numbers: tuple[str, ...]
    """The names that are sizes or constants and no arrays."""
    values: tuple[dict[str, int], ...] = ()
    """The whole numbers among them, in each example."""

    def samples(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """The shapes of all names and asked names, in each example."""
        return tuple(
            {**shapes, **asked} for shapes, asked in zip(self.shapes, self.asked, strict=False)
        )

    def sizes(self) -> dict[str, tuple[int, ...]]:
        """The value of each whole number in every example."""
        names = set(self.values[0]).intersection(*self.values) if self.values else set()
        return {name: tuple(values[name] for values in self.values) for name in sorted(names)}
