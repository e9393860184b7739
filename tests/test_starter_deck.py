"""The starter deck: its mathematics against autograd, its cards against the parser, its checkers
against the judge."""

import ast
import inspect
import json
import re
import warnings
from collections import Counter
from pathlib import Path
from types import ModuleType

import autograd.numpy
import numpy as np
import pytest
from autograd import jacobian

from quizzer.card import Choice, Number, parse
from quizzer.card.formulas import formulas
from quizzer.judge.accept import remark_on
from quizzer.judge.case import evaluate
from quizzer.judge.prepared import Prepared
from quizzer.lint.proof import prove
from quizzer.tex import faults, unknown

DECK = Path(__file__).parents[1] / "cards"
CARDS = sorted(DECK.rglob("*.md"))
CHECKERS = sorted(DECK.rglob("*.py"))
TOLERANCE = 1e-7

NUMPY_NOTATION = {
    "np": np,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sum": np.sum,
    "mean": np.mean,
    "inv": np.linalg.inv,
    "tr": np.trace,
    "det": np.linalg.det,
    "diag": np.diag,
}

each_checker = pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)
each_card = pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)


@each_checker
def test_a_written_solution_equals_the_gradient_of_autograd(path):
    checker = load(path)
    for seed in range(6):
        names, truth = problem(checker, seed)
        for asked in differentiated(checker, truth):
            values = [numpy_value(text, names) for text in checker.right[asked]]
            values = [value for value in values if value is not None]
            assert values, f"{asked} has no right answer in NumPy"
            for value in values:
                assert same(value, truth[asked]), (asked, seed)


@each_checker
def test_terms_add_up_to_the_gradient(path):
    checker = load(path)
    names, truth = problem(checker, seed=2)
    for asked, terms in getattr(checker, "terms", {}).items():
        if asked in truth:
            assert same(sum(called(term, names) for term in terms.values()), truth[asked]), asked


@each_checker
def test_a_checker_knows_three_mistakes_or_more_and_each_shows_most_of_the_time(path):
    checker = load(path)
    assert sum(len(mistakes) for mistakes in checker.wrong.values()) >= 3
    unnoticed = Counter()
    for seed in range(10):
        names, truth = problem(checker, seed)
        for asked in differentiated(checker, truth):
            for sentence, answer in checker.wrong.get(asked, {}).items():
                value = numpy_value(answer, names)
                unnoticed[sentence] += value is not None and same(value, truth[asked])
    assert not unnoticed or max(unnoticed.values()) <= 5, unnoticed.most_common(1)


@each_checker
def test_no_two_known_mistakes_are_the_same_answer(path):
    checker = load(path)
    names, _ = problem(checker, seed=3)
    for mistakes in checker.wrong.values():
        values = [numpy_value(text, names) for text in mistakes.values()]
        values = [value for value in values if value is not None]
        for n, value in enumerate(values):
            assert not any(same(value, other) for other in values[:n])


@each_checker
def test_a_variant_has_another_gradient(path):
    checker = load(path)
    _, truth = problem(checker, seed=4)
    for sentence, forward in getattr(checker, "variants", {}).items():
        _, other = problem(checker, seed=4, forward=forward)
        asked_names = differentiated(checker, truth)
        assert any(not same(other[asked], truth[asked]) for asked in asked_names), sentence


@each_checker
def test_samples_vary_in_size_and_have_no_axis_of_length_one(path):
    checker = load(path)
    rng = np.random.default_rng(0)
    shapes = [tuple(np.shape(value) for value in checker.sample(rng).values()) for _ in range(20)]
    assert len(set(shapes)) > 3
    assert all(length > 1 for sample in shapes for shape in sample for length in shape)


@each_checker
def test_a_checker_lies_beside_its_card(path):
    assert path.with_suffix(".md") in CARDS


@pytest.fixture
def judge(judge_here):
    return judge_here


@each_checker
def test_the_judge_finds_no_flaw_in_a_checker(judge, path):
    assert prove(judge, path, seed=7, count=8) == []


@each_checker
def test_what_is_shown_first_as_a_hint_is_no_finished_answer(judge, path):
    """Hints of the author's own answer no part; the first step no part but the one that comes
    first."""
    checker = load(path)
    card = parse(path.with_suffix(".md").read_bytes(), path).card
    asked = list(checker.answers)
    own = [*card.hints, *getattr(checker, "hints", ())]
    prepared = Prepared(judge.checker(path), seed=3)
    for hint, names in [*((hint, asked) for hint in own), (card.steps[0], asked[1:])]:
        texts = sides(hint)
        for case in map(prepared.case, names if texts else ()):
            found = evaluate(prepared.checker, case, texts)
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


@each_card
def test_every_formula_of_a_card_can_be_drawn(path):
    formulas = re.findall(r"(\${1,2})([^$]+)\1", path.read_text("utf-8"))
    assert formulas
    for _, formula in formulas:
        assert not unknown(formula) and not faults(formula), formula


@each_card
def test_a_card_has_a_short_answer_and_steps_that_unfold(path):
    card = parse(path.read_bytes(), path).card
    assert card.short_answer
    assert card.header.difficulty in range(1, 6)
    if card.header.type == "derivation":
        assert len(card.steps) >= 3


@each_card
def test_a_card_points_to_cards_that_exist(path):
    card = parse(path.read_bytes(), path).card
    stems = {other.stem for other in CARDS}
    assert card.related
    assert {link.target for link in card.related} <= stems - {path.stem}


