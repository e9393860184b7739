"""The starter deck: its cards against the parser, its checkers against the judge.

`checker/declared/test_starter_forwards.py` has its mathematics against twins in Python, and these
against autograd.
"""

import json
import re
from collections import Counter

import numpy as np
import pytest
from starter import CARDS, CHECKED, DECK, card_in, declared, flaws_of, prepared

from quizzer.card import Choice, Number, parse
from quizzer.card.formulas import formulas
from quizzer.checker.branches import generator
from quizzer.checker.instance import draw_inputs
from quizzer.judge.accept import remark_on
from quizzer.judge.case import evaluate
from quizzer.tex import faults, unknown

each_checker = pytest.mark.parametrize("path", CHECKED, ids=lambda path: path.stem, scope="module")
each_card = pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem, scope="module")


@each_checker
def test_a_checker_knows_three_mistakes_or_more(path):
    wrong = declared(path).wrong
    assert sum(map(len, wrong.values())) >= 3


@each_checker
def test_samples_vary_in_size_and_have_no_axis_of_length_one(path):
    checker = declared(path)
    drawn = [draw_inputs(checker, generator(seed)).values() for seed in range(20)]
    shapes = [tuple(np.shape(value) for value in values) for values in drawn]
    has_arrays = any(any(sample) for sample in shapes)
    assert len(set(shapes)) > 3 or not has_arrays
    assert all(length > 1 for sample in shapes for shape in sample for length in shape)


def test_all_checkers_of_the_deck_are_declared_in_its_cards():
    assert not [*DECK.rglob("*.py"), *DECK.rglob("*.checker")]


@each_checker
def test_the_judge_finds_no_flaw_in_a_checker(path):
    assert flaws_of(path) == []


SLIPS_OF_SIGN = {
    "cosine_similarity": ("dc_dx", "y/(r*s) + np.abs(c)*x/r**2"),
    "determinant": ("df_dX", "-np.abs(f)*np.linalg.inv(X).T"),
    "parametric_relu": ("dx", "np.where(y > 0, dy, a*dy)"),
    "gaussian_maximum_likelihood": ("mu_hat", "np.abs(X.mean(axis=0))"),
    "boosting_squared_loss": ("dL_dF", "y - F"),
    "boosting_absolute_loss": ("dL_dF", "np.sign(y - F)"),
    "boosting_log_loss": ("dL_dF", "y - p"),
    "boosting_squared_log_loss": ("dL_dF", "(np.log1p(y) - np.log1p(F)) / (1 + F)"),
}


@pytest.mark.parametrize("stem", SLIPS_OF_SIGN)
def test_a_slip_of_sign_is_wrong(stem):
    name, text = SLIPS_OF_SIGN[stem]
    (path,) = (path for path in CHECKED if path.stem == stem)
    problems = prepared(path)
    case = problems.case(name)
    (found,) = evaluate(problems.checker, case, [text])
    assert found.invalid is None
    assert remark_on(case, found.values) is None


@each_checker
def test_what_is_shown_first_as_a_hint_is_no_finished_answer(path):
    """Hints of the author's own answer no part; the first step no part but the one that comes
    first."""
    checker = declared(path)
    card = card_in(path)
    asked = list(checker.answers)
    own = [*card.hints, *checker.hints]
    problems = prepared(path)
    for hint, names in [*((hint, asked) for hint in own), (card.steps[0], asked[1:])]:
        texts = sides(hint)
        for case in map(problems.case, names if texts else ()):
            found = evaluate(problems.checker, case, texts)
            finished = [
                text
                for text, each in zip(texts, found, strict=True)
                if each.invalid is None and remark_on(case, each.values)
            ]
            assert not finished, hint


def sides(hint: str) -> list[str]:
    """What may be an answer in a hint: each formula, and each side of it."""
    found = []
    for _, formula in formulas(hint):
        for line in re.split(r"\\\\|\\qquad", formula.latex):
            found += [line, *line.split("=")]
    return [text for text in map(str.strip, dict.fromkeys(found)) if len(text) > 2]


@each_card
def test_a_card_is_read_without_problems(path):
    parsed = parse(path.read_bytes(), path)
    assert parsed.card is not None
    assert parsed.problems == ()
    assert (parsed.card.checker is not None) == (path in CHECKED)


@each_card
def test_every_formula_of_a_card_can_be_drawn(path):
    formulas = re.findall(r"(\${1,2})([^$]+)\1", path.read_text("utf-8"))
    assert formulas
    for _, formula in formulas:
        assert not unknown(formula) and not faults(formula), formula


@each_card
def test_a_card_has_a_short_answer_and_steps_that_unfold(path):
    card = card_in(path)
    assert card.short_answer
    assert card.header.difficulty in range(1, 6)
    if card.header.type == "derivation":
        assert len(card.steps) >= 3


@each_card
def test_a_card_points_to_cards_that_exist(path):
    card = card_in(path)
    stems = {other.stem for other in CARDS}
    assert card.related
    assert {link.target for link in card.related} <= stems - {path.stem}


def test_the_deck_is_worth_a_term():
    conceptual = [path for path in CARDS if path not in CHECKED]
    assert len(CHECKED) >= 60
    assert len(conceptual) >= 15


def test_ids_are_unique_and_begin_with_q():
    ids = [card_in(path).header.id for path in CARDS]
    assert len(set(ids)) == len(ids)
    assert all(id_.startswith("q-") for id_ in ids)


def test_the_points_of_a_question_are_those_of_its_parts():
    for path in CARDS:
        card = card_in(path)
        if card.parts:
            assert card.header.points == sum(part.points for part in card.parts), path


def test_multiple_choice_cards_are_judged_by_letters_and_calculations_by_a_number():
    judged = {"multiple_choice": Choice, "calculation": Number}
    for path in CARDS:
        card = card_in(path)
        if card.header.type in judged and path not in CHECKED:
            assert isinstance(card.asks, judged[card.header.type]), path


def test_the_length_of_an_option_does_not_tell_the_key():
    ranks = Counter()
    for path in CARDS:
        card = card_in(path)
        if isinstance(card.asks, Choice) and len(card.asks.letters) == 1:
            lengths = {option.letter: len(option.text) for option in card.options}
            (key,) = card.asks.letters
            ranks[sum(length > lengths[key] for length in lengths.values())] += 1
    assert ranks.total() >= 10
    assert ranks[0] <= ranks.total() / 3 and ranks[3] <= ranks.total() / 3, ranks


def test_neighbours_share_a_course_and_the_scheduler_has_its_own():
    courses = {path.stem: card_in(path).header.course for path in CARDS}
    for stem in ("linear_regression", "logistic_regression"):
        assert courses[stem] == courses["ridge_regression"] == courses["softmax_regression"]
    own = [stem for stem, course in courses.items() if course == courses["forgetting_curve"]]
    assert own == ["forgetting_curve", "stability_step"]


def test_every_folder_is_described():
    for folder in {DECK, *(path.parent for path in CARDS)}:
        info = json.loads((folder / "info.json").read_text("utf-8"))
        assert info["name"] and info["description"], folder
