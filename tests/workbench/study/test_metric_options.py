"""What metrics say of options that they cannot work with, and that nobody changes a metric that is made."""

import copy
import math
import pickle

import numpy as np
import pytest

from workbench.metrics import (
    METRICS,
    CalibrationError,
    ExpectedValue,
    FrequencyComplexity,
    InformationReward,
    KononenkoBratko,
    Lift,
    LogLoss,
    Miscalibration,
    Significance,
    analytic_significance,
    class_complexity,
    class_prior,
    clip_probabilities,
    decomposition,
    good_reward,
    ir_b,
    ir_b_sum,
    make_scorer,
    reliability_table,
    significance,
)
from workbench.metrics._shared.base import Metric

EVEN = [[0.5, 0.5], [0.5, 0.5]]


def of_options(function, name, values, sentence):
    """Return cases of one option."""
    return [
        pytest.param(function, {name: value}, f"{name} is {value!r}{sentence}", id=f"{name}={value!r}")
        for value in values
    ]


@pytest.mark.parametrize(
    ("function", "options", "sentence"),
    [
        *of_options(
            lambda **options: clip_probabilities(EVEN, **options),
            "n_train",
            [math.nan, 0, True],
            ": give the number of training samples, an integer of at least 1",
        ),
        *of_options(
            lambda **options: class_prior([0, 1], **options),
            "alpha",
            [math.nan, "0.5"],
            ": give the initial value of each count, a finite number",
        ),
        *of_options(
            lambda **options: class_prior([0, 1], **options),
            "alpha",
            [-1, 0.0],
            ": give a number above 0, so that every class gets a probability",
        ),
        *of_options(
            lambda **options: class_complexity([], **options),
            "n_classes",
            [0, 2.0],
            ": give the number of classes, an integer of at least 1",
        ),
        *of_options(
            Miscalibration,
            "cell",
            [2.5, 1],
            ": give the number of samples in a cell, an integer of at least 2",
        ),
        *of_options(Miscalibration, "random_state", [-1, "a"], ": give a seed, an integer of at least 0"),
        *of_options(Miscalibration, "ties", ["cut", ["given"]], ": give one of 'averaged', 'random'"),
        *of_options(
            CalibrationError,
            "n_bins",
            [2.5, 0],
            ": give the number of bins, an integer of at least 1",
        ),
        *of_options(Lift, "share", ["0.1", math.nan], ": give the share of the samples to select, a"),
        *of_options(ExpectedValue, "reward", ["1", math.inf], ": give the value of a right prediction, a"),
        *of_options(ExpectedValue, "penalty", [None, math.nan], ": give the value of a wrong prediction, a"),
        *of_options(FrequencyComplexity, "increment", ["p", None], ": give one of 'share', 'count'"),
        *of_options(Significance, "increment", ["p", 1], ": give one of 'share', 'count'"),
        *of_options(KononenkoBratko, "rule", [2004, "2003"], ": give one of '2004', '2002'"),
        *of_options(InformationReward, "base", ["2", 10.0], ": give 2.0 for bits or math.e for nats"),
        *of_options(KononenkoBratko, "base", [10.0], ": give 2.0 for bits or math.e for nats"),
        *of_options(LogLoss, "base", [math.nan, 0.0], ": give 2.0 for bits or math.e for nats"),
        *of_options(Lift, "share", [0.0, 1.5], ": give the share of the samples to select, above 0"),
        *of_options(CalibrationError, "of", ["all classes"], ": give one of 'each class', 'predicted'"),
        *of_options(CalibrationError, "strategy", ["cells"], ": give one of 'uniform', 'quantile'"),
        *of_options(Miscalibration, "side", ["left"], ": give one of 'both', 'over', 'under'"),
        *of_options(
            lambda **options: reliability_table([0, 1], EVEN, **options),
            "n_bins",
            [0],
            ": give the number of cells, an integer of at least 1",
        ),
        *of_options(
            lambda **options: reliability_table([0, 1], EVEN, **options),
            "strategy",
            [["uniform"], "even"],
            ": give one of 'uniform', 'quantile', 'cells'",
        ),
        *of_options(
            lambda **options: reliability_table([0, 1], EVEN, **options),
            "level",
            [1.0],
            ": give a number between 0 and 1",
        ),
        *of_options(
            lambda **options: decomposition([0, 1] * 9, EVEN * 9, prior=[0.5, 0.5], **options),
            "n_folds",
            [1],
            ": give the number of folds, an integer of at least 2",
        ),
        *of_options(
            lambda **options: decomposition([0, 1] * 9, EVEN * 9, prior=[0.5, 0.5], **options),
            "n_bootstrap",
            [2.5, -1],
            ": give the number of bootstrap samples, an integer of at least 0",
        ),
        *of_options(
            lambda **options: analytic_significance(10, **options, right=5),
            "majority",
            ["6", math.nan],
            ": give a number of cases, a finite number",
        ),
    ],
)
def test_an_option_that_makes_no_sense_is_reported_in_one_sentence(function, options, sentence):
    with pytest.raises(ValueError) as raised:
        function(**options)
    assert str(raised.value).startswith(sentence)
    assert "\n" not in str(raised.value)


