"""Averages over all networks, against sums over every order and every network along it."""

import functools
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.networks._kernels.order_sums import log_add
from learners.networks._kernels.summed_forecast import assignment_sizes, summed_forecast
from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.averaging import ExactAverage
from learners.networks.search.exact import shortest_network
from learners.networks.search.order_posterior import OrderPosterior
from learners.networks.search.search_problem import SearchProblem
from learners.tables.completions import Completions

PSEUDO_COUNT = {"posterior_mean": 1.0, "mml": 0.5}


def linked_table(n_nodes, n_rows, seed, *, holes=0.0, arities=None):
    """Nodes of 2 to 4 values, each like the one before it; the arity is a hole."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(2, 5, n_nodes) if arities is None else np.array(arities)
    codes = np.empty((n_nodes, n_rows), dtype=np.uint8)
    u = rng.random(n_rows)
    for v in range(n_nodes):
        u = np.where(rng.random(n_rows) < 0.6, u, rng.random(n_rows))
        codes[v] = u * arities[v]
    return np.where(rng.random(codes.shape) < holes, arities[:, None], codes).astype(np.uint8), arities


def awkward_arc_costs(n_nodes, seed):
    """Some arcs free, some at a cost, some forbidden, one required, one or two pairs in a given order."""
    rng = np.random.default_rng(seed)
    kind = rng.random((n_nodes, n_nodes))
    free = (kind < 0.5) & ~np.eye(n_nodes, dtype=bool)
    fixed = np.where(free, 0.0, np.where(kind < 0.8, rng.normal(0, 2, kind.shape), np.inf))
    required = np.zeros_like(free)
    u, v, w = rng.permutation(n_nodes)[:3]
    required[u, v], free[u, v], fixed[u, v] = True, False, 0.0
    before = ~np.eye(n_nodes, dtype=bool)
    before[v, w] = False
    before[w, u] = seed % 2 == 0
    return ArcCosts(free, fixed, required, before, 1.5)


def order_counts(early):
    """Count the orders in which only nodes of `early[v]`, as bits, precede v."""
    counts = [1]
    for nodes in range(1, 1 << len(early)):
        last = [v for v, may in enumerate(early.tolist()) if nodes >> v & 1 and nodes & ~(may | 1 << v) == 0]
        counts.append(sum(counts[nodes ^ (1 << v)] for v in last))
    return counts[-1]


def log_evidence(posterior):
    """Nats: log of the mean, over the orders that may be, of the summed exp(-length) of their networks."""
    no_arcs = posterior.problem.arc_costs.no_arcs(posterior.arc_probability)
    return posterior.forward[-1] - math.log(order_counts(posterior.early)) - no_arcs


def orders_of(problem):
    """Yield the orders that may be."""
    before = problem.arc_costs.before
    for order in itertools.permutations(range(problem.n_nodes)):
        if all(before[u, v] for u, v in itertools.combinations(order, 2)):
            yield order


def networks_along(order):
    """Yield the parents of each node for every network whose arcs go along the order."""
    choices = [
        [c for k in range(place + 1) for c in itertools.combinations(sorted(order[:place]), k)]
        for place in range(len(order))
    ]
    for chosen in itertools.product(*choices):
        parents = dict(zip(order, chosen, strict=True))
        yield tuple(parents[v] for v in range(len(order)))


@functools.lru_cache(8)  # a problem is the same for all who ask of it
def brute_force(problem, p):
    """Number of orders, and every network with the sum of its weights over orders, as a logarithm."""
    lengths, n_fits, n_orders = {}, {}, 0
    arc_costs = problem.arc_costs.at(p)
    families = {
        (v, others): problem.family_cost(v, others) + arc_costs[list(others), v].sum()
        if problem.arc_costs.required[list(others), v].sum() == problem.arc_costs.required[:, v].sum()
        else np.inf
        for v in range(problem.n_nodes)
        for k in range(problem.n_nodes)
        for others in itertools.combinations([u for u in range(problem.n_nodes) if u != v], k)
    }
    for order in orders_of(problem):
        n_orders += 1
        for dag in networks_along(order):
            n_fits[dag] = n_fits.get(dag, 0) + 1
            if dag not in lengths:
                lengths[dag] = sum(families[v, others] for v, others in enumerate(dag))
    logs = {d: math.log(n_fits[d]) - lengths[d] - problem.arc_costs.no_arcs(p) for d in lengths}
    return n_orders, logs


def log_sum(logs):
    return float(np.logaddexp.reduce(list(logs)))


def plain_forecast(problem, p, asked, class_index, predictive):
    """Every network's product of (n + a) / (N + a r), weighed; asked has -1 at the class."""
    a = PSEUDO_COUNT[predictive]
    _, logs = brute_force(problem, p)
    total = log_sum(logs.values())
    codes, arities = problem.codes.astype(int), problem.arities
    known = codes < arities[:, None]
    joint = np.zeros(arities[class_index])
    for c in range(joint.size):
        row = asked.copy()
        row[class_index] = c
        family = {}
        for dag, log_weight in logs.items():
            forecast = math.exp(log_weight - total)
            for v, others in enumerate(dag):
                if (v, others) not in family:
                    same = known[v].copy()
                    for u in others:
                        same &= codes[u] == row[u]
                    agree = (same & (codes[v] == row[v])).sum()
                    family[v, others] = (agree + a) / (same.sum() + a * arities[v])
                forecast *= family[v, others]
            joint[c] += forecast
    return joint


