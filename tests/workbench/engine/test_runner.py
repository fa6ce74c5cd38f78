"""Running: the same numbers however they come about, failures as rows, nothing computed twice."""

import os
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from generators import Network, random_aode, random_naive_bayes, random_tan
from learners import AODEClassifier, NaiveBayesClassifier, PriorClassifier, TANClassifier
from workbench import Study, compare, load, read_study, run
from workbench.base.cell import Cell
from workbench.base.errors import FailedCells, OneClass, RareClass, WorkbenchError
from workbench.designs import Design, FiveByTwo, FreshSamples, HalfSplits
from workbench.engine.problem import SplitSpec, build_problem
from workbench.engine.progress import Silent
from workbench.engine.runner import missing_cells
from workbench.estimators.truth_classifier import TruthClassifier
from workbench.metrics import clip_probabilities, log_loss
from workbench.store.failures import first_clause
from workbench.study.dataset_source import DatasetSource
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source


class Fragile(ClassifierMixin, BaseEstimator):
    """Fail on small training sets, and count the fits."""

    least = 30
    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        if len(X) < self.least:
            raise RuntimeError("too few rows\nand a second line")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture
def fragile(monkeypatch) -> Study:
    monkeypatch.setattr(Fragile, "fits", 0)
    return study(fragile=Fragile(), prior=PriorClassifier())


def study(*, scores=("ir_b", "kl_divergence"), n_test=50, **learners) -> Study:
    return Study(
        "tiny",
        1,
        (Source("tan", generator="tan", parameters={"n_attributes": 2, "n_classes": 4}),),
        tuple(LearnerSpec(key, estimator=estimator) for key, estimator in learners.items()),
        design=FreshSamples(replicates=3, sizes=(20, 40), n_test=n_test),
        scores=Scores(metrics=scores),
    )


def same(a: pd.DataFrame, b: pd.DataFrame) -> bool:
    """Whether all scores are equal bit for bit."""
    return a.drop(columns="value").equals(b.drop(columns="value")) and (
        a["value"].to_numpy().tobytes() == b["value"].to_numpy().tobytes()
    )


def test_a_failure_is_a_row_and_the_others_go_on(fragile):
    with pytest.warns(FailedCells):
        cells = run(fragile).cells().set_index(["learner", "n_train"])
    assert (cells.loc["prior", "state"] == "done").all()
    assert (cells.loc[("fragile", 40), "state"] == "done").all()
    failed = cells.loc[("fragile", 20)]
    assert (failed["state"] == "failed").all()
    assert (failed["message"] == "RuntimeError: too few rows").all()
    assert failed["traceback"].str.contains("and a second line").all()


def test_the_same_call_computes_only_what_is_missing(tmp_path, fragile):
    with pytest.warns(FailedCells):
        first = run(fragile, tmp_path / "s.db")
    fits = Fragile.fits
    progress = Silent()
    with pytest.warns(FailedCells):
        second = run(fragile, tmp_path / "s.db", progress=progress)
    assert (progress.computed, progress.found, Fragile.fits) == (0, 12, fits)
    assert same(first.frame(), second.frame())
    assert (second.cells()["attempts"] == 1).all()


def test_what_failed_is_tried_again_when_asked_for(tmp_path, fragile, monkeypatch):
    with pytest.warns(FailedCells):
        run(fragile, tmp_path / "s.db", isolate=False)
    assert [len(cells) for cells in missing_cells(fragile, tmp_path / "s.db")] == [0, 12]
    assert [len(cells) for cells in missing_cells(fragile, tmp_path / "s.db", retry=["failed"])] == [3, 12]
    monkeypatch.setattr(Fragile, "least", 0)
    with pytest.raises(WorkbenchError, match="'timed out' cannot be retried"):
        run(fragile, tmp_path / "s.db", retry="timed out")
    progress = Silent()
    cells = run(fragile, tmp_path / "s.db", retry="failed", progress=progress, isolate=False).cells()
    assert (progress.computed, progress.failed) == (3, 0)
    assert (cells["state"] == "done").all()
    assert (cells["message"] == "").all()
    assert cells.groupby(["learner", "n_train"], observed=True)["attempts"].max().to_dict() == {
        ("fragile", 20): 2, ("fragile", 40): 1, ("prior", 20): 1, ("prior", 40): 1,
    }  # fmt: skip


