"use strict";
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

function sortBy(table, column, down) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach(other => other.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...body.rows].map(row => [keyOf(row.cells[column]), row]);
  rows.sort(([a], [b]) => (a[0] === 2 || b[0] === 2) ? a[0] - b[0] : (down ? -1 : 1) * order(a, b));
  body.append(...rows.map(pair => pair[1]));
}

// What is to be done after a click is given the column and whether it goes down.
function sortable(table, after = () => {}) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make("button", {type: "button"});
    button.append(...head.childNodes);
    head.append(button);
    head.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      sortBy(table, column, down);
      after(column, down);
    });
  });
}

// Letters without accents, and the hyphen of a keyboard for minus signs and dashes.
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[\u2010-\u2015\u2212]/g, "-").toLowerCase();
}
