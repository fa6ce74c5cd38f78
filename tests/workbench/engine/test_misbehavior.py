"""No learner, however it fails, ends a run, hides its cause, or costs another learner's cell."""

import os
import subprocess
import sys
import threading

import cloudpickle
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import BernoulliNB
from typer.testing import CliRunner

from generators import random_tan
from learners import CaMMLClassifier, NaiveBayesClassifier, PriorClassifier
from tests.notes import Notes
from tests.workbench.engine import runs
from tests.workbench.engine.runs import bits, by_learner, mark_as_stuck, quiet_run, stop_only_what_is_stuck
from workbench import Study, compare, load, run
from workbench.base.cell import Cell
from workbench.base.errors import NotReproducible, WorkbenchError
from workbench.cli.app import app
from workbench.designs import FreshSamples
from workbench.engine import pool, tasks
from workbench.engine.pool import WorkerPool
from workbench.engine.process import WorkerProcess
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source

pytestmark = pytest.mark.usefixtures("isolated")

#: What the cells of a harmless deed say.
DONE = ""


class Honest(ClassifierMixin, BaseEstimator):
    """Forecast the frequencies of the classes, whose code is not known to the workbench."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(np.asarray(y), return_counts=True)
        self.frequencies_ = counts / counts.sum()
        return self

    def predict_proba(self, X):
        return np.tile(self.frequencies_, (len(X), 1))


class Answers(Honest):
    """Answer something else than the frequencies."""

    def __init__(self, deed=""):
        self.deed = deed

    def predict_proba(self, X):
        return ANSWERS[self.deed][0](super().predict_proba(X))


class Fits(Honest):
    """Do something when it is fitted, and be honest afterwards, if there is an afterwards."""

    def __init__(self, deed=""):
        self.deed = deed

    def fit(self, X, y):
        super().fit(X, y)
        (RAISED | APART)[self.deed][0](self)
        return self


#: The answers of `predict_proba`, and what the message must name.
ANSWERS = {
    "NaN": (lambda good: np.where(np.eye(*good.shape), np.nan, good), "row 0 of predict_proba holds nan"),
    "negative": (lambda good: good * [[3.0, -1.0]], "predict_proba holds -"),
    "not summing to one": (lambda good: good * 0.9, "row 0 of predict_proba sums to 0.9"),
    "text": (lambda good: good.astype(str), "predict_proba has text"),
    "None": (lambda good: None, "predict_proba is None"),
    "one dimension": (lambda good: good[:, 0], "predict_proba has shape (40,)"),
    "a column too many": (lambda good: np.column_stack([good, 0 * good[:, 0]]), "has shape (40, 3)"),
    "rows too few": (lambda good: good[:-1], "predict_proba returned 39 rows for 40"),
    "other columns": (lambda good: pd.DataFrame(good, columns=["maybe", 0]), "predict_proba names its"),
    "shuffled columns": (lambda good: pd.DataFrame(good, columns=[0, 1])[[1, 0]], DONE),
    "lists": (lambda good: good.tolist(), DONE),
}


def raising(error, *words):
    """Return a deed that raises."""

    def deed(learner):
        raise error(*words)

    return deed


#: What is done in `fit`, and what the message must name.
RAISED = {
    "Exception": (raising(ValueError, "a bad day"), "ValueError: a bad day"),
    "SystemExit": (raising(SystemExit, 3), "SystemExit: 3"),
    "long message": (raising(ValueError, "long " * 200_000), "ValueError: long long"),
    "half characters": (raising(ValueError, "\udcff\x1b[2J\u202e"), r"ValueError: \udcff\x1b[2J\u202e"),
    "several lines": (raising(ValueError, "one\ntwo"), "ValueError: one"),
    "wrong classes": (
        lambda learner: setattr(learner, "classes_", ["1", "nobody"]),
        "the learner names class '1'",
    ),
    "no classes": (
        lambda learner: delattr(learner, "classes_"),
        "Fits has no classes_, so its columns cannot",
    ),
}


def rubbish(learner):
    os.write(1, b"\x00\xff rubbish" * 1000)
    print("rubbish " * 10_000)
    sys.stdout.flush()


def read(learner):
    assert sys.stdin.read() == ""


def never_ending_thread(learner):
    threading.Thread(target=threading.Event().wait).start()


#: What would hurt others in their process.
APART = {
    "KeyboardInterrupt": (raising(KeyboardInterrupt), "WorkerEnded"),
    "rubbish": (rubbish, DONE),
    "closes stdout": (lambda learner: os.closerange(1, 2), DONE),
    "reads": (read, DONE),
    "threads": (never_ending_thread, DONE),
    "programs": (lambda learner: subprocess.Popen(["sleep", "1000"]), DONE),
    "folder": (lambda learner: os.chdir("/"), DONE),
    "environment": (lambda learner: os.environ.clear(), DONE),
    "np.seterr": (lambda learner: np.seterr(all="raise"), DONE),
}


class Untidy(PriorClassifier):
    """Change all rows that it is given, in place."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        untidy(X)
        y.iloc[:] = y.iloc[0]
        return self

    def predict_proba(self, X):
        y_prob = super().predict_proba(X)
        untidy(X)
        return y_prob


