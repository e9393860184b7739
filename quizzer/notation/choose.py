"""Which of the three notations a text is written in, by one rule."""

import ast
import re

from quizzer.notation.functions import REDUCTIONS
from quizzer.notation.grammar.left import parse_left
from quizzer.notation.grammar.lines import kept, lines_of
from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.lexer.spellings import WORD
from quizzer.notation.lexer.translate import translate
from quizzer.notation.python.check import free_names, is_python_name
from quizzer.notation.python.text import parse_python
from quizzer.notation.values import FaultError

_STATEMENT = re.compile(
    r"^\s*(?:def|import|from|for|while|return|with)\b|\bfor\b.*\bin\b|\blambda\b", re.M
)
_MODULE = re.compile(r"\b(?:np|numpy)\s*\.\s*[a-z]")
_METHOD = re.compile(r"(?:\b[^\W\d]\w*|[)\]])\.[a-z]{2,}\w*\s*\(")
_MATRIX_SIGNS = re.compile(r"\\[A-Za-z]|[\^⊤ᵀ⊙⊘⊗²³⁻⁰¹⁴⁵⁶⁷⁸⁹]")
_BINDER = re.compile(rf"\b({'|'.join(sorted(REDUCTIONS))}|[ΣΠ])\s*(_|\()|\\(?:sum|prod)\b|[∑∏]")
_INDEXED = re.compile(rf"({WORD})\s*(\[[^\[\]]*\]|(?:(?<=_)\s*|_\s*)\{{[^{{}}]*\}}|)")
_BELOW_BRACKET = re.compile(
    r"[)\]]\s*_\s*(?:[^\W\d_](?![^\W_])|\{\s*[^\W\d_](?:\s*,?\s*[^\W\d_])*\s*\})"
)
"""The letters of `(X W)_{ij}`."""
_LETTERS_ONLY = re.compile(r"\s*[^\W\d_]'*(?:\s*,\s*[^\W\d_]'*)*\s*\)\s*[^\s)\]},+*/-]")


def choose(text: str, names: Names) -> str:
    """`numpy`, `index` or `matrix`.

    In this order: a `def` (or another statement) is NumPy; indices on the left, an indexed sum
    or a name with unknown index letters are index notation; a LaTeX command, `^`, `⊤` or `⊙` is
    matrix notation; Python with known names only is NumPy, and so is a method's call with a slip
    in it; all else is matrix notation.
    """
    tree = _python(text, names)
    if _STATEMENT.search(text) and (tree is not None or text.lstrip().startswith("def")):
        return "numpy"
    if tree is not None and _only_python(tree) and _all_known(tree, names):
        return "numpy"
    if _MODULE.search(text) and not names.find("np"):
        return "numpy"
    try:
        plain = kept(names.with_phrases(translate(text)))
    except FaultError:
        return "matrix" if _MATRIX_SIGNS.search(text) or tree is None else "numpy"
    helpers = _helpers(plain, names)
    if _has_indices(plain, names, helpers, helpers if tree else set()):
        return "index"
    if _rows(plain, names):
        return "index"
    if _MATRIX_SIGNS.search(text):
        return "matrix"
    if tree is not None and _all_known(tree, names):
        return "numpy"
    if _only_python(tree) if tree is not None else _METHOD.search(text):
        return "numpy"
    return "index" if _left_letters(plain, names) else "matrix"


def _python(text: str, names: Names) -> ast.Module | None:
    try:
        return parse_python(text, names)
    except FaultError:
        return None


