"""Ask of figures made from arrays, and of trends, that they draw their examples and say what these show."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from learners import NaiveBayesClassifier
from workbench.analyses import Trend
from workbench.analyses.trend import _fit
from workbench.base.errors import WorkbenchError
from workbench.base.names import learner_name, metric_name
from workbench.base.score_key import ScoreKey
from workbench.comparisons import bayesian_correlated_t, bayesian_signed_rank, friedman
from workbench.figures import (
    ARRAY_FIGURES,
    CriticalDifferenceDisplay,
    CumulativeRewardDisplay,
    DecisionCurveDisplay,
    Display,
    LiftDisplay,
    PosteriorRopeDisplay,
    PosteriorSimplexDisplay,
    PrecisionRecallDisplay,
    PrequentialDisplay,
    ReliabilityDisplay,
    RewardAgainstProbabilityDisplay,
    ROCDisplay,
    TrendDisplay,
    draw_forecasts,
)
from workbench.figures._shared.style import looks, settings
from workbench.figures.prequential import label_rows
from workbench.prequential import prequential

LONG = [f"learner_with_a_rather_long_name_{i}" for i in range(8)]
MANY = [f"learner number {i}" for i in range(14)]
MADE = {**ARRAY_FIGURES, TrendDisplay.key: TrendDisplay}
ODD = ["_hidden", "a$b_{c$", "<i>&\\frac", "näïve µ"]


@dataclass(frozen=True)
class Example:
    """How a display is made, and the words that it must show."""

    make: Callable[[], Display]
    words: tuple[str, ...]


def ranks(learners, *, n=14, shift=0.3, **names):
    def make():
        noise = np.random.default_rng(1).normal(size=(n, len(learners)))
        return CriticalDifferenceDisplay(
            friedman(noise + shift * np.arange(len(learners)), learners=learners), **names
        )

    return Example(make, (*learners, "mean rank", "critical difference", "1 is best"))


def density(differences, learner="tan", other="nb", *, rope=0.01, **names):
    def make():
        found = bayesian_correlated_t(differences, rope=rope, test_share=0.5)
        return PosteriorRopeDisplay(
            found, learner=learner, other=other, score="accuracy", unit="share of samples", **names
        )

    return Example(make, (learner, other, "[share of samples]", "worse", "practically equal", "better"))


def trend(learners, *, base=None, is_paired=True, parameter="label_noise"):
    def make():
        levels = {"a": 0.0, "b": 0.5, "c": 1.0}
        index = pd.MultiIndex.from_product([levels, [50], range(4)], names=["source", "n_train", "replicate"])
        values = np.random.default_rng(3).normal(size=(len(index), len(learners)))
        tables = _fit(levels, pd.DataFrame(values, index, columns=list(learners)), is_paired)
        score, pairing = ScoreKey("ir_b", "marginal", "exact", "none"), "truths" if is_paired else ""
        return TrendDisplay(Trend(parameter, levels, score, "bits", pairing, *tables), base=base)

    shown = [learner for learner in learners if learner != base]
    return Example(make, (*shown, parameter, "[bits]", "50 training rows"))


def cloud(differences, learner="tan", other="nb"):
    def make():
        found = bayesian_signed_rank(differences, rope=0.01, n_samples=2000)
        return PosteriorSimplexDisplay(found, learner=learner, other=other, score="ir_b", unit="bits")

    return Example(make, (learner, other, "0.01 bits", "worse", "practically equal", "better"))


def outcomes(n_classes=2, n_rows=300, seed=3):
    """Make classes that happened and forecasts that know a little of them, sure ones and unsure ones."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_classes, size=n_rows)
    weights = rng.gamma(0.5 + 1.5 * (codes[:, None] == np.arange(n_classes)))
    return codes, weights / weights.sum(axis=1, keepdims=True)


def forecasts_of(learners, n_classes=2):
    """Make forecasts that are worse from learner to learner."""
    codes, table = outcomes(n_classes)
    even = np.full_like(table, 1 / n_classes)
    steps = np.linspace(0.0, 0.8, len(learners))
    return codes, {key: (1 - a) * table + a * even for key, a in zip(learners, steps, strict=True)}


