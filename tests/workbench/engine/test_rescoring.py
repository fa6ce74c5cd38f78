"""Sets of learners in studies, and scores added to a finished study: the same bits as from the start."""

import json
import re
import sqlite3
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

from generators import random_tan
from learners import NaiveBayesClassifier
from workbench import Study, compare, load, read_study, rescore, run
from workbench.base import catalogue
from workbench.base.errors import LeftOutWarning, WorkbenchError
from workbench.cli.app import app
from workbench.designs import HalfSplits
from workbench.engine.problem import DrawSpec, build_problem
from workbench.engine.progress import Silent
from workbench.estimators.foreign import adapt
from workbench.metrics import METRICS, as_sets, frequency_complexity, significance
from workbench.metrics._shared.base import ScoringRule
from workbench.metrics._shared.checks import align_sets
from workbench.store.outcome import Prediction
from workbench.study import dataset_source as table_source
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source

FIRST = ("accuracy",)
LATER = ("ir_b", "log_loss", "kl_divergence", "significance", "frequency_complexity")

TRUTHS = """
name = "truths"
seed = 3
learners = ["nb", "cart", "prior"]

[[sources]]
generator = "tan"
n_attributes = 3
n_classes = [3, 4]

[design]
replicates = 3
sizes = [8, 40]
training_sets = 2
n_test = 60

[scores]
metrics = ["accuracy"]
cutoffs = ["none", "2002"]
"""

TABLES = """
name = "tables"
seed = 3
learners = ["nb", "cart", "prior"]
sources = [{dataset = "iris"}, {dataset = "wine"}]
design = {kind = "five_by_two"}
scores = {metrics = ["accuracy"], priors = ["training", "test"], cutoffs = ["none", "2002"]}
"""


class Sets(ClassifierMixin, BaseEstimator):
    """Names every class that is at least as frequent as a share, and forecasts the frequencies."""

    def __init__(self, share=0.3, kind=bool):
        self.share = share
        self.kind = kind

    def fit(self, X, y):
        labels, counts = np.unique(y, return_counts=True)
        self.classes_ = labels[::-1]  # an order of its own
        self.p_ = counts[::-1] / len(y)
        return self

    def predict_proba(self, X):
        return np.tile(self.p_, (len(X), 1))

    def predict_set(self, X):
        # another set for every second row, so that the order of the rows counts
        named = np.tile(self.p_ >= self.share, (len(X), 1))
        named[::2, 0] = ~named[::2, 0]
        return named.astype(self.kind)


def with_metrics(toml, *metrics):
    return toml.replace('metrics = ["accuracy"]', f"metrics = {json.dumps([*FIRST, *metrics])}")


def scores_of(results, rows="test"):
    frame = results.frame()
    return (
        frame[frame["rows"] == rows]
        .sort_values(list(frame.columns[:10]))
        .reset_index(drop=True)
        .astype({"source": str, "learner": str})
    )


def count_scores(path):
    connection = sqlite3.connect(path)
    (n,) = connection.execute("SELECT count(*) FROM scores").fetchone()
    connection.close()
    return n


# ---- learners that predict sets


def set_study(*metrics, **learners):
    return Study(
        "sets",
        1,
        (Source("tan", generator="tan", parameters={"n_attributes": 2, "n_classes": 4}),),
        tuple(LearnerSpec(key, estimator=estimator) for key, estimator in learners.items()),
        design=replace(read_study(TRUTHS).design, replicates=2, training_sets=1),
        scores=Scores(metrics, cutoffs=("none", "2002")),
    )


