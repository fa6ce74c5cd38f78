"""Forecasts as other programs hand them out: short floats, and tables whose columns are named."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from workbench.forecasts import Forecasts
from workbench.metrics import (
    METRICS,
    as_sets,
    class_prior,
    clip_probabilities,
    decomposition,
    exact_decomposition,
    ir_b,
    kl_divergence,
    log_loss,
    make_scorer,
    reliability_table,
    significance,
)
from workbench.metrics._shared.checks import check_forecast

OF_FORECASTS = {name: METRICS[name] for name in ("log_loss", "ir_b", "auc", "miscalibration")}
of_forecasts = pytest.mark.parametrize("metric", OF_FORECASTS.values(), ids=OF_FORECASTS.keys())
SHORT = {np.float32: 1e-6, np.float16: 1e-2}
short_floats = pytest.mark.parametrize(("kind", "digits"), SHORT.items(), ids=["float32", "float16"])
P = [[0.2, 0.8], [0.6, 0.4]]
LABELS = ["no", "yes"]


def softmax(n_samples=400, n_classes=5, kind=np.float32):
    """Probabilities as a network computes them, in its own precision throughout."""
    scores = np.random.default_rng(0).normal(size=(n_samples, n_classes)).astype(kind)
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=1, keepdims=True, dtype=kind)


class TestShortFloats:
    @short_floats
    @of_forecasts
    def test_are_scored_as_the_same_rows_divided_by_their_sums(self, metric, kind, digits):
        rows, y, prior = softmax(kind=kind), np.arange(400) % 5, [0.1, 0.2, 0.3, 0.2, 0.2]
        wide = rows.astype(float)
        divided = wide / wide.sum(axis=1, keepdims=True)
        assert np.abs(wide.sum(axis=1) - 1).max() > 1e-8  # refused, if they came in double precision
        assert metric(y, rows, prior=prior) == metric(y, divided, prior=prior)
        exact = softmax(kind=np.float64)
        if metric.has_per_sample and metric.unit == "bits":
            assert metric(y, rows, prior=prior) == pytest.approx(metric(y, exact, prior=prior), abs=digits)

    @short_floats
    def test_are_taken_by_all_that_scores(self, kind, digits):
        rows, y, prior = softmax(kind=kind), np.arange(400) % 5, [0.2] * 5
        wide = check_forecast(rows)
        joint = np.full((400, 5), 1 / 2000)
        assert kl_divergence(wide, rows) == kl_divergence(rows, wide) == 0.0
        assert kl_divergence.expected(np.full(400, 1 / 400), rows, rows) == 0.0
        for metric in (METRICS["d2_brier"], METRICS["d2_log_loss"], ir_b, log_loss):
            assert metric.expected(joint, rows, prior=prior) == metric.expected(joint, wide, prior=prior)
        options = {"prior": prior, "n_bootstrap": 2, "random_state": 0}
        assert decomposition(y, rows, **options) == decomposition(y, wide, **options)
        parts = exact_decomposition(joint, rows, prior=prior)
        assert parts == exact_decomposition(joint, wide, prior=prior)
        assert reliability_table(y, rows).n.sum() == 400
        clipped = clip_probabilities(rows, n_train=4)
        np.testing.assert_array_equal(clipped, clip_probabilities(wide, n_train=4))

    @short_floats
    def test_may_be_a_prior(self, kind, digits):
        prior = np.array([0.15, 0.2, 0.3, 0.35], dtype=kind)
        assert abs(prior.astype(float).sum() - 1) > 1e-8
        rows = np.tile(prior, (4, 1))
        assert ir_b([0, 1, 2, 3], rows, prior=prior) == 0.0

    @pytest.mark.parametrize(("kind", "least"), [(np.float32, 1e-3), (np.float16, 0.06)])
    def test_that_miss_one_by_more_than_rounding_are_refused(self, kind, least):
        rows = np.array([[0.5, 0.5], [0.5, 0.5 + least]], dtype=kind)
        with pytest.raises(ValueError, match=r"row 1 of y_prob sums to 1\.0.*"):
            log_loss([0, 1], rows)
        with pytest.raises(ValueError, match="row 0 of y_prob holds nan for class 1"):
            log_loss([0], np.array([[0.5, np.nan]], dtype=kind))
        with pytest.raises(ValueError, match=r"row 0 of y_prob holds -0\.5 for class 0"):
            log_loss([0], np.array([[-0.5, 1.5]], dtype=kind))

    def test_of_double_precision_keep_the_narrow_tolerance(self):
        assert log_loss([0], [[0.5, 0.5 + 9e-9]]) == 1.0
        with pytest.raises(ValueError, match=r"sums to 1\.00000002"):
            log_loss([0], [[0.5, 0.5 + 2e-8]])

    @short_floats
    def test_are_taken_by_what_figures_begin_with(self, kind, digits):
        rows = softmax(kind=kind)
        checked = Forecasts.of(np.arange(400) % 5, {"net": rows})
        np.testing.assert_array_equal(checked.by_learner["net"], check_forecast(rows))

    def test_come_from_scorers_as_from_metrics(self):
        X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 3

        class Short(GaussianNB):
            def predict_proba(self, X):
                return super().predict_proba(X).astype(np.float32)

        fitted = Short().fit(X, y)
        assert make_scorer(log_loss)(fitted, X, y) == -log_loss(y, fitted.predict_proba(X))

        class Doubled(GaussianNB):
            def predict_proba(self, X):
                return 2 * super().predict_proba(X).astype(np.float32)

        with pytest.raises(ValueError, match="row 0 of y_prob sums to 2"):
            make_scorer(log_loss)(Doubled().fit(X, y), X, y)

    def test_are_left_as_they_are(self):
        rows = softmax()
        before = rows.copy()
        log_loss([0] * 400, rows)
        np.testing.assert_array_equal(rows, before)
        assert rows.flags.writeable


class TestNotNumbers:
    @pytest.mark.parametrize(
        ("y_prob", "sentence"),
        [
            (
                [[0.5, 0.5], [1.0]],
                "y_prob is not an array of numbers",
            ),
            ([["a", "b"]], "y_prob has text"),
            ([[0.5, 0.5 + 0j]], "y_prob has complex numbers"),
            ([[None, {}]], "y_prob has None"),
            (None, "y_prob is None"),
        ],
    )
    def test_are_reported_in_one_sentence(self, y_prob, sentence):
        with pytest.raises(ValueError, match=sentence):
            log_loss([0], y_prob)


class TestNamedColumns:
    @of_forecasts
    def test_that_are_the_classes_in_another_order_are_aligned(self, metric):
        rows, y, prior = softmax(kind=float), np.arange(400) % 5, np.array([0.1, 0.2, 0.3, 0.2, 0.2])
        names = ["a", "b", "c", "d", "e"]
        order = [3, 0, 4, 1, 2]
        moved = pd.DataFrame(rows, columns=names).iloc[:, order]
        labels = np.array(names)[y]
        expected = metric(labels, rows, prior=prior, classes=names)
        assert metric(labels, moved, prior=prior, classes=names) == expected
        of_prior = pd.Series(prior, index=names).iloc[order]
        assert metric(labels, moved, prior=of_prior, classes=names) == expected

    def test_change_what_their_order_would_have_said(self):
        table = pd.DataFrame(P, columns=["yes", "no"])
        by_name = log_loss(LABELS, table, classes=LABELS)
        assert by_name == log_loss(LABELS, table[["no", "yes"]].to_numpy(), classes=LABELS)
        assert by_name != log_loss(LABELS, table.to_numpy(), classes=LABELS)

    @pytest.mark.parametrize("columns", [None, pd.RangeIndex(2), pd.Index([0, 1])], ids=repr)
    def test_that_only_count_are_no_names(self, columns):
        table = pd.DataFrame(P, columns=columns)
        assert log_loss(LABELS, table, classes=LABELS) == log_loss(LABELS, P, classes=LABELS)
        assert log_loss([1, 0], pd.DataFrame(P), classes=[1, 0]) == log_loss([1, 0], P, classes=[1, 0])
        assert log_loss([5, 7], pd.DataFrame(P), classes=[5, 7]) == log_loss([5, 7], P, classes=[5, 7])

    def test_that_are_codes_are_aligned_to_codes(self):
        turned = pd.DataFrame(P, columns=[1, 0])
        assert log_loss([0, 1], turned) == log_loss([0, 1], np.array(P)[:, ::-1])
        assert log_loss([0, 1], turned, classes=[0, 1]) == log_loss([0, 1], turned)
        in_order = pd.DataFrame(P, columns=pd.Index([0, 1]))
        assert log_loss([1, 0], in_order, classes=[1, 0]) == -np.log2([0.8, 0.6]).mean()

    def test_that_are_no_codes_say_nothing_of_codes(self):
        assert log_loss([0, 1], pd.DataFrame(P, columns=LABELS)) == log_loss([0, 1], P)

    @pytest.mark.parametrize(
        "columns",
        [["oui", "non"], ["no", "no"], [1, 2]],
        ids=repr,
    )
    def test_that_are_other_names_than_the_classes_are_refused(self, columns):
        sentence = r"y_prob .* \['no', 'yes'\]"
        with pytest.raises(ValueError, match=sentence):
            log_loss(LABELS, pd.DataFrame(P, columns=columns), classes=LABELS)

    def test_that_share_a_class_with_others_are_refused(self):
        with pytest.raises(
            ValueError, match=r"y_prob names its classes \[0, 1\], but classes= names \[1, 2\]"
        ):
            log_loss([1, 2], pd.DataFrame(P, columns=pd.Index([0, 1])), classes=[1, 2])

    def test_of_a_table_of_sets_count_too(self):
        sets = pd.DataFrame(as_sets(["no", {"no", "yes"}, "no"], classes=LABELS), columns=LABELS)
        y = ["no", "yes", "yes"]
        turned = sets[["yes", "no"]]
        assert significance(y, turned, classes=LABELS) == significance(y, sets.to_numpy(), classes=LABELS)
        with pytest.raises(ValueError, match="y_set names its classes"):
            significance(y, sets.set_axis(["oui", "non"], axis=1), classes=LABELS)

    def test_count_in_tables_and_parts_too(self):
        rows, y = softmax(kind=float, n_classes=2), np.arange(400) % 2
        labels = np.array(LABELS)[y]
        turned = pd.DataFrame(rows, columns=LABELS)[["yes", "no"]]
        given = reliability_table(labels, turned, of="yes", classes=LABELS)
        plain = reliability_table(labels, rows, of="yes", classes=LABELS)
        pd.testing.assert_frame_equal(given.table(), plain.table())
        options = {"classes": LABELS, "n_bootstrap": 0, "random_state": 0}
        prior = pd.Series([0.75, 0.25], index=["yes", "no"])
        parts = decomposition(labels, turned, prior=prior, **options)
        assert parts == decomposition(labels, rows, prior=[0.25, 0.75], **options)

    def test_of_a_prior_count_too(self):
        y = pd.Series(["yes", "yes", "no", "yes"])
        shares = y.value_counts(normalize=True)  # the most frequent class first
        assert shares.index.tolist() == ["yes", "no"]
        scored = ir_b(LABELS, P, prior=shares, classes=LABELS)
        assert scored == ir_b(LABELS, P, prior=[0.25, 0.75], classes=LABELS)
        codes = pd.Series([1, 1, 0, 1]).value_counts(normalize=True)
        assert ir_b([0, 1], P, prior=codes) == ir_b([0, 1], P, prior=[0.25, 0.75])
        with pytest.raises(ValueError, match=r"prior names its classes \['ja', 'nein'\]"):
            ir_b(LABELS, P, prior=pd.Series([0.5, 0.5], index=["ja", "nein"]), classes=LABELS)
        scorer = make_scorer(ir_b, prior=shares, classes=LABELS)
        assert scorer.prior == (0.25, 0.75)
        assert class_prior(y).shape == (2,)