def example_of(kind, *words, learners=("nb", "tan", "aode"), n_classes=2, **options):
    """Return an example of a display of forecasts."""

    def make():
        codes, forecasts = forecasts_of(learners, n_classes)
        happened = np.asarray(options.get("classes", range(n_classes)))[codes]
        return kind.from_predictions(happened, forecasts, **options)

    return Example(make, (*learners, *words))


def plain(kind, table, *words, codes=(0, 1, 0, 1), **options):
    """Return an example of forecasts without a name, written out."""
    return Example(lambda: kind.from_predictions(codes, table, **options), ("forecast", *words))


def rewarded(metrics, *words, **options):
    """Return an example of a display of metrics."""
    return Example(
        lambda: RewardAgainstProbabilityDisplay.from_metrics(metrics, **options), (*metrics, *words)
    )


def followed(*words, learner=None, **options):
    """Return an example of a learner that forecasts row by row."""

    def make():
        codes, forecasts = outcomes(n_rows=400)
        X = np.repeat(forecasts[:, :1] > 0.5, 3, axis=1).astype(int)
        result = prequential(NaiveBayesClassifier(), X, codes, **options)
        return PrequentialDisplay(replace(result, learner=learner or result.learner))

    return Example(make, ("rows seen", "without recalibration", *words))


EVEN, PERFECT = [[0.5, 0.5]] * 4, [[1.0, 0.0], [0.0, 1.0]] * 2
WRONG_AND_SURE = [[1.0, 0.0], [1.0, 0.0], [0.9, 0.1], [0.4, 0.6]]
RATES = ("[share of the rest]", "[share of the class]")
PAPERS = ("bayesian_reward", "ir_b", "kononenko_bratko")
NOISE = np.random.default_rng(2).normal(0.01, 0.02, 20)

