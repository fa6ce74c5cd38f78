"""Correlations of metrics: against scipy, by direction, and by data set and learner."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from workbench.analyses import Correlations
from workbench.base.errors import WorkbenchError
from workbench.comparisons import metric_correlations

ORACLES = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
}
METRICS = ["accuracy", "reward", "miscalibration"]
methods = st.sampled_from(list(ORACLES))


@st.composite
def scores(draw):
    """Scores (n_splits, 3) that go together; the first on a lattice, as accuracies are."""
    n = draw(st.integers(6, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3))
    values[:, 0] = np.round(3 * values[:, 0] / np.ptp(values[:, 0]))
    values[:2, 0] = [0.0, 1.0]
    return values


def correlate(values, **options):
    return metric_correlations(values, metrics=METRICS, **options)


class TestCoefficients:
    @given(scores(), methods)
    def test_are_scipys(self, values, method):
        for pair in correlate(values, method=method).pairs:
            x, y = values[:, METRICS.index(pair.metric)], values[:, METRICS.index(pair.other)]
            assert pair.r == pytest.approx(ORACLES[method](x, y).statistic, abs=1e-10)
            assert pair.n == len(values)

    @given(scores(), st.floats(0.5, 0.999))
    def test_pearsons_interval_is_scipys(self, values, level):
        for pair in correlate(values, level=level).pairs:
            x, y = values[:, METRICS.index(pair.metric)], values[:, METRICS.index(pair.other)]
            expected = stats.pearsonr(x, y).confidence_interval(level)
            assert (pair.low, pair.high) == pytest.approx((expected.low, expected.high), abs=1e-9)

    @pytest.mark.parametrize(
        "method, variance", [("spearman", lambda r: (1 + r**2 / 2) / 17), ("kendall", lambda r: 0.437 / 16)]
    )
    def test_intervals_of_ranks_have_their_variance_on_fishers_scale(self, method, variance):
        values = np.random.default_rng(4).normal(size=(20, 3))
        for pair in correlate(values, method=method).pairs:
            reach = 1.959963984540054 * np.sqrt(variance(pair.r))
            assert np.arctanh(pair.high) - np.arctanh(pair.r) == pytest.approx(reach)
            assert np.arctanh(pair.r) - np.arctanh(pair.low) == pytest.approx(reach)

    @given(scores(), methods)
    def test_order_of_splits_and_of_a_pair_does_not_matter(self, values, method):
        found = correlate(values, method=method)
        turned = correlate(values[::-1], method=method)
        assert [pair.r for pair in turned.pairs] == pytest.approx([pair.r for pair in found.pairs])
        assert found.between("reward", "accuracy") is found.between("accuracy", "reward")

    @given(scores(), methods)
    def test_directions_turn_the_sign_of_pairs_that_point_apart(self, values, method):
        plain = correlate(values, method=method)
        turned = correlate(values, method=method, directions=["higher", "higher", "lower"])
        for one, other in zip(plain.pairs, turned.pairs, strict=True):
            sign = -1 if "miscalibration" in (one.metric, one.other) else 1
            assert other.r == pytest.approx(sign * one.r, abs=1e-12)
            bounds = (one.low, one.high) if sign > 0 else (-one.high, -one.low)
            assert (other.low, other.high) == pytest.approx(bounds, abs=1e-9)

    @given(scores(), methods, st.floats(0.1, 100), st.floats(-10, 10))
    def test_unit_and_zero_of_a_metric_do_not_matter(self, values, method, unit, zero):
        moved = values * [unit, 1, 1] + [zero, 0, 0]
        found, expected = (correlate(x, method=method).between("accuracy", "reward") for x in (moved, values))
        assert found.r == pytest.approx(expected.r, abs=1e-6)


class TestEdges:
    def test_a_constant_metric_has_no_coefficient_and_says_so(self):
        values = np.random.default_rng(1).normal(size=(8, 3))
        values[:, 1] = [0.1 + 0.2, 0.3] * 4
        found = correlate(values)
        assert [pair.undefined for pair in found.pairs] == ["reward is constant", "", "reward is constant"]
        assert np.isnan([found.pairs[0].r, found.pairs[0].low, found.pairs[0].high]).all()
        values[:, 0] = 1
        assert correlate(values).pairs[0].undefined == "accuracy and reward are constant"

    @pytest.mark.parametrize("method, n", [("pearson", 3), ("spearman", 3), ("kendall", 4)])
    def test_too_few_splits_have_a_coefficient_without_an_interval(self, method, n):
        pair = correlate(np.random.default_rng(2).normal(size=(n, 3)), method=method).pairs[0]
        assert not np.isnan(pair.r)
        assert np.isnan([pair.low, pair.high]).all()

    def test_the_table_has_a_row_a_pair(self):
        table = correlate(np.random.default_rng(3).normal(size=(8, 3))).table()
        assert list(table) == ["metric", "other", "r", "low", "high", "n", "undefined"]
        assert table["metric"].tolist() == ["accuracy", "accuracy", "reward"]

    @pytest.mark.parametrize(
        "values, options, message",
        [
            (np.zeros((4, 3)), {"method": "cosine"}, "method is 'cosine'"),
            (np.zeros((4, 3)), {"directions": ["higher"]}, "for each of the 3 metrics"),
            (np.zeros((4, 3)), {"directions": ["up"] * 3}, "direction is 'up'"),
            (np.full((4, 3), np.inf), {}, "NaN or infinite"),
        ],
    )
    def test_input_that_does_not_fit_is_refused(self, values, options, message):
        with pytest.raises(ValueError, match=message):
            correlate(values, **options)

    def test_one_metric_and_unknown_pairs_are_refused(self):
        with pytest.raises(ValueError, match="there is one metric, 'a'"):
            metric_correlations([[1.0], [2.0]], metrics=["a"])
        with pytest.raises(ValueError, match="'accuracy' and 'log' are not two of"):
            correlate(np.zeros((4, 3))).between("accuracy", "log")


class TestCorrelations:
    def test_each_table_and_learner_has_the_correlation_over_its_splits(self, on_datasets):
        found = Correlations.of(on_datasets, ["accuracy", "ir_b"], learners=["nb"], score="///none")
        matrix = found.matrix("ir_b", "accuracy")
        assert matrix.index.tolist() == ["iris", "wine"]
        assert matrix.columns.tolist() == ["nb"]
        frame = on_datasets.frame().query("learner == 'nb' and cutoff == 'none'")
        for source in ("iris", "wine"):
            own = frame[frame["source"] == source]
            wide = own.pivot_table(index=["replicate", "fold"], columns="metric", values="value")
            assert matrix.loc[source, "nb"] == pytest.approx(
                np.corrcoef(wide["accuracy"], wide["ir_b"])[0, 1]
            )
        assert found.table["n"].tolist() == [6, 6]
        assert found.notes == ()

    def test_aligned_metrics_that_agree_correlate_positively(self, on_datasets):
        options = {"metrics": ["accuracy", "log_loss"], "learners": ["nb"]}
        plain = Correlations.of(on_datasets, **options).table["r"]
        aligned = Correlations.of(on_datasets, **options, aligned=True).table["r"]
        assert (plain < 0).all()
        assert aligned.tolist() == pytest.approx((-plain).tolist())

    def test_an_infinite_score_has_no_coefficient_and_says_so(self, on_datasets):
        asked = {"learners": ["tree"], "source": "iris", "score": "///none"}
        found = Correlations.of(on_datasets, ["accuracy", "log_loss"], **asked)
        (row,) = found.table.to_dict("records")
        assert np.isnan(row["r"])
        assert "log_loss is infinite" in row["undefined"]
        assert "accuracy and log loss for tree on iris" in found.notes[0]

    def test_truths_of_each_size_are_correlated(self, made_up):
        rng = np.random.default_rng(5)
        keys = (("ir_b", "marginal", "exact", "none"), ("accuracy", "none", "exact", "none"))
        scores = {"a": rng.normal(size=(5, 2)), "b": np.ones((5, 2))}
        found = Correlations.of(made_up({"tan": scores}, keys=keys))
        matrix = found.matrix("ir_b", "accuracy")
        assert matrix.index.tolist() == [("tan", 50), ("tan", 500)]
        np.testing.assert_allclose(matrix["a"], 1.0)  # made up to be the same
        assert matrix["b"].isna().all()
        assert "ir_b and accuracy are constant" in found.notes[0]

    def test_splits_without_a_score_are_left_out_and_too_few_are_reported(self, made_up):
        keys = (("ir_b", "marginal", "exact", "none"), ("accuracy", "none", "exact", "none"))
        scores = {"a": [[1.0], [np.nan], [3.0], [2.0]], "b": [[1.0], [np.nan], [np.nan], [np.nan]]}
        table = Correlations.of(made_up({"tan": scores}, keys=keys, sizes=(50,))).table.set_index("learner")
        assert table["n"].to_dict() == {"a": 3, "b": 1}
        assert table.loc["b", "undefined"]

    @pytest.mark.slow
    def test_exact_scores_are_not_correlated_with_those_of_test_rows(self, made_up):
        values = {"a": np.random.default_rng(7).normal(size=(5, 1))}
        exact, sampled = (("ir_b", "marginal", rows, "none") for rows in ("exact", "test"))
        ranked = ("auc", "none", "test", "none")
        expected = ("accuracy", "none", "exact", "none")

        def rows_of(*keys, **options):
            found = Correlations.of(made_up({"tan": values}, keys=keys, sizes=(50,)), **options)
            return {score.rows for score in found.scores}

        assert rows_of(exact, sampled, ranked) == {"test"}
        assert rows_of(exact, sampled, expected) == {"exact"}
        assert rows_of(exact, sampled, expected, ("accuracy", "none", "test", "none"), score="//test") == {
            "test"
        }
        message = r"accuracy exact; auc test"
        with pytest.raises(WorkbenchError, match=message):
            rows_of(expected, ranked)
        with pytest.raises(WorkbenchError, match="no score 'auc//exact'"):
            rows_of(exact, sampled, ranked, score="//exact")

    def test_bad_options_are_reported(self, on_datasets):
        for options, message in (
            ({"method": "pearsn"}, "'pearsn'.*'pearson'"),
            ({"level": 2.0}, "level is 2.0"),
            ({"score": "ir_b//test"}, "ir_b//test"),
        ):
            with pytest.raises(WorkbenchError, match=message):
                Correlations.of(on_datasets, ["accuracy", "ir_b"], **options)

    def test_what_is_not_there_is_reported(self, on_datasets):
        with pytest.raises(WorkbenchError, match=r"'acuracy'.*'accuracy'"):
            Correlations.of(on_datasets, ["acuracy", "ir_b"])
        with pytest.raises(WorkbenchError, match="1 metric"):
            Correlations.of(on_datasets, ["ir_b"])
        with pytest.raises(WorkbenchError, match="'ir_b' and 'x' are not two of"):
            Correlations.of(on_datasets, ["accuracy", "ir_b"]).matrix("ir_b", "x")
