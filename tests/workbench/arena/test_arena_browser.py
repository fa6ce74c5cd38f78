"""The arena in a real browser: filters, sorting, the address, the figure, small screens, accessibility."""

import numpy as np
import pytest

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
from workbench.arena.site import write_arena
from workbench.profiles.entrants import Entrant

pytestmark = pytest.mark.slow

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
    write_arena(make_scores(np.zeros(12), seed=1), {}, folder / "equal", provenance={}, n_resamples=20)
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
        sight.page.set_default_timeout(10_000)
        sight.page.goto(own + address)
        return sight

    yield visit
    for context in contexts:
        context.close()


# What a page asks for and runs


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_for_nothing_but_itself_and_has_nothing_to_say(look, sites, name):
    sight = look(f"unequal/{name}")
    sight.page.wait_for_load_state("networkidle")
    assert sight.asked == [(sites / "unequal" / name).as_uri()]
    assert sight.said == []


@pytest.mark.parametrize("name", PAGES[:2])
def test_the_policy_of_a_page_refuses_what_is_not_its_own(look, sites, name):
    sight = look(f"unequal/{name}")
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
    assert sight.asked == [(sites / "unequal" / name).as_uri()]


def test_hostile_names_are_shown_as_they_are(look):
    sight = look()
    assert {IMAGE, BREAK} <= set(sight.rows())
    assert f"{IMAGE}: {BREAK}" in sight.page.locator("footer").inner_text()
    assert sight.page.locator("img").count() == 0
    sight.page.get_by_role("link", name=IMAGE, exact=True).first.click()
    assert sight.page.locator("h1").inner_text() == IMAGE
    sight.page.get_by_role("link", name="Leaderboard").click()
    assert sight.page.locator("h1").inner_text().startswith("How many bits")
    assert sight.said == []


# The board


@pytest.mark.parametrize("path", ["unequal/index.html", "entered/index.html"])
def test_the_script_shows_what_the_page_shows_without_it(look, path):
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
    assert "TAN truths; 500 training rows" in sight.say()
    assert (
        sight.page.locator("#basis")
        .inner_text()
        .startswith("32 truths that all ranked learners have, in 4 places")
    )
    assert sight.page.locator("#board tbody").inner_text() != before


def test_a_learner_that_lacks_a_size_is_named_and_not_ranked(look):
    sight = look()
    assert "not ranked" not in sight.page.locator("#board tbody").inner_text()
    sight.choose("sizes", "5000")
    row = sight.page.locator("#board tbody tr", has_text="learner_03")
    assert "not ranked: no scores with 5,000 training rows" in row.inner_text()
    assert sight.rows()[-1] == "learner_03"


def test_a_newcomer_is_ranked_by_itself_and_stands_by_its_place_on_its_part(look):
    sight = look("entered/index.html")
    row = sight.page.locator("#board tbody tr", has_text="learner_05")
    assert "entered; 2 of 8 truths, 50 rows; ranked by itself on 16 truths with 50 rows" in row.inner_text()
    assert row.locator("td").first.inner_text().split() == ["6th", "of", "12"]
    rows = sight.rows()
    assert rows[rows.index("learner_05") - 1 : rows.index("learner_05") + 2] == [
        "learner_04", "learner_05", "learner_06",
    ]  # fmt: skip
    assert sight.page.locator("#chart .point").count() == 11  # its regret is of other truths
    sight.choose("sizes", "5000")
    assert "not ranked: no scores with 5,000 training rows" in row.inner_text()


def test_choices_that_leave_one_place_cannot_be_made(look):
    sight = look()
    sight.choose("kind", "tan")
    sight.choose("difficulty", "hard")
    assert sight.page.locator('[name="width"] option:disabled').all_inner_texts() == [
        "few attributes",
        "many attributes",
    ]


def test_family_and_names_choose_rows_of_the_same_board(look):
    sight = look()
    total = len(sight.rows())
    sight.choose("family", "trees")
    assert 0 < len(sight.rows()) < total
    sight.choose("family", "")
    sight.page.get_by_label("Show names").fill("naive TUNED")
    assert sight.rows() == ["na\u00efve"]
    assert sight.page.locator("#count").inner_text() == f"1 of {total} rows"
    sight.page.get_by_label("Show names").press("Escape")
    assert len(sight.rows()) == total


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


