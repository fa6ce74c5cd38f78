"""The sampler of hierarchical Dirichlet processes: against integrals and a slow twin, and in learners."""

from functools import partial

import numpy as np
import pytest
from scipy.special import betaln
from scipy.stats import chisquare

from learners import AnDEClassifier, AODEClassifier, KDBClassifier, NaiveBayesClassifier, TANClassifier
from learners.bayes._kernels.dirichlet_process import RATE, SHAPE, UNIFORM, drawn_tables, sampled_tables

NB = partial(NaiveBayesClassifier, numeric="mdlp", smoothing="hdp")
TAN = partial(TANClassifier, smoothing="hdp")
KDB = partial(KDBClassifier, smoothing="hdp")
AODE = partial(AODEClassifier, smoothing="hdp")
A1DE = partial(AnDEClassifier, 1, smoothing="hdp")


def sampled(levels, wider, n_samples, seed=0, n_burned=200):
    counts = np.concatenate([np.ravel(level) for level in levels]).astype(float)
    _, arity, n_classes = np.shape(levels[0])
    out, rng = np.empty_like(counts), np.random.default_rng(seed)
    concentrations = sampled_tables(
        counts, arity, n_classes, np.array(wider, dtype=np.int64), n_samples, n_burned, rng, out
    )
    ends = np.cumsum([np.size(level) for level in levels])[:-1]
    return [t.reshape(np.shape(x)) for t, x in zip(np.split(out, ends), levels, strict=True)], concentrations


@pytest.mark.parametrize(("n", "mass"), [(1, 3.0), (5, 0.5), (60, 40.0), (3000, 2.5)])
def test_tables_are_those_of_customers_seated_one_by_one(n, mass) -> None:
    exact = np.zeros(201)
    exact[0] = 1.0
    for i in range(n):
        opens = mass / (mass + i)
        exact = exact * (1 - opens) + np.concatenate([[0.0], exact[:-1]]) * opens
    rng = np.random.default_rng(n)
    draws = [int(drawn_tables(float(n), mass, rng)) for _ in range(10_000)]
    seen = np.bincount(draws, minlength=exact.size)
    often = exact * 10_000 > 5
    cells = [np.append(p[often], p[~often].sum()) for p in (seen, exact * 10_000)]
    kept = cells[1] > 1e-9
    assert cells[0][~kept].sum() == 0
    if kept.sum() > 1:
        assert chisquare(cells[0][kept], cells[1][kept] / cells[1][kept].sum() * 10_000).pvalue > 1e-3


def beta_binomial(n, k, a, b):
    """Log of the probability of the order in which k of n values came."""
    return betaln(k + a, n - k + b) - betaln(a, b)


def test_two_classes_without_parents_have_the_mean_of_the_integral() -> None:
    """Of two values; the root's arcsine distribution and the concentration's are uniform after a change."""
    assert (UNIFORM, SHAPE) == (1.0, 1.0)
    counts = np.array([[[6.0, 1.0], [1.0, 2.0]]])
    u = (np.arange(600) + 0.5) / 600
    root, m = np.meshgrid(np.sin(np.pi * u / 2) ** 2, -np.log(u) / RATE, indexing="ij")
    log_weight = sum(
        beta_binomial(counts[0, :, c].sum(), counts[0, 0, c], m * root, m * (1 - root)) for c in (0, 1)
    )
    weight = np.exp(log_weight)
    weight /= weight.sum()
    (table,), concentrations = sampled([counts], [], 40_000)
    for c in (0, 1):
        mean = (counts[0, 0, c] + m * root) / (counts[0, :, c].sum() + m)
        assert table[0, 0, c] == pytest.approx((weight * mean).sum(), abs=6e-3)
    assert concentrations[0] == pytest.approx((weight * m).sum(), rel=0.05)
    np.testing.assert_allclose(table.sum(axis=1), 1)


