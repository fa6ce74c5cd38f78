// A figure: what is drawn is one image with a summary in words; its marks are reached one by one.
const MARKERS = {
  "o": "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0Z",
  "s": "M-3.6,-3.6H3.6V3.6H-3.6Z",
  "^": "M0,-4.6L4.4,3.4H-4.4Z",
  "D": "M0,-4.8L4.8,0L0,4.8L-4.8,0Z",
  "v": "M0,4.6L4.4,-3.4H-4.4Z",
  "P": "M-1.6,-4.4H1.6V-1.6H4.4V1.6H1.6V4.4H-1.6V1.6H-4.4V-1.6H-1.6Z",
  "X": "M-4.2,-2.3L-2.3,-4.2L0,-1.9L2.3,-4.2L4.2,-2.3L1.9,0L4.2,2.3L2.3,4.2L0,1.9L-2.3,4.2L-4.2,2.3L-1.9,0Z",
  "*": "M0,-5.4L1.4,-1.9L5.1,-1.7L2.2,0.7L3.2,4.4L0,2.3L-3.2,4.4L-2.2,0.7L-5.1,-1.7L-1.4,-1.9Z",
};
const NEAR = 40; // pixels from which the pointer finds a mark
const LINE = 1.8;
const REACH = 0.4; // how far intervals may widen an axis, as a share of what means take

const colorOf = learner => {
  const {color} = CONTENT.learners[learner];
  return color < 0 ? "var(--alongside)" : `var(--series-${color})`;
};
const dashOf = learner => CONTENT.learners[learner].dash.map(part => part * LINE).join(" ") || null;
const markerOf = learner => MARKERS[CONTENT.learners[learner].marker];

// A piece of a learner's line with its marker, 30 pixels wide.
function drawKey(parent, learner) {
  parent.append("line").attr("x1", 1).attr("x2", 29).attr("class", "line").style("stroke", colorOf(learner))
    .attr("stroke-dasharray", dashOf(learner));
  parent.append("path").attr("d", markerOf(learner)).attr("transform", "translate(15,0)")
    .style("fill", colorOf(learner));
}

class Figure {
  constructor(width, title, note) {
    this.width = width;
    this.host = make("div", {className: "figure"});
    this.svg = d3.select(this.host).append("svg").attr("role", "group").attr("aria-label", title);
    this.art = this.svg.append("g").attr("role", "img");
    this.layer = this.svg.append("g").attr("role", "group");
    this.layer.attr("aria-label", "Values: arrow keys move from one value to the next");
    this.tip = make("div", {className: "tip", hidden: true});
    this.tip.setAttribute("aria-hidden", "true"); // the mark says the same
    this.host.append(this.tip);
    this.marks = [];
    this.title = title;
    this.top = this.wrapped(title, 18, "title", 15);
    this.top = this.wrapped(note, this.top + 4, "note", 12) + 12;
  }