#: A display and what it is tried on; a new one needs at least one example here.
EXAMPLES: dict[str, dict[str, Example]] = {
    "critical_difference": {
        "three": ranks(["nb", "tan", "aode"], score="accuracy", over="data sets"),
        "twelve": ranks([f"learner {i}" for i in range(12)], score="ir_b", over="truths", at="at 500 rows"),
        "forty": ranks([f"learner {i}" for i in range(40)], score="accuracy", over="data sets"),
        "long names": ranks(LONG, score="information_reward", over="truths of naive_bayes", at="at 50 rows"),
        "all apart": ranks(["nb", "tan", "aode"], n=200, shift=9.0),
        "all equal": ranks(["nb", "tan", "aode"], n=3, shift=0.0),
    },
    "posterior_rope": {
        "one data set": density(NOISE, where="iris"),
        "no region": density(NOISE, rope=0.0),
        "no difference": density(np.zeros(10)),
        "no spread": density(np.full(10, 0.25)),
    },
    "trend": {
        "scores": trend(["nb", "tan", "aode"]),
        "leads": trend(["nb", "tan"], base="nb", is_paired=False),
        "many": trend(MANY),
        "odd names": trend(ODD),
        "long names": trend(LONG, parameter="concentration"),
    },
    "reliability": {
        "the positive class": example_of(ReliabilityDisplay, "forecast of class 1 [probability]"),
        "labels": example_of(
            ReliabilityDisplay, "class <i>yes", positive="<i>yes", classes=["a$b_{c$", "<i>yes"]
        ),
        "all classes": example_of(ReliabilityDisplay, "forecast of a class", of="all classes", n_classes=4),
        "quantiles": example_of(ReliabilityDisplay, "[share of samples]", strategy="quantile", n_bins=5),
        "many learners": example_of(ReliabilityDisplay, learners=MANY),
        "even": plain(ReliabilityDisplay, EVEN),
        "log odds": example_of(ReliabilityDisplay, "by log odds", ".5", scale="log_odds"),
        "log odds, even": plain(ReliabilityDisplay, EVEN, "by log odds", scale="log_odds"),
        "log odds, sure": plain(ReliabilityDisplay, PERFECT, "by log odds", scale="log_odds"),
    },
    "precision_recall": {
        "two classes": example_of(
            PrecisionRecallDisplay,
            "recall [",
            "precision [",
            "1 against the rest",
            "naive Bayes: average 0.9",
            "at random",
        ),
        "one of four": example_of(PrecisionRecallDisplay, "2 against the rest", positive=2, n_classes=4),
        "long names": example_of(PrecisionRecallDisplay, learners=LONG),
        "even": plain(PrecisionRecallDisplay, EVEN, "average 0.500"),
    },
    "decision_curve": {
        "two classes": example_of(
            DecisionCurveDisplay,
            "net benefit [",
            "forecast that is treated",
            "1 against the rest",
            "treat all",
        ),
        "one of four": example_of(DecisionCurveDisplay, "2 against the rest", positive=2, n_classes=4),
        "long names": example_of(DecisionCurveDisplay, learners=LONG),
        "never of use": plain(DecisionCurveDisplay, [[0.0, 1.0], [1.0, 0.0]] * 2),
        "even": plain(DecisionCurveDisplay, EVEN),
    },
    "roc": {
        "two classes": example_of(
            ROCDisplay, *RATES, "1 against the rest", "naive Bayes: area 0.9", "thin: convex hull"
        ),
        "mean over classes": example_of(
            ROCDisplay, "mean over 4 classes, each against the rest", n_classes=4
        ),
        "a class that lacks": plain(ROCDisplay, [[0.5, 0.3, 0.2]] * 4, "mean over 2 classes"),
        "long names": example_of(ROCDisplay, learners=LONG),
        "even": plain(ROCDisplay, EVEN, "area 0.500"),
    },
    "lift": {
        "two classes": example_of(LiftDisplay, "lift [times", "[share of samples]", "1 against the rest"),
        "gain": example_of(LiftDisplay, "cumulative gain [share of the class]", curve="gain", positive=0),
        "mean over classes": example_of(LiftDisplay, "mean over 4 classes", "without a mistake", n_classes=4),
        "long names": example_of(LiftDisplay, learners=LONG),
        "even": plain(LiftDisplay, EVEN),
    },
    "cumulative_reward": {
        "surest first": example_of(
            CumulativeRewardDisplay, "cumulative IR_B / rows [bits]", "confident first", prior=[0.5, 0.5]
        ),
        "one class first": example_of(
            CumulativeRewardDisplay, "highest forecast first", ranking="forecast", metric="log_loss"
        ),
        "lower is better": example_of(
            CumulativeRewardDisplay, "300 rows, lower is better", metric="log_loss"
        ),
        "infinite": plain(CumulativeRewardDisplay, WRONG_AND_SURE, "\u2212inf", prior=[0.5, 0.5]),
        "even": plain(CumulativeRewardDisplay, EVEN, "0.000", prior=[0.5, 0.5]),
    },
    "reward_against_probability": {
        "Figure 1 of 2002": rewarded(["good_reward"], "reward [bits]", "prior 0.5, 0.5", both=True),
        "Figure 1a of 2004": rewarded(PAPERS, "IR_B [bits]", "prior 0.333", prior=[1 / 3] * 3),
        "expected": rewarded(["ir_b", "log_loss"], "expected reward [bits]", chance=0.7),
        "expected, all alike": rewarded([*PAPERS, "accuracy"], prior=[0.2, 0.8], of=1, chance=0.3),
        "many classes": rewarded(["ir_b"], "prior 0.05 of 20 classes", prior=[0.05] * 20),
    },
    "prequential": {
        "a map": followed(
            "mean IR_B of the latest half [bits]",
            "with the platt map",
            "300 forecasts",
            recalibration="platt",
        ),
        "no map": followed("NaiveBayesClassifier"),
        "frozen": followed("frozen", "with the histogram map", recalibration="histogram", frozen=True),
        "another metric": followed(
            "mean accuracy of the latest half", "[share of samples]", metric="accuracy", recalibration="platt"
        ),
        "few rows": followed("5 forecasts", start=395, recalibration="platt"),
        "long name": followed(LONG[0], learner=LONG[0], recalibration="platt"),
    },
    "posterior_simplex": {
        "twenty tables": cloud(NOISE),
        "one corner": cloud(NOISE + 1.0),
        "no difference": cloud(np.zeros(5)),
        "long names": cloud(NOISE, LONG[0], LONG[1]),
    },
}