PROBLEMS = [
    pytest.param({}, id="plain"),
    pytest.param({"holes": 0.15}, id="holes"),
    pytest.param({"max_parents": 1}, id="one parent"),
    pytest.param({"max_cells": 12}, id="few cells"),
    pytest.param({"awkward": True}, id="arc costs and tiers"),
    pytest.param({"awkward": True, "holes": 0.1}, id="arc costs and holes"),
]


def problem_of(n_nodes, n_rows, seed, *, awkward=False, holes=0.0, **options):
    codes, arities = linked_table(n_nodes, n_rows, seed, holes=holes)
    arc_costs = awkward_arc_costs(n_nodes, seed) if awkward else None
    return SearchProblem.of(codes, arities, arc_costs=arc_costs, **options)


@pytest.mark.parametrize("options", PROBLEMS)
@pytest.mark.parametrize(("seed", "p", "constant"), [(0, 0.5, True), (1, 0.2, False)])
def test_evidence_and_posteriors_are_those_of_all_orders_and_networks(options, seed, p, constant):
    problem = problem_of(4, 40, seed, **options)
    weighed = problem if constant else replace(problem, parameter_cost=0.0)
    n_orders, logs = brute_force(weighed, p)
    posterior = OrderPosterior.of(problem, arc_probability=p, constant_in_weights=constant)
    assert log_evidence(posterior) == pytest.approx(log_sum(logs.values()) - math.log(n_orders), abs=1e-10)

    total = log_sum(logs.values())
    arcs, families = np.zeros((4, 4)), np.zeros((4, 8))
    for dag, log_weight in logs.items():
        for v, others in enumerate(dag):
            arcs[list(others), v] += math.exp(log_weight - total)
            families[v, sum(1 << (u - (u > v)) for u in others)] += math.exp(log_weight - total)
    assert posterior.arc_posteriors == pytest.approx(arcs, abs=1e-10)
    for v in range(4):
        assert posterior.family_posteriors(v) == pytest.approx(families[v], abs=1e-10)


@pytest.mark.slow
def test_arc_posteriors_of_five_nodes_are_those_of_all_orders():
    problem = problem_of(5, 60, 0)
    _, logs = brute_force(problem, 0.3)
    total = log_sum(logs.values())
    arcs = np.zeros((5, 5))
    for dag, log_weight in logs.items():
        for v, others in enumerate(dag):
            arcs[list(others), v] += math.exp(log_weight - total)
    posterior = OrderPosterior.of(problem, arc_probability=0.3)
    assert posterior.arc_posteriors == pytest.approx(arcs, abs=1e-10)


def test_the_weight_of_one_order_follows_the_length_of_the_message():
    # no brute force of our own: two nodes, whose three networks SearchProblem.length tells in full
    problem = problem_of(2, 30, 5)
    apart, first, second = (problem.length(dag, 0.3) for dag in (((), ()), ((), (0,)), ((1,), ())))
    plain = log_sum([-apart, math.log(0.5) - first, math.log(0.5) - second])
    assert log_evidence(OrderPosterior.of(problem, arc_probability=0.3)) == pytest.approx(plain, abs=1e-10)


