"""Help while an answer is typed: names, and LaTeX commands that become the signs they stand for."""

import re
from collections.abc import Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from quizzer import tex

GREEK = (
    "alpha beta gamma delta epsilon eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi "
    "omega Gamma Delta Theta Lambda Sigma Phi Psi Omega"
)
COMMANDS = tuple(f"{GREEK} partial sum prod top odot cdot le ge ne".split())
_WORD = re.compile(r"\\?[^\W\d]\w*$|\\$")


class AnswerCompleter(Completer):
    """Completes the names that an answer may use, and `\\delta` to δ."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(set(names))

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        found = _WORD.search(document.text_before_cursor)
        if found is None:
            return
        word = found[0]
        if word.startswith("\\"):
            for command in COMMANDS:
                if f"\\{command}".startswith(word):
                    sign = tex.inline(f"\\{command}")
                    yield Completion(sign, -len(word), display=f"\\{command} {sign}")
        else:
            for name in self._names:
                if name.startswith(word) and name != word:
                    yield Completion(name, -len(word))
