"""Sizes in Python: arithmetic of whole numbers, and where a function finds them in its arrays."""

from collections.abc import Iterable, Mapping

from quizzer.checker.declared.sizes import Size
from quizzer.checker.declared.values import Declaration, Input, SizeRule
from quizzer.checker.printed.body import mentions
from quizzer.checker.printed.values import ADDITION, PRODUCT, Text


def source_of(size: Size) -> str:
    """A size in Python."""
    stack: list[Text] = []
    for part in size.postfix:
        if part == "⌋":
            inner = stack.pop()
            whole = inner.source.replace(" / ", " // ") if inner.source.count(" / ") == 1 else ""
            divided = inner.binds == PRODUCT and whole and inner.source.rindex(" / ")
            exact = divided and "(" not in inner.source[inner.source.rindex(" / ") :]
            stack.append(Text(whole, PRODUCT) if exact else Text(f"int(np.floor({inner.source}))"))
        elif part in ("+", "-", "*", "/"):
            right, left = stack.pop(), stack.pop()
            binds = ADDITION if part in "+-" else PRODUCT
            least = binds if part in "+*" and right.binds != binds else binds + 0.1
            if part == "-" and left.source == "0":
                stack.append(Text(f"-{right.within(PRODUCT)}", ADDITION))
                continue
            stack.append(Text(f"{left.within(binds)} {part} {right.within(least)}", binds))
        else:
            stack.append(Text(part))
    (found,) = stack
    if " / " not in found.source:
        return found.source
    tail = found.source[found.source.rindex(" / ") :]
    if found.source.count(" / ") == 1 and "*" not in tail and "(" not in tail.replace(" / (", ""):
        return found.source.replace(" / ", " // ")
    return f"int({found.source})"


def plus(size: Size, number: int) -> str:
    """A size and a number more, in Python."""
    source = source_of(size)
    if not number:
        return source
    if source.isdigit():
        return str(int(source) + number)
    head, sign, tail = source.rpartition(" - " if number > 0 else " + ")
    if sign and tail == str(abs(number)):
        return head
    return f"{source} {'+' if number > 0 else '-'} {abs(number)}"


def size_lines(
    declaration: Declaration, lines: Iterable[str], given: Mapping[str, str]
) -> list[str]:
    """What finds the sizes that some lines use; `given` are the names that have a value already."""
    rules = {rule.letter: rule for rule in declaration.sizes}
    wanted = [each for each in mentions("\n".join(lines), rules) if each not in given]
    found: list[str] = []
    known: set[str] = set(given)
    for letter in _with_needed(wanted, declaration, rules):
        if letter not in known:
            line, letters = _line(letter, declaration, rules, {*wanted})
            found.append(line)
            known |= letters
    return found


def _with_needed(
    wanted: list[str], declaration: Declaration, rules: Mapping[str, SizeRule]
) -> list[str]:
    """The letters, behind those by which they are found."""
    order: list[str] = []

    def add(letter: str) -> None:
        if letter in order or letter not in rules:
            return
        if _axis(letter, declaration) is None:
            for other in _sources(letter, declaration, rules):
                add(other)
        order.append(letter)

    for letter in wanted:
        add(letter)
    return order


def _axis(letter: str, declaration: Declaration) -> tuple[Input, int] | None:
    for given in declaration.inputs:
        for axis, size in enumerate(given.shape):
            if size.letter == letter:
                return given, axis
    return None


def _sources(
    letter: str, declaration: Declaration, rules: Mapping[str, SizeRule]
) -> tuple[str, ...]:
    """The other letters that it takes to find one that is the length of no axis."""
    rule = rules[letter]
    if rule.low == rule.high:
        return ()
    if rule.made is not None:
        return rule.made.letters
    found = _equation(letter, declaration, rules)
    if found is None:
        return ()
    size, where = found
    return (
        *(each for each in size.letters if each != letter),
        *([where] if where in rules else []),
    )


def _equation(
    letter: str, declaration: Declaration, rules: Mapping[str, SizeRule]
) -> tuple[Size, str] | None:
    """A size that holds the letter, and what has this length."""
    for rule in rules.values():
        if (
            rule.made is not None
            and letter in rule.made.letters
            and _axis(rule.letter, declaration)
        ):
            return rule.made, rule.letter
    for given in declaration.inputs:
        for axis, size in enumerate(given.shape):
            if letter in size.letters:
                return size, f"{given.name}.shape[{axis}]"
    return None


def _line(
    letter: str, declaration: Declaration, rules: Mapping[str, SizeRule], wanted: set[str]
) -> tuple[str, set[str]]:
    """The line that gives a letter its value, and all letters that it gives."""
    place = _axis(letter, declaration)
    if place is not None:
        given, axis = place
        letters = [size.letter for size in given.shape]
        mine = {each for each in letters if each in wanted and letters.count(each) == 1}
        if mine <= {letter}:
            return f"{letter} = {given.name}.shape[{axis}]", {letter}
        names = [each if each in mine else "_" for each in letters]
        return f"{', '.join(map(str, names))} = {given.name}.shape", mine
    rule = rules[letter]
    if rule.low == rule.high:
        return f"{letter} = {rule.low}", {letter}
    if rule.made is not None:
        return f"{letter} = {source_of(rule.made)}", {letter}
    found = _equation(letter, declaration, rules)
    if found is None:
        return f"{letter} = {rule.low}", {letter}
    size, where = found
    return f"{letter} = {_inverse(letter, size, where, rule)}", {letter}


def _inverse(letter: str, size: Size, where: str, rule: SizeRule) -> str:
    """The letter by the value of a size that holds it: `H // 2` of `2h`, else what fits."""
    alone = set(size.letters) == {letter} and "/" not in size.postfix
    values = [size.value({letter: k}) for k in (0, 1, 2)] if alone else []
    if values and values[2] - values[1] == values[1] - values[0] > 0:
        factor, offset = values[1] - values[0], values[0]
        left = where if not offset else f"({where} {'-' if offset > 0 else '+'} {abs(offset)})"
        if factor == 1:
            return left.removeprefix("(").removesuffix(")") if offset else left
        return f"{left} // {factor}"
    span = f"range({rule.low}, {rule.high + 1})"
    return f"next({letter} for {letter} in {span} if {source_of(size)} == {where})"
