// Drafts of new cards. They outlive a reload, a crash and a restart of the server. Each tab writes
// a draft of its own, so that none overwrites another's; a tab that begins opens the newest.

const DAYS = 30 * 86_400_000;
const PREFIX = "new card ";

const form = document.getElementById("write");
const told = document.getElementById("drafts");
const type = form?.elements.type.value;
const labels = Object.fromEntries([...document.querySelectorAll(".types a")].map((link) => [new URL(link.href).searchParams.get("type"), link.textContent]));
const fields = () => [...form.elements].filter((field) => field.name && field.name !== "do" && field.name !== "type");

// Of this tab: `own` is the draft that it writes, `from` the one that it began with.
const here = (of) => JSON.parse(sessionStorage.getItem(PREFIX + of)) ?? {};
const remember = (of, state) => sessionStorage.setItem(PREFIX + of, JSON.stringify(state));

// What is no draft of ours, another program that once served this port has left.
function stored(id) {
  try {
    const draft = JSON.parse(localStorage.getItem(PREFIX + id));
    return draft?.values ? draft : null;
  } catch {
    return null;
  }
}
const forget = (id) => localStorage.removeItem(PREFIX + id);

function all() {
  const ids = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  return ids.filter(stored).map((id) => ({ id, ...stored(id) })).sort((a, b) => b.at - a.at);
}

// A draft that another one began with, and that has not changed since, is within the other.
const isSame = (from) => from && stored(from.id)?.at === from.at;
const isWithin = (draft, drafts) => drafts.some((each) => each.from?.id === draft.id && each.from.at === draft.at);

function drop(of) {
  const { own, from } = here(of);
  let next = own ? stored(own)?.from : null;
  if (own) forget(own);
  for (next ??= from; isSame(next); ) {
    const before = stored(next.id).from;
    forget(next.id);
    next = before;
  }
}

export function keep() {
  const state = here(type);
  state.own ??= Math.random().toString(36).slice(2);
  const values = Object.fromEntries(fields().map((field) => [field.name, field.value]));
  const draft = { type, values, at: Date.now(), from: state.from };
  try {
    localStorage.setItem(PREFIX + state.own, JSON.stringify(draft));
    remember(type, state);
  } catch {
    told.textContent = "This browser has no room for a draft: save the card before you leave.";
    told.hidden = false;
  }
}

export function open() {
  for (const draft of all()) if (Date.now() - draft.at > DAYS) forget(draft.id);
  sessionStorage.removeItem("saving");
  if ("posted" in form.dataset) keep();
  else {
    const state = here(type);
    const id = [state.own, state.take].find((each) => each && stored(each));
    const shown = id ? { id, ...stored(id) } : state.afresh ? null : all().find((draft) => draft.type === type);
    if (shown) fill(shown, state);
  }
  tell();
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value === "save") sessionStorage.setItem("saving", type);
  });
  addEventListener("storage", heard);
}

function fill(draft, state) {
  for (const field of fields()) field.value = draft.values[field.name] ?? field.value;
  if (draft.id !== state.own) remember(type, { from: { id: draft.id, at: draft.at } });
}

// A tab that was duplicated writes the same draft: then this one goes on in another.
function heard(event) {
  const state = here(type);
  if (event.key === PREFIX + state.own && event.newValue) {
    remember(type, { from: state.from });
    keep();
  }
  if (event.key === null || event.key.startsWith(PREFIX)) tell();
}

function tell() {
  const drafts = all(), { own, from } = here(type), mine = stored(own) ?? (isSame(from) ? stored(from.id) : null);
  const others = drafts.filter((each) => each.id !== own && each.id !== from?.id && !isWithin(each, drafts));
  const parts = [];
  const afresh = () => go(type, { afresh: true });
  if (mine) {
    parts.push(line("span", `This is your draft of ${time(mine.at)}; it is not saved as a card yet.`));
    parts.push(button("Begin another", afresh), button("Discard it", () => { drop(type); afresh(); }));
  }
  if (others.length) parts.push(line("span", mine ? "Other drafts:" : "Drafts that are not saved as cards yet:"));
  for (const each of others) parts.push(button(`${name(each)}, ${time(each.at)}`, () => go(each.type, { take: each.id })));
  told.replaceChildren(...parts);
  told.hidden = parts.length === 0;
}

function name({ type: of, values }) {
  const said = values.name || values.question.trim().split("\n")[0].slice(0, 30);
  return said ? `${labels[of] ?? of}: ${said}` : labels[of] ?? of;
}

function time(at) {
  const then = new Date(at), today = then.toDateString() === new Date().toDateString();
  const day = today ? {} : { day: "numeric", month: "short" };
  return then.toLocaleString("en-GB", { ...day, hour: "2-digit", minute: "2-digit" });
}

function go(of, state) {
  remember(of, state);
  location.assign(`/new?type=${of}`);
}

const line = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });

function button(label, click) {
  const made = Object.assign(line("button", label), { type: "button", className: "quiet" });
  made.addEventListener("click", click);
  return made;
}

export function saved() {
  const of = sessionStorage.getItem("saving");
  if (of === null) return;
  drop(of);
  sessionStorage.removeItem("saving");
  sessionStorage.removeItem(PREFIX + of);
}