def test_a_learner_is_asked_for_its_sets_on_the_test_rows_in_their_order():
    study = set_study(
        "accuracy", "significance", "frequency_complexity", sets=Sets(), nb=NaiveBayesClassifier()
    )
    results = run(study)
    assert (results.cells()["state"] == "done").all()
    assert {key for key in results.score_keys if key[0] in ("significance", "frequency_complexity")} == {
        ("significance", "none", "test", "none"),
        ("frequency_complexity", "none", "test", "none"),
    }
    frame = (
        results.frame()
        .set_index(["metric", "cutoff", "learner", "replicate", "n_train"])["value"]
        .sort_index()
    )
    for replicate in range(2):
        problem = build_problem(DrawSpec(study.sources[0], 1, replicate, 60, exact=True))
        for n_train in (8, 40):
            X, y = problem.training_rows(n_train, 0)
            learner = adapt(Sets()).fit(X, y)
            own = align_sets(learner.predict_set(problem.test.X), learner.classes_, problem.classes)
            nb = NaiveBayesClassifier().fit(X, y)
            most_probable = as_sets(nb.predict(problem.test.X), classes=problem.classes)
            for metric in (significance, frequency_complexity):
                for key, sets in (("sets", own), ("nb", most_probable)):
                    value = frame.loc[metric.name, "none", key, replicate, n_train].item()
                    assert value == metric(problem.test.y, sets)


def test_a_class_that_training_lacks_is_in_no_set():
    X = pd.DataFrame({"a": pd.Categorical(["u", "v", "u"])})
    y = pd.Series(pd.Categorical(["n", "p", "n"], categories=["n", "p", "q"]))
    learner = adapt(Sets(0.5)).fit(X, y)
    assert learner.classes_.tolist() == ["p", "n"]
    assert align_sets(learner.predict_set(X), learner.classes_, ("n", "q", "p")).tolist() == [
        [True, False, True],
        [True, False, False],
        [True, False, True],
    ]
    only = adapt(Sets(0.5)).fit(X, pd.Series(["n"] * 3))  # which learns from one class as well
    assert only.predict_set(X).tolist() == [[False], [True], [False]]
    assert not hasattr(adapt(GaussianNB()), "predict_set")


@pytest.mark.parametrize(
    ("sets", "sentence"),
    [
        ([[0, 1]], "predict_set has int64 values: expected True where a class is predicted"),
        ([[True]], r"predict_set has shape \(1, 1\): expected a column for each of 2 classes"),
        ([[True, True]], r"the learner names class 'x', .* declared .*\['b', 'a'\]"),
    ],
)
def test_sets_that_do_not_fit_are_refused(sets, sentence):
    with pytest.raises(ValueError, match=sentence):
        align_sets(np.array(sets), ["a", "x"], ["b", "a"])


def test_answers_are_kept_bit_for_bit():
    rng = np.random.default_rng(1)
    y_prob, y_set = rng.dirichlet(np.ones(3), 7), rng.random((7, 3)) < 0.5
    kept = Prediction.of(y_prob, y_set)
    np.testing.assert_array_equal(kept.y_prob, y_prob)
    np.testing.assert_array_equal(kept.y_set, y_set)
    assert Prediction.of(y_prob, None).y_set is None


def test_metrics_of_sets_are_of_test_rows_alone():
    with pytest.raises(WorkbenchError, match=r'significance has no exact score and rows is \["exact"\]'):
        Scores(("ir_b", "significance"), rows=("exact",))


# ---- the same bits as from the start


@pytest.mark.parametrize("toml", [TRUTHS, TABLES], ids=["truths", "tables"])
def test_added_scores_are_those_of_a_study_that_had_them_from_the_start(tmp_path, toml):
    store = tmp_path / "s.db"
    later = [name for name in LATER if toml is TRUTHS or name != "kl_divergence"]
    run(read_study(toml), store)
    added = rescore(store, later)
    expected = scores_of(run(read_study(with_metrics(toml, *later))))
    pd.testing.assert_frame_equal(scores_of(added.results), expected, check_exact=True)
    pd.testing.assert_frame_equal(scores_of(load(store)), expected, check_exact=True)
    n_cells = len(load(store).cells())
    assert (added.n_cells, added.n_found) == (n_cells, 0)
    assert added.n_scores == len(expected) - count_of_first(expected)
    again = rescore(store, later)
    assert (again.n_scores, again.n_cells, again.n_found) == (0, 0, n_cells)
    assert count_scores(store) == len(load(store).frame())


def count_of_first(frame):
    return int((frame["metric"] == "accuracy").sum())


