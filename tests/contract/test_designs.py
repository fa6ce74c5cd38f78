"""A design of another package brings blocks with words of their own, and a test: one file, no other edit."""

import importlib.metadata
import io
import sys

import pytest
from rich.console import Console

import workbench
from generators import random_tan
from workbench.analyses import Ranks, VersusBase, comparisons_of
from workbench.base import catalogue
from workbench.comparisons import CorrectedT
from workbench.designs import DESIGNS
from workbench.explorer.layout import PageLayout
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.pairs import pairs_parts
from workbench.report.terminal.summary import print_summary
from workbench.report.terminal.versus import versus_lines

#: The one file.
SIGNS = '''
from dataclasses import dataclass, replace
from typing import ClassVar

from scipy.stats import binomtest

from workbench.comparisons import PairTest
from workbench.designs import FreshSamples, RandomSplits


class SignTest(PairTest):
    """Count the blocks on which the first learner is ahead."""

    name = "the sign test"
    statistics = {"ahead": "ahead", "p": "p"}

    def pair(self, differences, *, test_share, largest):
        """Test one pair."""
        ahead, moved = int((differences > 0).sum()), int((differences != 0).sum())
        return {"ahead": ahead, "p": binomtest(ahead, moved).pvalue if moved else 1.0}


@dataclass(frozen=True)
class SignSplits(RandomSplits):
    """Split a table at random."""

    key: ClassVar[str] = "sign_splits"
    blocks = replace(
        RandomSplits.blocks, one="draw", many="draws", source="table", sources="tables"
    )
    test = SignTest()


@dataclass(frozen=True)
class SignSamples(FreshSamples):
    """Draw fresh rows."""

    key: ClassVar[str] = "sign_samples"
    test = SignTest()
'''
LEARNERS = ["nb", "one_r", "prior"]


@pytest.fixture
def signs(monkeypatch, tmp_path):
    """Pretend that the package is installed; return its module."""
    (tmp_path / "signs.py").write_text(SIGNS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    listed = importlib.metadata.entry_points
    points = [
        importlib.metadata.EntryPoint(key, f"signs:{name}", "workbench.designs")
        for key, name in (("sign_splits", "SignSplits"), ("sign_samples", "SignSamples"))
    ]
    monkeypatch.setattr(
        importlib.metadata,
        "entry_points",
        lambda **asked: points if asked == {"group": "workbench.designs"} else listed(**asked),
    )
    for cached in (catalogue._others, catalogue.find):
        cached.cache_clear()
    yield __import__("signs")
    monkeypatch.undo()
    sys.modules.pop("signs")
    for cached in (catalogue._others, catalogue.find):
        cached.cache_clear()


@pytest.fixture
def on_tables(signs, tmp_path):
    """Return results on two tables, each drawn from twelve times."""
    from sklearn.datasets import load_iris, load_wine

    tables = {"iris": load_iris, "wine": load_wine}
    return workbench.compare(
        LEARNERS,
        on={name: load(return_X_y=True, as_frame=True) for name, load in tables.items()},
        design=signs.SignSplits(repeats=12),
        metrics="accuracy",
        store=tmp_path / "signs.db",
    )


def test_every_design_of_ours_says_what_its_blocks_are_and_names_a_test():
    for design in DESIGNS.values():
        assert set(design.blocks.key) <= {"replicate", "fold"}
        assert design.test.decides in design.test.statistics
        assert design.test.name


def test_its_test_decides_in_answer_tables_and_ranking(on_tables):
    assert all(one.scores.test.name == "the sign test" for one in comparisons_of(on_tables))
    answer = on_tables.answer(learners=LEARNERS)
    assert answer.startswith("By accuracy (test rows) on 2 tables ")
    assert "by the sign test at 5% with Holm's correction over the pairs of each table" in answer
    table = on_tables.differences(learners=LEARNERS)
    assert list(table.columns) == [
        "source", "learner", "other", "n_train", "difference", "ahead", "p", "p_holm", "p_bonferroni",
    ]  # fmt: skip
    against = table.query("source == 'wine' and learner == 'nb' and other == 'prior'").iloc[0]
    assert (against["ahead"], against["p"]) == (12, pytest.approx(2 * 0.5**12))
    assert on_tables.standings(learners=LEARNERS).loc["prior"].tolist() == ["worse", "worse"]
    versus = VersusBase.of(on_tables, "prior")
    assert versus.counts.loc["nb"].tolist() == [2, 0, 0]
    assert on_tables.plot(learners=LEARNERS).tests[0].scores.by.source == "table"
    assert Ranks.of(on_tables, learners=LEARNERS).over == "tables"


def test_its_words_are_those_of_report_terminal_and_explorer(on_tables, tmp_path):
    page = on_tables.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert "on each table?" in page
    assert "12 draws per table" in page
    assert "| table | pair | difference | ahead | p |" in page
    assert "ahead, p: the sign test" in page
    assert "data set" not in page.partition("## Settings")[0]
    console = Console(width=200, record=True, file=io.StringIO())
    print_summary(on_tables, console)
    shown = console.export_text()
    assert "beats: by the sign test at 5% with Holm's correction over the pairs of each table" in shown
    lines = list(lines_of(pairs_parts(on_tables)))
    assert lines[1].split()[:5] == ["table", "pair", "difference", "ahead", "p"]
    assert "v: better than nb, *: worse, by the sign test at 5%," in list(
        lines_of(versus_lines(on_tables, "nb"))
    )
    assert PageLayout.of(on_tables).by.one == "draw"
    assert "reports test by the sign test" in on_tables.explore(tmp_path / "e.html").read_text("utf-8")


def test_on_truths_it_decides_without_intervals(signs, tmp_path):
    truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(12)]
    design = signs.SignSamples(replicates=1, sizes=(20, 200), n_test=50)
    results = workbench.compare(LEARNERS, on=truths, design=design, metrics="ir_b")
    assert (
        "paired differences over 12 truths, by the sign test at 5% with Holm's correction over the pairs of "
        "each kind of truth"
    ) in results.answer(learners=LEARNERS)
    assert {"wins", "leads"} & {*results.standings(learners=LEARNERS).stack(level=[0, 1])}
    page = results.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert "| better | ahead | p |" in page
    assert "Bonferroni); by" not in page


def test_a_design_that_is_not_installed_leaves_the_usual_test_and_a_note(on_tables, monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **asked: ())
    catalogue._others.cache_clear()
    results = workbench.load(tmp_path / "signs.db")
    assert isinstance(results.design.test, CorrectedT)
    assert "The design sign_splits is not installed" in results.answer()
    assert "The design sign_splits is not installed" in comparisons_of(results)[0].notes[-1]
    assert "The design sign_splits is not installed" in results.report(tmp_path / "n.md").read_text("utf-8")
