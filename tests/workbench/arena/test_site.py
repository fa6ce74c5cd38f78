"""The site of the arena: words, files, numbers of the page, hostile names, and no leader among equals."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from workbench.arena.content import arena_content, file_of
from workbench.arena.leaderboard import SHARED, View, board, views
from workbench.arena.site import check_folder, write_arena
from workbench.arena.words import part_words, ratio_words, size_words
from workbench.base.errors import WorkbenchError
from workbench.profiles.entrants import Entrant
from workbench.profiles.words import duration, ordinal, rank_words
from workbench.report.document import Document

TWELVE = np.linspace(0, 0.11, 12)
IMAGE, BREAK = "<img src=x onerror=alert(1)>", '"></script><script>alert(2)</script>'
PROVENANCE = {"workbench": "1.0", "computed": "2026-01-01"}


class Table(HTMLParser):
    """The cells of the rows of a page's first table."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.is_cell = [], False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
            self.is_cell = True

    def handle_endtag(self, tag):
        self.is_cell = self.is_cell and tag not in ("th", "td")

    def handle_data(self, data):
        if self.is_cell:
            self.rows[-1][-1] += data


@pytest.fixture(autouse=True)
def few_views(request, monkeypatch):
    """Leave most views out of the quick tests."""
    if request.node.get_closest_marker("slow") is None:
        wanted = {View(), View(sizes=SHARED), View(kind="tan"), View(kind="tan", sizes="500")}
        few = lambda *given: tuple(view for view in views(*given) if view in wanted)  # noqa: E731
        monkeypatch.setattr("workbench.arena.content.views", few)


@pytest.fixture
def site(tmp_path, entrants_of):
    """Return a function that writes a site and returns its folder."""

    def written(scores, entrants=None, **options):
        entrants = entrants_of(scores) if entrants is None else entrants
        return write_arena(
            scores, entrants, tmp_path / "site", provenance=PROVENANCE, n_resamples=20, **options
        ).parent

    return written


def data_of(folder):
    page = folder.joinpath("index.html").read_text(encoding="utf-8")
    return json.loads(re.search(r'id="content">(.*?)</script>', page, re.DOTALL)[1])


# Words


def test_ranks_are_ordinals():
    words = [ordinal(rank) for rank in (1, 2, 3, 4, 11, 12, 13, 21, 101, 111)]
    assert words == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "101st", "111th"]
    assert (rank_words(3, 5), rank_words(2, 2), rank_words(0, 0)) == ("3rd to 5th", "2nd", "\u2013")


def test_durations_have_two_digits():
    words = [duration(seconds) for seconds in (0.00034, 0.0123, 0.5, 1.25, 61.4, None)]
    assert words == ["0.3 ms", "12 ms", "500 ms", "1.2 s", "61 s", "\u2013"]
    assert (ratio_words(0.84), ratio_words(123.4)) == ("0.8\u00d7", "123\u00d7")


def test_parts_say_what_they_lack():
    whole = (16, (50, 500, 5000))
    assert part_words(16, (50, 500, 5000), whole) == "all"
    assert part_words(4, (50, 500, 5000), whole) == "4 of 16 truths"
    assert part_words(4, (50, 500), whole) == "4 of 16 truths, 50 to 500 rows"
    assert size_words((5000,)) == "5,000 rows"


@pytest.mark.parametrize("key", ["tan", "../../etc/passwd", "CON", "", IMAGE, "x" * 500])
def test_every_key_is_a_file_of_its_own(key):
    name = file_of(key)
    assert re.fullmatch(r"[a-z0-9_-]{1,60}\.html", name)
    assert file_of(key + "!") != name
    assert (name == f"{key}.html") == (key == "tan")


# The site


def test_the_site_has_a_page_for_each_learner(make_scores, site):
    scores = make_scores(TWELVE)
    folder = site(scores)
    assert {path.name for path in folder.iterdir()} == {"index.html", "enter.html", "learners"}
    assert {path.stem for path in folder.joinpath("learners").iterdir()} == set(scores.learners)
    for entry in data_of(folder)["entries"]:
        assert folder.joinpath(entry["page"]).exists()


