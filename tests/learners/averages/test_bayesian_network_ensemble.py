"""The ensemble of Bayesian network classifiers: its parts against twins, what it sees, what it forecasts."""

import numba
import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize, minimize_scalar
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss

from learners import BayesianNetworkEnsembleClassifier, NaiveBayesClassifier
from learners.averages._kernels.lanes import (
    add_products,
    add_slots,
    spread_products,
    spread_to_slots,
)
from learners.averages._kernels.logistic import cholesky, set_tables, slot_products, slot_shares, solved
from learners.averages._shared.discriminative import COEFFICIENT_PENALTY, LogisticRows
from learners.averages._shared.ensemble_member import Recipe, _chance_information, _noisy_parents
from learners.averages._shared.folds import folds
from learners.averages._shared.pool import SPREAD, pool_weights, sharpened, temperature
from learners.base import TrainingTable
from learners.bayes._kernels.elementwise import exponentiate_lanes, take_logs_of_lanes
from learners.bayes._kernels.one_dependence import LANES
from learners.bayes._kernels.spanning_tree import conditional_mutual_information
from learners.bayes._shared.backed_off_families import n_scores as padded_scores
from learners.counts.counts import PairCounts
from learners.tables.random_cuts import Spread

CLASS_PENALTY = 1e-3


