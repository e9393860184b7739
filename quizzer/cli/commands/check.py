"""The command `check`: lint cards and prove checkers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from quizzer.app.failure import Failure, Usage
from quizzer.app.workspace import Workspace
from quizzer.card import Card, Problem, Severity
from quizzer.checker.flaw import Flaw
from quizzer.cli.options import AsJson
from quizzer.cli.terminal.output import print_json, print_line, print_note
from quizzer.cli.terminal.waiting import ProgressLine
from quizzer.deck import CHECKERS, Deck, Entry, load
from quizzer.text import clean, count, folded

SEED = 20_251
"""Proofs always run on the same instances: what passed once passes again."""


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
    as_json: AsJson = False,
) -> None:
    """Lint cards and prove checkers.

    Right answers must be accepted, known mistakes rejected, samples good.
    """
    deck = _deck(workspace, paths)
    cards = {
        entry.path: card for entry in deck.entries if (card := deck.read(entry).card) is not None
    }
    found = [
        *deck.problems,
        *_card_problems(workspace, deck, cards),
        *_proofs(workspace, deck, cards, mutants),
    ]
    problems = sorted(
        _without_ignored(found, deck, cards),
        key=lambda problem: (problem.path, problem.line, problem.code),
    )
    checkers = sum(entry.checker is not None for entry in deck.entries)
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    if as_json:
        print_json(
            {
                "cards": len(deck.entries),
                "checkers": checkers,
                "notes": deck.notes,
                "problems": [_row(problem) for problem in problems],
            }
        )
    else:
        for problem in problems:
            where = f"{workspace.short(problem.path)}:{problem.line}"
            print_line(f"{where}: {problem.severity.value}: {problem.message} [{problem.code}]")
        print_note(
            f"{count(len(deck.entries), 'card')}, {count(checkers, 'checker')}, "
            f"{count(deck.notes, 'note')}: {count(errors, 'error')}, "
            f"{count(len(problems) - errors, 'warning')}"
        )
    raise typer.Exit(1 if errors or (strict and problems) else 0)


def _row(problem: Problem) -> dict[str, object]:
    return {
        "path": str(problem.path),
        "line": problem.line,
        "severity": problem.severity.value,
        "code": problem.code,
        "message": problem.message,
    }


def _deck(workspace: Workspace, paths: list[Path] | None) -> Deck:
    """The deck in use, those of its cards that were named, or what else lies at these paths."""
    if not paths:
        workspace.introduce()
        return workspace.deck
    roots = tuple(_checkable(path.expanduser().absolute()) for path in paths)
    files = frozenset(root.resolve() for root in roots if root.is_file())
    if len(files) == len(roots) and all(_is_within_deck(workspace, file) for file in files):
        return _only(workspace.deck, files)
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


def _is_within_deck(workspace: Workspace, file: Path) -> bool:
    """Whether the deck in use holds this file, so that its pictures and other ids are known."""
    try:
        roots = [root.resolve() for root in workspace.located.roots]
    except Failure:
        return False
    return any(file.is_relative_to(root) for root in roots)


def _only(deck: Deck, files: frozenset[Path]) -> Deck:
    entries = tuple(entry for entry in deck.entries if entry.path.resolve() in files)
    problems = tuple(problem for problem in deck.problems if problem.path.resolve() in files)
    told = {entry.path.resolve() for entry in entries}
    told |= {problem.path.resolve() for problem in problems}
    return replace(deck, entries=entries, problems=problems, notes=len(files - told))


def _card_problems(
    workspace: Workspace, deck: Deck, cards: Mapping[Path, Card]
) -> Iterator[Problem]:
    """What is wrong with the formulas, points and links of all cards."""
    from quizzer.lint.formulas import formula_problems
    from quizzer.lint.links import link_problems
    from quizzer.lint.points import point_flaws

    for entry in deck.entries:
        if card := cards.get(entry.path):
            yield from formula_problems(entry.path, card, _macros(workspace, deck, entry))
            for flaw in point_flaws(card):
                yield _problem(entry.path, entry.path, flaw)
    around = _around(workspace, deck)
    names = {folded(name) for entry in around for name in (entry.id, entry.path.stem)}
    related: dict[Path, list[str]] = {}
    for entry in around:
        related.setdefault(entry.path.parent, []).extend(entry.header.related)
    for path, flaw in link_problems(cards, names, related):
        yield _problem(path, path, flaw)


def _around(workspace: Workspace, deck: Deck) -> Sequence[Entry]:
    """The cards that links lead to: those of the deck in use where this is a part of it."""
    is_part = any(_is_within_deck(workspace, entry.path.resolve()) for entry in deck.entries[:1])
    return workspace.deck.entries if is_part else deck.entries


def _without_ignored(
    problems: Sequence[Problem], deck: Deck, cards: Mapping[Path, Card]
) -> Iterator[Problem]:
    """The problems but for the warnings that a card's `ignore` lists, its checker's too."""
    ignored = {path: set(card.ignore) for path, card in cards.items() if card.ignore}
    for entry in deck.entries:
        if entry.checker and entry.path in ignored:
            ignored[entry.checker] = ignored[entry.path]
    for problem in problems:
        is_error = problem.severity is Severity.ERROR
        if is_error or problem.code not in ignored.get(problem.path, ()):
            yield problem


def _macros(workspace: Workspace, deck: Deck, entry: Entry) -> str:
    """What a session draws the card with: a part of the deck in use has that deck's macros."""
    if _is_within_deck(workspace, entry.path.resolve()):
        return workspace.macros(entry) or workspace.macros(entry, deck)
    return workspace.macros(entry, deck)


def _proofs(
    workspace: Workspace, deck: Deck, cards: Mapping[Path, Card], mutants: bool
) -> Iterator[Problem]:
    """What the checkers fail to prove about themselves, or their cards say otherwise."""
    from quizzer.lint.proof import prove_all

    proven = [(entry.path, entry.checker) for entry in deck.entries if entry.checker]
    beside = {checker: cards[path] for path, checker in proven if path in cards}
    with ProgressLine("proving checkers") as line:
        flaws = prove_all(
            [checker for _, checker in proven],
            SEED,
            mutants=mutants,
            progress=line,
            allows=workspace.allows,
            cards=beside,
        )
    for (path, checker), found in zip(proven, flaws, strict=True):
        for flaw in found:
            yield _problem(path, checker, flaw)


def _problem(card: Path, checker: Path, flaw: Flaw) -> Problem:
    severity = Severity.ERROR if flaw.error else Severity.WARNING
    # File and line stand in front of every problem.
    said = flaw.message.removeprefix(f"{clean(checker.name)}: ")
    said = said.removeprefix(f"line {flaw.line}: ")
    path = card if flaw.in_card else checker
    return Problem(path, flaw.line or 1, severity, flaw.code, said)
