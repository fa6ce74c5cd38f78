"""Exact average of class forecasts over all networks, for up to fourteen nodes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.agreement_counts import n_lanes
from learners.networks._kernels.averaged_forecast import averaged_forecast, subset_shares, turn_shares
from learners.networks._kernels.local_cost import TABLE
from learners.networks._kernels.summed_forecast import assignment_sizes, summed_forecast
from learners.networks.search.order_posterior import OrderPosterior, check_nodes
from learners.networks.search.search_problem import SearchProblem
from learners.tables.completions import Completions

__all__ = [
    "MAX_AVERAGED_NODES",
    "ExactAverage",
    "check_averaged",
    "distinct_rows",
    "weighted_rows",
    "work_space",
]

#: The most nodes over which networks are averaged exactly.
MAX_AVERAGED_NODES = 14
"""Five milliseconds a row; every further node more than doubles that."""

MEMORY = 2e9  # largest work space in bytes
BLOCK = 4e8  # sums between two checks for an interrupt: about a tenth of a second
MOST_SUMS = 600 * BLOCK  # for one requested row: about a minute
SUMS_AN_ASSIGNMENT = 10  # time of an assignment of `summed_forecast`, in sums per pair of nodes
_PSEUDO_COUNTS = {"posterior_mean": 1.0, "mml": 0.5}


@dataclass(frozen=True, eq=False)
class ExactAverage:
    """The class distribution given the attributes, averaged over all orders and networks.

    The weight of a network is its posterior in `OrderPosterior`. The joint probability of attributes and
    class is averaged and then normalized. Networks that predict the attributes of the row well therefore have
    more influence on the class.

    Attributes
    ----------
    posterior_of_orders : OrderPosterior
        The posterior that gives the weights of the networks.
    attributes : ndarray of intp, shape (n_nodes - 1,)
        Position of each attribute in the order of the nodes.
    class_place : int
        Position of the class in the order of the nodes.
    arities : ndarray of int64, shape (n_nodes,)
        Number of values of each node, by position.
    rows : ndarray of unsigned integers, shape (n_nodes, n_distinct_rows)
        The distinct training rows, with nodes by position.
    row_weights : ndarray of float64, shape (1 or n_nodes, n_distinct_rows)
        Number of occurrences of each distinct row. If rows have missing values, there is a number for each
        position, which is 0 where the value is missing.
    pseudo_count : float
        Initial value of every count.
    shares, turns : ndarray of float64
        Weights in the form that the computation needs.

    Notes
    -----
    On one thread, forecasts of 1000 distinct rows with 5 classes, including `of`, take 0.02 s with 8 nodes
    and 500 or 5000 training rows, 0.06 s with 100,000 training rows, 0.8 s with 12 nodes, and 5 s with 14
    nodes. With missing values in training rows they take three times as long.

    References
    ----------
    .. [1] Koivisto, M. & Sood, K. 2004, "Exact Bayesian structure discovery in Bayesian networks", JMLR 5,
       549-573.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> x = np.array([y ^ (rng.random(200) < 0.1), y ^ (rng.random(200) < 0.2), y], dtype=np.uint8)
    >>> average = ExactAverage.of(SearchProblem.of(x, np.array([2, 2, 2])), arc_probability=0.5)
    >>> average.posterior(np.array([[0, 1, 2], [0, 0, 0]], dtype=np.uint8)).round(3)   # 2 is a hole
    array([[0.964, 0.036],
           [0.262, 0.738],
           [0.761, 0.239]])
    """

    posterior_of_orders: OrderPosterior
    attributes: NDArray[np.intp]
    class_place: int
    arities: NDArray[np.int64]
    rows: NDArray[np.unsignedinteger]
    row_weights: NDArray[np.float64]
    pseudo_count: float
    shares: NDArray[np.float64]
    turns: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"ExactAverage({self.arities.size} nodes, {self.rows.shape[1]:,} distinct rows)"

    @classmethod
    def of(
        cls,
        problem: SearchProblem,
        *,
        arc_probability: float,
        class_index: int = -1,
        predictive: str = "posterior_mean",
        constant_in_weights: bool = True,
    ) -> "ExactAverage":
        """Compute the weights of all networks."""
        if predictive not in _PSEUDO_COUNTS:
            raise ValueError(f'predictive must be "posterior_mean" or "mml", but was {predictive!r}.')
        if problem.local_model != TABLE:
            raise ValueError(
                "The exact average forecasts from tables, but the search used another local model. Use "
                'local_model="table", or averaging="mixture".'
            )
        class_index = range(problem.n_nodes)[class_index]
        check_averaged(problem.n_nodes, int(problem.arities[class_index]))
        posterior = OrderPosterior.of(
            problem, arc_probability=arc_probability, constant_in_weights=constant_in_weights
        )
        places = np.argsort(posterior.order)
        arities = problem.arities[posterior.order]
        rows, weights = weighted_rows(problem.codes[posterior.order], arities)
        return cls(
            posterior,
            np.delete(places, class_index),
            int(places[class_index]),
            arities,
            rows,
            weights,
            _PSEUDO_COUNTS[predictive],
            subset_shares(posterior.weights),
            turn_shares(posterior.sums, posterior.forward, posterior.early),
        )

    def posterior(self, codes: NDArray[np.unsignedinteger]) -> NDArray[np.float64]:
        """Return the probability of each class for each row.

        Equal rows are computed only once. Missing values are summed out exactly.
        """
        arities = self.arities[self.attributes]
        holed = np.minimum(codes, arities[:, None])
        first, inverse, _ = distinct_rows(holed, arities)
        joint = self._joint(holed[:, first])
        return (joint / joint.sum(axis=1, keepdims=True))[inverse]

    def _joint(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Return the probability of each row with each class."""
        ways = Completions(codes, self.arities[self.attributes])
        n_sums = ways.n_ways * self._sums_a_row
        rows = self._rows(codes)
        sizes = assignment_sizes(rows, self.arities, self.class_place)
        n_assignments = sizes.prod(axis=1, dtype=np.float64)
        n_nodes = self.arities.size
        fits = 8 * (n_nodes + 4) * n_assignments <= MEMORY
        along = fits & (SUMS_AN_ASSIGNMENT * n_nodes**2 * n_assignments < n_sums)
        if (n_sums[~along] > MOST_SUMS).any():
            most = ways.n_ways[~along].max()
            raise ValueError(
                f"The missing values of a row can be filled in {most:,.0f} ways, for which the exact average "
                'would take over a minute and 2 GB. Use averaging="mixture", or fewer attributes with '
                "missing values."
            )
        joint = np.zeros((codes.shape[1], int(self.arities[self.class_place])))
        joint[~along] = self._summed_over_ways(codes[:, ~along])
        for i in np.flatnonzero(along):
            joint[i] = summed_forecast(rows[i], sizes[i], *self._kernel_arguments)
        return joint

    @property
    def _sums_a_row(self) -> float:
        """Return the number of sums for a complete row: over sets, and over training rows."""
        n_nodes, n_classes = self.arities.size, int(self.arities[self.class_place])
        lanes = n_lanes(n_classes)
        over_sets = self.turns.size * n_nodes * lanes / (lanes // n_classes)
        tally = 2.0 ** (n_nodes - 1) * n_nodes * (n_classes + 1) + self.rows.shape[1]
        return float(over_sets + self.row_weights.shape[0] * tally)

    @property
    def _kernel_arguments(self) -> tuple[Any, ...]:
        """Return the arguments of the kernels other than the requested rows."""
        weights, place, alpha = self.row_weights, self.class_place, self.pseudo_count
        return self.rows, weights, self.arities, place, alpha, self.shares, self.turns

    def _rows(self, codes: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return the rows' codes by place, the class as 0."""
        rows = np.zeros((codes.shape[1], self.arities.size), self.rows.dtype)
        rows[:, self.attributes] = codes.T
        return rows

    def _summed_over_ways(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Sum over all completions of the rows, in blocks to allow interrupts."""
        arities = self.arities[self.attributes]
        joint = np.zeros((codes.shape[1], int(self.arities[self.class_place])))
        for filled, owners in Completions(codes, arities).blocks(max(int(BLOCK / self._sums_a_row), 1)):
            first, inverse, _ = distinct_rows(filled, arities)
            asked = np.ascontiguousarray(self._rows(filled[:, first]).T)
            np.add.at(joint, owners, averaged_forecast(asked, *self._kernel_arguments)[inverse])
        return joint


def check_averaged(n_nodes: int, n_classes: int) -> None:
    """Raise an error for a table that is too large for an exact average."""
    check_nodes(n_nodes, MAX_AVERAGED_NODES, 'Use averaging="mixture"')
    n_bytes = work_space(n_nodes, n_classes)
    if n_bytes > MEMORY:
        raise ValueError(
            f"The exact average with {n_classes} classes would need {n_bytes / 1e9:.1f} GB, more than "
            f'{MEMORY / 1e9:.0f} GB. Use averaging="mixture", or select columns.'
        )


def work_space(n_nodes: int, n_classes: int) -> float:
    """Return the bytes that a forecast takes."""
    numbers = (n_nodes + 4) * n_lanes(n_classes) + n_classes + n_nodes * (n_nodes + 4)
    return float(8 * numbers * 2.0 ** (n_nodes - 1))


def weighted_rows(
    codes: NDArray[np.unsignedinteger],
    arities: NDArray[np.int64],
    row_weights: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.float64]]:
    """Return the distinct rows, with the number of occurrences, by node if values are missing."""
    first, inverse, n_times = distinct_rows(codes, arities)
    rows = np.ascontiguousarray(codes[:, first])
    times = n_times if row_weights is None else np.bincount(inverse, row_weights, first.size)
    known = rows < arities[:, None]
    weights = times * known if not known.all() else times[None]
    return rows, weights.astype(np.float64)


def distinct_rows(
    codes: NDArray[np.integer], arities: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Find distinct rows: the first index of each, the distinct row of each row, and the counts."""
    keys, n_keys = np.zeros(codes.shape[1], np.int64), 1
    for column, n_values in zip(codes, arities.tolist(), strict=True):
        if n_keys * (n_values + 1) > 2**62:
            keys = np.unique(keys, return_inverse=True)[1]
            n_keys = codes.shape[1]
        keys = keys * (n_values + 1) + column
        n_keys *= n_values + 1
    _, first, inverse, n_times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    return first, inverse, n_times
