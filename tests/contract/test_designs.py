"""A design of another package brings blocks with words of their own, and a test: one file, no other edit."""

import importlib.metadata
import io
import sys
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from rich.console import Console
from scipy.stats import wilcoxon
from sklearn.model_selection import PredefinedSplit

import workbench
from generators import random_tan
from workbench.analyses import ComparisonToBase, Ranks, comparisons_of
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError
from workbench.comparisons import CorrectedT, PairTest
from workbench.designs import DESIGNS, FreshSamples, RandomSplits
from workbench.explorer.layout import PageLayout
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.comparison_to_base import comparison_to_base_lines
from workbench.report.terminal.pairs import pairs_parts
from workbench.report.terminal.summary import print_summary

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
    assert all(fact in answer for fact in ("accuracy", "naive Bayes wins on 2 of 2 tables"))
    assert "the sign test at 5% with Holm's correction over the pairs of each table" in answer
    table = on_tables.differences(learners=LEARNERS)
    assert list(table.columns) == [
        "source", "learner", "other", "n_train", "difference", "ahead", "p", "p_holm", "p_bonferroni",
    ]  # fmt: skip
    against = table.query("source == 'wine' and learner == 'nb' and other == 'prior'").iloc[0]
    assert (against["ahead"], against["p"]) == (12, pytest.approx(2 * 0.5**12))
    assert on_tables.ranking(learners=LEARNERS).loc["prior"].tolist() == ["worse", "worse"]
    found = ComparisonToBase.of(on_tables, "prior")
    assert found.counts.loc["nb"].tolist() == [2, 0, 0]
    assert on_tables.plot(learners=LEARNERS).tests[0].scores.by.source == "table"
    assert Ranks.of(on_tables, learners=LEARNERS).over == "tables"


def test_its_words_are_those_of_report_terminal_and_explorer(on_tables, tmp_path):
    page = on_tables.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert "on each table?" in page
    assert "12 draws per table" in page
    assert "| table | pair | difference | ahead | p |" in page
    assert "head, p: the sign test" in page
    assert "data set" not in page.partition("## Settings")[0]
    console = Console(width=200, record=True, file=io.StringIO())
    print_summary(on_tables, console)
    shown = console.export_text()
    assert (
        "significantly worse: by the sign test at 5% with Holm's correction over the pairs of each table"
        in shown
    )
    lines = list(lines_of(pairs_parts(on_tables)))
    assert lines[1].split()[:5] == ["table", "pair", "difference", "ahead", "p"]
    assert "v: better than naive Bayes, *: worse, by the sign test at 5%," in list(
        lines_of(comparison_to_base_lines(on_tables, "nb"))
    )
    assert PageLayout.of(on_tables).by.one == "draw"
    assert "eports use the sign test" in on_tables.explore(tmp_path / "e.html").read_text("utf-8")


@pytest.mark.slow
def test_on_truths_it_decides_without_intervals(signs, tmp_path):
    truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(12)]
    design = signs.SignSamples(replicates=1, sizes=(20, 200), n_test=50)
    results = workbench.compare(LEARNERS, on=truths, design=design, metrics="ir_b")
    assert (
        "paired differences over 12 truths, the sign test at 5% with Holm's correction over the pairs of "
        "each kind of truth"
    ) in results.answer(learners=LEARNERS)
    assert {"wins", "leads"} & {*results.ranking(learners=LEARNERS).stack(level=[0, 1])}
    page = results.report(tmp_path / "r.md").read_text(encoding="utf-8")
    assert "| better | ahead | p |" in page
    assert "Bonferroni); by" not in page


def test_a_design_that_is_not_installed_leaves_the_usual_test_and_a_note(on_tables, monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **asked: ())
    catalogue._others.cache_clear()
    results = workbench.load(tmp_path / "signs.db")
    assert isinstance(results.design.test, CorrectedT)
    note = "The design sign_splits is neither installed nor imported"
    assert note in results.answer()
    assert note in comparisons_of(results)[0].notes[-1]
    assert note in results.report(tmp_path / "n.md").read_text("utf-8")


# ---- designs that no package has


@dataclass(frozen=True)
class InOrder(RandomSplits):
    """Learn from the rows that stand first; the key is the parent's."""

    def splitter(self, seed):
        return PredefinedSplit([-1] * 75 + [0] * 75)


class ByWilcoxon(PairTest):
    """Wilcoxon's test."""

    name = "Wilcoxon's test"
    statistics: ClassVar[dict[str, str]] = {"p": "p"}

    def pair(self, differences, *, test_share, largest):
        return {"p": float(wilcoxon(differences).pvalue) if np.ptp(differences) else 1.0}


