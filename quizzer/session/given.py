"""Answers as a script gives them: `NAME=ANSWER` arguments, or a text with lines `# NAME`."""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from quizzer.text import did_you_mean

NOTATIONS = ("numpy", "index", "matrix")
CHOICE = "choice"
NUMBER = "number"
"""What the answer to a card with a key is called."""

# One word, perhaps with indices: a comment in an answer has more words than that.
_SECTION = re.compile(r"(?m)^#[ \t]*([^\s#\[{(]+(?:[ \t]*[\[{(].*[\]})])?)[ \t]*$")

_FUNCTION = re.compile(r"\s*def\s+(\w+)\s*\(")


class AnswersError(Exception):
    """The answers do not fit the card, or cannot be told apart."""


class Given(Struct, frozen=True):
    """An answer, and where it and its name begin in the argument or file that it comes from."""

    name: str
    text: str
    source: str
    at: int = 0
    name_at: int | None = 0
    """None if the name is not in the source."""
    left: str = ""
    """The left side of what is judged, with its ` = `; else empty."""
    begins_elsewhere: bool = False
    """Whether the left side of its first line is none that is asked."""

    @property
    def judged(self) -> str:
        return self.left + self.text

    @classmethod
    def within(cls, source: str, start: int, end: int, name: str, name_at: int | None) -> "Given":
        """The answer between two places of the source, without blanks around it."""
        part = source[start:end]
        blanks = len(part) - len(part.lstrip())
        return cls(name, part.strip(), source, start + blanks, name_at)

    def place(self, line: int | None, column: int | None) -> tuple[int | None, int | None]:
        """Line and column in the source, from 1, of those in what was judged, if known."""
        if line is None or (line == 1 and column is None and self.left):
            return None, None
        before = sum(len(above) + 1 for above in self.judged.split("\n")[: line - 1])
        place = before + (column or 1) - 1 - len(self.left)
        at = self.at + place
        if place < 0:
            if self.name_at is None:
                return None, None
            written = place + len(self.left)
            at = self.name_at + written if written < len(self.name) else self.at
        found = self.source.count("\n", 0, at) + 1
        return found, column and at - self.source.rfind("\n", 0, at)


def must_be_notation(name: str) -> None:
    """Raise AnswersError for an unknown notation."""
    if name not in NOTATIONS:
        hint = did_you_mean(name, NOTATIONS) or f": {', '.join(NOTATIONS)}"
        raise AnswersError(f"no notation `{name}`{hint}")


def from_arguments(arguments: Iterable[str]) -> list[Given]:
    """Names and texts of `NAME=ANSWER`, split at the first `=`. Raises AnswersError."""
    given = []
    for argument in arguments:
        if function := _FUNCTION.match(argument):
            given.append(Given.within(argument, 0, len(argument), function[1], function.start(1)))
            continue
        name, equals, _ = argument.partition("=")
        if not equals or not name.strip():
            raise AnswersError(f'`{argument}`: write NAME=ANSWER, for example "dx = W.T @ dy"')
        blanks = len(name) - len(name.lstrip())
        given.append(Given.within(argument, len(name) + 1, len(argument), name.strip(), blanks))
    return given


def from_text(text: str) -> list[Given]:
    """Names and texts under lines `# NAME`; a text before any such line has no name."""
    sections = list(_SECTION.finditer(text))
    starts = [section.start() for section in sections] + [len(text)]
    function = _FUNCTION.match(text, 0, starts[0])
    head = Given.within(text, 0, starts[0], function[1] if function else "", 0)
    given = [head] if head.text else []
    for section, end in zip(sections, starts[1:], strict=True):
        given.append(Given.within(text, section.end(), end, section[1], section.start(1)))
    return given


def by_name(given: Iterable[Given], names: Sequence[str]) -> Mapping[str, Given]:
    """The answers by the name asked; a name with indices (`dx[i,j]`) stays the text's left side.

    Several lines that begin with something else, `∂L/∂z = …`, are a derivation: it comes under the
    first name that nothing else answers. Raises AnswersError for an answer without a name if
    several are asked, and for a name given twice.
    """
    named: dict[str, Given] = {}
    derivations = []
    for answer in given:
        name = answer.name
        if not name:
            if len(names) != 1:
                raise AnswersError(
                    f"write each answer under a line `# NAME`; asked: {', '.join(names)}"
                )
            name = names[0]
        elif name not in names and (base := _base(name, names)):
            name, answer = base, replace(answer, left=f"{name} = ")
        elif name not in names and "\n" in answer.text and not _FUNCTION.match(answer.text):
            derivations.append(replace(answer, left=f"{name} = ", begins_elsewhere=True))
            continue
        if name in named:
            raise AnswersError(f"`{name}` is answered twice")
        named[name] = answer
    for answer in derivations:
        free = next((name for name in names if name not in named), None)
        if free is None:
            raise AnswersError(f"`{answer.name}` is not asked, and all that is asked is answered")
        named[free] = answer
    return named


def _base(name: str, names: Iterable[str]) -> str | None:
    """The asked name of a left side with indices: `dx[i,j]`, `dx_ij`, `dx_{ij}`."""
    for asked in sorted(names, key=len, reverse=True):
        if re.fullmatch(rf"{re.escape(asked)}\s*(\[.*\]|_\{{.*\}}|_\w+)", name):
            return asked
    return None
