"""Patterns against all graphs of four nodes, pgmpy, and cases made by hand."""

import itertools

import networkx
import numpy as np
import pytest

import generators
from generators.networks.patterns import Pattern, completed_pattern, structural_distance


def all_dags(n_nodes):
    others = [[u for u in range(n_nodes) if u != v] for v in range(n_nodes)]
    sets = [[p for k in range(n_nodes) for p in itertools.combinations(others[v], k)] for v in range(n_nodes)]
    return [dag for dag in itertools.product(*sets) if is_acyclic(dag)]


def is_acyclic(parents):
    left = set(range(len(parents)))
    while free := {v for v in left if not left.intersection(parents[v])}:
        left -= free
    return not left


def random_dag(n_nodes, seed, density):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n_nodes).tolist()
    parents = [()] * n_nodes
    for place, v in enumerate(order):
        parents[v] = tuple(u for u in order[:place] if rng.random() < density)
    return tuple(parents)


def digraph(parents):
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(len(parents)))
    graph.add_edges_from((u, v) for v, others in enumerate(parents) for u in others)
    return graph


def separations(parents):
    """Every d-separation of two nodes by a set of others."""
    graph, nodes = digraph(parents), range(len(parents))
    return {
        (a, b, given)
        for a, b in itertools.combinations(nodes, 2)
        for k in range(len(parents) - 1)
        for given in itertools.combinations(sorted(set(nodes) - {a, b}), k)
        if networkx.is_d_separator(graph, {a}, {b}, set(given))
    }


@pytest.mark.parametrize("n_nodes, n_classes", [(2, 2), (3, 11), (4, 185)])
def test_there_are_as_many_patterns_as_published(n_nodes, n_classes):
    # Gillispie & Perlman 2001, "Enumerating Markov equivalence classes of acyclic digraph models", table 1
    assert len({completed_pattern(dag) for dag in all_dags(n_nodes)}) == n_classes


def equivalence_classes():
    """Every graph of four nodes and its arcs, by class."""
    classes = {}
    for dag in all_dags(4):
        arcs = {(u, v) for v, others in enumerate(dag) for u in others}
        colliders = {
            (u, v, w)
            for v, others in enumerate(dag)
            for u, w in itertools.combinations(others, 2)
            if not {(u, w), (w, u)} & arcs
        }
        skeleton = frozenset(frozenset(arc) for arc in arcs)
        classes.setdefault((skeleton, frozenset(colliders)), []).append((dag, arcs))
    return list(classes.values())


def in_common(graphs):
    common = set.intersection(*graphs)
    loose = {tuple(sorted(arc)) for arcs in graphs for arc in arcs - common}
    return Pattern(frozenset(common), frozenset(loose))


def test_a_pattern_directs_what_all_equivalent_graphs_direct_alike():
    for members in equivalence_classes():
        for dag, _ in members:
            assert completed_pattern(dag) == in_common([arcs for _, arcs in members])


def test_a_pattern_with_prior_knowledge_is_what_the_graphs_left_have_in_common():
    rng = np.random.default_rng(0)
    for members in equivalence_classes():
        for dag, arcs in members[:6]:
            turned = sorted((v, u) for u, v in arcs)
            excluded = {arc for arc in turned if rng.random() < 0.25}
            left = [own for _, own in members if not own & excluded]
            assert completed_pattern(dag, excluded) == in_common(left)


def test_the_fourth_rule_directs_a_pair_by_prior_knowledge():
    # 3 -> 2 is known, 2 -> 1 follows since 1 and 3 are not joined; 0 joins all, and 0 -> 1 follows
    dag = [(), (0, 2), (0, 3), (0,)]
    assert completed_pattern(dag).directed == set()
    assert (0, 1) in completed_pattern(dag, {(2, 3)}).directed


