"""Compute a task: draw its rows once, then fit and score every learner on them."""

import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from learners.tables.columns import IntegerColumnWarning
from workbench.base.cell import Cell
from workbench.base.score_key import ScoreKey
from workbench.base.seeds import integer_seed
from workbench.base.threads import one_inner_thread
from workbench.engine.problem import DrawSpec, Problem, Rows, SplitSpec, build_problem
from workbench.engine.scoring import most_probable, priors_of, score, theory_scores
from workbench.estimators.foreign import adapt
from workbench.metrics import Metric
from workbench.metrics._shared.checks import align, align_sets
from workbench.store.outcome import Outcome, Prediction, Score

__all__ = ["Task", "compute", "failure", "now", "outcomes"]


@dataclass(frozen=True)
class Task:
    """Cells that share their training rows.

    Parameters
    ----------
    spec : DrawSpec or SplitSpec
        Makes the test rows, and the truth if there is one.
    n_train, training_set : int
        Which training rows; a stratified fold may have a few more or fewer, and cut-offs depend on them.
    cells : tuple of (str, Cell, estimator)
        Identity, cell and unfitted learner.
    keys : tuple of ScoreKey
        Scores wanted.
    keep_predictions : bool
        Whether to return the forecasts of the test rows.
    metrics : mapping of str to Metric
        Metrics that are not the catalogue's, by key.
    """

    spec: DrawSpec | SplitSpec
    n_train: int
    training_set: int
    cells: tuple[tuple[str, Cell, Any], ...]
    keys: tuple[ScoreKey, ...]
    keep_predictions: bool
    metrics: Mapping[str, Metric] = field(default_factory=dict)


def compute(task: Task) -> list[Outcome]:
    """Compute the cells of a task."""
    return list(outcomes(task))


def outcomes(task: Task, begins: Callable[[str], None] = lambda identity: None) -> Iterator[Outcome]:
    """Compute the cells of a task, and yield each outcome."""
    with one_inner_thread(), _without_known_warnings(task.spec):
        yield from _outcomes(task, begins)


@contextmanager
def _without_known_warnings(spec: DrawSpec | SplitSpec) -> Iterator[None]:
    """Silence warnings in fits that the runner has given already for a data set."""
    if isinstance(
        spec, DrawSpec
    ):  # truths have no integer columns, and filters would reset which warnings were shown
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegerColumnWarning)
        yield


def _outcomes(task: Task, begins: Callable[[str], None]) -> Iterator[Outcome]:
    started = now()
    begins("")
    try:
        rows = _Rows.draw(task)
    except (Exception, SystemExit) as error:
        message, text = failure(error)
        for identity, _, _ in task.cells:
            yield Outcome(identity, "failed", started, now(), message=message, traceback=text)
        return
    for identity, _, estimator in task.cells:
        begins(identity)
        yield _outcome(task, rows, identity, estimator)


@dataclass(frozen=True)
class _Rows:
    problem: Problem
    X: Any
    y: Any
    priors: dict[str, NDArray[np.float64]]
    training: Rows | None  # forecast too; None if no scores of them are wanted

    @classmethod
    def draw(cls, task: Task) -> "_Rows":
        problem = build_problem(task.spec)
        X, y = problem.training_rows(task.n_train, task.training_set)
        codes = problem.codes(y)
        training = None
        if _of_rows(task.keys, "training"):
            training = Rows(X, codes, None, problem.truth.posterior(X) if problem.truth is not None else None)
        return cls(problem, X, y, priors_of(problem, codes), training)


@dataclass
class _Clock:
    """Wall time of each step that was reached."""

    started: str = field(default_factory=lambda: now())
    seconds: dict[str, float] = field(default_factory=dict)
    _latest: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        now = time.perf_counter()
        self.seconds[step] = now - self._latest
        self._latest = now

    def outcome(self, identity: str, state: str, **found: Any) -> Outcome:
        """Make the outcome of a cell that ends now."""
        return Outcome(
            identity,
            state,
            self.started,
            now(),
            self.seconds.get("fit"),
            self.seconds.get("predict"),
            self.seconds.get("score"),
            **found,
        )


def _outcome(task: Task, rows: _Rows, identity: str, estimator: Any) -> Outcome:
    clock = _Clock()
    try:
        answers, scores = _fit_and_score(task, rows, identity, estimator, clock)
    except (Exception, SystemExit) as error:
        message, text = failure(error)
        return clock.outcome(identity, "failed", message=message, traceback=text)
    return clock.outcome(
        identity,
        "done",
        scores=tuple(scores),
        exact=rows.problem.exact is not None,
        test_digest=rows.problem.test_digest,
        prediction=Prediction.of(*answers) if task.keep_predictions else None,
    )


def _fit_and_score(
    task: Task, rows: _Rows, identity: str, estimator: Any, clock: _Clock
) -> tuple[tuple[NDArray[np.float64], NDArray[np.bool_] | None], list[Score]]:
    """Return the forecasts of the test rows, probabilities and sets, and all scores."""
    problem = rows.problem
    learner = adapt(_prepared(estimator, identity, problem))
    learner.fit(rows.X, rows.y)
    clock.lap("fit")
    asked = {"test": problem.test, "exact": problem.exact, "training": rows.training}
    # The test rows are always forecast, as the store keeps these forecasts.
    answers = {
        name: align(learner.predict_proba(block.X), learner.classes_, problem.classes)
        for name, block in asked.items()
        if block is not None
    }
    y_set = {name: _own_sets(learner, asked[name], problem) for name in answers if name != "exact"}
    clock.lap("predict")
    scores: list[Score] = []
    given = {"priors": rows.priors, "n_train": len(rows.X), "metrics": task.metrics}
    for name, y_prob in answers.items():
        keys = _of_rows(task.keys, name)
        scores += score(asked[name], y_prob, keys=keys, y_set=y_set.get(name), **given)  # type: ignore[arg-type]
    training = None
    if rows.training is not None:
        sets = y_set["training"]
        training = rows.training.y, most_probable(answers["training"]) if sets is None else sets
    scores += theory_scores(learner, keys=task.keys, training=training, metrics=task.metrics)
    clock.lap("score")
    return (answers["test"], y_set["test"]), scores


def _own_sets(learner: Any, rows: Rows | None, problem: Problem) -> NDArray[np.bool_] | None:
    """Return the learner's predicted sets, if it has `predict_set`."""
    if rows is None or not hasattr(learner, "predict_set"):
        return None
    return align_sets(learner.predict_set(rows.X), learner.classes_, problem.classes)


def _prepared(estimator: Any, identity: str, problem: Problem) -> Any:
    """Clone a learner and set the seed of its cell, and the truth if it takes one."""
    learner = clone(estimator)
    given: dict[str, Any] = {}
    # Nested estimators need seeds as well, or two runs would differ.
    for name, value in learner.get_params(deep=True).items():
        if value is None and name.rpartition("__")[2] == "random_state":
            given[name] = integer_seed("learner", identity, name)
        elif value is None and name == "truth":
            given[name] = problem.truth
    return learner.set_params(**given) if given else learner


def _of_rows(keys: Iterable[ScoreKey], name: str) -> list[ScoreKey]:
    return [key for key in keys if key.rows == name]


def failure(error: BaseException) -> tuple[str, str]:
    """Return the first line of an error, with its kind, and its traceback."""
    lines = str(error).strip().splitlines()
    message = ": ".join([type(error).__name__, *lines[:1]])
    return message, "".join(traceback.format_exception(error))


def now() -> str:
    """Return the time, ISO 8601, UTC."""
    return datetime.now(UTC).isoformat()