def test_the_deck_is_worth_a_term():
    conceptual = [path for path in CARDS if path.with_suffix(".py") not in CHECKERS]
    assert len(CHECKERS) >= 60
    assert len(conceptual) >= 15


def test_ids_are_unique_and_begin_with_q():
    ids = [parse(path.read_bytes(), path).card.header.id for path in CARDS]
    assert len(set(ids)) == len(ids)
    assert all(id_.startswith("q-") for id_ in ids)


def test_the_points_of_a_question_are_those_of_its_parts():
    for path in CARDS:
        card = parse(path.read_bytes(), path).card
        if card.parts:
            assert card.header.points == sum(part.points for part in card.parts), path


def test_multiple_choice_cards_are_judged_by_letters_and_calculations_by_a_number():
    judged = {"multiple_choice": Choice, "calculation": Number}
    for path in CARDS:
        card = parse(path.read_bytes(), path).card
        if card.header.type in judged and path.with_suffix(".py") not in CHECKERS:
            assert isinstance(card.asks, judged[card.header.type]), path


def test_the_length_of_an_option_does_not_tell_the_key():
    ranks = Counter()
    for path in CARDS:
        card = parse(path.read_bytes(), path).card
        if isinstance(card.asks, Choice) and len(card.asks.letters) == 1:
            lengths = {option.letter: len(option.text) for option in card.options}
            (key,) = card.asks.letters
            ranks[sum(length > lengths[key] for length in lengths.values())] += 1
    assert ranks.total() >= 10
    assert ranks[0] <= ranks.total() / 3 and ranks[3] <= ranks.total() / 3, ranks


def test_neighbours_share_a_course_and_the_scheduler_has_its_own():
    courses = {path.stem: parse(path.read_bytes(), path).card.header.course for path in CARDS}
    for stem in ("linear_regression", "logistic_regression"):
        assert courses[stem] == courses["ridge_regression"] == courses["softmax_regression"]
    own = [stem for stem, course in courses.items() if course == courses["forgetting_curve"]]
    assert own == ["forgetting_curve", "stability_step"]


def test_every_folder_is_described():
    for folder in {DECK, *(path.parent for path in CARDS)}:
        info = json.loads((folder / "info.json").read_text("utf-8"))
        assert info["name"] and info["description"], folder


def load(path: Path) -> ModuleType:
    """The checker as a module, without byte code left in the deck."""
    module = ModuleType(path.stem)
    exec(compile(path.read_text("utf-8"), path, "exec"), vars(module))
    return module


def problem(checker: ModuleType, seed: int, forward=None):
    """Names of a random problem with their values, and the true answers by autograd."""
    rng = np.random.default_rng(seed)
    inputs = checker.sample(rng)
    forward = forward or getattr(checker, "forward", lambda: {})
    outputs = called(forward, inputs)
    upstreams = {
        f"d{name}": rng.standard_normal(np.shape(value)) if np.ndim(value) else 1.7
        for name, value in outputs.items()
    }
    names = {
        **inputs,
        **outputs,
        **upstreams,
        **called(getattr(checker, "let", lambda: {}), inputs),
        **{
            name: np.shape(inputs[of])[axis]
            for name, (of, axis) in getattr(checker, "sizes", {}).items()
        },
        **NUMPY_NOTATION,
    }
    return names, gradients(checker, forward, inputs, outputs, upstreams)


def gradients(checker, forward, inputs, outputs, upstreams):
    """`d<input>` and `d<output>_d<input>` for every input that is a variable."""
    numpy = vars(checker).get("np")
    checker.np = autograd.numpy
    truth = {}
    for name, value in inputs.items():
        if not (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
            continue
        message = 0
        for output in outputs:
            with warnings.catch_warnings():
                # An output may well not depend on an input: its local derivative is 0.
                warnings.filterwarnings("ignore", "Output seems independent")
                local = jacobian(
                    lambda v, name=name, output=output: called(forward, {**inputs, name: v})[output]
                )(value)
            upstream = upstreams[f"d{output}"]
            truth[f"d{output}_d{name}"] = local
            message = message + np.tensordot(upstream, local, axes=np.ndim(upstream))
        truth[f"d{name}"] = message
    checker.np = numpy
    return truth


def differentiated(checker, truth):
    """The asked names that are gradients; closed forms are proven by the judge against `right`."""
    return [asked for asked in checker.answers if asked in truth]


def called(function, names):
    """The function with those names that its parameters ask for."""
    return function(**{name: names[name] for name in inspect.signature(function).parameters})


def numpy_value(text, names: dict):
    """The value of an answer in NumPy notation or a function; None in another notation."""
    if not isinstance(text, str):
        return called(text, names)
    try:
        *lines, last = ast.parse(text.strip()).body
    except SyntaxError:
        return None
    if any(isinstance(line, ast.Assign) and not plain(line) for line in (*lines, last)):
        return None
    scope = dict(names)
    if isinstance(last, ast.FunctionDef):
        exec(text, scope)
        return called(scope[last.name], names)
    exec("\n".join(map(ast.unparse, lines)), scope)
    return eval(ast.unparse(last.value), scope)


def plain(assignment: ast.Assign) -> bool:
    return all(isinstance(target, ast.Name) for target in assignment.targets)


def same(value, truth) -> bool:
    if np.shape(value) != np.shape(truth):
        return False
    return bool(np.max(np.abs(value - truth)) <= TOLERANCE * np.max(np.abs(truth)))
