"""Opinions on ancestors, correlations and the order: their costs, searches and samples against all models."""

import itertools
import math

import numpy as np
import pytest

from generators import random_dag
from learners import CaMMLClassifier, StructurePrior, learn_network, message_length
from learners.networks.search import OrderPosterior, SearchProblem, find_network, sample_toms
from learners.networks.search.indirect_prior import (
    IndirectPrior,
    _ancestors,
    _improved,
    _in_wanted_order,
    relation_shares,
)
from tests.brute_force import all_toms, counted_shares, parents_in, relation, tom_length
from tests.marks import mostly_slow

NAMES = ("a", "b", "c", "d")

OPINIONS = [
    {"ancestors": {("a", "d"): 0.95}},
    {"ancestors": {("d", "a"): 0.9, ("b", "c"): 0.02}},
    {"ancestors": {("d", "a"): 0.3, ("a", "d"): 0.6}, "correlated": {("b", "c"): 0.05}},
    {"ancestors": {("a", "b"): 0.5}, "correlated": {("a", "b"): 0.97, ("c", "d"): 0.99}},
    {"order": ("d", "c", "b", "a"), "order_penalty": 2.0},
    {
        "order": ("d", "a"),
        "order_penalty": 3.0,
        "correlated": {("a", "d"): 0.9},
        "weights": {("a", "b"): 0.7},
    },
]


def noisy_copies(n_rows=60, seed=0, n_columns=4):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, n_rows)
    copies = [np.where(rng.random(n_rows) < 0.5, x, rng.integers(0, 2, n_rows)) for _ in range(n_columns)]
    return np.array(copies, np.uint8)


def problem_of(given, seed=0, n_rows=60):
    return SearchProblem.of(
        noisy_copies(n_rows, seed), np.full(4, 2), arc_costs=StructurePrior(**given).arc_costs(NAMES)
    )


def in_tiers(problem, tom):
    return all(problem.arc_costs.before[u, v] for u, v in itertools.combinations(tom[0], 2))


@pytest.mark.parametrize("n, p", [(2, 0.3), (3, 0.5), (4, 0.2), (5, 0.35)])
def test_the_shares_of_relations_are_those_of_all_models(n, p):
    counted = counted_shares(n, p)
    ancestor, common, unrelated = relation_shares(n, p)
    assert ancestor == pytest.approx(counted["ancestor"], abs=1e-12)
    assert ancestor == pytest.approx(counted["descendant"], abs=1e-12)
    assert common == pytest.approx(counted["common cause"], abs=1e-12)
    assert unrelated == pytest.approx(counted["unrelated"], abs=1e-12)


def test_a_line_by_hand():
    """Two nodes, p = 0.3: ancestors .15 each way, unrelated .7; of the .2 left, b => a gets .15 / .85."""
    arc_costs = StructurePrior(ancestors={("a", "b"): 0.8}).arc_costs(("a", "b"))
    with_arc = -math.log(0.3)  # no other pair
    assert arc_costs.structure_length([(), (0,)], 0.3) == pytest.approx(with_arc - math.log(0.8))
    assert arc_costs.structure_length([(1,), ()], 0.3) == pytest.approx(
        with_arc - math.log(0.2 * 0.15 / 0.85)
    )
    assert arc_costs.structure_length([(), ()], 0.3) == pytest.approx(
        -math.log(0.7) - math.log(0.2 * 0.7 / 0.85)
    )


@pytest.mark.parametrize("given", mostly_slow(OPINIONS, 2))
def test_the_length_of_a_network_is_that_of_its_best_order(given):
    problem, shares = problem_of(given), counted_shares(4, 0.3)
    lengths = {}
    for tom in all_toms(4):
        if not in_tiers(problem, tom):
            continue
        parents = parents_in(tom)
        lengths[parents] = min(lengths.get(parents, math.inf), tom_length(problem, tom, 0.3, shares))
    for parents in list(lengths)[::7]:
        assert problem.length(parents, 0.3) == pytest.approx(lengths[parents], abs=1e-9)


