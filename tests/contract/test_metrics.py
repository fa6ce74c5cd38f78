"""Ask of each metric what it declares."""

import copy
import inspect
import pickle

import numpy as np
import pytest

from workbench.metrics import METRICS, Metric

PRIORS = {"even": [0.25] * 4, "skewed": [0.9, 0.06, 0.03, 0.01]}


def those(holds):
    """Parametrize a test by the metrics for which `holds` is true."""
    chosen = {name: metric for name, metric in METRICS.items() if holds(metric)}
    return pytest.mark.parametrize("metric", chosen.values(), ids=chosen.keys())


metrics = those(lambda metric: True)
of_forecasts = those(lambda metric: not metric.needs & {"truth", "sets"})
with_per_sample = those(lambda metric: metric.has_per_sample)
without_per_sample = those(lambda metric: not metric.has_per_sample)
scoring_rules = those(lambda metric: hasattr(metric, "by_class"))
priors = pytest.mark.parametrize("prior", PRIORS.values(), ids=PRIORS.keys())


def cells(n_cells=6, seed=0):
    """Probabilities of cells, the truth's posterior there, and forecasts to compare."""
    rng = np.random.default_rng(seed)
    p_x = rng.dirichlet(np.ones(n_cells))
    p_true = rng.dirichlet(np.ones(4), size=n_cells)
    return p_x, p_true, rng.dirichlet(np.ones(4), size=(40, n_cells))


def score(metric, y, y_prob, prior):
    """Score outcomes: certain truths to a metric of distributions; to one of sets, classes above 1/4."""
    y, y_prob = np.asarray(y), np.asarray(y_prob)
    if "truth" in metric.needs:
        return metric(np.eye(y_prob.shape[1])[y], y_prob)
    if "sets" in metric.needs:
        return metric(y, y_prob > 0.25)
    return metric(y, y_prob, prior=prior)


def per_sample(metric, y, y_prob, prior):
    if "truth" in metric.needs:
        return metric.per_sample(np.eye(4)[y], y_prob)
    return metric.per_sample(y, y_prob, prior=prior)


def expected(metric, p_x, p_true, y_prob, prior):
    if "truth" in metric.needs:
        return metric.expected(p_x, p_true, y_prob)
    return metric.expected(p_x[:, None] * p_true, y_prob, prior=prior)


def better(metric, first, second):
    return first > second if metric.direction == "higher" else first < second


def scores_beside_the_truth(metric, prior, seed):
    """The expected score of the truth, and those of other forecasts."""
    p_x, p_true, alternatives = cells(seed=seed)
    # a step towards each alternative, so that near ones are tried as well as far ones
    others = [p_true + step * (q - p_true) for q in alternatives for step in (0.01, 0.3, 1.0)]
    at_truth = expected(metric, p_x, p_true, p_true, prior)
    return at_truth, [expected(metric, p_x, p_true, q, prior) for q in others]


@metrics
def test_declares_itself_in_known_words(metric):
    assert isinstance(metric, Metric)
    assert METRICS[metric.name] is metric
    assert metric.direction in {"higher", "lower"}
    assert metric.needs <= {"prior", "truth", "sets"}
    assert metric.bounds[0] < metric.bounds[1]
    assert metric.unit
    assert metric.name in repr(metric)
    assert metric.has_per_sample == hasattr(metric, "per_sample")
    assert metric.has_expected == hasattr(metric, "expected")


@metrics
def test_says_its_direction_and_shows_an_example(metric):
    text = inspect.getdoc(type(metric))
    assert {"higher": "Larger is better", "lower": "Smaller is better"}[metric.direction] in text
    assert f"{metric.name}(" in text.partition(">>>")[2]


@metrics
@priors
def test_of_a_good_forecast_is_better_than_of_a_bad_one(metric, prior):
    y = np.arange(40) % 4
    good = 0.96 * np.eye(4)[y] + 0.01
    wrong, timid = np.roll(good, 1, axis=1), 0.2 * np.eye(4)[y] + 0.2
    scores = [score(metric, y, bad, prior) for bad in (wrong, timid)]
    # a metric may be made for one of the two faults, and blind for the other
    assert any(better(metric, score(metric, y, good, prior), of_bad) for of_bad in scores)


@with_per_sample
@priors
def test_stays_within_its_bounds_in_every_sample(metric, prior):
    rows = np.vstack([cells(50)[1], np.eye(4), [[0.5, 0.5, 0.0, 0.0]]])
    low, high = metric.bounds
    for t in range(4):
        scores = per_sample(metric, np.full(len(rows), t), rows, prior)
        assert not np.isnan(scores).any()
        assert (scores >= low).all()
        assert (scores <= high).all()


@metrics
@priors
@pytest.mark.parametrize("seed", range(3))
def test_stays_within_its_bounds(metric, prior, seed):
    rng = np.random.default_rng(seed)
    rows = np.vstack([cells(50, seed)[1], np.eye(4), [[0.5, 0.5, 0.0, 0.0], [0.25] * 4]])
    low, high = metric.bounds
    for y in (rng.integers(0, 4, len(rows)), rows.argmax(axis=1), rows.argmin(axis=1)):
        assert low <= score(metric, y, rows, prior) <= high


@metrics
def test_reaches_the_finite_ends_of_its_bounds(metric):
    reached = []
    for n, k in ((1, 1), (1, 2), (40, 2), (40, 4), (40, 20)):
        y, even = np.arange(n) % k, [1 / k] * k
        right = np.eye(k)[y]
        # right, the next class instead, and all classes but the right one
        rows = [right, np.roll(right, 1, axis=1), (1 - right) / (k - 1)] if k > 1 else [right]
        if k > 1 or "prior" not in metric.needs:
            reached += [score(metric, y, q, even) for q in rows]
    for end in metric.bounds:
        assert np.isinf(end) or pytest.approx(end, abs=1e-12) in reached


