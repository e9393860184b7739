"""What every command works with: options, clock, configuration, deck, store, made when needed."""

import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from quizzer import files
from quizzer.app import config
from quizzer.app.failure import NoCard, NoDeck, NoHome, Usage
from quizzer.card import Card, Severity
from quizzer.cli.terminal.output import say
from quizzer.cli.terminal.waiting import ProgressLine, busy
from quizzer.deck import Deck, Entry, Located, Source, load, locate, starter_deck
from quizzer.text import clean, count, one_line

if TYPE_CHECKING:
    from quizzer.judge.judgement import Asks, Broken
    from quizzer.judge.judges import Judge
    from quizzer.plan.settings import Settings
    from quizzer.sandbox.worker import Worker
    from quizzer.store import Store
    from quizzer.values import Clock


CONFIG = "config.toml"


def here() -> Path:
    """The current folder. Raises Usage where it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        raise Usage(
            "the folder that you are in does not exist any more: change to another, as with `cd`"
        ) from None


@dataclass
class Workspace:
    """The program's view of this machine for one command."""

    deck_option: tuple[Path, ...] = ()
    store_option: Path | None = None
    no_color: bool = False
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    cwd: Path = field(default_factory=here)
    sandbox: "Worker | None" = None
    """The process that judges, where it was started ahead."""

    @cached_property
    def clock(self) -> "Clock":
        from quizzer.app.clock import clock_from

        return clock_from(self.environ)

    @cached_property
    def config(self) -> config.Config:
        folder = _own_folder("config")
        return config.read(folder / CONFIG) if folder else config.Config(Path(CONFIG))

    @cached_property
    def settings(self) -> "Settings":
        """What is configured, with this learner's own memory parameters where he has some."""
        from quizzer.store import fitted

        own = fitted.of(self.store_path)
        if own is None:
            return self.config.settings
        return replace(self.config.settings, parameters=tuple(own.parameters))

    def forget_config(self) -> None:
        """Read the configuration anew when it is next needed, after a command wrote to it."""
        for name in ("config", "settings"):
            self.__dict__.pop(name, None)

    @cached_property
    def config_path(self) -> Path:
        return _known(_own_folder("config")) / CONFIG

    @cached_property
    def cache_path(self) -> Path:
        return _known(_own_folder("cache"))

    @cached_property
    def store_path(self) -> Path:
        told = self.store_option or self.environ.get("QUIZZER_STORE")
        if told:
            return Path(told).expanduser().absolute()
        return _known(_own_folder("data")) / "history.db"

    @property
    def begun(self) -> bool:
        """Whether a history stands at the store's path, or stood there: backups are left of it."""
        from quizzer.store.files import listed

        path = self.store_path
        try:
            return path.exists() or path.is_symlink() or bool(listed(path))
        except OSError:  # who may not look is told when it is opened
            return True

    @cached_property
    def located(self) -> Located:
        """Which folders are the deck, and who said so."""
        located = locate(self.deck_option, self.environ, self.config.deck, self.cwd, starter_deck())
        if not isinstance(located, Located):
            raise NoDeck(located.message)
        return located

    @cached_property
    def deck(self) -> Deck:
        """The deck, scanned with a progress line on standard error when it takes long.

        Raises NoDeck if there is not one of its folders that could be read.
        """
        line = ProgressLine("reading cards")
        deck = load(self.located.roots, _own_folder("cache"), line)
        line.clear()
        unread = {p.path: p for p in deck.problems if p.code == "unreadable"}
        if all(root in unread for root in deck.roots):
            problem = unread[deck.roots[0]]
            raise NoDeck(f"{self.short(problem.path)}: {problem.message}")
        return deck

    def entry(self, key: str) -> Entry:
        """The card that the user means. Raises NoCard."""
        found = self.deck.find(key)
        if isinstance(found, Entry):
            return found
        raise NoCard(f"{found.message} (deck: {self.deck_name})")

    def read(self, entry: Entry) -> Card:
        """The card's file as it is now. Raises NoCard when it cannot be read any more."""
        parsed = self.deck.read(entry)
        if parsed.card is None:
            said = "; ".join(f"line {p.line}: {p.message}" for p in parsed.problems)
            raise NoCard(f"{self.short(entry.path)}: {said or 'no card any more'}")
        return parsed.card

    def macros(self, entry: Entry, deck: Deck | None = None) -> str:
        """The LaTeX macros of the card's folders, the outermost first."""
        found = []
        for path in (deck or self.deck).macros(entry):
            with suppress(OSError):  # `check` tells of it
                found.append(files.read(path).decode("utf-8", errors="replace"))
        return "\n".join(found)

    def edit_text(self, text: str) -> str:
        """The text as the learner leaves it in his editor."""
        from quizzer.cli.terminal.editor import edit_text, editor_command

        return edit_text(text, editor_command(self.environ, self.config.editor))

    def judge(self) -> "Judge":
        """Who judges answers; it runs no code of a deck that is neither walled in nor trusted."""
        from quizzer.judge.judges import Judge

        return Judge(self.sandbox, self.allows, self._branches)

    def judge_for_many(self) -> "Judge":
        """The same for many answers, in several threads and processes."""
        from quizzer.judge.judges import judge_for_many

        return judge_for_many(self.sandbox, self.allows, self._branches)

    @property
    def _branches(self) -> Path | None:
        folder = _own_folder("cache")
        return folder and folder / "branches"

    def allows(self, checker: Path, source: bytes) -> bool:
        """Whether this code of a deck may run on this machine without being asked for."""
        from quizzer.sandbox.confine import enclosed

        if enclosed() or checker.resolve().is_relative_to(starter_deck().resolve()):
            return True
        from quizzer.sandbox import trust

        return trust.allows(checker, source, self.trust_path)

    def untrusted(self) -> tuple[Path, ...]:
        """Code of the deck in use that may not run before the learner has been asked."""
        checkers = [entry.checker for entry in self.deck.entries if entry.checker]
        return tuple(file for file in checkers if not self._may_run(file))

    def _may_run(self, checker: Path) -> bool:
        """Whether a checker may run as it is now; one that cannot be read is nobody's question."""
        try:
            return self.allows(checker, files.read(checker))
        except OSError:
            return True

    @property
    def trust_path(self) -> Path:
        """The record of the code that the learner trusts, where no walls stand.

        Never beside `--store`: whoever may write there would say what is trusted.
        """
        import platformdirs

        return platformdirs.user_data_path("quizzer", appauthor=False) / "trusted"

    def asks(self, entry: Entry) -> "Asks | Broken | None":
        """What the card's checker asks; None where it has none."""
        if entry.checker is None:
            return None
        with busy("getting the checker ready"), self.judge() as judge:
            return judge.asks(entry.checker)

    @property
    def deck_name(self) -> str:
        """The deck in use, as it is shown to the user."""
        if self.located.source is Source.STARTER:
            return "the starter deck"
        return ", ".join(self.short(root) for root in self.located.roots)

    @property
    def unread(self) -> str:
        """How many files of the deck cannot be used, in brackets; nothing when all can."""
        errors = {p.path for p in self.deck.problems if p.severity is Severity.ERROR}
        return f" ({count(len(errors), 'file')} cannot be used: quizzer check)" if errors else ""

    def short(self, path: Path) -> str:
        """A path as a person would write it."""
        try:
            return clean(f"~/{path.relative_to(Path.home())}")
        except (ValueError, RuntimeError):
            return clean(str(path))

    def open_store(self, *, read_only: bool = False, damaged: bool = False) -> "Store":
        """The history. Raises StoreError, which says what to do."""
        from quizzer.store import Store

        with busy("opening the history"):
            store = Store.open(
                self.store_path,
                self.now(),
                read_only=read_only,
                damaged=damaged,
                on_wait=waiting,
            )
        for warning in store.warnings:
            say(shortened(warning))
        return store

    def introduce(self) -> None:
        """Say on standard error which deck this is, and what of it cannot be used."""
        cards = count(len(self.deck.entries), "card")
        say(f"Deck: {self.deck_name}, {cards}{self.unread}")

    def warnings(self, store: "Store", cards: Collection[Entry] | None = None) -> Iterator[str]:
        """What the learner should know before he reviews this deck, or some cards of it."""
        if self.located.cut_short:
            yield (
                f"{self.short(self.cwd)} is too large to be searched for cards, "
                "so this is the starter deck; name yours with --deck or `quizzer use`"
            )
        from quizzer.deck.clash import clashes

        paths = store.last_paths(None if cards is None else [entry.id for entry in cards])
        for entry, other in clashes(self.deck.entries if cards is None else cards, paths):
            yield (
                f"the id {entry.id} stands in two decks: {self.short(entry.path)} and "
                f"{self.short(other)}; they would share one history. Change one of the ids."
            )

    def now(self) -> datetime:
        return self.clock()

    def today(self) -> int:
        from quizzer.values import study_day

        return study_day(self.now(), self.settings.rollover_hour)

    @property
    def color(self) -> bool:
        """Whether colours may be used: not with NO_COLOR, TERM=dumb, nor away from a terminal."""
        plain = self.no_color or self.environ.get("NO_COLOR") or self.environ.get("TERM") == "dumb"
        return not plain and sys.stdout.isatty()


def _own_folder(kind: str) -> Path | None:
    """The user's folder for `config`, `cache` or `data`; None where nothing tells of his home."""
    import platformdirs

    try:
        folder = getattr(platformdirs, f"user_{kind}_path")("quizzer", appauthor=False)
    except RuntimeError:
        return None
    assert isinstance(folder, Path)
    return folder if folder.is_absolute() else None


def _known(folder: Path | None) -> Path:
    if folder is None:
        raise NoHome
    return folder


def shortened(message: str) -> str:
    """A message of the store, which knows no home folder, with paths as a person writes them."""
    try:
        home = one_line(f"{Path.home()}{os.sep}", width=300)
    except RuntimeError:
        return message
    return re.sub(rf"(?<!\S){re.escape(home)}", "~/", message)


def waiting() -> None:
    """Tell why nothing happens while another process holds the history."""
    say("another quizzer is writing to the history; waiting for it ...")


def need_terminal(instead: str) -> None:
    """Raise Usage where nobody can be asked."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage(f"this asks questions and needs a terminal; from a script use {instead}")