def untidy(X):
    for name in list(X):
        X.loc[:, name] = X[name].iloc[0]
    del X[name]


def with_method(name, error=RuntimeError):
    """Return a classifier one of whose methods raises."""

    def method(self, *arguments, **options):
        raise error("no way")

    return object.__new__(type("Awkward", (Honest,), {name: method, "__module__": __name__}))


@pytest.fixture(autouse=True, scope="module")
def by_value():
    """Send what is defined here to workers as it is: they cannot import tests."""
    modules = (runs, sys.modules[__name__])
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    yield
    for module in modules:
        cloudpickle.unregister_pickle_by_value(module)


def study(learners, *, replicates=1, sizes=(20,), rows=("test", "exact")) -> Study:
    parameters = {"n_attributes": 2, "arity": 2, "n_classes": 2}
    return Study(
        "misbehavior",
        2,
        (Source("tan", generator="tan", parameters=parameters),),
        tuple(LearnerSpec(key, estimator=estimator) for key, estimator in learners.items()),
        design=FreshSamples(replicates=replicates, sizes=sizes, n_test=40),
        scores=Scores(rows=rows),
    )


def of(results, learner: str) -> dict:
    """Return the scores of a learner bit for bit, without its name."""
    return {(*key[:5], *key[6:]): value for key, value in bits(results, learner).items()}


def good_learners() -> dict:
    return {"nb": NaiveBayesClassifier(), "bernoulli": BernoulliNB(), "honest": Honest()}


def check(found, learner: str, words: str) -> None:
    """See that a cell is done, or has failed with a message of one line that names the cause."""
    state, message = (by_learner(found, column)[learner] for column in ("state", "message"))
    assert state == ("failed" if words else "done"), message
    assert words in message
    assert "\n" not in message
    assert len(message) <= 2100


@pytest.mark.parametrize("deed", ANSWERS)
def test_an_answer_that_is_no_distribution_fails_and_says_why(deed):
    found = quiet_run(study({"bad": Answers(deed), "honest": Honest()}), isolate=False)
    check(found, "bad", ANSWERS[deed][1])
    check(found, "honest", DONE)
    if ANSWERS[deed][1]:
        assert not bits(found, "bad")


class Global(Honest):
    """Draws from the global generator, which no seed of a cell sets."""

    def predict_proba(self, X):
        share = np.random.random()  # noqa: NPY002 - the fault
        return share / 2 + (1 - share) * super().predict_proba(X)


