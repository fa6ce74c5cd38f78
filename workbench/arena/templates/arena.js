const content = JSON.parse(document.getElementById("content").textContent);
const table = document.querySelector("#board table"), form = document.getElementById("choose");
const axis = document.getElementById("axis"), chart = document.getElementById("chart");
const CHOICES = ["kind", "sizes", "difficulty", "width"], SVG = "http://www.w3.org/2000/svg";
const MISSING = "\u2013", MINUS = "\u2212", SORT = content.columns.findIndex(([key]) => key === "regret");
const families = [...form.elements.family.options].slice(1).map(option => option.value);
// Paths of points, one for each family in turn, so that color is not all that sets families apart.
const SHAPES = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "M-5 4.5H5L0-5z", "M-4.5-4.5h9v9h-9z", "M0-6L6 0L0 6L-6 0z",
  "M-5-4.5H5L0 5z", "M-2-5.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5v-4h3.5z", "M-5.5-2.5h11v5h-11z"];
const opened = Object.fromEntries(CHOICES.map((name, i) => [name, content.default.split("|")[i]]));
let state;

// Numbers as words: the same as in the page without a script.

const fixed = (value, digits) => value.toFixed(digits).replace("-", MINUS);

function ordinal(rank) {
  const ending = rank % 100 >= 10 && rank % 100 <= 20 ? "th" : {1: "st", 2: "nd", 3: "rd"}[rank % 10] ?? "th";
  return `${rank}${ending}`;
}

function duration(seconds) {
  const [number, unit] = seconds >= 1 ? [seconds, "s"] : [1000 * seconds, "ms"];
  return `${number.toFixed(number < 10 ? 1 : 0)} ${unit}`;
}

const interval = (value, low, high, digits) => value === null ? [MISSING] :
  low === null ? [fixed(value, digits)] : [fixed(value, digits), `[${fixed(low, digits)}, ${fixed(high, digits)}]`];
const unless = (value, words) => value === null ? [MISSING] : [words(value)];
const times = ratio => ratio === null ? "" : `${ratio.toFixed(ratio < 10 ? 1 : 0)}\u00d7`;
const CELLS = {
  rank: one => one.first ? [one.first === one.last ? ordinal(one.first) : `${ordinal(one.first)} to ${ordinal(one.last)}`, one.among ? `of ${one.among}` : ""] : [MISSING],
  regret: one => interval(one.regret, one.low, one.high, 3),
  strength: one => interval(one.strength, one.weakest, one.strongest, 2),
  accuracy: one => unless(one.accuracy, value => `${(100 * value).toFixed(1)}%`),
  ir_b: one => interval(one.ir_b, null, null, 3),
  fit: one => one.fit === null ? [MISSING] : [duration(one.fit), times(one.ratio)],
  forecast: one => unless(one.forecast, duration),
};
// A newcomer's regret is of its part: it stands where it would be by its place among the others there.
const SORTED = {rank: one => one.first ? one.first + one.last / 1000 : null, regret: one => one.order};
const valueOf = (key, one) => SORTED[key] ? SORTED[key](one) : one[key] ?? null;

// What is shown

const keyOfView = chosen => CHOICES.map(name => chosen[name]).join("|");

function standings(view) {
  const named = numbers => Object.fromEntries(content.numbers.map((name, i) => [name, numbers[i] ?? null]));
  const own = new Map(view.own.map(([i, said, n]) => [i, [`; ${said}`, n]]));
  const rows = view.rows.map(([i, ...numbers]) => {
    const entry = content.entries[i], [said, among] = own.get(i) ?? ["", 0];
    return {entry, one: {...named(numbers), among}, about: entry.about + said};
  });
  const out = view.out.map(([i, reason]) => ({entry: content.entries[i], one: named([]), about: `not ranked: ${reason}`}));
  return [...rows, ...out];
}

function shown(view) {
  const words = plain(state.find).split(/\s+/).filter(word => word);
  return standings(view).filter(({entry}) => {
    const text = plain(`${entry.title} ${entry.key} ${entry.about} ${entry.note}`);
    return (!state.family || entry.family === state.family) && words.every(word => text.includes(word));
  });
}

