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

    Any directed acyclic graph over the columns may have generated the rows, with uniform priors on its
    probability tables, or, for numbers, linear functions of the parents plus normal noise.

    Parameters
    ----------
    X : DataFrame or array of integer codes, shape (n_rows, n_variables)
        Table of the variables. The dtype of a column declares its states. Numeric columns are cut into
        intervals, except for ``local_model="gaussian"``. -1, None and NaN are missing values.
    search : {"auto", "exact", "fast", "metropolis"}
        Search method: over all graphs ("exact", up to 25 columns), by local search over orders ("fast"), or
        by annealing as in the CaMML program ("metropolis"). "auto" is exact up to 16 columns (12 with missing
        values, 9 with trees or logits), and fast beyond. "exact" takes 0.2 GB of memory for 20 columns and 7
        GB for 25, which `progress` reports in advance.
    arc_probability : float, "joint" or "fixed_point"
        Probability of an arc, strictly between 0 and 1. "joint" chooses from (a + 1/2) / (M + 1), a = 0 .. M,
        with M the number of pairs, the value with the shortest message, the smallest in ties. "fixed_point"
        estimates it from the shortest network, and repeats the search until both agree.
    constant : {"exact", "rounded", "none"}
        Nats for each free parameter: "exact" is (1/2) ln(pi e / 6), "rounded" is 0.17649 as in the CaMML
        program, and "none" is 0.
    max_parents : int or None
        Maximum number of parents of a column. None sets no limit. Numeric columns have at most one for each
        four distinct rows.
    max_cells : int or None
        Maximum number of cells of a column's table, including its values. None sets no limit.
    local_model : {"table", "tree", "shorter", "logit", "auto", "gaussian"}
        Encoding of a column's probabilities: a table, a decision tree over the parents, the shorter of both
        ("shorter"), an additive logit (up to 65,000 cells and 600 free parameters), or the shortest of the
        three for each family ("auto"), reported by `local_models` of the result. See `CaMMLClassifier`.
        "gaussian" is a linear regression on the parents, for numeric tables without missing values.
    coefficient_prior : {"unit", "noise"}
        For "gaussian". "unit": coefficients of variables with variance 1 are N(0, 1). "noise": as in the
        papers, N(0, s^2), with s^2 the variance of the noise, which adds too many arcs where parents explain
        nearly all.
    structure_prior : StructurePrior, optional
        Prior knowledge of the arcs: tiers, required, forbidden and weighted arcs, as in
        `structure_prior=StructurePrior(forbidden=[("a", "b")])`. It may also concern ancestors, correlations
        and the order. With these, "auto" is fast and "exact" raises an error.
    temperature : float
        Temperature of the Metropolis chains, at least 1. Unused if networks are drawn independently.
    search_factor : float
        Factor on the work of "fast", the steps of "metropolis" and of chains, and the number of draws.
    max_seconds : float or None
        Time limit in seconds for the search and the sampler, each, without the compilation of kernels. The
        best network so far is returned, as after Ctrl-C. If the exact search is stopped, "fast" with a tenth
        of its work finds the network.
    random_state : int, Generator or None
        Seed of "fast", "metropolis" and the sampler.
    categorical_features, arities
        Which columns are nominal, and their numbers of values, as in the learners.
    n_intervals : int
        Maximum number of intervals of a numeric column, with about equally many rows each.
    progress : bool, None or function of str
        None shows the current step and its duration on a terminal or in a notebook after two seconds. This
        includes the posteriors and the sample of the result. True shows it on stderr in any case, False
        nowhere. A function, such as `print`, is called with each line.

    Returns
    -------
    LearnedNetwork, or LearnedGaussianNetwork for "gaussian"
        Its probabilities are (n + 1/2) / (N + r/2) in tables and leaves of trees. Logits have other
        estimates. Its arc posteriors are exact after the exact search of up to 20 columns, and for as many as
        "auto" searches exactly, else sampled. Among Gaussian networks of equal length that differ only in the
        direction of arcs, it is the one whose earlier columns have the earlier parents, unless there is a
        structure prior.

    Raises
    ------
    ValueError
        If X is not a table, an option is invalid, or "exact" is requested for more than 25 columns or more
        memory than the machine has. For "gaussian" also if a column is not numeric, has missing values, or is
        constant.

    Warns
    -----
    MissingValuesWarning
        If values are missing. The savings by parents are computed on the rows that have them. Networks are
        thus compared on different rows, which favors extra arcs and can reverse others.
    ConstantColumnWarning
        If a column has one value in all rows: only required arcs join it to others.
    UserWarning
        If a nominal column has nearly as many states as rows, or Ctrl-C stopped the search.

    See Also
    --------
    learn_parameters : Estimate only the tables, for given arcs.
    message_length : Compute the message length of given arcs.

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
