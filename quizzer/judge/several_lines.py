"""Which answers are judged line by line: those of more than one statement."""

NUMPY = "numpy"


def may_be_derivation(text: str, notation: str | None = None) -> bool:
    """Whether the lines of an answer are judged one by one: more than one holds a statement or
    goes on with one."""
    if notation == NUMPY or text.lstrip().startswith(("def ", "```python")):
        return False
    return sum("=" in line for line in with_left("x", text).split("\n")) > 1


def with_left(name: str, text: str) -> str:
    """The text with a left side in its first line."""
    return text if "=" in text.partition("\n")[0] else f"{name} = {text}"
