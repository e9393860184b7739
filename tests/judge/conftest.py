import pytest

from quizzer.judge.judges import Judge


@pytest.fixture
def judge(judge_afresh: Judge) -> Judge:
    return judge_afresh
