"""Which fractions are a number in front, `1/N X`, and which need brackets."""

from quizzer.notation.functions import ELEMENTWISE
from quizzer.notation.lexer.cursor import Cursor
from quizzer.notation.lexer.names import Doubt, Names
from quizzer.notation.lexer.tokens import Token
from quizzer.notation.nodes import (
    Call,
    Compare,
    Element,
    Group,
    Identity,
    Name,
    Node,
    Number,
    Ones,
    Power,
    Product,
    Reduce,
    Sum,
    walk,
)
from quizzer.notation.values import FaultError

_NUMBER_VALUED = frozenset({"norm", "tr", "det", "logsumexp"})
SLASH = "What does this slash divide by? Add brackets: (a / b) c, or a / (b c)."


class Fractions(Cursor):
    """What a parser asks about a slash with something side by side after it."""

    def __init__(self, tokens: list[Token], names: Names) -> None:
        super().__init__(tokens, names)
        self.strict: set[int | None] = set()
        """Slashes that have one reading, or none."""
        self.fronts: list[tuple[Token, Node]] = []
        """Fractions of variables in the product that is read, each by its slash and divisor."""

    def check_number_in_front(self, slash: Token, numerator: Node, divisor: Node) -> None:
        if isinstance(divisor, Element) and self.is_constant(numerator):
            self.fronts.append((slash, divisor))
            return
        number = self.is_number(numerator) and self.is_number(divisor)
        apart = not self.token.glued or self.token.kind == "sign"
        if not number or not (isinstance(divisor, Group) or apart):
            raise FaultError(SLASH, slash.at, "slash")
        if not (self.is_constant(numerator) and self.is_constant(divisor)):
            self.fronts.append((slash, divisor))

    def goes_on(self, slash: Token, numerator: Node, divisor: Node) -> bool:
        """Whether what stands behind the divisor is divided by, too.

        It is not where the fraction is a number in front, where its divisor stands in brackets,
        or where a condition follows; else there are two readings.
        """
        if isinstance(divisor, Group) or self.token.text in ("[", "𝟙"):
            return False
        if self.names.decided.get(("slash", slash.at)) == 1:
            return True
        try:
            self.check_number_in_front(slash, numerator, divisor)
        except FaultError as fault:
            doubt = Doubt(2, fault.message, fault.at)
            return self.names.decide(("slash", slash.at), doubt) == 1
        return False

    def check_fronts(self, factors: list[Node]) -> None:
        """A fraction of variables stands in front of something with elements, `1/τ p_i`, and one
        of an element in front of a sum, `1/s_k Σ_n r_nk x_n`, as a mean is written.

        Else, as before numbers only, `1/p (1 - p)`, there are two readings.
        """
        for slash, divisor in self.fronts:
            place = next(k for k, factor in enumerate(factors) if _holds(factor, divisor))
            following = factors[place + 1]
            if isinstance(divisor, Element):
                ends = isinstance(following, Reduce) and following.kind == "sum"
            else:
                ends = self.has_elements(following)
            if not ends and slash.at in self.strict:
                raise FaultError(SLASH, slash.at, "slash")
            if not ends:
                self.names.decide(("slash", slash.at), Doubt(2, SLASH, slash.at))

    def has_elements(self, node: Node) -> bool:
        """Whether an array, an element or a condition stands in a node that is no number."""
        if self.is_number(node):
            return False
        for part in walk(node):
            if isinstance(part, Element | Compare | Identity | Ones):
                return True
            if isinstance(part, Name) and self.names.axes.get(part.name) != 0:
                return True
        return False

    def is_constant(self, node: Node) -> bool:
        """Whether a node is a number, built of numerals, sizes and constants only."""
        names = (part.name for part in walk(node) if isinstance(part, Name))
        return self.is_number(node) and all(name in self.names.context.numbers for name in names)

    def is_number(self, node: Node) -> bool:
        """Whether the node is built of numerals, sizes and 0-d names only."""
        match node:
            case Number():
                return True
            case Name(name):
                return self.names.axes.get(name) == 0
            case Group(inner):
                return self.is_number(inner)
            case Sum(terms):
                return all(self.is_number(term) for _, term in terms)
            case Product(factors):
                return all(self.is_number(factor) for _, factor in factors)
            case Power(base, exponent):
                return self.is_number(base) and self.is_number(exponent)
            case Call(function, arguments):
                if function in _NUMBER_VALUED:
                    return True
                return function in ELEMENTWISE and all(map(self.is_number, arguments))
            case _:
                return False


def _holds(factor: Node, divisor: Node) -> bool:
    return any(part is divisor for part in walk(factor))
