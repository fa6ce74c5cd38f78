"""Mixtures of networks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import RandomState, as_generator, check_n_rows
from generators.base.probabilities import log_sum, states_of
from generators.base.validation import check_weights
from generators.drawing import figure as drawing
from generators.files import documents
from generators.laws._shared.law import Law, check_law
from generators.networks.divergence import kl_by_enumeration
from generators.networks.network import Network
from generators.networks.notebook import mixture_html
from generators.networks.programs import SoftEvidence
from generators.networks.queries import Evidence, joint_posterior
from generators.networks.truth import Truth
from generators.tables.codes import code_dtype

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Mixture"]


@dataclass(frozen=True, eq=False, repr=False)
class Mixture(Truth):
    """A mixture of Bayesian networks over the same variables.

    `sample`, `log_joint`, `posterior` and `enumerate` work as for a network.

    Parameters
    ----------
    components : sequence of Network
        Components, at least one, with the same names, states and class.
    weights : array-like of shape (n_components,)
        Probability of each component. They sum to one within 1e-8.
    law : Law or None, default=None
        Law from which the mixture was drawn, if it is known.

    Attributes
    ----------
    names, states, class_index
        Names, states and class index of the components.

    Raises
    ------
    ValueError
        If the components differ in their variables, the weights are not a distribution, or the law cannot
        draw such a mixture.

    See Also
    --------
        Network : One component.

    Examples
    --------
    >>> from generators import random_tan
    >>> parts = [random_tan(n_attributes=3, arity=2, n_classes=2, random_state=seed) for seed in (0, 1)]
    >>> Mixture(parts, [0.5, 0.5])
    Mixture(2 components of 4 variables, class 'y' of 2)
    """

    kind = "mixture"
    components: tuple[Network, ...]
    weights: NDArray[np.float64]
    law: Law | None = None

    def __post_init__(self) -> None:
        components = _checked_components(self.components)
        first = components[0]
        checked = {
            "components": components,
            "weights": check_weights(self.weights, len(components)),
            "names": first.names,
            "states": first.states,
            "class_index": first.class_index,
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)
        check_law(self)

    def __repr__(self) -> str:
        n_components = len(self.components)
        count = f"{n_components} component{'' if n_components == 1 else 's'}"
        role = "no class" if self.class_index is None else f"class {self.class_name!r} of {len(self.classes)}"
        return f"Mixture({count} of {self.n_variables} variables, {role})"

    def _repr_html_(self) -> str:
        # notebooks show this; repr never draws
        return mixture_html(self.components, self.weights, repr(self))

    def with_class(self, name: str | None) -> Mixture:
        """Return the same mixture with the named variable as class, or with no class.

        Raises
        ------
        ValueError
            If the variable is unknown.
        """
        components = tuple(component.with_class(name) for component in self.components)
        # a law is of this class
        return Mixture(components, self.weights, self.law if name == self.class_name else None)

    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes, each row from a randomly drawn component.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. First `rng.random(n)` draws the components, then the rows of each component are drawn in
            turn.

        Returns
        -------
        ndarray of shape (n, n_variables)
            Codes in the smallest unsigned type, column-major, so that a column is contiguous.

        Examples
        --------
        >>> from generators import random_aode
        >>> random_aode(n_attributes=3, random_state=0).sample_codes(10, random_state=1).shape
        (10, 4)
        """
        n, rng = check_n_rows(n), as_generator(random_state)
        picked = states_of(self.weights, rng.random(n))
        codes = np.empty((self.n_variables, n), dtype=code_dtype(self.arities, missing=False))
        for index, component in enumerate(self.components):
            rows = np.flatnonzero(picked == index)
            codes[:, rows] = component.sample_codes(len(rows), rng).T
        return codes.T

    def joint_array(self, axes: Sequence[int]) -> NDArray[np.float64]:
        """Return the joint distribution as one array.

        Parameters
        ----------
        axes : sequence of int
            All variables, in the order of the axes.

        Returns
        -------
        ndarray with one axis per variable
            Weighted mean of the components' joint distributions.
        """
        joint = np.zeros([int(self.arities[variable]) for variable in axes])
        for weight, component in zip(self.weights, self.components, strict=True):
            joint += weight * component.joint_array(axes)
        return joint

    def _marginal_tables(self, scopes: Sequence[tuple[int, ...]]) -> Iterator[NDArray[np.float64]]:
        """Yield the marginal table of each scope."""
        of_components = [component._marginal_tables(scopes) for component in self.components]
        for tables in zip(*of_components, strict=True):
            mean = self.weights[0] * tables[0]
            for weight, table in zip(self.weights[1:], tables[1:], strict=True):
                mean += weight * table
            yield mean

    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            log_weights = np.log(self.weights)
        tables = [component._log_joint_table(columns, target, soft) for component in self.components]
        return log_sum(np.stack(tables) + log_weights[:, np.newaxis, np.newaxis], axis=0)

    def query(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> pd.Series:
        """Return the joint distribution of some variables given evidence, exactly.

        The arguments, the return value and the errors are the same as for `Network.query`.

        Examples
        --------
        >>> from generators import random_aode
        >>> truth = random_aode(n_attributes=3, n_classes=2, random_state=0)
        >>> list(truth.query("y", {"x0": truth.states[0][0]}).index) == list(truth.classes)
        True
        """
        return joint_posterior(self, variables, evidence)

    def kl_divergence(self, other: Truth) -> float:
        """Return the KL divergence KL(self || other) of the joint distributions, exactly, by enumeration.

        The divergence is 0 for identical distributions, and +inf if `other` gives probability 0 to a row that
        is possible under `self`.

        Parameters
        ----------
        other : Network or Mixture
            Distribution of variables with the same names and states, in any order.

        Returns
        -------
        float
            Divergence in bits.

        Raises
        ------
        ValueError
            If the variables or their states differ, or there are more than 100,000 cells.

        Examples
        --------
        >>> from generators import random_aode
        >>> truth = random_aode(n_attributes=3, random_state=0)
        >>> truth.kl_divergence(truth)
        0.0
        """
        return kl_by_enumeration(self, other)

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return f"mixture of {len(self.components)}, the first a {self.components[0].structure}"

    def to_document(self) -> dict[str, Any]:
        """Return the mixture as plain data: weights, and one network document per component."""
        return documents.mixture_document(self.components, self.weights, self.law)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a mixture from JSON text written by `to_json`.

        Raises
        ------
        ValueError
            If the text is not JSON written by `to_json`. The message states the fault.

        Examples
        --------
        >>> from generators import random_aode
        >>> Mixture.from_json(random_aode(n_attributes=3, n_classes=2, random_state=0).to_json())
        Mixture(3 components of 4 variables, class 'y' of 2)
        """
        return super().from_json(text)

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the mixture from a document that `to_document` returned."""
        components, weights, law = documents.mixture_parts(document)
        return cls(tuple(Network(**arguments) for arguments in components), weights, law)  # type: ignore[arg-type]

    def plot(self, axes: Any = None) -> NDArray[np.object_]:
        r"""Draw the components side by side, each with its weight and its leading attribute.

        The leading attribute of a component is a parent of all other attributes, as in mixtures from
        `random_aode`.

        Parameters
        ----------
        axes : matplotlib Axes or array of them, optional
            Axes to draw on, one component in each. Limits are set and frames are hidden. By default a new
            figure of up to eight panels. If there are too few axes, the components with the largest weights
            are drawn.

        Returns
        -------
        ndarray of matplotlib Axes, of shape (n_drawn,)
            One panel for each component, in the order of the components, drawn as by `Network.plot` at a
            common scale.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from generators import random_aode
        >>> random_aode(n_attributes=2, random_state=0).plot()[1].get_title()
        'x1 leads\nweight 0.5'
        """
        return drawing.plot_mixture(self.components, self.weights, axes)


def _checked_components(components: Sequence[Network]) -> tuple[Network, ...]:
    if len(components) == 0:
        raise ValueError("there are no components: expected at least one Network")
    for index, component in enumerate(components):
        if not isinstance(component, Network):
            raise ValueError(f"component {index} is {component!r}: expected a Network")
        # by repr, because the states 1 and True are equal
        if repr(_variables(component)) != repr(_variables(components[0])):
            raise ValueError(
                f"component {index} has other names, states or class than component 0: make them equal"
            )
    return tuple(components)


def _variables(network: Network) -> tuple[Any, ...]:
    return network.names, network.states, network.class_index
