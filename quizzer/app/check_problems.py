"""All that `check` finds in cards and their checkers, as problems of their files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from quizzer import files
from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace
from quizzer.card import Card, Problem, Severity
from quizzer.card.unfilled import unfilled_problems
from quizzer.checker.flaw import Flaw
from quizzer.deck import CHECKERS, Deck, Entry
from quizzer.deck.required import required_problems
from quizzer.text import clean, folded
from quizzer.values import Form

SEED = 20_251
"""Proofs always run on the same instances: what passed once passes again."""


class Findings(Struct, frozen=True):
    """What `check` finds in cards."""

    problems: Sequence[Problem]
    """All that is wrong with them, in the order of their files."""
    few_lines: Mapping[str, tuple[Form, ...]]
    """The forms of cards that give too few lines for the others, by the ids of the cards."""


def findings_of(
    workspace: Workspace, deck: Deck, mutants: bool = False, within: Deck | None = None
) -> Findings:
    """All that is found in these cards.

    They are a part of `within`, where that is another deck than the one in use.
    """
    around = _around(workspace, deck) if within is None else within.entries
    cards = {
        entry.path: card for entry in deck.entries if (card := deck.read(entry).card) is not None
    }
    proven = _proven(workspace, deck, cards, mutants)
    found = [
        *deck.problems,
        *_card_problems(workspace, deck, cards),
        *_link_problems(around, cards),
        *required_problems(deck.entries, {entry.id: entry for entry in around}),
        *proven.problems,
    ]
    problems = sorted(
        _without_ignored(found, deck, cards),
        key=lambda problem: (problem.path, problem.line, problem.code),
    )
    return Findings(problems, proven.few_lines)


def only(deck: Deck, files: frozenset[Path]) -> Deck:
    """The part of a deck that is in these files, with their problems."""
    entries = tuple(entry for entry in deck.entries if entry.path.resolve() in files)
    problems = tuple(problem for problem in deck.problems if _card_of(problem) in files)
    told = {entry.path.resolve() for entry in entries}
    told |= {_card_of(problem) for problem in problems}
    return replace(deck, entries=entries, problems=problems, notes=len(files - told))


def _card_of(problem: Problem) -> Path:
    """The file of the card that the problem, perhaps of a checker beside it, belongs to."""
    path = problem.path.resolve()
    return path.with_suffix(".md") if path.suffix in CHECKERS else path


def is_within_deck(workspace: Workspace, file: Path) -> bool:
    """Whether the deck in use holds this file, so that its pictures and other ids are known."""
    try:
        roots = [root.resolve() for root in workspace.located.roots]
    except Failure:
        return False
    return any(file.is_relative_to(root) for root in roots)


def _card_problems(
    workspace: Workspace, deck: Deck, cards: Mapping[Path, Card]
) -> Iterator[Problem]:
    """What is wrong with the formulas and points of all cards, and what a template left to fill
    in."""
    from quizzer.lint.formulas import formula_problems
    from quizzer.lint.points import point_flaws

    for entry in deck.entries:
        with suppress(OSError):  # the deck's own problems say so
            yield from unfilled_problems(files.read(entry.path), entry.path)
        if card := cards.get(entry.path):
            yield from formula_problems(entry.path, card, _macros(workspace, deck, entry))
            for flaw in point_flaws(card):
                yield _problem(entry.path, entry.path, flaw)


def _macros(workspace: Workspace, deck: Deck, entry: Entry) -> str:
    """What a session draws the card with: a part of the deck in use has that deck's macros."""
    if is_within_deck(workspace, entry.path.resolve()):
        return workspace.macros(entry) or workspace.macros(entry, deck)
    return workspace.macros(entry, deck)


def _around(workspace: Workspace, deck: Deck) -> Sequence[Entry]:
    """The cards that these ones may name: a part of the deck in use may name all of it."""
    is_part = any(is_within_deck(workspace, entry.path.resolve()) for entry in deck.entries[:1])
    return workspace.deck.entries if is_part else deck.entries


def _link_problems(around: Sequence[Entry], cards: Mapping[Path, Card]) -> Iterator[Problem]:
    """Links that lead to no card."""
    from quizzer.lint.links import link_problems

    names = {folded(name) for entry in around for name in (entry.id, entry.path.stem)}
    related: dict[Path, list[str]] = {}
    for entry in around:
        related.setdefault(entry.path.parent, []).extend(entry.header.related)
    for path, flaw in link_problems(cards, names, related):
        yield _problem(path, path, flaw)


def _proven(
    workspace: Workspace, deck: Deck, cards: Mapping[Path, Card], mutants: bool
) -> Findings:
    """What the checkers fail to prove about themselves, or their cards say otherwise."""
    from quizzer.lint.proof import prove_all

    proven = [(entry, entry.checker) for entry in deck.entries if entry.checker]
    with workspace.report.progress("proving checkers") as step:
        proofs = prove_all(
            [checker for _, checker in proven],
            SEED,
            mutants=mutants,
            progress=step,
            allows=workspace.allows,
            cards={checker: cards[entry.path] for entry, checker in proven if entry.path in cards},
        )
    found = [
        (entry, checker, proof) for (entry, checker), proof in zip(proven, proofs, strict=True)
    ]
    return Findings(
        [
            _problem(entry.path, checker, flaw)
            for entry, checker, proof in found
            for flaw in proof.flaws
        ],
        {entry.id: proof.few_lines for entry, _, proof in found if proof.few_lines},
    )


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


def _problem(card: Path, checker: Path, flaw: Flaw) -> Problem:
    severity = Severity.ERROR if flaw.error else Severity.WARNING
    # Every problem already begins with its file and line.
    said = flaw.message.removeprefix(f"{clean(checker.name)}: ")
    said = said.removeprefix(f"line {flaw.line}{' of the card' * flaw.in_card}: ")
    path = card if flaw.in_card else checker
    return Problem(path, flaw.line or 1, severity, flaw.code, said)