  // Writes text over as many lines as it takes; returns where the next would begin.
  wrapped(text, y, className, size) {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines[lines.length - 1]} ${word}`.trim();
      const fits = widthOf(longer, size, className === "title" ? 600 : 400) < this.width;
      if (fits) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    lines.filter(line => line).forEach(line => {
      this.text(this.art, line, 0, y, className);
      y += size * 1.3;
    });
    return y;
  }

  text(parent, words, x, y, className = "label", anchor = "start") {
    const element = parent.append("text").attr("x", x).attr("y", y).attr("class", className);
    return element.attr("text-anchor", anchor).text(words);
  }

  // Markers and lines with their names, as many in a row as fit.
  legend(learners) {
    const names = learners.map(learner => fitted(CONTENT.learners[learner].name, this.width - 50));
    let x = 0, y = this.top;
    names.forEach((name, i) => {
      const needed = 52 + widthOf(name);
      if (x > 0 && x + needed - 16 > this.width) {
        x = 0;
        y += 20;
      }
      const key = this.art.append("g").attr("transform", `translate(${x},${y})`);
      drawKey(key.attr("data-learner", learners[i]), learners[i]);
      this.text(key, name, 34, 4, "key");
      x += needed;
    });
    this.top = y + 24;
  }

  // A value that can be pointed at and focused: where it is, what it says, and how it is drawn.
  mark({x, y, panel, series, column, lines, draw, box = null}) {
    const element = this.layer.append("g").attr("class", "mark").attr("role", "img").attr("tabindex", -1)
      .attr("transform", `translate(${x},${y})`).attr("aria-label", lines.join("; "));
    if (!box) element.attr("data-learner", series);
    draw(element);
    this.marks.push({x, y, panel, series, column, lines, box, element: element.node()});
  }

  // Says in words what is drawn, and makes the marks answer pointer and keys.
  finished(height, words) {
    this.svg.attr("width", this.width).attr("height", height).attr("viewBox", `0 0 ${this.width} ${height}`);
    this.art.attr("aria-label", `${this.title}. ${words}`);
    if (this.marks.length) this.marks[0].element.setAttribute("tabindex", 0);
    this.marks.forEach(mark => {
      mark.element.addEventListener("focus", () => this.show(mark));
      mark.element.addEventListener("blur", () => this.hide());
    });
    const node = this.svg.node();
    node.addEventListener("keydown", event => this.pressed(event));
    node.addEventListener("pointermove", event => this.pointed(event));
    node.addEventListener("pointerdown", event => this.pointed(event));
    node.addEventListener("pointerleave", () => this.hide());
    return this;
  }

  pointed(event) {
    const box = this.svg.node().getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const distance = mark => mark.box
      ? (Math.abs(mark.x - x) < mark.box[0] / 2 && Math.abs(mark.y - y) < mark.box[1] / 2 ? 0 : Infinity)
      : Math.hypot(mark.x - x, mark.y - y);
    const near = least(this.marks, distance);
    if (near && distance(near) < NEAR) this.show(near);
    else this.hide();
  }

  show(mark) {
    this.tip.replaceChildren(...mark.lines.map((line, i) => make(i ? "div" : "b", {textContent: line})));
    this.tip.hidden = false;
    const {offsetWidth: wide, offsetHeight: high} = this.tip;
    const left = Math.min(Math.max(mark.x - wide / 2, 0), Math.max(this.width - wide, 0));
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${mark.y - high - 12 < 0 ? mark.y + 14 : mark.y - high - 12}px`;
    this.svg.selectAll("[data-learner]").classed("faint", function faint() {
      return this.dataset.learner !== String(mark.series);
    });
    this.svg.selectAll(".mark").classed("shown", function shown() { return this === mark.element; });
  }

  hide() {
    this.tip.hidden = true;
    this.svg.selectAll(".faint").classed("faint", false);
    this.svg.selectAll(".shown").classed("shown", false);
  }

  pressed(event) {
    if (event.key === "Escape") this.hide();
    const from = this.marks.find(mark => mark.element === document.activeElement);
    if (!from) return;
    const to = this.next(from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    from.element.setAttribute("tabindex", -1);
    to.element.setAttribute("tabindex", 0);
    to.element.focus();
  }

  // Left and right: the same learner elsewhere; up and down: others at the same place.
  next(from, key) {
    const same = (name, mark) => mark[name] === from[name];
    const first = marks => marks[0] ?? from;
    const inOrder = (marks, name) => marks.slice().sort((a, b) => a[name] - b[name]);
    const panel = this.marks.filter(mark => same("panel", mark));
    const stack = inOrder(panel.filter(mark => same("column", mark)), "y");
    const row = inOrder(panel.filter(mark => same("series", mark)), "column");
    const panels = [...new Set(this.marks.map(mark => mark.panel))];
    const beside = step => {
      const others = this.marks.filter(mark => mark.panel === panels[panels.indexOf(from.panel) + step]);
      const own = inOrder(others.filter(mark => same("series", mark)), "column");
      return [own, others];
    };
    const nearest = step => {
      const [own, others] = beside(step);
      return own[step > 0 ? 0 : own.length - 1] ?? others[0] ?? from;
    };
    const likewise = step => beside(step)[0].find(mark => same("column", mark)) ?? nearest(step);
    const along = (marks, step) => marks[marks.indexOf(from) + step];
    switch (key) {
      case "ArrowRight": return along(row, 1) ?? nearest(1);
      case "ArrowLeft": return along(row, -1) ?? nearest(-1);
      case "ArrowDown": return along(stack, 1) ?? from;
      case "ArrowUp": return along(stack, -1) ?? from;
      case "PageDown": return likewise(1);
      case "PageUp": return likewise(-1);
      case "Home": return first(this.marks);
      case "End": return this.marks[this.marks.length - 1];
      default: return undefined;
    }
  }
}

