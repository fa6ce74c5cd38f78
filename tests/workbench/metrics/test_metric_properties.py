"""A property of scoring rules for any forecast, beyond those of the contract of metrics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.metrics.drawn import cases
from workbench.metrics import METRICS, ScoringRule

RULES = {name: metric for name, metric in METRICS.items() if isinstance(metric, ScoringRule)}
#: They read the predicted class: where the prediction turns right, another formula begins.
OF_THE_PREDICTED_CLASS = {"good_reward", "modal_bayesian_reward", "kononenko_bratko_2002"}
#: They describe forecasts: a sharper one has less entropy and a larger gap, right or wrong.
DESCRIPTIONS = {"forecast_entropy", "confidence_gap"}
JUDGES = {name: metric for name, metric in RULES.items() if name not in DESCRIPTIONS}

judges = pytest.mark.parametrize("metric", JUDGES.values(), ids=JUDGES.keys())


@judges
@given(data=st.data(), step=st.floats(0.01, 1.0))
def test_is_no_worse_when_all_move_towards_what_happens(metric, data, step):
    any_number = metric.name not in OF_THE_PREDICTED_CLASS
    codes, rows, prior = data.draw(cases(most=6 if any_number else 2))
    if metric.name == "kononenko_bratko_2002":
        # its two formulas meet at an even prior alone
        prior = np.array([0.5, 0.5])
    nearer = (1 - step) * rows + step * np.eye(len(prior))[codes]
    before, after = (metric.per_sample(codes, q, prior=prior) for q in (rows, nearer))
    gain = np.subtract(after, before, out=np.zeros_like(after), where=before != after)
    assert ((gain if metric.direction == "higher" else -gain) >= -1e-9).all()
