"""What is read of a checker and of the card beside it before an answer is judged."""

import shutil
from pathlib import Path

import pytest

from quizzer.judge.judgement import Judgement, Question
from quizzer.judge.judges import Judge
from quizzer.judge.source import sets_in
from quizzer.values import Verdict

CARDS = Path(__file__).parents[2] / "cards" / "2_layers"
TWINS = Path(__file__).parents[2] / "tests/python_deck/2_layers"
ANSWER = "dx_ij = sum_{k,l} df_kl [(i,j) ∈ Ω(k,l)] [x_ij = f_kl]"


def card(folder: Path, question: str, solution: str = "") -> Path:
    path = folder / "card.md"
    path.write_text(f"---\nid: one\n---\n# Question\n{question}\n---\n# Solution\n{solution}\n")
    return path


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (r"$$ \Omega(k) = \{2k, 2k+1\} $$", ("Ω(k) = {2k, 2k+1}",)),
        (r"$$ y_k = \max_{i \in M_k} x_i, \qquad M = \{n : x_n > 0\} $$", ("M = {n : x_n > 0}",)),
        (r"Words $$ S = \left\{ i, j \right\} $$ and words.", ("S = {i, j}",)),
        (r"In a line: $\Omega(k) = \{2k, 2k+1\}$", ()),
        (r"$$ y = \{x\} + 1 $$", ()),
        (r"$$ g(k) = 2k, \quad y_k = x_{2k} $$", ("g(k)=2k",)),
        (r"With $k(x, x') = s^2 |x - x'|$ it is", ("k(x, x') = s^2 |x - x'|",)),
        (r"$$ L(w) = \sum_n v_n $$", ()),
        ("```\n$$ \\Omega(k) = \\{2k\\} $$\n```", ()),
    ],
)
def test_sets_and_functions_are_those_of_the_question(
    tmp_path: Path, question: str, found: tuple[str, ...]
) -> None:
    text = r"$$ \Lambda(k) = \{3k\} $$"
    path = card(tmp_path, question, solution=text)
    sets = sets_in(path.read_bytes(), path)
    assert ["".join(each.split()) for each in sets] == ["".join(each.split()) for each in found]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (r"$σ(z) = 1 / (1 + e^{-z})$ and $κ(r) = r^2$", "κ(r) = r^2"),
        (r"$$ \begin{aligned} g(k) &= 2k \\ y_k &= x_{2k} \end{aligned} $$", "g(k) = 2k"),
        (r"$$ h_{\max}(r) = r^2 $$", r"h_{\max}(r) = r^2"),
    ],
)
def test_a_function_is_found_whatever_its_letter_and_sign(
    tmp_path: Path, question: str, found: str
) -> None:
    path = card(tmp_path, question)
    assert found in sets_in(path.read_bytes(), path)


def test_a_card_that_is_missing_or_no_card_has_no_sets(tmp_path: Path) -> None:
    assert sets_in(b"", tmp_path / "none.md") == ()
    assert sets_in(b"\xff = \\{ no card", tmp_path / "note.md") == ()


def test_an_answer_may_name_a_set_of_its_card_as_that_stands_now(tmp_path: Path) -> None:
    shutil.copy(TWINS / "max_pooling.py", tmp_path)
    shutil.copy(CARDS / "max_pooling.md", tmp_path)
    checker = tmp_path / "max_pooling.py"
    with Judge() as judge:
        question = judge.question(checker)
        assert isinstance(question, Question)
        assert all("Ω(k,l)" in ask.context.sets[0] for ask in question.asked)
        assert verdict(judge, checker) is Verdict.CORRECT
        text = checker.with_suffix(".md").read_text("utf-8")
        shifted = text.replace(r"\{2k,\, 2k+1\}", r"\{2k+1,\, 2k+2\}")
        assert shifted != text
        checker.with_suffix(".md").write_text(shifted, "utf-8")
        assert verdict(judge, checker) is Verdict.WRONG
        checker.with_suffix(".md").unlink()
        assert verdict(judge, checker) is Verdict.INVALID


def verdict(judge: Judge, checker: Path) -> Verdict:
    judged = judge.judge(checker, {"dx": ANSWER}, seed=3)
    assert isinstance(judged, Judgement)
    return judged.answers[0].verdict
