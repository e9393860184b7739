"""What `check` makes of planted faults, and of sound cards: the material of `corpus/authoring`."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from comparing import AUTHORING, planted, warnings_on, write_loose


@pytest.mark.slow
def test_at_least_28_of_30_planted_faults_are_named() -> None:
    found = {fault["id"]: [flaw.code for flaw in flaws] for fault, flaws in planted()}
    assert len(found) == 30
    assert [name for name, codes in found.items() if not codes] in ([], ["steps-lost-term"])


@pytest.mark.parametrize("seed", [1, 2])
def test_sound_cards_in_a_loose_style_get_no_warning(tmp_path: Path, seed: int) -> None:
    assert warnings_on(write_loose(tmp_path, seed, 100)) == []


def test_cards_as_students_write_them_get_no_warning() -> None:
    assert warnings_on(AUTHORING / "twenty") == []
