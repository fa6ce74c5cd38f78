"""Conditional-Gaussian truths and their mixtures: densities, moments, missing numbers, refusals."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from generators import (
    ConditionalGaussian,
    ConditionalGaussianMixture,
    GaussianNetwork,
    GaussianTANLaw,
    IntractableLaw,
    describe,
    from_json,
    random_gaussian_aode,
    random_gaussian_naive_bayes,
    random_gaussian_tan,
)
from generators.facts import bayes_error

LINE = GaussianNetwork(("a", "b", "c"), ((), (0,), (1,)), ((), (1.5,), (-0.5,)), (1.0, 0.5, 2.0), (1, 0, -1))
FORK = GaussianNetwork(("a", "b", "c"), ((1,), (), (1,)), ((0.7,), (), (2.0,)), (0.6, 1.5, 1.0), (0, -1, 1))
TWO = ConditionalGaussian([0.3, 0.7], [LINE, FORK], "kind", ("line", "fork"))
OTHER = ConditionalGaussian([0.6, 0.4], [FORK, LINE.rescaled([2, 1, 1])], "kind", ("line", "fork"))
BOTH = ConditionalGaussianMixture([TWO, OTHER], [0.25, 0.75])


def parts_of(truth):
    """Weight, class and network of all that a row may come from."""
    components = getattr(truth, "components", [truth])
    for weight, one in zip(getattr(truth, "weights", [1.0]), components, strict=True):
        for code, (share, network) in enumerate(zip(one.prior, one.networks, strict=True)):
            yield weight * share, code, network


def joint_by_scipy(truth, X):
    """Density of rows with each class, those of known columns alone."""
    out = np.zeros((len(X), len(truth.classes)))
    for weight, code, network in parts_of(truth):
        for i, row in enumerate(X):
            known = np.flatnonzero(~np.isnan(row))
            density = 1.0
            if known.size:
                covariance = network.covariance[np.ix_(known, known)]
                density = stats.multivariate_normal(network.means[known], covariance).pdf(row[known])
            out[i, code] += weight * density
    return out


@pytest.fixture(
    params=["two", "mixture", "tan", "aode"],
)
def truth(request):
    return {
        "two": TWO,
        "mixture": BOTH,
        "tan": random_gaussian_tan(n_attributes=4, n_classes=3, random_state=1),
        "aode": random_gaussian_aode(n_attributes=4, n_classes=3, random_state=2),
    }[request.param]


def test_the_posterior_is_bayes_rule_over_joint_normal_densities(truth):
    X, _ = truth.sample(60, 1)
    joint = joint_by_scipy(truth, X.to_numpy())
    np.testing.assert_allclose(truth.posterior(X), joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
    np.testing.assert_allclose(np.exp(truth.log_joint(X)), joint.sum(axis=1), rtol=1e-9)
    for code, label in enumerate(truth.classes):
        np.testing.assert_allclose(
            np.exp(truth.log_joint(X.to_numpy(), [code] * 60)), joint[:, code], rtol=1e-9
        )
        labels = pd.Series([label] * 60)
        np.testing.assert_allclose(np.exp(truth.log_joint(X, labels)), joint[:, code], rtol=1e-9)


def test_missing_numbers_have_the_marginal_normal_of_the_others(truth):
    X, _ = truth.sample(40, 2)
    numbers = X.to_numpy().copy()
    numbers[np.random.default_rng(1).random(numbers.shape) < 0.4] = np.nan
    numbers[0] = np.nan
    joint = joint_by_scipy(truth, numbers)
    found = truth.posterior(numbers)
    np.testing.assert_allclose(found, joint / joint.sum(axis=1, keepdims=True), rtol=1e-8)
    np.testing.assert_allclose(found[0], truth.class_marginal())
    np.testing.assert_allclose(truth.posterior(pd.DataFrame(numbers, columns=X.columns)), found)


def test_a_missing_number_is_integrated_out_numerically():
    grid, step = np.linspace(-40, 40, 8001, retstep=True)
    for truth in (TWO, BOTH):
        rows = np.column_stack([np.full(grid.size, 0.4), grid, np.full(grid.size, -1.2)])
        whole = np.exp(truth.log_joint(rows)).sum() * step
        assert np.exp(truth.log_joint([[0.4, np.nan, -1.2]]))[0] == pytest.approx(whole, rel=1e-9)


def test_an_absent_column_is_a_missing_one():
    X, _ = TWO.sample(10, 1)
    np.testing.assert_allclose(TWO.posterior(X[["c", "a"]]), TWO.posterior(X.assign(b=np.nan)))


def test_samples_have_the_moments_of_their_class():
    for truth in (TWO, BOTH):
        X, y = truth.sample(200_000, 3)
        shares = truth.class_marginal()
        np.testing.assert_allclose(y.value_counts(normalize=True, sort=False), shares, atol=0.005)
        for code, label in enumerate(truth.classes):
            parts = [(weight, network) for weight, own, network in parts_of(truth) if own == code]
            shares_of = np.array([weight for weight, _ in parts])
            shares_of = shares_of / shares_of.sum()
            means = np.array([network.means for _, network in parts])
            mean = shares_of @ means
            second = sum(
                s * (network.covariance + np.outer(network.means - mean, network.means - mean))
                for s, (_, network) in zip(shares_of, parts, strict=True)
            )
            rows = X[(y == label).to_numpy()]
            scale = np.sqrt(second.diagonal())
            np.testing.assert_allclose((rows.mean() - mean) / scale, 0, atol=0.02)
            np.testing.assert_allclose((rows.cov() - second) / np.outer(scale, scale), 0, atol=0.03)


def test_json_and_pickle_bring_it_back():
    for truth in (TWO, BOTH, random_gaussian_tan(random_state=3), random_gaussian_aode(random_state=3)):
        for copy in (from_json(truth.to_json()), pickle.loads(pickle.dumps(truth))):
            assert type(copy) is type(truth)
            assert copy.to_json() == truth.to_json()
            assert copy.law == truth.law
            assert copy.classes == truth.classes
    assert from_json(TWO.to_json()).class_name == "kind"


def test_equal_arcs_in_all_classes_are_named_and_others_are_not():
    assert TWO.structure.endswith("given the class kind, with arcs that depend on the class")
    same = ConditionalGaussian([0.5, 0.5], [LINE, LINE.rescaled(2.0)])
    assert same.structure.endswith("given the class y, with a -> b, b -> c")
    assert repr(same) == "ConditionalGaussian(3 attributes, 2 arcs among them, class 'y' of 2)"
    bare = GaussianNetwork(("a",), ((),), ((),), (1.0,))
    assert repr(ConditionalGaussian([1.0], [bare])) == (
        "ConditionalGaussian(1 attribute, 0 arcs among them, class 'y' of 1)"
    )
    assert ConditionalGaussian([1.0], [bare]).structure.endswith("given the class y, independent")
    mixed = ConditionalGaussian(
        [0.5, 0.5], [LINE, GaussianNetwork(LINE.names, ((),) * 3, ((),) * 3, (1,) * 3)]
    )
    assert "0 to 2 arcs among them" in repr(mixed)
    assert BOTH.structure.startswith("mixture of 2, the first of 3 numeric attributes")


def test_one_class_without_arcs_is_normal():
    bare = GaussianNetwork(("a", "b"), ((), ()), ((), ()), (1.0, 2.0), (0.5, 0.0))
    truth = ConditionalGaussian([1.0], [bare])
    X = np.array([[0.0, 1.0], [2.0, np.nan]])
    np.testing.assert_array_equal(truth.posterior(X), [[1.0], [1.0]])
    expected = stats.norm.logpdf(X[0], [0.5, 0.0], [1.0, 2.0]).sum()
    assert truth.log_joint(X)[0] == pytest.approx(expected)


def test_a_class_of_probability_zero_never_comes():
    truth = ConditionalGaussian([1.0, 0.0], [LINE, FORK])
    X, y = truth.sample(500, 1)
    assert (y == 0).all()
    np.testing.assert_array_equal(truth.posterior(X)[:, 1], 0)


def test_a_component_of_weight_zero_never_counts():
    alone = ConditionalGaussianMixture([TWO, OTHER], [1.0, 0.0])
    X, _ = alone.sample(50, 1)
    np.testing.assert_allclose(alone.posterior(X), TWO.posterior(X), rtol=1e-12)
    np.testing.assert_allclose(alone.class_marginal(), TWO.prior)


@pytest.mark.slow
def test_the_bayes_error_is_sampled_and_says_with_which_error():
    for truth in (TWO, BOTH, random_gaussian_tan(random_state=4), random_gaussian_aode(random_state=4)):
        found = bayes_error(truth, n_rows=20_000)
        assert found.n_rows == 20_000
        assert not found.exact
        assert 0 < found.standard_error < 0.004
        X, y = truth.sample(100_000, 99)
        wrong = (truth.posterior(X).argmax(axis=1) != y.cat.codes).mean()
        error = math.hypot(found.standard_error, math.sqrt(wrong * (1 - wrong) / 100_000))
        assert abs(found.value - wrong) < 4 * error
        assert "sampled: 20,000 rows" in str(found)
    facts = describe(TWO, n_rows=2000)
    assert "Bayes error: 0." in str(facts)
    assert facts.information.value > max(one.value for one in facts.attribute_information.values())


@pytest.mark.slow
def test_dependence_given_the_class_is_that_of_the_correlations():
    facts = describe(TWO, n_rows=100)
    expected = {}
    for one, other in ((0, 1), (0, 2), (1, 2)):
        squares = []
        for network in TWO.networks:
            block = network.covariance[np.ix_([one, other], [one, other])]
            squares.append(block[0, 1] ** 2 / block[0, 0] / block[1, 1])
        expected["abc"[one], "abc"[other]] = -0.5 * TWO.prior @ np.log2(1 - np.array(squares))
    assert facts.dependence == pytest.approx(sum(expected.values()) / 3)
    assert facts.strongest_pair == max(expected, key=expected.get)
    assert facts.strongest_dependence == pytest.approx(max(expected.values()))
    # of a mixture it is sampled: of one of a single component it is known
    sampled = describe(ConditionalGaussianMixture([TWO], [1.0]), n_rows=100_000)
    assert sampled.strongest_pair == facts.strongest_pair
    assert sampled.dependence == pytest.approx(facts.dependence, rel=0.02)
    independent = describe(random_gaussian_tan(effect=0, random_state=1), n_rows=100)
    assert independent.dependence == pytest.approx(0, abs=1e-12)


def test_the_bayes_error_of_one_attribute_is_that_of_an_integral():
    one = [GaussianNetwork(("a",), ((),), ((),), (s,), (m,)) for m, s in ((0.0, 1.0), (1.0, 2.0))]
    truth = ConditionalGaussian([0.4, 0.6], one)
    grid, step = np.linspace(-25, 25, 100_001, retstep=True)
    joint = truth.prior * np.array([stats.norm.pdf(grid, 0, 1), stats.norm.pdf(grid, 1, 2)]).T
    exact = 1 - joint.max(axis=1).sum() * step
    found = bayes_error(truth, n_rows=50_000, random_state=5)
    assert abs(found.value - exact) < 3.5 * found.standard_error


BARE = GaussianNetwork(("a",), ((),), ((),), (1.0,))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], []), "there are no networks: expected one network for each class"),
        (([0.5, 0.5], [LINE, BARE]), "network 1 has other names than network 0"),
        (([1.0], [LINE, FORK]), "shape"),
        (([0.5, 0.5], [LINE, FORK], "y", ("u", "u")), "u"),
    ],
)
def test_what_is_no_truth_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message) as caught:
        ConditionalGaussian(*arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("components", "weights", "message"),
    [
        ([], [], "there are no components: expected at least one ConditionalGaussian"),
        (
            [TWO, ConditionalGaussian([0.5, 0.5], [LINE, FORK])],
            [0.5, 0.5],
            "component 1 has other attributes or classes than component 0",
        ),
        ([TWO, OTHER], [0.5, 0.6], "weights"),
    ],
)
def test_what_is_no_mixture_is_refused(components, weights, message):
    with pytest.raises(ValueError, match=message):
        ConditionalGaussianMixture(components, weights)


def test_rows_that_do_not_fit_are_refused():
    for truth in (TWO, BOTH):
        with pytest.raises(ValueError, match="expected 3 columns \\(a, b, c"):
            truth.posterior(np.zeros((2, 4)))
        with pytest.raises(ValueError, match="does not contain numbers"):
            truth.posterior(pd.DataFrame({"a": ["x"]}))
        with pytest.raises(ValueError, match="finite"):
            truth.posterior([[math.inf, 0.0, 0.0]])
        with pytest.raises(ValueError, match="X has 2 rows and y has 1"):
            truth.log_joint(np.zeros((2, 3)), [0])


class TestLaws:
    """What cannot come from the law of trees."""

    CHAIN = ConditionalGaussian([0.4, 0.6], [LINE, LINE.rescaled([1.0, 2.0, 3.0])])

    def test_a_chain_can(self):
        law = GaussianTANLaw()
        assert law.misfit(self.CHAIN) is None
        assert ConditionalGaussian(self.CHAIN.prior, self.CHAIN.networks, law=law).law == law

    @pytest.mark.parametrize(
        ("networks", "law", "why"),
        [
            ([LINE, FORK], GaussianTANLaw(), "its arcs depend on the class"),
            (
                [GaussianNetwork(("a", "b", "c"), ((), (), (0,)), ((), (), (1,)), (1, 1, 1))] * 2,
                GaussianTANLaw(),
                "2 attributes have no attribute parent",
            ),
            ([LINE, LINE], GaussianTANLaw(effect=0), "effect is 0"),
            ([LINE, LINE], GaussianTANLaw(class_marginal=(0.2, 0.3, 0.5)), "3 probabilities"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_others_cannot(self, networks, law, why):
        with pytest.raises(ValueError, match=f"does not fit its truth: .*{why}.*. State the law"):
            ConditionalGaussian([0.4, 0.6], networks, law=law)

    def test_mixtures_have_a_law_without_an_optimum(self):
        law = random_gaussian_aode(random_state=1).law
        assert isinstance(law, IntractableLaw)
        assert law.obstacle == "which attribute leads a row is hidden, so what rows say has no closed form"
        with pytest.raises(ValueError, match="it is a mixture of conditional-Gaussian truths"):
            ConditionalGaussianMixture([self.CHAIN], [1.0], GaussianTANLaw())


@pytest.mark.parametrize("extreme", [np.inf, -np.inf, 1e160])
def test_numbers_beyond_what_squares_hold_are_refused(extreme):
    for draw in (random_gaussian_tan, random_gaussian_aode, random_gaussian_naive_bayes):
        truth = draw(n_attributes=2, random_state=0)
        with pytest.raises(ValueError, match=r"up to 1e\+100|has an infinite value"):
            truth.posterior([[0.0, extreme]])