def test_a_parent_adds_a_level_to_the_integral() -> None:
    """Here over draws from the distributions beforehand, weighed by their likelihood."""
    deep = np.array([[[5.0], [0.0]], [[1.0], [3.0]]])
    without = np.array([[[1.0], [0.0]]])  # one row lacks the parent
    levels = [deep.sum(axis=0, keepdims=True) + without, deep]
    rng = np.random.default_rng(0)
    root, (m0, m1) = rng.beta(UNIFORM / 2, UNIFORM / 2, 200_000), rng.gamma(SHAPE, 1 / RATE, (2, 200_000))
    theta = np.clip(rng.beta(m0 * root + 1e-9, m0 * (1 - root) + 1e-9), 1e-9, 1 - 1e-9)
    log_weight = np.log(theta) + sum(
        beta_binomial(n.sum(), n[0, 0], m1 * theta, m1 * (1 - theta)) for n in deep
    )
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    tables, _ = sampled(levels, [2], 40_000)
    for n, got in zip(deep, tables[1], strict=True):
        mean = (n[0, 0] + m1 * theta) / (n.sum() + m1)
        assert got[0, 0] == pytest.approx((weight * mean).sum(), abs=0.008)
    assert tables[0][0, 0, 0] == pytest.approx((weight * theta).sum(), abs=0.008)


def seat_by_seat(levels, n_sweeps, seed):
    """Sample as the kernel does, one customer after the other, and average the last level."""
    rng = np.random.default_rng(seed)
    deep, arity, n_classes = np.array(levels[1]), np.shape(levels[0])[1], np.shape(levels[0])[2]
    direct = np.array(levels[0])[0] - deep.sum(axis=0)
    root, concentrations = np.full(arity, 1 / arity), [1.0, 1.0]
    theta = np.full((arity, n_classes), 1 / arity)
    total = np.zeros_like(deep)

    def tables(customers, mass):
        return sum(rng.random() * (mass + i) < mass for i in range(int(customers)))

    def concentration(restaurants, n_tables, before):
        shape, rate = SHAPE + n_tables, RATE
        for n in restaurants[restaurants > 0]:
            rate -= np.log(rng.beta(before + 1, n))
            shape -= rng.random() < n / (n + before)
        return rng.gamma(shape, 1 / rate)

    for sweep in range(n_sweeps):
        customers, below = direct.copy(), np.zeros(arity)
        seated = 0
        for (_, x, c), n in np.ndenumerate(deep):
            t = tables(n, concentrations[1] * theta[x, c])
            customers[x, c] += t
            seated += t
        concentrations[1] = concentration(deep.sum(axis=1).ravel(), seated, concentrations[1])
        for (x, _), n in np.ndenumerate(customers):
            below[x] += tables(n, concentrations[0] * root[x])
        concentrations[0] = concentration(customers.sum(axis=0), below.sum(), concentrations[0])
        root = rng.dirichlet(below + UNIFORM / arity)
        theta = np.column_stack(
            [rng.dirichlet(customers[:, c] + concentrations[0] * root + 1e-12) for c in range(n_classes)]
        )
        if sweep >= n_sweeps // 10:
            m = concentrations[1]
            total += (deep + m * theta) / (deep.sum(axis=1, keepdims=True) + m)
    return total / (n_sweeps - n_sweeps // 10)


def test_tables_are_those_of_a_slow_twin() -> None:
    rng = np.random.default_rng(0)
    deep = rng.poisson([[3.0, 0.5], [1.0, 4.0], [0.3, 0.3]], (2, 3, 2)).astype(float)
    levels = [deep.sum(axis=0, keepdims=True) + 1, deep]
    tables, _ = sampled(levels, [2], 30_000)
    np.testing.assert_allclose(tables[1], seat_by_seat(levels, 1000, 1), atol=0.03)


def test_more_rows_lead_to_their_frequencies() -> None:
    deep = np.array([[[2000.0], [6000.0]], [[9000.0], [1000.0]]])
    tables, _ = sampled([deep.sum(axis=0, keepdims=True), deep], [2], 200, n_burned=50)
    np.testing.assert_allclose(tables[1][:, 0, 0], [0.25, 0.9], atol=0.002)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, 150)
    X = np.column_stack([(y * (j % 2) + rng.integers(0, 3, 150)) % 3 for j in range(4)])
    X[rng.random(X.shape) < 0.1] = -1
    return X, y


