// Forms, keys, the reading below an answer, drafts. Every form works without this script.

import { draw, drawOne, settle } from "./formulas.mjs";

const main = document.getElementById("main");
const trouble = document.getElementById("trouble");
const field = () => document.getElementById("text");
const twoColumns = matchMedia("(min-width: 68.75rem)");
const fine = matchMedia("(pointer: fine)").matches;

// Drafts outlive a reload, a crash and a new address of the server, in another tab too, for a day:
// when a card comes back, it does not bring the answer of the last time.

const DAY = 86_400_000;

const draftKey = () => {
  const text = field(), card = main.querySelector("[data-card]");
  return text && card ? `draft ${card.dataset.card} ${text.dataset.part}` : null;
};
function keepDraft() {
  const key = draftKey();
  if (!key) return;
  try {
    localStorage.setItem(key, JSON.stringify({ text: field().value, at: Date.now() }));
  } catch {
    warn("This browser has no room for a draft: send the answer before you leave the page.");
  }
}
// Another program that once served this port may have left what is no draft.
function draftAt(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}
function drafts() {
  return Object.keys(localStorage).filter((key) => key.startsWith("draft "));
}
function dropOldDrafts() {
  for (const key of drafts()) {
    if (!(Date.now() - draftAt(key).at <= DAY)) localStorage.removeItem(key);
  }
}
function dropDrafts(card) {
  for (const key of drafts()) {
    if (key.startsWith(`draft ${card} `)) localStorage.removeItem(key);
  }
}
function restoreDraft() {
  const key = draftKey(), kept = key && draftAt(key);
  if (kept?.text && kept.text !== field().value) field().value = kept.text;
}

// Posting a form without leaving the page.

let busy = false, shownAt = -1000;

function warn(text) {
  trouble.textContent = text;
  trouble.hidden = false;
}

async function send(form, submitter) {
  if (busy) return;
  busy = true;
  const typing = document.activeElement === field();
  const waiting = setTimeout(() => document.body.classList.add("waiting"), 100);
  try {
    const body = new URLSearchParams(new FormData(form, submitter));
    const sent = await fetch(form.action, { method: "POST", body, headers: { "x-part": "main" } });
    if (sent.status === 401) throw new Error("the server was started again; open its new address.");
    const before = main.querySelector("[data-card]")?.dataset.card, draft = draftKey();
    if (form.action.endsWith("/do/rate") && sent.ok) dropDrafts(before);
    const part = form.closest("article.unfolded");
    if (part) put(part, await sent.text());
    else {
      const html = await sent.text();
      if (form.id === "answer" && isRight(html)) localStorage.removeItem(draft);
      show(html, typing);
    }
    trouble.hidden = true;
  } catch (error) {
    const why = error instanceof TypeError ? "quizzer does not answer; is `quizzer serve` still running?" : error.message;
    warn(`Not saved: ${why} What you typed is kept.`);
  } finally {
    clearTimeout(waiting);
    document.body.classList.remove("waiting");
    busy = false;
  }
}

// A right text may answer another part than the open one, whose field is empty then.
function isRight(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return page.querySelector(".try")?.classList.contains("correct") ?? false;
}

function put(part, html) {
  const next = document.createElement("template");
  next.innerHTML = html;
  draw(next.content);
  part.replaceWith(next.content);
}

function show(html, typing) {
  const card = main.querySelector("[data-card]")?.dataset.card;
  const ticks = main.querySelector(".checklist .now");
  const next = document.createElement("template");
  next.innerHTML = html;
  draw(next.content);
  main.replaceChildren(next.content);
  shownAt = performance.now();
  const same = main.querySelector("[data-card]")?.dataset.card === card;
  const list = ticks && main.querySelector(".checklist");
  if (!same) scrollTo(0, 0);
  arrive(typing);
  const steps = main.querySelector(".card.steps");
  const question = main.querySelector(".unclear");
  if (same && question) question.scrollIntoView({ block: "nearest" });
  else if (same && list) (list.querySelector(".now") ?? list).scrollIntoView({ block: "nearest" });
  else if (same && main.querySelector(".ratings") && twoColumns.matches && !steps) scrollTo(0, 0);
  else if (same) main.querySelector(steps ? ".solution, .answer" : ".talk > :first-child, .solution")?.scrollIntoView({ block: "nearest" });
}

