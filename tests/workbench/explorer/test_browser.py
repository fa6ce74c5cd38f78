"""The explorer in a real browser: views, addresses, keyboard, files, small screens, contrast."""

import csv
import io
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import t
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
    heading_levels,
    names_of,
    refused_by,
    settle,
    small_targets,
    small_texts,
    texts_of,
    unfold,
    widths_of,
)
from workbench.base.errors import FailedCells, OneClass
from workbench.base.names import source_name
from workbench.comparisons import corrected_t
from workbench.designs import RandomSplits
from workbench.explorer.page import write_explorer

pytestmark = pytest.mark.browser

IMAGE, BREAK = "<img src=x onerror=alert(1)>", '"></script><script>alert(2)</script>'
LEAST_DRAWN = 11  # pixels: what is at the axes of a chart may be smaller than other texts
SVG = "{http://www.w3.org/2000/svg}"

TRUTHS = f"""
name = '{BREAK}'
seed = 1
learners = [
    {{ key = '{IMAGE}', learner = "nb" }}, "tan", "cart",
    {{ key = "bad", learner = "cart", max_depth = 0 }}, "prior", "truth",
]
[[sources]]
generator = "tan"
n_attributes = 2
arity = [2, 3]
[[sources]]
key = '{IMAGE}'
generator = "naive_bayes"
n_attributes = 2
[design]
replicates = {{replicates}}
sizes = [20, 40, 80]
n_test = 50
[scores]
metrics = ["ir_b", "accuracy", "kl_divergence"]
cutoffs = ["none", "2002"]
"""
VIEWS = {
    "curves": "",
    "together": "sources=together",
    "dots": "size=40",
    "differences": "view=differences",
    "forest": "view=differences&size=80&base=tan",
    "best": "view=map",
    "mean": "view=map&map=mean",
    "learners": "view=map&map=learners",
    "table": "view=table",
}
SHADES = (".mark", ".shade")  # the squares of a map are behind their texts


