// What can be chosen. Made once; `sync` then shows the state in them.
const PARTS = {metric: "Metric", prior: "Prior", rows: "Rows", cutoff: "Cut-off"};
const SOURCES = CONTENT.head;
const WIDE = "(min-width: 60rem)";

function madeControls(form, change) {
  const syncs = [];
  const add = (element, sync) => {
    syncs.push(sync);
    return element;
  };
  form.append(
    viewChoice(add, change),
    scoreChoice(add, change),
    shownChoice(add, change),
    listChoice("learners", "Learners", add, change, learnerSwatch),
    listChoice("sources", SOURCES, add, change),
  );
  if (CONTENT.sizes[0] !== null) form.append(listChoice("sizes", "Training rows", add, change));
  const reset = {type: "button", className: "plain", textContent: "Reset all choices"};
  form.append(make("button", {...reset, onclick: () => change(atStart())}));
  form.addEventListener("submit", event => event.preventDefault());
  return state => syncs.forEach(sync => sync(state));
}

function field(legend, ...children) {
  return make("fieldset", {}, make("legend", {textContent: legend}), ...children);
}

// A group that is folded away on small screens; its head says what is chosen in it.
function folded(title, ...children) {
  const count = make("span", {className: "count"});
  const head = make("summary", {}, make("b", {textContent: title}), " ", count);
  const box = make("details", {open: matchMedia(WIDE).matches}, head, ...children);
  return [box, words => { count.textContent = words; }];
}

function radios(name, choices, add, get, set) {
  const inputs = Object.entries(choices).map(([key, words]) => {
    const input = make("input", {type: "radio", name, value: key});
    input.addEventListener("change", () => set(key));
    return [key, input, make("label", {}, input, make("span", {textContent: words}))];
  });
  return add(make("div", {className: "segments"}, ...inputs.map(one => one[2])), state => {
    for (const [key, input] of inputs) input.checked = get(state) === key;
  });
}

function labeled(label, box) {
  box.id = `choose-${label.toLowerCase().replace(" ", "-")}`;
  return make("div", {className: "row"}, make("label", {htmlFor: box.id, textContent: label}), box);
}

function select(label, choices, add, get, set, shown = () => true) {
  const box = make("select");
  for (const [key, words] of choices) box.append(make("option", {value: key, textContent: words}));
  box.addEventListener("change", () => set(box.value));
  return add(labeled(label, box), state => {
    box.value = get(state);
    box.closest(".row").hidden = !shown(state);
  });
}

function checkbox(label, add, get, set, shown = () => true) {
  const box = make("input", {type: "checkbox"});
  box.addEventListener("change", () => set(box.checked));
  return add(make("label", {className: "check"}, box, make("span", {textContent: label})), state => {
    box.checked = get(state);
    box.closest("label").hidden = !shown(state);
  });
}

function viewChoice(add, change) {
  const views = field("View", radios("view", VIEWS, add, state => state.view, view => change({view})));
  views.className = "views";
  return views;
}

// A change of one part keeps as many of the others as there is a score of.
function nearestScore(from, part, word) {
  const parts = Object.keys(PARTS), old = CONTENT.scores[from];
  const fitting = range(CONTENT.scores.length).filter(i => CONTENT.scores[i][part] === word);
  const kept = i => parts.filter(one => CONTENT.scores[i][one] === old[one]).length;
  return fitting.reduce((best, i) => kept(i) > kept(best) ? i : best, fitting[0]);
}

function scoreChoice(add, change) {
  const selects = Object.entries(PARTS).map(([part, label]) => {
    const box = make("select"), row = labeled(label, box);
    let now = 0;
    box.addEventListener("change", () => change({score: nearestScore(now, part, box.value)}));
    return add(row, state => {
      now = state.score;
      const {metric} = CONTENT.scores[now];
      const own = CONTENT.scores.filter(score => part === "metric" || score.metric === metric);
      const words = [...new Set(own.map(score => score[part]))];
      box.replaceChildren(...words.map(word => make("option", {value: word, textContent: word})));
      box.value = CONTENT.scores[now][part];
      row.hidden = words.length < 2 && part !== "metric";
    });
  });
  const about = add(make("div", {className: "about"}), state => {
    const lines = CONTENT.scores[state.score].about;
    about.replaceChildren(...lines.map(line => make("p", {textContent: line})));
  });
  const [box, say] = folded("Score", ...selects, about);
  add(box, state => say(box.open ? "" : CONTENT.scores[state.score].words));
  if (CONTENT.left_out.length) {
    const names = CONTENT.left_out.join(", ");
    box.append(paragraph(`Left out, as the page would be too long: ${names}. To keep one of these scores, name it when writing the page.`));
  }
  return box;
}

function shownChoice(add, change) {
  const learners = CONTENT.learners.map((one, i) => [i, one.name]);
  const shownIn = (...views) => state => views.includes(state.view);
  const isChart = shownIn("curves", "differences");
  const together = {each: "each", together: "together"};
  const pool = radios("pool", together, add,
    state => state.pool ? "together" : "each", key => change({pool: key === "together"}));
  pool.setAttribute("role", "group");
  pool.setAttribute("aria-label", SOURCES);
  const row = make("div", {className: "row"}, make("span", {textContent: SOURCES}), pool);
  const [box] = folded("Options",
    ...(CONTENT.sources.length > 1 ? [row] : []),
    select("Compare with", learners, add, state => state.base, base => change({base: Number(base)}),
      shownIn("differences", "table")),
    select("Show", Object.entries(MAPS), add, state => state.map, map => change({map}),
      shownIn("map")),
    select("Learner", learners, add, state => state.learner, learner => change({learner: Number(learner)}),
      state => state.view === "map" && state.map === "mean"),
    checkbox("Intervals", add, state => state.intervals, intervals => change({intervals}), isChart),
    checkbox("Own scale for each panel", add, state => state.free, free => change({free}), isChart),
  );
  return box;
}

function learnerSwatch(i) {
  const svg = d3.create("svg:svg").attr("width", 30).attr("height", 14).attr("viewBox", "0 -7 30 14");
  drawKey(svg.attr("aria-hidden", "true"), i);
  return svg.node();
}

// Boxes to tick, folded away on small screens.
function listChoice(name, title, add, change, swatch = null) {
  const [, keys, names] = LISTS[name], boxes = [];
  const list = make("div", {className: "list"});
  keys.forEach((key, i) => {
    const one = make("input", {type: "checkbox"});
    boxes.push(one);
    one.addEventListener("change", () => change({[name]: range(keys.length).filter(j => boxes[j].checked)}));
    const words = make("span", {textContent: name === "sizes" ? whole(Number(key)) : names[i]});
    list.append(make("label", {className: "check"}, one, ...(swatch ? [swatch(i)] : []), words));
  });
  const button = (words, chosen) => make("button", {
    type: "button", className: "plain", textContent: words, ariaLabel: `${words}: ${title}`,
    onclick: () => change({[name]: chosen}),
  });
  const both = make("div", {className: "both"}, button("All", range(keys.length)), button("None", []));
  const [box, say] = folded(title, both, list);
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", title);
  return add(box, state => {
    boxes.forEach((one, i) => { one.checked = state[name].includes(i); });
    const n = state[name].length;
    say(n === keys.length ? `all ${n}` : `${n} of ${keys.length}`);
  });
}
