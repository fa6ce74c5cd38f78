"""What the tests of pages measure in a browser: contrast, sizes, widths, names, focus, headings, refusals.

Each function returns what is there, or a list of what is wrong, which a failing test then shows.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

LEAST_TEXT, LEAST_TAP, LEAST_CONTRAST = 12, 24, 4.5  # pixels, pixels, ratio of WCAG 2 (AA)
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
#: Each color scheme, with the least and the most of a channel of the page's background.
SCHEMES = [("light", 240, 255), ("dark", 0, 40)]
#: Whatever is used, or read out as one thing, and so needs an accessible name.
NAMED = "button, a, summary, select, input, table, form, [role]"

# Whether a text can be seen is asked of the browser, so that no tag and no class is passed over by its name.
TEXTS = """({glyphs, backdrop}) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (text && parent.checkVisibility()) found.push([text, parent]);
  }
  if (glyphs) for (const drawn of document.querySelectorAll(glyphs)) found.push([null, drawn]);
  const channels = color => color.match(/[\\d.]+/g).map(Number);
  const linear = value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = color => {
    const [r, g, b] = color.map(value => linear(value / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    const shape = backdrop && element.closest(backdrop[0])?.querySelector(backdrop[1]);
    const fill = shape && getComputedStyle(shape).fill;
    if (fill && fill !== "none") return channels(fill);
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  return found.map(([text, element]) => {
    const style = getComputedStyle(element), isDrawn = element.closest("svg") !== null;
    const [a, b] = [channels(isDrawn ? style.fill : style.color), behind(element)].map(light);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return {text, size: text === null ? null : parseFloat(style.fontSize), contrast, isDrawn};
  });
}"""
SMALL_TARGETS = """([places, least]) => [...document.querySelectorAll(places)]
  .filter(one => one.checkVisibility()).map(one => [one, one.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < least)
  .map(([one, box]) => [one.outerHTML, box.width, box.height])"""
# The options of a select, in it or in the label around it, are no name.
NAME = """const nameOf = one => {
  const label = one.labels?.[0]?.cloneNode(true);
  label?.querySelectorAll("select, input, textarea").forEach(field => field.remove());
  const own = one.matches("select, input, textarea") ? "" : one.textContent;
  return (one.getAttribute("aria-label") ?? label?.textContent ?? own).trim();
};"""
# A transparent radio button shows its focus on what comes after it.
FOCUSED = f"""within => {{
  {NAME}
  const one = document.activeElement, isSeen = getComputedStyle(one).opacity !== "0";
  const style = getComputedStyle(isSeen ? one : one.nextElementSibling);
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  return {{tag: one.tagName, name: nameOf(one), outlined, within: one.closest(within) !== null}};
}}"""
REFUSED = """async n => {
  const found = new Set();
  addEventListener("securitypolicyviolation", event => found.add(event.effectiveDirective));
  const made = (tag, properties) =>
    document.body.append(Object.assign(document.createElement(tag), properties));
  made("img", {src: "https://example.invalid/x.png"});
  made("script", {textContent: "window.ran = true"});
  made("link", {rel: "stylesheet", href: "https://example.invalid/x.css"});
  made("style", {textContent: "body { display: none }"});
  made("iframe", {src: "https://example.invalid/"});
  made("p", {innerHTML: "<b onclick='window.ran = true' style='color: red'>x</b>"});
  document.querySelector("p b[onclick]").click();
  await fetch("https://example.invalid/").catch(() => null);
  while (found.size < n)
    await new Promise(done => addEventListener("securitypolicyviolation", done, {once: true}));
  return [[...found].sort(), window.ran === undefined];
}"""


def texts_of(page: Any, *, glyphs: str = "", backdrop: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return every text that is seen, with its size and its contrast to what is behind it.

    Parameters
    ----------
    glyphs : str
        Where texts are drawn as shapes, which have no words and no size.
    backdrop : pair of str
        Marks, and the shape in them that is behind their texts.
    """
    return page.evaluate(TEXTS, {"glyphs": glyphs, "backdrop": list(backdrop) or None})


def small_texts(texts: list[dict[str, Any]], drawn: float = LEAST_TEXT) -> list[dict[str, Any]]:
    """Return the texts that are too small to be read; those of figures may have a least size of their own."""
    sized = [one for one in texts if one["size"] is not None]
    return [one for one in sized if one["size"] < (drawn if one["isDrawn"] else LEAST_TEXT)]


def faint_texts(texts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the texts that do not stand out."""
    return [one for one in texts if one["contrast"] < LEAST_CONTRAST]


def background_of(page: Any) -> list[int]:
    """Return red, green and blue of what is behind the page."""
    return page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")


def unfold(page: Any) -> None:
    """Open whatever is folded, and let it be drawn."""
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    settle(page)


def settle(page: Any) -> None:
    """Wait until what has changed is drawn: for two frames, as the first may have begun before."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def widths_of(page: Any) -> list[int]:
    """Return how wide the page is, and how wide the screen: a phone widens the screen for a wide page."""
    return page.evaluate("[document.documentElement.scrollWidth, innerWidth]")


def small_targets(page: Any, places: str) -> list[list[Any]]:
    """Return what is seen at places and too small to be tapped, with its width and height."""
    return page.evaluate(SMALL_TARGETS, [places, LEAST_TAP])


def names_of(page: Any) -> list[str]:
    """Return the accessible names of all that needs one."""
    script = f"places => {{ {NAME} return [...document.querySelectorAll(places)].map(nameOf); }}"
    return page.evaluate(script, NAMED)


def focused(page: Any, within: str = "body") -> dict[str, Any]:
    """Return what has the focus: its tag, its name, whether it is outlined, and whether within a place."""
    return page.evaluate(FOCUSED, within)


def heading_levels(page: Any) -> list[int]:
    """Return the levels of the headings from top to bottom."""
    tags = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(one => one.tagName)")
    return [int(tag[1]) for tag in tags]


def go_down_one_at_a_time(levels: list[int]) -> bool:
    """Say whether there is one first heading, at the top, and no level is left out on the way down."""
    steps = all(b <= a + 1 for a, b in pairwise(levels))
    return levels[0] == 1 and levels.count(1) == 1 and steps


def refused_by(page: Any, n: int) -> tuple[list[str], bool]:
    """Try what a policy may refuse and wait for `n` directives; return those, and whether no script ran."""
    directives, none_ran = page.evaluate(REFUSED, n)
    return directives, none_ran
