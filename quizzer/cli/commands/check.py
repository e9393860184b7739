"""The command `check`: lint cards and prove checkers."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.check_problems import Findings, findings_of, is_within_deck, only
from quizzer.app.failure import Usage
from quizzer.app.known_forms import KnownForms
from quizzer.app.workspace import Workspace
from quizzer.card import Problem, Severity
from quizzer.cli.options import AsJson
from quizzer.cli.terminal.output import print_json, print_line, print_note
from quizzer.deck import CHECKERS, Deck, Entry, load
from quizzer.plan.forms import ALL, may_have_forms
from quizzer.text import count, first_of
from quizzer.values import Form

SHOWN = 8
"""So many cards that lack the same forms are named."""
FEW = " (fewer than three lines can be read and are right)"
FormsById = Mapping[str, tuple[Form, ...]]


def check(
    workspace: Workspace,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH...", help="Cards or folders; the deck otherwise.", show_default=False
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Alter right answers too: each must be rejected.")
    ] = False,
    work_out: Annotated[
        bool,
        typer.Option("--forms", help="Work out the forms in which cards can come; takes longer."),
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show and check each card again whenever it is saved.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Lint cards and prove checkers.

    Right answers must be accepted, known mistakes rejected, and samples must be good.
    """
    roots = _roots(workspace, paths or ())
    if watch:
        if as_json:
            raise Usage("--json prints one document, and --watch never ends: leave one of them out")
        _watch(workspace, roots, mutants)
    if not roots:
        workspace.introduce()
    deck = _deck(workspace, roots)
    found = findings_of(workspace, deck, mutants)
    problems = found.problems
    forms = _forms_of(workspace, deck, found, work_out)
    if as_json:
        print_json(
            {
                "forms": forms,
                "cards": len(deck.entries),
                "checkers": _checkers(deck),
                "notes": deck.notes,
                "problems": [_row(problem) for problem in problems],
            }
        )
    else:
        _print(workspace, deck, found, forms, only_few=not work_out)
    raise typer.Exit(1 if _errors(problems) or (strict and problems) else 0)


def check_card(workspace: Workspace, card: Path) -> None:
    """Print what `check` says about one card."""
    deck = _deck(workspace, (card,))
    found = findings_of(workspace, deck)
    _print(workspace, deck, found, _forms_of(workspace, deck, found))


def _watch(workspace: Workspace, roots: Sequence[Path], mutants: bool) -> None:
    from quizzer.cli.commands.check_watch import Checked, watch

    def checked(now: Workspace, cards: frozenset[Path] | None) -> Checked:
        deck = _deck(now, roots)
        if cards is not None:
            deck = only(deck, frozenset(card.resolve() for card in cards))
        found = findings_of(now, deck, mutants)
        lines = [_line(now, problem) for problem in found.problems]
        lines += _lacking(deck, found, _forms_of(now, deck, found))
        return Checked(deck, lines, _summary(deck, found.problems))

    watch(workspace, roots or workspace.located.roots, checked)


def _print(
    workspace: Workspace,
    deck: Deck,
    found: Findings,
    forms: FormsById,
    only_few: bool = True,
) -> None:
    for problem in found.problems:
        print_line(_line(workspace, problem))
    for line in _lacking(deck, found, forms, only_few):
        print_note(line)
    print_note(_summary(deck, found.problems))


def _forms_of(
    workspace: Workspace, deck: Deck, found: Findings, work_out: bool = False
) -> FormsById:
    """The forms of each card without errors; without `work_out`, as far as they are known."""
    faulty = {problem.path for problem in found.problems if problem.severity is Severity.ERROR}
    sound = [entry for entry in deck.entries if not faulty & {entry.path, entry.checker}]
    known = KnownForms(workspace)
    if work_out:
        return known.find(deck, sound)
    told = ((entry.id, known.of(entry) or found.few_lines.get(entry.id)) for entry in sound)
    return {card: forms for card, forms in told if forms}


def _lacking(deck: Deck, found: Findings, forms: FormsById, only_few: bool = True) -> Iterator[str]:
    """Which cards with a checker can have some forms only; those with too few lines, or all."""
    groups: dict[tuple[tuple[Form, ...], str], list[str]] = {}
    for entry in deck.entries:
        kinds, is_few = forms.get(entry.id, ALL), entry.id in found.few_lines
        if may_have_forms(entry) and kinds != ALL and (is_few or not only_few):
            groups.setdefault((kinds, FEW * is_few), []).append(entry.id)
    for (kinds, why), cards in sorted(groups.items(), key=lambda group: len(group[0][0])):
        yield f"forms of {', '.join(first_of(cards, SHOWN))}: {', '.join(kinds)}{why}"


def _line(workspace: Workspace, problem: Problem) -> str:
    where = f"{workspace.short(problem.path)}:{problem.line}"
    return f"{where}: {problem.severity.value}: {problem.message} [{problem.code}]"


def _summary(deck: Deck, problems: Sequence[Problem]) -> str:
    errors = _errors(problems)
    return (
        f"{count(len(deck.entries), 'card')}, {count(_checkers(deck), 'checker')}, "
        f"{count(deck.notes, 'note')}: {count(errors, 'error')}, "
        f"{count(len(problems) - errors, 'warning')}"
    )


def _errors(problems: Sequence[Problem]) -> int:
    return sum(problem.severity is Severity.ERROR for problem in problems)


def _checkers(deck: Deck) -> int:
    return sum(entry.checker is not None for entry in deck.entries)


def _row(problem: Problem) -> dict[str, object]:
    return {
        "path": str(problem.path),
        "line": problem.line,
        "severity": problem.severity.value,
        "code": problem.code,
        "message": problem.message,
    }


def _roots(workspace: Workspace, paths: Sequence[Path]) -> tuple[Path, ...]:
    """The cards and folders that are named by their paths, or cards by their ids. Raises Usage."""
    roots = []
    for path in paths:
        named = path.expanduser().absolute()
        if not named.exists() and isinstance(entry := workspace.deck.find(str(path)), Entry):
            named = entry.path
        roots.append(_checkable(named))
    return tuple(roots)


def _deck(workspace: Workspace, roots: Sequence[Path]) -> Deck:
    """The deck in use, those of its cards that were named, or what else lies at these paths."""
    if not roots:
        return workspace.deck
    files = frozenset(root.resolve() for root in roots if root.is_file())
    if len(files) == len(roots) and all(is_within_deck(workspace, file) for file in files):
        return only(workspace.deck, files)
    return load(roots, cache=None)


def _checkable(path: Path) -> Path:
    """A folder, or the card that is meant by a card's or a checker's file. Raises Usage."""
    if not path.exists():
        raise Usage(f"{path}: no such file or folder")
    if path.is_dir() or path.suffix.lower() == ".md":
        return path
    if path.suffix not in CHECKERS:
        raise Usage(f"{path}: neither a card (.md) nor a checker ({', '.join(CHECKERS)})")
    card = path.with_suffix(".md")
    if not card.is_file():
        raise Usage(f"{path}: there is no card {card.name} beside this checker")
    return card
