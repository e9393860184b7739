"""Marks on letters: subscripts without braces, accents, roots, functions with a sign of their own.

`tests/corpus/paper/marks.jsonl` has right and wrong texts; `meaning` says in NumPy what each means.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus.outside_answers import value
from workers import InThisProcess

from quizzer.checker.remote import RemoteChecker
from quizzer.deck import Deck, load, starter_deck
from quizzer.judge.accept import remark_on
from quizzer.judge.case import evaluate
from quizzer.judge.prepared import Prepared
from quizzer.judge.source import read_source

MARKS = Path(__file__).parents[1] / "corpus" / "paper" / "marks.jsonl"
SEED = 7

UNREAD = frozenset(
    {
        r"dV_{me} = \sum_n^NP_{nm}\,dO_{ne}",
        r"dx_i=\sum_m\delta_mW_{m,k_m,i},\quad k_m=\arg\max_jz_{mj}",
        "k_m=\\arg\\max_kz_{mk}\ndx_i=\\sum_m\\delta_mW_{mk_mi}",
        "if x_i > 0: δ_i, else: α δ_i",
        "δ_i if x_i > 0",
        r"\delta_i(\Phi(x_i)+x_i\varphi(x_i))",
        r"dx_i = \delta_i\left(\Phi(x_i) + x_i\,\varphi(x_i)\right)",
        r"\delta\odot(\Phi(x)+x\odot\varphi(x))",
        "δ_i(Φ(x_i)+x_iφ(x_i))",
        r"[i=j](\Phi(x_i)+x_i\varphi(x_i))",
        r"\operatorname{diag}(\Phi(x)+x\odot\varphi(x))",
    }
)
"""Right texts that are refused yet, and cost nothing."""

Entry = dict[str, Any]


def _by_card() -> dict[str, list[Entry]]:
    found: defaultdict[str, list[Entry]] = defaultdict(list)
    for line in MARKS.read_text("utf-8").splitlines():
        entry = json.loads(line)
        found[entry["card"]].append(entry)
    return dict(found)


ENTRIES = _by_card()
each_card = pytest.mark.parametrize("card", ENTRIES)


def test_the_corpus_of_marks_is_large() -> None:
    labels = [entry.get("label", "right") for mine in ENTRIES.values() for entry in mine]
    assert labels.count("right") >= 120
    assert labels.count("wrong") >= 60
    assert len(ENTRIES) >= 25


@each_card
@pytest.mark.filterwarnings("ignore")
def test_numpy_proves_what_is_right_and_what_is_wrong(card: str) -> None:
    prepared = _prepared(card)
    for entry in ENTRIES[card]:
        if entry.get("label") == "invalid":
            continue
        case = prepared.case(entry["name"])
        off = 0
        for instance, truth in zip(case.posed.instances, case.truths, strict=False):
            names = {name: _whole(each) for name, each in instance.names.items()}
            meant = value(entry["meaning"], entry["name"], names)
            typed = value(entry["answer"], entry["name"], names)
            assert meant is not None, entry
            assert typed is None or _same(typed, meant), entry
            off += not _same(meant, np.asarray(truth.value))
        assert (off == 0) == ("label" not in entry), entry


@each_card
def test_right_texts_with_marks_are_not_wrong_and_wrong_ones_not_right(card: str) -> None:
    for entry, came in _verdicts(card):
        label = entry.get("label", "correct")
        unread = came == "invalid" and (label == "wrong" or entry["answer"] in UNREAD)
        assert came == label or unread, entry


def _verdicts(card: str) -> Iterator[tuple[Entry, str]]:
    """What the arrays of each text tell; `benchmarks/paper.py` takes the whole verdict."""
    prepared = _prepared(card)
    for name in dict.fromkeys(entry["name"] for entry in ENTRIES[card]):
        mine = [entry for entry in ENTRIES[card] if entry["name"] == name]
        case = prepared.case(name)
        found = evaluate(prepared.checker, case, [entry["answer"] for entry in mine])
        for entry, each in zip(mine, found, strict=True):
            if each.invalid is not None:
                yield entry, "invalid"
            else:
                yield entry, "wrong" if remark_on(case, each.values) is None else "correct"


@cache
def _prepared(card: str) -> Prepared:
    checker = _deck().by_id[card].checker
    assert checker is not None
    read = read_source(checker, lambda file, source: True)
    remote = RemoteChecker(InThisProcess(), read.name, read.source, 30.0, sets=read.sets)
    return Prepared(remote, SEED)


@cache
def _deck() -> Deck:
    return load([starter_deck()])


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-5, atol=1e-7)


def _whole(given: Any) -> Any:
    """Whole numbers as integers, so that they may be indices."""
    if isinstance(given, np.ndarray) and (given == given.astype(int)).all():
        return given.astype(int)
    return given
