"""Tables that back off: each level against plain numpy, and the learners against sums of these tables."""

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from learners import AnDEClassifier, AODEClassifier, KDBClassifier, NaiveBayesClassifier, TANClassifier
from learners.bayes._kernels.backing_off import LEAST, MOST, SPREAD, USUAL
from learners.bayes._shared.backed_off_families import BackedOffFamilies
from learners.bayes._shared.backed_off_tables import LevelCounts, deepest_table

SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=10)


class Case:
    """Random rows of integer codes; -1 is missing, some values are unseen, some cases have weights."""

    def __init__(self, seed: int, n: int = 40) -> None:
        rng = self.rng = np.random.default_rng(seed)
        self.arities = rng.integers(1, 4, rng.integers(2, 5))
        self.n_classes = int(rng.integers(1, 4))
        self.X, self.X_test = (
            np.column_stack([rng.integers(-1, max(1, r - (seed + j) % 3), m) for j, r in enumerate(arities)])
            for m, arities in ((n, self.arities), (12, self.arities + 2))
        )
        self.X_test = np.minimum(self.X_test, self.arities - 1)
        self.y = np.concatenate([np.arange(self.n_classes), rng.integers(0, self.n_classes, n)])[:n]
        self.weight = None if seed % 2 else rng.integers(1, 8, n) / 2
        self.w = np.ones(n) if self.weight is None else self.weight
        rows = np.array([self.w[self.y == c].sum() for c in range(self.n_classes)])
        self.prior = (rows + 1) / (rows.sum() + self.n_classes)

    def fit(self, learner):
        return learner.set_params(arities=self.arities, smoothing="backoff").fit(
            self.X, self.y, sample_weight=self.weight
        )

    def levels(self, j: int, parents=()) -> list[np.ndarray]:
        """Counts of the levels, each (context, value, class)."""
        out = []
        for level in range(len(parents) + 1):
            columns = [*parents[:level], j]
            counts = np.zeros((*self.arities[columns], self.n_classes))
            shown = (self.X[:, columns] >= 0).all(axis=1)
            np.add.at(counts, (*self.X[shown][:, columns].T, self.y[shown]), self.w[shown])
            out.append(counts.reshape(-1, self.arities[j], self.n_classes))
        return out

    def table(self, j: int, *parents: int) -> np.ndarray:
        """P(value | parents, class), axes parents, value, class."""
        flat = np.concatenate([level.ravel() for level in self.levels(j, parents)])
        wider = self.arities[list(parents)]
        table = deepest_table(flat, int(self.arities[j]), self.n_classes, wider, None)
        return table.reshape(*self.arities[[*parents, j]], self.n_classes)

    def is_missing(self, j: int, value: int) -> bool:
        shown = self.X[:, j] >= 0
        return value < 0 or (shown.any() and not (self.X[:, j] == value).any())

    def known(self, row: np.ndarray) -> list[int]:
        return [j for j, v in enumerate(row) if not self.is_missing(j, v)]

    def summed_out(self, row: np.ndarray, parents) -> np.ndarray:
        """Sum the joint of a network over every completion of the row."""
        known, out = self.known(row), np.zeros(self.n_classes)
        tables = [self.table(j, *others) for j, others in enumerate(parents)]
        for full in product(*[[v] if j in known else range(self.arities[j]) for j, v in enumerate(row)]):
            term = self.prior.copy()
            for j, others in enumerate(parents):
                term *= tables[j][(*[full[u] for u in others], full[j])]
            out += term
        return out / out.sum()


def leave_out(counts: np.ndarray, below: np.ndarray, m: float) -> np.ndarray:
    """Return what a level says of a row that is left out."""
    gone = np.minimum(counts, 1)
    return (counts - gone + m * below) / (counts.sum(axis=1, keepdims=True) - gone + m)


def log_likelihood(counts: np.ndarray, below: np.ndarray, m: float) -> float:
    """Log probability of the left-out rows, times the density of m; rows without any chance do not count."""
    shown = (counts > 0) & (below > 0)
    found = np.log(leave_out(counts, below, m)[shown]) @ counts[shown]
    return found - 0.5 * (np.log(m / USUAL) / SPREAD) ** 2


