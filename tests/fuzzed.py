"""What reads strangers' bytes, kind by kind: each run reads one mutation, and must not raise."""

import contextlib
import io
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random

from msgspec.structs import replace
from mutations import forged, mutated
from samples import CHECKER, CHOICE_CARD, DERIVATION_CARD, MORNING, NUMBER_CARD, card_text

from quizzer.app.failure import Usage
from quizzer.card import parse
from quizzer.checker import SERVICE
from quizzer.deck import load
from quizzer.judge.judgement import Broken, Judgement, Question
from quizzer.judge.judges import Judge
from quizzer.sandbox.worker import Completed, best_worker
from quizzer.store import backup
from quizzer.store.files import base_of, listed

_FENCES = [
    parsed.card.checker
    for path in sorted((Path(__file__).parent / "decks/declared").glob("*.md"))
    if (parsed := parse(path.read_bytes(), path)).card and parsed.card.checker
]
_DECLARED = tuple(fence.text.encode() for fence in _FENCES)

EXIT_CODES = {0, 1, 2, 3, 4, 5, 6}
LONGEST_MESSAGE = 5_000

Kind = Callable[[Random], None]
"""One run: mutates, reads, and raises where the program would end with a traceback."""


@dataclass(frozen=True)
class Ground:
    """A folder for the files, and cards to begin with."""

    folder: Path
    cards: tuple[bytes, ...]

    def file(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path


def kinds(folder: Path) -> Iterator[tuple[str, Kind]]:
    """All kinds by name. Whatever they share is made in the folder, which they use one by one."""
    ground = Ground(folder, _cards())
    yield "front matter", lambda rng: _front_matter(ground, rng)
    yield "cards", lambda rng: _cards_drawn(ground, rng)
    yield "decks", lambda rng: _decks(ground, rng)
    yield "index of a deck", lambda rng: _index(ground, rng)
    yield "configuration", lambda rng: _configuration(ground, rng)
    yield "declared checkers", _declared_checkers
    yield "answers from a file", lambda rng: _answers(ground, rng)
    yield "record of trust", lambda rng: _trust(ground, rng)
    with contextlib.closing(Forging(folder)) as forging:
        yield "checkers' replies", forging.run
    kept = History(folder)
    yield "memory parameters", kept.parameters
    yield "imports: our own log", kept.own_log
    yield "imports: CSV", kept.csv
    yield "imports: SQLite", kept.database
    yield "backups", kept.backup
    yield "daily copies", kept.daily_copy
    yield "sync targets", kept.target
    yield "histories", kept.history


def _cards() -> tuple[bytes, ...]:
    own = [DERIVATION_CARD, CHOICE_CARD, NUMBER_CARD, card_text("open", solution="1. A\n2. B")]
    starter = sorted((Path(__file__).parents[1] / "cards").rglob("*.md"))[::9]
    return (*(text.encode() for text in own), *(path.read_bytes() for path in starter))


def _front_matter(ground: Ground, rng: Random) -> None:
    card = rng.choice(ground.cards)
    end = card.index(b"\n---", 4)
    parse(mutated(card[:end], rng, ground.cards) + card[end:], Path("card.md"))


def _cards_drawn(ground: Ground, rng: Random) -> None:
    """A card is read, and everything of it drawn and spoken."""
    from rich.console import Console

    from quizzer import tex
    from quizzer.card.scanner import formulas, scan
    from quizzer.cli.terminal.gallery import Gallery
    from quizzer.cli.terminal.markdown import CardMarkdown, plain_text
    from quizzer.deck.values import title_of

    card = parse(mutated(rng.choice(ground.cards), rng, ground.cards), Path("card.md")).card
    if card is None:
        return
    title_of(card.header)
    text = rng.choice((card.question, card.solution, "\n\n".join(card.steps)))
    plain_text(text, Gallery())
    for formula in formulas(scan(text)):
        tex.unknown(formula.content)
        tex.faults(formula.content)
    if rng.random() < 0.3:
        console = Console(file=io.StringIO(), width=rng.choice((20, 80)))
        console.print(CardMarkdown(text, Gallery()))


def _declared_checkers(rng: Random) -> None:
    """A checker in math is read, built and run here: it is never Python."""
    from numpy.random import default_rng

    from quizzer.checker.declared.build import build
    from quizzer.checker.load import CheckerError, call
    from quizzer.checker.source import Declared

    text = mutated(rng.choice(_DECLARED), rng, _DECLARED).decode("utf-8", "replace")
    try:
        checker = build(Declared(text, 7))
        sample = call(checker.sample, "sample", {"rng": default_rng(0)})
        if checker.forward:  # an optimum has none
            call(checker.forward, "forward", sample)
        for variant in checker.variants.values():
            call(variant, "variant", sample)
        for name in checker.terms:
            str(checker.terms[name])
    except CheckerError as error:
        assert str(error).startswith("line "), str(error)
        assert len(str(error)) < LONGEST_MESSAGE


def _decks(ground: Ground, rng: Random) -> None:
    """A folder with its `info.json` and macros."""
    from quizzer import tex

    deck = ground.folder / "mutated deck"
    deck.mkdir(exist_ok=True)
    info = b'{"name": "Networks", "description": "of the second week", "more": [1, 2.5, null]}'
    macros = rb"\newcommand{\R}{\mathbb{R}} \def\d#1#2{\frac{d #1}{d #2}} \let\e\varepsilon"
    (deck / "card.md").write_bytes(rng.choice(ground.cards))
    (deck / "info.json").write_bytes(mutated(info, rng))
    changed = mutated(macros, rng)
    (deck / "macros.tex").write_bytes(changed)
    load([deck])
    tex.render(r"\d{x}{y} \in \R, \e", 40, macros=changed.decode("utf-8", "replace"))


def _index(ground: Ground, rng: Random) -> None:
    """An index whose checksum is right, whatever it holds."""
    from zlib import crc32

    deck, cache = ground.folder / "index deck", ground.folder / "index"
    if not deck.exists():
        deck.mkdir()
        for number, text in enumerate(ground.cards[:6]):
            (deck / f"{number}.md").write_bytes(text)
    if cache not in _INDEX:
        load([deck], cache)
        (file,) = cache.iterdir()
        _INDEX[cache] = file, file.read_bytes()
    file, sound = _INDEX[cache]
    _, _, body = sound.partition(b"\n")
    changed = mutated(body, rng)
    file.write_bytes(b"%08x\n" % crc32(changed) + changed)
    try:
        for entry in load([deck], cache).entries:
            str(entry)
    except OSError as error:
        assert "start again" in str(error.strerror)
        assert len(load([deck], cache).entries) == len(ground.cards[:6])


_INDEX: dict[Path, tuple[Path, bytes]] = {}

_CONFIGURATION = b"""deck = ["~/cards", "/tmp/more"]
new_per_day = 20
desired_retention = 0.9
rollover_hour = 4
idle_minutes = 20
easy_days = {saturday = 0.3, sunday = 0}
bury_related = true
[course."Part 1: Basics"]
exam = 2026-12-12
new_per_day = 5
"""


def _configuration(ground: Ground, rng: Random) -> None:
    from quizzer.app import config_file

    path = ground.file("config.toml", mutated(_CONFIGURATION, rng))
    with contextlib.suppress(Usage):
        config_file.read(path)


def _answers(ground: Ground, rng: Random) -> None:
    from quizzer.card import Number
    from quizzer.cli.commands.verify import answers_in
    from quizzer.judge.plain import judge_choice, judge_number
    from quizzer.session.given import AnswersError, by_name

    text = b"# dx\n2*x*dy\n\n# dW[i,j]\ndef dW(x):\n    return 0.25\n"
    path = ground.file("answers", mutated(text, rng))
    with contextlib.suppress(Usage, AnswersError):
        for answer in by_name(answers_in(path), ("dx", "dW")).values():
            judge_number(Number(0.25, 0.005), answer.text)
            judge_choice(frozenset("A"), ("A", "B"), answer.text)


def _trust(ground: Ground, rng: Random) -> None:
    from quizzer.sandbox import trust

    code = ground.file("code.py", b"a = 1\n")
    record = ground.folder / "trusted"
    trust.trust([code], record)
    sound = record.read_bytes()
    record.write_bytes(mutated(sound, rng))
    trust.changed([code], record)
    trust.trust([code], record)


class _Forger:
    """A worker that gives forged replies for one stage, and true ones, remembered, for the rest."""

    def __init__(self) -> None:
        self.real = best_worker(SERVICE)
        self.rng: Random | None = None
        self.stage = b""
        self.known: dict[bytes, Completed] = {}

    def start(self) -> None:
        self.real.start()

    def close(self) -> None:
        """It is used again."""

    def expect(self, message: bytes) -> None:
        """Nothing need get ready."""

    def exchange(self, message: bytes, seconds: float) -> Completed:
        stage = message.partition(b"\n")[0]
        ended = self.known.get(message)
        if ended is None:
            ended = self.real.exchange(message, seconds)
            if self.rng is None:
                self.known[message] = ended
        if self.rng and stage == self.stage and ended.reply[:1] in (b"+", b"-"):
            return replace(ended, reply=forged(ended.reply, self.rng))
        return ended


_DECIDING = """
sizes = {"N": ("x", 0)}
symbols = {"dy": "δ_y"}
hints = ["One.", "Two."]
wrong = {"dx": {"Not the square root.": "x*dy", "A loop.": lambda x, dy: x + dy}}
also = {"dx": {"Twice.": "4*x*dy"}}
terms = {"dx": {"first": "x*dy", "second": "x*dy**2"}}
variants = {"the cube": lambda x: {"y": x**3}}
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 6))}
def forward(x):
    return {"y": x**2}
"""
_ACCEPTING = CHECKER + "\ndef accept(answer, x): return 'no' if (answer > 9).any() else None\n"
_MAXIMUM = """
def sample(rng):
    return {"x": rng.standard_normal(rng.integers(3, 6)), "k": int(rng.integers(1, 3))}
def forward(x, k):
    return {"y": k * x.max()}
"""


class Forging:
    """Replies of a checker's process, forged: the checker may be broken, nothing else."""

    def __init__(self, folder: Path) -> None:
        self.worker = _Forger()
        self.checkers = []
        for name, source in (("a", _DECIDING), ("b", _ACCEPTING), ("c", _MAXIMUM)):
            path = folder / f"{name}.py"
            path.write_text(source)
            self.checkers.append(path)

    def close(self) -> None:
        self.worker.real.close()

    def run(self, rng: Random) -> None:
        checker = rng.choice(self.checkers)
        stages = (b"describe", b"pose", b"pose", b"explain", b"accept", b"evaluate")
        self.worker.stage = rng.choice(stages)
        answers = {"dx": rng.choice(("x*dy", "2*x*dy", "x + dy", "np.ones((2, 2))", "dy_i"))}
        seed = rng.randrange(3)
        for rng_used in (None, rng):  # once truly, so that what is true is known
            self.worker.rng = rng_used
            with Judge(self.worker) as judge:
                self._ask(judge, checker, answers, seed)

    def _ask(self, judge: Judge, checker: Path, answers: Mapping[str, str], seed: int) -> None:
        if self.worker.stage == b"describe":
            _must_be_short(judge.question(checker))
            return
        judged = judge.judge(checker, answers, seed)
        assert isinstance(judged, Judgement | Broken)
        _must_be_short(judged)
        judge.repair(checker, answers, seed)
        judge.names(checker, seed)


def _must_be_short(said: Question | Judgement | Broken) -> None:
    """No message is longer than a page, and none was made where nobody foresaw it."""
    if isinstance(said, Broken):
        assert len(said.message) <= LONGEST_MESSAGE
        assert "cannot be used" not in said.message, said.message
    elif isinstance(said, Judgement):
        assert all(len(answered.message) <= LONGEST_MESSAGE for answered in said.answers)
    else:
        repr(said)


class History:
    """A history with its backup, its parameters and its sync target, used by the program itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environ = {
            "HOME": str(folder / "home"),
            "QUIZZER_STORE": str(folder / "kept" / "history.db"),
            "QUIZZER_DECK": str(folder / "kept deck"),
            "QUIZZER_NOW": MORNING.isoformat(),
        }
        (folder / "home").mkdir()
        (folder / "kept deck").mkdir()
        (folder / "kept deck" / "open.md").write_text(card_text("open"))
        (folder / "kept deck" / "number.md").write_text(NUMBER_CARD)
        for rating in ("good", "again", "hard"):
            self.run("rate", "open", rating)
        self.run("suspend", "number")
        self.run("backup", folder / "backup.db")
        self.run("export", folder / "log.jsonl")
        self.run("sync", folder / "target.db")
        self._fit()
        self.sound = {
            name: (folder / name).read_bytes()
            for name in ("backup.db", "log.jsonl", "target.db", "kept/history.db")
        }
        self.copies = self._daily_copies()
        self.files = {
            path: path.read_bytes() for path in (folder / "kept").rglob("*") if path.is_file()
        }

    def _daily_copies(self) -> dict[Path, bytes]:
        """A whole daily copy, and one that holds what was added since."""
        whole_below, backup.LARGE = backup.LARGE, 0
        here = {"QUIZZER_STORE": str(self.folder / "copied" / "history.db")}
        for day in range(4):
            later = {"QUIZZER_NOW": (MORNING + timedelta(days=day)).isoformat()}
            for rating in ("good", "hard"):
                self.run("rate", "open", rating, **here, **later)
        backup.LARGE = whole_below
        whole, _, newest, *_ = listed(self.folder / "copied" / "history.db")
        assert base_of(newest) == whole
        return {path: path.read_bytes() for path in (whole, newest)}

    def _fit(self) -> None:
        """Parameters as `fit` writes them."""
        from quizzer.fsrs.step import DEFAULT_PARAMETERS

        table = {
            "model": "FSRS-6",
            "parameters": list(DEFAULT_PARAMETERS),
            "day": "2026-11-01",
            "reviews": 400,
        }
        self.fitted = json.dumps(table).encode()

    def parameters(self, rng: Random) -> None:
        self._file("kept/history-parameters.json", mutated(self.fitted, rng))
        self.run("due")

    def own_log(self, rng: Random) -> None:
        self.run("import", self._file("in.jsonl", mutated(self.sound["log.jsonl"], rng)))
        self._put_back()

    def csv(self, rng: Random) -> None:
        text = "card_id,review_time,review_rating,review_state,review_duration\n"
        rows = "".join(f"{n},{1_700_000_000_000 + n * 86_400_000},3,2,4000\n" for n in range(5))
        self.run("import", self._file("in.csv", mutated((text + rows).encode(), rng)))
        self._put_back()

    def database(self, rng: Random) -> None:
        data = self.sound["backup.db"] if rng.random() < 0.5 else _foreign_database(self.folder)
        self.run("import", self._file("in.db", mutated(data, rng)))
        self._put_back()

    def backup(self, rng: Random) -> None:
        self.run("restore", self._file("in.db", mutated(self.sound["backup.db"], rng)))
        self._put_back()

    def daily_copy(self, rng: Random) -> None:
        """What was added is damaged, or the copy on which it builds."""
        copies = {**self.copies}
        damaged = rng.choice([*copies])
        copies[damaged] = mutated(copies[damaged], rng)
        for path, data in copies.items():
            path.write_bytes(data)
        self.run(rng.choice(("restore", "import")), [*copies][-1])
        self._put_back()

    def target(self, rng: Random) -> None:
        self.run("sync", self._file("in.db", mutated(self.sound["target.db"], rng)))
        self._put_back()

    def history(self, rng: Random) -> None:
        self._file("kept/history.db", mutated(self.sound["kept/history.db"], rng))
        self.run(rng.choice(("stats", "due", "list")))
        self.run("rate", "open", "good")
        self._put_back()

    def _file(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def _put_back(self) -> None:
        for path in (self.folder / "kept").rglob("*"):
            if path.is_file() and path not in self.files:
                path.unlink()
        for path, data in self.files.items():
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)

    def run(self, *words: object, **elsewhere: str) -> int:
        from quizzer.cli.main import main

        streams = (sys.stdout, sys.stderr, sys.stdin)
        before = dict(os.environ)
        os.environ.update(self.environ | elsewhere)
        sys.stdout, sys.stderr, sys.stdin = (
            io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in streams
        )
        try:
            code = main([str(word) for word in words])
        finally:
            sys.stdout, sys.stderr, sys.stdin = streams
            os.environ.clear()
            os.environ.update(before)
        assert code in EXIT_CODES, code
        return code


def _foreign_database(folder: Path) -> bytes:
    """A collection as Anki keeps one, with a few reviews."""
    path = folder / "anki.db"
    if not path.exists():
        with contextlib.closing(sqlite3.connect(path)) as made:
            made.executescript(
                "CREATE TABLE revlog (id INTEGER PRIMARY KEY, cid, usn, ease, ivl, lastIvl, factor,"
                " time, type);"
                "CREATE TABLE cards (id INTEGER PRIMARY KEY, nid, did, ord, mod);"
                "CREATE TABLE notes (id INTEGER PRIMARY KEY, guid, mid, flds, sfld);"
                "CREATE TABLE col (id INTEGER PRIMARY KEY, crt, mod, scm, ver, models, decks);"
                "INSERT INTO revlog VALUES (1700000000000, 1, 0, 3, 1, 0, 2500, 4000, 1);"
                "INSERT INTO revlog VALUES (1700090000000, 1, 0, 3, 4, 1, 2500, 4000, 1);"
                "INSERT INTO cards VALUES (1, 1, 1, 0, 0);"
                "INSERT INTO notes VALUES (1, 'g', 1, 'front' || char(31) || 'back', 'front');"
            )
    return path.read_bytes()
