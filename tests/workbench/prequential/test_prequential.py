"""Forecasting row by row: maps that mend, and a loop that never looks ahead."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB

from generators import random_tan
from learners import AODEClassifier, KDBClassifier, NaiveBayesClassifier, PriorClassifier, TANClassifier
from workbench.base.errors import WorkbenchError
from workbench.estimators.foreign import adapt
from workbench.figures import ARRAY_FIGURES, PrequentialDisplay
from workbench.metrics import accuracy, class_prior, ir_b, kl_divergence, log_loss
from workbench.metrics._shared.checks import align
from workbench.prequential import MAPS, HistogramMap, PlattMap, prequential
from workbench.prequential.result import running_prior, scores_against

TINY = np.finfo(np.float64).tiny
EACH = pytest.mark.parametrize("kind", MAPS.values(), ids=MAPS.keys())


def distributions(n_samples, n_classes, seed, sharpness=1.5):
    rng = np.random.default_rng(seed)
    weights = np.exp(sharpness * rng.normal(size=(n_samples, n_classes)))
    return weights / weights.sum(axis=1, keepdims=True)


def outcomes_of(p, seed):
    below = np.random.default_rng(seed).random(len(p))[:, None] > p.cumsum(axis=1)
    return np.minimum(below.sum(axis=1), p.shape[1] - 1)


def sharpened(p, power):
    """Return softmax(power log p): overconfident where power is above 1."""
    return p**power / (p**power).sum(axis=1, keepdims=True)


@st.composite
def streams(draw):
    """Return forecasts, some with zeros and extremes, and outcomes."""
    n_classes, seed = draw(st.integers(2, 4)), draw(st.integers(0, 10**6))
    q = distributions(draw(st.integers(1, 40)), n_classes, seed, draw(st.sampled_from([0.5, 3.0, 40.0])))
    if draw(st.booleans()):
        q[np.random.default_rng(seed).random(q.shape) < 0.3] = 0.0
        q[q.sum(axis=1) == 0.0, 0] = 1.0
        q /= q.sum(axis=1, keepdims=True)
    return q, np.random.default_rng(seed + 1).integers(0, n_classes, len(q))


def plain_histogram(q, outcomes, n_bins=20, width=1.0, strength=10.0):
    """Do in words what the kernel does."""
    n_classes = q.shape[1]
    counts = {}  # class, bin -> forecasts, hits
    mended = np.empty_like(q)
    for i, row in enumerate(q):
        bins = []
        for c in range(n_classes):
            rest = np.delete(row, c).sum()
            with np.errstate(divide="ignore"):
                bits = np.log2(row[c]) - np.log2(rest)
            bins.append(int(np.clip(np.floor(bits / width + n_bins / 2), 0, n_bins - 1)))
            n, hits = counts.get((c, bins[c]), (0, 0))
            mended[i, c] = (strength * row[c] + hits) / (strength + n)
            if row[c] > 0:
                mended[i, c] = max(mended[i, c], TINY)
        mended[i] /= mended[i].sum()
        for c in range(n_classes):
            n, hits = counts.get((c, bins[c]), (0, 0))
            counts[c, bins[c]] = n + 1, hits + (outcomes[i] == c)
    return mended


def plain_platt(q, outcomes, rate=0.1):
    """Do in a few lines of numpy what the kernel does."""
    n_classes = q.shape[1]
    theta, squares = np.array([1.0] + [0.0] * n_classes), np.ones(n_classes + 1)
    mended = np.zeros_like(q)
    for i, (row, t) in enumerate(zip(q, outcomes, strict=True)):
        some = row > 0
        logs = np.log(row, where=some, out=np.zeros(n_classes))
        scores = theta[0] * logs + theta[1:]
        mended[i, some] = np.maximum(np.exp(scores[some] - scores[some].max()), TINY)
        mended[i] /= mended[i].sum()
        if some[t]:
            happened = np.eye(n_classes)[t]
            gradient = np.concatenate([[(mended[i] - happened) @ logs], mended[i] - happened])
            squares += gradient**2
            theta -= rate * gradient / np.sqrt(squares)
            theta[0] = max(theta[0], 0.0)
    return mended


class TestMaps:
    @EACH
    @given(stream=streams())
    def test_they_begin_as_the_identity(self, kind, stream):
        q, _ = stream
        np.testing.assert_allclose(kind(q.shape[1]).apply(q), q, rtol=1e-12, atol=1e-300)

    @pytest.mark.parametrize(("kind", "plain"), [(HistogramMap, plain_histogram), (PlattMap, plain_platt)])
    @given(stream=streams())
    def test_the_kernel_is_its_plain_twin(self, kind, plain, stream):
        q, outcomes = stream
        found = kind(q.shape[1]).follow(q, outcomes)
        np.testing.assert_allclose(found, plain(q, outcomes), rtol=1e-9, atol=1e-300)

    @EACH
    @given(stream=streams())
    def test_rows_one_by_one_are_rows_together(self, kind, stream):
        q, outcomes = stream
        together, alone = kind(q.shape[1]), kind(q.shape[1])
        mended = together.follow(q, outcomes)
        for row, outcome, expected in zip(q, outcomes, mended, strict=True):
            np.testing.assert_array_equal(alone.apply(row), expected)
            alone.update(row, outcome)
        np.testing.assert_array_equal(alone.apply(q), together.apply(q))

    @EACH
    @given(stream=streams())
    def test_a_class_above_zero_never_gets_zero(self, kind, stream):
        q, outcomes = stream
        mended = kind(q.shape[1]).follow(q, outcomes)
        np.testing.assert_allclose(mended.sum(axis=1), 1.0, atol=1e-12)
        assert (mended[q > 0] > 0).all()

    @EACH
    def test_not_even_at_the_least_of_all_numbers(self, kind):
        q = np.array([[5e-324, 1.0]])
        fitted = kind(2)
        for _ in range(300):
            fitted.update(q, [1])
        assert fitted.apply(q)[0, 0] > 0

    # Mean bits to the forecaster before it was spoilt, over the second half of 20 000 rows.
    @pytest.mark.parametrize(
        ("kind", "power", "distance"),
        [
            (HistogramMap, 2.0, 0.01),
            (PlattMap, 2.0, 0.002),
            (HistogramMap, 0.5, 0.03),
            (PlattMap, 0.5, 0.002),
        ],
    )
    def test_a_forecaster_that_is_too_sure_or_too_shy_is_mended(self, kind, power, distance):
        p = distributions(20_000, 3, seed=1)
        outcomes = outcomes_of(p, seed=2)
        q = sharpened(p, power)
        mended = kind(3).follow(q, outcomes)
        divergence = [kl_divergence(p[10_000:], one[10_000:]) for one in (q, mended)]
        assert divergence[1] < distance
        assert divergence[0] > 0.08

    def test_the_slope_undoes_the_power(self):
        p = distributions(20_000, 3, seed=3)
        fitted = PlattMap(3).update(sharpened(p, 2.0), outcomes_of(p, seed=4))
        assert fitted.slope == pytest.approx(0.5, abs=0.03)
        assert np.abs(fitted.bias - fitted.bias.mean()).max() < 0.05

    @EACH
    def test_a_calibrated_forecaster_loses_little(self, kind):
        p = distributions(20_000, 3, seed=5)
        mended = kind(3).follow(p, outcomes_of(p, seed=6))
        assert kl_divergence(p[10_000:], mended[10_000:]) < 0.01

    def test_a_histogram_mends_a_zero_that_happens(self):
        fitted = HistogramMap(2).update([[0.0, 1.0]] * 4, [0, 1, 0, 1])
        np.testing.assert_allclose(fitted.apply([0.0, 1.0]), [2 / 14, 12 / 14])

    def test_a_power_map_learns_nothing_from_a_zero_that_happens(self):
        fitted = PlattMap(2).update([[0.0, 1.0]] * 4, [0, 0, 0, 0])
        assert fitted.slope == 1.0
        np.testing.assert_array_equal(fitted.apply([0.0, 1.0]), [0.0, 1.0])

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: PlattMap(1), "n_classes is 1"),
            (lambda: HistogramMap(2, n_bins=0), "n_bins is 0"),
            (lambda: HistogramMap(2, width=0.0), "width is 0.0"),
            (lambda: HistogramMap(2, strength=np.inf), "strength is inf"),
            (lambda: PlattMap(2, rate=-1.0), "rate is -1.0"),
            (lambda: PlattMap(2).apply([0.5, 0.6]), "row 0 of q sums to 1.1"),
            (lambda: PlattMap(2).apply([0.2, 0.3, 0.5]), "q has 3 classes: expected 2"),
            (lambda: PlattMap(2).update([0.5, 0.5], 2), "code 2"),
        ],
    )
    def test_what_cannot_be_used_is_refused(self, make, message):
        with pytest.raises(ValueError, match=message):
            make()


class TestRunningPrior:
    def test_it_is_the_class_prior_of_the_rows_before(self):
        codes = np.random.default_rng(1).integers(0, 3, 30)
        found = running_prior(codes, 3)
        for i in range(1, 30):
            np.testing.assert_allclose(found[i], class_prior(codes[:i], classes=range(3)))
        np.testing.assert_allclose(found[0], 1 / 3)

    @pytest.mark.parametrize("metric", ["ir_b", "kononenko_bratko", "log_loss"])
    def test_each_row_is_scored_against_its_own(self, metric):
        from workbench.base import catalogue

        rule = catalogue.find("metrics", metric)
        q, prior = distributions(20, 3, 1), distributions(20, 3, 2)
        codes = outcomes_of(q, 3)
        alone = [rule([t], row[None], prior=own) for t, row, own in zip(codes, q, prior, strict=True)]
        np.testing.assert_allclose(scores_against(rule, codes, q, prior), alone, atol=1e-12)


@pytest.fixture(scope="module")
def rows():
    return random_tan(n_attributes=4, arity=3, n_classes=3, random_state=11).sample(600, random_state=12)


LEARNERS = [NaiveBayesClassifier(), TANClassifier(), AODEClassifier()]


class TestLoop:
    @pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
    @pytest.mark.parametrize("frozen", [False, True])
    def test_every_forecast_is_that_of_a_learner_of_the_rows_before(self, rows, learner, frozen):
        X, y = (own[:150] for own in rows)
        result = prequential(learner, X, y, start=40, batch=1, frozen=frozen)
        for i in (0, 1, 100):
            n = 40 if frozen else 40 + i
            once = type(learner)().fit(X[:n], y[:n])
            np.testing.assert_allclose(
                result.y_prob[i], once.predict_proba(X.iloc[40 + i : 41 + i])[0], atol=1e-12
            )

    @pytest.mark.parametrize("recalibration", [None, *MAPS])
    @pytest.mark.parametrize("batch", [7])
    def test_an_outcome_changes_nothing_up_to_its_own_row(self, rows, recalibration, batch):
        X, y = rows
        X, y = X[:160], y[:160]
        options = {"start": 30, "batch": batch, "recalibration": recalibration}
        before = prequential(NaiveBayesClassifier(), X, y, **options)
        row = 100
        changed = y.copy()
        changed.iloc[row] = next(label for label in y.cat.categories if label != y.iloc[row])
        after = prequential(NaiveBayesClassifier(), X, changed, **options)
        seen = slice(row - 30 + 1)
        np.testing.assert_array_equal(after.y_prob[seen], before.y_prob[seen])
        np.testing.assert_array_equal(after.y_prob_recalibrated[seen], before.y_prob_recalibrated[seen])
        np.testing.assert_array_equal(after.prior[seen], before.prior[seen])
        assert (after.y_prob_recalibrated != before.y_prob_recalibrated).any()
        assert after.reward[row - 30] != before.reward[row - 30]

    @pytest.mark.parametrize("recalibration", [None, *MAPS])
    def test_a_frozen_learner_does_not_care_for_the_batch(self, rows, recalibration):
        X, y = rows
        options = {"frozen": True, "recalibration": recalibration, "start": 50}
        one, many = (prequential(TANClassifier(), X, y, batch=batch, **options) for batch in (1, 97))
        np.testing.assert_array_equal(one.reward, many.reward)
        np.testing.assert_array_equal(one.reward_recalibrated, many.reward_recalibrated)

    @pytest.mark.parametrize("recalibration", MAPS)
    def test_without_feedback_the_map_stays_what_it_was(self, rows, recalibration):
        X, y = rows
        result = prequential(NaiveBayesClassifier(), X, y, recalibration=recalibration, feedback=False)
        np.testing.assert_allclose(result.y_prob_recalibrated, result.y_prob, rtol=1e-12)
        fitted = MAPS[recalibration](3).update(result.y_prob, result.outcomes)
        again = prequential(NaiveBayesClassifier(), X, y, recalibration=fitted, feedback=False)
        np.testing.assert_array_equal(again.y_prob_recalibrated, fitted.apply(result.y_prob))

    def test_a_map_that_is_given_is_not_changed(self, rows):
        given = PlattMap(3)
        result, same = (prequential(NaiveBayesClassifier(), *rows, recalibration=r) for r in (given, "platt"))
        assert given.slope == 1.0
        np.testing.assert_array_equal(result.reward_recalibrated, same.reward_recalibrated)

    def test_the_prior_alone_has_reward_zero(self, rows):
        X, y = (own[:200] for own in rows)
        result = prequential(PriorClassifier(), X, y, batch=1)
        np.testing.assert_allclose(result.reward, 0.0, atol=1e-12)

    @pytest.mark.parametrize("recalibration", MAPS)
    def test_shuffled_labels_bring_no_reward(self, rows, recalibration):
        X, y = rows
        shuffled = y.iloc[np.random.default_rng(1).permutation(len(y))].reset_index(drop=True)
        result = prequential(TANClassifier(), X, shuffled, recalibration=recalibration, batch=20)
        assert result.reward.mean() < 0
        assert result.reward.mean() < result.reward_recalibrated.mean() < 0.01

    def test_rewards_are_the_metrics_own(self, rows):
        X, y = rows
        prior = np.array([0.2, 0.3, 0.5])
        fixed = prequential(NaiveBayesClassifier(), X, y, prior=prior)
        np.testing.assert_array_equal(
            fixed.reward, ir_b.per_sample(fixed.outcomes, fixed.y_prob, prior=prior)
        )
        losses = prequential(NaiveBayesClassifier(), X, y, metric="log_loss")
        np.testing.assert_array_equal(losses.reward, log_loss.per_sample(losses.outcomes, losses.y_prob))
        assert prequential(NaiveBayesClassifier(), X, y, metric=accuracy).reward.mean() == pytest.approx(
            accuracy(losses.outcomes, losses.y_prob)
        )

    def test_the_seed_shuffles_the_order_and_nothing_else(self, rows):
        X, y = rows
        plain = prequential(NaiveBayesClassifier(), X, y)
        first, same, other = (prequential(NaiveBayesClassifier(), X, y, random_state=s) for s in (1, 1, 2))
        np.testing.assert_array_equal(first.reward, same.reward)
        assert (first.reward != other.reward).any()
        assert (first.reward != plain.reward).any()

    def test_declared_classes_that_never_come_have_their_column(self, rows):
        X, y = rows
        declared = y.cat.add_categories([7, 9])
        result = prequential(NaiveBayesClassifier(), X, declared, recalibration="histogram")
        assert result.classes == (0, 1, 2, 7, 9)
        assert (result.y_prob[:, 3:] > 0).all()
        same = prequential(NaiveBayesClassifier(), X, np.asarray(y), classes=[9, 0, 1, 2, 7])
        np.testing.assert_array_equal(same.y_prob, result.y_prob)

    def test_a_class_that_a_frozen_learner_has_not_seen_costs_infinitely_and_is_counted(self):
        X = np.zeros((40, 1))
        y = np.array(["a", "b"] * 15 + ["a", "c"] * 5)
        result = prequential(LogisticRegression(), X, y, start=20, frozen=True, recalibration="histogram")
        assert result.n_infinite == 5
        assert result.reward.mean() == -np.inf
        assert result.n_infinite_recalibrated == 1  # once it has happened, the histogram knows of it
        assert np.isfinite(result.frame()["cumulative"]).sum() == 11

    def test_others_learners_take_part(self, rows):
        X, y = rows
        codes = X.apply(lambda column: column.cat.codes).to_numpy()
        result = prequential(BernoulliNB(), codes, y, batch=50)
        assert result.y_prob.shape == (500, 3)
        frozen = prequential(LogisticRegression(), X, y, frozen=True)
        as_in_a_study = adapt(LogisticRegression()).fit(X[:100], y[:100])
        expected = align(as_in_a_study.predict_proba(X[100:]), as_in_a_study.classes_, frozen.classes)
        np.testing.assert_array_equal(frozen.y_prob, expected)

    def test_holes_are_no_hindrance(self, rows):
        X, y = rows
        holes = np.random.default_rng(1).random(X.shape) < 0.2
        assert np.isfinite(prequential(AODEClassifier(), X.mask(holes), y).reward).all()

    @pytest.mark.parametrize(
        ("learner", "options", "message"),
        [
            (KDBClassifier(), {}, "a KDBClassifier without partial_fit: .* or frozen=True"),
            (NaiveBayesClassifier(), {"batch": 0}, "batch is 0"),
            (NaiveBayesClassifier(), {"start": 600}, "there are 600 rows: expected more rows than start=600"),
            (NaiveBayesClassifier(), {"recalibration": "plat"}, "did you mean 'platt'"),
            (NaiveBayesClassifier(), {"recalibration": PlattMap(2)}, "the map is for 2 classes: expected 3"),
            (NaiveBayesClassifier(), {"prior": "training"}, 'expected "running"'),
            (NaiveBayesClassifier(), {"metric": "auc"}, "expected a metric that scores single rows"),
        ],
    )
    def test_what_cannot_be_used_is_said_in_one_sentence(self, rows, learner, options, message):
        with pytest.raises(WorkbenchError, match=message):
            prequential(learner, *rows, **options)


class TestResult:
    def test_means_run_along(self, rows):
        X, y = rows
        result = prequential(NaiveBayesClassifier(), X, y, recalibration="platt", start=50)
        table = result.frame(window=30)
        assert table["rows"].tolist() == list(range(51, 601))
        i = 200
        assert table["cumulative"][i] == pytest.approx(result.reward[: i + 1].mean())
        assert table["windowed_recalibrated"][i] == pytest.approx(
            result.reward_recalibrated[i - 29 : i + 1].mean()
        )
        latest = result.frame()["windowed"]
        assert latest[i] == pytest.approx(result.reward[i + 1 - 126 : i + 1].mean())  # 251 rows seen
        assert latest[3] == pytest.approx(result.reward[:4].mean())
        with pytest.raises(ValueError, match="window is 0"):
            result.frame(window=0)

    def test_a_window_forgets_an_infinite_row(self, rows):
        from dataclasses import replace

        X, y = rows
        result = prequential(NaiveBayesClassifier(), X, y)
        reward = result.reward.copy()
        reward[10] = -np.inf
        table = replace(result, reward=reward).frame(window=5)
        assert np.flatnonzero(np.isinf(table["windowed"])).tolist() == [10, 11, 12, 13, 14]
        assert np.isinf(table["cumulative"][10:]).all()
        assert np.isfinite(table["cumulative"][:10]).all()


def test_a_result_is_printed_in_a_few_lines():
    rows = random_tan(n_attributes=3, random_state=1).sample(400, random_state=2)
    result = prequential(NaiveBayesClassifier(), *rows, recalibration="platt")
    first, *table = repr(result).splitlines()
    assert first == "<NaiveBayesClassifier, 300 rows after 100, recalibration platt; frame() begins:"
    assert table[0].split() == list(result.frame())
    assert len(table) == 6


class TestFigure:
    @pytest.fixture(autouse=True)
    def _no_windows(self):
        import matplotlib.pyplot as plt

        plt.switch_backend("Agg")
        yield
        plt.close("all")

    def test_it_names_its_lines_and_units(self, rows, tmp_path):
        X, y = rows
        display = PrequentialDisplay(prequential(NaiveBayesClassifier(), X, y, recalibration="platt")).plot()
        assert ARRAY_FIGURES[display.key] is PrequentialDisplay
        labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert labels == ["without recalibration", "with the platt map"]
        assert display.ax_.get_ylabel() == "mean IR_B of the latest half [bits]"
        FigureCanvasAgg(display.figure_).draw()
        ticks = [label.get_text() for label in display.ax_.get_xticklabels()]
        assert "300" in ticks
        assert all(tick.isdigit() for tick in ticks)
        display.save(tmp_path / "prequential.png")
        assert (tmp_path / "prequential.png").stat().st_size > 1000
