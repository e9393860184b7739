"""Sessions of fifteen minutes on a pseudo-terminal: every form met, every rating saved and undone.

    python benchmarks/form_sessions.py [--sessions N] [--minutes M] [--think SECONDS]

A simulated learner sits down once a day with the starter deck. They read worked solutions, look for
the wrong line one by one, give up its correction, missing lines and blank pages, rate one card of
four Again, and take back the first rating that they gave in each form. They think for a few seconds
before they rate: short forms are made in that time. What the screens said is held against the
exported history.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from pseudo_terminal import ALT_ENTER, Terminal, environment  # noqa: E402

FIRST = datetime.fromisoformat("2026-11-20T09:00:00+01:00")
PROMPTS = {
    "rate": r"1-4 rates, .*\? ",
    "worked": r"Enter shows .*\? the keys ",
    "slip": r"which line is wrong\? ",
    "mend": r"the line, corrected: ",
    "missing": r"the missing line: ",
    "early": r"Take it \[n\]ow, or \[q\]uit\? ",
    "tick": r"did you have it\? .* ",
    "blank": r"(?:[^\s=]+ = |which of .*\? |number: )",
}
FORMS = ("worked", "slip", "missing", "blank")
PROMPT = re.compile(rf"(?m)^(?:{'|'.join(f'(?P<{n}>{p})' for n, p in PROMPTS.items())})\Z")


class Learner:
    """Plays sessions, and counts what the screens say."""

    def __init__(self, think: float) -> None:
        self.rng, self.think = Random(0), think
        self.saved, self.undone = Counter[str](), Counter[str]()
        self.undo = ""
        """The form of the last rating, if it is to be taken back: perhaps in the next session."""

    def play(self, terminal: Terminal) -> None:
        """One session, to its end."""
        form, line = "blank", 0
        while asked := self._prompt(terminal):
            if self.undo and asked in FORMS:
                terminal.send("\x1bu" if asked != "worked" else "u")
                terminal.shows(r"took back \w+ on ")
                self.undone[self.undo] += 1
                form, self.undo = self.undo, ""
                continue
            match asked:
                case "rate":
                    time.sleep(self.think)
                    terminal.send(self.rng.choice("1333"))
                    terminal.shows(r"saved: \w+, again in")
                    self.saved[form] += 1
                    self.undo = "" if self.undone[form] else form
                    form, line = "blank", 0
                case "worked":
                    here = re.split(r"saved: \w+|took back \w+", terminal.text)[-1]
                    form = "worked" if "A worked solution" in here else form
                    terminal.send("\r")
                case "slip":
                    form, line = "slip", line + 1
                    terminal.send(str(line) + ALT_ENTER)
                    terminal.shows(r"(?:found|not that one)")
                case "early":
                    terminal.send("q")
                case "tick":
                    terminal.send("y")
                case _:
                    form = asked if asked == "missing" else form
                    terminal.send("\x1br")

    def _prompt(self, terminal: Terminal) -> str | None:
        """What the program asks, None at its end."""
        terminal.until(
            lambda: terminal.ended or bool(PROMPT.search(terminal.screen.before_cursor)), "a prompt"
        )
        found = None if terminal.ended else PROMPT.search(terminal.screen.before_cursor)
        return found.lastgroup if found else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=10, metavar="N")
    parser.add_argument("--minutes", type=int, default=15, metavar="M")
    parser.add_argument("--think", type=float, default=4, metavar="SECONDS")
    wanted = parser.parse_args()
    learner, started = Learner(wanted.think), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for day in range(wanted.sessions):
            now = (FIRST + timedelta(days=day)).isoformat()
            env = environment(home, now, PYTHONPATH=str(ROOT))
            options = ("--deck", ROOT / "cards", "--minutes", str(wanted.minutes), "--plain")
            program = (sys.executable, "-m", "quizzer")
            with Terminal("review", *options, env=env, rows=60, program=program) as terminal:
                learner.play(terminal)
                said = re.findall(r"(?m)^(?:\d+ ratings? on|Tomorrow:).*", terminal.text)
                print(f"day {day + 1}: {' '.join(said)}", flush=True)
        command = [sys.executable, "-m", "quizzer", "export", "-"]
        told = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
    kept = Counter[str]()
    for line in map(json.loads, told.splitlines()):
        if line.get("kind") == "review":
            kept[line["body"].get("form", "blank")] += 1
        kept["undo"] += line.get("kind") == "undo"
    print(f"{'':<10}{'saved':>8}{'in the log':>12}{'taken back':>12}")
    for form in FORMS:
        print(f"{form:<10}{learner.saved[form]:>8}{kept[form]:>12}{learner.undone[form]:>12}")
    print(f"undos in the log: {kept['undo']}; {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
