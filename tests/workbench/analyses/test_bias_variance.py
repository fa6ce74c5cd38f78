"""Bias and variance: the identity, the correction for few training sets, and the two ways through a study."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from generators import random_naive_bayes, random_tan
from learners import NaiveBayesClassifier
from workbench import load, read_study, run
from workbench.analyses import BiasVariance, bias_variance, paired_scores
from workbench.base.errors import FailedCells, MissingScores, WorkbenchError
from workbench.comparisons import decompose_brier, decompose_kl
from workbench.designs import CrossoverSearch
from workbench.figures import STUDY_FIGURES
from workbench.report.terminal.bias import refitted_bias
from workbench.study.source import Source

STUDY = """
name = "bias"
seed = 3
learners = ["nb", "tan", "prior", "truth"]
compared = ["nb", "tan"]
[[sources]]
generator = "naive_bayes"
n_attributes = [2, 3]
[[sources]]
generator = "tan"
n_attributes = [2, 3]
[design]
replicates = 3
sizes = [30, 300]
n_test = 80
training_sets = 4
[scores]
metrics = ["kl_divergence"]
cutoffs = ["none"]
"""
PLACE = ["source", "replicate", "n_train", "learner"]


def kl(p, q):
    """KL(p || q) in bits, as a plain loop."""
    return sum(a * math.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0)


@st.composite
def forecasts(draw):
    """Return a truth and positive forecasts of a few training sets at a few inputs."""
    n_sets, n_inputs, n_classes = draw(st.integers(2, 5)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    # From nearly flat to nearly certain: the smallest are some 1e-30.
    sharp = draw(st.sampled_from([0.1, 1.0, 30.0]))
    raw = np.exp(sharp * rng.normal(size=(n_sets + 1, n_inputs, n_classes)))
    table = raw / raw.sum(axis=2, keepdims=True)
    return table[0], table[1:]


@given(forecasts())
def test_divergence_is_bias_plus_variance_for_any_finite_number_of_training_sets(case):
    p, q = case
    found = decompose_kl(p, q)
    for x in range(len(p)):
        geometric = np.exp(np.log(q[:, x]).mean(axis=0))
        center = geometric / geometric.sum()
        loss, bias = np.mean([kl(p[x], one) for one in q[:, x]]), kl(p[x], center)
        variance = np.mean([kl(center, one) for one in q[:, x]])
        assert loss == pytest.approx(bias + variance, abs=1e-10, rel=1e-12)
        assert (found.loss[x], found.bias[x], found.variance[x]) == pytest.approx(
            (loss, bias, variance), abs=1e-10, rel=1e-10
        )
        assert found.variance[x] >= 0


@given(forecasts())
def test_quadratic_loss_is_bias_plus_variance(case):
    p, q = case
    found = decompose_brier(p, q)
    expected = np.mean([((p - one) ** 2).sum(axis=1) for one in q], axis=0)
    np.testing.assert_allclose(found.loss, expected, atol=1e-12)
    np.testing.assert_allclose(found.bias + found.variance, expected, atol=1e-12)


@pytest.mark.parametrize("decompose", [decompose_kl, decompose_brier])
def test_a_forecast_that_no_training_set_changes_is_all_bias(decompose):
    found = decompose([[0.5, 0.5]], [[[0.2, 0.8]]] * 3)
    assert found.variance[0] == pytest.approx(0, abs=1e-15)
    assert found.variance_corrected[0] == pytest.approx(0, abs=1e-14)
    assert found.bias[0] == pytest.approx(found.loss[0]) == pytest.approx(found.loss[0])
    assert found.loss[0] > 0.1


def counted(n_rows, share, n_sets, alpha=1.0):
    """Enumerate what a learner of one chance says after `n_sets` training sets of `n_rows` rows.

    Gives the probability of each way that the counts may fall, and the forecasts, (n_sets, ways, 2).
    """
    counts = np.arange(n_rows + 1)
    chance = np.array([math.comb(n_rows, int(c)) * share**c * (1 - share) ** (n_rows - c) for c in counts])
    says = np.stack([counts + alpha, n_rows - counts + alpha], axis=1) / (n_rows + 2 * alpha)
    ways = np.array(list(product(counts, repeat=n_sets)))
    return chance[ways].prod(axis=1), says[ways].transpose(1, 0, 2), chance, says


def expected(n_rows, share, n_sets, decompose):
    """Return the expectations of variance, corrected variance and loss over all ways."""
    weight, q, _, _ = counted(n_rows, share, n_sets)
    p = np.broadcast_to([share, 1 - share], (len(weight), 2))
    found = decompose(p, q)
    return [float(weight @ values) for values in (found.variance, found.variance_corrected, found.loss)]


def limit(n_rows, share):
    """Return variance, bias and loss of infinitely many training sets, from the binomial distribution."""
    _, _, chance, says = counted(n_rows, share, 1)
    geometric = np.exp2(chance @ np.log2(says))
    p = (share, 1 - share)
    loss = sum(w * kl(p, q) for w, q in zip(chance, says, strict=True))
    return -math.log2(geometric.sum()), kl(p, geometric / geometric.sum()), loss


@pytest.mark.parametrize(
    ("n_rows", "share"),
    [
        (2, 0.5),
        (3, 0.3),
    ],
)
def test_few_training_sets_give_too_little_variance_and_the_jackknife_mends_it(n_rows, share):
    variance, _, loss = limit(n_rows, share)
    plain, corrected = {}, {}
    for n_sets in (2, 4):
        plain[n_sets], corrected[n_sets], mean_loss = expected(n_rows, share, n_sets, decompose_kl)
        assert mean_loss == pytest.approx(loss, rel=1e-12)
        assert plain[n_sets] < variance
        assert abs(corrected[n_sets] - variance) < 0.25 * abs(plain[n_sets] - variance)
    # Terms in 1/S halve with twice the training sets, those in 1/S^2 quarter.
    assert (plain[2] - variance) / (plain[4] - variance) == pytest.approx(2.0, abs=0.3)
    assert (corrected[2] - variance) / (corrected[4] - variance) > 3.0


def test_the_jackknife_makes_the_variance_of_quadratic_loss_unbiased():
    _, _, chance, says = counted(3, 0.3, 1)
    center = chance @ says
    variance = float(chance @ ((says - center) ** 2).sum(axis=1))
    for n_sets in (2, 3):
        assert expected(3, 0.3, n_sets, decompose_brier)[1] == pytest.approx(variance, rel=1e-12)


def test_a_zero_for_what_the_truth_allows_makes_loss_and_bias_infinite():
    found = decompose_kl([[0.5, 0.5], [1.0, 0.0], [0.5, 0.5]], [
        [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]],
        [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]],
    ])  # fmt: skip
    np.testing.assert_array_equal(found.loss, [np.inf, 0.5, np.inf])
    np.testing.assert_array_equal(found.bias, [np.inf, 0.0, np.inf])
    np.testing.assert_array_equal(found.variance, [0.5, 0.5, np.inf])
    assert np.isfinite(found.variance_corrected[:2]).all()
    mean = found.mean([0.5, 0.5, 0.0])
    assert (mean.loss, mean.bias, mean.bias_corrected, mean.n_infinite) == (np.inf, np.inf, np.inf, 1)
    assert mean.variance == 0.5
    assert found.mean([0, 2, 0]).loss == 0.5


@pytest.mark.parametrize(
    ("p", "q", "words"),
    [
        ([[0.5, 0.5]], [[[0.5, 0.5]]], "1 training set"),
        ([[0.5, 0.5]], [[[0.5, 0.6]]] * 2, "a row of y_prob is not a distribution"),
        ([[0.5, np.nan]], [[[0.5, 0.5]]] * 2, "a row of p_true is not a distribution"),
    ],
)
def test_what_cannot_be_decomposed_is_reported_in_a_sentence(p, q, words):
    for decompose in (decompose_kl, decompose_brier):
        with pytest.raises(ValueError, match=words) as caught:
            decompose(p, q)
        assert "\n" not in str(caught.value)


# Through a study


@pytest.fixture(scope="module")
def study():
    return read_study(STUDY)


@pytest.fixture(scope="module")
def store(study, tmp_path_factory):
    path = tmp_path_factory.mktemp("bias") / "bias.db"
    run(study, path)
    return path


@pytest.fixture(scope="module")
def kept(store):
    return BiasVariance.of(load(store))


@pytest.fixture(scope="module")
def everywhere(study):
    return BiasVariance.refit(study)


def means_of(store, rows):
    frame = load(store).frame().astype({"source": "str", "learner": "str"})
    own = frame[(frame["rows"] == rows) & (frame["metric"] == "kl_divergence")]
    return own.groupby(PLACE)["value"].mean()


@pytest.mark.slow
def test_the_loss_is_the_mean_of_the_scores_of_the_study(store, kept, everywhere):
    for found, rows, n_learners in ((kept, "test", 2), (everywhere, "exact", 4)):
        loss = found.by_truth.set_index(PLACE)["loss"]
        assert len(loss) == 2 * 3 * 2 * n_learners
        np.testing.assert_allclose(loss, means_of(store, rows)[loss.index], rtol=0, atol=1e-12)


def test_bias_and_variance_of_a_study_add_up(kept, everywhere):
    for found in (kept, everywhere):
        rows = found.by_truth
        np.testing.assert_allclose(rows["bias"] + rows["variance"], rows["loss"], rtol=0, atol=1e-10)
        both = rows["bias_corrected"] + rows["variance_corrected"]
        np.testing.assert_allclose(both, rows["loss"], rtol=0, atol=1e-10)
        assert set(rows["n_sets"]) == {4}
    truth = everywhere.by_truth[everywhere.by_truth["learner"] == "truth"]
    np.testing.assert_allclose(truth[["loss", "bias", "variance"]], 0.0, atol=1e-12)


def test_nothing_is_fitted_where_a_store_kept_predictions(store, kept, monkeypatch):
    def fail(self, X, y, sample_weight=None):
        raise AssertionError

    monkeypatch.setattr(NaiveBayesClassifier, "fit", fail)
    again = BiasVariance.of(load(store), learners=["nb"])
    own = kept.by_truth[kept.by_truth["learner"] == "nb"].reset_index(drop=True)
    assert again.by_truth.equals(own)


def test_test_rows_asked_again_are_those_that_a_store_kept(study, kept):
    again = BiasVariance.refit(study, score="//test", source="tan")
    own = again.by_truth[again.by_truth["learner"].isin(["nb", "tan"])].reset_index(drop=True)
    stored = kept.by_truth[kept.by_truth["source"] == "tan"].reset_index(drop=True)
    assert own.equals(stored)
    assert again.score.rows == "test"


def test_a_truth_of_numbers_is_decomposed_on_test_rows():
    numeric = Source("normal", generator="gaussian_naive_bayes", parameters={"n_attributes": 2})
    study = replace(read_study(STUDY), sources=(numeric,))
    with pytest.raises(WorkbenchError, match="kl_divergence//test"):
        BiasVariance.refit(study)
    found = BiasVariance.refit(study, score="//test").table.set_index(["learner", "n_train"])
    assert 0 < found.loc[("nb", 300), "variance"] < found.loc[("nb", 30), "variance"]


@pytest.mark.slow
def test_a_kind_without_exact_scores_goes_by_its_test_rows_and_is_named(tmp_path):
    numeric = Source("normal", generator="gaussian_naive_bayes", parameters={"n_attributes": 2})
    study = read_study(STUDY)
    results = run(replace(study, sources=(study.source("tan"), numeric)), tmp_path / "two.db")
    found = paired_scores(results, score="//exact")
    assert [(one.source, one.score.rows) for one in found] == [("tan", "exact"), ("normal", "test")]
    assert "normal" in found[0].notes[-1]
    assert [(one.source, one.score.rows) for one in paired_scores(results)] == [
        ("tan", "test"), ("normal", "test"),
    ]  # fmt: skip
    exact_only = replace(study.scores, rows=("exact",))
    with pytest.warns(MissingScores, match="3 of 3 truths of 'normal' have no score"):
        results = run(replace(study, sources=(study.source("tan"), numeric), scores=exact_only))
    (found,) = paired_scores(results)
    assert "normal" in found.notes[-1]


NUMERIC = Source("normal", generator="gaussian_naive_bayes", parameters={"n_attributes": 2})


@pytest.mark.slow
def test_sources_that_have_no_end_are_asked_test_rows_and_the_others_all_inputs(study, everywhere):
    both = replace(study, sources=(NUMERIC, *study.sources))
    inputs, sample = refitted_bias(both)
    assert (inputs.score.rows, sample.score.rows) == ("exact", "test")
    own = everywhere.by_truth[everywhere.by_truth["learner"].isin(["nb", "tan"])].reset_index(drop=True)
    assert inputs.by_truth.equals(own)
    assert sample.by_truth.equals(BiasVariance.refit(both, score="//test", source="normal").by_truth.query(
        "learner == 'nb' or learner == 'tan'").reset_index(drop=True))  # fmt: skip
    assert inputs.notes == ()
    assert "normal" in sample.notes[0]


def test_a_source_of_which_one_truth_is_too_large_is_asked_test_rows(study):
    few, other, many = (random_tan(n_attributes=n, arity=4, random_state=1) for n in (2, 3, 12))
    design = replace(study.design, replicates=1, sizes=(10,), training_sets=2)
    sources = Source("mixed", truths=(few, many)), Source("few", truths=(other,))
    mixed = replace(study, sources=sources, design=design)
    assert {found.score.rows: [*found.table["source"].unique()] for found in refitted_bias(mixed)} == {
        "exact": ["few"], "test": ["mixed"],
    }  # fmt: skip


def test_a_truth_that_cannot_be_drawn_is_left_out_and_named(study, monkeypatch):
    draw = Source.draw

    def sometimes(self, *, seed, replicate):
        if replicate == 1:
            raise ValueError("no truth is within the bounds")
        return draw(self, seed=seed, replicate=replicate)

    monkeypatch.setattr(Source, "draw", sometimes)
    drawn = replace(study, seed=91)  # whose truths no cache holds
    (found,) = refitted_bias(drawn, source="tan")
    assert set(found.by_truth["replicate"]) == {0, 2}
    (note,) = found.notes
    assert "truth 1 of tan" in note


@pytest.mark.slow
def test_a_learner_with_one_training_set_is_left_out_and_named(tmp_path):
    text = STUDY.replace("training_sets = 4", 'training_sets = 3\nonce = ["tan"]')
    study = read_study(text)
    results = run(study, tmp_path / "once.db")
    counts = results.cells().groupby("learner", observed=True)["training_set"].nunique()
    assert counts["tan"] == 1
    assert counts["nb"] == 3
    for found in (BiasVariance.of(results), BiasVariance.refit(study)):
        assert "tan" not in set(found.by_truth["learner"])
        assert "nb" in set(found.by_truth["learner"])
        assert found.notes[0].endswith("TAN")
    (first, *_) = paired_scores(results, score="kl_divergence")
    assert "tan" in first.learners
    assert np.isfinite(first.values).all()


@pytest.mark.process
@pytest.mark.slow
def test_processes_change_nothing(study, everywhere):
    assert BiasVariance.refit(study, n_jobs=2).by_truth.equals(everywhere.by_truth)


def test_a_learner_whose_assumption_holds_has_no_bias_left_and_less_variance_with_more_rows(everywhere):
    table = everywhere.table.set_index(["source", "learner", "n_train"])
    assert table.loc[("naive_bayes", "nb", 300), "bias"] < 0.02 < table.loc[("tan", "nb", 300), "bias"]
    for learner in ("nb", "tan"):
        assert table.loc[("tan", learner, 300), "variance"] < table.loc[("tan", learner, 30), "variance"] / 2
    assert table["n"].eq(3).all()
    one = table.loc[("tan", "tan", 30)]
    assert one["loss_low"] < one["loss"] < one["loss_high"]
    assert one["variance_share"] == pytest.approx(one["variance"] / one["loss"])


def test_quadratic_loss_and_cut_offs_can_be_asked_for(store, kept):
    brier = BiasVariance.of(load(store), score="quadratic_loss")
    rows = brier.by_truth
    np.testing.assert_allclose(rows["bias"] + rows["variance"], rows["loss"], atol=1e-12)
    assert (brier.unit, kept.unit) == ("loss", "bits")
    clipped = BiasVariance.of(load(store), score="///2002").by_truth
    assert not clipped["loss"].equals(kept.by_truth["loss"])
    assert np.isfinite(clipped["loss"]).all()


class Fails(ClassifierMixin, BaseEstimator):
    """Fails on training rows whose first class is the first."""

    algorithm_version = 1

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if np.asarray(y)[0] == self.classes_[0]:
            raise RuntimeError("no such luck")
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::workbench.base.errors.OneClass")
def test_a_training_set_that_failed_leaves_its_truth_and_size_out(tmp_path):
    from workbench import compare
    from workbench.designs import FreshSamples

    truths = [random_naive_bayes(n_attributes=2, arity=2, n_classes=2, random_state=i) for i in range(3)]
    learners = {"nb": NaiveBayesClassifier(), "fails": Fails()}
    design = FreshSamples(replicates=1, sizes=(20, 30), n_test=20, training_sets=3)
    with pytest.warns(FailedCells):
        results = compare(learners, on=truths, design=design, store=tmp_path / "s.db")
    found = BiasVariance.of(results)
    counts = found.by_truth["learner"].value_counts()
    assert counts["nb"] == 6
    assert 0 <= counts.get("fails", 0) < 6
    assert found.notes[0].startswith("left out, because some training sets failed: fails on truths")
    everywhere = bias_variance(learners, on=truths, sizes=[20], training_sets=3)
    assert "failed: RuntimeError: no such luck" in everywhere.notes[0]


def test_what_cannot_be_asked_of_a_study_is_reported_in_a_sentence(
    study, store, small, on_datasets, tmp_path
):
    results = load(store)
    large = random_tan(n_attributes=12, arity=4, random_state=1)
    cases = [
        (lambda: BiasVariance.of(small), "one training set"),
        (lambda: BiasVariance.of(on_datasets), "data sets"),
        (lambda: BiasVariance.of(results, score="ks"), "ks .*kl_div"),
        (lambda: BiasVariance.of(results, score="//exact"), "exact .*test"),
        (lambda: BiasVariance.of(results, source="tann"), "'tann'.*'tan'"),
        (lambda: bias_variance({"nb": NaiveBayesClassifier()}, on=large, sizes=[5]), "too large"),
        (
            lambda: bias_variance({"nb": NaiveBayesClassifier()}, on=large, sizes=[5], training_sets=1),
            "training_sets .* 1: ",
        ),
        (
            lambda: BiasVariance.refit(
                replace(study, design=CrossoverSearch(("nb", "tan"), training_sets=3))
            ),
            "crossover_search.*fresh_samples",
        ),
        (lambda: BiasVariance.refit(study, n_jobs=0), "n_jobs is 0"),
        (lambda: refitted_bias(study, score="kll"), "kll"),
    ]
    for ask, words in cases:
        with pytest.raises(WorkbenchError, match=words) as caught:
            ask()
        assert "\n" not in str(caught.value)


def test_the_figure_has_two_lines_a_learner(everywhere, store):
    kind = STUDY_FIGURES["bias_variance"]
    display = kind(everywhere, source="tan").plot()
    lines = [line for line in display.ax_.lines if len(line.get_xdata())]
    nb = everywhere.table.query("source == 'tan' and learner == 'nb'")
    np.testing.assert_allclose(lines[0].get_ydata(), nb["bias"])
    np.testing.assert_allclose(lines[1].get_ydata(), nb["variance"])
    assert "bits" in display.ax_.get_ylabel()
    assert "truth" in display.caption
    assert "over all inputs" in display.caption
    assert "test rows" in kind.from_results(load(store), source="tan").caption
    with pytest.raises(WorkbenchError, match=r"2 sources: .*naive_bayes, tan"):
        kind(everywhere)
    with pytest.raises(WorkbenchError, match="ir_b"):
        kind.from_results(load(store), source="tan", score="ir_b")
