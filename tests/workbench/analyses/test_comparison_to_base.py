"""Learners against a base on data sets, as Weka's tester shows them."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import ShuffleSplit

from learners import NaiveBayesClassifier, OneRClassifier, PriorClassifier
from workbench import compare
from workbench.analyses import ComparisonToBase, Posterior, comparisons_of
from workbench.analyses._shared.paired_scores import nominal_shares
from workbench.base.errors import WorkbenchError
from workbench.comparisons import bayesian_correlated_t, corrected_t, five_by_two_t, holm
from workbench.designs import HalfSplits, RepeatedFolds
from workbench.report.renderers.terminal import lines_of
from workbench.report.terminal.comparison_to_base import comparison_to_base_lines

LEARNERS = {"nb": NaiveBayesClassifier(), "one_r": OneRClassifier(), "prior": PriorClassifier()}
OTHERS = ["nb", "prior"]


@pytest.fixture(scope="module")
def on():
    return {
        key: load(return_X_y=True, as_frame=True) for key, load in (("iris", load_iris), ("wine", load_wine))
    }


@pytest.fixture(scope="module")
def halves(on):
    return compare(LEARNERS, on=on, metrics=("accuracy", "brier"))


@pytest.fixture(scope="module")
def folds(on):
    return compare(LEARNERS, on=on, cv=5, metrics="accuracy")


def parts_of(results, source, metric="accuracy"):
    scores = results.scores(results.choose(metric))
    own = scores[scores["source"] == source]
    return own.pivot_table(index=["replicate", "fold"], columns="learner", values="value", observed=True)


@pytest.mark.parametrize("design", ["halves", "folds"])
@pytest.mark.parametrize("source", ["iris", "wine"])
def test_p_values_are_the_designs_test_with_holm_over_the_pairs_with_the_base(request, design, source):
    results = request.getfixturevalue(design)
    found = ComparisonToBase.of(results, "one_r", score="accuracy", learners=OTHERS)
    own = found.table[found.table["source"] == source].set_index("learner")
    parts = parts_of(results, source)
    gaps = {key: (parts[key] - parts["one_r"]).to_numpy() for key in OTHERS}
    if design == "halves":
        p = [five_by_two_t(gaps[key].reshape(5, 2), largest=1.0).p_F for key in OTHERS]
    else:
        p = [corrected_t(gaps[key], test_share=1 / 4, largest=1.0).p for key in OTHERS]
    assert own.loc[OTHERS, "p"].to_numpy() == pytest.approx(p)
    assert own.loc[OTHERS, "p_holm"].to_numpy() == pytest.approx(holm(p))
    assert own.loc[OTHERS, "difference"].to_numpy() == pytest.approx([gaps[key].mean() for key in OTHERS])
    assert own["mean"].to_numpy() == pytest.approx(parts[own.index].mean().to_numpy())
    assert own.loc["one_r", ["difference", "mark"]].tolist() == [0.0, ""]


def test_marks_follow_the_direction_of_the_metric_and_counts_add_them_up(halves):
    for score in ("accuracy", "brier"):
        found = ComparisonToBase.of(halves, "prior", score=score, learners=["nb", "one_r"])
        assert found.counts.to_numpy().tolist() == [[2, 0, 0], [2, 0, 0]]
        turned = ComparisonToBase.of(halves, "nb", score=score, learners=["prior"])
        assert turned.counts.loc["prior"].tolist() == [0, 0, 2]


def test_results_give_means_and_marks_with_the_base_first(halves, folds):
    found = halves.compare_to("prior", "accuracy", learners=["one_r", "nb"])
    assert found.index.tolist() == ["iris", "wine"]
    assert found.columns.tolist() == [
        ("prior", "mean"), ("one_r", "mean"), ("one_r", "mark"), ("nb", "mean"), ("nb", "mark"),
    ]  # fmt: skip
    means = halves.table("accuracy")["mean"]
    assert found.loc["wine", ("nb", "mean")] == means["wine", "nb"]
    assert found["nb", "mark"].tolist() == ["v", "v"]
    with pytest.raises(WorkbenchError, match="pior"):
        folds.compare_to("pior")
    with pytest.raises(WorkbenchError, match="compare with nb"):
        folds.compare_to("nb", learners=["nb"])


def test_a_learner_without_scores_is_a_dash_with_its_reason_and_in_no_count(halves):
    cells = halves._cells
    lost = cells["cell"][(cells["source"] == "wine") & (cells["learner"] == "one_r")]
    results = replace(halves, _scores=halves._scores[~halves._scores["cell"].isin(lost)])
    found = ComparisonToBase.of(results, "nb", learners=["one_r", "prior"], score="accuracy")
    assert found.counts.sum(axis=1).to_dict() == {"one_r": 1, "prior": 2}
    row = found.table.query("source == 'wine' and learner == 'one_r'").iloc[0]
    assert np.isnan(row["mean"])
    assert not isinstance(row["mark"], str)
    (note,) = found.notes
    assert "1R on wine (scores in 0 of 10 parts)" in note
    lines = list(
        lines_of(comparison_to_base_lines(results, "nb", learners=["one_r", "prior"], score="accuracy"))
    )
    assert lines[3].split()[:3] == ["wine", f"{halves.table('accuracy')['mean']['wine', 'nb']:.4f}", "-"]
    base = ComparisonToBase.of(results, "one_r", learners=["nb", "prior"], score="accuracy")
    assert base.table.query("source == 'wine' and learner == 'nb'")["mark"].isna().all()
    assert base.counts.sum(axis=1).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("options", "share"),
    [
        ({"cv": 10}, 1 / 9),
        ({"design": RepeatedFolds(folds=2, repeats=2)}, 1.0),
        ({"design": HalfSplits(repeats=3)}, 29 / 28),
        ({"cv": ShuffleSplit(3, test_size=20, random_state=0)}, 20 / 37),
    ],
    ids=str,
)
def test_the_corrected_t_takes_one_over_folds_less_one_whatever_the_first_fold_has(on, options, share):
    X, y = on["iris"]
    rows = np.arange(57) * 2 + 18  # in ten folds seven have six rows and three have five
    learners = {key: LEARNERS[key] for key in OTHERS}
    results = compare(learners, on={"rows": (X.iloc[rows], y.iloc[rows])}, metrics="brier", **options)
    assert nominal_shares(results) == {"rows": share}
    (found,) = comparisons_of(results, score="brier", learners=OTHERS)
    d = np.subtract(*parts_of(results, "rows", "brier")[OTHERS].to_numpy().T)
    assert found.table["p"].iloc[0] == pytest.approx(corrected_t(d, test_share=share).p, rel=1e-12)
    posterior = Posterior.of(results, *OTHERS, rope=0.01, score="brier")
    (own,) = posterior.places.values()
    expected = bayesian_correlated_t(d, rope=0.01, test_share=share, direction="lower")
    assert own.p_equal == pytest.approx(expected.p_equal)
