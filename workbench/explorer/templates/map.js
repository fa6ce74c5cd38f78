// A map: a row for each source, a column for each size, or for each learner at one size.
const CELL = 38, SHADES = 5;

function drawMap(state, score, cells, width) {
  const panels = panelsOf(state, cells);
  const squares = {best: bestSquares, mean: meanSquares, learners: learnerSquares}[state.map](state, score, cells);
  const figure = new Figure(width, mapTitle(state, score), mapNote(state, score));
  drawShades(figure, squares);
  const names = panels.map(panel => `${panel.title}${onTestWords(panel, score)}`);
  const label = Math.min(Math.max(60, ...names.map(one => widthOf(one) + 12)), width * 0.3);
  const {columns} = squares, wide = Math.min(Math.max((width - label) / Math.max(columns.length, 1), 30), 150);
  const top = figure.top + headHeight(columns, wide);
  const lying = slanted(columns, wide);
  columns.forEach((column, i) => drawHead(figure, column, label + (i + 0.5) * wide, top - 8, lying));
  names.forEach((one, i) => figure.text(figure.art, fitted(one, label - 10), label - 10, top + i * CELL + CELL / 2 + 4, "key", "end"));
  for (const square of squares.squares) {
    const x = label + square.column * wide, y = top + square.row * CELL;
    figure.mark({
      x: x + wide / 2, y: y + CELL / 2, panel: 0, series: undefined, column: square.column, lines: square.lines,
      draw: element => drawSquare(element, square, wide),
    });
    Object.assign(figure.marks[figure.marks.length - 1], {series: square.row, box: [wide, CELL], whole: true});
  }
  figure.width = Math.max(width, label + wide * columns.length + 2);
  const words = squares.squares.slice(0, 12).map(square => square.lines.slice(0, 3).join(", ")).join("; ");
  return figure.finished(top + panels.length * CELL + 10, `${plural(squares.squares.length, "cell")}. ${words}.`);
}

const onTestWords = (panel, score) =>
  panel.sources.some(source => score.described.on_test.includes(source)) ? " (test rows)" : "";

// If a name does not fit, all lie on their side.
const slanted = (columns, wide) => columns.some(column => widthOf(column) > wide - 6);
const headHeight = (columns, wide) =>
  slanted(columns, wide) ? Math.min(Math.max(...columns.map(column => widthOf(column))), 110) + 14 : 22;

function drawHead(figure, column, x, y, lying) {
  const [at, anchor] = lying ? [[0, 4], "start"] : [[x, y], "middle"];
  const text = figure.text(figure.art, lying ? fitted(column, 110) : column, ...at, "key", anchor);
  if (lying) text.attr("transform", `translate(${x},${y}) rotate(-90)`);
}

function drawSquare(element, {shade, words, small, strong}, wide) {
  element.append("rect").attr("x", -wide / 2 + 1).attr("y", -CELL / 2 + 1).attr("width", wide - 2).attr("height", CELL - 2)
    .attr("rx", 3).attr("class", `shade shade-${shade}`);
  const write = (text, y, className) => element.append("text").attr("y", y).attr("text-anchor", "middle")
    .attr("class", `${className} ink-${shade}`).text(fitted(text, wide - 8, className === "small" ? 12 : 13));
  if (small && wide > 44) {
    write(words, -2, "name");
    write(small, 13, "small");
  } else {
    write(words, 4, strong ? "name" : "small");
  }
}

// A darker shade where the lead is clear.
function bestSquares(state, score, cells) {
  const leaders = leadersOf(state, score, cells), means = decimalsOf(leaders.map(one => one.first?.found.mean ?? NaN));
  const leads = Math.max(decimalsOf(leaders.map(one => one.lead?.mean ?? NaN)) - 1, 0);
  const sizes = sizesShown(state, leaders), {sign} = score.described;
  const squares = leaders.map(({row, place, size, ranked, first, second, lead, lacking}) => {
    const where = [place.title, sizeName(size, sourceOf(place))].filter(text => text).join(", ");
    if (!first) return {row, column: sizes.indexOf(size), shade: "none", words: "\u2013", lines: [where, "no learner has a mean"]};
    const key = CONTENT.learners[first.learner].key, tied = lead && lead.mean === 0;
    const ahead = lead ? written(sign * lead.mean, leads) : "";
    const lines = [where, `${key}: ${withHalf(first.found, means)}${unitOf(score)}`];
    if (lead) lines.push(`ahead of ${CONTENT.learners[second.learner].key} by ${withHalf({...lead, mean: sign * lead.mean}, leads)}${unitOf(score)}`);
    if (ranked[2]) lines.push(`third ${CONTENT.learners[ranked[2].learner].key}`);
    lines.push(lead ? reasons(lead) : reasons(first.found));
    if (lacking) lines.push(`${plural(lacking, "learner")} without a mean`);
    const shade = lead && excludesZero(lead) ? 4 : tied ? 0 : 1;
    return {row, column: sizes.indexOf(size), shade, words: key, small: ahead && `+${ahead}`, lines};
  });
  const keys = [[4, "interval of the lead without zero"], [1, "with zero"]];
  return {squares, columns: sizes.map(size => sizeName(size) || "best"), keys};
}

