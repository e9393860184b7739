"""Letters in the alphabets of mathematics, as scripts, with accents, and in plain ASCII."""

import unicodedata
from collections.abc import Iterator

from quizzer.tex.symbols import names

_ALPHABETS = {
    "double": (0x1D538, 0x1D552, 0x1D7D8),
    "bold": (0x1D400, 0x1D41A, 0x1D7CE),
    "script": (0x1D49C, 0x1D4B6, None),
    "fraktur": (0x1D504, 0x1D51E, None),
}
_BOLD_GREEK = {"Α": 0x1D6A8, "α": 0x1D6C2}
_BOLD_VARIANTS = {"∇": "𝛁", "∂": "𝛛", "ϵ": "𝛜", "ϑ": "𝛝", "ϰ": "𝛞", "ϕ": "𝛟", "ϱ": "𝛠", "ϖ": "𝛡"}

_ELSEWHERE = {
    "double": dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)),
    "script": dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True)),
    "fraktur": dict(zip("CHIRZ", "ℭℌℑℜℨ", strict=True)),
}
"""Letters that Unicode had before it gave each alphabet a block."""

SUBSCRIPTS = dict(
    zip(
        "0123456789+−=()aehijklmnoprstuvxβγρϕφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵩᵪ",
        strict=True,
    )
)
SUPERSCRIPTS = dict(
    zip(
        "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθϕφχ⊤⊺′″‴*∗⋆∘†‡",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵠᵡᵀᵀ′″‴**⋆°†‡",
        strict=True,
    )
)

_MARKS = {
    "hat": "\u0302",
    "widehat": "\u0302",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "bar": "\u0304",
    "overline": "\u0305",
    "vec": "\u20d7",
    "overrightarrow": "\u20d7",
    "overleftarrow": "\u20d6",
    "overleftrightarrow": "\u20e1",
    "dot": "\u0307",
    "ddot": "\u0308",
    "dddot": "\u20db",
    "check": "\u030c",
    "widecheck": "\u030c",
    "breve": "\u0306",
    "acute": "\u0301",
    "grave": "\u0300",
    "mathring": "\u030a",
    "underline": "\u0332",
    "underbar": "\u0332",
    "cancel": "\u0338",
    "bcancel": "\u0338",
    "xcancel": "\u0338",
    "sout": "\u0336",
}
_STROKE = "\u0338"
"""Through a relation: it does not hold."""
ACCENTS = tuple(_MARKS)
"""The commands of all accents, without the backslash."""

