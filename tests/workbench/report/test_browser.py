"""Reports in a real browser: sorting, filtering, figures, small screens, paper, names, accessibility."""

import io
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

import workbench
from learners import NaiveBayesClassifier, PriorClassifier
from tests.workbench.page_checks import (
    PHONE,
    SCHEMES,
    background_of,
    faint_texts,
    focused,
    go_down_one_at_a_time,
    heading_levels,
    names_of,
    refused_by,
    small_targets,
    small_texts,
    texts_of,
    unfold,
    widths_of,
)
from workbench.designs import RandomSplits
from workbench.report.content import gather
from workbench.report.document import Document, Section
from workbench.report.renderers.html import write_html
from workbench.report.renderers.pictures import pictures_of
from workbench.report.table import Number, Table
from workbench.reproduction import Printed, Reproduction
from workbench.reproduction.page.document import reproduction_document

pytestmark = pytest.mark.slow

IMAGE, BREAK = "<img src=x onerror=alert(1)>", '"><script>alert(2)</script>'
LONG = 12  # rows beyond which a table has a filter
GLYPHS = "figure svg [id*=text_] use"  # matplotlib draws letters as shapes

TRUTHS = f"""
name = '{BREAK}'
seed = 1
learners = [{{ key = '{IMAGE}', learner = "nb" }}, "tan", "cart", "prior", "truth"]
[[sources]]
generator = "tan"
n_attributes = 2
arity = [2, 3]
[design]
replicates = 3
sizes = [20, 40, 80]
n_test = 50
[scores]
metrics = ["ir_b", "accuracy", "kl_divergence"]
cutoffs = ["none", "2002"]
"""
CSV = f"""dataset,learner,value
"{IMAGE}",NB,0.95
"{IMAGE}",Tree,0.10
wine,NB,0.97
wine,Tree,NaN
"""
PAPER = f"""
paper = '{BREAK} (1999)'
[learners]
NB = "nb"
Tree = '{IMAGE}'
[[tables]]
name = 'Table 1 {IMAGE}'
file = "printed.csv"
columns = {{ dataset = "dataset", learner = "learner", value = "value" }}
statistic = "mean"
metric = "accuracy"
units = 10
"""
PAGES = ("truths", "tables", "paper")
SHEET = (
    ("ten", Number(10.0), "2/10/0"),
    ("nine", Number(9.0), "10/2/0"),
    ("naïve", Number(-2.0, 1), "\u2013"),
    ("none", Number(math.nan), ""),
    ("endless", Number(math.inf), "2/9/1"),
    ("little", Number(0.00001, 4, form="p"), "1/0/0"),
    ("bottomless", Number(-math.inf), "1/0/1"),
    ("blank", "", "1/0/2"),
    ("half", Number(0.5, 1, low=0.4, high=0.6), "1/0/3"),
)

# What every column shows after each of two clicks on its head.
SORTED = """() => [...document.querySelectorAll("table")].map(table =>
  [...table.tHead.rows[0].cells].map((head, column) => [1, 2].map(() => {
    head.click();
    const values = [...table.tBodies[0].rows].map(row => row.cells[column].dataset.value ?? null);
    return [head.getAttribute("aria-sort"), values];
  })))"""


@pytest.fixture(scope="module")
def documents(tmp_path_factory) -> dict[str, Document]:
    """Compute three reports of real stores; their names are hostile."""
    folder = tmp_path_factory.mktemp("stores")
    workbench.run(workbench.read_study(TRUTHS), folder / "truths.db")
    tree = DecisionTreeClassifier(random_state=1)
    learners = {"nb": NaiveBayesClassifier(), IMAGE: tree, BREAK: PriorClassifier()}
    learners["stump"] = DecisionTreeClassifier(max_depth=1, random_state=1)
    X, y = load_iris(return_X_y=True, as_frame=True)
    iris, wine = (X, y.map({0: IMAGE, 1: BREAK, 2: "c"})), load_wine(return_X_y=True, as_frame=True)
    halves = {f"{BREAK} {i}": tuple(part[i::2] for part in table) for i, table in enumerate((iris, wine))}
    workbench.compare(
        learners,
        on={IMAGE: iris, "wine": wine, "third": tuple(part[::3] for part in wine), **halves},
        metrics=("accuracy", "log_loss"),
        design=RandomSplits(repeats=5),
        store=folder / "tables.db",
    )
    (folder / "printed.csv").write_text(CSV, encoding="utf-8")
    (folder / "printed.toml").write_text(PAPER, encoding="utf-8")
    results = {name: workbench.load(folder / f"{name}.db") for name in ("truths", "tables")}
    found = Reproduction.of(results["tables"], Printed.from_toml(folder / "printed.toml"))
    return {**{name: gather(one) for name, one in results.items()}, "paper": reproduction_document(found)}


