"""The tables of a network whose arcs are given, and the length of the message that states it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.network import Network
from learners._kernels.family_counts import family_counts
from learners.code_lengths.multinomial import (
    adaptive_code_length,
    mml_estimate,
    negative_log_likelihood,
    parameter_constant,
)
from learners.code_lengths.network import check_arc_probability, estimated_arc_probability, family_length
from learners.network_table import NetworkTable
from learners.parent_lists import Parents, check_parents
from learners.structure_prior import StructurePrior

__all__ = [
    "MessageLength",
    "learn_parameters",
    "message_length",
    "count_families",
    "coded_message_length",
]

LARGEST_TABLE = 50_000_000  # cells; a table of twice that takes a gigabyte with its counts


@dataclass(frozen=True, eq=False)
class MessageLength:
    """Length of the message that states a network and then the data, in bits.

    Attributes
    ----------
    structure : float
        Which pairs of nodes are joined.
    parameters : ndarray of shape (n_nodes,)
        What each node's probabilities cost: all that the node costs over `data`. It includes what the
        rounding of the stated probabilities loses.
    data : ndarray of shape (n_nodes,)
        Each node's values, told with the probabilities (n + 1/2) / (N + r/2).
    arc_probability : float
        The probability at which the structure was told.
    """

    structure: float
    parameters: NDArray[np.float64]
    data: NDArray[np.float64]
    arc_probability: float

    @property
    def total(self) -> float:
        """The whole message, in bits."""
        return math.fsum([self.structure, *self.parameters, *self.data])


def learn_parameters(
    X: Any,
    parents: Sequence[Sequence[int | str]],
    *,
    estimate: float | str = "mml",
    categorical_features: Any = "from_dtype",
    arities: Sequence[int | None] | None = None,
) -> Network:
    """Fill the tables of a network whose arcs are known.

    Parameters
    ----------
    X : DataFrame or array of integer codes, shape (n_rows, n_variables)
        Nominal columns; a row counts for each family in which it has no missing value.
    parents : sequence of sequences of int or str
        Parents of each column, by index or by name.
    estimate : "mml" or float
        "mml" for (n + 1/2) / (N + r/2), or the pseudo-count alpha >= 0 for each state,
        (n + alpha) / (N + alpha r); a row of a table without data is uniform.
    categorical_features, arities
        What is nominal, and how many values it has, as in the learners.

    Returns
    -------
    Network
        Without a class; `with_class(name)` gives it one.

    Raises
    ------
    ValueError
        If the parents have a cycle or do not fit the table, a column is numeric, `estimate` is not
        possible, or a table would have more than fifty million cells.

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
    table = NetworkTable.read(X, categorical_features=categorical_features, arities=arities)
    checked = check_parents(parents, table.names)
    counts = count_families(table.codes, table.arities, checked, table.names)
    if isinstance(estimate, str):
        cpts = tuple(mml_estimate(n) for n in counts)
    else:
        cpts = tuple(_smoothed(n, float(estimate)) for n in counts)
    return Network(table.names, table.states, checked, cpts)


def message_length(
    X: Any,
    parents: Sequence[Sequence[int | str]],
    *,
    arc_probability: float | str = "joint",
    constant: str = "exact",
    structure_prior: StructurePrior | None = None,
    categorical_features: Any = "from_dtype",
    arities: Sequence[int | None] | None = None,
) -> MessageLength:
    """Tell how long a message stating this network and these rows is.

    Shorter is better. A node costs the adaptive code of its values given each configuration of its parents,
    and a constant for each free parameter, configurations without data included.

    Parameters
    ----------
    X : DataFrame or array of integer codes, shape (n_rows, n_variables)
        Nominal columns.
    parents : sequence of sequences of int or str
        Parents of each column, by index or by name.
    arc_probability : float, "joint" or "fixed_point"
        Probability of an arc; both words take (a + 1/2) / (M + 1) from the a arcs of this network.
    constant : {"exact", "rounded"}
        Nats for each free parameter: (1/2) ln(pi e / 6), or 0.17649 as the CaMML program has it.
    structure_prior : StructurePrior, optional
        What is known of the arcs beforehand.
    categorical_features, arities
        What is nominal, and how many values it has, as in the learners.

    Returns
    -------
    MessageLength
        In bits. The order of the nodes and the arc probability are not told.

    Raises
    ------
    ValueError
        As for `learn_parameters`, and if `arc_probability` or `constant` is not possible.

    Notes
    -----
    Where values are missing, a node costs what it costs alone on all rows that have it, less what its
    parents save on the rows that have them all. `data` then tells the rows outside the family by the
    node's own adaptive code.

    Examples
    --------
    >>> X = np.array([[0, 0], [1, 1]] * 10)
    >>> apart, joined = message_length(X, [(), ()]), message_length(X, [(), (0,)])
    >>> round(apart.total, 2), round(joined.total, 2)
    (44.7, 29.99)
    """
    check_arc_probability(arc_probability)
    cost = parameter_constant(constant)
    table = NetworkTable.read(X, categorical_features=categorical_features, arities=arities)
    checked = check_parents(parents, table.names)
    counts = count_families(table.codes, table.arities, checked, table.names)
    prices = (structure_prior or StructurePrior()).prices(table.names)
    joint = isinstance(arc_probability, str)
    p = (
        estimated_arc_probability(prices.n_free_arcs(checked), prices.n_pairs)
        if joint
        else float(arc_probability)
    )
    return coded_message_length(table, counts, prices.structure_length(checked, p), p, cost)


