"""Every guide runs from its first block to its last, in an empty folder, and prints what it shows."""

import itertools
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from tests.shown import FILE, Reader, assert_near, assert_shown, blocks_of

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GUIDES = DOCS / "guides"
PAGES = [ROOT / "README.md", DOCS / "start.md", *sorted(GUIDES.glob("*.md"))]
#: Pages that compare learners on given truths, whose seeds hang on the last bits of their probabilities.
NEAR = {
    "README.md", "start.md", "attainable.md", "programs.md", "results.md", "scores.md", "thresholds.md",
    "your_learner.md",
}  # fmt: skip
#: Pages that take a quarter of a second at most.
QUICK = {"clusters.md", "generators.md", "index.md", "metrics.md"}
#: Files that pages leave, as pictures and reports.
LEFT = {
    "attainable.md": ("regret.png", "report.html"),
    "benchmarks.md": ("small_bench/manifest.json",),
    "data_sets.md": ("ranks.pdf", "wine.csv"),
    "explore.md": ("explored.explore.html", "explored.html"),
    "forecasts.md": ("forecasts.png",),
    "learners.md": ("tree.png",),
    "networks.md": ("average.pdf", "learned.bif"),
    "own_costs.md": ("held_out.db", "reliability.png"),
    "reproduce.md": ("iris2001.html",),
    "results.md": ("reward.pdf", "report.html"),
    "scores.md": ("forecasts.png", "reliability.png"),
    "start.md": ("reward.png", "learned.png"),
    "streams.md": ("rows.parquet",),
    "studies.md": ("two.html", "two.db"),
    "thresholds.md": ("decision_curve.png", "rare_class.png"),
    "which_learner.md": ("mine.csv", "reliability.png"),
    "your_learner.md": ("your_learner.png",),
}
#: A file that is named in the sentence above its block.
NAMED = re.compile(r"`(\w+\.(?:csv|toml))`(?:(?!```).)*?\n\n```(?:text|toml)\n(.*?)```", flags=re.DOTALL)


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Stand in an empty folder with the example files that the README names."""
    shutil.copytree(GUIDES / "forecasts", tmp_path / "docs" / "guides" / "forecasts")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    monkeypatch.delitem(sys.modules, "kernel_learner", raising=False)
    yield tmp_path
    for name in ("pipelines", "kernel_learner"):  # files of pages
        sys.modules.pop(name, None)


@pytest.mark.filterwarnings("ignore::workbench.base.errors.OneClass")  # which a page is about
@pytest.mark.parametrize(
    "page",
    [page if page.name in QUICK else pytest.param(page, marks=pytest.mark.slow) for page in PAGES],
    ids=lambda page: page.name,
)
def test_a_page_prints_what_it_shows(page, clone) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name == "reproduce.md":
        for name, content in NAMED.findall(text):
            (clone / name).write_text(content, encoding="utf-8")
        text = NAMED.sub("", text)
    if (
        page.name == "benchmarks.md"
    ):  # its commands, tested with the benchmarks, make the folder of its Python
        text = text.partition("```sh")[0] + text.partition("## Generate and compare in Python")[2]
    for language, shown, printed in Reader(page.name).follow(text):
        if language == "text" and shown != printed:
            (assert_near if page.name in NEAR else assert_shown)(shown, printed)
    for name in LEFT.get(page.name, ()):
        assert (clone / name).stat().st_size > 400, name


def test_the_first_example_of_the_readme_prints_what_it_shows(clone) -> None:
    first, shown = blocks_of((ROOT / "README.md").read_text(encoding="utf-8"))[1:3]
    assert (first[0], shown[0]) == ("python", "text")
    [_, (_, _, printed)] = Reader("README.md").follow(f"```python\n{first[1]}```\n\n```text\n{shown[1]}```\n")
    assert_near(shown[1], printed)


def test_python_compiles_and_what_is_shown_stands_below_what_prints_it() -> None:
    for page in PAGES:
        blocks = blocks_of(page.read_text(encoding="utf-8"))
        for language, text in blocks:
            if language in ("py", "python"):
                compile(text, page.name, "exec")
        if page.name != "reproduce.md":  # whose files are text too
            for above, below in itertools.pairwise(["", *(language for language, _ in blocks)]):
                assert below != "text" or above in ("python", "sh"), page.name


def test_every_guide_is_listed() -> None:
    names = {page.name for page in GUIDES.glob("*.md")} - {"index.md"}
    index = (GUIDES / "index.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\((\w+\.md)\)", index)) == names
    listed = re.findall(r"^(\w+)$", index.partition(":hidden:")[2], flags=re.MULTILINE)
    assert {f"{name}.md" for name in listed} == names


@pytest.mark.parametrize("page", ["reference/learners", "guides/metrics"])
def test_a_page_is_what_its_script_writes(page) -> None:
    script = DOCS / "scripts" / f"{Path(page).name}_table.py"
    written = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert written == runpy.run_path(str(script))["page"](), f"write it anew: python {script.name}"


def test_the_package_of_a_guide_is_the_one_that_is_installed_in_tests() -> None:
    blocks = blocks_of((GUIDES / "your_learner.md").read_text(encoding="utf-8"))
    files = {found[1]: text[found.end() :] for _, text in blocks if (found := FILE.match(text))}
    package = ROOT / "tests" / "third_party"
    assert files["kernel_learner.py"] == (package / "kernel_learner.py").read_text(encoding="utf-8")
    [entry] = [text for language, text in blocks if language == "toml" and "entry-points" in text]
    assert (package / "pyproject.toml").read_text(encoding="utf-8").endswith(entry)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\n", "a\nb\n", False),
        ("a\n...\nc\n", "a\nb\nc\n", True),
        ("c\n...\na\n", "a\nb\nc\n", False),
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
