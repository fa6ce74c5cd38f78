"""The kinds of metrics, which declare unit, direction, bounds and needs."""

from __future__ import annotations

import functools
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench.base.text import shown
from workbench.metrics._shared.checks import (
    Classes,
    Codes,
    Numbers,
    Sets,
    check_cells,
    check_forecast,
    check_outcomes,
    check_prior,
    check_sets,
)

#: Set on a metric once its constructor has run.
FIXED = "_fixed"
#: Rows of forecasts that a metric works on at a time.
BLOCK = 4096


class Metric(ABC):
    """Base class of metrics: functions that score forecasts or predicted sets against the true classes.

    A metric has no state except its options. It cannot be changed after its construction, since one object is
    shared by all users of its name. There are several kinds of metrics. A `ScoringRule` is the mean of one
    number per sample. A `SampleMetric` is one number for all samples together. A `SetMetric` scores predicted
    sets. `kl_divergence` compares forecasts with the true probabilities. Metrics of theories use the fitted
    learner (`theory_complexity`), or the learner and its predicted sets on the training rows
    (`whole_message`).

    Attributes
    ----------
    name : str
        The key of the metric in tables and study files.
    unit : str
        The unit of the score, such as "bits".
    direction : {"higher", "lower"}
        Whether higher or lower scores are better.
    meaning : str
        The meaning of a score in one line, such as "the share of ...", as shown in reports. By default the
        first line of the docstring.
    bounds : tuple of two floats
        Least and greatest possible score. Infinite if there is no bound.
    needs : frozenset of {"prior", "truth", "sets", "theory"}
        What the metric needs besides outcomes and forecasts: "prior" for a prior, "truth" for the true
        probabilities in place of outcomes, "sets" for predicted sets in place of forecasts, "theory" for the
        fitted learner.
    order_matters : bool
        Whether the order of samples can change the score.
    proper, weakly_proper : bool
        `proper`: for any prior, the true probabilities have the best expected score, and no other forecast
        has it. `weakly_proper`: the true probabilities have the best expected score, but other forecasts may
        have it, too. For accuracy these are all forecasts with the same most probable class.
    has_per_sample, has_expected : bool
        `has_per_sample`: whether the score is a mean over samples. `has_expected`: whether the exact expected
        score can be computed from a joint distribution of cells (combinations of attribute values) and
        classes.

    See Also
    --------
    workbench.metrics.METRICS : contains all metrics by name.
    workbench.metrics.make_scorer : makes a scorer for scikit-learn's `scoring=` from a metric.

    Examples
    --------
    >>> from workbench.metrics import METRICS
    >>> METRICS["ir_b_sum"]
    <metric ir_b_sum (divide=False): bits, higher is better>
    >>> METRICS["ir_b_sum"].divide = True
    Traceback (most recent call last):
    ...
    AttributeError: ir_b_sum cannot be changed, as all users of its name share it: make another metric,
    InformationReward(divide=True, name=...)
    """

    name: str
    unit: str
    direction: Literal["higher", "lower"]
    meaning: str = ""
    bounds: tuple[float, float]
    needs: frozenset[str] = frozenset()
    order_matters: bool = False
    proper: bool = False
    weakly_proper: bool = False
    has_per_sample: bool = False
    has_expected: bool = False
    definition: str = ""  # class and options, of a metric that a store describes

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make the metric immutable at the end of a subclass's constructor."""
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls):
            cls.__init__ = _ending_fixed(cls.__init__)  # type: ignore[method-assign]

    def __init__(self) -> None:
        vars(self)[FIXED] = True

    def __setattr__(self, name: str, value: object) -> None:
        if FIXED in vars(self):
            raise AttributeError(
                self._unchangeable(f"{name}={shown(value)}, " if name in self._names() else "")
            )
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(self._unchangeable(""))

    @abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> float:
        """Return the score of all samples together."""

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return (
            f"<metric {self.name}{f' ({given})' if given else ''}: {self.unit}, {self.direction} is better>"
        )

    def of_classes(self, classes: Sequence[Any]) -> Metric:
        """Return the metric for columns of these classes, or raise ValueError if its options do not match."""
        return self

    @property
    def sign(self) -> float:
        """1 if higher scores are better, -1 if lower scores are better."""
        return 1.0 if self.direction == "higher" else -1.0

    @property
    def has_optimum(self) -> bool | None:
        """Whether the posterior predictive forecast has the best expected score. None if unknown."""
        return self.has_per_sample and (self.proper or self.weakly_proper)

    @property
    def summary(self) -> str:
        """The first line of the docstring of the metric."""
        return next(iter((self.__doc__ or "").strip().splitlines()), "")

    @property
    def measure(self) -> str:
        """The unit, the direction and the definition of the metric, in words."""
        words = f"{self.unit}, {self.direction} is better"
        return f"{words}; {self.definition}" if self.definition else words

    def explained(self, key: str) -> str:
        """Return a line that explains the scores under a key."""
        summary = self.summary.rstrip(".")
        lead = self.meaning or f"{summary[:1].lower()}{summary[1:]}"
        return f"{key}: {lead} ({self.measure})" if lead else f"{key}: {self.measure}"

    @property
    def options(self) -> dict[str, Any]:
        """Options that differ from the defaults of the class, without the name."""
        defaults = {p.name: p.default for p in inspect.signature(type(self)).parameters.values()}
        chosen = {name: getattr(self, name, defaults[name]) for name in self._names() if name != "name"}
        return {name: value for name, value in chosen.items() if value != defaults[name]}

    def _names(self) -> tuple[str, ...]:
        return tuple(inspect.signature(type(self)).parameters)

    def _unchangeable(self, option: str) -> str:
        return (
            f"{self.name} cannot be changed, as all users of its name share it: make another metric, "
            f"{type(self).__name__}({option}name=...)"
        )

    def _checked(
        self, y_true: ArrayLike, y_prob: ArrayLike, prior: ArrayLike | None, classes: Classes
    ) -> tuple[Codes, Numbers, Numbers | None]:
        forecast = check_forecast(y_prob, classes=classes)
        codes = check_outcomes(y_true, forecast.shape, classes)
        return codes, forecast, self._reference(prior, forecast.shape[1], classes)

    def _reference(self, prior: ArrayLike | None, n_classes: int, classes: Classes = None) -> Numbers | None:
        if "prior" not in self.needs:
            return None
        return check_prior(prior, n_classes, metric=self.name, classes=classes)


