"""The average over all trees against every tree taken one by one, and where numbers get out of hand."""

import itertools
import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln, logsumexp

from learners import AveragedTANClassifier, ColumnsLeftOutWarning
from learners.bayes._kernels import rooted_trees
from learners.bayes._shared import tree_average
from learners.counts.counts import PairCounts


@cache
def all_trees(d):
    """Return the parents of every rooted tree over d attributes, -1 for the root."""
    found = []
    for parents in itertools.product(range(-1, d), repeat=d):
        if parents.count(-1) != 1:
            continue
        above = np.arange(d)
        for _ in range(d):
            above = np.where(above >= 0, np.array(parents)[above], -1)
        if (above < 0).all():
            found.append(parents)
    assert len(found) == d ** (d - 1)
    return np.array(found)


def log_sequence(counts, alpha):
    """Log probability of sequences with these counts, the last axis over values, all multiplied."""
    total = alpha * counts.shape[-1]
    of_values = (gammaln(counts + alpha) - gammaln(alpha)).sum(-1)
    return (gammaln(total) - gammaln(counts.sum(-1) + total) + of_values).sum()


def shares(numbers):
    return numbers / numbers.sum(axis=-1, keepdims=True)


class EveryTree:
    """The same average, tree by tree; -1 is missing in training."""

    def __init__(self, X, y, arities, n_classes, *, alpha=1.0, weight=None):
        X, y = np.asarray(X), np.asarray(y)
        d = len(arities)
        weight = np.ones(len(y)) if weight is None else weight
        classes = np.bincount(y, weight, n_classes)
        self.log_prior = np.log((classes + alpha) / (classes.sum() + alpha * n_classes))
        evidence = np.zeros((d, d + 1))  # the last column is of the root
        self.tables = {}
        for j, p in itertools.product(range(d), range(-1, d)):
            if j == p:
                continue
            known = (X[:, j] >= 0) & ((X[:, p] >= 0) if p >= 0 else True)
            counts = np.zeros((n_classes, arities[p] if p >= 0 else 1, arities[j]))
            np.add.at(counts, (y[known], X[known, p] if p >= 0 else 0, X[known, j]), weight[known])
            evidence[j, p] = log_sequence(counts, alpha) - (
                log_sequence(counts.sum(axis=1), alpha) if p >= 0 else 0.0
            )
            table = shares(counts + alpha)
            if p >= 0:  # where values are missing, rows that show both tell the lift alone
                table = shares(self.tables[j, -1] * table / shares(counts.sum(axis=1, keepdims=True) + alpha))
            self.tables[j, p] = table
        self.trees = all_trees(d)
        of_tree = evidence[np.arange(d), self.trees].sum(axis=1)
        of_tree += sum(np.where(self.trees[:, j] >= 0, evidence[j, -1], 0.0) for j in range(d))
        self.log_evidence = log_sequence(classes, alpha) + logsumexp(of_tree) - np.log(len(of_tree))
        self.log_posterior = of_tree - logsumexp(of_tree)

    def log_joint(self, X):
        of_trees = []
        for parents, log_weight in zip(self.trees, self.log_posterior, strict=True):
            joint = np.tile(self.log_prior[:, None] + log_weight, len(X))
            for j, p in enumerate(parents):
                table = np.log(self.tables[j, p])
                joint += table[:, X[:, p] if p >= 0 else 0, X[:, j]].reshape(len(joint), -1)
            of_trees.append(joint.T)
        return logsumexp(of_trees, axis=0)

    def arcs(self):
        """Return the probabilities [from, to], the last row of the root."""
        d = self.trees.shape[1]
        out = np.zeros((d + 1, d))
        for parents, log_weight in zip(self.trees, self.log_posterior, strict=True):
            out[parents, np.arange(d)] += np.exp(log_weight)
        return out


def every_row(arities):
    return np.array(list(itertools.product(*map(range, arities))))


