"""Averages over the networks of a law, against sums over every order and every parent set along it."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from generators.base.random_graph import random_parents
from learners.networks.search.order_average import (
    MAX_COMPLETIONS,
    MAX_LAW_NODES,
    OrderAverage,
    check_order_average,
)
from learners.networks.search.order_law import DagLaw, KDependenceLaw
from tests.marks import mostly_slow

LAWS = [
    DagLaw(2),
    KDependenceLaw(1),
    DagLaw(0),
    DagLaw(1),
    DagLaw(3),
    KDependenceLaw(0),
    KDependenceLaw(2),
    KDependenceLaw(3),
]


def linked_table(n_rows, seed, arities, holes=0.0):
    """Columns of which each is like the one before it; the arity is a hole."""
    rng = np.random.default_rng(seed)
    arities = np.array(arities)
    codes = np.empty((arities.size, n_rows), np.uint8)
    u = rng.random(n_rows)
    for v in range(arities.size):
        u = np.where(rng.random(n_rows) < 0.6, u, rng.random(n_rows))
        codes[v] = u * arities[v]
    return np.where(rng.random(codes.shape) < holes, arities[:, None], codes).astype(np.uint8), arities


def all_rows(arities):
    """Every row of attributes, as columns of codes."""
    return np.array(list(itertools.product(*map(range, arities))), np.uint8).T


def networks_of(law, n_attributes):
    """Yield every network along every order, class last, with the probability of drawing both."""
    n_ordered = n_attributes + (not law.class_first)
    for order in itertools.permutations(range(n_ordered)):
        choices = []
        for place in range(n_ordered):
            sizes = [min(law.k, place)] if law.class_first else range(min(law.max_parents, place) + 1)
            sets = [
                (others, 1 / (len(sizes) * math.comb(place, size)))
                for size in sizes
                for others in itertools.combinations(order[:place], size)
            ]
            choices.append(sets)
        for chosen in itertools.product(*choices):
            parents = [()] * (n_attributes + 1)
            for v, (others, _) in zip(order, chosen, strict=True):
                parents[v] = tuple(sorted((*others, n_attributes) if law.class_first else others))
            yield tuple(parents), math.prod(p for _, p in chosen) / math.factorial(n_ordered)


def counts_of(codes, weights, arities, v, others):
    """Weighted counts of a node by configuration of its parents, on the rows complete in the family."""
    counts = np.zeros([arities[u] for u in (*others, v)])
    for row, weight in zip(codes.T.astype(int), weights, strict=True):
        if all(row[u] < arities[u] for u in (*others, v)):
            counts[tuple(row[u] for u in (*others, v))] += weight
    return counts


def log_marginal(counts, alpha):
    """Log evidence of rows of counts under Dirichlet(alpha) rows, in the form of products of gammas."""
    counts = np.atleast_2d(counts.reshape(-1, counts.shape[-1]))
    rising = (gammaln(counts + alpha) - gammaln(alpha)).sum(axis=1)
    total = alpha * counts.shape[1]
    return float((rising - gammaln(counts.sum(axis=1) + total) + gammaln(total)).sum())


class BruteForce:
    """Every network, its posterior, and its forecasts."""

    def __init__(self, codes, arities, law, alpha, weights=None):
        self.codes, self.arities, self.law, self.alpha = codes, arities, law, alpha
        self.weights = np.ones(codes.shape[1]) if weights is None else weights
        self.known = law.class_probabilities if law.class_first else None
        prior, tables = {}, {}
        for parents, probability in networks_of(law, len(arities) - 1):
            prior[parents] = prior.get(parents, 0.0) + probability
        for family in {f for parents in prior for f in enumerate(parents)}:
            tables[family] = counts_of(codes, self.weights, arities, *family)
        assert math.isclose(sum(prior.values()), 1)
        evidence = {family: self.family_evidence(*family, tables[family]) for family in tables}
        logs = [math.log(p) + sum(evidence[f] for f in enumerate(g)) for g, p in prior.items()]
        self.log_evidence = float(np.logaddexp.reduce(logs))
        self.posterior = dict(zip(prior, np.exp(np.array(logs) - self.log_evidence), strict=True))
        self.tables = {family: self.table(*family, counts) for family, counts in tables.items()}

    def family_evidence(self, v, others, counts):
        c = len(self.arities) - 1
        if v == c and self.known is not None:
            return float(counts @ np.log(self.known))
        common = (c,) if self.law.class_first and v != c else ()
        first = counts_of(self.codes, self.weights, self.arities, v, common)
        # the rows complete in the family, counted without the further parents
        further = tuple(range(len(others) - len(common)))
        return (
            log_marginal(first, self.alpha)
            + log_marginal(counts, self.alpha)
            - log_marginal(counts.sum(axis=further), self.alpha)
        )

    def table(self, v, others, counts):
        if v == len(self.arities) - 1 and self.known is not None:
            return self.known
        predicted = counts + self.alpha
        return predicted / predicted.sum(axis=-1, keepdims=True)

    def joint(self, row):
        """Probability of one row of attributes with each class."""
        joint = np.zeros(self.arities[-1])
        for c in range(joint.size):
            values = (*row, c)
            for parents, probability in self.posterior.items():
                for v, others in enumerate(parents):
                    probability *= self.tables[v, others][tuple(values[u] for u in (*others, v))]
                joint[c] += probability
        return joint

    def arcs(self):
        arcs = np.zeros((len(self.arities),) * 2)
        for parents, probability in self.posterior.items():
            for v, others in enumerate(parents):
                arcs[list(others), v] += probability
        return arcs


def assert_equal_to_brute_force(codes, arities, law, alpha, weights=None):
    average = OrderAverage.of(codes, arities, law=law, alpha=alpha, row_weights=weights)
    plain = BruteForce(codes, arities, law, alpha, weights)
    rows = all_rows(arities[:-1])
    expected = np.array([plain.joint(row) for row in rows.T])
    np.testing.assert_allclose(np.exp(average.log_joint(rows)), expected, rtol=1e-12)
    np.testing.assert_allclose(average.log_evidence, plain.log_evidence, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(average.arc_posteriors, plain.arcs(), rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(
    ("law", "alpha"),
    [
        (LAWS[0], 1.0),
        (LAWS[1], 1.0),
        *(pytest.param(law, 1.0, marks=pytest.mark.slow) for law in LAWS[2:]),
        *(pytest.param(law, 0.3, marks=pytest.mark.slow) for law in LAWS[:2]),
    ],
    ids=str,
)
def test_forecasts_evidence_and_arcs_are_the_sums_over_all_networks(law, alpha):
    codes, arities = linked_table(30, 1, [3, 2, 2, 3])
    assert_equal_to_brute_force(codes, arities, law, alpha)


@pytest.mark.parametrize("law", mostly_slow(LAWS[:2], 1), ids=str)
def test_three_nodes_agree_for_many_tables(law):
    @settings(max_examples=6)
    @given(
        st.integers(0, 40),
        st.integers(0, 10**6),
        st.lists(st.integers(2, 3), min_size=2, max_size=3),
        st.sampled_from([0.3, 1.0, 3.0]),
    )
    def check(n_rows, seed, arities, alpha):
        codes, arities = linked_table(n_rows, seed, arities)
        assert_equal_to_brute_force(codes, arities, law, alpha)

    check()


@pytest.mark.parametrize("law", mostly_slow(LAWS[:4], 2), ids=str)
def test_rows_may_have_any_weight(law):
    codes, arities = linked_table(20, 2, [2, 3, 2])
    weights = np.random.default_rng(0).exponential(2.0, 20)
    weights[3] = 0.0
    assert_equal_to_brute_force(codes, arities, law, 0.5, weights)


@pytest.mark.parametrize("law", mostly_slow(LAWS[:4], 2), ids=str)
def test_families_are_counted_on_the_rows_complete_in_them(law):
    codes, arities = linked_table(40, 3, [2, 3, 2], holes=0.2)
    assert_equal_to_brute_force(codes, arities, law, 0.7)


def test_a_known_class_distribution_is_used_as_it_is():
    codes, arities = linked_table(25, 4, [2, 3, 2])
    assert_equal_to_brute_force(codes, arities, KDependenceLaw(1, [0.9, 0.1]), 2.0)


@pytest.mark.slow
def test_five_nodes_agree():
    codes, arities = linked_table(30, 5, [2, 2, 2, 2, 2])
    law = DagLaw(2)
    average = OrderAverage.of(codes, arities, law=law, alpha=0.3)
    plain = BruteForce(codes, arities, law, 0.3)
    np.testing.assert_allclose(average.log_evidence, plain.log_evidence, rtol=1e-12)
    np.testing.assert_allclose(average.arc_posteriors, plain.arcs(), rtol=1e-10)
    row = np.array([0, 1, 1, 0], np.uint8)
    np.testing.assert_allclose(np.exp(average.log_joint(row[:, None]))[0], plain.joint(row), rtol=1e-12)


def test_the_law_is_that_of_the_generator():
    """How often the generator draws each graph, against the prior: the posterior without rows."""
    rng, n_draws = np.random.default_rng(0), 1000
    average = OrderAverage.of(np.empty((4, 0), np.uint8), [2] * 4, law=DagLaw(2), alpha=1.0)
    arcs = np.zeros((4, 4))
    for _ in range(n_draws):
        for v, others in enumerate(random_parents(rng, 4, 2)):
            arcs[list(others), v] += 1 / n_draws
    np.testing.assert_allclose(average.arc_posteriors, arcs, atol=5 * math.sqrt(0.25 / n_draws))
    off_diagonal = average.arc_posteriors[~np.eye(4, dtype=bool)]
    # parents expected at places 0 to 3: 0, 1/2, 1, 1
    np.testing.assert_allclose(off_diagonal, 2.5 / 12)


@pytest.mark.parametrize(
    "law", mostly_slow([DagLaw(3), KDependenceLaw(2), DagLaw(6), KDependenceLaw(6)], 2), ids=str
)
def test_the_joint_forecast_sums_to_one(law):
    codes, arities = linked_table(60, 6, [2, 3, 2, 2, 2, 3, 2], holes=0.1)
    average = OrderAverage.of(codes, arities, law=law, alpha=0.4)
    assert math.isclose(np.exp(average.log_joint(all_rows(arities[:-1]))).sum(), 1, rel_tol=1e-12)


def test_no_attribute_parents_are_naive_bayes():
    codes, arities = linked_table(50, 7, [3, 2, 2, 4])
    a = 0.6
    average = OrderAverage.of(codes, arities, law=KDependenceLaw(0), alpha=a)
    classes = counts_of(codes, np.ones(50), arities, 3, ())
    rows = all_rows(arities[:-1])
    expected = np.tile((classes + a) / (50 + 4 * a), (rows.shape[1], 1))
    evidence = log_marginal(classes, a)
    for v in range(3):
        counts = counts_of(codes, np.ones(50), arities, v, (3,))
        expected *= ((counts + a) / (counts.sum(axis=1, keepdims=True) + a * arities[v]))[:, rows[v]].T
        evidence += log_marginal(counts, a)
    np.testing.assert_allclose(np.exp(average.log_joint(rows)), expected, rtol=1e-12)
    assert math.isclose(average.log_evidence, evidence, rel_tol=1e-12)


def test_complete_dependence_is_the_mean_of_the_chain_rule_over_orders():
    codes, arities = linked_table(50, 8, [2, 3, 2, 2])
    a, ones = 0.6, np.ones(50)
    average = OrderAverage.of(codes, arities, law=KDependenceLaw(2), alpha=a)
    logs = [
        sum(log_marginal(counts_of(codes, ones, arities, v, (*order[:p], 3)), a) for p, v in enumerate(order))
        for order in itertools.permutations(range(3))
    ]
    of_class = log_marginal(counts_of(codes, ones, arities, 3, ()), a)
    expected = np.logaddexp.reduce(logs) - math.log(6) + of_class
    assert math.isclose(average.log_evidence, expected, rel_tol=1e-12)


def test_holes_are_summed_out():
    codes, arities = linked_table(50, 9, [2, 3, 2, 2])
    average = OrderAverage.of(codes, arities, law=DagLaw(2), alpha=1.0)
    holed = np.array([[2, 2, 1], [1, 3, 0], [0, 2, 1]], np.uint8)
    filled = [
        np.array([[0, 1], [1, 1], [0, 0]]),
        all_rows(arities[:-1]),
        np.array([[1], [0], [1]]),
    ]
    expected = [np.exp(average.log_joint(rows)).sum(axis=0) for rows in filled]
    np.testing.assert_allclose(np.exp(average.log_joint(holed)), expected, rtol=1e-13)


@pytest.mark.parametrize("law", [DagLaw(2), KDependenceLaw(1)], ids=str)
def test_the_class_may_be_any_column(law):
    codes, arities = linked_table(30, 10, [3, 2, 4, 2])
    last = OrderAverage.of(codes, arities, law=law, alpha=1.0)
    moved = [0, 3, 1, 2]
    other = OrderAverage.of(codes[moved], arities[moved], law=law, alpha=1.0, class_index=1)
    rows = all_rows(arities[:-1])
    np.testing.assert_array_equal(other.log_joint(rows), last.log_joint(rows))
    np.testing.assert_array_equal(other.arc_posteriors, last.arc_posteriors[np.ix_(moved, moved)])


@pytest.mark.parametrize("law", mostly_slow([DagLaw(3), KDependenceLaw(2), KDependenceLaw(4)], 2), ids=str)
@pytest.mark.parametrize("alpha", [0.01, 1.0])
def test_constant_equal_and_deterministic_columns_leave_no_zero(law, alpha):
    rng = np.random.default_rng(11)
    y, x = rng.integers(0, 2, (2, 5000))
    codes = np.array([np.zeros(5000), x, x, x ^ y, rng.integers(0, 3, 5000), y]).astype(np.uint8)
    arities = np.array([2, 2, 2, 2, 3, 2])
    average = OrderAverage.of(codes, arities, law=law, alpha=alpha)
    logs = average.log_joint(all_rows(arities[:-1]))
    assert np.isfinite(logs).all()
    assert math.isclose(np.exp(logs).sum(), 1, rel_tol=1e-9)
    assert np.isfinite(average.log_evidence)
    assert np.isfinite(average.arc_posteriors).all()


def test_a_second_parent_that_costs_far_more_than_it_tells_leaves_no_nan():
    rng = np.random.default_rng(12)
    x, y = rng.integers(0, 2, (2, 3000))
    codes = np.array([x, x, rng.integers(0, 250, 3000), y]).astype(np.uint8)
    average = OrderAverage.of(codes, np.array([2, 2, 250, 2]), law=KDependenceLaw(2), alpha=1.0)
    alone, both = average.sums[0, 1], average.sums[0, 3]
    assert alone - both > 709  # the ratio is beyond float64
    assert np.isfinite(average.log_joint(codes[:-1, :5])).all()
    assert np.isfinite(average.arc_posteriors).all()


def test_an_impossible_class_given_a_parity_is_told_from_the_possible_one():
    rng = np.random.default_rng(12)
    x = rng.integers(0, 2, (2, 500))
    codes = np.array([*x, x[0] ^ x[1]]).astype(np.uint8)
    average = OrderAverage.of(codes, [2, 2, 2], law=DagLaw(2), alpha=1.0)
    logs = average.log_joint(np.array([[0, 0], [0, 1]], np.uint8))
    assert logs[0, 0] - logs[0, 1] > 4
    assert logs[1, 1] - logs[1, 0] > 4


def test_no_rows_leave_the_prior():
    average = OrderAverage.of(np.empty((3, 0), np.uint8), [2, 3, 2], law=DagLaw(1), alpha=0.5)
    assert math.isclose(average.log_evidence, 0, abs_tol=1e-14)
    np.testing.assert_allclose(np.exp(average.log_joint(all_rows([2, 3]))), 1 / 12)
    assert average.log_joint(np.empty((2, 0), np.uint8)).shape == (0, 2)


@pytest.mark.parametrize("law", [DagLaw(0), DagLaw(3), DagLaw(7), KDependenceLaw(3)], ids=str)
def test_leaving_nodes_out_gives_each_set_its_probability(law):
    """The chances, followed from 7 nodes down, against the law's words: a size, then a set of that size."""
    all_parents, left_out = law.chances(8)
    reached, drawn = np.zeros(128), np.zeros(128)
    reached[-1] = 1
    for among in range(127, -1, -1):
        place = among.bit_count()
        drawn[among] = reached[among] * all_parents[place]
        for u in range(7):
            if among >> u & 1:
                reached[among ^ (1 << u)] += reached[among] * left_out[place]
    sizes = [3] if law.class_first else range(law.max_parents + 1)
    expected = [(s in sizes) / (len(sizes) * math.comb(7, s)) for s in np.bitwise_count(np.arange(128))]
    np.testing.assert_allclose(drawn, expected, rtol=1e-14)


