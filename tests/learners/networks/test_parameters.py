"""Tables and message lengths of given networks."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.code_lengths.multinomial import parameter_constant
from learners.networks.families import count_family
from learners.networks.learn_network import learn_network
from learners.networks.network_table import MissingValuesWarning
from learners.networks.parameters import learn_parameters, message_length

ASIA = ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"]
TRUE_ASIA = [(), ("asia",), (), ("smoke",), ("smoke",), ("tub", "lung"), ("either",), ("either", "bronc")]
OPTIMUM = ((), (), (5,), (), (2,), (1, 3), (5,), (4, 5))
BIT = math.log(2)


@pytest.fixture(scope="module")
def asia(golden):
    table = pd.read_csv(golden / "camml_asia_n500.csv")
    assert list(table.columns) == ASIA
    return table.astype("category")


def test_learn_network_reproduces_the_reference_optimum(asia):
    learned = learn_network(asia, arc_probability=7.5 / 29, constant="rounded")
    assert learned.message_length * BIT == pytest.approx(1162.5343374391531, abs=1e-9)
    assert learned.network.parent_indices == OPTIMUM


def test_learn_network_reproduces_the_reference_with_the_defaults(asia):
    learned = learn_network(asia)
    assert learned.message_length * BIT == pytest.approx(1162.5342559804, abs=1e-9)
    assert learned.network.parent_indices == OPTIMUM
    assert learned.arc_probability == 7.5 / 29


def test_message_length_reproduces_the_reference_for_the_true_network(asia):
    message = message_length(asia, TRUE_ASIA, arc_probability=7.5 / 29, constant="rounded")
    assert message.total * BIT == pytest.approx(1167.8609622961767, abs=1e-9)


def test_message_length_of_the_learned_network_is_its_own(asia):
    learned = learn_network(asia)
    message = message_length(asia, learned.parents)
    assert message.total == learned.message_length
    assert message.arc_probability == learned.arc_probability
    assert learned.structure + learned.parameters.sum() + learned.data.sum() == pytest.approx(message.total)


def test_joint_takes_the_arcs_of_the_network_itself(asia):
    message = message_length(asia, TRUE_ASIA)
    assert message.arc_probability == 8.5 / 29
    assert message.total == message_length(asia, TRUE_ASIA, arc_probability=8.5 / 29).total


def test_data_part_is_what_the_network_makes_of_the_rows(asia):
    message = message_length(asia, TRUE_ASIA)
    network = learn_parameters(asia, TRUE_ASIA).with_class("asia")
    log_joint = network.log_joint(asia.drop(columns="asia"), asia["asia"])
    assert message.data.sum() == pytest.approx(-log_joint.sum() / BIT)
    assert (message.parameters > 0).all()


def test_parents_by_name_and_by_index_are_the_same(asia):
    by_index = [tuple(ASIA.index(u) for u in others) for others in TRUE_ASIA]
    assert message_length(asia, by_index).total == message_length(asia, TRUE_ASIA).total


def test_codes_and_labels_give_the_same_message(asia):
    codes = np.column_stack([asia[name].cat.codes for name in ASIA])
    assert message_length(codes, OPTIMUM).total == message_length(asia, OPTIMUM).total
    assert learn_network(codes).network.parent_indices == OPTIMUM


def test_declared_values_that_are_not_seen_are_paid_for():
    codes = np.array([[0], [1], [1]])
    two, three = message_length(codes, [()]), message_length(codes, [()], arities=[3])
    extra = math.log(math.factorial(5) / 2) - math.log(math.factorial(4)) + parameter_constant("exact")
    assert three.total - two.total == pytest.approx(extra / BIT)


def test_incomplete_rows_are_encoded_by_the_child_alone():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 400)
    X = np.column_stack([x, np.where(rng.random(400) < 0.8, x, rng.integers(0, 3, 400))])
    X[rng.random(400) < 0.3, 0] = -1
    X[rng.random(400) < 0.1, 1] = -1

    def cost(rows, parents):
        message = message_length(rows, parents)
        return message.data[-1] + message.parameters[-1]

    all_rows, filling = X[X[:, 1] >= 0, 1:], X[(X >= 0).all(axis=1)]
    saved = cost(filling[:, 1:], [()]) - cost(filling, [(), (0,)])
    assert cost(X, [(), (0,)]) == pytest.approx(cost(all_rows, [()]) - saved)


def test_the_search_scores_tables_with_holes_as_message_length_does():
    rng = np.random.default_rng(1)
    u = rng.random(500)
    X = np.column_stack(
        [(np.where(rng.random(500) < 0.7, u, rng.random(500)) * r).astype(int) for r in (2, 3, 4, 2)]
    )
    X[rng.random(X.shape) < 0.1] = -1
    with pytest.warns(MissingValuesWarning):
        learned = learn_network(X, arc_probability=0.4)
    assert (
        message_length(X, learned.network.parent_indices, arc_probability=0.4).total == learned.message_length
    )
    for parents in ([(), (), (), ()], [(), (0,), (1,), (2,)], [(1, 2), (), (1,), ()]):
        assert message_length(X, parents, arc_probability=0.4).total >= learned.message_length - 1e-9


def test_tables_are_half_a_count_from_the_frequencies():
    X = np.array([[0, 0], [0, 1], [0, 1], [1, 0], [-1, 1], [1, -1]])
    network = learn_parameters(X, [(), (0,)], arities=[3, 2])
    np.testing.assert_allclose(network.cpts[0], [3.5 / 6.5, 2.5 / 6.5, 0.5 / 6.5])
    np.testing.assert_allclose(network.cpts[1], [[1.5 / 4, 2.5 / 4], [1.5 / 2, 0.5 / 2], [0.5, 0.5]])


def test_a_pseudo_count_of_zero_gives_frequencies_and_uniform_empty_rows():
    network = learn_parameters(np.array([[0, 0], [0, 1]]), [(), (0,)], estimate=0, arities=[2, 2])
    np.testing.assert_allclose(network.cpts[0], [1, 0])
    np.testing.assert_allclose(network.cpts[1], [[0.5, 0.5], [0.5, 0.5]])
    one = learn_parameters(np.array([[0], [0]]), [()], estimate=1.0, arities=[2])
    np.testing.assert_allclose(one.cpts[0], [0.75, 0.25])


def test_the_network_bears_the_names_and_states_of_the_table(asia):
    network = learn_parameters(asia, TRUE_ASIA)
    assert network.names == tuple(ASIA)
    assert network.states[0] == (0, 1)
    assert network.class_index is None


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 50), st.integers(0, 2**32 - 1))
def test_family_counts_equal_a_plain_count(arities, n_rows, seed):
    arities = np.array(arities)
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, r + 1, n_rows) for r in arities], dtype=np.uint8)
    last = len(arities) - 1
    parents = (*[()] * last, tuple(range(last)))
    plain = np.zeros(tuple(arities), dtype=np.int64)
    whole = (codes < arities[:, None]).all(axis=0)
    np.add.at(plain, tuple(codes[:, whole].astype(int)), 1)
    np.testing.assert_array_equal(count_family(codes, arities, last, parents[last]), plain)


X3 = np.array([[0, 0, 0], [1, 1, 1]])


def test_parents_that_are_no_graph_are_refused_in_a_sentence():
    for parents, message in [
        ([(1,), (2,), (0,)], r"x\d -> x\d -> x\d -> x\d"),
        ([(), (2,), (1,)], "x1 -> x2 -> x1"),
        ([(0,), (), ()], r"cycle.*x0 -> x0.*Leave"),
        ([(), ()], r"sequence.*3 columns"),
        ([(), (), (3,)], r"parent 3.*column.*X"),
        ([(), (), ("z",)], r"parent 'z'.*column.*X"),
        ([(), (), (0, 0)], "name a column twice"),
    ]:
        for function in (learn_parameters, message_length):
            with pytest.raises(ValueError, match=message):
                function(X3, parents)


def test_the_cycle_is_named_along_its_arcs():
    with pytest.raises(ValueError, match="x0 -> x1 -> x2 -> x0"):
        message_length(X3, [(2,), (0,), (1,)])


def test_an_impossible_estimate_is_refused():
    for estimate in ("ml", -1, None, float("nan")):
        with pytest.raises(ValueError, match=r'estimate.*"mml"'):
            learn_parameters(X3, [(), (), ()], estimate=estimate)


def test_empty_tables_are_refused():
    for empty in (np.zeros((0, 2), dtype=int), np.zeros((3, 0), dtype=int)):
        with pytest.raises(ValueError, match=r"least.*column"):
            learn_network(empty)


@pytest.mark.parametrize("X", ["table.csv", None, pd.Series([0, 1]), np.zeros(3, dtype=int), 5])
def test_what_is_no_table_is_refused(X):
    with pytest.raises(
        ValueError, match=rf"X must be a table .* but was of type {type(X).__name__} with shape"
    ):
        learn_network(X)


def test_a_table_too_large_for_memory_is_refused():
    X = np.zeros((2, 4), dtype=int)
    with pytest.raises(ValueError, match=r"'x3'.*3.*100,000,000"):
        learn_parameters(X, [(), (), (), (0, 1, 2)], arities=[100] * 4)


@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
def test_options_of_learn_network_are_checked():
    with pytest.raises(ValueError, match="search must be"):
        learn_network(X3, search="greedy")
    with pytest.raises(ValueError, match="arc_probability must be"):
        learn_network(X3, arc_probability="estimated")
    with pytest.raises(ValueError, match="constant must be"):
        learn_network(X3, constant="0.17649")
    with pytest.raises(ValueError, match=r"25 variables.*table.*26"):
        learn_network(np.zeros((5, 26), dtype=int), search="exact")
