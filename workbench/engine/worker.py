"""Compute a task: draw its rows once, then fit and score every learner on them."""

import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from generators.base.compiled import when_compiling
from learners.tables.columns import IntegerColumnWarning
from workbench.base.cell import Cell
from workbench.base.score_key import ScoreKey
from workbench.base.seeds import integer_seed
from workbench.base.text import error_line, printable
from workbench.base.threads import one_inner_thread
from workbench.engine.problem import DrawSpec, ForecastRows, Problem, SplitSpec, build_problem
from workbench.engine.scoring import fitting, most_probable, priors_of, score, theory_scores, with_errors
from workbench.estimators.fair_fit import FairFit, seeded
from workbench.estimators.known_code import is_known_code
from workbench.estimators.truth_classifier import TruthClassifier
from workbench.metrics import Metric
from workbench.optimal.classifier import OptimalClassifier
from workbench.optimal.mixture import OptimalMixtureClassifier
from workbench.optimal.sampled_forecast import SampledForecast
from workbench.store.outcome import Outcome, Prediction, Score

__all__ = ["ONE_CLASS", "UNFIT", "UNSTEADY", "Task", "compute", "failure", "now", "outcomes"]

#: Rows of a rehearsal: in all where there are so many, and of every class; test rows.
REHEARSED_ROWS, REHEARSED_OF_CLASS, REHEARSED_TEST_ROWS = 150, 10, 20
#: What is said of a learner that forecasts otherwise when it is fitted again, and by how much it may.
UNSTEADY, ROUNDING = "not reproducible", 1e-9
#: What is said of a learner that refuses training rows of a single class.
ONE_CLASS = "the training rows have one class, which the learner refuses and which gets probability 1"
#: What is said of a cell that lacks scores of metrics for other classes.
UNFIT = "some metrics are for other classes"
#: Learners that know laws, which may have to be sampled.
OPTIMA = (OptimalClassifier, OptimalMixtureClassifier)


@dataclass(frozen=True)
class Task:
    """Cells that share their training rows."""

    # n_train may be a few rows more or fewer than a fold has; cut-offs depend on it
    spec: DrawSpec | SplitSpec  # makes the test rows, and the truth if there is one
    n_train: int
    training_set: int
    cells: tuple[tuple[str, Cell, Any], ...]  # identity, cell and unfitted learner
    keys: tuple[ScoreKey, ...]  # scores wanted
    keep_predictions: bool  # whether to return the forecasts of the test rows
    metrics: Mapping[str, Metric] = field(default_factory=dict)  # by key, those that are not the catalogue's
    # by key of the learner, where the study names the form
    inputs: Mapping[str, str] = field(default_factory=dict)
    in_file_order: frozenset[str] = frozenset()  # learners whose test rows are scored as they stand
    cut_before: frozenset[str] = frozenset()  # learners that get numbers cut on all rows of the data set
    # the one learner of the task, if its code is not known: it shares a process with no other
    alone: str = ""
    is_rehearsal: bool = False  # a few rows, and nothing is scored


def compute(task: Task, compiles: Callable[[bool], None] = lambda begins: None) -> list[Outcome]:
    """Compute the cells of a task. Call `compiles` when compilation begins, and when it is done."""
    return list(outcomes(task, compiles=compiles))


def outcomes(
    task: Task,
    begins: Callable[[str], None] = lambda identity: None,
    *,
    compiles: Callable[[bool], None] = lambda begins: None,
) -> Iterator[Outcome]:
    """Compute a task's cells and yield each outcome. Any error of a learner except Ctrl-C fails its cell."""
    with one_inner_thread(), _without_known_warnings(task.spec), when_compiling(compiles):
        yield from _outcomes(task, begins)


@contextmanager
def _without_known_warnings(spec: DrawSpec | SplitSpec) -> Iterator[None]:
    """Silence warnings in fits that the runner has already issued for a data set."""
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
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        message, text = failure(error)
        for identity, _, _ in task.cells:
            yield Outcome(identity, "failed", started, now(), message=message, traceback=text)
        return
    for identity, cell, estimator in task.cells:
        begins(identity)
        own = rows.cut_before() if cell.learner in task.cut_before else rows
        yield _outcome(task, own, identity, cell.learner, estimator)


