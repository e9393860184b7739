"""What every seed gives alike is worked out once, and posed again exactly as it was."""

from pathlib import Path

import pytest
from workers import InThisProcess

from quizzer.checker import problem
from quizzer.checker.known_ties import KnownTies
from quizzer.checker.remote import RemoteChecker
from quizzer.checker.requests import Pose
from quizzer.sandbox.wire import pack

RELU = """
import numpy as np
answers = ["dx"]
def sample(rng):
    return {"x": rng.standard_normal(int(rng.integers(2, 5)))}
def forward(x):
    return {"y": np.maximum(x, 0)}
"""


def remote(ties: KnownTies) -> RemoteChecker:
    return RemoteChecker(InThisProcess(), "relu.py", RELU, 20.0, ties=ties)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which what posing gave with one seed was kept."""
    assert remote(KnownTies(tmp_path)).pose(1, 4).tied
    return tmp_path


def test_another_seed_is_posed_with_what_was_kept_as_it_is_without(folder: Path) -> None:
    known, fresh = remote(KnownTies(folder)).pose(2, 4), remote(KnownTies()).pose(2, 4)
    assert known.described == fresh.described
    assert pack(known.tied) == pack(fresh.tied)
    assert pack(known.instances) == pack(fresh.instances)
    assert pack(known.further) == pack(fresh.further)


def test_ties_that_were_kept_are_not_looked_for_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise AssertionError("they are known")

    monkeypatch.setattr(problem, "tie_instances", fails)
    assert remote(KnownTies(folder)).pose(3, 4).tied


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 1_000])
def test_what_is_kept_of_ties_may_be_damaged(folder: Path, damage: bytes) -> None:
    (file,) = folder.iterdir()
    file.write_bytes(damage)
    assert KnownTies(folder).of(RELU) is None
    assert remote(KnownTies(folder)).pose(2, 4).tied


def test_one_changed_byte_of_what_is_kept_is_noticed(folder: Path) -> None:
    (file,) = folder.iterdir()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert KnownTies(folder).of(RELU) is None


def test_ties_for_which_there_was_no_time_are_not_kept(tmp_path: Path) -> None:
    ties = KnownTies(tmp_path)
    ties.keep(RELU, problem.pose(Pose(RELU, 1, 4, seconds=0.0)))
    assert ties.of(RELU) is None
    ties.keep(RELU, problem.pose(Pose(RELU, 1, 4)))
    assert ties.of(RELU) is not None


def test_what_is_kept_of_ties_is_the_owner_s_alone(folder: Path) -> None:
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_a_checker_asks_is_known_from_what_was_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = remote(KnownTies()).describe()

    def fails(*_: object) -> None:
        raise AssertionError("it is known")

    monkeypatch.setattr(problem, "describe", fails)
    assert remote(KnownTies(folder)).describe() == asked
