"""The arena in a real browser: filters, sorting, the address, the figure, small screens, accessibility."""

import numpy as np
import pytest

from tests.workbench.page_checks import (
    PHONE,
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
from workbench.arena.site import write_arena
from workbench.profiles.entrants import Entrant

pytestmark = pytest.mark.browser

IMAGE, BREAK = "<img src=x onerror=alert(1)>", '"></script><script>alert(2)</script>'
PAGES = ("index.html", "enter.html", "learners/learner_00.html")
FAMILIES = ("Bayesian classifiers", "trees", "ensembles")


@pytest.fixture(scope="module")
def sites(tmp_path_factory, make_scores, without):
    """Write a site with unequal parts and hostile names, one of equal learners, one with a newcomer."""
    folder = tmp_path_factory.mktemp("sites")
    names = [*(f"learner_{i:02d}" for i in range(10)), IMAGE, BREAK]
    scores = without(make_scores(np.linspace(0, 0.4, 12), names=names), "learner_03", sizes=slice(2, None))
    entrants = {key: Entrant(key, key, FAMILIES[i % 3], "nb") for i, key in enumerate(scores.learners)}
    entrants["learner_05"] = Entrant("learner_05", "na\u00efve", "trees", "nb", note="grown", tuned=True)
    write_arena(scores, entrants, folder / "unequal", provenance={IMAGE: BREAK}, n_resamples=20)
    part = without(
        make_scores(np.linspace(0, 0.4, 12), spread=0.001),
        "learner_05",
        truths=slice(2, 8),
        sizes=slice(1, 3),
    )
    write_arena(part, {}, folder / "entered", provenance={}, newcomers=["learner_05"], n_resamples=20)
    return folder


class Sight:
    """A page, what it asked for, and what it said."""

    def __init__(self, page):
        self.page, self.asked, self.said = page, [], []

    def rows(self):
        """Return the names of the rows from top to bottom."""
        return self.page.locator("#board tbody th a").all_inner_texts()

    def choose(self, name, value):
        self.page.locator(f'[name="{name}"]').select_option(value)

    def say(self):
        return self.page.locator("#say").inner_text()


@pytest.fixture
def look(browser, sites):
    """Yield a function that opens a page; nothing but its own site is let through."""
    contexts = []

    def visit(path="unequal/index.html", address="", **options):
        context = browser.new_context(**options)
        contexts.append(context)
        sight = Sight(context.new_page())
        own = (sites / path).as_uri()

        def answer(route):
            sight.asked.append(route.request.url)
            route.continue_() if route.request.url.startswith(sites.as_uri()) else route.abort()

        context.route("**/*", answer)
        sight.page.on("console", lambda message: sight.said.append(message.text))
        sight.page.on("pageerror", lambda error: sight.said.append(str(error)))
        sight.page.on("dialog", lambda box: (sight.said.append(box.message), box.dismiss()))
        sight.page.set_default_timeout(300_000)  # ms: on any machine
        sight.page.goto(own + address)
        return sight

    yield visit
    for context in contexts:
        context.close()


# What a page asks for and runs, and how it looks


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_for_nothing_and_can_be_read_on_a_phone(look, sites, name):
    sight = look(f"unequal/{name}", color_scheme="dark", **PHONE)
    sight.page.wait_for_load_state("networkidle")
    assert (sight.asked, sight.said) == ([(sites / "unequal" / name).as_uri()], [])
    unfold(sight.page)
    assert widths_of(sight.page) == [PHONE["viewport"]["width"]] * 2
    texts = texts_of(sight.page)
    assert small_texts(texts) == []
    assert faint_texts(texts) == []
    assert go_down_one_at_a_time(heading_levels(sight.page))
    assert small_targets(sight.page, "nav a, select, input, button, tbody a") == []
    assert all(names_of(sight.page))


def test_the_policy_of_a_page_refuses_what_is_not_its_own(look, sites):
    sight = look()
    kinds = [
        "connect-src",
        "frame-src",
        "img-src",
        "script-src-attr",
        "script-src-elem",
        "style-src-attr",
        "style-src-elem",
    ]
    assert refused_by(sight.page, len(kinds)) == (kinds, True)
    assert sight.asked == [(sites / "unequal" / "index.html").as_uri()]


def test_hostile_names_are_shown_as_they_are(look):
    sight = look()
    assert {IMAGE, BREAK} <= set(sight.rows())
    assert f"{IMAGE}: {BREAK}" in sight.page.locator("footer").inner_text()
    assert sight.page.locator("img").count() == 0
    sight.page.get_by_role("link", name=IMAGE, exact=True).first.click()
    assert sight.page.locator("h1").inner_text() == IMAGE
    sight.page.get_by_role("link", name="Leaderboard").click()
    assert sight.page.locator("h1").inner_text().startswith("Regret of learners")
    assert sight.said == []


# The board


def test_the_script_shows_what_the_page_shows_without_it(look):
    path = "entered/index.html"
    with_script, without_script = look(path), look(path, java_script_enabled=False)
    for place in ("#board tbody", "#say", "#basis"):
        texts = [one.page.locator(place).inner_text().split() for one in (with_script, without_script)]
        assert texts[0] == texts[1]
    assert not without_script.page.locator("#choose").is_visible()
    assert "drawn by a script" in without_script.page.locator("#chart").inner_text()


def test_filters_change_the_board_and_say_what_it_is_of(look):
    sight = look()
    before = sight.page.locator("#board tbody").inner_text()
    sight.choose("kind", "tan")
    sight.choose("sizes", "500")
    assert "TAN truths, 500 training rows" in sight.say()
    assert (
        sight.page.locator("#basis")
        .inner_text()
        .startswith("Means are over 32 truths on which all ranked learners have scores, in 4 places")
    )
    assert sight.page.locator("#board tbody").inner_text() != before


def test_a_newcomer_is_ranked_by_itself_and_stands_by_its_place_on_its_part(look):
    sight = look("entered/index.html")
    row = sight.page.locator("#board tbody tr", has_text="learner_05")
    assert "entered; 2 of 8 truths, 50 rows; ranked separately, on 16 truths with 50 rows" in row.inner_text()
    assert row.locator("td").first.inner_text().split() == ["6th", "of", "12"]
    rows = sight.rows()
    assert rows[rows.index("learner_05") - 1 : rows.index("learner_05") + 2] == [
        "learner_04", "learner_05", "learner_06",
    ]  # fmt: skip
    assert sight.page.locator("#chart .point").count() == 11  # its regret is of other truths
    sight.choose("sizes", "5000")
    assert "not ranked: no scores with 5,000 training rows" in row.inner_text()


def test_the_view_is_in_the_address(look):
    sight = look()
    sight.choose("kind", "tan")
    sight.choose("family", "trees")
    sight.page.get_by_role("button", name="accuracy").click()
    sight.page.get_by_role("button", name="accuracy").click()
    address = sight.page.evaluate("location.hash")
    assert set(address[1:].split("&")) == {"kind=tan", "family=trees", "sort=accuracy", "down=1"}
    again = look(address=address)
    assert again.rows() == sight.rows()
    assert again.say() == sight.say()
    assert again.page.locator("th[aria-sort]").inner_text() == "accuracy"
    again.page.get_by_role("button", name="Show everything").click()
    assert again.page.evaluate("location.hash") == ""
    assert again.page.locator("th[aria-sort]").inner_text() == "mean regret [bits]"


@pytest.mark.parametrize("key", ["rank", "time of a fit"])
def test_heads_sort_by_numbers_both_ways_and_what_has_none_stays_last(look, key):
    sight = look()
    for direction in ("ascending", "descending"):
        sight.page.locator("#board th button", has_text=key).click()
        head = sight.page.locator("#board th[aria-sort]")
        assert (head.inner_text(), head.get_attribute("aria-sort")) == (key, direction)
        column = head.evaluate("one => one.cellIndex")
        values = sight.page.evaluate(
            "column => [...document.querySelectorAll('#board tbody tr')]"
            ".map(row => row.cells[column].dataset.value ?? null)",
            column,
        )
        known = [float(value) for value in values if value is not None]
        assert known == sorted(known, reverse=direction == "descending")
        assert None not in values[: len(known)]


def test_the_keyboard_reaches_filters_and_heads(look):
    sight = look()
    sight.page.locator('[name="kind"]').focus()
    sight.page.keyboard.press("ArrowDown")
    assert "naive Bayes truths" in sight.say()
    sight.page.get_by_role("button", name="rank", exact=True).focus()
    sight.page.keyboard.press("Enter")
    assert sight.page.locator("th[aria-sort]").inner_text() == "rank"
    sight.page.keyboard.press("Space")
    assert sight.page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"


# The figure


def test_the_figure_has_a_point_for_each_ranked_learner_that_is_shown(look):
    sight = look()
    assert sight.page.locator("#chart .point").count() == 12
    sight.choose("family", "trees")
    ranked = [one for one in sight.rows() if one not in ("truth", "optimal", "prior")]
    assert sight.page.locator("#chart .point").count() == len(ranked)
    assert (
        sight.page.locator("#chart svg[role=img]")
        .get_attribute("aria-label")
        .startswith("Mean regret in bits")
    )
