"""CaMML: the network over attributes and class with the shortest message, or an average over networks."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.networks.network import Network
from generators.tables.caller import user_level
from generators.tables.codes import code_dtype
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.facts import LearnerFacts
from learners.networks.checked_problem import network_problem
from learners.networks.classes.network_class import NetworkClass
from learners.networks.classes.sampled_networks import SampledClasses, SamplerOptions
from learners.networks.families import family_table
from learners.networks.forecast import MixedForecast, NetworkForecast
from learners.networks.learned_graph import STOPPED, has_exact_posteriors
from learners.networks.learned_network import LearnedNetwork
from learners.networks.network_table import is_constant, warn_of_constant_columns
from learners.networks.search import ExactAverage, find_network
from learners.networks.search.averaging import check_averaged
from learners.networks.search.indirect_prior import REFUSED
from learners.networks.structure_prior import StructurePrior, check_structure_prior
from learners.tables.attributes import CodedTable

__all__ = ["CaMMLClassifier"]

AVERAGES = ("none", "representative", "mixture", "exact")
SAMPLED = ("representative", "mixture")
BRIEF = 0.1  # search_factor of the sampler after Ctrl-C in the search
SHORTER = 1e-6  # nats by which a sampled network must be shorter to be taken for the shortest
MOST_REPEATED = 100_000_000  # rows after each has been repeated by its weight, as columns of bytes
PSEUDO_COUNTS = {"auto": None, "mml": 0.5, "posterior_mean": 1.0}


class CaMMLClassifier(ProbabilisticClassifier):
    """CaMML: Bayesian network classifier with the shortest message (minimum message length).

    Any directed acyclic graph over the attributes and the class may have generated the rows. The class is a
    variable like the others. The message encodes the arcs, the probability tables and the rows. Missing
    values are summed out exactly at prediction. In training, the parents of a variable save bits on the rows
    in which the whole family (the variable and its parents) is known. The cost of the family is the cost of
    the variable without parents on all rows in which the variable is known, minus these savings. Numeric
    columns are discretized as part of learning. A column with one value in all rows has only required arcs.

    Parameters
    ----------
    search : {"auto", "exact", "fast", "metropolis", "blanket"}, default "auto"
        Search method. "exact" searches all graphs, with up to 25 variables including the class. "fast" is a
        local search over orders of the variables. "metropolis" is simulated annealing as in the CaMML
        program. "auto" is exact up to 16 variables (12 with missing values, 9 with trees or logits), and fast
        for more variables. "blanket" is a fast search of only the Markov blanket of the class, for up to some
        200 attributes. Attributes outside the blanket have only required parents. `message_length_` may
        therefore be longer than necessary, and these attributes do not help if rows to forecast have missing
        values. An estimated arc probability assumes as many arcs per variable outside the searched variables
        as among them. `arc_posteriors_`, `equivalence_classes_` and `learned_.plot()` still sample networks
        of all variables, which takes as long as without "blanket".
    arc_probability : float, "joint" or "fixed_point", default "joint"
        Probability of an arc, strictly between 0 and 1. "joint" chooses the value with the shortest message
        among (a + 1/2) / (M + 1), a = 0 .. M, where M is the number of pairs of variables. In ties it takes
        the smallest value. "fixed_point" estimates the probability from the shortest network, and repeats the
        search until both agree.
    averaging : {"none", "representative", "mixture", "exact"}, default "none"
        Networks that make the forecasts. "none" uses the network with the shortest message. "representative"
        uses the network that the CaMML program reports: it represents the equivalence class with the highest
        posterior. "mixture" uses the representatives of all classes, weighted by posterior. "exact" averages
        over all networks, exactly over orders. It accepts up to 14 variables, and in a row up to 13 missing
        attributes with 2 values, 9 with 3 values or 4 with 10 values, and more if there are fewer variables.
    constant : {"exact", "rounded", "none"}, default "exact"
        Cost of each free parameter in nats: "exact" is (1/2) ln(pi e / 6), "rounded" is 0.17649 as in the
        CaMML program, and "none" is 0, which gives the marginal likelihood under uniform priors (the K2
        score).
    estimate : {"auto", "mml", "posterior_mean"}, default "auto"
        Estimate of the probability of a value that occurs in n of the N rows of a table's row or a tree's
        leaf, for a variable of r values. "mml" is (n + 1/2) / (N + r/2), and "posterior_mean" is (n + 1) / (N
        + r). A logit has a different estimate. "auto" is "posterior_mean" for averaging="exact" and "mml"
        otherwise. With averaging="exact" and constant="none", "posterior_mean" makes the forecast a ratio of
        evidences.
    max_parents : int or None, default None
        Maximum number of parents of a variable. None sets no limit.
    max_cells : int or None, default None
        Maximum number of cells of a probability table (the product of the numbers of values of the child and
        its parents). None sets no limit.
    local_model : {"table", "tree", "shorter", "logit", "auto"}, default "table"
        Encoding of a variable's probabilities. "table" is a probability table, "tree" a decision tree over
        the parents, and "logit" an additive logit. "shorter" takes the shorter of table and tree for each
        family, "auto" the shortest of all three. In a logit, each parent's value has a separate effect on the
        logarithms of the probabilities, independent of the values of the other parents. A logit accepts up to
        65,000 cells of the corresponding table, and 600 free parameters. The effects sum to zero over values
        and have the prior N(0, 3^2). The estimated effects minimize the message length, without
        pseudo-counts. With "shorter", the choice of the encoding costs ln 2 nats for a family with two or
        more parents. With "auto" it costs ln 3 nats for such a family, otherwise ln 2.
        `learned_.local_models` reports the chosen encodings.
    structure_prior : StructurePrior or None, default None
        Prior knowledge of arcs, ancestors and the order. The class has the name of `y`, or "y" if it has no
        name, followed by an underscore if a column has the same name. With opinions on ancestors,
        correlations or the order, "auto" is fast, and exact searches and averages raise an error.
    temperature : float, default 1.8
        Temperature of the Metropolis chains, at least 1. It is not used if networks are drawn independently.
    search_factor : float, default 1.0
        Factor by which the work of "fast", the steps of "metropolis" and of chains, and the number of drawn
        networks are multiplied.
    max_seconds : float or None, default None
        Time limit in seconds, which holds separately for the search and for the sampler, without the
        compilation of kernels. When it is reached, the best network so far is used, as after Ctrl-C. If the
        exact search is stopped, "fast" with a tenth of its normal work finds the network.
    random_state : int, Generator or None, default None
        Seed of "fast", "metropolis" and the sampler.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_features,)
        Number of values of each attribute.
    network_ : Network
        The network that makes the forecasts. If several networks are averaged, it is the network with the
        shortest message, including networks that were sampled in `fit`. Attributes are in column order,
        followed by the class.
    parents_ : tuple of tuple of int
        Indices of the parents of each variable of `network_`. The index n_features is the class.
        `learned_.parents` has the names of the parents.
    message_length_ : float
        Length of the whole message, in bits.
    arc_probability_ : float
        Arc probability used to encode the arcs.
    learned_ : LearnedNetwork
        The network with the parts of its message, which `learned_.explain()` describes.
    arc_posteriors_ : DataFrame of shape (n_features + 1, n_features + 1)
        Posterior probability of each arc, by name, with parents as rows and children as columns. It is exact
        after an exact search of up to 20 variables, and for any search if "auto" would be exact. Otherwise it
        is estimated from the sample. `learned_.posterior_source` reports whether it is exact.
    equivalence_classes_ : tuple of NetworkClass
        Markov equivalence classes of networks, sorted by posterior, from the sample.
    sampled_ : SampledClasses
        A sample of probable networks, drawn in `fit` or on first access. Drawing it later does not change
        fitted results. If `arc_posteriors_` are exact and there are at most 16 variables, the sample has
        20,000 networks that are drawn independently from the exact posterior. Otherwise it has networks from
        four Metropolis chains.
    interrupted_ : bool
        Whether the search, or the sampler of an average, was stopped early.
    cut_points_ : dict of ndarray
        Cut points of each numeric column. Without numeric columns, this attribute does not exist.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    learn_network : Learn a network of a data set without a class.

    References
    ----------
    .. [1] Wallace, C. S. & Korb, K. B. 1999, "Learning linear causal models by MML sampling", in Causal
       Models and Intelligent Data Management.
    .. [2] Koivisto, M. & Sood, K. 2004, "Exact Bayesian structure discovery in Bayesian networks", JMLR 5.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> clear, vague = y ^ (rng.random(200) < 0.1), y ^ (rng.random(200) < 0.2)
    >>> X = np.column_stack([clear, vague, rng.integers(0, 2, 200)])
    >>> camml = CaMMLClassifier().fit(X, y)
    >>> camml.parents_, round(camml.message_length_, 2)
    (((3,), (3,), (), ()), 665.76)
    >>> camml.predict_proba([[0, 0, 0]]).round(3)
    array([[0.958, 0.042]])
    >>> average = CaMMLClassifier(averaging="exact", constant="none").fit(X, y)
    >>> average.predict_proba([[0, 0, 0]]).round(3)
    array([[0.961, 0.039]])
    """

    workbench_identity = "learners.camml:CaMMLClassifier"
    algorithm_version = 3  # since 3 networks are drawn independently where their posterior is exact
    facts = LearnerFacts(
        key="camml",
        authors="Wallace, Korb",
        title="Learning linear causal models by MML sampling",
        year=1999,
        numbers="intervals",
        missing="summed out",
        weights="whole",
        limit="25 variables by exact search, class included, and 14 by exact averaging",
        also=("network_.plot", "learned_.explain", "message_length_", "arc_posteriors_"),
    )

    def __init__(
        self,
        search: str = "auto",
        arc_probability: float | str = "joint",
        averaging: str = "none",
        constant: str = "exact",
        estimate: str = "auto",
        max_parents: int | None = None,
        max_cells: int | None = None,
        local_model: str = "table",
        structure_prior: StructurePrior | None = None,
        temperature: float = 1.8,
        search_factor: float = 1.0,
        max_seconds: float | None = None,
        random_state: int | np.random.Generator | None = None,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.search = search
        self.arc_probability = arc_probability
        self.averaging = averaging
        self.constant = constant
        self.estimate = estimate
        self.max_parents = max_parents
        self.max_cells = max_cells
        self.local_model = local_model
        self.structure_prior = structure_prior
        self.temperature = temperature
        self.search_factor = search_factor
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "CaMMLClassifier":
        """Find the network and estimate its probability tables.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.
        Weights must be whole numbers, 0 or more, with a sum of at most 100 million.
        """
        self._check_options()
        self._sampling = SamplerOptions(
            self.temperature, self.search_factor, self.max_seconds, self.random_state
        )
        for name in ("learned_", "sampled_"):  # of an earlier fit
            self.__dict__.pop(name, None)
        codes, arities = _with_class(self._read_training(X, y, sample_weight))
        if self.averaging == "exact":
            check_averaged(arities.size, int(arities[-1]))
        names = self._variables()[0]
        warn_of_constant_columns([names[v] for v in np.flatnonzero(self._constant[:-1])])
        problem = network_problem(
            codes,
            arities,
            names,
            constant=self.constant,
            structure_prior=self.structure_prior,
            max_parents=self.max_parents,
            max_cells=self.max_cells,
            local_model=self.local_model,
            apart=self._constant,
        )
        found = find_network(
            problem,
            search=self.search,
            arc_probability=self.arc_probability,
            search_factor=self.search_factor,
            max_seconds=self.max_seconds,
            random_state=self.random_state,
            target=arities.size - 1,
        )
        self._problem, self._found = problem, found
        self.arc_probability_ = found.arc_probability
        self.interrupted_ = found.interrupted
        self._settle(found.parents)
        if found.interrupted and self.max_seconds is None:  # by Ctrl-C: nobody wants to wait for the sampler
            self._sampling = replace(self._sampling, search_factor=min(self.search_factor, BRIEF))
        if self.averaging in SAMPLED:
            sample = self.sampled_.sample
            self.interrupted_ |= sample.interrupted
            if self.averaging == "representative":
                self._settle(self.sampled_.message[0].parents)
            elif sample.shortest_length < found.length - SHORTER:
                self._settle(sample.shortest_parents)
        if self.interrupted_ and self.max_seconds is None:
            warnings.warn(STOPPED, UserWarning, stacklevel=user_level())
        self._answer = self._make_answer()
        return self

    def _first_table(
        self, coded: CodedTable, y: NDArray[np.intp], weight: NDArray[np.float64] | None
    ) -> TrainingTable:
        # before numbers are cut: those that vary within one interval are not constant
        known: list[NDArray[Any]] = [y] * (len(self._schema.attributes) + 1)
        for j, own, arity in zip(self._schema.nominal, coded.codes, self._schema.arities, strict=True):
            known[j] = own[own < arity]
        for j, numbers in zip(self._schema.numeric, coded.values, strict=True):
            known[j] = numbers[~np.isnan(numbers)]
        self._constant = np.array(list(map(is_constant, known)))
        return super()._first_table(coded, y, weight)

    @cached_property
    def learned_(self) -> LearnedNetwork:
        """The network with the message length of each variable and arc."""
        check_is_fitted(self)
        found = replace(self._found, parents=self.parents_, length=self.message_length_ * math.log(2))
        names, states = self._variables()
        learned = LearnedNetwork.of(
            self._problem,
            found,
            names,
            states,
            class_index=len(names) - 1,
            sampling=self._sampling,
            exact=self.search == "exact",
            cut_points=self._cuts_by_name(names),
        )
        return learned.with_sample(self.sampled_) if "sampled_" in self.__dict__ else learned

    def _cuts_by_name(self, names: tuple[str, ...]) -> dict[str, NDArray[np.float64]]:
        cuts = getattr(self, "cut_points_", {})
        attributes = zip(names[:-1], self._schema.attributes, strict=True)
        return {name: cuts[one.name] for name, one in attributes if one.name in cuts}

    @cached_property
    def sampled_(self) -> SampledClasses:
        """A sample of probable networks. If Metropolis chains are used, half of them start at `network_`."""
        if "learned_" in self.__dict__:
            return self.learned_.sampled
        check_is_fitted(self)
        exact = has_exact_posteriors(self._problem, self._found, requested=self.search == "exact")
        return self._sampling.draw(self._problem, self._found.parents, self.arc_probability_, exact=exact)

    @property
    def arc_posteriors_(self) -> pd.DataFrame:
        """Posterior probability of each arc, by name, with parents as rows and children as columns."""
        return self.learned_.arc_posteriors

    @property
    def equivalence_classes_(self) -> tuple[NetworkClass, ...]:
        """Markov equivalence classes of networks, sorted by posterior."""
        return self.learned_.equivalence_classes

    def _check_options(self) -> None:
        for name, value, allowed in (
            ("averaging", self.averaging, AVERAGES),
            ("estimate", self.estimate, tuple(PSEUDO_COUNTS)),
        ):
            if value not in allowed:
                raise ValueError(f"{name} must be one of {', '.join(allowed)}, but was {value!r}.")
        opinions = check_structure_prior(self.structure_prior)
        if opinions.is_indirect and (self.averaging == "exact" or self.search in ("exact", "blanket")):
            raise ValueError(REFUSED)
        if self.averaging != "none" and self.search == "blanket":
            raise ValueError(
                f'search="blanket" finds one network, but averaging is {self.averaging!r}. Use '
                'averaging="none", or search="fast" with averaging="representative" or "mixture".'
            )
        if self.averaging == "exact" and self.local_model != "table":
            raise ValueError(
                'averaging="exact" forecasts from tables, but local_model is '
                f'{self.local_model!r}. Use local_model="table", or averaging="mixture".'
            )

    def _settle(self, parents: tuple[tuple[int, ...], ...]) -> None:
        """Set the learner's network to these arcs."""
        self.parents_ = parents
        self.network_ = self._filled(parents)
        length = self._problem.length(parents, self.arc_probability_)
        self.message_length_ = length / math.log(2)

    def _filled(self, parents: tuple[tuple[int, ...], ...]) -> Network:
        pseudo_count = PSEUDO_COUNTS[self.estimate] or 0.5
        names, states = self._variables()
        cpts = tuple(
            family_table(self._problem, v, others, names, pseudo_count) for v, others in enumerate(parents)
        )
        return Network(names, states, parents, cpts, class_index=len(names) - 1)

    def _make_answer(self) -> NetworkForecast | MixedForecast | ExactAverage:
        """Prepare the forecast."""
        if self.averaging == "exact":
            predictive = "mml" if self.estimate == "mml" else "posterior_mean"
            return ExactAverage.of(
                self._problem, arc_probability=self.arc_probability_, predictive=predictive
            )
        if self.averaging == "mixture":
            weights = np.array([one.posterior for one in self.sampled_.message])
            members = [NetworkForecast.of(self._filled(one.parents)) for one in self.sampled_.message]
            return MixedForecast(weights / weights.sum(), members)
        return NetworkForecast.of(self.network_)

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        return self._answer.posterior(self._code(X).codes)


def _with_class(table: TrainingTable) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Append the class to the attributes as a further variable, and repeat each row by its weight."""
    arities = np.append(table.arities, table.n_classes)
    codes = np.empty((arities.size, table.y.size), dtype=code_dtype(arities, missing=True))
    codes[:-1] = table.codes  # a hole is coded as the arity in both, whatever the dtype
    codes[-1] = table.y
    if table.weight is None:
        return codes, arities
    if (table.weight % 1).any():
        fraction = float(table.weight[table.weight % 1 > 0][0])
        raise ValueError(
            f"sample_weight must hold whole numbers for CaMMLClassifier, but one is {fraction:g}. Repeat "
            "or drop rows, or round the weights."
        )
    n_rows = float(table.weight.sum())
    if n_rows > MOST_REPEATED:
        raise ValueError(
            f"sample_weight sums to {n_rows:.12g}, and CaMMLClassifier repeats each row by its weight, to "
            f"at most {MOST_REPEATED:,} rows: give weights that count rows, or divide them all by the same "
            "number."
        )
    return np.repeat(codes, table.weight.astype(np.int64), axis=1), arities