FIRST = {key: next(iter(examples.values())) for key, examples in EXAMPLES.items()}
first = pytest.mark.parametrize("example", FIRST.values(), ids=FIRST.keys())
every = pytest.mark.parametrize(  # the quick suite looks at one example of each kind
    "example",
    [
        pytest.param(example, id=f"{key}, {name}", marks=[pytest.mark.slow] * (example is not FIRST[key]))
        for key, examples in EXAMPLES.items()
        for name, example in examples.items()
    ],
)


@pytest.fixture(autouse=True)
def _no_windows():
    import matplotlib.pyplot as plt

    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture
def _in_settings():
    """Stay in the settings of a figure: what is measured later than drawn has the settings of later."""
    with mpl.rc_context(settings()):
        yield


def drawn(display):
    """Draw a figure of its own to the last letter, as `save` does."""
    with mpl.rc_context(settings()):
        figure = display.sketch()
        FigureCanvasAgg(figure).draw()
    return figure


@functools.cache
def made(example):
    """Make the display of an example once for all who ask it."""
    return example.make()


@functools.cache
def drawn_once(example):
    """Draw an example for all who only look at it."""
    return drawn(made(example))


def words_of(figure):
    return "\n".join(text.get_text() for text in figure.findobj(Text) if text.get_text())


def test_every_figure_made_from_arrays_has_an_example():
    assert set(EXAMPLES) == set(MADE)


@pytest.mark.parametrize("key", EXAMPLES)
def test_declares_key_and_title(key):
    kind = MADE[key]
    assert issubclass(kind, Display)
    assert kind.key == key
    assert kind.title
    assert all(type(made(example)) is kind for example in EXAMPLES[key].values())


@every
def test_says_what_it_shows(example):
    figure = drawn_once(example)
    found = words_of(figure)
    assert [word for word in example.words if metric_name(learner_name(word)) not in found] == []
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis) if ax.axison else ():
            ticks = [label.get_text() for label in axis.get_ticklabels()]
            numbers = [text for text in ticks if text.replace("\u2212", "").replace(".", "").isdigit()]
            assert axis.label.get_text() or not numbers
    caption = made(example).caption
    assert caption
    assert "nan" not in caption.replace(",", " ").replace(";", " ").split()


@first
def test_draws_on_given_axes_or_new_ones_and_changes_no_settings(example):
    import matplotlib.pyplot as plt

    rc = dict(mpl.rcParams)
    made(example).sketch()
    assert plt.get_fignums() == []
    display = made(example).plot()
    assert display.ax_ in display.figure_.axes
    assert plt.get_fignums() == [display.figure_.number]
    figure, (left, right) = plt.subplots(1, 2)
    size = figure.get_size_inches().tolist()
    display = made(example).plot(right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert right.has_data()
    assert not left.has_data()
    assert figure.axes == [left, right]
    assert figure.get_size_inches().tolist() == size
    assert dict(mpl.rcParams) == rc


def test_saves_what_its_name_ends_in(tmp_path):
    display = made(FIRST["lift"])  # as every display
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        display.save(tmp_path / f"figure.{ending}", dpi=50)
        assert (tmp_path / f"figure.{ending}").read_bytes().startswith(start)
    with pytest.raises(WorkbenchError, match=r"\.jpg.*\.pdf, \.png, \.svg"):
        display.save(tmp_path / "figure.jpg")
    assert not (tmp_path / "figure.jpg").exists()


@pytest.mark.slow
def test_the_same_arrays_give_the_same_file_on_another_day(tmp_path, monkeypatch):
    for day in (1, 2):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(86400 * day))
        FIRST["lift"].make().save(tmp_path / f"{day}.svg")
    assert (tmp_path / "1.svg").read_bytes() == (tmp_path / "2.svg").read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("_in_settings")
