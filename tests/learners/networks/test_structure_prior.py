"""Opinions on arcs: the arc costs that they imply, and the networks that result."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from generators import random_dag
from learners import CaMMLClassifier, StructurePrior, learn_network, message_length

NAMES = ("a", "b", "c", "d")


def noisy_copies(n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, n_rows)
    return np.column_stack([np.where(rng.random(n_rows) < 0.8, x, rng.integers(0, 2, n_rows)) for _ in NAMES])


def test_no_opinion_is_the_uniform_prior():
    arc_costs = StructurePrior().arc_costs(NAMES)
    assert arc_costs.is_uniform
    assert arc_costs.n_pairs == 6
    assert arc_costs.constant == 0


@pytest.mark.parametrize("weight, other", [(0.9, None), (0.1, None), (0.6, 0.3)])
def test_the_cells_of_a_weighted_pair_have_their_probabilities(weight, other):
    weights = {("a", "b"): weight} | ({} if other is None else {("b", "a"): other})
    arc_costs = StructurePrior(weights=weights).arc_costs(("a", "b"))
    # two orders, each with and without the arc that it allows; an order alone has probability 1/2
    cells = [
        0.5 * math.exp(-arc_costs.structure_length(dag, 0.2)) for dag in [((), (0,)), ((1,), ()), ((), ())]
    ]
    rest = (1 - weight) / 3 if other is None else (1 - weight - other) / 2
    assert cells == pytest.approx([weight, rest if other is None else other, rest], abs=1e-12)
    assert arc_costs.n_pairs == 0


def test_an_expert_s_network_costs_its_differences():
    expert = random_dag(n_nodes=4, random_state=5)
    arc_costs = StructurePrior(expert=expert, edit_penalty=2.0).arc_costs(expert.names)
    theirs = {(u, v) for v, others in enumerate(expert.parent_indices) for u in others}
    assert theirs
    assert arc_costs.structure_length(expert.parent_indices, 0.3) == 0
    for u, v in itertools.permutations(range(4), 2):
        parents = [()] * 4
        parents[v] = (u,)
        assert arc_costs.structure_length(parents, 0.3) == pytest.approx(2.0 * len(theirs ^ {(u, v)}))


def test_a_list_of_arcs_is_an_expert_too():
    one = StructurePrior(expert=[("a", "b"), ("b", "c")]).arc_costs(NAMES)
    assert one.structure_length([(), (0,), (1,), ()], 0.5) == 0
    assert one.structure_length([(1,), (), (1,), ()], 0.5) == 2


def test_an_expert_rules_only_the_pairs_of_its_own_variables():
    expert = random_dag(n_nodes=2, random_state=1)
    arc_costs = StructurePrior(expert=expert).arc_costs(("x0", "x1", "x2"))
    assert arc_costs.n_pairs == 2


def test_tiers_forbid_arcs_and_orders_backwards():
    arc_costs = StructurePrior(tiers=[["d"], ["a", "b"]]).arc_costs(NAMES)
    assert np.isinf(arc_costs.fixed[[0, 1], 3]).all()
    assert not arc_costs.before[[0, 1], 3].any()
    assert arc_costs.before[3, [0, 1]].all()
    assert np.isfinite(arc_costs.fixed[2]).all()
    assert arc_costs.n_pairs == 6  # each pair can still have an arc


@pytest.mark.parametrize("order", list(itertools.permutations(range(4)))[::5])
def test_tiers_of_one_variable_each_fix_the_order(order):
    learned = learn_network(noisy_copies(), structure_prior=StructurePrior(tiers=[[v] for v in order]))
    place = {v: i for i, v in enumerate(order)}
    arcs = [(u, v) for v, others in enumerate(learned.network.parent_indices) for u in others]
    assert arcs
    assert all(place[u] < place[v] for u, v in arcs)


def test_required_and_forbidden_arcs_are_kept():
    free = learn_network(noisy_copies())
    u, v = next((u, v) for v, others in enumerate(free.network.parent_indices) for u in others)
    without = learn_network(noisy_copies(), structure_prior=StructurePrior(forbidden=[(u, v)]))
    assert u not in without.network.parent_indices[v]
    turned = learn_network(noisy_copies(), structure_prior=StructurePrior(required=[(v, u)]))
    assert v in turned.network.parent_indices[u]


def test_a_strong_weight_buys_an_arc_that_rows_do_not():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (100, 2))
    assert learn_network(X).network.parent_indices == ((), ())
    weighted = learn_network(X, structure_prior=StructurePrior(weights={("x0", "x1"): 0.999}))
    assert weighted.network.parent_indices == ((), (0,))


def test_the_message_has_the_prior_in_it():
    X = noisy_copies()
    weights = {("x0", "x1"): 0.7, ("x2", "x1"): 0.2}
    prior = StructurePrior(weights=weights)
    learned = learn_network(X, structure_prior=prior)
    parts = learned.structure + learned.parameters.sum() + learned.data.sum()
    assert learned.message_length == pytest.approx(parts)
    names = tuple(f"x{j}" for j in range(4))
    structure = prior.arc_costs(names).structure_length(
        learned.network.parent_indices, learned.arc_probability
    )
    assert learned.structure == pytest.approx(structure / math.log(2))


def test_sets_are_taken_where_there_is_no_order():
    listed = StructurePrior(
        tiers=[["a", "b"], ["c"]],
        required=[("a", "b")],
        forbidden=[("c", "d"), ("d", "c")],
        expert=[("a", "c")],
    ).arc_costs(NAMES)
    sets = StructurePrior(
        tiers=[{"a", "b"}, {"c"}],
        required={("a", "b")},
        forbidden={("c", "d"), ("d", "c")},
        expert={("a", "c")},
    ).arc_costs(NAMES)
    for name in ("free", "fixed", "required", "before"):
        np.testing.assert_array_equal(getattr(sets, name), getattr(listed, name))


def test_an_expert_has_no_say_on_pairs_with_a_weight_or_a_required_arc():
    expert = [("a", "b"), ("b", "c")]
    weighted = StructurePrior(expert=expert, weights={("a", "b"): 0.4, ("b", "a"): 0.3}).arc_costs(NAMES)
    # the weight's cell of 0.4, and none of the expert's arcs missed but b -> c
    assert weighted.structure_length([(), (0,), (1,), ()], 0.2) == pytest.approx(-math.log(2 * 0.4))
    assert weighted.structure_length([(), (0,), (), ()], 0.2) == pytest.approx(1 - math.log(2 * 0.4))
    required = StructurePrior(expert=expert, required=[("a", "b"), ("c", "d")]).arc_costs(NAMES)
    # only c -> d is not the expert's
    assert required.structure_length([(), (0,), (1,), (2,)], 0.2) == pytest.approx(1.0)


def test_opinions_of_another_kind_are_refused_everywhere():
    X, refused = noisy_copies(), r"structure_prior.*StructurePrior.*None"
    for structure_prior in [{"tiers": [["x0"], ["x1"]]}, 5, "x0"]:
        with pytest.raises(ValueError, match=refused):
            learn_network(X, structure_prior=structure_prior)
        with pytest.raises(ValueError, match=refused):
            message_length(X, [()] * 4, structure_prior=structure_prior)
        with pytest.raises(ValueError, match=refused):
            CaMMLClassifier(structure_prior=structure_prior).fit(X, X[:, 0])


def test_impossible_opinions_are_refused():
    for opinions, message in [
        ({"required": [("a", "z")]}, r"arc's.*'z'.*X"),
        ({"required": ["ab"]}, r"\(from.*'ab'"),
        ({"forbidden": [("a", "a")]}, r"joins.*variable"),
        (
            {"required": [("a", "b")], "forbidden": [("a", "b")]},
            r"a -> b.*required.*forbidden",
        ),
        ({"required": [("b", "a")], "tiers": [["a"], ["b"]]}, r"b -> a.*required.*contradicts"),
        (
            {"weights": {("b", "a"): 0.9}, "tiers": [["a"], ["b"]]},
            r"b -> a.*weight.*contradicts",
        ),
        (
            {"weights": {("a", "b"): 0.9}, "required": [("a", "b")]},
            r"weight.*required",
        ),
        (
            {"weights": {("a", "b"): 0.9}, "required": [("b", "a")]},
            r"contradicts.*required.*b -> a",
        ),
        (
            {"expert": [("b", "a")], "tiers": [["a"], ["b"]]},
            r"b -> a.*expert's",
        ),
        ({"expert": [("a", "b")], "forbidden": [("a", "b")]}, r"a -> b.*expert's"),
        (
            {"expert": [("a", "b")], "required": [("b", "a")]},
            r"expert's.*b -> a",
        ),
        (
            {"expert": 5},
            r"expert.*\(from.*None.*5",
        ),
        ({"expert": "ab"}, r"expert.*'ab'"),
        ({"forbidden": {"ab"}}, r"\(from.*'ab'"),
        ({"tiers": {("a",), ("b",)}}, r"tiers.*sequence"),
        ({"required": [("a", "b"), ("b", "a")]}, r"required.*cycle.*a -> b -> a"),
        ({"weights": {("a", "b"): 1.0}}, r"between 0.*1"),
        ({"weights": {("a", "b"): 0.6, ("b", "a"): 0.4}}, r"1.*0.6.*0.4"),
        ({"weights": {("a", "b"): "x"}}, r"between 0.*1.*'x'"),
        ({"weights": [("a", "b")]}, "weights"),
        (
            {"weights": {("a", "b"): 0.5}, "forbidden": [("a", "b")]},
            r"a -> b.*weight.*forbidden",
        ),
        ({"tiers": 5}, r"tiers.*5"),
        ({"tiers": [5]}, r"tiers.*sequence"),
        ({"required": None}, "required"),
        ({"edit_penalty": "q"}, "edit_penalty"),
        ({"tiers": ["ab", "cd"]}, r"tiers.*sequence"),
        ({"tiers": [["a"], ["a"]]}, r"tiers.*'a' twice"),
        ({"expert": [("a", "b"), ("b", "a")]}, r"expert's.*cycle"),
        ({"expert": [("a", "b")], "edit_penalty": -1}, "edit_penalty"),
    ]:
        with pytest.raises(ValueError, match=message):
            StructurePrior(**opinions).arc_costs(NAMES)


def test_columns_of_a_table_are_taken_as_they_come():
    x = np.tile([0, 1], 100)
    rows = pd.DataFrame({"a": x, "b": x, "c": np.repeat([0, 1], 100)}).astype("category")
    given = StructurePrior(tiers=[rows.columns[:1], np.array(["b", "c"])], order=rows.columns)
    listed = StructurePrior(tiers=[["a"], ["b", "c"]], order=["a", "b", "c"])
    results = [learn_network(rows, structure_prior=one, random_state=0) for one in (given, listed)]
    assert results[0].parents == results[1].parents == {"a": (), "b": ("a",), "c": ()}
    assert results[0].message_length == results[1].message_length
