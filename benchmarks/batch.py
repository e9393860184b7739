"""How long `verify --batch` takes for a class: 1,000 answers to 20 cards, in any order.

The answers are the starter cards' own, right ones and known mistakes and the same off by a factor.
Once as a class gives them, many alike; once all different, by blanks that change nothing. Whole
processes, in turns with `import numpy`, so that the ratio holds on a busy machine.
Run: .venv/bin/python benchmarks/batch.py
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from corpus.reading import module

DECK = Path(__file__).parent.parent / "cards"
TWINS = Path(__file__).parent.parent / "tests/python_deck"
CARDS, EACH = 20, 50
ROUNDS = 5
SEED = 7


def main() -> None:
    rng = random.Random(SEED)
    alike = _answers(rng)
    kinds = {"as a class gives them": alike, "all different": list(_all_different(alike, rng))}
    times: dict[str, list[float]] = {"import numpy": [], **{name: [] for name in kinds}}
    verdicts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "QUIZZER_DECK": str(DECK)}
        for name, answers in kinds.items():
            Path(home, name).write_text("\n".join(map(json.dumps, answers)), "utf-8")
        for _ in range(ROUNDS):
            times["import numpy"].append(_taken([sys.executable, "-c", "import numpy"])[0])
            for name in kinds:
                command = [sys.executable, "-m", "quizzer", "verify", "--batch", Path(home, name)]
                taken, out = _taken([*map(str, command), "--seed", str(SEED)], environment)
                times[name].append(taken)
                verdicts[name] = Counter(json.loads(line)["verdict"] for line in out.splitlines())
    numpy = statistics.median(times["import numpy"])
    heads = ("answers", "cards", "different", "median s", "ms each", "/ numpy")
    print(f"{f'{ROUNDS} processes each':<24}", *(f"{head:>10}" for head in heads))
    for name, answers in kinds.items():
        seconds = statistics.median(times[name])
        cards = len({answer["card"] for answer in answers})
        different = len({tuple(answer.values()) for answer in answers})
        print(
            f"{name:<24} {len(answers):>10} {cards:>10} {different:>10} {seconds:>10.2f}",
            f"{seconds / len(answers) * 1e3:>10.1f} {seconds / numpy:>10.1f}",
        )
        print(f"  {', '.join(f'{n} {verdict}' for verdict, n in verdicts[name].items())}")
    print(f"{'import numpy':<24} {'':>32} {numpy:>10.2f}")


def _answers(rng: random.Random) -> list[dict[str, str]]:
    """So many answers to so many cards, in random order."""
    paths = rng.sample(sorted(TWINS.rglob("*.py")), CARDS)
    answers = []
    for path in paths:
        pool = list(_pool(module(path)))
        card = str((DECK / path.relative_to(TWINS)).with_suffix(".md"))
        answers += [
            {"card": card, "name": name, "answer": text}
            for name, text in (rng.choice(pool) for _ in range(EACH))
        ]
    rng.shuffle(answers)
    return answers


def _pool(checker: object) -> Iterator[tuple[str, str]]:
    for name, texts in getattr(checker, "right", {}).items():
        yield from ((name, text) for text in texts)
    for name, claims in getattr(checker, "wrong", {}).items():
        for text in claims.values():
            if isinstance(text, str):
                yield name, text
                if "\n" not in text and "=" not in text:
                    yield name, f"({text}) * 1.5"


def _all_different(answers: list[dict[str, str]], rng: random.Random) -> Iterator[dict[str, str]]:
    seen: set[tuple[str, ...]] = set()
    for answer in answers:
        different = answer
        while tuple(different.values()) in seen:
            different = answer | {"answer": _spaced(different["answer"], rng)}
        seen.add(tuple(different.values()))
        yield different


def _spaced(text: str, rng: random.Random) -> str:
    """The text with one blank more, where there is one within a line, or before an operator."""
    places = [i for i in range(1, len(text)) if text[i] in " +*/)" and text[i - 1] not in "\n *"]
    if not places:
        return f"({text})"
    at = rng.choice(places)
    return f"{text[:at]} {text[at:]}"


def _taken(command: list[str], environment: dict[str, str] | None = None) -> tuple[float, str]:
    began = time.perf_counter()
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - began
    assert ran.returncode == 0, ran.stderr
    return taken, ran.stdout


if __name__ == "__main__":
    main()
