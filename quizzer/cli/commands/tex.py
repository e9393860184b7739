"""The command `tex`: how a formula will look."""

import shutil
from typing import Annotated

import typer

from quizzer import tex as formula_room
from quizzer.cli.terminal.output import print_line, print_note


def tex(
    formula: Annotated[
        str, typer.Argument(metavar="FORMULA", help="LaTeX, without the dollar signs.")
    ],
    inline: Annotated[bool, typer.Option("--inline", help="On one line.")] = False,
) -> None:
    """Show how a formula will look."""
    bare = formula.strip().strip("$").strip()
    width = shutil.get_terminal_size().columns
    print_line(formula_room.inline(bare) if inline else formula_room.render(bare, width=width))
    for name in formula_room.unknown(bare):
        print_note(f"not known: {name}")
    for fault in formula_room.faults(bare):
        print_note(fault)
