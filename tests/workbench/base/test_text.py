"""Values in messages are written as plain ones, wherever they came from."""

import io

import numpy as np
import pandas as pd
import pytest

from workbench import metrics
from workbench.base.text import shown
from workbench.comparisons import bayesian_correlated_t, bradley_terry, corrected_t, friedman
from workbench.datasets.arff import load_arff, save_arff
from workbench.forecasts import Forecasts
from workbench.forecasts.curves import lift_curve, roc_curve
from workbench.forecasts.files import read_predictions

STRANGE, MINUS = np.str_("strange"), np.float64(-1.0)
LABELS = np.array([np.str_("a"), np.str_("b"), np.str_("a")], dtype=object)
CLASSES = np.array([np.str_("a"), np.str_("b")], dtype=object)
Y_PROB = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])
SCORES = np.random.default_rng(0).normal(size=(6, 3))
ARFF = "@relation r\n@attribute a {x,y}\n@attribute b {x,y}\n@data\nx,y\n"


def forecasts():
    return Forecasts.of(LABELS, Y_PROB, classes=CLASSES)


def predictions(**options):
    return read_predictions(io.StringIO("obs,a,b\na,0.5,0.5\nb,0.2,0.8\n"), **options)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.str_("zz"), "'zz'"),
        (np.float64(0.5), "0.5"),
        (np.bool_(True), "True"),
        (CLASSES, "['a', 'b']"),
        ([np.int64(1), (np.str_("a"),)], "[1, ('a',)]"),
        (None, "None"),
    ],
)
def test_values_of_numpy_are_written_as_plain_ones(value, text):
    assert shown(value) == text


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: forecasts().code_of(STRANGE),
        lambda: forecasts().against_rest(STRANGE),
        lambda: Forecasts.of([STRANGE, *LABELS[1:]], Y_PROB, classes=CLASSES),
        lambda: roc_curve(LABELS, Y_PROB[:, 0], positive=STRANGE),
        lambda: lift_curve(LABELS, Y_PROB[:, 0], positive=STRANGE),
        lambda: predictions(classes=[STRANGE]),
        lambda: predictions(actual=STRANGE),
        lambda: predictions(row=STRANGE),
        lambda: predictions(positive=STRANGE),
        lambda: predictions(columns={np.str_("a"): STRANGE, np.str_("b"): np.str_("b")}),
        lambda: predictions(columns={np.str_("a"): np.str_("a")}),
        lambda: predictions().prior(STRANGE),
        lambda: predictions().prior({np.str_("a"): MINUS}),
        lambda: metrics.log_loss(np.array([STRANGE, *LABELS[1:]], dtype=object), Y_PROB, classes=CLASSES),
        lambda: metrics.class_prior(LABELS, classes=CLASSES, alpha=MINUS),
        lambda: metrics.ir_b(LABELS, Y_PROB, classes=CLASSES, prior=STRANGE),
        lambda: metrics.LogLoss(base=MINUS),
        lambda: metrics.clip_probabilities(Y_PROB, n_train=3, rule=STRANGE),
        lambda: metrics.make_scorer(STRANGE),
        lambda: friedman(SCORES, learners=[STRANGE, STRANGE, np.str_("a")]),
        lambda: friedman(SCORES, learners=list("abc"), alpha=MINUS),
        lambda: corrected_t(SCORES[:, 0], test_share=MINUS),
        lambda: bayesian_correlated_t(SCORES[:, 0], rope=MINUS, test_share=0.1),
        lambda: bradley_terry(SCORES, direction="lower", n_resamples=np.int64(0)),
        lambda: load_arff(io.StringIO(ARFF), class_name=STRANGE),
        lambda: save_arff(pd.DataFrame({STRANGE: [np.inf]}), pd.Series(["a"]), "never.arff"),
    ],
)
def test_messages_show_plain_values(wrong):
    with pytest.raises(ValueError, match=r"strange|-1|0|'a'") as caught:
        wrong()
    assert "np." not in str(caught.value)
