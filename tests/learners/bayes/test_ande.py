"""AnDE against its formula and its smaller relatives."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import AnDEClassifier, AODEClassifier, NaiveBayesClassifier
from learners.bayes._kernels.two_dependence import pair_values
from learners.bayes._shared.triple_counts import TripleCounts
from learners.counts.slots import count_pairs, slot_offsets

SEEDS = st.integers(0, 10_000)
SMOOTHINGS = st.sampled_from(["laplace", "m_estimate", "friedman"])
EVERY = st.sampled_from(["laplace", "m_estimate", "friedman", "backoff"])


class Case:
    """Random weighted rows of integer codes; -1 is missing, and some declared values may be unseen."""

    def __init__(self, seed: int, n: int = 30) -> None:
        rng = np.random.default_rng(seed)
        self.arities = rng.integers(1, 5, rng.integers(1, 5))
        self.n_classes = int(rng.integers(1, 4))
        self.X, self.X_test = (self.rows(rng, m) for m in (n, 12))
        self.y = np.concatenate([np.arange(self.n_classes), rng.integers(0, self.n_classes, n)])[:n]
        self.weight = None if seed % 2 else rng.random(n) * 3 + 0.1
        self.w = np.ones(n) if self.weight is None else self.weight

    def rows(self, rng: np.random.Generator, n: int) -> np.ndarray:
        return np.column_stack([rng.integers(-1, r, n) for r in self.arities])

    def fit(self, learner):
        return learner.set_params(arities=self.arities).fit(self.X, self.y, sample_weight=self.weight)

    def of_class(self, where: np.ndarray) -> np.ndarray:
        return np.array([self.w[where & (self.y == c)].sum() for c in range(self.n_classes)])

    def leading(self, i: int, j: int, row: np.ndarray, smoothing: str) -> np.ndarray:
        """P(class, values of i and j)."""
        size = self.arities[i] * self.arities[j]
        shown = (self.X[:, [i, j]] >= 0).all(axis=1)
        both = (self.X[:, i] == row[i]) & (self.X[:, j] == row[j])
        if smoothing == "friedman":
            prior = (self.of_class(self.y >= 0) + 1) / (self.w.sum() + self.n_classes)
            marginal = self.w[both].sum() / self.w[shown].sum() if shown.any() else 1 / size
            return prior * (self.of_class(both) + 5 * marginal) / (self.of_class(shown) + 5)
        alpha = 1.0 if smoothing == "laplace" else 1 / (self.n_classes * size)
        return (self.of_class(both) + alpha) / (self.w[shown].sum() + alpha * self.n_classes * size)

    def child(self, m: int, value: int, where: np.ndarray, smoothing: str) -> np.ndarray:
        """P(value | class, rows of the pair)."""
        shown, rows = self.X[:, m] >= 0, self.X[:, m] == value
        if smoothing == "friedman":
            marginal = self.w[rows].sum() / self.w[shown].sum() if shown.any() else 1 / self.arities[m]
            return (self.of_class(where & rows) + 5 * marginal) / (self.of_class(where & shown) + 5)
        alpha = 1.0 if smoothing == "laplace" else 1 / self.arities[m]
        return (self.of_class(where & rows) + alpha) / (
            self.of_class(where & shown) + alpha * self.arities[m]
        )

    def average(self, row: np.ndarray, smoothing: str, min_frequency: float) -> np.ndarray | None:
        total = np.zeros(self.n_classes)
        known = [j for j, v in enumerate(row) if v >= 0 and not self.is_hidden(j, v, smoothing)]
        for i, j in combinations(known, 2):
            where = (self.X[:, i] == row[i]) & (self.X[:, j] == row[j])
            if self.w[where].sum() >= min_frequency:
                term = self.leading(i, j, row, smoothing)
                for m in known:
                    if m not in (i, j):
                        term = term * self.child(m, row[m], where, smoothing)
                total += term
        return total / total.sum() if total.any() else None

    def is_hidden(self, j: int, value: int, smoothing: str) -> bool:
        column = self.X[:, j]
        return smoothing == "friedman" and (column >= 0).any() and not (column == value).any()


@given(SEEDS, SMOOTHINGS, st.sampled_from([0.0, 1.0, 4.0]))
def test_two_parents_are_the_formula_and_else_one_parent(seed, smoothing, min_frequency) -> None:
    case = Case(seed)
    options = {"smoothing": smoothing, "min_frequency": min_frequency}
    got = case.fit(AnDEClassifier(2, **options)).predict_proba(case.X_test)
    one = case.fit(AODEClassifier(**options)).predict_proba(case.X_test)
    for row, forecast, fallback in zip(case.X_test, got, one, strict=True):
        want = case.average(row, smoothing, min_frequency)
        np.testing.assert_allclose(forecast, fallback if want is None else want, atol=1e-12)


@given(SEEDS, EVERY, st.sampled_from([1.0, 0.5]))
def test_one_parent_is_aode_to_the_bit(seed, smoothing, alpha) -> None:
    case = Case(seed)
    options = {"smoothing": smoothing, "alpha": alpha, "min_frequency": seed % 4}
    aode, one = case.fit(AODEClassifier(**options)), case.fit(AnDEClassifier(1, **options))
    np.testing.assert_array_equal(one.predict_proba(case.X_test), aode.predict_proba(case.X_test))


@given(SEEDS, st.sampled_from(["laplace", "friedman", "backoff"]), st.sampled_from([1.0, 0.5]))
def test_no_parent_is_naive_bayes_to_the_bit(seed, smoothing, alpha) -> None:
    case = Case(seed)
    nb = case.fit(NaiveBayesClassifier(smoothing=smoothing, alpha=alpha))
    none = case.fit(AnDEClassifier(0, smoothing=smoothing, alpha=alpha))
    np.testing.assert_array_equal(none.predict_proba(case.X_test), nb.predict_proba(case.X_test))


@given(SEEDS)
def test_triples_and_pairs_are_one_hot_products(seed) -> None:
    case = Case(seed)
    ande = AnDEClassifier(arities=case.arities)
    table = ande._read_training(case.X, case.y, case.weight)
    offsets, a = slot_offsets(table.arities), table.arities.size
    pairs_in_order = [(i, j) for j in range(a) for i in range(j)]
    sizes = [int(table.arities[i] * table.arities[j]) for i, j in pairs_in_order]
    pair_offsets = slot_offsets(np.array(sizes, dtype=np.int64))
    seen = np.zeros((len(case.y), int(offsets[-1])))
    for slots in table.codes + offsets[:-1, None]:
        seen[np.arange(len(slots)), slots] = 1
    classes = np.eye(case.n_classes)[case.y] * case.w[:, None]
    counts = TripleCounts.of(table)
    np.testing.assert_array_equal(counts.pair_offsets, pair_offsets)
    triples = counts.by_triple
    values = pair_values(count_pairs(table, offsets), pair_offsets, offsets, table.arities, case.n_classes)
    for (i, j), size, first in zip(pairs_in_order, sizes, pair_offsets, strict=False):
        of_i = seen[:, offsets[i] : offsets[i] + table.arities[i]]
        of_j = seen[:, offsets[j] : offsets[j] + table.arities[j]]
        both = np.einsum("nu,nv->nuv", of_i, of_j).reshape(len(case.y), size)
        want = np.einsum("np,ns,nc->psc", both, seen, classes)
        np.testing.assert_allclose(triples[first : first + size, :, : case.n_classes], want, atol=1e-9)
        np.testing.assert_allclose(values[first : first + size], both.T @ classes, atol=1e-9)
        np.testing.assert_allclose(values[first + size], (1 - both.sum(axis=1)) @ classes, atol=1e-9)


def test_the_parity_of_three_needs_two_parents() -> None:
    X = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, 8).T.repeat(5, axis=0)
    y = X.sum(axis=1) % 2
    assert AnDEClassifier(2).fit(X, y).score(X, y) == 1.0
    np.testing.assert_allclose(AnDEClassifier(1).fit(X, y).predict_proba(X), 0.5)


def test_many_attributes_do_not_underflow() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = np.where(rng.random((200, 45)) < 0.9, y[:, None], rng.integers(0, 4, (200, 45)))
    strange = np.vstack([X[:5], rng.integers(0, 4, (5, 45))])
    ande = AnDEClassifier(alpha=1e-9).fit(X, y)
    forecast = ande.predict_proba(strange)
    assert np.isfinite(forecast).all()
    assert (forecast > 0).all()
    assert (forecast[:5].argmax(axis=1) == y[:5]).all()


@pytest.mark.filterwarnings("ignore::learners.tables.columns.IntegerColumnWarning")
def test_tables_that_are_too_large_are_refused_before_they_are_made() -> None:
    X, y = np.arange(300)[:, None].repeat(6, axis=1), np.arange(300) % 2
    with pytest.raises(ValueError, match=r"1,800.*3\d GiB.*n = 1"):
        AnDEClassifier().fit(X, y)


def test_bad_parameters_are_refused_in_one_sentence() -> None:
    for options, sentence in [
        ({"n": 3}, r"n.*0.*1.*2.*3"),
        ({"n": True}, r"n.*0.*1.*2.*True"),
        ({"n": "two"}, r"n.*0.*1.*2"),
        ({"smoothing": "none"}, "smoothing must be"),
        ({"alpha": 0}, r"alpha.*0"),
        ({"min_frequency": -1}, r"min_frequency.*0"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            AnDEClassifier(**options).fit(np.eye(2, dtype=int), [0, 1])
