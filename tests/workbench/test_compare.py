"""`compare`, as people call it with estimators of their own."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import workbench
from generators import random_aode, random_tan
from learners import NaiveBayesClassifier, PriorClassifier
from workbench import compare
from workbench.errors import WorkbenchError


class Majority(ClassifierMixin, BaseEstimator):
    """Say that the most frequent class has most of the probability."""

    def __init__(self, share=0.9):
        self.share = share

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.best_ = counts.argmax()
        return self

    def predict_proba(self, X):
        rest = (1.0 - self.share) / max(1, len(self.classes_) - 1)
        y_prob = np.full((len(X), len(self.classes_)), rest)
        y_prob[:, self.best_] = self.share if len(self.classes_) > 1 else 1.0
        return y_prob

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


TRUTHS = [random_tan(n_attributes=3, random_state=seed) for seed in range(3)]


def test_an_estimator_of_the_user_is_compared_with_ours():
    mine = Majority(share=0.8)
    results = compare({"nb": NaiveBayesClassifier(), "mine": mine}, on=TRUTHS, sizes=(30, 300), n_test=100)
    assert results.table("accuracy").index.tolist() == [("truths", "nb"), ("truths", "mine")]
    assert (results.cells()["state"] == "done").all()
    assert not hasattr(mine, "classes_")


def test_a_mapping_of_truths_gives_a_table_for_each():
    kinds = {"tan": TRUTHS, "aode": random_aode(n_attributes=2, random_state=1)}
    results = compare({"prior": PriorClassifier()}, on=kinds, sizes=(30,), n_test=50)
    counts = results.cells().groupby("source", observed=True)["replicate"].nunique()
    assert counts.to_dict() == {"tan": 3, "aode": 1}


def test_a_store_keeps_what_was_computed(tmp_path):
    first = compare({"prior": PriorClassifier()}, on=TRUTHS, sizes=(30,), store=tmp_path / "s.db", n_test=50)
    learners = {"prior": PriorClassifier(), "mine": Majority()}
    second = compare(learners, on=TRUTHS, sizes=(30,), store=tmp_path / "s.db", n_test=50)
    stamps = second.cells().set_index("learner")["finished"]
    assert stamps["prior"].tolist() == first.cells()["finished"].tolist()
    assert second.runs["computed"].tolist() == [3, 3]


SCRIPT = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from generators import random_tan
from workbench import compare


class Constant(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


truths = [random_tan(n_attributes=2, random_state=seed) for seed in range(4)]
results = compare({"mine": Constant()}, on=truths, sizes=(50,), n_test=50, n_jobs=2)
print(results.cells()["state"].tolist())
"""


@pytest.mark.slow
def test_a_class_of_a_script_reaches_the_workers(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    root = str(Path(workbench.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env={"PYTHONPATH": root}, capture_output=True, text=True
    )
    assert done.stdout.strip() == "['done', 'done', 'done', 'done']", done.stderr


@pytest.mark.parametrize(
    "on, message",
    [
        (([[1, 2]], [0]), "`on` holds a list: expected truths"),
        ("bcw", "`on` holds a str: expected truths"),
        ([], "`on` is empty"),
        ({"tan": TRUTHS, "x": 3}, "`on` holds a int: expected truths"),
    ],
    ids=["table", "name", "nothing", "number"],
)
def test_what_is_no_truth_is_told(on, message):
    with pytest.raises(WorkbenchError, match=message):
        compare({"nb": NaiveBayesClassifier()}, on=on)


def test_learners_have_names():
    with pytest.raises(WorkbenchError, match="learners is a list: expected a mapping"):
        compare([NaiveBayesClassifier()], on=TRUTHS)
    with pytest.raises(WorkbenchError, match="the study has no learners"):
        compare({}, on=TRUTHS)


def test_function_and_module_of_one_name_do_not_hide_each_other():
    assert importlib.import_module("workbench.compare").compare is workbench.compare
