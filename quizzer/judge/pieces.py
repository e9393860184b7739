"""Whether an answer may have pieces of its own: comparisons, maxima, absolute values.

An answer without any that is right at a random point of each branch is right everywhere on it, for
analytic functions that agree on an open set are the same. One with pieces may be right almost
everywhere, and is tried on many more problems. A root or a logarithm makes an absolute value of a
square. A comparison of indices has none: for given sizes [i = j] is a constant, as a slice is. In
doubt an answer has pieces: that costs only time.
"""

import re
from collections.abc import Container, Iterable
from string import ascii_lowercase

_SMOOTH = """
False None T True def for in len range
add arange array asarray at axes axis bar begin bmatrix boldsymbol broadcast_to cdot cdots
concatenate convolve copy correlate cos cosh cross cumsum delete det diag diagonal diff digamma dot
dots einsum end erf exp expand_dims expm expm1 eye flip float64 frac full full_like hat hstack
identity inner inv keepdims kron ldots left lgamma linalg logaddexp logdet logsumexp mathbf mathrm
matmul mean moveaxis ndindex newaxis np odot ones
ones_like operatorname outer partial pi pmatrix prod qquad quad ravel repeat reshape return right
roll shape sigmoid sin sinh size softmax softplus solve square squeeze stack std sum swapaxes tan
tanh tensordot text tile times top tr trace transpose tril triu var vstack zeros zeros_like
alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau
upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega
"""
_COMPARISON = re.compile(r"[<>≤≥≠%|‖∥⌊⌈∈√½]|==|!=|//")
_PIECEWISE = re.compile(
    r"\b(?:where|sign|abs|clip|relu|max|min|maximum|minimum|log|ln|log1p|sqrt)\b"
)
_POSITIVE_PART = re.compile(r"_\s*\{?\s*\+")
_ROOT = re.compile(
    r"(?:\*\*|\^)\s*[+-]?\s*(?:\d*\.\d|\\[dt]?frac|\{[^}]*(?:/|\.\d|frac)"
    r"|\((?:[^()]|\([^()]*\))*?(?:/|\.\d|frac)|[\[|][^\]|]*[/.])"
)
"""A power that is no whole number: the root of a square is a magnitude. `x^2 / 2` is none."""
_CONDITION = re.compile(
    r"_\s*\{[^}=]*[:_](?:[^{}]|\{[^{}]*\})*=|\b(?:sum|prod|mean)\s*\(\s*\w+\s*:"
    r"|(?:δ|\\delta)\s*_\s*\{[^{}]*_"
)
"""A sum over what fulfils an equation; Kronecker's delta of values."""
_ROOT_OF_NAME = re.compile(r"(?:\\|\bnp\.|\b)sqrt\s*[({]\s*(\w+)\s*[)}]")
_SUBSCRIPTS = re.compile(r"(['\"])[A-Za-z., ]*->[A-Za-z. ]*\1")
"""Of einsum."""
_MASK = re.compile(r"\[[\w\s+*/%(),!-]*[<>=≤≥≠][\w\s+*/%(),<>=≤≥≠!-]*\]")
_LARGE = re.compile(r"[4-9]|\d\d")
_STATES_MORE = re.compile(r"[\n;:≔←≈≡≜≝]|=[^=]*=|\bfor\b")
"""A text that may give a letter a value, besides what it answers."""
_WORD = re.compile(r"[^\W\d_]\w*")
_LETTER = re.compile(r"(?<![^\W\d_])[a-z](?![^\W\d_])")
_INDICES = re.compile(r"_\s*\{[^{}]*\}")
_DEFINED = re.compile(r"^[ \t]*([^\W\d_]\w*)\s*[-+*/@]?=(?!=)", re.M)


def may_have_pieces(text: str, names: Iterable[str], sizes: Container[str] = ()) -> bool:
    """Whether an answer may be piecewise, by what it is written with; `names` are the card's.

    A name that a line of the text defines is made of that line, unless it is called. The root of
    one of the card's `sizes` is a number, where the text gives that name no other value.
    """
    names = [*names]
    known = {*_SMOOTH.split(), *names}
    text = _without_masks(_SUBSCRIPTS.sub(" ", text), names, sizes)
    plain = _INDICES.sub(" ", text)
    defined = set(_DEFINED.findall(plain))
    plain = _without_roots(plain, sizes)
    return (
        any(each.search(text) for each in (_COMPARISON, _CONDITION, _POSITIVE_PART, _ROOT))
        or _has_equation_in_brackets(text)
        or not all(
            _is_known(word[0], known) or (word[0] in defined and not _is_called(word))
            for word in _WORD.finditer(plain)
        )
    )


def shows_pieces(text: str) -> bool:
    """Whether a text is likely to have pieces, whatever the card's names are."""
    text = _without_masks(_SUBSCRIPTS.sub(" ", text), (), ())
    return any(each.search(text) for each in (_COMPARISON, _PIECEWISE, _POSITIVE_PART, _ROOT))


def _without_masks(text: str, names: Iterable[str], sizes: Container[str]) -> str:
    """The text without comparisons of indices: small letters that are part of no name.

    One with a number above 3 stays, for it may say something of large sizes alone.
    """
    if _STATES_MORE.search(_MASK.sub(" ", _INDICES.sub(" ", text)).strip()):
        return text
    taken = set(_LETTER.findall(" ".join(names)))

    def of_indices(mask: re.Match[str]) -> bool:
        indices = {word for word in _WORD.findall(mask[0]) if word not in sizes}
        return {*ascii_lowercase} - taken >= indices != set() and not _LARGE.search(mask[0])

    return _MASK.sub(lambda mask: " " if of_indices(mask) else mask[0], text)


def _without_roots(text: str, sizes: Container[str]) -> str:
    """The text without the roots of sizes that it names nowhere else, unless it is one line."""
    rest = _ROOT_OF_NAME.sub(" ", text)
    named = set(_WORD.findall(rest)) if _STATES_MORE.search(rest.strip()) else set()

    def of_size(root: re.Match[str]) -> bool:
        return root[1] in sizes and root[1] not in named

    return _ROOT_OF_NAME.sub(lambda root: " " if of_size(root) else root[0], text)


def _is_known(word: str, known: set[str]) -> bool:
    """Whether a word is known, with or without its subscript; a single letter always is."""
    head = word.partition("_")[0]
    return len(head) == 1 or word in known or head in known


def _is_called(word: re.Match[str]) -> bool:
    """Whether a word is used as a function, an attribute or a command."""
    before, after = word.string[: word.start()].rstrip(), word.string[word.end() :].lstrip()
    return before.endswith((".", "\\")) or after.startswith("(")


def _has_equation_in_brackets(text: str) -> bool:
    """Whether there is an equals sign within square brackets, as in [x[i] = f[k]]."""
    depth = 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == "=" and depth > 0:
            return True
    return False
