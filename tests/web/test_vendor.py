"""What others wrote and the browser is sent: exactly the files of the manifest, byte for byte."""

import base64
import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

import quizzer

PAGES = Path(quizzer.__path__[0]) / "web" / "static" / "vendor"
TESTS = Path(__file__).parent.parent / "vendor"
PACKAGES: dict[Path, dict[str, Any]] = {
    folder / name: package
    for folder in (PAGES, TESTS)
    for name, package in tomllib.loads((folder / "manifest.toml").read_text("utf-8")).items()
}
each = pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.name)


@each
def test_every_file_is_the_one_that_the_manifest_names_and_there_is_no_other(folder: Path) -> None:
    there = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert there == PACKAGES[folder]["files"]


@each
def test_a_package_is_pinned_to_a_version_and_an_archive_and_brings_its_licence(
    folder: Path,
) -> None:
    package = PACKAGES[folder]
    method, _, digest = package["integrity"].partition("-")
    assert (method, len(base64.b64decode(digest))) == ("sha512", 64)
    assert package["version"] and package["licence"]
    assert "LICENSE" in package["files"]


def test_nothing_lies_beside_the_packages() -> None:
    for folder in (PAGES, TESTS):
        own = {each.name for each in PACKAGES if each.parent == folder}
        assert {path.name for path in folder.iterdir()} == {"manifest.toml", *own}
