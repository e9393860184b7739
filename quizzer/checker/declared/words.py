"""The domain of an input in the words of a table: “labels, each −1 or +1”."""

import re

_SUM = (r"(?:rows?|they|it)?\s*sums? to 1", r"with sum 1", r"\\sum_\w [a-z]_\w = 1")
_RULES: tuple[tuple[str, str], ...] = (
    (r"positive[ -]definite", "spd"),
    (r"\bsymmetric\b", "symmetric"),
    (r"\borthogonal\b", "orthogonal"),
    (r"lower[ -]triangular", "lower"),
    ("|".join(_SUM), "simplex"),
    (r"\bone-hot\b", "onehot"),
    (r"\beach \$?-1\$? or \$?\+?1\$?|\beach \$?\+?1\$? or \$?-1\$?|\$?\\pm 1\$?", "sign"),
    (r"\beach \$?0\$? or \$?1\$?|\b1 (?:if|where|for)\b.*\b(?:else|otherwise) 0", "mask"),
    (r"(?:whole numbers?|integers?) from \$?0\$? to \$?([A-Z]) - 1\$?", r"below \1"),
    (
        r"(?:number|index|indices|label)s? of the (?:right|correct|true) (?:class|classes)",
        "below K",
    ),
    (r"\b(?:counts?|integers?): 0, 1|\bcounts\b", "0..5"),
    (r"\ban? integer\b|\bwhole number\b", "2..3"),
    (r"between \$?0\$? and \$?1\$?|from \$?0\$? to \$?1\$?|\$0 < .{1,12} < 1\$", "in (0.1, 0.9)"),
    (r"(?:^|, |^an? |, an? )(?:\w+, )?positive(?:$|,| \w+$| \w+,)", "positive"),
    (r"\$\\?\w+(?:_\w)? (?:>|\\gt) 0\$|\bnot negative\b|\bvariances?$", "positive"),
)
_SQUARE = ("spd", "symmetric", "orthogonal", "lower")
_ROWS = ("simplex", "onehot")


def domain_in(words: str, axes: tuple[str, ...]) -> str:
    """The domain that the words of a table say, as far as an input of this shape can have it;
    empty where they say none."""
    plain = " ".join(words.split())
    for pattern, domain in _RULES:
        found = re.search(pattern, plain, re.IGNORECASE)
        if not found:
            continue
        if domain in _SQUARE and (len(axes) != 2 or axes[0] != axes[1]):
            continue
        if domain in _ROWS and not axes:
            continue
        return found.expand(domain)
    return ""
