"""The dtype declares the attribute."""

import numpy as np
import pandas as pd
import pytest

from learners import AODEClassifier, NaiveBayesClassifier, TANClassifier
from learners.tables.attributes import Schema
from learners.tables.columns import IntegerColumnWarning, holds_few_integers
from learners.tables.scales import Scales, rounding_variances


def states(X, **options) -> list:
    return [a.states for a in Schema.fit_code(X, **options)[0].attributes]


def test_dtypes_of_a_frame_decide() -> None:
    X = pd.DataFrame(
        {
            "declared": pd.Categorical(["b"], categories=["c", "b", "a"]),
            "text": ["z"],
            "truth": [True],
            "number": [1.5],
        }
    )
    assert states(X) == [("c", "b", "a"), ("z",), (True,), ()]


def test_integer_arrays_are_codes_and_float_arrays_numbers() -> None:
    assert states(np.array([[0, 2], [1, 0]])) == [(0, 1), (0, 1, 2)]
    assert states(np.array([[0, 2], [1, 0]]), arities=(4, None)) == [(0, 1, 2, 3), (0, 1, 2)]
    assert states(np.array([[0.0, 2.0]])) == [(), ()]


def test_object_arrays_are_read_column_by_column() -> None:
    X = np.array([["a", 1.5, None, True], ["b", 2, "x", False]], dtype=object)
    assert states(X) == [("a", "b"), (), ("x",), (False, True)]


def test_codes_are_compact_and_missing_is_the_arity() -> None:
    X = pd.DataFrame({"a": pd.Categorical(["x", None, "y"]), "b": [1.0, np.nan, 3.0]})
    coded = Schema.fit_code(X)[0].code(X)
    assert coded.codes.dtype == np.uint8
    np.testing.assert_array_equal(coded.codes, [[0, 2, 1]])
    np.testing.assert_array_equal(coded.values, [[1, np.nan, 3]])


@pytest.mark.parametrize(("arity", "dtype"), [(255, np.uint8), (256, np.uint16), (65_536, np.uint32)])
def test_codes_take_the_smallest_type_that_holds_missing_too(arity, dtype) -> None:
    X = np.array([[0], [arity - 1], [-1]])
    coded = Schema.fit_code(X)[0].code(X)
    assert coded.codes.dtype == dtype
    np.testing.assert_array_equal(coded.codes, [[0, arity - 1, arity]])


def test_the_schema_of_fit_rules_whatever_container_comes() -> None:
    X = pd.DataFrame({"a": pd.Categorical(["x", "y", "x"], categories=["y", "x"])})
    schema = Schema.fit_code(X)[0]
    for other in (
        X,
        X.astype(object),
        X.astype("string"),
        pd.DataFrame({"a": pd.Categorical(["x", "y", "x"], categories=["x", "y", "q"])}),
        np.array([["x"], ["y"], ["x"]]),
        np.array([["x"], ["y"], ["x"]], dtype=object),
    ):
        np.testing.assert_array_equal(schema.code(other).codes, [[1, 0, 1]])


def test_values_outside_the_declared_ones_are_missing() -> None:
    schema = Schema.fit_code(np.array([[0], [1]]))[0]
    np.testing.assert_array_equal(schema.code(np.array([[5], [-1], [1]])).codes, [[2, 2, 1]])


@pytest.mark.parametrize("how", [["a"], [0], [True, False]])
def test_columns_are_declared_nominal_by_name_index_or_mask(how) -> None:
    X = pd.DataFrame({"a": [3, 1, 3], "b": [0.5, 1.5, 2.5]})
    assert states(X, categorical_features=how) == [(1, 3), ()]


def test_unknown_columns_in_categorical_features_are_refused() -> None:
    with pytest.raises(ValueError, match=r"categorical_features.*\['nope'\]"):
        states(pd.DataFrame({"a": [1.0]}), categorical_features=["nope"])


def test_a_small_integer_column_of_a_frame_warns_and_names_the_parameter() -> None:
    with pytest.warns(UserWarning, match=r"'a'.*10.*categorical_features"):
        NaiveBayesClassifier().fit(pd.DataFrame({"a": [1, 2, 1]}), [0, 1, 0])


def test_all_such_columns_are_named_in_one_warning() -> None:
    X = pd.DataFrame({"a": [1, 2, 1], "b": [3, 4, 3], "c": [0.5, 1.5, 2.5], "d": [1, 1, 2]})
    with pytest.warns(IntegerColumnWarning) as caught:
        NaiveBayesClassifier().fit(X, [0, 1, 0])
    (said,) = [str(one.message) for one in caught]
    assert said.startswith("Columns 'a', 'b', 'd' hold integers")


def test_the_warning_can_be_distinguished_from_others() -> None:
    with pytest.warns(IntegerColumnWarning):
        Schema.fit_code(pd.DataFrame({"a": pd.array([1, 2, None], dtype="Int64")}))[0]
    assert not holds_few_integers(np.array([True, False]))


def test_a_code_beyond_its_declared_arity_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Column 0 holds.*4.*3"):
        states(np.array([[4]]), arities=[3])


def test_dates_are_refused() -> None:
    with pytest.raises(TypeError, match="'when' holds dates"):
        states(pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])}))