def test_evidence_sums_to_one_over_all_tables():
    tables = np.array(list(itertools.product([0, 1], repeat=6)), dtype=np.uint8).reshape(-1, 3, 2)
    total = 0.0
    for codes in tables:
        problem = SearchProblem.of(codes, np.array([2, 2, 2]))
        total += math.exp(
            log_evidence(OrderPosterior.of(problem, arc_probability=0.3, constant_in_weights=False))
        )
    assert total == pytest.approx(1.0, abs=1e-12)


def test_without_rows_the_posterior_is_the_prior():
    problem = SearchProblem.of(np.empty((4, 0), dtype=np.uint8), np.array([2, 3, 2, 4]))
    posterior = OrderPosterior.of(problem, arc_probability=0.3, constant_in_weights=False)
    assert log_evidence(posterior) == pytest.approx(0.0, abs=1e-12)
    assert posterior.arc_posteriors == pytest.approx(0.15 * (1 - np.eye(4)), abs=1e-12)


@pytest.mark.parametrize("options", PROBLEMS)
@pytest.mark.parametrize(("predictive", "constant"), [("posterior_mean", True), ("mml", False)])
def test_forecasts_are_those_of_all_orders_and_networks(options, predictive, constant):
    for seed, class_index in enumerate((3, 0)):
        problem = problem_of(4, 30, seed, **options)
        weighed = problem if constant else replace(problem, parameter_cost=0.0)
        average = ExactAverage.of(
            problem,
            arc_probability=0.4,
            class_index=class_index,
            predictive=predictive,
            constant_in_weights=constant,
        )
        asked = np.random.default_rng(seed).integers(0, problem.arities[:, None], (4, 5))
        answer = average.posterior(np.delete(asked, class_index, axis=0).astype(np.uint8))
        for i in range(5):
            joint = plain_forecast(weighed, 0.4, asked[:, i], class_index, predictive)
            assert answer[i] == pytest.approx(joint / joint.sum(), abs=1e-10)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 25), st.integers(0, 2**32 - 1))
def test_forecasts_agree_on_any_small_table(arities, n_rows, seed):
    codes, arities = linked_table(len(arities), n_rows, seed, arities=arities, holes=0.1 * (seed % 2))
    problem = SearchProblem.of(codes, arities)
    asked = np.random.default_rng(seed).integers(0, arities)
    average = ExactAverage.of(problem, arc_probability=0.6, predictive="mml")
    joint = plain_forecast(problem, 0.6, asked, len(arities) - 1, "mml")
    answer = average.posterior(asked[:-1, None].astype(np.uint8))
    assert answer == pytest.approx((joint / joint.sum())[None], abs=1e-10)


@pytest.mark.parametrize(("n_rows", "error"), [(0, 1e-12), (5000, 1e-9)])
@pytest.mark.parametrize("n_nodes", [2, 6])
def test_the_answer_is_a_ratio_of_evidences(n_rows, error, n_nodes):
    codes, arities = linked_table(n_nodes, n_rows, 3)
    problem = replace(SearchProblem.of(codes, arities), parameter_cost=0.0)
    asked = np.random.default_rng(0).integers(0, arities).astype(np.uint8)
    logs = []
    for c in range(arities[-1]):
        row = np.append(asked[:-1], np.uint8(c))[:, None]
        longer = replace(problem, codes=np.hstack([codes, row]))
        logs.append(log_evidence(OrderPosterior.of(longer, arc_probability=0.25)))
    answer = ExactAverage.of(problem, arc_probability=0.25).posterior(asked[:-1, None])
    assert answer[0] == pytest.approx(np.exp(np.array(logs) - log_sum(logs)), abs=error)


def test_holes_in_an_asked_row_are_summed_out():
    problem = problem_of(4, 60, 1, holes=0.05)
    average = ExactAverage.of(problem, arc_probability=0.4)
    r = problem.arities
    asked = np.array([[0, 1], [r[1], 0], [1, r[2]]], dtype=np.uint8)
    asked[0, 1] = r[0]
    answer = average.posterior(asked)
    for i in range(2):
        ways = [range(n) if x == n else [x] for x, n in zip(asked[:, i], r[:3], strict=True)]
        joint = sum(
            plain_forecast(problem, 0.4, np.array([*row, -1]), 3, "posterior_mean")
            for row in itertools.product(*ways)
        )
        assert answer[i] == pytest.approx(joint / joint.sum(), abs=1e-10)


