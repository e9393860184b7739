"""Arguments and options that several commands share, and how a function becomes a command."""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer
from msgspec import Struct
from msgspec.structs import fields

from quizzer.app.workspace import Workspace
from quizzer.deck import Filter
from quizzer.values import Form

CARD_HELP = "An id, a file, or the unique beginning of an id."
CardArgument = Annotated[str, typer.Argument(help=CARD_HELP, metavar="CARD")]
CardsArgument = Annotated[
    list[str], typer.Argument(help="Ids, files, or unique beginnings of ids.", metavar="CARD...")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
FormOption = Annotated[
    Form | None,
    typer.Option("--form", help="Every card in this form, if it can have it.", show_default=False),
]
PlainOption = Annotated[
    bool, typer.Option("--plain", help="No boxes, formulas on one line; for screen readers.")
]


def _many(*names: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(*names, help=help, show_default=False)
    return option


CourseOption = Annotated[list[str] | None, _many("--course", help="Only this course; repeatable.")]
TagOption = Annotated[list[str] | None, _many("--tag", help="Only cards with this tag.")]


class FilterOptions(Struct, frozen=True):
    """The options of a command that takes some of the cards."""

    course: CourseOption = None
    tag: TagOption = None
    type_: Annotated[list[str] | None, _many("--type", help="Only cards of this type.")] = None
    difficulty: Annotated[list[int] | None, _many("--difficulty", help="Only 1 to 5.")] = None
    status: Annotated[
        list[str] | None, _many("--status", help="Only to_learn, mastered, flagged or leech.")
    ] = None

    def filter(self, cards: tuple[str, ...] = (), text: str | None = None) -> Filter:
        """The cards that these options mean; `cards` are ids, `text` what a card must contain."""
        return Filter(
            courses=tuple(self.course or ()),
            tags=tuple(self.tag or ()),
            types=tuple(self.type_ or ()),
            difficulties=tuple(self.difficulty or ()),
            statuses=tuple(self.status or ()),
            cards=cards,
            text=text or "",
        )


class SessionFilterOptions(FilterOptions, frozen=True):
    """The same for a session, where cards may be named too."""

    card: Annotated[list[str] | None, _many("--card", help="Only this card; repeatable.")] = None

    def within(self, workspace: Workspace) -> Filter:
        """The cards that are meant. Raises NoCard for one that is not in the deck."""
        return self.filter(tuple(workspace.entry(key).id for key in self.card or ()))


def as_command(function: Callable[..., None]) -> Callable[..., None]:
    """The function as Typer takes it.

    Its workspace comes from the context. A parameter that is a struct of options becomes one
    parameter for each of its fields.
    """
    parameters = [Parameter("ctx", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)]
    groups: dict[str, Any] = {}
    from_context: list[str] = []
    kinds = get_type_hints(function, include_extras=True)
    for name, parameter in signature(function).parameters.items():
        kind = kinds[name]
        if kind is Workspace:
            from_context.append(name)
            continue
        if not (isinstance(kind, type) and issubclass(kind, Struct)):
            parameters.append(parameter.replace(annotation=kind))
            continue
        groups[name] = kind
        options = get_type_hints(kind, include_extras=True)
        parameters += [
            Parameter(
                field.name,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=field.default,
                annotation=options[field.name],
            )
            for field in fields(kind)
        ]

    def command(ctx: typer.Context, **given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{field: given.pop(field) for field in kind.__struct_fields__})
        function(**dict.fromkeys(from_context, ctx.obj), **given)

    command.__doc__ = function.__doc__
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command
