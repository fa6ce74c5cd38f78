"""Samples as tables, and tables as evidence: labels keep their type and order."""

import numpy as np
import pandas as pd
import pytest

from generators import Network, random_aode, random_tan
from generators.tables.columns import Column

STATES = {
    "text": ("(-inf, 2.45]", "(2.45, inf)", "missing?"),
    "flags": (True, False),
    "ints": (3, 1, 2),
    "floats": (0.5, -1.0),
    "mixed": (1, "1", 2.5, False),
}


def every_type(class_index=None) -> Network:
    cpts = [np.full(len(states), 1 / len(states)) for states in STATES.values()]
    return Network(tuple(STATES), tuple(STATES.values()), ((),) * len(STATES), cpts, class_index)


def test_categories_are_the_states_in_order_and_of_their_types():
    table = every_type().sample_table(200, 1)
    for name, states in STATES.items():
        categories = list(table[name].cat.categories)
        assert list(map(repr, np.array(categories, dtype=object).tolist())) == list(map(repr, states))
        assert not table[name].cat.ordered
        assert set(table[name]) == set(states)


def test_states_that_the_sample_does_not_show_are_declared():
    truth = Network(("a", "y"), (("never", "always"), (0, 1)), ((), ()), ([0, 1], [0.5, 0.5]), 1)
    X, _ = truth.sample(10, 1)
    assert list(X["a"].cat.categories) == ["never", "always"]
    assert set(X["a"]) == {"always"}


@pytest.mark.parametrize("make", [random_tan, random_aode])
def test_sample_is_sample_table_is_sample_codes(make):
    truth = make(random_state=3)
    X, y = truth.sample(50, 4)
    table, codes = truth.sample_table(50, 4), truth.sample_codes(50, 4)
    pd.testing.assert_frame_equal(X.assign(y=y), table)
    assert np.array_equal(table.apply(lambda column: column.cat.codes).to_numpy(), codes)
    assert codes.dtype == np.uint8
    assert (list(X), y.name) == (list(truth.attribute_names), truth.class_name)


def test_many_states_need_a_wider_code():
    truth = Network(("a", "y"), (tuple(range(300)), (0, 1)), ((), ()), (np.full(300, 1 / 300), [0.5, 0.5]), 1)
    codes = truth.sample_codes(2000, 1)
    assert codes.dtype == truth.enumerate().codes.dtype == np.uint16
    assert codes.max() > 256
    assert truth.sample(2000, 1)[0]["a"].tolist() == codes[:, 0].tolist()


@pytest.mark.parametrize(
    "labels, expected",
    [
        (pd.Series([2, 3, 1, 4]), [2, 0, 1, -1]),
        (pd.Series([2, pd.NA, 1], dtype="Int64"), [2, -1, 1]),
        (pd.Series(["2", "1"]), [-1, -1]),
        (pd.Categorical([1, 2], categories=[1, 2], ordered=True), [1, 2]),
        ([], []),
    ],
)
def test_labels_of_any_container_are_found_by_value(labels, expected):
    assert Column.of_states("c", (3, 1, 2)).positions(labels).tolist() == expected


def test_a_categorical_with_the_same_states_in_another_order_is_read_by_label():
    column = pd.Series(["b", "a"], dtype=pd.CategoricalDtype(["b", "a"]))
    assert Column.of_states("c", ("a", "b")).positions(column).tolist() == [1, 0]


def test_evidence_of_every_type_is_found():
    truth = every_type(class_index=4)
    X, y = truth.sample(100, 5)
    plain = pd.DataFrame({name: X[name].tolist() for name in X}, dtype=object)
    expected = np.full(100, -np.log(np.prod([len(states) for states in STATES.values()])))
    np.testing.assert_allclose(truth.log_joint(plain, y), expected)
    np.testing.assert_allclose(truth.log_joint(X, y.astype(object).tolist()), expected)


def test_enumeration_is_in_c_order_with_the_last_attribute_fastest():
    truth = random_tan(n_attributes=3, arity=(2, 4), random_state=2)
    cells = truth.enumerate()
    arities = truth.arities[list(truth.attributes)]
    expected = np.stack(np.unravel_index(np.arange(truth.n_cells), arities), axis=1)
    assert np.array_equal(cells.codes, expected)
    assert np.array_equal(cells.X.astype(int).to_numpy(), expected)
    assert cells.X is cells.X


def test_a_large_space_is_not_enumerated():
    truth = random_tan(n_attributes=8, arity=5, random_state=0)
    assert not truth.enumerable
    with pytest.raises(ValueError, match="390625 cells, more than 100000"):
        truth.enumerate()


def test_a_column_that_is_no_variable_is_refused():
    truth = random_tan(n_attributes=2, random_state=0)
    with pytest.raises(ValueError, match="X has the unknown column 'foo'"):
        truth.posterior(pd.DataFrame({"foo": [1]}))


def test_a_column_without_any_state_is_warned_of():
    cut = Network(
        ("x", "y"), (("(-inf, 1]", "(1, inf)"), ("a", "b")), ((), (0,)), ([0.5, 0.5], [[0.5, 0.5]] * 2)
    )
    with pytest.warns(
        UserWarning, match=r"'x' has none of the known states, .* '\(-inf, 1\]': all its values"
    ) as caught:
        cut.log_joint(pd.DataFrame({"x": [0.5], "y": ["a"]}))
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="'y' has none of the known states"):
        cut.posterior(pd.DataFrame({"y": ["A"] * 10}), of="x")
    # nothing to say of: a rare label, missing values, and the variable that is asked for
    cut.posterior(pd.DataFrame({"x": [0.5] * 10, "y": ["a"] * 10}), of="x")
    cut.log_joint(pd.DataFrame({"x": [np.nan] * 10, "y": ["A"] * 9 + ["b"]}))
    cut.log_joint(pd.DataFrame({"y": ["A"]}))