def test_all_metrics_can_be_added(tmp_path):
    run(read_study(TRUTHS), tmp_path / "s.db")
    added = rescore(tmp_path / "s.db", [name for name in METRICS if name != "accuracy"])
    assert set(added.results.frame()["metric"]) == {*METRICS} - {"theory_complexity", "whole_message"}
    assert "theory_complexity, whole_message" in added.left_out[-1]


def test_a_learners_own_sets_are_kept_for_metrics_that_come_later(tmp_path):
    learners = {"sets": Sets(), "nb": NaiveBayesClassifier()}
    run(set_study("accuracy", **learners), tmp_path / "s.db")
    added = rescore(tmp_path / "s.db", ["significance", "laplace_complexity"])
    expected = run(set_study("accuracy", "significance", "laplace_complexity", **learners))
    pd.testing.assert_frame_equal(scores_of(added.results), scores_of(expected), check_exact=True)


@pytest.mark.slow
def test_priors_and_cut_offs_are_those_of_the_study_unless_they_are_named(tmp_path):
    run(read_study(TRUTHS), tmp_path / "s.db")
    rescore(tmp_path / "s.db", "ir_b", priors=["uniform"], cutoffs=["2001"])
    assert [key for key in load(tmp_path / "s.db").score_keys if key[0] == "ir_b"] == [
        ("ir_b", "uniform", "test", "2001")
    ]
    rescore(tmp_path / "s.db", "ir_b")
    results = load(tmp_path / "s.db")
    found = {(key[1], key[3]) for key in results.score_keys if key[0] == "ir_b"}
    assert found == {
        ("uniform", "2001"),
        *((p, c) for p in ("training", "marginal") for c in ("none", "2002")),
    }
    prior = results.frame().query("metric == 'ir_b' and prior == 'training' and learner == 'prior'")
    assert (prior["value"] == 0.0).all()


class StopsAfter(Silent):
    """Press Ctrl-C after some cells."""

    def __init__(self, n):
        super().__init__()
        self.n = n

    def advance(self, done, failed):
        super().advance(done, failed)
        if self.computed >= self.n:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_an_interrupted_rescoring_goes_on_where_it_was(tmp_path):
    study, store = read_study(TRUTHS), tmp_path / "s.db"
    run(study, store)
    with pytest.raises(KeyboardInterrupt):
        rescore(store, LATER, progress=StopsAfter(12))
    metrics = load(store).frame().groupby("metric").size()
    assert set(metrics.index) == {*FIRST, *LATER}
    progress = StopsAfter(1000)
    added = rescore(store, LATER, progress=progress)
    assert (added.n_cells, added.n_found) == (len(load(store).cells()) - 12, 12)
    assert (progress.computed, progress.found) == (added.n_cells, added.n_found)
    expected = run(read_study(with_metrics(TRUTHS, *LATER)))
    pd.testing.assert_frame_equal(scores_of(added.results), scores_of(expected), check_exact=True)


# ---- sources that are posed again


@pytest.fixture
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture
def own_file(tmp_path, iris):
    path = tmp_path / "own.csv"
    pd.concat(iris, axis=1).to_csv(path, index=False)
    return path


#: A pipeline is nothing that TOML can say.
UNSAYABLE = {"nb": NaiveBayesClassifier(), "pipe": make_pipeline(StandardScaler(), GaussianNB())}


def test_a_file_is_read_again(tmp_path, own_file):
    compare({"nb": NaiveBayesClassifier()}, on=str(own_file), metrics="accuracy", store=tmp_path / "s.db")
    added = rescore(tmp_path / "s.db", "log_loss")
    expected = compare({"nb": NaiveBayesClassifier()}, on=str(own_file), metrics=("accuracy", "log_loss"))
    pd.testing.assert_frame_equal(scores_of(added.results), scores_of(expected), check_exact=True)


def test_a_file_that_has_changed_is_reported_and_nothing_is_written(tmp_path, own_file):
    compare({"nb": NaiveBayesClassifier()}, on=str(own_file), metrics="accuracy", store=tmp_path / "s.db")
    before = count_scores(tmp_path / "s.db")
    own_file.write_text(own_file.read_text(encoding="utf-8").replace("5.1", "5.2"), encoding="utf-8")
    table_source._load.cache_clear()  # as in another process
    with pytest.raises(
        WorkbenchError, match=r"'own' has other rows than when the study was run.*nothing was"
    ):
        rescore(tmp_path / "s.db", "log_loss")
    assert count_scores(tmp_path / "s.db") == before


