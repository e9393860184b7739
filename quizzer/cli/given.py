"""Answers as a script gives them: `NAME=ANSWER` arguments, or a text with lines `# NAME`."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from quizzer.cli.failure import Usage

# One word, perhaps with indices: a comment in an answer has more words than that.
_SECTION = re.compile(r"(?m)^#[ \t]*([^\s#\[{(]+(?:[ \t]*[\[{(].*[\]})])?)[ \t]*$")

_FUNCTION = re.compile(r"\s*def\s+(\w+)\s*\(")


def from_arguments(arguments: Iterable[str]) -> list[tuple[str, str]]:
    """Names and texts of `NAME=ANSWER`, split at the first `=`. Raises Usage."""
    given = []
    for argument in arguments:
        if function := _FUNCTION.match(argument):
            given.append((function[1], argument.strip()))
            continue
        name, equals, text = argument.partition("=")
        if not equals or not name.strip():
            raise Usage(f'`{argument}`: write NAME=ANSWER, for example "dx = W.T @ dy"')
        given.append((name.strip(), text.strip()))
    return given


def from_file(file: Path) -> list[tuple[str, str]]:
    """Names and texts under lines `# NAME`; a text before any such line has no name.

    `-` is standard input. Raises Usage.
    """
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise Usage(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Usage(f"{file}: is no UTF-8 text; save it as UTF-8") from None
    head, *sections = _SECTION.split(text)
    function = _FUNCTION.match(head)
    given = [(function[1] if function else "", head.strip())] if head.strip() else []
    bodies = (body.strip() for body in sections[1::2])
    given += zip(sections[::2], bodies, strict=True)
    if not given:
        raise Usage(f"{file}: is empty; write each answer under a line `# NAME`")
    return given


def by_name(given: Iterable[tuple[str, str]], names: Sequence[str]) -> Mapping[str, str]:
    """The answers by the name asked; a name with indices (`dx[i,j]`) stays the text's left side.

    Raises Usage for an answer without a name where several are asked, and for a name given twice.
    """
    named: dict[str, str] = {}
    for name, text in given:
        if not name:
            if len(names) != 1:
                raise Usage(f"put each answer under a line `# NAME`; asked: {', '.join(names)}")
            name = names[0]
        elif name not in names and (base := _base(name, names)):
            name, text = base, f"{name} = {text}"
        if name in named:
            raise Usage(f"`{name}` is answered twice")
        named[name] = text
    return named


def _base(name: str, names: Iterable[str]) -> str | None:
    """The asked name of a left side with indices: `dx[i,j]`, `dx_ij`, `dx_{ij}`."""
    for asked in sorted(names, key=len, reverse=True):
        if re.fullmatch(rf"{re.escape(asked)}\s*(\[.*\]|_\{{.*\}}|_\w+)", name):
            return asked
    return None
