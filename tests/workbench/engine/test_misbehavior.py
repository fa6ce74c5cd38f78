"""No learner, however it fails, ends a run, hides its cause, or costs another learner's cell."""

import os
import signal
import sys
import time
import warnings

import cloudpickle
import pytest
from sklearn.naive_bayes import BernoulliNB

from generators import random_tan
from learners import NaiveBayesClassifier, PriorClassifier
from tests import misbehavior
from tests.misbehavior import ANSWERS, ASKED, DEEDS, DONE, HARMLESS, Answers, Fits, Honest, Refusing, Untidy
from tests.notes import Notes
from workbench import Results, Study, compare, run
from workbench.base.cell import Cell
from workbench.base.errors import FailedCells, WorkbenchError
from workbench.designs import FreshSamples
from workbench.engine import pool, tasks
from workbench.engine.pool import WorkerPool
from workbench.engine.process import WorkerProcess
from workbench.study.learner_spec import LearnerSpec
from workbench.study.scores import Scores
from workbench.study.source import Source

pytestmark = pytest.mark.usefixtures("isolated")

GOOD = ("nb", "bernoulli", "honest")
#: Deeds that hurt nobody but their cells where all learners share a process.
RAISED = [deed for deed in list(DEEDS)[: list(DEEDS).index("no classes")] if deed != "KeyboardInterrupt"]


@pytest.fixture(autouse=True, scope="module")
def by_value():
    """Send what the tests define to workers as it is: they cannot import tests."""
    modules = (misbehavior, sys.modules[__name__])
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


def quiet_run(*arguments, **options) -> Results:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedCells)
        return run(*arguments, **options)


def endings(results: Results) -> dict:
    """Return state and message of the one cell of each learner."""
    cells = results.cells().astype({"learner": str}).set_index("learner")
    return {key: (cells.at[key, "state"], cells.at[key, "message"]) for key in cells.index}


def bits(results: Results, learner: str) -> dict:
    """Return a learner's scores bit for bit, by all else that names them."""
    frame = results.frame().astype({"learner": str, "source": str})
    frame = frame[frame["learner"] == learner].drop(columns="learner")
    return {tuple(row[:-3]): row[-3].hex() for row in frame.itertuples(index=False)}


def good_learners() -> dict:
    return {"nb": NaiveBayesClassifier(), "bernoulli": BernoulliNB(), "honest": Honest()}


def check(ending: tuple[str, str], words: str) -> None:
    """See that a cell is done, or has failed with a message of one line that names the cause."""
    state, message = ending
    assert state == ("failed" if words else "done"), message
    assert words in message
    assert "\n" not in message
    assert len(message) <= 2100


@pytest.mark.parametrize("deed", ANSWERS)
def test_an_answer_that_is_no_distribution_fails_and_says_why(deed):
    found = quiet_run(study({"bad": Answers(deed), "honest": Honest()}), isolate=False)
    check(endings(found)["bad"], ANSWERS[deed][1])
    check(endings(found)["honest"], DONE)
    if ANSWERS[deed][1]:
        assert not bits(found, "bad")


def test_columns_of_a_frame_are_matched_by_their_names():
    found = run(study({"bad": Answers("shuffled columns"), "honest": Honest()}), isolate=False)
    assert bits(found, "bad") == bits(found, "honest")


@pytest.mark.parametrize("deed", RAISED)
def test_whatever_is_raised_fails_its_cell_in_this_process_too(deed):
    found = quiet_run(study({"bad": Fits(deed), "honest": Honest()}), isolate=False)
    check(endings(found)["bad"], DEEDS[deed][1])
    check(endings(found)["honest"], DONE)


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


@pytest.mark.parametrize("deed", ["np.log", "np.seterr", "warnings"])
def test_what_a_learner_changes_in_this_process_reaches_no_score(deed):
    found = run(study({"bad": Fits(deed), **good_learners()}), isolate=False)
    whole = run(study(good_learners()), isolate=False)
    assert bits(found, "bad") == bits(whole, "honest")
    assert all(bits(found, learner) == bits(whole, learner) for learner in GOOD)


@pytest.mark.parametrize("rows", ["test", "training"])
def test_rows_that_a_learner_changes_are_its_own(rows):
    learners = {"bad": Untidy(), **good_learners()}
    found = run(study(learners, sizes=(20, 40), rows=(rows, "exact")), isolate=False)
    whole = run(study({"prior": PriorClassifier(), **good_learners()}, sizes=(20, 40), rows=(rows, "exact")))
    assert bits(found, "bad") == bits(whole, "prior")
    assert all(bits(found, learner) == bits(whole, learner) for learner in GOOD)


@pytest.mark.parametrize("error", [RuntimeError, SystemExit])
@pytest.mark.parametrize("method", ASKED)
def test_a_learner_that_cannot_be_described_is_refused_by_name_before_anything_runs(method, error, tmp_path):
    learners = {"honest": Honest(), "bad": misbehavior.with_method(method, error)}
    truth = random_tan(n_attributes=2, random_state=1)
    sentence = rf"^learner 'bad' cannot be made, copied or described \({error.__name__}: no way, in "
    with pytest.raises(WorkbenchError, match=sentence):
        compare(learners, on=truth, sizes=20, store=tmp_path / "s.db")
    assert not (tmp_path / "s.db").exists()


def test_a_learner_that_cannot_be_made_again_is_refused_by_name():
    sentence = r"^learner 'bad' cannot be made, copied or described \(RuntimeError: no way, in __init__\)"
    with pytest.raises(WorkbenchError, match=sentence):
        study({"bad": Refusing()})


