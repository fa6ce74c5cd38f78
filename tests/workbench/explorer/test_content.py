"""What a page says of a study, and the critical values of its intervals."""

import numpy as np
import pytest
from scipy.stats import t

from workbench.explorer.content import STEPS, described_study, ordered_keys
from workbench.explorer.layout import PageLayout


@pytest.mark.parametrize("df", [1.0, 2.7, 499.0])
def test_between_two_steps_of_one_over_df_the_critical_value_is_all_but_a_line(made_up, df):
    results = made_up()
    table = described_study(results, PageLayout.of(results))["critical"]
    found = np.interp(STEPS / df, np.arange(STEPS + 1), table)
    assert found == pytest.approx(t.ppf(0.975, df), rel=3e-5)


def test_the_first_score_is_followed_by_one_of_each_metric(made_up):
    keys = ordered_keys(made_up(metrics=("ir_b", "accuracy", "log_loss")), "accuracy")
    assert [key.metric for key in keys[:3]] == ["accuracy", "ir_b", "log_loss"]
    assert len({*keys}) == len(keys) == 8


def test_the_study_is_described(made_up, on_datasets):
    results = made_up(n_sources=1)
    found = described_study(results, PageLayout.of(results))
    assert (found["unit"], found["sizes"]) == ("truth", [20, 200])
    found = described_study(on_datasets, PageLayout.of(on_datasets))
    assert (found["unit"], found["sizes"]) == ("part", [None])
    assert all(one["share"] > 0 for one in found["sources"])