@pytest.mark.parametrize("seed", range(6))
def test_graphs_are_equivalent_if_they_have_the_same_separations(seed):
    rng = np.random.default_rng(seed)
    dags = all_dags(4)
    first = dags[rng.integers(len(dags))]
    alike = [dag for dag in dags if completed_pattern(dag) == completed_pattern(first)]
    unlike = [dag for dag in dags if completed_pattern(dag) != completed_pattern(first)]
    assert first in alike
    for dag in alike[:5]:
        assert separations(dag) == separations(first)
    for i in rng.integers(len(unlike), size=5):
        assert separations(unlike[i]) != separations(first)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_patterns_equal_those_of_pgmpy(seed):
    pgmpy_base = pytest.importorskip("pgmpy.base")
    parents = random_dag(8, seed, 0.15 + 0.01 * seed)
    dag = pgmpy_base.DAG(digraph(parents))
    pdag = dag.to_cpdag() if hasattr(dag, "to_cpdag") else dag.to_pdag()
    pattern = completed_pattern(parents)
    assert {(u, v) for u, v in pdag.directed_edges} == pattern.directed
    assert {tuple(sorted(pair)) for pair in pdag.undirected_edges} == pattern.undirected


@pytest.mark.parametrize(
    "parents, directed, undirected",
    [
        ([(), (0,), (1,)], set(), {(0, 1), (1, 2)}),
        ([(), (0, 2), ()], {(0, 1), (2, 1)}, set()),
        ([(), (0,), (0, 1)], set(), {(0, 1), (0, 2), (1, 2)}),
        # rule 1 carries the direction of a collider on
        ([(), (0, 2), (), (1,), (3,)], {(0, 1), (2, 1), (1, 3), (3, 4)}, set()),
        # rule 3: 0 is joined to 1, 2 and 3, and 1 -> 3 <- 2
        ([(), (0,), (0,), (0, 1, 2)], {(1, 3), (2, 3), (0, 3)}, {(0, 1), (0, 2)}),
    ],
)
def test_patterns_made_by_hand(parents, directed, undirected):
    assert completed_pattern(parents) == Pattern(frozenset(directed), frozenset(undirected))


def test_equivalent_graphs_are_at_distance_zero_though_arcs_are_reversed():
    distance = structural_distance([(1,), (2,), ()], [(), (0,), (1,)])
    assert (distance.found, distance.reversed, distance.missed, distance.extra) == (0, 2, 0, 0)
    assert distance.shd == 0


def test_each_pair_counts_once_in_the_distance_of_patterns():
    # truth: collider 0 -> 2 <- 1, and 3 alone; graph: chain 0 -> 2 -> 1, and 2 -> 3
    distance = structural_distance([(), (2,), (0,), (2,)], [(), (), (0, 1), ()])
    assert (distance.found, distance.reversed, distance.missed, distance.extra) == (1, 1, 0, 1)
    assert distance.shd == 3  # two pairs undirected instead of directed, one extra


@pytest.mark.parametrize("seed", range(3))
def test_arcs_add_up_and_the_distance_is_symmetric(seed):
    ours, truth = random_dag(9, seed, 0.3), random_dag(9, seed + 100, 0.3)
    there, back = structural_distance(ours, truth), structural_distance(truth, ours)
    assert there.found + there.reversed + there.missed == sum(map(len, truth))
    assert there.found + there.reversed + there.extra == sum(map(len, ours))
    assert there.shd == back.shd >= there.missed + there.extra
    assert structural_distance(ours, ours).shd == 0


def test_graphs_of_different_size_are_refused():
    with pytest.raises(ValueError, match="have 2 and 1 nodes"):
        structural_distance([(), ()], [()])


def test_a_network_is_compared_with_a_truth_whose_variables_are_in_another_order():
    truth = generators.random_dag(n_nodes=5, random_state=2)
    order = [3, 0, 4, 1, 2]
    place = {v: i for i, v in enumerate(order)}
    turned = generators.Network(
        tuple(truth.names[v] for v in order),
        tuple(truth.states[v] for v in order),
        tuple(tuple(place[u] for u in truth.parent_indices[v]) for v in order),
        tuple(truth.cpts[v] for v in order),
    )
    distance = turned.structural_distance(truth)
    assert (distance.shd, distance.found) == (0, sum(map(len, truth.parent_indices)))
    flat = tuple(np.full(r, 1 / r) for r in truth.arities)
    empty = generators.Network(truth.names, truth.states, ((),) * 5, flat)
    assert empty.structural_distance(truth).missed == sum(map(len, truth.parent_indices))
    with pytest.raises(ValueError, match="give the truth the same names"):
        truth.structural_distance(generators.random_dag(n_nodes=4, random_state=2))
