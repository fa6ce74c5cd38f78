"""Kernels are compiled before somebody waits for them."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from generators.base import compiled
from workbench.base import catalogue
from workbench.cli.app import app
from workbench.engine.progress import Silent
from workbench.engine.warming import COLD, small_studies, warm
from workbench.study.learner_spec import LearnerSpec

ASK = """
import numpy as np, pandas as pd
from learners import NaiveBayesClassifier
from generators.base.compiled import when_compiling
X = pd.DataFrame({"a": pd.Categorical(["x", "y", None, "x"]), "b": [0.5, 1.5, np.nan, 2.5]})
with when_compiling(lambda begins: print("compiles") if begins else None):
    NaiveBayesClassifier().fit(X, ["yes", "no", "no", "yes"]).predict_proba(X)
"""


def test_the_default_is_every_learner_that_needs_no_other():
    on_truths, on_table = ({spec.key for spec in study.learners} for study in small_studies())
    assert on_truths == {*catalogue.keys("learners")} - COLD
    assert on_truths - on_table == {"truth", "optimal", "optimal_mixture"}


def test_learners_that_need_a_truth_are_given_no_table():
    assert len(small_studies(["truth"])) == 1


def test_learners_are_fitted_to_truths_and_to_numbers_and_holes():
    progress = Silent()
    found = warm(small_studies(["nb", "cart", "optimal"]), n_jobs=1, progress=progress)
    assert found.failed == {}
    assert set(found.learners) == {"nb", "cart", "optimal"}
    assert progress.computed == 8  # three learners on two kinds of truth, two on a table


def test_a_learner_that_fails_everywhere_is_named():
    knn = LearnerSpec("knn", "sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 1000})
    studies = [replace(study, learners=(*study.learners, knn)) for study in small_studies(["prior"])]
    found = warm(studies, n_jobs=1, progress=Silent())
    assert found.learners == ("prior",)
    assert set(found.failed) == {"knn"}
    assert "n_neighbors" in found.failed["knn"]


@pytest.mark.process
def test_a_learner_that_is_warm_compiles_nothing(tmp_path):
    environment = {**os.environ, compiled.VARIABLE: str(tmp_path)}
    run = [sys.executable, "-m", "workbench", "warm", "nb"]
    said = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert f"kept in {tmp_path}" in said.stdout
    run = [sys.executable, "-c", ASK]
    asked = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert asked.stdout == ""


def test_an_unknown_learner_is_refused_in_a_sentence():
    said = CliRunner().invoke(app, ["warm", "aoed"])
    assert said.exit_code == 2
    assert "unknown learner 'aoed'; did you mean 'aode'" in said.stderr