def count_families(
    codes: NDArray[Any],
    arities: NDArray[np.int64],
    parents: Parents,
    names: Sequence[str] | None = None,
) -> tuple[NDArray[np.int64], ...]:
    """Count each node's values by configuration of its parents, on the rows that have them all.

    Parameters
    ----------
    codes : ndarray of unsigned integers, shape (n_nodes, n_rows)
        Codes; the arity itself is a hole.
    arities : ndarray of int64, shape (n_nodes,)
        Number of values of each node.
    parents : tuple of tuple of int
        Parents of each node.
    names : sequence of str, optional
        Names of the nodes, for the error.

    Returns
    -------
    tuple of ndarray of int64
        Axes = parents in order, child last.

    Raises
    ------
    ValueError
        If a table would have more than fifty million cells.

    Examples
    --------
    >>> codes = np.array([[0, 0, 1], [0, 1, 1]], dtype=np.uint8)
    >>> [n.tolist() for n in count_families(codes, np.array([2, 2]), ((), (0,)))]
    [[2, 1], [[1, 1], [0, 1]]]
    """
    tables = []
    for v, others in enumerate(parents):
        members = np.array([*others, v], dtype=np.int64)
        shape = [int(arities[u]) for u in members]
        if math.prod(shape) > LARGEST_TABLE:
            raise ValueError(
                f"The table of {names[v] if names else v!r} given its {len(others)} parents has "
                f"{math.prod(shape):,} cells, more than {LARGEST_TABLE:,}; give it fewer parents."
            )
        counts = np.zeros(shape, dtype=np.int64)
        family_counts(codes, arities, members, counts.reshape(-1))
        tables.append(counts)
    return tuple(tables)


def coded_message_length(
    table: NetworkTable,
    counts: Sequence[NDArray[np.int64]],
    structure: float,
    arc_probability: float,
    parameter_cost: float,
) -> MessageLength:
    """Add up the message from the counts of all families.

    Parameters
    ----------
    table : NetworkTable
        The rows, for those that do not fill a family.
    counts : sequence of ndarray
        See `count_families`.
    structure : float
        Nats that tell the arcs.
    arc_probability : float
        The probability at which they are told.
    parameter_cost : float
        Nats for each free parameter.

    Returns
    -------
    MessageLength
        In bits.
    """
    nodes = len(counts)
    parameters, data = np.empty(nodes), np.empty(nodes)
    for v, cells in enumerate(counts):
        r = cells.shape[-1]
        rows = cells.reshape(-1, r)
        data[v] = negative_log_likelihood(rows, mml_estimate(rows)).sum()
        parameters[v] = family_length(rows, parameter_cost) - data[v]
        known = np.bincount(table.codes[v], minlength=r + 1)[:r]
        filling = rows.sum(axis=0)
        if filling.sum() < known.sum():
            data[v] += adaptive_code_length(known) - adaptive_code_length(filling)
    bit = math.log(2)
    return MessageLength(structure / bit, parameters / bit, data / bit, arc_probability)


def _smoothed(counts: NDArray[np.int64], alpha: float) -> NDArray[np.float64]:
    totals = counts.sum(axis=-1, keepdims=True) + alpha * counts.shape[-1]
    empty = totals == 0
    return np.where(empty, 1 / counts.shape[-1], (counts + alpha) / np.where(empty, 1, totals))
