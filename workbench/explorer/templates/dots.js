// Means, or differences, at one size: a line for each learner, the best on average at the top.
const ROW = 21;

function drawDots(state, score, cells, width, {points, panels}) {
  const differs = state.view === "differences";
  const figure = new Figure(width, titleOf(state, score), noteOf(state, score));
  const learners = inOrderOfRanks(points, score);
  const name = Math.min(Math.max(0, ...learners.map(one => widthOf(CONTENT.learners[one].name))), 150) + 12;
  const places = grid(width, panels.length, 260, 26);
  const high = learners.length * ROW + 6, step = high + EDGE.top + 40;
  const decimals = decimalsOf(points.map(point => point.found.mean));
  const ranked = ranks(points, score.described.sign);
  panels.forEach(({panel, own}, i) => {
    const box = {x: places.x(i) + name, y: figure.top + places.row(i) * step + EDGE.top, height: high};
    box.width = places.width - name - 14;
    const domain = domainOf(state.free ? own : points, state.intervals, differs);
    const x = d3.scaleLinear().domain(domain).range([0, box.width]);
    const frame = drawScale(figure, panel, box, x, score, own, name, differs && state.base);
    for (const point of own) {
      const y = learners.indexOf(point.learner) * ROW + ROW / 2 + 3;
      drawDot({figure, frame, x, box, state, score, decimals}, point, y, ranked, name);
    }
  });
  const rows = Math.ceil(panels.length / places.columns);
  return figure.finished(figure.top + rows * step, summaryOf(score, panels, ranked));
}

function inOrderOfRanks(points, score) {
  const ranked = ranks(points, score.described.sign), sums = new Map();
  for (const point of points) {
    const all = ranked(point), place = all.indexOf(point);
    const [sum, n] = sums.get(point.learner) ?? [0, 0];
    sums.set(point.learner, [sum + (place < 0 ? 1 : place / Math.max(all.length - 1, 1)), n + 1]);
  }
  return [...sums.keys()].sort((a, b) => sums.get(a)[0] / sums.get(a)[1] - sums.get(b)[0] / sums.get(b)[1]);
}

function drawScale(figure, panel, box, x, score, own, name, base) {
  const frame = figure.art.append("g").attr("transform", `translate(${box.x},${box.y})`);
  const place = own.length ? sizeName(own[0].size, sourceOf(panel)) : "";
  const after = `${place}${onTestWords(panel, score)}`;
  const room = box.width + name - 8 - widthOf(`, ${after}`, 13, 600);
  figure.text(frame, joined([fitted(panel.title, room, 13, 600), after], ", "), -name, -10, "panel");
  const ticks = x.ticks(Math.max(2, Math.floor(box.width / 64))), format = x.tickFormat(ticks.length);
  for (const tick of ticks) {
    frame.append("line").attr("class", "grid").attr("y2", box.height).attr("x1", x(tick)).attr("x2", x(tick));
    figure.text(frame, format(tick).replace("-", "\u2212"), x(tick), box.height + 15, "tick", "middle");
  }
  if (base !== false) {
    frame.append("line").attr("class", "zero").attr("y2", box.height).attr("x1", x(0)).attr("x2", x(0));
    const right = score.described.sign > 0;
    const [words, at, anchor] = right ? ["better \u2192", box.width, "end"] : ["\u2190 better", 0, "start"];
    figure.text(frame, words, at, box.height + 30, "side", anchor);
  }
  return frame;
}

function drawDot({figure, frame, x, box, state, score, decimals}, point, y, ranked, name) {
  const {mean, half} = point.found, {learner} = point, differs = state.view === "differences";
  const within = value => Math.min(Math.max(x(value), 0), box.width);
  const art = frame.append("g").attr("data-learner", learner);
  figure.text(art, fitted(CONTENT.learners[learner].name, name - 10), -8, y + 4, "key", "end");
  if (state.intervals && Number.isFinite(half)) {
    art.append("line").attr("class", "whisker").style("stroke", colorOf(learner))
      .attr("x1", within(mean - half)).attr("x2", within(mean + half)).attr("y1", y).attr("y2", y);
  }
  figure.mark({
    x: box.x + (Number.isNaN(mean) ? 6 : within(mean)), y: box.y + y,
    panel: point.panel, series: learner, column: 0,
    lines: linesOf(point, score, decimals, ranked(point)),
    draw: element => drawMarker(element, learner,
      Number.isFinite(mean) && (!differs || excludesZero(point.found)),
      Number.isNaN(mean) ? CROSS : undefined),
  });
}
