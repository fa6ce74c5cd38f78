"""Costs of a node with each set of parents and one more, for all further parents together."""

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from learners.networks._kernels.candidate_families import extended_costs, extended_local_costs
from learners.networks._kernels.gaussian_cost import extended_gaussian_costs
from learners.networks._kernels.local_cost import TABLE
from learners.networks._kernels.one_hot import LANES, one_hot
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.problem import NetworkProblem
from learners.networks.search.search_problem import SearchProblem

__all__ = ["extension_costs"]

ANY_SET = 1000
"""Rows that take as long as what each set takes besides its rows."""

TREE_WORK = 20
"""Time of a tree's cost relative to a vector addition a row."""

REGRESSION_WORK = 50
"""Time of a regression relative to a vector addition."""


class Extending(ABC):
    """The extension of a problem's families by one parent."""

    work: float  # vector additions of a row, or their equal in time, that extend a set by each node

    @abstractmethod
    def costs(
        self,
        v: int,
        sets: NDArray[np.uint64],
        members: NDArray[np.bool_],
        offered: NDArray[np.bool_],
        worth: float,
    ) -> NDArray[np.float64]:
        """Return the nats of a node with each set and one parent more, without arcs."""
        # infinite where not offered, and perhaps where a family must cost more than `worth` nats; sets are
        # bits, members their mask

    def affordable(self, v: int, members: NDArray[np.bool_], worth: float) -> NDArray[np.bool_]:
        """Return which sets may cost no more than this many nats with one more parent of two values."""
        return np.ones(len(members), np.bool_)


class _Tables(Extending):
    """Extensions by tables, counted for all further parents in one pass over the rows."""

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        self.onehot = one_hot(problem.codes, problem.arities)
        self.work = (problem.n_rows + ANY_SET) * float(problem.arities.sum()) / LANES

    def costs(
        self,
        v: int,
        sets: NDArray[np.uint64],
        members: NDArray[np.bool_],
        offered: NDArray[np.bool_],
        worth: float,
    ) -> NDArray[np.float64]:
        own = self.problem
        found: NDArray[np.float64] = extended_costs(
            own.codes, self.onehot, own.arities, own.ln_factorials, own.parameter_cost, own.holes, v, sets,
            offered, min(own.cell_limit, self._most_cells(v, worth)),
        )  # fmt: skip
        return found

    def affordable(self, v: int, members: NDArray[np.bool_], worth: float) -> NDArray[np.bool_]:
        cells = np.where(members, self.problem.arities, 1).prod(axis=1, dtype=float)
        return np.asarray(cells * 2 * self.problem.arities[v] <= self._most_cells(v, worth))

    def _most_cells(self, v: int, worth: float) -> float:
        """Return the cells of a table whose parameters have this cost."""
        arity = int(self.problem.arities[v])
        row = self.problem.parameter_cost * (arity - 1)
        return worth / row * arity if row > 0 else math.inf


class _OneByOne(Extending):
    """Extensions by trees and logits, one family at a time."""

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        self.work = (problem.n_rows + ANY_SET) * float(problem.n_nodes) * TREE_WORK

    def costs(
        self,
        v: int,
        sets: NDArray[np.uint64],
        members: NDArray[np.bool_],
        offered: NDArray[np.bool_],
        worth: float,
    ) -> NDArray[np.float64]:
        own = self.problem
        found: NDArray[np.float64] = extended_local_costs(
            own.codes, own.arities, own.ln_factorials, own.parameter_cost, v, members, offered,
            own.cell_limit, own.local_model,
        )  # fmt: skip
        return found


class _Regressions(Extending):
    """Extensions by linear-Gaussian families, one regression at a time for any number of rows."""

    def __init__(self, problem: GaussianProblem) -> None:
        self.problem = problem
        self.work = float(len(problem.moments.n_rows) * problem.n_nodes * REGRESSION_WORK)

    def costs(
        self,
        v: int,
        sets: NDArray[np.uint64],
        members: NDArray[np.bool_],
        offered: NDArray[np.bool_],
        worth: float,
    ) -> NDArray[np.float64]:
        found: NDArray[np.float64] = extended_gaussian_costs(self.problem.moments, v, members, offered)
        return found


def extension_costs(problem: NetworkProblem) -> Extending:
    """Return the extension method of a problem's families."""
    if isinstance(problem, GaussianProblem):
        return _Regressions(problem)
    assert isinstance(problem, SearchProblem)
    return _Tables(problem) if problem.local_model == TABLE else _OneByOne(problem)
