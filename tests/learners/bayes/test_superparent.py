"""Keogh and Pazzani's tree: leave-one-out accuracy against refits, and the greedy search."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learners import NaiveBayesClassifier, TANClassifier
from learners.bayes._kernels.leave_one_out import TIE, child_totals
from learners.bayes._shared.superparent import LeftOutAccuracy, superparent_tree
from learners.counts.slots import count_pairs, slot_offsets

SEEDS = st.integers(0, 10_000)
SMOOTHINGS = st.sampled_from(["friedman", "laplace", "simple"])
CLASSES = ["b", "a", "c"]  # declared in another order than sorted


class Rows:
    """Random rows, some of them equal; -1 is missing, and values may be shown by one row only."""

    def __init__(self, seed: int, *, holes: float = 0.15, n: int = 16) -> None:
        rng = np.random.default_rng(seed)
        self.arities = rng.integers(1, 5, rng.integers(1, 5))
        codes = np.column_stack([rng.integers(0, r, n) for r in self.arities])
        self.X = np.where(rng.random(codes.shape) < holes, -1, codes)
        self.y = rng.integers(0, rng.integers(1, 4), n)
        self.X[-2:], self.y[-2:] = self.X[:2], self.y[:2]
        self.rng = rng

    def labels(self, where=slice(None)) -> pd.Categorical:
        return pd.Categorical.from_codes(self.y[where], categories=CLASSES)

    def tree(self) -> np.ndarray:
        order = self.rng.permutation(len(self.arities))
        parents = np.full(len(order), -1, dtype=np.int64)
        for position, j in enumerate(order[1:], start=1):
            parents[j] = self.rng.choice([-1, *order[:position]])
        return parents

    def accuracy(self, smoothing: str, weight=None) -> LeftOutAccuracy:
        tan = TANClassifier(smoothing=smoothing, arities=self.arities)
        table = tan._read_training(self.X, self.labels(), weight)
        offsets = slot_offsets(table.arities)
        alpha = {"friedman": None, "laplace": 1.0, "simple": 0.5}[smoothing]
        return LeftOutAccuracy.of(
            table,
            count_pairs(table, offsets),
            offsets,
            alpha=alpha,
            class_alpha=alpha or 1.0,
            class_order=tan._declared_order,
        )

    def refitted_accuracy(self, smoothing: str, parents, weight=None) -> float:
        """Fit as many trees as there are rows, each without one."""
        weight = np.ones(len(self.y)) if weight is None else weight
        hits = 0.0
        for i, label in enumerate(self.labels()):
            rest = weight.copy()
            rest[i] -= min(1.0, weight[i])
            tan = TANClassifier(structure=parents, smoothing=smoothing, arities=self.arities)
            forecast = tan.fit(self.X, self.labels(), sample_weight=rest).predict_proba(self.X[[i]])[0]
            by_declaration = [forecast[tan.classes_.tolist().index(name)] for name in CLASSES]
            largest = max(by_declaration)
            first = next(k for k, p in enumerate(by_declaration) if p * (1 + TIE) >= largest)
            hits += weight[i] * (CLASSES[first] == label)
        return hits / weight.sum()


@pytest.mark.slow
@settings(max_examples=100)
@given(SEEDS, SMOOTHINGS)
def test_leave_one_out_from_counts_equals_a_refit_for_each_row(seed, smoothing) -> None:
    rows = Rows(seed)
    parents = rows.tree()
    want = rows.refitted_accuracy(smoothing, parents)
    assert rows.accuracy(smoothing)(parents) == pytest.approx(want)


@given(SEEDS, SMOOTHINGS)
def test_of_a_weight_one_at_most_is_left_out(seed, smoothing) -> None:
    rows = Rows(seed)
    rows.X, rows.y = rows.X[:-2], rows.y[:-2]  # equal rows would count as one
    both = np.column_stack([rows.X, rows.y])
    _, first = np.unique(both, axis=0, return_index=True)
    rows.X, rows.y = rows.X[first], rows.y[first]
    weight = rows.rng.choice([0.25, 1.0, 2.5], len(rows.y))
    parents = rows.tree()
    if (weight <= 1).sum() == len(weight) == 1:
        return  # nothing is left
    want = rows.refitted_accuracy(smoothing, parents, weight)
    assert rows.accuracy(smoothing, weight)(parents) == pytest.approx(want)


@given(SEEDS, SMOOTHINGS)
def test_half_a_row_twice_is_the_row(seed, smoothing) -> None:
    rows = Rows(seed)
    whole = rows.accuracy(smoothing)
    parents = rows.tree()
    rows.X, rows.y = np.repeat(rows.X, 2, axis=0), np.repeat(rows.y, 2)
    halves = rows.accuracy(smoothing, np.full(len(rows.y), 0.5))
    assert halves(parents) == pytest.approx(whole(parents))


@given(SEEDS)
def test_child_totals_are_sums_of_pairs(seed) -> None:
    rows = Rows(seed)
    counts = rows.accuracy("laplace").counts
    offsets, arities, pairs = counts.offsets, counts.arities, counts.pairs
    got = child_totals(pairs, np.zeros(arities.size), offsets, arities)
    for i in range(arities.size):
        for j in range(arities.size):
            own, others = slice(offsets[i], offsets[i + 1]), slice(offsets[j], offsets[j] + arities[j])
            want = pairs[own, others].sum(axis=1)
            if i == j:
                want = np.broadcast_to(np.einsum("ssc->c", pairs[others, others]), want.shape)
            np.testing.assert_allclose(got[own, j], want, atol=1e-12)


@pytest.mark.slow
def test_what_underflows_is_forecast_in_logs() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20)
    X = np.where(rng.random((20, 420)) < 0.02, y[:, None], rng.integers(0, 4, (20, 420)))
    X[:5, 3] = -1
    rows = Rows(0)
    rows.X, rows.y, rows.arities = X, y, np.full(420, 4)
    parents = np.arange(-1, 419)
    assert rows.accuracy("laplace")(parents) == pytest.approx(rows.refitted_accuracy("laplace", parents))


@given(SEEDS, SMOOTHINGS, st.booleans())
def test_a_score_from_another_tree_is_that_of_the_tree_itself(seed, smoothing, weighed) -> None:
    rows = Rows(seed, holes=0.05)
    weight = rows.rng.choice([0.5, 1.0, 3.0], len(rows.y)) if weighed else None
    moved = rows.accuracy(smoothing, weight)
    for place in (0, 1, 0, 0, 1):
        parents = rows.tree()
        fresh = rows.accuracy(smoothing, weight)
        assert moved(parents, place, bool(seed % 2)) == pytest.approx(fresh(parents), abs=1e-12)


def test_too_many_rows_for_memory_are_scored_one_by_one(monkeypatch) -> None:
    rows = Rows(5)
    parents = rows.tree()
    kept = rows.accuracy("friedman")(parents)
    monkeypatch.setattr("learners.bayes._shared.superparent.MOST_BYTES", 0)
    one_by_one = rows.accuracy("friedman")
    assert not one_by_one.complete.y.size
    assert one_by_one(parents) == kept


def brute_force_tree(score, n: int) -> list[int]:
    """Keogh and Pazzani's search with sets and paths, written a second time."""
    arcs: dict[int, int] = {}

    def value(extra: dict[int, int]) -> float:
        return round(score(np.array([{**arcs, **extra}.get(j, -1) for j in range(n)], dtype=np.int64)), 12)

    def ancestors(j: int) -> set[int]:
        return {j} if j not in arcs else {j} | ancestors(arcs[j])

    while True:
        free = {x: sorted(set(range(n)) - set(arcs) - ancestors(x)) for x in range(n)}
        tried = [(-value(dict.fromkeys(free[x], x)), x) for x in range(n) if free[x]]
        if not tried:
            break
        leader = min(tried)[1]
        loss, child = min((-value({j: leader}), j) for j in free[leader])
        if -loss <= value({}):
            break
        arcs[child] = leader
    return [arcs.get(j, -1) for j in range(n)]


