"""Chains of totally ordered models: proposals and steps against a plain twin, posteriors against sums."""

import itertools
import math

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from learners.networks._kernels.family_cache import cached_family_cost
from learners.networks._kernels.tom_chain import search_block
from learners.networks._kernels.tom_tally import (
    IGNORED,
    LENGTHS,
    N_CHANGES,
    N_GRAPHS,
    N_STEPS,
    REFERENCE,
    SQUARES,
    TOTAL,
    begin,
    bring_up_to_date,
    new_tally,
    sample_block,
)
from learners.networks.search.annealing import anneal
from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.chain_clock import ChainClock
from learners.networks.search.exact import shortest_network
from learners.networks.search.family_costs import FamilyTable
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.metropolis import sample_toms
from learners.networks.search.search_problem import SearchProblem
from learners.networks.search.toms import TomSpace, empty_cache, parents_of
from learners.networks.search.weighted_graphs import WeightedGraphs
from learners.networks.structure_prior import StructurePrior
from tests.brute_force import all_toms, counted_shares, parents_in, tom_length


def linked_table(n_nodes, n_rows, seed, holes=False):
    """Nodes of 2 or 3 values, each like the one before it."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(2, 4, n_nodes)
    codes = np.empty((n_nodes, n_rows), dtype=np.uint8)
    u = rng.random(n_rows)
    for v in range(n_nodes):
        u = np.where(rng.random(n_rows) < 0.6, u, rng.random(n_rows))
        codes[v] = u * arities[v]
    if holes:
        codes = np.where(rng.random(codes.shape) < 0.1, arities[:, None], codes).astype(np.uint8)
    return codes, arities


def problem_of(n_nodes, n_rows, seed, holes=False, **options):
    return SearchProblem.of(*linked_table(n_nodes, n_rows, seed, holes), **options)


def numbers_of(n_nodes, n_rows, seed, **options):
    """Numbers, each like the one before it."""
    values = np.random.default_rng(seed).normal(size=(n_nodes, n_rows)).cumsum(axis=0)
    return GaussianProblem.of(values, **options)


def mixed_arc_costs(n_nodes, seed):
    """Arcs free, at a cost, forbidden; one required; and one pair whose order is given."""
    rng = np.random.default_rng(seed)
    kind = rng.random((n_nodes, n_nodes))
    free = (kind < 0.6) & ~np.eye(n_nodes, dtype=bool)
    fixed = np.where(free, 0.0, np.where(kind < 0.85, rng.normal(0, 2, kind.shape), np.inf))
    required, before = np.zeros_like(free), ~np.eye(n_nodes, dtype=bool)
    a, b, c = rng.permutation(n_nodes)[:3]
    required[a, b], free[a, b], fixed[a, b], free[b, a], fixed[b, a] = True, False, 0.0, False, np.inf
    before[c, a], free[c, a], fixed[c, a] = False, False, np.inf
    return ArcCosts(free, fixed, required, before, 0.7)


@pytest.fixture(scope="module")
def asia(golden):
    codes = pd.read_csv(golden / "camml_asia_n500.csv").to_numpy().T
    return SearchProblem.of(
        np.ascontiguousarray(codes - codes.min(), dtype=np.uint8), np.full(8, 2), constant="rounded"
    )


# --- the plain twin: a model is (order, frozenset of arcs (from, to)) ---


def proposed(tom, draw, original=False):
    """Return the model that the draws propose, or None."""
    order, arcs = tom
    n = len(order)
    place = {v: i for i, v in enumerate(order)}
    move = int(6 * draw[0])
    if move < 2:
        u = int(draw[1] * n)
        v = [w for w in range(n) if w != u][int(draw[2] * (n - 1))]
        return order, arcs ^ {tuple(sorted((u, v), key=place.get))}
    if move < 4:
        i = int(draw[1] * (n - 1))
        a, b = order[i], order[i + 1]
        turned = (arcs - {(a, b)}) | {(b, a)} if (a, b) in arcs else arcs
        return (*order[:i], b, a, *order[i + 2 :]), turned
    if n < 3:
        return None
    if move == 4:
        u = int(draw[1] * n)
        v = [w for w in range(n) if w != u][int(draw[2] * (n - 1))]
        w = [w for w in range(n) if w not in (u, v)][int(draw[3] * (n - 2))]
        *others, child = sorted((u, v, w), key=place.get)
        return order, arcs ^ {(other, child) for other in others}
    j = min(math.floor((n - 2) * (1 - draw[1] ** 2)), n - 3)
    child = order[j + 2]
    old = [u for u in order[: j + 2] if (u, child) in arcs]
    new = [u for u in order[: j + 2] if (u, child) not in arcs]
    if original:
        new = new[: max(0, j - len(old))]
    if not old or not new:
        return None
    drop, take = old[int(draw[2] * len(old))], new[int(draw[3] * len(new))]
    return order, (arcs - {(drop, child)}) | {(take, child)}


def obeys(problem, tom):
    order, _ = tom
    arc_costs = problem.arc_costs
    in_order = all(arc_costs.before[u, v] for u, v in itertools.combinations(order, 2))
    return in_order and math.isfinite(problem.length(parents_in(tom), 0.3))


class Twin:
    """A slow chain that keeps books sample by sample."""

    def __init__(self, problem, p, temperature, tom, original=False):
        self.problem, self.p, self.temperature, self.original = problem, p, temperature, original
        self.tom = tom
        self.shares = counted_shares(problem.n_nodes, p) if problem.arc_costs.indirect else None
        self.cost = tom_length(problem, tom, p, self.shares)
        self.reference = self.cost
        self.samples = []
        self.n_changes = 0

    def step(self, draw, ceiling=math.inf):
        new = proposed(self.tom, draw, self.original)
        if new is None or not obeys(self.problem, new):
            return
        cost = tom_length(self.problem, new, self.p, self.shares)
        rise = cost - self.cost
        if rise <= 0 or (self.cost <= ceiling and -math.log(draw[4]) > rise / self.temperature):
            self.n_changes += new[1] != self.tom[1] or abs(rise) > 1e-9
            self.tom, self.cost = new, cost

    def sample(self):
        self.samples.append((self.cost, self.tom))


def cleaned(problem, p, tom, shares):
    """Drop arcs that do not shorten the message, child by child, the last parent first."""
    order, arcs = tom
    for v in range(len(order)):
        for u in sorted((u for u, child in arcs if child == v), reverse=True):
            fewer = order, arcs - {(u, v)}
            rise = tom_length(problem, fewer, p, shares) - tom_length(problem, (order, arcs), p, shares)
            if not problem.arc_costs.required[u, v] and rise <= 1e-12:
                arcs = arcs - {(u, v)}
    return parents_in((order, arcs))


def as_tom(tom):
    return tuple(tom.order.tolist()), frozenset(
        (int(u), int(v)) for v, row in enumerate(tom.parents) for u in np.flatnonzero(row)
    )


def opinions(n_nodes, **given):
    return StructurePrior(**given).arc_costs(tuple(f"x{j}" for j in range(n_nodes)))


RELATIONS = {"ancestors": {(3, 0): 0.9, (0, 2): 0.2}, "correlated": {(1, 4): 0.1, (2, 5): 0.9}}
ORDER = {"order": [5, 1, 3, 0], "order_penalty": 0.7}

CASES = [
    ("plain", {}, False, False),
    ("holes and limits", {"max_parents": 2, "max_cells": 24}, True, False),
    ("arc costs", {"arc_costs": mixed_arc_costs(6, 4)}, False, False),
    ("original", {}, False, True),
    ("trees", {"local_model": "tree"}, False, False),
    ("shortest of three", {"local_model": "auto"}, True, False),
    ("relations", {"arc_costs": opinions(6, **RELATIONS)}, False, False),
    ("relations and order", {"arc_costs": opinions(6, **RELATIONS, **ORDER)}, True, True),
]


@pytest.mark.slow
@pytest.mark.parametrize("name, options, holes, original", CASES, ids=[c[0] for c in CASES])
def test_the_chain_takes_the_steps_of_the_plain_twin(name, options, holes, original):
    problem = problem_of(6, 60, 1, holes, **options)
    rng = np.random.default_rng(7)
    space = TomSpace(problem)
    rules = space.rules(0.3, original_swap=original)
    tom = space.empty(rules, rng)
    twin = Twin(problem, 0.3, 1.8, as_tom(tom), original)
    tally = new_tally(6, 4096)
    begin(space.cache, rules, tom, tally, np.inf, 1 - 1 / 1.8)
    twin.sample()
    for size in (1, 2, 5, 50, 1000):
        draws = rng.random((size, 5))
        sample_block(space.cache, rules, tom, tally, draws, 1.8)
        for draw in draws:
            twin.step(draw)
            twin.sample()
        assert as_tom(tom) == twin.tom
        assert tom.cost[0] == pytest.approx(twin.cost, abs=1e-9)
        bring_up_to_date(tom, tally)
        check_books(problem, tally, twin)
    assert twin.n_changes > 100


def check_books(problem, tally, twin):
    costs = np.array([cost for cost, _ in twin.samples])
    weights = np.exp((costs.min() - costs) * (1 - 1 / 1.8))
    arcs, graphs, orders, ignored, shortest = np.zeros((6, 6)), {}, {}, 0.0, np.inf
    for (cost, tom), weight in zip(twin.samples, weights, strict=True):
        shortest = min(shortest, cost)
        for arc in tom[1]:
            arcs[arc] += weight
        if cost < shortest + 30:
            graph = cleaned(problem, 0.3, tom, twin.shares)
            graphs[graph] = graphs.get(graph, 0.0) + weight
            orders.setdefault(graph, set()).add(tom[0])
        else:
            ignored += weight
    assert tally.sums[REFERENCE] == pytest.approx(costs.min(), abs=1e-9)
    assert tally.sums[TOTAL] == pytest.approx(weights.sum())
    assert tally.sums[SQUARES] == pytest.approx((weights**2).sum())
    mean = tally.sums[LENGTHS] / tally.sums[TOTAL] + tally.sums[REFERENCE]
    assert mean == pytest.approx((weights * costs).sum() / weights.sum())
    assert tally.numbers[N_STEPS] == len(costs)
    assert tally.numbers[N_CHANGES] == twin.n_changes
    np.testing.assert_allclose(tally.arcs, arcs, rtol=1e-9, atol=1e-9 * weights.sum())
    assert tally.sums[IGNORED] == pytest.approx(ignored, abs=1e-9 * weights.sum())
    n_graphs = tally.numbers[N_GRAPHS]
    kept = WeightedGraphs(tally.graph_bits[:n_graphs], tally.graph_weights[:n_graphs])
    assert n_graphs == len(graphs)
    for g in range(n_graphs):
        assert kept.weights[g] == pytest.approx(graphs[kept.parents(g)], abs=1e-9 * weights.sum())
        parents = kept.parents(g)
        own = frozenset((u, v) for v, others in enumerate(parents) for u in others)
        met = orders[parents] if twin.shares else list(orders[parents])[:1]
        lengths = [tom_length(problem, (order, own), 0.3, twin.shares) for order in met]
        assert tally.graph_lengths[g] == pytest.approx(min(lengths), abs=1e-9)


@pytest.mark.slow
def test_the_search_takes_the_same_steps_and_none_up_far_above_the_best():
    problem = problem_of(6, 200, 2)
    rng = np.random.default_rng(3)
    space = TomSpace(problem)
    rules = space.rules(0.3, original_swap=True)
    tom = space.filled(rules, rng)
    best = space.tom(rules, tom.order, parents_of(tom.parents))
    twin = Twin(problem, 0.3, 3.0, as_tom(tom), original=True)
    shortest = twin.cost
    for draw in rng.random((2000, 5)):
        search_block(space.cache, rules, tom, draw[None], 3.0, 4.0, best)
        twin.step(draw, ceiling=shortest + 4.0)
        if twin.cost < shortest - 0.001:
            shortest = twin.cost
            found = twin.tom
    assert as_tom(tom) == twin.tom
    assert best.cost[0] == pytest.approx(shortest, abs=1e-9)
    assert (tuple(best.order.tolist()), parents_of(best.parents)) == (found[0], parents_in(found))


def middles(n):
    return (np.arange(n) + 0.5) / n


def proposal_matrix(toms, original=False):
    """Probability that row proposes column, exact up to how the parent swap chooses its child.

    Grids of uniforms hit each choice among 2, 3 or 4 equally often; the child of the parent swap is the same
    on the way back, so that the grid takes both ways equally often whatever its weights are.
    """
    n = len(toms[0][0])
    number = {tom: i for i, tom in enumerate(toms)}
    halves, sixths = middles(2), middles(6)
    grids = (
        (1 / 3, 0.1, (middles(n), middles(n - 1), [0.0])),
        (1 / 3, 0.4, (middles(n - 1), [0.0], [0.0])),
        (1 / 6, 0.7, (middles(n), middles(n - 1), middles(n - 2))),
        (1 / 6, 0.9, (halves if n < 5 else middles(3), sixths, sixths)),
    )
    matrix = np.zeros((len(toms), len(toms)))
    for i, tom in enumerate(toms):
        for share, kind, (us, vs, ws) in grids:
            mass = share / (len(us) * len(vs) * len(ws))
            for u, v, w in itertools.product(us, vs, ws):
                new = proposed(tom, (kind, u, v, w), original)
                matrix[i, i if new is None else number[new]] += mass
    return matrix


@pytest.fixture(scope="module", params=[3, pytest.param(4, marks=pytest.mark.slow)])
def proposals(request):
    toms = list(all_toms(request.param))
    return toms, proposal_matrix(toms)


def test_every_proposal_is_as_probable_as_its_way_back(proposals):
    toms, matrix = proposals
    assert len(toms) == {3: 48, 4: 1536}[len(toms[0][0])]
    np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize(
    "given", [{}, {"ancestors": {(2, 0): 0.9}, "correlated": {(0, 1): 0.2}, "order": [1, 0]}]
)
@pytest.mark.parametrize("make", [problem_of, numbers_of], ids=["table", "numbers"])
def test_the_chain_is_in_balance_at_the_tempered_posterior(proposals, make, given):
    toms, matrix = proposals
    temperature, n_nodes = 1.8, len(toms[0][0])
    problem = make(n_nodes, 30, 5, arc_costs=opinions(n_nodes, **given))
    shares = counted_shares(n_nodes, 0.3)
    costs = np.array([tom_length(problem, tom, 0.3, shares) for tom in toms])
    posterior = np.exp((costs.min() - costs) / temperature)
    posterior /= posterior.sum()
    steps = matrix * np.minimum(1, np.exp((costs[:, None] - costs) / temperature))
    np.fill_diagonal(steps, 0)
    np.fill_diagonal(steps, 1 - steps.sum(axis=1))
    assert steps.min() >= -1e-12
    flow = posterior[:, None] * steps
    np.testing.assert_allclose(flow, flow.T, atol=1e-15)
    np.testing.assert_allclose(posterior @ steps, posterior, atol=1e-14)
    reached = np.zeros(len(toms), bool)
    reached[0] = True
    for _ in range(40):
        reached |= reached @ (steps > 0)
    assert reached.all()


def test_the_original_parent_swap_has_no_way_back_from_five_nodes_on():
    order = (0, 1, 2, 3, 4)
    for original, balanced in ((False, True), (True, False)):
        differences = []
        for arcs in ({(2, 4)}, {(3, 4)}, {(0, 4)}, {(0, 4), (3, 4)}):
            there = swaps((order, frozenset(arcs)), original)
            differences += [
                abs(p - swaps(new, original).get((order, frozenset(arcs)), 0)) for new, p in there.items()
            ]
        assert differences
        assert (max(differences) < 1e-12) == balanced


def swaps(tom, original):
    """How probable each parent swap is, apart from how the child is chosen."""
    found = {}
    grid = middles(12)
    for u, v, w in itertools.product(middles(3), grid, grid):
        new = proposed(tom, (0.9, u, v, w), original)
        if new is not None:
            found[new] = found.get(new, 0) + 1 / (3 * len(grid) ** 2)
    return found


@pytest.mark.slow
def test_with_four_nodes_the_original_swap_is_still_symmetric():
    toms = list(all_toms(4))
    matrix = proposal_matrix(toms, original=True)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-15)


# --- the sampler against sums over all orders ---


def exact_arc_posteriors(problem, p):
    """Sum over all orders by dynamic programming over sets of nodes, arc by arc."""
    table = FamilyTable.of(problem)
    n = problem.n_nodes
    arc_cost = math.log((1 - p) / p)
    weights = np.full((n, 1 << n), -np.inf)  # logs
    for v in range(n):
        for short in range(1 << (n - 1)):
            own = (short >> v << (v + 1)) | (short & ((1 << v) - 1))
            n_free = bin(short & int(table.free[v])).count("1")
            weights[v, own] = -table.costs[v, short] - arc_cost * n_free

    def total(weights):
        sums, sets = weights.copy(), np.arange(1 << n)
        for bit in range(n):
            has = sets[sets >> bit & 1 == 1]
            sums[:, has] = np.logaddexp(sums[:, has], sums[:, has ^ (1 << bit)])
        ways = np.full(1 << n, -np.inf)
        ways[0] = 0
        for nodes in range(1, 1 << n):
            last = [v for v in range(n) if nodes >> v & 1]
            before = [nodes ^ (1 << v) for v in last]
            ways[nodes] = np.logaddexp.reduce(ways[before] + sums[last, before])
        return ways[-1]

    whole, out = total(weights), np.zeros((n, n))
    for u, v in itertools.permutations(range(n), 2):
        only = weights.copy()
        only[v, (np.arange(1 << n) >> u & 1) == 0] = -np.inf
        out[table.order[u], table.order[v]] = np.exp(total(only) - whole)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [50, 1000])
def test_sampled_arc_posteriors_are_near_the_exact_ones(n_rows):
    problem = problem_of(8, n_rows, 11)
    sample = sample_toms(problem, arc_probability=0.25, random_state=1)
    np.testing.assert_allclose(sample.arc_posteriors, exact_arc_posteriors(problem, 0.25), atol=0.05)
    assert sample.n_samples == 800_000
    assert sample.convergence.largest_difference < 0.2
    assert not sample.interrupted


def test_sampled_arc_posteriors_of_asia_are_near_the_exact_ones(asia):
    p = 7.5 / 29
    sample = sample_toms(asia, arc_probability=p, random_state=0)
    exact = exact_arc_posteriors(asia, p)
    np.testing.assert_allclose(sample.arc_posteriors, exact, atol=0.05)
    assert sample.shortest_length == pytest.approx(1162.5343374391531, abs=1e-9)
    convergence = sample.convergence
    assert convergence.mean_lengths.shape == convergence.arc_differences.shape == (4, 51)
    assert (np.diff(convergence.n_samples) >= 0).all()
    # the largest differences shrink, and the last ones are those of the answers given
    last = np.abs(convergence.arc_posteriors - sample.arc_posteriors).max(axis=(1, 2))
    np.testing.assert_allclose(convergence.arc_differences[:, -1], last, atol=1e-12)
    assert last.max() < convergence.arc_differences[:, 0].max()


@pytest.mark.parametrize("temperature", [1.0, 1.8])
def test_arc_costs_are_obeyed_by_the_sampler(temperature):
    arc_costs = mixed_arc_costs(4, 8)
    problem = problem_of(4, 60, 8, arc_costs=arc_costs, max_parents=2)
    sample = sample_toms(problem, arc_probability=0.3, temperature=temperature, random_state=2)
    forbidden = np.isinf(arc_costs.at(0.3))
    assert (sample.arc_posteriors[forbidden] == 0).all()
    np.testing.assert_allclose(sample.arc_posteriors[arc_costs.required], 1, rtol=1e-12)
    states = [tom for tom in all_toms(4) if obeys(problem, tom)] if temperature == 1.0 else []
    if states:
        weights = np.array([math.exp(-problem.length(parents_in(tom), 0.3)) for tom in states])
        exact = np.zeros((4, 4))
        for tom, weight in zip(states, weights / weights.sum(), strict=True):
            for arc in tom[1]:
                exact[arc] += weight
        np.testing.assert_allclose(sample.arc_posteriors, exact, atol=0.05)


def test_the_same_seed_gives_the_same_sample():
    problem = problem_of(7, 100, 3)
    first, again, other = (
        sample_toms(problem, arc_probability=0.3, search_factor=0.1, random_state=seed) for seed in (5, 5, 6)
    )
    np.testing.assert_array_equal(first.arc_posteriors, again.arc_posteriors)
    np.testing.assert_array_equal(first.graphs.weights, again.graphs.weights)
    assert not np.array_equal(first.arc_posteriors, other.arc_posteriors)


def test_weights_of_graphs_and_of_what_is_ignored_sum_to_one():
    sample = sample_toms(problem_of(8, 50, 0), arc_probability=0.3, search_factor=0.2, random_state=0)
    assert sample.graphs.weights.sum() + sample.ignored == pytest.approx(1)
    assert (np.diff(sample.graphs.weights) <= 0).all()
    assert 1 < sample.effective_samples < sample.n_samples


def test_a_full_tally_gives_up_the_lightest_graphs_but_not_the_shortest():
    problem = problem_of(7, 40, 0)
    space = TomSpace(problem)
    rules = space.rules(0.4)
    books = []
    for capacity in (64, 1 << 16):
        rng = np.random.default_rng(0)
        tom = space.empty(rules, rng)
        tally = new_tally(7, capacity)
        begin(space.cache, rules, tom, tally, np.inf, 0.4)
        sample_block(space.cache, rules, tom, tally, rng.random((20_000, 5)), 1 / 0.6)
        bring_up_to_date(tom, tally)
        books.append(tally)
    small, large = books
    assert small.numbers[N_GRAPHS] <= 64 < large.numbers[N_GRAPHS]
    for tally in books:
        kept = tally.graph_weights[: tally.numbers[N_GRAPHS]]
        assert kept.sum() + tally.sums[IGNORED] == pytest.approx(tally.sums[TOTAL])
    shortest = [tally.graph_lengths[: tally.numbers[N_GRAPHS]].min() for tally in books]
    assert shortest[0] == shortest[1]


@pytest.mark.parametrize(
    ("search", "options"),
    [
        (sample_toms, {"arc_probability": 0.3, "burn_in": 0.0}),
        (sample_toms, {"arc_probability": 0.3, "burn_in": 0.9}),
        (anneal, {}),
    ],
)
def test_ctrl_c_gives_what_was_sampled_so_far(search, options, monkeypatch):
    ticks, tick = itertools.count(1), ChainClock.tick

    def pressed(*given):
        if next(ticks) == 3:
            raise KeyboardInterrupt
        tick(*given)

    monkeypatch.setattr(ChainClock, "tick", pressed)
    problem = problem_of(8, 200, 4)
    found = search(problem, search_factor=1e6, random_state=0, **options)
    assert found.interrupted
    if search is sample_toms:
        assert found.n_samples >= 4
        assert found.graphs.weights.sum() + found.ignored == pytest.approx(1)
    else:
        assert found.length == pytest.approx(problem.length(found.parents, found.arc_probability))


@pytest.mark.parametrize(("search", "options"), [(sample_toms, {"arc_probability": 0.3}), (anneal, {})])
def test_a_limit_of_time_stops_both(search, options, monkeypatch):
    asked = itertools.count()
    is_up = property(lambda clock: clock._limit == 9.0 and next(asked) > 2)
    monkeypatch.setattr(ChainClock, "is_up", is_up)
    found = search(problem_of(8, 200, 4), search_factor=1e6, max_seconds=9.0, random_state=0, **options)
    assert found.interrupted


# --- annealing ---


@pytest.mark.parametrize("rule", ["fixed_point", "joint", 7.5 / 29])
def test_annealing_finds_the_shortest_message_of_asia(asia, rule):
    found = anneal(asia, arc_probability=rule, random_state=0)
    assert found.length == pytest.approx(1162.5343374391531, abs=1e-9)
    assert found.arc_probability == 7.5 / 29
    assert (np.diff(found.trace[:, 1]) < 0).all()
    assert (np.diff(found.trace[:, 0]) >= 0).all()
    assert not found.interrupted


@pytest.mark.parametrize("seed", range(4))
def test_annealing_finds_what_the_exact_search_finds(seed):
    problem = problem_of(7, 150, seed, holes=seed % 2 == 1, max_parents=3)
    found = anneal(problem, arc_probability=0.2, random_state=seed)
    assert found.length == pytest.approx(shortest_network(problem, arc_probability=0.2).length, abs=1e-9)
    fixed = anneal(problem, random_state=seed)
    n_arcs = sum(map(len, fixed.parents))
    assert fixed.arc_probability == (n_arcs + 0.5) / 22
    assert fixed.length == pytest.approx(problem.length(fixed.parents, fixed.arc_probability), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_annealing_obeys_arc_costs(seed):
    arc_costs = mixed_arc_costs(6, seed)
    problem = problem_of(6, 150, seed, arc_costs=arc_costs)
    found = anneal(problem, arc_probability=0.3, search_factor=0.5, random_state=seed)
    assert math.isfinite(problem.arc_costs.structure_length(found.parents, 0.3))
    assert found.length >= shortest_network(problem, arc_probability=0.3).length - 1e-9
    must = {(v, u) for u, v in zip(*np.nonzero(~arc_costs.before), strict=True) if u != v}
    arcs = {(u, v) for v, others in enumerate(found.parents) for u in others}
    # an order that fits both exists: repeatedly take a node that nothing left must precede
    left = set(range(6))
    while free := {v for v in left if not any((u, v) in must | arcs for u in left)}:
        left -= free
    assert not left


def test_the_same_seed_anneals_alike():
    problem = problem_of(7, 80, 9)
    first, again = (anneal(problem, search_factor=0.1, random_state=1) for _ in range(2))
    assert first.parents == again.parents
    assert first.length == again.length


@pytest.mark.parametrize("n_nodes", [1, 2])
def test_one_or_two_nodes_are_enough(n_nodes):
    problem = problem_of(n_nodes, 50, 0)
    assert anneal(problem, search_factor=0.01, random_state=0).length == pytest.approx(
        shortest_network(problem).length
    )
    sample = sample_toms(problem, arc_probability=0.3, search_factor=0.01, random_state=0)
    assert sample.arc_posteriors.shape == (n_nodes, n_nodes)


def test_chains_start_where_requested():
    problem = problem_of(6, 100, 2)
    start = shortest_network(problem, arc_probability=0.3).parents
    sample = sample_toms(
        problem,
        arc_probability=0.3,
        n_chains=1,
        starts=[start],
        burn_in=0,
        search_factor=1e-5,
        random_state=0,
    )
    assert sample.n_samples == 2  # the start and one step
    assert sample.shortest_parents == start


def test_arcs_that_leave_no_order_are_refused():
    arc_costs = ArcCosts.uniform(3)
    before = arc_costs.before.copy()
    before[0, 1] = before[1, 2] = before[2, 0] = False
    cycle = ArcCosts(arc_costs.free, arc_costs.fixed, arc_costs.required, before)
    problem = problem_of(3, 20, 0, arc_costs=cycle)
    with pytest.raises(ValueError, match="No network has all required arcs"):
        anneal(problem)
    with pytest.raises(ValueError, match="No network has all required arcs"):
        sample_toms(problem, arc_probability=0.5)
    with pytest.raises(ValueError, match="The starting arcs form a cycle"):
        sample_toms(problem_of(2, 20, 0), arc_probability=0.5, starts=[[(1,), (0,)]])


@pytest.mark.parametrize(
    "options, message",
    [
        ({"arc_probability": "joint"}, "arc_probability must be a number"),
        ({"arc_probability": 1.0}, "arc_probability must be"),
        ({"temperature": 0.5}, "temperature must be a number of at least 1"),
        ({"n_chains": 0}, "n_chains must be a whole number of at least 1"),
        ({"parent_swap": "other"}, 'parent_swap must be "symmetric" or "original"'),
        ({"burn_in": 1.0}, "burn_in must be a share"),
        ({"search_factor": 0}, "search_factor must be a positive number"),
        ({"max_seconds": -1}, "max_seconds must be None or positive"),
    ],
)
def test_options_that_are_not_possible_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sample_toms(problem_of(3, 20, 0), **{"arc_probability": 0.3, **options})


# --- the cache of families ---


def test_the_cache_gives_the_costs_of_families_even_when_it_overflows():
    problem = problem_of(7, 50, 6, holes=True, max_parents=4, max_cells=100)
    cache = empty_cache(problem)
    small = cache._replace(keys=cache.keys[:64], costs=cache.costs[:64])
    rng = np.random.default_rng(0)
    n_infinite = 0
    for _ in range(3000):
        v = int(rng.integers(7))
        members = [u for u in range(7) if u != v and rng.random() < 0.5]
        plain = problem.family_cost(v, members)
        n_infinite += plain == math.inf
        for known in (cache, small):
            assert cached_family_cost(known, v, np.array(members, dtype=np.int64)) == plain
    assert 0 < n_infinite < 3000
    assert (small.keys != 0).all()


@pytest.mark.slow
def test_many_nodes_take_several_words():
    graph = tuple((v - 70,) if v >= 70 else () for v in range(130))
    packed = WeightedGraphs.of([graph, graph[:100] + ((),) * 30], [1, 3])
    assert packed.parents(1) == graph
    assert packed.weights.tolist() == [0.75, 0.25]
    problem = SearchProblem.of(
        np.random.default_rng(0).integers(0, 2, (70, 40)).astype(np.uint8), np.full(70, 2), max_parents=2
    )
    found = anneal(problem, arc_probability=0.01, search_factor=1e-4, random_state=0)
    sample = sample_toms(
        problem, arc_probability=0.01, n_chains=1, starts=[found.parents], search_factor=1e-4, random_state=0
    )
    for g in range(min(5, len(sample.graphs))):
        assert math.isfinite(problem.length(sample.graphs.parents(g), 0.01))


def test_the_convergence_figure_shows_every_chain_against_its_samples():
    matplotlib.use("Agg")
    rng = np.random.default_rng(0)
    problem = SearchProblem.of(rng.integers(0, 2, (4, 60)).astype(np.uint8), np.full(4, 2))
    sample = sample_toms(problem, arc_probability=0.3, search_factor=0.05, n_chains=3, random_state=0)
    assert sample.convergence.shares.sum() == pytest.approx(1.0)
    left, right = sample.convergence.plot()
    assert [line.get_label() for line in left.lines] == ["chain 1", "chain 2", "chain 3"]
    for line, differences in zip(right.lines, sample.convergence.arc_differences, strict=True):
        np.testing.assert_allclose(line.get_ydata(), differences)
        np.testing.assert_allclose(line.get_xdata(), sample.convergence.n_samples / 1000)
    plt.close("all")
