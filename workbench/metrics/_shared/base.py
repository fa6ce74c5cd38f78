"""The base of metrics, which declare unit, direction, bounds and needs."""

import functools
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._shared.checks import check_prior

__all__ = ["LogUnit", "log_unit", "Metric"]


@dataclass(frozen=True)
class LogUnit:
    """The unit of logarithms.

    Parameters
    ----------
    name : str
        "bits" or "nats".
    per_bit : float
        Units per bit.
    """

    name: str
    per_bit: float


def log_unit(base: float) -> LogUnit:
    """Return the unit of a base of logarithms."""
    if base == 2.0:
        return LogUnit("bits", 1.0)
    if base == math.e:
        return LogUnit("nats", math.log(2.0))
    raise ValueError(f"base is {base!r}: give 2.0 for bits or math.e for nats")


#: Set on a metric once its constructor has run.
FIXED = "_fixed"


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
    proper : bool
        Whether the truth's own probabilities, and no others, have the best expected score, whatever
        the prior.
    weakly_proper : bool
        Whether no forecast has a better expected score than the truth's own probabilities, but others have
        the same: by accuracy all with the same most probable class.
    has_per_sample : bool
        Whether the score is a mean over samples.
    has_expected : bool
        Whether the exact expected score can be computed from a joint distribution of cells and classes.

    See Also
    --------
    workbench.metrics.METRICS : all metrics by name.
    workbench.metrics.make_scorer : a metric for scikit-learn's `scoring=`.

    Examples
    --------
    >>> from workbench.metrics import METRICS
    >>> METRICS["kl_divergence"]
    <metric kl_divergence: bits, lower is better>
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

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make the metric immutable at the end of a subclass's constructor."""
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls):
            cls.__init__ = _ending_fixed(cls.__init__)  # type: ignore[method-assign]

    def __init__(self) -> None:
        vars(self)[FIXED] = True

    def __setattr__(self, name: str, value: object) -> None:
        if FIXED in vars(self):
            raise AttributeError(self._unchangeable(f"{name}={value!r}, " if name in self._names() else ""))
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

    def _reference(
        self,
        prior: ArrayLike | None,
        n_classes: int,
        classes: Sequence[object] | ArrayLike | None = None,
    ) -> NDArray[np.float64] | None:
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
