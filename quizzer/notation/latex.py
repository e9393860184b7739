"""A formula as LaTeX, for the browser and for cards; read again it means the same."""

import re

from quizzer.notation.functions import ELEMENTWISE, WHOLE
from quizzer.notation.lexer.signs import GREEK, GREEK_COMMANDS
from quizzer.notation.nodes import (
    Binder,
    Call,
    Choice,
    Compare,
    Element,
    Group,
    Identity,
    Inverse,
    Letter,
    Logic,
    Name,
    Node,
    Number,
    Ones,
    Power,
    Product,
    Reduce,
    Sum,
    Table,
    Transpose,
    Vector,
    show,
)

_RELATIONS = {"==": "=", "!=": r"\ne", "<=": r"\le", ">=": r"\ge", "<": "<", ">": ">"}
_SIGNS = {" ": r"\,", "*": r" \cdot ", "·": r" \cdot ", "⊙": r" \odot ", "⊗": r" \otimes "}
_SUMS = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min"}
_GREEK = {sign: f"\\{word}" for word, sign in GREEK_COMMANDS.items() if word in GREEK}
_GREEK["ε"] = r"\varepsilon"
_ACCENTS = ("hat", "bar", "tilde", "dot")
_FUNCTIONS = frozenset(
    [
        *("exp", "log", "ln", "sin", "cos", "tan", "sec", "sinh", "cosh", "tanh"),
        *("arcsin", "arccos", "arctan", "arg", "det", "max", "min"),
    ]
)
"""Those that LaTeX itself has a command for."""
_LABELLED = re.compile(r"([^\W_]+(?:_(?:hat|bar|tilde|dot)(?=_))?)_(\w*[^\W_])")
"""A name with a label below it: `w_0`, `h_prev`, `x_hat_old`."""
_JACOBIAN = re.compile(r"d[^\W_]\w*?_d[^\W_]\w*")
_ATOMS = Name | Number | Letter | Identity | Ones | Element


def latex(node: Node) -> str:
    """The node as LaTeX, with round brackets wherever they are needed."""
    match node:
        case Number():
            return show(node).replace("pi", r"\pi")
        case Name(name):
            return name_of(name)
        case Letter(letter):
            return letter
        case Group(inner):
            return latex(inner)
        case Sum(terms):
            shown = "".join(f" {'-' if sign < 0 else '+'} {_term(term)}" for sign, term in terms)
            return shown[3:] if shown.startswith(" +") else "-" + shown[3:]
        case Product(factors):
            return _product(factors)
        case Power(base, exponent):
            return f"{_base(base)}^{{{latex(exponent)}}}"
        case Transpose(base):
            return f"{_closed(base)}^{{\\top}}"
        case Inverse(base):
            return f"{_closed(base)}^{{-1}}"
        case Compare(first, rest):
            links = "".join(f" {_RELATIONS[sign]} {latex(part)}" for sign, part in rest)
            return f"[{latex(first)}{links}]"
        case Logic(word, parts):
            return "[" + f" \\text{{ {word} }} ".join(map(_condition, parts)) + "]"
        case Choice(yes, test, no):
            rows = [f"{latex(yes)} & {_condition(test)}"]
            while isinstance(no := _opened(no), Choice):
                rows.append(f"{latex(no.yes)} & {_condition(no.test)}")
                no = no.no
            rows.append(f"{latex(no)} & \\text{{otherwise}}")
            return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"
        case Vector(entries):
            return f"({', '.join(map(latex, entries))})"
        case Element(base, indices):
            return _element(_opened(base), ", ".join(map(latex, indices)))
        case Reduce():
            return _reduce(node)
        case Call():
            return _call(node)
        case Identity(size):
            return "I" if size is None else f"I_{{{latex(size)}}}"
        case Ones(size):
            return r"\mathbf{1}" if size is None else f"\\mathbf{{1}}_{{{latex(size)}}}"
        case Binder() | Table():
            return show(node)


def name_of(name: str, indices: str = "") -> str:
    """A name as LaTeX, with its label and indices below it; what has neither is one piece."""
    base, label = _without_label(name)
    below = ", ".join(filter(None, (label, indices)))
    return f"{_one_piece(base)}_{{{below}}}" if below else _one_piece(base)


def _without_label(name: str) -> tuple[str, str]:
    """What stands before a label, and the label: upright, so that it is read as no index."""
    labelled = _LABELLED.fullmatch(name)
    if labelled is None or labelled[2] in _ACCENTS or _JACOBIAN.fullmatch(name):
        return name, ""
    return labelled[1], f"\\mathrm{{{_letter(labelled[2]) or _marked(labelled[2])}}}"


