"""A file's bytes → `Parsed`. Never raises: what cannot be read is a problem with its true line."""

import codecs
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.card import key, lines, pieces, points
from quizzer.card.declared import checker_fences
from quizzer.card.lines import NOTHING, Heading, Line, Text
from quizzer.card.values import Card, Header, Option, Parsed, Problem, Severity, normal_type
from quizzer.text import clean, composed

if TYPE_CHECKING:
    from quizzer.card.front_matter import Field


def parse(data: bytes, path: Path) -> Parsed:
    """The card in a file's bytes; `path` is only quoted in problems.

    A card that can be asked is returned even when something about it is an error.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        message = "this file is UTF-16, which no card can be; save it as UTF-8"
        return Parsed(None, False, (Problem(path, 1, Severity.ERROR, "encoding", message),))
    if not _OPENING.match(data):
        return Parsed(None, is_note=True)
    parser = _Parser(path)
    card = parser.card(data)
    return Parsed(card, is_note=False, problems=tuple(parser.problems))


class _Parser:
    """Collects the problems of one file on the way to its card."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.last_line = 1

    def card(self, data: bytes) -> Card | None:
        file = clean(self._decoded(data)).split("\n")
        opening = next(index for index, line in enumerate(file) if line.strip())
        closing = self._closing(file, opening)
        if closing is None:
            return None
        fields = self._fields("\n".join(file[opening + 1 : closing]), opening + 2)
        if fields is None:
            return None
        body = _without_citations("\n".join(file[closing + 1 :]))
        text, unclosed = lines.read(body, closing + 2)
        for line in unclosed:
            self._warn(
                line, "open-code", "this code block is never closed; add a line ``` below it"
            )
        text, *fences = checker_fences(text)
        if len(fences) > 1:
            self._warn(
                fences[1].line - 1,
                "two-checkers",
                f"the card has another `checker` fence in line {fences[0].line - 1}, which is the "
                "one in use; join them",
            )
        id_ = self._id(fields, opening + 1)
        halves = self._halves(text)
        if not (id_ and halves):
            return None
        return replace(self._card(fields, id_, *halves), checker=next(iter(fences), None))

    def _decoded(self, data: bytes) -> str:
        text = data.decode("utf-8-sig", errors="replace")
        self.last_line = clean(text).count("\n") + 1
        try:
            data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self._warn(
                clean(error.object[: error.start].decode()).count("\n") + 1,
                "encoding",
                "this line is not UTF-8, so letters are lost; save the file as UTF-8",
            )
        return text

    def _closing(self, lines: Sequence[str], opening: int) -> int | None:
        """The index of the line that closes the front matter."""
        place = "at the end of the file"
        for index in range(opening + 1, len(lines)):
            if _FENCE.fullmatch(lines[index]):
                return index
            if _BODY.fullmatch(lines[index]):
                place = f"above `{lines[index].strip()}` in line {index + 1}"
                break
        self._error(
            opening + 1,
            "open-front-matter",
            f"the front matter that begins here is never closed; put a line `---` {place}",
        )
        return None

    def _fields(self, block: str, first_line: int) -> "Mapping[str, Field] | None":
        from quizzer.card.front_matter import FrontMatterError, read

        try:
            return read(block, first_line)
        except FrontMatterError as refused:
            self._error(refused.line, "front-matter", refused.message)
            return None

    def _id(self, fields: "Mapping[str, Field]", opening: int) -> "Field | None":
        field = fields.get("id")
        if field is None:
            near = next((name for name in fields if name.lower() == "id"), None)
            remedy = (
                f"write `id` instead of `{near}`" if near else "add a line such as `id: cnn_004`"
            )
            self._error(opening, "no-id", f"the front matter has no `id`; {remedy}")
        elif not field.text.strip():
            self._error(field.line, "no-id", "the `id` is empty; give the card a name of its own")
        elif len(field.texts) > 1 or "\n" in field.text.strip():
            self._error(field.line, "bad-id", "the `id` must be one line of text, not a list")
        else:
            return field
        return None

    def _halves(self, text: Text) -> tuple[Text, Text] | None:
        """Question and solution, split at their headings or, if one is missing, at the rule."""
        asked = next((h for h in text.headings() if _is(h, "question")), None)
        start = asked.index + 1 if asked else 0
        solved = next((h for h in text.headings() if h.index >= start and _is(h, "solution")), None)
        where = text.first + start - (1 if asked else 0)
        if asked is None and solved is None:
            self._error(
                where,
                "no-question",
                "no `# Question` follows; add it, or take the front matter away if this is a note",
            )
            return None
        if solved:
            stop, begin = solved.index, solved.index + 1
            while stop > start and _is_blank_or_rule(text.lines[stop - 1]):
                stop -= 1
        else:
            rules = (i for i in range(start, len(text.lines)) if text.lines[i].is_rule)
            stop = next(rules, len(text.lines))
            begin = min(stop + 1, len(text.lines))
        question, solution = text.part(start, stop), text.part(begin)
        if not question.lines:
            self._error(where, "no-question", "the question is empty; write it below `# Question`")
            return None
        if not asked:
            self._warn(
                where, "no-question-heading", "put a heading `# Question` above the question"
            )
        if not solution.lines:
            self._error(
                text.first + max(begin - 1, 0) if solved else where,
                "no-solution",
                "the card has no solution; add `---`, a heading `# Solution` and the solution",
            )
        elif not solved:
            self._warn(
                solution.first, "no-solution-heading", "put a heading `# Solution` above this line"
            )
        return question, solution

    def _card(
        self, fields: "Mapping[str, Field]", id_: "Field", question: Text, solution: Text
    ) -> Card:
        images = (*lines.images(question), *lines.images(solution))
        question, options, unreadable = pieces.options(question)
        if unreadable:
            self._warn(
                unreadable,
                "options",
                "the options cannot be read; write each on a line of its own: `A) …`, `B) …`",
            )
        question, hints = pieces.hints(question, solution)
        answers = tuple(pieces.answers(solution))
        correct = "\n\n".join(answer.text for answer in answers if answer.is_key)
        short = "\n\n".join(answer.text for answer in answers if not answer.is_key)
        self._look_at_letters(
            correct, options, solution.lines[answers[0].start].number if answers else solution.first
        )
        total, parts = points.read(lines.prose(question))
        related = lines.links(solution.under(pieces.RELATED) or NOTHING)
        return Card(
            header=Header(
                id=clean(id_.text).strip(),
                title=pieces.title(question),
                course=composed(_text(fields, "course")),
                tags=self._list(fields, "tags"),
                difficulty=self._difficulty(fields),
                type=normal_type(_text(fields, "type")) or "open",
                status=_text(fields, "status"),
                points=total,
                related=tuple(link.target for link in related),
                line=id_.line,
                requires=self._list(fields, "requires"),
                requires_line=fields["requires"].line if "requires" in fields else 0,
            ),
            question=str(question),
            question_line=question.first,
            solution=str(solution),
            solution_line=solution.first,
            asks=key.asked(correct, options),
            options=options,
            correct_answer=correct,
            short_answer=short or correct,
            steps=pieces.derivation(solution, answers),
            hints=hints,
            related=related,
            images=images,
            parts=parts,
            ignore=self._list(fields, "ignore"),
        )

    def _list(self, fields: "Mapping[str, Field]", key: str) -> tuple[str, ...]:
        """The texts of a list, or of a text with commas between them, each once."""
        texts = fields[key].texts if key in fields else ()
        if len(texts) == 1:
            texts = tuple(texts[0].split(","))
        found = (composed(_line(text)) for text in texts)
        return tuple(dict.fromkeys(text for text in found if text))

    def _difficulty(self, fields: "Mapping[str, Field]") -> int | None:
        text = _text(fields, "difficulty")
        if text.lower() in _ABSENT:
            return None
        if text in ("1", "2", "3", "4", "5"):
            return int(text)
        self._warn(
            fields["difficulty"].line,
            "difficulty",
            f"difficulty `{text}` does not count; write a whole number from 1 to 5",
        )
        return None

    def _look_at_letters(self, correct: str, options: Sequence[Option], line: int) -> None:
        letters = key.letters_of(correct, options) if options else frozenset()
        strange = sorted(letters - {option.letter for option in options})
        if strange:
            self._warn(
                line,
                "key",
                f"the Correct Answer names {', '.join(strange)}, which is no option; mend one",
            )

    def _error(self, line: int, code: str, message: str) -> None:
        self._report(line, Severity.ERROR, code, message)

    def _warn(self, line: int, code: str, message: str) -> None:
        self._report(line, Severity.WARNING, code, message)

    def _report(self, line: int, severity: Severity, code: str, message: str) -> None:
        line = min(line, self.last_line)
        self.problems.append(Problem(self.path, line, severity, code, _line(message)))


def _is_blank_or_rule(line: Line) -> bool:
    return line.is_rule or not line.text.strip()


def _is(heading: Heading, title: str) -> bool:
    return heading.level <= 2 and heading.title.lower() == title


def _without_citations(text: str) -> str:
    """The text without marks such as `[cite: 12]` that an editor left; its lines stay."""
    return _CITATION.sub("", text) if "[cite" in text else text


def _text(fields: "Mapping[str, Field]", name: str) -> str:
    return _line(fields[name].text) if name in fields else ""


def _line(text: str) -> str:
    """Harmless and on one line: an escape in a quoted YAML value is a control character again."""
    return " ".join(clean(text).split())


_ABSENT = ("", "~", "null", "none", "n/a")
_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?\s*?-{3,}[ \t]*(?:[\r\n]|\Z)")
_FENCE = re.compile(r"-{3,}\s*")
_BODY = re.compile(r"#{1,2}\s+(?:question|solution)\s*:?\s*", re.IGNORECASE)
_CITATION = re.compile(r"[ \t]{0,2}\[cite:[ \t\d,;–-]{0,200}\]|\[cite_(?:start|end)\]")
