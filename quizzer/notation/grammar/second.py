"""Second derivatives on the left: `∂²L/∂w∂wᵀ`, `\\frac{∂²L}{∂w_i ∂w_j}`, `d²L/dw²`."""

import re

from quizzer.notation.lexer.names import Names
from quizzer.notation.lexer.spellings import WORD

_TWICE = r"\s*\^\s*(?:2|\{\s*2\s*\})"
_VARIABLE = rf"(?:∂|d)\s*({WORD}(?:\s*_\s*\{{[^{{}}]*\}})?)"
_ABOVE = rf"(?:∂|d){_TWICE}\s*(?:[A-Zℓ](?!\w)|loss)?(?:\s*\([^()]*\))?"
_BELOW = rf"{_VARIABLE}(?:{_TWICE}|\s*{_VARIABLE}(?:\s*\^\s*[⊤T])?)"
_SECOND = re.compile(rf"\(*\s*{_ABOVE}\s*\)?\s*/\s*\(?\s*{_BELOW}\s*\)*")


def second_derivative(text: str) -> tuple[str, str] | None:
    """The two variables of a loss's second derivative, as they are written; None where the text
    is none."""
    found = _SECOND.fullmatch(text)
    return None if found is None else (found[1], found[2] or found[1])


def is_slope_of_gradient(first: str, second: str, names: Names) -> bool:
    """Whether what is asked can be a loss's second derivative with respect to these variables: the
    derivative of something that has the variable's shape on every sample."""
    context = names.context
    output = context.asked.removeprefix("d").removesuffix(f"_d{second}")
    samples = context.samples or (context.shapes,)
    return (
        first == second
        and context.asked == f"d{output}_d{second}"
        and all(sample.get(output, ()) == sample.get(second) != () for sample in samples)
    )
