"""Commands that take arguments or change what follows: one small builder for each family.

A builder reads its arguments from the parser and returns the nodes that stand for the command;
none for a command that leaves no trace on a terminal.
"""

import re
from collections.abc import Mapping
from functools import cache

from quizzer.tex.environments import environment
from quizzer.tex.letters import ACCENTS, accented
from quizzer.tex.parser import Builder, Nodes, Parser
from quizzer.tex.prose import prose
from quizzer.tex.rows import operator_name
from quizzer.tex.symbols import delimiters, symbols
from quizzer.tex.tokens import Token
from quizzer.tex.tree import (
    EMPTY,
    Accent,
    Arrow,
    Atom,
    Boxed,
    Brace,
    Classed,
    Fence,
    Fraction,
    Grid,
    Leaf,
    Node,
    Phantom,
    Root,
    Row,
    Scripts,
    Shape,
    Space,
    Stack,
    Tag,
    Tall,
    row,
)

_FONTS: dict[str, str | None] = {
    "mathbb": "double",
    "Bbb": "double",
    "mathds": "double",
    "mathbbm": "double",
    "mathbf": "bold",
    "boldsymbol": "bold",
    "bm": "bold",
    "pmb": "bold",
    "symbf": "bold",
    "mathbfit": "bold",
    "mathcal": "script",
    "mathscr": "script",
    "mathfrak": "fraktur",
    "frak": "fraktur",
    "mathrm": "roman",
    "mathit": "roman",
    "mathsf": "roman",
    "mathtt": "roman",
    "mathup": "roman",
    "mathnormal": None,
}
_SWITCHES: dict[str, str | None] = {
    "rm": "roman",
    "it": "roman",
    "sf": "roman",
    "tt": "roman",
    "bf": "bold",
    "bfseries": "bold",
    "boldmath": "bold",
    "cal": "script",
}
_PROSE = """
text textrm textit textup textnormal textsf texttt textsc textsl textmd emph mbox hbox intertext
shortintertext
"""
_SILENT = """
displaystyle textstyle scriptstyle scriptscriptstyle nonumber notag mathstrut strut allowbreak
nobreak relax protect noindent centering limits nolimits displaylimits hline toprule midrule
bottomrule hdashline tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge
displaybreak null break linebreak nolinebreak pagebreak par ensuremath rmfamily
smallskip medskip bigskip hfil hss
"""
_IGNORED_ARGUMENT = "color label vspace vspace* vphantom cline"
_RESIZED = "raisebox scalebox rotatebox"
_CLASSES = {
    "mathop": Atom.OP,
    "mathrel": Atom.REL,
    "mathbin": Atom.BIN,
    "mathord": Atom.ORD,
    "mathopen": Atom.OPEN,
    "mathclose": Atom.CLOSE,
    "mathpunct": Atom.PUNCT,
    "mathinner": Atom.ORD,
}
_ARROWS = {
    "xrightarrow": "→",
    "xleftarrow": "←",
    "xleftrightarrow": "↔",
    "xRightarrow": "⇒",
    "xLeftarrow": "⇐",
    "xLeftrightarrow": "⇔",
    "xmapsto": "↦",
    "xhookrightarrow": "↪",
    "xlongequal": "=",
}
_LENGTH = re.compile(r"=?[-+]?[\d.]*(pt|em|ex|mu|cm|mm|in|bp|pc|sp|plus|minus)?")


