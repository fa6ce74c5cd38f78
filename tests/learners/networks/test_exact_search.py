"""Exact search: kernels against plain twins, and the whole against every graph of four nodes."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import learn_network
from learners.code_lengths.multinomial import adaptive_code_length, ln_factorials, parameter_constant
from learners.code_lengths.network import arc_cost, structure_length
from learners.networks._kernels.exact_search import (
    best_subsets,
    cheapest_parents,
    family_costs,
    least_costs,
)
from learners.networks._kernels.holed_families import holed_family_costs
from learners.networks._kernels.set_scores import set_scores
from learners.networks.search import (
    ArcCosts,
    CheapestDag,
    FamilyTable,
    SearchProblem,
    exact,
    find_network,
    search_choice,
    shortest_at_fixed_point,
    shortest_over_arc_probabilities,
)
from learners.networks.search import (
    family_costs as family_costs_module,
)
from learners.networks.search import shortest_network as shortest_network_of
from learners.networks.search.chain_clock import ChainClock, SearchTimeout
from tests.marks import mostly_slow

COST = 0.17649


def shortest_network(codes, arities, *, arc_probability="joint", **options):
    return shortest_network_of(SearchProblem.of(codes, arities, **options), arc_probability=arc_probability)


@st.composite
def coded_tables(draw, max_nodes=5, holes=False):
    arities = np.array(draw(st.lists(st.integers(1, 4), min_size=1, max_size=max_nodes)), dtype=np.int64)
    n_rows = draw(st.integers(1, 60))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    common = rng.random(n_rows)
    mixed = [np.where(rng.random(n_rows) < 0.5, common, rng.random(n_rows)) for _ in arities]
    codes = np.array([(u * r).astype(np.uint8) for u, r in zip(mixed, arities, strict=True)])
    if holes:
        codes = np.where(rng.random(codes.shape) < 0.2, arities[:, None], codes).astype(np.uint8)
    return codes, arities


def linked_table(n_nodes, n_rows, seed):
    """Nodes of 2 to 4 values, each like the one before it."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(2, 5, n_nodes)
    codes = np.empty((n_nodes, n_rows), dtype=np.uint8)
    u = rng.random(n_rows)
    for v in range(n_nodes):
        u = np.where(rng.random(n_rows) < 0.6, u, rng.random(n_rows))
        codes[v] = u * arities[v]
    return codes, arities


def counts_of(codes, arities, parents, v):
    shape = [int(arities[u]) for u in (*parents, v)]
    out = np.zeros(shape, dtype=np.int64)
    np.add.at(out, tuple(codes[u].astype(int) for u in (*parents, v)), 1)
    return out.reshape(-1, shape[-1])


def family_cost(codes, arities, parents, v, cost=COST):
    counts = counts_of(codes, arities, parents, v)
    return float(adaptive_code_length(counts).sum() + cost * counts.shape[0] * (counts.shape[1] - 1))


def holed_family_cost(codes, arities, parents, v):
    """The child alone on all rows that have it, less what the parents save on the rows of the family."""
    known = codes < arities[:, None]
    fills = known[[*parents, v]].all(axis=0)
    alone = family_cost(codes[:, known[v]], arities, (), v)
    return (
        alone
        - family_cost(codes[:, fills], arities, (), v)
        + family_cost(codes[:, fills], arities, parents, v)
    )


def parent_sets(v, n_nodes):
    """Yield each parent set with its column in the tables of costs."""
    others = [u for u in range(n_nodes) if u != v]
    for short in range(1 << len(others)):
        yield short, tuple(u for i, u in enumerate(others) if short >> i & 1)