@those(lambda metric: metric.proper)
@priors
@pytest.mark.parametrize("seed", range(5))
def test_that_is_proper_is_best_expected_at_the_truth_and_nowhere_else(metric, prior, seed):
    at_truth, others = scores_beside_the_truth(metric, prior, seed)
    assert all(better(metric, at_truth, other) for other in others)


@those(lambda metric: metric.has_expected and not metric.proper)
def test_that_is_not_proper_is_somewhere_as_good_beside_the_truth(metric):
    """For one prior it may be proper, such as the even one, but not for all."""
    pairs = [scores_beside_the_truth(metric, prior, seed) for prior in PRIORS.values() for seed in range(5)]
    assert any(not better(metric, at_truth, other) for at_truth, others in pairs for other in others)


@those(lambda metric: not metric.order_matters)
@priors
def test_does_not_depend_on_the_order_of_samples(metric, prior):
    _, rows, _ = cells(60)
    rows[30:] = rows[:30]  # equal forecasts with different outcomes: their order must not matter either
    y = np.random.default_rng(2).integers(0, 4, 60)
    order = np.random.default_rng(1).permutation(60)
    whole, moved = score(metric, y, rows, prior), score(metric, y[order], rows[order], prior)
    assert moved == pytest.approx(whole, rel=1e-12, abs=1e-14)
    if metric.has_per_sample:
        np.testing.assert_array_equal(
            per_sample(metric, y, rows, prior)[order], per_sample(metric, y[order], rows[order], prior)
        )


@those(lambda metric: metric.order_matters)
def test_that_says_that_order_matters_depends_on_it(metric):
    rows = cells(6)[1][np.arange(60) % 6]
    y = np.random.default_rng(2).integers(0, 4, 60)
    orders = [np.random.default_rng(seed).permutation(60) for seed in range(5)]
    scores = {score(metric, y[order], rows[order], PRIORS["even"]) for order in orders}
    assert len(scores) > 1


@with_per_sample
@priors
def test_that_has_per_sample_is_its_mean(metric, prior):
    _, rows, _ = cells(60)
    y = np.arange(60) % 4
    whole = score(metric, y, rows, prior)
    assert isinstance(whole, float)
    assert whole == per_sample(metric, y, rows, prior).mean()


@without_per_sample
@priors
def test_that_has_no_per_sample_is_one_number(metric, prior):
    whole = score(metric, np.arange(60) % 4, cells(60)[1], prior)
    assert isinstance(whole, float)
    assert not np.isnan(whole)


@scoring_rules
@priors
def test_by_class_holds_the_score_of_every_outcome(metric, prior):
    rows = np.vstack([cells(60)[1], np.eye(4), [[0.5, 0.5, 0.0, 0.0], [0.25] * 4]])
    scores = metric.by_class(rows, prior=prior)
    assert scores.shape == rows.shape
    for t in range(4):
        outcome = np.full(len(rows), t)
        np.testing.assert_array_equal(metric.per_sample(outcome, rows, prior=prior), scores[:, t])


@those(lambda metric: metric.has_expected and "truth" not in metric.needs)
@priors
def test_expected_is_the_score_of_outcomes_in_their_proportions(metric, prior):
    counts = np.array([[3, 0, 2, 1], [0, 0, 0, 4], [5, 1, 0, 4]])
    q = np.vstack([cells(2)[1], [[0.5, 0.25, 0.0, 0.25]]])
    rows = np.repeat(np.arange(3), counts.sum(axis=1))
    y = np.concatenate([np.repeat(np.arange(4), row) for row in counts])
    exact = metric.expected(counts / counts.sum(), q, prior=prior)
    assert exact == pytest.approx(metric(y, q[rows], prior=prior), abs=1e-14)
    assert np.isfinite(exact)


@of_forecasts
def test_asks_for_the_prior_only_if_it_needs_it(metric):
    y, rows = [0, 1, 0], [[0.5, 0.5], [0.25, 0.75], [0.75, 0.25]]
    if "prior" in metric.needs:
        with pytest.raises(ValueError, match=f"{metric.name} compares the forecast with a prior"):
            metric(y, rows)
    else:
        np.testing.assert_equal(metric(y, rows), metric(y, rows, prior=[0.9, 0.1]))


@of_forecasts
@priors
def test_takes_labels_in_any_order_of_columns(metric, prior):
    _, rows, _ = cells(20)
    y = np.arange(20) % 4
    labels = np.array(["d", "b", "a", "c"])
    order = [2, 0, 3, 1]
    assert metric(labels[y], rows, prior=prior, classes=labels) == metric(y, rows, prior=prior)
    moved = metric(labels[y], rows[:, order], prior=np.array(prior)[order], classes=labels[order])
    assert moved == pytest.approx(metric(y, rows, prior=prior), abs=1e-14)


@of_forecasts
def test_says_which_row_is_no_distribution(metric):
    rows = np.array([[0.5, 0.5], [0.25, 0.85], [0.75, 0.25]])
    with pytest.raises(ValueError, match=r"row 1 of y_prob sums to 1\.1"):
        metric([0, 1, 0], rows, prior=[0.5, 0.5])


@metrics
def test_travels_to_other_processes(metric):
    y, rows = np.arange(12) % 4, cells(12)[1]
    for copied in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric)):
        assert copied.name == metric.name
        assert score(copied, y, rows, PRIORS["even"]) == score(metric, y, rows, PRIORS["even"])
