"""What a stranger gets: the wheel, installed into an empty environment far from the checkout."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from pseudo_terminal import PROGRAM, environment

CHECKOUT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


def run(*command: str | Path, env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True)


def make(*command: str | Path) -> None:
    """Run a command that must succeed, with this machine's own settings and caches."""
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    if (uv := BIN / "uv").exists():
        make(uv, "build", "--wheel", "--quiet", "--out-dir", folder, CHECKOUT)
    else:
        make(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, CHECKOUT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program `quizzer` in an environment that holds nothing but the wheel and its needs."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    if (uv := BIN / "uv").exists():
        make(uv, "venv", "--quiet", "--python", sys.executable, place)
        make(uv, "pip", "install", "--quiet", "--python", place / "bin" / "python", wheel)
    else:
        make(sys.executable, "-m", "venv", place)
        make(place / "bin" / "python", "-m", "pip", "install", "--quiet", wheel)
    return place / "bin" / "quizzer"


def test_the_wheel_holds_the_package_the_cards_and_the_licence_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "quizzer/cli/main.py" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    folders = {name.split("/")[0] for name in names}
    assert {name for name in folders if not name.endswith(".dist-info")} == {"quizzer"}
    tracked = {path for path in (CHECKOUT / "cards").rglob("*") if path.suffix in (".md", ".py")}
    shipped = {name for name in names if name.startswith("quizzer/cards/")}
    assert {f"quizzer/{path.relative_to(CHECKOUT).as_posix()}" for path in tracked} <= shipped
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_installed_program_finds_its_starter_deck_and_says_so(
    installed: Path, tmp_path: Path
) -> None:
    env = environment(tmp_path)
    version = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["version"]
    assert run(installed, "--version", env=env, cwd=tmp_path).stdout == f"quizzer {version}\n"
    due = run(installed, "due", env=env, cwd=tmp_path)
    assert due.returncode == 0
    assert "the starter deck" in due.stderr
    assert due.stdout.startswith("q-")
    listed = run(installed, "list", "--json", env=env, cwd=tmp_path)
    assert str(installed.parent.parent) in listed.stdout
    assert str(CHECKOUT) not in listed.stdout


@pytest.mark.parametrize(("answer", "code"), [("dx = dy * y * (1 - y)", 0), ("dx = dy * y", 1)])
def test_the_installed_program_judges_answers(
    installed: Path, tmp_path: Path, answer: str, code: int
) -> None:
    done = run(installed, "verify", "q-sigmoid", answer, env=environment(tmp_path), cwd=tmp_path)
    assert done.returncode == code, done.stderr


def test_the_installed_program_copies_its_starter_deck_and_the_copy_is_then_in_use(
    installed: Path, tmp_path: Path
) -> None:
    env = environment(tmp_path)
    assert run(installed, "init", "mydeck", env=env, cwd=tmp_path).returncode == 0
    copied = {path.name for path in (tmp_path / "mydeck").rglob("*") if path.is_file()}
    assert {"sigmoid.md", "sigmoid.py"} <= copied
    assert run(installed, "use", "mydeck", env=env, cwd=tmp_path).returncode == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    listed = run(installed, "list", "--json", env=env, cwd=elsewhere)
    assert str(tmp_path / "mydeck") in listed.stdout
    judged = run(installed, "verify", "q-sigmoid", "dx = dy * y", env=env, cwd=elsewhere)
    assert judged.returncode == 1, judged.stderr


def test_from_the_checkout_the_starter_deck_is_found_too(tmp_path: Path) -> None:
    listed = run(PROGRAM, "list", "--json", env=environment(tmp_path), cwd=tmp_path)
    assert str(CHECKOUT / "cards") in listed.stdout
