"""Plain text → tokens. Words are split into known names and subscripts here."""

import re

from msgspec import Struct
from msgspec.structs import replace

from quizzer.notation.functions import ELEMENTWISE, REDUCTION_SIGNS, REDUCTIONS, SAME_FUNCTIONS
from quizzer.notation.lexer.names import Names, Piece
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.signs import INDICATOR, ONES
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.values import FaultError

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    rf"|(?P<word>{WORD})"
    rf"|(?P<sign>==|!=|<=|>=|<>|\*\*|//|\|\||[-+*/@^_()\[\]{{}},<>=|‖'.⊙⊘⊗·⊤∂∇%⟨⟩∈{ONES}{INDICATOR}])"
)
_MEMBER = (
    "Write membership as comparisons, [2k <= i < 2k+2], or define the set in a line before: "
    "Ω(k) = {2k, 2k+1}."
)
DIGITS = "0123456789"
_WHOLE = frozenset({"arg", "argmax", "argmin", "and", "or", "if", "else"})
"""Words that are no letters side by side."""
_DIGAMMA = frozenset({"ψ", "psi", "Ψ", "Psi"})
"""How the function is written where it acts on something, unless a name is spelled so."""
_T = re.compile(r"(?P<word>T)")
_SAME = {"**": "^", "<>": "!=", "||": "‖", "=": "=="}


class Token(Struct, frozen=True):
    kind: str
    """`number`, `name` (known), `word` (any other), `sign` or `end`."""
    text: str
    at: int | None
    glued: bool
    """Whether nothing stands between it and the token before."""
    typed: str = ""
    """The word as it was typed, where `text` is the name that it spells."""


def tokenize(plain: Plain, names: Names, letters: bool = False) -> list[Token]:
    """The tokens of one line, ended by an `end` token. Raises FaultError at a foreign sign.

    With `letters`, an unknown word in a subscript `_{…}` is letters side by side.
    """
    tokens: list[Token] = []
    text, place, glued = plain.text, 0, False
    subscripts = [False]
    while place < len(text):
        if text[place].isspace():
            place, glued = place + 1, False
            continue
        if text[place] in ":|" and _ends_binder(tokens):
            tokens.append(Token("sign", ",", plain.at(place), True))
            place, glued = place + 1, True
            continue
        match = _TOKEN.match(text, place)
        if text[place] == "∈":
            raise FaultError(_MEMBER, plain.at(place), "set")
        if not match:
            raise FaultError(_foreign(text, place), plain.at(place), "sign")
        if match["word"]:
            called = text[match.end() : match.end() + 1] == "("
            below = letters and bool(tokens) and tokens[-1].text == "_" and len(match[0]) > 1
            pieces = _pieces(match[0], names, letters and (subscripts[-1] or below) and not called)
            if below and not isinstance(pieces, FaultError):
                pieces = [Piece("sign", "{", 0), *pieces, Piece("sign", "}", 0)]
            raised = bool(tokens) and tokens[-1].text == "^"
            if raised and match[0][0] == "T" and not names.find(match[0]):
                # `x^Tx` is x^T x.
                match = _T.match(text, place) or match
                pieces = [Piece("word", "T", 0, "T")]
            _add(tokens, pieces, match.start(), plain, glued)
        else:
            kind = "number" if match["number"] else "sign"
            _track(subscripts, tokens, match[0])
            sign = _SAME.get(match[0], match[0])
            if (
                match[0] == "||"
                and glued
                and sum(token.text == "|" for token in tokens) % 2
                and tokens[-1].text not in ("|", "(", "+", "-", "*")
            ):
                # `|x||y|`: one ends, another begins.
                tokens.append(Token(kind, "|", plain.at(place), glued, "|"))
                place, sign = place + 1, "|"
            tokens.append(Token(kind, sign, plain.at(place), glued, match[0]))
        place, glued = match.end(), True
    tokens.append(Token("end", "", plain.at(len(text)), False))
    return _without_steps(_functions(_primes(tokens)))


def _primes(tokens: list[Token]) -> list[Token]:
    """With `x'` for `x^\\prime` and `x^{\\prime}`, which TeX prints alike."""
    found: list[Token] = []
    place = 0
    while place < len(tokens):
        texts = [token.text for token in tokens[place : place + 4]]
        braced = texts == ["^", "{", "'", "}"]
        if braced or texts[:2] == ["^", "'"]:
            found.append(replace(tokens[place + 1 + braced], glued=tokens[place].glued))
            place += 4 if braced else 2
        else:
            found.append(tokens[place])
            place += 1
    return found


