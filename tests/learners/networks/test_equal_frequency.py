"""Intervals of equally many rows, and networks over numeric columns."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import learn_network, learn_parameters, message_length
from learners.networks.network_table import MissingValuesWarning, equal_frequency_cut_points


@given(st.lists(st.integers(-5, 5) | st.just(np.nan), max_size=60), st.integers(1, 7))
def test_cuts_are_ascending_between_values_and_few(values, n_intervals):
    cuts = equal_frequency_cut_points(np.array(values, dtype=float), n_intervals)
    known = np.unique([v for v in values if not np.isnan(v)])
    assert cuts.size <= max(0, min(n_intervals, known.size) - 1)
    assert (np.diff(cuts) > 0).all()
    assert np.isin(cuts, (known[1:] + known[:-1]) / 2).all()


@given(st.integers(2, 6), st.integers(1, 20))
def test_distinct_values_are_shared_out_evenly(n_intervals, each):
    x = np.random.default_rng(each).permutation(n_intervals * each).astype(float)
    counts = np.bincount(np.searchsorted(equal_frequency_cut_points(x, n_intervals), x))
    assert counts.tolist() == [each] * n_intervals


def test_the_largest_numbers_have_a_cut_between_them():
    assert np.isfinite(equal_frequency_cut_points([1.7e308, 1.5e308], 2)).all()


def test_an_impossible_number_of_intervals_is_refused():
    for wrong in [0, 2.5, True, "five"]:
        with pytest.raises(ValueError, match=r"n_intervals.*1"):
            learn_network(pd.DataFrame({"x": [0.5, 1.5]}), n_intervals=wrong)


def heights(n_rows=400):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n_rows)
    kind = pd.Categorical(np.where(x + rng.normal(0, 0.5, n_rows) > 0, "tall", "small"))
    return pd.DataFrame({"height": x, "kind": kind, "noise": rng.normal(size=n_rows)})


def test_numeric_columns_become_intervals_of_the_network():
    X = heights()
    X.loc[::7, "height"] = np.nan
    with pytest.warns(MissingValuesWarning):
        learned = learn_network(X, n_intervals=4)
    assert [len(states) for states in learned.network.states] == [4, 2, 4]
    assert all(name.startswith("(") for name in learned.network.states[0])
    skeleton = {frozenset((u, v)) for v, others in enumerate(learned.network.parent_indices) for u in others}
    assert skeleton == {frozenset((0, 1))}
    message = message_length(X, learned.parents, n_intervals=4, arc_probability=learned.arc_probability)
    assert message.total == pytest.approx(learned.message_length)
    network = learn_parameters(X, learned.parents, n_intervals=4)
    np.testing.assert_array_equal(network.cpts[1], learned.network.cpts[1])
