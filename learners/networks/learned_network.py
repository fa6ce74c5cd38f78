"""A network learned from rows, with everything that the search found out about it."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.network import Network
from learners.networks.classes.network_class import NetworkClass
from learners.networks.classes.sampled_networks import SampledClasses, Sampling
from learners.networks.explanation import arc_savings, message_in_words, variable_costs
from learners.networks.families import learn_family
from learners.networks.parameters import MessageLength, length_in_parts
from learners.networks.search.by_name import is_quickly_exact
from learners.networks.search.order_posterior import OrderPosterior
from learners.networks.search.search_problem import FoundNetwork, SearchProblem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.networks.patterns import StructuralDistance

__all__ = ["LearnedNetwork"]

QUICK = 12  # nodes up to which exact posteriors of arcs are computed without being requested
SHORTER = 1e-6  # nats by which a sampled network must be shorter to be reported
BIT = math.log(2)


@dataclass(frozen=True, eq=False)
class LearnedNetwork:
    """A network with the length of the message that states it and its data.

    Attributes
    ----------
    network : Network
        Its probabilities are those that the message states.
    message : MessageLength
        Bits for the arcs, for each variable's probabilities, and for each variable's values.
    found : FoundNetwork
        What the search returned: its improvements over time, and whether it was cut short.
    problem : SearchProblem
        The coded rows, a byte or two per cell, and what families and arcs cost.
    n_leaves : tuple of int or None
        Leaves of each variable's decision tree; None where it has a table.
    sampling : Sampling
        How `sampled` is drawn.
    is_exact : bool
        Whether `arc_posteriors` are exact: after the exact search, and for as many variables as "auto"
        searches exactly (16; 12 where values are missing, 9 with trees).

    Examples
    --------
    >>> from learners import learn_network
    >>> x = np.tile([0, 1], 100)
    >>> learned = learn_network(np.column_stack([x, np.repeat([0, 1], 100), x]))
    >>> print(learned.explain())
    424.1 bits: 2.8 for the arcs, 19.9 for the probabilities, 401.4 for the values of 200 rows.
    1 of 3 pairs joined; an arc has probability 0.375.
    Posteriors of arcs: exact.
    <BLANKLINE>
    variable parents  cells  probabilities  values  without parents  saved
          x0      x2      4           12.4     1.4            203.8  189.2
          x1              2            3.8   200.0            203.8    0.0
          x2              2            3.8   200.0            203.8    0.0
    <BLANKLINE>
    parent child saves posterior reverse
        x2    x0 189.2      0.50    0.50
    """

    workbench_identity = "learners.learned_network:LearnedNetwork"
    network: Network
    message: MessageLength
    found: FoundNetwork
    problem: SearchProblem
    n_leaves: tuple[int | None, ...]
    sampling: Sampling
    is_exact: bool

    def __repr__(self) -> str:
        return f"LearnedNetwork({self.network!r}, {self.message_length:.1f} bits)"

    @classmethod
    def of(
        cls,
        problem: SearchProblem,
        found: FoundNetwork,
        names: Sequence[str],
        states: Sequence[tuple[Hashable, ...]],
        *,
        class_index: int | None = None,
        sampling: Sampling | None = None,
        exact: bool = False,
    ) -> "LearnedNetwork":
        """Fill the tables of a network that a search found, and split its message into parts.

        `exact` requests exact posteriors of arcs even where they are slow.
        """
        families = [learn_family(problem, v, others, names) for v, others in enumerate(found.parents)]
        cpts = tuple(family.cpt for family in families)
        network = Network(tuple(names), tuple(states), found.parents, cpts, class_index=class_index)
        message = length_in_parts(problem, found.parents, families, found.arc_probability)
        n_leaves = tuple(family.n_leaves for family in families)
        is_exact = exact or is_quickly_exact(problem)
        return cls(network, message, found, problem, n_leaves, sampling or Sampling(), is_exact)

    def with_sample(self, sampled: SampledClasses) -> "LearnedNetwork":
        """Return the same with a sample that was drawn already."""
        other = replace(self)
        other.__dict__["sampled"] = sampled
        return other

    def with_shortest(self) -> "LearnedNetwork":
        """Return the shortest known network: this one, or one that `sampled` met.

        Sampling after the search never changes a result by itself; `explain` says if a shorter network was
        met. The arc probability stays the same.
        """
        sample = self.sampled.sample
        if not self._bits_to_gain:
            return self
        found = replace(self.found, parents=sample.shortest_parents, length=sample.shortest_length)
        names, states, class_index = self.network.names, self.network.states, self.network.class_index
        shortest = LearnedNetwork.of(
            self.problem,
            found,
            names,
            states,
            class_index=class_index,
            sampling=self.sampling,
            exact=self.is_exact,
        )
        return shortest.with_sample(self.sampled)

    def structural_distance(self, truth: Network) -> "StructuralDistance":
        """Compare the arcs with those of a true network, see `Network.structural_distance`."""
        return self.network.structural_distance(truth)

    @property
    def message_length(self) -> float:
        """Bits: `structure` + the sums of `parameters` and `data`."""
        return self.message.total

    @property
    def parents(self) -> tuple[tuple[int, ...], ...]:
        """Parents of each variable, by column."""
        return self.network.parents

    @property
    def arc_probability(self) -> float:
        """The arc probability used to encode the arcs."""
        return self.message.arc_probability

    @property
    def structure(self) -> float:
        """Bits that encode the arcs."""
        return self.message.structure

    @property
    def parameters(self) -> NDArray[np.float64]:
        """Bits for each variable's probabilities, see `MessageLength`; shape (n_variables,)."""
        return self.message.parameters

    @property
    def data(self) -> NDArray[np.float64]:
        """Bits for each variable's values, see `MessageLength`; shape (n_variables,)."""
        return self.message.data

    @property
    def interrupted(self) -> bool:
        """Whether the search was stopped before it was done."""
        return self.found.interrupted

    @cached_property
    def arc_posteriors(self) -> NDArray[np.float64]:
        """Probability of every arc given the rows, by [from, to], over all networks and orders.

        Networks weigh exp(-length) at this arc probability, times the number of orders that they fit. They
        are exact if `is_exact`, else from `sampled`, with a `ChainsDisagreeWarning` where its chains differ
        by more than 0.1.
        """
        return self.orders.arc_posteriors if self.is_exact else self.sampled.arc_posteriors

    @property
    def posterior_source(self) -> str:
        """How `arc_posteriors` were computed: "exact", or "sampled" and whether the chains agree."""
        return "exact" if self.is_exact else f"sampled, {self.sampled.agreement}"

    @cached_property
    def orders(self) -> OrderPosterior:
        """The exact posterior over networks and orders: evidence, families, arcs, independent draws.

        Raises
        ------
        ValueError
            If there are more than 20 variables.
        """
        return OrderPosterior.of(self.problem, arc_probability=self.arc_probability)

    @cached_property
    def sampled(self) -> SampledClasses:
        """A Metropolis sample of probable networks; half of its chains start here."""
        return self.sampling.draw(self.problem, self.parents, self.arc_probability)

    @cached_property
    def equivalence_classes(self) -> tuple[NetworkClass, ...]:
        """Classes of networks that the rows cannot distinguish, by posterior, from `sampled`."""
        network = self.network
        return tuple(
            NetworkClass(found, self.problem, network.names, network.states, network.class_index)
            for found in self.sampled.equivalence
        )

    @cached_property
    def variables(self) -> pd.DataFrame:
        """What each variable costs, in bits.

        Index variable; columns parents, cells (of the table, or leaves of the tree times states),
        probabilities, values, without_parents (what it would cost alone), saved (by its parents, net of the
        arcs).
        """
        leaves = zip(self.n_leaves, self.network.cpts, strict=True)
        rows = [n_leaves or cpt[..., 0].size for n_leaves, cpt in leaves]
        cells = [int(r) * n for r, n in zip(self.problem.arities, rows, strict=True)]
        return variable_costs(self.problem, self.parents, self.network.names, cells, self.message)

    @property
    def arcs(self) -> pd.DataFrame:
        """What each arc is worth.

        One row an arc: parent, child, saves (bits by which the message would be longer without it, all else
        the same), and, once `arc_posteriors` are known or where they are exact and there are at most 12
        variables, posterior and reverse (posterior of the arc the other way). Sampled posteriors have one
        more column, spread: the largest difference between two chains.
        """
        places = self._saved
        if self._knows_posteriors:
            ends = places["parent"].to_numpy(np.intp), places["child"].to_numpy(np.intp)
            both = {"posterior": self.arc_posteriors[ends], "reverse": self.arc_posteriors[ends[::-1]]}
            if not self.is_exact:
                spreads = self.sampled.arc_spreads
                both["spread"] = np.maximum(spreads[ends], spreads[ends[::-1]])
            places = places.assign(**both)
        names = dict(enumerate(self.network.names))
        return places.assign(parent=places["parent"].map(names), child=places["child"].map(names))

    @cached_property
    def _saved(self) -> pd.DataFrame:
        """Each arc by index, and the bits that it saves."""
        return arc_savings(self.problem, self.parents, self.arc_probability)

    @property
    def _knows_posteriors(self) -> bool:
        quick = len(self.parents) <= QUICK if self.is_exact else "sampled" in self.__dict__
        return quick or "arc_posteriors" in self.__dict__

    @property
    def _bits_to_gain(self) -> float:
        """Bits by which a sampled network is shorter than this one; 0 if none is or none was sampled."""
        if "sampled" not in self.__dict__:
            return 0.0
        nats = self.message_length * BIT - self.sampled.sample.shortest_length
        return nats / BIT if nats > SHORTER else 0.0

    def explain(self) -> str:
        """Describe in words and two tables what the message spends its bits on.

        Returns
        -------
        str
            Bits; `variables` and `arcs` are the tables.
        """
        variables = self.variables.rename(columns={"without_parents": "without parents"}).reset_index()
        parts = ["\n".join(self._summary()), variables.to_string(index=False, float_format="{:.1f}".format)]
        if len(self.arcs):
            shown = self.arcs.sort_values("saves", ascending=False)
            shares = ("posterior", "reverse", "spread")
            forms = {"saves": "{:.1f}".format} | dict.fromkeys(shares, "{:.2f}".format)
            parts.append(shown.to_string(index=False, formatters=forms))
        return "\n\n".join(parts)

    def _summary(self) -> list[str]:
        lines = message_in_words(self.problem, self.parents, self.message)
        if self._knows_posteriors and any(self.parents):
            lines.append(f"Posteriors of arcs: {self.posterior_source}.")
        if self._bits_to_gain:
            lines.append(
                f"The sample met a network {self._bits_to_gain:.1f} bits shorter; see with_shortest()."
            )
        return lines

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the network with the posterior of each arc, see `Network.plot` and `arc_posteriors`.

        The line below the figure says whether they are exact or sampled, see `posterior_source`.
        """
        return self.network.plot(
            ax, arc_posteriors=self.arc_posteriors, posterior_source=self.posterior_source
        )
