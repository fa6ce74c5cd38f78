"""Probability tables of a network with given arcs, and its message length."""

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.network import Network
from learners.code_lengths.multinomial import mml_estimate
from learners.code_lengths.network import check_arc_probability, estimated_arc_probability
from learners.networks._kernels.local_cost import LOGIT
from learners.networks._kernels.logit_cost import MOST_EFFECTS
from learners.networks.checked_problem import gaussian_problem, network_problem
from learners.networks.families import count_family, learn_family
from learners.networks.message import MessageLength, length_in_parts
from learners.networks.network_table import NetworkTable
from learners.networks.number_table import NumberTable
from learners.networks.regressions import gaussian_network, learn_regression
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_problem import SearchProblem
from learners.networks.structure_prior import StructurePrior
from learners.parent_checks import GivenParents, Parents, check_parents

__all__ = ["learn_parameters", "message_length"]


class ParameterOptions(TypedDict, total=False):
    """Arguments of `learn_parameters` except the local model, which determines the type of the result."""

    estimate: float | str
    coefficient_prior: str
    categorical_features: Any
    arities: Sequence[int | None] | None
    n_intervals: int


@overload
def learn_parameters(
    X: Any, parents: GivenParents, *, local_model: Literal["gaussian"], **options: Unpack[ParameterOptions]
) -> GaussianNetwork: ...
@overload
def learn_parameters(
    X: Any, parents: GivenParents, *, local_model: str = "table", **options: Unpack[ParameterOptions]
) -> Network: ...
def learn_parameters(
    X: Any,
    parents: GivenParents,
    *,
    estimate: float | str = "mml",
    local_model: str = "table",
    coefficient_prior: str = "unit",
    categorical_features: Any = "from_dtype",
    arities: Sequence[int | None] | None = None,
    n_intervals: int = 5,
) -> Network | GaussianNetwork:
    """Estimate the probability tables or the coefficients of a network with given arcs.

    Parameters
    ----------
    X : DataFrame or array of integer codes, shape (n_rows, n_variables)
        Data set whose columns are the variables. A row counts in every family (a column and its parents) that
        is completely known in that row.
    parents : sequence of sequences of int or str, or mapping of names to them
        Parents of each column, by index or by name, for instance `LearnedNetwork.parents`. Columns that a
        mapping does not contain have no parents.
    estimate : "mml" or float
        Estimate of the probability of a state that occurs in n of N rows, for a column of r states: "mml" is
        (n + 1/2) / (N + r/2), and a pseudo-count alpha >= 0 gives (n + alpha) / (N + alpha r). A row of a
        probability table without data is uniform.
    local_model : {"table", "gaussian"}
        "table" estimates probability tables. "gaussian" estimates linear regressions of numeric columns, as
        in `learn_network`.
    coefficient_prior : {"unit", "noise"}
        Prior of the coefficients for "gaussian" (see `learn_network`).
    categorical_features, arities
        Which columns are nominal, and their numbers of values, as in the learners.
    n_intervals : int
        Maximum number of intervals of a numeric column, with about equally many rows each.

    Returns
    -------
    Network, or GaussianNetwork for "gaussian"
        Network without a class. `with_class(name)` sets the class of a Network.

    Raises
    ------
    ValueError
        If the arcs have a cycle, the parents do not match the columns of `X`, `estimate` is invalid, or a
        probability table would have more than fifty million cells.

    Examples
    --------
    >>> X = np.array([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> network = learn_parameters(X, [(), (0,)])
    >>> network.cpts[1]
    array([[0.625, 0.375],
           [0.25 , 0.75 ]])
    """
    if isinstance(estimate, bool) or not (
        estimate == "mml" or (isinstance(estimate, Real) and 0 <= estimate < math.inf)
    ):
        raise ValueError(f'estimate must be "mml" or a pseudo-count of at least 0, but was {estimate!r}.')
    if local_model == "gaussian":
        if estimate != "mml":
            raise ValueError(f'local_model="gaussian" has no pseudo-counts, but estimate is {estimate!r}.')
        problem, names = _numbers(
            X,
            coefficient_prior=coefficient_prior,
            categorical_features=categorical_features,
            arities=arities,
            n_intervals=n_intervals,
        )
        given = check_parents(parents, names)
        return gaussian_network(names, given, [learn_regression(problem, v, u) for v, u in enumerate(given)])
    if local_model != "table":
        raise ValueError(f'local_model must be "table" or "gaussian" here, but was {local_model!r}.')
    table = NetworkTable.read(
        X, categorical_features=categorical_features, arities=arities, n_intervals=n_intervals
    )
    checked = check_parents(parents, table.names)
    counts = [
        count_family(table.codes, table.arities, v, others, table.names) for v, others in enumerate(checked)
    ]
    if isinstance(estimate, str):
        cpts = tuple(mml_estimate(n) for n in counts)
    else:
        cpts = tuple(_smoothed(n, float(estimate)) for n in counts)
    return Network(table.names, table.states, checked, cpts)


