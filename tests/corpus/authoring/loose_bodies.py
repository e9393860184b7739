"""Questions, keys and solutions of the loose deck, before the template is put around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from corpus.authoring.loose_choices import CHOICES, Choice
from corpus.authoring.loose_derivations import FAMILIES, Ask, Family
from corpus.authoring.loose_essays import ESSAYS, PROBLEMS, PROOFS, Essay
from corpus.authoring.loose_likelihoods import LIKELIHOODS
from corpus.authoring.loose_numbers import CALCULATIONS, Calculation, written

LEADS = (
    "Consider {}",
    "Consider {}",
    "We are given {}",
    "Look at {}",
    "Gegeben: {}",
    "Beschouw {}",
    "Exam 2022, question 3. Consider {}",
)
VERBS = ("Derive {}.", "Compute {}.", "Find {}.", "What is {}?", "Bereken {}.", "Berechne {}.")
KEYS = ("**Short Answer:**", "**Short Answer:**", "**Correct Answer:**", "**Short answer:**")


@dataclass(frozen=True)
class Body:
    """What one card says; each entry of `preface`, `key` and `result` is a paragraph."""

    stem: str
    tags: str
    type: str
    question: str
    options: tuple[str, ...] = ()
    preface: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    remark: str = ""


def bodies(rng: Random, count: int) -> list[Body]:
    """As many bodies as asked for, no two with the same question, in random order."""
    found = [
        *(
            _derivation(family, letters.split(), rng)
            for family in (*FAMILIES, *LIKELIHOODS)
            for letters in family.letters
        ),
        *(_choice(choice, rng) for choice in CHOICES),
        *(_essay(essay, "open", rng) for essay in ESSAYS),
        *(_essay(essay, "problem-solving", rng) for essay in PROBLEMS),
        *(_essay(essay, "proof", rng) for essay in PROOFS),
    ]
    rng.shuffle(found)
    del found[count:]
    asked = {body.question for body in found}
    while len(found) < count:
        calculation = rng.choice(CALCULATIONS)(rng)
        if calculation.question not in asked:
            asked.add(calculation.question)
            found.append((_numbers_to_choose if rng.random() < 0.4 else _number)(calculation, rng))
    rng.shuffle(found)
    return found


def _derivation(family: Family, letters: list[str], rng: Random) -> Body:
    style = _Style(rng, letters, family.bold)
    asks = [Ask(style(ask.name), style(ask.answer), ask.points) for ask in family.asks]
    total = sum(ask.points for ask in asks)
    points = rng.choice(["total", "parts", "both", "none"] if len(asks) > 1 else ["total", "none"])
    unit = rng.choice(["p", "p", "p", " pts"])
    head = f"({total}{unit}) " if points in ("total", "both") else ""
    lead = rng.choice(LEADS).format(style(family.intro))
    if len(asks) == 1:
        questions = rng.choice(VERBS).format(f"${asks[0].name}$")
    else:
        mark = rng.choice(["({})", "{})", "**({})**"])
        questions = "\n\n".join(
            f"{mark.format(letter)} "
            + (f"({ask.points}{unit}) " if points in ("parts", "both") else "")
            + rng.choice(VERBS).format(f"${ask.name}$")
            for letter, ask in zip("abc", asks, strict=False)
        )
    graded = f"Grading: (1{unit}) idea, ({total - 1}{unit}) calculation."
    slip = f"(First I had ${asks[0].name} = - ({asks[0].answer})$, wrong sign!)"
    key, result = _key_and_result(asks, rng)
    return Body(
        family.stem,
        family.tags,
        rng.choice(["derivation"] * 6 + ["open", "problem-solving", "Übung"]),
        f"{head}{lead}\n{_display(style(family.formula), rng)}\n{questions}",
        preface=rng.choice(
            [(), (), ("We apply the chain rule.",), (graded,) if head and total > 1 else ()]
        ),
        key=key,
        steps=tuple(map(style, family.steps)),
        result=result,
        remark=style(family.remark) or rng.choice(["", "", slip]),
    )


class _Style:
    """How one card writes its formulas: letters, bold or not, and a few habits of LaTeX."""

    def __init__(self, rng: Random, letters: list[str], bold: bool) -> None:
        wrap = rng.choice([r"\mathbf{%s}", r"\boldsymbol{%s}", "%s"]) if bold else "%s"
        self.letters = [wrap % letter for letter in letters]
        self.habits = rng.choice(
            [
                {},
                {r"^\top": "^T"},
                {r"^\top": r"^{\top}", r"\frac": r"\dfrac"},
                {r"\text{": r"\mathrm{", r"\| ": r"\lVert ", r" \|^": r" \rVert^"},
                {r"\left( ": "(", r" \right)": ")", r"\log": r"\ln"},
            ]
        )

    def __call__(self, text: str) -> str:
        text = re.sub("§([1-9])", lambda found: self.letters[int(found[1]) - 1], text)
        for usual, own in self.habits.items():
            text = text.replace(usual, own)
        return text


def _key_and_result(asks: list[Ask], rng: Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The short answer in one of its forms, or none, and the result behind the steps, or none."""
    equations = [f"{ask.name} = {ask.answer}" for ask in asks]
    inline = ", ".join(f"${equation}$" for equation in equations)
    shown = _display(r", \qquad ".join(equations), rng)
    label = rng.choice(KEYS)
    forms = [
        ((f"{label} {inline}",), ()),
        ((f"{label} {inline}",), (f"Together: {inline}",)),
        ((f"{label}\n{shown}",), ()),
        ((), (f"Therefore\n{shown}",)),
        (("**Correct Answer:**",), (f"So we get\n{shown}",)),
        ((f"{label} see below",), (shown,)),
    ]
    if len(asks) == 1:
        forms.append(((f"{label} ${asks[0].answer}$",), ()))
    return rng.choice(forms)