function sizesShown(state, squares) {
  const found = new Set(squares.map(square => square.size));
  return state.sizes.filter(size => found.has(size));
}

function meanSquares(state, score, cells) {
  const points = pointsOf({...state, view: "curves", learners: [state.learner]}, score, cells);
  const sizes = sizesShown(state, points);
  const shade = shadesOf(points.map(point => score.described.sign * point.found.mean));
  const decimals = decimalsOf(points.map(point => point.found.mean));
  const squares = points.map(point => ({
    row: point.panel, column: sizes.indexOf(point.size), shade: shade(score.described.sign * point.found.mean),
    words: written(point.found.mean, decimals), lines: linesOf(point, score, decimals, []),
  }));
  return {squares, columns: sizes.map(size => sizeName(size) || "mean"), keys: shadeKeys()};
}

// Learners at the largest size chosen, each against the best of its row.
function learnerSquares(state, score, cells) {
  const size = state.sizes[state.sizes.length - 1], {sign} = score.described;
  const points = pointsOf({...state, view: "curves", sizes: [size]}, score, cells).filter(point => point.size === size);
  const best = new Map();
  for (const point of points.filter(one => !CONTENT.learners[one.learner].knows && !Number.isNaN(one.found.mean))) {
    const known = best.get(point.panel);
    if (known === undefined || sign * point.found.mean > sign * known) best.set(point.panel, point.found.mean);
  }
  const behind = point => Math.min(sign * (point.found.mean - best.get(point.panel)), 0);
  // The root lets those near the best differ, however far off the worst is.
  const depth = point => 0 - Math.sqrt(0 - behind(point));
  const shade = shadesOf(points.map(depth)), decimals = decimalsOf(points.map(point => point.found.mean));
  const ranked = ranks(points, sign);
  const learners = state.learners.filter(learner => points.some(point => point.learner === learner));
  const squares = points.map(point => ({
    row: point.panel, column: learners.indexOf(point.learner), shade: shade(depth(point)),
    strong: point.found.mean === best.get(point.panel) && !CONTENT.learners[point.learner].knows, words: written(point.found.mean, decimals), lines: linesOf(point, score, decimals, ranked(point)),
  }));
  return {squares, columns: learners.map(learner => CONTENT.learners[learner].key), keys: shadeKeys()};
}

// Five shades from the worst to the best.
function shadesOf(values) {
  const finite = values.filter(Number.isFinite), [low, high] = [Math.min(...finite), Math.max(...finite)];
  return value => {
    if (Number.isNaN(value)) return "none";
    if (!Number.isFinite(value)) return value > 0 ? SHADES - 1 : 0;
    return high > low ? Math.min(Math.floor((value - low) / (high - low) * SHADES), SHADES - 1) : SHADES - 1;
  };
}

const shadeKeys = () => range(SHADES).map(i => [i, i === SHADES - 1 ? "best" : "", i === 0 ? "worst" : ""]);

function drawShades(figure, {keys}) {
  let x = 0;
  for (const [shade, words, before] of keys) {
    if (before) {
      figure.text(figure.art, before, x, figure.top + 1, "key");
      x += widthOf(before) + 8;
    }
    figure.art.append("rect").attr("x", x).attr("y", figure.top - 10).attr("width", 22).attr("height", 14).attr("rx", 2)
      .attr("class", `shade shade-${shade}`);
    x += 26;
    if (!words) continue;
    figure.text(figure.art, words, x + 2, figure.top + 1, "key");
    x += widthOf(words) + 20;
  }
  figure.top += 16;
}

function mapTitle(state, score) {
  const words = `${score.described.words}${inBrackets(score)}`;
  if (state.map === "best") return `Best learner and its lead over the second, by ${words}`;
  if (state.map === "mean") return `${CONTENT.learners[state.learner].key}: mean ${words}`;
  const size = sizeName(state.sizes[state.sizes.length - 1]);
  return `Means of all learners${size ? ` at ${size}` : ""}, by ${words}`;
}

function mapNote(state, score) {
  const better = `${score.described.sign > 0 ? "Higher" : "Lower"} is better`;
  if (state.map === "mean") return `${better}; the darkest shade is the best mean shown.`;
  if (state.map === "learners") return `${better}; shades: how far behind the best of the row, which is bold; who knows the truth is not compared.`;
  const knowing = state.learners.filter(learner => CONTENT.learners[learner].knows).map(learner => CONTENT.learners[learner].key);
  const without = knowing.length ? ` ${knowing.join(", ")}: no rival, as it knows the truth or its law.` : "";
  return `${better}. Intervals: ${CONTENT.interval}; as the same values choose who leads, leads are a little too large.${without}`;
}