@pytest.mark.parametrize("size", [20, 500])
def test_a_learner_that_is_not_reproducible_is_named(isolated, size):
    learners = {"global": Global(), "honest": Honest(), "nb": NaiveBayesClassifier()}
    with pytest.warns(NotReproducible, match="learner 'global' is not reproducible") as caught:
        found = run(study(learners, sizes=(size,)), isolate=False)
    assert len([one for one in caught if one.category is NotReproducible]) == 1
    assert set(found.cells()["state"]) == {"done"}
    assert set(found.cells()["message"]) == {""}


def test_a_learner_that_is_not_reproducible_is_named_by_whatever_reads_the_store(tmp_path):
    path, learners = tmp_path / "s.db", {"global": Global(), "honest": Honest()}
    for _ in range(2):  # the second run computes nothing
        with pytest.warns(NotReproducible, match="learner 'global' is not reproducible"):
            run(study(learners), path, isolate=False)
    said = load(path).not_reproducible()
    assert [*said] == ["global"]
    assert said["global"] in CliRunner().invoke(app, ["status", str(path)]).stdout.splitlines()
    load(path).report(tmp_path / "page.md")
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert page.count("learner 'global' is not reproducible") == 1


def test_columns_of_a_frame_are_matched_by_their_names():
    found = run(study({"bad": Answers("shuffled columns"), "honest": Honest()}), isolate=False)
    assert of(found, "bad") == of(found, "honest")


@pytest.mark.parametrize("deed", RAISED)
def test_whatever_is_raised_fails_its_cell_in_this_process_too(deed):
    found = quiet_run(study({"bad": Fits(deed), "honest": Honest()}), isolate=False)
    check(found, "bad", RAISED[deed][1])
    check(found, "honest", DONE)


def test_ctrl_c_in_this_process_ends_the_run():
    with pytest.raises(KeyboardInterrupt):
        run(study({"bad": Fits("KeyboardInterrupt")}), isolate=False)


class InKernel(Honest):
    """Ctrl-C while a compiled function is being called: Python wraps it into a SystemError."""

    def fit(self, X, y):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise SystemError("a function returned a result with an exception set") from error


def test_ctrl_c_within_a_compiled_function_ends_the_run():
    with pytest.raises(KeyboardInterrupt):
        run(study({"bad": InKernel()}), isolate=False)


@pytest.mark.parametrize("rows", ["test", "training"])
def test_rows_that_a_learner_changes_are_its_own(rows):
    good = {"nb": NaiveBayesClassifier(), "honest": Honest()}
    found, whole = (
        run(study({"it": it, **good}, sizes=(20, 40), rows=(rows, "exact")), isolate=False)
        for it in (Untidy(), PriorClassifier())
    )
    assert bits(found) == bits(whole)


@pytest.mark.parametrize("method", ["get_params", "__sklearn_tags__", "__sklearn_clone__"])
def test_a_learner_that_cannot_be_described_is_refused_by_name_before_anything_runs(method, tmp_path):
    learners = {"honest": Honest(), "bad": with_method(method)}
    truth = random_tan(n_attributes=2, random_state=1)
    with pytest.raises(WorkbenchError, match=r"'bad' cannot be made.*\(RuntimeError: no way, in "):
        compare(learners, on=truth, sizes=20, store=tmp_path / "s.db")
    assert not (tmp_path / "s.db").exists()


@pytest.mark.process
def test_misdeeds_in_their_own_processes_cost_nobody_else_a_cell(tmp_path, capfd):
    bad, good, store = {deed: Fits(deed) for deed in APART}, good_learners(), tmp_path / "s.db"
    found, whole = quiet_run(study({**bad, **good}), store, n_jobs=2), run(study(good))
    for deed, (_, words) in APART.items():
        check(found, deed, words)
        assert of(found, deed) == ({} if words else of(whole, "honest")), deed
    assert capfd.readouterr().out == ""
    assert bits(found, *good) == bits(whole, *good)


class Rehearsing(Honest):
    """Do something in a rehearsal, which has few rows."""

    def __init__(self, deed="", folder=""):
        self.deed = deed
        self.folder = folder

    def fit(self, X, y):
        if len(X) <= 200 and self.deed:
            REHEARSED[self.deed](self.folder)
        return super().fit(X, y)


