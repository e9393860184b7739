"""What the symbol commands of LaTeX, amsmath and amssymb stand for."""

from collections.abc import Iterator, Mapping
from functools import cache

from quizzer.tex.tree import Atom, Leaf

_ORDINARY = r"""
alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
kappa κ varkappa ϰ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ
varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω digamma ϝ
Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν
Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω
varGamma Γ varDelta Δ varTheta Θ varLambda Λ varXi Ξ varPi Π varSigma Σ varPhi Φ varPsi Ψ varOmega Ω
partial ∂ nabla ∇ infty ∞ ell ℓ hbar ℏ hslash ℏ Re ℜ Im ℑ aleph ℵ beth ℶ wp ℘ eth ð
emptyset ∅ varnothing ∅ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ top ⊤ bot ⊥ angle ∠ prime ′
backprime ‵ dagger † ddagger ‡ imath ı jmath ȷ square □ Box □ blacksquare ■ qed □ Diamond ◇
lozenge ◊ triangle △ checkmark ✓ maltese ✠ degree ° S § P ¶ pounds £ copyright © complement ∁
clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ flat ♭ sharp ♯ natural ♮ surd √ therefore ∴
because ∵ bigstar ★ aa å AA Å ae æ AE Æ o ø O Ø ss ß i ı l ł L Ł lq ‘ rq ’ euro €
dots … ldots … hdots … dotsc … dotso … cdots ⋯ dotsb ⋯ dotsm ⋯ dotsi ⋯ vdots ⋮ ddots ⋱ iddots ⋰
textbackslash \ backslash \ vert | Vert ‖ | ‖ % % $ $ & & # # _ _ { { } }
lbrace { rbrace } lbrack [ rbrack ] slash / textasciitilde ~ textasciicircum ^ textbar |
textless < textgreater > textquoteright ’ textendash – textemdash — nobreakdash –
"""

_BINARY = r"""
cdot · times × pm ± mp ∓ div ÷ ast ∗ star ⋆ circ ∘ bullet • odot ⊙ oplus ⊕ otimes ⊗ ominus ⊖
oslash ⊘ boxplus ⊞ boxminus ⊟ boxtimes ⊠ boxdot ⊡ cup ∪ cap ∩ uplus ⊎ sqcup ⊔ sqcap ⊓ setminus ∖
smallsetminus ∖ wedge ∧ land ∧ vee ∨ lor ∨ veebar ⊻ barwedge ⊼ wr ≀ amalg ⨿ diamond ⋄
triangleleft ◁ triangleright ▷ ltimes ⋉ rtimes ⋊ intercal ⊺ dotplus ∔ circledast ⊛ circledcirc ⊚
centerdot · cdotp · bigcirc ◯ divideontimes ⋇ Cap ⋒ Cup ⋓
"""

