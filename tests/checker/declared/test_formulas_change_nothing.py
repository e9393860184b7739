"""Functions of a declared checker get its inputs themselves: they must leave them as they are."""

from pathlib import Path

import numpy as np
import pytest

from quizzer.checker.branches import generator
from quizzer.checker.declared.build import build
from quizzer.checker.instance import copied, draw_inputs, work_out
from quizzer.checker.source import Declared
from quizzer.judge.source import read_source

EVERY = sorted((Path(__file__).parents[3] / "cards").rglob("*.md"))
CARDS = [card for card in EVERY if "```checker" in card.read_text("utf-8")]


@pytest.mark.parametrize("card", CARDS[::4], ids=lambda card: card.stem)
def test_formulas_change_no_input_and_share_no_memory_with_one(card: Path) -> None:
    source = read_source(card, lambda file, source: True).source
    assert isinstance(source, Declared)
    checker = build(source)
    inputs = draw_inputs(checker, generator(3))
    before = copied(inputs)
    instance = work_out(checker, inputs, generator(3))
    for name, value in inputs.items():
        assert np.array_equal(value, before[name])
        for found in (*instance.outputs.values(), *instance.intermediates.values()):
            assert not np.shares_memory(np.asarray(found), np.asarray(value))