def _ending_fixed(constructor: Callable[..., None]) -> Callable[..., None]:
    """Wrap a constructor so that the outermost call makes the metric immutable."""

    @functools.wraps(constructor)
    def fixing(self: Metric, *args: Any, **kwargs: Any) -> None:
        constructor(self, *args, **kwargs)
        if type(self).__init__ is fixing:
            vars(self)[FIXED] = True

    return fixing


class ScoringRule(Metric):
    """Base class of metrics that score each forecast by the true class and average these scores.

    A scoring rule is called as `metric(y_true, y_prob, prior=..., classes=...)`. A subclass declares the
    attributes of `Metric`. Its method `_by_class` computes the score of each row for every class that may be
    true.

    Examples
    --------
    >>> from workbench.metrics import log_loss
    >>> log_loss.per_sample([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    array([1., 2.])
    >>> log_loss.expected([[0.25, 0.75]], [[0.5, 0.5]])
    1.0
    """

    has_per_sample = True
    has_expected = True

    def __call__(
        self, y_true: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None, classes: Classes = None
    ) -> float:
        """Return the mean of `per_sample`. It is infinite if the score of one sample is infinite."""
        scores = self.per_sample(y_true, y_prob, prior=prior, classes=classes)
        return float(scores.sum() / scores.size)  # less work than mean(), for the same number

    def per_sample(
        self, y_true: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None, classes: Classes = None
    ) -> Numbers:
        """Return the score of each sample.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes 0 .. n_classes - 1, or labels if `classes` is given.
        y_prob : array-like of shape (n_samples, n_classes)
            Forecast probabilities. Each row must sum to one within 1e-8, or within the rounding error of a
            shorter float type. Columns of a DataFrame with the names of classes are matched by name and not
            by order.
        prior : array-like of shape (n_classes,), optional
            The reference distribution, for metrics that compare with a prior. Other metrics ignore it.
        classes : array-like of shape (n_classes,), optional
            The labels of the classes, in the order of the columns of `y_prob`.

        Returns
        -------
        ndarray of shape (n_samples,)
            One score for each sample, in the unit of the metric. Scores may be infinite.
        """
        codes, forecast, reference = self._checked(y_true, y_prob, prior, classes)
        return self._scored(forecast, reference, codes)

    def by_class(self, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> Numbers:
        """Return the score of each row for each class that may be true.

        Parameters
        ----------
        y_prob, prior
            As in `per_sample`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Entry [i, t] is the score of row i if t is the true class.
        """
        forecast = check_forecast(y_prob)
        return self._scored(forecast, self._reference(prior, forecast.shape[1]))

    def expected(self, joint: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> float:
        """Return the exact expected score under a joint distribution of cells and classes.

        A cell is a combination of attribute values.

        Parameters
        ----------
        joint : array-like of shape (n_cells, n_classes)
            Probability of each cell together with each class. All entries sum to one.
        y_prob : array-like of shape (n_cells, n_classes)
            The forecast for each cell. Rows of cells with probability 0 are ignored.
        prior : array-like of shape (n_classes,), optional
            The reference distribution, for metrics that compare with a prior.

        Returns
        -------
        float
            Sum of probability times score. Entries with probability 0 contribute 0, even if their score is
            infinite.
        """
        mass, forecast = check_cells(joint, y_prob)
        return expectation(mass, self.by_class(forecast, prior=prior)).value

    def _scored(self, forecast: Numbers, prior: Any, codes: Codes | None = None) -> Numbers:
        """Score checked rows, for the class that happened or for each, in blocks that fit into the cache."""
        if len(forecast) <= BLOCK:
            if codes is None:
                return self._by_class(forecast, prior)
            return self._of_outcome(codes, forecast, prior)
        blocks = [slice(start, start + BLOCK) for start in range(0, len(forecast), BLOCK)]
        return np.concatenate(
            [self._scored(forecast[rows], prior, None if codes is None else codes[rows]) for rows in blocks]
        )

    @abstractmethod
    def _by_class(self, forecast: Numbers, prior: Any) -> Numbers:
        """Score checked rows for each class. `prior` is an array if the metric needs it, otherwise None."""

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Any) -> Numbers:
        """Score checked rows for the class that happened. Overridden if that is cheaper."""
        return self._by_class(forecast, prior)[np.arange(codes.size), codes]


class SampleMetric(Metric):
    """Base class of metrics that score all forecasts together.

    A sample metric is called as `metric(y_true, y_prob, prior=..., classes=...)`. A subclass declares the
    attributes of `Metric`. Its method `_of_sample` computes the score.
    """

    def __call__(
        self, y_true: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None, classes: Classes = None
    ) -> float:
        """Return the score of all forecasts together."""
        return self._of_sample(*self._checked(y_true, y_prob, prior, classes))

    @abstractmethod
    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        """Score checked forecasts. `prior` is an array if the metric needs it, otherwise None."""


class SetMetric(Metric):
    """Base class of metrics that score predicted sets of classes against the true classes.

    A set metric is called as `metric(y_true, y_set, classes=...)`. There are two kinds. A `CodeLength` is the
    number of bits that encode the classes case by case, and a `SetShare` is the mean of one number per case.
    A subclass declares the attributes of `Metric`, scores cases in `_of_cases`, and combines the scores to
    one number in `_of_all`.

    See Also
    --------
    workbench.metrics.as_sets : makes sets from labels.

    Examples
    --------
    >>> from workbench.metrics import exact_match
    >>> exact_match([0, 1], [[True, False], [True, True]])
    0.5
    """

    needs = frozenset({"sets"})

    def __call__(self, y_true: ArrayLike, y_set: ArrayLike, *, classes: Classes = None) -> float:
        """Return the score of all cases together."""
        return self._of_all(self._of_cases(*check_sets(y_true, y_set, classes)))

    @abstractmethod
    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        """Score checked cases in their order."""

    @abstractmethod
    def _of_all(self, scores: Numbers) -> float:
        """Combine the scores of all cases."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected score, which may be infinite, and the number of cells that make it infinite."""

    value: float
    n_infinite: int


def expectation(weights: Numbers, scores: Numbers) -> Expectation:
    """Sum weights times scores. Weight 0 counts as 0, even if the score is infinite."""
    with np.errstate(invalid="ignore"):
        total = float((weights * scores).sum())
    if math.isfinite(total):
        return Expectation(total, 0)
    possible = weights > 0.0
    terms = np.multiply(weights, scores, out=np.zeros_like(scores), where=possible)
    infinite = np.isinf(scores) & possible
    return Expectation(float(terms.sum()), int(infinite.reshape(len(infinite), -1).any(axis=1).sum()))


def log_unit(base: float) -> tuple[str, float]:
    """Return the unit's name for a base of logarithms, and how many of it are a bit."""
    if base == 2.0:
        return "bits", 1.0
    if base == math.e:
        return "nats", math.log(2.0)
    raise ValueError(f"base is {shown(base)}: give 2.0 for bits or math.e for nats")
