"""Each counting and forecasting kernel against a slow twin of a few numpy lines."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from learners import AODEClassifier, TANClassifier
from learners.base import TrainingTable
from learners.bayes._kernels.factors import (
    class_factors,
    joint_with_class,
    marginal_pseudo_counts,
    one_dependence_tables,
    tree_tables,
)
from learners.bayes._kernels.one_dependence import (
    CLASS_BLOCK,
    LANES,
    ROW_BLOCK,
    add_log_factors,
    add_product,
    average_one_dependence,
    multiply_factors,
    multiply_tree,
)
from learners.bayes._kernels.spanning_tree import conditional_mutual_information, heaviest_tree
from learners.counts._kernels.counts import class_value_counts, pair_counts
from learners.counts._kernels.merged_counts import MANY_ROWS, merged_attributes, merged_pair_counts
from learners.counts.slots import count_pairs, slot_offsets, tree_order
from learners.tables._kernels.codes import code_ranges, transpose_codes

SEEDS = st.integers(0, 10_000)


class Case:
    """A random coded table with holes, and its slots."""

    def __init__(self, seed: int, *, holes: bool = True, n: int = 40) -> None:
        rng = np.random.default_rng(seed)
        self.arities = rng.integers(1, 5, rng.integers(1, 5)).astype(np.int64)
        self.n_classes = int(rng.integers(1, 4))
        self.codes = np.stack([rng.integers(0, r + holes, n) for r in self.arities]).astype(np.uint8)
        self.y = rng.integers(0, self.n_classes, n)
        self.weight = np.empty(0) if seed % 2 else rng.random(n) * 3
        self.offsets = slot_offsets(self.arities)
        self.slots = self.codes + self.offsets[:-1, None]
        self.n_slots = int(self.offsets[-1])
        self.values = np.delete(np.arange(self.n_slots), self.offsets[1:] - 1)
        self.prior = rng.dirichlet(np.ones(self.n_classes))
        self.rng = rng

    def pairs(self) -> np.ndarray:
        return pair_counts(self.codes, self.y, self.weight, self.offsets, self.n_classes, self.n_classes)

    def one_hot(self) -> tuple[np.ndarray, np.ndarray]:
        seen = np.zeros((self.codes.shape[1], self.n_slots))
        for slots in self.slots:
            seen[np.arange(len(slots)), slots] = 1
        weight = self.weight if self.weight.size else np.ones(len(seen))
        return seen, np.eye(self.n_classes)[self.y] * weight[:, None]


@given(SEEDS)
def test_counts_equal_one_hot_products(seed) -> None:
    case = Case(seed)
    seen, classes = case.one_hot()
    counts = class_value_counts(case.codes, case.y, case.weight, case.offsets, case.n_classes)
    np.testing.assert_allclose(counts, np.einsum("ns,nc->sc", seen, classes), atol=1e-9)
    np.testing.assert_allclose(case.pairs(), np.einsum("ns,nt,nc->stc", seen, seen, classes), atol=1e-9)


@st.composite
def unweighted_tables(draw):
    """Codes with holes (the arity itself) in one byte or two, classes, and any groups of neighbors."""
    arities = np.array(draw(st.lists(st.integers(1, 4), min_size=1, max_size=5)), dtype=np.int64)
    dtype = draw(st.sampled_from([np.uint8, np.uint16]))
    if dtype is np.uint16:
        arities[0] = 300
    n_classes, n = draw(st.sampled_from([1, 2, 3, 40])), draw(st.sampled_from([0, 1, 2, 60]))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    codes = np.stack([rng.integers(0, r + 1, n) for r in arities]).astype(dtype)
    begins = [j for j in range(1, arities.size) if draw(st.booleans())]
    groups = np.array([0, *begins, arities.size], dtype=np.int64)
    return codes, rng.integers(0, n_classes, n), slot_offsets(arities), groups, n_classes


@given(unweighted_tables(), st.integers(0, 3))
def test_merged_attributes_give_the_same_counts_of_pairs(case, padding) -> None:
    codes, y, offsets, groups, n_classes = case
    width = n_classes + padding
    got = merged_pair_counts(codes, y, offsets, groups, n_classes, width)
    want = np.zeros((offsets[-1], offsets[-1], width))
    for a, b in product(codes + offsets[:-1, None], repeat=2):
        np.add.at(want, (a, b, y), 1)
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(got, pair_counts(codes, y, np.empty(0), offsets, n_classes, width))


@given(st.lists(st.integers(1, 200), min_size=1), st.integers(1, 30), st.integers(0, 10**7))
def test_attributes_are_merged_in_order_and_within_the_cache(arities, n_classes, n_samples) -> None:
    offsets = slot_offsets(np.array(arities))
    groups = merged_attributes(offsets, n_classes, n_samples)
    assert (groups[0], groups[-1]) == (0, len(arities))
    assert (np.diff(groups) > 0).all()
    for first, end in pairwise(groups):
        counters = np.prod([r + 1.0 for r in arities[first:end]]) ** 2 * n_classes
        assert end - first == 1 or counters <= min(32_768, n_samples / 8)


def test_a_million_rows_of_thirty_attributes_are_counted_two_at_a_time() -> None:
    assert merged_attributes(slot_offsets(np.full(30, 5)), 5, 1_000_000).tolist() == list(range(0, 31, 2))


def test_many_rows_are_counted_as_if_each_had_the_weight_one() -> None:
    rng = np.random.default_rng(0)
    n, arities = 20 * MANY_ROWS, np.array([2, 1, 3, 70, 2, 2, 2])
    codes = np.stack([rng.integers(0, r + 1, n) for r in arities]).astype(np.uint8)
    offsets = slot_offsets(arities)
    assert merged_attributes(offsets, 3, n).tolist() == [0, 3, 4, 7]
    table = TrainingTable(codes, np.empty((0, n)), arities, rng.integers(0, 3, n), 3, None)
    want = count_pairs(table._replace(weight=np.ones(n)), offsets, block=4)
    np.testing.assert_array_equal(count_pairs(table, offsets, block=4), want)


@given(SEEDS)
def test_codes_are_transposed_and_clipped(seed) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 6, (20, 3))
    arities = np.array([2, 4, 6])
    out = np.empty((3, 20), dtype=np.uint8)
    assert transpose_codes(X, arities, out) == ((X < 0) | (arities <= X)).sum()
    np.testing.assert_array_equal(out, np.where((X < 0) | (arities <= X), arities, X).T)
    lowest, highest = code_ranges(X)
    assert lowest == min(X.min(), 0)
    np.testing.assert_array_equal(highest, X.max(axis=0))


def mutual_information(table: np.ndarray) -> float:
    """I(A; B | C) of a table of counts [a, b, c], by its definition."""
    if table.sum() == 0:
        return 0.0
    p = table / table.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = p * p.sum((0, 1)) / (p.sum(1, keepdims=True) * p.sum(0, keepdims=True))
        return float(np.where(p > 0, p * np.log(ratio), 0).sum())


@given(SEEDS)
def test_conditional_mutual_information_is_its_definition(seed) -> None:
    case = Case(seed)
    pairs = case.pairs()
    got = conditional_mutual_information(pairs, case.offsets, case.arities)
    for i, j in product(range(len(case.arities)), repeat=2):
        if i != j:
            a, b = (slice(case.offsets[k], case.offsets[k] + case.arities[k]) for k in (i, j))
            assert got[i, j] == pytest.approx(mutual_information(pairs[a, b]), abs=1e-12)


@given(SEEDS)
def test_the_heaviest_tree_weighs_as_much_as_networkx_says(seed) -> None:
    import networkx as nx

    rng = np.random.default_rng(seed)
    weights = rng.random((6, 6))
    weights += weights.T
    parents = heaviest_tree(weights)
    graph = nx.from_numpy_array(weights)
    want = nx.maximum_spanning_tree(graph).size(weight="weight") - 0.0
    assert parents[0] == -1
    assert sum(weights[j, p] for j, p in enumerate(parents) if p >= 0) == pytest.approx(want)


@given(SEEDS)
def test_class_factors_normalize_each_attribute(seed) -> None:
    case = Case(seed)
    counts = class_value_counts(case.codes, case.y, case.weight, case.offsets, case.n_classes)
    got = class_factors(counts, np.full(case.n_slots, 0.7), case.offsets, case.arities)
    for first, end in pairwise(case.offsets):
        block = counts[first : end - 1] + 0.7
        np.testing.assert_allclose(got[first : end - 1], block / block.sum(axis=0))
        np.testing.assert_array_equal(got[end - 1], 1)


@given(SEEDS)
def test_marginal_pseudo_counts_are_n0_times_the_marginal(seed) -> None:
    case = Case(seed)
    counts = class_value_counts(case.codes, case.y, case.weight, case.offsets, case.n_classes)
    got = marginal_pseudo_counts(counts, 5.0, case.offsets, case.arities)
    for first, end in pairwise(case.offsets):
        shown = counts[first : end - 1].sum(axis=1)
        want = shown / shown.sum() if shown.sum() > 0 else np.full(len(shown), 1 / len(shown))
        np.testing.assert_allclose(got[first : end - 1], 5 * want)


def random_tree(case: Case) -> np.ndarray:
    return np.array([-1, *(case.rng.integers(-1, j) for j in range(1, len(case.arities)))], dtype=np.int64)


@given(SEEDS)
def test_naive_posteriors_equal_a_sum_of_logs(seed) -> None:
    case = Case(seed)
    factors = case.rng.random((case.n_slots, case.n_classes))
    logs = np.log(case.prior) + np.log(factors)[case.slots].sum(axis=0)
    want = np.exp(logs - logs.max(axis=1, keepdims=True))
    want /= want.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(
        multiply_factors(case.codes, case.prior, factors, case.offsets), want, atol=1e-13
    )
    out = np.zeros_like(want)
    add_log_factors(case.codes, np.log(case.prior), np.log(factors), case.offsets, out)
    np.testing.assert_allclose(out, want, atol=1e-13)


def enumerated_tree_posterior(
    case: Case, tables: np.ndarray, parents: np.ndarray, row: np.ndarray
) -> np.ndarray:
    """Sum the joint over every completion of the row."""
    total = np.zeros(case.n_classes)
    choices = [[code] if code < r else range(r) for code, r in zip(row, case.arities, strict=True)]
    for full in product(*choices):
        term = case.prior.copy()
        for j, code in enumerate(full):
            above = full[parents[j]] if parents[j] >= 0 else 0
            term *= tables[case.offsets[j] + code, above]
        total += term
    return total / total.sum()


@given(SEEDS)
def test_tree_posteriors_with_holes_equal_enumeration(seed) -> None:
    case = Case(seed)
    parents = random_tree(case)
    tables = tree_tables(case.pairs(), parents, np.full(case.n_slots, 0.5), case.offsets, case.arities)
    order = tree_order(parents)
    got = multiply_tree(case.codes, case.prior, tables, parents, case.offsets, case.arities, order)
    for row, forecast in zip(case.codes.T, got, strict=True):
        np.testing.assert_allclose(
            forecast, enumerated_tree_posterior(case, tables, parents, row), atol=1e-12
        )


@given(SEEDS)
def test_tree_tables_are_smoothed_frequencies(seed) -> None:
    case = Case(seed)
    parents = random_tree(case)
    pairs = case.pairs()
    got = tree_tables(pairs, parents, np.full(case.n_slots, 0.5), case.offsets, case.arities)
    for j, p in enumerate(parents):
        child = slice(case.offsets[j], case.offsets[j] + case.arities[j])
        for u in range(case.arities[p] if p >= 0 else 1):
            block = (
                pairs[case.offsets[p] + u, child] if p >= 0 else np.einsum("ssc->sc", pairs)[child]
            ) + 0.5
            np.testing.assert_allclose(got[child, u], block / block.sum(axis=0))


def averaged(case: Case, pairs: np.ndarray, row: np.ndarray, min_frequency: float) -> np.ndarray | None:
    """AODE's Laplace formula, term by term; None without a parent."""
    total = np.zeros(case.n_classes)
    found = False
    _, classes = case.one_hot()
    n = classes.sum()
    for i, value in enumerate(row):
        s = case.offsets[i] + value
        if value == case.arities[i] or pairs[s, s].sum() < min_frequency:
            continue
        found = True
        missing = pairs[case.offsets[i] + case.arities[i]][case.offsets[i] + case.arities[i]].sum()
        term = (pairs[s, s] + 1) / (n - missing + case.n_classes * case.arities[i])
        for j, other in enumerate(row):
            if j != i and other < case.arities[j]:
                block = pairs[s, case.offsets[j] : case.offsets[j] + case.arities[j]]
                term = term * (block[other] + 1) / (block.sum(axis=0) + case.arities[j])
        total += term
    return total / total.sum() if found else None


