"""Sizes, rows, trees and orders, all from uniforms."""

import numpy as np
import pytest
from scipy import stats

from generators.base.draw import as_generator, random_integer, random_order, random_sizes
from generators.base.probabilities import random_rows
from generators.base.random_graph import random_labelled_tree, rooted_parents


class OnlyUniforms(np.random.Generator):
    """A generator whose other distributions fail, since numpy may change their streams."""

    def __getattribute__(self, name):
        if name in ("dirichlet", "choice", "permutation", "integers", "exponential", "gamma", "shuffle"):
            raise AssertionError(f"{name} was asked for")
        return super().__getattribute__(name)


def test_every_kind_of_seed_gives_a_generator():
    assert as_generator(5).random() == as_generator(np.int64(5)).random()
    assert as_generator(np.random.SeedSequence(5)).random() == as_generator(5).random()
    rng = as_generator(5)
    assert as_generator(rng) is rng
    assert as_generator().random() != as_generator().random()


@pytest.mark.parametrize("seed", ["5", 5.0, True, np.random.RandomState(5)])
def test_other_seeds_are_refused(seed):
    with pytest.raises(TypeError, match="SeedSequence"):
        as_generator(seed)


def test_only_uniforms_are_drawn():
    rng = OnlyUniforms(np.random.PCG64(1))
    random_sizes(rng, n_attributes=(3, 7), arity=(2, 5), n_classes=(2, 5))
    random_labelled_tree(rng, 6)
    random_order(rng, 6)
    for rows in ("dirichlet", "normalized_uniform", "logit"):
        random_rows(rng, (3, 4), rows=rows)
    random_rows(rng, (3, 4), concentration=0.5)


def test_integers_are_uniform_with_both_ends():
    rng = as_generator(1)
    drawn = np.bincount([random_integer(rng, 2, 5) for _ in range(4000)], minlength=6)
    assert drawn[:2].sum() == 0
    assert stats.chisquare(drawn[2:]).pvalue > 0.01


def test_a_fixed_size_draws_nothing():
    rng = as_generator(1)
    assert random_sizes(rng, n_attributes=2, arity=(3, 3), n_classes=4).arities == (3, 3)
    assert rng.random() == as_generator(1).random()


@pytest.mark.parametrize(
    "bounds, message",
    [
        ({"n_attributes": 0}, "n_attributes is 0"),
        ({"n_classes": 2.5}, "n_classes is 2.5"),
        ({"arity": True}, "arity is True"),
    ],
)
def test_bounds_that_cannot_be_are_refused(bounds, message):
    with pytest.raises(ValueError, match=message):
        random_sizes(as_generator(1), **{"n_attributes": 3, "arity": 2, "n_classes": 2, **bounds})


@pytest.mark.parametrize("concentration", [0.05, 1.0, 50.0])
def test_dirichlet_entries_follow_their_beta_distribution(concentration):
    drawn = random_rows(as_generator(2), (4000, 4), concentration=concentration)
    np.testing.assert_allclose(drawn.sum(axis=1), 1.0, atol=1e-14)
    for state in range(4):
        assert stats.kstest(drawn[:, state], stats.beta(concentration, 3 * concentration).cdf).pvalue > 0.001


def test_normalized_uniforms_are_uniforms_over_their_sum():
    uniforms = as_generator(3).random((5, 4))
    drawn = random_rows(as_generator(3), (5, 4), rows="normalized_uniform")
    np.testing.assert_allclose(drawn, uniforms / uniforms.sum(axis=1, keepdims=True), rtol=1e-14)


def test_logits_add_up_over_the_axes_and_their_effects_are_normal():
    drawn = np.log(random_rows(as_generator(3), (200, 3, 4), rows="logit", concentration=4.0))
    odds = drawn[..., 1:] - drawn[..., :1]
    interaction = odds - odds.mean(axis=0, keepdims=True) - odds.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(interaction, -odds.mean(axis=(0, 1)) + np.zeros_like(odds), atol=1e-12)
    effects = (odds - odds.mean(axis=0, keepdims=True))[:, 0]  # differences of two effects of variance 1/4
    assert stats.kstest(effects[:, 0] / np.sqrt(0.5), "norm").pvalue > 0.001


@pytest.mark.parametrize("concentration", [1e-6, 1e-3, 1e6])
def test_extreme_concentrations_give_distributions(concentration):
    drawn = random_rows(as_generator(4), (500, 3), concentration=concentration)
    np.testing.assert_allclose(drawn.sum(axis=1), 1.0, atol=1e-14)
    assert (drawn >= 0).all()


def test_a_uniform_of_zero_gives_a_distribution():
    class Zeros(np.random.Generator):
        def random(self, size=None):
            return np.zeros(size)

    for rows in ("dirichlet", "normalized_uniform", "logit"):
        assert random_rows(Zeros(np.random.PCG64(0)), (2, 3), rows=rows).tolist() == [[1 / 3] * 3] * 2


@pytest.mark.parametrize("concentration", [0.0, 5e-324, np.nan, "1", True])
def test_concentrations_that_cannot_be_are_refused(concentration):
    with pytest.raises(ValueError, match="expected a number from 1e-6 to 1e6"):
        random_rows(as_generator(1), (2,), concentration=concentration)


@pytest.mark.parametrize("concentration", [1e-6, 1e6])
def test_rows_are_drawn_at_both_ends_of_the_range(concentration):
    rows = random_rows(as_generator(1), (50, 3), concentration=concentration)
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-12)
    assert rows.max(axis=1).min() > 1 - 1e-9 if concentration < 1 else np.abs(rows - 1 / 3).max() < 0.01


def test_unknown_rows_are_refused():
    with pytest.raises(ValueError, match="rows is 'flat'"):
        random_rows(as_generator(1), (2,), rows="flat")


def test_every_labelled_tree_is_equally_likely():
    rng = as_generator(5)
    drawn = [frozenset(map(frozenset, random_labelled_tree(rng, 4))) for _ in range(8000)]
    kinds, counts = np.unique([sorted(map(sorted, tree)) for tree in drawn], axis=0, return_counts=True)
    assert len(kinds) == 16
    assert stats.chisquare(counts).pvalue > 0.01


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 9])
def test_a_tree_directed_from_its_root_reaches_every_node(n_nodes):
    edges = random_labelled_tree(as_generator(6), n_nodes)
    assert len(edges) == n_nodes - 1
    for root in range(n_nodes):
        parents = rooted_parents(n_nodes, edges, root)
        assert parents[root] == -1
        for node in range(n_nodes):
            steps = 0
            while node != root:
                assert tuple(sorted((node, parents[node]))) in {tuple(sorted(edge)) for edge in edges}
                node, steps = parents[node], steps + 1
                assert steps < n_nodes


def test_every_order_is_equally_likely():
    rng = as_generator(7)
    _, counts = np.unique([random_order(rng, 3) for _ in range(3000)], axis=0, return_counts=True)
    assert len(counts) == 6
    assert stats.chisquare(counts).pvalue > 0.01
