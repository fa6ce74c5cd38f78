// Numbers and names as the page writes them.
const make = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const grouping = new Intl.NumberFormat("en");
const whole = n => Number.isNaN(n) ? "\u2013" : grouping.format(n);
const paragraph = (textContent, className = "note") => make("p", {textContent, className});
const plural = (n, noun, several = `${noun}s`) => `${whole(n)} ${n === 1 ? noun : several}`;

// So many decimals that the largest value has four digits.
function decimalsOf(values) {
  const largest = Math.max(...values.filter(Number.isFinite).map(Math.abs), 0);
  return largest > 0 ? Math.min(Math.max(3 - Math.floor(Math.log10(largest)), 0), 7) : 2;
}

function written(value, decimals) {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

// A difference shows its sign.
function signed(value, decimals) {
  const text = written(value, decimals);
  return value > 0 && /[1-9\u221e]/.test(text) ? `+${text}` : text;
}

function withHalf(found, decimals, write = written) {
  const half = Number.isNaN(found.half) ? "" : ` \u00b1 ${written(found.half, decimals)}`;
  return `${write(found.mean, decimals)}${half}`;
}

const unitOf = score => score.described.unit ? ` ${score.described.unit}` : "";
const inBrackets = score => score.described.unit ? ` [${score.described.unit}]` : "";

function sizeName(size, source = null) {
  if (CONTENT.sizes[size] !== null) return `${whole(CONTENT.sizes[size])} rows`;
  return source === null ? "" : `${whole(CONTENT.sources[source].rows)} rows`;
}

const joined = (words, between) => words.filter(text => text).join(between);
const whereOf = (place, size) => joined([place.title, sizeName(size, sourceOf(place))], ", ");
const onTestWords = ({sources}, {described}) =>
  sources.some(source => described.on_test.includes(source)) ? " (test rows)" : "";
const betterWords = score => `${score.described.sign > 0 ? "Higher" : "Lower"} is better`;
const togetherWords = state => state.pool && state.sources.length > 1 ? ", sources together" : "";
const intervalWords = what => CONTENT.interval.replace("each mean", what);

// How many values are behind a mean, and what is not.
function reasons(found) {
  const words = [`${plural(found.n, CONTENT.unit, CONTENT.units)}`];
  if (found.infinite) words.push(`infinite in ${found.infinite}`);
  if (found.lacking.length && found.sources.length > 1) {
    words.push(`no value on ${found.lacking.length} of ${found.sources.length} sources`);
  }
  for (const state of STATES.slice(1)) {
    if (found[state]) words.push(`${plural(found[state], "cell")} ${state}`);
  }
  if (!found.n && words.length === 1) return found.planned ? "no such score" : "not part of the study";
  return words.join(", ");
}

const canvas = document.createElement("canvas").getContext("2d");
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

function widthOf(text, size = 12, weight = 400) {
  canvas.font = `${weight} ${size}px ${FONT}`;
  return canvas.measureText(text).width;
}

// As much of a text as fits.
function fitted(text, width, size = 12, weight = 400) {
  if (widthOf(text, size, weight) <= width) return text;
  let n = text.length;
  while (n > 1 && widthOf(`${text.slice(0, n)}\u2026`, size, weight) > width) n--;
  return `${text.slice(0, n)}\u2026`;
}
