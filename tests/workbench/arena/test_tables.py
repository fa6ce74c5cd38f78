"""The arena on real tables: what is left out, what stands in for failures, ranks, words, page and command."""

import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from workbench.arena.site import check_folder, write_arena_page
from workbench.arena.tables import scores as scores_of_tables
from workbench.arena.tables.board import board_of
from workbench.arena.tables.field import METRICS, USUAL, contestants, study_of, tables_of
from workbench.arena.tables.page import table_document
from workbench.arena.tables.picture import picture_of
from workbench.arena.tables.scores import LOSS, TableScores, measured
from workbench.base.errors import WorkbenchError
from workbench.cli.app import app
from workbench.comparisons import corrected_t, rank_intervals
from workbench.engine.progress import Silent
from workbench.profiles.entrants import Entrant
from workbench.study.known_data import KnownDataset

pytestmark = pytest.mark.slow
FAILING = "sklearn.naive_bayes:MultinomialNB"  # refuses numbers below 0
ARFF = """@relation small
@attribute color {red,green,blue}
@attribute class {yes,no}
@data
"""


def arff(n=24):
    return ARFF + "".join(f"{('red', 'green', 'blue')[i % 3]},{('yes', 'no')[i % 2]}\n" for i in range(n))


def write_csv(path, seed, shift=5.0, n=40):
    """Write two numbers and a class that the first tells about."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n)
    first = label + rng.normal(size=n) + shift
    frame = pd.DataFrame({"first": first, "second": rng.normal(size=n) + shift})
    frame.assign(answer=np.where(label, "yes", "no")).to_csv(path, index=False)


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a CSV of positive numbers, one with numbers below 0, and an ARFF file."""
    place = tmp_path / "tables"
    place.mkdir()
    write_csv(place / "above.csv", 1)
    write_csv(place / "below.csv", 2, shift=-5.0)
    (place / "small.arff").write_text(arff(), encoding="utf-8")
    return place


def made_up(losses, *, failed=(), spread=0.0, seed=0):
    """Make scores of learners "prior", "a", "b", ... by their losses on each table."""
    losses = np.asarray(losses, dtype=float)
    n, n_tables = losses.shape
    rng = np.random.default_rng(seed)
    values = losses[:, :, None] + spread * rng.normal(size=(n, n_tables, 4))
    names = ("prior", *"abcdefghijklm"[: n - 1])
    bad = np.zeros(values.shape, dtype=bool)
    for learner, table, part in failed:
        bad[names.index(learner), table, part] = True
    seconds = np.arange(1.0, n + 1)[:, None] * np.ones(n_tables)
    tables = {f"table {j}": KnownDataset(str(j), 100 + j, 7, 3) for j in range(n_tables)}
    return TableScores(
        names, tables,
        {metric: values if metric == LOSS else 0.5 + 0 * values for metric in METRICS},
        bad, {"fit": seconds, "forecast": seconds / 10},
        {key: "ValueError: <b>no</b>" for key, *_ in failed}, (), {"numpy": "1.0"}, "Seed 1; 1 run.",
    )  # fmt: skip


def document_of(scores, tables, **titles):
    entrants = {
        key: Entrant(key, titles.get(key, f"learner {key}"), "trees", "nb") for key in scores.learners
    }
    return table_document(board_of(scores), scores, tables, entrants)


