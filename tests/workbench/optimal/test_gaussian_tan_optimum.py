"""The optimum on Gaussian TAN truths: against all trees one by one, truths of the law, and row by row."""

import math
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logsumexp
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from generators import random_gaussian_tan
from learners.bayes._kernels.rooted_trees import posterior_of_joints
from workbench.optimal.gaussian_tan import GaussianTANOptimum

LAW = {"separation": 1.0, "effect": 1.0, "degrees": 10.0}
LAWS = [
    LAW,
    {"separation": 3.0, "effect": 0.5, "degrees": 1.0},
    {"separation": 0.0, "effect": 2.0, "degrees": 4.0},
    {"separation": 0.5, "effect": 0.0, "degrees": 100.0},
    {"separation": 0.0, "effect": 0.0, "degrees": 2.5},
]


def posterior_by(optimum, values):
    return posterior_of_joints(optimum.log_joint(values))


def rooted_trees(d):
    """All parents of attributes, -1 for the root, that are rooted trees."""
    for parents in product(range(-1, d), repeat=d):
        if parents.count(-1) != 1:
            continue
        reached, grown = {parents.index(-1)}, True
        while grown:
            more = {j for j in range(d) if parents[j] in reached} - reached
            reached, grown = reached | more, bool(more)
        if len(reached) == d:
            yield parents


def log_density_of(child, parent, law):
    """Log density of numbers given those of a parent: Student's of as many dimensions."""
    if not len(child):
        return 0.0
    shape = np.eye(len(child)) + law["separation"] ** 2
    if parent is not None:
        shape = shape + law["effect"] ** 2 * np.outer(parent, parent)
    return stats.multivariate_t.logpdf(child, shape=shape, df=law["degrees"])


def log_evidence_of(values, y, n_classes, law):
    """Log density of numbers given their classes, by the sum over all rooted trees."""
    d = len(values)

    @cache
    def family(j, i):
        of_classes = [values[:, y == c] for c in range(n_classes)]
        return sum(log_density_of(own[j], None if i < 0 else own[i], law) for own in of_classes)

    trees = list(rooted_trees(d))
    assert len(trees) == d ** (d - 1)
    logs = [sum(family(j, i) for j, i in enumerate(parents)) for parents in trees]
    return logsumexp(logs) - math.log(len(trees))


@pytest.mark.parametrize("law", LAWS, ids=str)
@pytest.mark.parametrize("d", [1, 2, 4])
def test_evidence_and_forecasts_are_sums_over_all_rooted_trees(law, d):
    rng = np.random.default_rng(d)
    y = np.array([0, 0, 0, 1, 1, 0, 1, 0])
    values = rng.normal(0, 2, (d, len(y)))
    values[-1] += values[0] * (2 * y - 1)
    optimum = GaussianTANOptimum.of(values, y, 3, **law)
    own = log_evidence_of(values, y, 3, law)
    classes = math.lgamma(3) + math.lgamma(6) + math.lgamma(4) - math.lgamma(11)
    assert optimum.log_evidence == pytest.approx(own + classes, rel=1e-12)
    new = rng.normal(0, 3, (d, 5))
    expected = [
        [
            log_evidence_of(np.column_stack([values, row]), np.append(y, c), 3, law) - own + math.log(prior)
            for c, prior in enumerate([6 / 11, 4 / 11, 1 / 11])
        ]
        for row in new.T
    ]
    np.testing.assert_allclose(optimum.log_joint(new), expected, rtol=1e-10)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_each_row_adds_its_log_joint_to_the_evidence(law):
    rng = np.random.default_rng(5)
    values, y = rng.normal(0, 3, (4, 12)), rng.integers(0, 3, 12)
    values[0, 7:10] = 25.0, -1e3, 1e3
    fits = [GaussianTANOptimum.of(values[:, :n], y[:n], 3, class_alpha=0.5, **law) for n in range(13)]
    assert fits[0].log_evidence == pytest.approx(0, abs=1e-12)
    for n, (before, after) in enumerate(pairwise(fits)):
        joint = before.log_joint(values[:, n : n + 1])[0, y[n]]
        assert after.log_evidence - before.log_evidence == pytest.approx(joint, rel=1e-9, abs=1e-9)


