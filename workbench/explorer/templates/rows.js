// The values of a view: measured for its panels, and as rows for tables and files.

// One panel for each source, or one for all of them.
function panelsOf(state, cells) {
  const some = state.sources.filter(source => state.sizes.some(size => cells.isPlanned(source, size)));
  if (!some.length) return [];
  if (state.pool && some.length > 1) return [{title: `${some.length} sources together`, sources: some}];
  return some.map(source => ({title: CONTENT.sources[source].name, sources: [source]}));
}

// As many panels as can be drawn at once; a view of more is turned page by page.
const MOST_MARKS = 1000;

function shownPanels(state, cells, points) {
  const panels = panelsOf(state, cells), own = panels.map(() => []);
  for (const point of points) own[point.panel].push(point);
  const n = Math.max(1, Math.floor(MOST_MARKS / Math.max(1, ...own.map(some => some.length))));
  const first = Math.min(Math.floor(state.from / n) * n, Math.floor((panels.length - 1) / n) * n);
  const shown = panels.map((panel, i) => ({panel, own: own[i]})).slice(first, first + n);
  return {points, panels: shown, first, most: n, total: panels.length};
}

const sourceOf = panel => panel.sources.length === 1 ? panel.sources[0] : null;
const sizesOf = (panel, state, cells) =>
  state.sizes.filter(size => panel.sources.some(source => cells.isPlanned(source, size)));

// Every value of a view of means, or of differences to the base.
function pointsOf(state, score, cells) {
  const base = state.view === "differences" ? state.base : -1;
  const learners = state.learners.filter(learner => learner !== base);
  const points = [];
  panelsOf(state, cells).forEach((panel, i) => {
    for (const size of sizesOf(panel, state, cells)) {
      for (const learner of learners) {
        const found = measured(score, cells, panel.sources, size, learner, base);
        if (found.planned) points.push({panel: i, place: panel, size, learner, base, found});
      }
    }
  });
  return points;
}

function rowsOfPoints(state, score, cells) {
  const points = pointsOf(state, score, cells), differs = state.view === "differences";
  const values = points.map(point => point.found.mean), decimals = decimalsOf(values);
  const column = (key, title, of, more = {}) => ({key, title, of, ...more});
  const number = {numeric: true, decimals}, count = {numeric: true, decimals: 0};
  const columns = [
    ...placeColumns(),
    named("learner", point => CONTENT.learners[point.learner]),
    ...(differs ? [named("base", point => CONTENT.learners[point.base])] : []),
    column(differs ? "difference" : "mean", `${differs ? "difference" : "mean"}${inBrackets(score)}`,
      point => point.found.mean, number),
    column("half_width", "\u00b1", point => point.found.half, number),
    ...countColumns(count),
  ];
  return {columns, rows: points};
}

function placeColumns() {
  const size = {key: "n_train", title: "training rows", numeric: true, decimals: 0, of: rowsAt};
  const typed = ({place}) => sourceOf(place) === null ? place.title : CONTENT.sources[sourceOf(place)].key;
  return [{key: "source", title: "source", of: one => one.place.title, typed}, size];
}

// A column of learners: names on the page, keys in files.
const named = (key, learner) =>
  ({key, title: key, of: row => learner(row)?.name ?? "", typed: row => learner(row)?.key ?? ""});

// Data sets have a size each.
function rowsAt({place, size}) {
  const source = sourceOf(place);
  return CONTENT.sizes[size] ?? (source === null ? NaN : CONTENT.sources[source].rows);
}

function countColumns(count) {
  const states = {planned: "planned", failed: "failed", timed_out: "timed out", pending: "pending"};
  const names = {n: "n", n_infinite: "infinite", ...states};
  return Object.entries(names).map(([key, name]) => {
    const kind = {count: key !== "n", inFile: key === "planned"};
    return {key, title: name, of: one => one.found[name], ...kind, ...count};
  });
}

// A column of numbers; what is undefined is written as missing.
const numbers = (key, title, of, decimals, more = {}) =>
  ({key, title, of: row => of(row) ?? NaN, numeric: true, decimals, ...more});

// The table has both: means, and differences to the base.
function rowsOfTable(state, score, cells) {
  const means = rowsOfPoints({...state, view: "curves"}, score, cells);
  for (const row of means.rows) {
    row.lead = row.learner === state.base ? null
      : measured(score, cells, row.place.sources, row.size, row.learner, state.base);
  }
  const leads = means.rows.map(row => row.lead?.mean ?? NaN), decimals = decimalsOf(leads);
  const base = CONTENT.learners[state.base].name;
  const at = means.columns.findIndex(column => column.key === "half_width") + 1;
  means.columns.splice(at, 0,
    numbers("difference", `difference to ${base}`, row => row.lead?.mean, decimals, {signed: true}),
    numbers("difference_half_width", "\u00b1", row => row.lead?.half, decimals));
  return means;
}

// The best learner of every cell, and its lead over the second.
function leadersOf(state, score, cells) {
  const {sign} = score.described;
  // Who knows the truth takes no part.
  const learners = state.learners.filter(learner => !CONTENT.learners[learner].knows);
  const leaders = [];
  panelsOf(state, cells).forEach((place, row) => {
    for (const size of sizesOf(place, state, cells)) {
      const found = learner => measured(score, cells, place.sources, size, learner);
      const ranked = learners.map(learner => ({learner, found: found(learner)}))
        .filter(one => !Number.isNaN(one.found.mean)).sort((a, b) => sign * (b.found.mean - a.found.mean));
      const [first, second] = ranked;
      const lead = second && measured(score, cells, place.sources, size, first.learner, second.learner);
      const lacking = learners.length - ranked.length;
      leaders.push({panel: row, place, size, ranked, first, second, lead, lacking});
    }
  });
  return leaders;
}

function rowsOfMap(state, score, cells) {
  const plain = {...state, view: "curves"};
  if (state.map === "mean") return rowsOfPoints({...plain, learners: [state.learner]}, score, cells);
  if (state.map === "learners") return rowsOfPoints({...plain, sizes: state.sizes.slice(-1)}, score, cells);
  const rows = leadersOf(state, score, cells), learner = one => one && CONTENT.learners[one.learner];
  const means = decimalsOf(rows.map(row => row.first?.found.mean ?? NaN));
  const leads = decimalsOf(rows.map(row => row.lead?.mean ?? NaN));
  const columns = [
    ...placeColumns(),
    named("best", row => learner(row.first)),
    numbers("mean", `mean${inBrackets(score)}`, row => row.first?.found.mean, means),
    named("second", row => learner(row.second)),
    numbers("lead", "lead (best \u2212 second)", row => row.lead?.mean, leads, {signed: true}),
    numbers("half_width", "\u00b1", row => row.lead?.half, leads),
    numbers("n", "n", row => row.lead?.n ?? row.first?.found.n ?? 0, 0),
    numbers("lacking", "learners without a mean", row => row.lacking, 0, {count: true}),
  ];
  return {columns, rows};
}

function rowsOf(state, score, cells) {
  if (state.view === "table") return rowsOfTable(state, score, cells);
  if (state.view === "map") return rowsOfMap(state, score, cells);
  return rowsOfPoints(state, score, cells);
}