def _display(formula: str, rng: Random) -> str:
    return rng.choice(
        [
            f"$$ {formula} $$",
            f"$$ {formula} $$",
            f"$$\n{formula}\n$$",
            f"\\[ {formula} \\]",
            f"$$ {formula}, \\quad ({rng.randrange(1, 9)}) $$",
            f"as follows: $$ {formula} $$ (all the rest is fixed)",
        ]
    )


def _choice(choice: Choice, rng: Random) -> Body:
    options = [*choice.right, *choice.other]
    rng.shuffle(options)
    letters = ["ABCDEF"[at] for at, text in enumerate(options) if text in choice.right]
    return Body(
        choice.stem,
        choice.tags,
        "multiple_choice",
        rng.choice(["", "", "(1p) "]) + choice.question,
        tuple(options),
        key=(f"**Correct Answer:** {_letters(letters, options, rng)}".rstrip(),),
        remark=choice.why,
    )


def _letters(right: list[str], options: list[str], rng: Random) -> str:
    """The key: one letter or several, with or without words, hedged, or left empty."""
    if len(right) > 1:
        return rng.choice(
            [", ".join(right), ", ".join(right), " and ".join(right), ",".join(right)]
        )
    (letter,) = right
    second = rng.choice([other for other in "ABCDEF"[: len(options)] if other != letter])
    return rng.choice(
        [
            *[letter] * 4,
            f"{letter})",
            f"{letter}) {options['ABCDEF'.index(letter)]}",
            f"{letter}, but {second} is defensible",
            f"{letter} (in the solutions of 2021: {second}, a misprint)",
            "",
        ]
    )


def _essay(essay: Essay, type: str, rng: Random) -> Body:
    short = f"{rng.choice(KEYS)} {essay.short}".rstrip()
    return Body(
        essay.stem,
        essay.tags,
        type,
        rng.choice(["", "", "(3p) ", "(2 pts) "]) + essay.question,
        key=rng.choice([(short,), (short,), (essay.short,) if essay.short else ()]),
        steps=essay.lines,
    )


def _number(calculation: Calculation, rng: Random) -> Body:
    value = written(calculation.answer)
    unit = calculation.unit
    keys = [value, value, f"{value} {unit}".rstrip(), f"**{value}**"]
    if unit == "dollars":
        keys = [f"${value}", f"{value} $", value]
    return Body(
        calculation.stem,
        calculation.tags,
        rng.choice(["calculation"] * 4 + ["problem-solving"]),
        rng.choice(["", "", "(2p) "]) + calculation.question,
        key=(
            f"{rng.choice(['**Correct Answer:**'] * 3 + ['**Short Answer:**'])} {rng.choice(keys)}",
        ),
        steps=calculation.steps,
    )


def _numbers_to_choose(calculation: Calculation, rng: Random) -> Body:
    value = calculation.answer
    near: Iterator[str] = (
        written(other)
        for other in (value * 2, value / 2, value + 1, 1 - value, value * 10, value - 3)
    )
    others = [text for text in dict.fromkeys(near) if text != written(value)][:3]
    options = [written(value), *others]
    rng.shuffle(options)
    letter = "ABCD"[options.index(written(value))]
    return Body(
        calculation.stem,
        calculation.tags,
        "multiple_choice",
        calculation.question,
        tuple(options),
        key=(f"**Correct Answer:** {_letters([letter], options, rng)}".rstrip(),),
        steps=calculation.steps,
    )
