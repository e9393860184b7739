"""LaTeX math as text: two-dimensional, or on one line."""


def render(latex: str, width: int = 80, ascii: bool = False, macros: str = "") -> str:
    """The formula drawn over as many lines as it needs, none wider than `width` columns.

    Too wide, it is broken at relations, then at sums, and at last set on one line and wrapped.
    Only a single word can stick out. Unknown commands stay as they are written; nothing in the
    text makes this fail. `macros` holds definitions: `\\newcommand`, `\\def`, and the like.
    """
    from quizzer.tex.formula import parse
    from quizzer.tex.scripts import levelled
    from quizzer.tex.spacing import Style
    from quizzer.tex.wrap import fit

    tree = parse(latex, macros).tree
    return "\n".join(fit(tree, levelled(tree, Style(ascii)), max(width, 1)))


def inline(latex: str, ascii: bool = False, macros: str = "") -> str:
    """The formula on one line, with brackets where it needs them to read true."""
    from quizzer.tex.formula import parse
    from quizzer.tex.linear import linear
    from quizzer.tex.scripts import levelled
    from quizzer.tex.spacing import Style

    tree = parse(latex, macros).tree
    return linear(tree, levelled(tree, Style(ascii, flat=True))).strip()


def unknown(latex: str, macros: str = "") -> tuple[str, ...]:
    """The commands in a formula that stand for nothing we know, in order, each once."""
    from quizzer.tex.formula import parse

    return parse(latex, macros).unknown


def faults(latex: str, macros: str = "") -> tuple[str, ...]:
    """What is wrong with a formula, as sentences for its author."""
    from quizzer.tex.formula import parse

    return parse(latex, macros).faults
