"""Learn a Bayesian network from a table in which no column is special."""

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
    """All arguments of `learn_network` but the local model, on which the type of its result depends."""

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
    """Learn the network that makes the message shortest.

    Any directed acyclic graph over the columns may have made the rows, each table of it equally likely; or,
    of numbers, each variable a linear function of its parents plus normal noise.

    Parameters
    ----------
    X : DataFrame or array of integer codes, shape (n_rows, n_variables)
        The dtype of a column declares its states; numeric columns are cut into intervals, but for
        ``local_model="gaussian"``. -1, None and NaN are missing.
    search : {"auto", "exact", "fast", "metropolis"}
        How to search: over all graphs (up to 25 columns), by local search over orders, or by annealing as the
        CaMML program does. "auto" is exact up to 16 columns (12 where values are missing, 9 with trees or
        logits), and fast beyond. "exact" takes 0.2 GB of memory for 20 columns and 7 GB for 25, which
        `progress` says before.
    arc_probability : float, "joint" or "fixed_point"
        Probability of an arc, strictly between 0 and 1; or "joint": the one of (a + 1/2) / (M + 1), a = 0 ..
        M, M the number of pairs, with the shortest message, the smallest of equals; or "fixed_point":
        estimated from the shortest network, and searched again until both agree.
    constant : {"exact", "rounded", "none"}
        Nats for each free parameter: (1/2) ln(pi e / 6); 0.17649, as the CaMML program has it; or 0.
    max_parents : int or None
        Most parents of a column; None sets no limit. Numbers have at most one for each four rows that differ.
    max_cells : int or None
        Most cells of a column's table, its own values included; None sets no limit.
    local_model : {"table", "tree", "shorter", "logit", "auto", "gaussian"}
        How a column's probabilities are encoded: by a table; a decision tree over the parents; the shorter of
        both; an additive logit, up to 65,000 cells and 600 free parameters; or, family by family, the
        shortest of the three, as `local_models` of the result says; see `CaMMLClassifier`. Or "gaussian",
        for tables of numbers without missing values: a linear regression on the parents.
    coefficient_prior : {"unit", "noise"}
        Of "gaussian": coefficients of variables with variance 1 are N(0, 1); or, as in the papers, N(0, s^2),
        s^2 the variance of the noise, which joins too much where parents explain nearly all.
    structure_prior : StructurePrior, optional
        Prior knowledge of the arcs: tiers, required, forbidden and weighted arcs, as in
        `structure_prior=StructurePrior(forbidden=[("a", "b")])`; and of ancestors, correlations and the
        order, with which "auto" is fast and "exact" refuses.
    temperature : float
        Of the Metropolis chains, at least 1; unused where networks are drawn independently.
    search_factor : float
        Multiplies the work of "fast", the steps of "metropolis" and of chains, and the number of draws.
    max_seconds : float or None
        Time limit for the search and the sampler, each, without the time that kernels take to compile; the
        best network so far is returned, as after Ctrl-C. The exact search knows none before its end: then
        "fast" with a tenth of its work finds one.
    random_state : int, Generator or None
        Random numbers of "fast", "metropolis" and the sampler.
    categorical_features, arities
        Which columns are nominal, and their numbers of values, as in the learners.
    n_intervals : int
        Most intervals of a numeric column, of about equally many rows each.
    progress : bool, None or function of str
        None shows on a terminal or in a notebook what is being done, and for how long, once that takes more
        than two seconds; so do the posteriors and the sample of the result. True shows it on stderr, whatever
        that is, False nowhere. A function is called with each line, such as `print`.

    Returns
    -------
    LearnedNetwork, or LearnedGaussianNetwork for "gaussian"
        Its probabilities are (n + 1/2) / (N + r/2) in tables and leaves of trees; logits have their own. Its
        posteriors of arcs are exact after the exact search of up to 20 columns, and for as many as "auto"
        searches exactly, else sampled. Of networks of numbers that have the same length and differ in the
        direction of arcs alone, it is the one whose earlier columns have the earlier parents, unless there is
        a structure prior.

    Raises
    ------
    ValueError
        If X is not a table, an option is not possible, or "exact" is requested for more than 25 columns or
        more memory than the machine has; for "gaussian" also if a column is not of numbers, lacks values, or
        is constant.

    Warns
    -----
    MissingValuesWarning
        If values are missing. What parents save is counted on the rows that have them, so that networks are
        compared on different rows, which favors extra arcs and can turn others round.
    ConstantColumnWarning
        If a column has one value in all rows: only required arcs join it to others.
    UserWarning
        If a nominal column has nearly as many states as rows, or Ctrl-C stopped the search.

    See Also
    --------
    learn_parameters : Only the tables, for given arcs.
    message_length : The message length of given arcs.

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
    """Choose among networks of numbers that have the same length, so that last bits do not."""
    parents = first_of_equals(problem, found.parents)
    if parents == found.parents:
        return found
    return replace(found, parents=parents, length=problem.length(parents, found.arc_probability))


def _what_is_searched(problem: NetworkProblem, search: str) -> str:
    """Say how many networks, and how much memory that takes if it is much."""
    of = f"networks of {problem.n_nodes} variables"
    if search == "exact" or (search == "auto" and is_quickly_exact(problem)):
        gigabytes = memory_of(problem) / 1e9
        return f"searching all {of}" + (f" in {gigabytes:.1f} GB" if gigabytes >= 0.1 else "")
    return f"searching {of}"
