// The page: the address says what is shown, controls change it, and every change is drawn anew.
const scores = [];

async function scoreAt(i) {
  if (!scores[i]) {
    const text = document.getElementById(`numbers-${i}`).textContent;
    scores[i] = new Score(CONTENT.scores[i], await unpacked(text));
  }
  return scores[i];
}

// Why nothing can be drawn; empty if something can.
function nothingToShow(state, cells) {
  if (!state.learners.length) return "Choose at least one learner.";
  if (!state.sources.length) return "Choose at least one source.";
  if (!state.sizes.length) return "Choose at least one number of training rows.";
  if (!panelsOf(state, cells).length) return "The study has no cells of these sources at these sizes.";
  if (state.view === "differences" && state.learners.every(learner => learner === state.base)) {
    return "Choose a learner besides the one to compare with.";
  }
  return "";
}

function drawn(state, score, cells, width) {
  if (state.view === "map") return drawMap(state, score, cells, width);
  const several = CONTENT.sizes[0] !== null && state.sizes.length > 1;
  return (several ? drawCurves : drawDots)(state, score, cells, width);
}

class Page {
  constructor(cells) {
    this.cells = cells;
    this.view = document.getElementById("view");
    this.sync = madeControls(document.getElementById("controls"), changes => this.change(changes));
    this.status = make("p", {className: "visually-hidden"});
    this.status.setAttribute("role", "status");
    this.view.before(this.status);
    this.width = 0;
    addEventListener("hashchange", () => this.read());
    new ResizeObserver(() => {
      if (Math.abs(this.view.clientWidth - this.width) > 1) this.draw();
    }).observe(this.view);
    this.read();
  }

  read() {
    [this.state, this.unknown] = fromAddress(location.hash.slice(1));
    this.sync(this.state);
    this.draw();
  }

  change(changes) {
    this.state = {...this.state, ...changes};
    this.unknown = [];
    const words = toAddress(this.state);
    history.replaceState(null, "", words ? `#${words}` : location.pathname + location.search);
    this.sync(this.state);
    this.draw();
  }

  async draw() {
    const state = this.state, score = await scoreAt(state.score);
    if (state !== this.state) return; // another change came meanwhile
    this.width = this.view.clientWidth;
    const parts = [make("h2", {textContent: VIEWS[state.view]})];
    if (this.unknown.length) {
      parts.push(make("p", {className: "failure", textContent: `The address names what this page does not have: ${this.unknown.join(", ")}.`}));
    }
    const nothing = nothingToShow(state, this.cells);
    if (nothing) parts.push(make("p", {className: "failure", textContent: nothing}));
    else parts.push(...this.shown(state, score));
    const focused = document.activeElement?.closest("#view th")?.cellIndex;
    this.view.replaceChildren(...parts);
    if (focused !== undefined) this.view.querySelectorAll("th button")[focused]?.focus();
    this.status.textContent = nothing || `${VIEWS[state.view]}: ${score.described.words}`;
    document.documentElement.dataset.ready = "yes";
  }

  shown(state, score) {
    const content = rowsOf(state, score, this.cells), title = `${VIEWS[state.view]}, ${score.described.words}`;
    if (state.view === "table") {
      const {sort, down} = state;
      const onSort = key => this.change({sort: key, down: key === sort && !down});
      const lines = [titleOf({...state, view: "curves"}, score), noteOf({...state, view: "curves", intervals: true}, score)];
      const head = lines.map((text, i) => make("p", {textContent: text, className: i ? "note" : "head"}));
      return [...head, tableOf(content, title, {sort, down, onSort}), this.actions(state, score, content)];
    }
    const figure = drawn(state, score, this.cells, this.width);
    const box = make("div", {className: "scroll"}, figure.host);
    const folded = make("details", {className: "values"}, make("summary", {textContent: "These values as a table"}));
    folded.addEventListener("toggle", () => {
      if (folded.open && folded.children.length === 1) folded.append(tableOf(content, title));
    });
    return [box, this.actions(state, score, content, figure), ...gaps(content, state), folded];
  }

  actions(state, score, content, figure = null) {
    const button = (words, act) => make("button", {type: "button", textContent: words, onclick: act});
    const said = make("output");
    const copy = async () => {
      const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
      said.value = done ? "Copied." : "Copy it from the address bar.";
    };
    const name = ending => fileName(state, score, ending);
    return make("div", {className: "actions"},
      ...(figure ? [button("Save figure (SVG)", () => save(svgText(figure.svg.node()), "image/svg+xml", name("svg")))] : []),
      button("Save data (CSV)", () => save(csvText(content, score), "text/csv", name("csv"))),
      button("Copy address of this view", copy), said);
  }
}

// What has no finite mean is named, not left out.
function gaps({rows}, state) {
  if (state.view === "map" && state.map === "best") return [];
  const name = row => `${CONTENT.learners[row.learner].key} on ${[row.place.title, sizeName(row.size, sourceOf(row.place))].filter(text => text).join(", ")}`;
  const some = rows.filter(row => !Number.isFinite(row.found.mean));
  if (!some.length) return [];
  const most = 6, listed = some.slice(0, most).map(row => `${name(row)} (${reasons(row.found)})`);
  const more = some.length > most ? `; ${some.length - most} more in the table` : "";
  const words = `Without a finite mean, at the edge of the figure or as a cross: ${listed.join("; ")}${more}.`;
  return [make("p", {className: "note", textContent: words})];
}

(async () => {
  try {
    new Page(new Cells(await unpacked(CONTENT.cells)));
  } catch (error) {
    const words = `This browser cannot show the page (${error.message}): use a version of 2023 or later.`;
    document.getElementById("view").append(make("p", {className: "failure", textContent: words}));
    throw error;
  }
})();