@pytest.mark.parametrize("method", HARMLESS)
def test_a_method_that_nobody_needs_may_raise(method):
    learners = {"bad": misbehavior.with_method(method), "honest": Honest()}
    found = run(study(learners), isolate=False)
    assert bits(found, "bad") == bits(found, "honest")


@pytest.mark.slow
@pytest.mark.timeout(900)  # with --all-misdeeds
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_study_of_misdeeds_ends_and_costs_nobody_else_a_cell(n_jobs, tmp_path, tried, pytestconfig):
    learners = list(misbehavior.misbehaving().items())
    # Each starts a process or two: without --all-misdeeds some with one job, and others with two.
    bad = dict(learners if pytestconfig.getoption("--all-misdeeds") else learners[n_jobs - 1 :: 5])
    good = good_learners()
    last = {"honest": good.pop("honest")}
    store = tmp_path / "s.db"
    found = quiet_run(study({**good, **bad, **last}), store, n_jobs=n_jobs)
    whole = run(study(good_learners()))
    ended = endings(found)
    assert set(ended) == {*bad, *GOOD}
    for name, words in misbehavior.expected().items():
        if name in bad:
            check(ended[name], words)
            assert bool(bits(found, name)) == (not words)
            if not words and name != "answers another one each time":
                assert bits(found, name) == bits(whole, "honest"), name
    assert {ended[name][0] for name in GOOD} == {"done"}
    disturbed, undisturbed = ({name: bits(results, name) for name in GOOD} for results in (found, whole))
    for state, what in (("failed", "fails alone and says why"), ("done", "harms nobody")):
        tried(f"learner that misbehaves and {what} (tests/misbehavior.py lists them)",
              times=sum(ended[name][0] == state for name in bad), stores=[store], scores=disturbed,
              undisturbed=undisturbed)  # fmt: skip


class Sleeper(Honest):
    """Sleep, be stopped, or take part."""

    def __init__(self, deed="sleep", most_rows=10**9):
        self.deed = deed
        self.most_rows = most_rows

    def fit(self, X, y):
        if len(X) <= self.most_rows:
            SLEEPS[self.deed]()
        return super().fit(X, y)


SLEEPS = {
    "sleep": lambda: time.sleep(1000),
    "SIGSTOP": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "deaf": lambda: (signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)), time.sleep(1000)),
    "exit": lambda: os._exit(3),
    "raise": lambda: 1 / 0,
}


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_sleeps_is_stopped_at_the_time_limit(n_jobs, tried):
    bad = {deed: Sleeper(deed) for deed in ("sleep", "SIGSTOP", "deaf")}
    good = {"bernoulli": BernoulliNB(), "honest": Honest()}
    found, whole = quiet_run(study({**bad, **good}), n_jobs=n_jobs, time_limit=3.0), run(study(good))
    ended = endings(found)
    for deed in bad:
        assert ended[deed][0] == "timed_out"
        assert ended[deed][1].startswith("TimeLimit: it took longer than 3 s and was stopped")
    tried("learner that sleeps, stops its process or blocks signals: timed out", times=len(bad),
          scores={name: bits(found, name) for name in good},
          undisturbed={name: bits(whole, name) for name in good})  # fmt: skip


@pytest.mark.slow
def test_rehearsals_that_hang_end_or_raise_are_told_and_the_run_goes_on(monkeypatch):
    monkeypatch.setattr(pool, "LONGEST_REHEARSAL", 2.0)
    bad = {deed: Sleeper(deed, most_rows=200) for deed in ("sleep", "exit", "raise")}
    notes = Notes()
    found = run(study({**bad, "honest": Honest()}, sizes=(500,)), n_jobs=1, progress=notes)
    assert {state for state, _ in endings(found).values()} == {"done"}
    assert found.cells()["attempts"].tolist() == [1] * 4
    told = [line for line in notes.lines if " fails in a rehearsal on a few rows: " in line]
    assert [line.partition(" fails")[0] for line in told] == ["sleep", "exit", "raise"]
    assert "TimeLimit: it took longer than 2 s and was stopped" in told[0]
    assert "ended by itself with exit code 3" in told[1]
    assert "ZeroDivisionError" in told[2]


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


class Idle:
    """A worker that waits for its next task."""

    alive = True
    closed = False

    def __init__(self, alone):
        self.alone = alone

    def close(self):
        self.closed = True


def test_of_many_idle_processes_those_that_others_can_replace_are_closed_first():
    with WorkerPool(2) as workers:
        idle = [Idle(key) for key in ("a", "b", "b", "c", "", "d", "e", "f")]
        workers._idle = idle[:7]
        workers._close_spare()
        assert [worker.alone for worker in idle if worker.closed] == ["b"]
        idle[1].closed = False
        workers._idle = list(idle)
        workers._close_spare()
        assert [worker.alone for worker in idle if worker.closed] == ["a", "b"]
        assert len(workers._idle) == 2 + pool.SPARE


@pytest.mark.slow
def test_few_processes_are_kept_and_none_is_started_twice_for_nothing(monkeypatch):
    n_jobs = 2
    started, most = [], []

    class Counted(WorkerProcess):
        def __init__(self, on_report, alone=""):
            super().__init__(on_report, alone)
            started.append(self)
            most.append(sum(worker.alive for worker in started))

    monkeypatch.setattr(pool, "WorkerProcess", Counted)
    learners = {f"own {i}": Sleeper(most_rows=-i) for i in range(7)}
    found = run(study(learners, replicates=3), n_jobs=n_jobs)
    assert set(found.cells()["state"]) == {"done"}
    assert len(started) <= n_jobs * len(learners)
    assert max(most) <= 2 * n_jobs + pool.SPARE