@pytest.mark.slow
def test_it_is_the_mean_over_truths_that_are_drawn():
    # nothing of the optimum's mathematics is used: rows' densities under 3000 truths are averaged
    known = [0.3, 0.7]
    law = {"separation": 0.8, "effect": 1.2, "degrees": 6.0}
    values = np.array([[0.2, -0.5, 0.4], [0.9, -0.6, 0.1], [0.3, 1.0, -0.8]])
    y = np.array([0, 1, 1])
    drawn = [
        random_gaussian_tan(n_attributes=3, n_classes=2, class_marginal=known, random_state=s, **law)
        for s in range(3000)
    ]
    new = np.array([[0.5, 1.0, -0.4]])
    rows, labels = np.vstack([values.T, new, new]), np.append(y, [0, 1])
    each = np.array([truth.log_joint(rows, labels) for truth in drawn])
    densities, joints = np.exp(each[:, :3].sum(axis=1)), np.exp(each[:, 3:])
    optimum = GaussianTANOptimum.of(values, y, 2, class_marginal=known, **law)
    error = densities.std() / math.sqrt(len(drawn))
    assert error < 0.1 * densities.mean()
    assert abs(densities.mean() - math.exp(optimum.log_evidence)) < 3 * error
    weights = densities / densities.sum()
    forecast, found = weights @ joints, np.exp(optimum.log_joint(new.T))[0]
    errors = np.sqrt(weights**2 @ (joints - forecast) ** 2)
    assert (errors < 0.1 * forecast).all()
    assert (np.abs(found - forecast) < 3 * errors).all()


@pytest.mark.parametrize("separation", [0.0, 1.0])
def test_without_an_effect_attributes_are_independent_given_the_class(separation):
    rng = np.random.default_rng(4)
    law = {"separation": separation, "effect": 0.0, "degrees": 5.0}
    values, y, new = rng.normal(size=(3, 10)), rng.integers(0, 2, 10), rng.normal(size=(3, 6))
    known = {"class_marginal": [0.5, 0.5]}
    together = GaussianTANOptimum.of(values, y, 2, **law, **known)
    alone = [GaussianTANOptimum.of(values[[j]], y, 2, **law, **known) for j in range(3)]
    each = sum(one.log_joint(new[[j]]) - one.log_prior for j, one in enumerate(alone))
    np.testing.assert_allclose(together.log_joint(new), each + together.log_prior, rtol=1e-11)
    # the class is known, and counted in each of them
    classes = 10 * math.log(0.5)
    sums = sum(one.log_evidence - classes for one in alone) + classes
    assert together.log_evidence == pytest.approx(sums, rel=1e-12)


@pytest.mark.parametrize("name", ["separation", "effect"])
def test_zero_is_the_limit_of_small(name):
    rng = np.random.default_rng(6)
    values, y = rng.normal(size=(3, 10)), rng.integers(0, 2, 10)
    none, small = (GaussianTANOptimum.of(values, y, 2, **LAW | {name: size}) for size in (0.0, 1e-9))
    assert none.log_evidence == pytest.approx(small.log_evidence, rel=1e-11)
    np.testing.assert_allclose(none.log_joint(values), small.log_joint(values), rtol=1e-10)


def test_one_attribute_is_a_student_distribution_by_hand():
    optimum = GaussianTANOptimum.of([[2.0]], [0], 1, separation=1.0, effect=5.0, degrees=3.0)
    assert optimum.log_evidence == pytest.approx(stats.t.logpdf(2.0, 3, 0, math.sqrt(2)), rel=1e-12)
    # mean 2 / 2, degrees 3 + 1, sum of squares 3 + 2^2 / 2
    forecast = stats.t.logpdf([0.0, 9.0], 4, 1.0, math.sqrt(5 / 4 * (1 + 1 / 2)))
    np.testing.assert_allclose(optimum.log_joint([[0.0, 9.0]])[:, 0], forecast, rtol=1e-12)


