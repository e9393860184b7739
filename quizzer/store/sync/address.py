"""Addresses of databases, and how to show one without the password that it may hold."""

import re
from urllib.parse import unquote

SCHEMES = ("postgresql://", "postgres://")


def is_address(target: str) -> bool:
    """Whether a target is a database and not a file."""
    return target.startswith(SCHEMES)


def shown(address: str) -> str:
    """An address, or what was given for one, without the password that it may hold."""
    start, separator, rest = address.partition("://")
    if not separator:
        # The name of a file, or almost an address.
        return "…" if re.search("[@=:]", address) else address
    head = rest.partition("?")[0]
    if "@" in head:
        return f"{start}://{head.rpartition('@')[2]}"
    return f"{start}://…" if "@" in rest or _word(head) else f"{start}://{head}"


def secrets(address: str) -> list[str]:
    """All of an address that a message must not repeat, the longest first."""
    rest = address.partition("://")[2]
    login = rest.rpartition("@")[0]
    found = [address, login.partition(":")[2], _word(rest.partition("?")[0])]
    found += re.findall(r"(?:password|sslpassword)=([^&]*)", rest)
    every = {*found, *map(unquote, found)}
    return sorted((secret for secret in every if secret), key=len, reverse=True)


def _word(head: str) -> str:
    """What is where a port should be, in an address without a host: a password."""
    hosts = re.sub(r"\[[^]/]*\]", "", head.partition("/")[0])
    found = re.search(r":(\d*[^\d,].*)", hosts)
    return found[1] if found else ""
