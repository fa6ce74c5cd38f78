"""Learning of a Bayesian network from a table without a class column."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np

from generators.tables.caller import user_level
from learners.networks.checked_problem import gaussian_problem, network_problem
from learners.networks.classes.sampled_networks import SamplerOptions
from learners.networks.learned_gaussian_network import LearnedGaussianNetwork
from learners.networks.learned_graph import STOPPED
from learners.networks.learned_network import LearnedNetwork
from learners.networks.network_table import NetworkTable
from learners.networks.number_table import NumberTable
from learners.networks.progress import Progress, check_progress, phase, reporting
from learners.networks.search import find_network
from learners.networks.search.equals import first_of_equals
from learners.networks.search.family_costs import memory_of
from learners.networks.search.gaussian_problem import GaussianProblem, most_parents
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_choice import is_quickly_exact
from learners.networks.search.search_problem import FoundNetwork, SearchProblem
from learners.networks.structure_prior import StructurePrior

__all__ = ["learn_network"]


class LearnOptions(TypedDict, total=False):
    """All arguments of `learn_network` except the local model, which determines the type of the result."""

    search: str
    arc_probability: float | str
    constant: str
    max_parents: int | None
    max_cells: int | None
    coefficient_prior: str
    structure_prior: StructurePrior | None
    temperature: float
    search_factor: float
    max_seconds: float | None
    random_state: int | np.random.Generator | None
    categorical_features: Any
    arities: Sequence[int | None] | None
    n_intervals: int
    progress: Progress


@overload
def learn_network(
    X: Any, *, local_model: Literal["gaussian"], **options: Unpack[LearnOptions]
) -> LearnedGaussianNetwork: ...
@overload
def learn_network(
    X: Any, *, local_model: str = "table", **options: Unpack[LearnOptions]
) -> LearnedNetwork: ...
def learn_network(
    X: Any,
    *,
    search: str = "auto",
    arc_probability: float | str = "joint",
    constant: str = "exact",
    max_parents: int | None = None,
    max_cells: int | None = None,
    local_model: str = "table",
    coefficient_prior: str = "unit",
    structure_prior: StructurePrior | None = None,
    temperature: float = 1.8,
    search_factor: float = 1.0,
    max_seconds: float | None = None,
    random_state: int | np.random.Generator | None = None,
    categorical_features: Any = "from_dtype",
    arities: Sequence[int | None] | None = None,
    n_intervals: int = 5,
    progress: Progress = None,
) -> LearnedNetwork | LearnedGaussianNetwork:
    """Learn the Bayesian network with the shortest message (minimum message length).

    Any directed acyclic graph over the columns may have generated the rows. Probability tables have uniform
    priors. For numeric columns, linear functions of the parents plus normal noise can be assumed instead.

    Parameters
    ----------
    X : DataFrame or array of integer codes, shape (n_rows, n_variables)
        Data set whose columns are the variables. The dtype of a column declares its states. Numeric columns
        are cut into intervals, except for ``local_model="gaussian"``. -1, None and NaN are missing values.
    search : {"auto", "exact", "fast", "metropolis"}
        Search method. "exact" searches all graphs, with up to 25 columns. "fast" is a local search over
        orders of the columns. "metropolis" is simulated annealing as in the CaMML program. "auto" is exact up
        to 16 columns (12 with missing values, 9 with trees or logits), and fast for more columns. "exact"
        takes 0.2 GB of memory for 20 columns and 7 GB for 25 columns. `progress` reports the memory in
        advance.
    arc_probability : float, "joint" or "fixed_point"
        Probability of an arc, strictly between 0 and 1. "joint" chooses the value with the shortest message
        among (a + 1/2) / (M + 1), a = 0 .. M, where M is the number of pairs of columns. In ties it takes the
        smallest value. "fixed_point" estimates the probability from the shortest network, and repeats the
        search until both agree.
    constant : {"exact", "rounded", "none"}
        Cost of each free parameter in nats: "exact" is (1/2) ln(pi e / 6), "rounded" is 0.17649 as in the
        CaMML program, and "none" is 0.
    max_parents : int or None
        Maximum number of parents of a column. None sets no limit. With "gaussian", a column has at most one
        parent for each four distinct rows.
    max_cells : int or None
        Maximum number of cells of a column's probability table (the product of the numbers of values of the
        column and its parents). None sets no limit.
    local_model : {"table", "tree", "shorter", "logit", "auto", "gaussian"}
        Encoding of a column's probabilities. "table" is a probability table, "tree" a decision tree over the
        parents, and "logit" an additive logit (up to 65,000 cells and 600 free parameters). "shorter" takes
        the shorter of table and tree for each family, "auto" the shortest of all three. `local_models` of the
        result reports the chosen encodings. For details see `CaMMLClassifier`. "gaussian" is a linear
        regression on the parents. It requires that all columns are numeric and have no missing values.
    coefficient_prior : {"unit", "noise"}
        Prior of the coefficients for "gaussian". With "unit", the coefficients of variables that are scaled
        to variance 1 have the prior N(0, 1). With "noise", the prior is N(0, s^2) as in the papers, with s^2
        the variance of the noise. "noise" finds too many arcs if parents explain nearly all of a variable's
        variance.
    structure_prior : StructurePrior, optional
        Prior knowledge of the arcs: tiers, required, forbidden and weighted arcs, as in
        `structure_prior=StructurePrior(forbidden=[("a", "b")])`. It may also concern ancestors, correlations
        and the order. With such opinions, "auto" is fast and "exact" raises an error.
    temperature : float
        Temperature of the Metropolis chains, at least 1. It is not used if networks are drawn independently.
    search_factor : float
        Factor by which the work of "fast", the steps of "metropolis" and of chains, and the number of drawn
        networks are multiplied.
    max_seconds : float or None
        Time limit in seconds, which holds separately for the search and for the sampler, without the
        compilation of kernels. When it is reached, the best network so far is returned, as after Ctrl-C. If
        the exact search is stopped, "fast" with a tenth of its normal work finds the network.
    random_state : int, Generator or None
        Seed of "fast", "metropolis" and the sampler.
    categorical_features, arities
        Which columns are nominal, and their numbers of values, as in the learners.
    n_intervals : int
        Maximum number of intervals of a numeric column, with about equally many rows each.
    progress : bool, None or function of str
        Report of the current step and its duration, also for posteriors and samples of the result. None shows
        it after two seconds on a terminal or in a notebook. True always shows it, on stderr. False never
        shows it. A function, such as `print`, is called with each line.

    Returns
    -------
    LearnedNetwork, or LearnedGaussianNetwork for "gaussian"
        The learned network. The probability of a value that occurs in n of N rows is (n + 1/2) / (N + r/2) in
        tables and leaves of trees, for a column of r values. Logits have other estimates. The arc posteriors
        are exact after an exact search of up to 20 columns, and for any search if "auto" would be exact.
        Otherwise they are sampled. Gaussian networks that differ only in the direction of arcs can have
        messages of equal length. Without a structure prior, the result is then the network in which earlier
        columns have earlier parents.

    Raises
    ------
    ValueError
        If X is not a table, an option is invalid, or "exact" is requested for more than 25 columns or needs
        more memory than the machine has. With "gaussian", also if a column is not numeric, has missing
        values, or is constant.

    Warns
    -----
    MissingValuesWarning
        If values are missing. The savings by parents are computed on the rows in which the parents are known.
        Networks are therefore compared on different rows, which favors extra arcs and can reverse arcs.
    ConstantColumnWarning
        If a column has one value in all rows. Only required arcs join such a column to other columns.
    UserWarning
        If a nominal column has nearly as many states as rows, or Ctrl-C stopped the search.

    See Also
    --------
    learn_parameters : Estimate the probability tables of a network with given arcs.
    message_length : Compute the message length of a network with given arcs.

    References
    ----------
    .. [1] Wallace, C. S. & Korb, K. B. 1999, "Learning linear causal models by MML sampling", in Causal
       Models and Intelligent Data Management.
    .. [2] Wallace, C. S., Korb, K. B. & Dai, H. 1996, "Causal discovery via MML", ICML.

    Examples
    --------
    >>> x = np.tile([0, 1], 100)
    >>> X = np.column_stack([x, np.repeat([0, 1], 100), x])
    >>> learned = learn_network(X)
    >>> learned.parents, round(learned.message_length, 1)
    ({'x0': ('x2',), 'x1': (), 'x2': ()}, 424.1)
    """
    sampling = SamplerOptions(temperature, search_factor, max_seconds, random_state)
    with reporting(check_progress(progress)):
        phase("reading the rows")
        limits: dict[str, Any] = {
            "constant": constant,
            "structure_prior": structure_prior,
            "max_parents": max_parents,
            "max_cells": max_cells,
        }
        columns = {"categorical_features": categorical_features, "arities": arities}
        if local_model == "gaussian":
            numbers = NumberTable.read(X)
            limits["max_parents"] = most_parents(max_parents, numbers.n_distinct)
            problem: NetworkProblem = gaussian_problem(
                numbers,
                n_intervals=n_intervals,
                coefficient_prior=coefficient_prior,
                **limits,
                **columns,
            )
        else:
            table = NetworkTable.read(X, n_intervals=n_intervals, **columns)
            table.warn()
            problem = network_problem(
                table.codes,
                table.arities,
                table.names,
                local_model=local_model,
                apart=table.constant,
                **limits,
            )
        phase(_what_is_searched(problem, search))
        found = find_network(
            problem,
            search=search,
            arc_probability=arc_probability,
            search_factor=search_factor,
            max_seconds=max_seconds,
            random_state=random_state,
        )
        if found.interrupted and max_seconds is None:
            warnings.warn(STOPPED, UserWarning, stacklevel=user_level())
        known: dict[str, Any] = {"sampling": sampling, "exact": search == "exact", "progress": progress}
        if isinstance(problem, GaussianProblem):
            return LearnedGaussianNetwork.of(problem, _settled(problem, found), numbers.names, **known)
        assert isinstance(problem, SearchProblem)
        known["cut_points"] = table.cut_points
        return LearnedNetwork.of(problem, found, table.names, table.states, **known)


def _settled(problem: GaussianProblem, found: FoundNetwork) -> FoundNetwork:
    """Choose among Gaussian networks of equal length, so that rounding does not decide."""
    parents = first_of_equals(problem, found.parents)
    if parents == found.parents:
        return found
    return replace(found, parents=parents, length=problem.length(parents, found.arc_probability))


def _what_is_searched(problem: NetworkProblem, search: str) -> str:
    """Return the number of searched networks, and the memory if it is large, as text."""
    of = f"networks of {problem.n_nodes} variables"
    if search == "exact" or (search == "auto" and is_quickly_exact(problem)):
        gigabytes = memory_of(problem) / 1e9
        return f"searching all {of}" + (f" in {gigabytes:.1f} GB" if gigabytes >= 0.1 else "")
    return f"searching {of}"
