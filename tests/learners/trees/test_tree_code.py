"""Codes of trees and joins: worked examples, codes that can be read, kernels against plain twins."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.code_lengths.graph import (
    JoinRound,
    bits_of_rounds,
    ends_bits,
    groups_bits,
    joining_pattern_bits,
)
from learners.code_lengths.tree import (
    attribute_bits,
    category_bits,
    root_bits,
    structure_bits,
)
from learners.trees._kernels.graph import merging_saves
from learners.trees._kernels.message import SplitMessages as Messages
from learners.trees._kernels.message import find_messages, shortest_subtrees
from learners.trees.mml.costed_tree import MessageCode
from workbench.datasets import load_arff

TREES = {  # test, then what is below each branch; None for a leaf
    "one leaf": None,
    "tear-prod-rate, then astigmatism under normal (3 leaves)": (
        "tear-prod-rate",
        {"normal": ("astigmatism", {})},
    ),
    "J48 tree (4 leaves)": (
        "tear-prod-rate",
        {"normal": ("astigmatism", {"yes": ("spectacle-prescrip", {})})},
    ),
    "outlook, humidity, windy tree (5 leaves)": (
        "outlook",
        {"sunny": ("humidity", {}), "rainy": ("windy", {})},
    ),
}


def uniform_cut_bits(n_numbers):
    """Encode a cut between neighboring numbers, all cuts being equally likely."""
    return np.log2(max(n_numbers - 1.0, 1.0))


def quantile_cut_bits(weights):
    """Encode a cut between neighboring numbers, those near the middle of the rows being more likely.

    Notes
    -----
    The median has 1 bit, the other quartiles 3, the other octiles 5: on level k there are 2^(k-1) quantiles
    of 2k - 1 bits [1]_. A quantile is the name of the cut that comes nearest to it, the lower of two; a cut
    is encoded by its shortest name. So every cut has a name, and their probabilities sum to at most one.

    References
    ----------
    .. [1] Wallace, C. S. and Patrick, J. D., "Coding decision trees", Machine Learning 11, 1993, 7-22.
    """
    shares = np.asarray(weights, np.float64)
    if shares.size < 2:
        return np.empty(0)
    below = np.cumsum(shares)
    cuts = below[:-1] / below[-1]
    between = (below[:-2] + below[1:-1]) / (2.0 * below[-1])
    lower = np.concatenate([[0.0], between])
    upper = np.concatenate([between, [np.nextafter(1.0, 0.0)]])
    level, named = np.zeros(cuts.size), np.zeros(cuts.size, dtype=bool)
    size = 1.0
    while not named.all():
        size *= 2.0
        level[~named] += 1.0
        named |= np.floor(lower * size) + 1.0 <= upper * size
    return 2.0 * level - 1.0


def tree_bits(tree, X, y, alpha, available, above=None) -> float:
    """Encode a tree of nominal tests, by the formulas alone."""
    is_test = tree is not None
    bits = float(root_bits(is_test, available) if above is None else structure_bits(is_test, above))
    if not is_test:
        counts = [(y == c).sum() for c in y.cat.categories]
        return bits + float(category_bits(counts, alpha))
    name, below = tree
    values = X[name].cat.categories
    bits += float(attribute_bits(available))
    for v in values:
        here = X[name] == v
        bits += tree_bits(below.get(v), X[here], y[here], alpha, available - 1, len(values))
    return bits


def worked(golden):
    lines = pd.read_csv(golden / "mml_worked_examples.csv", comment="#")
    return list(lines.itertuples(index=False))


def test_worked_examples(golden) -> None:
    lines = worked(golden)
    assert len(lines) == 21
    for line in lines[:-1]:
        name, alpha = line.example.split(", alpha ")
        X, y = load_arff(golden / f"{name}.arff")[:2]
        what = line.quantity.removeprefix("total bits, ")
        tree = (what.removeprefix("stump "), {}) if what.startswith("stump ") else TREES[what]
        assert tree_bits(tree, X, y, float(alpha), X.shape[1]) == pytest.approx(line.value, abs=5e-7)
    assert category_bits([9, 5], 1.0) == pytest.approx(lines[-1].value, abs=5e-7)


# -- codes that can be read ------------------------------------------------------------------


def mass_of_trees(arities, depth, above=None) -> float:
    """Sum 2^-bits over all trees of at most this depth: structures and attributes."""
    n = len(arities)
    leaf = 2.0 ** -float(root_bits(False, n) if above is None else structure_bits(False, above))
    if not n or not depth:
        return leaf
    test = 2.0 ** -float(root_bits(True, n) if above is None else structure_bits(True, above))
    one = 2.0 ** -float(attribute_bits(n))
    below = [
        mass_of_trees(arities[:a] + arities[a + 1 :], depth - 1, arities[a]) ** arities[a] for a in range(n)
    ]
    return leaf + test * one * sum(below)


@pytest.mark.parametrize("arities", [(), (2,), (2, 2), (2, 3, 2), (4, 2, 3, 2), (5, 5, 2, 2, 2)])
def test_the_codes_of_all_trees_sum_to_at_most_one(arities) -> None:
    masses = [mass_of_trees(arities, depth) for depth in range(len(arities) + 1)]
    assert all(a <= b + 1e-12 for a, b in itertools.pairwise(masses))
    assert masses[-1] <= 1.0 + 1e-12


def test_the_codes_of_all_trees_of_numbers_come_near_one() -> None:
    """Numbers stay available, so that no node must be a leaf: nothing is wasted but very deep trees."""
    mass = 0.0
    for _ in range(2000):
        mass = 0.5 + 0.5 * mass**2  # below the root of a tree of cuts
        assert mass < 1.0
    assert mass > 0.998


@pytest.mark.parametrize("n_levels", [1, 2, 3, 6, 10])
def test_names_of_quantiles_sum_to_one(n_levels) -> None:
    bits = quantile_cut_bits(np.ones(2**n_levels))
    assert bits[2 ** (n_levels - 1) - 1] == 1.0
    assert np.bincount(bits.astype(int))[1::2].tolist() == [2**k for k in range(n_levels)]
    assert math.isclose((2.0**-bits).sum(), 1.0 - 0.5**n_levels)


@given(st.lists(st.integers(1, 50), min_size=2, max_size=40))
def test_every_cut_has_a_name_and_names_differ(weights) -> None:
    bits = quantile_cut_bits(weights)
    assert len(bits) == len(weights) - 1
    assert (bits % 2 == 1).all()
    assert (2.0**-bits).sum() <= 1.0 + 1e-12
    assert (2.0 ** -uniform_cut_bits(len(weights)) * len(bits)) == pytest.approx(1.0)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=9))
def test_a_cut_has_the_name_of_its_nearest_quantile(weights) -> None:
    below = np.cumsum(weights)
    want = np.full(len(weights) - 1, np.inf)
    for level in range(10, 0, -1):
        for odd in range(1, 2**level, 2):
            nearest = np.abs(below[:-1] * 2**level - odd * below[-1]).argmin()
            want[nearest] = min(want[nearest], 2 * level - 1)
    np.testing.assert_array_equal(quantile_cut_bits(weights), want)


def test_classes_encoded_one_by_one() -> None:
    rng = np.random.default_rng(0)
    for alpha in (1.0, 0.5, 0.25, 3.0):
        y = rng.integers(0, 4, 30)
        seen, bits = np.zeros(5), 0.0
        for m in y:
            bits -= math.log2((seen[m] + alpha) / (seen.sum() + 5 * alpha))
            seen[m] += 1
        assert float(category_bits(seen, alpha)) == pytest.approx(bits)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("alpha", [1.0, 0.25])
def test_the_codes_of_all_class_sequences_sum_to_one(n, alpha) -> None:
    mass = sum(
        2.0 ** -float(category_bits(np.bincount(y, minlength=3), alpha))
        for y in (np.array(s, dtype=int) for s in itertools.product(range(3), repeat=n))
    )
    assert mass == pytest.approx(1.0)


def sets_of_groups(members):
    """Yield all ways to put some of the members into groups of two or more."""
    if not members:
        yield ()
        return
    first, rest = members[0], members[1:]
    yield from sets_of_groups(rest)
    for size in range(1, len(rest) + 1):
        for others in itertools.combinations(rest, size):
            left = tuple(m for m in rest if m not in others)
            for groups in sets_of_groups(left):
                yield ((first, *others), *groups)


def test_the_codes_of_all_joins_of_one_round_sum_to_at_most_one() -> None:
    for n_ends in range(2, 8):
        mass = unreadable = 0.0
        for groups in sets_of_groups(tuple(range(n_ends))):
            if groups:
                sizes = tuple(len(g) for g in groups)
                step = JoinRound(n_ends, sum(sizes), 0, sizes, sizes)
                mass += 2.0 ** -(ends_bits(step, is_first=True) + groups_bits(step, pairs_only=False))
                unreadable += 2.0 ** -joining_pattern_bits(step)
        assert mass <= 1.0 + 1e-9
        assert unreadable >= 1.0  # does not encode which leaves join


@pytest.mark.parametrize(("n_new", "n_waiting"), [(2, 0), (3, 1), (1, 4), (4, 3), (3, 3)])
@pytest.mark.parametrize("pairs_only", [False, True])
def test_the_codes_of_all_groups_sum_to_at_most_one(n_new, n_waiting, pairs_only) -> None:
    mass = 0.0
    for groups in sets_of_groups(tuple(range(n_new + n_waiting))):
        new = tuple(sum(m < n_new for m in g) for g in groups)
        sizes = tuple(len(g) for g in groups)
        if groups and min(new) > 0 and not (pairs_only and max(sizes) > 2):
            step = JoinRound(9, n_new, n_waiting, sizes, new)
            mass += 2.0 ** -groups_bits(step, pairs_only=pairs_only)
    assert 0 < mass <= 1.0 + 1e-9


def test_the_joining_pattern_by_hand() -> None:
    step = JoinRound(n_ends=12, n_new=5, n_waiting=2, sizes=(3, 2), new_sizes=(2, 1))
    ways = math.factorial(5) * math.factorial(2) / (math.factorial(2) * math.factorial(0) * 2 * 1 * 1 * 1)
    want = math.log2(3.5) + math.log2(math.comb(5, 2)) + math.log2(ways)
    assert joining_pattern_bits(step) == pytest.approx(want)
    assert bits_of_rounds([step], complete=False, pairs_only=False) == pytest.approx(want)
    without = JoinRound(12, 0, 0, (), ())
    assert bits_of_rounds([without], complete=True, pairs_only=False) == 0.0


# -- kernels -----------------------------------------------------------------------------------


def code(n_classes, alpha=1.0, uniform=False, n_features=1) -> MessageCode:
    return MessageCode(alpha, n_classes, uniform, 1, np.zeros(n_features, bool))


@given(
    st.integers(0, 10**6),
    st.integers(2, 40),
    st.sampled_from([1.0, 0.5]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_messages_of_tests_equal_the_formulas(seed, n, alpha, uniform, is_number, has_missing) -> None:
    rng = np.random.default_rng(seed)
    size, K = int(rng.integers(2, 6)), 3
    x = rng.integers(0, size + has_missing, n)
    y, weight = rng.integers(0, K, n).astype(np.int32), rng.integers(1, 4, n).astype(float)
    values = np.arange(size, dtype=float) if is_number else np.empty(0)
    out = Messages(np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((1, 1), np.int64), np.zeros((1, 1)))
    its_code = code(K, alpha, uniform)
    find_messages(
        x[:, None].astype(np.uint8),
        y,
        weight,
        np.array([0, n]),
        np.zeros((1, 1), bool),
        K,
        np.array([size]),
        values,
        np.array([0, values.size]),
        its_code.terms,
        uniform,
        out,
    )
    counts = np.zeros((size + 1, K))
    np.add.at(counts, (x, y), weight)
    known, missing = counts[:size], counts[size]
    seen = np.flatnonzero(known.sum(axis=1))
    if seen.size < 2:
        assert np.isinf(out.bits[0, 0])
        return
    spread = known + known.sum(axis=1, keepdims=True) / known.sum() * missing
    if not is_number:
        leaves = size * float(structure_bits(False, size))
        want = leaves + category_bits(spread, alpha).sum()
        assert out.bits[0, 0] == pytest.approx(want)
    else:
        names = (
            np.full(seen.size - 1, uniform_cut_bits(seen.size))
            if uniform
            else quantile_cut_bits(known[seen].sum(axis=1))
        )
        each = [
            2 + category_bits([spread[: v + 1].sum(0), spread[v + 1 :].sum(0)], alpha).sum()
            for v in seen[:-1]
        ]
        assert out.bits[0, 0] == pytest.approx((np.array(each) + names).min())
        assert out.cut_bits[0, 0] in names
    assert out.bound[0, 0] <= out.bits[0, 0] + 1e-9


@given(st.integers(0, 10**6))
def test_no_pruning_is_shorter(seed) -> None:
    """All prunings of small random trees, against one pass."""
    rng = np.random.default_rng(seed)
    first, n_children = [-1], [0]
    while len(first) < 12:
        node = int(rng.choice([k for k in range(len(first)) if not n_children[k]]))
        first[node], n_children[node] = len(first), 2
        first += [-1, -1]
        n_children += [0, 0]
    leaf, test = rng.uniform(0, 9, len(first)), rng.uniform(0, 3, len(first))

    def prunings(node):
        yield leaf[node]
        if n_children[node]:
            below = [list(prunings(child)) for child in (first[node], first[node] + 1)]
            yield from (test[node] + a + b for a in below[0] for b in below[1])

    out, is_leaf = np.empty(len(first)), np.empty(len(first), bool)
    shortest_subtrees(np.array(first, np.int32), np.array(n_children, np.int32), leaf, test, out, is_leaf)
    for node in range(len(first)):
        assert out[node] == pytest.approx(min(prunings(node)))


@given(st.integers(0, 10**6), st.sampled_from([1.0, 0.25]))
def test_what_merging_saves(seed, alpha) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, (6, 3)) + rng.choice([0.0, 0.5], (6, 3))
    out = np.empty(6)
    merging_saves(counts[0], counts, *code(3, alpha).terms, out)
    want = category_bits(counts[0], alpha) + category_bits(counts, alpha)
    np.testing.assert_allclose(out, want - category_bits(counts[0] + counts, alpha), atol=1e-9)
