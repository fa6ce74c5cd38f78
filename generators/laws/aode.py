"""The law of random mixtures of one-dependence networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from generators.laws._shared.dirichlet import DirichletLaw, attribute_parents

__all__ = ["AODELaw"]


@dataclass(frozen=True)
class AODELaw(DirichletLaw):
    """A uniform mixture of one-dependence networks, one per attribute (law of `random_aode`).

    The network from which a row was drawn is hidden.

    Parameters
    ----------
    concentration, class_marginal, class_imbalance
        See `NaiveBayesLaw`.
    shared_class_prior : bool, default=False
        Whether all networks have the same class distribution.

    Raises
    ------
    ValueError
        If a value is out of range.

    Examples
    --------
    >>> AODELaw().words
    'a mixture of one-dependence networks, Dirichlet(1) rows'
    """

    kind = "aode"
    template = "a mixture of one-dependence networks, Dirichlet({concentration}) rows"
    draws = ("mixture",)
    shared_class_prior: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.shared_class_prior, bool):
            raise ValueError(f"shared_class_prior is {self.shared_class_prior!r}: expected True or False")

    def _misfit(self, truth: Any) -> str | None:
        components = truth.components
        if len(components) != len(truth.attributes) or np.ptp(truth.weights) > 1e-12:
            return "it does not have one component of equal weight for each attribute"
        for center, component in zip(truth.attributes, components, strict=True):
            parents = attribute_parents(component)
            if isinstance(parents, str) or component.parent_indices[truth.class_index]:
                return f"the class is not the root of the component of {truth.names[center]!r}"
            wanted = [set() if child == center else {center} for child in truth.attributes]
            if parents != wanted:
                return (
                    f"{truth.names[center]!r} is not the only attribute parent of the others in its component"
                )
        marginals = [component.cpts[truth.class_index] for component in components]
        if self.shared_class_prior and not np.allclose(marginals, marginals[0], rtol=0, atol=1e-8):
            return "its components have different class distributions"
        return next(filter(None, map(self.misfit_of_classes, marginals)), None)
