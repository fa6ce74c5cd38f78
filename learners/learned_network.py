"""A network that was learned from rows, with all that the search knows of it."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.network import Network
from learners.learned_families import learn_family
from learners.parameters import MessageLength, told_length
from learners.sampled_classes import SampledClasses, Sampling
from learners.structure_search.equivalence import EquivalenceClass
from learners.structure_search.families import MAX_NODES
from learners.structure_search.found_network import FoundNetwork
from learners.structure_search.order_posterior import OrderPosterior
from learners.structure_search.search_problem import SearchProblem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["LearnedNetwork"]

QUICK = 12  # nodes up to which arcs are weighed exactly without being asked for
BIT = math.log(2)


@dataclass(frozen=True, eq=False)
class LearnedNetwork:
    """A network with the length of the message that states it and its data.

    Attributes
    ----------
    network : Network
        Its probabilities are those that the message tells.
    message : MessageLength
        Bits for the arcs, for each variable's probabilities, and for each variable's values.
    found : FoundNetwork
        What the search gave back: its improvements over time, and whether it was cut short.
    problem : SearchProblem
        The coded rows, a byte or two a cell, and what families and arcs cost.
    n_leaves : tuple of int or None
        Leaves of each variable's decision tree; None where it has a table.
    sampling : Sampling
        How `sampled` is drawn.

    Examples
    --------
    >>> from learners import learn_network
    >>> x = np.tile([0, 1], 100)
    >>> learned = learn_network(np.column_stack([x, np.repeat([0, 1], 100), x]))
    >>> print(learned.explain())
    424.1 bits: 2.8 for the arcs, 19.9 for the probabilities, 401.4 for the values of 200 rows.
    1 of 3 pairs joined; an arc has probability 0.375.
    <BLANKLINE>
    variable parents  cells  probabilities  values  without parents  saved
          x0      x2      4           12.4     1.4            203.8  189.2
          x1              2            3.8   200.0            203.8    0.0
          x2              2            3.8   200.0            203.8    0.0
    <BLANKLINE>
    parent child saves posterior reverse
        x2    x0 189.2      0.50    0.50
    """

    network: Network
    message: MessageLength
    found: FoundNetwork
    problem: SearchProblem
    n_leaves: tuple[int | None, ...]
    sampling: Sampling

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
    ) -> "LearnedNetwork":
        """Fill the tables of a network that a search found, and take its message apart."""
        families = [learn_family(problem, v, others, names) for v, others in enumerate(found.parents)]
        cpts = tuple(family.cpt for family in families)
        network = Network(tuple(names), tuple(states), found.parents, cpts, class_index=class_index)
        message = told_length(problem, found.parents, families, found.arc_probability)
        return cls(
            network, message, found, problem, tuple(f.n_leaves for f in families), sampling or Sampling()
        )

    def with_sample(self, sampled: SampledClasses) -> "LearnedNetwork":
        """Give the same with a sample that was drawn already."""
        other = replace(self)
        other.__dict__["sampled"] = sampled
        return other

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
        """The probability at which the arcs were told."""
        return self.message.arc_probability

    @property
    def structure(self) -> float:
        """Bits that tell the arcs."""
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

        Networks weigh exp(-length) at this arc probability, times the number of orders that they fit. Exact
        for up to 20 variables, else from `sampled`.
        """
        if self.problem.n_nodes > MAX_NODES:
            return self.sampled.sample.arc_posteriors
        return self.orders.arc_posteriors

    @cached_property
    def orders(self) -> OrderPosterior:
        """All networks along all orders, weighed exactly: evidence, families, arcs, independent draws.

        Raises
        ------
        ValueError
            If there are more than 20 variables.
        """
        return OrderPosterior.of(self.problem, arc_probability=self.arc_probability)

    @cached_property
    def sampled(self) -> SampledClasses:
        """Networks that the rows leave probable: a Metropolis sample that begins here."""
        return self.sampling.draw(self.problem, self.parents, self.arc_probability)

    @property
    def equivalence_classes(self) -> tuple[EquivalenceClass, ...]:
        """Classes of networks that rows cannot tell apart, by posterior, from `sampled`."""
        return self.sampled.equivalence

    @cached_property
    def variables(self) -> pd.DataFrame:
        """What each variable costs, in bits.

        Index variable; columns parents, cells (of the table, or leaves of the tree times states),
        probabilities, values, without_parents (what it would cost alone), saved (by its parents, arcs paid).
        """
        prices = self.problem.prices.at(self.arc_probability) / BIT
        rows = []
        for v, others in enumerate(self.parents):
            alone = self.problem.family_cost(v, ()) / BIT
            whole = float(self.parameters[v] + self.data[v])
            told = ", ".join(self.network.names[u] for u in others)
            saved = alone - whole - float(prices[list(others), v].sum()) if others else 0.0
            cells = int(self.problem.arities[v]) * (self.n_leaves[v] or self.network.cpts[v][..., 0].size)
            rows.append((told, cells, float(self.parameters[v]), float(self.data[v]), alone, saved))
        columns = ["parents", "cells", "probabilities", "values", "without_parents", "saved"]
        return pd.DataFrame(rows, index=pd.Index(self.network.names, name="variable"), columns=columns)

    @cached_property
    def arcs(self) -> pd.DataFrame:
        """What each arc is worth.

        One row an arc: parent, child, saves (bits by which the message would be longer without it, all else
        the same), and, for up to 12 variables or once `arc_posteriors` was asked for, posterior and reverse
        (posterior of the arc the other way).
        """
        prices = self.problem.prices.at(self.arc_probability)
        rows = []
        for v, others in enumerate(self.parents):
            whole = self.problem.family_cost(v, others)
            for u in others:
                without = self.problem.family_cost(v, [w for w in others if w != u])
                rows.append((u, v, (without - whole - float(prices[u, v])) / BIT))
        places = pd.DataFrame(rows, columns=["parent", "child", "saves"])
        if len(self.parents) <= QUICK or "arc_posteriors" in self.__dict__:
            ends = places["parent"].to_numpy(np.intp), places["child"].to_numpy(np.intp)
            places["posterior"] = self.arc_posteriors[ends]
            places["reverse"] = self.arc_posteriors[ends[::-1]]
        names = dict(enumerate(self.network.names))
        return places.assign(parent=places["parent"].map(names), child=places["child"].map(names))

    def explain(self) -> str:
        """Tell in words and two tables what the message spends on what.

        Returns
        -------
        str
            Bits; `variables` and `arcs` are the tables.
        """
        message, prices = self.message, self.problem.prices
        free, possible = prices.n_free_arcs(self.parents), prices.n_pairs
        others = sum(map(len, self.parents)) - free
        head = (
            f"{message.total:.1f} bits: {message.structure:.1f} for the arcs, "
            f"{message.parameters.sum():.1f} for the probabilities, "
            f"{message.data.sum():.1f} for the values of {self.problem.n_rows} rows.\n"
            f"{free} of {possible} pairs joined; an arc has probability {self.arc_probability:.3g}."
        )
        if not prices.is_uniform:
            head += (
                f"\n{others} further {'arc' if others == 1 else 'arcs'} told by opinions; where these favor "
                "the network, they take bits off the arcs."
            )
        variables = self.variables.rename(columns={"without_parents": "without parents"}).reset_index()
        parts = [head, variables.to_string(index=False, float_format="{:.1f}".format)]
        if len(self.arcs):
            shown = self.arcs.sort_values("saves", ascending=False)
            forms = {"saves": "{:.1f}".format} | dict.fromkeys(("posterior", "reverse"), "{:.2f}".format)
            parts.append(shown.to_string(index=False, formatters=forms))
        return "\n\n".join(parts)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the network with the posterior of each arc, see `Network.plot` and `arc_posteriors`."""
        return self.network.plot(ax, arc_posteriors=self.arc_posteriors)
