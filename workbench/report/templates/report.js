"use strict";
// Rows that the eye takes in without a filter.
const LONG = 12;

const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

// What has no value stays at the end, whichever way the others go.
function keyOf(cell) {
  const value = cell.dataset.value, text = cell.textContent.trim();
  if (value === undefined) return text === "" || text === "\u2013" ? [2, 0, ""] : [1, 0, text];
  const number = value === "inf" ? Infinity : value === "-inf" ? -Infinity : parseFloat(value);
  return Number.isNaN(number) ? [2, 0, ""] : [0, number, ""];
}

function order(a, b) {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : a[2].localeCompare(b[2], undefined, {numeric: true}));
}

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = make("button", {type: "button"});
    button.append(...head.childNodes);
    head.append(button);
    head.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map(row => [keyOf(row.cells[column]), row]);
      rows.sort(([a], [b]) => (a[0] === 2 || b[0] === 2) ? a[0] - b[0] : (down ? -1 : 1) * order(a, b));
      body.append(...rows.map(pair => pair[1]));
    });
  });
}

// Letters without accents, and the hyphen of a keyboard for minus signs and dashes.
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[\u2010-\u2015\u2212]/g, "-").toLowerCase();
}

function filterable(table) {
  const rows = [...table.tBodies[0].rows], heads = [...table.tHead.rows[0].cells];
  if (rows.length <= LONG) return;
  const name = table.getAttribute("aria-label");
  const box = make("input", {type: "search", autocomplete: "off", spellcheck: false});
  const count = make("output", {ariaLive: "polite"});
  const tool = make("div", {className: "filter"});
  let texts;
  const show = () => {
    const words = plain(box.value).split(/\s+/).filter(word => word);
    texts ??= rows.map(row => plain([...row.cells].map(cell => cell.textContent).join(" ")));
    // Columns stay where they are while rows come and go.
    const widths = heads.map(head => words.length ? `${head.getBoundingClientRect().width}px` : "");
    heads.forEach((head, column) => { head.style.minWidth = widths[column]; });
    rows.forEach((row, i) => { row.hidden = !words.every(word => texts[i].includes(word)); });
    const left = rows.filter(row => !row.hidden).length;
    count.value = words.length ? `${left} of ${rows.length} rows` : `${rows.length} rows`;
    tool.classList.toggle("on", words.length > 0);
  };
  box.setAttribute("aria-label", `Filter: ${name}`);
  box.addEventListener("input", show);
  box.addEventListener("keydown", event => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    box.value = "";
    show();
  });
  const label = make("label", {textContent: "Filter "});
  label.append(box);
  tool.append(label, count);
  count.value = `${rows.length} rows`;
  table.closest(".table").before(tool);
}

for (const table of document.querySelectorAll("table")) {
  sortable(table);
  filterable(table);
}

// Paper cannot unfold.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach(folded => { folded.open = true; });
});
addEventListener("afterprint", () => opened.forEach(folded => { folded.open = false; }));
