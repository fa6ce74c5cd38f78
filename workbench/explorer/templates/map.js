// A map: a row for each source, a column for each size, or for each learner at one size.
const CELL = 38, SHADES = 5, LYING = 110;

function drawMap(state, score, cells, width, shown) {
  const of = {best: bestSquares, mean: meanSquares, learners: learnerSquares}[state.map];
  const {squares, columns, keys} = of(state, score, shown);
  const figure = new Figure(width, mapTitle(state, score), mapNote(state, score));
  drawShades(figure, keys);
  const names = shown.panels.map(({panel}) => `${panel.title}${onTestWords(panel, score)}`);
  const label = Math.min(Math.max(60, ...names.map(one => widthOf(one) + 12)), width * 0.3);
  const wide = Math.min(Math.max((width - label) / Math.max(columns.length, 1), narrowest(squares)), 150);
  const lying = columns.some(column => widthOf(column) > wide - 6);
  const longest = Math.max(...columns.map(column => widthOf(column)));
  const top = figure.top + (lying ? Math.min(longest, LYING) + 14 : 22);
  columns.forEach((column, i) => drawHead(figure, column, label + (i + 0.5) * wide, top - 8, lying));
  names.forEach((one, i) =>
    figure.text(figure.art, fitted(one, label - 10), label - 10, top + (i + 0.5) * CELL + 4, "key", "end"));
  for (const square of squares) {
    figure.mark({
      x: label + (square.column + 0.5) * wide, y: top + (square.row + 0.5) * CELL, box: [wide, CELL],
      panel: 0, series: square.row, column: square.column, lines: square.lines,
      draw: element => drawSquare(element, square, wide),
    });
  }
  figure.width = Math.max(width, label + wide * columns.length + 2);
  const words = squares.slice(0, 12).map(square => square.lines.slice(0, 3).join(", ")).join("; ");
  return figure.finished(top + names.length * CELL + 10, `${plural(squares.length, "cell")}. ${words}.`);
}

// Names keep about ten letters and numbers two decimals; a map that is wider is scrolled.
function narrowest(squares) {
  const names = squares.filter(square => square.words).map(square => widthOf(square.words, 13, 600));
  return names.length ? Math.min(Math.max(...names) + 14, 84) : 42;
}

// If a name does not fit, all lie on their side.
function drawHead(figure, column, x, y, lying) {
  const [at, anchor] = lying ? [[0, 4], "start"] : [[x, y], "middle"];
  const text = figure.text(figure.art, lying ? fitted(column, LYING) : column, ...at, "key", anchor);
  if (lying) text.attr("transform", `translate(${x},${y}) rotate(-90)`);
}

function drawSquare(element, {shade, words, number, small, strong}, wide) {
  element.append("rect").attr("x", 1 - wide / 2).attr("y", 1 - CELL / 2).attr("width", wide - 2)
    .attr("height", CELL - 2).attr("rx", 3).attr("class", `shade shade-${shade}`);
  const write = (text, y, bold) => element.append("text").attr("y", y).attr("text-anchor", "middle")
    .attr("class", `${bold ? "name" : "small"} ink-${shade}`)
    .text(fitted(text, wide - 8, bold ? 13 : 12, bold ? 600 : 400));
  if (small && wide > 44) {
    write(words, -2, true);
    write(small, 13, false);
  } else {
    write(words ?? numberIn(wide - 8, ...number), 4, strong);
  }
}

// As many decimals as there is room for.
function numberIn(width, value, decimals) {
  let n = decimals;
  while (n > 0 && widthOf(written(value, n), 13, 600) > width) n--;
  return written(value, n);
}

// A darker shade where the interval of the lead leaves out zero.
function bestSquares(state, score, {points, panels}) {
  const means = decimalsOf(points.map(one => one.first?.found.mean ?? NaN));
  const leads = Math.max(decimalsOf(points.map(one => one.lead?.mean ?? NaN)) - 1, 0);
  const sizes = sizesShown(state, points), {sign} = score.described, unit = unitOf(score);
  const square = (row, {place, size, ranked, first, second, lead, lacking}) => {
    const where = whereOf(place, size), column = sizes.indexOf(size);
    if (!first) return {row, column, shade: "none", words: "\u2013", lines: [where, "no learner has a mean"]};
    const name = one => CONTENT.learners[one.learner].name;
    const lines = [where, `${name(first)}: ${withHalf(first.found, means)}${unit}`];
    if (lead) {
      const ahead = withHalf({...lead, mean: sign * lead.mean}, leads);
      lines.push(`ahead of ${name(second)} by ${ahead}${unit}`);
    }
    if (ranked[2]) lines.push(`third ${name(ranked[2])}`);
    lines.push(reasons(lead ?? first.found));
    if (lacking) lines.push(`${plural(lacking, "learner")} without a mean`);
    const small = lead ? `+${written(sign * lead.mean, leads)}` : "";
    return {row, column, shade: lead && excludesZero(lead) ? 4 : 1, words: name(first), small, lines};
  };
  const squares = panels.flatMap(({own}, row) => own.map(one => square(row, one)));
  const keys = [[4, "interval of the lead excludes zero"], [1, "includes zero"]];
  return {squares, columns: sizes.map(size => sizeName(size) || "best"), keys};
}

