"""The draws that reach a checker's branches, kept by what the checker is.

Looking for them costs more than a judgement, so it is done once for each source; later problems
add what they reach. A missing or damaged file is made again, and a folder that cannot be written
only costs time.
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from quizzer import files
from quizzer.checker.requests import MOST_DRAWS, Reached, Scouted
from quizzer.checker.source import Source

_VERSION = 1
_MOST_BRANCHES = 2_000  # a checker with more makes them up


class KnownBranches(Struct, frozen=True):
    """What is known of the branches of checkers; without a folder, for as long as this lives."""

    folder: Path | None = None
    _read: dict[str, Scouted] = field(default_factory=dict)

    def of(self, source: Source) -> Scouted | None:
        """What is known of a checker, None if it was never looked at."""
        key = _key(source)
        if key not in self._read and (found := self._kept(key)):
            self._read[key] = found
        return self._read.get(key)

    def keep(self, source: Source, scouted: Scouted) -> None:
        """Keep what was found out about a checker."""
        key = _key(source)
        self._read[key] = scouted
        if self.folder is None:
            return
        rows = {name: [each.count, *each.draws] for name, each in scouted.branches.items()}
        text = json.dumps({"drawn": scouted.drawn, "branches": rows, "fault": scouted.fault})
        with suppress(OSError):
            files.write_private(self.folder / f"{key}.json", text.encode(), durable=False)

    def add(self, source: Source, met: Mapping[int, tuple[str, ...]]) -> None:
        """Keep the draws that met a branch of which too few draws are known."""
        known = self.of(source)
        if known is None:
            return
        counts = {name: each.count for name, each in known.branches.items()}
        draws = with_met({name: each.draws for name, each in known.branches.items()}, met)
        branches = {name: Reached(counts.get(name, 0), each) for name, each in draws.items()}
        if branches != known.branches:
            self.keep(source, Scouted(known.drawn, branches, known.fault))

    def _kept(self, key: str) -> Scouted | None:
        if self.folder is None:
            return None
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            found = json.loads(files.read(self.folder / f"{key}.json"))
            branches = {
                str(name): Reached(int(count), tuple(map(int, draws)))
                for name, (count, *draws) in found["branches"].items()
            }
            return Scouted(int(found["drawn"]), branches, found["fault"] and str(found["fault"]))
        return None


def with_met(
    draws: Mapping[str, tuple[int, ...]], met: Mapping[int, tuple[str, ...]]
) -> dict[str, tuple[int, ...]]:
    """The draws that reach each branch, with those that `met` some of which too few are known."""
    found = dict(draws)
    for draw, names in met.items():
        for name in names:
            known = found.get(name, ())
            if name not in found and len(found) >= _MOST_BRANCHES:
                continue
            if len(known) < MOST_DRAWS and draw not in known:
                found[name] = (*known, draw)
    return found


def _key(source: Source) -> str:
    """Another Python compiles to other places in the code, by which operations are known."""
    text = f"{_VERSION} {sys.implementation.cache_tag}\n{source}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
