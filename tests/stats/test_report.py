"""What a learner hands in: told again as it was, and left out where it is not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stats.test_classroom import log, review, wrong

from quizzer.stats import report as reports
from quizzer.stats.card_sums import card_sums
from quizzer.stats.classroom import added_up
from quizzer.stats.report import HandedIn, Report, ReportError, handed_in, pseudonym, read, written
from quizzer.values import Rating, State


def a_report(learner: str = "a", events: int = 3, name: str | None = None) -> Report:
    told = log(
        ("x", wrong("a")),
        ("x", review("a", Rating.AGAIN, State.NEW, seconds=1234.5)),
        ("x", review("a", Rating.GOOD, seconds=20)),
    )
    sums = card_sums([event for _, event in told], {"a"}, (), ())
    return Report(pseudonym(learner), "2026-03-01T00:00:00+00:00", events, sums, name)


def test_a_report_adds_up_to_what_the_history_does_but_for_seconds() -> None:
    report = a_report(name="Maria")
    again = read(written(report))
    assert (again.learner, again.events, again.name) == (report.learner, 3, "Maria")
    one, other = added_up([report.cards]), added_up([again.cards])
    assert (one.learners, one.reviews, one.mistakes) == (1, 2, other.mistakes)
    (card,) = other.cards
    assert (card.again, card.wrong, card.forgotten) == (1, 1, 0)
    assert dict(again.cards["a"].seconds) == {1200: 1, 20: 1}


def test_no_answer_and_no_name_is_in_it_unless_given() -> None:
    told = json.loads(written(a_report()))
    assert told["name"] is None
    assert "answers" not in told
    assert "dx" not in json.dumps(told)


def changed(change: Callable[[dict[str, Any]], object], rehash: bool) -> bytes:
    values = json.loads(written(a_report()))
    change(values)
    if rehash:
        del values["hash"]
        values["hash"] = reports._hash(values)
    return json.dumps(values).encode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda v: v["cards"]["a"].update(again=5), "do not fit together"),
        (lambda v: v["cards"]["a"].update(forgotten=1, again=0), "do not fit together"),
        (lambda v: v["cards"]["a"].update(mistakes={"sign": 7}), "do not fit together"),
        (lambda v: v["cards"]["a"]["verdicts"].update(perfect=1), "do not fit together"),
        (lambda v: v.update(events=1), "do not fit together"),
        (lambda v: v["cards"]["a"].update(again=-1), "does not write"),
        (lambda v: v["cards"]["a"].update(reviews=1e9), "does not write"),
        (lambda v: v["cards"]["a"].update(seconds={"x": 1}), "does not write"),
        (lambda v: v["cards"].update({"\x1b[2J": v["cards"]["a"]}), "does not write"),
        (lambda v: v.update(cards=[]), "does not write"),
        (lambda v: v.update(quizzer_report=2), "newer quizzer"),
    ],
)
def test_a_forged_report_is_refused_even_with_its_hash_made_anew(
    change: Callable[[dict[str, Any]], object], said: str
) -> None:
    with pytest.raises(ReportError, match=said):
        read(changed(change, rehash=True))


def test_a_report_changed_by_hand_is_refused() -> None:
    with pytest.raises(ReportError, match="is not as it was written"):
        read(changed(lambda values: values["cards"]["a"].update(again=0), rehash=False))


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"1", b"[" * 100_000, b"\xff\x00", b"{}"])
def test_what_is_no_report_is_refused(data: bytes) -> None:
    with pytest.raises(ReportError, match="damaged, or no report"):
        read(data)


def test_of_each_history_the_report_with_most_events_counts(tmp_path: Path) -> None:
    for name, report in {
        "old.json": a_report("a", events=3),
        "new.json": a_report("a", events=9),
        "copied.json": a_report("a", events=9),
        "other.json": a_report("b"),
    }.items():
        (tmp_path / name).write_bytes(written(report))
    (tmp_path / "cut.json").write_bytes(written(a_report("c"))[:-40])
    (tmp_path / ".DS_Store").write_bytes(b"x")
    (tmp_path / "sub").mkdir()
    found: HandedIn = handed_in(tmp_path)
    assert sorted(report.events for report in found.reports) == [3, 9]
    assert {file.name for file, _ in found.left_out} == {"old.json", "new.json", "cut.json"}
