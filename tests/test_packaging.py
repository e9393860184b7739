"""What a stranger gets: the wheel, installed into an empty environment far from the checkout."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
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
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation")
    make(*pip, "--wheel-dir", folder, CHECKOUT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program `quizzer` in an environment that holds nothing but the wheel and its needs."""
    place = tmp_path_factory.mktemp("installed") / "venv"
    make(sys.executable, "-m", "venv", place)
    make(place / "bin" / "python", "-m", "pip", "install", "--quiet", wheel)
    return place / "bin" / "quizzer"


@pytest.mark.parametrize("kind", ["user", "dev", "lock"])
def test_the_lock_names_no_host_and_every_hash(kind: str) -> None:
    pins = locked(kind)
    assert pins
    for line in pins:
        assert re.match(r"[a-z0-9-]+==[\w.]+( ; [^\\]+)? --hash=sha256:[0-9a-f]{64}", line), line
    assert "://" not in text_of(kind)


def test_the_lock_holds_what_the_program_and_its_developers_need() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    groups = project["dependency-groups"]
    asked = {
        "user": project["project"]["dependencies"] + groups["build"],
        "dev": [
            *project["project"]["dependencies"],
            *project["project"]["optional-dependencies"]["postgres"],
            *(each for each in groups["dev"] if isinstance(each, str)),
        ],
        "lock": groups["lock"],
    }
    for kind, needs in asked.items():
        pins: dict[str, list[str]] = {}
        for line in locked(kind):
            name, version = line.split()[0].split("==")
            pins.setdefault(name, []).append(version)
        for need in map(Requirement, needs):
            versions = pins.get(canonicalize_name(need.name), [])
            assert versions and all(map(need.specifier.contains, versions)), f"{kind}: {need}"


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0", "3.14.0"])
def test_the_lock_is_for_every_system_and_python(platform: str, python: str) -> None:
    system = {"sys_platform": platform, "python_full_version": python, "python_version": python[:4]}
    for kind in ("user", "dev"):
        held = [Requirement(line.partition(" --hash")[0]) for line in locked(kind)]
        names = [each.name for each in held if each.marker is None or each.marker.evaluate(system)]
        assert len(set(names)) == len(names), "no package twice"
        assert {"numpy", "typer"} <= set(names)
        assert ("colorama" in names) == (platform == "win32")


def test_setting_up_needs_pip_alone_and_asks_it_for_hashes() -> None:
    rules = (CHECKOUT / "Makefile").read_text("utf-8").split("\n\n")
    for target in (".venv/.user:", ".venv/.dev:"):
        (rule,) = (rule for rule in rules if rule.startswith(target))
        assert "--require-hashes" in rule and "uv" not in rule
    assert not (CHECKOUT / "uv.lock").exists()


def text_of(kind: str) -> str:
    return (CHECKOUT / "requirements" / f"{kind}.txt").read_text("utf-8")


def locked(kind: str) -> list[str]:
    """The pins of a requirement file, each with its hashes on one line."""
    return re.sub(r" *\\\n *", " ", text_of(kind)).splitlines()


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
