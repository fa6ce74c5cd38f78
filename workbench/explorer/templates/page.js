// The page: the address says what is shown, controls change it, and every change is drawn anew.
const scores = [];

async function scoreAt(i) {
  if (!scores[i]) {
    const text = document.getElementById(`numbers-${i}`).textContent;
    scores[i] = new Score(CONTENT.scores[i], await unpacked(text, CONTENT.octets));
  }
  return scores[i];
}

// Why nothing can be drawn; empty if something can.
function nothingToShow(state, cells) {
  if (!state.learners.length) return "Choose at least one learner.";
  if (!state.sources.length) return "Choose at least one source.";
  if (!state.sizes.length) return "Choose at least one number of training rows.";
  if (!panelsOf(state, cells).length) return "The study has no cells for these sources at these sizes.";
  if (state.view === "differences" && state.learners.every(learner => learner === state.base)) {
    return "Choose a learner in addition to the one to compare with.";
  }
  return "";
}

function drawn(state, score, cells, width, shown) {
  const several = CONTENT.sizes[0] !== null && state.sizes.length > 1;
  const draw = state.view === "map" ? drawMap : several ? drawCurves : drawDots;
  return draw(state, score, cells, width, shown);
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
    const state = this.state;
    this.width = this.view.clientWidth;
    if (!this.width) return; // not laid out yet: the observer will tell
    const score = await scoreAt(state.score);
    if (state !== this.state) return; // another change came meanwhile
    const parts = [make("h2", {textContent: VIEWS[state.view]})];
    if (this.unknown.length) {
      const names = this.unknown.join(", ");
      parts.push(paragraph(`The address asks for something that this page does not have: ${names}.`, "failure"));
    }
    const nothing = nothingToShow(state, this.cells);
    if (nothing) parts.push(paragraph(nothing, "failure"));
    else parts.push(...this.shown(state, score));
    this.replace(parts);
    this.status.textContent = nothing || `${VIEWS[state.view]}: ${score.described.words}`;
    document.documentElement.dataset.ready = "yes";
  }

  // The button that was pressed keeps the focus, or its neighbor if it is no longer of use.
  replace(parts) {
    const pressed = document.activeElement?.closest("#view button")?.textContent;
    this.view.replaceChildren(...parts);
    if (pressed === undefined) return;
    const buttons = [...this.view.querySelectorAll("button")];
    const same = buttons.find(button => button.textContent === pressed);
    (same?.disabled ? buttons.find(button => !button.disabled) : same)?.focus();
  }

  shown(state, score) {
    const content = rowsOf(state, score, this.cells);
    const title = `${VIEWS[state.view]}, ${score.described.words}`;
    if (state.view === "table") {
      const {sort, down} = state;
      const onSort = key => this.change({sort: key, down: key === sort && !down});
      const means = {...state, view: "curves", intervals: true};
      const head = [paragraph(titleOf(means, score), "head"), paragraph(noteOf(means, score))];
      return [...head, tableOf(content, title, {sort, down, onSort}), this.actions(state, score, content)];
    }
    const shown = shownPanels(state, this.cells, content.rows);
    const figure = drawn(state, score, this.cells, this.width, shown);
    const box = make("div", {className: "scroll"}, figure.host);
    const folded = make("details", {}, make("summary", {textContent: "These values as a table"}));
    folded.addEventListener("toggle", () => {
      if (folded.open && folded.children.length === 1) folded.append(tableOf(content, title));
    });
    const turner = this.turner(shown);
    return [...turner, box, this.actions(state, score, content, figure), ...gaps(content, state), folded];
  }

  // What does not fit on one page is on the next.
  turner({first, most, total}) {
    if (total <= most) return [];
    const button = (words, from, disabled) => make("button", {
      type: "button", textContent: words, disabled, onclick: () => this.change({from}),
    });
    const last = Math.min(first + most, total);
    const words = `Sources ${first + 1} to ${last} of ${total}. Saved data contain all sources`;
    const turner = make("nav", {className: "actions"}, button("Previous", first - most, first === 0),
      button("Next", first + most, last === total), make("span", {textContent: words}));
    turner.setAttribute("aria-label", "Sources shown");
    return [turner];
  }

  actions(state, score, content, figure = null) {
    const button = (words, act) => make("button", {type: "button", textContent: words, onclick: act});
    const said = make("output");
    const copy = async () => {
      const done = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
      said.value = done ? "Copied." : "Copy it from the address bar.";
    };
    const name = ending => fileName(state, score, ending);
    const saveFigure = () => save(svgText(figure.svg.node()), "image/svg+xml", name("svg"));
    return make("div", {className: "actions"},
      ...(figure ? [button("Save figure (SVG)", saveFigure)] : []),
      button("Save data (CSV)", () => save(csvText(content, score), "text/csv", name("csv"))),
      button("Copy address of this view", copy), said);
  }
}

// What has no finite mean is named, not left out.
function gaps({rows}, state) {
  if (state.view === "map" && state.map === "best") return [];
  const name = row => `${CONTENT.learners[row.learner].name} on ${whereOf(row.place, row.size)}`;
  const some = rows.filter(row => !Number.isFinite(row.found.mean));
  if (!some.length) return [];
  const most = 6, listed = some.slice(0, most).map(row => `${name(row)} (${reasons(row.found)})`);
  const more = some.length > most ? `; ${some.length - most} more in the table` : "";
  const names = `${listed.join("; ")}${more}`;
  return [paragraph(`Without a finite mean, at the edge of the figure or as a cross: ${names}.`)];
}

(async () => {
  try {
    new Page(new Cells(await unpacked(CONTENT.cells, 4)));
  } catch (error) {
    const words = `This browser cannot show the page (${error.message}): use a version of 2023 or later.`;
    document.getElementById("view").append(paragraph(words, "failure"));
    throw error;
  }
})();
