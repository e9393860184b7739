"""Help while an answer is typed: names, and LaTeX commands that become the signs they stand for."""

import re
from collections.abc import Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from quizzer.session.completion import WORD, completions

_WORD = re.compile(WORD)


class AnswerCompleter(Completer):
    """Completes the names that an answer may use, and `\\delta` to δ."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        found = _WORD.search(document.text_before_cursor)
        if found is None:
            return
        word = found[0]
        for whole, sign in completions(self._names):
            if whole.startswith(word) and sign != word:
                display = f"{whole} {sign}" if sign != whole else None
                yield Completion(sign, -len(word), display=display)