class Page(HTMLParser):
    """The cells of each table of a page, its headings, what it fetches, and whether all tags are closed."""

    EMPTY = ("meta", "br", "wbr")

    def __init__(self, text):
        super().__init__()
        self.tables, self.heads, self.fetched, self.open, self.is_cell = [], [], [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.fetched += [
            value for name, value in attrs if name in ("src", "href") and not value.startswith("#")
        ]
        if tag not in self.EMPTY:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
            self.is_cell = True
        if tag == "h2":
            self.heads.append("")

    def handle_startendtag(self, tag, attrs):  # of the picture
        self.fetched += [value for name, value in attrs if name == "xlink:href" and not value.startswith("#")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.is_cell = self.is_cell and tag not in ("th", "td")

    def handle_data(self, data):
        if self.is_cell:
            self.tables[-1][-1][-1] += data
        if self.open[-1:] == ["h2"]:
            self.heads[-1] += data


# Tables of a folder


def test_a_folder_has_the_tables_that_can_be_read_and_split(folder):
    (folder / "empty.csv").write_text("", encoding="utf-8")
    (folder / "two.arff").write_text(arff(2), encoding="utf-8")
    (folder / "notes.txt").write_text("no table", encoding="utf-8")
    (folder / "twin.csv").write_text((folder / "above.csv").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "small.csv").write_text("a,class\n" + "1.5,x\n2.5,y\n" * 4, encoding="utf-8")
    found = tables_of(folder)
    assert [source.key for source in found.sources] == ["above", "below", "small", "small.csv"]
    assert found.name == "tables"
    assert [line.split(" is left out: ")[0] for line in found.left_out] == [
        "empty.csv",
        "twin.csv",
        "two.arff",
    ]
    assert found.left_out[1:] == (
        "twin.csv is left out: it is the same as above.",
        "two.arff is left out: it has 2 rows: expected at least 4 to split.",
    )
    assert not any(str(folder) in line for line in found.left_out)
    assert "of above (answer) and below (answer)." in found.doubts[0]


def test_the_index_names_the_class_of_an_arff_file(folder):
    (folder / "INDEX.csv").write_text("file,class_attribute\nsmall.arff,color\n", encoding="utf-8")
    small = next(source for source in tables_of(folder).sources if source.key == "small")
    assert small.content.classes == ("red", "green", "blue")


def test_codes_that_are_taken_as_numbers_are_said(folder):
    rows = "".join(f"{i % 3},{'xy'[i % 2]}\n" for i in range(20))
    (folder / "codes.csv").write_text("code,class\n" + rows, encoding="utf-8")
    assert "whole numbers are taken as numbers in codes: " in tables_of(folder).doubts[1]


# Learners


def test_the_usual_learners_have_titles_and_a_yardstick():
    field = contestants()
    assert tuple(field) == ("prior", *USUAL)
    assert field["bn_ensemble"].title == "ensemble of Bayesian networks"
    assert field["selective_kdb"].title == "selective KDB"
    assert {key for key, entrant in field.items() if "missing numbers" in entrant.note} == {
        "logistic", "logistic_tuned", "knn",
    }  # fmt: skip


def test_learners_that_refuse_missing_numbers_get_them_filled_in():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [np.nan, np.nan], [9.0, np.nan]] * 5)
    fitted = contestants(["knn", "nb"])["knn"].spec.build().fit(X, [0, 0, 0, 1] * 5)
    assert fitted.predict(X).tolist() == [0, 0, 0, 1] * 5


def test_learners_enter_by_key_by_class_and_by_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("[entrants.mine]\nlearner = 'nb'\nparameters = { alpha = 2.0 }\n", encoding="utf-8")
    assert list(contestants(["nb"], ["tan", FAILING], file)) == [
        "prior",
        "nb",
        "mine",
        "tan",
        "multinomial_nb",
    ]


@pytest.mark.parametrize(
    ("keys", "added", "said"),
    [
        (["nb", "tam"], [], "unknown learner 'tam'; did you mean 'tan'?"),
        (["nb", "tan"], ["bn_ensembl"], "unknown learner 'bn_ensembl'; did you mean 'bn_ensemble'?"),
        (["nb", "tan", "nb"], [], "the learner 'nb' is there twice"),
        (["nb"], [], "there is 1 learner besides the class frequencies: expected at least two"),
        (["nb"], ["no.such.module:Thing"], "stands for no.such.module:Thing, which cannot be imported"),
    ],
)
def test_learners_that_cannot_take_part_are_one_sentence(keys, added, said):
    with pytest.raises(WorkbenchError, match=re.escape(said)):
        contestants(keys, added)


# Scores