function sizesShown(state, points) {
  const found = new Set(points.map(point => point.size));
  return state.sizes.filter(size => found.has(size));
}

function meanSquares(state, score, {points, panels}) {
  const sizes = sizesShown(state, points), {sign} = score.described;
  const shade = shadesOf(points.map(point => sign * point.found.mean));
  const decimals = decimalsOf(points.map(point => point.found.mean));
  const square = (row, point) => ({
    row, column: sizes.indexOf(point.size), shade: shade(sign * point.found.mean),
    number: [point.found.mean, decimals], lines: linesOf(point, score, decimals, []),
  });
  const squares = panels.flatMap(({own}, row) => own.map(point => square(row, point)));
  return {squares, columns: sizes.map(size => sizeName(size) || "mean"), keys: SHADE_KEYS};
}

// Learners at the largest size chosen, each against the best of its row.
function learnerSquares(state, score, {points, panels}) {
  const {sign} = score.described, best = new Map(), knows = point => CONTENT.learners[point.learner].knows;
  for (const point of points.filter(one => !knows(one) && !Number.isNaN(one.found.mean))) {
    const known = best.get(point.panel);
    const better = known === undefined || sign * point.found.mean > sign * known;
    if (better) best.set(point.panel, point.found.mean);
  }
  // The root lets those near the best differ, however far off the worst is.
  const depth = point => 0 - Math.sqrt(Math.max(sign * (best.get(point.panel) - point.found.mean), 0));
  const shade = shadesOf(points.map(depth)), decimals = decimalsOf(points.map(point => point.found.mean));
  const ranked = ranks(points, sign);
  const learners = state.learners.filter(learner => points.some(point => point.learner === learner));
  const square = (row, point) => ({
    row, column: learners.indexOf(point.learner),
    shade: Number.isNaN(point.found.mean) ? "none" : shade(depth(point)),
    strong: point.found.mean === best.get(point.panel) && !knows(point),
    number: [point.found.mean, decimals], lines: linesOf(point, score, decimals, ranked(point)),
  });
  const squares = panels.flatMap(({own}, row) => own.map(point => square(row, point)));
  return {squares, columns: learners.map(learner => CONTENT.learners[learner].name), keys: SHADE_KEYS};
}

// Five shades from the worst to the best.
function shadesOf(values) {
  const finite = values.filter(Number.isFinite), [low, high] = d3.extent(finite);
  return value => {
    if (Number.isNaN(value)) return "none";
    if (!Number.isFinite(value)) return value > 0 ? SHADES - 1 : 0;
    return high > low ? Math.min(Math.floor((value - low) / (high - low) * SHADES), SHADES - 1) : SHADES - 1;
  };
}

const SHADE_KEYS = range(SHADES).map(i => [i, i === SHADES - 1 ? "best" : "", i === 0 ? "worst" : ""]);

function drawShades(figure, keys) {
  let x = 0;
  const write = (words, gap) => {
    figure.text(figure.art, words, x, figure.top + 1, "key");
    x += widthOf(words) + gap;
  };
  for (const [shade, after, before] of keys) {
    if (before) write(before, 8);
    figure.art.append("rect").attr("x", x).attr("y", figure.top - 10).attr("width", 22).attr("height", 14)
      .attr("rx", 2).attr("class", `shade shade-${shade}`);
    x += after ? 28 : 26;
    if (after) write(after, 18);
  }
  figure.top += 16;
}

function mapTitle(state, score) {
  const words = `${score.described.words}${inBrackets(score)}${togetherWords(state)}`;
  if (state.map === "best") return `Best learner and its lead over the second, by ${words}`;
  if (state.map === "mean") return `${CONTENT.learners[state.learner].name}: mean ${words}`;
  const size = sizeName(state.sizes[state.sizes.length - 1]);
  return `Means of all learners${size ? ` at ${size}` : ""}, by ${words}`;
}

function mapNote(state, score) {
  const better = betterWords(score);
  if (state.map === "mean") return `${better}; the darkest shade is the best mean shown.`;
  if (state.map === "learners") {
    const shades = "how far behind the best of the row, which is bold";
    return joined([`${better}; shades: ${shades}.`, knowingWords(state)], " ");
  }
  return joined([
    `${better}. Intervals: ${intervalWords("the paired difference")};`,
    "leads are slightly too large, as the leader is chosen by the same values.",
    knowingWords(state),
  ], " ");
}

function knowingWords(state) {
  const knowing = state.learners.map(learner => CONTENT.learners[learner]).filter(one => one.knows);
  const names = knowing.map(one => one.name);
  return names.length ? `Not compared, as they know the truth or its law: ${names.join(", ")}.` : "";
}