function least(items, of) {
  let found, smallest = Infinity;
  for (const item of items) {
    const own = of(item);
    if (own < smallest) [found, smallest] = [item, own];
  }
  return found;
}

// Panels side by side, as many as are wide enough.
function grid(width, n, narrowest, gap) {
  const columns = Math.max(1, Math.min(n, Math.floor((width + gap) / (narrowest + gap))));
  const own = (width - gap * (columns - 1)) / columns;
  const [x, row] = [i => i % columns * (own + gap), i => Math.floor(i / columns)];
  return {columns, width: n === 1 ? Math.min(own, 860) : own, x, row};
}

// Where values are shown: all means, and intervals as far as they do not dwarf the means.
function domainOf(points, intervals, zero) {
  const means = points.map(point => point.found.mean).filter(Number.isFinite);
  if (zero) means.push(0);
  if (!means.length) return [0, 1];
  const [low, high] = d3.extent(means), spread = (high - low) || Math.abs(high) * 0.1 || 1;
  let [from, to] = [low, high];
  for (const {found} of intervals ? points : []) {
    if (!Number.isFinite(found.half)) continue;
    from = Math.min(from, Math.max(found.mean - found.half, low - spread * REACH));
    to = Math.max(to, Math.min(found.mean + found.half, high + spread * REACH));
  }
  const pad = (to - from || spread) * 0.06;
  return [from - pad, to + pad];
}

// What a mark says: learner, value, place, and what is behind it.
function linesOf(point, score, decimals, ranked) {
  const {found, size, learner, base, place} = point;
  const name = CONTENT.learners[learner].name;
  const lines = [base < 0 ? name : `${name} \u2212 ${CONTENT.learners[base].name}`];
  lines.push(`${withHalf(found, decimals, base < 0 ? written : signed)}${found.n ? unitOf(score) : ""}`);
  lines.push(whereOf(place, size));
  const rank = ranked.indexOf(point);
  const standing = base < 0 && rank >= 0 ? `place ${rank + 1} of ${ranked.length}` : "";
  lines.push(joined([reasons(found), standing], "; "));
  return lines;
}

// The points of every panel and size, the best first.
function ranks(points, sign) {
  const found = new Map();
  for (const point of points) {
    const key = `${point.panel} ${point.size}`;
    if (!found.has(key)) found.set(key, []);
    if (!Number.isNaN(point.found.mean)) found.get(key).push(point);
  }
  for (const own of found.values()) own.sort((a, b) => sign * (b.found.mean - a.found.mean));
  return point => found.get(`${point.panel} ${point.size}`) ?? [];
}

const excludesZero = found => Math.abs(found.mean) > found.half;

// A mark is full, or hollow where a difference may be zero.
function drawMarker(element, learner, full, d = markerOf(learner)) {
  element.append("path").attr("d", d).attr("class", full ? "full" : "hollow")
    .style("fill", full ? colorOf(learner) : "var(--page)").style("stroke", colorOf(learner));
}

const CROSS = "M-3.5,-3.5L3.5,3.5M-3.5,3.5L3.5,-3.5";
