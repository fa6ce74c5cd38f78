"""Markov equivalence classes of graphs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.equivalence_keys import equivalence_keys
from learners.networks.search.weighted_graphs import WeightedGraphs

__all__ = ["EquivalenceClass", "equivalence_classes"]

Parents = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class EquivalenceClass:
    """A Markov equivalence class: graphs that represent the same distributions.

    Attributes
    ----------
    posterior : float
        Posterior probability of the class: its share of the total weight.
    graphs : WeightedGraphs
        Members with their shares of the total weight, the largest share first.
    """

    posterior: float
    graphs: WeightedGraphs

    def __repr__(self) -> str:
        return f"EquivalenceClass({self.summary})"

    @property
    def summary(self) -> str:
        """Description of the posterior and the number of members."""
        n_graphs, n_arcs = len(self.graphs), self.n_arcs
        return (
            f"posterior {self.posterior:.3f}, {n_graphs:,} graph{'' if n_graphs == 1 else 's'} of {n_arcs} "
            f"arc{'' if n_arcs == 1 else 's'}"
        )

    @property
    def parents(self) -> Parents:
        """Parents of each node in the member with the largest weight."""
        return self.graphs.parents(0)

    @property
    def n_arcs(self) -> int:
        """Number of arcs, the same in all members."""
        return sum(map(len, self.parents))


def equivalence_classes(
    graphs: WeightedGraphs, *, total: float = 0.999, max_classes: int = 30
) -> tuple[EquivalenceClass, ...]:
    """Group graphs by Markov equivalence: the same skeleton and the same unshielded colliders.

    Notes
    -----
    The CaMML program groups graphs by the skeleton and by the maximized log likelihood, rounded down to 1/128
    nat. Equivalent graphs have equal likelihood, so the result is the same except in two rare cases: two
    classes with the same skeleton fit equally well, or rounding separates equal likelihoods near a multiple
    of 1/128. Members of a class have equal likelihood, but can have messages of different length, since the
    adaptive code depends on the direction of arcs.

    References
    ----------
    .. [1] Verma, T. & Pearl, J. 1990, "Equivalence and synthesis of causal models", UAI.
    """
    if not 0 < total <= 1 or max_classes < 1:
        raise ValueError(
            f"total must be above 0 and at most 1, and max_classes at least 1, but they were {total!r} and "
            f"{max_classes!r}."
        )
    if not graphs.weights.sum() > 0:
        raise ValueError(
            "No graph has any weight: each occurred only in messages much longer than the shortest. Sample "
            "at a temperature nearer to 1, or longer."
        )
    _, first, group = np.unique(equivalence_keys(graphs.bits), return_index=True, return_inverse=True)
    posteriors = np.bincount(group, graphs.weights, minlength=len(first))
    order = np.lexsort((first, -posteriors))
    enough = int(np.searchsorted(np.cumsum(posteriors[order]), total)) + 1
    kept: NDArray[np.intp] = order[: min(enough, max_classes)]
    members = [np.flatnonzero(group == c) for c in kept]
    return tuple(
        EquivalenceClass(float(posteriors[c]), WeightedGraphs(graphs.bits[own], graphs.weights[own]))
        for c, own in zip(kept, members, strict=True)
    )