def _one_piece(name: str) -> str:
    """A name as LaTeX: Greek letters as commands, accents above."""
    if letter := _letter(name):
        return letter
    base, _, accent = name.rpartition("_")
    if accent in _ACCENTS and (letter := _letter(base)):
        return f"\\{accent}{{{letter}}}"
    if name[0] == "d" and (letter := _letter(name[1:])):
        return f"\\mathrm{{d}}{letter}" if letter[0] == "\\" else f"\\mathrm{{{name}}}"
    return f"\\mathrm{{{_marked(name)}}}"


def _marked(name: str) -> str:
    """A name with its underscores marked: a bare one would lower what follows."""
    return name.replace("_", r"\_")


def _letter(name: str) -> str:
    """A name that is one letter, perhaps spelled as a word; empty for any other."""
    if name in GREEK_COMMANDS and name != "epsilon":
        return f"\\{name}"
    return _GREEK.get(GREEK.get(name, name), name if len(name) == 1 else "")


def _opened(node: Node) -> Node:
    while isinstance(node, Group):
        node = node.inner
    return node


def _closed(node: Node) -> str:
    node = _opened(node)
    alone = isinstance(node, _ATOMS) and not isinstance(node, Element)
    return latex(node) if alone else f"({latex(node)})"


def _element(base: Node, indices: str) -> str:
    return (
        name_of(base.name, indices) if isinstance(base, Name) else f"{_closed(base)}_{{{indices}}}"
    )


def _base(node: Node) -> str:
    """What is raised to a power; an index or the brackets of a function end it."""
    inner = _opened(node)
    return latex(inner) if isinstance(inner, Element | Call) else _closed(inner)


def _body(node: Node) -> str:
    """What is summed; a product is summed as a whole."""
    inner = _opened(node)
    plain = isinstance(inner, Product) and {sign for sign, _ in inner.factors[1:]} <= {" ", "/"}
    return latex(inner) if plain else _factor(inner)


def _term(node: Node) -> str:
    inner = _opened(node)
    return f"({latex(inner)})" if isinstance(inner, Sum) else latex(inner)


def _factor(node: Node) -> str:
    inner = _opened(node)
    open_ended = isinstance(inner, Sum | Product | Reduce | Choice) and not _is_fraction(inner)
    return f"({latex(inner)})" if open_ended else latex(inner)


def _is_fraction(node: Node) -> bool:
    """Whether the node is drawn as one fraction, which needs no brackets."""
    return isinstance(node, Product) and node.factors[-1][0] == "/"


def _product(factors: tuple[tuple[str, Node], ...]) -> str:
    shown = _factor(factors[0][1])
    if [sign for sign, _ in factors[1:2]] == ["/"]:
        shown = latex(_opened(factors[0][1]))  # the fraction is its brackets
    for sign, factor in factors[1:]:
        if sign == "/":
            shown = f"\\frac{{{shown}}}{{{latex(factor)}}}"
        elif sign in ("⊘", "//", "%", "@"):
            mark = r"\oslash" if sign == "⊘" else r"\%" if sign == "%" else sign
            shown = f"{shown} {mark} {_factor(factor)}"
        else:
            part = _factor(factor)
            part = f"({part})" if part[0].isdigit() else part
            shown += f"{_SIGNS[sign]} {part}"
    return shown


def _condition(node: Node) -> str:
    shown = latex(node)
    return shown[1:-1] if shown.startswith("[") and not isinstance(node, Product) else shown


def _reduce(node: Reduce) -> str:
    sign = _SUMS.get(node.kind, f"\\mathrm{{{node.kind}}}")
    first = node.binders[0]
    under = [
        binder.letter if binder.low is None else f"{binder.letter}={latex(binder.low)}"
        for binder in node.binders
    ]
    if node.condition is not None:
        under.append(_condition(node.condition))
    high = "" if first.high is None else f"^{{{latex(first.high)}}}"
    return f"{sign}_{{{', '.join(under)}}}{high} {_body(node.body)}"


def _call(node: Call) -> str:
    match node:
        case Call("^⊙", (base, exponent)):
            return f"{_closed(base)}^{{\\odot {latex(exponent)}}}"
        case Call("inner", (first, second)):
            return f"\\langle {latex(first)}, {latex(second)} \\rangle"
        case Call("norm", (inner,)):
            return f"\\|{latex(inner)}\\|"
        case Call("sqrt", (inner,)):
            return f"\\sqrt{{{latex(inner)}}}"
    arguments = ", ".join(map(latex, node.arguments))
    return f"{_function(node.function)}({arguments})"


def _function(name: str) -> str:
    base = name.rstrip("'")
    primes = name[len(base) :]
    if base in _FUNCTIONS:
        return f"\\{base}{primes}"
    known = base in ELEMENTWISE or base in WHOLE or re.fullmatch(r"\w+", base)
    return f"\\operatorname{{{base}}}{primes}" if known else name