@pytest.fixture(scope="module")
def files(documents, tmp_path_factory) -> dict[str, Path]:
    """Write them, and a sheet of tables made for sorting and filtering."""
    folder = tmp_path_factory.mktemp("pages")
    long = tuple((f"{a} \u2212 {b}", *SHEET[int(b)][1:]) for a in "abcd" for b in "01234567")
    columns = ("word", "number", "tally")
    tables = (Table("short", columns, SHEET), Table("long", columns, long))
    sheet = Document("sheet", "", "", ("Made up.",), "", (), (), "", (Section("All", tables),), "")
    for name, document in {**documents, "sheet": sheet}.items():
        write_html(document, folder / f"{name}.html")
    return {path.stem: path for path in folder.iterdir()}


@dataclass
class Sight:
    """A page, what it asked for, what it said, and what its policy refused."""

    page: Any
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def words(self, place: str) -> list[str]:
        """Return the texts of what is at a place and seen."""
        return [one.inner_text() for one in self.page.locator(place).all() if one.is_visible()]

    def column(self, table: str, number: int) -> list[str]:
        """Return a column of a table, from top to bottom, without hidden rows."""
        return self.words(f'table[aria-label="{table}"] tbody td:nth-child({number})')


@pytest.fixture
def look(browser, files) -> Iterator[Callable[..., Sight]]:
    """Yield a function that opens a report; nothing but its own file is let through."""
    contexts = []

    def visit(name: str, **options: Any) -> Sight:
        context = browser.new_context(**options)
        contexts.append(context)
        sight = Sight(context.new_page())
        own = files[name].as_uri()

        def answer(route):
            sight.asked.append(route.request.url)
            route.continue_() if route.request.url == own else route.abort()

        context.route("**/*", answer)
        sight.page.on("console", lambda message: sight.said.append(message.text))
        sight.page.on("pageerror", lambda error: sight.said.append(str(error)))
        sight.page.on("dialog", lambda box: (sight.said.append(box.message), box.dismiss()))
        sight.page.set_default_timeout(10_000)
        sight.page.goto(own)
        return sight

    yield visit
    for context in contexts:
        context.close()


# What a page asks for and runs


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_for_nothing_but_itself_and_has_nothing_to_say(look, files, name):
    sight = look(name)
    sight.page.wait_for_load_state("networkidle")
    assert sight.asked == [files[name].as_uri()]
    assert sight.said == []


def test_the_policy_of_a_page_refuses_what_is_not_its_own(look, files):
    sight = look("sheet")
    expected = ["connect-src", "frame-src", "img-src", "script-src-attr", "script-src-elem", "style-src-elem"]
    assert refused_by(sight.page, len(expected)) == (expected, True)
    assert sight.asked == [files["sheet"].as_uri()]


@pytest.mark.parametrize("name", PAGES)
def test_hostile_names_are_shown_as_they_are(look, documents, name):
    sight = look(name)
    assert sight.page.locator("h1").inner_text() == documents[name].title
    assert sight.page.title() == documents[name].title
    assert IMAGE in sight.page.locator("main").inner_text()
    assert sight.page.locator("img").count() == 0
    assert sight.page.locator("script").count() == 1
    for place in ("th button", ".filter input"):
        for one in sight.page.locator(place).all()[:4]:
            one.dispatch_event("click")
    assert sight.said == []


# Sorting


@pytest.mark.parametrize(
    "number, up, down",
    [
        (
            2,
            ["bottomless", "naïve", "little", "half", "nine", "ten", "endless", "none", "blank"],
            ["endless", "ten", "nine", "half", "little", "naïve", "bottomless", "none", "blank"],
        ),
        (
            3,
            ["little", "bottomless", "blank", "half", "endless", "ten", "nine", "naïve", "none"],
            ["nine", "ten", "endless", "half", "blank", "bottomless", "little", "naïve", "none"],
        ),
    ],
    ids=["numbers", "tallies"],
)
def test_a_click_on_a_head_sorts_up_then_down_and_what_has_no_value_stays_last(look, number, up, down):
    sight = look("sheet")
    head = sight.page.locator(f'table[aria-label="short"] th:nth-child({number})')
    for direction, expected in (("ascending", up), ("descending", down), ("ascending", up)):
        head.click()
        assert head.get_attribute("aria-sort") == direction
        assert sight.column("short", 1) == expected