def view_of(name: str, view: str) -> str:
    """Return the address of a view; data sets have no common sizes, and no learner tan."""
    words = [word for word in VIEWS[view].split("&") if name != "tables" or word[:4] not in ("size", "base")]
    return "&".join(words)


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> dict[str, workbench.Results]:
    """Compute studies with hostile names, failures and infinite scores, few truths, many, and data sets."""
    folder = tmp_path_factory.mktemp("stores")
    found = {}
    for name, replicates in (("few", 3), ("many", 9)):  # kept as values, and as summaries
        study = workbench.read_study(TRUTHS.replace("{replicates}", str(replicates)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OneClass)
            with pytest.warns(FailedCells):
                found[name] = workbench.run(study, folder / f"{name}.db")
    tree = DecisionTreeClassifier(random_state=1)
    tables = {
        IMAGE: load_iris(return_X_y=True, as_frame=True),
        "wine": load_wine(return_X_y=True, as_frame=True),
    }
    found["tables"] = workbench.compare(
        {"nb": NaiveBayesClassifier(), IMAGE: tree, "prior": PriorClassifier()},
        on=tables,
        metrics=("accuracy", "log_loss"),
        design=RandomSplits(repeats=5),
    )
    return found


@pytest.fixture(scope="module")
def files(results, tmp_path_factory) -> dict[str, Path]:
    """Write a page of each."""
    folder = tmp_path_factory.mktemp("pages")
    return {name: write_explorer(one, folder / f"{name}.html") for name, one in results.items()}


@dataclass
class Sight:
    """A page, what it asked for and what it said."""

    page: Any
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def choose(self, label: str) -> None:
        """Choose what has a label, and wait until it is drawn."""
        self.page.get_by_label(label, exact=True).check(force=True)
        self.settle()

    def settle(self) -> None:
        settle(self.page)

    def saved(self, button: str) -> str:
        """Press a button that saves a file, and read the file."""
        with self.page.expect_download() as waited:
            self.page.get_by_role("button", name=button).click()
        return Path(waited.value.path()).read_text(encoding="utf-8")

    def rows(self) -> list[dict[str, str]]:
        """Save the data of the view, and read them."""
        return list(csv.DictReader(io.StringIO(self.saved("Save data (CSV)"))))

    @property
    def address(self) -> str:
        return self.page.evaluate("location.hash")


@pytest.fixture
def look(browser, files) -> Iterator[Callable[..., Sight]]:
    """Yield a function that opens a page at a view; nothing but its own file is let through."""
    contexts = []

    def visit(name: str, view: str = "", **options: Any) -> Sight:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
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
        sight.page.set_default_timeout(300_000)  # ms: on any machine
        sight.page.goto(f"{own}#{view}" if view else own)
        sight.page.wait_for_selector("html[data-ready]")
        return sight

    yield visit
    for context in contexts:
        context.close()


# What a page asks for and runs


@pytest.mark.parametrize("name", ["few", "tables"])
def test_every_view_is_drawn_keeps_to_itself_and_shows_hostile_names(look, files, name):
    for view in VIEWS:
        sight = look(name, view_of(name, view))
        sight.page.wait_for_load_state("networkidle")
        assert sight.page.locator("table tbody tr" if view == "table" else ".mark").count() > 1, view
        assert sight.page.locator(".failure").count() == 0
        assert name != "few" or IMAGE in sight.page.locator("main").text_content()
        assert sight.page.locator("img").count() == 0
        assert sight.asked == [files[name].as_uri()]
        assert sight.said == []


def test_the_policy_refuses_what_is_not_the_pages_own(look, files):
    sight = look("few")
    expected = [
        "connect-src",
        "frame-src",
        "img-src",
        "script-src-attr",
        "script-src-elem",
        "style-src-attr",
        "style-src-elem",
    ]
    assert refused_by(sight.page, len(expected)) == (expected, True)
    assert sight.asked == [files["few"].as_uri()]


# Numbers


@pytest.mark.parametrize("name", ["few", "many"])
def test_means_are_those_of_the_table(look, results, name):
    table = results[name].table("ir_b/marginal/exact/2002")
    rows = look(name, "score=ir_b/marginal/exact/2002").rows()
    assert len(rows) == 2 * 3 * 6
    cells = results[name].cells()
    failed = (
        cells["state"]
        .eq("failed")
        .groupby([cells[key] for key in ("source", "learner", "n_train")], observed=True)
    )
    for row in rows:
        place = (row["source"], row["learner"], int(row["n_train"]))
        assert int(row["failed"]) == failed.sum()[place]
        if row["failed"] == row["planned"]:
            assert (row["mean"], row["half_width"], row["n"]) == ("", "", "0")
            continue
        expected = table.loc[(row["source"], row["learner"]), int(row["n_train"])]
        found = [float(row["mean"]), float(row["half_width"] or "nan")]
        np.testing.assert_allclose(found, expected[["mean", "half_width"]], rtol=1e-5, atol=1e-12)
        assert int(row["n"]) == expected["n"]


def test_differences_are_those_of_the_results(look, results):
    learners = [IMAGE, "tan", "cart"]
    expected = results["many"].differences("kl_divergence//exact/2002", learners=learners)
    key = results["many"].choose("kl_divergence//exact/2002")
    rows = look("many", f"view=differences&score={key}&base=cart").rows()
    found = {(row["source"], row["n_train"], row["learner"]): row for row in rows}
    assert {row["base"] for row in rows} == {"cart"}
    for row in expected[expected["other"] == "cart"].itertuples():
        own = found[row.source, str(row.n_train), row.learner]
        half = t.ppf(0.975, row.df) * row.sd / np.sqrt(row.df + 1)
        np.testing.assert_allclose(
            [float(own["difference"]), float(own["half_width"])], [row.difference, half], rtol=1e-5
        )


def test_intervals_on_data_sets_know_that_parts_share_rows(look, results):
    scores = results["tables"].scores("accuracy")
    rows = look("tables", "view=differences&base=prior&score=accuracy/none/test/none").rows()
    assert len(rows) == 4
    for row in rows:
        own = scores[scores["source"] == row["source"]]
        wide = own.pivot_table(index="replicate", columns="learner", values="value", observed=True)
        first = results["tables"].cells().query("source == @row['source']").iloc[0]
        share = first["n_test"] / first["n_train"]
        expected = corrected_t(wide[row["learner"]] - wide["prior"], test_share=share)
        found = [float(row["difference"]), float(row["half_width"])]
        np.testing.assert_allclose(found, [expected.mean, expected.high - expected.mean], rtol=1e-4)


def test_infinite_means_and_failed_cells_are_named(look, results):
    table = results["few"].table("ir_b/marginal/exact/none")
    sight = look("few", "score=ir_b/marginal/exact/none")
    for row in sight.rows():
        if row["n"] != "0":
            expected = table.loc[(row["source"], row["learner"]), int(row["n_train"])]
            assert (row["mean"] == "-inf") == (expected["mean"] == -np.inf)
            assert int(row["n_infinite"]) == expected["n_infinite"]
    assert (table.xs("cart", level="learner").xs("mean", axis=1, level=1) == -np.inf).any(axis=None)
    notes = " ".join(sight.page.locator("main > .note").all_inner_texts())
    assert "CART on TAN, 20 rows (3 truths, infinite in " in notes
    assert "bad on TAN, 80 rows (0 truths, 3 cells failed)" in notes
    labels = sight.page.locator(".mark").evaluate_all(
        "marks => marks.map(one => one.getAttribute('aria-label'))"
    )
    assert "bad; \u2013; TAN, 80 rows; 0 truths, 3 cells failed" in labels


# Addresses


ADDRESS = {
    "view": ["differences"],
    "score": ["accuracy/none/test/2002"],
    "sources": ["together"],
    "learner": ["tan", "cart", IMAGE],
    "size": ["40", "80"],
    "base": ["tan"],
    "intervals": ["no"],
    "scale": ["own"],
}


def test_an_address_says_all_that_was_chosen_and_shows_it_again(look):
    sight = look("few")
    assert sight.address == ""
    sight.choose("Differences")
    sight.page.get_by_label("Metric", exact=True).select_option("accuracy")
    sight.page.get_by_label("Rows", exact=True).select_option("test")
    sight.page.get_by_label("Compare with", exact=True).select_option(label="TAN")
    sight.choose("together")
    for label in ("bad", "class prior", "truth"):
        sight.page.locator("[role=group][aria-label=Learners]").get_by_label(label, exact=True).uncheck()
    sight.page.get_by_label("20", exact=True).uncheck()
    sight.page.get_by_label("Intervals", exact=True).uncheck()
    sight.page.get_by_label("Own scale for each panel", exact=True).check()
    sight.settle()
    words = sight.page.evaluate(
        "[...new URLSearchParams(location.hash.slice(1))].map(([key, value]) => [key, value])"
    )
    expected = [(key, one) for key, found in ADDRESS.items() for one in found]
    assert sorted(map(tuple, words)) == sorted(expected)
    again = look("few", sight.address[1:])
    assert again.address == sight.address
    assert again.page.locator("main").inner_html() == sight.page.locator("main").inner_html()
    inputs = "[...document.querySelectorAll('#controls input, #controls select')]"
    controls = f"{inputs}.map(one => [one.checked, one.value])"
    assert again.page.evaluate(controls) == sight.page.evaluate(controls)


def test_what_an_address_names_and_the_page_has_not_is_said(look):
    sight = look("few", f"view=chart&learner=tan&learner={IMAGE}x&score=nothing&from=x")
    words = sight.page.locator(".failure").inner_text()
    assert all(name in words for name in ("chart", "nothing", f"{IMAGE}x"))
    assert sight.said == []
    for view, missing in {"learner=": "learner", "source=": "source", "size=": "training rows"}.items():
        page = look("few", view).page
        assert missing in page.locator(".failure").inner_text()
        assert page.locator(".mark").count() == 0


# Files


@pytest.mark.parametrize("view", ["curves", "best"])
def test_a_saved_figure_is_whole_and_light(look, view):
    sight = look("few", VIEWS[view], color_scheme="dark")
    root = ElementTree.fromstring(sight.saved("Save figure (SVG)"))
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}rect").get("fill") == "#ffffff"
    drawn = sight.page.locator(".figure svg text").all_text_contents()
    assert [element.text for element in root.iter(f"{SVG}text")] == drawn
    for element in root.iter(f"{SVG}text"):
        assert "fill: rgb" in element.get("style")
        assert "var(" not in element.get("style")
    assert "fill: rgb(28, 31, 35)" in next(root.iter(f"{SVG}text")).get("style")  # ink on paper


