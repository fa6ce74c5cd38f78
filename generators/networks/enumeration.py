"""The complete attribute space of a small truth, with the probability of every cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators.base.factorization import Factorization
from generators.base.variables import Variables
from generators.tables.codes import code_dtype

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Enumeration", "cell_codes", "network_joint"]


@dataclass(frozen=True, eq=False)
class Enumeration:
    """All combinations of attribute states, each with its joint probabilities P(x, y).

    A cell is one combination. Cells are in C order over the attributes: the last attribute changes fastest.

    Attributes
    ----------
    codes : ndarray of shape (n_cells, n_attributes)
        State codes in the smallest unsigned type. `posterior` and the learners accept them.
    joint : ndarray of shape (n_cells, n_classes)
        P(x, y). The whole array sums to one.
    truth : Truth
        The enumerated truth.

    Examples
    --------
    >>> from generators import random_naive_bayes
    >>> cells = random_naive_bayes(n_attributes=2, arity=2, n_classes=3, random_state=0).enumerate()
    >>> cells.codes.tolist(), cells.joint.shape
    ([[0, 0], [0, 1], [1, 0], [1, 1]], (4, 3))
    """

    codes: NDArray[Any]
    joint: NDArray[np.float64]
    truth: Variables = field(repr=False)

    @cached_property
    def X(self) -> pd.DataFrame:
        """The cells as a DataFrame with the columns of `truth.sample`, created on first access."""
        return self.truth.attribute_table(self.codes)

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """P(x), of shape (n_cells,)."""
        return self.joint.sum(axis=1)

    @cached_property
    def posterior(self) -> NDArray[np.float64]:
        """P(y | x), of shape (n_cells, n_classes). Cells of probability zero have the class marginal."""
        impossible = self.weight == 0
        posterior = self.joint / np.where(impossible, 1.0, self.weight)[:, np.newaxis]
        posterior[impossible] = self.joint.sum(axis=0)
        return posterior


def cell_codes(arities: NDArray[np.int64]) -> NDArray[Any]:
    """Return the codes of all combinations of states, with the last variable changing fastest."""
    shape = tuple(arities.tolist())
    codes = np.empty((len(shape), math.prod(shape)), dtype=code_dtype(arities, missing=False))
    for variable, arity in enumerate(shape):
        states = np.arange(arity, dtype=codes.dtype)
        states = states.reshape(*(arity if axis == variable else 1 for axis in range(len(shape))))
        codes[variable].reshape(shape)[...] = states
    return codes.T


def network_joint(network: Factorization, axes: Sequence[int]) -> NDArray[np.float64]:
    """Return the joint distribution of all variables of a network as one array."""
    place = {variable: axis for axis, variable in enumerate(axes)}
    joint = np.ones((1,) * len(axes))
    # parents first, so that the array grows to its full size only with the last factors
    for child in network.order:
        family = (*network.parent_indices[child], child)
        by_axis = sorted(range(len(family)), key=lambda position: place[family[position]])
        absent = tuple(axis for axis, variable in enumerate(axes) if variable not in family)
        joint = joint * np.expand_dims(network.cpts[child].transpose(by_axis), absent)
    return joint
