"""The documents are run: each command prints what they show, and each example gets its verdict."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import DOCS, README, ROOT, Block, Reader, as_pattern, blocks, commands
from pseudo_terminal import ALT_ENTER, Terminal, environment
from samples import MORNING

PAGES = [README, *sorted(DOCS.glob("*.md"))]
SHOWN_ONLY = {"sh", "text"}
"""Languages of blocks that may stand without a file name."""


@pytest.fixture(autouse=True)
def blank_pages() -> None:
    """The documents show what users see: cards in all forms."""


def of_cards(page: Path) -> Iterator[Block]:
    """The blocks that are answers to a card."""
    return (block for block in blocks(page) if block.language == "text" and len(block.words) > 1)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_prints_what_the_page_shows(page: Path, reader: Reader) -> None:
    for block in blocks(page):
        if block.language == "console":
            for command, shown in commands(block):
                printed, code = reader.run(command)
                assert re.fullmatch(as_pattern(shown), printed), f"$ {command}\n{printed}"
                assert code == 0, f"$ {command} ends with {code}"
        elif len(block.words) == 1:
            reader.write(block)
        else:
            assert block.language in SHOWN_ONLY, f"not run:\n{block.text}"


@pytest.mark.slow
def test_every_example_of_an_answer_gets_its_verdict(reader: Reader) -> None:
    answers, verdicts = [], []
    for page in PAGES:
        for block in of_cards(page):
            card, name, verdict = (*block.words, "correct")[:3]
            for answer in block.text.strip().split("\n\n"):
                answers.append({"card": card, "name": name, "answer": answer})
                verdicts.append(verdict)
    assert len(answers) > 40
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, answers)), "utf-8")
    printed, _ = reader.run("quizzer verify --seed 1 --batch answers.jsonl")
    lines = map(json.loads, printed.splitlines()[: len(answers)])
    for answer, verdict, line in zip(answers, verdicts, lines, strict=True):
        assert line.get("verdict") == verdict, f"{answer}\n{line}"


def test_the_transcript_is_what_a_session_shows(home: Path) -> None:
    shown = next(block.text for block in blocks(README) if block.language == "text")
    with Terminal(
        *("-m", "quizzer", "review", "--deck", ROOT / "cards", "--card", "q-softmax-jacobian"),
        *("--form", "blank"),
        program=(sys.executable,),
        env=environment(home, MORNING.isoformat(), PYTHONPATH=str(ROOT)),
        rows=200,
        columns=88,
    ) as terminal:
        terminal.prompt("dp_dz = ")
        terminal.send("diag(p) - p p^T" + ALT_ENTER)
        terminal.prompt("dz = ")
        slip = "Σ_k δ_k p_k - δ_j)"
        terminal.send(f"∂L/∂z_j = Σ_k δ_k p_k ([k=j] - p_j)\r        = p_j ({slip}{ALT_ENTER}")
        terminal.shows(r"Line 2 is wrong\. ")
        seen = terminal.text
        terminal.send("\r")
        terminal.shows("Line 2 is wrong: ")
        seen += terminal.text
        terminal.send("\x7f" * len(slip) + "δ_j - Σ_k δ_k p_k)" + ALT_ENTER)
        terminal.prompt(r"1-4 rates, .*\? ")
        terminal.send("2")
        terminal.shows("saved: .*")
        seen += terminal.text
    place = 0
    for line in filter(None, shown.splitlines()):
        found = line == "…" or seen.find(line, place)
        assert found != -1, f"{line}\nis not on the screen, or not there:\n{seen}"
        place = place if line == "…" else int(found)


def test_the_make_targets_that_are_named_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for page in (*PAGES, ROOT / "CONTRIBUTING.md"):
        for target in re.findall(
            r"(?m)^(?:\$ )?make ([a-z-]+)|`make ([a-z-]+)`", page.read_text("utf-8")
        ):
            assert re.search(rf"(?m)^{''.join(target)}:", makefile), f"{page.name}: {target}"


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda page: page.stem
)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", _without_code(page.read_text("utf-8"))):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.exists(), f"{page.name}: {target}"
        if anchor:
            assert anchor in _anchors(there), f"{page.name}: {target}"


def test_the_readme_is_read_in_a_minute() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 130


def _without_code(text: str) -> str:
    return re.sub(r"(?ms)^```.*?^```|`[^`\n]*`", "", text)


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"(?m)^#+ (.*)$", page.read_text("utf-8"))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
