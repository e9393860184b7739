"""Small pictures in text: heat map, bars, sparkline, curve. Lines of glyphs, shaded by shape.

Every picture has an ASCII form; colour, where a face adds it, says nothing that the glyphs do not.
"""

from collections.abc import Mapping, Sequence
from datetime import date

HEAT = "·░▒▓█"
HEAT_ASCII = ".:+x#"
SPARK = "▁▂▃▄▅▆▇█"
SPARK_ASCII = "_.-:=+x#"
EIGHTHS = " ▏▎▍▌▋▊▉"
WEEKDAYS = ("Mon", "", "Wed", "", "Fri", "", "")


def heat_map(
    counts: Mapping[int, int], today: int, weeks: int = 52, ascii: bool = False
) -> list[str]:
    """A column for each week up to today's, a row for each weekday; counts by study day.

    The shades are quarters of the largest count.
    """
    monday = today - date.fromordinal(today).weekday() - 7 * (weeks - 1)
    most = max((counts.get(day, 0) for day in range(monday, today + 1)), default=0)
    shades = HEAT_ASCII if ascii else HEAT

    def shade(day: int) -> str:
        if day > today:
            return " "
        count = counts.get(day, 0)
        return shades[-(-4 * count // most)] if count else shades[0]

    rows = [
        f"{name:<4}" + "".join(shade(monday + 7 * week + weekday) for week in range(weeks))
        for weekday, name in enumerate(WEEKDAYS)
    ]
    return [_months(monday, weeks).rstrip(), *(row.rstrip() for row in rows)]


def bars(rows: Sequence[tuple[str, float]], width: int, ascii: bool = False) -> list[str]:
    """Horizontal bars to scale, each after its label; a bar that is not 0 is never empty."""
    longest = max((len(label) for label, _ in rows), default=0)
    most = max((value for _, value in rows), default=0.0)
    room = max(1, width - longest - 1)
    lines = []
    for label, value in rows:
        eighths = max(round(8 * room * value / most), 1) if value > 0 else 0
        bar = "#" * -(-eighths // 8) if ascii else "█" * (eighths // 8) + EIGHTHS[eighths % 8]
        lines.append(f"{label:<{longest}} {bar}".rstrip())
    return lines


def sparkline(values: Sequence[float], ascii: bool = False) -> str:
    """One glyph a value, scaled to the largest."""
    glyphs = SPARK_ASCII if ascii else SPARK
    most = max(values, default=0.0)
    return "".join(
        glyphs[round((len(glyphs) - 1) * value / most) if most else 0] for value in values
    )


def curve(
    values: Sequence[float],
    marks: Mapping[int, str],
    height: int = 6,
    low: float = 0.0,
    ascii: bool = False,
) -> list[str]:
    """Values from `low` to 1 as a curve, a column each, with marks below their columns."""
    dot = "*" if ascii else "•"
    levels = [round((value - low) / (1 - low) * (height - 1)) for value in values]
    rows = []
    for level in reversed(range(height)):
        axis = f"{low + (1 - low) * level / (height - 1):>4.0%} "
        rows.append(axis + "".join(dot if here == level else " " for here in levels))
    below = "".join(marks.get(column, " ") for column in range(len(values)))
    return [row.rstrip() for row in [*rows, f"{'':5}{below}"]]


def _months(monday: int, weeks: int) -> str:
    """The names of the months above the first week that begins in each."""
    head = " " * 4
    last = date.fromordinal(monday).month
    for week in range(weeks):
        begins = date.fromordinal(monday + 7 * week)
        if begins.month != last and week + 3 <= weeks:
            head = f"{head:<{4 + week}}{begins:%b} "
            last = begins.month
    return head