@pytest.mark.parametrize("Learner", [NB, TAN, KDB, AODE, A1DE], ids=lambda f: f.func.__name__)
def test_a_seed_fixes_the_numbers_and_others_are_near(Learner, rows) -> None:
    X, y = rows
    one, again, other = (Learner(random_state=s).fit(X, y).predict_proba(X) for s in (3, 3, 4))
    np.testing.assert_array_equal(one, again)
    assert 0 < np.abs(one - other).mean() < 0.02


@pytest.mark.parametrize("Learner", [NB, TAN, AODE, A1DE], ids=lambda f: f.func.__name__)
def test_batches_and_parts_are_one_fit_to_the_bit(Learner, rows) -> None:
    X, y = rows
    once = Learner().fit(X, y)
    first = Learner().partial_fit(X[:50], y[:50], classes=[0, 1, 2])
    rest = first.emptied().partial_fit(X[50:90], y[50:90]).partial_fit(X[90:], y[90:])
    np.testing.assert_array_equal(first.merged(rest).predict_proba(X), once.predict_proba(X))


def test_a_whole_weight_is_as_many_rows_and_others_are_refused(rows) -> None:
    for Learner in [NB, TAN, KDB, AODE, A1DE]:
        X, y = rows
        weight = np.random.default_rng(0).integers(1, 4, len(y))
        weighted = Learner().fit(X, y, sample_weight=weight)
        repeated = Learner().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
        np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))
        with pytest.raises(ValueError, match=r'smoothing="hdp".*sample_weight'):
            Learner().fit(X, y, sample_weight=weight + 0.5)


def test_the_learners_agree_where_they_are_the_same(rows) -> None:
    X, y = rows
    nb = NB().fit(X, y).predict_proba(X)
    for same in (AnDEClassifier(0, smoothing="hdp"), TAN([-1] * 4), KDB(0)):
        np.testing.assert_allclose(same.fit(X, y).predict_proba(X), nb, atol=1e-12)
    kdb = KDB(1).fit(X, y)
    tan = TAN([others[0] if others else -1 for others in kdb.parents_]).fit(X, y)
    np.testing.assert_allclose(tan.predict_proba(X), kdb.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(A1DE().fit(X, y).predict_proba(X), AODE().fit(X, y).predict_proba(X))
    for table in KDB(3).fit(X, y).network_.cpts:
        np.testing.assert_allclose(table.sum(axis=-1), 1)


def test_a_value_that_training_did_not_show_counts_as_missing() -> None:
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 3)
    for Learner in (NB, TAN, KDB, AODE, A1DE):
        learner = Learner(arities=(3, 2)).fit(X, [0, 1] * 6)
        np.testing.assert_array_equal(learner.predict_proba([[2, 1]]), learner.predict_proba([[-1, 1]]))


@pytest.mark.parametrize("Learner", [NB, TAN, KDB, AODE, A1DE], ids=lambda f: f.func.__name__)
def test_what_is_no_seed_is_refused(Learner) -> None:
    for seed in (-1, 1.5, None, True):
        with pytest.raises(ValueError, match=r"random_state.*0"):
            Learner(random_state=seed).fit(np.eye(2, dtype=int), [0, 1])


def test_two_parents_are_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match=r'n = 0.*1.*n = 2.*smoothing="backoff"'):
        AnDEClassifier(2, smoothing="hdp").fit(np.eye(2, dtype=int), [0, 1])