def test_rows_of_very_many_possible_values_are_distinguished():
    # 256 values each, holes included: numbered without care, 2^72 rows would run over 64 bits
    arities = np.array([255] * 9 + [2])
    codes = np.zeros((10, 40), dtype=np.uint8)
    codes[0] = codes[9] = np.arange(40) % 2
    problem = SearchProblem.of(codes, arities, max_parents=1)
    average = ExactAverage.of(problem, arc_probability=0.5, constant_in_weights=False)
    assert average.rows.shape[1] == 2
    answer = average.posterior(codes[:9, :2])
    assert answer[0, 0] > 0.9
    assert answer[1, 1] > 0.9


def test_logs_add_to_the_last_digit():
    for b in (0.0, -3.0, -25.0, -60.0, -np.inf):
        assert log_add(-1.0, b) == pytest.approx(np.logaddexp(-1.0, b), rel=1e-15)
        assert log_add(b, -1.0) == log_add(-1.0, b)
    assert log_add(-np.inf, -np.inf) == -np.inf


def test_with_every_attribute_missing_and_no_arcs_the_answer_is_the_estimated_prior():
    codes, arities = linked_table(3, 50, 0)
    problem = SearchProblem.of(codes, arities, max_parents=0)
    answer = ExactAverage.of(problem, arc_probability=0.5).posterior(arities[:2, None].astype(np.uint8))
    n = np.bincount(codes[2], minlength=arities[2])
    assert answer[0] == pytest.approx((n + 1) / (n.sum() + arities[2]), abs=1e-12)


def test_values_above_the_arity_are_holes():
    problem = problem_of(3, 40, 0)
    average = ExactAverage.of(problem, arc_probability=0.5)
    hole = np.array([[problem.arities[0]], [0]], dtype=np.uint8)
    assert np.array_equal(average.posterior(hole), average.posterior(np.array([[200], [0]], dtype=np.uint8)))


def test_equal_rows_get_equal_answers_in_any_order_and_any_company():
    problem = problem_of(5, 200, 2)
    average = ExactAverage.of(problem, arc_probability=0.4)
    rng = np.random.default_rng(0)
    asked = np.array([rng.integers(0, r + 1, 300) for r in problem.arities[:-1]], dtype=np.uint8)
    answer = average.posterior(asked)
    assert answer.shape == (300, problem.arities[-1])
    assert answer.sum(axis=1) == pytest.approx(np.ones(300), abs=1e-12)
    for i in (0, 17, 299):
        assert average.posterior(asked[:, i : i + 1])[0] == pytest.approx(answer[i], abs=1e-13)
    assert np.array_equal(average.posterior(asked), answer)


def test_no_row_asked_gives_no_answer():
    average = ExactAverage.of(problem_of(3, 40, 0), arc_probability=0.5)
    assert average.posterior(np.empty((2, 0), dtype=np.uint8)).shape == (
        0,
        average.arities[average.class_place],
    )


@pytest.mark.parametrize("n_classes", [1, 5, 40])
def test_any_number_of_classes_fits_the_lanes(n_classes):
    codes, arities = linked_table(3, 80, 4, arities=[3, 2, n_classes])
    problem = SearchProblem.of(codes, arities)
    asked = np.array(list(itertools.product(range(3), range(2)))).T
    answer = ExactAverage.of(problem, arc_probability=0.5).posterior(asked.astype(np.uint8))
    for i in range(asked.shape[1]):
        joint = plain_forecast(problem, 0.5, np.append(asked[:, i], -1), 2, "posterior_mean")
        assert answer[i] == pytest.approx(joint / joint.sum(), abs=1e-10)


def test_the_order_of_the_columns_changes_nothing():
    codes, arities = linked_table(6, 300, 7, holes=0.03)
    order = np.random.default_rng(1).permutation(6)
    given = OrderPosterior.of(SearchProblem.of(codes, arities), arc_probability=0.3)
    shuffled = OrderPosterior.of(SearchProblem.of(codes[order], arities[order]), arc_probability=0.3)
    assert log_evidence(shuffled) == pytest.approx(log_evidence(given), abs=1e-9)
    assert shuffled.arc_posteriors == pytest.approx(given.arc_posteriors[np.ix_(order, order)], abs=1e-10)


