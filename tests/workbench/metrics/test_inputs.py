"""What the metrics accept, and what they say of what they do not."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from workbench.metrics import accuracy, class_prior, clip_probabilities, ir_b, log_loss
from workbench.metrics._shared import checks
from workbench.metrics._shared.checks import check_forecast, checked_once

EVEN = [[0.5, 0.5], [0.5, 0.5]]


class TestForecast:
    @pytest.mark.parametrize(
        "y_prob, message",
        [
            ([0.5, 0.5], r"y_prob has shape \(2,\)"),
            (np.empty((0, 2)), r"y_prob has shape \(0, 2\)"),
            ([[0.5, 0.5], [0.5, 0.4]], "row 1 of y_prob sums to 0.9"),
            ([[0.5, 0.5], [1.5, -0.5]], "row 1 of y_prob holds -0.5 for class 1"),
            ([[np.nan, 0.5], [0.5, 0.5]], "row 0 of y_prob holds nan for class 0"),
        ],
    )
    def test_that_is_no_distribution_is_an_error(self, y_prob, message):
        with pytest.raises(ValueError, match=message):
            log_loss([0, 1], y_prob)

    def test_may_miss_one_by_the_tolerance(self):
        assert log_loss([0], [[0.5, 0.5 + 9e-9]]) == 1.0
        with pytest.raises(ValueError, match="sums to"):
            log_loss([0], [[0.5, 0.5 + 2e-8]])

    def test_may_be_a_table(self):
        assert log_loss([0, 1], pd.DataFrame(EVEN, columns=["no", "yes"])) == 1.0

    def test_may_miss_one_in_many_rows_by_the_tolerance(self):
        rows = np.tile([0.5, 0.5 + 5e-9], (1000, 1))
        assert log_loss(np.zeros(1000, int), rows) == 1.0
        rows[700, 1] += 2e-8
        with pytest.raises(ValueError, match="row 700 of y_prob sums to"):
            log_loss(np.zeros(1000, int), rows)

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -0.5])
    def test_names_the_first_row_that_is_none(self, bad):
        with pytest.raises(ValueError, match=f"row 1 of y_prob holds {bad:g} for class 0"):
            log_loss([0] * 3, [[0.5, 0.5], [bad, 1.5], [np.nan, 0.5]])

    @pytest.mark.parametrize("order", ["C", "F"])
    def test_that_is_checked_has_one_layout_and_cannot_be_written(self, order):
        rows = np.asarray(np.random.default_rng(0).dirichlet(np.ones(3), size=9), order=order)
        for given_rows in (rows, rows[::2], rows[:, ::-1]):
            checked = check_forecast(given_rows)
            np.testing.assert_array_equal(checked, given_rows)
            assert checked.flags.c_contiguous
            assert not checked.flags.writeable
            assert given_rows.flags.writeable

    def test_is_checked_once_where_that_is_asked(self, monkeypatch):
        rows, seen = np.array(EVEN), []
        monkeypatch.setattr(checks, "in_class_order", lambda table, *_, **__: seen.append(1) or table)
        with checked_once():
            assert check_forecast(rows) is check_forecast(rows)
            assert check_forecast(np.array(EVEN)) is not check_forecast(rows)
        assert check_forecast(rows) is not check_forecast(rows)
        assert len(seen) == 4


class TestOutcomes:
    @pytest.mark.parametrize(
        "y_true, message",
        [
            ([0], r"y_true has shape \(1,\) and y_prob has 2 rows"),
            ([0, 2], "y_true has code 2 and y_prob has 2 columns"),
            ([0.0, 1.0], "y_true has float64 values"),
            (["a", "b"], "or labels together with classes="),
        ],
    )
    def test_that_are_no_codes_are_an_error(self, y_true, message):
        with pytest.raises(ValueError, match=message):
            accuracy(y_true, EVEN)

    def test_as_bools_are_codes_of_two_classes(self):
        assert accuracy([True, False], [[0.1, 0.9], [0.8, 0.2]]) == 1.0
        with pytest.raises(ValueError, match="y_true has bool values"):
            accuracy([True, False], [[0.1, 0.9, 0.0], [0.8, 0.2, 0.0]])

    @pytest.mark.parametrize(
        "y_true, classes",
        [
            (["b", "a"], ["b", "a"]),
            (pd.Series(["b", "a"], dtype="category"), ["b", "a"]),
            ([True, False], [True, False]),
        ],
    )
    def test_as_labels_are_looked_up_in_the_order_of_the_columns(self, y_true, classes):
        assert accuracy(y_true, [[0.9, 0.1], [0.2, 0.8]], classes=classes) == 1.0

    @pytest.mark.parametrize(
        "y_true, classes, message",
        [
            (["a", "c"], ["a", "b"], r"label 'c' is not among the classes \['a', 'b'\]"),
            (["a", None], ["a", "b"], "label None is not among the classes"),
            (["a", "b"], ["a", "b", "c"], "classes names 3 classes and y_prob has 2 columns"),
            (["a", "a"], ["a", "a"], "classes names 'a' twice"),
        ],
    )
    def test_as_labels_that_do_not_fit_are_an_error(self, y_true, classes, message):
        with pytest.raises(ValueError, match=message):
            accuracy(y_true, EVEN, classes=classes)


class TestPrior:
    @pytest.mark.parametrize(
        "prior, message",
        [
            (None, "ir_b compares the forecast with a prior"),
            ([1.0, 0.0], "the prior gives one class probability 1, so rewards "),
            ([1.5, -0.5], "positive"),
            ([0.2, 0.3, 0.5], r"prior has shape \(3,\) and y_prob has 2 columns"),
        ],
    )
    def test_that_cannot_be_one_is_an_error(self, prior, message):
        for score in (lambda: ir_b([0, 1], EVEN, prior=prior), lambda: ir_b.by_class(EVEN, prior=prior)):
            with pytest.raises(ValueError, match=message):
                score()

    def test_is_left_unread_by_metrics_that_need_none(self):
        assert log_loss([0, 1], EVEN, prior=[1.0, 0.0]) == 1.0


class TestJoint:
    def test_must_have_the_shape_of_the_forecast(self):
        with pytest.raises(ValueError, match=r"joint has shape \(1, 2\)"):
            log_loss.expected([[0.5, 0.5]], EVEN)

    @pytest.mark.parametrize("joint", [EVEN, [[1.5, -0.5], [0.0, 0.0]]])
    def test_must_be_a_distribution_over_all_cells(self, joint):
        with pytest.raises(ValueError, match=r"joint|cells"):
            log_loss.expected(joint, EVEN)


class TestClassPrior:
    def test_starts_each_count_at_one_half(self):
        np.testing.assert_array_equal(
            class_prior([0, 0, 1], classes=range(3)), [2.5 / 4.5, 1.5 / 4.5, 0.5 / 4.5]
        )

    def test_knows_the_declared_classes_of_a_categorical_in_sorted_order(self):
        y = pd.Series(pd.Categorical(["b", "b", "a"], categories=["c", "b", "a"]))
        np.testing.assert_array_equal(class_prior(y), [1.5 / 4.5, 2.5 / 4.5, 0.5 / 4.5])
        np.testing.assert_array_equal(class_prior(y.array), class_prior(y))

    def test_takes_another_start(self):
        np.testing.assert_array_equal(class_prior([0, 0], classes=range(2), alpha=1.0), [0.75, 0.25])

    @pytest.mark.parametrize(
        "y, classes, message",
        [
            ([[0, 1]], None, r"y has shape \(1, 2\)"),
            ([0, 2], range(2), "label 2 is not among the classes"),
            (pd.Series(["a", None], dtype="category"), None, "label nan is not among the classes"),
        ],
    )
    def test_of_what_has_no_class_is_an_error(self, y, classes, message):
        with pytest.raises(ValueError, match=message):
            class_prior(y, classes=classes)


class TestClipProbabilities:
    def test_divides_a_clipped_row_by_its_sum(self):
        total = 0.5 + 0.5 + 0.5 / 51.5
        assert round(total, 4) == 1.0097
        clipped = clip_probabilities([[0.5, 0.5, 0.0]], n_train=50)
        np.testing.assert_array_equal(clipped, [[0.5 / total, 0.5 / total, 0.5 / 51.5 / total]])

    def test_of_2002_needs_no_division_at_the_corners(self):
        low = 0.5 / 51.5
        np.testing.assert_allclose(
            clip_probabilities([[0.0, 0.0, 1.0]], n_train=50), [[low, low, 50.5 / 51.5]], rtol=0, atol=1e-16
        )

    def test_of_2001_does_not_look_at_the_number_of_classes(self):
        low, high = 0.5 / 51, 50.5 / 51
        expected = np.array([[low, low, high]]) / (2 * low + high)
        np.testing.assert_allclose(
            clip_probabilities([[0.0, 0.0, 1.0]], n_train=50, rule="2001"), expected, rtol=1e-15
        )

    def test_rules_agree_for_two_classes(self):
        rows = np.random.default_rng(0).dirichlet([0.05, 0.05], size=100)
        np.testing.assert_array_equal(
            clip_probabilities(rows, n_train=20), clip_probabilities(rows, n_train=20, rule="2001")
        )

    def test_leaves_rows_within_the_range_as_they_are_to_the_bit(self):
        rows = np.random.default_rng(0).dirichlet([5.0, 5.0, 5.0], size=1000)
        inside = rows.min(axis=1) >= 0.5 / 51.5
        clipped = clip_probabilities(rows, n_train=50)
        np.testing.assert_array_equal(clipped[inside], rows[inside])
        assert not (clipped[~inside] == rows[~inside]).all(axis=1).any()


@pytest.mark.process
def test_importing_the_metrics_does_not_import_the_learners():
    code = (
        "import sys, importlib; importlib.import_module('workbench.metrics');"
        "print(sorted({'numba', 'scipy', 'sklearn', 'learners', 'pandas'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
