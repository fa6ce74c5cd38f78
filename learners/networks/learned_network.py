"""A network learned from rows, with everything that the search found out about it."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.network import Network
from generators.networks.notebook import network_html
from generators.networks.patterns import Pattern
from generators.networks.queries import Evidence
from learners.networks._kernels.local_cost import TABLE
from learners.networks.classes.network_class import NetworkClass
from learners.networks.classes.sampled_networks import SampledClasses, Sampling
from learners.networks.cut_columns import CutColumns
from learners.networks.explanation import arc_savings, in_fixed_decimals, message_in_words, variable_costs
from learners.networks.families import learn_family
from learners.networks.parameters import MessageLength, length_in_parts
from learners.networks.progress import Progress, phase, reporting
from learners.networks.search.by_name import is_quickly_exact
from learners.networks.search.order_posterior import MAX_SUMMED_NODES, OrderPosterior
from learners.networks.search.search_problem import FoundNetwork, SearchProblem

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    from generators.networks.patterns import StructuralDistance
    from generators.networks.queries import MostProbable

__all__ = ["LearnedNetwork"]

QUICK = 12  # nodes up to which exact posteriors of arcs are computed without being requested
SHORTER = 1e-6  # nats by which a sampled network must be shorter to be reported
BIT = math.log(2)
STOPPED = "The search was stopped early; a whole one may find a shorter network."
MISSING = "given how missing values are scored, which favors extra arcs and can turn others round"


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
    local_models : tuple of {"table", "tree", "logit"}
        How each variable's probabilities are encoded.
    n_rows : tuple of int
        Rows of each variable's table, leaves of its tree, or effects of its logit on each state.
    sampling : Sampling
        How `sampled` is drawn.
    is_exact : bool
        Whether `arc_posteriors` are exact: after the exact search of up to 20 variables, and for as many as
        "auto" searches exactly (16; 12 where values are missing, 9 with trees or logits).
    progress : bool, None or function of str
        Whether posteriors and the sample say how far they are, see `learn_network`.
    cut_points : mapping of str to ndarray of float64
        Cuts of each numeric column, by the name of its variable; `query`, `log_joint` and `posterior` turn
        numbers into intervals by them.

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
    variable parents  cells probabilities values without parents saved
          x0      x2      4          12.4    1.4           203.8 189.2
          x1              2           3.8  200.0           203.8   0.0
          x2              2           3.8  200.0           203.8   0.0
    <BLANKLINE>
    parent child saves posterior reverse
        x2    x0 189.2      0.50    0.50
    """

    workbench_identity = "learners.learned_network:LearnedNetwork"
    network: Network
    message: MessageLength
    found: FoundNetwork
    problem: SearchProblem
    local_models: tuple[str, ...]
    n_rows: tuple[int, ...]
    sampling: Sampling
    is_exact: bool
    progress: Progress = None
    cut_points: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def __repr__(self) -> str:
        stopped = ", search stopped early" if self.interrupted else ""
        return f"LearnedNetwork({self.network!r}, {self.message_length:.1f} bits{stopped})"

    def __getstate__(self) -> dict[str, Any]:
        # a function for progress belongs to this process, and may not pickle
        return {**self.__dict__, "progress": None if callable(self.progress) else self.progress}

    def _repr_html_(self) -> str:
        # notebooks show this; nothing is computed for it that takes long, such as posteriors
        known = "arc_posteriors" in self.__dict__ or (not self.is_exact and "sampled" in self.__dict__)
        below = "" if known else "Posteriors of arcs take longer: plot() draws them, arc_posteriors has them."
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
        progress: Progress = None,
        cut_points: Mapping[str, NDArray[np.float64]] | None = None,
    ) -> "LearnedNetwork":
        """Fill the tables of a network that a search found, and split its message into parts.

        `exact` requests exact posteriors of arcs even where they are slow.
        """
        families = [learn_family(problem, v, others, names) for v, others in enumerate(found.parents)]
        cpts = tuple(family.cpt for family in families)
        network = Network(tuple(names), tuple(states), found.parents, cpts, class_index=class_index)
        message = length_in_parts(problem, found.parents, families, found.arc_probability)
        was_exact = exact and not found.interrupted and problem.n_nodes <= MAX_SUMMED_NODES
        is_exact = was_exact or is_quickly_exact(problem)
        return cls(
            network,
            message,
            found,
            problem,
            tuple(family.local_model for family in families),
            tuple(family.n_rows for family in families),
            sampling or Sampling(),
            is_exact,
            progress,
            cut_points or {},
        )

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
        found = replace(self.found, parents=sample.shortest_parents, length=sample.shortest_length, alone=())
        names, states, class_index = self.network.names, self.network.states, self.network.class_index
        shortest = LearnedNetwork.of(
            self.problem,
            found,
            names,
            states,
            class_index=class_index,
            sampling=self.sampling,
            exact=self.is_exact,
            progress=self.progress,
            cut_points=self.cut_points,
        )
        return shortest.with_sample(self.sampled)

    def structural_distance(self, truth: "Network | LearnedNetwork") -> "StructuralDistance":
        """Compare the arcs with those of a true or another learned one, see `Network.structural_distance`."""
        return self.network.structural_distance(truth.network if isinstance(truth, LearnedNetwork) else truth)

    @property
    def message_length(self) -> float:
        """Bits: `structure` + the sums of `parameters` and `data`."""
        return self.message.total

    @property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Parents of each variable, by name; `network.parents` has them by index."""
        return {name: self.network.parents_of(name) for name in self.network.names}

    def pattern(self) -> Pattern[str]:
        """Return what all equivalent networks that the structure prior does not exclude have in common.

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
        """Arcs that the structure prior excludes, by index."""
        return frozenset((u, v) for u, v in np.argwhere(np.isinf(self.problem.arc_costs.fixed)).tolist())

    @property
    def arc_probability(self) -> float:
        """The arc probability used to encode the arcs."""
        return self.message.arc_probability

    @property
    def structure(self) -> float:
        """Bits that encode the arcs."""
        return self.message.structure

    @property
    def parameters(self) -> pd.Series:
        """Bits for each variable's probabilities, see `MessageLength`; by name."""
        return self._by_name(self.message.parameters, "parameters")

    @property
    def data(self) -> pd.Series:
        """Bits for each variable's values, see `MessageLength`; by name."""
        return self._by_name(self.message.data, "data")

    @property
    def interrupted(self) -> bool:
        """Whether the search was stopped before it was done."""
        return self.found.interrupted

    @cached_property
    def arc_posteriors(self) -> pd.DataFrame:
        """Probability of every arc given the rows, over all networks and orders.

        Rows are named by the variable that an arc comes "from", columns by the one it leads "to".

        Networks weigh exp(-length) at this arc probability, times the number of orders that they fit, so that
        a direction may be probable which no rows can tell: see `pattern`. Posteriors are exact if `is_exact`,
        else from `sampled`, with a `ChainsDisagreeWarning` where its chains differ by more than 0.1.
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
        """How `arc_posteriors` were computed: "exact", or "sampled" and whether the chains agree.

        Where values are missing it says what their score does to arcs, see `MissingValuesWarning`.
        """
        if self.is_exact:
            return f"exact {MISSING}" if self.problem.holes else "exact"
        return f"sampled, {self.sampled.agreement}" + (f", {MISSING}" if self.problem.holes else "")

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
        with reporting(self.progress):
            phase("sampling networks")
            return self.sampling.draw(self.problem, self.network.parents, self.arc_probability)

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

        Index variable; columns parents, cells (of the table, leaves of the tree times states, or effects of
        the logit), probabilities, values, without_parents (what it would cost alone), saved (by its parents,
        net of the arcs, but for opinions on relations, which concern the whole network), and, unless all are
        tables by request, local_model.
        """
        cells = [int(r) * n for r, n in zip(self.problem.arities, self.n_rows, strict=True)]
        costs = variable_costs(self.problem, self.network.parents, self.network.names, cells, self.message)
        return costs if self.problem.local_model == TABLE else costs.assign(local_model=self.local_models)

    @property
    def arcs(self) -> pd.DataFrame:
        """What each arc is worth.

        One row an arc: parent, child, saves (bits by which the message would be longer without it, all else
        the same), and, once `arc_posteriors` are known or where they are exact and there are at most 12
        variables, posterior and reverse (posterior of the arc the other way). Sampled posteriors have one
        more column, spread: the largest difference between two chains.
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
        """Each arc by index, and the bits that it saves."""
        return arc_savings(self.problem, self.network.parents, self.arc_probability)

    @property
    def _knows_posteriors(self) -> bool:
        quick = self.network.n_variables <= QUICK if self.is_exact else "sampled" in self.__dict__
        return quick or "arc_posteriors" in self.__dict__

    def _by_name(self, bits: NDArray[np.float64], name: str) -> pd.Series:
        return pd.Series(bits, pd.Index(list(self.network.names), name="variable"), name=name)

    @property
    def _bits_to_gain(self) -> float:
        """Bits by which a sampled network is shorter than this one; 0 if none is or none was sampled."""
        if "sampled" not in self.__dict__:
            return 0.0
        nats = self.message_length * BIT - self.sampled.sample.shortest_length
        return nats / BIT if nats > SHORTER else 0.0

    def query(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> pd.Series:
        """Return the joint distribution of some variables given evidence, see `Network.query`.

        The evidence about a numeric column may be a number, the state that it lies in, or a pandas Interval.
        """
        return self.network.query(variables, self._cuts.evidence(evidence))

    def most_probable(self, evidence: Evidence | None = None) -> "MostProbable":
        """Return the most probable states of all other variables, see `Network.most_probable`."""
        return self.network.most_probable(self._cuts.evidence(evidence))

    def log_joint(self, X: Any, y: Any = None) -> NDArray[np.float64]:
        """Return the log-probability of each row in nats, see `Network.log_joint`.

        Numeric columns are cut into intervals as in learning; missing values are summed out.
        """
        return self.network.log_joint(self._cuts.rows(X, self.network.class_index), y)

    def posterior(self, X: Any, of: str | None = None) -> NDArray[np.float64]:
        """Return the distribution of one variable given the others, see `Network.posterior`.

        Numeric columns are cut into intervals as in learning.

        Examples
        --------
        >>> from learners import learn_network
        >>> x = np.tile([0.0, 1.0], 100)
        >>> rows = pd.DataFrame({"number": x, "word": np.where(x > 0, "high", "low")})
        >>> learn_network(rows).posterior(rows.head(1), of="word").round(3)
        array([[0.005, 0.995]])
        """
        return self.network.posterior(self._cuts.rows(X, self.network._target(of)), of)

    @property
    def _cuts(self) -> CutColumns:
        return CutColumns(self.network, self.cut_points)

    def cpt(self, name: str) -> pd.DataFrame:
        """Return the conditional distribution of a variable as a table, see `Network.cpt`."""
        return self.network.cpt(name)

    def sample_table(
        self, n: int, random_state: "int | np.random.Generator | np.random.SeedSequence | None" = None
    ) -> pd.DataFrame:
        """Draw rows of all variables, see `Network.sample_table`; numeric columns come as intervals."""
        return self.network.sample_table(n, random_state)

    def to_bif(self, path: "str | os.PathLike[str] | None" = None) -> str:
        """Return the network as BIF text, see `Network.to_bif`."""
        return self.network.to_bif(path)

    def to_json(self) -> str:
        """Return the network as JSON text, which `Network.from_json` reads."""
        return self.network.to_json()

    def explain(self) -> str:
        """Describe in words and two tables what the message spends its bits on.

        Returns
        -------
        str
            Bits; `variables` and `arcs` are the tables.
        """
        variables = in_fixed_decimals(self.variables).rename(columns={"without_parents": "without parents"})
        parts = [
            "\n".join(self._summary(posteriors=self._knows_posteriors)),
            variables.reset_index().to_string(index=False),
        ]
        if len(self.arcs):
            shown = in_fixed_decimals(self.arcs.sort_values("saves", ascending=False))
            parts.append(shown.to_string(index=False))
        return "\n\n".join(parts)

    def _summary(self, *, posteriors: bool) -> list[str]:
        lines = message_in_words(self.problem, self.network.parents, self.message)
        if self.found.alone:
            n_alone, n_attributes = len(self.found.alone), self.network.n_variables - 1
            lines.append(
                f"Only what matters to the class was searched, {n_attributes - n_alone} of {n_attributes} "
                "attributes; a search of all may shorten the message."
            )
        if self.interrupted:
            lines.append(STOPPED)
        if posteriors and self.network.arcs:
            lines.append(f"Posteriors of arcs: {self.posterior_source}.")
        elif self.problem.holes:
            lines.append(
                "Values are missing, and how they are scored favors extra arcs and can turn others round."
            )
        if self._bits_to_gain:
            lines.append(
                f"The sample met a network {self._bits_to_gain:.1f} bits shorter; see with_shortest()."
            )
        return lines

    def plot(self, ax: "Axes | None" = None, *, kind: str = "average") -> "Axes":
        """Draw what the rows say about the arcs, see `Network.plot`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure that fits by default.
        kind : {"average", "pattern", "dag"}
            "average" draws which pairs are probably joined, over all networks; with a head where one
            direction is 9 times as probable as the other and `pattern` has it too, else dashed. "pattern"
            draws `pattern`, and needs no posteriors. "dag" draws this network, each arc with its posterior
            and that of its reverse, which may be larger.

        Returns
        -------
        matplotlib Axes
            A line below the drawing says whether posteriors are exact or sampled, see `posterior_source`.

        Notes
        -----
        A direction may be probable though no rows can tell it: equivalent networks fit different numbers of
        orders, and their messages need not be of the same length.

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
