"""Scores on the rows that were learned from, and of the theory that was learned."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from typer.testing import CliRunner

from generators import random_tan
from learners import C45Classifier, NaiveBayesClassifier, PriorClassifier
from workbench import compare, read_study, rescore, run, write_study
from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.cli.app import app
from workbench.engine.problem import DrawSpec, SplitSpec, build_problem
from workbench.estimators.foreign import ForeignClassifier, adapt
from workbench.estimators.recalibrated import recalibrated
from workbench.metrics import (
    accuracy,
    frequency_complexity,
    kl_divergence,
    make_scorer,
    significance,
    theory_complexity,
    whole_message,
)
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores

TRUTHS = """
name = "truths"
seed = 4
learners = ["nb", "prior"]

[[sources]]
generator = "tan"
n_attributes = 3

[design]
replicates = 2
sizes = [20]
n_test = 30

[scores]
metrics = ["accuracy", "kl_divergence", "significance", "ir_b"]
priors = ["training"]
cutoffs = ["none", "2002"]
"""
TABLES = """
name = "tables"
seed = 4
learners = ["nb", "prior"]
sources = [{dataset = "iris"}]
design = {kind = "half_splits", repeats = 2}
scores = {metrics = ["accuracy", "kl_divergence", "significance", "ir_b"]}
"""
ROWS = ("test", "exact", "training")


class Sets(ClassifierMixin, BaseEstimator):
    """Names the first class in every second row and all classes in the others; remembers what it is asked."""

    asked: list[int] = []  # noqa: RUF012 - of the class, as studies clone learners

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.p_ = counts / len(y)
        return self

    def predict_proba(self, X):
        self.asked.append(len(X))
        return np.tile(self.p_, (len(X), 1))

    def predict_set(self, X):
        named = np.ones((len(X), len(self.classes_)), dtype=bool)
        named[::2, 1:] = False
        return named


class Telling(Sets):
    """A learner that declares a theory of so many bits; with fewer than none, that it has no theory."""

    def __init__(self, bits=3.0):
        self.bits = bits

    def theory_complexity(self):
        if self.bits < 0:
            raise ValueError("10 trees vote: a vote is no theory")
        return SimpleNamespace(total=self.bits)


def study(toml, rows=ROWS, **learners):
    made = read_study(toml)
    specs = tuple(LearnerSpec(key, estimator=one) for key, one in learners.items()) or made.learners
    return replace(made, learners=specs, scores=replace(made.scores, rows=rows))


def without(frame, rows):
    return frame[frame["rows"] != rows].reset_index(drop=True)


# ---- scores on training rows


def test_on_truths_are_those_of_the_answers_on_the_training_rows():
    made = study(TRUTHS, sets=Sets())
    frame = run(made).frame().query("rows == 'training' and cutoff == 'none'")
    for (replicate,), own in frame.groupby(["replicate"]):
        spec = DrawSpec(made.sources[0].only(replicate), made.seed, replicate, 30, exact=False)
        problem = build_problem(spec)
        X, y = problem.training_rows(20, 0)
        learner, codes = Sets().fit(X, y), problem.codes(y)
        columns = [problem.classes.index(label) for label in learner.classes_]
        y_prob = np.zeros((20, len(problem.classes)))
        y_prob[:, columns] = learner.predict_proba(X)
        y_set = np.zeros(y_prob.shape, dtype=bool)
        y_set[:, columns] = learner.predict_set(X)
        value = own.set_index("metric")["value"]
        assert value["accuracy"] == accuracy(codes, y_prob)
        assert value["kl_divergence"] == kl_divergence(problem.truth.posterior(X), y_prob)
        assert value["significance"] == significance(codes, y_set)


def test_on_tables_are_those_of_the_answers_on_the_training_part():
    made = study(TABLES, nb=NaiveBayesClassifier())
    frame = run(made).frame().query("rows == 'training' and cutoff == 'none'")
    assert set(frame["metric"]) == {"accuracy", "significance", "ir_b"}  # nobody knows the truth
    for replicate in range(2):
        problem = build_problem(SplitSpec(made.sources[0], made.design, made.seed, replicate, 0))
        X, y = problem.training_rows(75, 0)
        right = NaiveBayesClassifier().fit(X, y).predict(X) == y
        own = frame[(frame["replicate"] == replicate) & (frame["metric"] == "accuracy")]
        assert own["value"].tolist() == [right.mean()]


@pytest.mark.parametrize("toml", [TRUTHS, TABLES], ids=["truths", "tables"])
def test_leave_cells_and_other_scores_as_they_are(toml):
    plain, more = study(toml, ("test", "exact")), study(toml)
    before, after = run(plain), run(more)
    assert before.cells()["identity"].tolist() == after.cells()["identity"].tolist()
    pd.testing.assert_frame_equal(without(after.frame(), "training"), before.frame(), check_exact=True)
    assert set(after.frame()["rows"]) - set(before.frame()["rows"]) == {"training"}


def test_are_asked_of_a_learner_only_where_a_study_wants_them():
    assert Scores().rows == ("test", "exact")
    for rows, asked in ((("test",), [30, 30]), (("test", "training"), [30, 20, 30, 20])):
        Sets.asked.clear()
        run(study(TRUTHS, rows, sets=Sets()), isolate=False)
        assert Sets.asked == asked


def test_are_said_in_toml_and_in_compare():
    toml = TRUTHS + 'rows = ["training", "test"]\n'
    made = read_study(toml)
    assert made.scores.rows == ("training", "test")
    assert read_study(write_study(made)) == made
    results = compare(
        {"nb": NaiveBayesClassifier()}, on=random_tan(random_state=1), sizes=20, rows="training"
    )
    assert set(results.frame()["rows"]) == {"training"}
    with pytest.raises(WorkbenchError, match="'trainin' in rows; did you mean 'training'"):
        Scores(rows=("trainin",))


def test_cannot_be_added_to_a_finished_study(tmp_path):
    store = tmp_path / "s.db"
    run(study(TRUTHS, ("test", "training")), store)
    added = rescore(store, "log_loss")
    assert set(added.results.frame().query("metric == 'log_loss'")["rows"]) == {"test"}
    assert added.left_out[0].startswith("training scores of log_loss cannot be added")
    assert rescore(store, "accuracy").left_out == ()


def test_that_a_finished_study_lacks_are_reported(tmp_path):
    plain = tmp_path / "plain.db"
    run(study(TABLES, ("test",)), plain)
    run(study(TABLES, ("test", "training")), plain)
    output = CliRunner().invoke(app, ["status", str(plain)]).output
    assert "4 done cells have no accuracy (training rows)" in output
    assert "training scores cannot be added to cells that are done: use a new store for them" in output


# ---- the theory itself


def theory_study(toml=TRUTHS, metrics=("theory_complexity", "accuracy"), rows=("test", "exact"), **learners):
    made = study(toml, rows, **learners)
    return replace(made, scores=replace(made.scores, metrics=metrics))


def test_has_one_score_whatever_rows_priors_and_cut_offs_are_asked():
    key = ScoreKey("theory_complexity", "none", "none", "none")
    every = {"priors": ("training", "test"), "cutoffs": ("none", "2002")}
    assert Scores(("theory_complexity",), rows=ROWS, **every).keys == (key,)
    assert Scores(("theory_complexity",), rows=("exact",)).keys == (key,)
    for toml in (TRUTHS, TABLES):
        results = run(theory_study(toml, ("theory_complexity",), one=Telling(3.0), two=Telling(0.0)))
        assert results.score_keys == [tuple(key)]
        values = results.frame().groupby("learner", observed=True)["value"].unique()
        assert {learner: list(value) for learner, value in values.items()} == {"one": [3.0], "two": [0.0]}


def test_is_no_score_of_learners_that_tell_none_and_fails_no_cell():
    learners = {"theory": Telling(), "votes": Telling(-1.0), "nb": NaiveBayesClassifier()}
    learners["recalibrated"] = recalibrated(Telling(), folds=2)
    results = run(theory_study(**learners))
    assert results.cells()["state"].tolist() == ["done"] * 8
    frame = results.frame()
    assert set(frame[frame["metric"] == "theory_complexity"]["learner"]) == {"theory"}
    assert set(frame[frame["metric"] == "accuracy"]["learner"]) == {*learners}


def test_is_reported_by_other_peoples_learners_too():
    X = pd.DataFrame({"a": pd.Categorical(["u", "v", "u"])})
    y = pd.Series(pd.Categorical(["n", "p", "n"]))
    assert theory_complexity(adapt(Telling()).fit(X, y)) == 3.0
    assert not hasattr(ForeignClassifier(GaussianNB()), "theory_complexity")
    refusing = adapt(Telling()).fit(X.iloc[::2], y.iloc[::2])
    assert theory_complexity(refusing) == 3.0
    refusing.refused_ = "one class"
    with pytest.raises(ValueError, match="refused training rows of a single class"):
        theory_complexity(refusing)
    assert make_scorer(theory_complexity)(Telling().fit(X, y), X, y) == -3.0
    with pytest.raises(ValueError, match="scores theories, which have no probabilities to clip"):
        make_scorer(theory_complexity, cutoff="2002", n_train=3)


def test_cannot_be_added_to_a_finished_study_either(tmp_path):
    store = tmp_path / "s.db"
    run(study(TABLES, ("test",), theory=Telling(), prior=PriorClassifier()), store)
    with pytest.raises(WorkbenchError, match=r"^scores of .*theory_complexity\) cannot be added"):
        rescore(store, "theory_complexity")
    made = theory_study(TABLES, theory=Telling(), prior=PriorClassifier(), rows=("test",))
    run(made, store)  # finds all cells done
    output = CliRunner().invoke(app, ["status", str(store)]).output
    assert "4 done cells have no theory complexity" in output


# ---- the whole message: the theory, and the training rows given it


@pytest.mark.parametrize("rows", [("test",), ("test", "training")])
@pytest.mark.parametrize("toml", [TRUTHS, TABLES], ids=["truths", "tables"])
def test_the_whole_message_is_the_theory_and_the_training_rows_whatever_rows_are_named(toml, rows):
    key = ScoreKey("whole_message", "none", "training", "none")
    assert Scores(("whole_message",), rows=rows, cutoffs=("none", "2002")).keys == (key,)
    metrics = ("whole_message", "theory_complexity", "frequency_complexity")
    results = run(
        theory_study(toml, metrics, ("test", "training"), theory=Telling(), nb=NaiveBayesClassifier())
    )
    wide = results.frame().pivot_table(
        index=["replicate", "fold", "learner"], columns=["metric", "rows"], values="value", observed=True
    )
    own = wide.xs("theory", level="learner")
    np.testing.assert_allclose(
        own["whole_message", "training"],
        own["theory_complexity", "none"] + own["frequency_complexity", "training"],
        rtol=1e-12,
    )
    assert wide.xs("nb", level="learner")["whole_message"].isna().all(axis=None)
    alone = run(theory_study(toml, ("whole_message",), rows, theory=Telling()))
    assert alone.score_keys == [tuple(key)]
    assert alone.frame()["value"].tolist() == own["whole_message", "training"].tolist()
    assert alone.choose("whole_message") == key


def test_the_whole_message_of_a_learner_without_sets_is_of_its_most_probable_classes():
    class Silent(Telling):
        predict_set = property()  # there is none

    made = theory_study(TABLES, ("whole_message", "theory_complexity"), ("test",), theory=Silent())
    frame = run(made).frame()
    problem = build_problem(SplitSpec(made.sources[0], made.design, made.seed, 0, 0))
    X, y = problem.training_rows(75, 0)
    sets = np.tile(np.eye(3, dtype=bool)[Silent().fit(X, y).p_.argmax()], (75, 1))
    expected = 3.0 + frequency_complexity(problem.codes(y), sets)
    own = frame[(frame["metric"] == "whole_message") & (frame["replicate"] == 0)]
    assert own["value"].tolist() == pytest.approx([expected])


def test_the_whole_message_can_be_asked_of_a_learner_and_by_a_scorer():
    X, y = random_tan(random_state=3).sample(200, random_state=1)
    tree = C45Classifier().fit(X, y)
    sets = tree.predict_set(X)
    parts = tree.theory_complexity().total, frequency_complexity(y, sets, classes=tree.classes_)
    assert whole_message(tree, y, sets, classes=tree.classes_) == pytest.approx(sum(parts))
    assert min(parts) > 0
    assert make_scorer(whole_message)(tree, X, y) == pytest.approx(-sum(parts))
    with pytest.raises(ValueError, match="NaiveBayesClassifier has no theory_complexity"):
        whole_message(NaiveBayesClassifier().fit(X, y), y, sets, classes=tree.classes_)
