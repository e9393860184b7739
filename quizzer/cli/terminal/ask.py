"""Asks the learner: a multi-line answer, a line, or one key. Everything prompt_toolkit is here."""

from collections.abc import Callable, Collection, Iterable, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout.processors import HighlightMatchingBracketProcessor, Processor
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import is_dumb_terminal
from prompt_toolkit.validation import ValidationError, Validator

from quizzer.app.editor import editor_of
from quizzer.app.failure import Failure
from quizzer.app.workspace import Workspace
from quizzer.cli.terminal import tty
from quizzer.cli.terminal.completion import AnswerCompleter
from quizzer.cli.terminal.edge_marks import EdgeMarks
from quizzer.cli.terminal.editor import edit_text
from quizzer.cli.terminal.live_line import LiveLine
from quizzer.cli.terminal.output import may_color
from quizzer.judge.several_lines import may_be_derivation
from quizzer.notation import Context
from quizzer.session.commands import Command
from quizzer.session.marking import too_long
from quizzer.session.marks import Marked
from quizzer.session.moves import Tried

INDENT = "    "
STYLE = Style.from_dict(
    {
        "so-far": "dim",
        "matching-bracket.cursor": "bold",
        "matching-bracket.other": "underline",
        "mark.right": "bold ansigreen",
        "mark.right-again": "bold ansigreen",
        "mark.wrong": "bold ansired",
        "mark.follows": "ansired",
        "mark.unread": "bold ansiyellow",
        "mark.said": "ansiyellow",
    }
)
"""The attributes hold without colours too."""

_LINE_KEYS = (
    *(("c-o",), ("c-q",), ("c-r",), ("c-s",), (Keys.BracketedPaste,), ("escape", "enter")),
    *(("escape", sign) for sign in "#-0123456789"),
)
"""Keys that edit, search, count or send a line, and mean nothing where one key is expected."""

_AFTER_ESCAPE = 0.1
"""Seconds after which Esc is a key of its own, and not the first part of another."""