def kernel_costs(codes, arities, max_parents):
    """Run both kernels with plain, generous work space."""
    n_nodes, n_rows = codes.shape
    child_arities, index = np.unique(arities, return_inverse=True)
    filled = np.full(1 << n_nodes, np.nan)
    opened = np.full((1 << n_nodes, child_arities.size), np.nan)
    table = ln_factorials(n_rows + int(arities.max()))
    set_scores(codes, arities, child_arities, table, n_rows * 8, max_parents + 1, 0, 0, filled, opened)
    costs = np.full((n_nodes, 1 << (n_nodes - 1)), np.inf)
    family_costs(arities, index, filled, opened, COST, max_parents, np.arange(n_nodes), costs)
    return filled, opened, costs


def holed_costs(codes, arities, max_parents):
    table = ln_factorials(codes.shape[1] + 5)
    costs = np.full((len(arities), 1 << (len(arities) - 1)), np.inf)
    for v, row in enumerate(costs):
        holed_family_costs(codes, arities, table, COST, max_parents, v, 0, 0, row)
    return costs


def shortest_dag(costs, arc_cost):
    """Run the kernels of a search where all arcs are free and all orders allowed."""
    n_nodes = len(costs)
    best, least, bits = np.empty_like(costs), np.empty(1 << n_nodes), np.empty(n_nodes, dtype=np.int64)
    best_subsets(costs, arc_cost, np.full(n_nodes, (1 << n_nodes - 1) - 1), np.arange(n_nodes), best)
    early = np.full(n_nodes, (1 << n_nodes) - 1)
    least_costs(best, early, 0, 1 << n_nodes, least)
    cheapest_parents(best, early, least, bits)
    return least[-1], bits


@given(coded_tables())
def test_set_scores_equal_sums_over_cells(case):
    codes, arities = case
    filled, opened, _ = kernel_costs(codes, arities, len(arities) - 1)
    child_arities = np.unique(arities)
    for subset in range(1 << len(arities)):
        members = [u for u in range(len(arities)) if subset >> u & 1]
        _, cells = np.unique(codes[members], axis=1, return_counts=True) if members else (0, [codes.shape[1]])
        assert filled[subset] == pytest.approx(sum(math.lgamma(n + 1) for n in cells), abs=1e-9)
        for t, r in enumerate(child_arities):
            plain = sum(math.lgamma(n + r) - math.lgamma(r) for n in cells)
            assert opened[subset, t] == pytest.approx(plain, abs=1e-9)


def test_scores_stay_within_their_work_space():
    # compiled code does not check bounds, so the same lines are run by Python
    codes, arities = np.array([[0, 1, 1, 0], [1, 1, 0, 0], [0, 1, 0, 1]], np.uint8), np.full(3, 2)
    given = (codes, arities, np.array([2]), ln_factorials(6), 32, 3, 0, 0)
    spaces = [(np.full(8, np.nan), np.full((8, 1), np.nan)) for _ in range(2)]
    set_scores(*given, *spaces[0])
    set_scores.__wrapped__(*given, *spaces[1])
    for compiled, plain in zip(*spaces, strict=True):
        np.testing.assert_array_equal(compiled, plain)


@given(coded_tables(), st.integers(0, 4))
def test_family_costs_equal_the_plain_message_of_each_family(case, max_parents):
    codes, arities = case
    _, _, costs = kernel_costs(codes, arities, min(max_parents, len(arities) - 1))
    for v in range(len(arities)):
        for short, parents in parent_sets(v, len(arities)):
            plain = family_cost(codes, arities, parents, v) if len(parents) <= max_parents else np.inf
            assert costs[v, short] == pytest.approx(plain, abs=1e-9)


@given(coded_tables(holes=True))
def test_families_with_holes_save_only_on_the_rows_that_fill_them(case):
    codes, arities = case
    costs = holed_costs(codes, arities, len(arities) - 1)
    for v in range(len(arities)):
        for short, parents in parent_sets(v, len(arities)):
            assert costs[v, short] == pytest.approx(holed_family_cost(codes, arities, parents, v), abs=1e-9)


@given(coded_tables(), st.integers(0, 4))
def test_without_holes_both_ways_of_scoring_agree(case, max_parents):
    codes, arities = case
    limit = min(max_parents, len(arities) - 1)
    holed = holed_costs(codes, arities, limit)
    np.testing.assert_allclose(holed, kernel_costs(codes, arities, limit)[2], rtol=0, atol=1e-9)


