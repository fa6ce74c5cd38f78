"""Networks of numbers without cutting: what users get, and what they are told."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from generators import GaussianNetwork, random_gaussian_dag
from learners import (
    LearnedGaussianNetwork,
    StructurePrior,
    learn_network,
    learn_parameters,
    message_length,
)
from learners.networks.search.arc_costs import ArcCosts
from learners.networks.search.equals import first_of_equals
from learners.networks.search.gaussian_problem import GaussianProblem


@pytest.fixture(scope="module")
def truth():
    return random_gaussian_dag(n_nodes=6, effects=(0.5, 1.5), random_state=2)


@pytest.fixture(scope="module")
def rows(truth):
    return truth.sample_table(2000, random_state=1)


@pytest.fixture(scope="module")
def learned(rows):
    return learn_network(rows, local_model="gaussian")


def test_many_rows_give_the_pattern_and_the_distribution(truth, learned):
    assert isinstance(learned, LearnedGaussianNetwork)
    assert isinstance(learned.network, GaussianNetwork)
    assert learned.structural_distance(truth).shd == 0
    assert truth.kl_divergence(learned.network) < 0.02
    assert learned.is_exact


def test_coefficients_are_nearly_those_of_least_squares(rows, learned):
    for child, name in enumerate(learned.network.names):
        above = list(learned.network.parents_of(name))
        design = np.column_stack([np.ones(len(rows)), rows[above]])
        fitted, *_ = np.linalg.lstsq(design, rows[name].to_numpy(), rcond=None)
        found = [learned.network.intercepts[child], *learned.network.coefficients[child]]
        np.testing.assert_allclose(found, fitted, atol=5e-3)
        residual = rows[name] - design @ fitted
        assert learned.network.deviations[child] == pytest.approx(residual.std(ddof=0), rel=5e-3)


def test_units_change_coefficients_but_not_the_graph(rows, learned):
    factors = np.array([1e-6, 2.0, -1.0, 1e6, 0.5, 3.0])
    moved = learn_network(rows * factors + 5, local_model="gaussian")
    assert moved.pattern() == learned.pattern()
    assert moved.message_length == pytest.approx(learned.message_length, abs=1e-6)
    np.testing.assert_allclose(
        moved.network.covariance, learned.network.rescaled(factors).covariance, rtol=1e-3
    )
    np.testing.assert_allclose(moved.arc_posteriors, learned.arc_posteriors, atol=1e-9)


def test_arrays_integers_and_float32_are_numbers(rows, learned):
    plain = learn_network(rows.to_numpy(), local_model="gaussian")
    assert plain.network == learned.network
    whole = (rows * 1000).round().astype(np.int64)
    assert learn_network(whole, local_model="gaussian").pattern() == learned.pattern()
    nullable = whole.astype("Int64")
    assert learn_network(nullable, local_model="gaussian").pattern() == learned.pattern()
    single = learn_network(rows.astype(np.float32), local_model="gaussian")
    assert single.pattern() == learned.pattern()  # equivalent networks cost nearly the same


def test_columns_named_by_integers_are_x_and_their_number(rows):
    table = rows.set_axis(range(6), axis=1)
    assert learn_network(table, local_model="gaussian").network.names == tuple(f"x{j}" for j in range(6))


def test_message_adds_up_and_is_that_of_given_arcs(rows, learned):
    again = message_length(
        rows, learned.parents, local_model="gaussian", arc_probability=learned.arc_probability
    )
    assert again.total == pytest.approx(learned.message_length, abs=1e-9)
    np.testing.assert_allclose(again.data, learned.data)
    summed = learned.structure + learned.parameters.sum() + learned.data.sum()
    assert summed == pytest.approx(learned.message_length)
    assert (learned.parameters > 0).all()
    assert learn_parameters(rows, learned.parents, local_model="gaussian") == learned.network


def test_explain_and_tables_tell_what_each_variable_and_arc_is_worth(learned):
    text = learned.explain()
    assert "for the coefficients" in text
    assert "Posteriors of arcs: exact." in text
    np.testing.assert_allclose(learned.variables["explained"], learned.network.explained)
    assert len(learned.arcs) == len(learned.network.arcs)
    assert (learned.arcs["bits_saved"] > 0).all()
    assert "<svg" in learned._repr_html_()


def test_samples_classes_and_the_shortest_network(rows):
    few = learn_network(rows.head(60), local_model="gaussian", random_state=0)
    exact = few.arc_posteriors.to_numpy()
    np.testing.assert_allclose(few.sampled.sample.arc_posteriors, exact, atol=0.05)
    first = few.equivalence_classes[0]
    assert isinstance(first.network, GaussianNetwork)
    assert first.posterior <= 1
    joined = few.sampled.message
    assert sum(len(one.members) for one in joined) == len(few.equivalence_classes)
    assert joined[0].posterior >= first.posterior - 1e-9
    assert few.with_shortest().message_length <= few.message_length + 1e-9


@pytest.mark.parametrize("search", ["exact", "fast", "metropolis"])
def test_every_search_finds_the_same(rows, search):
    few = rows.head(200)
    found = learn_network(few, local_model="gaussian", search=search, random_state=0)
    best = learn_network(few, local_model="gaussian")
    assert found.message_length == pytest.approx(best.message_length, abs=1e-6)


def test_opinions_on_arcs_relations_and_the_order_are_obeyed(rows):
    few = rows.head(100)
    prior = StructurePrior(
        tiers=[["x0", "x1"], ["x2", "x3"]], required=[("x4", "x5")], forbidden=[("x0", "x2")]
    )
    learned = learn_network(few, local_model="gaussian", structure_prior=prior)
    assert "x4" in learned.parents["x5"]
    assert "x0" not in learned.parents["x2"]
    assert not {"x2", "x3"} & {*learned.parents["x0"], *learned.parents["x1"]}
    order = StructurePrior(order=["x5", "x0"], order_penalty=50.0, ancestors={("x1", "x3"): 0.99})
    ordered = learn_network(few, local_model="gaussian", structure_prior=order, random_state=0)
    assert "opinions on relations and the order" in ordered.explain()


def test_queries_and_densities_are_in_the_rows_units(rows, learned):
    shifted = learn_network(rows * 10 + 3, local_model="gaussian")
    assert shifted.parents == learned.parents
    answer = shifted.query("x0", {"x1": 3.0})
    plain = learned.query("x0", {"x1": 0.0})
    assert answer.means[0] == pytest.approx(10 * plain.means[0] + 3, abs=1e-6)
    assert answer.deviations[0] == pytest.approx(10 * plain.deviations[0], rel=1e-6)
    np.testing.assert_allclose(
        shifted.log_joint(rows * 10 + 3), learned.log_joint(rows) - 6 * np.log(10), rtol=1e-6
    )


def test_pickles_copies_and_pictures(learned):
    for again in (pickle.loads(pickle.dumps(learned)), copy.deepcopy(learned)):
        assert again.network == learned.network
        assert again.message_length == learned.message_length
    assert GaussianNetwork.from_json(learned.to_json()) == learned.network
    for kind in ("average", "pattern", "dag"):
        learned.plot(kind=kind)


def test_collinear_columns_and_more_columns_than_rows_have_a_network():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 100))
    table = pd.DataFrame({"x": x, "twice": 2 * x, "y": y, "sum": x + y})
    learned = learn_network(table, local_model="gaussian")
    assert np.isfinite(learned.message_length)
    assert "x" in learned.parents["twice"] or "twice" in learned.parents["x"]
    assert np.isfinite(learned.network.covariance).all()
    wide = pd.DataFrame(rng.normal(size=(8, 20))).add_prefix("v")
    assert np.isfinite(learn_network(wide, local_model="gaussian", random_state=0).message_length)


def test_columns_that_are_no_varying_numbers_are_refused(rows):
    for change, sentence in [
        ({"x1": 5.0}, "Column 'x1' is constant"),
        ({"x1": 1e9}, "Column 'x1' is constant"),
        ({"x1": "word"}, r"Column 'x1'.*dtype"),
        ({"x1": True}, r"Column 'x1'.*dtype"),
        ({"x1": np.linspace(0, 1e-120, 2000)}, r"Column 'x1'.*standard"),
        ({"x1": np.linspace(0, 1e120, 2000)}, r"Column 'x1'.*standard"),
        ({"x1": np.nan}, r"'x1'.*2000.*2000"),
        ({"x1": np.inf}, r"Column 'x1'.*infinite"),
        ({"x1": 1 + 2j}, r"'x1'.*complex128"),
        ({"x1": pd.Timestamp("2020-01-01")}, r"'x1'.*datetime64"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            learn_network(rows.assign(**change), local_model="gaussian")
        with pytest.raises(ValueError, match=sentence):
            message_length(rows.assign(**change), {}, local_model="gaussian")


def test_options_of_tables_are_refused(rows):
    for options, sentence in [
        ({"max_cells": 10}, r"tables.*max_cells"),
        ({"constant": "none"}, r"tables.*constant"),
        ({"arities": [2] * 6}, r"tables.*arities"),
        ({"categorical_features": ["x0"]}, "categorical_features names nominal columns"),
        ({"n_intervals": 3}, r"tables.*n_intervals"),
        ({"max_parents": -1}, r"max_parents.*None"),
        ({"search": "blanket"}, "CaMMLClassifier"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            learn_network(rows, local_model="gaussian", **options)


@pytest.mark.slow
def test_classes_do_not_depend_on_units(rows):
    few = rows.head(80)
    factors = 10.0 ** np.array([-60, 60, 0, 30, -30, 1])
    plain, moved = (
        learn_network(table, local_model="gaussian", random_state=0).sampled.message
        for table in (few, few * factors)
    )
    np.testing.assert_allclose([one.posterior for one in moved], [one.posterior for one in plain], atol=1e-6)


def test_the_table_that_was_learned_from_can_be_scored():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 3)))  # columns 0, 1, 2
    learned = learn_network(table, local_model="gaussian")
    np.testing.assert_allclose(learned.log_joint(table), learned.log_joint(table.to_numpy()))
    assert learned.coefficient_table().shape == (3, 6)


def test_columns_of_one_name_are_refused_before_the_search(rows):
    twice = rows.set_axis(["a", "a", "b", "c", "d", "e"], axis=1)
    for local_model in ("gaussian", "table"):
        with pytest.raises(ValueError, match="two columns named 'a'"):
            learn_network(twice, local_model=local_model)


def test_missing_numbers_of_arrow_columns_are_seen(rows):
    pa = pytest.importorskip("pyarrow", reason="pyarrow columns")
    values = rows["x0"].to_numpy().copy()
    values[3] = np.nan
    column = pd.Series(pd.arrays.ArrowExtensionArray(pa.array(values, from_pandas=False)))
    with pytest.raises(ValueError, match=r"'x0'.*1.*2000"):
        learn_network(rows.assign(x0=column), local_model="gaussian")


def test_tables_too_small_are_refused(rows):
    with pytest.raises(ValueError, match=r"X.*1.*least"):
        learn_network(rows.head(1), local_model="gaussian")
    with pytest.raises(ValueError, match=r"least.*column"):
        learn_network(rows.head(0), local_model="gaussian")
    with pytest.raises(ValueError, match=r"X.*table"):
        learn_network(rows["x0"], local_model="gaussian")
    with pytest.raises(ValueError, match="no pseudo-counts"):
        learn_parameters(rows, {}, local_model="gaussian", estimate=1.0)
    with pytest.raises(ValueError, match=r'local_model.*"table".*"gaussian"'):
        learn_parameters(rows, {}, local_model="tree")


def test_two_rows_are_enough():
    table = pd.DataFrame({"a": [0.0, 1.0], "b": [2.0, 5.0]})
    assert np.isfinite(learn_network(table, local_model="gaussian").message_length)


# -- networks of the same length ---------------------------------------------------------------


def chain_problem(order, n_rows=200, **options):
    """A chain of variables, in this order."""
    values = np.random.default_rng(0).normal(size=(len(order), n_rows)).cumsum(axis=0)
    return GaussianProblem.of(values[np.argsort(order)], **options)


def rooted(edges, root, n):
    """Direct a tree away from its root."""
    parents, ahead = [()] * n, [root]
    while ahead:
        u = ahead.pop()
        for v in (b if a == u else a for a, b in edges if u in (a, b)):
            if v != root and not parents[v] and (v,) != parents[u]:
                parents[v] = (u,)
                ahead.append(v)
    return tuple(parents)


def test_the_first_of_a_tree_is_found_from_every_root():
    edges = [(3, 5), (5, 0), (0, 4), (4, 1), (1, 2)]
    problem = chain_problem([3, 5, 0, 4, 1, 2])
    networks = [rooted(edges, root, 6) for root in range(6)]
    lengths = [problem.length(parents, 0.3) for parents in networks]
    np.testing.assert_allclose(lengths, lengths[0], atol=1e-6)
    assert {first_of_equals(problem, parents) for parents in networks} == {min(networks)}


def test_many_trees_do_not_hide_one_another():
    """Ten trees of four nodes have a million networks together."""
    n_trees = 10
    values = np.random.default_rng(0).normal(size=(n_trees, 4, 100)).cumsum(axis=1).reshape(-1, 100)
    problem = GaussianProblem.of(values)
    first, last = [], []
    for k in range(0, 4 * n_trees, 4):
        first += [(), (k,), (k + 1,), (k + 2,)]
        last += [(k + 1,), (k + 2,), (k + 3,), ()]
    assert first_of_equals(problem, tuple(last)) == tuple(first)


def test_only_arcs_that_say_the_same_are_turned():
    problem = chain_problem([0, 1, 2])
    collider = ((), (0, 2), ())
    assert first_of_equals(problem, collider) == collider
    # with a common parent, the prior of coefficients tells directions apart
    joined = ((), (0, 2), (0,))
    other = ((), (0,), (0, 1))
    assert abs(problem.length(joined, 0.3) - problem.length(other, 0.3)) > 1e-6
    assert first_of_equals(problem, joined)[1] == (0, 2)


def test_opinions_on_arcs_are_not_overruled():
    costs = StructurePrior(forbidden=[("a", "b")]).arc_costs(("a", "b"))
    assert first_of_equals(chain_problem([0, 1], arc_costs=costs), ((1,), ())) == ((1,), ())
    assert first_of_equals(chain_problem([0, 1], arc_costs=ArcCosts.uniform(2)), ((1,), ())) == ((), (0,))


@pytest.mark.parametrize("seed", range(5))
def test_units_do_not_turn_arcs_round(seed):
    rows = random_gaussian_dag(n_nodes=6, random_state=seed).sample_table(300, random_state=seed)
    one, other = (learn_network(table, local_model="gaussian") for table in (rows, rows * 10 + 3))
    assert one.parents == other.parents
    total = message_length(rows, one.parents, local_model="gaussian", arc_probability=one.arc_probability)
    assert one.message_length == pytest.approx(total.total, abs=1e-9)
