"""The base of networks learned from rows."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.directed_graph import DirectedGraph
from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.network import Network
from generators.networks.notebook import network_html
from generators.networks.patterns import Pattern
from learners.networks.classes.network_class import NetworkClass
from learners.networks.classes.sampled_networks import SampledClasses, SamplerOptions
from learners.networks.explanation import arc_savings, in_fixed_decimals, message_in_words
from learners.networks.message import MessageLength
from learners.networks.progress import Progress, phase, reporting
from learners.networks.search.order_posterior import MAX_SUMMED_NODES, OrderPosterior
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_choice import is_quickly_exact
from learners.networks.search.search_problem import FoundNetwork

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.networks.patterns import StructuralDistance

__all__ = ["STOPPED", "LearnedGraph", "has_exact_posteriors"]

QUICK = 12  # nodes up to which exact posteriors of arcs are computed without being requested
SHORTER = 1e-6  # nats by which a sampled network must be shorter to be reported
BIT = math.log(2)
STOPPED = "The search was stopped early. A complete search may find a shorter network."
MISSING = "given how missing values are scored, which favors extra arcs and can reverse arcs"

Learned = TypeVar("Learned", Network, GaussianNetwork)


def has_exact_posteriors(problem: NetworkProblem, found: FoundNetwork, *, requested: bool) -> bool:
    """Return whether arc posteriors are computed exactly. If that is slow, exactness must be requested."""
    was_exact = requested and not found.interrupted and problem.n_nodes <= MAX_SUMMED_NODES
    return was_exact or is_quickly_exact(problem)


@dataclass(frozen=True, eq=False, repr=False)
class LearnedGraph(ABC, Generic[Learned]):
    """A learned network with the length of its message (see `LearnedNetwork`)."""

    parameter_words: ClassVar[str] = "probabilities"
    network: Learned
    message: MessageLength
    found: FoundNetwork
    problem: NetworkProblem
    sampling: SamplerOptions
    is_exact: bool
    progress: Progress

    def __repr__(self) -> str:
        stopped = ", search stopped early" if self.interrupted else ""
        return f"{type(self).__name__}({self.network!r}, {self.message_length:.1f} bits{stopped})"

    def __getstate__(self) -> dict[str, Any]:
        # a function for progress belongs to this process, and may not pickle
        return {**self.__dict__, "progress": None if callable(self.progress) else self.progress}

    def _repr_html_(self) -> str:
        # notebooks show this; nothing is computed for it that takes long, such as posteriors
        known: bool = "arc_posteriors" in self.__dict__ or (not self.is_exact and "sampled" in self.__dict__)
        below = "" if known else "Posteriors of arcs take longer: see plot() and arc_posteriors."
        return network_html(
            self.network,
            repr(self),
            notes=[line for line in (*self._summary(posteriors=known), below) if line],
            kind="average" if known else "pattern",
            excluded=self._excluded,
            arc_posteriors=self.arc_posteriors if known else None,
            posterior_source=self.posterior_source if known else None,
            tables={
                "What each arc saves, in bits": in_fixed_decimals(self._arcs(posteriors=known)),
                "What each variable costs, in bits": in_fixed_decimals(self.variables),
            },
        )

    def with_sample(self, sampled: SampledClasses) -> Self:
        """Return this result with a given sample as `sampled`."""
        other = replace(self)
        other.__dict__["sampled"] = sampled
        return other

    def with_shortest(self) -> Self:
        """Return the network with the shortest known message: this network, or a network in `sampled`.

        Sampling after the search never changes a result automatically. `explain` reports if the sample has a
        network with a shorter message. The arc probability stays the same.
        """
        sample = self.sampled.sample
        if not self._bits_to_gain:
            return self
        found = replace(self.found, parents=sample.shortest_parents, length=sample.shortest_length, alone=())
        return self._of(found).with_sample(self.sampled)

    @abstractmethod
    def _of(self, found: FoundNetwork) -> Self:
        """Return the same result for another network."""

    @abstractmethod
    def filled(self, parents: Sequence[Sequence[int]]) -> Any:
        """Return a network with given arcs, and with parameters estimated from the rows."""

    def structural_distance(self, truth: "DirectedGraph | LearnedGraph[Any]") -> "StructuralDistance":
        """Compare the arcs with the arcs of another network (see `Network.structural_distance`)."""
        return self.network.structural_distance(truth.network if isinstance(truth, LearnedGraph) else truth)

    @property
    def message_length(self) -> float:
        """Length of the message in bits: `structure` + the sums of `parameters` and `data`."""
        return self.message.total

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Names of each variable's parents. `network.parent_indices` has their indices."""
        return dict(self.network.parents)

    def pattern(self) -> Pattern[str]:
        """Return the pattern (CPDAG) of the equivalent networks that the structure prior allows.

        Examples
        --------
        >>> from learners import StructurePrior, learn_network
        >>> X = np.column_stack([np.tile([0, 1], 100)] * 2)
        >>> learn_network(X).pattern()
        Pattern(x0 - x1)
        >>> learn_network(X, structure_prior=StructurePrior(forbidden=[("x1", "x0")])).pattern()
        Pattern(x0 -> x1)
        """
        return self.network.pattern(self._excluded)

    @property
    def _excluded(self) -> frozenset[tuple[int, int]]:
        """Arcs excluded by the structure prior, by index."""
        return frozenset((u, v) for u, v in np.argwhere(np.isinf(self.problem.arc_costs.fixed)).tolist())

    @property
    def arc_probability(self) -> float:
        """Arc probability used to encode the arcs."""
        return self.message.arc_probability

    @property
    def structure(self) -> float:
        """Bits that encode the arcs."""
        return self.message.structure

    @property
    def parameters(self) -> pd.Series:
        """Bits for each variable's probabilities or coefficients, by name (see `MessageLength`)."""
        return self._by_name(self.message.parameters, "parameters")

    @property
    def data(self) -> pd.Series:
        """Bits for each variable's values, by name (see `MessageLength`)."""
        return self._by_name(self.message.data, "data")

    @property
    def interrupted(self) -> bool:
        """Whether the search was stopped early."""
        return self.found.interrupted

    @cached_property
    def arc_posteriors(self) -> pd.DataFrame:
        """Posterior probability of every arc, over all networks and orders.

        Rows are the parents, columns the children.

        The weight of a network is exp(-length), with its message length in nats at this arc probability,
        times the number of orders that are consistent with it. A direction may therefore be probable even if
        no data can determine it (see `pattern`). Posteriors are exact if `is_exact` is True. Otherwise they
        are estimated from `sampled`, with a `ChainsDisagreeWarning` if its chains differ by more than 0.1.
        """
        if self.is_exact:
            with reporting(self.progress):
                phase(f"summing over all networks of {self.network.n_variables} variables")
                found = self.orders.arc_posteriors
        else:
            found = self.sampled.arc_posteriors  # which reports, and then warns, where no line is in the way
        names = list(self.network.names)
        return pd.DataFrame(found, pd.Index(names, name="from"), pd.Index(names, name="to"))

    @property
    def posterior_source(self) -> str:
        """Source of `arc_posteriors`: "exact", or "sampled" with the agreement of the chains.

        If values are missing, the text also states the effect of missing values on arcs (see
        `MissingValuesWarning`).
        """
        if self.is_exact:
            return f"exact {MISSING}" if self.problem.holes else "exact"
        return f"sampled, {self.sampled.agreement}" + (f", {MISSING}" if self.problem.holes else "")

    @cached_property
    def orders(self) -> OrderPosterior:
        """The exact posterior over networks and orders.

        Raises
        ------
        ValueError
            If there are more than 20 variables.
        """
        return OrderPosterior.of(self.problem, arc_probability=self.arc_probability)

    @cached_property
    def sampled(self) -> SampledClasses:
        """A sample of probable networks.

        Networks are drawn independently if posteriors are exact and there are at most 16 variables. Otherwise
        they are drawn by Metropolis chains, half of which start at this network.
        """
        with reporting(self.progress):
            return self.sampling.draw(
                self.problem, self.network.parent_indices, self.arc_probability, exact=self.is_exact
            )

    @cached_property
    def equivalence_classes(self) -> tuple[NetworkClass, ...]:
        """Markov equivalence classes of networks, sorted by posterior, from `sampled`."""
        return tuple(NetworkClass(found, self) for found in self.sampled.equivalence)

    @property
    @abstractmethod
    def variables(self) -> pd.DataFrame:
        """Message length of each variable, in bits."""

    @property
    def arcs(self) -> pd.DataFrame:
        """Return the bits saved by each arc, and its posterior if that is known.

        The table has one row per arc, with the columns parent, child, and bits_saved (increase of the message
        length without the arc). If `arc_posteriors` or `sampled` were computed before, or posteriors are
        exact and there are at most 12 variables, it also has the columns posterior and reverse (posterior of
        the reversed arc). If posteriors are sampled, the column spread is the largest difference between two
        chains.
        """
        return self._arcs(posteriors=self._knows_posteriors)

    def _arcs(self, *, posteriors: bool) -> pd.DataFrame:
        places = self._saved
        if posteriors:
            ends = places["parent"].to_numpy(np.intp), places["child"].to_numpy(np.intp)
            shares = self.arc_posteriors.to_numpy()
            both = {"posterior": shares[ends], "reverse": shares[ends[::-1]]}
            if not self.is_exact:
                spreads = self.sampled.arc_spreads
                both["spread"] = np.maximum(spreads[ends], spreads[ends[::-1]])
            places = places.assign(**both)
        names = dict(enumerate(self.network.names))
        return places.assign(parent=places["parent"].map(names), child=places["child"].map(names))

    @cached_property
    def _saved(self) -> pd.DataFrame:
        """Each arc by index, and the bits it saves."""
        return arc_savings(self.problem, self.network.parent_indices, self.arc_probability)

    @property
    def _knows_posteriors(self) -> bool:
        quick = self.network.n_variables <= QUICK if self.is_exact else "sampled" in self.__dict__
        return quick or "arc_posteriors" in self.__dict__

    def _by_name(self, bits: NDArray[np.float64], name: str) -> pd.Series:
        return pd.Series(bits, pd.Index(list(self.network.names), name="variable"), name=name)

    @property
    def _bits_to_gain(self) -> float:
        """Bits by which a sampled network is shorter than this one, or 0 if no shorter one was sampled."""
        if "sampled" not in self.__dict__:
            return 0.0
        nats = self.message_length * BIT - self.sampled.sample.shortest_length
        return nats / BIT if nats > SHORTER else 0.0

    def sample_table(
        self, n: int, random_state: "int | np.random.Generator | np.random.SeedSequence | None" = None
    ) -> pd.DataFrame:
        """Draw rows of all variables (see `Network.sample_table`), with intervals in discretized columns."""
        return self.network.sample_table(n, random_state)

    def to_json(self) -> str:
        """Return the network as JSON text, which `generators.from_json` reads."""
        return self.network.to_json()

    def explain(self) -> str:
        """Describe the parts of the message by a text and two tables.

        Returns
        -------
        str
            Text with lengths in bits. The tables show `variables` and `arcs`.
        """
        variables = in_fixed_decimals(self.variables).rename(columns={"without_parents": "without parents"})
        parts = [
            "\n".join(self._summary(posteriors=self._knows_posteriors)),
            variables.reset_index().to_string(index=False),
        ]
        if len(self.arcs):
            shown = in_fixed_decimals(self.arcs.sort_values("bits_saved", ascending=False))
            parts.append(shown.to_string(index=False))
        return "\n\n".join(parts)

    def _summary(self, *, posteriors: bool) -> list[str]:
        lines = message_in_words(
            self.problem, self.network.parent_indices, self.message, self.parameter_words
        )
        if self.found.alone:
            n_alone, n_attributes = len(self.found.alone), self.network.n_variables - 1
            lines.append(
                f"Only {n_attributes - n_alone} of {n_attributes} attributes matter to the class and were "
                "searched. A search of all attributes may shorten the message."
            )
        if self.interrupted:
            lines.append(STOPPED)
        if posteriors and self.network.arcs:
            lines.append(f"Posteriors of arcs: {self.posterior_source}.")
        elif self.problem.holes:
            lines.append(
                "Values are missing. The way they are scored favors extra arcs and can reverse arcs."
            )
        if self._bits_to_gain:
            lines.append(
                f"The sample has a network whose message is {self._bits_to_gain:.1f} bits shorter: see "
                "with_shortest()."
            )
        return lines

    def plot(self, ax: "Axes | None" = None, *, kind: str = "average") -> "Axes":
        """Draw the arcs with their evidence (see `Network.plot`).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on. By default a new figure of fitting size.
        kind : {"average", "pattern", "dag"}
            "average" draws the pairs of variables that are joined with a posterior of 0.2 or more. An arc has
            a head if its direction is 9 times as probable as the reverse and `pattern` has the same
            direction. Otherwise it is dashed. "pattern" draws `pattern`, and needs no posteriors. "dag" draws
            this network. Each arc shows its posterior and the posterior of the reversed arc, which may be
            larger.

        Returns
        -------
        matplotlib Axes
            Axes with the drawing. A line below it states whether posteriors are exact or sampled (see
            `posterior_source`).

        Notes
        -----
        A direction may be probable even if no data can determine it, because equivalent networks are
        consistent with different numbers of orders, and the lengths of their messages can differ.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from learners import learn_network
        >>> x = np.tile([0, 1], 100)
        >>> learned = learn_network(np.column_stack([x, x]))
        >>> print(learned.plot().texts[-1].get_text())
        dashed: joined, direction not determined
        posterior of each: 0.99 or more
        pairs below 0.2 are not drawn
        posteriors: exact
        """
        if kind == "pattern":
            return self.network.plot(ax, kind=kind, excluded=self._excluded)
        return self.network.plot(
            ax,
            kind=kind,
            excluded=self._excluded,
            arc_posteriors=self.arc_posteriors,
            posterior_source=self.posterior_source,
        )
