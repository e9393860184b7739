"""`verify --batch`: the real program, answers as JSON lines in, a verdict a line out."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine
from samples import CHECKER, card_text

from quizzer.cli.commands.verify_batch import MAX_LINE

LINEAR = """
import numpy as np
answers = {"dx": "backward message", "dw": "parameter message"}
wrong = {"dx": {"The weights are missing.": "np.outer(dy, np.ones_like(w))"}}

def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m)), "w": rng.standard_normal(m)}

def forward(x, w):
    return {"y": x @ w}
"""
DX = {"card": "linear", "name": "dx", "answer": "np.outer(dy, w)"}
DW = {"card": "linear", "name": "dw", "answer": "x.T @ dy"}
SQUARE = {"card": "square", "name": "dx", "answer": "2 * x * dy"}
WRONG = {**SQUARE, "answer": "x * dy"}
LOOP = {**DX, "answer": "def dx(w, dy):\n    while True:\n        pass"}
MINUTE = 60.0


@pytest.fixture
def deck(write_deck: Callable[..., Path], deck: Path) -> Path:
    write_deck(
        {
            "linear.md": card_text("linear"),
            "linear.py": LINEAR,
            "linear_2.md": card_text("line-two"),
            "patient.md": card_text("patient"),
            "patient.py": LINEAR.replace("import numpy as np", "import numpy as np\nseconds = 30"),
            "faulty.md": card_text("faulty"),
            "faulty.py": CHECKER.replace("x**2", "x / 0"),
        }
    )
    return deck


@dataclass(frozen=True, slots=True)
class Ran:
    """How a whole batch ended."""

    code: int
    lines: list[dict[str, Any]]
    err: str


@pytest.fixture
def batch(cli: CommandLine, deck: Path) -> Callable[..., Ran]:
    """Run the program on lines, each an object or raw bytes."""

    def run(lines: Sequence[object], *argv: object, end: bytes = b"\n") -> Ran:
        data = b"".join(each if isinstance(each, bytes) else dumped(each) + end for each in lines)
        ran = cli("verify", "--batch", "-", "--deck", deck, *argv, stdin=data)
        return Ran(ran.code, [json.loads(line) for line in ran.out.splitlines()], ran.err)

    return run


@pytest.fixture
def talk(here: Path, deck: Path) -> Iterator[Callable[..., "subprocess.Popen[bytes]"]]:
    """Start the program with pipes to talk through; none is left in the end."""
    begun: list[tuple[subprocess.Popen[bytes], threading.Timer]] = []

    def start() -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "quizzer", "verify", "--batch", "-", "--deck", str(deck)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        ends = threading.Timer(MINUTE, process.kill)  # what never answers, must not hang the tests
        ends.start()
        begun.append((process, ends))
        return process

    yield start
    for process, ends in begun:
        ends.cancel()
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                with contextlib.suppress(OSError):  # what nobody will read any more
                    stream.close()


def dumped(line: object) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode()


def asked(process: "subprocess.Popen[bytes]", line: object) -> Any:
    """The answer to one request, written and flushed, while the input stays open."""
    assert process.stdin and process.stdout
    process.stdin.write(dumped(line) + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def outcomes(ran: Ran) -> list[str]:
    return [line.get("verdict", "error") for line in ran.lines]


def test_every_line_gets_its_verdict_in_order_with_its_id(batch: Callable[..., Ran]) -> None:
    lines = [
        {**WRONG, "id": "ada"},
        {**DX, "id": 17},
        {**DW, "answer": "x.T @", "id": 2.5},
        {"id": "ada", **DW},
        SQUARE,
    ]
    ran = batch(lines * 6)
    assert ran.code == 0
    assert [line["id"] for line in ran.lines] == ["ada", 17, 2.5, "ada", None] * 6
    assert outcomes(ran) == ["wrong", "correct", "invalid", "correct", "correct"] * 6
    assert [line["line"] for line in ran.lines] == [*range(1, 31)]
    assert "30 answers: 18 correct, 6 wrong, 6 invalid" in ran.err


@pytest.mark.parametrize(
    "line",
    [
        DX,
        WRONG,
        {**SQUARE, "name": "∂L/∂x_i", "answer": "2 x_i δ_i"},
        {**DX, "name": "dx[i,j]", "answer": "dy_i w_j"},
        {**DX, "name": "dz"},
        {**DX, "answer": "  np.outer(dy, q)"},
        {**DX, "answer": " a = dy\n  np.outer(a, q)"},
        {"card": "choice", "name": "choice", "answer": "A"},
        {"card": "number", "name": "number", "answer": "1/4"},
        {"card": "faulty", "name": "dx", "answer": "1"},
        {"card": "squ", "name": "dx", "answer": "x * dy", "notation": "matrix"},
    ],
)
def test_a_line_says_what_verify_says_of_the_same_answer(
    batch: Callable[..., Ran], cli: CommandLine, deck: Path, line: dict[str, str]
) -> None:
    (found,) = batch([{**line, "seed": 11, "id": None}]).lines
    notation = ["--notation", line["notation"]] if "notation" in line else []
    typed = f"{line['name']}={line['answer']}"
    ran = cli("verify", line["card"], typed, "--seed", 11, "--json", *notation, "--deck", deck)
    expected = ran.json
    for answer in expected["answers"]:  # whose places count from the beginning of NAME=ANSWER
        if answer["line"] == 1 and answer["column"]:
            answer["column"] -= len(line["name"]) + 1
    assert found == {"id": None, "line": 1, **expected}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "not valid JSON at column 2"),
        (b'{"card": NaN}', "not valid JSON: NaN"),
        (b'{"seed": ' + b"1" * 5000 + b"}", "too many digits"),
        (b"[" * 50_000, "nested too deeply"),
        (b'"text"', "must be an object"),
        (b'{"card": "\xff"}', "not valid UTF-8 at byte 11"),
        ("{}".encode("utf-16"), "not valid UTF-8"),
        (b'{"card": "a", "card": "b"}', "`card` appears twice"),
        (b'{"card": "' + b"a" * MAX_LINE + b'"}', f"longer than {MAX_LINE:,} bytes"),
    ],
)
def test_what_is_no_object_gives_an_error_in_its_place_and_costs_the_others_nothing(
    batch: Callable[..., Ran], line: bytes, said: str
) -> None:
    ran = batch([{**DX, "id": 1}, line + b"\n", {**DX, "id": 2}])
    assert (ran.code, outcomes(ran)) == (3, ["correct", "error", "correct"])
    assert said in ran.lines[1]["error"]
    assert ran.lines[1].keys() == {"id", "line", "error"}
    assert [line["line"] for line in ran.lines] == [1, 2, 3]
    assert [line["id"] for line in ran.lines] == [1, None, 2]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"card": None}, "`card` is missing"),
        ({"name": None}, "`name` is missing"),
        ({"answer": None}, "`answer` is missing"),
        ({"card": 3}, "`card` must be a string"),
        ({"name": ["dx"]}, "`name` must be a string"),
        ({"answer": 3}, "`answer` must be a string"),
        ({"card": " "}, "`card` is empty"),
        ({"name": ""}, "`name` is empty"),
        ({"name": "d" * 1001}, "`name` is longer than 1,000 characters"),
        ({"seed": -1}, "`seed` must be"),
        ({"seed": True}, "`seed` must be"),
        ({"seed": "1"}, "`seed` must be"),
        ({"notation": "nunpy"}, "did you mean `numpy`?"),
        ({"notation": 1}, "`notation` must be a string"),
        ({"card": "squre"}, "did you mean square?"),
        ({"card": "lin"}, "2 ids begin with lin"),
        ({"card": "\0"}, "no card has the id"),
        ({"card": "open"}, "no checker, no key"),
        ({"card": "choice"}, "asks for `choice`"),
    ],
)
def test_a_line_that_cannot_be_judged_says_why_under_its_own_id(
    batch: Callable[..., Ran], change: dict[str, object], said: str
) -> None:
    ran = batch([{**DX, **change, "id": "ada"}, {**DX, "id": "bob"}])
    assert (ran.code, outcomes(ran)) == (3, ["error", "correct"])
    assert [line["id"] for line in ran.lines] == ["ada", "bob"]
    assert said in ran.lines[0]["error"]


@pytest.mark.parametrize("given", [b"[1]", b"true", b"1e999", b'{"a": 1}'])
def test_an_id_that_is_no_string_and_no_number_is_an_error(
    batch: Callable[..., Ran], given: bytes
) -> None:
    ran = batch([dumped(DX)[:-1] + b', "id": ' + given + b"}\n"])
    assert (ran.code, ran.lines[0]["id"]) == (3, None)
    assert "`id` must be" in ran.lines[0]["error"]


def test_blank_lines_are_passed_over_but_counted(batch: Callable[..., Ran]) -> None:
    ran = batch([b"\n", DX, b"  \t\n", b"\r\n", b"no\n", b"\n"])
    assert [(line["line"], "error" in line) for line in ran.lines] == [(2, False), (5, True)]


def test_no_lines_at_all_are_no_error(batch: Callable[..., Ran]) -> None:
    ran = batch([])
    assert (ran.code, ran.lines) == (0, [])


def test_files_of_windows_and_a_last_line_without_an_end_are_read(
    batch: Callable[..., Ran],
) -> None:
    answer = "a = dy\r\nnp.outer(a, w)"
    ran = batch([b"\xef\xbb\xbf", DX, {**DX, "answer": answer}], end=b"\r\n")
    assert outcomes(ran) == ["correct", "correct"]
    assert outcomes(batch([DX, dumped(DW)])) == ["correct", "correct"]


def test_answers_and_ids_may_hold_any_character(batch: Callable[..., Ran]) -> None:
    odd = "é\u2028\x85\U0001f600\ud800\x1b"
    line = json.dumps({**DX, "answer": f"{odd} w", "id": odd}).encode() + b"\n"
    ran = batch([line, DX])
    assert outcomes(ran) == ["invalid", "correct"]
    assert ran.lines[0]["id"] == odd


def test_a_broken_checker_is_a_verdict_too(batch: Callable[..., Ran]) -> None:
    ran = batch([{"card": "faulty", "name": "dx", "answer": "1"}, DX])
    assert (ran.code, outcomes(ran)) == (0, ["broken", "correct"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        LOOP["answer"],
        "def dx(w, dy):\n    np.lib._npyio_impl.os._exit(7)",
        "def dx(w, dy):\n    np.lib._npyio_impl.os.abort()",
        "np.ones((1 << 40,))",
        "9**9**9**9 * np.outer(dy, w)",
    ],
)
def test_an_answer_that_hangs_or_kills_its_process_is_invalid_and_the_others_are_not(
    batch: Callable[..., Ran], text: str
) -> None:
    other = {**DX, "answer": "dy_i w_j"}
    ran = batch([DX, {**DX, "answer": text}, DX, other, DW, SQUARE])
    assert outcomes(ran) == ["correct", "invalid", *["correct"] * 4]
    assert ran.code == 0


def test_no_answer_sees_what_another_did_to_its_process(batch: Callable[..., Ran]) -> None:
    spoiling = "def dx(w, dy):\n    np.outer.__globals__['asarray'] = None\n    np.outer = None\n"
    lines = [{**DX, "answer": f"{spoiling}    return dy"}, DX, DX, DW] * 3
    assert outcomes(batch(lines))[1::4] == ["correct"] * 3


def test_one_seed_is_drawn_for_all_lines_and_said(batch: Callable[..., Ran]) -> None:
    ran = batch([DX, WRONG, DW])
    (seed,) = {line["seed"] for line in ran.lines}
    assert f"--seed {seed}" in ran.err
    assert batch([DX, WRONG, DW], "--seed", seed).lines == ran.lines


def test_seed_and_notation_of_the_command_line_are_for_lines_that_say_none(
    batch: Callable[..., Ran],
) -> None:
    lines = [WRONG, {**WRONG, "seed": 2}, {**WRONG, "seed": None}]
    first, other, none = batch(lines, "--seed", 1).lines
    assert [first["seed"], other["seed"], none["seed"]] == [1, 2, 1]
    assert first["answers"] == none["answers"] != other["answers"]
    ran = batch([SQUARE, {**SQUARE, "notation": "numpy"}], "--notation", "matrix")
    assert [line["answers"][0]["notation"] for line in ran.lines] == ["matrix", "numpy"]


def test_a_request_is_answered_while_the_input_stays_open(
    talk: Callable[..., "subprocess.Popen[bytes]"],
) -> None:
    process = talk()
    for number, (line, verdict) in enumerate([(DX, "correct"), (WRONG, "wrong")] * 3, 1):
        found = asked(process, {**line, "id": number})
        assert (found["id"], found["verdict"]) == (number, verdict)
    assert "`card` is missing" in asked(process, {})["error"]
    assert process.stdin
    process.stdin.close()
    assert process.wait(MINUTE) == 3


def test_a_line_comes_out_before_a_slow_one_after_it_is_done(
    talk: Callable[..., "subprocess.Popen[bytes]"],
) -> None:
    process = talk()
    slow = {**LOOP, "card": "patient", "id": 2}
    assert process.stdin and process.stdout
    process.stdin.write(dumped({**DX, "id": 1}) + b"\n" + dumped(slow) + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    process.send_signal(signal.SIGINT)  # with the slow one under way
    assert process.wait(MINUTE) == 130
    assert process.stdout.read() == b""


def test_ctrl_c_ends_it_quietly_with_its_processes(
    talk: Callable[..., "subprocess.Popen[bytes]"],
) -> None:
    process = talk()
    asked(process, DX)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert children
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=MINUTE)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert not any(Path(f"/proc/{child}").exists() for child in children)


def test_a_reader_who_goes_away_ends_it_quietly(
    talk: Callable[..., "subprocess.Popen[bytes]"],
) -> None:
    process = talk()
    asked(process, DX)
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(dumped(DX) + b"\n")
    process.stdin.flush()  # and the input stays open
    assert process.wait(MINUTE) == 0
    assert process.stderr.read() == b""


def test_a_full_disk_is_told(here: Path, deck: Path) -> None:
    (here / "answers.jsonl").write_bytes(dumped(DX))
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "quizzer", "verify", "--batch", "answers.jsonl"]
        ran = subprocess.run([*command, "--deck", deck], stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == 7
    assert b"no room left on the disk" in ran.stderr and b"Traceback" not in ran.stderr


def test_answers_come_from_a_file_or_a_pipe_with_a_name(
    cli: CommandLine, deck: Path, here: Path
) -> None:
    (here / "answers.jsonl").write_bytes(dumped(DX) + b"\n" + dumped(WRONG) + b"\n")
    ran = cli.ok("verify", "--batch", "answers.jsonl", "--deck", deck)
    assert [json.loads(line)["verdict"] for line in ran.out.splitlines()] == ["correct", "wrong"]
    os.mkfifo(here / "pipe")
    with subprocess.Popen(["sh", "-c", "cat answers.jsonl > pipe"]):
        assert cli.ok("verify", "--batch", "pipe", "--deck", deck).out.count("\n") == 2


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--batch", "gone.jsonl"], "gone.jsonl: cannot be read: No such file"),
        (["--batch", "."], "cannot be read: Is a directory"),
        (["square", "--batch", "-"], "--batch reads cards and answers from its file"),
        (["--from", "x", "--batch", "-"], "--batch reads cards and answers from its file"),
        (["--batch", "-", "--notation", "latex"], "no notation `latex`"),
        ([], "--batch"),
    ],
)
def test_what_goes_with_no_batch_is_a_usage_error(
    cli: CommandLine, deck: Path, argv: list[str], said: str
) -> None:
    ran = cli("verify", *argv, "--deck", deck)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_without_a_deck_no_line_is_read(cli: CommandLine, here: Path) -> None:
    assert cli("verify", "--batch", "-", "--deck", here / "gone", stdin="{}\n").code == 4


def test_a_batch_writes_nothing(cli: CommandLine, deck: Path, here: Path) -> None:
    stdin = dumped(DX).decode()
    cli.ok("verify", "--batch", "-", "--deck", deck, "--store", here / "none.db", stdin=stdin)
    assert list(here.iterdir()) == []


def test_the_help_names_it(cli: CommandLine) -> None:
    assert "--batch FILE" in cli.ok("verify", "--help").out