function arrive(typing = false) {
  startClock();
  settle(main);
  restoreDraft();
  const text = field();
  if (text && (fine || typing)) {
    text.focus({ preventScroll: true });
    text.setSelectionRange?.(text.value.length, text.value.length);
  } else if (!text) {
    main.querySelector(".suggested, [data-focus]")?.focus({ preventScroll: true });
  }
  if (text?.value) follow();
}

// The clock of a quiz: when it has run out, the server has the result.

let ticking = 0;

function startClock() {
  clearInterval(ticking);
  const clock = main.querySelector("[data-left]");
  if (!clock) return;
  const ends = Date.now() + 1000 * clock.dataset.left;
  const tick = () => {
    const left = Math.max(0, Math.ceil((ends - Date.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.classList.toggle("ask", left < 60);
    if (left > 0) return;
    clearInterval(ticking);
    if (!busy) location.assign("/quiz");
  };
  ticking = setInterval(tick, 500);
  tick();
}

main.addEventListener("submit", (event) => {
  if (!new URL(event.target.action).pathname.includes("/do/")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

// How an answer is read, below it, after a pause; what is unfinished waits longer.

let pause = 0, rest = 0, asked = 0;
let before = { text: "", latex: null };

function follow() {
  keepDraft();
  clearTimeout(pause);
  clearTimeout(rest);
  pause = setTimeout(readSoFar, 150);
}

async function readSoFar() {
  const text = field(), live = document.getElementById("live");
  if (!live || !text) return;
  const typed = text.value, mine = ++asked;
  let read = { state: "", said: "", latex: null };
  if (typed.trim()) {
    try {
      const body = JSON.stringify({ text: typed, line: typed.slice(0, text.selectionStart).split("\n").length });
      const got = await fetch(text.closest("[data-read]").dataset.read, { method: "POST", body, headers: { "content-type": "application/json" } });
      if (got.ok) read = await got.json();
    } catch { /* sending will tell */ }
  }
  if (mine !== asked || !live.isConnected) return;
  if (read.state === "read") before = { text: typed.trimEnd(), latex: read.latex };
  const goesOn = read.state === "unfinished" && before.latex && typed.startsWith(before.text);
  tell(live, read.state, goesOn ? "…" : read.said, goesOn ? before.latex : read.latex);
  if (read.state === "unfinished") rest = setTimeout(() => tell(live, "unfinished", read.resting, null), 2000);
}

function tell(live, state, said, latex) {
  live.className = `live ${state}`;
  live.replaceChildren(said);
  if (latex) {
    const formula = Object.assign(document.createElement("span"), { className: "tex display wraps" });
    live.prepend(formula);
    drawOne(formula, latex);
  }
}

// Names and signs by tap, completion by Tab and tap.

function insert(sign, over = 0) {
  const text = field();
  text.focus();
  const at = text.selectionStart;
  text.setRangeText(sign, at - over, text.selectionEnd, "end");
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

function candidates() {
  const text = field();
  if (!text?.dataset.completions) return { word: "", found: [] };
  const word = /\\?[\p{L}_][\p{L}\p{N}_]*$|\\$/u.exec(text.value.slice(0, text.selectionStart))?.[0] ?? "";
  const all = JSON.parse(text.dataset.completions);
  const found = word ? all.filter(([whole, sign]) => whole.startsWith(word) && sign !== word) : [];
  return { word, found };
}

function offer() {
  const list = document.getElementById("completions");
  if (!list) return;
  const { word, found } = candidates();
  const shown = word.length > 1 || word.startsWith("\\") ? found.slice(0, 8) : [];
  list.hidden = shown.length === 0;
  list.replaceChildren(...shown.map(([whole, sign]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", tabIndex: -1 });
    button.textContent = whole === sign ? whole : `${whole} ${sign}`;
    button.addEventListener("click", () => insert(sign, word.length));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

main.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  follow();
  offer();
});
main.addEventListener("pointerdown", (event) => {
  if (event.target.closest(".names, .completions") && document.activeElement === field()) event.preventDefault();
});
main.addEventListener("click", (event) => {
  const sign = event.target.closest("[data-insert], [data-index]");
  if (sign) insert(sign.dataset.insert ? apart(sign.dataset.insert) : below(sign.dataset.index));
});

const typedBefore = () => field().value.slice(0, field().selectionStart);
// A name after another one is a factor, not a part of it.
function apart(sign) {
  const joins = /^\p{N}/u.test(sign) ? /[\p{L}\p{M}]$/u : /[\p{L}\p{M}\p{N})\]⊤]$/u;
  return /^[\p{L}\p{M}\p{N}]/u.test(sign) && joins.test(typedBefore()) ? ` ${sign}` : sign;
}

// An index goes below the name before it; beside other indices and signs it is a letter.
function below(letter) {
  const before = typedBefore(), word = /[\p{L}\p{M}\p{N}_]*$/u.exec(before)[0];
  const isName = [...main.querySelectorAll("[data-insert]")].some((key) => key.dataset.insert === word);
  const joins = isName ? false : /_\p{L}*$/u.test(before) || !/[\p{L}\p{M}\p{N})\]⊤]$/u.test(before);
  return joins ? letter : `_${letter}`;
}

main.addEventListener("focusout", () => setTimeout(() => {
  const list = document.getElementById("completions");
  if (list && document.activeElement !== field()) list.hidden = true;
}, 150));

// Keys: those of the terminal, written on the buttons.

function inField(event) {
  const text = field(), form = document.getElementById("answer");
  if (event.key === "Escape") {
    const list = document.getElementById("completions");
    if (list && !list.hidden) list.hidden = true;
    else text.blur();
    return true;
  }
  if (event.key === "Tab" && !event.shiftKey && !event.altKey) {
    const { word, found } = candidates();
    if (!found.length) return false;
    const common = found.map(([whole]) => whole).reduce((a, b) => {
      let same = 0;
      while (same < a.length && a[same] === b[same]) same++;
      return a.slice(0, same);
    });
    if (found.length === 1) insert(found[0][1], word.length);
    else if (common.length > word.length) insert(common, word.length);
    return true;
  }
  if (event.key !== "Enter" || event.shiftKey) return false;
  const explain = main.querySelector("[action$=explain] button");
  if (explain && text.value === text.defaultValue && !event.ctrlKey && !event.altKey) {
    explain.click();
    return true;
  }
  const value = text.value, at = text.selectionStart;
  const lastEmpty = value.trim() && /(^|\n)[ \t]*$/.test(value) && at === value.length;
  if (text.tagName === "INPUT" || event.ctrlKey || event.altKey || event.metaKey || lastEmpty) {
    form.requestSubmit();
    return true;
  }
  if (!value.trim()) {
    text.blur();
    return true;
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.defaultPrevented) return;
  const text = field(), typing = event.target === text && text;
  const writes = typing || event.target.matches?.("textarea, select, input:not([type=checkbox])");
  if (event.key === "s" && event.ctrlKey && document.getElementById("answer")) {
    event.preventDefault();
    document.getElementById("answer").requestSubmit();
    return;
  }
  if (typing && inField(event)) return event.preventDefault();
  if ((writes && !event.altKey) || event.ctrlKey || event.metaKey) return;
  // A key that was pressed before the ratings appeared does not answer them.
  const rates = main.querySelector(".ratings") && /^(Enter|[0-4yn])$/.test(event.key);
  if (event.repeat || (rates && performance.now() - shownAt < 250)) return event.preventDefault();
  const own = event.target.closest?.("button, a, summary");
  if (event.key === "Enter" && own && !own.matches("[data-key~=Enter]")) return;
  const name = event.key === "Enter" && main.querySelector(".suggested") ? ".suggested" : `[data-key~="${CSS.escape(event.key)}"]`;
  const button = main.querySelector(name);
  if (button) {
    event.preventDefault();
    button.click();
  } else if (event.key === "i" && main.querySelector(".picture")) {
    event.preventDefault();
    open(main.querySelector(".picture").src, "_blank", "noopener");
  } else if (event.key === "Enter" && text && !own) {
    event.preventDefault();
    text.focus();
  }
});

// A row of a list unfolds in its place.

main.addEventListener("toggle", async (event) => {
  const row = event.target;
  if (!row.open || !row.dataset.from) return;
  const got = await fetch(row.dataset.from, { headers: { "x-part": "main" } });
  const part = document.createElement("template");
  part.innerHTML = await got.text();
  draw(part.content);
  delete row.dataset.from;
  row.replaceChildren(row.querySelector("summary"), part.content);
  settle(row);
}, true);

// What another module has fetched is drawn before it is shown, too.
addEventListener("drawn", (event) => draw(event.detail));

// Letters that have arrived, or a phone that was turned, make formulas wider or narrower.
document.fonts.addEventListener("loadingdone", () => settle(main));
addEventListener("resize", () => settle(main));

addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
dropOldDrafts();
draw(main);
main.classList.add("drawn");
arrive();
