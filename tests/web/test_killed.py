"""A server that is killed between two requests: what it said was saved is there."""

from pathlib import Path

import httpx2
import pytest
from command_line import CommandLine
from samples import plain_cards
from served import serving
from site_of import words

TIMES = 5


@pytest.mark.slow
def test_no_rating_that_was_acknowledged_is_lost_when_the_server_is_killed(
    cli: CommandLine, write_deck: object, tmp_path: Path
) -> None:
    assert callable(write_deck)
    deck = write_deck(plain_cards(*(f"card{k}" for k in range(TIMES))))
    options = ("--port", 8940, "--deck", deck, "--store", tmp_path / "h.db")
    saved = 0
    for _ in range(TIMES):
        with serving(*options) as (process, address, port):
            own = f"http://127.0.0.1:{port}"
            with httpx2.Client(base_url=own, follow_redirects=True, trust_env=False) as browser:
                browser.headers["origin"] = own
                browser.get(address)
                page = browser.post("/begin", data={"minutes": "all"}).text
                for action, value in (("reveal", ""), ("rate", "4")):
                    number = page.partition('name="number" value="')[2].partition('"')[0]
                    sent = {"number": number, "rating": value}
                    page = browser.post(f"/do/{action}", data=sent).text
                saved += "saved: easy" in words(page)
            process.kill()
    assert saved == TIMES
    stats = cli.ok("stats", "--json", "--deck", deck, "--store", tmp_path / "h.db").json
    assert stats["reviews"] == TIMES
