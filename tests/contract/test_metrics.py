"""Ask of each metric what it declares."""

import copy
import inspect
import pickle

import numpy as np
import pytest

from workbench.metrics import METRICS, Metric

PRIORS = {"even": [0.25] * 4, "skewed": [0.9, 0.06, 0.03, 0.01]}

metrics = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS.keys())
of_outcomes = pytest.mark.parametrize(
    "metric", [m for m in METRICS.values() if "truth" not in m.needs], ids=lambda m: m.name
)
priors = pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS.keys())


def cells(n_cells=6, seed=0):
    """Probabilities of cells, the truth's posterior there, and forecasts to compare."""
    rng = np.random.default_rng(seed)
    p_x = rng.dirichlet(np.ones(n_cells))
    p_true = rng.dirichlet(np.ones(4), size=n_cells)
    return p_x, p_true, rng.dirichlet(np.ones(4), size=(40, n_cells))


def expected(metric, p_x, p_true, y_prob, prior):
    if "truth" in metric.needs:
        return metric.expected(p_x, p_true, y_prob)
    return metric.expected(p_x[:, None] * p_true, y_prob, prior=prior)


def per_sample(metric, y, y_prob, prior):
    """Score outcomes; to a metric of distributions an outcome is a truth that is certain."""
    if "truth" in metric.needs:
        return metric.per_sample(np.eye(4)[y], y_prob)
    return metric.per_sample(y, y_prob, prior=prior)


def better(metric, first, second):
    return first > second if metric.direction == "higher" else first < second


@metrics
def test_declares_itself_in_known_words(metric):
    assert isinstance(metric, Metric)
    assert METRICS[metric.name] is metric
    assert metric.direction in {"higher", "lower"}
    assert metric.needs <= {"prior", "truth"}
    assert metric.bounds[0] < metric.bounds[1]
    assert metric.unit
    assert metric.name in repr(metric)


@metrics
def test_says_its_direction_and_shows_an_example(metric):
    text = inspect.getdoc(type(metric))
    assert {"higher": "Larger is better", "lower": "Smaller is better"}[metric.direction] in text
    assert f">>> {metric.name}(" in text


@metrics
def test_of_a_good_forecast_is_better_than_of_a_bad_one(metric):
    y = np.array([0, 1, 2, 3])
    good = 0.97 * np.eye(4) + 0.01 * (1 - np.eye(4))
    bad = np.roll(good, 1, axis=0)
    for prior in PRIORS.values():
        assert better(
            metric,
            per_sample(metric, y, good, prior).mean(),
            per_sample(metric, y, bad, prior).mean(),
        )


@metrics
@priors
def test_stays_within_its_bounds(metric, prior):
    rows = np.vstack([cells(50)[1], np.eye(4), [[0.5, 0.5, 0.0, 0.0]]])
    low, high = metric.bounds
    for t in range(4):
        scores = per_sample(metric, np.full(len(rows), t), rows, prior)
        assert not np.isnan(scores).any()
        assert (scores >= low).all()
        assert (scores <= high).all()


@metrics
def test_reaches_the_finite_ends_of_its_bounds(metric):
    rows, y = np.eye(4)[[0, 0]], np.array([0, 1])
    scores = per_sample(metric, y, rows, PRIORS["even"])
    for end in metric.bounds:
        assert np.isinf(end) or end in scores


@metrics
@priors
@pytest.mark.parametrize("seed", range(5))
def test_that_is_proper_is_best_expected_at_the_truth_and_nowhere_else(metric, prior, seed):
    p_x, p_true, alternatives = cells(seed=seed)
    at_truth = expected(metric, p_x, p_true, p_true, prior)
    # a step towards each alternative, so that near ones are tried as well as far ones
    others = [p_true + step * (q - p_true) for q in alternatives for step in (0.01, 0.3, 1.0)]
    scores = [expected(metric, p_x, p_true, q, prior) for q in others]
    if metric.proper:
        assert all(better(metric, at_truth, score) for score in scores)
    else:
        assert any(not better(metric, at_truth, score) for score in scores)


@metrics
@priors
def test_does_not_depend_on_the_order_of_samples_unless_it_says_so(metric, prior):
    _, rows, _ = cells(60)
    y = np.arange(60) % 4
    order = np.random.default_rng(1).permutation(60)
    same = np.array_equal(
        per_sample(metric, y, rows, prior)[order], per_sample(metric, y[order], rows[order], prior)
    )
    assert same != metric.order_matters


@metrics
@priors
def test_that_has_per_sample_is_its_mean(metric, prior):
    assert metric.has_per_sample
    _, rows, _ = cells(60)
    y = np.arange(60) % 4
    mean = per_sample(metric, y, rows, prior).mean()
    whole = (
        metric(np.eye(4)[y], rows) if "truth" in metric.needs else metric(y, rows, prior=prior, classes=None)
    )
    assert isinstance(whole, float)
    assert whole == mean


@of_outcomes
@priors
def test_by_class_holds_the_score_of_every_outcome(metric, prior):
    rows = np.vstack([cells(60)[1], np.eye(4), [[0.5, 0.5, 0.0, 0.0], [0.25] * 4]])
    scores = metric.by_class(rows, prior=prior)
    assert scores.shape == rows.shape
    for t in range(4):
        outcome = np.full(len(rows), t)
        np.testing.assert_array_equal(metric.per_sample(outcome, rows, prior=prior), scores[:, t])


@of_outcomes
@priors
def test_expected_is_the_mean_over_outcomes_in_their_proportions(metric, prior):
    counts = np.array([[3, 0, 2, 1], [0, 0, 0, 4], [5, 1, 0, 4]])
    q = np.vstack([cells(2)[1], [[0.5, 0.25, 0.0, 0.25]]])
    rows = np.repeat(np.arange(3), counts.sum(axis=1))
    y = np.concatenate([np.repeat(np.arange(4), row) for row in counts])
    exact = metric.expected(counts / counts.sum(), q, prior=prior)
    assert exact == pytest.approx(metric(y, q[rows], prior=prior), abs=1e-14)
    assert np.isfinite(exact)


@of_outcomes
def test_asks_for_the_prior_only_if_it_needs_it(metric):
    if "prior" in metric.needs:
        with pytest.raises(ValueError, match=f"{metric.name} compares the forecast with a prior"):
            metric([0], [[0.5, 0.5]])
    else:
        assert metric([0], [[0.5, 0.5]]) == metric([0], [[0.5, 0.5]], prior=[0.9, 0.1])


@of_outcomes
@priors
def test_takes_labels_in_any_order_of_columns(metric, prior):
    _, rows, _ = cells(20)
    y = np.arange(20) % 4
    labels = np.array(["d", "b", "a", "c"])
    order = [2, 0, 3, 1]
    assert metric(labels[y], rows, prior=prior, classes=labels) == metric(y, rows, prior=prior)
    moved = metric(labels[y], rows[:, order], prior=np.array(prior)[order], classes=labels[order])
    assert moved == pytest.approx(metric(y, rows, prior=prior), abs=1e-14)


@metrics
def test_travels_to_other_processes(metric):
    y, rows = np.array([0, 1]), cells(2)[1]
    for copied in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        np.testing.assert_array_equal(
            per_sample(copied, y, rows, PRIORS["even"]), per_sample(metric, y, rows, PRIORS["even"])
        )
