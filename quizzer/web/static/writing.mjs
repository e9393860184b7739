// A new card as it will look, while it is written, and what `check` finds in it.

import * as drafts from "./card_drafts.mjs";

const form = document.getElementById("write");
let pause = 0, rest = 0, asked = 0;

async function ask(address, id) {
  const mine = ++asked;
  let got;
  try {
    got = await fetch(address, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { "x-part": "main" } });
  } catch { return; }
  if (!got.ok || mine !== asked) return;
  const part = document.createElement("template");
  part.innerHTML = await got.text();
  if (mine !== asked) return;
  dispatchEvent(new CustomEvent("drawn", { detail: part.content }));
  for (const name of id) {
    const next = part.content.getElementById(name);
    // While a card cannot be read, it stays as it was last.
    if (next && (name !== "preview" || next.querySelector("article"))) document.getElementById(name).replaceWith(next);
  }
}

async function show() {
  await ask("/new/preview", ["preview", "findings"]);
  clearTimeout(rest);
  rest = setTimeout(check, 900);
}

// A check takes seconds: while one runs, there is no other, and then one of the present text.
let checking = false, again = false;

async function check() {
  again = checking;
  if (checking) return;
  checking = true;
  document.getElementById("findings").classList.add("waiting");
  await ask("/new/check", ["findings"]);
  checking = false;
  if (again) check();
}

if (form) {
  drafts.open();
  form.addEventListener("input", () => {
    clearTimeout(pause);
    clearTimeout(rest);
    pause = setTimeout(show, 250);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "s" || !event.ctrlKey) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("[value=save]"));
  });
  document.addEventListener("click", (event) => {
    const where = event.target.closest("[data-field]");
    const field = where && form.elements[where.dataset.field];
    if (!field) return;
    field.focus();
    if (field.tagName !== "TEXTAREA") return;
    const lines = field.value.split("\n"), line = Math.min(where.dataset.line, lines.length) - 1;
    const start = lines.slice(0, line).join("\n").length + (line > 0);
    field.setSelectionRange(start, start + lines[line].length);
  });
  if (document.querySelector("#findings[data-all=false]")) show();
}
if (document.querySelector("[data-written]")) drafts.saved();
