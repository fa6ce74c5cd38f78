"""The law of random naive Bayes networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.laws._shared.dirichlet import DirichletLaw, attribute_parents

__all__ = ["NaiveBayesLaw"]


@dataclass(frozen=True)
class NaiveBayesLaw(DirichletLaw):
    """Attributes independent given the class (law of `random_naive_bayes`).

    Parameters
    ----------
    concentration : float, default=1.0
        Dirichlet parameter of all rows of all CPTs, from 1e-6 to 1e6.
    class_marginal : sequence of float, optional
        Distribution of the class, if it is known. By default it is drawn like a row of a CPT.
    class_imbalance : float, optional
        Alternative to `class_marginal` for any number of classes: ratio of the first class probability to the
        last.

    Raises
    ------
    ValueError
        If a value is out of range.

    Examples
    --------
    >>> NaiveBayesLaw(concentration=0.5).words
    'naive Bayes, Dirichlet(0.5) rows'
    """

    kind = "naive_bayes"
    template = "naive Bayes, Dirichlet({concentration}) rows"

    def with_holes(self) -> NaiveBayesLaw:
        """Return the same law, since a missing value only removes one factor of the product."""
        return self

    def _misfit_of_parents(self, truth: Any) -> str | None:
        parents = attribute_parents(truth)
        if isinstance(parents, str):
            return parents
        return "an attribute has another parent than the class" if any(parents) else None