def is_acyclic(parents):
    left = set(range(len(parents)))
    while free := {v for v in left if not left.intersection(parents[v])}:
        left -= free
    return not left


def all_dags(n_nodes):
    choices = [[parents for _, parents in parent_sets(v, n_nodes)] for v in range(n_nodes)]
    return [dag for dag in itertools.product(*choices) if is_acyclic(dag)]


DAGS_OF_FOUR = all_dags(4)


def test_there_are_543_graphs_of_four_nodes():
    assert len(DAGS_OF_FOUR) == 543


@given(st.integers(0, 2**32 - 1), st.floats(-3, 5))
def test_dynamic_programming_finds_the_cheapest_of_all_graphs(seed, arc_cost):
    costs = np.random.default_rng(seed).random((4, 8)) * 10
    cost_of = {(v, parents): costs[v, short] for v in range(4) for short, parents in parent_sets(v, 4)}
    found, bits = shortest_dag(costs, arc_cost)
    plain = [
        sum(cost_of[v, parents] + arc_cost * len(parents) for v, parents in enumerate(dag))
        for dag in DAGS_OF_FOUR
    ]
    assert found == pytest.approx(min(plain), abs=1e-12)
    parents = tuple(tuple(u for u in range(4) if bits[v] >> u & 1) for v in range(4))
    assert is_acyclic(parents)
    assert sum(cost_of[v, p] + arc_cost * len(p) for v, p in enumerate(parents)) == pytest.approx(
        found, abs=1e-12
    )


