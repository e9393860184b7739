"""Functions that a card's question defines, `Φ(Z) = H ⊙ Z`, put where they are applied. Pure."""

import re
from collections.abc import Callable, Iterable

_DEFINED = re.compile(
    r"\s*(?P<name>\\[A-Za-z]+|[^\W\d_])\s*\(\s*(?P<letter>[^\W\d_])\s*\)\s*=(?P<body>[^=]*)"
)
_INSIDE = r"[^\W\d_](?:_\w)?|\\[A-Za-z]+(?:\s*\{[^{}()]*\})?"
_CALL = re.compile(
    rf"(?<![^\W_\\])(?P<name>[^\W\d_]|\\ell)\s*(?:\\left\s*)?"
    rf"\(\s*(?P<inside>(?:{_INSIDE})(?:\s*,\s*(?:{_INSIDE}))*)\s*(?:\\right\s*)?\)"
)
_HEAD = re.compile(rf"[\s&]*{_CALL.pattern}\s*&?\s*=")
_IS = re.compile(r"\s*&?\s*=")
_LOG_NORMAL = re.compile(
    r"(?:\\log|\\ln|\blog|\bln)\s*(?:\\mathcal\s*\{\s*N\s*\}|\\mathcal N|𝒩|N)\s*(?:\\left)?\s*\("
)
_GREEK = {
    "\\Phi": "Φ",
    "\\Psi": "Ψ",
    "\\phi": "φ",
    "\\psi": "ψ",
    "\\Gamma": "Γ",
    "\\Omega": "Ω",
    "\\Theta": "Θ",
}
_MOST = 20


def applied(text: str, stated: Iterable[str], is_free: Callable[[str], bool]) -> str:
    """The text with the body of each function that is stated where the text applies it.

    Only those whose name and letter mean nothing else, as `is_free` says, and whose name is nowhere
    without brackets: `p (1 - p)` is a product.
    """
    for each in stated:
        match = _DEFINED.fullmatch(each)
        if (
            match is None
            or not is_free(match["letter"])
            or not _has(match["body"], match["letter"])
        ):
            continue
        names = {match["name"], _GREEK.get(match["name"], match["name"])}
        bare = rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])(?!\s*(?:\\left\s*)?\()"
        if not all(map(is_free, names)) or re.search(bare, text):
            continue
        text = _replaced(text, "|".join(map(re.escape, names)), match["letter"], match["body"])
    return text


def without_arguments(text: str, stated: Iterable[str]) -> str:
    """The text with `L` for `L(w)`, where a line of it or of what is stated begins `L(w) = …`."""
    heads = {
        (match["name"], _plain(match["inside"]))
        for each in (*stated, *text.split("\n"))
        if (match := _HEAD.match(each))
    }
    names = {name for name, _ in heads}

    def short(match: re.Match[str]) -> str:
        known = (match["name"], _plain(match["inside"])) in heads
        begins = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip(" \t&")
        return match[0] if not known or (begins and _IS.match(text, match.end())) else match["name"]

    return _CALL.sub(short, text) if names else text


def without_densities(text: str) -> str:
    """The formula without `log N(x; μ, C)`, if nothing in that is elsewhere in the formula: what
    is left has the same derivatives with respect to all that it has."""
    while match := _LOG_NORMAL.search(text):
        end = _closing(text, match.end())
        if end is None or not re.search(r"[;|]|\\mid", text[match.end() : end]):
            return text
        rest = f"{text[: match.start()]} 0 {text[end + 1 :]}"
        if _names_in(text[match.end() : end]) & _names_in(rest):
            return text
        text = rest
    return text


def _names_in(text: str) -> set[str]:
    without = re.sub(r"_(?:\{[^{}]*\}|\w)|\\(?:mathbf|boldsymbol|bm|mid|left|right)\b", " ", text)
    return {*re.findall(r"\\?[^\W\d_]+", without)}


def _plain(inside: str) -> str:
    return re.sub(r"\\(?:mathbf|boldsymbol|bm|vec)\b|[\s{}]", "", inside)


def _has(body: str, letter: str) -> bool:
    return _letter(letter).search(body) is not None


def _letter(letter: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_\\]|\\){letter}(?![^\W_])")


def _replaced(text: str, names: str, letter: str, body: str) -> str:
    called = re.compile(rf"(?<![^\W_])(?:{names})\s*(?:\\left\s*|\\[Bb]igg?l?\s*)?\(")
    for _ in range(_MOST):
        found = list(called.finditer(text))
        if not found:
            break
        start, opened = found[-1].start(), found[-1].end()
        end = _closing(text, opened)
        if end is None:
            break
        argument = re.sub(r"\\(?:right|[Bb]igg?r?)\s*$", "", text[opened:end])
        if argument.strip() == letter:
            break
        inside = f"({argument})".join(_letter(letter).split(body.strip()))
        text = f"{text[:start]}({inside}){text[end + 1 :]}"
    return text


def _closing(text: str, opened: int) -> int | None:
    """The place of the bracket that closes one before `opened`."""
    depth = 1
    for place in range(opened, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place
    return None
