"""The table of stages agrees with the functions that it names."""

from typing import get_type_hints

import pytest

from quizzer.checker.stages import STAGES, Stage


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_a_stage_gives_what_its_function_returns(stage: Stage[object, object]) -> None:
    assert get_type_hints(stage.function())["return"] is stage.result()
