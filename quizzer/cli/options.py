"""Arguments and options that several commands share."""

from typing import Annotated

import typer

from quizzer.deck import Filter

CARD_HELP = "An id, a file, or the unique beginning of an id."
CardArgument = Annotated[str, typer.Argument(help=CARD_HELP, metavar="CARD")]
CardsArgument = Annotated[
    list[str], typer.Argument(help="Ids, files, or unique beginnings of ids.", metavar="CARD...")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="No boxes, formulas on one line; for screen readers.")
]


def _many(*names: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(*names, help=help, show_default=False)
    return option


CourseOption = Annotated[list[str] | None, _many("--course", help="Only this course; repeatable.")]
TagOption = Annotated[list[str] | None, _many("--tag", help="Only cards with this tag.")]
TypeOption = Annotated[list[str] | None, _many("--type", help="Only cards of this type.")]
DifficultyOption = Annotated[list[int] | None, _many("--difficulty", help="Only 1 to 5.")]
StatusOption = Annotated[
    list[str] | None, _many("--status", help="Only to_learn, mastered, flagged or leech.")
]
CardOption = Annotated[list[str] | None, _many("--card", help="Only this card; repeatable.")]


def wanted(
    course: list[str] | None = None,
    tag: list[str] | None = None,
    type_: list[str] | None = None,
    difficulty: list[int] | None = None,
    status: list[str] | None = None,
    cards: list[str] | None = None,
    text: str | None = None,
) -> Filter:
    """The filter that these options say; `cards` are ids."""
    return Filter(
        courses=tuple(course or ()),
        tags=tuple(tag or ()),
        types=tuple(type_ or ()),
        difficulties=tuple(difficulty or ()),
        statuses=tuple(status or ()),
        cards=tuple(cards or ()),
        text=text or "",
    )
