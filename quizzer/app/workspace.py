"""What a face works with: options, clock, configuration, deck, store, judge, made when needed."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer import files
from quizzer.app import config_file
from quizzer.app.config import Config
from quizzer.app.failure import Failure, NoCard, NoDeck, NoHome, Usage
from quizzer.app.report import Report, Silent
from quizzer.card import Card, Severity
from quizzer.deck import Deck, Entry, Located, Source, are_as_read, load, locate, starter_deck
from quizzer.text import clean, count, one_line

if TYPE_CHECKING:
    from quizzer.judge.judgement import Broken, Question
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
            "the folder that you are in no longer exists: change to another, for example with `cd`"
        ) from None


@dataclass
class Workspace:
    """The program's view of this machine: what a face opens once, each part when it is needed."""

    deck_option: tuple[Path, ...] = ()
    store_option: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    cwd: Path = field(default_factory=here)
    sandbox: "Worker | None" = None
    """The process that judges, if it was started ahead."""
    report: Report = field(default_factory=Silent)
    _glanced: bool = False
    """Whether the deck was looked at no more than a `glance` does."""

    @cached_property
    def clock(self) -> "Clock":
        from quizzer.app.clock import clock_from

        return clock_from(self.environ)

    @cached_property
    def config(self) -> Config:
        folder = _own_folder("config")
        return config_file.read(folder / CONFIG) if folder else Config(Path(CONFIG))

    @cached_property
    def settings(self) -> "Settings":
        """What is configured, with the learner's own memory parameters if they have been fitted."""
        from quizzer.store import fitted

        own = fitted.of(self.store_path)
        if own is None:
            return self.config.settings
        return replace(self.config.settings, parameters=tuple(own.parameters))

    def forget_config(self) -> None:
        """Read the configuration again when it is next needed, after a command wrote to it."""
        for name in ("config", "settings"):
            self.__dict__.pop(name, None)

    def read_again(self) -> None:
        """Read configuration and deck as they are now, for a session that outlives its day.

        Raises Failure where they cannot be read; then all stays as it was.
        """
        names = ("config", "settings", "located", "deck")
        before = {name: self.__dict__.pop(name) for name in names if name in self.__dict__}
        try:
            _ = self.deck, self.settings
        except Failure:
            self.__dict__.update(before)
            raise

    @cached_property
    def config_path(self) -> Path:
        return _known(_own_folder("config")) / CONFIG

    @cached_property
    def cache_path(self) -> Path:
        return _known(_own_folder("cache"))

    @cached_property
    def store_path(self) -> Path:
        given = self.store_option or self.environ.get("QUIZZER_STORE")
        if given:
            return Path(given).expanduser().absolute()
        return _known(_own_folder("data")) / "history.db"

    @property
    def begun(self) -> bool:
        """Whether there is a history at the store's path, or was: then its backups remain."""
        from quizzer.store.files import listed

        path = self.store_path
        try:
            return path.exists() or path.is_symlink() or bool(listed(path))
        except OSError:  # without permission to look, opening it will say so
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
        """The deck. Raises NoDeck if none of its folders could be read."""
        return self._loaded(glance=False)

    def glance(self) -> None:
        """Look at no more than the folders of the deck: for what is asked many times a day.

        Cards that are shown or rated then have to be `seen`. Raises NoDeck.
        """
        if "deck" not in self.__dict__:
            self.__dict__["deck"] = self._loaded(glance=True)
            self._glanced = True

    def seen(self, entries: Iterable[Entry]) -> bool:
        """Whether the files of these cards are as the deck has them; else it is read again."""
        if are_as_read(entries):
            return True
        self._look_closely()
        return False

    def _look_closely(self) -> None:
        self.__dict__.pop("deck", None)
        self._glanced = False

    def _loaded(self, *, glance: bool) -> Deck:
        with self.report.progress("reading cards") as step:
            deck = load(self.located.roots, _own_folder("cache"), step, glance=glance)
        unread = {p.path: p for p in deck.problems if p.code == "unreadable"}
        if all(root in unread for root in deck.roots):
            problem = unread[deck.roots[0]]
            raise NoDeck(f"{self.short(problem.path)}: {problem.message}")
        return deck

    def entry(self, key: str) -> Entry:
        """The card that the user means. Raises NoCard."""
        found = self.deck.find(key)
        if self._glanced and not isinstance(found, Entry):
            self._look_closely()
            found = self.deck.find(key)
        if isinstance(found, Entry):
            return found
        raise NoCard(f"{found.message} (deck: {self.deck_name})")

    def read(self, entry: Entry) -> Card:
        """The card's file as it is now. Raises NoCard if it can no longer be read."""
        parsed = self.deck.read(entry)
        if parsed.card is None:
            said = "; ".join(f"line {p.line}: {p.message}" for p in parsed.problems)
            raise NoCard(f"{self.short(entry.path)}: {said or 'it is no longer a card'}")
        return parsed.card

    def macros(self, entry: Entry, deck: Deck | None = None) -> str:
        """The LaTeX macros of the card's folders, the outermost first."""
        found = []
        for path in (deck or self.deck).macros(entry):
            with suppress(OSError):  # `check` reports it
                found.append(files.read(path).decode("utf-8", errors="replace"))
        return "\n".join(found)

    def judge(self) -> "Judge":
        """What judges answers. A deck's code runs only in the sandbox, or if the user trusts it."""
        from quizzer.judge.judges import Judge

        return Judge(self.sandbox, self.allows, _own_folder("cache"))

    def judge_for_many(self) -> "Judge":
        """The same for many answers, with several threads and processes."""
        from quizzer.judge.judges import judge_for_many

        return judge_for_many(self.sandbox, self.allows, _own_folder("cache"))

    def allows(self, checker: Path, source: bytes) -> bool:
        """Whether this code of a deck may run on this machine without asking."""
        from quizzer.sandbox.confine import enclosed

        if enclosed() or checker.resolve().is_relative_to(starter_deck().resolve()):
            return True
        from quizzer.sandbox import trust

        return trust.allows(checker, source, self.trust_path)

    def untrusted(self) -> tuple[Path, ...]:
        """Code of the deck in use that may not run before the user has agreed."""
        from quizzer.sandbox.confine import enclosed

        # Where a sandbox encloses all code there is nothing to ask, however many cards there are.
        if enclosed():
            return ()
        checkers = [entry.checker for entry in self.deck.entries if entry.checker]
        checkers = [file for file in checkers if file.suffix == ".py"]
        return tuple(file for file in checkers if not self._may_run(file))

    def _may_run(self, checker: Path) -> bool:
        """Whether a checker may run as it is now; one that cannot be read needs no question."""
        try:
            return self.allows(checker, files.read(checker))
        except OSError:
            return True

    @property
    def trust_path(self) -> Path:
        """The record of the code that the user trusts on a system without a sandbox.

        It is never beside `--store`: whoever can write there could then decide what is trusted.
        """
        import platformdirs

        return platformdirs.user_data_path("quizzer", appauthor=False) / "trusted"

    def asks(self, entry: Entry) -> "Question | Broken | None":
        """What the card's checker asks, with the numbers of one seed; None without a checker."""
        if entry.checker is None:
            return None
        from quizzer.judge.judgement import Broken

        with self.report.busy("getting the checker ready"), self.judge() as judge:
            asks = judge.question(entry.checker)
            return asks if isinstance(asks, Broken) else judge.numbered(entry.checker, asks, 0)

    @property
    def deck_name(self) -> str:
        """The deck in use, as the user sees it."""
        if self.located.source is Source.STARTER:
            return "the starter deck"
        return ", ".join(self.short(root) for root in self.located.roots)

    @property
    def unread(self) -> str:
        """How many files of the deck cannot be used, in brackets; empty if all can."""
        errors = {p.path for p in self.deck.problems if p.severity is Severity.ERROR}
        return f" ({count(len(errors), 'file')} cannot be used: quizzer check)" if errors else ""

    def short(self, path: Path) -> str:
        """A path as a person would write it."""
        try:
            within = path.relative_to(Path.home())
            return clean(f"~/{within}") if within.parts else "~"
        except (ValueError, RuntimeError):
            return clean(str(path))

    def open_store(
        self, *, read_only: bool = False, damaged: bool = False, newer: bool = True
    ) -> "Store":
        """The history. Raises StoreError, which says what to do.

        Without `newer`, readers too are kept from one that a newer quizzer wrote.
        """
        from quizzer.store import Store

        with self.report.busy("opening the history"):
            store = Store.open(
                self.store_path,
                self.now(),
                read_only=read_only,
                damaged=damaged,
                on_wait=self.waiting,
                cache=_own_folder("cache"),
                newer=newer,
            )
        for warning in store.warnings:
            self.report.note(shortened(warning))
        return store

    def prove(self, store: "Store") -> None:
        """Once a week, when the work is done, prove every event of a long history."""
        from quizzer.store import StoreError

        day = self.today()
        if not store.read_only and store.is_to_be_proven(day):
            try:
                with self.report.busy("looking at every event, as once a week"):
                    store.prove(day)
            except StoreError as error:
                self.report.note(shortened(str(error)))

    def waiting(self) -> None:
        """Report why nothing happens while another process holds the history."""
        self.report.note("another quizzer is writing to the history; waiting for it ...")

    @property
    def introduction(self) -> str:
        """Which deck this is, how large, and how much of it cannot be used."""
        cards = count(len(self.deck.entries), "card")
        return f"Deck: {self.deck_name}, {cards}{self.unread}"

    def introduce(self) -> None:
        """Report which deck this is."""
        self.report.note(self.introduction)

    def warnings(self, store: "Store", cards: Collection[Entry]) -> Iterator[str]:
        """What the learner should know before reviewing these cards of the deck."""
        if self.located.cut_short:
            yield (
                f"{self.short(self.cwd)} is too large to search for cards, "
                "so this is the starter deck; name yours with --deck or `quizzer use`"
            )
        from quizzer.deck.clash import clashes

        paths = store.last_paths([entry.id for entry in cards])
        for entry, other in clashes(cards, paths):
            yield (
                f"the id {entry.id} is in two decks: {self.short(entry.path)} and "
                f"{self.short(other)}; they would share one history. Change one of the ids."
            )

    def now(self) -> datetime:
        return self.clock()

    def today(self) -> int:
        from quizzer.values import study_day

        return study_day(self.now(), self.settings.rollover_hour)

    @property
    def forecasts_path(self) -> Path | None:
        """The folder of kept forecasts; None if no home folder is known."""
        folder = _own_folder("cache")
        return folder and folder / "forecasts"


def _own_folder(kind: str) -> Path | None:
    """The user's folder for `config`, `cache` or `data`; None if their home is not known."""
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
    """A message from the store, with paths in the home folder as a person writes them."""
    try:
        home = one_line(f"{Path.home()}{os.sep}", width=300)
    except RuntimeError:
        return message
    return re.sub(rf"(?<!\S){re.escape(home)}", "~/", message)
