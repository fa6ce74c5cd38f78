"""A column that never varies says nothing, and so has no arcs, whatever searches."""

import warnings

import numpy as np
import pandas as pd
import pytest

from learners import (
    CaMMLClassifier,
    ConstantColumnWarning,
    GaussianCaMMLClassifier,
    MissingValuesWarning,
    StructurePrior,
    learn_network,
    message_length,
)

N = 200
WITHOUT = {
    "one state": pd.Series(["always"] * N),
    "one of two states": pd.Categorical(["u"] * N, categories=["u", "v"]),
    "no values": pd.Categorical([None] * N, categories=["u", "v"]),
    "one number": pd.Series([2.5] * N),
}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, N)
    b = a ^ (rng.random(N) < 0.1)
    return pd.DataFrame({"a": a.astype(str), "b": b.astype(str), "d": rng.integers(0, 3, N).astype(str)})


@pytest.mark.parametrize("search", ["exact", "fast", "metropolis"])
@pytest.mark.parametrize("column", WITHOUT)
def test_no_arcs_to_or_from_it_and_the_others_are_as_without_it(table, column, search):
    # of empty columns the warning of missing values speaks
    kind = MissingValuesWarning if column == "no values" else ConstantColumnWarning
    with pytest.warns(kind, match="'c'"):
        learned = learn_network(table.assign(c=WITHOUT[column]), search=search, random_state=0)
    alone = learn_network(table, search=search, random_state=0)
    assert {name: own for name, own in learned.parents.items() if name != "c"} == alone.parents
    assert learned.parents["c"] == ()
    arcs = learned.arc_posteriors
    assert not arcs.loc["c"].any()
    assert not arcs["c"].any()
    np.testing.assert_allclose(arcs.loc[list("abd"), list("abd")], alone.arc_posteriors, atol=0.03)
    assert learned.message.arc_probability == alone.message.arc_probability


@pytest.mark.parametrize(
    "options", [{}, {"averaging": "exact"}, {"search": "blanket"}, {"local_model": "tree"}]
)
def test_forecasts_are_as_without_it(table, options):
    X, y = table[["a", "d"]], table["b"]
    with pytest.warns(ConstantColumnWarning, match="'c'"):
        camml = CaMMLClassifier(random_state=0, **options).fit(X.assign(c="always"), y)
    alone = CaMMLClassifier(random_state=0, **options).fit(X, y)
    assert camml.parents_[2] == ()
    assert not any(2 in own for own in camml.parents_)
    np.testing.assert_allclose(camml.predict_proba(X.assign(c="always")), alone.predict_proba(X), rtol=1e-12)


def test_numbers_that_are_constant_are_left_out_with_the_warning(table):
    X = pd.DataFrame({"x": np.random.default_rng(1).normal(size=N), "c": np.full(N, 2.5)})
    with pytest.warns(ConstantColumnWarning, match="'c'"):
        camml = GaussianCaMMLClassifier().fit(X, table["b"])
    assert camml.parents_[1] == ()


def test_only_what_prior_knowledge_requires_joins_it(table):
    prior = StructurePrior(required=[("c", "a")], weights={("c", "b"): 0.9})
    with pytest.warns(ConstantColumnWarning):
        learned = learn_network(table.assign(c="always"), structure_prior=prior)
    assert "c" in learned.parents["a"]
    assert "c" not in learned.parents["b"]
    lengths = message_length(table.assign(c="always"), {"b": ["c"]}).total
    assert lengths == np.inf


def test_a_table_whose_columns_vary_is_not_warned_of(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learn_network(table)
        CaMMLClassifier().fit(table[["a", "d"]], table["b"])
