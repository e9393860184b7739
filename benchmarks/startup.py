"""How long commands take to start, beside the bare interpreter and a Typer hello-world.

Every row is the median of the same number of runs, taken in turns within this one run, so that the
ratios hold on a busy machine too. Run: .venv/bin/python benchmarks/startup.py
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
DECK = Path(__file__).parent.parent / "cards"
HELLO = "import typer\napp = typer.Typer()\n@app.command()\ndef hello(): print('hello')\napp()"


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "QUIZZER_DECK": str(DECK)}
        quizzer = [sys.executable, "-m", "quizzer"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
            "typer hello-world": [sys.executable, "-c", HELLO],
            "quizzer due": [*quizzer, "due"],
            "quizzer rate q-sigmoid good": [*quizzer, "rate", "q-sigmoid", "good"],
            "quizzer verify q-sigmoid": [*quizzer, "verify", "q-sigmoid", "dx=dy * y * (1 - y)"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                began = time.perf_counter()
                subprocess.run(command, env=environment, capture_output=True, check=True)
                times[name].append(time.perf_counter() - began)
    hello = statistics.median(times["typer hello-world"])
    numpy = statistics.median(times["python -c 'import numpy'"])
    print(f"{'':<30} {'median ms':>9} {'/ hello':>8} {'/ numpy':>8}")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:<30} {median * 1e3:9.0f} {median / hello:8.1f} {median / numpy:8.1f}")


if __name__ == "__main__":
    main()
