"""A card or checker file that is new: never written over another, never left half written."""

from contextlib import suppress
from pathlib import Path

from quizzer.app.failure import Usage


def write_text(path: Path, text: str) -> None:
    """Write a file that is not there yet, with its folders. Raises Usage."""
    made = False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            made = True
            file.write(text)
    except FileExistsError:
        raise Usage(f"{path} exists; it was not changed") from None
    except OSError as error:
        if made:
            with suppress(OSError):
                path.unlink()
        raise Usage(f"{path}: cannot be written: {error.strerror}") from None