@given(SEEDS, st.sampled_from([0.0, 1.0, 8.0]))
def test_averaged_posteriors_equal_the_formula(seed, min_frequency) -> None:
    case = Case(seed)
    pairs = case.pairs()
    factors = case.rng.random((case.n_slots, case.n_classes))
    _, classes = case.one_hot()
    padded = pair_counts(case.codes, case.y, case.weight, case.offsets, case.n_classes, CLASS_BLOCK)
    counts = padded.diagonal().T[:, : case.n_classes]
    ones = np.ones(len(case.arities))
    joint = joint_with_class(counts, classes.sum(), ones, case.offsets, case.arities)
    pseudo, totals = np.ones(case.n_slots), 1.0 * case.arities
    tables = one_dependence_tables(padded, joint, pseudo, totals, min_frequency, case.offsets, case.arities)
    got = average_one_dependence(case.codes, tables, case.offsets, case.prior, factors)
    naive = multiply_factors(case.codes, case.prior, factors, case.offsets)
    for i, row in enumerate(case.codes.T):
        want = averaged(case, pairs, row, min_frequency)
        np.testing.assert_allclose(got[i], naive[i] if want is None else want, atol=1e-12)


@njit
def with_product(table: np.ndarray, first: int, cells: np.ndarray, total: np.ndarray, lane: int) -> None:
    add_product(table, np.uint64(first), cells, total, np.uint64(lane))


