"""Random networks without a class."""

import networkx
import numpy as np
import pytest
from scipy import stats

from generators import random_dag

SEEDS = range(30)


def test_graphs_are_acyclic_and_keep_their_limits():
    sizes, arities, most = set(), set(), set()
    for seed in SEEDS:
        truth = random_dag(n_nodes=(4, 6), arity=(2, 3), max_parents=2, random_state=seed)
        assert networkx.is_directed_acyclic_graph(truth.to_networkx())
        assert truth.class_index is None
        sizes.add(len(truth.names))
        arities.update(truth.arities.tolist())
        most.add(max(map(len, truth.parent_indices)))
    assert (sizes, arities, max(most)) == ({4, 5, 6}, {2, 3}, 2)


@pytest.mark.parametrize("rows", ["dirichlet", "normalized_uniform", "logit"])
def test_rows_of_tables_sum_to_one(rows):
    for cpt in random_dag(rows=rows, concentration=0.5, random_state=1).cpts:
        np.testing.assert_allclose(cpt.sum(axis=-1), 1.0, atol=1e-14)


def test_the_number_of_parents_is_uniform_where_there_is_room():
    # in an order of three the last node has 0, 1 or 2 parents; the one before it 0 or 1
    drawn = [sorted(map(len, random_dag(n_nodes=3, random_state=seed).parent_indices)) for seed in range(600)]
    arcs = np.bincount([sum(counts) for counts in drawn], minlength=4)
    assert stats.chisquare(arcs, np.array([1, 2, 2, 1]) / 6 * 600).pvalue > 0.01


def test_no_node_is_likelier_to_be_above_others():
    children = np.zeros(4)
    for seed in range(400):
        for others in random_dag(n_nodes=4, random_state=seed).parent_indices:
            children[list(others)] += 1
    assert stats.chisquare(children).pvalue > 0.01


def test_a_seeded_network_is_the_one_written_down():
    truth = random_dag(n_nodes=(3, 5), random_state=2004)
    assert truth.arities.tolist() == [2, 4, 3, 3]
    assert truth.parent_indices == ((), (0, 3), (0, 3), ())
    np.testing.assert_allclose(truth.cpts[0], [0.11338639196828199, 0.886613608031718], rtol=1e-12)
    assert truth.sample_codes(3, 7).tolist() == [[1, 0, 1, 1], [1, 1, 1, 1], [1, 1, 0, 2]]


def test_any_variable_can_be_the_class():
    truth = random_dag(n_nodes=4, random_state=3).with_class("x2")
    X, y = truth.sample(20, random_state=0)
    assert list(X) == ["x0", "x1", "x3"]
    assert y.name == "x2"


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"n_nodes": 0}, "n_nodes is 0"),
        ({"max_parents": -1}, "max_parents is -1"),
        ({"n_nodes": 60, "max_parents": 20, "arity": 4, "random_state": 0}, "lower max_parents or arity"),
    ],
)
def test_impossible_arguments_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        random_dag(**wrong)