@dataclass(frozen=True)
class _Rows:
    problem: Problem
    X: Any
    y: Any
    priors: dict[str, NDArray[np.float64]]
    training: ForecastRows | None  # forecast too; None if no scores of them are wanted
    metrics: dict[str, Metric]  # the study's own, in the order of the classes
    unfit: dict[str, str]  # why others have no score, by key

    @classmethod
    def draw(cls, task: Task) -> "_Rows":
        problem = build_problem(task.spec)
        X, y = problem.training_rows(task.n_train, task.training_set)
        if task.is_rehearsal:
            few = _few(problem.codes(y))
            problem, X, y = _shortened(problem), X.iloc[few], y.iloc[few]
        codes = problem.codes(y)
        training = None
        if _of_rows(task.keys, "training"):
            training = ForecastRows(
                X, codes, None, problem.truth.posterior(X) if problem.truth is not None else None
            )
        fit, unfit = fitting(task.metrics, problem.classes)
        return cls(problem, X, y, priors_of(problem, codes), training, fit, unfit)

    def cut_before(self) -> "_Rows":
        """Return the rows of a data set with numbers discretized on all of its rows."""
        assert self.problem.cut is not None  # the study has checked that it is a data set
        whole, test, training = self.problem.cut(), self.problem.test, self.training
        if training is not None:
            training = replace(training, X=whole.loc[training.X.index])
        problem = replace(self.problem, test=replace(test, X=whole.loc[test.X.index]), given=None)
        return replace(self, problem=problem, X=whole.loc[self.X.index], training=training)


