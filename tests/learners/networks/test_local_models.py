"""Trees as local models: the kernel against a plain twin, worked examples, and networks that use them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import comb

from learners import learn_network
from learners.code_lengths.multinomial import adaptive_code_length, ln_factorials
from learners.networks._kernels.tree_cost import grow_tree, shape_saving
from learners.networks.search import SearchProblem, shortest_network
from tests.brute_force import shortest_of_all_graphs

COST = 0.17649
LN2 = math.log(2)


def leaf_length(child, r):
    return float(adaptive_code_length(np.bincount(child, minlength=r))) + COST * (r - 1) + LN2


def plain_tree(values, sizes):
    """Grow the tree as the docstring says, with rows as lists; give its length without the saving."""
    *parents, child = values
    leaves = [(frozenset(), np.arange(len(child)), leaf_length(child, sizes[-1]), True)]
    total = leaves[0][2]
    asked = set()

    def options(leaf, allowed):
        path, rows, length, _ = leaf
        for u in sorted(allowed - path):
            parts = [rows[parents[u][rows] == value] for value in range(sizes[u])]
            after = [leaf_length(child[part], sizes[-1]) for part in parts]
            gain = length - sum(after) - LN2 - math.log(len(parents) - len(path))
            yield gain, u, [(path | {u}, p, a, True) for p, a in zip(parts, after, strict=True)]

    while True:
        fresh = [leaf for leaf in leaves if leaf[3]]
        if fresh:
            leaf, least = fresh[0], 0.0
            found = list(options(leaf, set(range(len(parents)))))
        elif len(asked) == len(parents):
            return total, leaves
        else:
            found, least = [], -math.inf
            for other in leaves:
                for gain, u, parts in options(other, set(range(len(parents))) - asked):
                    if not found or gain > found[0][0] + 1e-12:
                        found, leaf = [(gain, u, parts)], other
        best = max(found, key=lambda option: option[0], default=(-math.inf, None, None))
        place = next(i for i, other in enumerate(leaves) if other is leaf)
        if best[0] <= least:
            leaves[place] = (*leaf[:3], False)
            continue
        leaves.pop(place)
        leaves += best[2]
        asked.add(best[1])
        total -= best[0]


@st.composite
def families(draw):
    sizes = np.array(draw(st.lists(st.integers(1, 3), min_size=1, max_size=4)), dtype=np.int64)
    n_rows = draw(st.integers(0, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    common = rng.random(n_rows)
    values = [np.where(rng.random(n_rows) < 0.6, common, rng.random(n_rows)) * r for r in sizes]
    return np.array(values).astype(np.uint8).reshape(len(sizes), n_rows), sizes


@given(families())
def test_the_kernel_grows_the_plain_tree(case):
    values, sizes = case
    asked, first, cost = grow_tree(values, sizes, ln_factorials(100), COST)
    total, leaves = plain_tree(values, sizes)
    assert cost == pytest.approx(total - shape_saving(sizes[:-1]), abs=1e-9)
    assert (asked < 0).sum() == len(leaves)
    assert set(asked[asked >= 0].tolist()) == set(range(len(sizes) - 1))
    assert (first[asked < 0] == 0).all()


@pytest.mark.parametrize("arities", [(), (3,), (3, 2), (5, 5, 5)])
def test_the_saving_is_the_probability_of_the_numbers_of_splits_that_can_be(arities):
    most, breadth = 0, 1
    for r in sorted(arities, reverse=True):
        most, breadth = most + breadth, breadth * r
    shapes = [comb(2 * i, i, exact=True) / (i + 1) / 2 ** (2 * i + 1) for i in range(len(arities), most + 1)]
    assert shape_saving(np.array(arities, dtype=np.int64)) == pytest.approx(-math.log(sum(shapes)), abs=1e-9)


def test_trees_of_no_or_one_parent_cost_what_the_table_costs_but_for_their_shape():
    # CaMML: one three-valued parent, ln 2 more; its tree without parents was too cheap by a slip, ours is not
    rng = np.random.default_rng(0)
    codes = np.array([rng.integers(0, r, 200) for r in (3, 3, 2)], dtype=np.uint8)
    table = SearchProblem.of(codes, np.array([3, 3, 2]))
    tree = SearchProblem.of(codes, np.array([3, 3, 2]), local_model="tree")
    assert tree.family_cost(0, ()) == pytest.approx(table.family_cost(0, ()), abs=1e-9)
    assert tree.family_cost(0, (1,)) == pytest.approx(table.family_cost(0, (1,)) + LN2, abs=1e-9)
    assert tree.family_cost(0, (2,)) == pytest.approx(table.family_cost(0, (2,)), abs=1e-9)


def gated(n_rows=2000, seed=0):
    """The last column copies the second (five values) where the first is 1, else it is noise."""
    rng = np.random.default_rng(seed)
    gate, x, other = rng.integers(0, 2, n_rows), rng.integers(0, 5, n_rows), rng.integers(0, 5, n_rows)
    y = np.where(gate == 1, np.where(rng.random(n_rows) < 0.5, x, rng.integers(0, 5, n_rows)), 0)
    return np.column_stack([gate, x, other, y])


def test_a_tree_is_shorter_where_a_parent_matters_in_one_case_alone():
    codes, arities = gated().T.astype(np.uint8), np.array([2, 5, 5, 5])
    cost = {
        model: SearchProblem.of(codes, arities, local_model=model).family_cost(3, (0, 1))
        for model in ("table", "tree", "shorter")
    }
    assert cost["tree"] < cost["table"] - 5
    assert cost["shorter"] == pytest.approx(min(cost["tree"], cost["table"]) + LN2, abs=1e-9)


@pytest.mark.parametrize(("local_model", "holes"), [("tree", False), ("shorter", True)])
def test_the_search_finds_the_shortest_of_all_graphs(local_model, holes):
    rng = np.random.default_rng(1)
    codes = gated(200).T.astype(np.uint8)
    arities = np.array([2, 5, 5, 5])
    if holes:
        codes = np.where(rng.random(codes.shape) < 0.1, arities[:, None], codes).astype(np.uint8)
    problem = SearchProblem.of(codes, arities, local_model=local_model)
    found = shortest_network(problem, arc_probability=0.3)
    best = shortest_of_all_graphs(problem, 0.3)
    assert found.length == pytest.approx(best, abs=1e-9)
    assert problem.length(found.parents, 0.3) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("local_model", ["tree", "shorter"])
def test_learned_tables_are_those_of_the_leaves(local_model):
    X = gated()
    learned = learn_network(X, local_model=local_model)
    (cpt,) = [
        c for c, p in zip(learned.network.cpts, learned.network.parent_indices, strict=True) if len(p) == 2
    ]
    child = next(v for v, p in enumerate(learned.network.parent_indices) if len(p) == 2)
    gate_axis = learned.network.parent_indices[child].index(0)
    closed = np.take(cpt, 0, axis=gate_axis)
    assert (closed == closed[:1]).all()  # one leaf
    opened = np.take(cpt, 1, axis=gate_axis)
    assert len(np.unique(opened, axis=0)) == len(opened)
    np.testing.assert_allclose(cpt.sum(axis=-1), 1)
    assert learned.variables["cells"].iloc[child] == 5 * learned.n_rows[child] < cpt.size
    parts = learned.structure + learned.parameters.sum() + learned.data.sum()
    assert learned.message_length == pytest.approx(parts)
    assert learned.message_length < learn_network(X).message_length


def test_an_unknown_local_model_is_refused():
    with pytest.raises(ValueError, match=r'local_model.*"table".*"tree".*"shorter".*"logit".*"auto"'):
        learn_network(gated(20), local_model="noisy or")
