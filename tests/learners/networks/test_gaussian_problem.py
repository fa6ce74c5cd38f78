"""Linear-Gaussian families: their length against plain algebra and the evidence, and searches over them."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from generators import random_gaussian_dag
from learners.networks._kernels.family_cache import cached_family_cost
from learners.networks.search import ArcCosts, anneal, fast_search, shortest_network
from learners.networks.search.extension_costs import extension_costs
from learners.networks.search.family_costs import FamilyTable
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.metropolis import sample_toms
from learners.networks.search.order_posterior import OrderPosterior
from learners.networks.search.toms import empty_cache
from learners.networks.structure_prior import StructurePrior
from tests.brute_force import all_toms, parents_in, shortest_of_all_graphs, tom_length

P = 0.3


def rows_of(n_nodes, n_rows, seed, **options):
    truth = random_gaussian_dag(n_nodes=n_nodes, random_state=seed, **options)
    return truth.sample_table(n_rows, random_state=seed + 1).to_numpy().T


def problem_of(n_nodes, n_rows, seed, **options):
    return GaussianProblem.of(rows_of(n_nodes, n_rows, seed), **options)


def standardized(values):
    return (values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)


def plain_length(values, child, parents, as_noise):
    """The message of MML87, part by part, at estimates found by a general optimizer."""
    z = standardized(values)
    x, A = z[child], z[list(parents)]
    n, p = len(x), len(parents)
    products = A @ A.T

    def message(theta):
        a, s = theta[:p], math.exp(theta[p])
        width, curvature = (s, 1.0) if as_noise else (1.0, s**2)
        errors = x - a @ A
        nats = n * math.log(s) + n / 2 * math.log(2 * math.pi) + errors @ errors / (2 * s**2)
        nats += p * math.log(width) + p / 2 * math.log(2 * math.pi) + a @ a / (2 * width**2)
        nats += math.log(s)  # the prior of s
        information = math.log(2 * n) + np.linalg.slogdet(products + curvature * np.eye(p))[1]
        return nats + information / 2 - (p + 1) * math.log(s)

    starts = (np.zeros(p + 1), np.append(np.full(p, 0.3), -1.0), np.append(np.zeros(p), -0.5))
    found = [minimize(message, start, method="BFGS", options={"gtol": 1e-9}) for start in starts]
    d = p + 1
    rounding = d / 2 * (1 + math.log(1 / 12))
    if d > 1:
        rounding = -d / 2 * math.log(2 * math.pi) + 0.5 * math.log(math.pi * d) - np.euler_gamma
    return min(one.fun for one in found) + rounding


def log_evidence(values, child, parents, as_noise):
    """Of the same prior: the coefficients integrated by algebra, the noise numerically."""
    z = standardized(values)
    x, A = z[child], z[list(parents)]
    n, p = len(x), len(parents)
    roots, axes = np.linalg.eigh(A @ A.T)
    along = axes.T @ (A @ x)
    log_s = np.linspace(-5, 2, 7001)
    s = np.exp(log_s)
    M = roots[:, np.newaxis] + (1.0 if as_noise else s**2)  # on the axes of the products
    nats = n / 2 * math.log(2 * math.pi) + n * log_s + 0.5 * np.log(M * np.ones_like(s)).sum(axis=0)
    nats -= 0.0 if as_noise else p * log_s
    logs = -nats - (x @ x - (along[:, np.newaxis] ** 2 / M).sum(axis=0)) / (2 * s**2)
    top = logs.max()
    total = np.exp(logs - top).sum() * (log_s[1] - log_s[0])
    return top + math.log(total)


@pytest.mark.parametrize("as_noise", [False, True])
@pytest.mark.parametrize(("seed", "n_rows"), list(enumerate([6, 20, 400])))
def test_a_family_costs_what_the_message_of_mml87_says(seed, n_rows, as_noise):
    values = rows_of(5, n_rows, seed)
    problem = GaussianProblem.of(values, as_noise=as_noise)
    for parents in ((), (1,), (2, 3), (1, 2, 3, 4)):
        plain = plain_length(values, 0, parents, as_noise)
        assert problem.family_cost(0, parents) == pytest.approx(plain, abs=1e-5)


def correlated(r, n_rows):
    """Two variables whose correlation in these rows is r."""
    x, y = standardized(np.random.default_rng(0).normal(size=(2, n_rows)))
    y -= x * (x @ y) / n_rows
    return np.array([x, r * x + math.sqrt(1 - r**2) * y / y.std()])


def test_a_line_by_hand():
    # one parent, correlation 0.6, 100 rows, prior as wide as the noise: Q = 100 - 60^2 / 101
    q = 100 - 3600 / 101
    by_hand = 50 * (math.log(2 * math.pi * q / 100) + 1) + 0.5 * math.log(2 * math.pi) + 0.5 * math.log(200)
    by_hand += 0.5 * math.log(101) + 0.5 * math.log(2 * math.pi) - math.log(2 * math.pi) - 0.5772156649
    problem = GaussianProblem.of(correlated(0.6, 100), as_noise=True)
    assert problem.family_cost(1, (0,)) == pytest.approx(by_hand, abs=1e-8)
    # prior as wide as the variables: v (99 + v / (100 + v)) = (100 - 60^2 (100 + 2 v) / (100 + v)^2)
    v = 0.65
    for _ in range(50):
        v = (100 - 3600 * (100 + 2 * v) / (100 + v) ** 2) / (99 + v / (100 + v))
    a = 60 / (100 + v)
    by_hand = 99 / 2 * math.log(v) + 50 * math.log(2 * math.pi) + (99 + v / (100 + v)) / 2 + a**2 / 2
    by_hand += 0.5 * math.log(2 * math.pi) + 0.5 * math.log(200) + 0.5 * math.log(100 + v)
    by_hand += 0.5 * math.log(2 * math.pi) - math.log(2 * math.pi) - 0.5772156649
    problem = GaussianProblem.of(correlated(0.6, 100))
    assert problem.family_cost(1, (0,)) == pytest.approx(by_hand, abs=1e-8)


@pytest.mark.parametrize("as_noise", [False, True])
@pytest.mark.parametrize(("seed", "n_rows"), list(enumerate([21, 100, 1000])))
def test_the_message_is_within_a_bit_a_parameter_of_the_evidence(seed, n_rows, as_noise):
    values = rows_of(6, n_rows, seed)
    problem = GaussianProblem.of(values, as_noise=as_noise)
    for size in range(6):
        parents = tuple(range(1, 1 + size))
        more = problem.family_cost(0, parents) + log_evidence(values, 0, parents, as_noise)
        d = size + 1
        expected = 0.5 * math.log(math.pi * d) - np.euler_gamma
        if d == 1:
            expected = 0.5 * math.log(math.pi * math.e / 6)
        assert more == pytest.approx(expected, abs=1 / n_rows if as_noise else 6 / n_rows)
        assert abs(more) / math.log(2) < d


@pytest.mark.parametrize("as_noise", [False, True])
def test_one_parent_pays_from_a_correlation_on_that_falls_with_the_rows(as_noise):
    """At arc probability 1/2, the smallest correlation worth an arc."""
    thresholds = []
    for n_rows in (20, 100, 1000, 10000):

        def saved(r, n_rows=n_rows):
            problem = GaussianProblem.of(correlated(r, n_rows), as_noise=as_noise)
            return problem.family_cost(1, ()) - problem.family_cost(1, (0,))

        low, high = 0.0, 0.99
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (middle, high) if saved(middle) < 0 else (low, middle)
        thresholds.append(low)
    expected = [0.404, 0.221, 0.0850, 0.0309] if as_noise else [0.410, 0.222, 0.0850, 0.0309]
    np.testing.assert_allclose(thresholds, expected, atol=0.004)


def test_strong_relations_are_not_joined_through_all_pairs():
    """The prior of the papers, as wide as the noise, rewards spreading a large coefficient."""
    rng = np.random.default_rng(0)
    values = [rng.normal(size=300)]
    for _ in range(5):  # a chain with R^2 = 0.99
        values.append(math.sqrt(0.99) * values[-1] + 0.1 * rng.normal(size=300))
    unit, noise = (GaussianProblem.of(np.array(values), as_noise=one) for one in (False, True))
    found = [shortest_network(one, arc_probability="joint").parents for one in (unit, noise)]
    assert sum(map(len, found[0])) == 5
    assert sum(map(len, found[1])) == 15


def test_units_and_means_do_not_matter():
    values = rows_of(5, 60, 3)
    moved = values * np.array([[1e-150], [-3.0], [1e6], [1.0], [1e150]]) + np.array(
        [[0.0], [1e3], [-1e7], [2.0], [0.0]]
    )
    first, second = GaussianProblem.of(values), GaussianProblem.of(moved)
    for parents in ((), (1,), (2, 3), (1, 2, 3, 4)):
        assert first.family_cost(0, parents) == pytest.approx(second.family_cost(0, parents), abs=1e-6)


def test_copies_and_more_parents_than_rows_have_finite_lengths():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    problem = GaussianProblem.of(np.array([x, x, 2 * x + 1, rng.normal(size=50)]))
    costs = [problem.family_cost(0, parents) for parents in ((), (1,), (1, 2), (1, 2, 3))]
    assert np.isfinite(costs).all()
    assert costs[1] < costs[0]
    wide = GaussianProblem.of(rng.normal(size=(30, 8)))
    assert math.isfinite(wide.family_cost(0, range(1, 30)))


def grouped(values):
    """Return the problem of several groups of rows, (n_groups, n_nodes, n_rows)."""
    n_groups, n_nodes, n_rows = values.shape
    scatters = np.stack([np.cov(own, ddof=0) * n_rows for own in values])
    return GaussianProblem.of_groups(
        np.full(n_groups, float(n_rows)), values.mean(axis=2), scatters, np.full(n_nodes, 1e-9)
    )


@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.integers(1, 3))
def test_tables_caches_and_extensions_cost_the_same(seed, n_rows, n_groups):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_groups, 4, n_rows)).cumsum(axis=1)
    problem = GaussianProblem.of(values[0]) if n_groups == 1 else grouped(values)
    table = FamilyTable.of(problem)
    cache = empty_cache(problem)
    growing = extension_costs(problem)
    for v in range(4):
        others = [u for u in range(4) if u != v]
        for k in range(4):
            for parents in itertools.combinations(others, k):
                plain = problem.family_cost(v, parents)
                number = sum(1 << others.index(u) for u in parents)
                assert table.costs[v, number] == plain
                assert cached_family_cost(cache, v, np.array(parents, np.int64)) == plain
                members = np.zeros((1, 4), bool)
                members[0, list(parents)] = True
                offered = ~members
                offered[0, v] = False
                more = growing.costs(v, np.zeros((1, 1), np.uint64), members, offered, np.inf)
                for u in np.flatnonzero(offered[0]):
                    assert more[0, u] == pytest.approx(
                        problem.family_cost(v, sorted([*parents, u])), abs=1e-7
                    )


@pytest.mark.parametrize("seed", range(2))
def test_searches_find_the_shortest_of_all_graphs(seed):
    problem = problem_of(5, 100, seed)
    best = shortest_of_all_graphs(problem, P)
    for search in (shortest_network, fast_search, anneal):
        found = search(
            problem, arc_probability=P, **({} if search is shortest_network else {"random_state": 0})
        )
        assert found.length == pytest.approx(best, abs=1e-6)
        assert problem.length(found.parents, P) == pytest.approx(best, abs=1e-6)


def arc_posteriors_by_force(problem, p):
    weights, arcs = [], []
    for tom in all_toms(problem.n_nodes):
        parents = parents_in(tom)
        weights.append(-tom_length(problem, tom, p))
        present = np.zeros((problem.n_nodes,) * 2)
        for v, others in enumerate(parents):
            present[list(others), v] = 1
        arcs.append(present)
    shares = np.exp(np.array(weights) - max(weights))
    return np.tensordot(shares / shares.sum(), np.array(arcs), 1)


@pytest.mark.parametrize("seed", range(1))
def test_posteriors_of_arcs_are_those_over_all_graphs(seed):
    problem = problem_of(4, 40, seed)
    by_force = arc_posteriors_by_force(problem, P)
    exact = OrderPosterior.of(problem, arc_probability=P).arc_posteriors
    np.testing.assert_allclose(exact, by_force, atol=1e-9)
    sample = sample_toms(problem, arc_probability=P, temperature=1.0, random_state=0)
    np.testing.assert_allclose(sample.arc_posteriors, by_force, atol=0.02)


@pytest.mark.slow
def test_sampled_posteriors_obey_opinions():
    prior = StructurePrior(tiers=[["a", "b"], ["c"]], forbidden=[("a", "c")], weights={("b", "d"): 0.2})
    costs = prior.arc_costs(("a", "b", "c", "d"))
    problem = problem_of(4, 40, 1, arc_costs=costs)
    exact = OrderPosterior.of(problem, arc_probability=P).arc_posteriors
    assert exact[0, 2] == exact[2, 0] == exact[2, 1] == 0
    sample = sample_toms(problem, arc_probability=P, random_state=0)
    np.testing.assert_allclose(sample.arc_posteriors, exact, atol=0.03)


def test_equivalent_networks_have_nearly_equal_lengths():
    """Directions change the prior of coefficients a little: under a nat in a chain of strong arcs."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=300)
        y = 0.7 * x + rng.normal(size=300)
        z = -0.9 * y + rng.normal(size=300)
        problem = GaussianProblem.of(np.array([x, y, z]))
        lengths = [
            problem.length(parents, P) for parents in (((), (0,), (1,)), ((1,), (2,), ()), ((1,), (), (1,)))
        ]
        assert max(lengths) - min(lengths) < 0.5


def test_limits_of_parents_hold():
    problem = problem_of(6, 100, 2, max_parents=1)
    assert problem.family_cost(0, (1, 2)) == math.inf
    for search in (shortest_network, fast_search):
        assert max(map(len, search(problem, arc_probability=0.5).parents)) <= 1


def test_fast_search_reaches_the_exact_one():
    problem = problem_of(9, 300, 5)
    exact = shortest_network(problem, arc_probability="joint")
    fast = fast_search(problem, arc_probability="joint", random_state=0)
    assert fast.length == pytest.approx(exact.length, abs=1e-6)


@pytest.mark.slow
def test_fast_search_goes_beyond_the_nodes_of_the_exact_one():
    large = GaussianProblem.of(rows_of(60, 500, 1), arc_costs=ArcCosts.uniform(60))
    found = fast_search(large, arc_probability="joint", random_state=0)
    truth = random_gaussian_dag(n_nodes=60, random_state=1)
    assert found.length <= large.length(truth.parent_indices, found.arc_probability)
