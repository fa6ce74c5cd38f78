"""The law of random Gaussian naive Bayes models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generators.laws._shared.classes import LawWithClasses
from generators.laws._shared.law import check_finite

__all__ = ["GaussianNaiveBayesLaw"]


@dataclass(frozen=True)
class GaussianNaiveBayesLaw(LawWithClasses):
    """Normal attributes, independent given the class (law of `random_gaussian_naive_bayes`).

    Means are drawn from N(0, separation^2), and logarithms of standard deviations from N(0, spread^2), all
    independently. The class distribution is drawn from Dirichlet(concentration), unless it is known.

    Parameters
    ----------
    separation : float, default=1.0
        Standard deviation of the means. At 0 all means are 0.
    spread : float, default=0.25
        Standard deviation of the logarithms of the attributes' standard deviations. At 0 all these standard
        deviations are 1.
    concentration : float, default=1.0
        Dirichlet parameter of the class distribution, from 1e-6 to 1e6.
    class_marginal, class_imbalance : optional
        See `NaiveBayesLaw`.

    Raises
    ------
    ValueError
        If a value is out of range.

    Examples
    --------
    >>> GaussianNaiveBayesLaw(separation=2.0).words
    'Gaussian naive Bayes, separation 2, spread 0.25'
    """

    kind = "gaussian_naive_bayes"
    template = "Gaussian naive Bayes, separation {separation}, spread {spread}"
    draws = ("gaussian_naive_bayes",)
    separation: float = 1.0
    spread: float = 0.25
    concentration: float = 1.0
    class_marginal: Sequence[float] | None = None
    class_imbalance: float | None = None

    def __post_init__(self) -> None:
        for name in ("separation", "spread"):
            object.__setattr__(self, name, check_finite(name, getattr(self, name)))
        super().__post_init__()

    def _misfit(self, truth: Any) -> str | None:
        if self.separation == 0 and np.any(truth.means != 0):
            return "separation is 0, but a mean is not"
        if self.spread == 0 and np.any(truth.deviations != 1):
            return "spread is 0, but a standard deviation is not 1"
        return self.misfit_of_classes(truth.prior)
