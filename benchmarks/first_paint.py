"""How long a session takes until you can read, and until you can type.

`quizzer review` on the starter deck starts on a pseudo-terminal in an empty home that has been
used once, as on any morning but the first; the clock runs from the start of the process until the
question's header stands on the screen, and until the prompt does: of a worked solution, which may
ask for a prediction, and of a blank page. Beside it the bare interpreter and the import of the two
libraries that the face is made with, in turns within this one run, so that the ratios hold on a
busy machine too. Run: .venv/bin/python benchmarks/first_paint.py
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pexpect

ROUNDS = 15
DECK = Path(__file__).parent.parent / "cards"
IMPORTS = "import rich.markdown, prompt_toolkit"
HEADER = "1 of "
PROMPTS = {"worked": "Enter shows the next step", "blank": r"d\w+ ="}
"""By the form in which the first card comes."""


def main() -> None:
    taken: dict[str, list[float]] = {"python -c pass": [], f"python -c '{IMPORTS}'": []}
    bare, libraries = taken.values()
    with ExitStack() as homes:
        environments = {
            form: _environment(homes.enter_context(tempfile.TemporaryDirectory()), form)
            for form in PROMPTS
        }
        for form, environment in environments.items():
            taken |= {f"{form}: first paint": [], f"{form}: prompt": []}
            _start(environment, PROMPTS[form])
        for _ in range(ROUNDS):
            bare.append(_run("pass"))
            libraries.append(_run(IMPORTS))
            for form, environment in environments.items():
                painted, asked = _start(environment, PROMPTS[form])
                taken[f"{form}: first paint"].append(painted)
                taken[f"{form}: prompt"].append(asked)
    unit = statistics.median(libraries)
    print(f"{'':<52} {'median ms':>9} {'least ms':>9} {'/ imports':>9}")
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"{name:<52} {median * 1e3:9.0f} {min(times) * 1e3:9.0f} {median / unit:9.2f}")


def _environment(home: str, form: str) -> dict[str, str]:
    """A home in which cards come in this form."""
    config = Path(home) / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'forms = ["{form}"]\n', "utf-8")
    return {**os.environ, "HOME": home, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}


def _start(environment: dict[str, str], prompt: str) -> tuple[float, float]:
    """Seconds from the start of a session until its first header, and until its prompt."""
    with _session(environment) as (child, began):
        child.expect(HEADER)
        painted = time.perf_counter() - began
        child.expect(prompt)
        return painted, time.perf_counter() - began


def _run(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began


@contextmanager
def _session(environment: dict[str, str]) -> Iterator[tuple["pexpect.spawn[str]", float]]:
    """A session on a terminal of 80 columns, and when it was started; killed in the end."""
    arguments = ["-m", "quizzer", "review", "--deck", str(DECK)]
    began = time.perf_counter()
    child = pexpect.spawn(
        sys.executable, arguments, env=environment, dimensions=(50, 80), encoding="utf-8"
    )
    try:
        yield child, began
    finally:
        child.close(force=True)


if __name__ == "__main__":
    main()