def test_the_page_opens_with_the_numbers_of_its_data(make_scores, site):
    folder = site(make_scores(TWELVE))
    rows = Table(folder.joinpath("index.html").read_text(encoding="utf-8")).rows
    packed = data_of(folder)["views"]["|||"]["rows"]
    assert len(rows) == 1 + len(packed) == 1 + 12 + 2
    best, regret, low, high, first, last, *_ = packed[0]
    assert best == 3
    row = next(row for row in rows if row[0].startswith("learner 00"))
    assert row[1] == rank_words(first, last)
    assert row[2] == f"{regret:.3f} [{low:.3f}, {high:.3f}]"


@pytest.mark.slow
def test_a_page_holds_every_view_and_says_what_each_is_of(make_scores, site):
    found = data_of(site(make_scores(TWELVE)))["views"]
    assert len(found) == 4 * 19  # all sizes and three; all choices of the rest but of one place alone
    assert found["tan|500||"]["basis"].startswith(
        "Means are over 32 truths on which all ranked learners have scores, in 4 places"
    )
    assert "relative to the truth, which no learner can reach" in found["tan|||"]["basis"]
    assert "the optimum in 4 places, and relative to the truth in the other 4" in found["|||"]["basis"]


def test_twelve_equal_learners_have_no_leader_and_the_page_says_so(make_scores, site):
    page = site(make_scores(np.zeros(12), seed=1)).joinpath("index.html").read_text(encoding="utf-8")
    said = re.search(r'id="say"[^>]*>(.*?)</p>', page)[1]
    assert said == (
        "No leader: the 12 learners do not differ significantly. Each may have any rank from 1st to 12th."
    )
    ranks = [row[1] for row in Table(page).rows[1:]]
    assert sorted(ranks) == ["1st to 12th"] * 12 + ["\u2013"] * 2


def test_a_clear_leader_is_named(make_scores, site):
    page = site(make_scores([0.3, 0.0, 0.2])).joinpath("index.html").read_text(encoding="utf-8")
    assert "Learner 01 is 1st of 3 learners, with a mean regret of" in page


def test_a_page_opens_with_the_sizes_that_all_have(make_scores, without, entrants_of):
    scores = without(make_scores(TWELVE), "learner_02", truths=slice(4, None), sizes=slice(2, None))
    content = arena_content(scores, entrants_of(scores), n_resamples=2)
    assert content.default == View(sizes=SHARED)
    assert dict(content.choices["sizes"])[SHARED] == "50 to 500: all learners"
    rows = {entry.key: (about, cells) for entry, about, cells in content.rows(content.default)}
    assert rows["learner_02"][0].endswith("; 4 of 8 truths, 50 to 500 rows")
    rows = {entry.key: (about, cells) for entry, about, cells in content.rows(View())}
    assert rows["learner_02"][0] == "not ranked: no scores with 5,000 training rows"
    assert {cell.text for cell in rows["learner_02"][1]} == {"\u2013"}


def test_a_newcomer_stands_in_the_table_with_the_part_that_its_rank_is_of(make_scores, without, site):
    scores = make_scores([*TWELVE, 0.055], spread=0.001)
    part = without(scores, "learner_12", truths=slice(2, None), sizes=slice(1, None))
    folder = site(part, newcomers=["learner_12"])
    page = folder.joinpath("index.html").read_text(encoding="utf-8")
    said = re.search(r'id="say"[^>]*>(.*?)</p>', page)[1]
    assert "of 12 learners" in said
    assert said.endswith("Learner 12, a newcomer, is 7th of 13 learners on its part: 16 truths with 50 rows.")
    rows = Table(page).rows[1:]
    names = [row[0].partition("  ")[0] for row in rows]
    at = next(i for i, row in enumerate(rows) if row[0].startswith("learner 12"))
    assert "; entered; 2 of 8 truths, 50 rows; ranked separately, on 16 truths with 50 rows" in rows[at][0]
    assert rows[at][1] == "7th of 13"
    assert [name[:10] for name in (names[at - 1], names[at + 1])] == ["learner 05", "learner 06"]
    packed = data_of(folder)["views"]["|||"]
    assert packed["own"] == [[15, "ranked separately, on 16 truths with 50 rows", 13]]
    assert packed["rows"][-1][-2] is None  # a cost of other sizes is no multiple of the unit
    own = folder.joinpath("learners", "learner_12.html").read_text(encoding="utf-8")
    assert "learner 12 is 7th of 13 learners on its part (16 truths with 50 rows)" in own
    assert "7 of 13" in own