def test_a_class_without_rows_has_the_law_and_the_tree():
    rng = np.random.default_rng(8)
    values = rng.normal(size=(3, 40))
    values[1] += 3 * values[0]
    optimum = GaussianTANOptimum.of(values, np.zeros(40, int), 2, **LAW)
    new = np.array([[1.0], [3.0], [0.0]])
    # what the rows say of the tree, they say of it in the other class, too
    linked = logsumexp(
        [
            sum(
                log_density_of(values[j], None if i < 0 else values[i], LAW)
                + log_density_of(new[j], None if i < 0 else new[i], LAW)
                for j, i in enumerate(parents)
            )
            for parents in rooted_trees(3)
        ]
    )
    before = log_evidence_of(values, np.zeros(40, int), 1, LAW) + math.log(9)
    assert optimum.log_joint(new)[0, 1] == pytest.approx(linked - before + math.log(1 / 42), rel=1e-10)


def test_a_given_class_distribution_is_not_learned():
    y, values = [0, 0, 1], [[0.0] * 3]
    known = GaussianTANOptimum.of(values, y, 2, class_marginal=[0.2, 0.8], **LAW)
    drawn = GaussianTANOptimum.of(values, y, 2, **LAW)
    np.testing.assert_allclose(np.exp(known.log_prior), [0.2, 0.8])
    np.testing.assert_allclose(np.exp(drawn.log_prior), [0.6, 0.4])
    difference = math.log(0.2**2 * 0.8) - math.log(1 / 2 * 2 / 3 * 1 / 4)
    assert known.log_evidence - drawn.log_evidence == pytest.approx(difference, rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(0, 12), st.sampled_from(LAWS), st.floats(-1e3, 1e3))