def test_saved_data_hold_the_values_that_are_shown(look):
    for view in VIEWS:
        sight = look("many", VIEWS[view])
        rows = sight.rows()
        if view != "table":
            sight.page.get_by_text("These values as a table").click()
            sight.page.wait_for_selector("main table")
        heads = sight.page.locator("main thead th").all_inner_texts()
        shown = sight.page.locator("main tbody tr").evaluate_all(
            "rows => rows.map(r => [...r.cells].map(c => c.textContent))"
        )
        assert len(shown) == len(rows) > 0
        name = "lead" if view == "best" else "difference" if view in ("differences", "forest") else "mean"
        place = next(i for i, head in enumerate(heads) if head.startswith(name))
        for own, row in zip(shown, rows, strict=True):
            text = own[place].replace("\u2212", "-").replace("\u221e", "inf").replace("\u2013", "nan")
            assert float(text) == pytest.approx(float(row[name] or "nan"), abs=6e-4, nan_ok=True)
            assert source_name(row["source"]) == own[0]


# Pointer and keyboard


def test_every_control_is_reached_by_tab_has_a_name_and_shows_its_focus(look):
    sight = look("few")
    n = sight.page.locator(
        "#controls summary, #controls button, #controls select, #controls input[type=checkbox]"
    ).evaluate_all("all => all.filter(one => one.checkVisibility()).length")
    reached = []
    for _ in range(n + 30):
        sight.page.keyboard.press("Tab")
        found = focused(sight.page, "#controls")
        if found["tag"] == "BODY":
            break
        reached.append(found)
    assert [one for one in reached if not one["name"]] == []
    assert [one for one in reached if not one["outlined"]] == []
    assert sum(one["within"] for one in reached) == n + 2  # and two groups of radio buttons
    names = [one["name"] for one in reached]
    assert names[-5:-2] == ["Save figure (SVG)", "Save data (CSV)", "Copy address of this view"]


