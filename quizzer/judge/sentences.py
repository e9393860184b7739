"""Messages as people write them: whole sentences, a capital first, a full stop last."""


def sentence(text: str) -> str:
    """The text as a sentence, its wording untouched."""
    text = text.strip()
    if not text:
        return text
    first = text.split(maxsplit=1)[0]
    if first.isalpha() and first.islower() and first.isascii() and first != "line":
        text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…:" else text + "."
