"""Linear-Gaussian networks: moments, densities, conditioning, units, and other programs' networks."""

import pickle

import networkx
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from generators import GaussianNetwork, Network, Normal, from_json, random_gaussian_dag


@pytest.fixture(params=range(4))
def truth(request) -> GaussianNetwork:
    network = random_gaussian_dag(n_nodes=7, random_state=request.param)
    return network.rescaled(np.linspace(-3, 5, 7), shifts=np.arange(7.0))


def unrolled(network):
    """Mean and covariance by solving x = A x + b + S e for x."""
    n = network.n_variables
    weights = np.zeros((n, n))
    for child, others in enumerate(network.parent_indices):
        weights[child, list(others)] = network.coefficients[child]
    inverse = np.linalg.inv(np.eye(n) - weights)
    return inverse @ network.intercepts, inverse @ np.diag(network.deviations**2) @ inverse.T


def test_moments_are_those_of_the_equations(truth):
    means, covariance = unrolled(truth)
    np.testing.assert_allclose(truth.means, means, atol=1e-9)
    np.testing.assert_allclose(truth.covariance, covariance, atol=1e-9)


def test_log_density_is_that_of_the_joint_normal(truth):
    X = truth.sample_table(50, random_state=1)
    expected = stats.multivariate_normal(truth.means, truth.covariance).logpdf(X.to_numpy())
    np.testing.assert_allclose(truth.log_joint(X), expected, rtol=1e-9)
    np.testing.assert_allclose(truth.log_joint(X.to_numpy()), expected, rtol=1e-9)
    np.testing.assert_allclose(truth.log_joint(X[X.columns[::-1]]), expected, rtol=1e-9)


def test_missing_numbers_are_integrated_out(truth):
    X = truth.sample_table(20, random_state=1)
    X.iloc[::2, 2] = np.nan
    X.iloc[::3, 4] = np.nan
    X.iloc[6] = np.nan
    found = truth.log_joint(X)
    for i, row in enumerate(X.to_numpy()):
        known = np.flatnonzero(~np.isnan(row))
        if known.size:
            part = stats.multivariate_normal(truth.means[known], truth.covariance[np.ix_(known, known)])
            assert found[i] == pytest.approx(part.logpdf(row[known]))
    assert found[6] == 0.0
    np.testing.assert_allclose(
        truth.log_joint(X.drop(columns="x5")), truth.log_joint(X.assign(x5=np.nan)), rtol=1e-9
    )


def test_samples_have_its_moments():
    truth = random_gaussian_dag(n_nodes=5, random_state=2).rescaled(2.0, 1.0)
    X = truth.sample_table(200_000, random_state=3)
    np.testing.assert_allclose(X.mean(), truth.means, atol=0.03)
    np.testing.assert_allclose(X.cov(), truth.covariance, atol=0.06)
    pd.testing.assert_frame_equal(X, truth.sample_table(200_000, random_state=3))


def test_query_is_regression_in_a_large_sample():
    truth = random_gaussian_dag(n_nodes=5, random_state=4)
    X = truth.sample_table(200_000, random_state=3)
    known = ["x1", "x3", "x4"]
    slopes, rest, *_ = np.linalg.lstsq(X[known].to_numpy(), X["x0"].to_numpy(), rcond=None)
    answer = truth.query("x0", {"x1": 0.5, "x3": -1.0, "x4": 2.0})
    assert answer.means[0] == pytest.approx(slopes @ [0.5, -1.0, 2.0], abs=0.02)
    assert answer.deviations[0] == pytest.approx(np.sqrt(rest[0] / len(X)), rel=0.01)


def test_query_takes_rows_of_tables_and_several_variables(truth):
    row = truth.sample_table(1, random_state=0).iloc[0]
    row["x0"] = row["x2"] = np.nan
    both = truth.query(["x2", "x0"], row)
    assert both.names == ("x2", "x0")
    assert both.of("x0").means == truth.query("x0", row).means
    assert both.interval(0.5).shape == (2, 2)
    assert (both.interval(0.95)["high"] > both.interval(0.5)["high"]).all()


def test_divergence_is_zero_between_equivalent_networks_and_as_by_sampling():
    first = random_gaussian_dag(n_nodes=4, random_state=1)
    second = random_gaussian_dag(n_nodes=4, random_state=2)
    X = first.sample_table(200_000, random_state=0)
    sampled = (first.log_joint(X) - second.log_joint(X)).mean() / np.log(2)
    assert first.kl_divergence(second) == pytest.approx(sampled, rel=0.02)
    forth = GaussianNetwork(("a", "b"), ((), (0,)), ((), (0.6,)), (1.0, 0.8))
    back = GaussianNetwork(("b", "a"), ((), (0,)), ((), (0.6,)), (1.0, 0.8))
    assert forth.kl_divergence(back) == pytest.approx(0.0, abs=1e-12)


def test_other_units_change_densities_by_the_factors_alone(truth):
    X = truth.sample_table(10, random_state=0)
    factors = np.array([2.0, -1, 3, 0.1, 10, -5, 1])
    moved = truth.rescaled(factors, shifts=1.0)
    np.testing.assert_allclose(
        moved.log_joint((X + 1.0) * factors), truth.log_joint(X) - np.log(np.abs(factors)).sum(), rtol=1e-9
    )
    np.testing.assert_allclose(truth.standardized().covariance.diagonal(), 1.0)
    np.testing.assert_allclose(truth.standardized().means, 0.0, atol=1e-9)