def test_an_address_of_no_view_opens_the_first_one(look):
    sight = look(address="#kind=<img>&sizes=7&sort=x&family=y&cost=z")
    assert sight.rows() == look().rows()
    assert sight.said == []


def test_the_address_of_a_section_is_no_view(look):
    sight = look()
    sight.choose("kind", "tan")
    said = sight.say()
    sight.page.get_by_role("link", name="How to read it").click()
    assert sight.say() == said


@pytest.mark.parametrize("key", ["rank", "strength [log odds]", "time of a fit"])
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


def test_equal_learners_have_no_leader_in_words_and_in_every_row(look):
    sight = look("equal/index.html")
    assert sight.say().startswith("No leader: none of the 12 learners is found better than another")
    ranks = sight.page.locator("#board tbody td:nth-child(2)").all_inner_texts()
    assert [rank for rank in ranks if rank != "\u2013"] == ["1st to 12th"] * 12


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


def test_the_figure_draws_either_cost(look):
    sight = look()
    before = sight.page.locator("#chart").inner_html()
    sight.choose("cost", "forecast")
    assert sight.page.locator("#chart").inner_html() != before
    assert sight.page.evaluate("location.hash") == "#cost=forecast"
    sight.choose("width", "narrow")
    assert "No ranked learner" in sight.page.locator("#chart").inner_text()


def test_names_in_the_figure_do_not_cover_each_other(look):
    page = look(viewport={"width": 1280, "height": 900}).page
    boxes = page.evaluate(
        """[...document.querySelectorAll("#chart text:not([class])")].map(one => {
          const box = one.getBoundingClientRect();
          return [box.left, box.top + 2, box.right, box.bottom - 2];
        })"""
    )
    assert len(boxes) >= 6
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


# Screens and accessibility


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(
    "options", [PHONE, {"viewport": {"width": 1280, "height": 900}}], ids=["390", "1280"]
)
def test_the_page_is_as_wide_as_the_screen(look, name, options):
    page = look(f"unequal/{name}", **options).page
    unfold(page)
    assert widths_of(page) == [options["viewport"]["width"]] * 2


def test_the_board_does_not_scroll_on_a_desk(look):
    page = look("equal/index.html", viewport={"width": 1280, "height": 900}).page
    assert page.evaluate(
        "(one => one.scrollWidth <= one.clientWidth)(document.querySelector('#board .table'))"
    )


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_is_large_enough_and_stands_out(look, name, scheme):
    page = look(f"unequal/{name}", color_scheme=scheme, **PHONE).page
    unfold(page)
    texts = texts_of(page)
    assert len(texts) > 15
    assert small_texts(texts) == []
    assert faint_texts(texts) == []


@pytest.mark.parametrize("scheme, least, most", SCHEMES)
def test_the_page_takes_the_readers_scheme(look, scheme, least, most):
    page = look(color_scheme=scheme).page
    assert all(least <= value <= most for value in background_of(page))


def test_what_can_be_tapped_is_large_enough(look):
    assert small_targets(look(**PHONE).page, "nav a, select, input, button, tbody a") == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_its_language_and_its_headings_go_down_one_at_a_time(look, name):
    page = look(f"unequal/{name}").page
    assert page.locator("html").get_attribute("lang") == "en"
    levels = heading_levels(page)
    assert go_down_one_at_a_time(levels), levels
    for landmark in ("main", "banner", "contentinfo"):
        assert page.get_by_role(landmark).count() == 1


def test_whatever_can_be_used_has_a_name(look):
    page = look().page
    names = names_of(page)
    assert len(names) > 20
    assert all(names)
    for name in ("Kind of truths", "Training rows", "Difficulty", "Attributes", "Show family", "Cost"):
        assert page.get_by_role("combobox", name=name).count() == 1
    heads = page.locator("#board thead th")
    assert heads.count() == page.locator("#board th[scope=col] > button").count()
    assert page.locator("#board tbody th[scope=row]").count() == page.locator("#board tbody tr").count()