def test_rows_and_attributes_have_no_order(seed, n, law, x):
    rng = np.random.default_rng(seed)
    values, y = rng.normal(0, 20, (4, n)), rng.integers(0, 3, n)
    rows, columns = rng.permutation(n), rng.permutation(4)
    optimum = GaussianTANOptimum.of(values, y, 3, **law)
    permuted = GaussianTANOptimum.of(values[columns][:, rows], y[rows], 3, **law)
    row = np.array([[x], [-x], [1.0], [x / 2]])
    np.testing.assert_allclose(posterior_by(optimum, row).sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(permuted.log_joint(row[columns]), optimum.log_joint(row), rtol=1e-9, atol=1e-9)
    assert permuted.log_evidence == pytest.approx(optimum.log_evidence, rel=1e-10, abs=1e-10)


def test_a_weight_counts_rows():
    rng = np.random.default_rng(2)
    values, y, weight = rng.normal(size=(3, 6)), rng.integers(0, 2, 6), np.array([0, 1, 2, 3, 1, 0])
    weighted = GaussianTANOptimum.of(values, y, 2, weight=weight, **LAW)
    repeated = GaussianTANOptimum.of(values.repeat(weight, axis=1), y.repeat(weight), 2, **LAW)
    assert weighted.log_evidence == pytest.approx(repeated.log_evidence, rel=1e-12)
    np.testing.assert_allclose(weighted.log_joint(values), repeated.log_joint(values), rtol=1e-11)


@pytest.mark.parametrize("size", [1e6, 1e100])
def test_constant_equal_and_far_columns_have_forecasts(size):
    rng = np.random.default_rng(9)
    column = rng.normal(size=30)
    values = np.array([column, column, np.zeros(30), np.full(30, size), size * column / 5])
    y = (column > 0).astype(int)
    optimum = GaussianTANOptimum.of(values, y, 2, **LAW)
    new = np.column_stack([values, np.full(5, size), np.full(5, -size)])
    assert math.isfinite(optimum.log_evidence)
    assert np.isfinite(optimum.log_joint(new)).all()


def test_it_follows_the_truth_as_rows_grow():
    known = {"class_marginal": [0.4, 0.3, 0.3]}
    truth = random_gaussian_tan(n_attributes=4, n_classes=3, random_state=4, **known)
    X, y = truth.sample(10_000, 1)
    optimum = GaussianTANOptimum.of(X.to_numpy().T, y.cat.codes, 3, **LAW, **known)
    new = truth.sample(200, 2)[0].to_numpy()
    assert np.abs(posterior_by(optimum, new.T) - truth.posterior(new)).mean() < 0.01


@cache
def forecasts_over_truths():
    """True posteriors and forecasts of 500 rows of each of 200 truths, after 60 rows of it."""
    found = {"truth": [], "optimum": [], "other law": [], "quadratic": [], "naive": []}
    law = LAW | {"class_marginal": [0.5, 0.5]}
    for seed in range(200):
        truth = random_gaussian_tan(n_attributes=4, n_classes=2, random_state=seed, **law)
        X, y = truth.sample(60, 1000 + seed)
        values, codes = X.to_numpy(), y.cat.codes.to_numpy()
        new = truth.sample(500, 2000 + seed)[0].to_numpy()
        found["truth"].append(truth.posterior(new))
        optimum = GaussianTANOptimum.of(values.T, codes, 2, **law)
        other = GaussianTANOptimum.of(values.T, codes, 2, **law | {"separation": 5.0, "effect": 0.2})
        found["optimum"].append(posterior_by(optimum, new.T))
        found["other law"].append(posterior_by(other, new.T))
        plugged = QuadraticDiscriminantAnalysis(priors=[0.5, 0.5]).fit(values, codes)
        found["quadratic"].append(plugged.predict_proba(new))
        found["naive"].append(GaussianNB(priors=[0.5, 0.5]).fit(values, codes).predict_proba(new))
    return {name: np.array(own) for name, own in found.items()}


@pytest.mark.slow
def test_over_truths_of_its_law_no_other_forecast_is_better():
    found = forecasts_over_truths()
    for rival in ("other law", "quadratic", "naive"):
        ours, theirs = (np.log(np.maximum(found[name], 1e-300)) for name in ("optimum", rival))
        gains = (found["truth"] * (ours - theirs)).sum(axis=2).mean(axis=1)
        assert gains.mean() > 3 * gains.std() / math.sqrt(len(gains)), rival


@pytest.mark.slow
def test_over_truths_of_its_law_no_other_forecast_tells_more():
    # truth - optimum is orthogonal to whatever is known after the rows
    found = forecasts_over_truths()
    for of in ("optimum", "other law", "quadratic", "naive"):
        gaps = (found["truth"] - found["optimum"])[:, :, 0] * (found[of][:, :, 0] - 0.5)
        own = gaps.mean(axis=1)
        assert abs(own.mean()) < 3.5 * own.std() / math.sqrt(len(own)), of


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": [[1.0, math.inf]]}, "values has inf: give finite numbers up to 1e"),
        ({"values": [[1.0, math.nan]]}, "values has 1 row with a missing number"),
        ({"y": [0, 2]}, "y has other values than 0 .. 1"),
        ({"separation": -1.0}, "separation is -1.0: expected a finite number, 0 or more"),
        ({"effect": 1e7}, r"effect is 1e\+07: expected at most 1e\+06"),
        ({"degrees": 0.5}, r"degrees is 0.5: expected 1 to 1e\+06"),
        ({"class_marginal": [0.5, 0.6]}, "probabilities of the 2 classes that sum to one"),
        ({"weight": [1.0, -1.0]}, "weight is not 2 finite numbers of at least 0"),
    ],
)
def test_what_cannot_be_is_refused(change, message):
    given = {"values": [[1.0, 2.0]], "y": [0, 1], "n_classes": 2} | LAW | change
    rows = [given.pop(name) for name in ("values", "y", "n_classes")]
    with pytest.raises(ValueError, match=message):
        GaussianTANOptimum.of(*rows, **given)


def test_forecasts_need_all_attributes_of_the_rows():
    optimum = GaussianTANOptimum.of([[0.0]], [0], 1, **LAW)
    with pytest.raises(ValueError, match="values has 2 attributes and the posterior 1"):
        optimum.log_joint([[0.0], [1.0]])
    with pytest.raises(ValueError, match=r"values has 2 rows with a missing number, .*"):
        optimum.log_joint([[math.nan, 0.0, math.nan]])