def test_failed_cells_are_warned_of_where_the_user_called(fragile):
    with pytest.warns(FailedCells) as caught:
        run(fragile)
    (warning,) = caught
    assert warning.filename == __file__
    assert str(warning.message).startswith("3 of 12 cells failed")
    assert "RuntimeError: too few rows" in str(warning.message)


class Moody(Fragile):
    """Fail for one of four reasons, mostly the second."""

    def fit(self, X, y):
        n = int((y == y.iloc[0]).sum()) % 7
        raise ValueError(("rare", "Input contains NaN", *["Input contains NaN: more"] * 3, "odd", "late")[n])


def test_the_most_frequent_causes_of_failures_are_counted():
    moody = study(moody=Moody(), fragile=Fragile())
    with pytest.warns(FailedCells) as caught:
        cells = run(moody, isolate=False).cells()
    counts = cells["message"].map(first_clause)[cells["state"] == "failed"].value_counts()
    (warning,) = caught
    said = [int(n) for n in re.findall(r"(\d+) with [\"']", str(warning.message))]
    assert said == counts.tolist()[:3]
    assert ("other cause" in str(warning.message)) == (len(counts) > 3)


def test_classes_with_fewer_rows_than_folds_are_named_once():
    X = pd.DataFrame({"x": np.arange(60.0) % 7})
    y = np.array(["veryrare"] * 3 + ["often"] * 57)
    said = "^source 'r': class 'veryrare' has 3 rows for 5 folds: some training or test parts lack it"
    with pytest.warns(RareClass, match=said) as caught:
        compare(["prior"], on={"r": (X, y)}, cv=5, metrics="accuracy")
    assert len(caught) == 1
    compare(["prior"], on={"r": (X, y)}, cv=3, metrics="accuracy")


def test_a_score_that_is_undefined_everywhere_is_not_asked_for_again():
    X, y = pd.DataFrame({"x": np.arange(40.0) % 7}), np.array(["a"] * 20 + ["b"] * 20)
    halves = KFold(2)  # each part is of one class
    with pytest.warns(OneClass, match="^in 2 of 4 cells the training rows have one class"):
        found = compare(
            ["prior", LogisticRegression()], on={"r": (X, y)}, cv=halves, metrics=["accuracy", "auc"]
        )
    with pytest.raises(
        WorkbenchError, match=r"the study asks for auc, but none of 4 done cells has a value: .*same class"
    ):
        found.table("auc")


def test_a_table_of_failures_alone_says_why(fragile, monkeypatch):
    monkeypatch.setattr(Fragile, "least", 100)
    with pytest.warns(FailedCells):
        results = run(study(fragile=Fragile()), isolate=False)
    with pytest.raises(WorkbenchError, match=r"^all 6 cells failed: RuntimeError: too few rows$"):
        results.table()


def test_an_interrupted_run_goes_on_where_it_was(tmp_path, tiny):
    class Stop(Silent):
        def advance(self, done, failed):
            super().advance(done, failed)
            if self.computed >= 6:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tiny, tmp_path / "s.db", progress=Stop())
    progress = Silent()
    resumed = run(tiny, tmp_path / "s.db", progress=progress)
    assert (progress.computed, progress.found) == (12, 6)
    assert same(resumed.frame(), run(tiny).frame())
    assert resumed.runs["ended"].isna().tolist() == [True, False]


def test_more_learners_and_sizes_reuse_the_store(tmp_path, tiny_toml):
    first = run(read_study(tiny_toml), tmp_path / "s.db").frame()
    larger = tiny_toml.replace('["cart"', '["nb", "cart"').replace("[20, 40]", "[20, 40, 60]")
    progress = Silent()
    second = run(read_study(larger), tmp_path / "s.db", progress=progress).frame()
    assert (progress.computed, progress.found) == (18, 18)
    old = second[(second["n_train"] < 60) & (second["learner"] != "nb")].reset_index(drop=True)
    assert same(old.astype({"learner": str}), first.astype({"learner": str}))


