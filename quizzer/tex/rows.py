"""The last touch on the items of a row: numbers and words joined, big delimiters paired."""

from msgspec.structs import replace

from quizzer.tex.tree import Atom, Fence, Leaf, Node, Scripts, Space, Tall, items_of, row

_PERPENDICULAR = Leaf("⊥", Atom.REL)


def finished(items: list[Node], words: bool = False) -> list[Node]:
    """The items with digits joined to numbers, letters to words if asked, partners fenced."""
    joined = _joined(items, words) if len(items) > 1 else items
    return (
        _paired(joined)
        if any(isinstance(item, Tall) and item.atom is Atom.OPEN for item in joined)
        else joined
    )


def operator_name(node: Node) -> Leaf | None:
    """A row of letters and spaces as one word or words, or None when it holds more."""
    parts: list[str] = []
    for item in items_of(node):
        match item:
            case Leaf(text=text):
                parts.append("-" if text == "−" else text)
            case Space(columns=columns):
                parts.append(" " * min(columns, 1))
            case _:
                return None
    return Leaf("".join(parts).strip())


def _joined(items: list[Node], words: bool) -> list[Node]:
    result: list[Node] = []
    for item in items:
        if item == _PERPENDICULAR:
            while len(result) > 1 and result[-1] == Space(0):
                result.pop()
            if result and result[-1] == _PERPENDICULAR:
                result[-1] = Leaf("⊥⊥", Atom.REL)
                continue
        last = result[-1] if result else None
        if isinstance(item, Leaf) and isinstance(last, Leaf) and _belong(last, item, words):
            result[-1] = Leaf(last.text + item.text)
        else:
            result.append(item)
    return result


def _belong(last: Leaf, item: Leaf, words: bool) -> bool:
    if last.prose or item.prose or not (last.atom is item.atom is Atom.ORD):
        return False
    if _is_number(last.text):
        return _is_number(item.text) or item.text == "."
    if words:
        return _is_word(last.text) and _is_word(item.text)
    return last.text == "." and _is_number(item.text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.replace(".", "").isdigit()


def _is_word(text: str) -> bool:
    return text.isascii() and text.isalnum()


def _paired(items: list[Node]) -> list[Node]:
    r"""`\bigl( ... \bigr)` as a fence that grows with what it holds."""
    result: list[Node] = []
    openers: list[int] = []
    for item in items:
        closer = item.base if isinstance(item, Scripts) else item
        if isinstance(item, Tall) and item.atom is Atom.OPEN:
            openers.append(len(result))
        elif isinstance(closer, Tall) and closer.atom is Atom.CLOSE and openers:
            start = openers.pop()
            opener = result[start]
            left = opener.text if isinstance(opener, Tall) else ""
            fence = _fence(left, result[start + 1 :], closer.text)
            result[start:] = [replace(item, base=fence) if isinstance(item, Scripts) else fence]
            continue
        result.append(item)
    return result


def _fence(left: str, inner: list[Node], right: str) -> Fence:
    parts: list[list[Node]] = [[]]
    middles: list[str] = []
    for item in inner:
        if isinstance(item, Tall) and item.atom is Atom.REL:
            middles.append(item.text)
            parts.append([])
        else:
            parts[-1].append(item)
    return Fence(left, tuple(row(part) for part in parts), right, tuple(middles))
