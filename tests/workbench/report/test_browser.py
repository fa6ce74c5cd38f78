"""Reports in a real browser: sorting, filtering, figures, small screens, paper, names, accessibility."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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

pytestmark = pytest.mark.browser

IMAGE, BREAK = "<img src=x onerror=alert(1)>", '"><script>alert(2)</script>'
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
        sight.page.set_default_timeout(0)  # pytest's own limit is the only one
        sight.page.goto(own)
        return sight

    yield visit
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_to_itself_shows_hostile_names_and_sorts(look, files, documents, name):
    sight = look(name)
    page = sight.page
    page.wait_for_load_state("networkidle")
    assert page.title() == page.locator("h1").inner_text() == documents[name].title
    assert IMAGE in page.locator("main").inner_text()
    assert (page.locator("img").count(), page.locator("script").count()) == (0, 1)
    sorts = [column for table in page.evaluate(SORTED) for column in table]
    assert len(sorts) >= 6
    for column in sorts:
        assert [way for way, _ in column] == ["ascending", "descending"]
        for way, values in column:
            numbers = [float(value) for value in values if value is not None]
            known = [value for value in numbers if not math.isnan(value)]
            assert known == sorted(known, reverse=way == "descending")
            assert not any(map(math.isnan, numbers[: len(known)]))
    assert sight.asked == [files[name].as_uri()]
    assert sight.said == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_on_a_screen_of_any_size_and_on_paper(look, documents, name):
    page = look(name).page
    expected = [f"{one.title}. {one.caption}" for one in pictures_of(documents[name])]
    figures = [one.get_attribute("aria-label") for one in page.locator("figure > [role=img]").all()]
    assert sorted(figures) == sorted(expected)
    assert page.locator("html").get_attribute("lang") == "en"
    assert go_down_one_at_a_time(heading_levels(page))
    assert all(names_of(page))
    assert faint_texts(texts_of(page, glyphs=GLYPHS)) == []
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert min(background_of(page)) > 240
    phone = look(name, **PHONE).page
    unfold(phone)
    assert widths_of(phone) == [390, 390]
    assert small_texts(texts_of(phone, glyphs=GLYPHS)) == []
    assert small_targets(phone, "th, nav a, summary, input") == []


def test_without_scripts_all_is_read_and_nothing_is_shown_that_needs_them(look):
    with_scripts = look("tables").page
    page = look("tables", java_script_enabled=False).page
    assert with_scripts.locator("th button").count() > 0
    assert page.locator("button, input, output").count() == 0
    for place in ("h1, h2, h3, p, figcaption", "td"):
        assert page.locator(place).all_text_contents() == with_scripts.locator(place).all_text_contents()


@pytest.mark.parametrize("scheme, least, most", SCHEMES)
def test_the_page_takes_the_readers_scheme(look, scheme, least, most):
    page = look("truths", color_scheme=scheme).page
    assert all(least <= value <= most for value in background_of(page))
    assert faint_texts(texts_of(page, glyphs=GLYPHS)) == []


def test_the_policy_of_a_page_refuses_what_is_not_its_own(look, files):
    sight = look("sheet")
    expected = ["connect-src", "frame-src", "img-src", "script-src-attr", "script-src-elem", "style-src-elem"]
    assert refused_by(sight.page, len(expected)) == (expected, True)
    assert sight.asked == [files["sheet"].as_uri()]


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
    head.locator("button").press("Enter")
    assert sight.column("short", 1) == down


def test_long_tables_are_filtered_and_sorted(look):
    sight = look("sheet")
    assert sight.page.locator(".filter").count() == 1
    box = sight.page.get_by_role("searchbox", name="Filter: long")
    left = {"b": 8, "B - 2": 5, "c 10": 2, "  -2.0 d ": 1, "\u2212\u221e": 4, "\u00e1": 8, "nothing": 0}
    for words, n in left.items():
        box.fill(words)
        assert len(sight.column("long", 1)) == n
        assert sight.words(".filter output") == [f"{n} of 32 rows"]
    box.fill("b")
    sight.page.locator('table[aria-label="long"] th').nth(1).click()
    assert sight.column("long", 1) == [f"b \u2212 {number}" for number in "62510437"]
    box.press("Escape")
    assert (box.input_value(), len(sight.column("long", 1))) == ("", 32)


def test_folded_tables_unfold_for_the_printer_and_fold_again(look):
    page = look("tables").page
    folded = "[...document.querySelectorAll('details')].map(one => one.open)"
    before = page.evaluate(folded)
    assert False in before
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(page.evaluate(folded))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(folded) == before
