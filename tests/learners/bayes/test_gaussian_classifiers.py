"""TAN and AODE of numbers: estimates by hand, exact posteriors, missing numbers, and odd tables."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import clone

from generators import random_gaussian_aode, random_gaussian_naive_bayes, random_gaussian_tan
from learners import GaussianAODEClassifier, GaussianTANClassifier, NaiveBayesClassifier
from learners.bayes._shared.class_normals import ClassNormals

BOTH = pytest.mark.parametrize("Learner", [GaussianTANClassifier, GaussianAODEClassifier])


def drawn(n=200, seed=0, **sizes):
    truth = random_gaussian_tan(**{"n_attributes": 4, "n_classes": 3, **sizes}, random_state=seed)
    X, y = truth.sample(n, random_state=seed + 1)
    return truth, X, y


def bits(learner, X, y):
    found = learner.predict_proba(X)
    return -np.log2(found[np.arange(len(y)), y.cat.codes]).mean()


def distribution(learner):
    return learner.network_ if isinstance(learner, GaussianTANClassifier) else learner.mixture_


def test_covariances_by_hand():
    # two classes of two rows, one attribute: within (2 + 2 + v) / (1 + 1 + 1), v = 1 in standard units
    x = np.array([[0.0, 2.0, 10.0, 12.0]])
    y = np.array([0, 0, 1, 1])
    found = ClassNormals.of(x, y, 2, None, n0=5.0)
    whole = x.var()
    within = (2 + 2 + whole) / 3
    np.testing.assert_allclose(found.variances[:, 0] * whole, [1.5 * (2 + 5 * within) / 6] * 2)
    np.testing.assert_allclose(found.means[:, 0] * np.sqrt(whole) + 6, [1, 11])


def test_a_regression_by_hand():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 30)), np.arange(30) % 2
    found = ClassNormals.of(x, y, 2, None, n0=3.0)
    z = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)
    sums = [np.cov(z[:, y == c]) * 14 for c in (0, 1)]
    within = (sum(sums) + np.eye(2)) / 29
    for c in (0, 1):
        want = (1 + 1 / 15) * (sums[c] + 3 * within) / 17
        slope = want[1, 0] / want[0, 0]
        np.testing.assert_allclose(found.slopes[c, 1, 0], slope)
        np.testing.assert_allclose(found.noises[c, 1, 0], want[1, 1] - slope * want[0, 1])
        center = z[:, y == c].mean(axis=1)
        np.testing.assert_allclose(found.intercepts[c, 1, 0], center[1] - slope * center[0])


@BOTH
def test_forecasts_are_those_of_the_learned_distribution_with_and_without_holes(Learner):
    _, X, y = drawn()
    learner = Learner().fit(X, y)
    truth = distribution(learner)
    holed = X.mask(np.random.default_rng(2).random(X.shape) < 0.3)
    for rows in (X, holed):
        np.testing.assert_allclose(learner.predict_proba(rows), truth.posterior(rows), atol=1e-9)


def test_missing_numbers_are_integrated_out():
    _, X, y = drawn()
    learner = GaussianTANClassifier().fit(X, y)
    without = X.assign(x2=np.nan)
    kept = ["x0", "x1", "x3"]
    joint = np.empty((len(X), 3))
    for c, (share, network) in enumerate(zip(learner.class_prior_, learner.network_.networks, strict=True)):
        of = network.normal.of(kept)
        joint[:, c] = share * multivariate_normal(of.means, of.covariance).pdf(X[kept])
    want = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(learner.predict_proba(without), want, atol=1e-9)


def test_the_tree_of_the_truth_is_found():
    for seed in range(5):
        truth, X, y = drawn(n=5000, seed=seed, n_attributes=6)
        found = GaussianTANClassifier().fit(X, y)
        edges = {frozenset(pair) for pair in enumerate(found.parents_) if pair[1] >= 0}
        parents = truth.networks[0].parent_indices
        assert edges == {frozenset((v, own[0])) for v, own in enumerate(parents) if own}


@pytest.mark.parametrize(
    ("random_truth", "Learner"),
    [
        (random_gaussian_tan, GaussianTANClassifier),
        (random_gaussian_naive_bayes, GaussianTANClassifier),
        (random_gaussian_naive_bayes, GaussianAODEClassifier),
    ],
)
def test_forecasts_approach_the_truth(random_truth, Learner):
    excess = {}
    for n in (50, 5000):
        losses = []
        for seed in range(6):
            truth = random_truth(n_attributes=4, n_classes=3, random_state=seed)
            X, y = truth.sample(n, random_state=1)
            T, z = truth.sample(1000, random_state=2)
            best = -np.log2(truth.posterior(T)[np.arange(1000), z.cat.codes]).mean()
            losses.append(bits(Learner().fit(X, y), T, z) - best)
        excess[n] = np.mean(losses)
    assert excess[5000] < 0.02 < excess[50] < 0.6


def test_on_a_mixture_the_average_beats_one_tree_where_rows_are_few():
    gains = []
    for seed in range(12):
        truth = random_gaussian_aode(n_attributes=4, n_classes=2, random_state=seed)
        X, y = truth.sample(50, random_state=1)
        T, z = truth.sample(1000, random_state=2)
        gains.append(
            bits(GaussianTANClassifier().fit(X, y), T, z) - bits(GaussianAODEClassifier().fit(X, y), T, z)
        )
    assert np.mean(gains) > 0


@BOTH
def test_units_order_and_repeated_rows_make_no_difference(Learner):
    _, X, y = drawn()
    want = Learner().fit(X, y).predict_proba(X)
    units = pd.DataFrame({name: X[name] * scale + shift for name, scale, shift in
                          zip(X, (1e-9, 1.0, -3e7, 2.0), (0, 1e3, 5, -1), strict=True)})  # fmt: skip
    np.testing.assert_allclose(Learner().fit(units, y).predict_proba(units), want, atol=1e-7)
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    repeated = np.repeat(np.arange(len(X)), weights)
    np.testing.assert_allclose(
        Learner().fit(X, y, sample_weight=weights).predict_proba(X),
        Learner().fit(X.iloc[repeated], y.iloc[repeated]).predict_proba(X),
        atol=1e-9,
    )
    # the root of a tree is the first attribute, and with shrunken slopes trees of other roots differ a little
    tolerance = 0.05 if Learner is GaussianTANClassifier else 1e-9
    turned = X[X.columns[::-1]]
    np.testing.assert_allclose(Learner().fit(turned, y).predict_proba(turned), want, atol=tolerance)


@BOTH
def test_nominal_columns_have_the_factors_of_naive_bayes(Learner):
    _, X, y = drawn()
    nominal = pd.DataFrame({"a": pd.Categorical(y.cat.codes.map({0: "u", 1: "v", 2: "u"}))})
    bayes = NaiveBayesClassifier().fit(nominal, y)
    np.testing.assert_allclose(Learner().fit(nominal, y).predict_proba(nominal), bayes.predict_proba(nominal))
    both = Learner().fit(pd.concat([X, nominal], axis=1), y)
    numbers = Learner().fit(X, y)
    want = numbers.predict_proba(X) * bayes.predict_proba(nominal) / bayes.class_prior_
    want /= want.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(both.predict_proba(pd.concat([X, nominal], axis=1)), want, atol=1e-9)
    with pytest.raises(AttributeError, match="requires only numeric columns"):
        distribution(both)


@BOTH
def test_columns_that_say_nothing_change_nothing(Learner):
    _, X, y = drawn()
    want = Learner().fit(X, y).predict_proba(X)
    for flat in (X.assign(flat=3.0), X.assign(flat=np.nan), X.assign(flat=1e300)):
        np.testing.assert_array_equal(Learner().fit(flat, y).predict_proba(flat), want)


@BOTH
@pytest.mark.parametrize(
    "kind", ["copy", "constant within a class", "tells the class", "0 and 1", "one known"]
)
def test_degenerate_columns_give_finite_forecasts(Learner, kind):
    _, X, y = drawn(n=60)
    odd = {
        "copy": 2 * X["x0"] + 1,
        "constant within a class": X["x0"].where(y != 0, 1.0),
        "tells the class": y.cat.codes.astype(float) * 10,
        "0 and 1": (X["x0"] > 0).astype(float),
        "one known": X["x0"].where(np.arange(60) == 7),
    }[kind]
    learner = Learner().fit(X.assign(odd=odd), y)
    found = learner.predict_proba(X.assign(odd=odd))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
    if kind == "tells the class":
        assert (found.argmax(axis=1) == y.cat.codes).mean() > 0.95


@BOTH
@pytest.mark.parametrize("far", [1e30, 1e160, 1e308, -1e308])
def test_numbers_however_far_out_give_probabilities(Learner, far):
    _, X, y = drawn()
    learner = Learner().fit(X, y)
    for rows in (X.assign(x1=far), X.assign(x1=far, x2=np.nan), X.assign(x0=far, x1=np.nan)):
        found = learner.predict_proba(rows)
        np.testing.assert_allclose(found.sum(axis=1), 1)


@BOTH
def test_a_rare_binary_number_keeps_what_it_says(Learner):
    # the gap between 0 and 1 is far larger than the deviation, which rounding must not exceed
    y = np.repeat([0, 1], [980, 20])
    X = pd.DataFrame({"x": y.astype(float)})
    assert Learner().fit(X, y).predict_proba(X)[-1, 1] > 0.95


@BOTH
def test_a_pair_that_no_row_of_a_class_has_keeps_what_the_class_says_of_each(Learner):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 400)
    X = rng.normal(size=(800, 2)) + 3 * y[:, np.newaxis]
    X[400:600, 0] = np.nan
    X[600:, 1] = np.nan
    component = distribution(Learner().fit(X, y))
    component = component if Learner is GaussianTANClassifier else component.components[0]
    np.testing.assert_allclose(component.networks[1].means, 3, atol=0.3)
    np.testing.assert_allclose(component.networks[1].covariance.diagonal(), 1, atol=0.35)


@BOTH
def test_few_rows_one_class_and_classes_without_rows(Learner):
    _, X, y = drawn(n=40)
    one = Learner().fit(X, np.zeros(40, int))
    np.testing.assert_array_equal(one.predict_proba(X), 1)
    two = Learner().fit(X[:2], pd.Categorical(["a", "b"], categories=["a", "b", "c"]))
    found = two.predict_proba(X)
    assert np.isfinite(found).all()
    wide = Learner().fit(pd.concat([X] * 15, axis=1).set_axis(range(60), axis=1), y)
    assert np.isfinite(wide.predict_proba(pd.concat([X] * 15, axis=1).set_axis(range(60), axis=1))).all()


def test_a_class_without_rows_has_the_mean_of_all():
    X = pd.DataFrame({"x": np.linspace(0, 1, 21)})
    y = pd.Categorical(["a", "b"] * 10 + ["a"], categories=["a", "b", "c"])
    network = GaussianTANClassifier().fit(X, y).network_
    np.testing.assert_allclose(network.networks[2].means, [0.5])
    np.testing.assert_allclose(network.networks[2].covariance, X.var(ddof=0).to_numpy()[:, np.newaxis])


@BOTH
def test_missing_numbers_in_training_count_for_the_pairs_that_rows_have(Learner):
    truth, X, y = drawn(n=3000)
    holed = X.mask(np.random.default_rng(5).random(X.shape) < 0.2)
    T, z = truth.sample(1000, random_state=9)
    with_holes, without = bits(Learner().fit(holed, y), T, z), bits(Learner().fit(X, y), T, z)
    assert abs(with_holes - without) < 0.02


@BOTH
@pytest.mark.parametrize("n0", [0, -1, np.inf, "5", None])
def test_n0_is_checked(Learner, n0):
    _, X, y = drawn(n=20)
    with pytest.raises((ValueError, TypeError), match="n0"):
        Learner(n0=n0).fit(X, y)


@BOTH
def test_a_second_fit_forgets_the_first(Learner):
    _, X, y = drawn()
    learner = Learner().fit(X, y)
    distribution(learner)
    again = learner.fit(X[:50], y[:50])
    fresh = clone(learner).fit(X[:50], y[:50])
    holed = X.assign(x1=np.nan)
    np.testing.assert_array_equal(again.predict_proba(holed), fresh.predict_proba(holed))