def test_truths_that_were_handed_over_are_kept_where_toml_can_say_the_learners(tmp_path):
    truths = [random_tan(n_attributes=2, random_state=seed) for seed in range(3)]
    arguments = {"sizes": (20,), "n_test": 30}
    learners = {"nb": NaiveBayesClassifier(alpha=0.5)}
    compare(learners, on=truths, metrics="accuracy", store=tmp_path / "s.db", **arguments)
    added = rescore(tmp_path / "s.db", ["kl_divergence", "ir_b"])
    expected = compare(learners, on=truths, metrics=("accuracy", "kl_divergence", "ir_b"), **arguments)
    pd.testing.assert_frame_equal(scores_of(added.results), scores_of(expected), check_exact=True)
    (sentence,) = added.left_out
    assert sentence.startswith("exact scores of kl_divergence, ir_b cannot be added")


def test_rows_that_were_handed_over_have_to_be_handed_over_again(tmp_path, iris):
    store = tmp_path / "s.db"
    compare(UNSAYABLE, on={"mine": iris}, metrics="accuracy", store=store, design=HalfSplits(repeats=2))
    with pytest.raises(WorkbenchError, match=r"has no copy of the source 'mine', passed in Python"):
        rescore(store, "log_loss")
    X, y = iris
    with pytest.raises(WorkbenchError, match="'mine' has other rows than when the study was run"):
        rescore(store, "log_loss", on={"mine": (X.round(), y)})
    with pytest.raises(WorkbenchError, match="unknown source 'min' in `on`; did you mean 'mine'"):
        rescore(store, "log_loss", on={"min": iris})
    assert "log_loss" not in set(load(store).frame()["metric"])
    added = rescore(store, "log_loss", on={"mine": iris})
    expected = compare(
        UNSAYABLE, on={"mine": iris}, metrics=("accuracy", "log_loss"), design=HalfSplits(repeats=2)
    )
    pd.testing.assert_frame_equal(scores_of(added.results), scores_of(expected), check_exact=True)


def test_a_source_that_is_skipped_is_named_in_a_warning(tmp_path, iris, own_file):
    store = tmp_path / "s.db"
    half = tuple(part.iloc[::2] for part in iris)
    compare(UNSAYABLE, on={"mine": half, "own": str(own_file)}, cv=2, metrics="accuracy", store=store)
    with pytest.warns(LeftOutWarning, match=r"has no copy of the source 'mine', passed in Python") as caught:
        added = rescore(store, "log_loss")
    assert [one.filename for one in caught] == [__file__]
    assert [str(one.message) for one in caught] == list(added.left_out)
    assert set(added.results.frame().query("metric == 'log_loss'")["source"]) == {"own"}
    printed = CliRunner().invoke(app, ["score", str(store), "--metric", "quadratic_loss"])
    assert printed.output.count("has no copy of the source 'mine'") == 1


@pytest.mark.slow
def test_test_rows_that_are_others_are_reported_before_anything_is_written(tmp_path):
    store = tmp_path / "s.db"
    run(read_study(TRUTHS), store)
    before = count_scores(store)
    with sqlite3.connect(store) as connection:  # as if the generator had drawn another last truth
        connection.execute("UPDATE cells SET test_digest = 'other' WHERE replicate = 2 AND n_train = 40")
    connection.close()
    with pytest.raises(
        WorkbenchError, match=r"has other test rows than .* \(replicate 2\).*nothing was written"
    ):
        rescore(store, "log_loss")
    assert count_scores(store) == before


def test_another_version_of_a_generator_is_reported(tmp_path, monkeypatch):
    store = tmp_path / "s.db"
    run(read_study(TRUTHS), store)
    monkeypatch.setattr(catalogue.find("generators", "tan"), "algorithm_version", 99, raising=False)
    with pytest.raises(WorkbenchError, match="source 'tan' is another generator, another version of it"):
        rescore(store, "log_loss")


