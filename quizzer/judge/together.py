"""Answers of several writers to one name, evaluated in as few processes as can be.

Only formulas share a process, for they leave nothing behind. A text that fails there, runs late or
is no formula gets no verdict here: it is judged alone, as if there were no others.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NoReturn

from quizzer.checker.answer import Evaluated
from quizzer.judge.case import evaluate
from quizzer.judge.judge import Asking, asking
from quizzer.judge.judgement import Answered
from quizzer.judge.prepared import Prepared


def judged_together(
    prepared: Prepared, name: str, texts: Iterable[str], notation: str | None
) -> Iterator[tuple[str, Answered]]:
    """The verdicts on those texts that could be judged together. Raises CheckerBroken."""
    with_pieces: dict[str, Asking] = {}
    smooth: dict[str, Asking] = {}
    for text in texts:
        found = asking(prepared, name, text, None)
        if isinstance(found, Asking):
            (smooth if found.case.many is None else with_pieces)[text] = found
    for group in (smooth, with_pieces):
        if group:
            yield from _judged(prepared, group, notation)


def _judged(
    prepared: Prepared, askings: Mapping[str, Asking], notation: str | None
) -> Iterator[tuple[str, Answered]]:
    """The verdicts on texts that are evaluated on the same problems."""
    case = next(iter(askings.values())).case
    sent = [each.text for each in askings.values()]
    found = evaluate(prepared.checker, case, sent, notation, together=True)
    to_probe: dict[str | None, dict[str, Evaluated]] = {}
    for (text, each), evaluated in zip(askings.items(), found, strict=True):
        if evaluated.is_whole:
            try:
                yield text, each.verdict(prepared, evaluated, _postpone)
            except _Postponed:
                to_probe.setdefault(evaluated.notation, {})[text] = evaluated
    for forced, wrong in to_probe.items():
        yield from _probed(prepared, askings, wrong, forced)


def _probed(
    prepared: Prepared,
    askings: Mapping[str, Asking],
    wrong: Mapping[str, Evaluated],
    notation: str | None,
) -> Iterator[tuple[str, Answered]]:
    """The verdicts on wrong texts in one notation, with what probing them shows."""
    from quizzer.judge.probes import probed_together

    sent = [askings[text].text for text in wrong]
    case = askings[next(iter(wrong))].case
    found = probed_together(prepared.checker, case, sent, notation)
    for (text, evaluated), probed in zip(wrong.items(), found, strict=True):
        probe = None if probed is None else lambda *_, known=probed: known
        yield text, askings[text].verdict(prepared, evaluated, probe)


class _Postponed(Exception):
    """A text is to be probed, which it can be together with others."""


def _postpone(*_: object) -> NoReturn:
    raise _Postponed
