"""Sahami's classifier: its parents, its tables, and its forecasts."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from learners import KDBClassifier, NaiveBayesClassifier, TANClassifier
from learners.bayes._shared.k_dependence import closest_parents
from learners.counts.slots import class_mutual_information

SEEDS = st.integers(0, 10_000)
SMOOTHINGS = st.sampled_from(["friedman", "laplace"])
EVERY = st.sampled_from(["friedman", "laplace", "backoff"])


class Case:
    """Random weighted rows of integer codes; -1 is missing."""

    def __init__(self, seed: int, holes: float = 0.2, n: int = 40) -> None:
        rng = np.random.default_rng(seed)
        self.arities = rng.integers(1, 4, rng.integers(1, 6))
        self.n_classes = int(rng.integers(1, 4))
        full = np.column_stack([rng.integers(0, r, n) for r in self.arities])
        self.X = np.where(rng.random(full.shape) < holes, -1, full)
        self.y = np.concatenate([np.arange(self.n_classes), rng.integers(0, self.n_classes, n)])[:n]
        self.weight = None if seed % 2 else rng.random(n) * 3 + 0.1
        self.w = np.ones(n) if self.weight is None else self.weight
        self.rng = rng

    def fit(self, Learner, **options):
        return Learner(arities=self.arities, **options).fit(self.X, self.y, sample_weight=self.weight)

    def values(self, j: int, where: np.ndarray, smoothing: str) -> np.ndarray:
        """P(value of attribute j) as smoothed from these rows."""
        counts, shown = (
            np.array([self.w[rows & (self.X[:, j] == v)].sum() for v in range(self.arities[j])])
            for rows in (where, self.y >= 0)
        )
        if smoothing == "laplace":
            return (counts + 1) / (counts.sum() + self.arities[j])
        marginal = shown / shown.sum() if shown.sum() else np.full(len(shown), 1 / len(shown))
        return (counts + 5 * marginal) / (counts.sum() + 5)

    def forecast(self, row: np.ndarray, parents, smoothing: str) -> np.ndarray:
        """Sum the network's joint over every completion of the row."""
        out = np.zeros(self.n_classes)
        seen = [set(self.X[:, j]) - {-1} for j in range(len(row))]
        hidden = [
            smoothing == "friedman" and len(s) > 0 and v not in s for s, v in zip(seen, row, strict=True)
        ]
        choices = [range(r) if v < 0 or h else [v] for v, r, h in zip(row, self.arities, hidden, strict=True)]
        for c, full in product(range(self.n_classes), product(*choices)):
            term = (self.w[self.y == c].sum() + 1) / (self.w.sum() + self.n_classes)
            for j, others in enumerate(parents):
                where = self.y == c
                for u in others:
                    where = where & (self.X[:, u] == full[u])
                term *= self.values(j, where, smoothing)[full[j]]
            out[c] += term
        return out / out.sum()


@given(SEEDS, SMOOTHINGS, st.integers(0, 3))
def test_forecasts_are_the_formula_with_holes_summed_out(seed, smoothing, k) -> None:
    case = Case(seed)
    kdb = case.fit(KDBClassifier, k=k, smoothing=smoothing)
    rows = np.column_stack([case.rng.integers(-1, r, 8) for r in case.arities])
    want = [case.forecast(row, kdb.parents_, smoothing) for row in rows]
    np.testing.assert_allclose(kdb.predict_proba(rows), want, atol=1e-12)


@given(SEEDS, EVERY)
def test_without_parents_it_is_naive_bayes(seed, smoothing) -> None:
    case = Case(seed)
    kdb, nb = (case.fit(Learner, smoothing=smoothing) for Learner in (KDBClassifier, NaiveBayesClassifier))
    kdb = case.fit(KDBClassifier, k=0, smoothing=smoothing)
    assert kdb.parents_ == ((),) * len(case.arities)
    np.testing.assert_allclose(kdb.predict_proba(case.X), nb.predict_proba(case.X), atol=1e-12)


@given(SEEDS, EVERY)
def test_with_one_parent_it_is_tan_of_these_parents(seed, smoothing) -> None:
    case = Case(seed)
    kdb = case.fit(KDBClassifier, k=1, smoothing=smoothing)
    structure = [others[0] if others else None for others in kdb.parents_]
    tan = case.fit(TANClassifier, structure=structure, smoothing=smoothing)
    np.testing.assert_allclose(kdb.predict_proba(case.X), tan.predict_proba(case.X), atol=1e-12)


