"""Learners of other people join a study with one line: an installed package's, and all of scikit-learn's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import multiclass, multioutput
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.naive_bayes import BernoulliNB
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import all_estimators
from typer.testing import CliRunner

import workbench
from generators import draw_with, random_tan
from workbench import read_study
from workbench.base.errors import FailedCells, WorkbenchError
from workbench.cli.app import app
from workbench.estimators.foreign import ForeignClassifier

PACKAGE = Path(__file__).resolve().parents[2] / "third_party"
STUDY = """
name = "guest"
seed = 1
learners = ["nb", GUEST]

[[sources]]
generator = "tan"
n_attributes = 3
n_classes = 2
class_entropy = [0.8, 1]

[design]
replicates = 2
sizes = [40]
n_test = 50

[scores]
metrics = ["accuracy", "ir_b"]
cutoffs = ["none", "2002"]
"""
#: Parameters of classifiers whose defaults do not suit 40 rows, or warn.
OPTIONS = {
    "CalibratedClassifierCV": "cv = 2",
    "LogisticRegressionCV": (
        'cv = 2, l1_ratios = [0.0], scoring = "neg_log_loss", use_legacy_attributes = false'
    ),
    "MLPClassifier": 'solver = "lbfgs", max_iter = 2000',
    "NuSVC": "nu = 0.2",  # 0.5 is more than the rarer class allows
    "QuadraticDiscriminantAnalysis": 'solver = "eigen", shrinkage = 0.1',  # one-hot columns are dependent
    "RadiusNeighborsClassifier": "radius = 2.0",  # rows that differ in one attribute are 1.4 away
}
_RULES = [("nb", BernoulliNB()), ("tree", DecisionTreeClassifier(random_state=0))]
#: Classifiers that need another one, which a line of TOML cannot give.
NEEDING = {
    "FixedThresholdClassifier": FixedThresholdClassifier(LogisticRegression()),
    "OneVsOneClassifier": multiclass.OneVsOneClassifier(Perceptron()),
    "OneVsRestClassifier": multiclass.OneVsRestClassifier(LogisticRegression()),
    "OutputCodeClassifier": multiclass.OutputCodeClassifier(LogisticRegression()),
    "SelfTrainingClassifier": SelfTrainingClassifier(BernoulliNB()),
    "StackingClassifier": StackingClassifier(_RULES, cv=2),  # shows `predict` only when it is fitted
    "TunedThresholdClassifierCV": TunedThresholdClassifierCV(LogisticRegression(), cv=2),
    "VotingClassifier": VotingClassifier(_RULES),
}
#: Classifiers of several classes at once, which a study has not.
SEVERAL = {
    "ClassifierChain": multioutput.ClassifierChain(LogisticRegression()),
    "MultiOutputClassifier": multioutput.MultiOutputClassifier(LogisticRegression()),
}
KINDS = dict(all_estimators(type_filter="classifier"))
ALONE = [name for name in KINDS if name not in (*NEEDING, *SEVERAL)]


def one_line(name: str, options: str = "", key: str = "guest") -> str:
    """Return the line that names a classifier of scikit-learn in a study, by its public module."""
    place = f"{KINDS[name].__module__.partition('._')[0]}:{name}"
    return f'{{ key = "{key}", learner = "{place}"{options and ", "}{options} }}'


def check_scored(results: workbench.Results, key: str) -> None:
    """Check that a learner's cells are done, with scores that are finite after the cut-off at the latest."""
    cells = results.cells().query("learner == @key")
    assert cells["state"].tolist() == ["done"] * 2, cells["message"].tolist()
    scores = results.frame().query("learner == @key")
    accuracy = scores[scores["metric"] == "accuracy"]["value"]
    assert accuracy.between(0.0, 1.0).all()
    assert np.isfinite(scores[scores["cutoff"] == "2002"]["value"]).all()
    assert not scores["value"].isna().any()


