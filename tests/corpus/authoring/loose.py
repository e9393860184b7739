"""A deck in the loose style of a real user's cards, as a function of a seed.

The cards follow the template of a student's collection with all that varies in it: types, points,
kinds of keys, headings, formulas, encodings. Each is sound, so whatever `check` says about one is a
false warning, but for what `missing_images` and `missing_links` name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from corpus.authoring.loose_bodies import Body, bodies

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
"""The one image that the deck has: a transparent pixel."""

COURSES = ("Deep Learning", "Statistical Machine Learning", "NLP", "RL", "ML1: Übungen")
CONCEPTS = ("neural-networks", "Gradient Descent", "chain-rule", "Exam 2023|exam", "notation")
ASIDES = (
    "In the lecture: slide 14. [cite: 12]",
    "[cite: 3, 17] See also Bishop ch. 4.",
    "```python\nloss.backward()  # does exactly this\n```",
    "Price of the book: $65, used about $30.",
    "> TODO make a drawing of this",
    "| pro | contra |\n|---|---|\n| simple | slow |",
    "Schwierig! Beim zweiten Mal aufpassen.",
    "#### Note\nNog een keer herhalen voor het tentamen.",
    "Common mistake: forgetting the chain rule ;-)",
    "<!-- from the old Anki deck -->",
)


@dataclass(frozen=True)
class Loose:
    """Files of the deck by path, and what its cards name that is not there, by path too."""

    files: dict[str, bytes]
    missing_images: dict[str, tuple[str, ...]]
    missing_links: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class _Card:
    path: str
    text: str
    images: tuple[str, ...]
    links: tuple[str, ...]


def deck(seed: int, count: int = 300) -> Loose:
    """A deck of `count` cards, two notes and one image; the same for the same seed."""
    rng = Random(seed)
    cards = [
        _card(body, rng, number) for number, body in enumerate(bodies(rng, count), rng.randrange(9))
    ]
    files = {card.path: _encoded(card.text, rng) for card in cards}
    files["images/pixel.png"] = PNG
    files["README.md"] = b"# My cards\n\nNot a card, just a note. (5p)\n"
    files["_template.md"] = b"---\nid:\ncourse:\n---\n\n# Question\n\n---\n# Solution\n"
    return Loose(
        files,
        {card.path: card.images for card in cards if card.images},
        {card.path: card.links for card in cards if card.links},
    )


def _card(body: Body, rng: Random, number: int) -> _Card:
    course = rng.choice(COURSES)
    name = _id(rng, number)
    image, missing = _image(rng, number)
    links = _links(body, rng)
    text = (
        f"{_front_matter(name, course, body, rng)}"
        f"{rng.choice(['', chr(10)])}# Question\n{body.question}\n{image}{_options(body, rng)}\n"
        f"---\n# Solution\n{_solution(body, rng)}{_related(links, rng)}"
    )
    stem = rng.choice([name, f"{body.stem}_{number}", f"{body.stem.replace('_', ' ')} {number}"])
    folder = rng.choice([course.replace(":", ""), f"{course[:2]}/week {number % 7}", "inbox"])
    return _Card(f"{folder}/{stem}.md", text, missing, tuple(link.split("|")[0] for link in links))


def _id(rng: Random, number: int) -> str:
    return rng.choice(
        [
            f"ssu_batch{rng.randrange(1, 9)}_{number:03}",
            f"2025-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}_{number:02}",
            f"{number:03}",
            f"ml.{number}",
            f"Card-{number}",
        ]
    )


def _front_matter(name: str, course: str, body: Body, rng: Random) -> str:
    tags = body.tags.split()
    lines = [
        rng.choice([f"id: {name}", f'id: "{name}"']),
        f'course: "{course}"' if ":" in course else f"course: {course}",
        rng.choice(
            [
                f"tags: [{', '.join(tags)}]",
                f"tags: {', '.join(tags)}",
                "tags:" + "".join(f"\n  - {tag}" for tag in tags),
            ]
        ),
        *rng.choice([[f"difficulty: {rng.randrange(1, 6)}"]] * 4 + [[]]),
        f"type: {body.type}",
        f"status: {rng.choice(['to_learn'] * 4 + ['mastered', 'flagged'])}",
        *rng.choice([[]] * 5 + [["source: exam 2023"], ["aliases: []"], ["created: 2025-01-22"]]),
    ]
    if rng.random() < 0.1:
        rng.shuffle(lines)
    return "---\n" + "\n".join(lines) + rng.choice(["\n"] * 6 + ["\n\n"]) + "---\n"


def _image(rng: Random, number: int) -> tuple[str, tuple[str, ...]]:
    """Lines that show an image or nothing, and the names of those that are not there."""
    lost = f"Pasted image {number}.png"
    return rng.choice(
        [
            (f"![[{lost}]]\n", (lost,)),
            (f"(Figure 1)\n![](images/fig_{number}.png)\n", (f"images/fig_{number}.png",)),
            ("![[pixel.png]]\n", ()),
            *[("", ())] * 17,
        ]
    )


def _options(body: Body, rng: Random) -> str:
    """The options; cards without any often keep those of the template, which say N/A."""
    if body.options:
        lines = [
            f"{letter}) {option}" for letter, option in zip("ABCDEF", body.options, strict=False)
        ]
        return "\n## Options\n" + rng.choice(["\n", "\n\n"]).join(lines) + "\n"
    return rng.choice(
        [
            "",
            "",
            "",
            "\n## Options\nA) N/A\nB) N/A\nC) N/A\nD) N/A\n",
            "\n## Options\nA) n/a\n",
            "\n## Options\nN/A\n",
        ]
    )


def _solution(body: Body, rng: Random) -> str:
    parts = [*body.preface, *body.key]
    if body.steps:
        marks: Iterator[str] = (f"{n}. " for n in range(1, 99))
        bullet = rng.random() < 0.2
        lines = [("- " if bullet else next(marks)) + step for step in body.steps]
        headings = ["### Steps / Derivation", "## Steps", "#### Derivation", "##### steps"]
        heading = rng.choice([*headings, "**Steps:**\n", "### Afleiding", ""])
        parts.append(f"{heading}\n" + "\n".join(lines) if heading else "\n".join(lines))
    parts += [*body.result]
    if body.remark:
        parts.append(rng.choice(["## Explanation\n", "### Intuition\n", ""]) + body.remark)
    if rng.random() < 0.4:
        parts.append(rng.choice(ASIDES))
    return "\n\n".join(parts) + "\n"


def _links(body: Body, rng: Random) -> tuple[str, ...]:
    names = [*body.tags.split(), *rng.sample(CONCEPTS, 2)]
    return tuple(names[: rng.randrange(len(names) + 1)])


def _related(links: tuple[str, ...], rng: Random) -> str:
    if not links:
        return rng.choice(["", "\n## Related Concepts\n"])
    heading = rng.choice(["## Related Concepts", "## Related Concepts", "### Related concepts"])
    return f"\n{heading}\n" + "".join(f"- [[{link}]]\n" for link in links)


def _encoded(text: str, rng: Random) -> bytes:
    """The bytes of a file: some editors write a BOM, others CRLF, trailing blanks or no end."""
    if rng.random() < 0.1:
        text = text.rstrip("\n")
    if rng.random() < 0.05:
        text = text.replace(".\n", ".  \n")
    if rng.random() < 0.12:
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if rng.random() < 0.06 else b"") + text.encode()
