// Means, or differences, over training sizes: one panel for each source, one line for each learner.
const EDGE = {top: 26, right: 10, bottom: 36, left: 52};

function drawCurves(state, score, cells, width, {points, panels}) {
  const differs = state.view === "differences";
  const figure = new Figure(width, titleOf(state, score), noteOf(state, score));
  const learners = state.learners.filter(learner => !differs || learner !== state.base);
  figure.legend(learners);
  const places = grid(width, panels.length, 270, 22);
  const high = panels.length === 1 ? 360 : 210, step = high + EDGE.top + EDGE.bottom;
  const decimals = decimalsOf(points.map(point => point.found.mean));
  const ranked = ranks(points, score.described.sign);
  panels.forEach(({panel, own}, i) => {
    const box = {x: places.x(i) + EDGE.left, y: figure.top + places.row(i) * step + EDGE.top};
    box.width = places.width - EDGE.left - EDGE.right;
    box.height = high;
    const domain = domainOf(state.free ? own : points, state.intervals, differs);
    const y = d3.scaleLinear().domain(domain).range([box.height, 0]);
    const x = sizeScale(state.sizes, box.width);
    const frame = drawFrame(figure, panel, i, box, y, score);
    drawSizes(figure, frame, x, sizesOf(panel, state, cells), box);
    drawInfinite(figure, frame, own, box);
    if (differs) drawZero(figure, frame, y, box, score, state.base);
    const draw = {figure, frame, x, y, box, state, score, decimals, learners, clip: `url(#clip-${i})`};
    learners.forEach((learner, order) =>
      drawLearner(draw, own.filter(point => point.learner === learner), order, ranked));
  });
  const rows = Math.ceil(panels.length / places.columns);
  return figure.finished(figure.top + rows * step, summaryOf(score, panels, ranked));
}

// Sizes that span some multiples stand on a logarithmic scale.
function sizeScale(sizes, width) {
  const values = sizes.map(size => CONTENT.sizes[size]), [low, high] = d3.extent(values);
  const scale = high / low > 5 ? d3.scaleLog() : d3.scaleLinear();
  return scale.domain(low === high ? [low * 0.9, high * 1.1] : [low, high]).range([22, width - 22]);
}

function drawFrame(figure, panel, i, box, y, score) {
  const frame = figure.art.append("g").attr("transform", `translate(${box.x},${box.y})`);
  const title = fitted(`${panel.title}${onTestWords(panel, score)}`, box.width + 30, 13, 600);
  figure.text(frame, title, 16 - EDGE.left, -10, "panel");
  const clip = frame.append("clipPath").attr("id", `clip-${i}`).append("rect");
  clip.attr("width", box.width).attr("height", box.height);
  const ticks = y.ticks(Math.max(3, Math.round(box.height / 40))), format = y.tickFormat(ticks.length);
  for (const tick of ticks) {
    frame.append("line").attr("class", "grid").attr("x2", box.width).attr("y1", y(tick)).attr("y2", y(tick));
    figure.text(frame, format(tick).replace("-", "\u2212"), -8, y(tick) + 4, "tick", "end");
  }
  return frame;
}

function drawSizes(figure, frame, x, sizes, box) {
  const line = (x1, x2, y2) => frame.append("line").attr("class", "axis").attr("x1", x1).attr("x2", x2)
    .attr("y1", box.height).attr("y2", y2);
  line(0, box.width, box.height);
  let end = -Infinity;
  for (const size of sizes) {
    const at = x(CONTENT.sizes[size]), words = whole(CONTENT.sizes[size]);
    line(at, at, box.height + 4);
    if (at - widthOf(words, 11) / 2 < end + 4) continue;
    figure.text(frame, words, at, box.height + 16, "tick", "middle");
    end = at + widthOf(words, 11) / 2;
  }
  figure.text(frame, "training rows", box.width / 2, box.height + 31, "axis-name", "middle");
}

// What infinite means stand for at the edges.
function drawInfinite(figure, frame, points, box) {
  const means = points.map(point => point.found.mean);
  if (means.includes(-Infinity)) figure.text(frame, "\u2212\u221e", -8, box.height + 5, "tick", "end");
  if (means.includes(Infinity)) figure.text(frame, "\u221e", -8, 2, "tick", "end");
}

