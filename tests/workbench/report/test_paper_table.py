"""Means as a paper prints them: in a frame of text, and in LaTeX."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from generators import random_tan
from workbench import compare
from workbench.analyses import BestMap, comparisons_of
from workbench.base.errors import WorkbenchError

TRUTHS = {
    "one": [random_tan(n_attributes=3, random_state=seed) for seed in range(3)],
    "two": [random_tan(n_attributes=3, random_state=seed) for seed in range(3, 6)],
}


@pytest.fixture(scope="module")
def on_truths():
    learners = {"nb": "nb", "tan": "tan", "tree": DecisionTreeClassifier(random_state=0), "prior": "prior"}
    return compare(learners, on=TRUTHS, sizes=(30, 60), n_test=50)


@pytest.fixture(scope="module")
def on_data_sets():
    return compare(["nb", "tan", "c45"], on=["iris", "wine"], metrics=("log_loss", "accuracy"), cv=3)


def test_means_are_those_of_the_table_with_their_half_widths(on_truths):
    means, table = on_truths.means("accuracy"), on_truths.table("accuracy")
    assert list(means.columns) == ["30 rows", "60 rows"]
    assert means.columns.name == "accuracy (exact)"
    assert means.index.names == ["source", "learner"]
    for place, row in means.iterrows():
        for size in (30, 60):
            mean, spread = row[f"{size} rows"].removesuffix(" *").split(" \u00b1")
            assert float(mean) == pytest.approx(table.loc[place, (size, "mean")], abs=0.006)
            assert float(spread) == pytest.approx(table.loc[place, (size, "half_width")], abs=0.006)


def test_the_best_of_the_compared_learners_is_marked_in_each_column(on_truths):
    means, table = on_truths.means("accuracy"), on_truths.table("accuracy")
    for source in TRUTHS:
        for size in (30, 60):
            own = table.loc[source][size]["mean"].drop("prior")
            marked = [key for key, text in means.loc[source][f"{size} rows"].items() if text.endswith("*")]
            assert marked == [key for key in own.index if own[key] == own.max()]


class Easy(ClassifierMixin, BaseEstimator):
    """Fails on truths whose classes are alike frequent."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        if counts.max() < 0.7 * len(y):
            raise ValueError("too hard")
        self.shares_ = counts / len(y)
        return self

    def predict_proba(self, X):
        return np.tile(self.shares_, (len(X), 1))


class Never(Easy):
    def fit(self, X, y):
        raise ValueError("no license")


def test_the_best_has_scores_on_all_truths_and_who_has_none_is_named():
    truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(8)]
    learners = {"nb": "nb", "tan": "tan", "easy": Easy(), "never": Never(), "truth": "truth"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = compare(learners, on=truths, sizes=30, n_test=50, metrics="log_loss")
    table = results.table("log_loss")[30]
    assert table.loc[(slice(None), "easy"), "mean"].item() < table.loc[(slice(None), "nb"), "mean"].item()
    (means,) = (results.means("log_loss")[name] for name in ["30 rows"])
    assert "(n = " in means["easy"]
    marked = [key for key, text in means.items() if text.endswith("*")]
    assert len(marked) == 1
    assert marked[0] in ("nb", "tan")
    assert means["never"] == "-"
    assert "without scores: never (" in results.latex("log_loss").splitlines()[1]
    assert "no license" in results.latex("log_loss").splitlines()[1]


def test_a_yardstick_is_never_the_best():
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.integers(0, 3, size=(60, 4)).astype(str), columns=list("abcd"))
    results = compare(["nb", "tan", "prior"], on=(X, rng.choice(["y", "n"], 60)), metrics="log_loss")
    means = results.means().iloc[:, 0]
    assert results.table().loc[(slice(None), "prior"), "mean"].item() == results.table()["mean"].min()
    assert not means["prior"].endswith("*")
    assert sum(text.endswith("*") for text in means) == 1


def test_learners_and_sources_stand_in_the_order_asked_for(on_truths, on_data_sets):
    means = on_truths.means("accuracy", learners=["tan", "nb"], sources=["two"])
    assert means.index.tolist() == ["tan", "nb"]
    means = on_data_sets.means("accuracy", learners=["c45", "nb"], sources=["wine", "iris"])
    assert means.index.tolist() == ["c45", "nb"]
    assert means.columns.tolist() == ["wine", "iris"]
    with pytest.raises(WorkbenchError, match="unknown learner 'tam'; did you mean 'tan'"):
        on_truths.means(learners=["tam"])
    with pytest.raises(WorkbenchError, match="unknown source 'thre'"):
        on_truths.means(sources=["thre"])


def test_latex_sets_the_best_in_bold(on_data_sets):
    text = on_data_sets.latex("accuracy", learners=["nb", "c45"])
    head, _, rows = text.partition("\\midrule")
    assert head.startswith("% accuracy (test rows)\n% share of samples, higher is better")
    assert "learner & iris & wine" in head
    assert rows.count("\\textbf") == 2
    assert r"$\pm$" in rows


def test_one_score_everywhere_with_a_cut_off_where_somebody_would_be_dropped(on_truths):
    (tree,) = on_truths.infinite_without_cutoff(on_truths.choose())
    assert tree == "tree"
    score = on_truths.choose()
    assert score.cutoff == "2002"
    words = score.words
    assert words in on_truths.answer()
    table = on_truths.table()
    assert table.columns.names[-1] == words
    assert np.isfinite(table.xs("mean", axis=1, level=1)).all().all()
    assert on_truths.table(f"ir_b///{score.cutoff}").columns.names[-1] is None
    assert on_truths.means().columns.name == words
    assert "tree" in set(on_truths.differences()["other"]) | set(on_truths.differences()["learner"])
    assert BestMap.of_results(on_truths).experiments[0].score == score
    assert comparisons_of(on_truths)[0].scores.score == score
