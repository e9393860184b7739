"""What is found in a checker does not depend on where it runs."""

import pytest

from quizzer.judge.judges import Judge


@pytest.fixture
def judge(judge_here: Judge) -> Judge:
    return judge_here
