"""What others wrote and the browser is sent: exactly the files of the manifest, byte for byte."""

import base64
import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

import quizzer

VENDOR = Path(quizzer.__path__[0]) / "web" / "static" / "vendor"
MANIFEST: dict[str, Any] = tomllib.loads((VENDOR / "manifest.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", MANIFEST)
def test_every_file_is_the_one_that_the_manifest_names_and_there_is_no_other(name: str) -> None:
    there = {
        path.relative_to(VENDOR / name).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (VENDOR / name).rglob("*")
        if path.is_file()
    }
    assert there == MANIFEST[name]["files"]


@pytest.mark.parametrize("name", MANIFEST)
def test_a_package_is_pinned_to_a_version_and_its_archive_and_brings_its_licence(name: str) -> None:
    package = MANIFEST[name]
    method, _, digest = package["integrity"].partition("-")
    assert (method, len(base64.b64decode(digest))) == ("sha512", 64)
    assert package["version"] and package["licence"]
    assert "LICENSE" in package["files"]


def test_nothing_lies_beside_the_packages() -> None:
    assert {path.name for path in VENDOR.iterdir()} == {"manifest.toml", *MANIFEST}