@cache
def builders() -> Mapping[str, Builder]:
    """What builds each command, by its name with the backslash."""
    families: list[tuple[str, Builder]] = [
        ("frac dfrac cfrac", _fraction),
        ("tfrac sfrac nicefrac", _small_fraction),
        ("binom dbinom tbinom", _binomial),
        ("genfrac", _general_fraction),
        ("sqrt", _root),
        ("overset stackrel", _overset),
        ("underset", _underset),
        ("underbrace underbracket", _underbrace),
        ("overbrace overbracket", _overbrace),
        ("substack", _substack),
        ("operatorname operatornamewithlimits operatorname*", _operator),
        ("left", lambda parser, token: (parser.fenced(token),)),
        ("begin", environment),
        ("not", _negated),
        ("pmod", _modulo),
        ("tag tag*", _tag),
        ("boxed fbox", lambda parser, token: (Boxed(parser.argument(token)),)),
        ("phantom hphantom", lambda parser, token: (Phantom(parser.argument(token)),)),
        (
            "smash mathclap mathllap mathrlap llap rlap clap",
            lambda parser, token: (parser.argument(token),),
        ),
        ("prescript", _prescript),
        (f"textcolor colorbox {_RESIZED}", _second),
        ("sideset", _sideset),
        ("hspace hspace*", _horizontal),
        ("kern mkern hskip mskip", _kern),
        ("textbf textbb", lambda parser, token: prose(parser, "bold")),
        (_PROSE, _words),
        (_SILENT, lambda parser, token: ()),
        (_IGNORED_ARGUMENT, _ignored),
        (" ".join(_FONTS), _font),
        (" ".join(_SWITCHES), _switch),
        (" ".join(_CLASSES), _classed),
        (" ".join(_ARROWS), _arrow),
        (" ".join(ACCENTS), _accent),
        (" ".join(a + b for a in ("big", "Big", "bigg", "Bigg") for b in ("", *"lmr")), _big),
    ]
    return {f"\\{name}": build for names, build in families for name in names.split()}


def _fraction(parser: Parser, token: Token) -> Nodes:
    return (Fraction(parser.argument(token), parser.argument(token)),)


def _small_fraction(parser: Parser, token: Token) -> Nodes:
    return (Fraction(parser.argument(token), parser.argument(token), small=True),)


def _binomial(parser: Parser, token: Token) -> Nodes:
    inner = Fraction(parser.argument(token), parser.argument(token), bar=False)
    return (Fence("(", (inner,), ")"),)


def _general_fraction(parser: Parser, token: Token) -> Nodes:
    left, right, thickness, _ = (parser.raw() for _ in range(4))
    inner = Fraction(
        parser.argument(token),
        parser.argument(token),
        bar=re.fullmatch(r"0*\.?0*(pt|mm|em)", thickness) is None,
    )
    if not left and not right:
        return (inner,)
    known = delimiters()
    return (Fence(known.get(left, left), (inner,), known.get(right, right)),)


def _root(parser: Parser, token: Token) -> Nodes:
    degree = parser.optional()
    return (Root(parser.argument(token), degree),)


def _accent(parser: Parser, token: Token) -> Nodes:
    return (Accent(token.text[1:], parser.argument(token)),)


def _overset(parser: Parser, token: Token) -> Nodes:
    above = parser.argument(token)
    return (Stack(parser.argument(token), above=above),)


def _underset(parser: Parser, token: Token) -> Nodes:
    below = parser.argument(token)
    return (Stack(parser.argument(token), below=below),)


def _underbrace(parser: Parser, token: Token) -> Nodes:
    return (Brace(parser.argument(token), over=False),)


def _overbrace(parser: Parser, token: Token) -> Nodes:
    return (Brace(parser.argument(token), over=True),)


def _arrow(parser: Parser, token: Token) -> Nodes:
    below = parser.optional()
    return (Arrow(_ARROWS[token.text[1:]], parser.argument(token), below),)


def _substack(parser: Parser, token: Token) -> Nodes:
    opener = parser.stream.peek()
    if opener is None or opener.text != "{":
        return (parser.argument(token),)
    parser.stream.next()
    rows, _ = parser.cells(token, frozenset({"}"}))
    if parser.stream.next() is None:
        parser.fault("A `{` is never closed", opener)
    return (Grid(Shape.STACKED, tuple(map(tuple, rows)), "c"),)


def _operator(parser: Parser, token: Token) -> Nodes:
    with parser.font("operator"):
        name = parser.argument(token)
    limits = token.text != r"\operatorname"
    word = operator_name(name)
    if word:
        return (Leaf(word.text, Atom.OP, limits),)
    return (Classed(name, Atom.OP, limits),)


