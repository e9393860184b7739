"""Only the browser that was given the address sees anything, and only its own pages act."""

import re
from collections.abc import Callable

import pytest
from site_of import ORIGIN, Site

from quizzer.web.pages import STATIC

Open = Callable[..., Site]


def test_the_address_is_traded_once_for_a_cookie_that_scripts_and_other_sites_do_not_get(
    site: Open,
) -> None:
    pages = site(known=False)
    token = pages.keys.token
    traded = pages.browser.get(f"/?token={token}")
    assert (traded.status_code, traded.headers["location"]) == (303, "/")
    cookie = traded.headers["set-cookie"]
    assert cookie.startswith("quizzer-8765=") and token not in cookie
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert pages.browser.get("/").status_code == 200
    pages.browser.cookies.clear()
    assert pages.browser.get(f"/?token={token}").status_code == 401
    assert pages.told == [pages.keys.token] and pages.keys.token != token, "a new one is printed"
    pages.browser.get(f"/?token={token}")
    assert len(pages.told) == 1, "once"
    assert pages.browser.get(f"/?token={pages.told[0]}").status_code == 303


@pytest.mark.parametrize("path", ["/", "/today", "/media/1/open", "/static/app.css", "/no"])
def test_without_the_cookie_nothing_is_shown(site: Open, path: str) -> None:
    pages = site(known=False)
    assert pages.browser.get(path).status_code == 401
    assert pages.browser.get(path, headers={"cookie": "quizzer-8765=x"}).status_code == 401
    assert pages.browser.get(f"{path}?token=x").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost:1", ""])
def test_a_name_that_is_not_ours_is_refused_even_with_the_cookie(site: Open, host: str) -> None:
    refused = site().browser.get("/", headers={"host": host})
    assert refused.status_code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:1", "null", None, "http://localhost:8765"]
)
def test_what_another_page_sends_is_refused(site: Open, origin: str | None) -> None:
    pages = site()
    headers = {"origin": origin} if origin else {}
    refused = pages.browser.post("/begin", data={"minutes": "5"}, headers=headers)
    assert refused.status_code == 403
    assert pages.desk.session is None


def test_every_answer_forbids_scripts_of_others_guessing_of_types_and_keeping(site: Open) -> None:
    pages = site()
    for path in ("/", "/no", "/static/app.css", "/media/9/open"):
        headers = pages.browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        kept = headers["cache-control"]
        assert ("max-age" in kept) if path.startswith("/static") else (kept == "no-store")


def test_what_a_script_imports_is_there_and_asked_for_anew(site: Open) -> None:
    pages = site()
    scripts = "".join(file.read_text("utf-8") for file in STATIC.glob("*.mjs"))
    imported = re.findall(r'from "\./(.*?)"', scripts)
    assert imported
    for name in imported:
        found = pages.browser.get(f"/static/{name}")
        assert (found.status_code, found.headers["cache-control"]) == (200, "private, no-cache")


def test_what_no_page_sends_gets_a_plain_answer_with_the_right_code(site: Open) -> None:
    pages = site()
    cases = {
        404: pages.browser.get("/no/such/page"),
        405: pages.browser.get("/begin"),
        413: pages.browser.post("/begin", content=b"x" * 70_000, headers={"origin": ORIGIN}),
    }
    for status, answer in cases.items():
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/plain")
    for path in ("/static/../pages.py", "/static/%2e%2e/pages.py", "/static/..%2fpages.py"):
        assert pages.browser.get(path).status_code == 404
    assert pages.browser.post("/do/nothing", headers={"origin": ORIGIN}).status_code == 404