def test_arguments_that_do_not_fit_are_refused():
    for change, message in [
        ({"alpha": 0.0}, r"alpha.*0"),
        ({"row_weights": [1.0, -1.0]}, r"row_weights.*2"),
        ({"row_weights": [1.0]}, r"row_weights.*2"),
        ({"law": KDependenceLaw(1, [0.2, 0.3, 0.5])}, r"3 entries.*table.*2"),
    ]:
        arguments = {"law": DagLaw(1), "alpha": 1.0} | change
        with pytest.raises(ValueError, match=message):
            OrderAverage.of(np.zeros((2, 2), np.uint8), [2, 2], **arguments)


def test_laws_and_tables_that_cannot_be_are_refused():
    for make, message in [
        (lambda: DagLaw(-1), r"max_parents.*whole"),
        (lambda: KDependenceLaw(1.5), r"k.*whole number"),
        (lambda: KDependenceLaw(1, [0.5, 0.6]), "sum to 1"),
        (lambda: check_order_average(MAX_LAW_NODES + 1, 2), r"14 variables.*table.*15"),
        (lambda: check_order_average(1, 2), "at least one attribute"),
        (lambda: check_order_average(MAX_LAW_NODES, 5000), "5000 classes would need"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()


def test_too_many_completions_are_refused():
    codes, arities = np.zeros((3, 4), np.uint8), [65, 64, 2]
    average = OrderAverage.of(codes, arities, law=DagLaw(1), alpha=1.0)
    with pytest.raises(ValueError, match=f"4,160 ways, but at most {MAX_COMPLETIONS:,}"):
        average.log_joint(np.array([[65], [64]], np.uint8))