@given(SEEDS, st.integers(0, 9))
def test_a_product_in_registers_takes_the_factors_in_order(seed, n_cells) -> None:
    rng = np.random.default_rng(seed)
    table, total = rng.random(80), rng.random(3 * LANES)
    first, lane = int(rng.integers(0, 9)), LANES * int(rng.integers(0, 3))
    cells = rng.integers(0, 60, n_cells).astype(np.uint64)
    want = total.copy()
    factors = [table[at : at + LANES] for at in first + lane + cells.astype(int)]
    want[lane : lane + LANES] += np.prod([np.ones(LANES), *factors], axis=0)
    with_product(table, first, cells, total, lane)
    np.testing.assert_array_equal(total, want)


@given(SEEDS, st.sampled_from([0, 1, 3, 1100]), st.integers(1, 9), st.sampled_from([1, 1e-90]))
def test_averages_of_many_rows_and_classes_equal_sums_of_logs(seed, n, n_classes, smallest) -> None:
    assert n <= 3 or n > 2 * ROW_BLOCK
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 5, 6)
    offsets = slot_offsets(arities)
    slots = np.stack([rng.integers(0, r + 1, n) for r in arities]) + offsets[:-1, None]
    tables = np.zeros((offsets[-1], offsets[-1], -(-n_classes // CLASS_BLOCK) * CLASS_BLOCK))
    tables[..., :n_classes] = rng.uniform(smallest, 2 * smallest, tables[..., :n_classes].shape)
    rare = [*(offsets[1:] - 1), *rng.integers(0, offsets[-1], 3)]  # no parents: missing, and some values
    tables[rare, rare] = 0
    prior, factors = rng.dirichlet(np.ones(n_classes)), rng.random((offsets[-1], n_classes))
    codes = (slots - offsets[:-1, None]).astype(np.uint8)
    got = average_one_dependence(codes, tables, offsets, prior, factors)
    with np.errstate(divide="ignore"):
        logs = np.log(tables[slots[:, None], slots[None], :n_classes]).sum(axis=1)  # parent, row, class
    total = np.logaddexp.reduce(logs, axis=0)
    naive = np.log(prior) + np.log(factors)[slots].sum(axis=0)
    total = np.where(np.isneginf(total), naive, total)
    want = np.exp(total - np.logaddexp.reduce(total, axis=1, keepdims=True))
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("Learner", [TANClassifier, AODEClassifier], ids=lambda cls: cls.__name__)
def test_hundreds_of_attributes_do_not_underflow(Learner) -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = np.where(rng.random((200, 160)) < 0.9, y[:, None], rng.integers(0, 20, (200, 160)))
    forecast = Learner().fit(X, y).predict_proba(X)
    assert np.isfinite(forecast).all()
    assert (forecast > 0).all()
    assert (forecast.argmax(axis=1) == y).all()


def test_a_forest_is_ordered_from_the_roots() -> None:
    parents = np.array([3, -1, 0, 1, -1])
    order = tree_order(parents).tolist()
    assert all(p < 0 or order.index(p) < order.index(j) for j, p in enumerate(parents))


def test_many_attributes_with_holes_are_summed_out_in_logs() -> None:
    """Three hundred attributes underflow; the reference sums out the holes of a chain in logs."""
    rng = np.random.default_rng(0)
    n_features, n_classes, arity = 300, 2, 3
    parents = np.arange(-1, n_features - 1)
    tables = rng.dirichlet(np.full(arity, 0.3), (n_features, arity, n_classes))  # j, parent, class, child
    codes = np.where(rng.random((n_features, 20)) < 0.2, arity, rng.integers(0, arity, (n_features, 20)))
    slots = np.ones((n_features * (arity + 1), arity, n_classes))
    for j in range(n_features):
        slots[j * (arity + 1) : j * (arity + 1) + arity] = tables[j].transpose(2, 0, 1)
    arities = np.full(n_features, arity)
    prior = np.array([0.3, 0.7])
    got = multiply_tree(
        codes.astype(np.uint8), prior, slots, parents, slot_offsets(arities), arities, np.arange(n_features)
    )
    for i in range(20):
        logs = np.log(prior)
        for c in range(n_classes):
            state = np.where(np.arange(arity) == 0, 0.0, -np.inf)  # log P(value of the parent, all above)
            for j in range(n_features):
                step = tables[j, :, c] if j else np.tile(tables[j, 0, c], (arity, 1))
                with np.errstate(divide="ignore"):
                    state = np.logaddexp.reduce(state[:, None] + np.log(step), axis=0)
                if codes[j, i] < arity:
                    state = np.where(np.arange(arity) == codes[j, i], state, -np.inf)
            logs[c] += np.logaddexp.reduce(state)
        want = np.exp(logs - np.logaddexp.reduce(logs))
        np.testing.assert_allclose(got[i], want, rtol=1e-9)