@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=f"{key}, {name}")
        for key, examples in EXAMPLES.items()
        for name, example in examples.items()
        if example is FIRST[key] or name in ("long names", "many learners", "odd names")
    ],
)
def test_all_fits_into_the_figure_and_nothing_covers_a_name(example):
    figure = drawn_once(example)
    whole = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert whole.x0 > -0.02
    assert whole.y0 > -0.02
    assert whole.x1 < width + 0.02
    assert whole.y1 < height + 0.02
    for ax in figure.axes:
        names = [ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts]
        boxes = [name.get_window_extent() for name in names if ax.axison and name.get_text()]
        legend = ax.get_legend()
        if legend is not None:
            assert not [box for box in boxes if legend.get_window_extent().overlaps(box)]
        inside = [text.get_window_extent() for text in ax.texts]
        assert not [1 for i, box in enumerate(inside) for other in inside[:i] if box.overlaps(other)]
        places = sorted((tick.get_window_extent() for tick in ax.get_yticklabels()), key=lambda box: box.y0)
        assert all(below.y1 <= above.y0 + 1 for below, above in pairwise(places))
        assert ax.get_window_extent().width > 0.25 * 72 * width


@pytest.mark.usefixtures("_in_settings")
@pytest.mark.parametrize("name", ["three", "twelve", "all equal"])
def test_bars_of_ranks_lie_apart_and_reach_from_the_first_of_a_group_to_the_last(name):
    example = EXAMPLES["critical_difference"][name]
    display, ax = made(example), drawn_once(example).axes[0]
    rank = dict(zip(display.test.learners, display.test.ranks, strict=True))
    bars = [line for line in ax.lines if line.get_linewidth() == 3.6]
    ends = [tuple(bar.get_xdata()) for bar in bars]
    assert len(bars) == len(display.test.groups)
    for (low, high), group in zip(ends, display.test.groups, strict=True):
        assert low < rank[group[0]] <= rank[group[-1]] < high
    boxes = [bar.get_window_extent() for bar in bars]
    assert not [1 for i, box in enumerate(boxes) for other in boxes[:i] if box.overlaps(other)]
    learners = [line.get_ydata()[-1] for line in ax.lines if len(line.get_xdata()) == 3]
    assert max((bar.get_ydata()[0] for bar in bars), default=0) < min(learners)


FORECAST_FIGURES = {
    "reliability": {}, "roc": {}, "precision_recall": {}, "decision_curve": {}, "lift": {},
    "cumulative_reward": {"prior": [0.5, 0.5]},
}  # fmt: skip


@pytest.mark.parametrize("key", FORECAST_FIGURES)
def test_a_learner_looks_as_in_the_other_figures_and_labels_are_taken(key):
    learners, labels = ("nb", "tan", "aode"), np.array(["no", "yes"])
    codes, forecasts = forecasts_of(learners)
    kind, options = ARRAY_FIGURES[key], FORECAST_FIGURES[key]
    ax = kind.from_predictions(codes, forecasts, **options).plot().ax_
    lines = {line.get_label().split(":")[0]: line for line in ax.lines}
    lines |= {bars.get_label(): bars[0] for bars in ax.containers}
    expected = {learner: look.color for learner, look in looks(learners).items()}
    assert {learner: lines[learner_name(learner)].get_color() for learner in learners} == expected
    by_label = kind.from_predictions(labels[codes], forecasts, classes=labels, **options).plot().ax_
    for one, other in zip(by_label.lines, ax.lines, strict=True):
        np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())


def test_the_caption_tells_of_infinite_rewards_and_of_classes_that_lack():
    assert "infinite (1 row" in made(EXAMPLES["cumulative_reward"]["infinite"]).caption
    assert made(EXAMPLES["roc"]["a class that lacks"]).caption.endswith(": 2.")


def test_marks_of_expected_rewards_stand_where_they_are_largest():
    display = RewardAgainstProbabilityDisplay.from_metrics(
        ["ir_b", "bayesian_reward", "accuracy"], prior=[0.2, 0.8], chance=0.7
    )
    markers = [line for line in display.plot().ax_.lines if line.get_marker() != "None"]
    assert [marker.get_xdata().tolist() for marker in markers] == [[0.7, 0.7], [0.244, 0.244], [0.5, 1.0]]
    assert "IR_B at 0.7, Bayesian reward at 0.244, accuracy at 0.5 to 1." in display.caption


