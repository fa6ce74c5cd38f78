"""Properties of scoring rules and kernels for any forecast, beyond those of the contract of metrics."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.counts.class_prior import class_prior as prior_of_counts
from workbench.metrics import METRICS, ScoringRule, ir_b
from workbench.metrics._shared.checks import check_forecast

RULES = {name: metric for name, metric in METRICS.items() if isinstance(metric, ScoringRule)}
#: They read the predicted class: where the prediction turns right, another formula begins.
OF_THE_PREDICTED_CLASS = {"good_reward", "modal_bayesian_reward", "kononenko_bratko_2002"}
#: They describe forecasts: a sharper one has less entropy and a larger gap, right or wrong.
DESCRIPTIONS = {"forecast_entropy", "confidence_gap"}
JUDGES = {name: metric for name, metric in RULES.items() if name not in DESCRIPTIONS}

judges = pytest.mark.parametrize("metric", JUDGES.values(), ids=JUDGES.keys())
SEVERAL, TWO, FOUR = st.integers(2, 6), st.just(2), st.just(4)
weights = st.one_of(st.just(0.0), st.floats(1e-300, 1e-200), st.floats(1e-20, 1e-10), st.floats(0.01, 1.0))


@st.composite
def cases(draw, n_classes=SEVERAL):
    """A few forecasts, a prior, and what happened."""
    k = draw(n_classes)
    row = st.lists(weights, min_size=k, max_size=k).filter(lambda w: max(w) >= 0.01)
    rows = np.array(draw(st.lists(row, min_size=1, max_size=4)))
    counts = draw(st.lists(st.integers(0, 10**6), min_size=k, max_size=k))
    codes = draw(st.lists(st.integers(0, k - 1), min_size=len(rows), max_size=len(rows)))
    prior = prior_of_counts(counts, alpha=draw(st.sampled_from([0.5, 1e-9])))
    return np.array(codes), rows / rows.sum(axis=1, keepdims=True), prior


@judges
@given(data=st.data(), step=st.floats(0.01, 1.0))
def test_is_no_worse_when_all_move_towards_what_happens(metric, data, step):
    any_number = metric.name not in OF_THE_PREDICTED_CLASS
    codes, rows, prior = data.draw(cases(SEVERAL if any_number else TWO))
    if metric.name == "kononenko_bratko_2002":
        # its two formulas meet at an even prior alone
        prior = np.array([0.5, 0.5])
    nearer = (1 - step) * rows + step * np.eye(len(prior))[codes]
    before, after = (metric.per_sample(codes, q, prior=prior) for q in (rows, nearer))
    gain = np.subtract(after, before, out=np.zeros_like(after), where=before != after)
    assert ((gain if metric.direction == "higher" else -gain) >= -1e-9).all()


@given(case=cases())
def test_the_product_of_ir_b_is_the_sum_of_its_logarithms(case):
    codes, rows, prior = case

    def bits(q, t):
        others = [math.fsum(np.delete(q, i)) for i in range(len(q))]
        return [-math.inf if p == 0.0 else math.log2(p) for p in (q[t], *(np.delete(others, t)))]

    slow = [
        (math.fsum(bits(q, t)) - math.fsum(bits(prior, t))) / len(q) if q[t] else -math.inf
        for t, q in zip(codes, rows, strict=True)
    ]
    np.testing.assert_allclose(ir_b.per_sample(codes, rows, prior=prior), slow, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_checked_forecast_has_one_layout_and_cannot_be_written(order):
    rows = np.asarray(np.random.default_rng(0).dirichlet(np.ones(3), size=9), order=order)
    for given_rows in (rows, rows[::2], rows[:, ::-1]):
        checked = check_forecast(given_rows)
        np.testing.assert_array_equal(checked, given_rows)
        assert checked.flags.c_contiguous
        assert not checked.flags.writeable
        assert given_rows.flags.writeable
