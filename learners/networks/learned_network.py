"""A network of discrete variables learned from rows, with the results of the search."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.network import Network
from generators.networks.queries import Evidence
from learners.networks._kernels.local_cost import TABLE
from learners.networks.classes.sampled_networks import SamplerOptions
from learners.networks.cut_columns import CutColumns
from learners.networks.explanation import variable_costs
from learners.networks.families import family_table, learn_family
from learners.networks.learned_graph import LearnedGraph, has_exact_posteriors
from learners.networks.message import length_in_parts
from learners.networks.progress import Progress
from learners.networks.search.search_problem import FoundNetwork, SearchProblem

if TYPE_CHECKING:
    import os

    from generators.networks.queries import MostProbable

__all__ = ["LearnedNetwork"]


@dataclass(frozen=True, eq=False, repr=False)
class LearnedNetwork(LearnedGraph[Network]):
    """A learned Bayesian network, with the length of the message that encodes it and the data.

    Attributes
    ----------
    network : Network
        The network, with the probabilities that the message encodes.
    message : MessageLength
        Bits for the arcs, and for each variable's probabilities and values.
    found : FoundNetwork
        Result of the search, with the improvements over time and whether the search was stopped early.
    problem : SearchProblem
        The problem that was searched: the coded rows (a byte or two per cell), and the costs of families and
        arcs.
    local_models : tuple of {"table", "tree", "logit"}
        Encoding of each variable's probabilities.
    n_rows : tuple of int
        For each variable, the number of rows of its probability table, of leaves of its tree, or of effects
        of its logit on each state.
    sampling : SamplerOptions
        Options for drawing the sample `sampled`.
    is_exact : bool
        Whether `arc_posteriors` are exact. They are exact after an exact search of up to 20 variables, and
        after any search of up to 16 variables (12 with missing values, 9 with trees or logits).
    progress : bool, None or function of str
        Whether posteriors and the sample report their progress (see `learn_network`).
    cut_points : mapping of str to ndarray of float64
        Cut points of each numeric column, by name. `query`, `log_joint` and `posterior` use them to convert
        numbers to intervals.

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
    parent child bits_saved posterior reverse
        x2    x0      189.2      0.50    0.50
    """

    problem: SearchProblem
    local_models: tuple[str, ...]
    n_rows: tuple[int, ...]
    cut_points: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        problem: SearchProblem,
        found: FoundNetwork,
        names: Sequence[str],
        states: Sequence[tuple[Hashable, ...]],
        *,
        class_index: int | None = None,
        sampling: SamplerOptions | None = None,
        exact: bool = False,
        progress: Progress = None,
        cut_points: Mapping[str, NDArray[np.float64]] | None = None,
    ) -> "LearnedNetwork":
        """Estimate the tables of a network that a search found, and compute the parts of its message.

        `exact` requests exact arc posteriors even if they are slow.
        """
        families = [learn_family(problem, v, others, names) for v, others in enumerate(found.parents)]
        cpts = tuple(family.cpt for family in families)
        network = Network(tuple(names), tuple(states), found.parents, cpts, class_index=class_index)
        data = [family.data for family in families]
        message = length_in_parts(problem, found.parents, data, found.arc_probability)
        return cls(
            network,
            message,
            found,
            problem,
            sampling or SamplerOptions(),
            has_exact_posteriors(problem, found, requested=exact),
            progress,
            tuple(family.local_model for family in families),
            tuple(family.n_rows for family in families),
            cut_points or {},
        )

    def _of(self, found: FoundNetwork) -> "LearnedNetwork":
        return LearnedNetwork.of(
            self.problem,
            found,
            self.network.names,
            self.network.states,
            class_index=self.network.class_index,
            sampling=self.sampling,
            exact=self.is_exact,
            progress=self.progress,
            cut_points=self.cut_points,
        )

    def filled(self, parents: Sequence[Sequence[int]]) -> Network:
        """Return a network with given arcs, and with the probabilities of its shortest message."""
        names = self.network.names
        cpts = tuple(family_table(self.problem, v, others, names) for v, others in enumerate(parents))
        return replace(self.network, parent_indices=tuple(map(tuple, parents)), cpts=cpts)

    @cached_property
    def variables(self) -> pd.DataFrame:
        """Message length of each variable, in bits.

        The table is indexed by variable. Its columns are parents, cells (cells of the table, leaves of the
        tree times states, or effects of the logit), probabilities, values, without_parents (message length
        without parents), saved (bits saved by the parents, after subtracting the cost of the arcs), and,
        unless only tables were requested, local_model. Opinions on ancestors and correlations concern the
        whole network and are not included in saved.
        """
        cells = [int(r) * n for r, n in zip(self.problem.arities, self.n_rows, strict=True)]
        network = self.network
        costs = variable_costs(
            self.problem, network.parent_indices, network.names, self.message, self.parameter_words
        )
        costs.insert(1, "cells", cells)
        return costs if self.problem.local_model == TABLE else costs.assign(local_model=self.local_models)

    def query(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> pd.Series:
        """Return the joint distribution of some variables given evidence (see `Network.query`).

        The evidence about a numeric column may be a number, the state that contains it, or a pandas Interval.
        """
        return self.network.query(variables, self._cuts.evidence(evidence))

    def most_probable(self, evidence: Evidence | None = None) -> "MostProbable":
        """Return the most probable states of all other variables (see `Network.most_probable`)."""
        return self.network.most_probable(self._cuts.evidence(evidence))

    def log_joint(self, X: Any, y: Any = None) -> NDArray[np.float64]:
        """Return the log-probability of each row in nats (see `Network.log_joint`).

        Numeric columns are cut into intervals as in learning. Missing values are summed out.
        """
        return self.network.log_joint(self._cuts.rows(X, self.network.class_index), y)

    def posterior(self, X: Any, of: str | None = None) -> NDArray[np.float64]:
        """Return the distribution of one variable given the others (see `Network.posterior`).

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
        """Return the conditional probability table of a variable (see `Network.cpt`)."""
        return self.network.cpt(name)

    def to_bif(self, path: "str | os.PathLike[str] | None" = None) -> str:
        """Return the network as BIF text (see `Network.to_bif`)."""
        return self.network.to_bif(path)