def test_costs_are_compared_with_categorical_naive_bayes(make_scores, entrants_of):
    scores = make_scores(TWELVE, names=["categorical_nb", *(f"other_{i}" for i in range(11))])
    content = arena_content(scores, entrants_of(scores), n_resamples=2)
    fits = {entry.key: cells[5] for entry, _, cells in content.rows(View())}
    assert fits["categorical_nb"].more == "1.0\u00d7"
    assert fits["other_3"].more == f"{fits['other_3'].value / fits['categorical_nb'].value:.1f}\u00d7"


def test_failed_fits_are_counted_below_the_name(make_scores, site):
    page = site(make_scores(TWELVE), failures={"learner_04": 3}).joinpath("index.html")
    names = [row[0] for row in Table(page.read_text(encoding="utf-8")).rows]
    assert [name.split(" ", 2)[1] for name in names if "3 fits failed" in name] == ["04"]


def test_names_are_shown_and_not_obeyed(make_scores, site):
    names = [IMAGE, BREAK, "=cmd()", "a\u202eb"]
    scores = make_scores([0, 0.1, 0.2, 0.3], names=names)
    entrants = {key: Entrant(key, key, BREAK, key, {BREAK: IMAGE}, note=IMAGE) for key in names}
    folder = site(scores, entrants)
    for path in folder.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        assert "<img" not in page
        assert "alert(2)</script>" not in page
        assert "\u202e" not in re.sub(r'id="content">.*?</script>', "", page)
    assert data_of(folder)["entries"][3]["title"] == IMAGE


def test_a_profile_takes_the_place_of_the_plain_page(make_scores, site):
    def profile(key):
        own = Document(f"Profile of {key}", "", "", ("It is fast.",), "", (), (), "", (), "")
        return own if key == "learner_01" else None

    folder = site(make_scores(TWELVE), profile_page=profile)
    page = folder.joinpath("learners", "learner_01.html").read_text(encoding="utf-8")
    assert "Profile of learner_01" in page
    assert '<a href="../index.html">Leaderboard</a>' in page
    assert "Profile" not in folder.joinpath("learners", "learner_02.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_of_a_learner_has_its_place_on_every_part(make_scores, site):
    folder = site(make_scores(TWELVE))
    page = folder.joinpath("learners", "learner_00.html").read_text(encoding="utf-8")
    assert "Learner 00" not in page
    assert re.search(r"learner 00 is 1st( to \w+)? of 12 learners, with a mean regret of", page)
    table = Table(page).rows
    assert table[0] == ["kind of truths", "all sizes", "50 rows", "500 rows", "5,000 rows"]
    assert [row[0] for row in table[1:4]] == ["all kinds", "naive Bayes", "TAN"]


def test_the_same_scores_give_the_same_site(make_scores, site):
    scores = make_scores(TWELVE)
    before = site(scores).joinpath("index.html").read_bytes()
    assert site(scores).joinpath("index.html").read_bytes() == before


def test_a_page_of_somebody_else_is_not_overwritten(make_scores, site, tmp_path):
    own = tmp_path / "site" / "index.html"
    own.parent.mkdir()
    own.write_text("<h1>My home</h1>", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="is not a page of an arena"):
        site(make_scores(TWELVE))
    assert own.read_text(encoding="utf-8") == "<h1>My home</h1>"


def test_a_file_is_no_folder(tmp_path):
    tmp_path.joinpath("site").write_text("", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="is a file: name a folder"):
        check_folder(tmp_path / "site")


def test_the_headline_says_who_leads_where_no_network_is_at_home():
    from workbench.arena.words import elsewhere
    from workbench.profiles.reference import read_reference

    learners = ["truth", "optimal", "prior", "nb", "tan", "c45", "mml_tree"]
    scores = read_reference().scores.only(learners=learners, n_truths=4, sizes=[500, 1500])
    others = board(scores, View(kind="other_kinds"), n_resamples=20)
    said = elsewhere(others, {key: key.upper() for key in learners})
    assert said == "On kinds other than networks, MML_TREE is 1st."
