"use strict";
// Rows that the eye takes in without a filter.
const LONG = 12;

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
