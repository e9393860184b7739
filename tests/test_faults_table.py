"""A small run of the benchmark that kills and damages."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
import faults


@pytest.mark.slow
def test_of_what_killed_processes_acknowledged_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    killed = faults.kill(tmp_path / "kills", kills=10, seed=3)
    assert killed.acknowledged > 10
    assert killed.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_damage_is_noticed_and_all_that_is_sound_comes_back(tmp_path: Path, seed: int) -> None:
    for what, tally in faults.damage(tmp_path / "damages", damages=24, seed=seed).items():
        assert tally.faults == [], what
        assert tally.noticed > 0, what
