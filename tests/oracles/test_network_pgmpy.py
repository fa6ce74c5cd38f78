"""pgmpy as the oracle: conversions, and its variable elimination against ours."""

import itertools
import logging

import numpy as np
import pandas as pd
import pytest

from generators import Network, random_naive_bayes, random_tan

# pgmpy warns of its own modules
pytestmark = pytest.mark.filterwarnings("ignore:`pgmpy:FutureWarning")

pytest.importorskip("pgmpy")

AWKWARD = Network(
    names=("z", "b", "class", "c"),
    states=(("(-inf, 2.45]", "(2.45, inf)", "1"), (True, False), (3, 1), (0.5, "half", 2, "q")),
    parent_indices=((2, 1, 3), (3,), (1,), ()),
    cpts=(
        np.random.default_rng(0).dirichlet(np.ones(3), (2, 2, 4)),
        np.random.default_rng(1).dirichlet(np.ones(2), 4),
        [[0.3, 0.7], [0.9, 0.1]],
        [0.1, 0.2, 0.3, 0.4],
    ),
    class_index=2,
)


@pytest.fixture(autouse=True)
def quiet():
    logging.getLogger("pgmpy").setLevel(logging.ERROR)


@pytest.mark.parametrize("truth", [AWKWARD, random_tan(random_state=1), random_naive_bayes(random_state=1)])
def test_the_round_trip_keeps_states_types_orders_and_numbers(truth):
    read = Network.from_pgmpy(truth.to_pgmpy(), class_name=truth.class_name)
    assert repr((read.names, read.states, read.class_index)) == repr(
        (truth.names, truth.states, truth.class_index)
    )
    assert read.parent_indices == truth.parent_indices
    for one, other in zip(read.cpts, truth.cpts, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-15)


def test_pgmpy_finds_the_model_sound_and_the_class_is_optional():
    assert AWKWARD.to_pgmpy().check_model()
    assert Network.from_pgmpy(AWKWARD.to_pgmpy()).class_index is None


@pytest.mark.parametrize("truth", [AWKWARD, random_tan(n_attributes=4, arity=(2, 3), random_state=2)])
def test_the_joint_is_pgmpys(truth):
    model = truth.to_pgmpy()
    product = model.get_cpds(truth.names[0]).to_factor()
    for name in truth.names[1:]:
        product = product * model.get_cpds(name).to_factor()
    axes = [product.variables.index(name) for name in truth.names]
    expected = np.transpose(product.values, axes)
    np.testing.assert_allclose(truth.joint_array(range(truth.n_variables)), expected, atol=1e-14)


@pytest.mark.parametrize("truth", [AWKWARD, random_tan(n_attributes=4, arity=(2, 3), random_state=2)])
def test_the_posterior_is_that_of_variable_elimination(truth):
    from pgmpy.inference import VariableElimination

    oracle = VariableElimination(truth.to_pgmpy())
    X, _ = truth.sample(4, random_state=3)
    for size in range(len(truth.attributes) + 1):
        for seen in itertools.combinations(truth.attribute_names, size):
            ours = truth.posterior(X[list(seen)] if seen else pd.DataFrame(index=X.index))
            for row, values in enumerate(X[list(seen)].itertuples(index=False)):
                evidence = dict(zip(seen, values, strict=True))
                answer = oracle.query([truth.class_name], evidence=evidence, show_progress=False)
                order = [answer.state_names[truth.class_name].index(state) for state in truth.classes]
                np.testing.assert_allclose(ours[row], answer.values[order], atol=1e-12)


@pytest.mark.parametrize("truth", [AWKWARD, random_tan(n_attributes=5, arity=(2, 3), random_state=2)])
def test_queries_and_most_probable_states_are_those_of_variable_elimination(truth):
    from pgmpy.inference import VariableElimination

    oracle = VariableElimination(truth.to_pgmpy())
    row = truth.sample_table(1, 5).iloc[0]
    for n_seen in range(truth.n_variables - 1):
        evidence = {name: row[name] for name in truth.names[:n_seen]}
        rest = list(truth.names[n_seen:])
        for variables in (rest[:1], rest[-2:], rest[:3]):
            theirs = oracle.query(variables, evidence=evidence, show_progress=False)
            ours = truth.query(variables, evidence)
            for states, probability in ours.items():
                together = dict(zip(variables, states if len(variables) > 1 else [states], strict=True))
                assert theirs.get_value(**together) == pytest.approx(probability, abs=1e-12)
        best = truth.most_probable(evidence)
        assert best.states == oracle.map_query(rest, evidence=evidence, show_progress=False)


def test_a_parent_whose_states_stand_in_another_order_is_read_by_label():
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork([("a", "b")])
    above = TabularCPD("a", 2, [[0.2], [0.8]], state_names={"a": ["no", "yes"]})
    states = {"b": [0, 1], "a": ["yes", "no"]}
    below = TabularCPD(
        "b", 2, [[0.1, 0.6], [0.9, 0.4]], evidence=["a"], evidence_card=[2], state_names=states
    )
    model.add_cpds(above, below)
    assert Network.from_pgmpy(model).cpts[1].tolist() == [[0.6, 0.4], [0.1, 0.9]]


def test_a_model_without_a_cpd_is_refused():
    from pgmpy.models import DiscreteBayesianNetwork

    with pytest.raises(ValueError, match=r"'a'.*CPD"):
        Network.from_pgmpy(DiscreteBayesianNetwork([("a", "b")]))
