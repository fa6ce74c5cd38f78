// What the page holds. The numbers of a score are unpacked when it is first shown.
const CONTENT = JSON.parse(document.getElementById("content").textContent);
const N_SIZES = CONTENT.sizes.length, N_LEARNERS = CONTENT.learners.length;
const N_PAIRS = N_LEARNERS * (N_LEARNERS - 1) / 2;
const STATES = ["planned", "failed", "timed out", "pending"];
const range = n => Array.from({length: n}, (_, i) => i);

// All first bytes of floats, then all second ones, and so on, deflated.
async function unpacked(text, octets) {
  const deflated = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const n = planes.length / octets, found = new Float32Array(n), bits = new Uint32Array(found.buffer);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < octets; j++) bits[i] |= planes[j * n + i] << (24 - 8 * j);
  }
  return found;
}

// Values that are there, infinite ones included: an infinite one leaves no standard deviation.
function summary(values) {
  const n = values.length;
  let sum = 0, squares = 0, infinite = 0;
  for (const value of values) {
    sum += value;
    infinite += !Number.isFinite(value);
  }
  const mean = sum / n;
  for (const value of values) squares += (value - mean) ** 2;
  return {n, mean, sd: n > 1 && !infinite ? Math.sqrt(squares / (n - 1)) : NaN, infinite};
}

// The scores of one key, of which each source has single values or summaries, whichever is shorter.
class Score {
  constructor(described, numbers) {
    this.described = described;
    let at = 0;
    const take = n => numbers.subarray(at, at += n);
    this.sources = described.forms.map((form, source) => {
      const {units} = CONTENT.sources[source];
      if (form === "values") {
        return {form, units, center: take(units * N_SIZES), off: take(units * N_SIZES * N_LEARNERS)};
      }
      if (form === "") return {form};
      const own = range(4).map(() => take(N_SIZES * N_LEARNERS));
      return {form, own, pairs: range(4).map(() => take(N_SIZES * N_PAIRS))};
    });
  }

  of(source, size, learner) {
    const found = this.sources[source];
    if (found.form === "") return {n: 0, mean: NaN, sd: NaN, infinite: 0};
    if (found.form === "summaries") return entry(found.own, size * N_LEARNERS + learner);
    const values = range(found.units).map(i => value(found, i, size, learner));
    return summary(values.filter(one => !Number.isNaN(one)));
  }

  // Differences of two learners on the units where both have a score.
  between(source, size, learner, base) {
    const found = this.sources[source];
    if (found.form === "") return {n: 0, mean: NaN, sd: NaN, infinite: 0};
    if (found.form === "summaries") {
      const [a, b] = learner < base ? [learner, base] : [base, learner];
      const pair = entry(found.pairs, size * N_PAIRS + a * (2 * N_LEARNERS - a - 1) / 2 + b - a - 1);
      return learner < base ? pair : {...pair, mean: 0 - pair.mean};
    }
    const pairs = range(found.units).map(i => [learner, base].map(one => value(found, i, size, one)));
    return summary(pairs.filter(pair => !pair.some(Number.isNaN)).map(([a, b]) => a - b));
  }
}

function entry([n, mean, sd, infinite], at) {
  return {n: n[at], mean: mean[at], sd: sd[at], infinite: infinite[at]};
}

function value(found, unit, size, learner) {
  const at = unit * N_SIZES + size;
  return found.center[at] + found.off[at * N_LEARNERS + learner];
}

// Between two steps of 1 / df the critical value is all but a straight line.
function critical(df) {
  const table = CONTENT.critical, place = (table.length - 1) / df;
  const below = Math.min(Math.floor(place), table.length - 2);
  return table[below] + (place - below) * (table[below + 1] - table[below]);
}

// A mean over the means of sources, of equal weight; Satterthwaite's degrees of freedom.
function measured(score, cells, sources, size, learner, base = -1) {
  const there = sources.filter(source => cells.isPlanned(source, size));
  const parts = there.map(source =>
    base < 0 ? score.of(source, size, learner) : score.between(source, size, learner, base));
  const found = {n: 0, infinite: 0, lacking: [], sources: there};
  let sum = 0, error = 0, quartic = 0;
  parts.forEach((part, i) => {
    found.n += part.n;
    found.infinite += part.infinite;
    if (part.n === 0) found.lacking.push(there[i]);
    sum += part.mean;
    const share = CONTENT.sources[there[i]].share ?? NaN; // without one there are no intervals
    const squared = part.n > 1 ? part.sd ** 2 * (1 / part.n + share) : NaN;
    error += squared;
    quartic += squared ** 2 / (part.n - 1);
  });
  found.mean = found.lacking.length || !there.length ? NaN : sum / there.length;
  found.half = error > 0 ? critical(error ** 2 / quartic) * Math.sqrt(error) / there.length : error;
  if (found.lacking.length || !there.length) found.half = NaN;
  for (const state of STATES) {
    found[state] = 0;
    for (const source of there) {
      found[state] += cells.count(state, source, size, learner);
      if (base >= 0) found[state] += cells.count(state, source, size, base);
    }
  }
  return found;
}

// How many cells are planned, failed, timed out and are pending.
class Cells {
  constructor(counts) {
    this.counts = counts;
    this.planned = CONTENT.sources.map((_, source) => CONTENT.sizes.map((__, size) =>
      range(N_LEARNERS).some(learner => this.count("planned", source, size, learner) > 0)));
  }

  count(state, source, size, learner) {
    const plane = source * STATES.length + STATES.indexOf(state);
    return this.counts[(plane * N_SIZES + size) * N_LEARNERS + learner];
  }

  isPlanned(source, size) {
    return this.planned[source][size];
  }
}
