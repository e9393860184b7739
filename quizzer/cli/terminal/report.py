"""The terminal's way to report: notes and progress on standard error."""

from contextlib import AbstractContextManager

from quizzer.app.report import Step
from quizzer.cli.terminal.output import print_note
from quizzer.cli.terminal.waiting import ProgressLine, busy


class TerminalReport:
    """See `quizzer.app.report.Report`."""

    def note(self, message: str) -> None:
        print_note(message)

    def busy(self, what: str) -> AbstractContextManager[object]:
        return busy(what)

    def progress(self, what: str) -> AbstractContextManager[Step]:
        return ProgressLine(what)