def _functions(tokens: list[Token]) -> list[Token]:
    """With one spelling for each function, and the prime of a known one as a part of it."""
    found: list[Token] = []
    for token, following in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        last = found[-1] if found else None
        if token.text == "'" and token.glued and last is not None and last.kind == "word":
            base = "sigmoid" if last.text in ("σ", "sigma") else last.text
            if f"{base}'" in ELEMENTWISE:
                found[-1] = replace(last, text=f"{base}'")
                continue
        same = SAME_FUNCTIONS.get(token.text) if token.kind == "word" else None
        if token.kind == "word" and token.text in _DIGAMMA and following.text == "(":
            same = "digamma"
        found.append(replace(token, text=same) if same else token)
    return found


def _without_steps(tokens: list[Token]) -> list[Token]:
    """Without the `^{(t)}` of an iteration, whose letter stands nowhere else."""
    steps = [place for place in range(len(tokens)) if _is_step(tokens, place)]
    inside = [tokens[place + 3] for place in steps]
    numeral = next((token for token in inside if token.kind == "number"), None)
    if numeral is not None:
        raise FaultError(
            f"Is this ({numeral.text}) a power or a part of the name? For the power leave out its "
            "round brackets.",
            numeral.at,
            "ambiguous",
        )
    for place, token in reversed(list(zip(steps, inside, strict=True))):
        others = [each for each in tokens if each.text == token.text]
        if len(others) == [each.text for each in inside].count(token.text):
            tokens = tokens[:place] + tokens[place + 6 :]
            inside.remove(token)
    return tokens


def _is_step(tokens: list[Token], place: int) -> bool:
    if tokens[place].text != "^":
        return False
    signs = [token.text for token in tokens[place : place + 6]]
    if len(signs) < 6 or signs[:3] != ["^", "{", "("] or signs[4:] != [")", "}"]:
        return False
    token = tokens[place + 3]
    return token.kind == "number" or (token.kind == "word" and len(token.text) == 1)


def _ends_binder(tokens: list[Token]) -> bool:
    """Whether a letter below a sum stands there, as in `sum_{k: s_k > 0}`."""
    texts = [token.text for token in tokens[-12:]]
    for start in range(len(texts) - 3, -1, -1):
        if texts[start + 1 : start + 3] == ["_", "{"]:
            bound = texts[start] in REDUCTIONS or texts[start] in REDUCTION_SIGNS
            signs = {"(", ")", ",", "'"}
            rest = [text for text in texts[start + 3 :] if text not in signs]
            return bound and all(len(text) == 1 and text.isalpha() for text in rest)
    return False


def _foreign(text: str, place: int) -> str:
    """Why the sign at this place cannot be read, with what to write instead."""
    sign = text[place]
    if sign == ":" and text.count("[", 0, place) > text.count("]", 0, place):
        return "A slice belongs to NumPy. Here every axis has a letter or a number: W[k,j]."
    return f"The sign {sign} is not known here."


def _track(subscripts: list[bool], tokens: list[Token], sign: str) -> None:
    """Keeps whether the innermost brackets are those of a subscript."""
    if sign in ("(", "[", "{"):
        below = sign == "{" and bool(tokens) and tokens[-1].text == "_"
        subscripts.append(below or (sign != "{" and subscripts[-1]))
    elif sign in (")", "]", "}") and len(subscripts) > 1:
        subscripts.pop()


def _pieces(word: str, names: Names, letters: bool) -> list[Piece] | FaultError:
    if word in _WHOLE and not names.find(word):
        return [Piece("word", word, 0, word)]
    if letters and "_" not in word and not names.find(word):
        return [_sign_piece(sign, at, names) for at, sign in enumerate(word)]
    try:
        return names.split(word)
    except FaultError as fault:
        return fault


def _sign_piece(sign: str, at: int, names: Names) -> Piece:
    name = names.find(sign)
    kind = "number" if sign in DIGITS else "name" if name else "word"
    return Piece(kind, name or sign, at, sign)


def _add(
    tokens: list[Token],
    pieces: list[Piece] | FaultError,
    start: int,
    plain: Plain,
    glued: bool,
) -> None:
    if isinstance(pieces, FaultError):
        raise FaultError(pieces.message, plain.at(start), pieces.code)
    for index, piece in enumerate(pieces):
        at = plain.at(start + piece.offset)
        tokens.append(Token(piece.kind, piece.text, at, glued or index > 0, piece.typed))