_PLAIN = """
α alpha β beta γ gamma δ delta ϵ epsilon ε epsilon ζ zeta η eta θ theta ϑ theta ι iota κ kappa
ϰ kappa λ lambda μ mu ν nu ξ xi ο o π pi ϖ pi ρ rho ϱ rho σ sigma ς sigma τ tau υ upsilon ϕ phi
φ phi χ chi ψ psi ω omega Α A Β B Γ Gamma Δ Delta Ε E Ζ Z Η H Θ Theta Ι I Κ K Λ Lambda Μ M Ν N
Ξ Xi Ο O Π Pi Ρ P Σ Sigma Τ T Υ Upsilon Φ Phi Χ X Ψ Psi Ω Omega
∂ d ∇ grad ∞ inf ℓ l ℏ hbar ∅ {} ∀ forall ∃ exists ∄ !exists ¬ not ⊤ T ⊥ _|_ ⊺ T ∠ angle ′ ' ″ ''
‴ ''' † + ‡ ++ □ [] ■ [] ◇ <> △ triangle ✓ v … ... ⋯ ... ⋮ : ⋱ \\. ⋰ ./ ∴ therefore ∵ because
· . × x ± +- ∓ -+ ÷ / ∗ * ⋆ * ∘ o • * ⊙ (.) ⊕ (+) ⊗ (x) ⊖ (-) ⊘ (/) ∪ union ∩ cap ⊔ lub ⊓ glb
∖ \\ ∧ and ∨ or ⊻ xor ⋄ <> ⊎ (+) ≤ <= ≥ >= ≠ != ≈ ~= ≡ == ∼ ~ ≃ ~= ≅ ~= ∝ prop ≪ << ≫ >> ≮ !<
≯ !> ≲ <~ ≳ >~ ≐ := ≜ := ≔ := ≕ =: ∥ || ∦ !|| ∤ !| ∈ in ∉ !in ∋ contains ⊂ subset ⊆ subseteq
⊊ subset ⊈ !subseteq ⊃ supset ⊇ supseteq ≺ < ≼ <= ≻ > ≽ >= ⊨ |= ⊢ |- ⊣ -| ⋈ join ⫫ _||_
→ -> ← <- ↔ <-> ⇒ => ⇐ <= ⇔ <=> ⟶ --> ⟵ <-- ⟷ <--> ⟹ ==> ⟸ <== ⟺ <=> ↦ |-> ⟼ |--> ↪ -> ↩ <-
↑ ^ ↓ v ↕ ^v ⇑ ^ ⇓ v ↗ /^ ↘ \\v ⇀ -> ⇁ -> ↼ <- ↽ <- ⇌ <=> ⇝ ~> ⇉ => ↛ !-> ⇏ !=> ↠ ->>
∑ sum ∏ prod ∐ coprod ⋃ union ⋂ cap ⋁ or ⋀ and ⨁ (+) ⨂ (x) ⨀ (.) ∫ int ∬ iint ∭ iiint ∮ oint
⟨ < ⟩ > ⌊ |_ ⌋ _| ⌈ |^ ⌉ ^| ‖ || ⟦ [[ ⟧ ]] − - – - — -- ‘ ' ’ ' “ " ” " ° o √ sqrt § S ₋ - ı i ȷ j
█ # ◌ o ≍ ~ ⊸ -o ★ * € EUR £ GBP ß ss æ ae Æ AE ø o Ø O ł l Ł L ð d ≺ <
"""


def styled(text: str, alphabet: str | None) -> str:
    """The text in `bold`, `double`, `script` or `fraktur` letters, where such letters exist."""
    if alphabet not in _ALPHABETS:
        return text
    return "".join(_styled(char, alphabet) for char in text)


def scripted(text: str, table: dict[str, str]) -> str | None:
    """The text in small Unicode characters on its own line, or None when one is missing."""
    small = [table.get(char) for char in text]
    return None if None in small else "".join(char for char in small if char)


def accented(char: str, mark: str) -> str | None:
    """One character under (over, across) its accent, or None when the accent is unknown."""
    combining = _MARKS.get(mark)
    return unicodedata.normalize("NFC", char + combining) if combining else None


def to_ascii(text: str) -> str:
    """The text in ASCII: symbols by name, styled and accented letters as plain ones."""
    if text.isascii():
        return text
    return "".join(_to_ascii(text.replace("⊥⊥", "⫫")))


def _to_ascii(text: str) -> Iterator[str]:
    for char in text:
        if char.isascii():
            yield char
        elif char in _ASCII:
            yield _ASCII[char]
        elif not unicodedata.combining(char) and unicodedata.category(char) not in {"Mn", "Cf"}:
            simple = unicodedata.normalize("NFKD", char)
            plain = "".join(_ASCII.get(c, c if c.isascii() else "") for c in simple)
            sign = "!" if _STROKE in simple else ""
            yield sign + plain if simple != char and plain else names().get(char, "?")


def _styled(char: str, alphabet: str) -> str:
    if char in _ELSEWHERE.get(alphabet, ()):
        return _ELSEWHERE[alphabet][char]
    upper, lower, digit = _ALPHABETS[alphabet]
    if "A" <= char <= "Z":
        return chr(upper + ord(char) - ord("A"))
    if "a" <= char <= "z":
        return chr(lower + ord(char) - ord("a"))
    if digit and "0" <= char <= "9":
        return chr(digit + ord(char) - ord("0"))
    if alphabet == "bold":
        for first, last in ("ΑΩ", "αω"):
            if first <= char <= last:
                return chr(_BOLD_GREEK[first] + ord(char) - ord(first))
        return _BOLD_VARIANTS.get(char, char)
    return char


def _table() -> dict[str, str]:
    words = _PLAIN.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_ASCII = _table()
