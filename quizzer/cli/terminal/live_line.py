"""The line under the editor: how the answer is understood so far, or where reading stops."""

import asyncio
import contextlib
import re
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import has_completions, is_done, to_filter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import ConditionalContainer, HSplit, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from quizzer.cli.terminal.output import cut
from quizzer.judge.so_far import SoFar, Understood, read_so_far
from quizzer.notation import Context
from quizzer.session.sentences import NOTATIONS
from quizzer.text import one_line, place

PAUSE = 0.15
"""Seconds without a key after which the line follows; during typing it does not change."""

_INDENT = "  "
_SPACING = re.compile(r"[\s()]")


def said(so_far: SoFar | None, typed: str) -> str:
    """The line's words, which need no colour; what was read is not repeated as it was typed."""
    if so_far is None:
        return ""
    if isinstance(so_far, Understood):
        notation = NOTATIONS[so_far.notation]
        repeats = _SPACING.sub("", so_far.shown) == _SPACING.sub("", typed)
        return notation if repeats else f"{notation}: {so_far.shown}"
    where = place(so_far.line, so_far.column, typed)
    if so_far.complete:
        return f"reading stops{f' at {where}' if where else ''}: {so_far.message}"
    return f"incomplete{f', {where}' if where else ''}: {so_far.message}"


class LiveLine:
    """Follows what is typed into a session, one row high, and never holds a key up."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._line = ""

    def stand_under(self, session: PromptSession[Any]) -> None:
        """Take the row below the session's text, until the answer is sent."""
        layout = session.layout
        layout.current_window.dont_extend_height = to_filter(True)
        row = Window(FormattedTextControl(self._shown), height=1, style="class:so-far")
        shown = ConditionalContainer(row, ~is_done & ~has_completions)
        layout.container = HSplit([layout.container, shown])
        session.default_buffer.on_text_changed += self.follow

    def follow(self, buffer: Buffer) -> None:
        """Read the text as it is now, after a pause and beside the typing."""
        if not buffer.text.strip():
            self._line = ""
        else:
            get_app().create_background_task(self._read(buffer, buffer.text))

    async def _read(self, buffer: Buffer, text: str) -> None:
        await asyncio.sleep(PAUSE)
        if buffer.text != text:
            return
        line = ""
        with contextlib.suppress(Exception):  # a fault in reading is the verdict's to tell
            line = said(await asyncio.to_thread(read_so_far, self._context, text), text)
        if buffer.text == text:
            self._line = one_line(line, 1000)
            get_app().invalidate()

    def _shown(self) -> StyleAndTextTuples:
        columns = get_app().output.get_size().columns
        return [("", cut(_INDENT + self._line, columns - 1))]
