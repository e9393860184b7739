"""The line under the editor: how the answer is understood so far, or where reading stops."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import has_completions, is_done, to_filter
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import ConditionalContainer, HSplit, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from quizzer.cli.terminal.output import cut
from quizzer.judge.so_far import SoFar, Stopped, Understood, read_so_far
from quizzer.notation import Context
from quizzer.session import sentences
from quizzer.session.marking import too_long
from quizzer.text import one_line

PAUSE = 0.15
"""Seconds without a key after which the line follows; during typing it does not change."""

REST = 2.0
"""Seconds without a key after which it is said what an unfinished text lacks."""

_INDENT = "  "


class LiveLine:
    """Follows what is typed into a session, one row high, and never holds a key up."""

    def __init__(self, contexts: Sequence[Context], unit: str = "") -> None:
        """`contexts`: of the open name, and of those that the text may give instead."""
        self._context, *self._others = contexts
        self._unit = unit
        self._line = ""
        self._read_before = ("", "")
        """The last text that could be read, and what was said of it."""

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
        line, so_far = "", None
        with contextlib.suppress(Exception):  # a fault in reading is the verdict's to tell
            line_number = buffer.document.cursor_position_row + 1
            so_far = await asyncio.to_thread(
                read_so_far, self._context, text, self._unit, line_number, self._others
            )
            line = too_long(text) or self._said(so_far, text)
        self._show(line, buffer, text)
        if isinstance(so_far, Stopped) and not so_far.complete:
            await asyncio.sleep(REST)
            self._show(sentences.so_far(so_far, text, resting=True), buffer, text)

    def _show(self, line: str, buffer: Buffer, text: str) -> None:
        """Show the line, unless the text has changed meanwhile."""
        if buffer.text == text:
            self._line = one_line(line, 1000)
            get_app().invalidate()

    def _said(self, so_far: SoFar | None, text: str) -> str:
        """The words for it; where more must come, how the text before it was read."""
        line = sentences.so_far(so_far, text)
        if isinstance(so_far, Understood):
            self._read_before = text.rstrip(), line
        before, said = self._read_before
        goes_on = isinstance(so_far, Stopped) and not so_far.complete
        return f"{said} …" if goes_on and said and text.startswith(before) else line

    def _shown(self) -> StyleAndTextTuples:
        columns = get_app().output.get_size().columns
        return [("", cut(_INDENT + self._line, columns - 1))]