def _few(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return a few rows with some of every class, as learners that resample need them."""
    first = [np.flatnonzero(codes == code)[:REHEARSED_OF_CLASS] for code in np.unique(codes)]
    rest = np.setdiff1d(np.arange(len(codes)), np.concatenate(first))
    return np.sort(np.concatenate([*first, rest[: max(0, REHEARSED_ROWS - sum(map(len, first)))]]))


def _shortened(problem: Problem) -> Problem:
    test = problem.test
    few = slice(REHEARSED_TEST_ROWS)
    p_true = None if test.p_true is None else test.p_true[few]
    return replace(problem, test=ForecastRows(test.X.iloc[few], test.y[few], None, p_true), exact=None)


@dataclass
class _Clock:
    """Wall time of each completed step."""

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


def _outcome(task: Task, rows: _Rows, identity: str, key: str, estimator: Any) -> Outcome:
    clock = _Clock()
    message = ""
    try:
        fit = _fair_fit(task, rows, identity, key, estimator)
        answers, scores = _fit_and_score(task, rows, fit, clock, in_file_order=key in task.in_file_order)
        if fit.refused:
            message = f"{ONE_CLASS}: {fit.refused}"
        elif task.is_rehearsal and not is_known_code(estimator):
            again = _fair_fit(task, rows, identity, key, estimator).fit(rows.X, rows.y)
            same = np.allclose(again.forecast(rows.problem.test.X), answers[0], rtol=0, atol=ROUNDING)
            message = "" if same else UNSTEADY
        if rows.unfit and not task.is_rehearsal:
            message = f"{UNFIT}: {'; '.join([*rows.unfit.values(), *filter(None, [message])])}"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, SystemError) and isinstance(error.__cause__, KeyboardInterrupt):
            raise error.__cause__ from None  # it came while a compiled kernel was being called
        message, text = failure(error)
        return clock.outcome(identity, "failed", message=message, traceback=text)
    return clock.outcome(
        identity,
        "done",
        scores=tuple(scores),
        exact=rows.problem.exact is not None,
        test_digest=rows.problem.test_digest,
        message=message,
        r_hat=fit.learner.about_.get("r_hat") if isinstance(fit.learner, OPTIMA) else None,
        prediction=Prediction.of(*answers) if task.keep_predictions else None,
    )


def _fair_fit(task: Task, rows: _Rows, identity: str, key: str, estimator: Any) -> FairFit:
    return FairFit(
        _prepared(estimator, identity, rows.problem, task),
        rows.problem.classes,
        input=task.inputs.get(key),
        given=rows.problem.given,
    )


def _fit_and_score(
    task: Task, rows: _Rows, fit: FairFit, clock: _Clock, *, in_file_order: bool
) -> tuple[tuple[NDArray[np.float64], NDArray[np.bool_] | None], list[Score]]:
    """Return the forecasts of the test rows, probabilities and sets, and all scores."""
    problem = rows.problem
    asked = {"test": problem.test, "exact": problem.exact, "training": rows.training}
    with np.errstate():  # which a learner may set for its process
        fit.fit(rows.X, rows.y)
        clock.lap("fit")
        sampled = dict(_sampled(fit.learner, asked, problem.classes))
        answers, y_set = _forecasts(fit, asked, problem, sampled)
        clock.lap("predict")
    scores: list[Score] = []
    given = {"priors": rows.priors, "n_train": len(rows.X), "metrics": rows.metrics}
    asked_keys = [key for key in task.keys if key.metric not in rows.unfit]
    for name, y_prob in answers.items():
        keys = _of_rows(asked_keys, name)
        block, scored, sets = asked[name], y_prob, y_set.get(name)
        if in_file_order and name == "test":
            block, (scored, sets) = problem.test.in_file_order((y_prob, sets))
        found = score(block, scored, keys=keys, y_set=sets, **given)  # type: ignore[arg-type]
        if name in sampled:
            found = with_errors(found, block, sampled[name], **given)  # type: ignore[arg-type]
        scores += found
    training = None
    if rows.training is not None:
        sets = y_set["training"]
        training = rows.training.y, most_probable(answers["training"]) if sets is None else sets
    scores += theory_scores(fit.learner, keys=asked_keys, training=training, metrics=rows.metrics)
    clock.lap("score")
    return (answers["test"], y_set["test"]), scores


def _forecasts(
    fit: FairFit,
    asked: Mapping[str, ForecastRows | None],
    problem: Problem,
    sampled: Mapping[str, SampledForecast],
) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.bool_] | None]]:
    """Return probabilities, and predicted sets, by the kind of rows."""
    # The test rows are always forecast, as the store keeps these forecasts.
    answers, y_set = {}, {}
    for name, block in asked.items():
        if block is None:
            continue
        checks = name != "exact"  # whose impossible cells have no weight and may hold anything
        if name in sampled:
            y_prob = sampled[name].y_prob
        elif _knows(fit.learner, problem) and block.p_true is not None:
            # computed once for all sizes; how long it took is no time of a forecast
            y_prob = block.p_true.copy()
        else:
            y_prob = fit.forecast(block.X, checks=checks)
        answers[name] = y_prob
        if checks:
            y_set[name] = fit.forecast_sets(block.X)
    return answers, y_set


def _sampled(
    learner: Any, asked: Mapping[str, ForecastRows | None], classes: tuple[Any, ...]
) -> Iterator[tuple[str, SampledForecast]]:
    """Yield the forecasts of a sampled optimum by the kind of rows, none for other learners."""
    if isinstance(learner, OPTIMA):
        for name, block in asked.items():
            found = None if block is None else learner.sampled_forecast(block.X)
            if found is not None:
                yield name, found.of_classes(np.searchsorted(learner.classes_, classes))


def _knows(learner: Any, problem: Problem) -> bool:
    """Return whether a learner predicts the truth's posterior, which subclasses may not do."""
    return type(learner) is TruthClassifier and learner.truth is problem.truth


def _prepared(estimator: Any, identity: str, problem: Problem, task: Task) -> Any:
    """Clone a learner and set the seed of its cell, and the truth or its law if it takes one."""
    learner = clone(estimator)
    given = _of_law(learner, problem.truth, task) if isinstance(learner, OPTIMA) else {}
    if learner.get_params(deep=False).get("truth", "") is None:
        given["truth"] = problem.truth
    if given:
        learner.set_params(**given)
    return seeded(learner, lambda name: integer_seed("learner", identity, name))


def _of_law(learner: Any, truth: Any, task: Task) -> dict[str, Any]:
    """Return the law for an optimum, and a seed that all optima of these rows share."""
    # with the same chains the sampling error of one is not in its distance to another
    law, spec, own = getattr(truth, "law", None), task.spec, learner.get_params()
    given: dict[str, Any] = {}
    if own.get("law", "") is None:
        given["law"] = law
    if own.get("ignored", ()) is None:
        given["ignored"] = () if law is None else tuple(sorted(law.ignored))
    if own["random_state"] is None:
        place = (spec.seed, spec.identity, spec.replicate, task.n_train, task.training_set)
        given["random_state"] = integer_seed("optimum", *place)
    return given


def _of_rows(keys: Iterable[ScoreKey], name: str) -> list[ScoreKey]:
    return [key for key in keys if key.rows == name]


def failure(error: BaseException) -> tuple[str, str]:
    """Return the first line of an error, with its kind, and its traceback."""
    return error_line(error), printable("".join(traceback.format_exception(error)))


def now() -> str:
    """Return the time, ISO 8601, UTC."""
    return datetime.now(UTC).isoformat()