def test_wrong_options_are_reported():
    codes, table = outcomes()
    with pytest.raises(WorkbenchError, match=r"'gains'.*'gain'"):
        LiftDisplay.from_predictions(codes, table, curve="gains")
    with pytest.raises(WorkbenchError, match=r"scale 'logit'.*'log_odds', 'probability'"):
        ReliabilityDisplay.from_predictions(codes, table, scale="logit")
    for kind in (PrecisionRecallDisplay, DecisionCurveDisplay):
        with pytest.raises(
            WorkbenchError, match="one class, but there are 3 classes: name one with positive="
        ):
            kind.from_predictions([0, 1, 2], [[0.5, 0.3, 0.2]] * 3)
    with pytest.raises(WorkbenchError, match=r"'confident'.*'confidence'"):
        CumulativeRewardDisplay.from_predictions(codes, table, prior=[0.5, 0.5], ranking="confident")
    with pytest.raises(ValueError, match=r"ir_b .*prior=None"):
        CumulativeRewardDisplay.from_predictions(codes, table)
    with pytest.raises(WorkbenchError, match="kl_divergence"):
        CumulativeRewardDisplay.from_predictions(codes, table, metric="kl_divergence")
    with pytest.raises(WorkbenchError, match=r"'ir_bb'.*'ir_b'"):
        RewardAgainstProbabilityDisplay.from_metrics(["ir_bb"])
    with pytest.raises(WorkbenchError, match="metrics is empty"):
        RewardAgainstProbabilityDisplay.from_metrics([])
    with pytest.raises(WorkbenchError, match=r"chance.*2.*0.*1"):
        RewardAgainstProbabilityDisplay.from_metrics(["ir_b"], chance=2)


def test_24_learners_differ_by_lines_alone_and_by_markers_alone():
    found = list(looks([str(i) for i in range(24)]).values())
    assert len({(look.color, look.line) for look in found}) == 24
    assert len({(look.color, look.marker) for look in found}) == 24


@pytest.mark.usefixtures("_in_settings")
@pytest.mark.parametrize("strategy", ["uniform", pytest.param("cells", marks=pytest.mark.slow)])
def test_no_bar_of_forecasts_hides_another_or_is_too_small_to_be_seen(strategy):
    codes, forecasts = forecasts_of(("nb", "tan", "aode"))
    sure = forecasts["nb"] ** 9 / (forecasts["nb"] ** 9).sum(axis=1, keepdims=True)
    learners = {"sure": sure, **forecasts, "prior": np.full_like(sure, 0.5)}
    display = ReliabilityDisplay.from_predictions(codes, learners, positive=1, strategy=strategy)
    figure = drawn(display)
    boxes = [bar.get_window_extent() for bar in figure.axes[0].patches]
    for i, box in enumerate(boxes):
        assert box.height > 0.5 * figure.dpi / 72
        assert box.width > 1.0 * figure.dpi / 72
        for other in boxes[:i]:
            wide, high = np.minimum(box.max, other.max) - np.maximum(box.min, other.min)
            assert min(wide, high) < 1e-6


def test_every_bin_has_its_bar_in_the_row_of_its_learner_under_its_mean_forecast():
    codes, forecasts = forecasts_of(("nb", "tan", "aode"))
    display = ReliabilityDisplay.from_predictions(codes, forecasts, strategy="quantile")
    rows = [bars.patches for bars in display.plot().ax_.containers[1::2]]
    assert len(rows) == 3
    for table, bars in zip(display.tables.values(), rows, strict=True):
        under = [
            [
                x
                for x in table.mean_forecast
                if bar.get_x() - 1e-9 <= x <= bar.get_x() + bar.get_width() + 1e-9
            ]
            for bar in bars
        ]
        assert sorted(x for found in under for x in found) == pytest.approx(table.mean_forecast)
        counts = [table.n[np.isin(table.mean_forecast, found)].sum() for found in under]
        shares = np.array([bar.get_height() for bar in bars]) ** 2 / counts
        assert shares == pytest.approx(np.full(len(bars), shares[0]))  # heights go by the square root


