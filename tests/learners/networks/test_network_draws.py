"""Independent draws of networks: against all models of four nodes, exact posteriors, and the chain."""

import itertools
import math
import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from learners import CaMMLClassifier, StructurePrior, learn_network
from learners.networks import camml
from learners.networks.classes.sampled_networks import SamplerOptions
from learners.networks.search.equivalence import equivalence_classes
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.metropolis import TomSample, sample_toms
from learners.networks.search.network_draws import NetworkDraws, draw_networks
from learners.networks.search.search_problem import SearchProblem

P = 0.3


def linked_rows(n_nodes, n_rows, seed, arity=2):
    """Rows of a chain with noise, in a random order of the columns."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, arity, n_rows)]
    for _ in range(n_nodes - 1):
        noisy = rng.random(n_rows) < 0.4
        columns.append(np.where(noisy, rng.integers(0, arity, n_rows), columns[-1]))
    return np.array(columns)[rng.permutation(n_nodes)].astype(np.uint8)


def linked_problem(n_nodes, n_rows, seed, **options):
    return SearchProblem.of(linked_rows(n_nodes, n_rows, seed), np.full(n_nodes, 2), **options)


def holed_problem():
    codes = linked_rows(4, 60, 5)
    codes[np.random.default_rng(0).random(codes.shape) < 0.1] = 2
    return SearchProblem.of(codes, np.full(4, 2))


def restricted_problem():
    opinions = StructurePrior(required=[("x2", "x0")], forbidden=[("x1", "x3")])
    return learn_network(linked_rows(4, 60, 6).T, structure_prior=opinions).problem


def tiered_problem():
    opinions = StructurePrior(tiers=[["x0", "x3"], ["x1"]], required=[("x0", "x2"), ("x2", "x1")])
    costs = opinions.arc_costs(("x0", "x1", "x2", "x3"))
    return SearchProblem.of(linked_rows(4, 60, 8), np.full(4, 2), arc_costs=costs)


def number_problem():
    rng = np.random.default_rng(1)
    first = rng.normal(size=40)
    rows = np.column_stack([first, first + rng.normal(size=40), rng.normal(size=40), rng.normal(size=40)])
    return GaussianProblem.of(rows.T)


def all_models(before):
    """Yield the parents of each node, once for each allowed order that they obey."""
    n_nodes = len(before)
    for order in itertools.permutations(range(n_nodes)):
        if not all(before[pair] for pair in itertools.combinations(order, 2)):
            continue
        among = [[c for k in range(place + 1) for c in itertools.combinations(order[:place], k)]
                 for place in range(n_nodes)]  # fmt: skip
        for chosen in itertools.product(*among):
            parents = [()] * n_nodes
            for v, others in zip(order, chosen, strict=True):
                parents[v] = tuple(sorted(others))
            yield tuple(parents)


def cleaned(problem, parents):
    """Drop parents that do not shorten the message, from the last one down."""
    arc_cost = math.log((1 - P) / P)
    out = []
    for v, others in enumerate(parents):
        left = list(others)
        for u in sorted(others, reverse=True):
            without = [w for w in left if w != u]
            saved = problem.family_cost(v, without) - problem.family_cost(v, left) - arc_cost
            if not problem.arc_costs.required[u, v] and saved <= 0:
                left = without
        out.append(tuple(left))
    return tuple(out)


@pytest.mark.parametrize(
    "problem",
    [
        linked_problem(4, 30, 3),
        linked_problem(4, 300, 4),
        holed_problem(),
        restricted_problem(),
        tiered_problem(),
        number_problem(),
        linked_problem(4, 60, 7, local_model="tree"),
        linked_problem(1, 30, 3),
        linked_problem(2, 30, 3),
    ],
    ids=["30 rows", "300 rows", "holes", "opinions", "tiers", "numbers", "trees", "one node", "two nodes"],
)
def test_graphs_drawn_have_the_posterior_of_all_models_of_few_nodes(problem):
    models = Counter(all_models(problem.arc_costs.before))
    nats = {dag: problem.length(dag, P) for dag in models}
    models = {dag: n for dag, n in models.items() if math.isfinite(nats[dag])}
    weights = np.array([n * math.exp(min(nats.values()) - nats[dag]) for dag, n in models.items()])
    weights /= weights.sum()
    shares = dict.fromkeys(nats, 0.0)
    for dag, weight in zip(models, weights, strict=True):
        shares[cleaned(problem, dag)] += weight
    drawn = draw_networks(problem, arc_probability=P, random_state=0)
    found = {drawn.graphs.parents(g): w for g, w in enumerate(drawn.graphs.weights)}
    assert sum(found.values()) == pytest.approx(1)
    unlisted = 1 - sum(shares[dag] for dag in found)
    assert unlisted < 0.005
    for dag, weight in found.items():
        assert shares[dag] - 1e-9 <= weight <= shares[dag] + unlisted + 1e-9
    assert all(shares[dag] < 0.001 for dag in set(shares) - set(found))
    arcs = sum(
        weight * np.array([[u in parents for parents in dag] for u in range(problem.n_nodes)])
        for dag, weight in zip(models, weights, strict=True)
    )
    np.testing.assert_allclose(drawn.arc_posteriors, arcs, atol=1e-9)
    assert drawn.shortest_length == pytest.approx(min(nats.values()))


def test_arcs_drawn_have_their_exact_posteriors_on_eight_nodes():
    problem = linked_problem(8, 100, 0)
    drawn = draw_networks(problem, arc_probability=P, random_state=0)
    (sets,) = drawn.posterior.drawn_sets(20_000, np.random.default_rng(1))
    order = drawn.posterior.order
    for v, u in itertools.permutations(range(8), 2):
        share = (sets[:, v] >> u & 1).mean()
        assert share == pytest.approx(drawn.arc_posteriors[order[u], order[v]], abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [50, 500])
def test_classes_drawn_have_the_shares_of_the_chain(n_rows):
    problem = linked_problem(8, n_rows, 1)
    drawn = draw_networks(problem, arc_probability=P, random_state=0)
    chain = sample_toms(problem, arc_probability=P, random_state=0)
    heaviest, other = equivalence_classes(drawn.graphs)[:5], equivalence_classes(chain.graphs)
    for own in heaviest:
        (same,) = [
            c for c in other if c.graphs.parents(0) in {own.graphs.parents(g) for g in range(len(own.graphs))}
        ]
        assert same.posterior == pytest.approx(own.posterior, abs=0.03)


def test_many_graphs_have_the_shares_of_the_draws(monkeypatch):
    problem = linked_problem(5, 40, 2)
    exact = draw_networks(problem, arc_probability=P, random_state=0).graphs
    monkeypatch.setattr("learners.networks.search.network_draws.MOST_WORK", 0)
    drawn = draw_networks(problem, arc_probability=P, random_state=0).graphs
    shares = {exact.parents(g): share for g, share in enumerate(exact.weights)}
    assert drawn.weights.sum() == pytest.approx(1)
    for g, share in enumerate(drawn.weights):
        expected = shares[drawn.parents(g)]
        assert share == pytest.approx(expected, abs=5 * math.sqrt(max(expected, 1 / 20_000) / 20_000))


def test_the_seed_and_the_search_factor_decide_what_is_drawn():
    problem = linked_problem(5, 40, 2)
    first, again, other = (draw_networks(problem, arc_probability=P, random_state=s) for s in (0, 0, 1))
    assert (first.graphs.bits == again.graphs.bits).all()
    assert not np.array_equal(first.graphs.bits, other.graphs.bits)
    assert first.n_samples == 20_000
    assert draw_networks(problem, arc_probability=P, search_factor=0.01).n_samples == 200


def test_networks_are_drawn_where_posteriors_are_exact_and_sampled_by_chains_elsewhere():
    rows = linked_rows(5, 40, 2).T
    learned = learn_network(rows)
    assert isinstance(learned.sampled.sample, NetworkDraws)
    assert learned.sampled.agreement == "independent draws"
    assert learned.posterior_source == "exact"
    assert learned.equivalence_classes[0].posterior > 0
    ancestor = StructurePrior(ancestors={("x0", "x1"): 0.9})
    by_chains = learn_network(rows, structure_prior=ancestor, search_factor=0.01)
    assert isinstance(by_chains.sampled.sample, TomSample)
    camml = CaMMLClassifier(averaging="representative", random_state=0).fit(rows[:, 1:], rows[:, 0])
    assert isinstance(camml.sampled_.sample, NetworkDraws)


def test_drawing_that_is_stopped_has_what_was_drawn(monkeypatch):
    monkeypatch.setattr("learners.networks.search.order_posterior.BLOCK", 1 << 8)
    monkeypatch.setattr("learners.networks.search.chain_clock.ChainClock.is_up", True)
    drawn = draw_networks(linked_problem(5, 40, 2), arc_probability=P, random_state=0)
    assert drawn.interrupted
    assert drawn.n_samples == (1 << 8) >> 5


def test_drawing_that_the_user_stops_has_what_was_drawn(monkeypatch):
    ticks = []

    def tick(clock, length, n_steps):
        ticks.append(n_steps)
        if len(ticks) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("learners.networks.search.order_posterior.BLOCK", 1 << 12)
    monkeypatch.setattr("learners.networks.search.chain_clock.ChainClock.tick", tick)
    drawn = draw_networks(linked_problem(5, 40, 2), arc_probability=P, random_state=0)
    assert drawn.interrupted
    assert drawn.n_samples == sum(ticks) < 20_000
    assert 0.5 < drawn.graphs.weights.sum() < 1 + 1e-9


def test_classes_have_the_posterior_of_graphs_that_were_never_drawn():
    few = draw_networks(linked_problem(6, 30, 1), arc_probability=P, search_factor=0.005, random_state=0)
    assert few.graphs.weights.sum() == pytest.approx(1)
    found = equivalence_classes(few.graphs, total=1.0, max_classes=len(few.graphs))
    assert sum(one.posterior for one in found) == pytest.approx(1)


def test_a_time_limit_is_of_the_sums_too_and_a_chain_stands_in(monkeypatch):
    monkeypatch.setattr("learners.networks.search.family_costs.BLOCK_WORK", 1)  # many short kernel calls
    problem, parents = linked_problem(8, 40, 2), ((),) * 8
    found = SamplerOptions(max_seconds=1e-9).draw(problem, parents, P, exact=True)
    assert isinstance(found.sample, TomSample)
    assert found.sample.interrupted


def test_a_sampler_is_brief_after_a_search_was_stopped(monkeypatch):
    rows = linked_rows(5, 40, 2).T
    monkeypatch.setattr("learners.networks.camml.find_network", stopped(camml.find_network))
    with pytest.warns(UserWarning, match="stopped"):
        found = CaMMLClassifier(averaging="mixture", random_state=0).fit(rows[:, 1:], rows[:, 0])
    assert found.sampled_.sample.n_samples == 2_000


def stopped(search):
    return lambda *args, **more: replace(search(*args, **more), interrupted=True)


def test_a_fitted_classifier_is_pickled_and_forecasts_the_same():
    rows = linked_rows(5, 40, 2).T
    camml = CaMMLClassifier(averaging="representative", random_state=0).fit(rows[:, 1:], rows[:, 0])
    again = pickle.loads(pickle.dumps(camml))
    np.testing.assert_array_equal(again.predict_proba(rows[:, 1:]), camml.predict_proba(rows[:, 1:]))
    assert again.sampled_.sample.n_samples == camml.sampled_.sample.n_samples