@pytest.mark.slow
def test_the_data_folder_of_the_store_is_used_and_asked_for_where_it_is_gone(tmp_path, own_file, monkeypatch):
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    folder = tmp_path / "data"
    folder.mkdir()
    arff = "@relation r\n@attribute a {u,v}\n@attribute class {x,y}\n@data\n" + "u,x\nv,y\n" * 6
    (folder / "lens24.arff").write_text(arff, encoding="utf-8")
    learners = {"nb": NaiveBayesClassifier()}
    compare(learners, on="lens24", metrics="accuracy", store=tmp_path / "s.db", data=folder)
    rescore(tmp_path / "s.db", "log_loss")
    folder.rename(tmp_path / "moved")
    with pytest.raises(WorkbenchError, match=r"the data folder .* no longer exists"):
        rescore(tmp_path / "s.db", "ir_b")
    assert rescore(tmp_path / "s.db", "ir_b", data=tmp_path / "moved").n_cells == 10


# ---- what cannot be added


def test_cells_without_predictions_are_reported(tmp_path):
    store = tmp_path / "s.db"
    study = read_study(TRUTHS)
    run(replace(study, keep_predictions=False, design=replace(study.design, replicates=1)), store)
    with pytest.raises(WorkbenchError, match=r"^12 cells without stored predictions"):
        rescore(store, "significance")
    run(study, store)
    added = rescore(store, "significance")
    assert (added.n_cells, added.n_found) == (24, 0)
    assert added.left_out[0].startswith("12 cells without stored predictions")


class Moody(ScoringRule):
    """Fails where a learner is sure; not a number where it is nearly so."""

    name, unit, direction, bounds = "moody", "moods", "higher", (0.0, 1.0)

    def _by_class(self, forecast, prior):
        if forecast.max() == 1.0:
            raise ValueError("too sure\nof itself")
        return forecast


def test_a_metric_that_fails_on_a_cell_spoils_no_other(tmp_path, monkeypatch):
    monkeypatch.setitem(METRICS, "moody", Moody())
    store = tmp_path / "s.db"
    run(read_study(TRUTHS), store)
    added = rescore(store, ["moody", "log_loss"], cutoffs=["none"])
    by_metric = Counter(added.results.frame()["metric"])
    sure = 36 - by_metric["moody"]
    assert 0 < sure < 36
    assert by_metric["log_loss"] == 36
    assert f"moody has no value on {sure} cells: too sure" in added.left_out
    catalogue.find.cache_clear()


def test_a_store_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(WorkbenchError, match="there is no store"):
        rescore(tmp_path / "no.db", "log_loss")
    assert not (tmp_path / "no.db").exists()


# ---- afterwards


@pytest.fixture
def invoke(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(TRUTHS, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.mark.slow
def test_what_the_study_asks_for_later_is_added_by_the_command_that_status_names(invoke):
    invoke("run", "s.toml", "--store", "s.db")
    Path("s.toml").write_text(with_metrics(TRUTHS, "ir_b").replace("[scores]", '[scores]\nrows = ["test"]'))
    printed = invoke("run", "s.toml", "--store", "s.db").stdout
    (command,) = re.findall("workbench (score .*)", printed)
    assert invoke(*command.split()).exit_code == 0
    assert load("s.db").missing_scores() == {}
    assert "done cells" not in invoke("status", "s.db").stdout
    expected = run(read_study(Path("s.toml")))
    pd.testing.assert_frame_equal(scores_of(load("s.db")), scores_of(expected), check_exact=True)


@pytest.fixture(scope="module")
def stores():
    """Keep the bytes of the store of s.toml."""
    return []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--metric", "log_los"], "unknown metric 'log_los'; did you mean 'log_loss'?"),
        (["--metric", "ir_b", "--prior", "triaining"], "'triaining' in priors"),
        (["--metric", "ir_b", "--cutoff", "2003"], "'2003' in cutoffs"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(invoke, stores, arguments, sentence):
    if not stores:
        invoke("run", "s.toml", "--store", "s.db")
        stores.append(Path("s.db").read_bytes())
    Path("s.db").write_bytes(stores[0])
    result = invoke("score", "s.db", *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
