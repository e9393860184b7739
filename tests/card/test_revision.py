"""What is kept of cards is known by all of the program that decides what they say."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from quizzer.card.revision import files, revision

_READ = """
import sys
from pathlib import Path
from quizzer.card.formulating import formulation_of
from quizzer.card.reader import parse
text = "---\\nid: a\\n---\\n# Question\\n\\n$$y = x$$\\n\\n# Solution\\nx\\n"
card = parse(text.encode(), Path("a.md")).card
assert card is not None
formulation_of(card)
print(*(module.__file__ for name, module in sys.modules.items() if name.startswith("quizzer.")))
"""


def test_every_module_that_reads_a_card_is_in_the_revision() -> None:
    done = subprocess.run([sys.executable, "-c", _READ], capture_output=True, text=True, check=True)
    used = {Path(file).name for file in done.stdout.split()}
    assert used >= {"reader.py", "text.py"}
    assert used <= {file.name for file in files()}


def test_an_updated_library_is_another_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(msgspec, "__file__", str(tmp_path / "msgspec" / "__init__.py"))
    before = revision.__wrapped__()
    assert revision.__wrapped__() == before
    os.utime(tmp_path, (1, 1))
    assert revision.__wrapped__() != before