def test_results_are_of_the_study_run_last(tmp_path, tiny_toml):
    run(read_study(tiny_toml), tmp_path / "s.db")
    smaller = tiny_toml.replace('["cart", "prior", "truth"]', '["truth", {learner="cart", max_depth=1}]')
    results = run(read_study(smaller), tmp_path / "s.db")
    assert set(results.cells()["learner"]) == {"truth", "cart"}
    assert len(results.cells()) == 12


def test_the_order_of_the_learners_changes_no_number(tiny_toml):
    turned = tiny_toml.replace('["cart", "prior", "truth"]', '["truth", "cart", "prior"]')
    order = ["source", "replicate", "n_train", "learner", "metric", "prior", "rows", "cutoff"]
    frames = [
        run(read_study(text)).frame().astype({"learner": str}).sort_values(order, ignore_index=True)
        for text in (tiny_toml, turned)
    ]
    assert same(*frames)


@pytest.mark.process
def test_two_processes_give_the_same_bits(tiny):
    assert same(run(tiny, n_jobs=2).frame(), run(tiny).frame())


@pytest.mark.process
def test_a_worker_of_the_users_backend_that_dies_is_reported_in_a_sentence(tmp_path):
    class Deadly(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            os._exit(3)

        def predict(self, X):
            raise AssertionError

    with (
        joblib.parallel_config(backend="loky"),
        pytest.raises(WorkbenchError, match="a worker process ended unexpectedly"),
    ):
        run(study(deadly=Deadly()), tmp_path / "s.db", n_jobs=2)
    cells = load(tmp_path / "s.db").cells()
    assert (cells["state"] == "pending").all()


@pytest.mark.slow
def test_a_backend_of_the_user_is_respected(tiny):
    names: set[str] = set()

    class Spy(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            names.add(threading.current_thread().name)
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.full(len(X), self.classes_[0])

    with joblib.parallel_config(backend="threading"):
        threads = run(tiny, n_jobs=2)
        run(study(spy=Spy()), n_jobs=2)
    assert names
    assert "MainThread" not in names
    assert same(threads.frame(), run(tiny).frame())


def test_a_learners_own_seed_derives_from_its_cell():
    forest = {"bags": BaggingClassifier(DecisionTreeClassifier(max_features=1), n_estimators=3)}
    first, second = run(study(**forest)), run(study(prior=PriorClassifier(), **forest))
    mine = second.frame()[second.frame()["learner"] == "bags"].reset_index(drop=True)
    assert same(first.frame().astype({"learner": str}), mine.astype({"learner": str}))


def test_a_generator_that_fails_later_fails_its_cells(monkeypatch):
    broken = Study(
        "broken",
        1,
        (Source("tan", generator="tan"), Source("aode", generator="aode")),
        (LearnerSpec("prior", learner="prior"),),
        design=FreshSamples(replicates=1, sizes=(20,)),
    )
    draw = Source.draw

    def fail(source, *, seed, replicate):
        if source.key == "tan" and sys._getframe(1).f_code.co_name == "build":
            raise RuntimeError("no such luck")
        return draw(source, seed=seed, replicate=replicate)

    monkeypatch.setattr(Source, "draw", fail)
    build_problem.cache_clear()  # another test may have run the same study
    with pytest.warns(FailedCells):
        cells = run(broken).cells().set_index("source")
    assert cells["state"].to_dict() == {"tan": "failed", "aode": "done"}


def test_one_class_in_training_is_no_error():
    rare = Network(
        ("x", "y"), ((0, 1), ("no", "yes")), ((1,), ()), ([[0.5, 0.5], [0.1, 0.9]], [0.999, 0.001]), 1
    )
    learners = {"nb": NaiveBayesClassifier(), "cart": DecisionTreeClassifier(), "prior": PriorClassifier()}
    results = compare(learners, on=rare, sizes=(5,), n_test=100)
    assert (results.cells()["state"] == "done").all()


def test_a_truth_that_is_too_large_has_no_exact_scores():
    large = random_naive_bayes(n_attributes=17, arity=2, n_classes=2, random_state=1)
    results = compare({"prior": PriorClassifier()}, on=[large], sizes=(20,), n_test=50)
    assert set(results.frame()["rows"]) == {"test"}
    assert results.missing_scores() == {}


LEARNERS = {
    "nb": NaiveBayesClassifier(),
    "tan": TANClassifier(),
    "aode": AODEClassifier(),
    "cart": DecisionTreeClassifier(),
    "prior": PriorClassifier(),
    "truth": TruthClassifier(),
}


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    truths = {
        make.__name__: [make(n_attributes=(2, 4), random_state=seed) for seed in range(4)]
        for make in (random_naive_bayes, random_tan, random_aode)
    }
    return compare(
        LEARNERS, on=truths, sizes=(30, 300), metrics=("ir_b", "kl_divergence"), n_test=100
    ).frame()


def pick(scores, **words):
    return scores[np.logical_and.reduce([scores[name] == word for name, word in words.items()])]


def test_the_truth_has_exact_divergence_zero(scores):
    found = pick(scores, learner="truth", metric="kl_divergence", rows="exact", cutoff="none")
    assert len(found) == 24
    assert (found["value"] == 0.0).all()


@pytest.mark.parametrize("rows", ["test", "exact"])
def test_the_prior_has_reward_zero_to_the_bit(scores, rows):
    found = pick(scores, learner="prior", metric="ir_b", prior="training", rows=rows, cutoff="none")
    assert len(found) == 24
    assert (found["value"] == 0.0).all()


def test_nobody_beats_the_truth(scores):
    found = pick(scores, metric="ir_b", prior="marginal", rows="exact", cutoff="none")
    wide = found.pivot_table(
        index=["source", "replicate", "n_train"], columns="learner", values="value", observed=True
    )
    assert len(wide) == 24
    assert (wide.drop(columns="truth").max(axis=1) <= wide["truth"]).all()


def test_exact_scores_are_near_those_of_a_large_test_set():
    frame = run(study(scores=("ir_b", "accuracy"), n_test=20_000, nb=NaiveBayesClassifier())).frame()
    wide = frame.pivot_table(
        index=["replicate", "n_train", "metric", "prior"], columns="rows", values="value"
    )
    np.testing.assert_allclose(wide["test"], wide["exact"], atol=0.03)


@dataclass(frozen=True)
class Doubling(Design):
    """Ask for larger training sets while the last ones still helped, at most three times."""

    key = "doubling"

    def rounds(self, plan) -> Iterator[tuple[Cell, ...]]:
        for size in (10, 20, 40):
            yield tuple(
                Cell(source, 0, size, learner) for source in plan.sources for learner in plan.learners
            )
            assert plan.scores()["n_train"].max() == size


def test_a_design_of_several_rounds_sees_the_scores_of_earlier_ones(tmp_path):
    adaptive = Study(
        "rounds", 1, (Source("tan", generator="tan"),), (LearnerSpec("nb", learner="nb"),), design=Doubling()
    )
    results = run(adaptive, tmp_path / "s.db")
    assert results.cells()["n_train"].tolist() == [10, 20, 40]
    progress = Silent()
    run(adaptive, tmp_path / "s.db", progress=progress)
    assert (progress.computed, progress.found) == (0, 3)


@pytest.mark.parametrize("n_jobs", [0, 1.5, True])
def test_n_jobs_is_a_number_of_processes(tiny, n_jobs):
    with pytest.raises(WorkbenchError, match="expected a number of processes"):
        run(tiny, n_jobs=n_jobs)


@dataclass(frozen=True)
class FirstHalf(HalfSplits):
    """Learn from the first rows and test on the last."""

    def split(self, codes, fold, seed):
        rows = np.arange(len(codes))
        return rows[: len(rows) // 2], rows[len(rows) // 2 :]


def table(last=("u", "v", "u"), dtype=object):
    """Six rows, of which the last three are tested on."""
    text = pd.Series(["u", "v", "u", *last], dtype=dtype)
    return pd.DataFrame({"text": text, "number": [1.5, 2.5, 3.5, 1.5, 2.5, 3.5]}), list("abaaba")


def posed(rows):
    return SplitSpec(DatasetSource("t", rows=rows), FirstHalf(), seed=1, replicate=0, fold=0).build()


@pytest.mark.parametrize("dtype", [object, "str"])
def test_values_that_only_test_rows_show_are_unknown_to_learners(dtype):
    plain, strange = posed(table(dtype=dtype)), posed(table(last=("w", "v", None), dtype=dtype))
    learner = AODEClassifier()
    arities = [learner.fit(*p.training_rows(0, 0)).arities_.tolist() for p in (plain, strange)]
    assert arities[0] == arities[1] == [2, 1]
    assert strange.test.X["text"].cat.codes.tolist() == [-1, 1, -1]
    X, _ = table(last=(None, "v", None))
    np.testing.assert_array_equal(
        learner.predict_proba(strange.test.X), learner.predict_proba(X.iloc[3:].astype({"text": object}))
    )
    assert plain.test_digest != strange.test_digest
    hole = posed(table(last=(None, "v", None), dtype=dtype))
    assert hole.test_digest != strange.test_digest  # of the rows as they are


def test_declared_values_stay_declared_whoever_shows_them():
    X, y = table()
    X["text"] = pd.Categorical(X["text"], ["u", "v", "w"])
    problem = posed((X, y))
    assert AODEClassifier().fit(*problem.training_rows(0, 0)).arities_.tolist() == [3, 1]


class Sure(Fragile):
    """Be sure of the first class."""

    least = 0

    def predict_proba(self, X):
        return np.tile([1.0, 0.0], (len(X), 1))


def test_cut_offs_go_by_the_rows_that_a_stratified_part_has():
    y = np.array(["a"] * 5 + ["b"] * 6)
    X = pd.DataFrame({"x": np.arange(11.0)})
    results = compare({"sure": Sure()}, on=(X, y), metrics="log_loss", design=FiveByTwo())
    frame = results.frame().query("cutoff == '2002'").set_index(["replicate", "fold"])["value"]
    source, sizes = DatasetSource("rows", rows=(X, y)), set()
    for replicate, fold in frame.index:
        problem = SplitSpec(source, FiveByTwo(), 0, replicate, fold).build()
        n_train = len(problem.training_rows(0, 0)[1])
        sizes.add(n_train)
        forecast = clip_probabilities(np.tile([1.0, 0.0], (11 - n_train, 1)), n_train=n_train, rule="2002")
        assert frame[replicate, fold] == log_loss(problem.test.y, forecast, classes=[0, 1])
    assert sizes == {5, 6}
    assert results.cells()["n_train"].nunique() == 1  # the nominal size is the label


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.process)])
def test_an_integer_column_is_reported_once(n_jobs):
    many = np.arange(24) ** 2
    X = pd.DataFrame({"few": [1, 2, 3, 1] * 6, "many": many, "other": [0, 1] * 12})
    learners = {"nb": NaiveBayesClassifier(), "aode": AODEClassifier()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = compare(learners, on=(X, list("abba") * 6), metrics="accuracy", n_jobs=n_jobs)
    (message,) = [str(warning.message) for warning in caught]
    assert message.startswith("source 'rows': columns 'few', 'other' hold integers")
    assert {warning.filename for warning in caught} == {__file__}
    assert (results.cells()["state"] == "done").all()


@pytest.mark.filterwarnings("error")
def test_no_warning_of_integers_where_nothing_is_guessed():
    X = pd.DataFrame({"few": [1, 2, 3, 1] * 6})
    learners = {"nb": NaiveBayesClassifier(categorical_features=["few"]), "tree": DecisionTreeClassifier()}
    results = compare(learners, on=(X, list("abba") * 6), metrics="accuracy")
    assert (results.cells()["state"] == "done").all()
