"""What every random truth keeps: add a generator to `GENERATORS` and it is held to all of it."""

import math

import networkx
import numpy as np
import pytest
from scipy import stats

from generators import Mixture, Network, from_json, random_aode, random_kdb, random_naive_bayes, random_tan

GENERATORS = [random_naive_bayes, random_tan, random_kdb, random_aode]
SEEDS = range(12)

every_generator = pytest.mark.parametrize("make", GENERATORS)


def networks(truth) -> tuple[Network, ...]:
    return truth.components if isinstance(truth, Mixture) else (truth,)


def numbers(truth) -> list[np.ndarray]:
    return [cpt for network in networks(truth) for cpt in network.cpts]


@every_generator
def test_cpt_rows_sum_to_one(make):
    for seed in SEEDS:
        for cpt in numbers(make(random_state=seed)):
            np.testing.assert_allclose(cpt.sum(axis=-1), 1.0, atol=1e-14)
            assert (cpt > 0).all()


@every_generator
@pytest.mark.parametrize("seed", [3, np.random.SeedSequence(3)])
def test_the_same_seed_gives_the_same_truth(make, seed):
    one, other = make(random_state=seed), make(random_state=seed)
    assert one.to_json() == other.to_json()
    assert one.to_json() != make(random_state=4).to_json()


@every_generator
def test_a_generator_is_advanced(make):
    rng = np.random.default_rng(3)
    assert make(random_state=rng).to_json() != make(random_state=rng).to_json()


@every_generator
def test_empirical_frequencies_approach_the_joint(make):
    truth = make(n_attributes=2, arity=3, n_classes=3, random_state=1)
    codes = truth.sample_codes(20_000, 2)
    expected = truth.joint_array(range(3)).ravel() * len(codes)
    observed = np.bincount(np.ravel_multi_index(codes.T, truth.arities), minlength=len(expected))
    assert stats.chisquare(observed, expected).pvalue > 0.01


@every_generator
def test_the_graph_is_acyclic_and_the_class_is_above_everything(make):
    for seed in SEEDS:
        for network in networks(make(random_state=seed)):
            graph = network.to_networkx()
            assert networkx.is_directed_acyclic_graph(graph)
            assert list(graph.predecessors("y")) == []
            assert set(graph.successors("y")) == set(network.attribute_names)


@every_generator
def test_sizes_are_within_their_bounds_and_reach_them(make):
    truths = [make(n_attributes=(3, 5), arity=(2, 4), n_classes=(2, 3), random_state=s) for s in range(60)]
    assert {len(truth.attributes) for truth in truths} == {3, 4, 5}
    assert {len(truth.classes) for truth in truths} == {2, 3}
    assert {int(arity) for truth in truths for arity in truth.arities[:-1]} == {2, 3, 4}


@every_generator
def test_names_states_and_class_are_as_documented(make):
    truth = make(n_attributes=3, arity=2, n_classes=4, random_state=0)
    assert truth.names == ("x0", "x1", "x2", "y")
    assert truth.states == ((0, 1), (0, 1), (0, 1), (0, 1, 2, 3))
    assert truth.class_index == 3
    assert all(parents[0] == 3 for network in networks(truth) for parents in network.parents[:3])


@every_generator
def test_the_smallest_sizes_work(make):
    truth = make(n_attributes=1, arity=1, n_classes=1, random_state=0)
    assert truth.enumerate().joint.tolist() == [[1.0]]
    assert truth.posterior(truth.sample(3, 0)[0]).tolist() == [[1.0]] * 3


@every_generator
def test_the_four_verbs_agree(make):
    truth = make(n_attributes=(3, 5), random_state=5)
    cells = truth.enumerate()
    assert cells.joint.shape == (truth.n_cells, len(truth.classes))
    assert math.isclose(cells.joint.sum(), 1.0, abs_tol=1e-12)
    np.testing.assert_allclose(truth.posterior(cells.codes), cells.posterior, atol=1e-12)
    assert np.array_equal(truth.posterior(cells.X), truth.posterior(cells.codes))
    by_class = [truth.log_joint(cells.codes, np.full(truth.n_cells, k)) for k in range(len(truth.classes))]
    np.testing.assert_allclose(np.exp(by_class).T, cells.joint, atol=1e-14)