@pytest.mark.parametrize("given", mostly_slow([OPINIONS[3], OPINIONS[5], *OPINIONS[:3], OPINIONS[4]], 2))
def test_searches_find_the_shortest_of_all_models(given):
    problem, shares = problem_of(given), counted_shares(4, 0.3)
    shortest = min(tom_length(problem, tom, 0.3, shares) for tom in all_toms(4) if in_tiers(problem, tom))
    for search in ("fast", "metropolis"):
        found = find_network(problem, search=search, arc_probability=0.3, random_state=0)
        assert found.length == pytest.approx(shortest, abs=1e-3)
        assert found.length == pytest.approx(problem.length(found.parents, 0.3), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("given", OPINIONS[3::2])
def test_posteriors_of_arcs_and_relations_are_sums_over_all_models(given):
    problem, shares = problem_of(given, n_rows=40), counted_shares(4, 0.3)
    toms = [tom for tom in all_toms(4) if in_tiers(problem, tom)]
    lengths = np.array([tom_length(problem, tom, 0.3, shares) for tom in toms])
    weights = np.exp(lengths.min() - lengths)
    weights /= weights.sum()
    arcs = np.zeros((4, 4))
    for tom, weight in zip(toms, weights, strict=True):
        for arc in tom[1]:
            arcs[arc] += weight
    sample = sample_toms(problem, arc_probability=0.3, temperature=1.2, search_factor=3, random_state=1)
    np.testing.assert_allclose(sample.arc_posteriors, arcs, atol=0.015)


def test_a_strong_opinion_makes_a_path_that_rows_do_not():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (100, 4))
    assert not learn_network(X).network.arcs
    learned = learn_network(
        X, structure_prior=StructurePrior(ancestors={("x0", "x3"): 0.99999}), random_state=0
    )
    assert relation(learned.network.parent_indices, 0, 3) == "ancestor"
    apart = learn_network(noisy_copies(300).T, random_state=0)
    assert relation(apart.network.parent_indices, 0, 3) != "unrelated"
    cut = StructurePrior(correlated={("x0", "x3"): 1e-12})
    assert (
        relation(learn_network(noisy_copies(300).T, structure_prior=cut).network.parent_indices, 0, 3)
        == "unrelated"
    )


def test_a_heavy_order_is_kept():
    X = noisy_copies(300).T
    for order in list(itertools.permutations(range(4)))[::7]:
        learned = learn_network(
            X, structure_prior=StructurePrior(order=order, order_penalty=50.0), random_state=0
        )
        place = {v: i for i, v in enumerate(order)}
        arcs = [(u, v) for v, others in enumerate(learned.network.parent_indices) for u in others]
        assert arcs
        assert all(place[u] < place[v] for u, v in arcs)


def test_the_message_and_the_classifier_have_the_opinions_in_them():
    X = noisy_copies(200).T
    prior = StructurePrior(ancestors={("x3", "x0"): 0.9}, order=["x2", "x1"])
    learned = learn_network(X, structure_prior=prior, random_state=0)
    again = message_length(
        X, learned.network.parent_indices, structure_prior=prior, arc_probability=learned.arc_probability
    )
    assert learned.message_length == pytest.approx(again.total)
    without = message_length(X, learned.network.parent_indices, arc_probability=learned.arc_probability)
    assert again.structure != pytest.approx(without.structure)
    assert not learned.is_exact
    about_class = StructurePrior(ancestors={("y", "x0"): 0.9}, order=["x2", "x1"])
    camml = CaMMLClassifier(structure_prior=about_class, random_state=0).fit(X[:, :3], X[:, 3])
    assert camml.predict_proba(X[:5, :3]).shape == (5, 2)


@pytest.mark.parametrize("given", OPINIONS[:1] + OPINIONS[4:5])
def test_exact_searches_and_averages_refuse(given):
    problem = problem_of(given)
    for refused in (
        lambda: find_network(problem, search="exact"),
        lambda: OrderPosterior.of(problem, arc_probability=0.3),
        lambda: CaMMLClassifier(
            averaging="exact", structure_prior=StructurePrior(ancestors={(0, 1): 0.9})
        ).fit(noisy_copies().T, noisy_copies()[0]),
    ):
        with pytest.raises(ValueError, match='search="fast"'):
            refused()


