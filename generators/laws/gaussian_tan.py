"""The law of random Gaussian TAN models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from generators.laws._shared.classes import LawWithClasses
from generators.laws._shared.gaussian_rows import check_gaussian_rows

__all__ = ["GaussianTANLaw"]


@dataclass(frozen=True)
class GaussianTANLaw(LawWithClasses):
    """A rooted tree among numeric attributes that all depend on the class (law of `random_gaussian_tan`).

    All rooted labeled trees are equally probable, and all classes have the same tree. Given the class, each
    attribute is a linear function of its parent plus normal noise. The variance of the noise is drawn from
    ``degrees`` / chi-squared(``degrees``), intercepts from N(0, separation^2) and coefficients from N(0,
    effect^2), in units of the noise's standard deviation.

    Parameters
    ----------
    separation : float, default=1.0
        Standard deviation of the intercepts, relative to the noise. At 0 all intercepts are 0.
    effect : float, default=1.0
        Standard deviation of the coefficients, relative to the noise. At 0 attributes are independent given
        the class.
    degrees : float, default=10.0
        Degrees of freedom of the noise variances, from 1 to 1e6. Larger values bring the variances closer to
        1.
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
    >>> GaussianTANLaw(separation=2.0).words
    'a uniform rooted tree of numbers, separation 2, effect 1, degrees 10'
    """

    kind = "gaussian_tan"
    template = "a uniform rooted tree of numbers, separation {separation}, effect {effect}, degrees {degrees}"
    draws = ("conditional_gaussian",)
    separation: float = 1.0
    effect: float = 1.0
    degrees: float = 10.0
    concentration: float = 1.0
    class_marginal: Sequence[float] | None = None
    class_imbalance: float | None = None

    def __post_init__(self) -> None:
        checked = check_gaussian_rows(self.separation, self.effect, self.degrees)
        for name, value in zip(("separation", "effect", "degrees"), checked, strict=True):
            object.__setattr__(self, name, value)
        super().__post_init__()

    def _misfit(self, truth: Any) -> str | None:
        first = truth.networks[0]
        if any(network.parent_indices != first.parent_indices for network in truth.networks):
            return "its arcs depend on the class"
        if any(len(own) > 1 for own in first.parent_indices):
            return "an attribute has several attribute parents"
        n_roots = sum(not own for own in first.parent_indices)
        if n_roots != 1:
            return f"{n_roots} attributes have no attribute parent, but a tree has exactly one root"
        if self.separation == 0 and any(network.intercepts.any() for network in truth.networks):
            return "separation is 0, but an intercept is not"
        if self.effect == 0 and any(own.any() for network in truth.networks for own in network.coefficients):
            return "effect is 0, but a coefficient is not"
        return self.misfit_of_classes(truth.prior)
