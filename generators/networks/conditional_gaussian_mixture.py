"""Mixtures of conditional-Gaussian models."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import RandomState, as_generator, check_n_rows
from generators.base.probabilities import log_sum, logs, states_of
from generators.base.validation import check_weights
from generators.files import documents
from generators.laws._shared.law import Law, check_law
from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.gaussian_truth import GaussianTruth

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ConditionalGaussianMixture"]


@dataclass(frozen=True, eq=False, repr=False)
class ConditionalGaussianMixture(GaussianTruth):
    """A mixture of conditional-Gaussian models with the same variables.

    Parameters
    ----------
    components : sequence of ConditionalGaussian
        Components, at least one, with the same attributes and class.
    weights : array-like of shape (n_components,)
        Probability of each component. They sum to one within 1e-8.
    law : Law or None, default=None
        Law from which the mixture was drawn, if it is known.

    Attributes
    ----------
    prior : ndarray of shape (n_classes,)
        Distribution of the class: the weighted mean of the components' distributions.
    attribute_names, class_name, classes
        Names of the attributes, name of the class, and states of the class, as in the components.

    Raises
    ------
    ValueError
        If the components differ in their variables, the weights are not a distribution, or the law cannot
        draw such a mixture.

    See Also
    --------
    random_gaussian_aode : Draw a mixture of Gaussian one-dependence networks.

    Examples
    --------
    >>> from generators import random_gaussian_tan
    >>> parts = [random_gaussian_tan(n_attributes=3, n_classes=2, random_state=seed) for seed in (0, 1)]
    >>> ConditionalGaussianMixture(parts, [0.5, 0.5])
    ConditionalGaussianMixture(2 components of 3 attributes, class 'y' of 2)
    """

    kind = "conditional_gaussian_mixture"
    components: tuple[ConditionalGaussian, ...]
    weights: NDArray[np.float64]
    law: Law | None = None

    def __post_init__(self) -> None:
        components = _checked_components(self.components)
        weights = check_weights(self.weights, len(components))
        prior = weights @ np.array([one.prior for one in components])
        for field, value in (("components", components), ("weights", weights), ("prior", prior)):
            object.__setattr__(self, field, value)
        check_law(self)

    def __repr__(self) -> str:
        n, attributes = len(self.components), len(self.attribute_names)
        return (
            f"ConditionalGaussianMixture({n} component{'' if n == 1 else 's'} of {attributes} "
            f"attribute{'' if attributes == 1 else 's'}, class {self.class_name!r} of {len(self.classes)})"
        )

    @property
    def attribute_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the attributes."""
        return self.components[0].attribute_names

    @property
    def class_name(self) -> str:  # type: ignore[override]
        """Name of the class."""
        return self.components[0].class_name

    @property
    def classes(self) -> tuple[Hashable, ...]:  # type: ignore[override]
        """States of the class."""
        return self.components[0].classes

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return f"mixture of {len(self.components)}, the first of {self.components[0].structure}"

    def to_document(self) -> dict[str, Any]:
        """Return the mixture as plain data: weights, and one document per component."""
        return {
            **documents.head(self.kind),
            "weights": self.weights.tolist(),
            "components": [component.to_document() for component in self.components],
            **documents.law_part(self.law),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the mixture from a document that `to_document` returned."""
        owner = "the conditional-Gaussian mixture"
        components = [
            ConditionalGaussian.from_document(one)
            for one in documents.field_of(document, "components", list, owner)
        ]
        weights = documents.field_of(document, "weights", list, owner)
        return cls(components, weights, documents.law_in(document))  # type: ignore[arg-type]

    def sample(self, n: int, random_state: RandomState = None) -> tuple[pd.DataFrame, pd.Series]:
        """Draw rows, each row from a randomly drawn component.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. First `rng.random(n)` draws the components, then the rows of each component are drawn in
            turn.

        Returns
        -------
        X : DataFrame of shape (n, n_attributes)
            Floats.
        y : Series of shape (n,)
            Categorical.
        """
        n, rng = check_n_rows(n), as_generator(random_state)
        picked = states_of(self.weights, rng.random(n))
        columns, codes = np.empty((len(self.attribute_names), n)), np.empty(n, dtype=np.intp)
        for index, component in enumerate(self.components):
            rows = np.flatnonzero(picked == index)
            columns[:, rows], codes[rows] = component._draw(len(rows), rng)
        return self._table(columns, codes)

    def _log_table(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        tables = [component._log_table(columns) for component in self.components]
        return log_sum(np.stack(tables) + logs(self.weights)[:, np.newaxis, np.newaxis], axis=0)

    def explain(self) -> str:
        """Return the equations of each component and class as text."""
        parts = []
        for index, (weight, component) in enumerate(zip(self.weights, self.components, strict=True)):
            parts.append(f"component {index}, weight {weight:.4g}")
            parts += [f"  {line}" for line in component.explain().splitlines()]
        return "\n".join(parts)


def _checked_components(given: Sequence[ConditionalGaussian]) -> tuple[ConditionalGaussian, ...]:
    components = tuple(given)
    if not components:
        raise ValueError("there are no components: expected at least one ConditionalGaussian")
    for index, component in enumerate(components):
        if not isinstance(component, ConditionalGaussian):
            raise ValueError(f"component {index} is {component!r}: expected a ConditionalGaussian")
        if _variables(component) != _variables(components[0]):
            raise ValueError(
                f"component {index} has other attributes or classes than component 0: make them equal"
            )
    return components


def _variables(component: ConditionalGaussian) -> tuple[Any, ...]:
    # classes by repr, because the states 1 and True are equal
    return component.attribute_names, component.class_name, repr(component.classes)