def test_one_head_at_a_time_says_that_it_sorts(look):
    sight = look("sheet")
    for number in (1, 2):
        sight.page.locator(f'table[aria-label="short"] th:nth-child({number}) button').click()
    assert sight.page.locator("th[aria-sort]").all_inner_texts() == ["number"]
    assert sight.column("long", 1)[:2] == ["a \u2212 0", "a \u2212 1"]


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_sorts(look, key):
    sight = look("sheet")
    sight.page.keyboard.press("Tab")  # the link to the section
    for _ in range(2):
        sight.page.keyboard.press("Tab")
    assert focused(sight.page)["name"] == "number"
    sight.page.keyboard.press(key)
    assert sight.column("short", 1)[0] == "bottomless"
    assert sight.page.locator("th[aria-sort=ascending]").inner_text() == "number"
    sight.page.keyboard.press(key)
    assert sight.column("short", 1)[0] == "endless"


@pytest.mark.parametrize("name", PAGES)
def test_every_column_of_numbers_sorts_both_ways(look, name):
    n_sorted = 0
    for table in look(name).page.evaluate(SORTED):
        for column in table:
            assert [way for way, _ in column] == ["ascending", "descending"]
            for way, values in column:
                numbers = [float(value) for value in values if value is not None]
                known = [value for value in numbers if not math.isnan(value)]
                n_sorted += len(known) > 1
                assert known == sorted(known, reverse=way == "descending")
                assert not any(map(math.isnan, numbers[: len(known)]))
    assert n_sorted >= 6


# Filtering


def test_long_tables_have_a_filter_and_short_ones_have_none(look):
    for name in ("sheet", *PAGES):
        page = look(name).page
        assert page.locator("table").count() > 1
        lengths = page.evaluate(
            "[...document.querySelectorAll('table')].map(one => [one.tBodies[0].rows.length, "
            "one.closest('.table').previousElementSibling?.className ?? ''])"
        )
        assert all((kind == "filter") == (n > LONG) for n, kind in lengths)
        assert page.locator(".filter").count() == sum(n > LONG for n, _ in lengths)
        if name != "paper":
            assert page.locator(".filter").count() > 0


def test_the_rows_that_hold_all_words_stay_and_are_counted(look):
    sight = look("sheet")
    left = {"b": 8, "B - 2": 5, "c 10": 2, "  -2.0 d ": 1, "\u2212\u221e": 4, "\u00e1": 8, "nothing": 0}
    for words, n in left.items():
        sight.page.get_by_label("Filter: long").fill(words)
        assert len(sight.column("long", 1)) == n
        assert sight.words(".filter output") == [f"{n} of 32 rows"]
    assert len(sight.column("short", 1)) == len(SHEET)
    sight.page.get_by_label("Filter: long").fill("  ")
    assert sight.words(".filter output") == ["32 rows"]


def test_the_count_is_read_out_and_escape_shows_all_rows_again(look):
    sight = look("sheet")
    box = sight.page.get_by_role("searchbox", name="Filter: long")
    assert sight.page.get_by_role("status").get_attribute("aria-live") == "polite"
    assert sight.words(".filter output") == ["32 rows"]
    box.press_sequentially("a")
    assert sight.words(".filter output") == ["8 of 32 rows"]
    box.press("Escape")
    assert box.input_value() == ""
    assert sight.words(".filter output") == ["32 rows"]
    assert len(sight.column("long", 1)) == 32


def test_a_filtered_table_sorts_and_its_columns_stay_where_they_are(look):
    sight = look("sheet")
    heads = sight.page.locator('table[aria-label="long"] th')
    before = [head.bounding_box() for head in heads.all()]
    sight.page.get_by_label("Filter: long").fill("b")
    assert [head.bounding_box() for head in heads.all()] == before
    heads.nth(1).click()
    assert sight.column("long", 1) == [f"b \u2212 {number}" for number in "62510437"]
    sight.page.get_by_label("Filter: long").fill("")
    assert len(sight.column("long", 1)) == 32
    assert sight.column("long", 1)[:4] == [f"{letter} \u2212 6" for letter in "abcd"]


def test_a_report_is_filtered_by_its_learners(look):
    sight = look("truths")
    box = sight.page.locator(".filter input").first
    rows = f'table[aria-label="{box.get_attribute("aria-label").removeprefix("Filter: ")}"] tbody tr'
    expected = [text for text in sight.words(rows) if IMAGE in text and "40" in text]
    box.fill(f"40 {IMAGE}")
    assert sight.words(rows) == expected
    assert 0 < len(expected) < sight.page.locator(rows).count()


# Figures


@pytest.mark.parametrize("name, scheme", [*((name, "light") for name in PAGES), (PAGES[0], "dark")])
def test_every_figure_is_there_with_its_words_and_painted(look, documents, name, scheme):
    from PIL import Image

    page = look(name, color_scheme=scheme).page
    expected = [f"{one.title}. {one.caption}" for one in pictures_of(documents[name])]
    figures = page.locator("figure > [role=img]").all()
    assert sorted(one.get_attribute("aria-label") for one in figures) == sorted(expected)
    for figure in figures:
        box = figure.locator("svg").bounding_box()
        assert min(box["width"], box["height"]) > 50
        with Image.open(io.BytesIO(figure.screenshot())) as shot:
            pixels = np.asarray(shot.convert("RGB")).reshape(-1, 3)
        painted = (np.abs(pixels.astype(int) - pixels[0]).max(axis=1) > 40).mean()
        assert 0.001 < painted < 0.9


