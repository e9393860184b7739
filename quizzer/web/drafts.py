"""A card that is being written: its file as it would be, how it looks, what `check` finds."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from quizzer.app import new_card, new_template
from quizzer.app.check_problems import findings_of, only
from quizzer.app.failure import Usage
from quizzer.app.new_file import write_text
from quizzer.app.workspace import Workspace
from quizzer.card import Card, Problem, Severity, parse
from quizzer.card.unfilled import unfilled_problems
from quizzer.deck import Entry, with_folder
from quizzer.deck.values import Asking
from quizzer.web.markup import CardPrinter

UNNAMED = "new-card"
"""What a card is called until it has a name."""


class Finding(Struct, frozen=True):
    """What is wrong, and in which line of which field."""

    field: str
    line: int
    severity: Severity
    message: str
    code: str


class Draft(Struct, frozen=True):
    """The fields of the form."""

    type: str
    name: str = ""
    course: str = ""
    tags: str = ""
    difficulty: str = "2"
    question: str = ""
    solution: str = ""
    checker: str = ""

    @property
    def text(self) -> str:
        checker = f"{self.checker}\n" if self.checker else ""
        return self._header + new_template.body(f"{self.question}\n", f"{self.solution}\n", checker)

    @property
    def _header(self) -> str:
        card_id = self.name.rpartition("/")[2] or UNNAMED
        tags = [tag.strip() for tag in self.tags.split(",") if tag.strip()]
        return new_template.header(card_id, self.course, tags, self.type, self.difficulty)

    def place(self, line: int) -> tuple[str, int]:
        """The field that a line of the card's file comes from, and its line there."""
        question = self._header.count("\n") + 1
        solution = question + self.question.count("\n") + 4
        checker = solution + self.solution.count("\n") + 3
        if self.checker and line > checker:
            return "checker", min(line - checker, self.checker.count("\n") + 1)
        if line > solution:
            return "solution", line - solution
        return ("question", line - question) if line > question else ("name", 1)


class Preview(Struct, frozen=True):
    """A draft as the session will show it."""

    printer: CardPrinter
    card: Card


def preview(workspace: Workspace, draft: Draft) -> tuple[Preview | None, tuple[Finding, ...]]:
    """The draft as it looks, if it can be read, and what its text alone has of problems."""
    path = _place(workspace, draft)
    data = draft.text.encode()
    parsed = parse(data, path)
    problems = [*parsed.problems, *unfilled_problems(data, path)]
    found = tuple(_findings(draft, problems))
    if parsed.card is None:
        return None, found
    entry = Entry(path, path.parent, parsed.card.header, Asking.REVEAL)
    return Preview(CardPrinter(workspace, entry, parsed.card), parsed.card), found


def checked(workspace: Workspace, draft: Draft) -> tuple[Finding, ...]:
    """All that `check` finds, as if the draft were in the deck; this takes its time."""
    with TemporaryDirectory(prefix="quizzer-") as folder:
        path = Path(folder).resolve() / _place(workspace, draft).name
        shown, found = preview(workspace, draft)
        if shown is None:
            return found
        write_text(path, draft.text)
        (path.parent / "macros.tex").write_text(shown.printer.macros, "utf-8")
        within = with_folder(workspace.deck, path.parent)
        whole = findings_of(workspace, only(within, frozenset([path])), within=within)
        return tuple(_findings(draft, whole.problems))


def drafted(workspace: Workspace, draft: Draft) -> str:
    """A first draft of the checker, from what the card says. Raises Usage."""
    path = _place(workspace, draft)
    parsed = parse(replace(draft, checker="").text.encode(), path)
    if parsed.card is None:
        raise Usage("A checker is drafted from a card that can be read; see what is found below.")
    return new_card.draft_of(path, parsed.card).text.strip()


def _place(workspace: Workspace, draft: Draft) -> Path:
    """The file that the draft will be in, or one beside it while its name will not do."""
    try:
        return new_card.card_path(workspace, draft.name)
    except Usage:
        return new_card.own_folder(workspace) / f"{UNNAMED}.md"


def _findings(draft: Draft, problems: Sequence[Problem]) -> Iterator[Finding]:
    for each in sorted(problems, key=lambda problem: problem.line):
        field, line = draft.place(each.line)
        yield Finding(field, line, each.severity, each.message, each.code)