def test_repeated_training_rows_count_as_often_as_they_occur():
    codes, arities = linked_table(4, 50, 3)
    twice = SearchProblem.of(np.hstack([codes, codes]), arities)
    average = ExactAverage.of(twice, arc_probability=0.4)
    assert average.rows.shape[1] <= 50
    joint = plain_forecast(twice, 0.4, np.array([1, 0, 1, -1]), 3, "posterior_mean")
    answer = average.posterior(np.array([[1], [0], [1]], dtype=np.uint8))
    assert answer[0] == pytest.approx(joint / joint.sum(), abs=1e-10)


def test_many_rows_neither_underflow_nor_overflow():
    codes, arities = linked_table(7, 100_000, 0)
    problem = SearchProblem.of(codes, arities)
    posterior = OrderPosterior.of(problem, arc_probability=0.3)
    best = shortest_network(problem, arc_probability=0.3)
    # the mean over orders is at least the best network's weight along one order, at most all of them as heavy
    n_networks = 2.0**21
    assert -best.length - math.log(math.factorial(7)) <= log_evidence(posterior)
    assert log_evidence(posterior) <= -best.length + math.log(n_networks)
    for v in range(7):
        assert posterior.family_posteriors(v).sum() == pytest.approx(1.0, abs=1e-6)
        assert posterior.arc_posteriors[:, v].sum() == pytest.approx(
            posterior.family_posteriors(v) @ [i.bit_count() for i in range(64)], abs=1e-9
        )
    answer = ExactAverage.of(problem, arc_probability=0.3).posterior(codes[:-1, :200])
    assert np.isfinite(answer).all()
    assert (answer > 0).all()
    assert answer.sum(axis=1) == pytest.approx(np.ones(200), abs=1e-12)


@pytest.mark.slow
def test_draws_have_the_arcs_as_often_as_the_posterior_says():
    problem = problem_of(5, 40, 3, awkward=True)
    posterior = OrderPosterior.of(problem, arc_probability=0.4)
    n_draws = 20_000
    arcs, families = np.zeros((5, 5)), np.zeros((5, 16))
    for parents in posterior.draw(n_draws, np.random.default_rng(0)):
        for v, others in enumerate(parents):
            arcs[list(others), v] += 1 / n_draws
            families[v, sum(1 << (u - (u > v)) for u in others)] += 1 / n_draws
    expected = np.array([posterior.family_posteriors(v) for v in range(5)])
    for found, exact in ((arcs, posterior.arc_posteriors), (families, expected)):
        assert (
            np.abs(found - exact) <= 4.5 * np.sqrt(exact * np.maximum(1 - exact, 0) / n_draws) + 1e-9
        ).all()
    # and the posterior is not so sharp that any draw would do
    assert ((expected > 0.1) & (expected < 0.9)).sum() >= 4


def test_draws_of_whole_networks_have_their_posterior():
    problem = problem_of(3, 25, 1)
    _, logs = brute_force(problem, 0.5)
    total = log_sum(logs.values())
    draws = OrderPosterior.of(problem, arc_probability=0.5).draw(20_000, np.random.default_rng(1))
    for dag, log_weight in logs.items():
        exact = math.exp(log_weight - total)
        assert draws.count(dag) / 20_000 == pytest.approx(exact, abs=4.5 * math.sqrt(exact / 20_000) + 1e-9)


def test_draws_repeat_with_the_seed_and_do_not_depend_on_blocks(monkeypatch):
    posterior = OrderPosterior.of(problem_of(5, 40, 2), arc_probability=0.5)
    draws = posterior.draw(50, np.random.default_rng(7))
    assert draws == posterior.draw(50, np.random.default_rng(7))
    assert draws != posterior.draw(50, np.random.default_rng(8))
    monkeypatch.setitem(OrderPosterior.draw.__globals__, "BLOCK", 1 << 7)
    assert draws == posterior.draw(50, np.random.default_rng(7))
    assert posterior.draw(0, np.random.default_rng(7)) == []


