"""The class-dependent cuts against Weka's, against a plain twin, and as a transformer."""

import csv
import math
import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io.arff import loadarff
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.utils.estimator_checks import check_estimator

from learners.tables.discretize import MDLPDiscretizer, interval_codes, interval_labels, mdlp_cut_points

CARRIED = ["iris", "weather.numeric"]
ELSEWHERE = ["labor", "glass", "diabetes", "credit-g", "ionosphere", "segment-challenge"]


def entropy(weights):
    shares = weights[weights > 0] / weights.sum()
    return -(shares * np.log2(shares)).sum()


def slow_cuts(x, y, weight):
    """Try every cut between two values, recursively; entropies as they are defined."""
    values = np.unique(x)
    n_classes = y.max() + 1
    whole = np.bincount(y, weight, n_classes)
    n = whole.sum()
    best, best_entropy = None, math.inf
    for low, high in pairwise(values):
        left = np.bincount(y[x <= low], weight[x <= low], n_classes)
        right = np.bincount(y[x > low], weight[x > low], n_classes)
        both = (left.sum() * entropy(left) + right.sum() * entropy(right)) / n
        if both < best_entropy - 1e-12:
            best, best_entropy = (low, high, left, right), both
    if best is None:
        return []
    low, high, left, right = best
    k, k_left, k_right = (np.count_nonzero(w) for w in (whole, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(whole) - k_left * entropy(left) - k_right * entropy(right))
    if entropy(whole) - best_entropy <= (math.log2(n - 1) + delta) / n:
        return []
    sides = x <= low, x > low
    return sorted(
        [(low + high) / 2, *(cut for side in sides for cut in slow_cuts(x[side], y[side], weight[side]))]
    )


def clustered(seed, n_samples=200, n_classes=3, n_values=40):
    """Rows whose class hangs on the attribute in steps, with noise and repeated values."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, n_values, n_samples) / 4
    steps = rng.integers(0, n_classes, 5)[np.minimum(x * 2 // (n_values / 8), 4).astype(int)]
    return x, np.where(rng.random(n_samples) < 0.2, rng.integers(0, n_classes, n_samples), steps)


def weka_rows(golden, dataset):
    with open(golden / "weka_cutpoints.csv", newline="", encoding="utf-8") as lines:
        return [
            row
            for row in csv.DictReader(lines)
            if (row["dataset"], row["method"]) == (dataset, "fayyad_irani")
        ]


def assert_same_cuts_as_weka(rows, folder, dataset):
    table, meta = loadarff(folder / f"{dataset}.arff")
    columns = {name.strip("'"): table[name] for name in meta.names()}
    _, y = np.unique(table[meta.names()[-1]], return_inverse=True)
    assert rows
    for row in rows:
        cuts = mdlp_cut_points(columns[row["attribute"]], y, y.max() + 1)
        printed = row["cut_points"].split(";") if row["cut_points"] else []
        assert len(cuts) == int(row["n_cuts"]), row["attribute"]
        for cut, text in zip(cuts, printed, strict=True):
            # The data have so few digits that Weka prints each midpoint in full.
            assert cut == pytest.approx(float(text), rel=1e-12), row["attribute"]


class TestAgainstWeka:
    @pytest.mark.parametrize("dataset", CARRIED)
    def test_gives_the_cuts_on_sets_in_the_repository(self, golden, dataset):
        assert_same_cuts_as_weka(weka_rows(golden, dataset), golden, dataset)

    @pytest.mark.parametrize("dataset", ELSEWHERE)
    def test_gives_the_cuts_on_sets_outside(self, golden, shared, dataset):
        folder = shared / "reference" / "data"
        if not (folder / f"{dataset}.arff").is_file():
            pytest.skip(f"no {dataset}.arff in reference/data of {shared}")
        assert_same_cuts_as_weka(weka_rows(golden, dataset), folder, dataset)


class TestCutPoints:
    def test_lie_midway_between_neighboring_values(self):
        assert mdlp_cut_points([1, 2, 3, 4, 7, 8, 9, 10], [0] * 4 + [1] * 4, 2).tolist() == [5.5]

    def test_the_criterion_counts_one_less_than_the_rows(self):
        """One of five rows apart: gain .7219, above (log2 4 + 1.364)/5 and below (log2 5 + 1.364)/5."""
        assert mdlp_cut_points([0, 1, 1, 1, 1], [1, 0, 0, 0, 0], 2).tolist() == [0.5]

    def test_do_not_depend_on_the_order_of_rows(self):
        x, y = clustered(0)
        order = np.random.default_rng(1).permutation(len(x))
        assert mdlp_cut_points(x, y, 3).tolist() == mdlp_cut_points(x[order], y[order], 3).tolist()

    def test_do_not_depend_on_the_names_of_classes(self):
        for seed in range(30):
            x, y = clustered(seed, n_samples=60, n_classes=4)
            renamed = np.array([2, 0, 3, 1])[y]
            assert mdlp_cut_points(x, y, 4).tolist() == mdlp_cut_points(x, renamed, 4).tolist()

    def test_do_not_depend_on_classes_that_no_row_shows(self):
        x, y = clustered(0)
        assert mdlp_cut_points(x, 2 * y, 9).tolist() == mdlp_cut_points(x, y, 3).tolist()

    def test_of_two_equally_good_cuts_the_first_is_taken(self):
        # Counts of both classes that read the same from either end: the last cuts would be 1.5 and 4.5.
        counts = [(0, 8), (1, 2), (7, 0), (7, 0), (1, 2), (0, 8)]
        x = np.repeat(np.arange(6.0), np.sum(counts, axis=1))
        y = np.repeat([0, 1] * 6, np.ravel(counts))
        assert mdlp_cut_points(x, y, 2).tolist() == [0.5, 3.5] == slow_cuts(x, y, np.ones(len(x)))

    @pytest.mark.parametrize("x", [[], [1.0], [2.0, 2.0, 2.0, 2.0], [np.nan, np.nan]])
    def test_are_none_where_there_is_nothing_to_cut(self, x):
        y = np.arange(len(x)) % 2
        assert mdlp_cut_points(x, y, 2).tolist() == []
        assert mdlp_cut_points(x, y, 2, sample_weight=np.ones(len(x))).tolist() == []

    def test_are_none_where_one_class_is_seen(self):
        assert mdlp_cut_points(np.arange(100.0), np.full(100, 2), 3).tolist() == []

    def test_leave_missing_values_out(self):
        x, y = clustered(3)
        holes = np.arange(len(x)) % 5 == 0
        with_holes = np.where(holes, np.nan, x)
        assert mdlp_cut_points(with_holes, y, 3).tolist() == mdlp_cut_points(x[~holes], y[~holes], 3).tolist()

    def test_with_whole_weights_are_those_of_repeated_rows_to_the_bit(self):
        for seed in range(20):
            x, y = clustered(seed)
            x = np.sin(x)
            weight = np.random.default_rng(seed).integers(0, 4, len(x))
            repeated = mdlp_cut_points(np.repeat(x, weight), np.repeat(y, weight), 3)
            assert mdlp_cut_points(x, y, 3, sample_weight=weight).tolist() == repeated.tolist()

    def test_of_two_halves_are_those_of_the_row_once_to_the_bit(self):
        for seed in range(20):
            x, y = clustered(seed)
            halves = mdlp_cut_points(np.repeat(x, 2), np.repeat(y, 2), 3, sample_weight=np.full(400, 0.5))
            assert halves.tolist() == mdlp_cut_points(x, y, 3).tolist()

    def test_with_weights_of_one_are_those_without_to_the_bit(self):
        """Logarithms are looked up without weights, and computed with them."""
        for seed in range(20):
            x, y = clustered(seed, n_samples=500, n_values=500)
            weighted = mdlp_cut_points(x, y, 3, sample_weight=np.ones(500))
            assert weighted.tolist() == mdlp_cut_points(x, y, 3).tolist()

    def test_count_the_weight_where_weka_counts_rows(self):
        """Rows of weight 10 pay where as many rows of weight 1 do not."""
        x, y = [1, 2, 3, 4, 5, 6], [0, 0, 1, 0, 1, 1]
        assert mdlp_cut_points(x, y, 2).tolist() == []
        assert mdlp_cut_points(x, y, 2, sample_weight=[10] * 6).tolist() == [2.5, 3.5, 4.5]

    def test_with_weights_below_one_stay_finite(self):
        x, y = clustered(0)
        cuts = mdlp_cut_points(x, y, 3, sample_weight=np.full(len(x), 1e-3))
        assert np.isfinite(cuts).all()

    def test_between_neighboring_floats_leave_the_upper_one_above(self):
        low = 1.0
        high = np.nextafter(low, 2.0)
        x = np.repeat([low, high], 20)
        cuts = mdlp_cut_points(x, np.repeat([0, 1], 20), 2)
        assert interval_codes([low, high], cuts).tolist() == [0, 1]

    def test_survive_infinite_and_huge_values(self):
        y = np.repeat([0, 1], 20)
        for low, high in [(-np.inf, np.inf), (0.0, np.inf), (-np.inf, 0.0), (1e308, 1.7e308)]:
            cuts = mdlp_cut_points(np.repeat([low, high], 20), y, 2)
            assert interval_codes([low, high], cuts).tolist() == [0, 1]

    def test_of_hundreds_of_classes_do_not_overflow(self):
        x = np.repeat(np.arange(700.0), 20)
        assert len(mdlp_cut_points(x, np.repeat(np.arange(700), 20), 700)) == 699

    def test_of_many_cuts_fit_the_stack(self):
        n = 20_000
        x = np.arange(n * 8, dtype=float)
        y = np.repeat(np.arange(n) % 2, 8)
        y[: n // 2] = 0
        assert np.array_equal(mdlp_cut_points(x, y, 2), np.sort(mdlp_cut_points(-x, y, 2) * -1))

    @given(st.integers(0, 10**6), st.integers(2, 5), st.integers(2, 60), st.booleans())
    def test_agree_with_the_plain_twin(self, seed, n_classes, n_values, weighted):
        x, y = clustered(seed, 150, n_classes, n_values)
        weight = np.random.default_rng(seed).random(150) + 0.5 if weighted else None
        slow = slow_cuts(x, y, np.ones(150) if weight is None else weight)
        assert mdlp_cut_points(x, y, n_classes, sample_weight=weight).tolist() == slow

    @pytest.mark.parametrize(
        "arguments, message",
        [
            (([1.0, 2.0], [0], 2), r"shapes \(2,\).*\(1,\).*number"),
            (([[1.0], [2.0]], [[0], [1]], 2), r"number.*class"),
            (([1.0, 2.0], [0.0, 1.0], 2), r"y.*float64.*0.*1"),
            (([1.0, 2.0], [0, 2], 2), r"y.*0.*2.*n_classes=2.*0.*1"),
            (([1.0, 2.0], [-1, 1], 2), r"y holds codes -1.*1"),
        ],
    )
    def test_of_rows_that_do_not_fit_are_an_error(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            mdlp_cut_points(*arguments)

    @pytest.mark.parametrize(
        "weight, message",
        [([1.0], "give one number"), ([1.0, -1.0], "negative or not finite"), ([1.0, np.nan], "not finite")],
    )
    def test_with_weights_that_do_not_fit_are_an_error(self, weight, message):
        with pytest.raises(ValueError, match=message):
            mdlp_cut_points([1.0, 2.0], [0, 1], 2, sample_weight=weight)


class TestIntervals:
    def test_take_a_value_equal_to_a_cut_low(self):
        assert interval_codes([2.0, np.nextafter(2.0, 3.0)], [2.0]).tolist() == [0, 1]

    def test_give_the_missing_value_the_code_after_the_last(self):
        assert interval_codes([np.nan, 0.0], []).tolist() == [1, 0]
        assert interval_codes([np.nan, 9.0], [1.0, 2.0]).tolist() == [3, 2]

    @pytest.mark.parametrize("n_cuts, dtype", [(0, "u1"), (254, "u1"), (255, "u2"), (65_535, "u4")])
    def test_come_in_the_smallest_type_that_holds_the_missing_code(self, n_cuts, dtype):
        codes = interval_codes([np.nan], np.arange(float(n_cuts)))
        assert codes.dtype == np.dtype(dtype)
        assert codes[0] == n_cuts + 1

    def test_have_names(self):
        assert interval_labels([]) == ["(-inf, inf)"]
        assert interval_labels([-1.0, 1 / 3]) == ["(-inf, -1]", "(-1, 0.333333]", "(0.333333, inf)"]

    def test_have_different_names_however_close_the_cuts(self):
        close = [1.0, np.nextafter(1.0, 2.0), 1.0 + 1e-9]
        assert len(set(interval_labels(close))) == 4


class TestDiscretizer:
    def test_keeps_the_contract_of_scikit_learn(self):
        check_estimator(MDLPDiscretizer(), on_skip=None)

    def test_cuts_each_column_by_itself_and_keeps_missing_values(self):
        x, y = clustered(0)
        X = np.column_stack([x, np.where(x > 8, np.nan, -x), np.zeros_like(x)])
        labels = np.array(["low", "mid", "high"])[y]
        fitted = MDLPDiscretizer().fit(X, labels)
        for column, cuts in zip(X.T, fitted.cut_points_, strict=True):
            assert cuts.tolist() == mdlp_cut_points(column, y, 3).tolist()
        codes = fitted.transform(X)
        assert np.array_equal(np.isnan(codes), np.isnan(X))
        assert codes[:, 0].tolist() == interval_codes(x, fitted.cut_points_[0]).tolist()
        assert not codes[:, 2].any()

    def test_weighs_rows(self):
        x, y = clustered(1)
        weight = np.arange(len(x)) % 3
        weighted = MDLPDiscretizer().fit(x[:, None], y, sample_weight=weight)
        repeated = MDLPDiscretizer().fit(np.repeat(x, weight)[:, None], np.repeat(y, weight))
        assert weighted.cut_points_[0].tolist() == repeated.cut_points_[0].tolist()

    def test_keeps_the_names_and_index_of_a_table(self):
        x, y = clustered(2)
        table = pd.DataFrame({"a": x, "b": -x}, index=np.arange(len(x)) + 5)
        discretizer = MDLPDiscretizer().set_output(transform="pandas")
        codes = discretizer.fit_transform(table, y)
        assert list(codes.columns) == ["a", "b"]
        assert codes.index.equals(table.index)
        assert discretizer.get_feature_names_out().tolist() == ["a", "b"]

    def test_names_its_output(self):
        x, y = clustered(2)
        nameless = MDLPDiscretizer().fit(x[:, None], y)
        assert nameless.get_feature_names_out().tolist() == ["x0"]
        assert nameless.get_feature_names_out(["height"]).tolist() == ["height"]
        with pytest.raises(ValueError, match=r"input_features.*feature_names_in_"):
            MDLPDiscretizer().fit(pd.DataFrame({"a": x}), y).get_feature_names_out(["b"])

    def test_survives_a_pickle_and_a_clone(self):
        x, y = clustered(2)
        fitted = MDLPDiscretizer().set_output(transform="pandas").fit(pd.DataFrame({"a": x, "b": -x}), y)
        again = pickle.loads(pickle.dumps(fitted))
        table = pd.DataFrame({"a": [*x, np.nan], "b": [np.nan, *x]})
        pd.testing.assert_frame_equal(again.transform(table), fitted.transform(table))
        refitted = clone(fitted).fit(pd.DataFrame({"a": x, "b": -x}), y)
        pd.testing.assert_frame_equal(refitted.transform(table), fitted.transform(table))

    def test_works_in_a_pipeline_column_by_column(self):
        x, y = clustered(2)
        table = pd.DataFrame({"a": x, "kind": np.where(y == 0, "u", "v")})
        columns = make_column_transformer(
            (MDLPDiscretizer(), ["a"]), remainder="passthrough", verbose_feature_names_out=False
        ).set_output(transform="pandas")
        codes = columns.fit_transform(table, y)
        assert list(codes) == ["a", "kind"]
        assert codes["a"].nunique() == len(columns.named_transformers_["mdlpdiscretizer"].cut_points_[0]) + 1

    def test_refuses_a_class_that_is_a_measurement(self):
        with pytest.raises(ValueError, match="Unknown label type"):
            MDLPDiscretizer().fit([[1.0], [2.0], [3.0]], [0.1, 0.2, 0.3])