_RELATIONS = r"""
le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ approx ≈ approxeq ≊ equiv ≡ sim ∼
thicksim ∼ simeq ≃ cong ≅ propto ∝ varpropto ∝ ll ≪ gg ≫ lll ⋘ ggg ⋙ lt < gt > nless ≮ ngtr ≯
nleq ≰ ngeq ≱ lesssim ≲ gtrsim ≳ lessgtr ≶ gtrless ≷ doteq ≐ triangleq ≜ coloneqq ≔ eqqcolon ≕
coloneq ≔ colonequals ≔ vcentcolon : eqsim ≂ asymp ≍ bumpeq ≏ circeq ≗ mid | nmid ∤ parallel ∥
nparallel ∦ perp ⊥ in ∈ notin ∉ ni ∋ owns ∋ subset ⊂ subseteq ⊆ subsetneq ⊊ nsubseteq ⊈
supset ⊃ supseteq ⊇ supsetneq ⊋ Subset ⋐ Supset ⋑ sqsubset ⊏ sqsubseteq ⊑ sqsupset ⊐
sqsupseteq ⊒ prec ≺ preceq ≼ preccurlyeq ≼ succ ≻ succeq ≽ succcurlyeq ≽ models ⊨ vDash ⊨
vdash ⊢ dashv ⊣ Vdash ⊩ nvdash ⊬ bowtie ⋈ smile ⌣ frown ⌢ between ≬ multimap ⊸ asympt ≍
to → rightarrow → gets ← leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐
Leftrightarrow ⇔ longrightarrow ⟶ longleftarrow ⟵ longleftrightarrow ⟷ Longrightarrow ⟹
Longleftarrow ⟸ Longleftrightarrow ⟺ implies ⟹ impliedby ⟸ iff ⟺ mapsto ↦ longmapsto ⟼
hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓
Updownarrow ⇕ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightharpoonup ⇀ rightharpoondown ⇁
leftharpoonup ↼ leftharpoondown ↽ rightleftharpoons ⇌ leftrightharpoons ⇋ leadsto ⇝
rightsquigarrow ⇝ rightrightarrows ⇉ leftleftarrows ⇇ rightleftarrows ⇄ leftrightarrows ⇆
nrightarrow ↛ nleftarrow ↚ nRightarrow ⇏ nLeftarrow ⇍ twoheadrightarrow ↠ rightarrowtail ↣
circlearrowleft ↺ circlearrowright ↻ curvearrowleft ↶ curvearrowright ↷ upharpoonright ↾
restriction ↾ trianglelefteq ⊴ trianglerighteq ⊵ unlhd ⊴ unrhd ⊵ lhd ⊲ rhd ⊳ Join ⋈ indep ⫫ Perp ⫫
"""

_LARGE = r"""
sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀
biguplus ⨄ bigsqcup ⨆
"""

_INTEGRALS = "int ∫ iint ∬ iiint ∭ oint ∮ oiint ∯ smallint ∫"

_LIMITED = "max min sup inf lim det gcd Pr argmax argmin"

_FUNCTIONS = r"""
log ln lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan arg dim ker deg hom
sgn sign erf diag tr Tr rank softmax sigmoid relu ReLU softplus logsumexp
"""

_FENCES = r"""
langle ⟨ lfloor ⌊ lceil ⌈ lvert | lVert ‖ lgroup ( lmoustache { llbracket ⟦ lang ⟨ ulcorner ⌜
rangle ⟩ rfloor ⌋ rceil ⌉ rvert | rVert ‖ rgroup ) rmoustache } rrbracket ⟧ rang ⟩ urcorner ⌝
"""

_SPACES = {
    r"\,": 1,
    r"\:": 1,
    r"\>": 1,
    r"\;": 1,
    "\\ ": 1,
    r"\!": 0,
    r"\/": 0,
    r"\thinspace": 1,
    r"\medspace": 1,
    r"\thickspace": 1,
    r"\negthinspace": 0,
    r"\negmedspace": 0,
    r"\space": 1,
    r"\nobreakspace": 1,
    r"\enspace": 1,
    r"\enskip": 1,
    r"\quad": 3,
    r"\qquad": 6,
    r"\hfill": 3,
}

_CHARACTERS = {
    "-": Leaf("−", Atom.BIN),
    "+": Leaf("+", Atom.BIN),
    "*": Leaf("*", Atom.BIN),
    "=": Leaf("=", Atom.REL),
    "<": Leaf("<", Atom.REL),
    ">": Leaf(">", Atom.REL),
    ":": Leaf(":", Atom.REL),
    ",": Leaf(",", Atom.PUNCT),
    ";": Leaf(";", Atom.PUNCT),
    "(": Leaf("(", Atom.OPEN),
    "[": Leaf("[", Atom.OPEN),
    ")": Leaf(")", Atom.CLOSE),
    "]": Leaf("]", Atom.CLOSE),
    "!": Leaf("!", Atom.CLOSE),
    "?": Leaf("?", Atom.CLOSE),
}


