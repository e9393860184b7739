"""Whether an answer may have pieces of its own: comparisons, maxima, absolute values.

An answer without any that is right at a random point of each branch is right everywhere on it, for
analytic functions that agree on an open set are the same. One with pieces may be right almost
everywhere, and is tried on many more problems. A root or a logarithm makes an absolute value of a
square. In doubt an answer has pieces: that costs only time.
"""

import re
from collections.abc import Container, Iterable

_SMOOTH = """
False None T True def for in len range
arange array asarray axis bar begin bmatrix boldsymbol broadcast_to cdot cdots concatenate cos
cosh cross cumsum det diag diagonal digamma dot dots einsum end erf exp expand_dims expm expm1 eye
flip float64 frac full full_like hat hstack identity inner inv keepdims kron ldots left lgamma
linalg logaddexp logdet logsumexp mathbf mathrm matmul mean moveaxis newaxis np odot ones
ones_like operatorname outer partial pi pmatrix prod qquad quad ravel repeat reshape return right
roll shape sigmoid sin sinh size softmax softplus solve square squeeze stack std sum swapaxes tan
tanh tensordot text tile times top tr trace transpose tril triu var vstack zeros zeros_like
alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau
upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega
"""
_COMPARISON = re.compile(r"[<>≤≥≠%|‖∥⌊⌈∈√½]|==|!=|//")
_POSITIVE_PART = re.compile(r"_\s*\{?\s*\+")
_ROOT = re.compile(r"(?:\*\*|\^)[\s{(+-]*(?:\d*\.\d|[\w\s]+/|\\[dt]?frac)")
"""A power that is no whole number: the root of a square is a magnitude."""
_ROOT_OF_NAME = re.compile(r"(?:\\|\bnp\.|\b)sqrt\s*[({]\s*(\w+)\s*[)}]")
_SEVERAL = re.compile(r"[\n;:]")
_WORD = re.compile(r"[^\W\d_]\w*")
_INDICES = re.compile(r"_\s*\{[^{}]*\}")
_DEFINED = re.compile(r"^[ \t]*([^\W\d_]\w*)\s*[-+*/@]?=(?!=)", re.M)


def may_have_pieces(text: str, names: Iterable[str], sizes: Container[str] = ()) -> bool:
    """Whether an answer may be piecewise, by what it is written with; `names` are the card's.

    A name that a line of the text defines is made of that line, unless it is called. The root of
    one of the card's `sizes` is a number, where no other line can give the name another value.
    """
    known = {*_SMOOTH.split(), *names}
    has_sign = any(each.search(text) for each in (_COMPARISON, _POSITIVE_PART, _ROOT))
    plain = _INDICES.sub(" ", text)
    defined = set(_DEFINED.findall(plain))
    if not _SEVERAL.search(text.strip()):
        plain = _ROOT_OF_NAME.sub(lambda root: " " if root[1] in sizes else root[0], plain)
    return (
        has_sign
        or _has_equation_in_brackets(text)
        or not all(
            _is_known(word[0], known) or (word[0] in defined and not _is_called(word))
            for word in _WORD.finditer(plain)
        )
    )


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
