"""What a stranger gets: the wheel, installed into an empty environment far from the checkout."""

import hashlib
import os
import re
import shutil
import ssl
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pseudo_terminal import PROGRAM, environment

CHECKOUT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


def stranger(home: Path, installed: Path) -> dict[str, str]:
    """The environment of somebody who has no checkout; the installed deck is read once."""
    cache = {"XDG_CACHE_HOME": str(installed.parents[1] / "cache")}
    return {k: v for k, v in (environment(home) | cache).items() if k != "PYTHONPATH"}


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
    make(sys.executable, "-m", "venv", "--without-pip", place)
    pip = (sys.executable, "-m", "pip", "--python", place, "install", "--quiet")
    make(*pip, "--no-compile", wheel)  # of the packages only what runs is compiled, when it does
    return place / "bin" / "quizzer"


@pytest.mark.parametrize("kind", ["user", "web", "dev", "lock"])
def test_the_lock_names_no_host_and_every_hash(kind: str) -> None:
    pins = locked(kind)
    assert pins
    for line in pins:
        assert re.match(r"[a-z0-9-]+==[\w.]+( ; [^\\]+)? --hash=sha256:[0-9a-f]{64}", line), line
    assert "://" not in text_of(kind)


def test_the_lock_holds_what_the_program_and_its_developers_need() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    asked = {
        "user": project["project"]["dependencies"] + groups["build"],
        "dev": [
            *project["project"]["dependencies"],
            *extras["postgres"],
            *extras["web"],
            *(each for each in groups["dev"] if isinstance(each, str)),
        ],
        "web": project["project"]["dependencies"] + groups["build"] + extras["web"],
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
    for kind in ("user", "web", "dev"):
        held = [Requirement(line.partition(" --hash")[0]) for line in locked(kind)]
        names = [each.name for each in held if each.marker is None or each.marker.evaluate(system)]
        assert len(set(names)) == len(names), "no package twice"
        assert {"numpy", "typer"} <= set(names)
        assert ("colorama" in names) == (platform == "win32")


def test_setting_up_needs_pip_alone_and_asks_it_for_hashes() -> None:
    rules = (CHECKOUT / "Makefile").read_text("utf-8").split("\n\n")
    for target in (".venv/.user:", ".venv/.web:", ".venv/.dev:"):
        (rule,) = (rule for rule in rules if rule.startswith(target))
        assert "--require-hashes" in rule and "uv" not in rule
    assert not (CHECKOUT / "uv.lock").exists()


def test_ctrl_c_ends_what_make_started_without_an_error() -> None:
    rules = (CHECKOUT / "Makefile").read_text("utf-8").split("\n\n")
    for target in ("review:", "serve:"):
        (rule,) = (rule for rule in rules if rule.startswith(target))
        assert rule.endswith("|| [ $$? -eq 130 ]")


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


@pytest.mark.slow
def test_the_installed_program_finds_its_starter_deck_and_says_so(
    installed: Path, tmp_path: Path
) -> None:
    env = stranger(tmp_path, installed)
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
    done = run(
        installed, "verify", "q-sigmoid", answer, env=stranger(tmp_path, installed), cwd=tmp_path
    )
    assert done.returncode == code, done.stderr


def test_the_installed_program_copies_its_starter_deck_and_the_copy_is_then_in_use(
    installed: Path, tmp_path: Path
) -> None:
    env = stranger(tmp_path, installed)
    assert run(installed, "init", "mydeck", env=env, cwd=tmp_path).returncode == 0
    copied = {path.name for path in (tmp_path / "mydeck").rglob("*") if path.is_file()}
    assert {"sigmoid.md", "info.json"} <= copied
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


BACKEND = """
import os, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "derivation_quizzer-0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        about = "Metadata-Version: 2.1\\nName: derivation-quizzer\\nVersion: 0\\n"
        wheel.writestr("derivation_quizzer-0.dist-info/METADATA", about)
        kind = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
        wheel.writestr("derivation_quizzer-0.dist-info/WHEEL", kind)
        wheel.writestr("derivation_quizzer-0.dist-info/RECORD", "")
    return name
"""
"""What builds: the company of the tests has one package, and quizzer needs nothing else."""


@dataclass(frozen=True, slots=True)
class Company:
    """An index of its own, behind certificates of its own; what it was asked for."""

    index: str
    certificate: Path
    asked: list[str]


@pytest.fixture
def company(tmp_path: Path) -> Iterator[Company]:
    served = tmp_path / "simple" / "hatchling"
    served.mkdir(parents=True)
    with zipfile.ZipFile(served / "hatchling-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("hatchling/__init__.py", "")
        wheel.writestr("hatchling/build.py", BACKEND)
        about = "Metadata-Version: 2.1\nName: hatchling\nVersion: 1.0\n"
        wheel.writestr("hatchling-1.0.dist-info/METADATA", about)
        kind = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr("hatchling-1.0.dist-info/WHEEL", kind)
        wheel.writestr("hatchling-1.0.dist-info/RECORD", "")
    certificate, key = tmp_path / "company.pem", tmp_path / "key.pem"
    make(
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        *("-keyout", key, "-out", certificate),
    )
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *words: object) -> None:
            asked.append(self.path)

    handler = partial(Handler, directory=str(tmp_path / "simple"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, daemon=True).start()
        yield Company(f"https://localhost:{server.server_port}/", certificate, asked)
        server.shutdown()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what sets up, with the environment that it makes before it asks an index."""
    copy = tmp_path_factory.mktemp("begun")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(CHECKOUT / name, copy)
    make("make", "-C", copy, f"PYTHON={sys.executable}", ".venv/.pip")
    return copy


SetUp = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def set_up(begun: Path, company: Company, tmp_path: Path) -> SetUp:
    """`make` goes on in a copy whose lock holds what the company has."""
    copy = tmp_path / "copy"
    shutil.copytree(begun, copy, symlinks=True)
    (copy / "requirements").mkdir()
    (wheel,) = tmp_path.glob("simple/*/*.whl")

    def go_on(digest: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        digest = digest or hashlib.sha256(wheel.read_bytes()).hexdigest()
        pin = f"hatchling==1.0 \\\n    --hash=sha256:{digest}\n"
        (copy / "requirements" / "user.txt").write_text(pin, "utf-8")
        env = {
            **{"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull},
            **{"PIP_INDEX_URL": company.index, "PIP_RETRIES": "0", **environ},
        }
        return run("make", f"PYTHON={sys.executable}", ".venv/.user", env=env, cwd=copy)

    return go_on


needs_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl")


@pytest.mark.slow
@needs_openssl
def test_a_company_s_index_and_certificates_are_enough_to_set_up(
    set_up: SetUp, company: Company
) -> None:
    done = set_up(SSL_CERT_FILE=str(company.certificate))
    assert done.returncode == 0, done.stderr
    assert "/hatchling/" in company.asked


@pytest.mark.slow
@needs_openssl
def test_without_the_company_s_certificates_it_is_said_where_to_name_them(
    set_up: SetUp,
) -> None:
    done = set_up()
    assert done.returncode != 0
    assert "PIP_CERT" in done.stdout and "PIP_INDEX_URL" in done.stdout


@pytest.mark.slow
@needs_openssl
def test_a_package_that_is_not_the_locked_one_is_refused(set_up: SetUp, company: Company) -> None:
    done = set_up(digest="0" * 64, PIP_CERT=str(company.certificate))
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr.upper()
