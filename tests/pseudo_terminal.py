"""The real program on a pseudo-terminal, and what a person would see of it."""

import os
import re
import signal
import sys
import termios
import time
import unicodedata
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pexpect

PROGRAM = Path(sys.executable).with_name("quizzer")
PATIENCE = 30.0
"""Seconds to wait for what must come; generous, as tests run on busy machines."""
PAUSE = 0.05
"""Seconds without output after which a screen counts as drawn."""

ALT_ENTER = "\x1b\r"
CTRL_C, CTRL_D, CTRL_E, CTRL_S = "\x03", "\x04", "\x05", "\x13"
F4, UP = "\x1bOS", "\x1b[A"

_TOKENS = re.compile(
    r"\x1b\[(?P<arguments>[0-?]*)[ -/]*(?P<final>[@-~])"
    r"|\x1b\].*?(?:\x07|\x1b\\)|\x1b[()].|\x1b[=>78cM]"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])|(?P<text>[^\x00-\x1f\x7f]+)"
)


class Screen:
    """What a terminal shows after the bytes fed to it, scrolled-off lines included."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.row = self.column = 0
        self._top = 0
        self._lines: list[list[str]] = [[]]
        self._unread = ""

    def feed(self, data: str) -> None:
        self._unread += data
        while match := _TOKENS.match(self._unread):
            self._unread = self._unread[match.end() :]
            if match["text"]:
                self._write(match["text"])
            elif match["control"]:
                self._control(match["control"])
            elif match["final"]:
                self._sequence(match["final"], match["arguments"])

    @property
    def text(self) -> str:
        """Everything that stands, the oldest line first."""
        return "\n".join("".join(line).rstrip() for line in self._lines)

    @property
    def before_cursor(self) -> str:
        """Everything up to the cursor."""
        here = self._top + self.row
        above = ["".join(line).rstrip() for line in self._lines[:here]]
        return "\n".join([*above, "".join(self._padded(self._lines[here])[: self.column])])

    def _padded(self, line: list[str]) -> list[str]:
        return line + [" "] * (self.column - len(line))

    @property
    def _line(self) -> list[str]:
        here = self._top + self.row
        self._lines += [[] for _ in range(here + 1 - len(self._lines))]
        return self._lines[here]

    def _write(self, text: str) -> None:
        for sign in text:
            if unicodedata.combining(sign) and self.column:
                self._line[self.column - 1] += sign
                continue
            if self.column >= self.columns:
                self.column = 0
                self._down()
            cells = [sign, ""] if unicodedata.east_asian_width(sign) in "WF" else [sign]
            line = self._line
            line += [" "] * (self.column - len(line))
            line[self.column : self.column + len(cells)] = cells
            self.column += len(cells)

    def _down(self) -> None:
        if self.row < self.rows - 1:
            self.row += 1
        else:
            self._top += 1
        _ = self._line

    def _control(self, sign: str) -> None:
        match sign:
            case "\r":
                self.column = 0
            case "\n":
                self._down()
            case "\b":
                self.column = max(0, self.column - 1)
            case "\t":
                self.column = min(self.columns - 1, self.column // 8 * 8 + 8)

    def _sequence(self, final: str, arguments: str) -> None:
        numbers = [int(n) if n.isdigit() else 0 for n in arguments.split(";")]
        first = numbers[0]
        match final:
            case "A":
                self.row = max(0, self.row - (first or 1))
            case "B":
                self.row = min(self.rows - 1, self.row + (first or 1))
            case "C":
                self.column = min(self.columns - 1, self.column + (first or 1))
            case "D":
                self.column = max(0, self.column - (first or 1))
            case "G":
                self.column = max(0, first - 1)
            case "H":
                self.row = max(0, first - 1)
                self.column = max(0, (numbers[1] if len(numbers) > 1 else 0) - 1)
            case "K":
                del self._line[self.column if first == 0 else 0 :]
            case "J":
                _ = self._line
                if first == 0:
                    del self._line[self.column :]
                below = self._top + (self.row + 1 if first == 0 else 0)
                self._lines[below:] = [[] for _ in self._lines[below:]]
        _ = self._line


class Terminal:
    """One run of quizzer on a terminal; a context manager that leaves no process behind."""

    def __init__(
        self,
        *arguments: str | Path,
        env: Mapping[str, str],
        rows: int = 50,
        columns: int = 100,
        cwd: Path | None = None,
        program: Sequence[str | Path] = (PROGRAM,),
    ) -> None:
        command = [str(word) for word in (*program, *arguments)]
        self._child = self._start(command, env, cwd, (rows, columns))
        self.screen = Screen(rows, columns)
        self.raw = ""
        self.ended = False
        self._at_last_key = ("", (0, 0))

    def _start(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        cwd: Path | None,
        dimensions: tuple[int, int],
    ) -> Any:
        with warnings.catch_warnings():
            # Forking under pytest-xdist, which has threads: the child does nothing before exec.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = pexpect.spawn(
                command[0],
                command[1:],
                env=dict(env),
                cwd=cwd,
                dimensions=dimensions,
                encoding="utf-8",
                codec_errors="replace",
            )
        child.delaybeforesend = None
        child.delayafterclose = child.ptyproc.delayafterclose = 0.01
        child.ptyproc.delayafterterminate = 0.01
        return child

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                self._child.close(force=True)
                return
            except pexpect.ExceptionPexpect:
                # A busy machine takes its time to bury what was killed.
                if time.monotonic() > ends:
                    raise
                time.sleep(0.05)

    @property
    def pid(self) -> int:
        pid: int = self._child.pid
        return pid

    @property
    def text(self) -> str:
        """What stands on the screen once it is drawn to its end: a frame arrives in pieces."""
        ends = time.monotonic() + 1
        while not self.ended and self._read(PAUSE) and time.monotonic() < ends:
            pass
        return self.screen.text

    def send(self, keys: str) -> None:
        """Type; what is waited for afterwards must come after the screen has changed."""
        self._at_last_key = self._now()
        self._child.send(keys)

    def answer(self, text: str, sent_with: str = ALT_ENTER) -> None:
        """Type an answer, or paste it if it has several lines, and send it."""
        self.send((f"\x1b[200~{text}\x1b[201~" if "\n" in text else text) + sent_with)

    def prompt(self, pattern: str) -> re.Match[str]:
        """Wait until the cursor stands behind this, at the end of a line that begins with it,
        and keys reach the program as they are pressed."""
        found = re.compile(rf"(?m)^(?:{pattern})\Z")
        self.until(
            lambda: bool(found.search(self.screen.before_cursor)) and self._reads_keys(), pattern
        )
        match = found.search(self.screen.before_cursor)
        assert match
        return match

    def shows(self, pattern: str) -> re.Match[str]:
        """Wait until this stands on the screen and did not at the last key; return the newest."""
        found = re.compile(rf"(?m){pattern}")
        before = len(found.findall(self._at_last_key[0]))
        self.until(lambda: len(found.findall(self.screen.text)) > before, pattern)
        return [*found.finditer(self.text)][-1]

    def until(self, holds: Callable[[], bool], wanted: str = "") -> None:
        """Read the program's output until this holds; fail with the screen where it never does."""
        ends = time.monotonic() + PATIENCE
        while not (self._now() != self._at_last_key and holds()):
            if time.monotonic() > ends or (self._read() is None and not holds()):
                raise AssertionError(f"waited in vain for {wanted!r}; the screen:\n{self.text}")

    def resize(self, rows: int, columns: int) -> None:
        self.screen.rows, self.screen.columns = rows, columns
        self._child.setwinsize(rows, columns)

    def ends(self) -> int:
        """Wait for the program's end; its exit code, or less the number of the fatal signal."""
        ends = time.monotonic() + PATIENCE
        while self._read() is not None:
            assert time.monotonic() < ends, f"it does not end; the screen:\n{self.text}"
        self._child.wait()
        if self._child.signalstatus is not None:
            return -int(self._child.signalstatus)
        return int(self._child.exitstatus or 0)

    def kill(self) -> None:
        """The program's end without a warning."""
        os.kill(self.pid, signal.SIGKILL)
        assert self.ends() == -signal.SIGKILL

    def _reads_keys(self) -> bool:
        """Whether the terminal's own line editing is off."""
        return not termios.tcgetattr(self._child.child_fd)[3] & termios.ICANON

    def _now(self) -> tuple[str, tuple[int, int]]:
        return self.screen.text, (self.screen.row, self.screen.column)

    def _read(self, seconds: float = 0.2) -> str | None:
        """Take what the program writes within this time; None at its end."""
        data: str
        try:
            data = self._child.read_nonblocking(65536, timeout=seconds)
        except pexpect.TIMEOUT:
            return ""
        except pexpect.EOF:
            self.ended = True
            return None
        self.raw += data
        self.screen.feed(data)
        return data


def environment(home: Path, now: str = "", **more: str) -> dict[str, str]:
    """A clean environment of a learner whose home directory this is.

    A PYTHONPATH stays: it says which copy of the program is tested.
    """
    return {
        **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ},
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        **({"QUIZZER_NOW": now} if now else {}),
        **more,
    }