def order_alone(wanted, penalty):
    return IndirectPrior(np.empty((0, 2), np.int64), np.empty((0, 3)), wanted, penalty, np.zeros_like(wanted))


def test_the_order_of_many_variables_is_nearly_the_best():
    """The kernel for few variables is exact; what is used for more comes near on the same graphs."""
    excess = []
    for seed in range(60):
        dag = random_dag(n_nodes=12, random_state=seed)
        ancestors, wanted = _ancestors(dag.parent_indices), np.triu(np.ones((12, 12), bool), 1)
        prior = order_alone(wanted, 1.0)
        found = _improved(_in_wanted_order(ancestors, wanted), ancestors, wanted)
        excess.append(found - prior.n_exchanged(dag.parent_indices))
    assert min(excess) >= 0
    assert np.mean(np.array(excess) == 0) > 0.8


def test_an_order_of_many_variables_counts_pairs_that_no_order_can_keep():
    n = 30
    wanted = np.triu(np.ones((n, n), bool), 1)
    prior = order_alone(wanted, 2.0)
    chain = tuple((v + 1,) if v + 1 < n else () for v in range(n))  # the last first: every pair is exchanged
    assert prior.length(chain, 0.3) == 2.0 * n * (n - 1) / 2
    assert prior.length(((),) * n, 0.3) == 0.0


def test_contradictory_opinions_are_named_before_the_search():
    for given, message in [
        ({"ancestors": {("a", "b"): 0.6, ("b", "a"): 0.5}}, r"relations a => b => a cannot"),
        (
            {"ancestors": {("a", "b"): 0.9, ("b", "c"): 0.9, ("c", "a"): 0.9}},
            r"relations a => b => c => a cannot",
        ),
        (
            {"ancestors": {("a", "b"): 0.9, ("b", "c"): 0.9, ("a", "c"): 0.5}},
            r"a => b => c.*'a'.*'c'.*0.8.*0.5",
        ),
        (
            {"ancestors": {("a", "b"): 0.7}, "correlated": {("b", "a"): 0.5}},
            r"'b'.*'a'.*0.7.*0.5",
        ),
        (
            {"ancestors": {("c", "a"): 0.9, ("c", "b"): 0.9}, "correlated": {("a", "b"): 0.5}},
            r"'a'.*'b'.*correlated.*probability 0.8",
        ),
        ({"weights": {("a", "b"): 0.8}, "ancestors": {("a", "b"): 0.3}}, r"probability 0.8"),
        (
            {"required": [("a", "b")], "ancestors": {("a", "b"): 0.9}},
            r"'a'.*ancestor.*'b'.*Leave",
        ),
        ({"required": [("a", "b")], "ancestors": {("b", "a"): 0.9}}, r"'b' cannot.*ancestor.*'a'"),
        ({"tiers": [["a"], ["b"]], "ancestors": {("b", "a"): 0.2}}, r"'b' cannot.*ancestor.*'a'"),
        (
            {"forbidden": [("a", v) for v in "bcd"], "ancestors": {("a", "d"): 0.9}},
            r"'a' cannot.*ancestor.*'d'",
        ),
        (
            {"forbidden": [*itertools.permutations("abcd", 2)], "correlated": {("a", "d"): 0.9}},
            r"'a'.*'d' cannot.*correlated",
        ),
        (
            {"required": [("c", "a"), ("c", "b")], "correlated": {("a", "b"): 0.9}},
            r"required.*'a'.*'b' correlated",
        ),
        ({"correlated": {("a", "b"): 0.9, ("b", "a"): 0.9}}, r"correlated.*'a'.*'b'"),
        (
            {"order": ["a", "b"], "required": [("b", "c"), ("c", "a")]},
            r"order.*'a' before 'b'",
        ),
        (
            {"order": ["a", "b"], "tiers": [["b"], ["a"]]},
            r"order.*'a' before 'b'",
        ),
        (
            {"order": ["b", "c"], "tiers": [["a"], ["b"]], "required": [("c", "a")]},
            r"order.*'b' before 'c'",
        ),
        (
            {"tiers": [["a"], ["b"]], "forbidden": [("b", "d"), ("c", "d")], "ancestors": {("b", "d"): 0.9}},
            r"'b' cannot.*ancestor.*'d'",
        ),
        (
            {"weights": {("a", "b"): 0.9, ("b", "c"): 0.9, ("c", "a"): 0.9}},
            "a => b => c => a cannot",
        ),
        (
            {"ancestors": {("a", "b"): 0.95}, "correlated": {("a", "c"): 0.95, ("b", "c"): 0.05}},
            r"'b'.*'c'.*0.9.*0.05",
        ),
        (
            {"ancestors": {("a", "b"): 0.7}, "correlated": {("a", "b"): 0.7}},
            r"ancestor.*leaves",
        ),
        (
            {"ancestors": {("a", "b"): 0.5, ("b", "a"): 0.5}},
            "always holds",
        ),
        (
            {"ancestors": {("a", "b"): 0.9, (0, 1): 0.1}},
            r"ancestor.*\('a'.*'b'\).*twice",
        ),
        ({"order": ["a", "a"]}, "order names 'a'"),
        ({"order": ["a", "z"]}, r"order's.*'z'.*X"),
        ({"order": "ab"}, r"order.*'ab'"),
        ({"order_penalty": -1}, "order_penalty"),
        ({"ancestors": {("a", "a"): 0.5}}, r"joins.*variable"),
        ({"ancestors": {("a", "z"): 0.5}}, r"pair's.*'z'"),
        (
            {"ancestors": {("a", "b"): 1.0}},
            r"between 0.*1.*1.0.*required",
        ),
        ({"correlated": [("a", "b")]}, "correlated"),
    ]:
        with pytest.raises(ValueError, match=message):
            StructurePrior(**given).arc_costs(NAMES)


