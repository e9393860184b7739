"""How much code there is: Python tokens of `quizzer/` by room, of one checkout or of two.

A token is what `tokenize` gives; comments, line ends and indents are not counted, a docstring is
one token. Compare checkouts that are formatted with the same line length.

Run: .venv/bin/python benchmarks/tokens.py [FOLDER] [--before FOLDER]
"""

import argparse
import tokenize
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent.parent
NOT_COUNTED = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Python tokens by room.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE, help="a checkout")
    parser.add_argument("--before", type=Path, help="an older checkout to compare it with")
    options = parser.parse_args()
    now = tokens(options.folder / "quizzer")
    if options.before is None:
        for room, count in [*sorted(now.items()), ("all", now.total())]:
            print(f"{room:<12} {count:>8,}")
        return
    before = tokens(options.before / "quizzer")
    print(f"{'room':<12} {'before':>8} {'now':>8} {'change':>8}")
    for room in sorted(now.keys() | before.keys()):
        print(f"{room:<12} {before[room]:>8,} {now[room]:>8,} {now[room] - before[room]:>+8,}")
    change = now.total() / before.total() - 1
    print(f"{'all':<12} {before.total():>8,} {now.total():>8,} {change:>+8.1%}")


def tokens(package: Path) -> Counter[str]:
    """Tokens by room; modules of no room count under the package itself."""
    found: Counter[str] = Counter()
    for file in package.rglob("*.py"):
        room, *inner = file.relative_to(package).parts
        with file.open("rb") as source:
            kinds = [token.type for token in tokenize.tokenize(source.readline)]
        found[room if inner else package.name] += sum(kind not in NOT_COUNTED for kind in kinds)
    if not found:
        raise SystemExit(f"{package}: no Python files")
    return found


if __name__ == "__main__":
    main()