@every_generator
def test_json_keeps_the_truth(make):
    truth = make(random_state=6)
    assert from_json(truth.to_json()).to_json() == truth.to_json()


@every_generator
@pytest.mark.parametrize("options", [{"concentration": 0.3}, {"rows": "normalized_uniform"}])
def test_the_rows_are_drawn_as_asked(make, options):
    truth, plain = make(random_state=7, **options), make(random_state=7)
    assert truth.states == plain.states
    assert not np.array_equal(numbers(truth)[0], numbers(plain)[0])


@every_generator
@pytest.mark.parametrize(
    "options, message",
    [
        ({"n_attributes": 0}, "n_attributes is 0"),
        ({"arity": (3, 2)}, "low end exceeds"),
        ({"n_classes": 1.5}, "n_classes is 1.5"),
        ({"rows": "flat"}, "rows is 'flat'"),
        ({"concentration": 0}, "concentration is 0"),
    ],
)
def test_arguments_that_cannot_be_are_refused(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(random_state=0, **options)


@every_generator
def test_a_class_distribution_can_be_given(make):
    skewed = [0.7, 0.2, 0.1]
    truth = make(n_classes=3, class_marginal=skewed, random_state=1)
    np.testing.assert_allclose(truth.class_marginal(), skewed, atol=1e-12)
    # All else is what the seed draws.
    for given, drawn in zip(networks(truth), networks(make(n_classes=3, random_state=1)), strict=True):
        for one, other in zip(given.cpts[:-1], drawn.cpts[:-1], strict=True):
            np.testing.assert_array_equal(one, other)


@every_generator
def test_classes_can_be_skewed(make):
    truth = make(n_classes=3, class_skew=9, random_state=1)
    np.testing.assert_allclose(truth.class_marginal(), np.array([9, 3, 1]) / 13, atol=1e-12)
    for wrong, message in (
        ({"class_skew": 0.5}, "class_skew is 0.5; give a finite number of at least 1"),
        ({"class_skew": 2, "class_marginal": [0.5, 0.25, 0.25]}, "both given; give one of them"),
    ):
        with pytest.raises(ValueError, match=message):
            make(n_classes=3, random_state=1, **wrong)


@every_generator
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0.5, 0.5], "has shape \\(2,\\) and the truth has 3 classes; give n_classes=2"),
        ([0.5, 0.5, 0.0], "positive probabilities"),
        ([0.5, 0.4, 0.2], "sum to one"),
    ],
)
def test_a_class_distribution_that_cannot_be_is_refused(make, given, message):
    with pytest.raises(ValueError, match=message):
        make(n_classes=3, class_marginal=given, random_state=1)


def test_naive_bayes_has_no_other_arcs():
    assert all(len(parents) == 1 for parents in random_naive_bayes(random_state=0).parents[:-1])


def test_tan_is_a_tree_over_the_attributes():
    for seed in SEEDS:
        truth = random_tan(random_state=seed)
        tree = truth.to_networkx().subgraph(truth.attribute_names).to_undirected()
        assert networkx.is_tree(tree)
        assert sum(len(parents) == 1 for parents in truth.parents) == 1


def test_tan_draws_every_tree_and_every_root_equally_often():
    rng = np.random.default_rng(8)
    drawn = [random_tan(n_attributes=4, arity=1, n_classes=1, random_state=rng).parents for _ in range(6400)]
    _, counts = np.unique([[p[-1] for p in parents[:-1]] for parents in drawn], axis=0, return_counts=True)
    assert len(counts) == 16 * 4
    assert stats.chisquare(counts).pvalue > 0.01


def test_aode_has_one_network_per_attribute_and_equal_weights():
    truth = random_aode(n_attributes=4, random_state=0)
    assert truth.weights.tolist() == [0.25] * 4
    for center, network in enumerate(truth.components):
        assert network.parents == (*((4,) if j == center else (4, center) for j in range(4)), ())


def test_aode_shares_the_class_prior_when_asked():
    shared = random_aode(n_attributes=3, shared_class_prior=True, random_state=0).components
    own = random_aode(n_attributes=3, random_state=0).components
    assert all(np.array_equal(network.cpts[-1], shared[0].cpts[-1]) for network in shared)
    assert not any(np.array_equal(network.cpts[-1], own[0].cpts[-1]) for network in own[1:])
    assert not np.array_equal(shared[0].cpts[0], shared[1].cpts[0][0])
