"""What `check` makes of planted faults, and of sound cards: the material of `corpus/authoring`."""

import sys
from pathlib import Path

import pytest
from command_line import CommandLine

from quizzer.judge.judges import Judge

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from comparing import AUTHORING, planted, warnings, write_loose


@pytest.mark.slow
def test_at_least_28_of_30_planted_faults_are_named(judge_here: Judge) -> None:
    found = {fault["id"]: [flaw.code for flaw in flaws] for fault, flaws in planted(judge_here)}
    assert len(found) == 30
    missed = {name for name, codes in found.items() if not codes}
    assert missed <= {"steps-lost-term", "table-dead-let"}


@pytest.mark.parametrize("seed", [1, 2])
def test_sound_cards_in_a_loose_style_get_no_warning(
    cli: CommandLine, tmp_path: Path, seed: int
) -> None:
    assert warnings(cli("check", "--json", write_loose(tmp_path / "deck", seed, 100)).out) == []


def test_cards_as_students_write_them_get_no_warning(cli: CommandLine) -> None:
    assert warnings(cli("check", "--json", AUTHORING / "twenty").out) == []
