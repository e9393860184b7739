"""The page on which a new card is written; it writes new files only."""

from urllib.parse import quote

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from quizzer.app import new_card, new_template
from quizzer.app.failure import Usage
from quizzer.app.new_file import write_text
from quizzer.app.workspace import Workspace
from quizzer.card import TYPES
from quizzer.text import clean
from quizzer.web import drafts, pages
from quizzer.web.acting import form
from quizzer.web.desk import Desk, Threads
from quizzer.web.drafts import Draft, Finding, Preview
from quizzer.web.looking import choices, present_deck

LABELS = {
    "derivation": "Derivation",
    "open": "Open question",
    "multiple_choice": "Multiple choice",
    "calculation": "Number",
    "problem-solving": "In parts",
    "proof": "Proof",
}


async def new(request: Request, desk: Desk, threads: Threads) -> Response:
    """The form, filled with the template of a type."""
    type_ = request.query_params.get("type", "")
    draft = await threads.at_desk(_template, desk, type_ if type_ in TYPES else "derivation")
    return await _page(request, desk, threads, draft)


async def write(request: Request, desk: Desk, threads: Threads) -> Response:
    """Save, check, or draft a checker, as the button says."""
    sent = await form(request)
    draft = _draft(sent)
    try:
        match sent.get("do"):
            case "save":
                card = await threads.at_desk(_save, desk, draft)
                return RedirectResponse(f"/cards/{quote(card, safe='')}?written=1", 303)
            case "draft":
                text = await threads.checking(drafts.drafted, _workspace(desk), draft)
                draft = replace(draft, checker=text)
    except Usage as refused:
        return await _page(request, desk, threads, draft, 422, clean(str(refused)))
    return await _page(request, desk, threads, draft, checks=True)


async def preview(request: Request, desk: Desk, threads: Threads) -> Response:
    """How the draft looks now."""
    draft = _draft(await form(request))
    shown, found = await threads.reading(drafts.preview, _workspace(desk), draft)
    return pages.page(request, "preview.html", here="cards", shown=shown, found=found, all=False)


async def check(request: Request, desk: Desk, threads: Threads) -> Response:
    """What `check` finds in the draft."""
    draft = _draft(await form(request))
    found = await threads.checking(drafts.checked, _workspace(desk), draft)
    return pages.page(request, "findings.html", here="cards", found=found, all=True)


async def _page(
    request: Request,
    desk: Desk,
    threads: Threads,
    draft: Draft,
    status: int = 200,
    refused: str = "",
    checks: bool = False,
) -> Response:
    workspace = _workspace(desk)
    courses, _ = await threads.at_desk(lambda: choices(desk.workspace.deck))
    shown, found = await threads.reading(drafts.preview, workspace, draft)
    if checks:
        found = await threads.checking(drafts.checked, workspace, draft)
    values: dict[str, Preview | tuple[Finding, ...] | None] = {"shown": shown, "found": found}
    folder = workspace.short(new_card.own_folder(workspace))
    return pages.page(
        request, "new.html", status, here="cards", draft=draft, labels=LABELS, courses=courses,
        folder=folder, refused=refused, posted=request.method == "POST", all=checks, **values,
    )  # fmt: skip


def _workspace(desk: Desk) -> Workspace:
    """What the other threads may read; its deck is loaded."""
    return desk.workspace


def _draft(sent: dict[str, str]) -> Draft:
    """What the form holds; a type or a difficulty that there is not becomes the usual one."""
    given = {
        name: sent.get(name, "").replace("\r\n", "\n").strip("\n")
        for name in Draft.__struct_fields__
    }
    for name in ("name", "course", "tags"):
        given[name] = " ".join(given[name].split())
    given["type"] = given["type"] if given["type"] in TYPES else "derivation"
    given["difficulty"] = given["difficulty"] if given["difficulty"] in set("12345") else "2"
    return Draft(**given)


def _template(desk: Desk, type_: str) -> Draft:
    present_deck(desk)
    course, tags = new_card.usual_header(desk.workspace, new_card.own_folder(desk.workspace))
    question, solution, checker = new_template.parts(type_)
    return Draft(
        type_,
        course=course,
        tags=", ".join(tags),
        question=question.strip("\n"),
        solution=solution.strip("\n"),
        checker=checker.strip("\n"),
    )


def _save(desk: Desk, draft: Draft) -> str:
    """Write the file and return the card's id. Raises Usage."""
    workspace = desk.workspace
    if not draft.name:
        raise Usage("The card needs a name; its file is called so.")
    path = new_card.card_path(workspace, draft.name)
    write_text(path, draft.text)
    workspace.read_again()
    return path.stem
