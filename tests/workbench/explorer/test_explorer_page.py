"""The page in one file: what it holds, what it refuses, how long it may be, and what is said instead."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.metadata import PackageNotFoundError

import pytest

import workbench
from workbench.base.errors import WorkbenchError
from workbench.explorer import library, page
from workbench.explorer.page import MOST_BYTES, explorer_page, write_explorer
from workbench.store.reading import SCORES

LEARNERS = ("nb", "tan", "aode", "kdb", "cart", "j48", "one_r", "stump", "prior", "truth")
METRICS = ("ir_b", "kl_divergence", "accuracy", "log_loss", "quadratic_loss")
HOSTILE = "</script><img src=x onerror=alert(1)>"
EXECUTABLE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def content_of(html: str) -> dict:
    """Read the data of a page."""
    (text,) = re.findall(r'<script type="application/json" id="content">(.*?)</script>', html)
    assert "<" not in text
    return json.loads(text)


@pytest.fixture(scope="module")
def small(made_up):
    return explorer_page(made_up())


def test_a_page_holds_every_score_and_opens_with_the_one_of_the_answer(made_up, small):
    results = made_up()
    content = content_of(small.html)
    assert [one["key"] for one in content["scores"]] == [str(key) for key in results.score_keys]
    assert content["scores"][content["open"]]["key"] == str(results.choose()) == str(small.scores[0])
    assert len(re.findall(r'id="numbers-\d+"', small.html)) == len(results.score_keys)
    assert (content["left_out"], small.left_out) == ([], ())


def test_the_policy_names_the_hashes_of_all_that_runs_and_nothing_else(small):
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', small.html)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    scripts, (style,) = (
        EXECUTABLE.findall(small.html),
        re.findall(r"<style>(.*?)</style>", small.html, re.DOTALL),
    )

    def digests(*texts):
        return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts)

    assert rules == {
        "default-src": "'none'",
        "script-src": digests(*scripts),
        "style-src": digests(style),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert len(scripts) == 2
    assert len(re.findall("<script", small.html)) == len(scripts) + 1 + len(small.scores)


def test_our_script_makes_no_markup_or_code_of_text_and_asks_nobody(small):
    own = EXECUTABLE.findall(small.html)[1]
    words = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\.html\(|\beval\b|Function\("
    assert not re.search(words, own)
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(", own)


@pytest.mark.slow
def test_hostile_names_stay_text(tmp_path):
    text = f"""
name = '{HOSTILE}'
seed = 1
learners = [{{ key = '{HOSTILE}', learner = "nb" }}, "prior"]
[[sources]]
key = '{HOSTILE}'
generator = "tan"
n_attributes = 2
[design]
replicates = 2
sizes = [20]
n_test = 20
[scores]
metrics = ["accuracy"]
"""
    found = workbench.run(workbench.read_study(text), tmp_path / "hostile.db")
    html = explorer_page(found).html
    content = content_of(html)
    assert "<img" not in html
    assert content["study"] == content["learners"][0]["key"] == content["sources"][0]["key"] == HOSTILE


def test_what_cannot_be_enumerated_is_scored_on_its_test_rows_and_says_so(made_up):
    results = made_up()
    lacking = results._cells["source"].eq("source 1")
    gone = results._scores["cell"].isin(results._cells["cell"][lacking]) & results._scores["rows"].eq("exact")
    some = type(results)(results.study, results.runs, results._cells, results._scores[~gone])
    scores = {one["key"]: one for one in content_of(explorer_page(some).html)["scores"]}
    assert scores["ir_b/marginal/exact/none"]["on_test"] == [1]
    assert scores["ir_b/marginal/test/none"]["on_test"] == []


def test_scores_for_which_there_is_no_room_are_left_out_and_named(made_up, monkeypatch):
    whole = explorer_page(made_up(metrics=METRICS))
    shortest = explorer_page(made_up(metrics=METRICS[:1]))
    monkeypatch.setattr(page, "MOST_BYTES", len(shortest.html) + 500)
    found = explorer_page(made_up(metrics=METRICS), "accuracy")
    assert {*found.scores} | {*found.left_out} == {*whole.scores}
    assert len(found.html) <= len(shortest.html) + 500
    content = content_of(found.html)
    assert content["left_out"] == [key.words for key in found.left_out] != []
    assert found.scores[0].metric == "accuracy"


@pytest.mark.slow
def test_100_000_cells_of_twelve_scores_fit_in_five_megabytes(made_up):
    results = made_up(4, 500, (50, 100, 250, 500, 1000), LEARNERS, metrics=METRICS)
    found = explorer_page(results)
    assert len(results.cells()) == 100_000
    assert len(found.scores) == 12
    assert found.left_out == ()
    assert len(found.html.encode()) <= MOST_BYTES == 5_000_000


# What is said instead


@pytest.mark.parametrize(
    "name, message",
    [
        ("page.htm", r"page\.htm .*expected \.html"),
        ("folder.html", "folder.html is a folder"),
    ],
)
def test_other_places_are_refused_before_anything_is_computed(made_up, tmp_path, name, message):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(WorkbenchError, match=message):
        write_explorer(None, tmp_path / name)


def test_a_store_without_scores_is_refused(made_up):
    results = made_up()
    empty = results._scores.iloc[:0][["cell", *SCORES]]
    with pytest.raises(WorkbenchError, match="no ir_b"):
        explorer_page(type(results)(results.study, results.runs, results._cells, empty))


def test_a_page_without_its_library_says_how_to_get_it(made_up, monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(library, "distribution", missing)
    with pytest.raises(WorkbenchError, match="mpld3"):
        explorer_page(made_up())


@pytest.mark.process
@pytest.mark.slow
def test_results_and_the_command_line_write_the_same_page(tiny, tmp_path, run_cli):
    results = workbench.run(tiny, tmp_path / "tiny.db")
    assert results.explore(tmp_path / "new" / "page.html") == tmp_path / "new" / "page.html"
    code, out, err = run_cli("explore", tmp_path / "tiny.db")
    assert (code, err) == (0, "")
    assert re.fullmatch(r"explorer: \S*tiny\.explore\.html, 16 scores, 0\.\d MB\n", out), out
    pages = [(tmp_path / name).read_bytes() for name in ("new/page.html", "tiny.explore.html")]
    assert pages[0] == pages[1]
