"""How long the pages in a browser take, as multiples of `import numpy`, and what is sent at first.

Then the server is killed after every rating that it said was saved, and interrupted while it judges
an answer that never ends.

Needs the extra `web`. Every figure is from one run on one machine; ratios carry over to others.
"""

import gzip
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from threading import Thread

ANSWERS = 50
STARTS = 5
KILLS = 100
STARTER = Path(__file__).parent.parent / "cards" / "2_layers" / "sigmoid.md"
"""A card with a derivation, which also asks for predictions."""
CARD = """---
id: softmax
course: ML
type: derivation
---

# Question
$p = \\mathrm{softmax}(z)$. Find the backward message.

---
# Solution
**Short Answer:** $p \\odot (\\delta - p^\\top \\delta)$
"""
CHECKER = """import numpy as np

def sample(rng):
    return {"z": rng.standard_normal(rng.integers(3, 6))}

def forward(z):
    e = np.exp(z - z.max())
    return {"p": e / e.sum()}
"""


def main() -> None:
    numpy = median(seconds(lambda: run("-c", "import numpy")) for _ in range(STARTS))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "softmax.md").write_text(CARD, "utf-8")
        (root / "softmax.py").write_text(CHECKER, "utf-8")
        starts = []
        for _ in range(STARTS):
            begun = time.perf_counter()
            server, address = start(root)
            starts.append(time.perf_counter() - begun)
            end(server)
        server, address = start(root)
        try:
            answers, pages, size = visit(address)
        finally:
            end(server)
    rows = [
        ("address printed", median(starts) / numpy, 4),
        (f"answer to HTML, median of {ANSWERS}", median(answers) / numpy, 1),
        ("the same, 9 of 10 within", sorted(answers)[int(0.9 * ANSWERS)] / numpy, None),
        ("a page", median(pages) / numpy, 0.1),
        ("Begin to the first card, a blank page", first_card("blank") / numpy, None),
        ("the same, a worked solution", first_card("worked") / numpy, None),
    ]
    print(f"{'× import numpy':<36}{'measured':>10}{'at most':>10}")
    for name, ratio, most in rows:
        print(f"{name:<36}{ratio:>10.2f}{most if most else '':>10}")
    print(f"{'first load, KB compressed':<36}{size / 1000:>10.0f}{200:>10}")
    print(f"{'Ctrl-C while judging, seconds':<36}{interrupted():>10.2f}{1:>10}")
    saved, gone = lost(KILLS)
    print(f"{f'lost of {saved} saved, kill -9 after each':<36}{gone:>10}{0:>10}")


def first_card(form: str) -> float:
    """Seconds from Begin until the first card is there, on a server that has just been opened."""
    taken = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            shutil.copy(STARTER, root)
            _configure(root, f'forms = ["{form}"]')
            server, address = start(root)
            browser, own = opened(address)
            taken.append(seconds(lambda: post(browser, own, "/begin", minutes="all")))  # noqa: B023
            end(server)
    return median(taken)


def lost(kills: int) -> tuple[int, int]:
    """Ratings that were said to be saved by servers killed then, and how many of them are lost."""
    with tempfile.TemporaryDirectory() as folder:
        root, saved = Path(folder), 0
        for number in range(kills):
            card = CARD.replace("softmax", f"card{number}", 1).replace("derivation", "open")
            (root / f"card{number}.md").write_text(card, "utf-8")
        _configure(root, f"new_per_day = {kills}")
        for _ in range(kills):
            server, address = start(root)
            browser, own = opened(address)
            page = post(browser, own, "/begin", minutes="all")
            page = post(browser, own, "/do/reveal", number=turn_of(page))
            page = post(browser, own, "/do/rate", number=turn_of(page), rating="4")
            server.kill()
            server.wait()
            saved += "saved: easy" in page
        command = ["stats", "--json", "--deck", root, "--store", root / "h.db"]
        told = subprocess.run(
            [sys.executable, "-m", "quizzer", *map(str, command)],
            capture_output=True,
            text=True,
            check=True,
        )
        return saved, saved - int(json.loads(told.stdout)["reviews"])


def _configure(root: Path, line: str) -> None:
    config = root / ".config" / "quizzer" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f"{line}\n", "utf-8")


def interrupted() -> float:
    """Seconds until a server has ended that was interrupted while it judged an endless answer."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "softmax.md").write_text(CARD, "utf-8")
        (root / "softmax.py").write_text(CHECKER, "utf-8")
        server, address = start(root)
        browser, own = opened(address)
        page = post(browser, own, "/begin", minutes="all")
        fields = {"number": turn_of(page), "text": "def dz(p):\n    while True: pass"}

        def answer() -> None:
            with suppress(OSError, http.client.HTTPException):  # nobody is left to answer
                post(browser, own, "/do/answer", **fields)

        sent = Thread(target=answer)
        sent.start()
        time.sleep(1)
        assert sent.is_alive(), "it is being judged"
        took = seconds(lambda: end(server))
        sent.join()
        return took


def opened(address: str) -> tuple[urllib.request.OpenerDirector, str]:
    """A browser that has opened the printed address, and where the pages are."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.open(address).read()
    return browser, address.partition("/?")[0]


def turn_of(page: str) -> str:
    return page.partition('name="number" value="')[2].partition('"')[0]


def visit(address: str) -> tuple[list[float], list[float], int]:
    """Seconds of each answer and of each page, and the bytes of all that the first page loads."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    own = address.partition("/?")[0]
    size = len(gzip.compress(browser.open(address).read()))
    page = post(browser, own, "/begin", minutes="all")
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        content = browser.open(own + path).read()
        size += len(gzip.compress(content))
        for name in re.findall(rb'from "\./(.+?)"', content) if ".mjs" in path else ():
            size += len(gzip.compress(browser.open(f"{own}/static/{name.decode()}").read()))
    fonts = ("Main-Regular", "Math-Italic", "Size1-Regular", "Main-Bold")
    for font in fonts:  # those of nearly every card
        size += len(browser.open(f"{own}/static/vendor/katex/fonts/KaTeX_{font}.woff2").read())
    answers, pages = [], []
    for number in range(ANSWERS):
        turn = turn_of(page)
        text = f"dz = p ⊙ (δ - p^T δ) + {number + 1} z"
        begun = time.perf_counter()
        page = post(browser, own, "/do/answer", number=turn, text=text)
        answers.append(time.perf_counter() - begun)
        assert "✗" in page
        pages.append(seconds(lambda: browser.open(f"{own}/").read()))
        time.sleep(0.5)  # while one types, the next instances are made
    return answers, pages, size


def post(browser: urllib.request.OpenerDirector, own: str, path: str, **fields: str) -> str:
    body = urllib.parse.urlencode(fields).encode()
    text: str = (
        browser.open(urllib.request.Request(own + path, body, {"Origin": own})).read().decode()
    )
    return text


def start(root: Path) -> tuple[subprocess.Popen[str], str]:
    """A server, and the address that it prints."""
    command = ["serve", "--no-open", "--port", "8970", "--deck", root, "--store", root / "h.db"]
    server = subprocess.Popen(
        [sys.executable, "-m", "quizzer", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "HOME": str(root)},
    )
    assert server.stdout
    return server, server.stdout.readline().strip()


def end(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGINT)
    server.wait()


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True)


def seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