def test_a_run_resumes_and_class_frequencies_stand_in_where_a_fit_failed(folder, tmp_path):
    study = study_of(tables_of(folder), contestants(["nb", "one_r"], [FAILING]))
    store, counts = tmp_path / "arena_tables.db", Silent()
    found = measured(study, store, progress=counts)
    failed, loss = found.failed[found.at("multinomial_nb")], found.values[LOSS]
    assert failed.tolist() == [[False] * 4, [True] * 4, [False] * 4]
    assert found.failed.sum() == 4
    np.testing.assert_array_equal(loss[found.at("multinomial_nb"), 1], loss[found.at("prior"), 1])
    assert (loss[found.at("multinomial_nb"), 0] != loss[found.at("prior"), 0]).all()
    assert np.isnan(found.seconds["fit"][found.at("multinomial_nb")]).tolist() == [False, True, False]
    assert found.reasons["multinomial_nb"].startswith("ValueError: Negative values")
    assert (counts.computed, counts.failed) == (3 * 4 * 4, 4)

    again = Silent()
    more = study_of(tables_of(folder), contestants(["nb", "one_r", "tan"], [FAILING]))
    after = measured(more, store, progress=again)
    assert again.computed == 3 * 4 + 4  # those of the new learner, and what failed
    kept = [after.at(key) for key in found.learners]
    np.testing.assert_array_equal(after.values[LOSS][kept], loss)


def test_what_took_too_long_is_tried_again_with_more_time_alone(monkeypatch, tmp_path):
    store = tmp_path / "some.db"
    store.write_text("", encoding="utf-8")
    times = {"started": ["2026-01-01T00:00:00"] * 2, "finished": ["2026-01-01T00:00:05"] * 2}
    cells = pd.DataFrame({"state": ["timed_out", "done"], **times})

    class Results:
        def cells(self):
            return cells

    monkeypatch.setattr(scores_of_tables, "read_results", lambda path: Results())
    assert scores_of_tables._retried(store, 5.0) == ("failed",)
    assert scores_of_tables._retried(store, 6.0) == ("failed", "timed_out")
    assert scores_of_tables._retried(tmp_path / "none.db", 6.0) == ("failed",)


# Leaderboard

CLEAR = np.array([[2.0] * 8, [0.8, 0.9] * 4, [0.5, 0.6] * 4, [0.51, 0.62] * 4])


def test_ranks_are_over_tables():
    scores = made_up(CLEAR, spread=0.001)
    board = board_of(scores)
    assert [one.learner for one in board.standings] == ["b", "c", "a"]
    losses = scores.values[LOSS][[2, 3, 1]].mean(axis=2).T
    want = rank_intervals(losses)
    assert [one.place.first for one in board.standings] == want.low.tolist() == [1, 2, 3]
    assert [one.place.last for one in board.standings] == want.high.tolist()
    assert [one.place.mean_rank for one in board.standings] == [1.0, 2.0, 3.0]
    assert math.isnan(board.standings[0].place.behind)
    second = board.standings[1].place
    assert second.behind == pytest.approx((losses[:, 1] - losses[:, 0]).mean())
    assert 0 < second.low < second.behind < second.high
    assert board.is_sure
    assert (board.n_first, board.without) == (8, {})
    assert board.yardstick.loss == pytest.approx(2.0, abs=0.01)


def test_equal_learners_have_no_leader():
    board = board_of(made_up(np.vstack([np.full((1, 6), 2.0), np.full((3, 6), 0.5)]), spread=0.1))
    assert {(one.place.first, one.place.last) for one in board.standings} == {(1, 3)}
    assert not board.is_sure


def test_a_table_that_makes_the_leader_is_named():
    board = board_of(made_up([[2, 2, 2, 2], [0.1, 0.6, 0.6, 0.6], [0.5, 0.5, 0.5, 0.5]]))
    assert board.standings[0].learner == "a"
    assert (board.n_first, board.without) == (1, {"table 0": "b"})