def coded(n=150, n_classes=3, seed=0, weight=None):
    """Return rows of an ordered and two nominal attributes, with holes, and which are ordered."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    codes = np.stack(
        [(y + rng.integers(0, 3, n)) % 4, rng.integers(0, 3, n), (2 * y + rng.integers(0, 2, n)) % 5]
    )
    arities = np.array([4, 3, 5])
    codes = np.where(rng.random(codes.shape) < 0.1, arities[:, None], codes).astype(np.uint8)
    table = TrainingTable(codes, np.empty((0, n)), arities, y.astype(np.intp), n_classes, weight)
    return table, np.array([True, False, False])


def mixed(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    height = np.where(rng.random(n) < 0.1, np.nan, y + rng.normal(0, 0.7, n))
    kind = np.where(rng.random(n) < 0.1, None, np.array(["a", "b", "c"])[(y + rng.integers(0, 2, n)) % 3])
    return pd.DataFrame({"height": height, "kind": pd.Categorical(kind)}), pd.Series(np.where(y, "yes", "no"))


def design_of(rows: LogisticRows) -> np.ndarray:
    """Return what each fitted number adds to the score of each row."""
    n_slots = int(rows.first_slots[-1])
    to_tables = np.zeros((n_slots, n_slots))
    for k in range(n_slots):
        table = np.empty((n_slots, 1))
        set_tables(np.eye(n_slots)[k], rows.first_slots, rows.ordered, rows.shares, table)
        to_tables[:, k] = table[:, 0]
    return to_tables[rows.slots].sum(axis=1)


# -- sums of several classes at once -------------------------------------------------------------


@numba.njit
def both_sums(out, tables, slots, residuals, slopes):
    """Call the two intrinsics, which only compiled code can."""
    for i in range(slots.shape[0]):
        for lane in range(0, out.shape[1], LANES):
            at = np.uint64(lane)
            add_slots(out[i], at, at, tables, slots, np.uint64(i))
            spread_to_slots(residuals[i], at, at, slopes, slots, np.uint64(i))


@pytest.mark.parametrize("width", [4, 28])
def test_sums_over_slots_are_those_of_numpy(width):
    rng = np.random.default_rng(width)
    tables, slopes = rng.normal(size=(2, 9, width))
    out, residuals = rng.normal(size=(2, 20, width))
    slots = rng.integers(0, 9, (20, 5)).astype(np.uint32)  # a slot may come twice
    wanted, spread = out + tables[slots].sum(axis=1), slopes.copy()
    for i in range(20):
        np.add.at(spread, slots[i], residuals[i])
    both_sums(out, tables, slots, residuals, slopes)
    np.testing.assert_allclose(out, wanted, atol=1e-12)
    np.testing.assert_allclose(slopes, spread, atol=1e-12)


@numba.njit
def both_products(out, factors, rows, residuals, spread):
    last = np.uint64(rows.shape[0])
    for lane in range(0, out.size, LANES):
        add_products(out, np.uint64(lane), factors, rows, np.uint64(1), last)
        spread_products(residuals, np.uint64(lane), spread, rows, np.uint64(1), last)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_with_rows_are_those_of_numpy(dtype):
    rng = np.random.default_rng(0)
    rows, spread = rng.normal(size=(7, 16)).astype(dtype), np.zeros((7, 16))
    factors, residuals, out = rng.normal(size=7), rng.normal(size=16), np.zeros(16)
    both_products(out, factors, rows, residuals, spread)
    np.testing.assert_allclose(out, factors[1:] @ rows[1:].astype(float), rtol=1e-12)
    np.testing.assert_allclose(
        spread, np.vstack([np.zeros(16), residuals * rows[1:].astype(float)]), rtol=1e-12
    )


@numba.njit
def exponentials(x):
    for lane in range(0, x.size, LANES):
        exponentiate_lanes(x, np.uint64(lane))


@numba.njit
def logarithms(x):
    for lane in range(0, x.size, LANES):
        take_logs_of_lanes(x, np.uint64(lane))


def test_exponentials_and_logarithms_are_exact_to_the_last_places():
    tiny = np.finfo(np.float64).tiny
    x = np.concatenate([[0.0, -707.9, -1e-17, 1.0], -np.random.default_rng(0).exponential(100.0, 4000)])
    found = x.copy()
    exponentials(found)
    np.testing.assert_allclose(found[x > -708], np.exp(x[x > -708]), rtol=4e-16)
    assert not found[x < -708].any()
    impossible = np.array([-np.inf, -709.0, -1e300, 0.0])
    exponentials(impossible)
    assert impossible.tolist() == [0.0, 0.0, 0.0, 1.0]
    p = np.concatenate(
        [[1.0, tiny, 1.0 - 1e-16, 1.0 + 1e-15, 0.5, 2.0, 1e300, np.sqrt(0.5)], found[x > -700][:3000]]
    )
    logs = p.copy()
    logarithms(logs)
    np.testing.assert_allclose(logs, np.log(p), rtol=1e-15)


@pytest.mark.parametrize("n", [1, 3, 31, 32, 33, 100])
def test_the_guide_solves_equations(n):
    rng = np.random.default_rng(n)
    root = rng.normal(size=(n, n + 2))
    matrix = root @ root.T
    factor = cholesky(matrix, 0.5)
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(matrix + 0.5 * np.eye(n)), atol=1e-10)
    np.testing.assert_array_equal(factor, factor.T)
    for n_columns in (1, 12):
        b = rng.normal(size=(n, n_columns))
        want = np.linalg.solve(matrix + 0.5 * np.eye(n), b)
        np.testing.assert_allclose(
            solved(b.ravel(), np.ones(b.size), factor, n_columns).reshape(b.shape), want, atol=1e-8
        )


# -- logistic models -----------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_products_of_slots_are_those_of_the_design(weighted):
    weight = np.random.default_rng(1).random(150) * 3 if weighted else None
    table, ordered = coded(weight=weight)
    rows = LogisticRows.of(table, ordered, np.full(3, 1 / 3))
    design = design_of(rows)
    given = np.empty(0) if weight is None else weight
    shares = slot_shares(rows.slots, given, rows.first_slots, ordered)
    found = slot_products(rows.slots, given, rows.first_slots, ordered, shares)
    want = design.T @ (design * (1.0 if weight is None else weight[:, None]))
    np.testing.assert_allclose(found, want, atol=1e-10)


@pytest.mark.parametrize(
    ("n_classes", "with_features"),
    [(2, True), (3, False), (3, True), pytest.param(6, True, marks=pytest.mark.slow)],
)
def test_scores_minimize_the_penalized_loss(n_classes, with_features):
    table, ordered = coded(n_classes=n_classes)
    prior = table.class_counts() / table.y.size
    rows = LogisticRows.of(table, ordered, prior)
    design, n_scores = design_of(rows), 1 if n_classes == 2 else n_classes
    features = None
    if with_features:
        features = np.zeros((table.y.size, 2, padded_scores(n_classes)), dtype=np.float32)
        features[:, :, :n_scores] = np.random.default_rng(2).normal(size=(table.y.size, 2, n_scores))
    penalty = 2.0
    model = rows.fit((penalty,), features)[0]
    own = penalty / 2 if n_scores == 1 else penalty
    n_slots = design.shape[1]

    def loss(x):
        scores = design @ x[: n_slots * n_scores].reshape(n_slots, n_scores) + rows.log_prior[:n_scores]
        classes, coefficients = np.split(x[n_slots * n_scores :], [n_scores])
        scores = scores + classes
        if features is not None:
            scores = scores + np.einsum("f,nfc->nc", coefficients, features[:, :, :n_scores])
        if n_scores == 1:
            scores = np.hstack([np.zeros_like(scores), scores])
        logs = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
        fit = -logs[np.arange(table.y.size), table.y].sum()
        squares = own * (x[: n_slots * n_scores] ** 2).sum() + CLASS_PENALTY * (classes**2).sum()
        return fit + 0.5 * (squares + COEFFICIENT_PENALTY * ((coefficients - 1) ** 2).sum()), np.exp(logs)

    start = np.zeros((n_slots + 1) * n_scores + (2 if with_features else 0))
    start[(n_slots + 1) * n_scores :] = 1.0
    best = minimize(
        lambda x: loss(x)[0], start, method="L-BFGS-B", options={"maxfun": 200_000, "maxiter": 5000}
    )
    np.testing.assert_allclose(model.forecast(rows.slots, features), loss(best.x)[1], atol=0.03)
    assert abs(model.forecast(rows.slots, features) - loss(start)[1]).max() > 0.1  # the start is elsewhere


def test_a_strong_penalty_leaves_the_prior_and_a_missing_value_is_like_an_average_one():
    table, ordered = coded(n=2000)
    prior = table.class_counts() / table.y.size
    model = LogisticRows.of(table, ordered, prior).fit((1e9,))[0]
    missing = np.array([[4, 8, 14]], dtype=np.uint32)
    np.testing.assert_allclose(model.forecast(missing), [prior], atol=0.01)
    values = table.codes[:, (table.codes < table.arities[:, None]).all(axis=0)]
    known = table._replace(codes=values, y=table.y[: values.shape[1]])
    fitted = LogisticRows.of(known, ordered, prior).fit((3.0,))[0]
    shares = LogisticRows.of(known, ordered, prior).shares
    np.testing.assert_allclose((shares[5:8, None] * fitted.tables[5:8]).sum(axis=0), 0.0, atol=1e-9)


# -- parents -------------------------------------------------------------------------------------


def coded_table(codes, y, weight=None):
    codes = codes.astype(np.uint8)
    return TrainingTable(
        codes, np.empty((0, y.size)), codes.max(axis=1).astype(np.int64) + 1, y, int(y.max()) + 1, weight
    )


def test_what_chance_adds_to_information_is_the_mean_over_independent_columns():
    rng = np.random.default_rng(0)
    found = []
    for _ in range(200):
        y = rng.integers(0, 3, 2000)
        table = coded_table(np.stack([rng.integers(0, r, 2000) for r in (2, 5, 12)]), y)
        pairs = PairCounts.of(table)
        found.append(conditional_mutual_information(pairs.by_pair, pairs.offsets, pairs.arities))
    upper = np.triu_indices(3, 1)
    mean, deviation = _chance_information(table)
    np.testing.assert_allclose(mean[upper], np.mean(found, axis=0)[upper], rtol=0.1)
    np.testing.assert_allclose(deviation[upper], np.std(found, axis=0)[upper], rtol=0.35)
    # I(X_i; X_j | class) of n rows: (r_i - 1) (r_j - 1) C / (2 n)
    assert mean[1, 2] == pytest.approx(4 * 11 * 3 / 4000)
    # weights say how many rows vary as much: all if they are equal, half where half have none
    for weight, times in ((np.full(2000, 2.0), 1.0), (np.tile([0.0, 3.0], 1000), 2.0)):
        weighted, _ = _chance_information(table._replace(weight=weight))
        np.testing.assert_allclose(weighted, times * mean)


def test_a_column_of_many_values_that_is_noise_is_no_parent():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    real = rng.integers(0, 3, 400)
    child = np.where(rng.random(400) < 0.6, real, rng.integers(0, 3, 400))
    noise = rng.integers(0, 51, 400)
    # both come before the child in the order of information about the class
    y = np.where(rng.random(400) < 0.4, real > 0, y).astype(np.intp)
    table = coded_table(np.stack([noise, real, child]), y)
    parents = _noisy_parents(table, Recipe(("finish",), 1, 0.0, 0), rng)
    assert parents[2] == (1,)
    pairs = PairCounts.of(table)
    plugged_in = conditional_mutual_information(pairs.by_pair, pairs.offsets, pairs.arities)
    assert plugged_in[2, 0] > plugged_in[2, 1]  # uncorrected, noise would be preferred


# -- folds, pool and cuts ------------------------------------------------------------------------


def test_folds_share_out_each_row_once_and_classes_evenly():
    table, _ = coded(203)
    held = list(folds(table, 5, np.inf))
    assert sorted(np.concatenate([fold.rows for fold in held])) == list(range(203))
    for fold in held:
        assert len(fold.rows) + len(fold.seen) == 203
        shares = np.bincount(table.y[fold.rows], minlength=3) / table.class_counts()
        assert (abs(shares - 0.2) < 0.02).all()
    assert sum(len(fold.rows) for fold in folds(table, 5, 50)) < 90


def test_a_heavy_row_is_in_one_fold():
    table, _ = coded(40, weight=np.tile([1.0, 7.0], 20))
    held = np.zeros(40)
    for fold in folds(table, 5, np.inf):
        assert not np.intersect1d(fold.rows, fold.seen).size
        np.testing.assert_array_equal(fold.weight, table.weight[fold.rows])
        np.testing.assert_array_equal(fold.seen_weight, table.weight[fold.seen])
        held[fold.rows] += 1
    np.testing.assert_array_equal(held, 1)


def test_pool_weights_maximize_the_likelihood():
    rng = np.random.default_rng(0)
    likelihoods = rng.random((3, 400)) * np.array([[1.0], [0.8], [0.3]])
    weight = rng.integers(1, 4, 400).astype(float)
    found = pool_weights(likelihoods, weight)

    def loss(logits):
        shares = np.exp(logits) / np.exp(logits).sum()
        return -(weight * np.log(shares @ likelihoods)).sum() - 0.1 * np.log(shares).sum()

    best = minimize(loss, np.zeros(3)).x
    np.testing.assert_allclose(found, np.exp(best) / np.exp(best).sum(), atol=2e-3)


def test_the_temperature_maximizes_the_likelihood():
    rng = np.random.default_rng(1)
    y_prob = rng.dirichlet(np.ones(3), 500)
    y = np.array([rng.choice(3, p=row**2 / (row**2).sum()) for row in y_prob])
    found = temperature(y_prob, y, np.ones(500))

    def loss(log_power):
        own = sharpened(y_prob, np.exp(log_power))[np.arange(500), y]
        return -np.log(own).sum() + 0.5 * (log_power / SPREAD) ** 2

    assert found == pytest.approx(np.exp(minimize_scalar(loss, bounds=(-2, 2), method="bounded").x), abs=1e-3)
    assert 1.6 < found < 2.4


def test_random_cuts_are_about_even_lie_between_values_and_keep_few_values_apart():
    x = np.random.default_rng(0).lognormal(size=1000)
    spread = Spread.of(np.append(x, np.nan))
    numbers = set()
    for seed in range(60):
        cuts = spread.draw_cuts(np.random.default_rng(seed))
        assert (np.diff(cuts) > 0).all()
        assert not np.isin(cuts, x).any()
        within = np.histogram(x, np.concatenate([[-np.inf], cuts, [np.inf]]))[0]
        assert within[1:-1].max() <= within[1:-1].min() + 2
        numbers.add(len(cuts) + 1)
    assert numbers >= set(range(4, 12))
    for seed in range(20):
        even = spread.draw_cuts(np.random.default_rng(seed))
        cuts = spread.draw_cuts(np.random.default_rng(seed), tails=True)
        assert set(even) < set(cuts)
        within = np.histogram(x, np.concatenate([[-np.inf], cuts, [np.inf]]))[0]
        assert within.min() >= 8
        assert max(within[0], within[-1]) <= 33  # else it would have been cut once more
    tied = Spread.of(np.concatenate([x, np.full(400, 5.0), [6.0]]))
    cuts = tied.draw_cuts(np.random.default_rng(0), tails=True)
    assert (np.diff(cuts) > 0).all()
    assert not np.isin(cuts, [*x, 5.0, 6.0]).any()
    assert Spread.of(np.array([3.0, 1, 2, 1])).draw_cuts(np.random.default_rng(0)).tolist() == [1.5, 2.5]
    assert Spread.of(np.full(9, np.nan)).draw_cuts(np.random.default_rng(0)).size == 0


# -- the ensemble --------------------------------------------------------------------------------


def test_held_out_rows_are_not_seen():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(240, 30)))
    y = rng.integers(0, 2, 240)
    ensemble = BayesianNetworkEnsembleClassifier(n_members=3).fit(X, y)
    assert ensemble.held_out_loss_.min() > 0.93  # bits: labels are random, so a better forecast has seen them
    seen = -np.log2(ensemble.predict_proba(X)[np.arange(240), y]).mean()
    assert seen < ensemble.held_out_loss_["pool"]  # of training rows it may be better
    fresh = rng.normal(size=(2000, 30))
    assert -np.log2(ensemble.predict_proba(pd.DataFrame(fresh))[:, 0]).mean() < 1.2


def test_what_a_network_says_of_a_training_row_is_learned_from_the_others():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 100, (400, 8))).astype("category")  # values of four rows
    y = rng.integers(0, 2, 400)
    finish = BayesianNetworkEnsembleClassifier(n_members=2, kinds=("finish",)).fit(X, y)
    # Labels are random. Were the finish fitted to what the network says of rows that it has counted, it would
    # trust the network, and lose 1.27 bits on other rows.
    assert finish.held_out_loss_["finish 100"] < 1.12


def test_cuts_and_seeds_do_not_depend_on_the_classes():
    X, y = mixed()
    one = BayesianNetworkEnsembleClassifier(n_members=3).fit(X, y)
    other = BayesianNetworkEnsembleClassifier(n_members=3).fit(X, y.sample(frac=1, random_state=0).to_numpy())
    for (cuts, recipe), (others, same) in zip(one._recipes, other._recipes, strict=True):
        np.testing.assert_array_equal(cuts[0], others[0])
        assert recipe == same


def test_it_is_the_same_with_threads_and_from_the_same_seed():
    X, y = mixed()
    one = BayesianNetworkEnsembleClassifier(n_members=4).fit(X, y)
    threads = BayesianNetworkEnsembleClassifier(n_members=4, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), threads.predict_proba(X))
    other = BayesianNetworkEnsembleClassifier(n_members=4, random_state=1).fit(X, y)
    assert abs(one.predict_proba(X) - other.predict_proba(X)).max() > 1e-4


def test_weights_are_a_distribution_and_the_pool_is_at_least_as_good_as_its_parts():
    X, y = mixed(600)
    ensemble = BayesianNetworkEnsembleClassifier(n_members=3).fit(X, y)
    assert ensemble.weights_.sum() == pytest.approx(1.0)
    assert set(ensemble.weights_.index) == set(ensemble.held_out_loss_.index) - {"pool"}
    assert ensemble.held_out_loss_["pool"] < ensemble.held_out_loss_.drop("pool").min() + 0.005


def test_it_is_ahead_of_naive_bayes_where_attributes_depend_on_each_other():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (1500, 8))
    X[:, 1:5] = np.where(rng.random((1500, 4)) < 0.95, X[:, :1], X[:, 1:5])  # copies
    logit = 2.0 * X[:, 0] - 1.0 + 1.5 * (X[:, 6] ^ X[:, 7]) - 0.75
    y = rng.random(1500) < 1 / (1 + np.exp(-logit))
    losses = {}
    for learner in (BayesianNetworkEnsembleClassifier(n_members=3), NaiveBayesClassifier()):
        learner.fit(X[:750], y[:750])
        losses[type(learner).__name__] = log_loss(y[750:], learner.predict_proba(X[750:]))
    best = log_loss(y[750:], 1 / (1 + np.exp(-logit[750:])))
    ours, naive = losses.values()
    assert ours - best < 0.5 * (naive - best)


def test_one_class_one_row_and_a_class_of_one_row_are_no_error():
    X, y = mixed(60)
    alone = BayesianNetworkEnsembleClassifier(n_members=2).fit(X, np.full(60, "x"))
    assert alone.predict_proba(X).tolist() == [[1.0]] * 60
    rare = y.copy()
    rare.iloc[0] = "maybe"
    found = BayesianNetworkEnsembleClassifier(n_members=2).fit(X, rare).predict_proba(X)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    single = BayesianNetworkEnsembleClassifier(n_members=2).fit(
        X.head(1), pd.Categorical(["no"], ["no", "yes"])
    )
    assert np.isfinite(single.predict_proba(X)).all()


def test_wrong_options_are_refused_in_a_sentence():
    for option, said in [
        ({"kinds": ("finish", "forest")}, r"kinds.*logistic"),
        ({"kinds": "finish"}, "kinds"),
        ({"random_state": -1}, r"random_state.*0.*-1"),
        ({"kinds": ()}, "kinds"),
        ({"n_members": 0}, r"n_members.*1.*0"),
        ({"k": -1}, r"k.*whole number.*0.*-1"),
        ({"n_jobs": -2}, r"n_jobs.*1.*-1.*-2"),
        ({"n_jobs": 0}, r"n_jobs.*1.*-1.*0"),
        ({"calibrated": 1}, r"calibrated.*True.*False.*1"),
    ]:
        with pytest.raises(ValueError, match=said):
            BayesianNetworkEnsembleClassifier(**option).fit(*mixed(20))


@pytest.mark.parametrize(
    ("kinds", "keys"),
    [
        (("logistic",), ["logistic 30", "logistic 3", "logistic 0.3"]),
        (("finish",), ["finish 100", "finish 10", "finish 1"]),
    ],
)
def test_the_pool_has_the_kinds_that_were_asked_for(kinds, keys):
    x, y = make_classification(n_samples=80, random_state=0)
    ensemble = BayesianNetworkEnsembleClassifier(n_members=2, kinds=kinds).fit(x, y)
    assert list(ensemble.weights_.index) == keys


def test_without_folds_all_forecasts_weigh_the_same():
    X, y = mixed(80)
    ensemble = BayesianNetworkEnsembleClassifier(2, n_folds=0).fit(X, y)
    assert ensemble.temperature_ == 1.0
    np.testing.assert_allclose(ensemble.weights_, 1 / 6)
    assert ensemble.held_out_loss_.isna().all()
    kinds = ensemble.forecasts_by_kind(X)
    assert list(kinds) == ensemble.weights_.index.tolist()
    np.testing.assert_allclose(np.mean(list(kinds.values()), axis=0), ensemble.predict_proba(X), atol=1e-12)
    for y_prob in kinds.values():
        np.testing.assert_allclose(y_prob.sum(axis=1), 1.0)


def test_folds_change_the_weights_and_no_forecast_that_is_pooled():
    X, y = mixed(80)
    without = BayesianNetworkEnsembleClassifier(2, n_folds=0).fit(X, y).forecasts_by_kind(X)
    weighed = BayesianNetworkEnsembleClassifier(2, n_folds=3).fit(X, y)
    for kind, y_prob in weighed.forecasts_by_kind(X).items():
        np.testing.assert_array_equal(y_prob, without[kind])
    assert weighed.weights_.std() > 0


def test_one_class_has_no_forecasts_that_are_pooled():
    X, y = mixed(20)
    assert BayesianNetworkEnsembleClassifier(1).fit(X, np.zeros(20)).forecasts_by_kind(X) == {}
    with pytest.raises(ValueError, match=r"n_folds must be 0, .* or at least 2"):
        BayesianNetworkEnsembleClassifier(n_folds=1).fit(X, y)


@pytest.mark.parametrize("weight", [3.0, 10.0, "balanced"])
def test_weights_give_no_row_away(weight):
    # the class is noise, so no forecast of held-out rows beats the frequencies, whatever rows weigh
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), (rng.random(300) < 0.2).astype(int)
    weights = np.full(300, weight) if isinstance(weight, float) else 150.0 / np.bincount(y)[y]
    share = np.average(y, weights=weights)
    entropy = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
    ensemble = BayesianNetworkEnsembleClassifier(n_members=3).fit(X, y, sample_weight=weights)
    assert ensemble.held_out_loss_.min() > entropy - 0.03
    spread = ensemble.predict_proba(rng.normal(size=(300, 4)))[:, 1]
    assert np.abs(spread - share).mean() < 0.15
