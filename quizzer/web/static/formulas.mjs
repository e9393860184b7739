// Formulas: they are drawn before they are shown, and fitted to the window.

function macrosOf(root) {
  const macros = {};
  const text = root?.dataset.macros;
  if (text) {
    try {
      katex.renderToString(text, { macros, globalGroup: true, throwOnError: true, trust: false });
    } catch { /* `quizzer check` tells what is wrong with it */ }
  }
  return macros;
}

export function draw(root) {
  for (const card of root.querySelectorAll("[data-macros]")) card.macros = macrosOf(card);
  for (const node of root.querySelectorAll(".tex:not([data-drawn])")) drawOne(node, node.textContent);
}

export function drawOne(node, latex) {
  const known = node.closest("[data-macros]")?.macros ?? {};
  const wraps = node.classList.contains("wraps");  // KaTeX breaks lines outside of displays only
  const text = wraps ? `\\displaystyle ${latex}` : latex;
  const display = node.classList.contains("display") && !wraps;
  const options = (throwOnError) => ({
    displayMode: display, macros: { ...known }, throwOnError, errorColor: "currentColor",
    trust: false, strict: false, maxExpand: 1000, maxSize: 50,
  });
  node.dataset.drawn = "";
  try {
    katex.render(text, node, options(true));
  } catch (error) {
    // A command that KaTeX lacks is drawn as its name. What cannot be read at all stays as it was
    // typed: KaTeX would show it with a style that the page's policy forbids.
    if (!katex.renderToString(text, options(false)).includes("katex-error")) katex.render(text, node, options(false));
    else Object.assign(node, { textContent: latex, title: error.message });
  }
}

// What is a little too wide becomes smaller, what is much too wide scrolls; of readings, one must
// see where they differ.
function fit(root) {
  for (const node of root.querySelectorAll(".readings .tex, .prose .tex.display")) {
    node.style.fontSize = "";
    const size = node.clientWidth / node.scrollWidth;
    if (size < 1) node.style.fontSize = `${Math.max(node.matches(".prose *") ? 0.8 : 0.55, 0.97 * size)}em`;
  }
}

// By keys, one must get to what scrolls.
export function settle(root) {
  fit(root);
  for (const node of root.querySelectorAll(".tex.display, div.wide, .typed, .live, .prose pre")) {
    if (node.scrollWidth > node.clientWidth) node.tabIndex = 0;
  }
}
