"""The problems on which a card's lines are proven: instances of one seed or of several."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from quizzer.checker.derivation.derived import Derive, Derived
from quizzer.checker.posed import Posed
from quizzer.checker.source import Source
from quizzer.judge.derivation import Deriving, JudgedDerivation, judged_lines, request_of


class Problems(Struct, frozen=True):
    """A request without a text for each seed, and what works one out."""

    requests: tuple[Derive, ...]
    derive: Deriving
    rounded: bool = False
    """Whether the card shows its numbers: they are rounded, and two of them may be equal."""
    further: "Callable[[], Problems] | None" = None
    """Makes more problems, on which a slip must be false too."""

    def judged(self, text: str, explain: bool = False) -> JudgedDerivation:
        """The lines of a text judged on the first seed. Raises what `derive` raises."""
        request = replace(self.requests[0], text=text)
        return judged_lines(request, self.derive, explain, example=False)

    def judged_on_each(self, text: str) -> list[JudgedDerivation]:
        """The same on every seed."""
        return [
            judged_lines(replace(each, text=text), self.derive, False) for each in self.requests
        ]

    def derived(self, text: str) -> list[Derived]:
        """What every line gives on every seed, by all meanings of what is ambiguous."""
        return [self.derive(replace(each, text=text, every=True)) for each in self.requests]


def problems_of(
    source: Source,
    posed: Sequence[Posed],
    sets: Sequence[str],
    stated: Sequence[str],
    derive: Deriving,
) -> Problems:
    """The problems of what was posed for some seeds; `stated` as `request_of` takes it."""
    requests = tuple(request_of(source, each, "", sets, stated) for each in posed)
    return Problems(requests, derive, rounded=any(each.shown for each in posed))
