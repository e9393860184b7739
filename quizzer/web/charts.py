"""Pictures of numbers as SVG: colours and sizes are the style sheet's, the numbers are beside."""

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape

from markupsafe import Markup

from quizzer.text import count, iso_day

_SQUARE, _GAP, _HEAD = 11, 3, 16
_WEEKS = 53
_WIDE, _HIGH, _FOOT = 600, 150, 24
_LEFT = 54
"""Room for the numbers beside a curve, as large as they are on a phone."""
_SHADES = 4


def year(counts: Mapping[int, int], today: int) -> Markup:
    """The reviews of a year: a column a week, a row a weekday, darker where there were more."""
    monday = today - date.fromordinal(today).weekday() - 7 * (_WEEKS - 1)
    most = max((counts.get(day, 0) for day in range(monday, today + 1)), default=0)
    step = _SQUARE + _GAP
    marks = []
    for day in range(monday, today + 1):
        week, weekday = divmod(day - monday, 7)
        found = counts.get(day, 0)
        shade = -(-_SHADES * found // most) if found else 0
        marks.append(
            f'<rect class="heat-{shade}" x="{week * step}" y="{_HEAD + weekday * step}" '
            f'width="{_SQUARE}" height="{_SQUARE}" rx="2">'
            f"<title>{iso_day(day)}: {count(found, 'review')}</title></rect>"
        )
    total = sum(counts.get(day, 0) for day in range(monday, today + 1))
    said = f"{count(total, 'review')} in the past year, at most {most} a day"
    return _svg(said, _WEEKS * step, _HEAD + 7 * step, [*_months(monday, step), *marks])


def columns(values: Mapping[int, int], today: int) -> Markup:
    """A column a day."""
    most = max(values.values(), default=0) or 1
    wide = _WIDE / max(1, len(values))
    marks = []
    for place, (day, value) in enumerate(values.items()):
        high = _HIGH * value / most
        marks.append(
            f'<rect class="bar" x="{place * wide + 1:.1f}" y="{_HIGH - high:.1f}" '
            f'width="{wide - 2:.1f}" height="{high:.1f}" rx="2">'
            f"<title>{'today' if day == today else iso_day(day)}: {value}</title></rect>"
        )
        if place % 7 == 0:
            label = "today" if day == today else f"{date.fromordinal(day):%d %b}"
            marks.append(f'<text x="{place * wide:.1f}" y="{_HIGH + 20}">{label}</text>')
    said = f"Cards due in the next {len(values) - 1} days, at most {most} a day"
    return _svg(said, _WIDE, _HIGH + _FOOT, marks)


def curve(weeks: Mapping[int, float], wanted: float) -> Markup:
    """The share remembered by week, from half up, and the line of what is wanted."""
    low = min(0.5, *weeks.values())
    days = max(1, max(weeks) - min(weeks))

    def at(monday: int, share: float) -> str:
        x = _LEFT + (_WIDE - _LEFT - 10) * (monday - min(weeks)) / days
        return f"{x:.1f},{_height(share, low):.1f}"

    marks = [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDE}" y1="{_height(share, low):.1f}" '
        f'y2="{_height(share, low):.1f}"/><text x="0" y="{_height(share, low) + 4:.1f}">'
        f"{share:.0%}</text>"
        for share in _levels(low)
    ]
    line = _height(wanted, low)
    marks += [
        f'<line class="wanted" x1="{_LEFT}" x2="{_WIDE}" y1="{line:.1f}" y2="{line:.1f}"/>',
        f'<polyline class="curve" points="{" ".join(at(*each) for each in weeks.items())}"/>',
    ]
    for monday, share in weeks.items():
        x, y = at(monday, share).split(",")
        said = f"week of {iso_day(monday)}: {share:.0%}"
        marks.append(f'<circle class="dot" cx="{x}" cy="{y}" r="3"><title>{said}</title></circle>')
    return _svg(f"Remembered by week; {wanted:.0%} is wanted", _WIDE, _HIGH + 6, marks)


def _height(share: float, low: float) -> float:
    return 6 + (_HIGH - 6) * (1 - share) / (1 - low)


def _levels(low: float) -> Sequence[float]:
    return [share / 4 for share in range(5) if share / 4 >= low]


def _months(monday: int, step: int) -> list[str]:
    """The names of the months above the first week that begins in each."""
    named, last = [], date.fromordinal(monday).month
    for week in range(_WEEKS - 2):
        begins = date.fromordinal(monday + 7 * week)
        if begins.month != last:
            named.append(f'<text x="{week * step}" y="10">{begins:%b}</text>')
            last = begins.month
    return named


def _svg(said: str, wide: int, high: int, marks: Sequence[str]) -> Markup:
    return Markup(
        f'<svg class="chart" viewBox="0 0 {wide} {high}" role="img" aria-label="{escape(said)}">'
        f"{''.join(marks)}</svg>"
    )
