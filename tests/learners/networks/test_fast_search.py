"""Fast search: kernels against plain twins, and the whole against the exact search."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import random_dag
from learners import learn_network
from learners.networks._kernels.candidate_families import extended_costs, extended_local_costs, keep_cheaper
from learners.networks._kernels.one_hot import LANES, MOST_COUNTED, count_lanes, one_hot
from learners.networks._kernels.order_search import cheapest_choices, improve_order, urgent_order
from learners.networks.search import ArcCosts, SearchProblem, candidates, fast_search, shortest_network
from learners.networks.search.candidates import CandidateFamilies, SortedFamilies, bits_of, members_of
from tests.marks import mostly_slow

SEEDS = st.integers(0, 2**32 - 1)


def linked_table(n_nodes, n_rows, seed, most=4, holes=0.0):
    """Nodes of 2 to 4 values, each like the one before it."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(2, most + 1, n_nodes)
    codes = np.empty((n_nodes, n_rows), dtype=np.uint16)
    u = rng.random(n_rows)
    for v in range(n_nodes):
        u = np.where(rng.random(n_rows) < 0.6, u, rng.random(n_rows))
        codes[v] = u * arities[v]
    return np.where(rng.random(codes.shape) < holes, arities[:, None], codes).astype(np.uint16), arities


def sampled(n_nodes, n_rows, seed):
    network = random_dag(n_nodes=n_nodes, random_state=seed)
    codes = np.ascontiguousarray(network.sample_codes(n_rows, random_state=seed).T)
    return codes, np.array(network.arities)


def random_sets(rng, n_sets, n_nodes, child, largest):
    members = np.zeros((n_sets, n_nodes), dtype=bool)
    for row in members:
        others = [u for u in rng.permutation(n_nodes) if u != child]
        row[others[: rng.integers(0, min(largest, len(others)) + 1)]] = True
    return members


def is_acyclic(parents):
    left = set(range(len(parents)))
    while free := {v for v in left if not left.intersection(parents[v])}:
        left -= free
    return not left


def costs_of(problem, child, members, offered, limit=np.inf):
    return extended_costs(
        problem.codes,
        one_hot(problem.codes, problem.arities),
        problem.arities,
        problem.ln_factorials,
        problem.parameter_cost,
        problem.holes,
        child,
        bits_of(members),
        offered,
        limit,
    )


