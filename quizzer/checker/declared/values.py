"""What a declared checker says, as values: each with its true line number in its file."""

from functools import cached_property

from msgspec import Struct, field

from quizzer.card.formulation import Equation
from quizzer.checker.declared.sizes import Size
from quizzer.checker.numbers import Tolerance


class CardLine(int):
    """A line of the card, where the checker is a file of its own: a message says so."""

    def __str__(self) -> str:
        return f"{int(self)} of the card"

    __repr__ = __str__


class Fault(Struct, frozen=True):
    """What is wrong with a line, and in the same message what to write."""

    line: int
    message: str


class Domain(Struct, frozen=True):
    """Where the numbers of an input come from: a kind of `domains.KINDS`, and what it takes."""

    kind: str = "normal"
    low: float = 0.0
    high: float = 0.0
    below: Size | None = None
    """Of labels: how many there are."""

    @property
    def is_whole(self) -> bool:
        """Whether it holds whole numbers, which nothing is differentiated with respect to."""
        return self.kind in ("integers", "below", "sign", "mask", "onehot")


class Input(Struct, frozen=True):
    """An input of the forward; `shape` is empty for a number."""

    name: str
    shape: tuple[Size, ...]
    domain: Domain
    line: int


class SizeRule(Struct, frozen=True):
    """What a letter is: one of `low` to `high`, or made of other letters."""

    letter: str
    line: int
    low: int = 2
    high: int = 6
    made: Size | None = None


class Range(Struct, frozen=True):
    """How far an index letter runs, from `low` on to before `stop`; the first index unless said."""

    letter: str
    stop: Size
    low: Size | None = None


class Formula(Struct, frozen=True):
    """A node: a named value and the formula that gives it.

    `place` is the first index on the left where that is no letter but a number or a size: then the
    line gives only this place of the array, the start of a recurrence.
    """

    name: str
    letters: tuple[str, ...]
    right: str
    """The right side as the author wrote it."""
    line: int
    ranges: tuple[Range, ...] = ()
    place: Size | None = None
    uses: tuple[str, ...] = ()
    """The inputs and nodes on its right side."""
    text: str = ""
    """The whole line, to be quoted."""
    before: tuple[str, ...] = ()
    """Definitions of functions that it calls, `h(r) = …`, each a line of its own."""
    shape: tuple[Size, ...] = ()
    """Its shape in the card's table, for the letters whose range nothing else tells."""
    others: tuple["Formula", ...] = ()
    """Further formulas for the same name, tried where the first cannot be read."""
    is_stated: bool = False
    """Whether it is taken from the card's question."""


class Ask(Struct, frozen=True):
    name: str
    label: str
    line: int
    within: Tolerance | None = None
    """How near a number must be."""
    unit: str = ""
    choose: bool = False
    """Whether it is one of several values, of which the learner picks one."""


class Claim(Struct, frozen=True):
    """An answer that the author knows, as a learner would write it; `right` has no sentence."""

    kind: str
    """`right`, `wrong` or `also`."""
    name: str
    text: str
    line: int
    sentence: str = ""


class Sought(Struct, frozen=True):
    """The inputs that are asked for, as those that minimise a formula."""

    names: tuple[str, ...]
    of: str
    maximum: bool
    unique: bool
    line: int


class Variant(Struct, frozen=True):
    """Another forward: formulas in the place of those with their names."""

    sentence: str
    formulas: tuple[Formula, ...]
    line: int


class Condition(Struct, frozen=True):
    """What a sample must meet."""

    text: str
    line: int


class Declaration(Struct, frozen=True, dict=True):
    """A declared checker as its lines say it. With faults it cannot be used."""

    inputs: tuple[Input, ...] = ()
    sizes: tuple[SizeRule, ...] = ()
    """Every letter of a shape, in the order in which they are drawn."""
    nodes: tuple[Formula, ...] = ()
    """The formulas, each behind those that it needs; those of a recurrence stand together."""
    outputs: tuple[str, ...] = ()
    asks: tuple[Ask, ...] = ()
    claims: tuple[Claim, ...] = ()
    variants: tuple[Variant, ...] = ()
    needs: tuple[Condition, ...] = ()
    symbols: dict[str, str] = field(default_factory=dict)
    assume: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    ties: bool | None = None
    seconds: float | None = None
    first_index: int = 0
    shown: tuple[str, ...] = ()
    """The inputs and upstreams whose numbers the question shows."""
    optimum: Sought | None = None
    recurrences: tuple[tuple[str, ...], ...] = ()
    """The names that are worked out together, step by step."""
    sets: tuple[str, ...] = ()
    """Definitions of sets, `Ω(k,l) = {2k, 2k+1}`, that formulas use."""
    faults: tuple[Fault, ...] = ()
    answer: tuple[Equation, ...] = ()
    """The equations of the card's Short Answer, which may be right answers."""

    @cached_property
    def free(self) -> tuple[SizeRule, ...]:
        """The letters that are made of no others, those with the fewest values first."""
        rules = (rule for rule in self.sizes if rule.made is None)
        return tuple(sorted(rules, key=lambda rule: rule.high - rule.low))

    @cached_property
    def axes(self) -> tuple[Size, ...]:
        """The different axes of the inputs."""
        return tuple({size.postfix: size for i in self.inputs for size in i.shape}.values())

    @cached_property
    def in_turn(self) -> tuple[Input, ...]:
        """The inputs as they are drawn: the limits of others come first."""
        return tuple(sorted(self.inputs, key=lambda given: given.name not in self.limits))

    @cached_property
    def sizes_made(self) -> dict[tuple[tuple[str, int], ...], dict[str, int]]:
        """By the free letters that were drawn so far, all letters."""
        return {}

    @cached_property
    def shapes_drawn(self) -> dict[tuple[int, ...], dict[str, tuple[int, ...]]]:
        """By the sizes that were drawn so far, the shapes of the inputs: they are drawn again and
        again until a sample is as it must be."""
        return {}

    @cached_property
    def are_possible(self) -> dict[object, bool]:
        """By the shapes and numbers of the inputs drawn so far, whether the card's table allows
        them."""
        return {}

    @cached_property
    def limits(self) -> frozenset[str]:
        """The whole numbers among the inputs that others are `below`."""
        named = {
            letter
            for given in self.inputs
            if given.domain.below is not None
            for letter in given.domain.below.letters
        }
        return frozenset(
            given.name
            for given in self.inputs
            if given.name in named and given.domain.is_whole and not given.shape
        )

    @cached_property
    def asked_inputs(self) -> frozenset[str]:
        """The inputs with respect to which something is asked."""
        return frozenset(
            given.name
            for given in self.inputs
            for ask in self.asks
            if ask.name == f"d{given.name}"
            or any(ask.name == f"d{output}_d{given.name}" for output in self.outputs)
        )
