"""Fetches what a browser is sent and others wrote, as the manifests of two folders pin it.

Each package comes as the registry's archive, whose integrity is checked before anything is written.
"""

import base64
import fnmatch
import hashlib
import io
import os
import tarfile
import urllib.request
from pathlib import Path
from typing import Any

import tomlkit

ROOT = Path(__file__).parent.parent
FOLDERS = (ROOT / "quizzer" / "web" / "static" / "vendor", ROOT / "tests" / "vendor")
REGISTRY = os.environ.get("NPM_CONFIG_REGISTRY", "https://registry.npmjs.org").rstrip("/")


def main() -> None:
    for folder in FOLDERS:
        file = folder / "manifest.toml"
        manifest = tomlkit.parse(file.read_text("utf-8"))
        for name, package in manifest.items():
            assert isinstance(package, dict)
            package["files"] = write(folder / name, taken(archive(name, package), package["take"]))
        file.write_text(tomlkit.dumps(manifest), "utf-8")


def archive(name: str, package: Any) -> bytes:
    """The package's archive. Raises SystemExit where it is not the one that is pinned."""
    address = f"{REGISTRY}/{name}/-/{name}-{package['version']}.tgz"
    with urllib.request.urlopen(address) as response:
        data: bytes = response.read()
    method, _, wanted = package["integrity"].partition("-")
    if base64.b64encode(hashlib.new(method, data).digest()).decode() != wanted:
        raise SystemExit(f"{address} is not what the manifest pins: its {method} differs")
    return data


def taken(data: bytes, patterns: list[str]) -> dict[str, bytes]:
    """The files that are wanted, by their paths without `dist/`."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in tar:
            path = member.name.partition("/")[2]
            if member.isfile() and any(fnmatch.fnmatchcase(path, each) for each in patterns):
                content = tar.extractfile(member)
                assert content
                found[path.removeprefix("dist/")] = content.read()
    return found


def write(folder: Path, files: dict[str, bytes]) -> Any:
    """Write the files in place of those there; their hashes by path."""
    for old in sorted(folder.rglob("*"), reverse=True):
        old.rmdir() if old.is_dir() else old.unlink()
    hashes = tomlkit.table()
    for path, content in sorted(files.items()):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        hashes[path] = hashlib.sha256(content).hexdigest()
    return hashes


if __name__ == "__main__":
    main()
