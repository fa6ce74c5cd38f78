"""What every metric is: it declares its unit, direction, bounds and needs."""

from abc import ABC, abstractmethod
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.metrics._checks import check_prior

__all__ = ["Metric"]


class Metric(ABC):
    """Score forecasts, or sets of classes, against the classes that happened.

    A metric has no state beyond its options. It is one of these kinds: a `ScoringRule`, the mean of one
    number a sample; a `SampleMetric`, one number for all samples together; a `SetMetric` of predicted sets;
    or `kl_divergence`, which compares with the truth itself.

    Attributes
    ----------
    name : str
        The short key that tables and study files use.
    unit : str
        "bits", or what else one score counts.
    direction : {"higher", "lower"}
        Which way is better.
    bounds : tuple of two floats
        Least and greatest score that any forecast can have; infinite where there is none.
    needs : frozenset of {"prior", "truth", "sets"}
        What the metric asks for: a prior, the truth's probabilities in place of outcomes, or predicted sets
        in place of a forecast.
    order_matters : bool
        Whether exchanging two samples can change the score.
    proper : bool
        Whether the truth's own probabilities, and no others, have the best expected score, whatever
        the prior.
    has_per_sample : bool
        Whether the score is the mean of one number for each sample.
    has_expected : bool
        Whether the exact expected score can be had from a joint distribution of cells and classes.

    See Also
    --------
    workbench.metrics.METRICS : all metrics by name.
    workbench.metrics.make_scorer : a metric for scikit-learn's `scoring=`.

    Examples
    --------
    >>> from workbench.metrics import METRICS
    >>> METRICS["kl_divergence"]
    <metric kl_divergence: bits, lower is better>
    """

    name: str
    unit: str
    direction: Literal["higher", "lower"]
    bounds: tuple[float, float]
    needs: frozenset[str] = frozenset()
    order_matters: bool = False
    proper: bool = False
    has_per_sample: bool = False
    has_expected: bool = False

    @abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> float:
        """Return the score of all samples."""

    def __repr__(self) -> str:
        return f"<metric {self.name}: {self.unit}, {self.direction} is better>"

    def _reference(self, prior: ArrayLike | None, n_classes: int) -> NDArray[np.float64] | None:
        return check_prior(prior, n_classes, metric=self.name) if "prior" in self.needs else None
