"""Asking for one part of a card, and which keys there are meanwhile; for session and quiz alike."""

from typing import TYPE_CHECKING

from quizzer.cli.terminal.face import Face
from quizzer.session import sentences
from quizzer.session.asking import Asking
from quizzer.session.commands import Command
from quizzer.session.completion import names_of
from quizzer.session.given import CHOICE
from quizzer.session.short_form import PROMPTS
from quizzer.session.turn import Part, Turn, Unclear
from quizzer.values import Form

if TYPE_CHECKING:
    from quizzer.cli.terminal.ask import Asker

MENU = (
    "[h]int [r]eveal [s]kip [d]ispute [u]ndo [f]lag [x] suspend\n"
    "[b]ury [e]dit {images}[q]uit [?] keys, Enter goes back "
)
TICK = "did you have it? [y]es, [n]o, or - to rate without the list "
TYPING = (
    ("Alt+Enter, Ctrl+S", "send the answer at once"),
    ("Ctrl+E, F4", "write the answer in your editor"),
    ("↑", "the answers you typed for this card"),
    ("Tab", "complete a name, or turn \\delta into δ"),
    ("Enter", "before typing: choose one of the letters below"),
    ("Alt+letter", "the same at once, from anywhere in an answer"),
)
HINTS = (("h", "a hint, then the steps of the solution one by one"),)
STEPS = (
    ("Enter, h", "the next step, or the answer after the last one"),
    ("1, 2, …", "predict the next step, where there is a choice"),
)
RATING = (
    ("1, 2, 3, 4", "rate the card: again, hard, good, easy"),
    ("Enter", "take the rating that is marked"),
)
KEYS = (
    ("r", "reveal the solution"),
    ("s", "skip the card for now"),
    ("d", "dispute the last verdict: logged, and not counted against you"),
    ("u", "undo the last rating"),
    ("f", "flag the card, or take the flag away"),
    ("x", "suspend the card until `quizzer unsuspend`"),
    ("b", "bury the card until tomorrow"),
    ("e", "edit the card and its checker"),
    ("i", "open an image of the card"),
    ("q, Ctrl-C", "quit; every rating is saved already"),
)


def keys_for(turn: Turn) -> tuple[tuple[str, str], ...]:
    """The keys and what each does at this moment."""
    if turn.revealed:
        return (*RATING, *KEYS)
    if turn.part is None:
        return (*(STEPS if turn.form is Form.WORKED else HINTS), *KEYS)
    is_one_line = turn.part.ask is None
    enter = (
        "send the answer" if is_one_line else "a new line; on an empty last line: send the answer"
    )
    return (("Enter", enter), *TYPING, *HINTS, *KEYS)


def ask_part(asker: "Asker", turn: Turn, part: Part) -> str | Command:
    """What the learner types for one part, or the command they give instead."""
    if part.ask:
        return asker.answer(
            f"{part.name} = ",
            names_of(part.ask.names),
            turn.contexts,
            part.ask.unit,
            turn.to_mend,
        )
    if part.name in PROMPTS:
        return asker.line(f"{PROMPTS[part.name]} ")
    if part.name == CHOICE:
        return asker.line(f"which of {', '.join(o.letter for o in turn.card.options)}? ")
    return asker.line("number: ")


def ask_step(asker: "Asker", face: Face, turn: Turn) -> Command | int:
    """Go on to the next step of a worked solution or to the answer, or give another command; the
    index of a choice where learners predict the step."""
    if not turn.step_waits:
        said, default = "Enter shows the answer", Command.REVEAL
    else:
        said, default = "Enter shows the next step, r all of them", Command.HINT
    choices = turn.prediction.choices if turn.prediction else ()
    if turn.prediction:
        face.prediction(turn.entry, turn.prediction)
        said = f"{said}, 1-{len(choices)} predicts it"
    keys = [str(number) for number in range(1, len(choices) + 1)]
    pressed = asker.key(f"{said}, ? the keys ", [*Command, *keys], default=default)
    return keys.index(pressed) if pressed in keys else Command(pressed)


def tick(asker: "Asker", face: Face, session: Asking) -> None:
    """Go through the checklist of a card that nothing judges, one key an item."""
    turn = session.turn
    if turn is None or turn.open_item is None or turn.ticks:
        return
    face.blank()
    while item := turn.open_item:
        face.item(turn, item)
        pressed = asker.key(TICK, "yn-", considered=True)
        if pressed == "-":
            return
        turn = session.tick(session.number, pressed == "y")
    face.print_line(sentences.ticked(turn))


def ask_reading(asker: "Asker", face: Face, answer: Unclear) -> int | None:
    """Which reading of their answer learners mean; None where they go back to it."""
    face.unclear(answer)
    keys = [str(number) for number in range(1, len(answer.readings) + 1)]
    pressed = asker.key(
        f"{' or '.join(keys)} picks one, any other key goes back to your answer ",
        keys,
        considered=True,
        otherwise="",
    )
    if not pressed:
        asker.keep(answer.typed)
        return None
    return keys.index(pressed)