def plain_levels(levels: list[np.ndarray], concentrations: np.ndarray) -> tuple[list, list]:
    """Back off in plain numpy; return the tables, and what each level leans on when a row is left out."""
    marginal = levels[0].sum(axis=(0, 2))
    arity = len(marginal)
    kept = (marginal + 1 / arity) / (marginal.sum() + 1)
    gone = np.where(marginal > 1, (marginal - 1 + 1 / arity) / max(marginal.sum(), 1), 0)
    below, left_out = (p[None, :, None] * np.ones_like(levels[0]) for p in (kept, gone))
    tables, leaned_on = [], []
    for counts, m in zip(levels, concentrations, strict=True):
        wider = len(counts) // len(below)
        below, left_out = (np.repeat(p, wider, axis=0) for p in (below, left_out))
        leaned_on.append(left_out)
        left_out = leave_out(counts, left_out, m)
        below = (counts + m * below) / (counts.sum(axis=1, keepdims=True) + m)
        tables.append(below)
    return tables, leaned_on


@FEW
@given(SEEDS)
def test_each_level_is_plain_numpy_with_the_most_probable_concentration(seed) -> None:
    case = Case(seed)
    parents = [tuple(range(j)) for j in range(len(case.arities))]
    table = KDBClassifier(arities=case.arities)._read_training(case.X, case.y, case.weight)
    families, counted = BackedOffFamilies.of(table, parents), LevelCounts.of(table, parents)
    for j, others in enumerate(parents):
        levels, chosen = case.levels(j, others), families.concentrations[j, : j + 1]
        flat = np.concatenate([level.ravel() for level in levels])
        np.testing.assert_array_equal(counted.counts[counted.chain(j)], flat)
        tables, leaned_on = plain_levels(levels, chosen)
        for level, (counts, want) in enumerate(zip(levels, tables, strict=True)):
            first = families.cells.starts[j, level]
            ids = families.cells.cell_ids[first : first + want[:, :, 0].size].reshape(want.shape[:2])
            np.testing.assert_array_equal(ids >= 0, counts.any(axis=2))
            np.testing.assert_allclose(families.tables[ids[ids >= 0]], want[ids >= 0], rtol=1e-12)
        np.testing.assert_allclose(case.table(j, *others).ravel(), tables[-1].ravel(), rtol=1e-12)
        grid = np.linspace(np.log(LEAST), np.log(MOST), 12)
        for counts, below, m in zip(levels, leaned_on, chosen, strict=True):
            best = max(
                -minimize_scalar(
                    lambda t, n=counts, q=below: -log_likelihood(n, q, np.exp(t)), bounds=ends,
                    method="bounded",
                ).fun
                for ends in pairwise(grid)
            )  # fmt: skip
            assert log_likelihood(counts, below, m) > best - 1e-4


@FEW
@given(SEEDS, st.integers(0, 3))
def test_kdb_is_the_product_of_its_tables_with_holes_summed_out(seed, k) -> None:
    case = Case(seed)
    kdb = case.fit(KDBClassifier(k))
    want = [case.summed_out(row, kdb.parents_) for row in case.X_test]
    np.testing.assert_allclose(kdb.predict_proba(case.X_test), want, atol=1e-12)
    for cpt, others in zip(kdb.network_.cpts, kdb.parents_, strict=False):
        assert cpt.ndim == len(others) + 2


@FEW
@given(SEEDS)
def test_tan_is_the_product_of_its_tables_with_holes_summed_out(seed) -> None:
    case = Case(seed)
    parents = [-1, *(int(case.rng.integers(-1, j)) for j in range(1, len(case.arities)))]
    got = case.fit(TANClassifier(parents)).predict_proba(case.X_test)
    want = [case.summed_out(row, [() if p < 0 else (p,) for p in parents]) for row in case.X_test]
    np.testing.assert_allclose(got, want, atol=1e-12)


@FEW
@given(SEEDS)
def test_naive_bayes_is_the_product_of_its_tables(seed) -> None:
    case = Case(seed)
    want = [case.summed_out(row, [()] * len(row)) for row in case.X_test]
    np.testing.assert_allclose(case.fit(NaiveBayesClassifier()).predict_proba(case.X_test), want, atol=1e-12)


def one_parent(case: Case, row: np.ndarray, min_frequency: float) -> np.ndarray:
    known, out = case.known(row), np.zeros(case.n_classes)
    for i in known:
        if case.w[case.X[:, i] == row[i]].sum() >= min_frequency:
            term = case.prior * case.table(i)[row[i]]
            for j in known:
                if j != i:
                    term = term * case.table(j, i)[row[i], row[j]]
            out += term
    return out / out.sum() if out.any() else case.summed_out(row, [()] * len(row))