def test_blocks_of_rows_do_not_change_forecasts(monkeypatch):
    problem = problem_of(4, 40, 2)
    average = ExactAverage.of(problem, arc_probability=0.5)
    rng = np.random.default_rng(0)
    asked = np.array([rng.integers(0, r + 1, 60) for r in problem.arities[:-1]], dtype=np.uint8)
    answer = average.posterior(asked)
    monkeypatch.setitem(ExactAverage.posterior.__globals__, "BLOCK", 1000)
    assert average.posterior(asked) == pytest.approx(answer, abs=1e-13)


def test_tiers_and_required_arcs_bind_every_draw():
    problem = problem_of(5, 40, 4, awkward=True)
    arc_costs = problem.arc_costs
    for parents in OrderPosterior.of(problem, arc_probability=0.5).draw(200, np.random.default_rng(0)):
        assert arc_costs.structure_length(parents, 0.5) < math.inf
        assert all(arc_costs.before[u, v] for v, others in enumerate(parents) for u in others)


def test_one_node_alone():
    problem = SearchProblem.of(np.array([[0, 1, 1]], dtype=np.uint8), np.array([2]))
    posterior = OrderPosterior.of(problem, arc_probability=0.5, constant_in_weights=False)
    assert log_evidence(posterior) == pytest.approx(-math.log(12))
    assert posterior.arc_posteriors.tolist() == [[0.0]]
    assert posterior.draw(2, np.random.default_rng(0)) == [((),), ((),)]
    answer = ExactAverage.of(problem, arc_probability=0.5).posterior(np.empty((0, 1), dtype=np.uint8))
    assert answer.tolist() == [[pytest.approx(2 / 5), pytest.approx(3 / 5)]]


def test_what_does_not_fit_is_refused():
    rows = np.zeros((21, 5), dtype=np.uint8)
    with pytest.raises(ValueError, match=r"20 variables.*table.*21"):
        OrderPosterior.of(SearchProblem.of(rows, np.full(21, 2)), arc_probability=0.5)
    with pytest.raises(ValueError, match=r'14.*15.*averaging="mixture"'):
        ExactAverage.of(SearchProblem.of(rows[:15], np.full(15, 2)), arc_probability=0.5)
    arities = np.append(np.full(13, 2), 5000)
    with pytest.raises(ValueError, match="5000 classes"):
        ExactAverage.of(SearchProblem.of(rows[:14].astype(np.uint16), arities), arc_probability=0.5)


def test_options_that_are_not_possible_are_refused():
    problem = problem_of(3, 20, 0)
    with pytest.raises(ValueError, match=r'predictive.*"posterior_mean".*"mml".*\'k2\''):
        ExactAverage.of(problem, arc_probability=0.5, predictive="k2")
    with pytest.raises(ValueError, match=r"arc_probability.*0.*1"):
        OrderPosterior.of(problem, arc_probability="joint")
    with pytest.raises(ValueError, match="arc_probability"):
        OrderPosterior.of(problem, arc_probability=1.0)
    trees = replace(problem, local_model=1)
    with pytest.raises(ValueError, match='Use local_model="table"'):
        ExactAverage.of(trees, arc_probability=0.5)


def test_required_arcs_against_the_tiers_are_refused():
    problem = problem_of(3, 20, 0)
    arc_costs = ArcCosts.uniform(3)
    required, before = arc_costs.required.copy(), arc_costs.before.copy()
    required[0, 1], before[0, 1] = True, False
    tiers = ArcCosts(arc_costs.free & ~required, arc_costs.fixed, required, before)
    with pytest.raises(ValueError, match=r"network.*required"):
        OrderPosterior.of(replace(problem, arc_costs=tiers), arc_probability=0.5)


