"""Trends over a parameter of the sources, and contrasts of two: against statsmodels, and their errors."""

import functools
import inspect
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from generators import random_tan
from learners import PriorClassifier
from workbench import Source, compare, read_study, run, write_study
from workbench.analyses import Trend
from workbench.analyses.trend import _fit, _of_levels, _of_truths, _pairing
from workbench.base.errors import Confounded, FailedCells, LeftOutWarning, Untested, WorkbenchError
from workbench.designs import FreshSamples, SizesBySource
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
    assert found.pairing == "truths"
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


def test_truths_of_their_own_at_each_level_have_one_line_and_their_own_spreads(apart):
    found = Trend.of(apart, "label_noise")
    assert not found.pairing
    for row in found.table.itertuples():
        wide = scores_of(apart, row.n_train)
        y = wide[row.learner] - (wide[row.other] if row.other else 0)
        assert row.slope == pytest.approx(line(y).params[1])  # of the same line
        # its error, by hand: each mean has that of its own level
        weights = np.array(LEVELS) - np.mean(LEVELS)
        weights /= weights @ weights
        parts = weights**2 * y.groupby("level").sem().to_numpy() ** 2
        df = parts.sum() ** 2 / (parts**2 / 5).sum()
        t = row.slope / np.sqrt(parts.sum())
        assert (row.t, row.df, row.p) == pytest.approx((t, df, 2 * stats.t.sf(abs(t), df)))
        interval = stats.t.interval(0.95, df, row.slope, np.sqrt(parts.sum()))
        assert (row.low, row.high) == pytest.approx(interval)


def test_two_levels_are_welchs_test_and_equal_spreads_are_near_least_squares():
    rng = np.random.default_rng(5)
    first, second = rng.normal(size=9), 3 * rng.normal(size=5) + 1
    expected = stats.ttest_ind(second, first, equal_var=False)
    found = _of_levels(np.array([0.0, 0.5]), [first, second])
    interval = expected.confidence_interval()
    assert (found.t, found.df, found.p) == pytest.approx((expected.statistic, expected.df, expected.pvalue))
    assert (found.low / 2, found.high / 2) == pytest.approx((interval.low, interval.high))
    x, y = np.array([0.0, 0.1, 0.4]), rng.normal(size=(3, 400))
    fit = sm.OLS(y.ravel(), sm.add_constant(np.repeat(x, 400))).fit()
    found = _of_levels(x, list(y))
    assert found.slope == pytest.approx(fit.params[1])
    assert found.t == pytest.approx(fit.tvalues[1], rel=0.03)
    assert found.df > 400
    wide = y * [[1], [1], [3]]
    robust = sm.OLS(wide.ravel(), sm.add_constant(np.repeat(x, 400))).fit(cov_type="HC3")
    assert _of_levels(x, list(wide)).t == pytest.approx(robust.tvalues[1], rel=0.03)


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


def error_rate(draw, statistics, x, runs=3000):
    rng = np.random.default_rng(4)
    return np.mean([statistics(np.array(x), draw(rng)).p < 0.05 for _ in range(runs)])


def test_the_test_of_truths_errs_as_often_as_it_says():
    rate = error_rate(
        lambda rng: rng.normal(size=(1, 8)) + 0.5 * rng.normal(size=(3, 8)), _of_truths, (0.0, 0.1, 0.3)
    )
    assert 0.035 < rate < 0.065


@pytest.mark.parametrize(
    ("x", "sizes", "spreads"),
    [
        ((0.0, 0.1, 0.2), (10, 10, 10), (1, 1, 1)),
        pytest.param((0.0, 0.1, 0.4), (10, 10, 10), (1, 1, 3), marks=pytest.mark.slow),
        pytest.param((3.0, 5.0, 7.0, 15.0), (10, 10, 10, 10), (1, 1, 1, 3), marks=pytest.mark.slow),
        pytest.param((0.0, 1.0), (20, 5), (1, 3), marks=pytest.mark.slow),
        pytest.param((0.0, 1.0), (10, 40), (3, 1), marks=pytest.mark.slow),
        pytest.param((0.0, 0.1, 0.4), (10, 10, 10), (1, 1, 0.2), marks=pytest.mark.slow),
    ],
)
def test_the_test_of_levels_errs_as_often_as_it_says_whatever_their_spreads(x, sizes, spreads):
    def draw(rng):
        return [rng.normal(0, spread, n) for n, spread in zip(sizes, spreads, strict=True)]

    assert 0.03 <= error_rate(draw, _of_levels, x) <= 0.07


