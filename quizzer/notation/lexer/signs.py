"""Tables of signs: what the characters and LaTeX commands of an answer mean in plain text."""

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "lam": "λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π",
    "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ",
}  # fmt: skip

LETTER_COMMANDS = {"differentialD": "d", "exponentialE": "e", "imaginaryI": "i"}
"""What formula editors write for upright letters."""

GREEK_COMMANDS = {word: sign for word, sign in GREEK.items() if word not in ("eps", "lam")} | {
    "varepsilon": "ε",
    "vartheta": "θ",
    "varphi": "φ",
    "varrho": "ρ",
    "varsigma": "σ",
    # Σ and Π typed as characters are mostly sums and products; as commands they are names.
    "Sigma": "Sigma",
    "Pi": "Pi",
}

ACCENTS = {
    "hat": "_hat",
    "widehat": "_hat",
    "bar": "_bar",
    "overline": "_bar",
    "tilde": "_tilde",
    "widetilde": "_tilde",
    "dot": "_dot",
    "vec": "",
}

COMBINING = {
    "\u0302": "_hat",
    "\u0304": "_bar",
    "\u0305": "_bar",
    "\u0303": "_tilde",
    "\u0307": "_dot",
}

FONTS = frozenset(
    [
        "mathbf",
        "boldsymbol",
        "bm",
        "bf",
        "mathrm",
        "rm",
        "mathit",
        "mathsf",
        "mathcal",
        "mathbb",
        "mathds",
        "mathbbm",
        "text",
        "textbf",
        "textrm",
        "operatorname",
        "boxed",
        "mbox",
        "mathtt",
        "mathop",
        "pmb",
    ]
)

LAYOUTS = frozenset(
    [
        "align",
        "aligned",
        "equation",
        "gather",
        "gathered",
        "split",
        "multline",
        "math",
        "displaymath",
    ]
)
"""Environments that only place lines on the page."""

MATRICES = frozenset(["pmatrix", "bmatrix", "psmallmatrix", "bsmallmatrix"])

FRACTIONS = frozenset(["frac", "tfrac", "dfrac", "cfrac"])

SPACES = frozenset(
    [
        "quad",
        "qquad",
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "displaystyle",
        "textstyle",
        "limits",
        "nolimits",
        "middle",
    ]
)

OPERATORS = {
    "cdot": "·",
    "times": "*",
    "ast": "*",
    "odot": "⊙",
    "circ": "⊙",
    "oslash": "⊘",
    "otimes": "⊗",
    "div": "/",
    "top": "⊤",
    "intercal": "⊤",
    "le": "<=",
    "leq": "<=",
    "leqslant": "<=",
    "ge": ">=",
    "geq": ">=",
    "geqslant": ">=",
    "ne": "!=",
    "neq": "!=",
    "lt": "<",
    "gt": ">",
    "approx": "≈",
    "Rightarrow": "⇒",
    "implies": "⇒",
    "Longrightarrow": "⇒",
    "iff": "⇒",
    "Leftrightarrow": "⇒",
    "triangleq": "≜",
    "equiv": "≡",
    "propto": "∝",
    "in": "∈",
    "langle": "⟨",
    "rangle": "⟩",
    "dagger": "+",
    "star": "⋆",
    "prime": "'",
    "coloneqq": "=",
    "leftarrow": "←",
    "gets": "←",
    "partial": "∂",
    "nabla": "∇",
    "Vert": "‖",
    "lVert": "‖",
    "rVert": "‖",
    "vert": "|",
    "lvert": "|",
    "rvert": "|",
    "mid": "|",
    "lbrace": "{",
    "rbrace": "}",
    "lbrack": "[",
    "rbrack": "]",
    "colon": ":",
    "dots": "…",
    "ldots": "…",
    "cdots": "…",
    "dotsc": "…",
    "lfloor": "floor(",
    "rfloor": ")",
    "lceil": "ceil(",
    "rceil": ")",
}

WORD_COMMANDS = {
    "sum": "sum",
    "prod": "prod",
    "land": "and",
    "wedge": "and",
    "lor": "or",
    "vee": "or",
    "bmod": "%",
} | {
    word: word
    for word in [
        "exp",
        "log",
        "ln",
        "sqrt",
        "tanh",
        "sinh",
        "tan",
        "sec",
        "arcsin",
        "arccos",
        "cosh",
        "arctan",
        "sin",
        "cos",
        "max",
        "min",
        "arg",
        "argmax",
        "argmin",
        "det",
        "tr",
        "diag",
        "softmax",
        "relu",
        "sign",
        "sgn",
        "digamma",
    ]
}

CHARACTERS = {
    "−": "-", "–": "-", "×": "*", "∗": "*", "⋅": "·", "∙": "·", "•": "·", "∘": "⊙", "⊗": "⊗",
    "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=", "≠": "!=", "÷": "/", "⁄": "/",
    "∥": "‖", "∣": "|", "′": "'", "’": "'", "ϵ": "ε", "ϕ": "φ", "µ": "μ", "ϑ": "θ", "ς": "σ",
    "½": "(1/2)", "¼": "(1/4)", "∧": " and ", "∨": " or ", "∑": " sum", "∏": " prod",
    "⟹": "⇒", "⟺": "⇒", "⇔": "⇒", "†": "+",
    "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "≔": "=",
    "$": " ", "&": " ", "~": " ", "𝐈": "I",
}  # fmt: skip

TWINS = dict(
    zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοаеорсухАВЕКМНОРСТХ", "ABEZHIKMNOPTYXoaeopcyxABEKMHOPCTX", strict=True)
)
"""Greek and Cyrillic letters that look like Latin ones."""

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵀ", "0123456789+-()ni⊤", strict=True))
SUBSCRIPTS = dict(
    zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓₐₑₕ", "0123456789+-()ijklmnoprstuvxaeh", strict=True)
)

QUAD = "\u2003"
"""The wide space of LaTeX, which stands between two formulas or before a remark."""
ONES = "𝟏"
INDICATOR = "𝟙"