def _all_known(tree: ast.Module, names: Names) -> bool:
    """Whether all names are known, and nothing is called or listed that only paper allows."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if names.find(name):
                return False
            case ast.Call(func=ast.Constant() | ast.BinOp() | ast.UnaryOp() | ast.Call()):
                return False
            case ast.List(elts=[ast.BinOp() | ast.UnaryOp()]):
                return False
            case ast.List(elts=[ast.Compare(), *rest]) if all(
                isinstance(each, ast.Compare) for each in rest
            ):
                return False
            case ast.Subscript(value=ast.Constant()):
                return False
            case ast.Subscript(slice=ast.Compare()):
                return False
    free = free_names(ast.walk(tree))
    return all(names.find(_canonical(name.id)) or is_python_name(name.id) for name in free)


def _canonical(word: str) -> str:
    return translate(word).text


def _only_python(tree: ast.Module) -> bool:
    """Whether the text is Python that no other notation could be."""
    masked = False
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword | ast.Slice):
            return True
        masked |= isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Compare)
    for node in ast.walk(tree):
        if masked and isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            return True
        if isinstance(node, ast.Attribute) and not node.attr.startswith("T"):
            return True
    return False


def _helpers(plain: Plain, names: Names) -> set[str]:
    """Names that lines of the text define."""
    lefts = re.findall(rf"(?:^|[;\n])\s*({WORD})\s*=(?!=)", plain.text)
    asked = names.context.asked
    if lefts and asked not in lefts:
        base, _, letters = lefts[-1].rpartition("_")
        axes = len(names.context.asked_shape or ()) or len(letters)
        if names.spelled(base) == asked and letters.isalpha() and len(letters) == axes:
            lefts.pop()
    return set(lefts) - {asked}


def _has_indices(plain: Plain, names: Names, helpers: set[str], indices: set[str]) -> bool:
    """Indices on an asked or known left side, an indexed sum, or a name with index letters.

    `indices` are names defined by Python lines: as an index, each is an array and no letter.
    """
    if any(_binds(match, plain, names) for match in _BINDER.finditer(plain.text)):
        return True
    if _BELOW_BRACKET.search(plain.text):
        return True
    known = {names.context.asked, *names.context.others}
    for match in _INDEXED.finditer(plain.text):
        word, bracket = match[1], match[2]
        if word in helpers:
            continue
        if bracket:
            base = word.rstrip("_")
            named = names.find(base) or names.spelled(base) in known or base in ("δ", "delta")
            below = word != base or bracket[0] in "_{"
            if (
                named
                and below
                and base not in ("δ", "delta")
                and _digits_below(bracket, names, base)
            ):
                return True
            if named and (below or bracket[0] == "[") and _unknown_letters(bracket, names, indices):
                return True
        if not (bracket and names.find(word)) and _letters_below(word, names, known):
            return True
    return _derivative_letters(plain, names)


def _binds(match: re.Match[str], plain: Plain, names: Names) -> bool:
    """Whether a sum names its index: `sum_k`, `sum(k, l) x`, not `sum(x)`."""
    if match[1] is None or names.find(match[1]):
        return match[1] is None
    if match[2] == "_":
        return True
    inside = _LETTERS_ONLY.match(plain.text, match.end())
    if not inside:
        return False
    letters = re.findall(r"[^\W\d_]", inside[0].split(")")[0])
    return not any(names.axes.get(names.find(letter) or "") for letter in letters)


def _digits_below(bracket: str, names: Names, base: str) -> bool:
    """Whether `_{12}` names an element by numbers, one for each axis."""
    digits = re.fullmatch(r"_?\s*\{\s*([0-9][0-9, ]*)\}", bracket)
    axes = names.axes.get(names.find(base) or "")
    return digits is not None and len(re.findall("[0-9]", digits[1])) == axes


def _unknown_letters(bracket: str, names: Names, indices: set[str]) -> bool:
    words = re.findall(rf"(?<![.\w]){WORD}\b(?!\s*\()", bracket)  # no attributes, nothing called
    return any(
        not names.find(word) and not is_python_name(word) and word not in indices for word in words
    )


def _letters_below(word: str, names: Names, known: set[str]) -> bool:
    """Whether the word is a name with letters below it, as many as the name has axes."""
    if names.find(word) or names.spelled(word) in known or "_" not in word:
        return False
    for place in range(len(word) - 1, 0, -1):
        if word[place] != "_":
            continue
        base, tail = word[:place], word[place + 1 :]
        if not tail.isalnum():
            continue
        asked = names.spelled(base) == names.context.asked
        shape = names.context.asked_shape if asked else None
        axes = len(shape) if shape is not None else names.axes.get(names.find(base) or "")
        if base in ("δ", "delta") and len(tail) == 2 and tail.isalpha():
            return True
        if axes == len(tail) and (not asked or any(sign.isalpha() for sign in tail)):
            return True
        if asked and shape is None:
            return True
    return False


def _derivative_letters(plain: Plain, names: Names) -> bool:
    """Whether a left side such as ∂f_k/∂x_i or δ_{x,ij} has letters."""
    head, equals, _ = plain.text.partition("=")
    if not equals or not any(sign in head for sign in "∂/δ"):
        return False
    try:
        return bool(parse_left(plain[: len(head)], names, indexed=True).letters)
    except FaultError:
        return False


def _rows(plain: Plain, names: Names) -> bool:
    """Whether the last left side names rows of the asked array, `dX_n`, by letters that are
    below names on the right too."""
    axes = len(names.context.asked_shape or ())
    try:
        line = lines_of(plain)[-1]
        left = line.left and parse_left(line.left, names, indexed=True)
    except FaultError:
        return False
    letters = (left and left.letters) or ()
    if not 0 < len(letters) < axes or any(names.find(letter) for letter in letters):
        return False
    return all(re.search(rf"_\s*\{{?\s*{each}(?!\w)", line.right.text) for each in letters)


def _left_letters(plain: Plain, names: Names) -> bool:
    """Whether the last left side has index letters, of whatever name."""
    try:
        left = lines_of(plain)[-1].left
        return left is not None and bool(parse_left(left, names, indexed=True).letters)
    except FaultError:
        return False