def _classed(parser: Parser, token: Token) -> Nodes:
    atom = _CLASSES[token.text[1:]]
    return (Classed(parser.argument(token), atom, limits=atom is Atom.OP),)


def _font(parser: Parser, token: Token) -> Nodes:
    alphabet = _FONTS[token.text[1:]]
    with parser.font(alphabet):
        inner = parser.argument(token)
    return (_function(inner) or inner if alphabet == "roman" else inner,)


def _words(parser: Parser, token: Token) -> Nodes:
    nodes = prose(parser, None)
    return (_function(nodes[0]) or nodes[0],) if len(nodes) == 1 else nodes


def _function(node: Node) -> Leaf | None:
    r"""The operator that an author who writes `\mathrm{argmin}` or `\text{max}` means."""
    word = operator_name(node)
    if word is None or len(word.text) < 2:
        return None
    known = symbols().get("\\" + word.text.replace(" ", ""))
    return known if known and known.atom is Atom.OP and known.text[0].isalpha() else None


def _switch(parser: Parser, token: Token) -> Nodes:
    parser.alphabet = _SWITCHES[token.text[1:]]
    return ()


def _big(parser: Parser, token: Token) -> Nodes:
    text = parser.delimiter(token)
    if not text:
        return ()
    side = token.text[-1]
    if side == "m":
        atom = Atom.REL
    elif side == "l" or (side != "r" and text in "([{⟨⌊⌈⟦"):
        atom = Atom.OPEN
    elif side == "r" or text in ")]}⟩⌋⌉⟧":
        atom = Atom.CLOSE
    else:
        atom = Atom.ORD
    return (Tall(text, atom),)


def _negated(parser: Parser, token: Token) -> Nodes:
    node = parser.argument(token)
    if isinstance(node, Leaf) and len(negated := accented(node.text, "cancel") or "") == 1:
        return (Leaf(negated, node.atom),)
    return (Accent("cancel", node),)


def _modulo(parser: Parser, token: Token) -> Nodes:
    inner = Row((Leaf("mod", Atom.OP), parser.argument(token)))
    return (Space(2), Leaf("(", Atom.OPEN), inner, Leaf(")", Atom.CLOSE))


def _tag(parser: Parser, token: Token) -> Nodes:
    text = row(prose(parser, None))
    if token.text == r"\tag*":
        return (Tag(text),)
    return (Tag(Row((Leaf("(", Atom.OPEN), text, Leaf(")", Atom.CLOSE)))),)


def _prescript(parser: Parser, token: Token) -> Nodes:
    sup, sub = parser.argument(token), parser.argument(token)
    return (Scripts(EMPTY, sub, sup), parser.argument(token))


def _sideset(parser: Parser, token: Token) -> Nodes:
    left, right = parser.argument(token), parser.argument(token)
    operator = parser.argument(token)
    return (Classed(Row((left, operator, right)), Atom.OP, limits=True),)


def _second(parser: Parser, token: Token) -> Nodes:
    parser.stream.optional()
    parser.raw()
    return (parser.argument(token),)


def _ignored(parser: Parser, token: Token) -> Nodes:
    parser.stream.optional()
    parser.raw()
    return ()


def _horizontal(parser: Parser, token: Token) -> Nodes:
    return (Space(0 if parser.raw().startswith("-") else 1),)


def _kern(parser: Parser, token: Token) -> Nodes:
    r"""`\kern` takes a bare length: read as long as what is read still is one."""
    read = ""
    while (next_one := parser.stream.peek()) and _is_length(read + next_one.text):
        read += next_one.text
        parser.stream.next()
        if _LENGTH.fullmatch(read) and read[-1:].isalpha():
            break
    return (Space(0 if read.startswith("-") else 1),)


def _is_length(text: str) -> bool:
    return bool(re.fullmatch(r"=?[-+]?[\d.]*[a-z]?[a-z]?", text))