@pytest.mark.parametrize(("n_failed", "is_ranked"), [(8, True), (9, False)])
def test_a_learner_that_failed_in_most_fits_is_not_ranked(n_failed, is_ranked):
    failed = [("c", k // 4, k % 4) for k in range(n_failed)]
    board = board_of(made_up(CLEAR[:, :4], failed=failed))
    assert ("c" in [one.learner for one in board.standings]) == is_ranked
    said = {} if is_ranked else {"c": "it failed in 9 of 16 fits: ValueError: <b>no</b>"}
    assert board.left_out == said


def test_one_learner_cannot_be_ranked():
    failed = [(key, 0, part) for key in "bc" for part in range(3)]
    with pytest.raises(
        WorkbenchError, match=r"1 learner can be ranked, .* b is not: it failed in 3 of 4 fits"
    ):
        board_of(made_up(CLEAR[:, :1], failed=failed))


def test_one_table_has_corrected_intervals_and_no_ranks():
    scores = made_up(CLEAR[:, :1], spread=0.01)
    board = board_of(scores)
    assert {(one.place.first, one.place.last) for one in board.standings} == {(0, 0)}
    loss = {key: scores.values[LOSS][scores.at(key), 0] for key in scores.learners}
    first, second = (one.learner for one in board.standings[:2])
    test = corrected_t(loss[second] - loss[first], test_share=1.0)
    place = board.standings[1].place
    assert (place.low, place.high) == pytest.approx((test.low, test.high))
    assert not board.is_sure


def test_a_lead_on_one_table_is_sure_where_every_pair_with_the_leader_is():
    assert board_of(made_up([[9.0], [1.0], [2.0]], spread=0.001)).is_sure


# Page


@pytest.fixture
def tables(folder):
    return tables_of(folder)


def page_of(scores, tables, tmp_path, **titles):
    index = write_arena_page(document_of(scores, tables, **titles), tmp_path / "site")
    return index.read_text(encoding="utf-8")


def test_the_page_holds_the_leaderboard_and_every_table(tables, tmp_path):
    scores = made_up(CLEAR, spread=0.001, failed=[("a", 2, 1)])
    text = page_of(scores, tables, tmp_path)
    page = Page(text)
    assert page.open == []
    assert page.fetched == []
    assert page.heads == [
        "Leaderboard", "Score against seconds", "Every table", "How to read it", "Enter a learner",
        "Learners and versions",
    ]  # fmt: skip
    head, *rows = page.tables[0]
    assert [row[0] for row in rows] == ["learner b", "learner c", "learner a", "learner prior"]
    assert [row[1] for row in rows] == ["1st", "2nd", "3rd", "\u2013"]
    assert [row[head.index("failed fits")] for row in rows] == ["0", "0", "1", "0"]
    assert rows[0][3] == f"{board_of(scores).standings[0].loss:.3f}"
    each = page.tables[1]
    assert each[0][:4] == ["table", "rows", "columns", "classes"]
    assert each[3][:4] == ["table 2", "102", "7", "3"]
    assert each[3][-2].endswith(" *")
    assert text.count("n strong") == 8  # the leader on every table
    assert "Learner b leads 3 learners on 8 tables, with a mean log loss of" in text
    assert "That is more than chance: it is found better than every other learner." in text
    assert "and leads whichever one is left out." in text
    assert (
        "learner a failed in 1 of 32 fits, where class frequencies stand in: ValueError: &lt;b&gt;no" in text
    )
    assert "stratified, seed 1" in text
    assert "Related ones" in text
    assert "<td>1.0</td>" in text


def test_names_of_others_are_text(tables, tmp_path):
    text = page_of(
        made_up(CLEAR), replace(tables, name="<i>x</i>"), tmp_path, b="<img src=x onerror=alert(1)>"
    )
    assert Page(text).fetched == []
    assert "<i>x" not in text


@pytest.mark.parametrize(
    ("losses", "said"),
    [
        ([[2, 2.0], [0.5, 0.5], [0.5, 0.5]], "none of the 2 learners is found better than another"),
        (
            [[2] * 4, [0.5, 0.6, 0.5, 0.6], [0.6, 0.5, 0.6, 0.52], [1.5, 1.51, 1.52, 1.5]],
            "That may be chance: each of learner a and learner b may be 1st.",
        ),
        ([[2.0], [0.5], [0.6]], "One table gives no ranks over tables, and says nothing of others."),
    ],
)
def test_the_page_says_how_sure_the_lead_is(losses, said, tables):
    assert said in document_of(made_up(losses, spread=0.001), tables).parts[0]


def test_one_table_has_no_columns_of_ranks(tables):
    one, many = (document_of(made_up(CLEAR[:, :n]), tables).sections[0].parts[0].columns for n in (1, 8))
    assert [name for name in many if name not in one] == ["rank", "mean rank"]


def test_the_picture_draws_who_is_better_than_class_frequencies():
    scores = made_up([[1.0, 1.0], [0.5, 0.5], [0.6, 0.6], [3.0, 3.0]])
    picture = picture_of(board_of(scores), {key: f"learner {key}" for key in scores.learners})
    assert picture.caption.endswith("more than that of class frequencies: learner c.")
    ax = picture.sketch().axes[0]
    assert sorted(text.get_text() for text in ax.texts) == ["learner a", "learner b"]
    assert [line.get_ydata() for line in ax.lines[1:]] == [pytest.approx([0.5]), pytest.approx([0.6])]


def test_names_in_the_picture_do_not_cover_each_other():
    scores = made_up([[9.0] * 2, *([loss] * 2 for loss in (0.50, 0.51, 0.52, 1.5))])
    seconds = np.array([[1.0], [1.0], [1.0], [1.0], [9.0]]) * np.ones(2)
    close = replace(scores, seconds={"fit": seconds, "forecast": seconds})
    figure = picture_of(board_of(close), {key: f"learner {key}" for key in close.learners}).sketch()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) == 4
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_a_site_is_written_anew_and_somebody_elses_page_is_not(tables, tmp_path):
    document = replace(document_of(made_up(CLEAR), tables), sections=())
    index = write_arena_page(document, tmp_path / "site")
    assert write_arena_page(document, tmp_path / "site") == index
    index.write_text("<p>workbench arena; mine</p>", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="is not a page of an arena"):
        check_folder(tmp_path / "site")


# Command


def run(*words):
    return CliRunner().invoke(app, ["arena", *map(str, words)])


def test_the_command_writes_the_page(folder, tmp_path):
    (folder / "empty.csv").write_text("", encoding="utf-8")
    words = [
        "--data",
        folder,
        "--learners",
        "nb,one_r",
        "--stores",
        tmp_path / "stores",
        "--to",
        tmp_path / "site",
    ]
    done = run(*words)
    assert done.exit_code == 0, done.output
    assert f"site: {tmp_path / 'site' / 'index.html'}" in done.stdout
    assert "empty.csv is left out: " in done.stderr
    text = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert [row[0] for row in Page(text).tables[1][1:]] == ["above", "below", "small"]
    assert str(tmp_path) not in text
    assert (tmp_path / "stores" / "arena_tables.db").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--learners", "nb,tan"], "--learners is of tables"),
        (["--data", "tables", "--truths", 2], "--truths is of generated truths"),
        (["--data", "tables", "--largest", 50], "--largest is of generated truths"),
        (["--data", "tables", "--no-profiles"], "--no-profiles is of generated truths"),
        (["--data", "tables", "--minutes", 0], "--minutes is 0: expected a number above 0"),
        (["--data", "nowhere"], "--data names 'nowhere', which is not a folder"),
        (["--data", "empty"], "the folder empty has no tables: put files into it"),
        (["--data", "bad"], "no table of the folder bad can be used: none.csv is left out"),
        (["--data", "tables", "--learners", "nb,tam"], "unknown learner 'tam'; did you mean 'tan'?"),
    ],
)
def test_the_command_refuses_in_a_sentence(words, said, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "none.csv").write_text("", encoding="utf-8")
    done = run(*words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "site").exists()
