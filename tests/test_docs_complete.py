"""Every name of the program that a user may type, set or read is explained in the documents."""

import ast
import json
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from documents import DOCS, README, ROOT, Reader
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, MORNING, NUMBER_CARD

from quizzer.app import failure
from quizzer.checker.load import NAMES
from quizzer.cli.command_line import app
from quizzer.cli.commands.verify import EXIT_CODES
from quizzer.cli.terminal import streams
from quizzer.notation.functions import WORDS
from quizzer.store import Store
from quizzer.store.sync import course_sums, postgres
from quizzer.values import Attempt, Dispute, Fact, Flag, Verdict

GROUP: Any = typer.main.get_command(app)
COMMANDS: dict[str, Any] = {
    name: GROUP.get_command(None, name) for name in GROUP.list_commands(None)
}
PAGES = {page.stem: page.read_text("utf-8") for page in (README, *DOCS.glob("*.md"))}


@cache
def sources() -> dict[Path, ast.Module]:
    paths = sorted((ROOT / "quizzer").rglob("*.py"))
    return {path: ast.parse(path.read_text("utf-8")) for path in paths}


def explained(*pages: str) -> set[str]:
    """What stands in backticks on these pages, and the words of it."""
    return set().union(*(quoted(PAGES[page]) for page in pages))


def quoted(text: str) -> set[str]:
    found = re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", text))
    return {*found, *(word for each in found for word in re.findall(r"[\w-]+", each))}


def section(name: str) -> str:
    """What `commands.md` says of a command: under its own heading, or in a row of a table."""
    page = PAGES["commands"]
    headings = re.findall(r"(?ms)^### ([^\n]+)\n(.*?)(?=^##)", page + "\n##")
    own = "".join(text for heading, text in headings if name in re.split(r"[ ,]+", heading))
    return own + "".join(re.findall(rf"(?m)^\| `{name}\b.*$", page))


def options(command: Any) -> list[str]:
    return [name for param in command.params for name in param.opts if name.startswith("-")]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_explained_with_it(name: str) -> None:
    filters = PAGES["commands"].partition("**Filters.**")[2].partition("**JSON.**")[0]
    text = section(name)
    assert text, f"commands.md does not explain {name}"
    text += filters if "filters" in text else ""
    for option in options(COMMANDS[name]):
        assert re.search(rf"`{option}\b", text), f"commands.md does not explain {name} {option}"


def test_every_option_of_all_commands_is_explained() -> None:
    for option in [*options(GROUP), "-h", "--help"]:
        assert f"`{option}" in PAGES["commands"]


def test_no_document_names_an_option_that_there_is_not() -> None:
    known = {option for command in (GROUP, *COMMANDS.values()) for option in options(command)}
    for page, text in PAGES.items():
        for line in re.findall(r"(?m)^\$ quizzer .*$|`quizzer [^`]*`|`--[a-z][^`]*`", text):
            for option in re.findall(r"(?<![\w-])--[a-z-]+", line):
                assert option in known | {"--help", "--folds"}, f"{page}: {option}"


def test_every_key_of_the_configuration_is_explained(reader: Reader) -> None:
    for table in ("", '[course."x"]\n'):
        found = known_keys(reader, table)
        assert "new_per_day" in found
        assert set(found) <= explained("configuration")


def known_keys(reader: Reader, table: str) -> list[str]:
    """The keys that the program names where it meets one that it does not know."""
    file = Path.home() / ".config/quizzer/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{table}qqqqqqqq = 1\n", "utf-8")
    printed, code = reader.run("quizzer config")
    assert code == 2
    return re.findall(r"\w+", printed.partition("known: ")[2])


def test_every_environment_variable_that_is_read_is_explained() -> None:
    found = set(environment_variables())
    assert {"QUIZZER_DECK", "QUIZZER_STORE", "QUIZZER_NOW", "NO_COLOR", "PAGER"} <= found
    assert found <= explained("configuration")


def environment_variables() -> Iterator[str]:
    """The constants by which `environ`, however it is passed on, is asked."""
    for tree in sources().values():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=of, attr="get"), args=[key, *_]):
                    pass
                case ast.Subscript(value=of, slice=key):
                    pass
                case _:
                    continue
            if isinstance(key, ast.Constant) and ast.unparse(of).endswith("environ"):
                yield str(key.value)


def test_every_name_of_a_checker_is_explained() -> None:
    table = PAGES["checkers"].partition("## Every name of a checker")[2].partition("##")[0]
    assert set(re.findall(r"(?m)^\| `(\w+)`", table)) == set(NAMES)


def test_every_code_is_explained() -> None:
    found = set(codes())
    assert {"sign", "rare-branch", "no-id", "tex-unknown", "ties"} <= found
    assert found <= explained("checkers", "cards")


def codes() -> Iterator[str]:
    """Codes of diagnoses, flaws and problems: the text among the arguments that looks like one."""
    makers = ("Diagnosis", "Flaw", "Problem", "_poor", "_error", "_warn", "warned")
    for tree in sources().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in makers:
                texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
                named = [text for text in texts if isinstance(text, str) and _is_code(text)]
                yield from named[:1]


def _is_code(text: str) -> bool:
    return re.fullmatch(r"[a-z]+(-[a-z]+)*", text) is not None


def test_every_function_of_the_notations_is_explained() -> None:
    assert WORDS - {"if", "else", "and", "or"} <= explained("notations")