@given(st.integers(1, 140), SEEDS)
def test_sets_survive_packing(n_nodes, seed):
    members = np.random.default_rng(seed).random((5, n_nodes)) < 0.3
    packed = bits_of(members)
    assert packed.shape == (5, -(-n_nodes // 64))
    for row, words in zip(members, packed, strict=True):
        assert {u for u in range(n_nodes) if int(words[u // 64]) >> (u % 64) & 1} == set(np.flatnonzero(row))
    np.testing.assert_array_equal(members_of(packed, n_nodes), members)


@given(st.integers(2, 8), st.integers(1, 200), st.sampled_from([0.0, 0.2]), st.integers(2, 40), SEEDS)
def test_extended_families_cost_what_each_costs_alone(n_nodes, n_rows, holes, most, seed):
    rng = np.random.default_rng(seed)
    codes, arities = linked_table(n_nodes, n_rows, seed, most, holes)
    problem = SearchProblem.of(codes, arities)
    child = int(rng.integers(n_nodes))
    members = random_sets(rng, 4, n_nodes, child, 4)
    offered = ~members & (rng.random(members.shape) < 0.8)
    offered[:, child] = False
    limit = float(rng.choice([np.inf, 60.0]))
    costs = costs_of(problem, child, members, offered, limit)
    for s, u in itertools.product(range(4), range(n_nodes)):
        family = [*np.flatnonzero(members[s]), u]
        n_cells = arities[[*family, child]].prod(dtype=float)
        fits = offered[s, u] and n_cells <= limit
        plain = problem.family_cost(child, family) if fits else np.inf
        assert costs[s, u] == pytest.approx(plain, abs=1e-8)


@pytest.mark.parametrize("local_model", ["tree", "shorter", "logit", "auto"])
def test_extended_families_under_other_local_models_cost_what_each_costs_alone(local_model):
    codes, arities = linked_table(5, 80, 0)
    problem = SearchProblem.of(codes, arities, local_model=local_model)
    members = random_sets(np.random.default_rng(0), 6, 5, 2, 3)
    offered = ~members
    offered[:, 2] = False
    table = problem.ln_factorials
    costs = extended_local_costs(
        codes, arities, table, problem.parameter_cost, 2, members, offered, np.inf, problem.local_model
    )
    for s, u in zip(*np.nonzero(offered), strict=True):
        plain = problem.family_cost(2, sorted([*np.flatnonzero(members[s]), u]))
        assert costs[s, u] == pytest.approx(plain, abs=1e-9)
    assert np.isinf(costs[~offered]).all()


def test_more_rows_than_16_bits_count_are_counted():
    codes, arities = linked_table(3, 150_000, 0)
    codes[0, :100_000] = 0
    problem = SearchProblem.of(codes, arities)
    none = np.zeros((1, 3), dtype=bool)
    costs = costs_of(problem, 1, none, np.array([[True, False, True]]))
    assert costs[0, 0] == pytest.approx(problem.family_cost(1, [0]), abs=1e-6)
    assert costs[0, 2] == pytest.approx(problem.family_cost(1, [2]), abs=1e-6)


@given(st.integers(0, 30), st.integers(1, 7), SEEDS)
def test_lanes_are_counted_as_one_row_at_a_time(n_rows, n_cells, seed):
    rng = np.random.default_rng(seed)
    arities = np.array([2, 40, 3])
    codes = np.array([rng.integers(0, r + 1, n_rows) for r in arities], dtype=np.uint8)
    onehot = one_hot(codes, arities)
    plain_rows = np.zeros((n_rows, 2 * LANES), dtype=int)
    for u, first in enumerate([0, 2, 42]):
        for i in np.flatnonzero(codes[u] < arities[u]):
            plain_rows[i, first + codes[u, i]] = 1
    rows = np.flatnonzero(rng.random(n_rows) < 0.7).astype(np.uint32)
    cells = rng.integers(0, n_cells, rows.size).astype(np.uint32)
    for block in range(2):
        counts = np.full(n_cells * LANES, 7, np.uint16)
        totals = np.full(n_cells * LANES, 7, np.uint32)
        count_lanes(onehot, block * n_rows * LANES, rows, cells, counts, totals)
        plain = np.zeros((n_cells, LANES), dtype=int)
        np.add.at(plain, cells, plain_rows[rows, block * LANES : (block + 1) * LANES])
        np.testing.assert_array_equal(totals.reshape(n_cells, LANES), plain)
    assert np.iinfo(np.uint16).max == MOST_COUNTED


@given(st.integers(2, 7), SEEDS)
def test_what_is_kept_is_cheaper_than_all_kept_subsets(n_nodes, seed):
    rng = np.random.default_rng(seed)
    sets = bits_of(random_sets(rng, 3, n_nodes, 0, 2))
    costs = np.where(rng.random((3, n_nodes)) < 0.7, rng.random((3, n_nodes)) * 2, np.inf)
    costs[members_of(sets, n_nodes)] = np.inf
    kept_sets, kept_costs = np.zeros((1 + costs.size, 1), np.uint64), np.zeros(1 + costs.size)
    kept_costs[0] = 1.5
    plain = [(0, 1.5)]
    for s, u in itertools.product(range(3), range(n_nodes)):
        larger = int(sets[s, 0]) | 1 << u
        if all(cost > costs[s, u] for kept, cost in plain if kept & ~larger == 0):
            plain.append((larger, costs[s, u]))
    n_kept = keep_cheaper(sets, costs, kept_sets, kept_costs, 1)
    assert list(zip(kept_sets[:n_kept, 0].tolist(), kept_costs[:n_kept], strict=True)) == plain


def random_families(rng, n_nodes, n_candidates=6):
    """Each node with the empty set and a few others, by increasing cost."""
    costs, sets = [], []
    for v in range(n_nodes):
        members = np.vstack([random_sets(rng, n_candidates, n_nodes, v, 3), np.zeros(n_nodes, dtype=bool)])
        own = np.sort(rng.random(n_candidates + 1))
        costs.append(own)
        sets.append(bits_of(members))
    starts = np.arange(n_nodes + 1) * (n_candidates + 1)
    return SortedFamilies(starts, np.concatenate(costs), np.concatenate(sets))


def plain_choices(order, families, n_nodes):
    """The cheapest candidate of each node among the nodes before it."""
    choice = np.empty(n_nodes, np.int64)
    members = members_of(families.sets, n_nodes)
    for place, v in enumerate(order):
        candidates = range(families.starts[v], families.starts[v + 1])
        choice[v] = next(
            i for i in candidates if set(np.flatnonzero(members[i])) <= set(order[:place].tolist())
        )
    return choice


def plain_best_place(order, v, families, precedes):
    """The least cost with v elsewhere, the others in their order, of places that `precedes` allows."""
    rest = [u for u in order if u != v]
    options = []
    for place in range(len(order)):
        moved = np.array([*rest[:place], v, *rest[place:]])
        allowed = not any(precedes[b, a] for a, b in itertools.combinations(moved, 2))
        if allowed:
            options.append(families.costs[plain_choices(moved, families, len(order))].sum())
    return min(options)


@settings(max_examples=30)
@given(st.sampled_from([3, 6, 9, 70]), st.booleans(), SEEDS)
def test_each_node_is_put_where_the_network_is_cheapest(n_nodes, constrained, seed):
    rng = np.random.default_rng(seed)
    families = random_families(rng, n_nodes)
    order = rng.permutation(n_nodes)
    rank = np.argsort(order)
    precedes = constrained & (rng.random((n_nodes, n_nodes)) < 0.1) & (rank[:, None] < rank)
    choice = np.empty(n_nodes, np.int64)
    start = cheapest_choices(order, families.starts, families.costs, families.sets, choice)
    np.testing.assert_array_equal(choice, plain_choices(order, families, n_nodes))
    v = int(rng.integers(n_nodes))
    best = plain_best_place(order, v, families, precedes)
    gained = improve_order(
        order,
        np.array([v]),
        families.starts,
        families.costs,
        families.sets,
        families.relevant,
        precedes,
        choice,
    )
    assert sorted(order) == list(range(n_nodes))
    assert start - gained == pytest.approx(best, abs=1e-7)
    np.testing.assert_array_equal(choice, plain_choices(order, families, n_nodes))
    assert not any(precedes[b, a] for a, b in itertools.combinations(order, 2))


@given(st.integers(1, 8), SEEDS)
def test_the_urgent_come_first_unless_they_wait(n_nodes, seed):
    rng = np.random.default_rng(seed)
    precedes = (rng.random((n_nodes, n_nodes)) < 0.2) & ~np.eye(n_nodes, dtype=bool)
    urgency = rng.random(n_nodes)
    plain, left = [], set(range(n_nodes))
    while free := [v for v in left if not any(precedes[u, v] for u in left)]:
        plain.append(min(free, key=lambda v: urgency[v]))
        left -= {plain[-1]}
    order = np.empty(n_nodes, np.int64)
    assert urgent_order(urgency, precedes, order) == (not left)
    if not left:
        assert order.tolist() == plain


def test_candidates_of_a_low_arc_cost_serve_a_higher_one():
    problem = SearchProblem.of(*sampled(8, 500, 1))
    low, high = CandidateFamilies(problem, -1.0), CandidateFamilies(problem, 4.0)
    for families in (low, high):
        for _ in families.grow():
            pass
    at_low, at_high = low.sorted_at(4.0), high.sorted_at(4.0)
    for v in range(8):
        of_low = slice(at_low.starts[v], at_low.starts[v + 1])
        cost_of = dict(zip(at_low.sets[of_low, 0].tolist(), at_low.costs[of_low], strict=True))
        for i in range(at_high.starts[v], at_high.starts[v + 1]):
            assert cost_of[int(at_high.sets[i, 0])] == pytest.approx(at_high.costs[i], abs=1e-9)
    assert low.n_kept > high.n_kept


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


def random_problem(seed):
    n_nodes, n_rows = 5 + seed % 6, (30, 100, 500)[seed // 6 % 3]
    codes, arities = sampled(n_nodes, n_rows, seed) if seed % 3 else linked_table(n_nodes, n_rows, seed)
    if seed % 5 == 1:
        holes = np.random.default_rng(seed).random(codes.shape) < 0.15
        codes = np.where(holes, arities[:, None], codes).astype(np.uint8)
    return SearchProblem.of(
        codes,
        arities,
        arc_costs=random_arc_costs(n_nodes, seed) if seed % 4 == 1 else None,
        max_parents=seed % 3 + 1 if seed % 7 in (2, 3) else None,
        max_cells=40 + seed if seed % 7 in (3, 4) else None,
    )


RULES = ("joint", "fixed_point", 0.5, "joint", 0.1)


@pytest.mark.parametrize("seed", mostly_slow(range(20), 10))
def test_small_problems_end_where_the_exact_search_ends(seed):
    problem, rule = random_problem(seed), RULES[seed % 5]
    exact = shortest_network(problem, arc_probability=rule)
    found = fast_search(problem, arc_probability=rule, random_state=seed)
    assert is_acyclic(found.parents)
    assert found.length == problem.length(found.parents, found.arc_probability)
    assert found.length == pytest.approx(exact.length, abs=1e-6)


@pytest.mark.slow
def test_nearly_all_small_problems_end_where_the_exact_search_ends():
    longer = 0
    for seed in range(40, 80):
        problem, rule = random_problem(seed), RULES[seed % 5]
        exact = shortest_network(problem, arc_probability=rule)
        found = fast_search(problem, arc_probability=rule, random_state=seed)
        assert found.length >= exact.length - 1e-6
        longer += found.length > exact.length + 1e-6
    assert longer <= 1


def test_parents_that_help_only_together_are_found():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (20, 400))
    codes[7] = codes[3] ^ codes[12] ^ (rng.random(400) < 0.05)
    found = fast_search(SearchProblem.of(codes.astype(np.uint8), np.full(20, 2)), random_state=0)
    family = {u for v, others in enumerate(found.parents) for u in (*others, v) if others}
    assert family == {3, 7, 12}


def test_required_and_forbidden_arcs_and_limits_are_obeyed_together():
    codes, arities = sampled(18, 500, 3)
    free = ~np.eye(18, dtype=bool)
    required, fixed = np.zeros_like(free), np.zeros(free.shape)
    required[[2, 9], 5] = True
    fixed[:, 7] = fixed[5, [2, 9]] = np.inf
    free &= ~required & np.isfinite(fixed)
    arc_costs = ArcCosts(free, fixed, required, ~np.eye(18, dtype=bool))
    problem = SearchProblem.of(codes, arities, arc_costs=arc_costs, max_parents=2, max_cells=24)
    found = fast_search(problem, random_state=0)
    assert found.parents[5] == (2, 9)
    assert found.parents[7] == ()
    assert max(map(len, found.parents)) == 2
    assert np.isfinite(found.length)
    cells = [arities[[*others, v]].prod() for v, others in enumerate(found.parents)]
    assert max(cells) <= 24


def test_the_order_of_the_nodes_is_obeyed():
    codes, arities = linked_table(16, 400, 2)
    tier = np.arange(16) % 4
    before = (tier[:, None] <= tier) & ~np.eye(16, dtype=bool)
    plain = ArcCosts.uniform(16)
    arc_costs = ArcCosts(plain.free, plain.fixed, plain.required, before)
    found = fast_search(SearchProblem.of(codes, arities, arc_costs=arc_costs), random_state=0)
    arcs = [(u, v) for v, others in enumerate(found.parents) for u in others]
    assert arcs
    assert all(tier[u] <= tier[v] for u, v in arcs)


def test_arcs_that_leave_no_network_are_refused():
    codes, arities = linked_table(3, 30, 0)
    plain = ArcCosts.uniform(3)
    required = plain.required.copy()
    required[0, 1] = required[1, 2] = required[2, 0] = True
    cycle = ArcCosts(plain.free & ~required, plain.fixed, required, plain.before)
    with pytest.raises(ValueError, match=r"network.*required"):
        fast_search(SearchProblem.of(codes, arities, arc_costs=cycle))


@pytest.mark.parametrize("n_nodes", [1, 2])
def test_one_or_two_nodes_are_enough(n_nodes):
    problem = SearchProblem.of(*linked_table(n_nodes, 60, 0))
    found = fast_search(problem, random_state=0)
    assert found.length == pytest.approx(shortest_network(problem).length, abs=1e-9)


@pytest.mark.slow
def test_a_chain_of_seventy_nodes_takes_two_words():
    rng = np.random.default_rng(0)
    chain = [rng.integers(0, 2, 600)]
    for _ in range(69):
        chain.append(chain[-1] ^ (rng.random(600) < 0.1))
    found = fast_search(SearchProblem.of(np.array(chain, dtype=np.uint8), np.full(70, 2)), random_state=0)
    assert is_acyclic(found.parents)
    skeleton = {tuple(sorted((u, v))) for v, others in enumerate(found.parents) for u in others}
    assert skeleton == {(v, v + 1) for v in range(69)}


def test_families_in_the_second_word_cost_what_each_costs_alone():
    codes, arities = linked_table(70, 200, 0)
    problem = SearchProblem.of(codes, arities)
    members = np.zeros((1, 70), dtype=bool)
    members[0, [1, 65]] = True
    offered = ~members
    offered[:, 67] = False
    costs = costs_of(problem, 67, members, offered)
    for u in np.flatnonzero(offered[0]):
        assert costs[0, u] == pytest.approx(problem.family_cost(67, [1, 65, u]), abs=1e-8)


def test_many_values_are_no_trouble():
    rng = np.random.default_rng(0)
    codes = np.array([rng.permutation(400), rng.permutation(400), rng.integers(0, 2, 400)], dtype=np.uint16)
    found = fast_search(SearchProblem.of(codes, np.array([400, 400, 2])), random_state=0)
    assert found.parents == ((), (), ())


def test_trees_as_local_models_are_costed_too():
    problem = SearchProblem.of(*sampled(6, 300, 5), local_model="shorter")
    found = fast_search(problem, random_state=0)
    assert found.length == pytest.approx(shortest_network(problem).length, abs=1e-6)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_network_and_trace():
    problem = SearchProblem.of(*sampled(14, 300, 4))
    first, second = (fast_search(problem, random_state=5) for _ in range(2))
    assert first.parents == second.parents
    np.testing.assert_array_equal(first.trace[:, 1], second.trace[:, 1])


@pytest.mark.slow
def test_the_trace_only_falls_and_ends_at_the_length():
    found = fast_search(SearchProblem.of(*sampled(20, 300, 4)), random_state=0)
    seconds, lengths = found.trace.T
    assert (np.diff(seconds) >= 0).all()
    assert (np.diff(lengths) < 0).all()
    assert lengths[-1] == pytest.approx(found.length, abs=1e-5)
    assert not found.interrupted


def test_a_short_time_gives_the_best_so_far():
    problem = SearchProblem.of(*sampled(40, 500, 0))
    found = fast_search(problem, max_seconds=1e-9, random_state=0)
    assert found.interrupted
    assert found.length == problem.length(found.parents, found.arc_probability)


class CtrlC(np.random.Generator):
    """A generator at whose n-th draw the user interrupts."""

    def __init__(self, n_draws):
        super().__init__(np.random.PCG64(0))
        self.n_left = n_draws

    def random(self, *arguments, **options):
        self.n_left -= 1
        if self.n_left == 0:
            raise KeyboardInterrupt
        return super().random(*arguments, **options)


@pytest.mark.parametrize(
    ("n_draws", "arc_probability"), [(1, "joint"), (20, "fixed_point"), (400, 0.1), (400, "joint")]
)
def test_ctrl_c_gives_the_best_so_far(n_draws, arc_probability):
    problem = SearchProblem.of(*sampled(20, 300, 0))
    found = fast_search(problem, arc_probability=arc_probability, random_state=CtrlC(n_draws))
    assert found.interrupted
    assert found.length == problem.length(found.parents, found.arc_probability)
    assert (sum(map(len, found.parents)) > 0) == (n_draws > 1)


def test_a_limit_of_time_must_be_positive():
    with pytest.raises(ValueError, match="max_seconds"):
        fast_search(SearchProblem.of(*linked_table(3, 20, 0)), max_seconds=0)


@pytest.mark.slow
def test_three_parents_that_help_only_together_are_found_among_fifty_nodes():
    problem = SearchProblem.of(*sampled(50, 500, 1))
    found = fast_search(problem, arc_probability=0.05, random_state=0)
    arc_cost = np.log(0.95 / 0.05)

    def cost(child, parents):
        return problem.family_cost(child, parents) + len(parents) * arc_cost

    for child, parents in ((15, (10, 20, 35)), (31, (35, 37, 41))):
        assert found.parents[child] == parents
        alone = min(cost(child, ()), *(cost(child, (u,)) for u in parents))
        assert all(cost(child, pair) > alone for pair in itertools.combinations(parents, 2))


def dense_table(n_rows=2000, seed=0):
    """Thirty columns, each a rule of three of seven hidden values, with a little noise."""
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 2, (7, n_rows))
    codes = np.empty((30, n_rows), dtype=np.uint8)
    for column in codes:
        a, b, c = hidden[rng.choice(7, 3, replace=False)]
        rule = rng.integers(0, 2, 8)
        column[:] = rule[4 * a + 2 * b + c] ^ (rng.random(n_rows) < 0.02)
    return SearchProblem.of(codes, np.full(30, 2))


def climbed(problem, arc_probability):
    """Add or remove the arc that shortens the message most, until none does."""
    n_nodes, arc_cost = problem.n_nodes, np.log(1 / arc_probability - 1)
    parents = [frozenset()] * n_nodes
    known = {}

    def cost(v, others):
        if (v, others) not in known:
            known[v, others] = problem.family_cost(v, sorted(others)) + arc_cost * len(others)
        return known[v, others]

    while True:
        steps = [
            (cost(v, parents[v] ^ {u}) - cost(v, parents[v]), u, v)
            for u, v in itertools.permutations(range(n_nodes), 2)
        ]
        for gain, u, v in sorted(steps):
            if gain >= -1e-9:
                return problem.length(parents_of(parents), arc_probability)
            changed = [others ^ {u} if w == v else others for w, others in enumerate(parents)]
            if is_acyclic(changed):
                parents = changed
                break


def parents_of(sets):
    return tuple(tuple(sorted(others)) for others in sets)


@pytest.mark.slow
@pytest.mark.parametrize("n_nodes", [80, 150])
def test_pairs_that_help_only_together_are_found_among_many_nodes(n_nodes):
    rng = np.random.default_rng(n_nodes)
    codes = rng.integers(0, 2, (n_nodes, 1000)).astype(np.uint8)
    codes[-1] = codes[0] ^ codes[1] ^ (rng.random(1000) < 0.02)
    found = fast_search(SearchProblem.of(codes, np.full(n_nodes, 2)), random_state=0)
    assert sum(map(len, found.parents)) == 2
    families = [{v, *others} for v, others in enumerate(found.parents) if others]
    assert families == [{0, 1, n_nodes - 1}]


@pytest.mark.slow
def test_more_effort_finds_what_less_does_not():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (30, 400)).astype(np.uint8)
    codes[-1] = codes[0] ^ codes[1] ^ codes[2]
    problem = SearchProblem.of(codes, np.full(30, 2))
    lengths = [fast_search(problem, search_factor=f, random_state=0).length for f in (0.001, 1.0)]
    assert lengths[1] < lengths[0] - 100


def test_the_effort_must_be_positive():
    codes = np.zeros((2, 5), dtype=np.uint8)
    for wrong in (0, -1.0, "much", np.inf):
        with pytest.raises(ValueError, match="search_factor"):
            fast_search(SearchProblem.of(codes, np.array([2, 2])), search_factor=wrong)


@pytest.mark.slow
def test_dense_tables_are_searched_better_than_by_climbing():
    problem = dense_table(1000)
    found = fast_search(problem, search_factor=0.002, random_state=0)
    assert found.length < 0.97 * climbed(problem, found.arc_probability)


def test_growing_ends_by_its_work(monkeypatch):
    def grown(problem):
        families, n_extended = CandidateFamilies(problem, 2.0), 0
        keep = families._keep

        def counted(v, sets, *rest):
            nonlocal n_extended
            n_extended += len(sets)
            keep(v, sets, *rest)

        families._keep = counted
        for _ in families.grow():
            pass
        return families.cut, n_extended

    monkeypatch.setattr(candidates, "EXHAUSTIVE_WORK", 2e6)
    monkeypatch.setattr(candidates, "BEAM_WORK", 1e5)
    dense = dense_table(200)
    n_extended = []
    for work in (1, 2e6, 2e7):
        monkeypatch.setattr(candidates, "GROWTH_WORK", work)
        cut, n_sets = grown(dense)
        assert cut
        n_extended.append(n_sets)
    least, little, more = n_extended
    assert least == 30 * (1 + candidates.LEAST_BEAM)  # no parent, and the cheapest single ones
    assert 0 < little - least < (more - least) / 2
    assert not grown(SearchProblem.of(*linked_table(8, 200, 0)))[0]


def test_neighbors_of_a_network_are_evaluated_once(monkeypatch):
    problem = SearchProblem.of(*linked_table(20, 300, 0))
    families = CandidateFamilies(problem, 2.0)
    sets = []
    monkeypatch.setattr(
        CandidateFamilies, "_keep", lambda self, v, beside, *_: sets.extend((v, *row) for row in beside)
    )
    parents = [(3, 4, 5)] + [()] * 19
    for _ in range(2):
        for _ in families.grow_around(parents, n_dropped=2):
            pass
    members = [[3, 4, 5], [4, 5], [3, 5], [3, 4], [3], [4], [5]]
    of_first = {(0, sum(1 << u for u in few)) for few in members}
    assert len(sets) == len(set(sets))
    assert set(sets) == of_first | {(v, 0) for v in range(1, 20)}


def test_parameters_that_cost_nothing_set_no_limit_to_tables():
    truth = random_dag(n_nodes=8, random_state=2)
    X = truth.sample_table(400, random_state=3)
    fast, exact = (
        learn_network(X, constant="none", search=search, random_state=0) for search in ("fast", "exact")
    )
    assert fast.message_length == pytest.approx(exact.message_length, abs=1e-6)