@pytest.fixture(scope="module")
def truths() -> list:
    return [
        draw_with(random_tan, class_entropy=(0.8, 1), n_attributes=3, n_classes=2, random_state=seed).truth
        for seed in range(2)
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Class PassiveAggressiveClassifier is deprecated:FutureWarning")
def test_every_classifier_of_scikit_learn_is_one_line_of_a_study():
    lines = ", ".join(one_line(name, OPTIONS.get(name, ""), name) for name in ALONE)
    results = workbench.run(read_study(STUDY.replace("GUEST", lines)))
    for name in ALONE:
        check_scored(results, name)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:y contains no unlabeled samples:UserWarning")
def test_a_classifier_around_another_is_one_line_of_a_comparison(truths):
    results = workbench.compare(NEEDING, on=truths, sizes=(40,), n_test=50)
    for name in NEEDING:
        check_scored(results, name)


@pytest.mark.parametrize("name", ["VotingClassifier", "ClassifierChain"])
def test_a_study_refuses_a_classifier_that_lacks_another_in_one_sentence(name):
    with pytest.raises(WorkbenchError, match=r"learner 'guest' is .*expected an unfitted scikit-learn class"):
        read_study(STUDY.replace("GUEST", one_line(name)))


@pytest.mark.parametrize("name", SEVERAL)
def test_a_classifier_of_several_classes_fails_its_own_cells_with_a_reason(name, truths):
    guests = {"guest": SEVERAL[name], "nb": BernoulliNB()}
    with pytest.warns(FailedCells, match="2 of 4 cells failed"):
        results = workbench.compare(guests, on=truths, sizes=(40,), n_test=50)
    check_scored(results, "nb")
    failed = results.cells().query("learner == 'guest'")
    assert failed["state"].tolist() == ["failed"] * 2
    assert failed["message"].str.match(r"\w*(Error|Exception): .{10}").all(), failed["message"].tolist()


def test_defaults_that_do_not_suit_fail_with_the_reason_of_the_classifier():
    study = read_study(STUDY.replace("GUEST", one_line("QuadraticDiscriminantAnalysis")))
    with pytest.warns(FailedCells):
        results = workbench.run(study)
    messages = results.cells().query("learner == 'guest'")["message"]
    assert messages.str.contains("covariance matrix of class .* is not full rank").all()
    check_scored(results, "nb")


@pytest.mark.parametrize(("missed", "found"), [(1e-7, 1.0), (1e-9, 1.0 - 1e-9), (1e-3, 1.0 - 1e-3)])
def test_rows_that_miss_one_by_rounding_are_divided_and_no_others(missed, found):
    class Rounding(BernoulliNB):
        def predict_proba(self, X):
            return np.full((len(X), 2), [0.25, 0.75 - missed])

    X = pd.DataFrame({"a": pd.Categorical(["u", "v"])})
    y_prob = ForeignClassifier(Rounding()).fit(X, pd.Series(["n", "p"])).predict_proba(X)
    np.testing.assert_allclose(y_prob.sum(axis=1), found, rtol=0, atol=1e-14)


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Install the package into a folder of its own, from its files and without a network."""
    site = tmp_path_factory.mktemp("site")
    offline = ("--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check", "--quiet")
    command = (sys.executable, "-m", "pip", "install", *offline, "--target", str(site), str(PACKAGE))
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return site


#: Runs the commands that it is given, and prints what each printed.
COMMANDS = """
import json, sys
from typer.testing import CliRunner
from workbench.cli.app import app
done = [CliRunner().invoke(app, words.split()) for words in sys.argv[1:]]
assert not any(one.exit_code for one in done), [one.output for one in done]
print(json.dumps([one.stdout for one in done]))
"""


@pytest.fixture(scope="module")
def shell(installed, tmp_path_factory):
    """Run commands in processes that have the package; give what each printed, a function, and the folder."""
    folder = tmp_path_factory.mktemp("guest")
    (folder / "study.toml").write_text(STUDY.replace("GUEST", '"kernel"'), encoding="utf-8")
    home = Path(workbench.__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": f"{home}{os.pathsep}{installed}", "COLUMNS": "120"}

    def shell(*commands: str) -> list[str]:
        code = (sys.executable, "-c", COMMANDS, *commands)
        done = subprocess.run(code, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    listings = ("list learners", "list learners kernel")
    said = shell("run study.toml --store guest.db", *listings, "run study.toml --store guest.db")
    assert "4 cells computed, 0 already there, 0 failed" in said[0]
    return said, shell, folder


@pytest.fixture
def without(shell, monkeypatch):
    """Return a function that follows a command here, where the package is not installed."""
    monkeypatch.chdir(shell[2])
    return lambda *words: CliRunner().invoke(app, words)


@pytest.mark.process
def test_the_short_key_of_an_installed_package_joins_a_study(shell):
    results = workbench.load(shell[2] / "guest.db")
    check_scored(results, "kernel")
    assert np.isfinite(results.frame()["value"]).all()


@pytest.mark.process
def test_a_store_knows_the_class_and_the_version_of_the_package(shell):
    learner = workbench.load(shell[2] / "guest.db").study.learners["kernel"]
    name = {"class": "kernel_learner:KernelClassifier", "version": "0.1.0"}
    assert learner == {**name, "parameters": {}}


@pytest.mark.process
def test_the_key_is_listed_with_its_class_and_package(shell, without):
    assert ["kernel", "taken", "accepted", "no"] in [line.split() for line in shell[0][1].splitlines()]
    assert "class: KernelClassifier" in shell[0][2]
    assert "package kernel-learner 0.1.0" in shell[0][2]
    assert "kernel" not in without("list", "learners").stdout


@pytest.mark.process
def test_the_same_study_again_computes_nothing(shell):
    assert "0 cells computed, 4 already there" in shell[0][3]


@pytest.mark.process
def test_workers_find_the_package(shell):
    (said,) = shell[1]("run study.toml --store two.db --jobs 2")
    assert "4 cells computed, 0 already there, 0 failed" in said


@pytest.mark.process
def test_without_the_package_a_run_says_what_is_missing(without):
    done = without("run", "study.toml", "--store", "guest.db")
    assert done.exit_code == 2
    assert done.stderr.startswith("workbench: unknown learner 'kernel'; expected one of 'ande'")
    assert done.stderr.endswith("install the package that adds it\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.process
def test_without_the_package_scores_stay_readable(without):
    assert "4 done" in without("status", "guest.db").stdout
    compared = without("compare", "guest.db", "--score", "accuracy", "--base", "nb")
    assert compared.exit_code == 0, compared.stderr
    assert "kernel" in compared.stdout
    assert without("export", "guest.db", "--to", "scores.csv").exit_code == 0
    scores = pd.read_csv("scores.csv")
    assert np.isfinite(scores[scores["learner"] == "kernel"]["value"]).all()


@pytest.mark.process
def test_without_the_package_kept_forecasts_are_scored(without):
    done = without("score", "guest.db", "--metric", "quadratic_loss")
    assert done.exit_code == 0, done.stderr
    scores = workbench.load("guest.db").frame().query("learner == 'kernel' and metric == 'quadratic_loss'")
    assert len(scores) == 2 * 2  # truths and cut-offs, on test rows
    assert np.isfinite(scores["value"]).all()
