"""Classifiers with weights from a file: nothing is downloaded, and other weights are another learner."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import workbench
from generators import random_tan
from learners import NaiveBayesClassifier
from workbench.base.errors import WorkbenchError
from workbench.base.identity import learner_identity
from workbench.estimators.pretrained import pretrained


class Foundation(ClassifierMixin, BaseEstimator):
    """As those with weights are made: it reads a file, or would download one."""

    def __init__(self, model_path=None, allow_auto_download=True, random_state=None):
        self.model_path = model_path
        self.allow_auto_download = allow_auto_download
        self.random_state = random_state

    def fit(self, X, y):
        if self.allow_auto_download:
            raise OSError("no network")
        with open(self.model_path, encoding="utf-8") as file:
            self.weight_ = json.load(file)["weight"]
        self.types_ = X.dtypes
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        return self

    def predict_proba(self, X):
        even = np.full(len(self.classes_), 1 / len(self.classes_))
        return np.tile(self.weight_ * even + (1 - self.weight_) * self.shares_, (len(X), 1))


@pytest.fixture
def weights(tmp_path):
    place = tmp_path / "model.ckpt"
    place.write_text('{"weight": 0.25}')
    return place


@pytest.fixture
def rows():
    return random_tan(n_attributes=4, n_classes=3, random_state=1).sample(60, random_state=2)


def test_it_forecasts_with_the_weights_of_the_file(weights, rows):
    X, y = rows
    learner = pretrained(Foundation(), weights).fit(X, y)
    shares = y.value_counts(normalize=True).reindex(learner.classes_).to_numpy()
    assert learner.predict_proba(X)[0] == pytest.approx(0.25 / 3 + 0.75 * shares)
    assert (learner.predict(X) == y.mode()[0]).all()
    assert {str(dtype) for dtype in learner.fitted_.estimator_.types_} == {"category"}


def test_other_weights_are_another_learner(weights, rows, tmp_path):
    X, y = rows
    options = {"on": (X, y), "cv": 2, "store": tmp_path / "store.sqlite", "progress": False}
    learners = {"model": pretrained(Foundation(), weights), "prior": "prior"}
    first = workbench.compare(learners, **options)
    assert (first.cells()["state"] == "done").all()
    weights.write_text('{"weight": 0.75}')
    with pytest.raises(WorkbenchError, match="not the expected ones"):
        learners["model"].fit(X, y)
    second = workbench.compare({**learners, "model": pretrained(Foundation(), weights)}, **options)
    before, after = (one.scores("ir_b").set_index("learner").loc["model", "value"] for one in (first, second))
    assert not (before.to_numpy() == after.to_numpy()).any()


def test_the_same_weights_elsewhere_are_the_same_learner(weights, tmp_path, monkeypatch):
    moved = tmp_path / "moved.ckpt"
    moved.write_bytes(weights.read_bytes())
    monkeypatch.chdir(tmp_path)
    places = (weights, moved, "model.ckpt", "./model.ckpt")
    found = [learner_identity(pretrained(Foundation(), place)) for place in places]
    assert all(one == found[0] for one in found)
    moved.write_text('{"weight": 0.5}')
    assert learner_identity(pretrained(Foundation(), moved)) != found[0]


def test_a_study_file_names_the_class_and_the_file(weights, rows):
    place = f"{__name__}:Foundation"
    learner = workbench.read_study(
        f"""
        name = "weights"
        seed = 1
        [[sources]]
        key = "tan"
        generator = "tan"
        [[learners]]
        key = "model"
        learner = "pretrained"
        of = "{place}"
        weights = {json.dumps(str(weights))}
        [design]
        kind = "fresh_samples"
        replicates = 1
        sizes = [50]
        """
    ).learners[0]
    assert learner.build().fit(*rows).fitted_.estimator_.weight_ == 0.25


@pytest.mark.parametrize(
    ("of", "file", "said"),
    [
        (Foundation(), "absent.ckpt", "which is not a file.*downloads none"),
        (Foundation(), None, "weights is None"),
        (NaiveBayesClassifier(), "model.ckpt", "got a NaiveBayesClassifier: expected .*'model_path'"),
        (None, "model.ckpt", "got no classifier"),
    ],
)
def test_what_cannot_be_used_is_named(of, file, said, weights, rows):
    with pytest.raises(WorkbenchError, match=said):
        pretrained(of, file and weights.with_name(file)).fit(*rows)