@cache
def symbols() -> Mapping[str, Leaf]:
    """Every command (with its backslash) or character that stands for one symbol."""
    found = dict(_CHARACTERS)
    for table, atom in ((_ORDINARY, Atom.ORD), (_BINARY, Atom.BIN), (_RELATIONS, Atom.REL)):
        found |= {name: Leaf(glyph, atom) for name, glyph in _pairs(table)}
        found |= {
            glyph: Leaf(glyph, atom)
            for name, glyph in _pairs(table)
            if not glyph.isascii() and glyph not in found
        }
    found |= {name: Leaf(glyph, Atom.OP, limits=True) for name, glyph in _pairs(_LARGE)}
    found |= {name: Leaf(glyph, Atom.OP) for name, glyph in _pairs(_INTEGRALS)}
    found |= {glyph: Leaf(glyph, Atom.OP, limits=True) for _, glyph in _pairs(_LARGE)}
    found |= {glyph: Leaf(glyph, Atom.OP) for _, glyph in _pairs(_INTEGRALS)}
    found |= {f"\\{name}": Leaf(_words(name), Atom.OP, limits=True) for name in _LIMITED.split()}
    found |= {
        r"\limsup": Leaf("lim sup", Atom.OP, limits=True),
        r"\liminf": Leaf("lim inf", Atom.OP, limits=True),
        r"\injlim": Leaf("inj lim", Atom.OP, limits=True),
        r"\projlim": Leaf("proj lim", Atom.OP, limits=True),
        r"\colon": Leaf(":", Atom.PUNCT),
        r"\mod": Leaf("mod", Atom.OP),
        r"\bmod": Leaf("mod", Atom.BIN),
        r"\LaTeX": Leaf("LaTeX"),
        r"\TeX": Leaf("TeX"),
        "−": _CHARACTERS["-"],
    }
    found |= {f"\\{name}": Leaf(name, Atom.OP) for name in _FUNCTIONS.split()}
    for name, glyph in _pairs(_FENCES):
        atom = Atom.OPEN if name[1] in "lu" and name != r"\urcorner" else Atom.CLOSE
        found[name] = Leaf(glyph, atom)
        if not glyph.isascii() and glyph != "‖":
            found[glyph] = Leaf(glyph, atom)
    found |= {
        r"\{": Leaf("{", Atom.OPEN),
        r"\}": Leaf("}", Atom.CLOSE),
        r"\lbrace": Leaf("{", Atom.OPEN),
        r"\rbrace": Leaf("}", Atom.CLOSE),
        r"\lbrack": Leaf("[", Atom.OPEN),
        r"\rbrack": Leaf("]", Atom.CLOSE),
    }
    return found


@cache
def names() -> Mapping[str, str]:
    """The command of every symbol, without its backslash."""
    return {leaf.text: name[1:] for name, leaf in symbols().items() if name[0] == "\\"}


@cache
def delimiters() -> Mapping[str, str]:
    """What may follow `\\left`, `\\right`, `\\middle` and `\\big`, and its one-column form."""
    plain = {char: char for char in "()[]|/"} | {"<": "⟨", ">": "⟩", ".": ""}
    named = [
        r"\{",
        r"\}",
        r"\|",
        r"\vert",
        r"\Vert",
        r"\lbrace",
        r"\rbrace",
        r"\lbrack",
        r"\rbrack",
        r"\backslash",
        r"\uparrow",
    ]
    named += [r"\downarrow", r"\updownarrow", r"\Uparrow", r"\Downarrow"]
    table = symbols()
    found = {name: table[name].text for name in named}
    found |= dict(_pairs(_FENCES))
    glyphs = {glyph: glyph for glyph in found.values()}
    return glyphs | found | plain


def space_of(command: str) -> int | None:
    """Columns that a spacing command leaves, or None when it is not one."""
    return _SPACES.get(command)


def _pairs(table: str) -> Iterator[tuple[str, str]]:
    """Name and glyph in turn. A name is a command whose backslash is left out."""
    words = table.split()
    for name, glyph in zip(words[::2], words[1::2], strict=True):
        yield f"\\{name}", glyph


def _words(name: str) -> str:
    return f"{name[:3]} {name[3:]}" if name.startswith("arg") else name