class ByIntervals(PairTest):
    """Intervals that anybody may make."""

    name = "made-up intervals"
    statistics: ClassVar[dict[str, str]] = {"low": "low", "high": "high", "p": "p"}
    by_intervals = True

    def pair(self, differences, *, test_share, largest):
        mean = differences.mean()
        return {"low": mean - 0.01, "high": mean + 0.01, "p": 0.01}


class Lacking(ByWilcoxon):
    """A test that gives no p."""

    def pair(self, differences, *, test_share, largest):
        return {"p": float("nan")}


def made(test, parent=RandomSplits):
    """Make a design that no module has."""
    return type("Local", (parent,), {"key": "local", "test": test})


def test_a_design_with_the_key_of_another_has_cells_of_its_own(tmp_path):
    store = tmp_path / "s.db"
    options = {"on": "iris", "metrics": "accuracy", "store": store}
    first = workbench.compare("nb", design=RandomSplits(repeats=2), **options)
    second = workbench.compare("nb", design=InOrder(repeats=2), **options)
    assert second.runs["computed"].iloc[-1] == 2
    assert not set(first.cells()["identity"]) & set(second.cells()["identity"])


@pytest.mark.filterwarnings("ignore::UserWarning")  # an older scipy warns of zeros and few rows
def test_a_design_that_no_store_can_name_tests_as_it_says():
    results = workbench.compare(LEARNERS, on="iris", metrics="accuracy", design=made(ByWilcoxon())(repeats=8))
    assert "Wilcoxon's test" in results.answer()
    assert "installed" not in results.answer()


@pytest.mark.parametrize("kind", ["truths", "data sets"])
def test_intervals_of_a_test_are_called_by_its_name(kind, tmp_path):
    on, parent = (
        ("iris", RandomSplits)
        if kind == "data sets"
        else ([random_tan(n_attributes=3, random_state=seed) for seed in range(4)], FreshSamples)
    )
    design = made(ByIntervals(), parent)(
        **({"repeats": 4} if kind == "data sets" else {"replicates": 1, "sizes": 30})
    )
    results = workbench.compare(["nb", "one_r"], on=on, metrics="accuracy", design=design)
    assert "made-up intervals" in results.answer()
    assert "Bonferroni" not in results.answer()
    page = results.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "made-up intervals" in page


def test_a_test_without_a_p_value_is_not_said_to_lack_spread():
    results = workbench.compare(
        ["nb", "one_r"], on="iris", metrics="accuracy", design=made(Lacking())(repeats=4)
    )
    assert "Wilcoxon's test returns no p value" in results.answer()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"test": ByWilcoxon}, "the test of design 'local' is <class"),
        ({"test": None}, "the test of design 'local' is None"),
        ({"key": 3}, "the key of the design Local is 3"),
        ({"test": type("T", (ByWilcoxon,), {"name": "a\nb"})()}, "expected one line"),
    ],
)
def test_a_design_that_cannot_work_is_refused_at_once(given, said):
    design = type("Local", (RandomSplits,), {"key": "local", **given})()
    with pytest.raises(WorkbenchError, match=said):
        workbench.compare("nb", on="iris", design=design)


class BySigns(PairTest):
    """A test whose t has a sign of its own, and whose p has another name."""

    name = "the test by signs"
    statistics: ClassVar[dict[str, str]] = {"t": "t", "p_s": "p of signs"}
    decides = "p_s"

    def pair(self, differences, *, test_share, largest):
        return {"t": -differences.mean(), "p_s": 0.001}


def test_any_column_of_p_values_decides_whatever_the_sign_of_t(tmp_path):
    results = workbench.compare(
        ["nb", "prior", "one_r"], on="iris", metrics="accuracy", design=made(BySigns())(repeats=4)
    )
    (found,) = comparisons_of(results)
    assert found.winners() == found.winners(p="p_s") == ("nb",)
    assert "by signs" in results.report(tmp_path / "r.html").read_text(encoding="utf-8")


def test_dependent_blocks_may_be_named_by_one_column(tmp_path):
    blocks = replace(FreshSamples.blocks, independent=False, one="draw", many="draws")
    kind = type("Local", (FreshSamples,), {"key": "local", "blocks": blocks, "test": CorrectedT()})
    truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(2)]
    design = kind(replicates=6, sizes=30, n_test=50)
    results = workbench.compare(["nb", "one_r"], on=truths, metrics="accuracy", design=design)
    (found,) = comparisons_of(results)
    assert found.scores.learners == ("nb", "one_r")
    assert len(found.scores.blocks) == 12  # two truths, six times each
    assert "corrected resampled t test" in results.answer()
    results.report(tmp_path / "r.html")
