"""Which files may be shown as pictures of a card."""

import re
from pathlib import Path

from quizzer import files
from quizzer.app.failure import Usage


def must_be_picture(path: Path) -> None:
    """Raise Usage unless both the name and the beginning of the file are those of an image."""
    begins = _BEGINNINGS.get(path.suffix.lower())
    if begins is None:
        raise Usage(f"not opened: images end in {', '.join(_BEGINNINGS)}")
    try:
        with files.opened(path) as file:
            start = file.read(_LOOKED_AT)
    except OSError as error:
        raise Usage(f"cannot be read: {error.strerror}") from None
    if not begins.match(start):
        raise Usage(f"not opened: its content is not a {path.suffix[1:].upper()} image")


_LOOKED_AT = 4096
_JPEG = re.compile(rb"\xff\xd8\xff")
_TIFF = re.compile(rb"II\*\0|MM\0\*")
_SVG = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?>(?:<\?xml[^>]*>|<!DOCTYPE svg[^>]*>|<!--.*?-->)\s*+)*+<svg[\s>]",
    re.DOTALL,
)
_BEGINNINGS = {
    ".png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".gif": re.compile(rb"GIF8[79]a"),
    ".webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
    ".bmp": re.compile(rb"BM"),
    ".tif": _TIFF,
    ".tiff": _TIFF,
    ".avif": re.compile(rb"....ftyp(?:avif|avis|mif1)", re.DOTALL),
    ".svg": _SVG,
    ".pdf": re.compile(rb"%PDF-\d"),
}
"""How a file of each image type begins."""
