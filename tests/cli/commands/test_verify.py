"""`verify`: answers are judged without a session, and nothing is written."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import workers
from command_line import CommandLine, Ran
from samples import CHECKER, card_text

from quizzer.checker import SERVICE
from quizzer.sandbox.worker import Completed, Worker
from tests.derived import card_of

LINEAR = """
answers = {"dx": "backward message", "dw": "parameter message"}
symbols = {"w": "ω"}
assume = "n > 1"

def sample(rng):
    n, m = rng.choice([2, 3, 4, 5], size=2, replace=False)
    return {"x": rng.standard_normal((n, m)), "w": rng.standard_normal(m)}

def forward(x, w):
    return {"y": x @ w}
"""


@pytest.fixture
def deck(write_deck: Callable[..., Path], deck: Path) -> Path:
    write_deck({"linear.md": card_text("linear"), "linear.py": LINEAR})
    return deck


def verdicts(ran: Ran) -> dict[str, str]:
    return {answer["name"]: answer["verdict"] for answer in ran.json["answers"]}


@pytest.mark.parametrize(
    ("answers", "code", "verdict"),
    [
        (["dx=np.outer(dy, w)", "dw=x.T @ dy"], 0, "correct"),
        (["dx=np.outer(dy, w)", "dw=x.T @ y"], 1, "wrong"),
        (["dx=w", "dw=x.T @"], 3, "invalid"),
        (["dx=dy w^T", "dw[m]=sum(n) dy[n] x[n,m]"], 0, "correct"),
        (["dx[i,j]=dy_i w_j", "dw_j = Σ_i dy_i x_{ij}"], 0, "correct"),
    ],
)
def test_the_worst_verdict_is_the_verdict_and_gives_the_exit_code(
    cli: CommandLine, deck: Path, answers: list[str], code: int, verdict: str
) -> None:
    ran = cli("verify", "linear", *answers, "--json", "--deck", deck)
    assert (ran.code, ran.json["verdict"]) == (code, verdict), ran.out
    assert list(verdicts(ran)) == ["dx", "dw"]
    assert ran.json["suggested_rating"] == {0: "good", 1: "again", 3: None}[code]


def test_only_the_names_given_are_judged_and_the_others_told(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "linear", "dw=x.T @ dy", "--json", "--deck", deck)
    assert (ran.code, verdicts(ran)) == (0, {"dw": "correct"})
    assert (ran.json["missing"], ran.json["suggested_rating"]) == (["dx"], None)
    plain = cli("verify", "linear", "dw=x.T @ dy", "--deck", deck)
    assert (plain.out, plain.code) == ("dw: correct\n", 0)
    assert "also asked: dx" in plain.err


@pytest.mark.parametrize("source", ["file", "-"])
def test_answers_come_from_a_file_or_standard_input(
    cli: CommandLine, deck: Path, here: Path, source: str
) -> None:
    text = "# dx\ng = np.outer(dy, w)\n# a helper line came first\ng\n\n# dw\nx.T @ dy\n"
    (here / "file").write_text(text, "utf-8")
    ran = cli("verify", "linear", "--from", source, "--json", "--deck", deck, stdin=text)
    assert verdicts(ran) == {"dx": "correct", "dw": "correct"}, ran.out


def test_arguments_and_a_file_add_up(cli: CommandLine, deck: Path) -> None:
    ran = cli(
        "verify", "linear", "dw=x.T @ dy", "--from", "-", "--json", "--deck", deck,
        stdin="# dx\nnp.outer(dy, w)\n",
    )  # fmt: skip
    assert (ran.code, ran.json["missing"]) == (0, [])


def test_a_seed_repeats_the_judgement_to_the_letter(cli: CommandLine, deck: Path) -> None:
    def judged(*argv: object) -> Any:
        return cli("verify", "linear", "dw=3 * x.T @ y", "--json", *argv, "--deck", deck).json

    first = judged()
    assert judged("--seed", first["seed"]) == first
    assert judged("--seed", 1)["answers"] != judged("--seed", 2)["answers"]


def test_a_wrong_array_is_shown_beside_what_is_expected(cli: CommandLine, deck: Path) -> None:
    wrong = ("verify", "square", "dx=2*x*dy + (x == x[0])", "--seed", 1, "--deck", deck)
    ran = cli(*wrong)
    assert re.search(r"(?m)^  dx\[0 to \d\]\n  got +expected\n  ≠ *\S+ +≠ *\S+$", ran.out)
    (answer,) = cli(*wrong, "--json").json["answers"]
    view = answer["view"]
    assert re.fullmatch(r"dx\[0 to \d\]", view["slice"])
    assert [differs for (differs,) in view["differs"]] == [True] + [False] * (len(view["got"]) - 1)
    assert view["got"][0][0] == pytest.approx(view["expected"][0][0] + 1)
    assert view["got"][1:] == [[pytest.approx(number)] for (number,) in view["expected"][1:]]


@pytest.mark.parametrize("answer", ["2*x*dy", "2*x*dx", "np.outer(x, dy)"])
def test_right_unreadable_and_misshapen_answers_have_no_view(
    cli: CommandLine, deck: Path, answer: str
) -> None:
    ran = cli("verify", "square", f"dx={answer}", "--json", "--deck", deck)
    assert ran.json["answers"][0]["view"] is None


def test_a_notation_may_be_forced(cli: CommandLine, deck: Path) -> None:
    answer = ("verify", "square", "dx=2*x*dy", "--json", "--deck", deck)
    assert cli(*answer).json["answers"][0]["notation"] == "numpy"
    assert cli(*answer, "--notation", "matrix").json["answers"][0]["notation"] == "matrix"
    ran = cli(*answer, "--notation", "nunpy")
    assert ran.code == 2 and "did you mean `numpy`?" in ran.err


def test_without_an_answer_it_says_what_is_asked(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "linear", "--deck", deck)
    assert (ran.code, ran.out) == (2, "")
    for said in ("dx", "backward message, shape (", "dw", "parameter message", "dy", "n > 1"):
        assert said in ran.err
    assert 'quizzer verify linear "dx = ..."' in ran.err
    assert 'quizzer verify choice "choice = ..."' in cli("verify", "choice", "--deck", deck).err


def test_an_unknown_name_is_invalid_and_told_the_nearest(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "linear", "dxx=1", "--json", "--deck", deck)
    assert (ran.code, verdicts(ran)) == (3, {"dxx": "invalid"})
    assert "dx" in ran.json["answers"][0]["message"]
    assert ran.json["missing"] == ["dx", "dw"]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["linear", "dx=1", "dx[i,j]=2"], "`dx` is answered twice"),
        (["linear", "x.T @ dy"], "write NAME=ANSWER"),
        (["linear", "--from", "gone.txt"], "gone.txt: cannot be read"),
        (["linear", "--seed", "-1", "dx=1"], "--seed"),
        (["choice", "number=3"], "choice=3"),
        (["number", "dx=3"], "number=3"),
        (["open", "dx=1"], "nothing that can be judged"),
        (["open"], "quizzer show open"),
    ],
)
def test_what_cannot_be_judged_is_a_usage_error(
    cli: CommandLine, deck: Path, argv: list[str], said: str
) -> None:
    ran = cli("verify", *argv, "--deck", deck)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("choice=B", 0), ("choice = b", 0), ("choice=A", 1), ("choice=B, C", 1), ("choice=D", 3),
        ("number=0.25", 0), ("number=1/4", 0), ("number=0.31", 1), ("number=-0.25", 1),
        ("number=many", 3),
    ],
)  # fmt: skip
def test_cards_without_a_checker_are_judged_by_their_key(
    cli: CommandLine, deck: Path, answer: str, code: int
) -> None:
    card = answer.partition("=")[0].strip()
    ran = cli("verify", card, answer, "--json", "--deck", deck)
    assert (ran.code, list(verdicts(ran))) == (code, [card])


@pytest.mark.parametrize(
    "source",
    [
        "import nothing_of_this_name\n",
        CHECKER.replace("x**2", "x / 0"),
        "",
    ],
)
def test_a_broken_checker_is_exit_code_4_and_its_authors_fault(
    cli: CommandLine, deck: Path, source: str
) -> None:
    (deck / "square.py").write_text(source, "utf-8")
    ran = cli("verify", "square", "dx=1", "--json", "--deck", deck)
    assert cli("verify", "square", "--deck", deck).code == 4
    assert (ran.code, ran.json["verdict"]) == (4, "broken")
    assert ran.json["answers"][0]["message"]
    assert ran.json["suggested_rating"] is None


@pytest.mark.parametrize(
    ("answer", "place", "line", "column"),
    [
        ("dx=np.outer(dy, q)", "column 17", 1, 17),
        ("dx=a = dy\nnp.outer(a, q)", "line 2, column 13", 2, 13),
        ("dx=a = q\nnp.outer(a, w)", "line 1, column 8", 1, 8),
        ("dx[i,j]=dy_i q_j", "column 14", 1, 14),
        ("∂L/∂x_{ij} =  dy_i q_j", "column 20", 1, 20),
    ],
)
def test_an_answer_that_cannot_be_read_is_told_with_the_place(
    cli: CommandLine, deck: Path, answer: str, place: str, line: int, column: int
) -> None:
    ran = cli("verify", "linear", answer, "--deck", deck)
    assert ran.out.startswith(f"dx: invalid at {place}: q is not a known name.")
    told = cli("verify", "linear", answer, "--json", "--deck", deck).json["answers"][0]
    assert (told["line"], told["column"]) == (line, column)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# dx_ij\ndy_i q_j\n", "line 2, column 6"),
        ("# dw\nx.T @ dy\n\n# dx_{ij}\n\n  dy_i *\n  q_j\n", "line 7, column 3"),
        ("# dx_ij\ndy_i w_j q_j ?", "line 2, column 14"),
        ("# dx_ij\nΣ_l dy_l w_k\n", "line 2, column 12"),
    ],
)
def test_a_place_in_a_file_is_the_one_that_an_editor_shows(
    cli: CommandLine, deck: Path, here: Path, text: str, place: str
) -> None:
    (here / "answers").write_text(text, "utf-8")
    ran = cli("verify", "linear", "--from", "answers", "--deck", deck)
    assert f"dx: invalid at {place}: " in ran.out
    line, column = map(int, re.findall(r"\d+", place))
    told = cli("verify", "linear", "--from", "answers", "--json", "--deck", deck).json["answers"]
    assert (told[-1]["line"], told[-1]["column"]) == (line, column)


def test_a_verdict_is_readable_on_a_terminal(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "linear", "dx=dy", "dz=1", "dw=-x.T @ dy", "--deck", deck)
    lines = ran.out.splitlines()
    assert lines[0].startswith("dx: wrong: ")
    assert lines[1].startswith("dz: invalid: ")
    assert any(line.startswith("dw: wrong: ") for line in lines)
    assert "?." not in ran.out and ".." not in ran.out.replace("...", "")


def test_verify_writes_nothing(cli: CommandLine, deck: Path, here: Path) -> None:
    cli("verify", "square", "dx=1", "--deck", deck, "--store", here / "none.db")
    assert list(here.iterdir()) == []


def test_a_right_answer_takes_one_stage_for_the_problem_and_one_for_the_answer(
    cli: CommandLine, deck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: list[str] = []
    lent = workers.lend(SERVICE)
    lent.close()
    used = type(lent)
    exchange = used.exchange

    def noted(worker: Worker, message: bytes, seconds: float) -> Completed:
        stages.append(message.partition(b"\n")[0].decode())
        return exchange(worker, message, seconds)

    monkeypatch.setattr(used, "exchange", noted)
    for _ in range(2):
        assert cli("--deck", deck, "verify", "linear", "dw=x.T @ dy").code == 0
    assert stages == ["scout", "pose", "evaluate", "pose", "evaluate"]


def test_an_answer_with_readings_that_differ_is_invalid_and_all_are_told(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    deck = write_deck({"square.md": card_text("square"), "square.py": CHECKER})
    text = "dx_i = 2 dy_i / x_i x_i x_i"
    ran = cli("verify", "square", text, "--json", "--deck", deck)
    (answer,) = ran.json["answers"]
    assert (ran.code, answer["diagnosis"]["code"]) == (3, "ambiguous")
    assert answer["readings"] == [
        "dx[i] = ((2 dy[i]) / x[i]) x[i] x[i]",
        "dx[i] = 2 dy[i] / (x[i] x[i] x[i])",
    ]
    told = cli("verify", "square", text, "--deck", deck).out
    assert told.startswith("dx: invalid at column 15: What does this slash divide by?")
    assert all(f"  read as {reading}?" in told for reading in answer["readings"])


def test_how_an_answer_was_read_is_told_as_text_and_as_latex(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "linear", "dx_ij = dy_i w_j", "dw = x.T @ dy", "--json", "--deck", deck)
    indexed, python = ran.json["answers"]
    assert indexed["reading"] == "dx[i, j] = dy[i] w[j]"
    assert indexed["latex"].startswith(r"\mathrm{dx}_{i, j} = ")
    assert (python["reading"], python["latex"]) == ("x.T @ dy", None)
    assert "readings" not in indexed
    ran = cli("verify", "linear", "dx = q", "--json", "--deck", deck)
    assert ran.json["answers"][0]["reading"] is None


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("dw_j = Σ_i dy_i x_ij, since y_i = Σ_j x_ij w_j", "since y_i = Σ_j x_ij w_j"),
        ("dw = x^T dy (by the chain rule)", "(by the chain rule)"),
        (r"dw = x^\top dy \quad \text{since } \sum_k w_k = 1", r"since \sum_k w_k = 1"),
        ("dw[j] = sum_i dy_i x_ij\nby the rule of the chain", "by the rule of the chain"),
    ],
)
def test_remarks_are_told_as_set_aside(cli: CommandLine, deck: Path, text: str, aside: str) -> None:
    ran = cli("verify", "linear", text, "--deck", deck)
    assert ran.out == f"dw: correct\n  set aside: {aside}\n"
    ran = cli("verify", "linear", "dw = x^T dy", "--deck", deck)
    assert ran.out == "dw: correct\n"


def test_of_several_lines_the_first_wrong_one_is_named(
    cli: CommandLine, write_deck: Callable[..., Path]
) -> None:
    root = write_deck({"softmax.md": card_of("softmax_jacobian").read_text("utf-8")})
    lines = ["∂L/∂z_j = Σ_k δ_k ∂p_k/∂z_j", "= Σ_k δ_k p_k ([k=j] - p_k)"]
    card, right = "q-softmax-jacobian", "= p_j (δ_j - Σ_k δ_k p_k)"
    wrong = cli("verify", card, "dz=" + "\n".join(lines), "--deck", root)
    assert wrong.code == 1
    assert re.search(r"^  Line 2 is wrong: .*Line 1 is right\. At z = ", wrong.out, re.MULTILINE)
    ran = cli("verify", card, "dz=" + "\n".join([*lines, right]), "--deck", root)
    assert ran.code == 0, "the verdict is the result's"
    assert "Line 2 is wrong" in ran.out and "Line 3 is right again." in ran.out
    told = cli("verify", card, "dz=" + "\n".join([*lines, right]), "--deck", root, "--json").json
    (answer,) = told["answers"]
    assert [(each["line"], each["verdict"]) for each in answer["lines"]] == [
        (1, "right"),
        (2, "wrong"),
        (3, "right-again"),
    ]
    single = cli("verify", card, f"dz {right}", "--deck", root, "--json").json
    assert "lines" not in single["answers"][0]


def test_a_derivation_may_begin_with_any_line_and_settles_all_that_it_reaches(
    cli: CommandLine, deck: Path
) -> None:
    text = "r_i = 2 dy_i\ndx_ij = 1/2 r_i w_j\ndw_j = Σ_i dy_i x_{ij}"
    ran = cli.ok("verify", "linear", text, "--json", "--deck", deck)
    assert verdicts(ran) == {"dx": "correct", "dw": "correct"}
    given = cli.ok("verify", "linear", text, "dw = x^T dy", "--json", "--deck", deck)
    assert verdicts(given) == {"dx": "correct", "dw": "correct"}
    wrong = cli("verify", "linear", text.replace("1/2", "1/3"), "--json", "--deck", deck)
    assert wrong.code == 1 and verdicts(wrong) == {"dx": "wrong", "dw": "correct"}


def test_a_derivation_that_reaches_nothing_asked_says_why_a_line_was_not_judged(
    cli: CommandLine, deck: Path
) -> None:
    """The name on the left needs the index that the right side has: a sum would be wrong here."""
    ran = cli("verify", "linear", "r = y_n dy_n\ndx_{ni} = r w_i", "--deck", deck)
    assert ran.code == 3
    assert "Line 1 was not judged: Index n is on the right" in ran.out
    assert "put it on the left, too, or sum(n) before it" in ran.out
    followed = "r_n = y_n dy_n\ndx_{ni} = r_n w_i / y_n"
    assert cli("verify", "linear", followed, "--deck", deck).code == 0
    lost = cli("verify", "linear", "r = y_n dy_n\ns_i = 3 r", "--deck", deck)
    assert "None of these lines gives what is asked: dx, dw. Line 1 was not judged" in lost.out


def test_a_derivation_that_reaches_nothing_asked_is_invalid(cli: CommandLine, deck: Path) -> None:
    ran = cli("verify", "linear", "r_i = 2 dy_i\ns_i = 3 r_i", "--json", "--deck", deck)
    assert ran.code == 3 and set(verdicts(ran).values()) == {"invalid"}
    both = ("dx = dy w^T", "dw = x^T dy", "r_i = 2 dy_i\ns_i = r_i")
    assert "all that is asked is answered" in cli("verify", "linear", *both, "--deck", deck).err
