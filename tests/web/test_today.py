"""A day in the browser, form by form, without its script."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path
from threading import Event, current_thread

import pytest
from command_line import CommandLine
from derived import card_of
from form.sheets import SIGMOID
from samples import CHECKER, SettableClock, card_text
from site_of import ORIGIN, Site, words

from quizzer.judge.judges import Judge
from quizzer.session import sentences
from quizzer.session.judging import Judged
from quizzer.session.turn import OutdatedTurnError
from quizzer.values import Attempt, Rating, Review, Verdict

ROOT = Path(__file__).parents[2]

Open = Callable[..., Site]
Write = Callable[..., Path]


def test_the_start_says_what_is_due_and_one_button_begins(site: Open) -> None:
    pages = site()
    start = pages.get("/")
    assert "4 new cards" in words(start)
    assert start.count('name="minutes"') == 4
    assert pages.get("/today") == start, "without a session there is nothing else"
    asked = pages.send("/begin", minutes="5")
    assert 'action="/do/' in asked
    assert pages.session.budget == 5
    assert "under way" in words(pages.get("/"))
    pages.send("/begin", minutes="30")
    assert pages.session.budget == 5, "a session that runs goes on"


def test_the_start_says_what_an_exam_is_to_expect_and_how_yesterday_ended(
    site: Open, home: Path, at: Callable[[str], None]
) -> None:
    config = home / ".config/quizzer/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[course."ML"]\nexam = 2026-12-12\n', "utf-8")
    pages = site()
    assert "ML: exam in 22 days" in words(pages.get("/"))
    pages.begin("open")
    pages.do("reveal")
    pages.do("rate", rating=3)
    at("2026-11-21T09:00:00+01:00")
    assert "Yesterday: 1 card in" in words(site().get("/"))


def test_a_wrong_answer_stays_in_the_field_and_is_shown_got_beside_expected(site: Open) -> None:
    pages = site()
    pages.begin("square")
    page = pages.do("answer", text="dx = x * dy")
    said = words(page)
    assert "✗ dx: wrong." in said
    assert "dx[" in said and " got ≠ " in said and " expected ≠ " in said
    assert ">dx = x * dy</textarea>" in page
    (attempt,) = [fact for fact in pages.events if isinstance(fact, Attempt)]
    assert (attempt.answer, attempt.verdict) == ("dx = x * dy", Verdict.WRONG)


def test_a_right_answer_shows_the_solution_and_a_rating_is_saved(site: Open) -> None:
    pages = site()
    pages.begin("square")
    page = pages.do("answer", text="dx_i = 2 x_i dy_i")
    assert "✓ dx: right." in words(page)
    assert "Solution" in words(page) and "read as index notation" in words(page)
    assert page.count('name="rating"') == 4
    assert 'class="rating suggested"' in page.partition('value="3"')[2].partition("<b>good")[0]
    page = pages.do("rate", rating=3)
    assert "saved: good, again in" in words(page)
    (review,) = [fact for fact in pages.events if isinstance(fact, Review)]
    assert (review.card, review.rating) == ("square", Rating.GOOD)


def test_an_answer_with_two_meanings_is_asked_about_before_it_is_judged(site: Open) -> None:
    pages, answer = site(), "dx_i = 2 dy_i / x_i x_i x_i"
    pages.begin("square")
    page = pages.do("answer", text=answer)
    assert "dx can be read in 2 ways" in words(page)
    assert page.count('name="which"') == 3 and page.count('class="tex display wraps"') == 2
    assert Attempt not in map(type, pages.events)
    page = pages.do("reading", which="none")
    assert 'name="text"' in page and "can be read" not in words(page)
    pages.do("answer", text=answer)
    assert "wrong" in words(pages.do("reading", which=1))
    (attempt,) = [fact for fact in pages.events if isinstance(fact, Attempt)]
    assert attempt.reading


def test_letters_and_numbers_are_answered_too(site: Open) -> None:
    pages = site()
    page = pages.begin("choice")
    assert page.count('type="checkbox"') == 3
    assert "✗ choice: wrong" in words(pages.do("answer", text="C"))
    assert "✓ choice: right" in words(pages.do("answer", text="B"))
    pages.do("rate", rating=2)
    pages.do("undo")
    page = pages.begin("number") if "number" not in pages.get("/today") else pages.get("/today")
    assert pages.session.turn


def test_several_letters_come_as_several_fields(site: Open, write_deck: Write) -> None:
    card = card_text(
        "both",
        type_="multiple_choice",
        question="Which?\n\n## Options\nA) this\nB) that\nC) none",
        solution="**Correct Answer:** A, B",
    )
    pages = site(write_deck({"both.md": card}, "both"))
    pages.begin()
    number = pages.session.number
    response = pages.browser.post(
        "/do/answer",
        content=f"number={number}&text=A&text=B",
        headers={
            "origin": "http://127.0.0.1:8765",
            "content-type": "application/x-www-form-urlencoded",
        },
        follow_redirects=True,
    )
    assert "✓ choice: right" in words(response.text)


def test_an_open_card_shows_its_short_answer_first(site: Open) -> None:
    pages = site()
    page = pages.begin("open")
    assert "Show the answer" in words(page) and "That." not in words(page)
    page = pages.do("reveal")
    assert "Answer That. The whole solution" in words(page)
    assert "suggested" not in page, "learners rate themselves"


def test_a_card_is_not_rated_before_its_solution_was_shown(site: Open) -> None:
    pages = site()
    pages.begin("open")
    page = pages.do("rate", rating=4)
    assert pages.status == 409 and "Show the answer" in words(page)
    assert pages.events == []


def test_a_form_of_a_past_turn_gets_409_and_the_present_state(site: Open) -> None:
    pages = site()
    pages.begin("square")
    old = pages.session.number
    pages.do("flag")
    before = len(pages.events)
    for action in ("answer", "reading", "hint", "rate", "skip", "undo", "quit", "reveal"):
        page = pages.send(f"/do/{action}", number=old, text="dx = 2 x dy", rating=3, which=0)
        assert pages.status == 409
        assert str(OutdatedTurnError()) in words(page)
        assert f'name="number" value="{pages.session.number}"' in page
    assert len(pages.events) == before
    assert pages.send("/do/skip", number="x") and pages.status == 409


def test_a_second_window_shows_all_that_was_said_on_the_card(site: Open) -> None:
    pages = site()
    pages.begin("square")
    pages.do("answer", text="dx = dy")
    pages.do("hint")
    pages.do("dispute")
    seen = words(pages.get("/today"))
    assert "dx: wrong" in seen and "Hint 1 of" in seen and "does not count" in seen


def test_the_end_says_what_the_session_came_to_and_undo_leads_back(site: Open) -> None:
    pages = site()
    pages.begin("open")
    pages.do("reveal")
    pages.do("rate", rating=4)
    page = pages.do("quit")
    assert "1 rating on 1 card" in words(page) and "All saved." in words(page)
    assert "Begin" in words(pages.get("/"))
    assert "took back easy on open" in words(pages.do("undo"))
    assert pages.session.turn and pages.session.turn.revealed


def test_a_card_that_comes_back_in_ten_minutes_can_be_taken_early(
    site: Open, write_deck: Write
) -> None:
    pages = site(write_deck({"one.md": card_text("one")}, "one"))
    pages.begin()
    pages.do("reveal")
    page = pages.do("rate", rating=1)
    assert "comes back in 10 min" in words(page)
    assert "Show the answer" in words(pages.do("early"))


def test_cards_and_answers_are_text_whatever_they_hold(site: Open, write_deck: Write) -> None:
    bad = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    card = card_text(
        "square",
        type_="derivation",
        course=f"'{bad}'",
        question=f"{bad} [x](javascript:alert(1)) ![](https://evil.example/x.png)",
        solution=f"**Short Answer:** {bad}",
    )
    pages = site(write_deck({"square.md": card, "square.py": CHECKER}, "bad"))
    page = pages.begin()
    page += pages.do("answer", text=f'</textarea>{bad}"')
    page += pages.do("answer", text=f"dx = 2 x dy  ({bad})")
    page += pages.do("reveal")
    assert "<script>" not in page and "<img" not in page and 'href="javascript' not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


PNG = bytes.fromhex("89504e470d0a1a0a") + b"rest"


def test_pictures_are_named_by_number_and_nothing_else_is_sent(
    site: Open, write_deck: Write
) -> None:
    question = "![[seen.png]] ![[note.txt]] ![[missing.png]] ![[fake.png]]"
    deck = write_deck({"a b.md": card_text("a/b ü", question=question)}, "pictures")
    (deck / "seen.png").write_bytes(PNG)
    (deck / "fake.png").write_text("<script>")
    (deck / "note.txt").write_text("secret")
    pages = site(deck)
    page = pages.begin()
    assert 'src="/media/1/a%2Fb%20%C3%BC"' in page
    assert "[image missing.png, not found]" in words(page)
    shown = pages.browser.get("/media/1/a%2Fb%20%C3%BC")
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")
    for number in (0, 2, 3, 4, 5):
        assert pages.browser.get(f"/media/{number}/a%2Fb%20%C3%BC").status_code == 404
    assert pages.browser.get("/media/1/other").status_code == 404


def test_what_is_typed_is_read_aloud_in_words_and_as_latex(site: Open) -> None:
    pages = site()
    pages.begin("square")

    def read(text: object) -> dict[str, object]:
        response = pages.browser.post(
            "/read", json={"text": text}, headers={"origin": "http://127.0.0.1:8765"}
        )
        found: dict[str, object] = response.json()
        return found

    found = read("dx_i = 2 x_i dy_i")
    assert (found["state"], found["said"]) == ("read", "read as index notation")
    assert "dx" in str(found["latex"]) and "_" in str(found["latex"])
    unclear = read("dx_i = 2 dy_i / x_i x_i x_i")
    assert unclear["said"] == (
        "read as index notation, or in 1 other way: if they differ in value, you choose"
    )
    assert r"\frac" in str(unclear["latex"])
    python = read("2*x*dy")
    assert (python["said"], python["latex"]) == (
        "read as NumPy",
        r"\mathrm{dx} = (2\, x) \odot  \mathrm{dy}",
    )
    assert read("2*x*dy.sum(axis=0)")["latex"] is None, "it is not written so on paper"
    assert read("dx = 2 x (")["state"] == "unfinished"
    assert read("dx = 2 q x + dy")["state"] == "stopped"
    for nothing in ("", " ", 5, None):
        assert read(nothing)["state"] == ""
    deep = pages.browser.post("/read", content="[" * 5000, headers={"origin": ORIGIN})
    assert deep.json()["state"] == ""
    assert not [fact for fact in pages.events if isinstance(fact, Attempt)]


def test_a_history_that_cannot_be_used_is_told_as_in_the_terminal(
    site: Open, tmp_path: Path
) -> None:
    (tmp_path / "history.db").write_text("no database at all")
    pages = site()
    page = pages.get("/")
    assert pages.status == 503
    assert "The history cannot be used" in words(page) and "history.db" in words(page)


def test_a_history_that_is_restored_under_the_server_is_followed_and_told(
    site: Open, cli: CommandLine, tmp_path: Path
) -> None:
    options = ("--store", tmp_path / "history.db")
    pages = site()
    pages.begin("square")
    cli.ok("backup", tmp_path / "before.db", *options)
    pages.do("reveal")
    pages.do("rate", rating=3)
    assert "1 review" in words(pages.get("/stats"))
    cli.ok("restore", tmp_path / "before.db", *options)
    assert "Your history was replaced" in words(pages.get("/today"))
    assert "0 reviews" in words(pages.get("/stats"))
    assert pages.do("quit") and "Nothing was rated." in words(pages.get("/today"))
    assert "Begin" in words(pages.get("/"))


def test_a_new_day_that_begins_while_a_page_is_open_is_told(
    site: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = site()
    clock = SettableClock()
    monkeypatch.setattr(pages.desk.workspace, "clock", clock)
    pages.begin("square")
    clock.forward(days=1)
    assert sentences.NEW_DAY in words(pages.get("/today"))
    assert pages.session.turn and pages.session.turn.entry.id == "square"


@pytest.mark.parametrize("vanishes", ["square.md", "square.py"])
def test_a_card_that_changes_under_the_session_is_told(
    site: Open, deck: Path, vanishes: str
) -> None:
    pages = site()
    pages.begin("square")
    (deck / vanishes).unlink()
    page = pages.do("answer", text="dx = 2 x dy")
    assert pages.status == 200
    if vanishes == "square.py":
        assert "checker is broken" in words(page)
    pages.do("skip")
    assert pages.status == 200


def test_a_slow_answer_holds_up_no_page_and_a_skip_in_between_leaves_it_unrecorded(
    site: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = site()
    pages.begin("square")
    judged, begun, go_on = pages.session.judge, Event(), Event()

    def slowly(number: int, text: str) -> Judged:
        found = judged(number, text)
        begun.set()
        assert go_on.wait(20)
        return found

    monkeypatch.setattr(pages.session, "judge", slowly)
    number = pages.session.number
    with ThreadPoolExecutor(1) as other:
        sent = other.submit(pages.send, "/do/answer", number=number, text="dx = dy")
        try:
            assert begun.wait(20)
            assert "square" in pages.get("/today")
            pages.do("skip")
        finally:
            go_on.set()
        assert "The session has gone on meanwhile" in words(sent.result())
    assert Attempt not in map(type, pages.events)


def test_a_card_with_fresh_numbers_shows_them_and_what_they_give(
    site: Open, write_deck: Write
) -> None:
    card = (ROOT / "tests/decks/declared/half_life.md").read_text("utf-8")
    pages = site(write_deck({"half_life.md": card}))
    asked = words(pages.begin("declared-half-life"))
    shown = asked.partition("for these numbers:")[2]
    found = re.match(r" β = ([\d.]+) T = ([\d.]+)", shown) or pytest.fail(shown[:80])
    beta, steps = map(float, found.groups())
    wrong = words(pages.do("answer", text=f"{-log(2) / log(beta)} ms"))
    assert "This counts steps." in wrong
    right = words(pages.do("answer", text=f"{-steps * log(2) / log(beta):.4g} ms"))
    assert "✓ t: right." in right
    assert "for the numbers shown: t = " in right


CHAIN = "∂L/∂z_j = Σ_k δ_k ∂p_k/∂z_j"
SLIP = "        = Σ_k δ_k p_k ([k=j] - p_k)"


def test_the_lines_of_a_derivation_have_marks_and_the_first_wrong_one_a_message(
    site: Open, write_deck: Write
) -> None:
    text = card_of("softmax_jacobian").read_text("utf-8")
    pages = site(write_deck({"softmax_jacobian.md": text}, "derived"))
    pages.begin()
    page = pages.do("answer", text=f"{CHAIN}\n{SLIP}")
    marks = re.findall(r'<li class="([\w-]*)"><code>.*?<span class="edge">(.*?)</span>', page)
    assert marks == [("right", "✓"), ("wrong", "✗")]
    (under,) = re.findall(r'<li class="under">(.*?)</li>', page)
    assert under == "Line 2 is wrong. Line 1 is right."
    assert SLIP.strip() in page.partition("<textarea")[2].partition("</textarea>")[0]
    page = pages.do("explain")
    (told,) = re.findall(r'<li class="under">(.*?)</li>', page)
    assert told.startswith("Line 2 is wrong: ") and "Line 1 is right." in told
    assert "What is wrong with the line?" not in words(page)
    assert "Where derivations break step wrong tries card ∂L/∂z 1 of 1" in words(
        pages.get("/stats")
    )
    read = pages.browser.post(
        "/read", json={"text": f"{CHAIN}\n= Σ_k δ_k (", "line": 2}, headers={"origin": ORIGIN}
    )
    assert read.json()["state"] == "unfinished"


def test_whatever_a_hint_has_judged_leaves_the_thread_of_the_history_alone(
    site: Open, write_deck: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def noted(judge: Callable[..., object]) -> Callable[..., object]:
        def judged(*given: object) -> object:
            threads.append(current_thread().name)
            return judge(*given)

        return judged

    monkeypatch.setattr(Judge, "lines", noted(Judge.lines))
    monkeypatch.setattr(Judge, "repair", noted(Judge.repair))
    pages = site(write_deck({"gate.md": SIGMOID}, "gate"))
    pages.begin()
    pages.do("answer", text="dx_i = dy_i y_i (1+y_i)\n= dy_i y_i (1+y_i)")
    assert "Hint 1 of" in pages.do("hint")
    assert len(threads) >= 3 and all(name.startswith("judge") for name in threads)