def test_text_in_a_numeric_column_is_refused_at_prediction() -> None:
    learner = NaiveBayesClassifier().fit(pd.DataFrame({"a": [1.0, 2.0]}), [0, 1])
    with pytest.raises(ValueError, match=r"Column 'a'.*numeric"):
        learner.predict_proba(pd.DataFrame({"a": ["high"]}))


def test_arities_of_labels_are_refused() -> None:
    with pytest.raises(ValueError, match=r"arities declares 5.*'a'"):
        states(pd.DataFrame({"a": ["x", "y"]}), arities=[5])


def test_huge_unsigned_codes_are_refused_and_not_taken_as_missing() -> None:
    with pytest.raises(ValueError, match="but X holds 65536"):
        states(np.array([[2**64 - 1], [0]], dtype=np.uint64))


@pytest.mark.parametrize("n_values", [10, 11])
def test_ten_distinct_integers_warn_and_eleven_do_not(n_values, recwarn) -> None:
    Schema.fit_code(pd.DataFrame({"a": np.arange(n_values)}))[0]
    assert len(recwarn) == (n_values == 10)


def test_missing_marks_of_every_kind_are_missing_in_object_arrays() -> None:
    X = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": ["u", None, "v"]}).to_numpy()
    coded = Schema.fit_code(X)[0].code(X)
    np.testing.assert_array_equal(coded.values, [[1, np.nan, 3]])
    np.testing.assert_array_equal(coded.codes, [[0, 2, 1]])


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two columns named 'a'"):
        NaiveBayesClassifier().fit(pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), [0])


def test_complex_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="'a' holds complex numbers"):
        states(pd.DataFrame({"a": [1j]}))


def test_a_column_without_any_known_value_warns() -> None:
    learner = NaiveBayesClassifier().fit(pd.DataFrame({"a": pd.Categorical([0, 1])}), [0, 1])
    with pytest.warns(UserWarning, match="'a' has none of the known states, such as 0"):
        learner.predict_proba(pd.DataFrame({"a": ["0", "1"] * 5}))


def test_a_warning_points_at_the_line_of_the_user(recwarn) -> None:
    NaiveBayesClassifier().fit(pd.DataFrame({"a": [1, 2, 1]}), [0, 1, 0])
    assert [warning.filename for warning in recwarn] == [__file__]


@pytest.mark.filterwarnings("ignore::learners.tables.columns.IntegerColumnWarning")
def test_pairs_that_would_fill_the_memory_are_refused() -> None:
    X = np.tile(np.arange(10_000)[:, None], (1, 2))
    for Learner in (TANClassifier, AODEClassifier):
        with pytest.raises(ValueError, match=r"counts.*pairs"):
            Learner().fit(X, np.arange(10_000) % 2)


@pytest.mark.parametrize("kind", ["text", "category", "array"])
@pytest.mark.parametrize("learner", [NaiveBayesClassifier, TANClassifier])
def test_a_list_of_nominal_columns_names_every_column_of_text(kind, learner) -> None:
    X = pd.DataFrame({"k": [1, 2, 1, 2], "t": list("abab")}, dtype=object).astype({"k": int})
    X = X.astype({"t": "category"}) if kind == "category" else X
    name = 1 if kind == "array" else "t"
    table, listed = (X.to_numpy(dtype=object), [0]) if kind == "array" else (X, ["k"])
    with pytest.raises(
        ValueError, match=f"^Column {name!r} holds values that are not numbers, but .* so add {name!r}"
    ):
        learner(categorical_features=listed).fit(table, list("uvvu"))
    learner(categorical_features=[*listed, name]).fit(table, list("uvvu"))


def test_a_list_of_nominal_columns_leaves_text_of_numbers_numeric() -> None:
    X = pd.DataFrame({"k": [1, 2], "n": pd.Series(["1.5", "2"], dtype=object), "c": pd.Categorical([3, 4])})
    assert states(X, categorical_features=["k"]) == [(1, 2), (), ()]


class TestManyCodes:
    X = np.column_stack([np.arange(40), np.arange(40) % 3])

    def test_an_array_of_integers_with_many_values_warns_by_column(self):
        with pytest.warns(IntegerColumnWarning, match=r"Column 0.*array.*20"):
            NaiveBayesClassifier().fit(self.X, self.X[:, 1])

    @pytest.mark.parametrize("options", [{"categorical_features": [0, 1]}, {"arities": [40, 3]}])
    def test_who_says_that_they_are_codes_is_believed(self, options):
        assert NaiveBayesClassifier(**options).fit(self.X, self.X[:, 1]).n_features_in_ == 2

    def test_few_of_many_possible_codes_are_codes(self):
        sparse = np.where(self.X > 3, 200, self.X)
        assert NaiveBayesClassifier().fit(sparse, self.X[:, 1]).n_features_in_ == 2


def test_units_leave_out_constants_and_rounding_has_the_variance_of_its_gap() -> None:
    values = np.array([[0.0, 1.0, 1.0, 2.0], [3.0, 3.0, np.nan, 3.0]])
    assert rounding_variances(values).tolist() == pytest.approx([1 / 12, 0.0])
    units = Scales.of(np.array([[1.0, 3.0, np.nan], [5.0, 5.0, 5.0]]), np.ones(3))
    assert units.varied.tolist() == [0]
    assert [*units.centers, *units.scales, *units.least] == pytest.approx([2.0, 1.0, 1 / 3])