def message_length(
    X: Any,
    parents: GivenParents,
    *,
    arc_probability: float | str = "joint",
    constant: str = "exact",
    local_model: str = "table",
    coefficient_prior: str = "unit",
    structure_prior: StructurePrior | None = None,
    categorical_features: Any = "from_dtype",
    arities: Sequence[int | None] | None = None,
    n_intervals: int = 5,
) -> MessageLength:
    """Compute the length of the message that encodes the rows by a network with given arcs.

    Shorter is better. With tables, the cost of a node is the length of the adaptive code of its values given
    each configuration of its parents, plus a constant for each free parameter, including parameters of
    configurations without data. For trees and logits see `CaMMLClassifier`.

    Parameters
    ----------
    X : DataFrame or array of integer codes, shape (n_rows, n_variables)
    parents : sequence of sequences of int or str, or mapping of names to them
        Parents of each column, by index or by name, for instance `LearnedNetwork.parents`. Columns that a
        mapping does not contain have no parents.
    arc_probability : float, "joint" or "fixed_point"
        Probability of an arc. "joint" and "fixed_point" both estimate it as (a + 1/2) / (M + 1), where a is
        the number of arcs of this network and M the number of pairs of columns.
    constant : {"exact", "rounded", "none"}
        Cost of each free parameter in nats: "exact" is (1/2) ln(pi e / 6), "rounded" is 0.17649 as in the
        CaMML program, and "none" is 0.
    local_model : {"table", "tree", "shorter", "logit", "auto", "gaussian"}
        Encoding of a node's probabilities. "table" is a probability table, "tree" a decision tree over the
        parents, and "logit" an additive logit. "shorter" takes the shorter of table and tree, "auto" the
        shortest of all three. "gaussian" is a linear regression of numeric columns.
    coefficient_prior : {"unit", "noise"}
        Prior of the coefficients for "gaussian" (see `learn_network`).
    structure_prior : StructurePrior, optional
        Prior knowledge of the arcs.
    categorical_features, arities
        Which columns are nominal, and their numbers of values, as in the learners.
    n_intervals : int
        Maximum number of intervals of a numeric column, with about equally many rows each.

    Returns
    -------
    MessageLength
        Length in bits. The order of the nodes and the arc probability are not encoded.

    Raises
    ------
    ValueError
        If the arcs have a cycle, the parents do not match the columns of `X`, `arc_probability`, `constant`,
        `local_model` or `structure_prior` is invalid, a probability table would have more than fifty million
        cells, or a family is too large for a logit.

    Notes
    -----
    If values are missing, the parents of a node save bits on the rows in which the node and its parents are
    known. The node's cost is its cost without parents on all rows in which it is known, minus these savings.
    `data` then encodes the other rows by the adaptive code of the node without parents.

    A column with at most one value in the rows may only have required arcs. With other arcs, the length is
    infinite.

    Examples
    --------
    >>> X = np.array([[0, 0], [1, 1]] * 10)
    >>> apart, joined = message_length(X, [(), ()]), message_length(X, [(), (0,)])
    >>> round(apart.total, 2), round(joined.total, 2)
    (44.7, 29.99)
    """
    check_arc_probability(arc_probability)
    columns = {"categorical_features": categorical_features, "arities": arities}
    prior: dict[str, Any] = {"constant": constant, "structure_prior": structure_prior}
    if local_model == "gaussian":
        numbers, names = _numbers(
            X, n_intervals=n_intervals, coefficient_prior=coefficient_prior, **prior, **columns
        )
        problem: NetworkProblem = numbers
        checked = check_parents(parents, names)
        data = [learn_regression(numbers, v, others).data for v, others in enumerate(checked)]
    else:
        table = NetworkTable.read(X, n_intervals=n_intervals, **columns)
        checked = check_parents(parents, table.names)
        coded = network_problem(
            table.codes, table.arities, table.names, local_model=local_model, apart=table.constant, **prior
        )
        problem = coded
        _check_families(coded, checked, table.names)
        data = [learn_family(coded, v, others, table.names).data for v, others in enumerate(checked)]
    if isinstance(arc_probability, str):
        arc_costs = problem.arc_costs
        arc_probability = estimated_arc_probability(arc_costs.n_free_arcs(checked), arc_costs.n_pairs)
    return length_in_parts(problem, checked, data, float(arc_probability))


def _numbers(X: Any, **options: Any) -> tuple[GaussianProblem, tuple[str, ...]]:
    table = NumberTable.read(X)
    return gaussian_problem(table, **options), table.names


def _check_families(problem: SearchProblem, parents: Parents, names: Sequence[str]) -> None:
    """Raise an error for families that the local model cannot encode."""
    for v, others in enumerate(parents):
        if problem.local_model == LOGIT and math.isinf(problem.family_cost(v, others)):
            raise ValueError(
                f"The logit of {names[v]!r} given {len(others)} parents has more than 65,000 cells or "
                f'{MOST_EFFECTS} free parameters. Give it fewer parents, or use local_model="auto".'
            )


def _smoothed(counts: NDArray[np.int64], alpha: float) -> NDArray[np.float64]:
    totals = counts.sum(axis=-1, keepdims=True) + alpha * counts.shape[-1]
    empty = totals == 0
    return np.where(empty, 1 / counts.shape[-1], (counts + alpha) / np.where(empty, 1, totals))