def test_no_bin_of_the_triangle_is_a_hole_and_shades_begin_at_nothing():
    example = EXAMPLES["posterior_simplex"]["twenty tables"]
    display, (bins,) = made(example), drawn_once(example).axes[0].collections
    n = bins.get_array()
    assert n.sum() == len(display.posterior.samples)
    assert (n == 0).any()
    alpha = bins.get_facecolor()[:, 3]
    assert (alpha[n == 0] == 0.0).all()
    assert 0.0 < bins.to_rgba(n.max() / 100)[3] < 0.5
    assert bins.to_rgba(n.max())[3] == 1.0


@pytest.mark.parametrize(
    "low, high, ticks",
    [
        (118, 152, [120, 130, 140, 150]),
        (127, 143, [130, 135, 140]),
        (1001, 1049, [1000, 1020, 1040]),
        (45, 95, [50, 60, 70, 80, 90]),
        (50, 10000, [100, 300, 1000, 3000, 10000]),
        (1, 5, [1, 3]),
    ],
)
def test_ticks_of_rows_seen_are_round(low, high, ticks):
    import matplotlib.pyplot as plt

    ax = plt.figure().add_subplot()
    ax.plot([low, high], [0, 1])
    label_rows(ax)
    assert [int(label.get_text()) for label in ax.get_xticklabels()] == ticks


def test_expected_rewards_are_shown_around_their_maxima_and_no_marker_hides_another():
    display = RewardAgainstProbabilityDisplay.from_metrics(
        ["ir_b", "bayesian_reward", "kononenko_bratko", "good_reward"], prior=[0.8, 0.2], chance=0.7
    )
    ax = display.plot().ax_
    low, high = ax.get_ylim()
    markers = [line for line in ax.lines if line.get_marker() != "None"]
    tops = [marker.get_ydata()[0] for marker in markers]
    assert (np.array(tops) > low + 0.4 * (high - low)).all()
    assert high > max(tops)
    assert {marker.get_markerfacecolor() for marker in markers} == {"none"}
    assert len({marker.get_markersize() for marker in markers}) == len(markers)
    assert "Lower rewards are cut off" in display.caption


@pytest.fixture(scope="module")
def panels():
    """Draw forecasts of which one is infinitely wrong and of three classes of which one lacks."""
    forecasts = {"sure": np.array([[1.0, 0.0, 0.0]] * 4), "even": np.full((4, 3), 1 / 3)}
    return draw_forecasts([0, 1, 0, 1], forecasts, metric="log_loss")


def test_panels_say_all_that_their_three_displays_say(panels):
    for display in (panels.roc, panels.lift, panels.reward):
        assert display.caption in panels.caption
    assert "convex hulls" in panels.caption
    assert "infinite (2 rows" in panels.caption
    words = words_of(panels.figure_)
    assert "thin: convex hulls" in words
    assert "lower is better" in words


@pytest.mark.slow
@pytest.mark.usefixtures("_in_settings")
@pytest.mark.parametrize(
    "learners, n_classes",
    [
        (LONG, 4),
        (ODD, 2),
    ],
)
def test_panels_are_of_the_same_learners_do_not_overlap_and_share_a_legend(learners, n_classes):
    import matplotlib.pyplot as plt

    codes, forecasts = forecasts_of(learners, n_classes)
    figure = draw_forecasts(codes, forecasts, prior=[1 / n_classes] * n_classes).figure_
    FigureCanvasAgg(figure).draw()
    assert plt.get_fignums() == []
    assert len(figure.axes) == 3
    (legend,) = figure.legends
    assert [ax.get_legend() for ax in figure.axes] == [None] * 3
    named = [text.get_text().strip().split(": area 0.")[0] for text in legend.get_texts()]
    assert named == [*learners, "thin: convex hulls", "lift without a mistake"]
    assert all(", IR_B " in text.get_text() for text in legend.get_texts()[: len(learners)])
    assert len({round(text.get_window_extent().y0) for text in legend.get_texts()}) <= 4
    boxes = [ax.get_tightbbox() for ax in figure.axes]
    assert all(left.x1 <= right.x0 for left, right in pairwise(boxes))
    assert min(box.y0 for box in boxes) >= legend.get_window_extent().y1 - 2
    assert legend.get_window_extent().x0 > -4  # its padding
    assert legend.get_window_extent().x1 < figure.bbox.x1 + 4
    assert all(ax.get_window_extent().height > 1.5 * 72 for ax in figure.axes)
