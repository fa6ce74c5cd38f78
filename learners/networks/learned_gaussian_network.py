"""A linear-Gaussian network learned from numeric rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.normal import Normal
from generators.networks.queries import Evidence
from learners.networks.classes.sampled_networks import SamplerOptions
from learners.networks.explanation import variable_costs
from learners.networks.learned_graph import LearnedGraph, has_exact_posteriors
from learners.networks.message import length_in_parts
from learners.networks.network_table import variable_names
from learners.networks.progress import Progress
from learners.networks.regressions import gaussian_network, learn_regression
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.search_problem import FoundNetwork

__all__ = ["LearnedGaussianNetwork"]


@dataclass(frozen=True, eq=False, repr=False)
class LearnedGaussianNetwork(LearnedGraph[GaussianNetwork]):
    """A learned linear-Gaussian network, with the length of the message that encodes it and the data.

    Attributes
    ----------
    network : GaussianNetwork
        The network, in the units of the rows.
    message : MessageLength
        Bits for the arcs, and for each variable's coefficients, noise and values. Values have a precision of
        one standard deviation of the variable. A higher precision would add the same length to every network,
        so differences between networks are valid. Lengths can be negative.
    found : FoundNetwork
        Result of the search, with the improvements over time and whether the search was stopped early.
    problem : GaussianProblem
        The problem that was searched: sums of products of the variables, and the costs of families and arcs.
    sampling : SamplerOptions
        Options for drawing the sample `sampled`.
    is_exact : bool
        Whether `arc_posteriors` are exact. They are exact after an exact search of up to 20 variables, and
        after any search of up to 16 variables.
    progress : bool, None or function of str
        Whether posteriors and the sample report their progress (see `learn_network`).

    Examples
    --------
    >>> from learners import learn_network
    >>> rng = np.random.default_rng(0)
    >>> sun, rain = rng.normal(size=(2, 200))
    >>> rows = pd.DataFrame({"sun": sun, "rain": rain, "grass": sun + rain + rng.normal(size=200)})
    >>> learned = learn_network(rows, local_model="gaussian")
    >>> learned.pattern()
    Pattern(rain -> grass, sun -> grass)
    >>> learned.query("sun", {"grass": 1.0, "rain": 2.0})
    Normal(sun: -0.5323 ± 0.6719)
    """

    parameter_words: ClassVar[str] = "coefficients"
    problem: GaussianProblem

    @classmethod
    def of(
        cls,
        problem: GaussianProblem,
        found: FoundNetwork,
        names: Sequence[str],
        *,
        sampling: SamplerOptions | None = None,
        exact: bool = False,
        progress: Progress = None,
    ) -> "LearnedGaussianNetwork":
        """Estimate the coefficients of a network that a search found, and compute the parts of its message.

        `exact` requests exact arc posteriors even if they are slow.
        """
        regressions = [learn_regression(problem, v, others) for v, others in enumerate(found.parents)]
        data = [one.data for one in regressions]
        return cls(
            gaussian_network(names, found.parents, regressions),
            length_in_parts(problem, found.parents, data, found.arc_probability),
            found,
            problem,
            sampling or SamplerOptions(),
            has_exact_posteriors(problem, found, requested=exact),
            progress,
        )

    def _of(self, found: FoundNetwork) -> "LearnedGaussianNetwork":
        return LearnedGaussianNetwork.of(
            self.problem,
            found,
            self.network.names,
            sampling=self.sampling,
            exact=self.is_exact,
            progress=self.progress,
        )

    def filled(self, parents: Sequence[Sequence[int]]) -> GaussianNetwork:
        """Return a network with given arcs, and with the coefficients of its shortest message."""
        regressions = [learn_regression(self.problem, v, others) for v, others in enumerate(parents)]
        return gaussian_network(self.network.names, parents, regressions)

    @cached_property
    def variables(self) -> pd.DataFrame:
        """Message length of each variable, in bits.

        The table is indexed by variable. Its columns are parents, coefficients (with the noise), values,
        without_parents (message length without parents), saved (bits saved by the parents, after subtracting
        the cost of the arcs), and explained (share of the variable's variance that the parents explain).
        Opinions on ancestors and correlations concern the whole network and are not included in saved.
        """
        network = self.network
        costs = variable_costs(
            self.problem, network.parent_indices, network.names, self.message, self.parameter_words
        )
        return costs.assign(explained=network.explained)

    def query(self, variables: str | Sequence[str], evidence: Evidence | None = None) -> Normal:
        """Return the joint distribution of some variables given evidence (see `GaussianNetwork.query`)."""
        return self.network.query(variables, evidence)

    def log_joint(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of each row in nats (see `GaussianNetwork.log_joint`)."""
        named = X.set_axis(list(variable_names(X.columns)), axis=1) if hasattr(X, "columns") else X
        return self.network.log_joint(named)

    def coefficient_table(self) -> pd.DataFrame:
        """Return the coefficients, one row per variable (see `GaussianNetwork.coefficient_table`)."""
        return self.network.coefficient_table()