# Small screens, schemes, no scripts


@pytest.mark.parametrize("scheme, least, most", SCHEMES)
def test_a_phone_needs_no_sideways_scrolling_and_all_can_be_read(look, scheme, least, most):
    for view in VIEWS:
        page = look("few", VIEWS[view], color_scheme=scheme, **PHONE).page
        assert all(least <= value <= most for value in background_of(page))
        unfold(page)
        assert widths_of(page) == [390, 390]
        texts = texts_of(page, backdrop=SHADES)
        assert len(texts) > 30
        assert small_texts(texts, drawn=LEAST_DRAWN) == []
        assert faint_texts(texts) == []
        assert small_targets(page, "button, select, summary, label.check, .segments label") == []


def test_headings_and_landmarks_are_in_order_and_whatever_can_be_used_has_a_name(look):
    page = look("few").page
    assert page.locator("html").get_attribute("lang") == "en"
    assert heading_levels(page) == [1, 2]
    assert all(names_of(page))
    for landmark in ("main", "banner", "contentinfo", "form"):
        assert page.get_by_role(landmark).count() == 1


def test_many_sources_are_turned_page_by_page(browser, made_up, tmp_path):
    path = write_explorer(
        made_up(40, 3, (20, 50, 100, 200), tuple(f"tree {i}" for i in range(12))), tmp_path / "p.html"
    )
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    sight = Sight(context.new_page())
    sight.page.goto(path.as_uri())
    seen = []
    for _ in range(2):
        sight.page.wait_for_selector("html[data-ready]")
        sight.settle()
        seen += sight.page.locator("svg text.panel").all_text_contents()
        button = sight.page.get_by_role("button", name="Next")
        if button.is_enabled():
            button.click()
            sight.settle()
    assert seen == [f"source {i}" for i in range(40)]
    assert sight.address == "#from=21"
    assert focused(sight.page)["name"] == "Previous"
    assert len(sight.rows()) == 40 * 4 * 12
    context.close()