def test_opinions_that_only_look_contradictory_are_taken():
    for given in (
        {"ancestors": {("a", "b"): 0.6, ("b", "c"): 0.6, ("c", "a"): 0.6}},  # two of three may hold
        {"ancestors": {("a", "b"): 0.9, ("b", "c"): 0.9, ("a", "c"): 0.8}},
        {"weights": {("a", "b"): 0.8}, "ancestors": {("a", "b"): 0.8}},
        {"ancestors": {("a", "b"): 0.9}, "order": ["b", "a"]},
    ):
        assert StructurePrior(**given).arc_costs(NAMES).indirect is not None


def test_two_variables_have_no_common_cause():
    both = {("a", "b"): 0.6, ("b", "a"): 0.3}
    costs = StructurePrior(ancestors=both, correlated={("a", "b"): 0.9}).arc_costs(("a", "b"))
    assert costs.structure_length([(), (0,)], 0.3) == pytest.approx(-math.log(0.3) - math.log(0.6))
    assert costs.structure_length([(), ()], 0.3) == pytest.approx(-math.log(0.7) - math.log(0.1))
    with pytest.raises(ValueError, match=r"variables.*0.9.*ancestors"):
        StructurePrior(ancestors=both, correlated={("a", "b"): 0.95}).arc_costs(("a", "b"))
    X = noisy_copies(100, n_columns=2).T
    ancestors = {("x0", "x1"): 0.98, ("x1", "x0"): 0.005}
    prior = StructurePrior(ancestors=ancestors, correlated={("x0", "x1"): 0.985})
    assert learn_network(X, structure_prior=prior, random_state=0).parents == {"x0": (), "x1": ("x0",)}


def test_an_order_of_one_variable_or_without_penalty_is_no_opinion():
    X = noisy_copies(100).T
    for prior in (StructurePrior(order=["x0"]), StructurePrior(order=["x0", "x1"], order_penalty=0)):
        assert prior.arc_costs(("x0", "x1", "x2", "x3")).indirect is None
        assert learn_network(X, structure_prior=prior, search="exact").is_exact


