"""A real PostgreSQL server that lives as long as the tests, in a folder of its own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest where there are several."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    named = shutil.which("initdb")
    return found[-1].parent if found else Path(named).parent if named else None


class PostgresServer:
    """Started and stopped by a test; whoever runs the tests may be connected to it."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._data = folder / "data"
        self._folder = folder
        self._user = _ordinary_user()
        self._process: subprocess.Popen[bytes] | None = None
        self._names = count(1)
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        if self._user:
            shutil.chown(folder, self._user["user"])
        subprocess.run(
            [
                *(programs / "initdb", "-D", self._data, "-A", "trust", "-U", "teacher"),
                *("-E", "UTF8", "--no-sync", "--locale=C.UTF-8"),
            ],
            cwd=folder,
            check=True,
            capture_output=True,
            **self._user,
        )

    def start(self) -> None:
        """Start it, unless it runs."""
        if self._process:
            return
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self._folder,
            "fsync": "off",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *options],
                cwd=self._folder,
                stdout=log,
                stderr=log,
                **self._user,
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.address("postgres")).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        """At once, as a machine that loses its power."""
        if self._process:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    def address(self, database: str) -> str:
        return f"postgresql://teacher:chalk@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"course_{next(self._names)}"
        with closing(psycopg.connect(self.address("postgres"), autocommit=True)) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)


def running() -> Iterator[PostgresServer]:
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL here; on Debian: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="quizzer-"))
    try:
        server = PostgresServer(found, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _ordinary_user() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid():
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": user.pw_name, "group": user.pw_gid, "extra_groups": []}