def drawn(n, arities, n_classes=3, *, seed=0, strength=0.7):
    """Draw rows of a chain."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(n_classes), rng.integers(0, n_classes, n - n_classes))
    X = [(y + rng.integers(0, 2, n)) % arities[0]]
    for arity in arities[1:]:
        X.append(np.where(rng.random(n) < strength, X[-1] + y, rng.integers(0, arity, n)) % arity)
    return np.column_stack(X), y


def posterior(log_joint):
    return np.exp(log_joint - logsumexp(log_joint, axis=1, keepdims=True))


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("arities", [(3,), (2, 3), (3, 2, 4), (2, 3, 1, 2), (2, 3, 2, 2, 2)], ids=str)
def test_it_is_the_average_over_every_tree(arities, alpha) -> None:
    X, y = drawn(40, arities)
    rows = every_row(arities)
    tan, want = (
        AveragedTANClassifier(alpha, arities=arities).fit(X, y),
        EveryTree(X, y, arities, 3, alpha=alpha),
    )
    np.testing.assert_allclose(tan.log_joint(rows), want.log_joint(rows), atol=1e-12)
    np.testing.assert_allclose(tan.predict_proba(rows), posterior(want.log_joint(rows)), atol=1e-12)
    assert tan.log_evidence_ == pytest.approx(want.log_evidence, rel=1e-12)
    arcs = want.arcs()
    np.testing.assert_allclose(tan.arc_posteriors_.iloc[:-1, :-1], arcs[:-1], atol=1e-11)
    np.testing.assert_allclose(tan.root_posteriors_, arcs[-1], atol=1e-11)


@given(st.integers(0, 2**32 - 1))
def test_so_it_is_with_weights_and_missing_values(seed) -> None:
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 4, rng.integers(1, 5))
    X, y = drawn(int(rng.integers(4, 30)), arities, n_classes=2, seed=seed)
    X[rng.random(X.shape) < 0.3 * rng.random()] = -1
    weight = rng.random(len(y)) * 3
    tan = AveragedTANClassifier(arities=arities).fit(X, y, sample_weight=weight)
    want = EveryTree(X, y, arities, 2, weight=weight)
    rows = every_row(arities)
    np.testing.assert_allclose(tan.log_joint(rows), want.log_joint(rows), atol=1e-11)
    assert tan.log_evidence_ == pytest.approx(want.log_evidence, abs=1e-11)
    assert np.exp(tan.log_joint(rows)).sum() == pytest.approx(1.0, abs=1e-12)


def test_an_example_by_hand() -> None:
    """One class, two columns of two values, two equal rows: each tree has P = 1/3 for each of its factors."""
    tan = AveragedTANClassifier(arities=(2, 2)).fit([[0, 0], [0, 0]], ["only"] * 2)
    assert tan.log_evidence_ == pytest.approx(np.log(1 / 3 * 1 / 3))
    np.testing.assert_allclose(np.exp(tan.log_joint([[0, 0], [1, 1]]))[:, 0], [3 / 4 * 3 / 4, 1 / 4 * 1 / 2])


def test_arcs_and_roots_are_probabilities_by_name() -> None:
    X, y = drawn(300, (2, 3, 2, 3))
    tan = AveragedTANClassifier().fit(
        pd.DataFrame(X, columns=list("abcd")).astype("category"), pd.Series(y, name="kind")
    )
    arcs = tan.arc_posteriors_
    assert arcs.index.tolist() == arcs.columns.tolist() == ["a", "b", "c", "d", "kind"]
    assert (arcs.index.name, arcs.columns.name) == ("from", "to")
    np.testing.assert_allclose(arcs.drop(index="kind").sum()[:-1] + tan.root_posteriors_, 1.0, atol=1e-12)
    assert arcs.loc["kind"].tolist() == [1.0] * 4 + [0.0]
    assert arcs.loc["a", "b"] + arcs.loc["b", "a"] > 0.9 > 0.1 > arcs.loc["a", "d"] + arcs.loc["d", "a"]


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
def test_equal_and_deterministic_columns_of_5000_rows(alpha) -> None:
    X, y = drawn(5000, (3, 3))
    X = np.column_stack([X, X[:, 0], y])  # the third column is the first, the last the class
    arities = (3, 3, 3, 3)
    tan, want = AveragedTANClassifier(alpha).fit(X, y), EveryTree(X, y, arities, 3, alpha=alpha)
    rows = every_row(arities)
    np.testing.assert_allclose(tan.log_joint(rows), want.log_joint(rows), atol=1e-9)
    assert tan.log_evidence_ == pytest.approx(want.log_evidence, rel=1e-12)
    np.testing.assert_allclose(tan.arc_posteriors_.iloc[:-1, :-1], want.arcs()[:-1], atol=1e-9)


@pytest.mark.parametrize("alpha", [1e-3, 1.0])
def test_many_equal_columns_give_finite_forecasts_as_in_logs(alpha) -> None:
    X, y = drawn(5000, (3, 3))
    X = np.repeat(X, 12, axis=1)
    tan = AveragedTANClassifier(alpha).fit(X, y)
    rows = np.vstack([X[:3], np.random.default_rng(0).integers(0, 3, (3, 24))])  # and rows that contradict it
    forecast, got = tan.predict_proba(rows), tan.log_joint(rows)
    assert (forecast > 0).all()
    assert np.isfinite(got).all()
    np.testing.assert_allclose(tan.arc_posteriors_.iloc[:-1, :-1].sum() + tan.root_posteriors_, 1, atol=1e-9)
    np.testing.assert_allclose(got, in_logs(tan, rows), atol=1e-9)


def in_logs(tan, rows):
    """Return the log joint by elimination in logs alone."""
    average = tan._average
    slots, trees = average.naive.firsts + rows, average.trees
    lifted = [
        [
            rooted_trees._lifted_in_logs(own, c, average.lifts, trees.log_weights)
            for c in range(len(tan.classes_))
        ]
        for own in slots
    ]
    naive = np.log(tan.class_prior_) + average.naive.log_factors[slots].sum(axis=1)
    return naive + np.array(lifted) - trees.log_total


def test_numbers_beyond_the_safe_range_are_computed_in_logs() -> None:
    """With hardly any pseudo-counts no two of four equal columns may differ: three factors of 1e-150."""
    X, y = np.tile(np.arange(8)[:, None] // 2, 4), np.arange(8) % 2
    tan = AveragedTANClassifier(1e-150, arities=(4,) * 4).fit(X, y)
    rows = np.array([[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 1], [2, 2, 2, 2]])
    want = EveryTree(X, y, (4,) * 4, 2, alpha=1e-150).log_joint(rows)
    assert want[0].max() < -1000  # nothing that float64 has
    np.testing.assert_allclose(tan.log_joint(rows), want, rtol=1e-12)


@pytest.mark.parametrize(
    ("numbers", "is_safe"),
    [
        ([1.0, 1e-39, 1e39], True),
        ([1.0, 1e-41], False),
        ([1e41, 1.0], False),
        ([0.0], False),
        ([np.inf, 1.0], False),
        ([1.0, np.nan], False),
    ],
    ids=str,
)
def test_the_safe_range_is_found_from_bits(numbers, is_safe) -> None:
    assert rooted_trees._within_bounds(np.array(numbers)) == is_safe


def test_the_order_of_columns_does_not_matter() -> None:
    X, y = drawn(200, (3, 2, 4, 2, 3, 2))
    order = np.random.default_rng(1).permutation(6)
    rows = X[:50]
    one, other = AveragedTANClassifier().fit(X, y), AveragedTANClassifier().fit(X[:, order], y)
    np.testing.assert_allclose(one.predict_proba(rows), other.predict_proba(rows[:, order]), atol=1e-12)
    assert one.log_evidence_ == pytest.approx(other.log_evidence_, rel=1e-13)


def test_batches_have_the_evidence_of_one_fit() -> None:
    X, y = drawn(60, (3, 2, 4))
    parts = AveragedTANClassifier(arities=(3, 2, 4))
    for rows in np.array_split(np.arange(60), 7):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    once = AveragedTANClassifier(arities=(3, 2, 4)).fit(X, y)
    assert parts.log_evidence_ == once.log_evidence_
    pd.testing.assert_frame_equal(parts.arc_posteriors_, once.arc_posteriors_)
    merged = once.merged(once.emptied().partial_fit(X, y))
    assert (
        merged.log_evidence_ == AveragedTANClassifier().fit(np.tile(X, (2, 1)), np.tile(y, 2)).log_evidence_
    )


def test_one_class_and_constant_and_empty_columns() -> None:
    X, _ = drawn(30, (2, 3))
    X = np.column_stack([X, np.zeros(30, dtype=int)])
    tan = AveragedTANClassifier(arities=(2, 3, 1)).fit(X, np.zeros(30))
    want = EveryTree(X, np.zeros(30, dtype=int), (2, 3, 1), 1)
    assert tan.log_evidence_ == pytest.approx(want.log_evidence, rel=1e-12)
    table = pd.DataFrame(X).astype("category").set_axis(list("abc"), axis=1)
    y = X[:, 0]
    empty = table.assign(c=pd.Categorical([None] * 30))
    constant = AveragedTANClassifier().fit(table, y).predict_proba(table)
    np.testing.assert_allclose(
        AveragedTANClassifier().fit(empty, y).predict_proba(empty), constant, atol=1e-12
    )


@pytest.mark.parametrize("arity", [1, 3])
def test_an_arc_from_a_constant_column_means_no_parent(arity) -> None:
    i = np.arange(320)
    X, y = np.column_stack([i // 2 % 2, i // 4 % 2, i // 8 % 2, 0 * i]), i % 2  # independent given the class
    average = AveragedTANClassifier(arities=(2, 2, 2, arity)).fit(X, y)
    weights, arcs = np.exp(average._average.trees.log_weights), average.arc_posteriors_
    np.testing.assert_allclose(weights[:3, 3], 1, rtol=1e-12)
    assert (weights[:3, :3][~np.eye(3, dtype=bool)] < 0.1).all()
    assert (arcs.loc["x3", "x0":"x2"] > 0.65).all()
    assert (arcs.loc["x0":"x2", "x0":"x2"] < 0.05).all(axis=None)
    naive = average._average.naive.log_joint(X.T)
    np.testing.assert_allclose(average.log_joint(X), naive, atol=1e-3)


class TestRowsWithHoles:
    arities = (3, 2, 4, 2)

    @pytest.fixture
    def tan(self):
        X, y = drawn(80, self.arities)
        return AveragedTANClassifier(arities=self.arities).fit(X, y)

    def test_are_the_sum_over_their_completions(self, tan, monkeypatch) -> None:
        monkeypatch.setattr(tree_average, "BLOCK", 10)
        rows = np.array([[-1, 1, 2, -1], [0, 1, 2, 0], [-1, -1, -1, -1], [2, -1, -1, 1], [1, 1, 9, 1]])
        every = every_row(self.arities)
        joint = tan.log_joint(every)
        for row, got in zip(rows, tan.log_joint(rows), strict=True):
            fits = ((every == row) | (row < 0) | (row >= self.arities)).all(axis=1)
            np.testing.assert_allclose(got, logsumexp(joint[fits], axis=0), atol=1e-12)

    def test_that_miss_all_values_are_the_class_prior(self, tan) -> None:
        np.testing.assert_allclose(tan.predict_proba([[-1] * 4]), [tan.class_prior_], rtol=1e-12)

    def test_with_too_many_completions_leave_out_the_widest_columns_with_one_warning(
        self, monkeypatch
    ) -> None:
        X, y = drawn(80, self.arities)
        tan = AveragedTANClassifier(arities=self.arities).fit(X, y)
        without = AveragedTANClassifier(arities=(3, 2, 2)).fit(X[:, [0, 1, 3]], y)
        monkeypatch.setattr(AveragedTANClassifier, "MAX_COMPLETIONS", 6)
        rows = np.array([[-1, 1, -1, 0], [-1, -1, 2, 0], [0, -1, -1, 1], [0, 1, 2, 1]])
        with pytest.warns(ColumnsLeftOutWarning, match=r"2.*4.*completed.*6") as caught:
            got = tan.log_joint(rows)
        assert len(caught) == 1
        np.testing.assert_allclose(got[[0, 2]], without.log_joint(rows[[0, 2]][:, [0, 1, 3]]), atol=1e-12)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_allclose(got[[1, 3]], tan.log_joint(rows[[1, 3]]), atol=1e-12)

    def test_may_leave_out_every_column(self, tan, monkeypatch) -> None:
        monkeypatch.setattr(AveragedTANClassifier, "MAX_COMPLETIONS", 1)
        with pytest.warns(ColumnsLeftOutWarning):
            got = tan.log_joint([[-1] * 4])
        np.testing.assert_allclose(np.exp(got), [tan.class_prior_], rtol=1e-12)


def test_a_known_class_distribution_takes_the_place_of_the_learned_one() -> None:
    X, y = drawn(40, (3, 2))
    y[y == 2] = 1
    y = pd.Series(pd.Categorical(y, categories=[0, 1, 2]))
    learned = AveragedTANClassifier().fit(X, y)
    known = np.array([0.5, 0.5, 0.0])
    counts = PairCounts.of(learned._read_training(X, y, None))
    told = tree_average.TreeAverage.of(counts, 1.0, known_classes=known)
    of_columns = learned.log_evidence_ - log_sequence(np.bincount(y, minlength=3), 1.0)
    assert told.log_evidence == pytest.approx(of_columns + 40 * np.log(0.5))
    want = learned.log_joint(X) - np.log(learned.class_prior_) + np.log([0.5, 0.5, 1.0])
    got = told.log_joint(X.T)
    np.testing.assert_allclose(got[:, :2], want[:, :2], atol=1e-12)
    assert np.all(got[:, 2] == -np.inf)


def test_what_it_cannot_do_is_refused_in_one_sentence() -> None:
    for alpha, shape, sentence in [
        (0, (2, 2), r"alpha.*0.*0"),
        ("1", (2, 2), r"alpha.*0.*'1'"),
        (1.0, (2, 931), r"X.*931.*AveragedTANClassifier.*930"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            AveragedTANClassifier(alpha).fit(np.eye(*shape, dtype=int), [0, 1])