def test_relations_of_many_nodes_are_those_of_the_closure():
    """More nodes than a word of 64 bits has."""
    rng = np.random.default_rng(5)
    n = 150
    is_parent = np.tril(rng.random((n, n)) < 0.02, -1)
    parents = tuple(tuple(np.flatnonzero(row).tolist()) for row in is_parent)
    pairs = np.array([pair for pair in rng.integers(0, n, (300, 2)) if pair[0] != pair[1]])
    stated = np.tile([0.5, 0.3, 0.9], (len(pairs), 1))
    prior = IndirectPrior(pairs, stated, np.zeros((n, n), bool), 0.0, np.zeros((n, n), bool))
    above, expected = _ancestors(parents), 0.0
    for a, b in pairs:
        if above[b, a]:
            expected -= math.log(0.5)
        elif above[a, b]:
            expected -= math.log(0.3)
        else:
            expected -= math.log(0.1)  # common cause and unrelated have the same here
    common = [(above[a] & above[b]).any() and not (above[a, b] or above[b, a]) for a, b in pairs]
    assert 0 < sum(common) < len(pairs)
    assert prior.length(parents, 0.02) == pytest.approx(expected)
    told_apart = np.tile([0.1, 0.1, 0.6], (len(pairs), 1))
    nats = np.where(common, math.log(0.4), [0.0] * len(pairs)).sum()
    for (a, b), is_common in zip(pairs, common, strict=True):
        if not is_common:
            nats += math.log(0.1) if above[b, a] or above[a, b] else math.log(0.4)
    prior = IndirectPrior(pairs, told_apart, np.zeros((n, n), bool), 0.0, np.zeros((n, n), bool))
    assert prior.length(parents, 0.02) == pytest.approx(-nats)


def test_what_an_arc_saves_has_the_relations_in_it():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (100, 3))
    prior = StructurePrior(ancestors={("x0", "x2"): 0.9999})
    learned = learn_network(X, structure_prior=prior, random_state=0)
    assert len(learned.arcs)
    for parent, child, bits_saved in learned.arcs[["parent", "child", "bits_saved"]].itertuples(index=False):
        fewer = {
            v: tuple(u for u in others if (u, v) != (parent, child)) for v, others in learned.parents.items()
        }
        without = message_length(X, fewer, structure_prior=prior, arc_probability=learned.arc_probability)
        assert bits_saved == pytest.approx(without.total - learned.message_length)
        assert bits_saved > 0


def test_no_time_left_for_annealing_gives_what_the_fast_search_found():
    X = random_dag(n_nodes=6, random_state=0).sample_table(300, random_state=1)
    learned = learn_network(
        X, structure_prior=StructurePrior(ancestors={("x0", "x1"): 0.9}), max_seconds=1e-9
    )
    assert learned.interrupted
    assert math.isfinite(learned.message_length)


@pytest.mark.slow
@pytest.mark.parametrize("p", [1e-17, 1e-300])
def test_the_least_correlation_costs_much_but_not_infinity(p):
    rng = np.random.default_rng(0)
    z = rng.integers(0, 2, 500)
    X = np.column_stack([np.where(rng.random(500) < 0.9, z, 1 - z) for _ in range(5)])
    learned = learn_network(X, structure_prior=StructurePrior(correlated={("x0", "x1"): p}), random_state=0)
    assert math.isfinite(learned.message_length)
    assert np.isfinite(learned.arc_posteriors.to_numpy()).all()


def test_two_variables_whose_correlation_is_rounded_have_a_network():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 400)
    X = np.column_stack([x, np.where(rng.random(400) < 0.9, x, 1 - x)])
    prior = StructurePrior(
        ancestors={("x0", "x1"): 0.9, ("x1", "x0"): 0.02}, correlated={("x0", "x1"): 0.92 - 5e-10}
    )
    assert learn_network(X, structure_prior=prior, random_state=0).parents == {"x0": (), "x1": ("x0",)}


def test_an_order_that_costs_nothing_is_no_opinion():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (100, 3)), rng.integers(0, 2, 100)
    prior = StructurePrior(order=["x0", "x1"], order_penalty=0)
    for options in ({"search": "exact"}, {"averaging": "exact"}):
        CaMMLClassifier(structure_prior=prior, **options).fit(X, y)