function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// A line from 1st to last with the ranks that a learner may have.
function strip({first, last}, n) {
  const at = rank => n < 2 ? 50 : 2 + 96 * (rank - 1) / (n - 1);
  return drawn("svg", {class: "strip", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true"},
    drawn("line", {class: "all", x1: 2, x2: 98, y1: 4, y2: 4}),
    drawn("line", {class: "own", x1: at(first) - .01, x2: at(last) + .01, y1: 4, y2: 4}));
}

function rowOf({entry, one, about}, n) {
  const row = make("tr", {className: entry.is_ranked ? "" : "yardstick"}), head = make("th", {scope: "row"});
  head.append(make("a", {href: entry.page, textContent: entry.title}), " ",
    make("span", {className: "about", textContent: about}));
  row.append(head);
  for (const [key] of content.columns.slice(1)) {
    const [text, more] = CELLS[key](one), cell = make("td", {className: "n"}), value = valueOf(key, one);
    cell.append(text);
    if (more) cell.append(" ", make("span", {className: "more", textContent: more}));
    if (value !== null) cell.dataset.value = value;
    if (key === "rank" && one.first) cell.append(strip(one, one.among || n));
    row.append(cell);
  }
  return row;
}

function show() {
  const view = content.views[keyOfView(state)], rows = shown(view);
  document.getElementById("say").textContent = view.say;
  document.getElementById("basis").textContent = view.basis;
  table.tBodies[0].replaceChildren(...rows.map(row => rowOf(row, view.n)));
  sortBy(table, state.sort, state.down);
  const total = view.rows.length + view.out.length;
  document.getElementById("count").value = rows.length < total ? `${rows.length} of ${total} rows` : `${total} rows`;
  for (const name of CHOICES) {
    const select = form.elements[name];
    select.value = state[name];
    for (const option of select.options)
      option.disabled = !(keyOfView({...state, [name]: option.value}) in content.views);
  }
  form.elements.family.value = state.family;
  if (form.elements.find.value !== state.find) form.elements.find.value = state.find;
  axis.elements.cost.value = state.cost;
  draw(rows.filter(({one}) => one.regret !== null && one.first && !one.among && one[state.cost] > 0));
}

// Regret against cost

function steps(low, high, most) {
  const size = 10 ** Math.floor(Math.log10((high - low) / most || 1));
  const step = [1, 2, 5, 10].map(times => times * size).find(one => (high - low) / one <= most);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

function tickWords(decade, times) {
  const [unit, up] = decade >= 0 ? ["s", 0] : decade >= -3 ? ["ms", 3] : ["\u00b5s", 6];
  return `${Number((times * 10 ** (decade + up)).toPrecision(6))} ${unit}`;
}

function scales(points, width, height, edge) {
  const logs = points.map(({one}) => Math.log10(one[state.cost])), values = points.map(({one}) => one.regret);
  const least = Math.min(...logs), most = Math.max(...logs), side = Math.max(.15, .05 * (most - least));
  const [left, right] = [least - side, most + side];
  const low = Math.min(0, ...values), high = Math.max(...values) || 1, room = .06 * (high - low);
  const x = value => edge.left + (value - left) / (right - left) * (width - edge.left - edge.right);
  const y = value => edge.top + (high + room - value) / (high + room - low) * (height - edge.top - edge.bottom);
  return {x, y, left, right, low, high};
}

function axes(svg, scale, width, height, edge) {
  const most = Math.max(2, Math.floor(width / 90)), every = Math.ceil((scale.right - scale.left) / most);
  // Decades, or between them where there are fewer than two.
  const decades = Math.floor(scale.right) - Math.ceil(scale.left) + 1;
  const within = decades < 2 ? [1, 2, 5] : [1];
  for (let decade = Math.floor(scale.left); decade <= scale.right; decade += every)
    for (const times of within) {
      const log = decade + Math.log10(times), x = scale.x(log);
      if (log < scale.left || log > scale.right) continue;
      svg.append(drawn("line", {class: "grid", x1: x, x2: x, y1: edge.top, y2: height - edge.bottom}),
        drawn("text", {class: "tick", x, y: height - edge.bottom + 17, "text-anchor": "middle"}, tickWords(decade, times)));
    }
  for (const value of steps(scale.low, scale.high, 6)) {
    const y = scale.y(value);
    svg.append(drawn("line", {class: "grid", x1: edge.left, x2: width - edge.right, y1: y, y2: y}),
      drawn("text", {class: "tick", x: edge.left - 7, y: y + 4, "text-anchor": "end"}, fixed(Number(value.toPrecision(6)), value && scale.high < .1 ? 2 : 1)));
  }
  const words = axis.elements.cost.selectedOptions[0].textContent;
  svg.append(drawn("text", {class: "name", x: (edge.left + width - edge.right) / 2, y: height - 6, "text-anchor": "middle"}, words),
    drawn("text", {class: "name", x: 14, y: (edge.top + height - edge.bottom) / 2, "text-anchor": "middle",
      transform: `rotate(-90 14 ${(edge.top + height - edge.bottom) / 2})`}, "mean regret [bits]"));
}

// Names where there is room for them, those of the line first.
function names(svg, marks, width, edge) {
  const taken = marks.map(({x, y}) => [x - 6, y - 6, x + 6, y + 6]);
  const free = box => box[0] >= edge.left && box[2] <= width && box[1] >= 0 &&
    taken.every(other => box[2] <= other[0] || other[2] <= box[0] || box[3] <= other[1] || other[3] <= box[1]);
  for (const {x, y, title} of [...marks].sort((a, b) => b.front - a.front || a.one.regret - b.one.regret)) {
    const text = drawn("text", {}, title.length > 28 ? `${title.slice(0, 27)}\u2026` : title);
    svg.append(text);
    const long = text.getComputedTextLength();
    const places = [[x + 9, y + 4], [x - 9 - long, y + 4], [x - long / 2, y - 10], [x - long / 2, y + 19]];
    const place = places.find(([a, b]) => free([a, b - 11, a + long, b + 3]));
    if (!place) { text.remove(); continue; }
    text.setAttribute("x", place[0]);
    text.setAttribute("y", place[1]);
    taken.push([place[0], place[1] - 11, place[0] + long, place[1] + 3]);
  }
}

function draw(points) {
  if (!points.length) {
    chart.replaceChildren(make("p", {className: "note", textContent: "The cost of the learners shown is unknown for this choice."}));
    return;
  }
  const width = Math.max(300, Math.floor(chart.clientWidth)), height = width < 560 ? 360 : 440;
  const edge = {left: 58, right: 14, top: 12, bottom: 46}, scale = scales(points, width, height, edge);
  const svg = drawn("svg", {viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Mean regret in bits against ${axis.elements.cost.selectedOptions[0].textContent}, ${points.length} learners; the numbers are in the table.`});
  chart.replaceChildren(svg);
  axes(svg, scale, width, height, edge);
  const marks = points.map(({entry, one}) => ({entry, one, title: entry.title,
    x: scale.x(Math.log10(one[state.cost])), y: scale.y(one.regret), front: false}));
  let best = Infinity;
  for (const mark of [...marks].sort((a, b) => a.x - b.x || a.one.regret - b.one.regret))
    if (mark.one.regret < best) [best, mark.front] = [mark.one.regret, true];
  const line = marks.filter(mark => mark.front).sort((a, b) => a.x - b.x);
  svg.append(drawn("polyline", {class: "front", points: line.map(({x, y}) => `${x},${y}`).join(" ")}));
  for (const {entry, one, x, y} of marks) {
    const k = Math.max(0, families.indexOf(entry.family)) % SHAPES.length;
    const words = `${entry.title}: ${fixed(one.regret, 3)} bits, ${duration(one[state.cost])}`;
    const link = drawn("a", {href: entry.page, tabindex: -1},
      drawn("path", {class: `point s${k}`, d: SHAPES[k], transform: `translate(${x} ${y})`}, drawn("title", {}, words)));
    svg.append(link);
  }
  names(svg, marks, width, edge);
  chart.append(legend(points));
}

function legend(points) {
  const list = make("ul", {className: "legend"});
  families.forEach((family, i) => {
    if (!points.some(({entry}) => entry.family === family)) return;
    const item = make("li", {}), k = i % SHAPES.length;
    item.append(drawn("svg", {viewBox: "-7 -7 14 14", "aria-hidden": "true"}, drawn("path", {class: `s${k}`, d: SHAPES[k]})), family);
    list.append(item);
  });
  return list;
}

// The view is in the address, so that it can be sent.

function read() {
  const given = new URLSearchParams(location.hash.slice(1)), chosen = {...opened};
  for (const name of CHOICES) if (given.has(name)) chosen[name] = given.get(name);
  const view = keyOfView(chosen) in content.views ? chosen : {...opened};
  const sort = content.columns.findIndex(([key]) => key === given.get("sort"));
  const family = given.get("family"), cost = given.get("cost");
  return {...view, family: families.includes(family) ? family : "", find: given.get("find") ?? "",
    sort: sort < 0 ? SORT : sort, down: given.has("down"), cost: cost === "forecast" ? cost : "fit"};
}

function write() {
  const said = new URLSearchParams();
  for (const name of CHOICES) if (state[name] !== opened[name]) said.set(name, state[name]);
  for (const name of ["family", "find"]) if (state[name]) said.set(name, state[name]);
  if (state.sort !== SORT) said.set("sort", content.columns[state.sort][0]);
  if (state.down) said.set("down", "1");
  if (state.cost !== "fit") said.set("cost", state.cost);
  history.replaceState(null, "", `#${said}`);
}

function change(parts) {
  state = {...state, ...parts};
  write();
  show();
}

sortable(table, (sort, down) => { Object.assign(state, {sort, down}); write(); });
for (const name of [...CHOICES, "family"])
  form.elements[name].addEventListener("change", event => change({[name]: event.target.value}));
form.elements.find.addEventListener("input", event => change({find: event.target.value}));
form.elements.find.addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  change({find: ""});
});
axis.elements.cost.addEventListener("change", event => change({cost: event.target.value}));
document.getElementById("reset").addEventListener("click", () => change({...opened, family: "", find: "", sort: SORT, down: false}));
form.addEventListener("submit", event => event.preventDefault());
addEventListener("hashchange", () => {
  // A link to a section is not a view.
  if (document.getElementById(location.hash.slice(1))) return;
  state = read();
  show();
});
let resized;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(show, 150); });

form.hidden = axis.hidden = false;
state = read();
show();