def test_a_prior_of_no_class_is_reported():
    with pytest.raises(ValueError, match="no class is known: give training samples, or name the classes"):
        class_prior([])
    with pytest.raises(ValueError, match="no class is known"):
        class_prior([], classes=[])
    np.testing.assert_array_equal(class_prior([], classes=["a", "b"]), [0.5, 0.5])


@pytest.mark.parametrize(
    ("prior", "what_to_pass"),
    [
        ("training", r"class_prior\(y_train\)"),
        ("test", r"class_prior\(y_true\)"),
        ("uniform", r"numpy\.full\(n_classes, 1 / n_classes\)"),
        ("marginal", r"class_prior\(y_train\)"),
    ],
)
def test_the_name_of_a_prior_is_recognized_by_its_probabilities(prior, what_to_pass):
    sentence = f"ir_b needs a prior as probabilities, but got the name prior='{prior}': pass .*"
    with pytest.raises(ValueError, match=sentence + what_to_pass):
        ir_b([0, 1], EVEN, prior=prior)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"prior": [0, 1]}, "the prior gives one class probability 1"),
        ({"prior": [0.0, 0.5, 0.5]}, "every class needs a positive probability"),
        ({"prior": [3, 1]}, "prior sums to 4: divide it by its sum"),
        ({"prior": [[0.5, 0.5]]}, r"prior has shape \(1, 2\)"),
        ({"prior": ["a", "b"]}, "prior has text: give real numbers"),
        ({"prior": [0.5, 0.5], "classes": [0, 1, 2]}, "prior has 2 entries, but classes= names 3"),
        ({"prior": "foo"}, "prior is 'foo': give prior='test'"),
        ({"prior": "test", "cutoff": "2004", "n_train": 9}, "cutoff is '2004': give one of 'none', '2002'"),
        ({"prior": "test", "cutoff": "2002"}, "cutoff is '2002' and n_train None: give both, or neither"),
        ({"prior": "test", "n_train": 9}, "cutoff is 'none' and n_train 9: give both, or neither"),
        ({"prior": "test", "cutoff": "2002", "n_train": 0}, "n_train is 0: give the number of training"),
    ],
)
def test_a_scorer_checks_its_options_when_it_is_made(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        make_scorer(ir_b, **options)


def test_sets_have_no_probabilities_to_cut_off():
    with pytest.raises(ValueError, match="significance scores sets"):
        make_scorer(significance, cutoff="2002", n_train=9)


@pytest.mark.parametrize("metric", [ir_b, significance, METRICS["expected_calibration_error"]])
def test_nobody_changes_a_metric_that_all_share(metric):
    for name in ("name", "bounds", "proper", *metric._names(), "new"):
        before = getattr(metric, name, None)
        with pytest.raises(AttributeError, match=f"^{metric.name} cannot be changed"):
            setattr(metric, name, None)
        assert getattr(metric, name, None) == before
    with pytest.raises(AttributeError, match="cannot be changed"):
        del metric.name
    for copied in (copy.copy(metric), copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert type(copied) is type(metric)
        assert vars(copied) == vars(metric)
        assert repr(copied) == repr(metric)
        with pytest.raises(AttributeError):
            copied.name = "another"


def test_the_refusal_shows_how_to_make_another():
    with pytest.raises(AttributeError, match=r"make another metric, InformationReward\(divide=False"):
        ir_b.divide = False
    with pytest.raises(AttributeError, match=r"make another metric, GoodReward\(name=\.\.\.\)$"):
        good_reward.bounds = (0.0, 1.0)


def test_metrics_are_fixed_however_their_classes_are_derived():
    class Rounded(InformationReward):
        """Ends with a constructor of its own, which may still set what it wants."""

        def __init__(self, *, digits: int = 2, name: str = "rounded") -> None:
            super().__init__(name=name)
            self.digits = digits

    class Renamed(Rounded):
        """Has no constructor."""

        unit = "bits, rounded"

    for kind in (Rounded, Renamed):
        metric = kind(digits=3)
        assert repr(metric) == f"<metric rounded (digits=3): {metric.unit}, higher is better>"
        with pytest.raises(AttributeError, match="rounded cannot be changed"):
            metric.digits = 4


@pytest.mark.parametrize(
    ("metric", "shown"),
    [
        (ir_b, "<metric ir_b: bits, higher is better>"),
        (ir_b_sum, "<metric ir_b_sum (divide=False): bits, higher is better>"),
        (
            Miscalibration(ties="given", cell=5),
            "<metric miscalibration (cell=5, ties='given'): root of summed squares, lower is better>",
        ),
        (Lift(share=0.5), "<metric lift (share=0.5): times the rate of the class, higher is better>"),
    ],
    ids=lambda value: "",
)
def test_options_are_shown(metric: Metric, shown: str):
    assert repr(metric) == shown


def test_a_scorer_shows_the_options_of_its_metric():
    assert repr(make_scorer(Miscalibration(ties="given"))) == "make_scorer(Miscalibration(ties='given'))"
    scorer = make_scorer(ir_b, prior="test", cutoff="2001", n_train=7)
    assert repr(scorer) == "make_scorer(ir_b, prior='test', cutoff='2001', n_train=7)"
    assert pickle.loads(pickle.dumps(scorer)).n_train == 7
