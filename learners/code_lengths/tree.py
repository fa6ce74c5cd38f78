"""The cost of coding a classification tree, and the classes of the rows at its leaves, in bits."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

__all__ = [
    "MessageParts",
    "attribute_bits",
    "category_bits",
    "root_bits",
    "structure_bits",
]


@dataclass(frozen=True)
class MessageParts:
    """The bits that encode a tree or graph and then the classes of the training rows, part by part."""

    structure: float  # which nodes are tests and which are leaves
    attributes: float  # the attribute of each test
    cuts: float  # where each test of a number cuts
    categories: float  # the classes of the rows at the leaves
    joins: float = 0.0  # which branches lead to the same node
    alpha: float = 0.0  # which of several pseudo-counts was used; 0 if it was fixed

    @property
    def total(self) -> float:
        """Length of the whole message, in bits."""
        return float(sum(getattr(self, field.name) for field in fields(self)))


def structure_bits(is_test: ArrayLike, n_branches: ArrayLike) -> NDArray[np.float64]:
    """Return the bits that state whether a node below the root is a test."""
    # A child of a node with a branches is a test with probability 1/a, so that one branch of each test is
    # expected to go on, and the expected size of a tree stays finite (Wallace & Patrick, 1993, "Coding
    # decision trees").
    a = np.asarray(n_branches, np.float64)
    return np.where(is_test, np.log2(a), np.log2(a) - np.log2(a - 1.0))


def root_bits(is_test: ArrayLike, n_attributes: ArrayLike) -> NDArray[np.float64]:
    """Return the bits that state whether a root, of the tree or after a join, is a test."""
    n = np.asarray(n_attributes, np.float64)
    of_leaf = np.where(n == 1.0, 1.0, np.log2(np.maximum(n, 1.0)))
    with np.errstate(divide="ignore"):
        of_test = -np.log2(1.0 - 0.5**of_leaf)
    return np.where(is_test, of_test, of_leaf)


def attribute_bits(n_available: ArrayLike) -> NDArray[np.float64]:
    """Return the bits that name the attribute of a test among those available."""
    return np.log2(np.maximum(np.asarray(n_available, np.float64), 1.0))


def category_bits(counts: ArrayLike, alpha: float) -> NDArray[np.float64]:
    """Return the bits of the classes of a leaf's rows in an adaptive code, which learns their frequencies."""
    # after j rows, i of them of class m, the next row of that class costs -log2((i + alpha) / (j + K alpha))
    n = np.asarray(counts, np.float64)
    spread = n.shape[-1] * alpha
    nats = gammaln(n.sum(axis=-1) + spread) - gammaln(spread) - (gammaln(n + alpha) - gammaln(alpha)).sum(-1)
    return nats / np.log(2.0)
