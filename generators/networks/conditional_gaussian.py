"""Conditional-Gaussian models: given the class, numeric attributes form a linear-Gaussian network."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from generators.base.draw import RandomState, as_generator, check_n_rows
from generators.base.probabilities import logs
from generators.base.validation import check_cpts, check_names, check_states
from generators.drawing import figure as drawing
from generators.files import documents
from generators.laws._shared.law import Law, check_law
from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.gaussian_truth import GaussianTruth, class_parts

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ConditionalGaussian"]


@dataclass(frozen=True, eq=False, repr=False)
class ConditionalGaussian(GaussianTruth):
    """A class, and for each class a linear-Gaussian network of the numeric attributes.

    Parameters
    ----------
    prior : array-like of shape (n_classes,)
        Distribution of the class.
    networks : sequence of GaussianNetwork
        Distribution of the attributes given each class. The networks have the same names in the same order,
        and may have different arcs.
    class_name : str, default="y"
    classes : sequence of hashable, optional
        By default 0, 1, ...
    law : Law or None, default=None
        Law from which the model was drawn, if it is known.

    Attributes
    ----------
    attribute_names : tuple of str
        Names of the attributes.

    Raises
    ------
    ValueError
        If the numbers of networks and classes differ, the networks have different names, the prior is not a
        distribution, or the law cannot draw such a model.

    See Also
    --------
    random_gaussian_tan : Draw a Gaussian TAN model.
    ConditionalGaussianMixture : A mixture of conditional-Gaussian models.

    Examples
    --------
    >>> up = GaussianNetwork(("a", "b"), ((), (0,)), ((), (1.0,)), deviations=(1.0, 1.0))
    >>> down = GaussianNetwork(("a", "b"), ((), (0,)), ((), (-1.0,)), deviations=(1.0, 1.0))
    >>> truth = ConditionalGaussian([0.5, 0.5], [up, down])
    >>> truth.posterior([[1.0, 1.0], [float("nan"), 1.0]]).round(3)
    array([[0.881, 0.119],
           [0.5  , 0.5  ]])
    """

    kind = "conditional_gaussian"
    prior: NDArray[np.float64]
    networks: tuple[GaussianNetwork, ...]
    class_name: str = "y"
    classes: tuple[Hashable, ...] = ()
    law: Law | None = None

    def __post_init__(self) -> None:
        networks = _checked_networks(self.networks)
        check_names((*networks[0].names, self.class_name))
        (classes,) = check_states((self.class_name,), (self.classes or tuple(range(len(networks))),))
        if len(classes) != len(networks):
            raise ValueError(
                f"there are {len(classes)} classes and {len(networks)} networks: expected one network for "
                "each class"
            )
        (prior,) = check_cpts((self.class_name,), (classes,), ((),), (self.prior,))
        for field, value in (("networks", networks), ("classes", classes), ("prior", prior)):
            object.__setattr__(self, field, value)
        check_law(self)

    def __repr__(self) -> str:
        n, n_classes = len(self.attribute_names), len(self.classes)
        counts = sorted({sum(map(len, network.parent_indices)) for network in self.networks})
        several = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else counts[0]
        attributes = f"{n} attribute{'' if n == 1 else 's'}"
        arcs = f"{several} arc{'' if counts == [1] else 's'} among them"
        return f"ConditionalGaussian({attributes}, {arcs}, class {self.class_name!r} of {n_classes})"

    @property
    def attribute_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the attributes."""
        return self.networks[0].names

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        given = f"linear-Gaussian given the class {self.class_name}"
        return f"{len(self.attribute_names)} numeric attributes, {given}, {self._ends}"

    @property
    def _ends(self) -> str:
        """Return a description of the arcs among the attributes."""
        first = self.networks[0]
        if any(other.parent_indices != first.parent_indices for other in self.networks):
            return "with arcs that depend on the class"
        ends = [
            f"{first.names[u]} -> {name}"
            for v, name in enumerate(first.names)
            for u in first.parent_indices[v]
        ]
        return f"with {', '.join(ends)}" if ends else "independent"

    def to_document(self) -> dict[str, Any]:
        """Return the model as plain data."""
        return {
            **documents.head(self.kind),
            **self._class_document(),
            "networks": [network.to_document() for network in self.networks],
            **documents.law_part(self.law),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` returned."""
        owner = "the conditional-Gaussian truth"
        prior, class_name, classes = class_parts(document, owner)
        networks = [
            GaussianNetwork.from_document(one)
            for one in documents.field_of(document, "networks", list, owner)
        ]
        return cls(prior, networks, class_name, classes, documents.law_in(document))  # type: ignore[arg-type]

    def sample(self, n: int, random_state: RandomState = None) -> tuple[pd.DataFrame, pd.Series]:
        """Draw rows.

        Parameters
        ----------
        n : int
            Number of rows.
        random_state : int, Generator, SeedSequence or None
            Seed. First `rng.random(n)` draws the classes, then the rows of each class are drawn in turn (see
            `GaussianNetwork.sample_table`).

        Returns
        -------
        X : DataFrame of shape (n, n_attributes)
            Floats.
        y : Series of shape (n,)
            Categorical.

        Examples
        --------
        >>> from generators import random_gaussian_tan
        >>> X, y = random_gaussian_tan(n_attributes=2, random_state=0).sample(3, random_state=1)
        >>> X.dtypes.tolist()
        [dtype('float64'), dtype('float64')]
        """
        return self._table(*self._draw(check_n_rows(n), as_generator(random_state)))

    def _draw(self, n: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Draw numbers, a row for each attribute, and codes of the class."""
        codes = self._sample_classes(n, rng)
        columns = np.empty((len(self.attribute_names), n))
        for code, network in enumerate(self.networks):
            rows = np.flatnonzero(codes == code)
            columns[:, rows] = network.sample_table(len(rows), rng).to_numpy().T
        return columns, codes

    def _log_table(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.stack([network.log_joint(columns.T) for network in self.networks], axis=1) + logs(
            self.prior
        )

    def explain(self) -> str:
        """Return the equations of each class's network as text.

        Examples
        --------
        >>> one = GaussianNetwork(("a", "b"), ((), (0,)), ((), (1.0,)), deviations=(1.0, 2.0))
        >>> print(ConditionalGaussian([0.25, 0.75], [one, one.rescaled(2)], classes=("no", "yes")).explain())
        y = no, probability 0.25
          a = 0 + 1 e
          b = 0 + 1 a + 2 e, 0.2 of its variance explained
        y = yes, probability 0.75
          a = 0 + 2 e
          b = 0 + 1 a + 4 e, 0.2 of its variance explained
        """
        parts = []
        for state, share, network in zip(self.classes, self.prior, self.networks, strict=True):
            parts.append(f"{self.class_name} = {state}, probability {share:.4g}")
            parts += [f"  {line}" for line in network.explain().splitlines()]
        return "\n".join(parts)

    def plot(self, axes: Any = None) -> NDArray[np.object_]:
        r"""Draw the network of each class, side by side.

        Parameters
        ----------
        axes : matplotlib Axes or array of them, optional
            Axes to draw on, one class in each. Limits are set and frames are hidden. By default a new figure
            of up to eight panels. If there are too few axes, the most frequent classes are drawn.

        Returns
        -------
        ndarray of matplotlib Axes, of shape (n_drawn,)
            One panel for each class, in the order of the classes, drawn as by `GaussianNetwork.plot` at a
            common scale.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from generators import random_gaussian_tan
        >>> random_gaussian_tan(n_attributes=3, random_state=0).plot()[1].get_title()
        'y = 1\nprobability 0.042'
        """
        titles = [
            f"{self.class_name} = {state}\nprobability {share:.2g}"
            for state, share in zip(self.classes, self.prior, strict=True)
        ]
        return drawing.plot_panels(self.networks, self.prior, titles, axes)


def _checked_networks(given: Sequence[GaussianNetwork]) -> tuple[GaussianNetwork, ...]:
    networks = tuple(given)
    if not networks:
        raise ValueError("there are no networks: expected one network for each class")
    for index, network in enumerate(networks):
        if not isinstance(network, GaussianNetwork):
            raise ValueError(f"network {index} is {network!r}: expected a GaussianNetwork")
        if network.names != networks[0].names:
            raise ValueError(f"network {index} has other names than network 0: make them equal")
    return networks
