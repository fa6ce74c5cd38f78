"""Trends over a parameter of the sources, and contrasts of two: against statsmodels, and their errors."""

import functools

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from generators import random_tan
from workbench import Source, compare, read_study, run, write_study
from workbench.analyses import Trend
from workbench.analyses.trend import _of_points, _of_truths, _of_two
from workbench.base.errors import WorkbenchError
from workbench.designs import FreshSamples
from workbench.figures import TrendDisplay

LEVELS = (0.0, 0.1, 0.3)
DESIGN = FreshSamples(replicates=6, sizes=(30, 60), n_test=50)


def noisy(seeds):
    options = {"n_attributes": 3, "arity": 2}
    named = {level: {**options, "label_noise": level} if level else options for level in LEVELS}
    return {f"noise {level}": Source("x", "tan", own, seeds=seeds) for level, own in named.items()}


def line(y):
    """Fit a line over the levels in the index, by statsmodels."""
    levels = y.index.get_level_values("level").to_numpy()
    return sm.OLS(y.to_numpy(), sm.add_constant(levels)).fit()


@pytest.fixture(scope="module")
def shared():
    return compare(["nb", "tan"], on=noisy("shared"), design=DESIGN, metrics="accuracy")


@pytest.fixture(scope="module")
def apart():
    return compare(["nb", "tan"], on=noisy(None), design=DESIGN, metrics="accuracy")


def scores_of(results, size):
    own = results.scores("accuracy").query(f"n_train == {size}")
    levels = own["source"].astype(str).str.removeprefix("noise ").astype(float)
    return own.assign(level=levels).pivot(index=["level", "replicate"], columns="learner", values="value")


def test_shared_truths_have_slopes_of_their_own(shared):
    found = Trend.of(shared, "label_noise")
    assert found.is_shared
    assert list(found.levels.values()) == list(LEVELS)  # a source that names none has the default
    for row in found.table.itertuples():
        wide = scores_of(shared, row.n_train)
        y = wide[row.learner] - (wide[row.other] if row.other else 0)
        slopes = np.array([line(own).params[1] for _, own in y.groupby("replicate")])
        mean = sm.stats.DescrStatsW(slopes)
        t, p, df = mean.ttest_mean()
        assert (row.slope, row.t, row.p, row.df) == pytest.approx((mean.mean, t, p, df))
        assert (row.low, row.high) == pytest.approx(mean.tconfint_mean())
    pairs = found.table[found.table["other"] != ""]
    assert pairs["p_holm"].to_numpy() == pytest.approx(sm.stats.multipletests(pairs["p"], method="holm")[1])
    pd.testing.assert_frame_equal(shared.trend("label_noise", "accuracy"), found.table)


def test_truths_of_their_own_at_each_level_have_one_line(apart):
    found = Trend.of(apart, "label_noise")
    assert not found.is_shared
    for row in found.table.itertuples():
        wide = scores_of(apart, row.n_train)
        y = wide[row.learner] - (wide[row.other] if row.other else 0)
        fit = line(y)
        expected = (fit.params[1], fit.tvalues[1], fit.pvalues[1], fit.df_resid)
        assert (row.slope, row.t, row.p, row.df) == pytest.approx(expected)
        assert (row.low, row.high) == pytest.approx(tuple(fit.conf_int()[1]))


def test_a_contrast_is_a_paired_test_or_welchs(shared, apart):
    welch = functools.partial(stats.ttest_ind, equal_var=False)
    for results, test in ((shared, stats.ttest_rel), (apart, welch)):
        table = results.contrast("noise 0.3", "noise 0.0")
        row = table.query("learner == 'nb' and other == 'tan' and n_train == 60").iloc[0]
        wide = scores_of(results, 60)
        lead = wide["nb"] - wide["tan"]
        expected = test(lead.loc[0.3].to_numpy(), lead.loc[0.0].to_numpy())
        assert row["difference"] == pytest.approx(lead.loc[0.3].mean() - lead.loc[0.0].mean())
        assert (row["t"], row["p"]) == pytest.approx((expected.statistic, expected.pvalue))
        interval = expected.confidence_interval()
        assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("statistics", [_of_truths, _of_points, _of_two])
def test_the_tests_err_as_often_as_they_say_when_nothing_moves(statistics):
    rng, x, n, runs = np.random.default_rng(4), np.array([0.0, 0.1, 0.3]), 8, 2000
    rejected = 0
    for _ in range(runs):
        truths, noise = rng.normal(size=(n, 1)), 0.5 * rng.normal(size=(n, 3))
        if statistics is _of_truths:
            found = _of_truths(x, truths + noise)
        elif statistics is _of_points:
            found = _of_points(x, list(rng.normal(size=(3, n))))
        else:
            found = _of_two(rng.normal(size=n), 3 * rng.normal(size=n + 4))
        rejected += list(found)[5] < 0.05
    assert abs(rejected / runs - 0.05) < 4 * np.sqrt(0.05 * 0.95 / runs)


def test_sources_that_share_their_random_numbers_differ_by_the_parameter_alone():
    first, _, last = noisy("shared").values()
    truth, other = (source.draw(seed=1, replicate=2) for source in (first, last))
    np.testing.assert_array_equal(truth.sample(40, random_state=0)[0], other.sample(40, random_state=0)[0])
    assert first.identity(2) != last.identity(2)
    assert first.identity(2) != noisy(None)["noise 0.0"].identity(2)
    text = 'name = "n"\nseed = 1\nlearners = ["nb"]\n' + "".join(
        f'[[sources]]\nkey = "{level}"\ngenerator = "tan"\nseeds = "shared"\nlabel_noise = {level}\n'
        for level in (0.0, 0.2)
    )
    study = read_study(f"{text}[design]\nreplicates = 2\nsizes = [20]\n[scores]\nmetrics = ['accuracy']\n")
    assert read_study(write_study(study)) == study
    assert Trend.of(run(study), "label_noise").is_shared
    with pytest.raises(WorkbenchError, match="has seeds = 'same': expected \"shared\", of a generator"):
        Source("x", "tan", seeds="same")
    with pytest.raises(WorkbenchError, match="has seeds = 'shared'"):
        Source("x", truths=(random_tan(n_attributes=2, random_state=0),), seeds="shared")


@pytest.mark.parametrize(
    ("parameter", "said"),
    [("label_nois", "did you mean 'label_noise'"), ("arity", "1 of the sources' values of 'arity' differ")],
)
def test_a_parameter_that_does_not_differ_is_one_sentence(shared, parameter, said):
    with pytest.raises(WorkbenchError, match=said):
        shared.trend(parameter)
    with pytest.raises(WorkbenchError, match=r"unknown source 'noise 0\.4'"):
        shared.contrast("noise 0.4", "noise 0.0")


def test_the_figure_draws_a_line_for_each_learner_or_lead(shared):
    found = Trend.of(shared, "label_noise")
    display = TrendDisplay(found, n_train=60).plot()
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["nb", "tan"]
    lead = TrendDisplay(found, n_train=60, base="tan")
    slope = found.table.query("n_train == 60 and learner == 'nb' and other == 'tan'")["slope"].iloc[0]
    assert f"nb {slope:.3g} (" in lead.caption
    back = TrendDisplay(found, n_train=60, base="nb")
    assert f"tan {-slope:.3g} (" in back.caption
    assert lead.plot().ax_.get_xlabel() == "label_noise"
    with pytest.raises(WorkbenchError, match="n_train is None: expected one of 30, 60"):
        TrendDisplay(found)
    with pytest.raises(WorkbenchError, match="unknown learner 'tam'"):
        TrendDisplay(found, n_train=30, base="tam")
