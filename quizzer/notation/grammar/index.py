"""Index notation: `dx[i,j] = sum(k,l) df[k,l] [x[i,j] == f[k,l]]`, read into nodes.

Every letter belongs to the left side or to a sum; one that belongs to neither is a fault here.
"""

from msgspec.structs import replace

from quizzer.notation.functions import ELEMENTWISE, REDUCTION_SIGNS, REDUCTIONS, WHOLE
from quizzer.notation.grammar.index_letters import spelled
from quizzer.notation.grammar.index_sums import SumParser
from quizzer.notation.lexer.tokens import Token
from quizzer.notation.nodes import (
    Binder,
    Call,
    Element,
    Group,
    Letter,
    Name,
    Node,
    Power,
    Vector,
    substituted,
    walk,
)
from quizzer.notation.values import FaultError


class IndexParser(SumParser):
    product_signs = frozenset({"*", "·", "⊙", "/", "⊘", "//", "%"})

    def atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            return self.number()
        if token.kind == "name":
            return self.named()
        if token.kind == "word":
            return self.word()
        if self.sees("["):
            return self.element_of_brackets() or self.iverson()
        if self.sees("(", "{"):
            return self.group()
        if self.sees("|"):
            inner = self.between_bars()[1]
            return Call("abs", (inner,), token.at)
        if self.sees("‖"):
            return self.norm()
        if self.sees("𝟙", "𝟏"):
            self.take()
            return self.indicator()
        if self.sees("@"):
            self.fail("@ belongs to NumPy; in index notation write sum(k) a[i,k] b[k,j].")
        return self.misplaced()

    def element_of_brackets(self) -> Node | None:
        """`[X^{-1}]_{ij}`; None, and nothing taken, where square brackets hold anything else."""
        place = self.place
        array = self.array_in_brackets()
        if array is not None and self.axes_of(array) and self.sees("_") and not self.sees_plus():
            return self.element(array, "This")
        self.place = place
        return None

    def group(self) -> Node:
        """Round or curly brackets; a whole array in them has its indices after them."""
        place = self.place
        array = self.array_in_brackets()
        if array is not None and self.axes_of(array):
            return self.element(array, "This")
        self.place = place
        node = self.bracketed(self.inside)
        inner = node.inner if isinstance(node, Group) else node
        if isinstance(inner, Vector) and not (self.testing and self.beside_comparison(place)):
            raise FaultError(
                "In index notation a comma has no meaning here: join conditions with `and`.",
                node.at,
            )
        if self.sees_plus():
            return self.positive_part(node)
        if self.sees("_"):
            self.fail("Indices follow a name, as in x[i,j], not a bracket.", "indices")
        return node

    def beside_comparison(self, place: int) -> bool:
        """Whether the bracket that began at `place` stands on one side of an equals sign."""
        before = self.tokens[place - 1].text if place else ""
        return self.sees("==", "!=") or before in ("==", "!=")

    def element(self, array: Node, what: str) -> Node:
        """The element, also of `x(i, j)`; of a helper array whose range only its use tells, its
        entry written out."""
        node = super().element(array, what)
        if not isinstance(node, Element) or not isinstance(node.base, Name):
            return node
        letters, entry = self.names.entries.get(node.base.name, ((), node))
        given = {
            part.letter for each in node.indices for part in walk(each) if isinstance(part, Letter)
        }
        bound = {part.letter for part in walk(entry) if isinstance(part, Binder)}
        if given & bound or len(letters) != len(node.indices):
            return node
        return Group(substituted(entry, dict(zip(letters, node.indices, strict=True))), node.at)

    def square_brackets(self, axes: int) -> None:
        """Puts them in place of round ones that hold indices for all axes, `x(i, j)`."""
        if axes < 2 or not (self.ahead().text == "(" and self.ahead().glued):
            return
        self.place += 2
        commas = self.commas_until(")")
        self.place -= 2
        depth, close = 0, 1
        while self.ahead(close).kind != "end":
            text = self.ahead(close).text
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            if not depth:
                break
            close += 1
        if commas == axes - 1 and self.ahead(close).text == ")":
            for ahead, sign in ((1, "["), (close, "]")):
                self.tokens[self.place + ahead] = replace(self.ahead(ahead), text=sign)

    def norm(self) -> Node:
        at = self.take().at
        array = self.array()
        if array is None or not self.accept("‖"):
            raise FaultError(
                "Between ‖ and ‖ stands a whole array, without indices: ‖x‖.", at, "indices"
            )
        if self.accept("_"):
            self.euclidean()
        return Call("norm", (array,), at)

    def named(self) -> Node:
        """A known name: a number, an array's element, or a letter that is spelled the same."""
        token = self.token
        axes = self.names.axes.get(token.text)
        self.square_brackets(axes or 0)
        subscripted = self.ahead().text == "_" or (bool(axes) and self.ahead().text == "[")
        if self.letter_name() in self.scope and not subscripted:
            if axes == 0 and not self.indexing:
                self.fail(
                    f"{spelled(token)} is a number of this card and an index here: use another "
                    "letter for the index.",
                    "ambiguous",
                )
            return self.letter()
        if self.is_kronecker():
            self.take()
            return self.kronecker()
        if self.indexing and axes and not subscripted and self.is_letter():
            return self.letter()
        if not axes:
            from_name = self.take()
            return self.element(Name(from_name.text, from_name.at), spelled(from_name))
        array = self.array()
        if array is None:
            raise self.names.unknown(token.text, token.at)
        return self.element(array, spelled(token))

    def word(self) -> Node:
        token = self.token
        kind = REDUCTION_SIGNS.get(token.text, token.text)
        if kind in REDUCTIONS:
            return self.reduction(kind)
        if token.text in ELEMENTWISE or token.text in WHOLE:
            return self.function()
        special = self.euler()
        if special is not None:
            return special
        if self.is_kronecker():
            self.take()
            return self.kronecker()
        if token.text == "I" and self.ahead().text in ("[", "{", "("):
            self.take()
            return self.indicator()
        if self.is_letter() and self.ahead().text != "_":
            bound = self.letter_name() in self.scope or self.letter_name() in self.free
            if bound or self.indexing or (self.open and self.stands_in_comparison()):
                return self.letter()
        constant = self.circle_number()
        if constant is not None:
            return constant
        if self.split_letters():
            return self.atom()
        if self.open and self.is_letter():
            raise FaultError(
                f"Write the left side with its indices: {self.names.context.asked}[…] = …",
                token.at,
                "left-side",
            )
        raise self.names.unknown(token.text, token.at)

    def stands_in_comparison(self) -> bool:
        """Whether the letter stands alone on a side of an equals sign, as in `[i = j]`."""
        before = self.tokens[self.place - 1].text if self.place else ""
        after = self.ahead(1 + self.primes()).text
        opens = before in ("[", "(", "{", "if", "and")
        ends = after in ("]", ")", "}", ",", "and", "else")
        sides = before in ("==", "!="), after in ("==", "!=")
        return (opens and sides[1]) or (sides[0] and ends)

    def euler(self) -> Node | None:
        """`e^x` of a number; the exponential of a whole matrix has a name of its own."""
        braced = self.ahead(2).text in ("{", "(")
        base, after = self.ahead(2 + braced), self.ahead(3 + braced).text
        whole = base.kind == "name" and self.names.axes.get(base.text) == 2
        if whole and self.ahead().text == "^" and after not in ("_", "["):
            self.fail(
                f"The exponential of a whole matrix is expm({spelled(base)}), with its indices "
                f"behind: expm({spelled(base)})[i,j].",
                "indices",
            )
        return super().euler()

    def function(self) -> Node:
        """A function of a number, or of a whole array whose element is meant: `softmax(z)_i`."""
        token = self.token
        array = self.array()
        if array is not None:
            return self.element(array, f"{token.text}(…)") if self.axes_of(array) else array
        self.take()
        squared = self.sees("^") and self.ahead().kind == "number"
        if squared and token.text in ELEMENTWISE and token.text not in ("σ", "sigma"):
            return self.powered(token)
        self.no_prime(token)
        if token.text in WHOLE:
            raise FaultError(
                f"{token.text} acts on a whole array: {token.text}(x), and indices come after it.",
                token.at,
                "indices",
            )
        if self.sees("(", "{"):
            return Call(token.text, (self.bracketed(self.choice),), token.at)
        return Call(token.text, (self.argument_of(token),), token.at)

    def powered(self, function: Token) -> Node:
        """`tanh^2 x`, the power of what the function gives."""
        at = self.take().at
        exponent = self.number()
        bracketed = self.sees("(", "{")
        inner = self.bracketed(self.choice) if bracketed else self.argument_of(function)
        return Group(Power(Call(function.text, (inner,), function.at), exponent, at), function.at)
