"""What each domain draws, and what its words are."""

import numpy as np
import pytest

from quizzer.checker.declared.domains import DomainError, draw, read_domain
from quizzer.checker.declared.samples import draw_problem
from quizzer.checker.declared.text import read_declaration

SHAPE = (4, 4)


def drawn(words: str, shape: tuple[int, ...] = SHAPE, first: int = 0) -> list[np.ndarray]:
    domain = read_domain(words)
    rngs = map(np.random.default_rng, range(20))
    return [np.asarray(draw(domain, rng, shape, {"K": 5}, first)) for rng in rngs]


@pytest.mark.parametrize(
    ("words", "low", "high"),
    [
        ("positive", 0.4, 2.5),
        ("in (0.05, .5)", 0.05, 0.5),
        ("in [-1, 1]", -1, 1),
        ("2..5", 2, 5),
        ("integers -1..1", -1, 1),
        ("below K", 0, 4),
        ("sign", -1, 1),
        ("mask", 0, 1),
        ("simplex", 0, 1),
        ("onehot", 0, 1),
    ],
)
def test_numbers_are_within_their_bounds(words: str, low: float, high: float) -> None:
    every = np.stack(drawn(words))
    assert low <= every.min() < every.max() <= high


@pytest.mark.parametrize("words", ["2..5", "below K", "sign", "mask", "onehot"])
def test_whole_numbers_are_no_variables(words: str) -> None:
    assert all(array.dtype.kind == "i" for array in drawn(words))


def test_labels_are_places_of_a_card_that_counts_from_one() -> None:
    every = np.stack(drawn("below K", first=1))
    assert (every.min(), every.max()) == (1, 5)


@pytest.mark.parametrize("words", ["sign", "mask"])
def test_both_values_are_there(words: str) -> None:
    assert all(len(np.unique(array)) == 2 for array in drawn(words, (3,)))


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        ("simplex", lambda a: np.allclose(a.sum(axis=-1), 1)),
        ("onehot", lambda a: (a.sum(axis=-1) == 1).all()),
        ("unit", lambda a: np.allclose((a * a).sum(axis=-1), 1)),
        ("sorted", lambda a: (np.diff(a, axis=-1) > 0).all()),
        ("symmetric", lambda a: np.array_equal(a, np.swapaxes(a, -1, -2))),
        ("spd", lambda a: (np.linalg.eigvalsh(a) > 0.1).all()),
        ("orthogonal", lambda a: np.allclose(a @ np.swapaxes(a, -1, -2), np.eye(4))),
        ("lower", lambda a: np.array_equal(a, np.tril(a)) and (a.diagonal(0, -2, -1) > 0).all()),
    ],
)
@pytest.mark.parametrize("shape", [SHAPE, (2, 4, 4)])
def test_a_structure_is_there_in_stacks_too(words, holds, shape: tuple[int, ...]) -> None:  # type: ignore[no-untyped-def]
    assert all(holds(array) for array in drawn(words, shape))


@pytest.mark.parametrize("words", ["posit", "in (1, 0)", "5..2", "below", "in (a, b)", "wild"])
def test_other_words_are_refused_with_what_there_is(words: str) -> None:
    with pytest.raises(DomainError) as caught:
        read_domain(words)
    assert len(str(caught.value)) > 10


def test_a_fixed_input_is_drawn_but_not_asked() -> None:
    declaration = read_declaration("x: N\ny: N fixed\nz = x ⊙ y")
    problem = draw_problem(declaration, np.random.default_rng(0))
    assert problem["y"].dtype == float


def test_a_problem_depends_on_its_generator_alone_not_on_those_drawn_before() -> None:
    text = "x: N × M\ny: M below K\nsize N: 2..5; M: 2..6; K = N + 1\nz = x + y"
    used = read_declaration(text)
    for seed in range(30):
        again = draw_problem(used, np.random.default_rng(seed))
        first = draw_problem(read_declaration(text), np.random.default_rng(seed))
        assert all(np.array_equal(again[name], first[name]) for name in first)