def test_a_parent_that_saves_nothing_is_left_out():
    _, bits = shortest_dag(np.zeros((3, 4)), 0.0)
    assert bits.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("seed", "p", "max_parents"), [(0, 0.1, None), (1, 0.5, None), (2, 0.9, None), (3, 0.5, 1)]
)
def test_the_shortest_network_is_the_shortest_of_all_graphs(seed, p, max_parents):
    codes, arities = linked_table(4, 40, seed)
    cost = parameter_constant("exact")
    lengths = {
        dag: structure_length(sum(map(len, dag)), 4, p)
        + sum(family_cost(codes, arities, parents, v, cost) for v, parents in enumerate(dag))
        for dag in DAGS_OF_FOUR
        if max_parents is None or max(map(len, dag)) <= max_parents
    }
    found = shortest_network(codes, arities, arc_probability=p, max_parents=max_parents)
    assert found.length == pytest.approx(min(lengths.values()), abs=1e-9)
    assert lengths[found.parents] == pytest.approx(found.length, abs=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_joint_arc_probability_is_the_best_of_all(seed):
    n_nodes = 2 + seed % 6
    codes, arities = linked_table(n_nodes, (30, 300, 2000)[seed % 3], seed)
    pairs = n_nodes * (n_nodes - 1) // 2
    lengths = [
        shortest_network(codes, arities, arc_probability=(a + 0.5) / (pairs + 1)).length
        for a in range(pairs + 1)
    ]
    found = shortest_network(codes, arities)
    assert found.length == pytest.approx(min(lengths), abs=1e-9)
    assert found.arc_probability == (int(np.argmin(lengths)) + 0.5) / (pairs + 1)


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_few_searches_find_the_best_arc_probability(n_nodes, seed):
    rng = np.random.default_rng(seed)
    pairs = n_nodes * (n_nodes - 1) // 2
    # the cheapest graph with a arcs, for any number of arcs: no need of a table
    costs = 50 - np.cumsum(rng.exponential(3, pairs + 1))
    searched = []

    def cheapest(arc_cost):
        searched.append(arc_cost)
        a = int(np.argmin(costs + arc_cost * np.arange(pairs + 1)))
        return CheapestDag(costs[a] + arc_cost * a, (), a)

    def length(a):
        p = (a + 0.5) / (pairs + 1)
        return (costs + arc_cost(p) * np.arange(pairs + 1)).min() - pairs * math.log1p(-p)

    lengths = [length(a) for a in range(pairs + 1)]
    best = shortest_over_arc_probabilities(cheapest, ArcCosts.uniform(n_nodes))
    assert best.length == pytest.approx(min(lengths), abs=1e-9)
    assert best.arc_probability == (int(np.argmin(lengths)) + 0.5) / (pairs + 1)
    assert best.n_searches == len(searched) == len(set(searched))


def test_joint_search_looks_at_few_of_the_probabilities():
    codes, arities = linked_table(8, 1000, 0)
    cheapest_calls = []
    # 29 probabilities; the message is long, so that chords bound well
    costs = kernel_costs(codes, arities, 7)[2]

    def cheapest(arc_cost):
        cheapest_calls.append(arc_cost)
        cost, bits = shortest_dag(costs, arc_cost)
        parents = tuple(tuple(u for u in range(8) if b >> u & 1) for b in bits)
        return CheapestDag(cost, parents, sum(map(len, parents)))

    shortest_over_arc_probabilities(cheapest, ArcCosts.uniform(8))
    assert len(cheapest_calls) <= 5


def test_equal_lengths_take_the_smaller_number_of_arcs():
    # an arc is free of charge either way: p = 1/4 without it and p = 3/4 with it cost the same
    best = shortest_over_arc_probabilities(
        lambda arc_cost: (
            CheapestDag(0.0, ((), ()), 0) if arc_cost >= 0 else CheapestDag(arc_cost, ((), (0,)), 1)
        ),
        ArcCosts.uniform(2),
    )
    assert best.arc_probability == 0.25
    assert best.parents == ((), ())


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_the_columns_does_not_change_the_length(seed):
    codes, arities = linked_table(6, 200, seed)
    order = np.random.default_rng(seed).permutation(6)
    as_given, shuffled = shortest_network(codes, arities), shortest_network(codes[order], arities[order])
    assert shuffled.length == pytest.approx(as_given.length, abs=1e-9)
    assert shuffled.arc_probability == as_given.arc_probability


def test_a_hole_changes_only_what_it_touches():
    codes, arities = linked_table(5, 300, 3)
    holed = codes.copy()
    holed[2, 7] = arities[2]
    found = shortest_network(holed, arities, arc_probability=0.5)
    plain = structure_length(sum(map(len, found.parents)), 5, 0.5) + sum(
        holed_family_cost(holed, arities, parents, v) for v, parents in enumerate(found.parents)
    )
    free = sum(
        (arities[v] - 1) * np.prod([arities[u] for u in parents]) for v, parents in enumerate(found.parents)
    )
    assert found.length == pytest.approx(plain + free * (parameter_constant("exact") - COST), abs=1e-9)


def test_a_column_without_any_value_stays_alone():
    codes, arities = linked_table(4, 200, 1)
    codes[1] = arities[1]
    found = shortest_network(codes, arities, arc_probability=0.3)
    assert found.parents[1] == ()
    assert all(1 not in parents for parents in found.parents)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_a_chain_is_recovered_from_5000_rows(dtype):
    rng = np.random.default_rng(0)
    chain = [rng.integers(0, 3, 5000)]
    for _ in range(4):
        chain.append(np.where(rng.random(5000) < 0.7, chain[-1], rng.integers(0, 3, 5000)))
    found = shortest_network(np.array(chain, dtype=dtype), np.full(5, 3))
    skeleton = {frozenset((u, v)) for v, parents in enumerate(found.parents) for u in parents}
    assert skeleton == {frozenset((v, v + 1)) for v in range(4)}
    assert max(map(len, found.parents)) == 1  # no collider: the chain's own equivalence class


def test_one_node_and_one_row_are_enough():
    found = shortest_network(np.array([[1]], dtype=np.uint8), np.array([3]))
    assert found.parents == ((),)
    assert found.arc_probability == 0.5
    assert found.length == pytest.approx(
        float(adaptive_code_length(np.array([0, 1, 0]))) + 2 * parameter_constant("exact") + 0.0
    )


def test_many_values_in_two_columns_are_no_trouble():
    rng = np.random.default_rng(0)
    codes = np.array([rng.permutation(400), rng.permutation(400), rng.integers(0, 2, 400)], dtype=np.uint16)
    assert shortest_network(codes, np.array([400, 400, 2])).parents == ((), (), ())


def test_more_than_25_nodes_are_refused():
    with pytest.raises(ValueError, match=r"25 variables.*table.*26"):
        shortest_network(np.zeros((26, 5), dtype=np.uint8), np.full(26, 2))


def test_more_memory_than_the_machine_has_is_refused(monkeypatch):
    monkeypatch.setattr(family_costs_module.os, "sysconf", lambda name: 1 << 16)  # 4.3 GB in all
    with pytest.raises(ValueError, match=r"25.*7\.0 GB.*4\.3"):
        shortest_network(np.zeros((25, 5), dtype=np.uint8), np.full(25, 2))


@pytest.mark.parametrize(
    "options",
    [{}, {"max_parents": 2}, {"max_cells": 20}, {"holes": True}, {"holes": True, "max_parents": 2},
     {"local_model": "tree"}, {"local_model": "shorter", "max_parents": 2}, {"local_model": "auto"}],
)  # fmt: skip
def test_families_in_blocks_cost_the_same(options, monkeypatch):
    codes, arities = linked_table(7, 80, 2)
    options = dict(options)
    if options.pop("holes", False):
        codes[np.random.default_rng(0).random(codes.shape) < 0.1] = 4
        codes = np.minimum(codes, arities[:, None]).astype(np.uint8)
    problem = SearchProblem.of(codes, arities, **options)
    whole = FamilyTable.of(problem)
    monkeypatch.setattr(family_costs_module, "BLOCK_WORK", 80 * 16)
    monkeypatch.setattr(family_costs_module, "SLOW_TREES", 1)
    monkeypatch.setattr(family_costs_module, "BLOCK_FAMILIES", 128)
    shares = []
    blocks = FamilyTable.of(replace(problem), shares.append)  # the table of the same problem is kept
    np.testing.assert_allclose(blocks.costs, whole.costs, rtol=0, atol=1e-9)
    assert shares == sorted(shares)
    assert len(shares) > 4
    assert shares[-1] == 1.0


def test_a_search_in_blocks_finds_the_same(monkeypatch):
    codes, arities = linked_table(7, 200, 1)
    problem = SearchProblem.of(codes, arities)
    whole = shortest_network_of(problem)
    for module in (exact, family_costs_module):
        monkeypatch.setattr(module, "BLOCK_FAMILIES", 16)
    blocks = shortest_network_of(problem)
    assert (blocks.parents, blocks.length) == (whole.parents, whole.length)


def test_a_stopped_exact_search_ends_in_a_quick_one(monkeypatch):
    codes, arities = linked_table(6, 100, 0)
    problem = SearchProblem.of(codes, arities)
    best = find_network(problem)

    def stopped(*_, **options):
        assert options["clock"]._limit == 2.7
        raise SearchTimeout

    monkeypatch.setattr(search_choice, "shortest_network", stopped)
    found = find_network(problem, search="exact", max_seconds=3.0, random_state=0)
    assert (best.interrupted, found.interrupted) == (False, True)
    assert found.length >= best.length - 1e-9
    assert found.length == pytest.approx(problem.length(found.parents, found.arc_probability))


def test_the_exact_search_obeys_its_time_limit():
    codes, arities = linked_table(6, 100, 0)
    with pytest.raises(SearchTimeout):
        shortest_network_of(SearchProblem.of(codes, arities), clock=ChainClock("Search", 1e-9))


def test_a_large_exact_search_says_its_memory_before(monkeypatch):
    codes, arities = linked_table(6, 100, 0)
    monkeypatch.setattr(search_choice, "LARGE", 1e3)
    with pytest.warns(UserWarning, match=r"6.*0\.0 GB"):
        find_network(SearchProblem.of(codes, arities), search="exact")


@pytest.mark.filterwarnings("ignore::learners.ConstantColumnWarning")
def test_more_variables_than_a_float_can_count_are_refused_in_words():
    with pytest.raises(ValueError, match=r"25.*1100"):
        learn_network(np.zeros((5, 1100), dtype=int), search="exact")


@pytest.mark.parametrize("option", ["max_parents", "max_cells"])
def test_a_limit_that_is_no_count_is_refused(option):
    for wrong in (-1, 1.5, True, "two"):
        with pytest.raises(ValueError, match=option):
            shortest_network(np.zeros((2, 5), dtype=np.uint8), np.full(2, 2), **{option: wrong})


def test_an_unknown_search_is_refused():
    problem = SearchProblem.of(np.zeros((2, 5), dtype=np.uint8), np.full(2, 2))
    with pytest.raises(ValueError, match=r"search.*'all'"):
        find_network(problem, search="all")


@pytest.mark.parametrize(
    "n_nodes, options, exact",
    [
        (16, {}, True),
        (17, {}, False),
        (9, {"local_model": "tree"}, True),
        (10, {"local_model": "logit"}, False),
    ],
)
def test_auto_is_exact_where_that_is_quick(n_nodes, options, exact, monkeypatch):
    codes, arities = linked_table(n_nodes, 30, 0)
    problem = SearchProblem.of(codes, arities, max_parents=1, **options)
    asked = []
    monkeypatch.setattr(search_choice, "shortest_network", lambda *_, **__: asked.append("exact"))
    monkeypatch.setattr(search_choice, "fast_search", lambda *_, **__: asked.append("fast"))
    find_network(problem)
    assert asked == ["exact" if exact else "fast"]


@given(coded_tables(holes=True), st.integers(0, 2**32 - 1))
def test_one_family_costs_what_it_costs_in_the_table_of_all(case, seed):
    codes, arities = case
    problem = SearchProblem.of(codes, arities, constant="rounded")
    rng = np.random.default_rng(seed)
    v = int(rng.integers(len(arities)))
    parents = [int(u) for u in rng.permutation(len(arities)) if u != v and rng.random() < 0.6]
    plain = holed_family_cost(codes, arities, parents, v)
    assert problem.family_cost(v, parents) == pytest.approx(plain, abs=1e-9)


def test_a_family_of_many_cells_costs_the_same_when_cells_are_renumbered():
    codes, arities = linked_table(12, 60, 0)
    problem = SearchProblem.of(codes, arities, constant="rounded")
    plain = holed_family_cost(codes, arities, list(range(11)), 11)
    assert problem.family_cost(11, range(11)) == pytest.approx(plain, abs=1e-9)


def random_arc_costs(n_nodes, seed):
    """Some arcs free, some at a cost, some forbidden, one required."""
    rng = np.random.default_rng(seed)
    kind = rng.random((n_nodes, n_nodes))
    free = (kind < 0.4) & ~np.eye(n_nodes, dtype=bool)
    fixed = np.where(free, 0.0, np.where(kind < 0.8, rng.normal(0, 4, kind.shape), np.inf))
    required = np.zeros_like(free)
    u, v = rng.permutation(n_nodes)[:2]
    required[u, v], free[u, v], fixed[u, v], fixed[v, u], free[v, u] = True, False, 0.0, np.inf, False
    return ArcCosts(free, fixed, required, ~np.eye(n_nodes, dtype=bool), 1.5)


@pytest.mark.parametrize("seed", range(4))
def test_arc_costs_are_obeyed(seed):
    codes, arities = linked_table(4, 60, seed)
    arc_costs = random_arc_costs(4, seed)
    problem = SearchProblem.of(codes, arities, arc_costs=arc_costs, max_cells=40)
    lengths = {dag: problem.length(dag, 0.3) for dag in DAGS_OF_FOUR}
    found = shortest_network_of(problem, arc_probability=0.3)
    assert found.length == pytest.approx(min(lengths.values()), abs=1e-9)
    assert lengths[found.parents] == pytest.approx(found.length, abs=1e-9)


@pytest.mark.parametrize("seed", mostly_slow(range(4), 2))
def test_pairs_with_fixed_costs_do_not_affect_the_arc_probability(seed):
    codes, arities = linked_table(4, 200, seed)
    arc_costs = random_arc_costs(4, seed)
    problem = SearchProblem.of(codes, arities, arc_costs=arc_costs)
    grid = (np.arange(arc_costs.n_pairs + 1) + 0.5) / (arc_costs.n_pairs + 1)
    lengths = [min(problem.length(dag, p) for dag in DAGS_OF_FOUR) for p in grid]
    found = shortest_network_of(problem)
    assert found.length == pytest.approx(min(lengths), abs=1e-9)
    assert found.arc_probability == grid[int(np.argmin(lengths))]


@pytest.mark.parametrize("seed", range(3))
def test_the_fixed_point_is_its_own_estimate_and_never_shorter_than_the_joint_choice(seed):
    codes, arities = linked_table(6, 300, seed)
    fixed = shortest_network(codes, arities, arc_probability="fixed_point")
    joint = shortest_network(codes, arities)
    assert fixed.arc_probability == (sum(map(len, fixed.parents)) + 0.5) / 16
    assert fixed.length >= joint.length - 1e-9
    again = shortest_network(codes, arities, arc_probability=fixed.arc_probability)
    assert again.length == pytest.approx(fixed.length, abs=1e-9)


def test_a_fixed_point_that_jumps_back_and_forth_ends():
    # no concave cost does this; a search that misses the cheapest graph may
    arcs = iter([1, 0, 1, 0])
    best = shortest_at_fixed_point(lambda arc_cost: CheapestDag(0.0, (), next(arcs)), ArcCosts.uniform(2))
    assert best.n_searches == 3


def test_arcs_that_leave_no_network_are_refused():
    codes, arities = linked_table(3, 30, 0)
    arc_costs = ArcCosts.uniform(3)
    required = arc_costs.required.copy()
    required[0, 1] = required[1, 2] = required[2, 0] = True
    cycle = ArcCosts(arc_costs.free & ~required, arc_costs.fixed, required, arc_costs.before)
    for p in (0.5, "joint", "fixed_point"):
        with pytest.raises(ValueError, match=r"network.*required"):
            shortest_network(codes, arities, arc_costs=cycle, arc_probability=p)


@pytest.mark.parametrize("seed", range(6))
def test_no_node_is_where_it_may_not_be(seed):
    # some pairs have a fixed order, whether or not they are joined
    codes, arities = linked_table(4, 80, seed)
    arc_costs = random_arc_costs(4, seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(4)
    before = arc_costs.before.copy()
    for first, second in ((0, 1), (1, 3)):
        if not arc_costs.required[order[second], order[first]]:
            before[order[second], order[first]] = False
    problem = SearchProblem.of(codes, arities, arc_costs=replace(arc_costs, before=before))
    lengths = {}
    for nodes in itertools.permutations(range(4)):
        if all(before[u, v] for u, v in itertools.combinations(nodes, 2)):
            for dag in DAGS_OF_FOUR:
                if all(nodes.index(u) < nodes.index(v) for v, others in enumerate(dag) for u in others):
                    lengths[dag] = problem.length(dag, 0.3)
    if min(lengths.values(), default=np.inf) == np.inf:
        with pytest.raises(ValueError, match=r"network.*required"):
            shortest_network_of(problem, arc_probability=0.3)
        return
    found = shortest_network_of(problem, arc_probability=0.3)
    assert found.length == pytest.approx(min(lengths.values()), abs=1e-9)
    assert lengths[found.parents] == pytest.approx(found.length, abs=1e-9)
