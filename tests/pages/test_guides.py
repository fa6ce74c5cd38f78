"""Every guide runs from its first block to its last, in an empty folder, and prints what it shows."""

import itertools
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from tests.shown import Reader, assert_near, assert_shown, blocks_of

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "docs" / "guides"
#: Pages with a test of their own.
ELSEWHERE = {
    "benchmarks.md": "tests/workbench/benchmark/test_benchmark_folder.py",
    "forecasts.md": "tests/pages/test_forecasts_page.py",
    "reproduce.md": "tests/pages/test_reproduce_page.py",
    "your_learner.md": "tests/pages/test_your_learner_page.py",
}
PAGES = [ROOT / "README.md", *(page for page in sorted(GUIDES.glob("*.md")) if page.name not in ELSEWHERE)]
#: Pages that compare learners on given truths, whose seeds hang on the last bits of their probabilities.
NEAR = {"README.md", "attainable.md", "results.md", "scores.md"}
#: Pages that take a quarter of a second at most.
QUICK = {"clusters.md", "generators.md", "index.md", "learners.md", "metrics.md"}
#: Files that pages leave, as pictures and reports.
LEFT = {
    "README.md": ("learned.png",),
    "attainable.md": ("regret.png", "report.html"),
    "data_sets.md": ("ranks.pdf", "posterior.png", "wine.csv"),
    "explore.md": ("explored.explore.html", "explored.html"),
    "learners.md": ("tree.png",),
    "networks.md": ("average.pdf", "pattern.pdf", "dag.pdf", "learned.bif"),
    "results.md": ("reward.pdf", "report.html"),
    "plan.md": ("plan.html", "plan.png", "patients.plan.html"),
    "scores.md": ("forecasts.png", "reliability.png"),
    "streams.md": ("rows.parquet",),
    "studies.md": ("two.html", "two.db", "iris.db"),
    "which_learner.md": ("mine.csv", "reliability.png"),
}


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Stand in an empty folder with the example files that the README names."""
    shutil.copytree(GUIDES / "forecasts", tmp_path / "docs" / "guides" / "forecasts")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    yield tmp_path
    sys.modules.pop("pipelines", None)  # a file of one of the pages


@pytest.mark.parametrize(
    "page",
    [page if page.name in QUICK else pytest.param(page, marks=pytest.mark.slow) for page in PAGES],
    ids=lambda page: page.name,
)
def test_a_page_prints_what_it_shows(page, clone) -> None:
    for language, shown, printed in Reader(page.name).follow(page.read_text(encoding="utf-8")):
        if language == "text" and shown != printed:
            (assert_near if page.name in NEAR else assert_shown)(shown, printed)
    for name in LEFT.get(page.name, ()):
        assert (clone / name).stat().st_size > 400, name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_shown_stands_below_what_prints_it(page) -> None:
    languages = ["", *(language for language, _ in blocks_of(page.read_text(encoding="utf-8")))]
    assert set(languages) <= {"", "python", "py", "sh", "text", "toml"}
    for above, below in itertools.pairwise(languages):
        assert below != "text" or above in ("python", "sh")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_that_needs_other_machines_compiles(page) -> None:
    for language, text in blocks_of(page.read_text(encoding="utf-8")):
        if language in ("py", "python"):
            compile(text, page.name, "exec")


def test_every_guide_is_followed_and_listed() -> None:
    names = {page.name for page in GUIDES.glob("*.md")}
    assert names >= set(ELSEWHERE)
    assert all((ROOT / place).is_file() for place in ELSEWHERE.values())
    index = (GUIDES / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\((\w+\.md)\)", index)) == names - {"index.md"}
    hidden = index.partition(":hidden:")[2]
    listed = re.findall(r"^(\w+)$", hidden, flags=re.MULTILINE)
    assert {f"{name}.md" for name in listed} == names - {"index.md"}


def test_the_tables_of_learners_are_what_the_script_writes() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "scripts" / "learners_table.py"))
    written = (GUIDES / "learners.md").read_text(encoding="utf-8")
    assert written == script["page"](), "write them anew: python docs/scripts/learners_table.py"
    for kind in script["CLASSES"]:
        assert f"\n| `{kind.__name__}` | `{kind.facts.key}` | " in written


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n...\nc\n", "a\nb\nc\n", True),
        ("...\nc\n", "a\nb\nc\n", True),
        ("c\n...\na\n", "a\nb\nc\n", False),
        ("a\n...\nd\n", "a\nb\nc\n", False),
    ],
)
def test_dots_stand_for_lines(shown, printed, same) -> None:
    if same:
        assert_shown(shown, printed)
    else:
        with pytest.raises(AssertionError):
            assert_shown(shown, printed)


def test_other_words_or_numbers_are_noticed() -> None:
    assert_near("tan 0.31\n", "tan 0.33\n")
    for printed in ("tan 0.91\n", "nb 0.31\n"):
        with pytest.raises(AssertionError):
            assert_near("tan 0.31\n", printed)