REHEARSED = {
    "hangs": lambda folder: (mark_as_stuck(folder), threading.Event().wait()),
    "exits": lambda folder: os._exit(3),
    "raises": lambda folder: 1 / 0,
}


@pytest.mark.process
def test_rehearsals_that_hang_end_or_raise_are_told_and_the_run_goes_on(monkeypatch, tmp_path):
    stop_only_what_is_stuck(monkeypatch, tmp_path)
    learners = {deed: Rehearsing(deed, str(tmp_path)) for deed in REHEARSED}
    notes = Notes()
    found = run(study({**learners, "honest": Honest()}, sizes=(500,)), n_jobs=1, progress=notes)
    assert set(by_learner(found, "state").values()) == {"done"}
    assert found.cells()["attempts"].tolist() == [1] * 4
    told = [line for line in notes.lines if " fails in a rehearsal" in line]
    for line, words in zip(told, ("TimeLimit", "exit code 3", "ZeroDivisionError"), strict=True):
        assert words in line


def cells_of(learners, replicates=1, n_train=500) -> list:
    return [
        (f"{learner} {i}", Cell("tan", i, n_train, learner, n_test=40))
        for i in range(replicates)
        for learner in learners
    ]


def test_rehearsals_of_unknown_code_have_a_limit_of_their_own():
    learners = {"bad": Honest(), "nb": NaiveBayesClassifier()}
    one, cells = study(learners, sizes=(500,)), cells_of(learners)
    limits = {task.cells[0][1].learner: WorkerPool(1)._limit(task) for task in tasks.rehearsals(one, cells)}
    assert limits == {"bad": pool.LONGEST_REHEARSAL, "nb": float("inf")}
    assert {WorkerPool(1, time_limit=5)._limit(task) for task in tasks.rehearsals(one, cells)} == {5}
    assert {WorkerPool(1)._limit(task) for task in tasks.tasks_of(one, cells)} == {float("inf")}


def test_a_few_learners_of_unknown_code_are_computed_at_a_time():
    learners = {**{f"own {i}": Answers(str(i)) for i in range(6)}, "nb": NaiveBayesClassifier()}
    cells = cells_of(learners, replicates=2)
    made = list(tasks.tasks_of(study(learners, replicates=2), cells))
    assert sorted(identity for task in made for identity, _, _ in task.cells) == sorted(dict(cells))
    assert [task.alone for task in made] == 2 * ["", *map("own {}".format, range(4))] + 2 * ["own 4", "own 5"]


def test_a_run_opens_with_a_task_for_each_learner_whose_code_is_known():
    learners = {"nb": NaiveBayesClassifier(), "own": Answers("a"), "camml": CaMMLClassifier()}
    one = study(learners, replicates=2, sizes=(20, 500))
    made = tasks.openings(one, cells_of(learners, replicates=2, n_train=20))
    assert [[identity for identity, _, _ in task.cells] for task in made] == [["camml 0"], ["nb 0"]]
    assert tasks.openings(one, cells_of(learners)) == []  # which have rehearsals


@pytest.mark.process
def test_few_processes_are_kept_and_none_is_started_twice_for_nothing(monkeypatch):
    n_jobs = 2
    started, most = [], []

    class Counted(WorkerProcess):
        def __init__(self, on_report, alone=""):
            super().__init__(on_report, alone)
            started.append(self)
            most.append(sum(worker.alive for worker in started))

    monkeypatch.setattr(pool, "WorkerProcess", Counted)
    learners = {f"own {i}": Rehearsing(folder=str(i)) for i in range(7)}
    found = run(study(learners, replicates=2), n_jobs=n_jobs)
    assert set(found.cells()["state"]) == {"done"}
    assert len(started) <= n_jobs * len(learners)
    assert max(most) <= 2 * n_jobs + pool.SPARE