def conditional_information(x: np.ndarray, z: np.ndarray, y: np.ndarray) -> float:
    return sum((y == c).mean() * mutual_info_score(x[y == c], z[y == c]) for c in np.unique(y))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_parents_are_those_of_the_paper(k) -> None:
    """Sahami's steps one by one, with scikit-learn's mutual information."""
    rng = np.random.default_rng(k)
    y = rng.integers(0, 3, 500)
    X = np.column_stack([(y * (j % 3) + rng.integers(0, 3 + j, 500)) % (2 + j % 3) for j in range(6)])
    X[:, 4] = np.where(rng.random(500) < 0.7, X[:, 1], X[:, 4])
    left, used, parents = set(range(6)), [], {}
    while left:
        top = max(sorted(left), key=lambda j: mutual_info_score(X[:, j], y))
        near = sorted(used, key=lambda j: -conditional_information(X[:, top], X[:, j], y))
        parents[top] = tuple(near[:k])
        used.append(top)
        left.remove(top)
    assert KDBClassifier(k).fit(X, y).parents_ == tuple(parents[j] for j in range(6))


def test_ties_go_to_the_first() -> None:
    assert closest_parents(np.ones(4), np.ones((4, 4)), 2) == ((), (0,), (0, 1), (0, 1))


@given(SEEDS)
def test_mutual_information_is_that_of_scikit_learn(seed) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 4, 60), rng.integers(0, 3, 60)
    values = np.zeros((5, 3))
    np.add.at(values, (x, y), 1)
    values[4] = 7  # rows that do not show the attribute
    information = class_mutual_information(values, np.array([0, 5]))
    assert information == pytest.approx([mutual_info_score(x, y)], abs=1e-11)


def test_what_underflows_is_multiplied_in_logs() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = np.where(rng.random((200, 400)) < 0.9, y[:, None], rng.integers(0, 5, (200, 400)))
    forecast = KDBClassifier(2, smoothing="laplace").fit(X, y).predict_proba(X)
    assert (forecast > 0).all()
    assert (forecast.argmax(axis=1) == y).all()


def test_the_network_can_be_sampled_and_refitted() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = pd.DataFrame({name: pd.Categorical((y + rng.integers(0, 2, 300)) % 3) for name in "abc"})
    network = KDBClassifier(2).fit(X, pd.Series(y, name="kind")).network_
    assert network.names == ("a", "b", "c", "kind")
    rows, classes = network.sample(2000, random_state=1)
    assert network.kl_divergence(KDBClassifier(2).fit(rows, classes).network_) < 0.02


@pytest.mark.filterwarnings("ignore::learners.tables.columns.IntegerColumnWarning")
def test_tables_that_are_too_large_are_refused_before_they_are_made() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 200, (500, 5)), rng.integers(0, 2, 500)
    with pytest.raises(ValueError, match=r"k = 4.*GiB.*'\d'.*k"):
        KDBClassifier(4).fit(X, y)


def test_bad_parameters_are_refused_in_one_sentence() -> None:
    for options, sentence in [
        ({"k": -1}, r"k.*whole number.*0.*-1"),
        ({"k": 1.5}, r"k.*whole number"),
        ({"k": True}, r"k.*whole number"),
        ({"smoothing": "m_estimate"}, r'smoothing.*"friedman".*"laplace".*"backoff".*"hdp"'),
        ({"alpha": 0}, r"alpha.*0"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            KDBClassifier(**options).fit(np.eye(2, dtype=int), [0, 1])


@given(SEEDS, SMOOTHINGS, st.integers(0, 3))
def test_forecasts_with_holes_have_the_bits_of_the_network(seed, smoothing, k) -> None:
    case = Case(seed)
    kdb = case.fit(KDBClassifier, k=k, smoothing=smoothing)
    rows = np.column_stack([case.rng.integers(-1, r, 30) for r in case.arities])
    rows[:, 0] = -1
    np.testing.assert_array_equal(kdb.predict_proba(rows), kdb.network_.posterior(rows))


def test_missing_values_that_take_too_much_memory_are_refused() -> None:
    rng = np.random.default_rng(0)
    y, X = rng.integers(0, 3, 500), rng.integers(0, 6, (500, 40))
    kdb = KDBClassifier(4, arities=[6] * 40).fit(X, y)
    inner = sorted({u for others in kdb.parents_ for u in others})
    X[:, inner] = -1
    with pytest.raises(ValueError, match=r"Summing.*\d+ missing.*GiB"):
        kdb.predict_proba(X[:2])