def test_json_pickle_networkx_and_pgmpy_return_the_same_network(truth):
    assert from_json(truth.to_json()) == truth
    assert GaussianNetwork.from_json(truth.to_json()) == truth
    assert pickle.loads(pickle.dumps(truth)) == truth
    assert GaussianNetwork.from_networkx(truth.to_networkx()) == truth
    assert hash(truth) == hash(from_json(truth.to_json()))


def test_pgmpy_has_the_same_joint_distribution(truth):
    pytest.importorskip("pgmpy", reason="pgmpy is an oracle")
    model = truth.to_pgmpy()
    means, covariance = model.to_joint_gaussian()
    names = list(networkx.topological_sort(model))  # the order of its moments
    order = [names.index(name) for name in truth.names]
    np.testing.assert_allclose(np.asarray(means)[order], truth.means, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(
        np.asarray(covariance)[np.ix_(order, order)], truth.covariance, rtol=1e-6, atol=1e-6
    )
    assert GaussianNetwork.from_pgmpy(model).kl_divergence(truth) == pytest.approx(0.0, abs=1e-9)


def test_nearly_certain_relations_are_answered_exactly():
    """Covariances would round away what the equations say."""
    wide = GaussianNetwork(("a", "b", "c"), ((), (0,), (0,)), ((), (1.0,), (1.0,)), (1e9, 1.0, 1.0))
    answer = wide.query("c", {"b": 1e9})
    assert answer.means[0] == pytest.approx(1e9)
    assert answer.deviations[0] == pytest.approx(np.sqrt(2), rel=1e-6)
    narrow = GaussianNetwork(("a", "b", "c"), ((), (0,), (0, 1)), ((), (1.0,), (1.0, 1.0)), (1.0, 1e-9, 1e-9))
    answer = narrow.query("c", {"a": 1.0, "b": 1.0})
    assert answer.means[0] == pytest.approx(2.0)
    assert answer.deviations[0] == pytest.approx(1e-9, rel=1e-6)
    assert narrow.kl_divergence(narrow) == pytest.approx(0.0, abs=1e-9)
    row = narrow.log_joint([[0.0, 0.0, np.nan]])[0]
    assert row == pytest.approx(-np.log(2 * np.pi) + 9 * np.log(10), rel=1e-9)
    assert narrow.log_joint([[np.nan] * 3])[0] == 0.0


def test_divergence_of_equal_distributions_with_other_arcs_in_any_units():
    for scale in (1e-50, 1.0, 1e50):
        forth = GaussianNetwork(("a", "b"), ((), (0,)), ((), (0.6,)), (1.0, 0.8)).rescaled([scale, 1.0])
        back = GaussianNetwork(("b", "a"), ((), (0,)), ((), (0.6,)), (1.0, 0.8)).rescaled([1.0, scale])
        assert forth.kl_divergence(back) == pytest.approx(0.0, abs=1e-9)


GOOD = {
    "names": ("a", "b"),
    "parent_indices": ((), (0,)),
    "coefficients": ((), (1.0,)),
    "deviations": (1.0, 1.0),
}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"names": ("a", "a")}, "given to several variables"),
        ({"coefficients": ((), ())}, "1 parents and 0 coefficients"),
        ({"coefficients": ((), (np.nan,))}, "expected finite numbers"),
        ({"deviations": (1.0, 0.0)}, "deviation of 'b' is 0"),
        ({"intercepts": (0.0, np.inf)}, "expected finite numbers"),
    ],
)
def test_unsound_networks_are_refused(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        GaussianNetwork(**(GOOD | wrong))


def test_bad_questions_are_refused_in_a_sentence():
    network = GaussianNetwork(**GOOD)
    with pytest.raises(ValueError, match="unknown variable 'c'"):
        network.query("c")
    with pytest.raises(ValueError, match="'a' is requested and is also in the evidence"):
        network.query("a", {"a": 1.0})
    with pytest.raises(ValueError, match="the evidence has values for all variables"):
        network.normal.given({"a": 1.0, "b": 2.0})
    with pytest.raises(ValueError, match="requested twice"):
        network.query(["b", "b"])
    with pytest.raises(ValueError, match="between 0 and 1"):
        network.query("b").interval(1.0)
    with pytest.raises(ValueError, match="the column 'a' has an infinite value"):
        network.log_joint(pd.DataFrame({"a": [np.inf], "b": [0.0]}))
    with pytest.raises(ValueError, match="expected 2 columns \\(a, b"):
        network.log_joint(np.zeros((3, 3)))
    with pytest.raises(TypeError, match="expected a GaussianNetwork"):
        network.kl_divergence(Network(("a",), ((0, 1),), ((),), ([0.5, 0.5],)))
    with pytest.raises(ValueError, match="other than 0"):
        network.rescaled(0.0)
    with pytest.raises(ValueError, match="not directed"):
        GaussianNetwork.from_networkx(networkx.Graph())
    with pytest.raises(ValueError, match="is redundant"):
        Normal(("a", "b", "c"), np.zeros(3), np.ones((3, 3))).given({"a": 1.0, "b": 1.0})


def test_other_programs_networks_without_parameters_are_refused():
    graph = GaussianNetwork(**GOOD).to_networkx()
    del graph.edges["a", "b"]["coefficient"]
    with pytest.raises(ValueError, match="no attribute 'coefficient'"):
        GaussianNetwork.from_networkx(graph)
    del graph.nodes["a"]["deviation"]
    with pytest.raises(ValueError, match="no attribute 'deviation'"):
        GaussianNetwork.from_networkx(graph)
