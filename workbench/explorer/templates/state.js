// What is shown, as the page's address says it after the #: only what is not as at the start.
const VIEWS = {curves: "Means", differences: "Differences", map: "Map", table: "Table"};
const MAPS = {best: "best learner", mean: "one learner", learners: "all learners"};
const LISTS = {
  sources: ["source", CONTENT.sources.map(one => one.key), CONTENT.sources.map(one => one.name)],
  learners: ["learner", CONTENT.learners.map(one => one.key), CONTENT.learners.map(one => one.name)],
  sizes: ["size", CONTENT.sizes.map(String)],
};

function atStart() {
  const first = Math.max(CONTENT.learners.findIndex(one => one.color >= 0), 0);
  return {
    view: "curves",
    score: CONTENT.open,
    pool: false,
    ...Object.fromEntries(Object.entries(LISTS).map(([name, [, keys]]) => [name, range(keys.length)])),
    base: first,
    map: "best",
    learner: first,
    intervals: true,
    free: false,
    from: 0,
    sort: "",
    down: false,
  };
}

function toAddress(state) {
  const words = new URLSearchParams(), start = atStart();
  const differs = name => state[name] !== start[name];
  const learner = i => CONTENT.learners[i].key;
  if (differs("view")) words.set("view", state.view);
  if (differs("score")) words.set("score", CONTENT.scores[state.score].key);
  if (state.pool) words.set("sources", "together");
  for (const [name, [word, keys]] of Object.entries(LISTS)) {
    if (state[name].length === keys.length) continue;
    for (const i of state[name]) words.append(word, keys[i]);
    if (!state[name].length) words.append(word, "");
  }
  if (differs("base")) words.set("base", learner(state.base));
  if (differs("map")) words.set("map", state.map);
  if (differs("learner")) words.set("of", learner(state.learner));
  if (!state.intervals) words.set("intervals", "no");
  if (state.free) words.set("scale", "own");
  if (state.from) words.set("from", state.from + 1);
  if (state.sort) words.set("sort", state.sort);
  if (state.down) words.set("order", "down");
  return words.toString();
}

// Returns the state, and what the address names that this page does not have.
function fromAddress(address) {
  const words = new URLSearchParams(address), state = atStart(), unknown = [];
  const one = (word, keys, otherwise) => {
    if (!words.has(word)) return otherwise;
    const found = keys.indexOf(words.get(word));
    if (found < 0) unknown.push(words.get(word));
    return found < 0 ? otherwise : found;
  };
  const learners = LISTS.learners[1];
  state.view = Object.keys(VIEWS)[one("view", Object.keys(VIEWS), 0)];
  state.score = one("score", CONTENT.scores.map(score => score.key), state.score);
  state.pool = words.get("sources") === "together";
  for (const [name, [word, keys]] of Object.entries(LISTS)) {
    if (!words.has(word)) continue;
    const named = words.getAll(word).filter(key => key !== "");
    unknown.push(...named.filter(key => !keys.includes(key)));
    state[name] = range(keys.length).filter(i => named.includes(keys[i]));
  }
  state.base = one("base", learners, state.base);
  state.map = Object.keys(MAPS)[one("map", Object.keys(MAPS), 0)];
  state.learner = one("of", learners, state.learner);
  state.intervals = words.get("intervals") !== "no";
  state.free = words.get("scale") === "own";
  state.from = Math.max(Math.floor(Number(words.get("from") ?? 1)) - 1 || 0, 0);
  state.sort = words.get("sort") ?? "";
  state.down = words.get("order") === "down";
  return [state, unknown];
}