# Small screens, paper, no scripts


@pytest.mark.parametrize("name", PAGES)
def test_on_a_phone_the_page_stays_and_tables_scroll_in_their_boxes(look, name):
    page = look(name, **PHONE).page
    unfold(page)
    assert widths_of(page) == [390, 390]
    boxes = page.evaluate(
        """[...document.querySelectorAll(".table")].map(box => {
          box.scrollLeft = 1000;
          const {left, right} = box.getBoundingClientRect();
          const first = box.querySelector("td").getBoundingClientRect();
          const wide = box.scrollWidth > box.clientWidth;
          return {left, right, wide, moved: box.scrollLeft > 0, kept: first.left >= 0};
        })"""
    )
    assert all(box["left"] >= 0 and box["right"] <= 390 and box["kept"] for box in boxes)
    assert [box["moved"] for box in boxes] == [box["wide"] for box in boxes]
    assert any(box["wide"] for box in boxes)


@pytest.mark.parametrize("name", PAGES)
def test_on_a_phone_text_can_be_read_and_fingers_find_what_they_tap(look, name):
    page = look(name, **PHONE).page
    assert small_texts(texts_of(page, glyphs=GLYPHS)) == []
    assert small_targets(page, "th, nav a, summary, input") == []


@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_all_is_read_and_nothing_is_shown_that_needs_them(look, name):
    with_scripts = look(name).page
    page = look(name, java_script_enabled=False).page
    assert with_scripts.locator("th button").count() > 0
    assert page.locator("button, input, output").count() == 0
    for place in ("h1, h2, h3, p, figcaption", "th", "td"):
        assert page.locator(place).all_text_contents() == [
            text.removeprefix("Filter ") for text in with_scripts.locator(place).all_text_contents()
        ]
    for summary in page.locator("summary").all():
        summary.click()
    assert all(one.is_visible() for one in page.locator("tbody tr").all())


@pytest.mark.parametrize("name, scripts", [*((name, True) for name in PAGES), (PAGES[0], False)])
def test_on_paper_all_is_dark_on_light_unfolded_and_no_wider_than_the_sheet(look, name, scripts):
    page = look(
        name, java_script_enabled=scripts, color_scheme="dark", viewport={"width": 718, "height": 1000}
    ).page
    page.emulate_media(media="print")
    assert widths_of(page) == [718, 718]
    assert not page.locator("nav").is_visible()
    assert [one for one in page.locator(".filter").all() if one.is_visible()] == []
    assert all(one.bounding_box()["height"] > 0 for one in page.locator("tbody tr").all())
    assert min(background_of(page)) > 240


def test_folded_tables_unfold_for_the_printer_and_fold_again(look):
    page = look("tables").page
    folded = "[...document.querySelectorAll('details')].map(one => one.open)"
    before = page.evaluate(folded)
    assert False in before
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(page.evaluate(folded))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(folded) == before


def test_a_printed_filter_says_what_is_left_out(look):
    page = look("sheet").page
    page.get_by_label("Filter: long").fill("b")
    page.emulate_media(media="print")
    assert page.locator(".filter output").is_visible()


# Accessibility


@pytest.mark.parametrize("name, scheme", [*((name, "light") for name in PAGES), (PAGES[0], "dark")])
def test_all_text_stands_out_from_what_is_behind_it(look, name, scheme):
    texts = texts_of(look(name, color_scheme=scheme).page, glyphs=GLYPHS)
    assert len(texts) > 100
    assert any(one["text"] is None for one in texts)
    assert faint_texts(texts) == []


@pytest.mark.parametrize("scheme, least, most", SCHEMES)
def test_the_page_takes_the_readers_scheme(look, scheme, least, most):
    page = look("truths", color_scheme=scheme).page
    assert all(least <= value <= most for value in background_of(page))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_its_language_and_its_headings_go_down_one_at_a_time(look, name):
    page = look(name).page
    assert page.locator("html").get_attribute("lang") == "en"
    levels = heading_levels(page)
    assert go_down_one_at_a_time(levels), levels
    for landmark in ("main", "navigation", "banner", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1


@pytest.mark.parametrize("name", PAGES)
def test_whatever_can_be_used_has_a_name(look, name):
    page = look(name).page
    names = names_of(page)
    assert len(names) > 10
    assert all(names)
    heads = page.locator("th")
    assert heads.count() == page.locator("th[scope=col] > button").count()