class Asker:
    """One conversation on a terminal. Raises KeyboardInterrupt on Ctrl-C and EOFError on Ctrl-D.

    With `always_edit`, answers are written in the user's editor. With `plain`, nothing is shown
    that changes during typing.
    """

    def __init__(
        self, workspace: Workspace, *, always_edit: bool = False, plain: bool = False
    ) -> None:
        self._workspace = workspace
        self._color = may_color(workspace.environ)
        self._always_edit = always_edit
        self.still = plain or is_dumb_terminal()
        """Whether nothing is drawn twice in one place."""
        self.forget()

    def forget(self) -> None:
        """Forget the answers typed so far: ↑ brings back those of one card only."""
        self._history = InMemoryHistory()
        self._draft = ""
        self._opened: set[str] = set()

    def keep(self, text: str) -> None:
        """Let the next question begin with this text."""
        self._draft = text

    def answer(
        self,
        prompt: str,
        names: Iterable[str],
        contexts: Sequence[Context] = (),
        unit: str = "",
        to_mend: Tried | None = None,
    ) -> str | Command:
        """Several lines, sent with Enter on an empty last line, Alt+Enter or Ctrl+S.

        Empty after Enter with nothing typed.

        With `contexts`, of the open name and of those that may be given instead, a line below says
        how the answer is understood so far, without its unit.
        `to_mend` is a derivation that stays in the field, with its marks. What is sent with several
        lines leaves the screen, as it comes back with marks.
        """
        if self._always_edit and prompt not in self._opened:
            # Once: after a verdict the text comes back here, below it, and Ctrl+E opens it again.
            self._opened.add(prompt)
            if (text := self._edited("")).strip():
                self._draft = text
                return text
        marked = to_mend.marked if to_mend and not self.still else None
        kept = self._draft or (to_mend.typed if to_mend else "")
        at = _end_of(kept, to_mend.marked) if to_mend else None
        keys = self._answer_keys(kept, at, erases=marked is not None)
        processors: list[Processor] = [HighlightMatchingBracketProcessor(chars="()[]{}")]
        if marked:
            processors.append(EdgeMarks(marked, prompt))
        self._draft = kept
        return self._prompt(
            prompt,
            keys,
            LiveLine(contexts, unit) if contexts and not self.still else None,
            at,
            lexer=_python_lexer() if self._color else None,
            completer=AnswerCompleter(names),
            validator=_Fits(),
            validate_while_typing=False,
            input_processors=processors,
            complete_while_typing=False,
            multiline=True,
            prompt_continuation=lambda width, *_: " " * width,
        )

    def _answer_keys(self, kept: str, at: int | None, erases: bool) -> KeyBindings:
        """The keys of a field of several lines. Where it begins with a text `kept` and the cursor
        `at` a place, Enter there sends nothing, and what is drawn `erases` itself."""
        send = _send if self.still else _send_lines
        keys = self._command_keys(send)
        keys.add("escape", "enter")(send)
        keys.add("c-e")(self._open_editor)
        keys.add("f4")(self._open_editor)

        @keys.add("enter")
        def _enter(event: KeyPressEvent) -> None:
            buffer = event.current_buffer
            if at is not None and (buffer.text, buffer.cursor_position) == (kept, at):
                event.app.erase_when_done = erases
                event.app.exit(result="")
            elif _is_done(event):
                send(event)
            elif buffer.text.strip():
                opens_block = buffer.document.current_line_before_cursor.rstrip().endswith(":")
                buffer.newline(copy_margin=True)
                buffer.insert_text(INDENT if opens_block else "")
            else:
                event.app.exit(result="")

        return keys

    def line(self, prompt: str) -> str | Command:
        """One line, sent with Enter."""
        return self._prompt(prompt, self._command_keys(_send))

    def key(
        self,
        prompt: str,
        choices: Collection[str],
        default: str | None = None,
        *,
        considered: bool = False,
        otherwise: str | None = None,
    ) -> str:
        """One of the keys in `choices`; Enter and space take the default where there is one.

        With `considered`, keys pressed before the question appeared do not answer it, and a capital
        letter, which may begin a text, is not one of the keys; otherwise case is ignored. Any other
        key gives `otherwise`, if that is given.
        """
        keys = KeyBindings()

        @keys.add("escape")
        @keys.add(Keys.Any)
        def _any(event: KeyPressEvent) -> None:
            pressed = event.data if considered else event.data.lower()
            if pressed in choices:
                event.app.exit(result=pressed)
            elif pressed == " " and default is not None:
                event.app.exit(result=default)
            elif otherwise is not None:
                event.app.exit(result=otherwise)

        @keys.add("enter")
        def _enter(event: KeyPressEvent) -> None:
            if (chosen := otherwise if default is None else default) is not None:
                event.app.exit(result=chosen)

        for edits_a_line in _LINE_KEYS:
            keys.add(*edits_a_line)(lambda event: None)
        session: PromptSession[str] = PromptSession(
            key_bindings=keys,
            erase_when_done=True,
            color_depth=self._depth(),
            enable_suspend=True,
        )
        session.app.ttimeoutlen = session.app.timeoutlen = _AFTER_ESCAPE
        if considered:
            clear_typeahead(session.input)
            tty.forget_typed()
        return session.prompt(_bold(prompt))

    def _prompt(
        self,
        prompt: str,
        keys: KeyBindings,
        live: LiveLine | None = None,
        at: int | None = None,
        **options: object,
    ) -> str | Command:
        session: PromptSession[str | Command] = PromptSession(
            history=self._history,
            key_bindings=keys,
            color_depth=self._depth(),
            enable_suspend=True,
            style=STYLE,
            **options,  # type: ignore[arg-type]
        )
        if live:
            live.stand_under(session)
        draft, self._draft = self._draft, ""

        def begin() -> None:
            if at is not None:
                session.default_buffer.cursor_position = at
            if live:
                live.follow(session.default_buffer)

        given = session.prompt(_bold(prompt), default=draft, pre_run=begin)
        return given if isinstance(given, Command) else given.strip()

    def _command_keys(self, send: Callable[[KeyPressEvent], None]) -> KeyBindings:
        """Ctrl+S sends; Alt with a command's letter, and F1 for help, keep what was typed."""
        keys = KeyBindings()
        keys.add("c-s")(send)
        keys.add("f1")(self._leave_with(Command.HELP))
        for command in Command:
            keys.add("escape", command.value)(self._leave_with(command))
        return keys

    def _leave_with(self, command: Command) -> Callable[[KeyPressEvent], None]:
        def leave(event: KeyPressEvent) -> None:
            self._draft = event.current_buffer.text
            event.app.exit(result=command)

        return leave

    def _open_editor(self, event: KeyPressEvent) -> None:
        buffer = event.current_buffer

        async def edit() -> None:
            buffer.text = await run_in_terminal(lambda: self._edited(buffer.text), in_executor=True)
            buffer.cursor_position = len(buffer.text)

        event.app.create_background_task(edit())

    def _edited(self, text: str) -> str:
        """What the editor makes of the text; the text itself if it cannot be started."""
        try:
            return edit_text(text, editor_of(self._workspace))
        except Failure as failure:
            print(failure)
            return text

    def _depth(self) -> ColorDepth | None:
        return None if self._color else ColorDepth.DEPTH_1_BIT


def _is_done(event: KeyPressEvent) -> bool:
    """Whether Enter was typed on an empty last line below an answer.

    Where more keys came along with it, it was pasted into a terminal that does not say so.
    """
    document = event.current_buffer.document
    last = document.on_last_line and not document.current_line.strip()
    return bool(last and document.text.strip() and not event.key_processor.input_queue)


def _send(event: KeyPressEvent) -> None:
    event.current_buffer.validate_and_handle()


def _send_lines(event: KeyPressEvent) -> None:
    """Send the answer. A derivation leaves the screen: it comes back with its marks."""
    event.app.erase_when_done = leaves_screen(event.current_buffer.text)
    _send(event)


def leaves_screen(text: str) -> bool:
    """Whether a text disappears when it is sent, until it is shown with its marks."""
    return may_be_derivation(text.strip())


class _Fits(Validator):
    """Refuses a text that is too long to be judged, before it is sent."""

    def validate(self, document: Document) -> None:
        if fault := too_long(document.text):
            raise ValidationError(document.cursor_position, fault)


def _end_of(text: str, marked: Marked | None) -> int:
    """The place behind the line that is to be mended."""
    line = marked.line_to_mend if marked else None
    return len(text) if line is None else sum(len(each) + 1 for each in text.split("\n")[:line]) - 1


def _python_lexer() -> PygmentsLexer:
    from pygments.lexers.python import PythonLexer

    return PygmentsLexer(PythonLexer)


def _bold(prompt: str) -> FormattedText:
    return FormattedText([("bold", prompt)])