@pytest.mark.parametrize("options", [*PROBLEMS[1:2], *PROBLEMS[4:]])
def test_holes_summed_along_the_way_are_those_of_all_networks(options, monkeypatch):
    monkeypatch.setitem(ExactAverage.posterior.__globals__, "SUMS_AN_ASSIGNMENT", 0.0)
    for seed, class_index in ((1, 0),):
        problem = problem_of(4, 30, seed, **options)
        average = ExactAverage.of(problem, arc_probability=0.4, class_index=class_index, predictive="mml")
        r = np.delete(problem.arities, class_index)
        asked = np.array([[r[0], 1, r[2]], [1, r[1], 0], r]).T
        answer = average.posterior(asked.astype(np.uint8))
        for i in range(3):
            ways = [range(n) if x == n else [x] for x, n in zip(asked[:, i], r, strict=True)]
            joint = sum(
                plain_forecast(problem, 0.4, np.insert(np.array(row), class_index, -1), class_index, "mml")
                for row in itertools.product(*ways)
            )
            assert answer[i] == pytest.approx(joint / joint.sum(), abs=1e-10)


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=6),
    st.integers(0, 40),
    st.sampled_from([0.0, 0.2]),
    st.integers(0, 2**32 - 1),
)
def test_both_ways_to_sum_holes_out_agree(arities, n_rows, holes, seed):
    codes, arities = linked_table(len(arities), n_rows, seed, arities=arities, holes=holes)
    rng = np.random.default_rng(seed)
    average = ExactAverage.of(
        SearchProblem.of(codes, arities), arc_probability=0.4, class_index=int(rng.integers(len(arities)))
    )
    asked = np.full((len(arities), 5), average.arities[:, None])
    known = rng.random(asked.shape) < 0.4
    asked = np.where(known, rng.integers(0, average.arities[:, None], asked.shape), asked)[average.attributes]
    ways = average._summed_over_ways(asked)
    rows = average._rows(asked)
    sizes = assignment_sizes(rows, average.arities, average.class_place)
    along = [
        summed_forecast(row, own, *average._kernel_arguments) for row, own in zip(rows, sizes, strict=True)
    ]
    assert np.array(along) == pytest.approx(ways, rel=1e-11)


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_all_ways_to_fill_a_row_are_given_once_in_blocks_of_any_size(size):
    arities = np.array([2, 3, 1, 4])
    codes = np.array([[2, 3, 1, 4], [0, 1, 0, 3], [1, 3, 0, 2]]).T
    found = []
    for rows, owners in Completions(codes, arities).blocks(size):
        assert rows.shape == (4, len(owners))
        assert len(owners) <= size
        found += [(int(owner), *row) for owner, row in zip(owners, rows.T.tolist(), strict=True)]
    expected = [(0, *row) for row in itertools.product(range(2), range(3), range(1), range(4))]
    expected += [(1, 0, 1, 0, 3), *((2, 1, value, 0, 2) for value in range(3))]
    assert sorted(found) == sorted(expected)
    assert [one[0] for one in found] == sorted(one[0] for one in expected)


@pytest.mark.slow
@pytest.mark.parametrize(("n_nodes", "arity"), [(8, 3), (12, 2)])
def test_all_attributes_may_be_missing(n_nodes, arity):
    codes, arities = linked_table(n_nodes, 60, 0, arities=np.full(n_nodes, arity), holes=0.05)
    average = ExactAverage.of(SearchProblem.of(codes, arities), arc_probability=0.5)
    nothing = np.full((n_nodes - 1, 1), arity, dtype=np.uint8)
    alone = ExactAverage.of(SearchProblem.of(codes, arities, max_parents=0), arc_probability=0.5).posterior(
        nothing
    )
    answer = average.posterior(nothing)
    assert answer.sum() == pytest.approx(1.0)
    # near what the class's own frequencies say, but not that: holes tell which networks are probable
    assert answer == pytest.approx(alone, abs=0.1)


def test_holes_that_take_too_long_are_refused():
    codes, arities = linked_table(14, 30, 0, arities=np.full(14, 10))
    average = ExactAverage.of(SearchProblem.of(codes, arities, max_parents=1), arc_probability=0.5)
    asked = np.full((13, 1), 10, dtype=np.uint8)
    with pytest.raises(ValueError, match=r"filled.*10,000,000,000,000.*averaging=\"mixture\""):
        average.posterior(asked)
    asked[1:] = 0
    assert average.posterior(asked).sum() == pytest.approx(1.0)


def test_arcs_cost_what_their_probability_says():
    # a node without values to tell is joined by its prior odds
    codes = np.zeros((2, 10), dtype=np.uint8)
    problem = SearchProblem.of(codes, np.array([1, 1]))
    posterior = OrderPosterior.of(problem, arc_probability=0.2)
    assert posterior.arc_posteriors[0, 1] == pytest.approx(0.1)