def two_parents(case: Case, row: np.ndarray, min_frequency: float) -> np.ndarray:
    known, out = case.known(row), np.zeros(case.n_classes)
    for i, j in combinations(known, 2):
        u, v = row[i], row[j]
        both = (case.X[:, i] == u) & (case.X[:, j] == v)
        if case.w[both].sum() < min_frequency:
            continue
        up = case.table(i)[u] * case.table(j, i)[u, v]
        down = case.table(j)[v] * case.table(i, j)[v, u]
        term = case.prior * (up + down) / 2
        for m in known:
            if m not in (i, j):
                term = term * pair_table(case, m, i, j)[u, v, row[m]]
        out += term
    return out / out.sum() if out.any() else one_parent(case, row, min_frequency)


def pair_table(case: Case, m: int, i: int, j: int) -> np.ndarray:
    """P(m | i, j, class), backed off to the mean of what i and j say alone, by a grid of concentrations."""
    counts = case.levels(m, (i, j))[-1]
    below, left_out = np.zeros((2, *case.arities[[i, j, m]], case.n_classes))
    for parent, axis in ((i, 1), (j, 0)):
        levels = case.levels(m, (parent,))
        table = KDBClassifier(arities=case.arities)._read_training(case.X, case.y, case.weight)
        structure = [(parent,) if a == m else () for a in range(len(case.arities))]
        chosen = BackedOffFamilies.of(table, structure).concentrations[m]
        tables, leaned_on = plain_levels(levels, chosen)
        below += 0.5 * np.expand_dims(tables[-1], axis)
        left_out += 0.5 * np.expand_dims(leave_out(levels[-1], leaned_on[-1], chosen[-1]), axis)
    below, left_out = (p.reshape(counts.shape) for p in (below, left_out))
    grid = np.exp(np.linspace(np.log(LEAST), np.log(MOST), 400))
    m_best = grid[np.argmax([log_likelihood(counts, left_out, m) for m in grid])]
    table = (counts + m_best * below) / (counts.sum(axis=1, keepdims=True) + m_best)
    return table.reshape(*case.arities[[i, j, m]], case.n_classes)


@FEW
@given(SEEDS, st.sampled_from([0.0, 1.0, 4.0]))
def test_aode_averages_its_tables(seed, min_frequency) -> None:
    case = Case(seed)
    got = case.fit(AODEClassifier(min_frequency)).predict_proba(case.X_test)
    want = [one_parent(case, row, min_frequency) for row in case.X_test]
    np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize(("seed", "min_frequency"), [(2, 1.0), (5, 0.0)])
def test_two_parents_lean_on_the_mean_of_both(seed, min_frequency) -> None:
    case = Case(seed)
    got = case.fit(AnDEClassifier(2, min_frequency)).predict_proba(case.X_test)
    want = [two_parents(case, row, min_frequency) for row in case.X_test]
    np.testing.assert_allclose(got, want, atol=5e-3)


def test_rows_that_are_alone_with_their_value_leave_the_usual_concentration() -> None:
    table = KDBClassifier(arities=(60,))._read_training(np.arange(60)[:, None], np.arange(60) % 2)
    assert BackedOffFamilies.of(table, [()]).concentrations[0, 0] == pytest.approx(USUAL, rel=1e-3)


def test_what_one_half_of_many_columns_says_the_other_can_take_back() -> None:
    """The product of a class falls below all floats, and rises again."""
    rng = np.random.default_rng(0)
    y = np.arange(100) % 2
    X = np.where(rng.random((100, 1200)) < 0.02, 1 - y[:, None], y[:, None])
    row = np.repeat([[1, 0]], [600, 600], axis=1)
    table = KDBClassifier()._read_training(X, y)
    families = BackedOffFamilies.of(table, [()] * 1200)
    got = families.posterior(row.T.astype(np.uint8), np.arange(1200))
    want = KDBClassifier(0, smoothing="backoff").fit(X, y).predict_proba(row)
    np.testing.assert_allclose(got, want, rtol=1e-6)
    assert got.min() > 1e-300
    assert np.isfinite(got).all()


def test_superparent_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match='structure="cmi"'):
        TANClassifier("superparent", smoothing="backoff").fit(np.eye(2, dtype=int), [0, 1])
