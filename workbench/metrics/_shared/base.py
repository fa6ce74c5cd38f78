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
    """Score forecasts, or sets of classes, against the classes that happened.

    A metric has no state beyond its options and is immutable, since it is shared by name. It is one of these
    kinds: a `ScoringRule`, the mean of one number per sample; a `SampleMetric`, one number for all samples
    together; a `SetMetric` of predicted sets; `kl_divergence`, which compares with the truth itself; or of
    theories, which looks at the fitted learner: `theory_complexity` at it alone, `whole_message` at its sets
    on the training rows too.

    Attributes
    ----------
    name : str
        The short key that tables and study files use.
    unit : str
        "bits", or another unit.
    direction : {"higher", "lower"}
        The direction of better scores.
    meaning : str
        What a score is, in one line, such as "the share of ..."; reports open with it. Without one they take
        the first line of the documentation.
    bounds : tuple of two floats
        Least and greatest possible score; infinite if unbounded.
    needs : frozenset of {"prior", "truth", "sets", "theory"}
        What the metric needs: a prior, the truth's probabilities instead of outcomes, predicted sets instead
        of a forecast, or the fitted learner, for its theory.
    order_matters : bool
        Whether the order of samples can change the score.
    proper, weakly_proper : bool
        Whether the truth's own probabilities have the best expected score, whatever the prior: no others do,
        or others have the same, such as by accuracy all with the same most probable class.
    has_per_sample, has_expected : bool
        Whether the score is a mean over samples, and whether its exact expected value can be computed from a
        joint distribution of cells and classes.

    See Also
    --------
    workbench.metrics.METRICS : all metrics by name.
    workbench.metrics.make_scorer : a metric for scikit-learn's `scoring=`.

    Examples
    --------
    >>> from workbench.metrics import METRICS
    >>> METRICS["ir_b_sum"]
    <metric ir_b_sum (divide=False): bits, higher is better>
    >>> METRICS["ir_b_sum"].divide = True
    Traceback (most recent call last):
    ...
    AttributeError: ir_b_sum cannot be changed, as it is shared: make your own,
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
        """Return the score of all samples."""

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return (
            f"<metric {self.name}{f' ({given})' if given else ''}: {self.unit}, {self.direction} is better>"
        )

    def of_classes(self, classes: Sequence[Any]) -> Metric:
        """Return the metric for columns of these classes, mostly itself; ValueError if it is for others."""
        return self

    @property
    def sign(self) -> float:
        """1 where larger scores are better, -1 where smaller ones are."""
        return 1.0 if self.direction == "higher" else -1.0

    @property
    def has_optimum(self) -> bool | None:
        """Whether no forecast is better on average than the posterior predictive; None if unknown."""
        return self.has_per_sample and (self.proper or self.weakly_proper)

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return next(iter((self.__doc__ or "").strip().splitlines()), "")

    @property
    def measure(self) -> str:
        """Unit, direction and definition, in words."""
        words = f"{self.unit}, {self.direction} is better"
        return f"{words}; {self.definition}" if self.definition else words

    def explained(self, key: str) -> str:
        """Explain in a line what its scores under a key are."""
        summary = self.summary.rstrip(".")
        lead = self.meaning or f"{summary[:1].lower()}{summary[1:]}"
        return f"{key}: {lead} ({self.measure})" if lead else f"{key}: {self.measure}"

    @property
    def options(self) -> dict[str, Any]:
        """Options that differ from the defaults of the class, except the name."""
        defaults = {p.name: p.default for p in inspect.signature(type(self)).parameters.values()}
        chosen = {name: getattr(self, name, defaults[name]) for name in self._names() if name != "name"}
        return {name: value for name, value in chosen.items() if value != defaults[name]}

    def _names(self) -> tuple[str, ...]:
        return tuple(inspect.signature(type(self)).parameters)

    def _unchangeable(self, option: str) -> str:
        return (
            f"{self.name} cannot be changed, as it is shared: make your own, "
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
    """Score each forecast by the class that happened, and average.

    It is called as `metric(y_true, y_prob, prior=..., classes=...)`. A subclass declares the attributes of
    `Metric` and computes what each class would score, in `_by_class`.

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
        """Return the mean of `per_sample`; one infinite sample makes it infinite."""
        scores = self.per_sample(y_true, y_prob, prior=prior, classes=classes)
        return float(scores.sum() / scores.size)  # less work than mean(), for the same number

    def per_sample(
        self, y_true: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None, classes: Classes = None
    ) -> Numbers:
        """Score each sample.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Class codes 0 .. n_classes - 1, or labels when `classes` is given.
        y_prob : array-like of shape (n_samples, n_classes)
            Forecast probabilities; each row sums to one within 1e-8, or the rounding of a shorter float.
            Where columns have names that are the classes, these count and not their order.
        prior : array-like of shape (n_classes,), optional
            The distribution to compare with, for metrics that need it; others ignore it.
        classes : array-like of shape (n_classes,), optional
            The labels, in the order of the columns of `y_prob`.

        Returns
        -------
        ndarray of shape (n_samples,)
            One score for each sample, in the unit of the metric; may be infinite.
        """
        codes, forecast, reference = self._checked(y_true, y_prob, prior, classes)
        return self._scored(forecast, reference, codes)

    def by_class(self, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> Numbers:
        """Score each row for each class that might be true.

        Parameters
        ----------
        y_prob, prior
            As in `per_sample`.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Entry [i, t] is what row i scores if class t happens.
        """
        forecast = check_forecast(y_prob)
        return self._scored(forecast, self._reference(prior, forecast.shape[1]))

    def expected(self, joint: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None) -> float:
        """Return the exact expected score under a joint distribution of cells and classes.

        Parameters
        ----------
        joint : array-like of shape (n_cells, n_classes)
            Probability of each attribute cell together with each class; sums to one.
        y_prob : array-like of shape (n_cells, n_classes)
            The forecast at each cell; rows at cells of probability 0 are ignored.
        prior : array-like of shape (n_classes,), optional
            The distribution to compare with, for metrics that need it.

        Returns
        -------
        float
            Sum of joint times score; probability 0 counts as 0, even if the score is infinite.
        """
        mass, forecast = check_cells(joint, y_prob)
        return expectation(mass, self.by_class(forecast, prior=prior)).value

    def _scored(self, forecast: Numbers, prior: Any, codes: Codes | None = None) -> Numbers:
        """Score checked rows, for the class that happened or for each, in blocks that stay in the cache."""
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
        """Score checked rows for each class; `prior` is an array where the metric needs it, else None."""

    def _of_outcome(self, codes: Codes, forecast: Numbers, prior: Any) -> Numbers:
        """Score checked rows for the class that happened; overridden if that is cheaper."""
        return self._by_class(forecast, prior)[np.arange(codes.size), codes]


class SampleMetric(Metric):
    """Score all forecasts together.

    It is called as `metric(y_true, y_prob, prior=..., classes=...)`. A subclass declares the attributes of
    `Metric` and computes the score in `_of_sample`.
    """

    def __call__(
        self, y_true: ArrayLike, y_prob: ArrayLike, *, prior: ArrayLike | None = None, classes: Classes = None
    ) -> float:
        """Score the forecasts."""
        return self._of_sample(*self._checked(y_true, y_prob, prior, classes))

    @abstractmethod
    def _of_sample(self, codes: Codes, forecast: Numbers, prior: Any) -> float:
        """Score checked forecasts; `prior` is an array where the metric needs it, else None."""


class SetMetric(Metric):
    """Score predicted sets against the classes that happened.

    It is called as `metric(y_true, y_set, classes=...)`. It is one of these kinds: a `CodeLength`, the bits
    that encode the classes one case after the other; or a `SetShare`, the mean of one number per case. A
    subclass declares the attributes of `Metric`, scores checked cases in `_of_cases`, and combines
    them to one number in `_of_all`.

    See Also
    --------
    workbench.metrics.as_sets : sets from labels.

    Examples
    --------
    >>> from workbench.metrics import exact_match
    >>> exact_match([0, 1], [[True, False], [True, True]])
    0.5
    """

    needs = frozenset({"sets"})

    def __call__(self, y_true: ArrayLike, y_set: ArrayLike, *, classes: Classes = None) -> float:
        """Return the score of all cases."""
        return self._of_all(self._of_cases(*check_sets(y_true, y_set, classes)))

    @abstractmethod
    def _of_cases(self, codes: Codes, sets: Sets) -> Numbers:
        """Score checked cases in their order."""

    @abstractmethod
    def _of_all(self, scores: Numbers) -> float:
        """Combine the scores of all cases."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected score, which may be infinite, and how many cells of positive probability make it so."""

    value: float
    n_infinite: int


def expectation(weights: Numbers, scores: Numbers) -> Expectation:
    """Sum weights times scores; weight 0 counts as 0, even if the score is infinite."""
    with np.errstate(invalid="ignore"):
        total = float((weights * scores).sum())
    if math.isfinite(total):
        return Expectation(total, 0)
    possible = weights > 0.0
    terms = np.multiply(weights, scores, out=np.zeros_like(scores), where=possible)
    infinite = np.isinf(scores) & possible
    return Expectation(float(terms.sum()), int(infinite.reshape(len(infinite), -1).any(axis=1).sum()))


def log_unit(base: float) -> tuple[str, float]:
    """Return the name of the unit of a base of logarithms, and how many of it are a bit."""
    if base == 2.0:
        return "bits", 1.0
    if base == math.e:
        return "nats", math.log(2.0)
    raise ValueError(f"base is {shown(base)}: give 2.0 for bits or math.e for nats")
