"""The law of random Gaussian naive Bayes truths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generators.laws._shared.dirichlet import (
    check_classes,
    known_classes,
    misfit_of_classes,
    words_of_classes,
)
from generators.laws._shared.law import Law, check_finite, check_positive

__all__ = ["GaussianNaiveBayesLaw"]


@dataclass(frozen=True)
class GaussianNaiveBayesLaw(Law):
    """Normal attributes, independent given the class; the law of `random_gaussian_naive_bayes`.

    Means are N(0, separation^2), logs of standard deviations N(0, spread^2), all independent; the class
    distribution is Dirichlet(concentration), unless it is known.

    Parameters
    ----------
    separation : float, default=1.0
        Standard deviation of the means; 0 for means of 0.
    spread : float, default=0.25
        Standard deviation of the log deviations; 0 for deviations of 1.
    concentration : float, default=1.0
        Parameter of the Dirichlet of the class distribution.
    class_marginal, class_skew : optional
        As for `NaiveBayesLaw`.

    Raises
    ------
    ValueError
        If a value is out of range.

    Examples
    --------
    >>> GaussianNaiveBayesLaw(separation=2.0).words
    'Gaussian naive Bayes, separation 2, spread 0.25'
    """

    workbench_identity = "generators.laws:GaussianNaiveBayesLaw"
    kind = "gaussian_naive_bayes"
    separation: float = 1.0
    spread: float = 0.25
    concentration: float = 1.0
    class_marginal: Sequence[float] | None = None
    class_skew: float | None = None

    def __post_init__(self) -> None:
        for name in ("separation", "spread"):
            object.__setattr__(self, name, check_finite(name, getattr(self, name)))
        object.__setattr__(self, "concentration", check_positive("concentration", self.concentration))
        check_classes(self)

    @property
    def words(self) -> str:
        """The law in words."""
        classes = words_of_classes(self)
        return f"Gaussian naive Bayes, separation {self.separation:g}, spread {self.spread:g}{classes}"

    def known_classes(self, n_classes: int) -> tuple[float, ...] | None:
        """Return the distribution of so many classes where it is known beforehand, else None."""
        return known_classes(self.class_marginal, self.class_skew, n_classes)

    def misfit(self, truth: Any) -> str | None:
        """Return what about a truth cannot come from this law; None if nothing is found."""
        if not (hasattr(truth, "means") and hasattr(truth, "deviations")):
            return "it is not a Gaussian naive Bayes truth" if hasattr(truth, "parents") else None
        if self.separation == 0 and np.any(truth.means != 0):
            return "separation is 0, but a mean is not"
        if self.spread == 0 and np.any(truth.deviations != 1):
            return "spread is 0, but a standard deviation is not 1"
        return misfit_of_classes(self, truth.prior)