// Which side of zero is better, in words.
function drawZero(figure, frame, y, box, score, base) {
  frame.append("line").attr("class", "zero").attr("x2", box.width).attr("y1", y(0)).attr("y2", y(0));
  const better = score.described.sign > 0, name = fitted(CONTENT.learners[base].name, box.width / 2, 11);
  const words = `${better ? "\u2191" : "\u2193"} better than ${name}`;
  figure.text(frame, words, box.width, better ? 8 : box.height - 5, "side", "end");
}

function drawLearner(draw, points, order, ranked) {
  const {figure, frame, x, y, box, state, score, decimals, learners, clip} = draw;
  const shift = (order - (learners.length - 1) / 2) * Math.min(4, 24 / learners.length);
  const at = point => x(CONTENT.sizes[point.size]) + shift;
  const learner = learners[order], differs = state.view === "differences";
  const art = frame.append("g").attr("data-learner", learner).attr("clip-path", clip);
  const inside = value => Math.min(Math.max(y(value), 0), box.height);
  if (state.intervals) {
    for (const point of points.filter(one => Number.isFinite(one.found.half))) {
      const {mean, half} = point.found;
      art.append("line").attr("class", learners.length > 8 ? "whisker thin" : "whisker")
        .style("stroke", colorOf(learner))
        .attr("x1", at(point)).attr("x2", at(point)).attr("y1", y(mean - half)).attr("y2", y(mean + half));
    }
  }
  const line = d3.line().x(at).y(point => y(point.found.mean));
  line.defined(point => Number.isFinite(point.found.mean));
  art.append("path").attr("class", "line").attr("d", line(points)).style("stroke", colorOf(learner))
    .attr("stroke-dasharray", dashOf(learner));
  for (const point of points) {
    const {mean} = point.found, missing = Number.isNaN(mean);
    figure.mark({
      x: box.x + at(point), y: box.y + (missing ? box.height - 6 : inside(mean)),
      panel: point.panel, series: learner, column: point.size,
      lines: linesOf(point, score, decimals, ranked(point)),
      draw: element => drawMarker(element, learner,
        Number.isFinite(mean) && (!differs || excludesZero(point.found)), missing ? CROSS : undefined),
    });
  }
}

function titleOf(state, score) {
  const words = `${score.described.words}${inBrackets(score)}${togetherWords(state)}`;
  if (state.view !== "differences") return words;
  return `Difference to ${CONTENT.learners[state.base].name} in ${words}`;
}

function noteOf(state, score) {
  const differs = state.view === "differences", better = betterWords(score);
  const pairs = CONTENT.has_sizes ? `${CONTENT.units} and rows` : CONTENT.units;
  const lead = differs
    ? `${better}; learner minus ${CONTENT.learners[state.base].name} on the same ${pairs}; `
      + "hollow where the interval contains zero."
    : `${better}.`;
  const intervals = differs || state.intervals
    ? ` Intervals: ${intervalWords(differs ? "each mean difference" : "each mean")}.` : "";
  const together = togetherWords(state)
    ? " Taken together, sources have equal weights, and intervals are for the mean over these sources." : "";
  return `${lead}${intervals}${together}`;
}

// Who is first in every panel at every size, in a sentence each.
function summaryOf(score, panels, ranked) {
  const points = panels.flatMap(panel => panel.own);
  const decimals = decimalsOf(points.map(point => point.found.mean));
  const firsts = new Set(points.map(point => ranked(point)[0]).filter(first => first));
  const sentences = [...firsts].map(first =>
    `${whereOf(first.place, first.size)}: ${CONTENT.learners[first.learner].name} is first with `
    + `${withHalf(first.found, decimals)}${unitOf(score)}`);
  const most = 12, left = sentences.length - most;
  const more = left > 0 ? `; ${left} more places in the table` : "";
  return `${plural(points.length, "value")}. ${sentences.slice(0, most).join("; ")}${more}.`;
}