# --- which sources are paired


def drawn(generator="tan", seeds=None, **parameters):
    return Source("x", generator, {"n_classes": 2, **parameters}, seeds=seeds)


def few(on, learners=("nb", "tan"), replicates=3):
    design = FreshSamples(replicates=replicates, sizes=(30,), n_test=30)
    return compare(learners, on=on, design=design, metrics="accuracy")


def given(*seeds, **alterations):
    truths = tuple(random_tan(n_attributes=2, random_state=seed) for seed in seeds)
    return Source("x", truths=truths, parameters=alterations)


def test_the_same_given_truths_are_paired():
    results = compare(
        ["nb", "tan"], on={"clean": given(*range(5)), "noisy": given(*range(5), label_noise=0.3)}, sizes=30
    )
    found = Trend.of(results, "label_noise")
    assert (found.pairing, dict(found.levels)) == ("truths", {"clean": 0.0, "noisy": 0.3})
    wide = results.scores(results.choose()).pivot(
        index=["learner", "replicate"], columns="source", values="value"
    )
    expected = stats.ttest_rel(wide.loc["nb", "noisy"], wide.loc["nb", "clean"])
    row = results.contrast("noisy", "clean").query("learner == 'nb' and other == ''").iloc[0]
    assert (row["t"], row["df"], row["p"]) == pytest.approx((expected.statistic, 4, expected.pvalue))