def test_every_kind_of_event_and_what_it_holds_is_explained() -> None:
    table = PAGES["sync"].partition("| kind | body |")[2]
    for kind in get_args(Fact):
        row = re.search(rf"(?m)^\| .*`{kind.__name__.lower()}`.*$", table)
        assert row, kind
        for name in set(kind.__struct_fields__) - {"card"}:
            assert f"`{name}`" in row[0], f"{kind.__name__}: {name}"


def test_every_exit_code_is_explained() -> None:
    found = {0, streams.LOST, *EXIT_CODES.values(), *failure_codes(failure.Failure)}
    found |= {128 + getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM")}
    table = PAGES["commands"].partition("## Exit codes")[2]
    rows = re.findall(r"(?m)^\| (\d[\d, ]*) \|", table)
    assert {int(code) for row in rows for code in row.split(", ")} == found


def failure_codes(kind: type[failure.Failure]) -> Iterator[int]:
    yield kind.exit_code
    for below in kind.__subclasses__():
        yield from failure_codes(below)


JSON = {
    "rate": ["rate square good"],
    "verify": ["verify square 'dx = dy * x' --seed 1", "verify choice choice=B"],
    "due": ["due"],
    "list": ["list"],
    "map": ["map"],
    "show": ["show square", "show choice"],
    "history": ["history square"],
    "stats": ["stats --ahead", "stats --from postgresql://teacher@host/course"],
    "check": ["check"],
    "fit": ["fit"],
    "exam": ["exam ML"],
    "config": ["config"],
    "doctor": ["doctor"],
}
"""For each command that prints JSON, calls whose documents together have every key."""


def test_every_json_key_is_explained(
    reader: Reader, write_deck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(JSON) == {name for name, each in COMMANDS.items() if "--json" in options(each)}
    deck = write_deck(
        {
            "square.md": DERIVATION_CARD + "---\n",
            "square.py": CHECKER,
            "choice.md": CHOICE_CARD,
            "number.md": NUMBER_CARD,
            "broken.md": "---\nid: x\n",
        }
    )
    monkeypatch.setenv("QUIZZER_DECK", str(deck))
    events = a_history(reader)
    monkeypatch.setattr(course_sums, "totals", lambda address, cards: None)
    monkeypatch.setattr(postgres, "all_events", lambda address, cards: events)
    for name, calls in JSON.items():
        shown = {key for call in calls for key in keys(document(reader, call))}
        lacking = shown - quoted(with_sections_it_names(name))
        assert not lacking, f"{name} --json: {lacking}"
    lines = '{"card": "square", "name": "dx", "answer": "2 * x * dy"}\n{}\n'
    Path("answers.jsonl").write_text(lines, "utf-8")
    for line in reader.run("quizzer verify --batch answers.jsonl")[0].splitlines()[:2]:
        assert set(keys(json.loads(line))) <= quoted(with_sections_it_names("verify"))


def with_sections_it_names(name: str) -> str:
    """What is said of a command, and where it sends the reader for more keys."""
    text = section(name)
    for page, anchor in re.findall(r"\]\((\w+\.md)?#([\w-]+)\)", text):
        text += PAGES[page.removesuffix(".md")] if page else section(anchor)
    return text


def a_history(reader: Reader) -> list[tuple[str, Any]]:
    """A history that has something for every key to tell."""
    for command in ("rate square good", "rate choice again", "exam ML 2026-12-12"):
        assert reader.run(f"quizzer {command}")[1] == 0
    wrong = Attempt("square", "dx", "x", Verdict.WRONG, "sign", "numpy", 1, 9.0)
    dispute = Dispute("square", "dx", "x", Verdict.WRONG, 1)
    path = Path.home() / ".local/share/quizzer/history.db"
    with Store.open(path, MORNING) as store:
        store.record(wrong, dispute, Flag("choice", on=True), at=MORNING, day=MORNING.toordinal())
        return [("maria", event) for event in store.events()]


def document(reader: Reader, call: str) -> Any:
    printed, _ = reader.run(f"quizzer {call} --json")
    start = min(place for sign in "[{" if (place := printed.find(f"{sign}\n")) >= 0)
    return json.JSONDecoder().raw_decode(printed[start:])[0]


def keys(value: Any) -> Iterator[str]:
    """All keys but those that are data: dates, ids of cards, letters of options, courses."""
    if isinstance(value, list):
        for each in value:
            yield from keys(each)
    if isinstance(value, dict):
        for key, each in value.items():
            if not re.fullmatch(r"\d{4}-\d\d-\d\d|square|choice|number|[A-Z]|ml", key):
                yield key
            yield from keys(each)


def test_the_rooms_of_the_architecture_are_those_of_the_package() -> None:
    package = ROOT / "quizzer"
    there = {f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()}
    there |= {path.name for path in package.glob("[!_]*.py")}
    table = PAGES["architecture"].partition("## Rooms")[2].partition("Beside the package")[0]
    named = {
        name
        for row in re.findall(r"(?m)^\| (`.*?) \|", table)
        for name in re.findall(r"`(.*?)`", row)
    }
    assert {name for name in named if name.count("/") <= 1} == there
    for name in named:
        assert (package / name).exists(), name


def test_every_benchmark_is_named() -> None:
    text = PAGES["benchmarks"]
    for script in (ROOT / "benchmarks").glob("[!_]*.py"):
        assert script.name in text, script.name
    for name in re.findall(r"\b(\w+\.py)\b", text):
        assert name == "NAME.py" or (ROOT / "benchmarks" / name).exists(), name
