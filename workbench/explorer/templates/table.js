// Values as a table: sorted by any column.
const MOST_ROWS = 1000;

function cellText(column, row) {
  const found = column.of(row);
  if (!column.numeric) return String(found);
  if (column.decimals === 0) return whole(found);
  return (column.signed ? signed : written)(found, column.decimals);
}

// What has no value stays at the end, whichever way the others go.
function sortedRows({columns, rows}, key, down) {
  const column = columns.find(one => one.key === key);
  if (!column) return rows;
  const lacks = found => column.numeric ? Number.isNaN(found) : found === "";
  const compare = (a, b) => column.numeric ? a - b : a.localeCompare(b, undefined, {numeric: true});
  return rows.map(row => [column.of(row), row]).sort(([a], [b]) =>
    lacks(a) || lacks(b) ? lacks(a) - lacks(b) : (down ? -1 : 1) * (compare(a, b) || 0)).map(pair => pair[1]);
}

// Columns of counts that are all zero say nothing, and are left to the file.
function withSomething({columns, rows}) {
  const says = column => !column.inFile && (!column.count || rows.some(row => column.of(row) !== 0));
  return {rows, columns: columns.filter(says)};
}

function tableOf(content, label, {sort = "", down = false, onSort = null} = {}) {
  const shown = withSomething(content), rows = sortedRows(shown, sort, down), table = make("table");
  table.setAttribute("aria-label", label);
  const head = table.createTHead().insertRow();
  for (const column of shown.columns) {
    const th = make("th", {scope: "col", className: column.numeric ? "n" : ""});
    if (onSort) {
      const button = make("button", {type: "button", textContent: column.title});
      button.addEventListener("click", () => onSort(column.key));
      th.append(button);
      if (column.key === sort) th.setAttribute("aria-sort", down ? "descending" : "ascending");
    } else {
      th.textContent = column.title;
    }
    head.append(th);
  }
  const body = table.createTBody();
  for (const row of rows.slice(0, MOST_ROWS)) {
    const tr = body.insertRow();
    for (const column of shown.columns) {
      const cell = tr.insertCell();
      Object.assign(cell, {textContent: cellText(column, row), className: column.numeric ? "n" : ""});
    }
  }
  const box = make("div", {className: "table", tabIndex: 0}, table);
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `${label}, may be scrolled`);
  if (rows.length <= MOST_ROWS) return box;
  const words = `The first ${whole(MOST_ROWS)} of ${whole(rows.length)} rows`;
  return make("div", {}, box, paragraph(`${words}: choose fewer learners, sources or sizes, or save all as CSV.`));
}