@pytest.mark.filterwarnings("ignore::workbench.base.errors.Confounded")
@pytest.mark.parametrize(
    ("first", "second", "parameter", "pairing"),
    [
        (given(0, 1), given(1, 2, label_noise=0.2), "label_noise", ""),
        (drawn(seeds="shared"), drawn(label_noise=0.2), "label_noise", ""),
        (drawn(seeds="shared"), drawn(seeds="shared", label_noise=0.2), "label_noise", "truths"),
        (
            drawn("tan", seeds="shared"),
            drawn("naive_bayes", seeds="shared", label_noise=0.2),
            "label_noise",
            "",
        ),
        (
            drawn(seeds="shared", n_attributes=2),
            drawn(seeds="shared", n_attributes=4),
            "n_attributes",
            "random numbers",
        ),
        (
            drawn(seeds="shared", n_attributes=2),
            drawn(seeds="shared", n_attributes=3, label_noise=0.2),
            "label_noise",
            "random numbers",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::workbench.base.errors.SameTruths")
def test_only_sources_of_the_same_origin_are_paired(first, second, parameter, pairing):
    found = Trend.of(few({"a": first, "b": second}, replicates=2), parameter)
    assert found.pairing == pairing
    said = f"the same {pairing} at each level" if pairing else "other truths at each level"
    assert said in TrendDisplay(found).caption


def test_levels_of_a_knob_of_a_suite_are_paired():
    places = {f"p{level}": Source("x", suite="bias-v2", place=f"irrelevant-tan-{level}") for level in (0, 10)}
    assert _pairing([source.whole_identity for source in places.values()]) == "truths"


# --- what else sources differ in, and who is left out


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (
            drawn(seeds="shared", n_attributes=4, label_noise=0.2),
            "differ in n_attributes as well as in label_noise",
        ),
        (
            drawn("naive_bayes", n_attributes=3, label_noise=0.2),
            r"differ in the generator \(naive_bayes and tan\)",
        ),
        (given(0, 1, label_noise=0.2), r"the generator \(given truths and tan\)"),
    ],
)
@pytest.mark.filterwarnings("ignore::workbench.base.errors.SameTruths")
def test_what_else_sources_differ_in_is_a_warning(second, said):
    results = few({"a": drawn(seeds="shared", n_attributes=3), "b": second}, replicates=2)
    with pytest.warns(Confounded, match=said) as caught:
        results.trend("label_noise")
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.filterwarnings("ignore::workbench.base.errors.SameTruths")
def test_given_truths_that_are_not_the_same_are_named():
    clean = {"clean": given(0, 1, 2)}
    with pytest.warns(Confounded, match=r"the number of truths \(2 and 3\)"):
        few(clean | {"noisy": given(0, 1, label_noise=0.2)}).trend("label_noise")
    with pytest.warns(Confounded, match="the given truths"):
        few(clean | {"noisy": given(0, 1, 5, label_noise=0.2)}).trend("label_noise")


def test_a_source_has_the_default_of_its_generator_and_one_with_a_range_is_named():
    on = {"none": drawn(), "few": drawn(n_attributes=2), "range": drawn(n_attributes=(2, 3))}
    results = few({**on, "more": drawn(n_attributes=4)}, replicates=2)
    with pytest.warns(LeftOutWarning, match=r"for n_attributes: none has \(3, 7\) and range has \(2, 3\)"):
        found = Trend.of(results, "n_attributes")
    assert list(found.levels) == ["few", "more"]
    default = inspect.signature(random_tan).parameters["concentration"].default
    named = few({"named": drawn(concentration=9.0), "default": drawn()}, replicates=2)
    assert dict(Trend.of(named, "concentration").levels) == {"default": default, "named": 9.0}


def test_a_source_that_is_too_large_for_exact_scores_has_those_of_its_test_rows():
    on = {"few": drawn(n_attributes=3), "many": drawn(n_attributes=30)}
    results = compare(["nb", "tan"], on=on, sizes=30, n_test=30, metrics="ir_b")
    with pytest.warns(
        Confounded, match=r"the rows scored \(many: test, not exact\) as well as in n_attributes"
    ):
        found = Trend.of(results, "n_attributes", score="ir_b//exact")
    means = found.means.query("learner == 'nb' and other == ''")["mean"].tolist()
    exact, test = (results.scores(f"ir_b//{rows}").query("learner == 'nb'") for rows in ("exact", "test"))
    expected = [
        own.query(f"source == '{key}'")["value"].mean() for key, own in (("few", exact), ("many", test))
    ]
    assert means == pytest.approx(expected)
    with pytest.warns(Confounded, match="the sources differ in the rows scored"):
        results.contrast("many", "few", "ir_b//exact")


def test_sources_at_one_level_have_one_mean():
    results = few({
        "a": drawn("tan", n_attributes=3), "b": drawn("naive_bayes", n_attributes=3),
        "c": drawn(n_attributes=3, label_noise=0.2),
    })  # fmt: skip
    with pytest.warns(Confounded, match="the generator"):
        display = results.plot("trend", parameter="label_noise")
    means = display.trend.means.query("learner == 'nb' and other == ''")
    assert means["level"].tolist() == [0.0, 0.2]
    scores = results.scores("accuracy").query("learner == 'nb' and source != 'c'")["value"]
    assert means["mean"].iloc[0] == pytest.approx(scores.mean())


@pytest.mark.parametrize("is_paired", [True, False])
def test_rounding_is_no_slope(is_paired):
    levels = {"a": 0.0, "b": 0.1, "c": 0.3}
    index = pd.MultiIndex.from_product([levels, [50], range(10)], names=["source", "n_train", "replicate"])
    rng = np.random.default_rng(4)
    level = np.full(10, 0.7) if not is_paired else rng.random(10)
    noise = 1e-16 * rng.integers(-2, 3, size=(2, 30))
    score, drawn = np.tile(level, 3), rng.random(30)
    columns = {"still": score, "same": score + noise[0], "moves": drawn, "as moves": drawn + noise[1]}
    table, means = _fit(levels, pd.DataFrame(columns, index), is_paired)
    rows = table.set_index(["learner", "other"])
    equal = rows.loc[[("still", ""), ("same", ""), ("still", "same"), ("moves", "as moves")]]
    assert (equal["slope"] == 0).all()
    assert equal[["t", "p", "p_holm"]].isna().all(axis=None)
    assert (means.query("learner == 'moves' and other == 'as moves'")["mean"] == 0).all()
    assert rows.loc[("still", "moves"), "p"] > 0


class Flaky(PriorClassifier):
    """Fails on some truths, those where the first class is rarer."""

    def fit(self, X, y):
        if np.mean(np.asarray(y) == np.unique(y)[0]) < 0.5:
            raise ValueError("too rare")
        return super().fit(X, y)


class Same(PriorClassifier):
    """Forecasts as its base does."""


class Sure(PriorClassifier):
    """Gives the first class probability one."""

    def predict_proba(self, X):
        return np.eye(len(self.classes_))[np.zeros(len(X), dtype=int)]


@pytest.fixture(scope="module")
def failing():
    on = {
        "a": drawn(seeds="shared", n_attributes=2),
        "b": drawn(seeds="shared", n_attributes=2, label_noise=0.1),
    }
    learners = {"nb": "nb", "tan": "tan", "flaky": Flaky(), "sure": Sure()}
    with pytest.warns(FailedCells):
        return compare(learners, on=on, sizes=30, n_test=30, metrics="ir_b")


@pytest.mark.slow
def test_a_learner_that_fails_takes_no_truths_from_others(failing):
    with pytest.warns(Untested) as caught:
        table = failing.trend("label_noise", "ir_b///none").set_index(["learner", "other"])
    assert [one.filename for one in caught] == [__file__]
    message = str(caught[0].message)
    assert "sure is left out: infinite score in " in message
    n = table["n"]
    assert n["nb", ""] == n["nb", "tan"] == 10
    assert 1 < n["flaky", ""] == n["nb", "flaky"] < 10
    assert f"flaky has no score on {10 - n['flaky', '']} of the 10 truths of a" in message
    alone = failing.trend("label_noise", "ir_b///none", learners=["nb", "tan"])
    assert table.loc[("nb", ""), "slope"] == alone["slope"].iloc[0]
    with pytest.warns(Untested):
        caption = failing.plot("trend", score="ir_b///none", parameter="label_noise").caption
    assert message in caption
    with (
        pytest.warns(Untested),
        pytest.raises(WorkbenchError, match=r"differences from 'sure'.*\(sure is left out: "),
    ):
        failing.plot("trend", score="ir_b///none", parameter="label_noise", base="sure")
    with pytest.raises(WorkbenchError, match=r"sure is left out: infinite score in .* cells? of a and"):
        failing.contrast("a", "b", "ir_b///none", learners=["nb", "sure"])


class Narrow(PriorClassifier):
    """Fails with more than two columns."""

    def fit(self, X, y):
        if X.shape[1] > 2:
            raise ValueError("too many")
        return super().fit(X, y)


def test_a_source_without_scores_is_left_out():
    on = {str(level): drawn(seeds="shared", n_attributes=2, label_noise=level) for level in (0.0, 0.1)}
    on["wide"] = drawn(seeds="shared", n_attributes=4, label_noise=0.2)
    with pytest.warns(FailedCells):
        results = few(on, learners={"narrow": Narrow()})
    with pytest.warns(Untested, match="wide is left out: no score"):
        assert list(Trend.of(results, "label_noise").levels) == ["0.0", "0.1"]
    for ask in (lambda: results.contrast("wide", "0.0"), lambda: results.trend("n_attributes")):
        with pytest.raises(WorkbenchError, match="wide is left out: no score"):
            ask()


def test_p_values_are_corrected_over_the_pairs_that_have_a_test():
    learners = {"nb": "nb", "prior": PriorClassifier(), "same": Same()}
    results = compare(learners, on=noisy("shared"), sizes=(30, 60), n_test=30)
    table = results.trend("label_noise", learners=list(learners))
    pairs = table[table["other"] != ""]
    assert pairs["p"].isna().sum() == 2  # prior and same
    assert (pairs["p_holm"].isna() == pairs["p"].isna()).all()
    tested = pairs[pairs["p"].notna()]
    assert tested["p_holm"].to_numpy() == pytest.approx(sm.stats.multipletests(tested["p"], method="holm")[1])


def test_what_cannot_be_compared_is_one_sentence(shared):
    with pytest.raises(WorkbenchError, match=r"source and other are both 'noise 0\.0'"):
        shared.contrast("noise 0.0", "noise 0.0")
    single = few({"a": drawn(n_attributes=2), "b": drawn(n_attributes=4)}, replicates=1)
    for ask in (lambda: single.trend("n_attributes"), lambda: single.contrast("a", "b")):
        with pytest.raises(WorkbenchError, match="a has one truth, but a test needs two or more"):
            ask()
    with pytest.raises(WorkbenchError, match="no two sources differ in 'dependence'"):
        single.trend("dependence")
    sizes = SizesBySource({"a": [20], "b": [30]}, replicates=2, n_test=20)
    apart = compare(["nb", "tan"], on={"a": drawn(n_attributes=2), "b": drawn(n_attributes=4)}, design=sizes)
    with pytest.raises(WorkbenchError, match="a and b have no number of training rows in common"):
        apart.trend("n_attributes")
    data_sets = compare(["nb", "tan"], on=["iris"], cv=3, metrics="accuracy")
    with pytest.raises(WorkbenchError, match="the study is of data sets"):
        data_sets.trend("label_noise")


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
    assert Trend.of(run(study), "label_noise").pairing == "truths"
    with pytest.raises(WorkbenchError, match="has seeds = 'same': expected \"shared\""):
        Source("x", "tan", seeds="same")
    with pytest.raises(WorkbenchError, match="has seeds = 'shared'"):
        Source("x", truths=(random_tan(n_attributes=2, random_state=0),), seeds="shared")


@pytest.mark.parametrize(
    ("parameter", "said"),
    [("label_nois", "did you mean 'label_noise'"), ("arity", "no two sources differ in 'arity'")],
)
def test_a_parameter_that_does_not_differ_is_one_sentence(shared, parameter, said):
    with pytest.raises(WorkbenchError, match=said):
        shared.trend(parameter)
    with pytest.raises(WorkbenchError, match=r"unknown source 'noise 0\.4'"):
        shared.contrast("noise 0.4", "noise 0.0")


def test_the_figure_draws_a_line_for_each_learner_or_lead(shared):
    found = Trend.of(shared, "label_noise")
    display = TrendDisplay(found, n_train=60).plot()
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["naive Bayes", "TAN"]
    lead = TrendDisplay(found, n_train=60, base="tan")
    slope = found.table.query("n_train == 60 and learner == 'nb' and other == 'tan'")["slope"].iloc[0]
    assert f"naive Bayes {slope:.3g} (" in lead.caption
    back = TrendDisplay(found, n_train=60, base="nb")
    assert f"TAN {-slope:.3g} (" in back.caption
    assert lead.plot().ax_.get_xlabel() == "label_noise"
    assert "at 60 training rows, over 6 truths" in lead.caption
    assert TrendDisplay(found, base="tan").caption == lead.caption
    with pytest.raises(WorkbenchError, match="n_train is 50: expected one of 30, 60"):
        TrendDisplay(found, n_train=50)
    with pytest.raises(WorkbenchError, match="nb is the only learner"):
        shared.plot("trend", parameter="label_noise", learners=["nb"], base="nb")
    same = shared.plot("trend", parameter="label_noise", n_train=60, base="tan")
    assert same.caption == lead.caption
    for options, said in (
        ({"kind": "trend"}, "parameter is None: name a parameter"),
        (
            {"kind": "trend", "parameter": "label_noise", "source": "noise 0.0"},
            "a trend is over several sources",
        ),
        ({"kind": "best_map", "parameter": "label_noise"}, "figure 'best_map' has no option parameter"),
    ):
        with pytest.raises(WorkbenchError, match=said):
            shared.plot(**options)
    two = shared.plot("trend", sources=["noise 0.0", "noise 0.1"], parameter="label_noise", n_train=60)
    assert list(two.trend.levels) == ["noise 0.0", "noise 0.1"]
    table = shared.trend("label_noise", sources=["noise 0.0", "noise 0.1"])
    pd.testing.assert_frame_equal(table, two.trend.table)
    with pytest.raises(WorkbenchError, match=r"unknown source 'noise 0\.4'"):
        shared.trend("label_noise", sources=["noise 0.0", "noise 0.4"])
    for lost in (["low", "high"], ["slope", "low", "high"]):
        untested = TrendDisplay(
            replace(found, table=found.table.assign(**dict.fromkeys(lost, np.nan))), n_train=60
        )
        assert "nan" not in untested.caption
        assert "(no test)" in untested.caption
    with pytest.raises(WorkbenchError, match=r"no differences from 'tam': .* nb, tan"):
        TrendDisplay(found, n_train=30, base="tam")
