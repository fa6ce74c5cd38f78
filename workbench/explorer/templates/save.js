// Figures as SVG files, in light colors and with all styles in them; data as CSV files.
const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity",
  "font-size", "font-weight", "font-family"];

// So many digits are right.
const DIGITS = CONTENT.octets === 4 ? 6 : 5;

function svgText(svg) {
  const copy = svg.cloneNode(true), paper = make("div", {className: "paper"}, copy);
  document.body.append(paper); // in the colors of paper, whatever the page's are
  for (const element of copy.querySelectorAll(".faint, .shown")) element.classList.remove("faint", "shown");
  for (const element of copy.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    if (!["g", "clipPath"].includes(element.tagName)) {
      for (const name of STYLES) element.style.setProperty(name, style.getPropertyValue(name));
    }
    const label = element.getAttribute("aria-label");
    if (label) {
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = label;
      element.prepend(title);
    }
    const own = ["class", "tabindex", "role", "aria-label", "data-learner"];
    for (const name of own) element.removeAttribute(name);
  }
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const whole = {width: "100%", height: "100%", fill: "#ffffff"};
  Object.entries(whole).forEach(pair => back.setAttribute(...pair));
  copy.prepend(back);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(copy);
  paper.remove();
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

function csvText({columns, rows}, score) {
  const quoted = text => /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  const exact = found => {
    if (Number.isNaN(found)) return "";
    return Number.isFinite(found) ? String(Number(found.toPrecision(DIGITS))) : found > 0 ? "inf" : "-inf";
  };
  const line = cells => cells.map(quoted).join(",");
  const words = ["metric", "prior", "rows", "cutoff"];
  const head = [...columns.map(column => column.key), ...words];
  const body = rows.map(row => [
    ...columns.map(column => column.numeric ? exact(column.of(row)) : String((column.typed ?? column.of)(row))),
    ...words.map(word => score.described[word]),
  ]);
  return `${[head, ...body].map(line).join("\n")}\n`;
}

function save(text, kind, name) {
  const address = URL.createObjectURL(new Blob([text], {type: kind}));
  const link = make("a", {href: address, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function fileName(state, score, ending) {
  const plain = text => text.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  const word = text => plain(text).slice(0, 60) || "study";
  return `${word(CONTENT.study)}-${state.view}-${word(score.described.metric)}.${ending}`;
}