@pytest.mark.slow
@settings(max_examples=10)
@given(SEEDS, SMOOTHINGS)
def test_the_tree_is_that_of_a_search_which_fits_every_tree_again(seed, smoothing) -> None:
    rows = Rows(seed, n=14)
    rows.X, rows.arities = rows.X[:, :3], rows.arities[:3]
    tan = TANClassifier("superparent", smoothing=smoothing, arities=rows.arities)
    tan.fit(rows.X, rows.labels())
    want = brute_force_tree(lambda parents: rows.refitted_accuracy(smoothing, parents), len(rows.arities))
    assert list(tan.parents_) == want
    assert tan.left_out_accuracy_ == pytest.approx(rows.refitted_accuracy(smoothing, list(want)))


@given(SEEDS)
def test_the_search_is_that_of_its_second_writing(seed) -> None:
    """Scores that depend on the arcs alone, with many ties."""
    weights = np.random.default_rng(seed).integers(-1, 4, (6, 6))

    def score(parents: np.ndarray) -> float:
        return float(sum(weights[p, j] for j, p in enumerate(parents) if p >= 0)) / 7

    found = superparent_tree(lambda parents, place, keep: score(parents), 6)
    assert found.parents.tolist() == brute_force_tree(score, 6)


def test_an_exclusive_or_is_found_with_one_arc() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 4))
    tan = TANClassifier("superparent").fit(X, X[:, 1] ^ X[:, 3])
    assert tan.parents_ == (-1, -1, -1, 1)
    assert tan.left_out_accuracy_ == 1.0


def test_independent_attributes_stay_naive_bayes() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    X = np.where(rng.random((400, 3)) < 0.9, y[:, None], 1 - y[:, None])
    tan = TANClassifier("superparent", smoothing="laplace").fit(X, y)
    nb = NaiveBayesClassifier().fit(X, y)
    assert tan.parents_ == (-1, -1, -1)
    np.testing.assert_allclose(tan.predict_proba(X), nb.predict_proba(X), atol=1e-12)


def test_another_structure_forgets_the_accuracy() -> None:
    X, y = np.eye(4, dtype=int), [0, 1, 0, 1]
    tan = TANClassifier("superparent").fit(X, y)
    assert 0 <= tan.left_out_accuracy_ <= 1
    assert not hasattr(tan.set_params(structure="cmi").fit(X, y), "left_out_accuracy_")
