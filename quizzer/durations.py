"""Intervals and times as people read them."""


def span(days: int) -> str:
    """An interval as a rating key shows it: `10 min` for the step, then days, months, years."""
    if days == 0:
        return "10 min"
    if days < 60:
        return f"{days} d"
    if days < 700:
        return f"{days / 30.44:.1f} mo"
    return f"{days / 365.25:.1f} y"


def about(minutes_: float) -> str:
    """An expected time: `about 40 min`, `about 4 h 10 min`, never less than a minute."""
    whole = max(1, round(minutes_))
    return f"about {minutes(60 * (whole if whole < 60 else 5 * round(whole / 5)))}"


def minutes(seconds: float) -> str:
    """`42 s`, `3 min`, `1 h 20 min`."""
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    whole = round(seconds / 60)
    return f"{whole} min" if whole < 60 else f"{whole // 60} h {whole % 60} min"
