"""What it costs to tell a classification tree, and the classes of the rows at its leaves; in bits."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

__all__ = [
    "MessageParts",
    "attribute_bits",
    "category_bits",
    "quantile_cut_bits",
    "root_bits",
    "structure_bits",
    "uniform_cut_bits",
]


@dataclass(frozen=True)
class MessageParts:
    """A message that tells a tree or graph and then the classes of the training rows, part by part.

    Parameters
    ----------
    structure : float
        Which nodes are tests and which are leaves, in bits.
    attributes : float
        Which attribute each test asks for.
    cuts : float
        Where each test of a number cuts.
    categories : float
        The classes of the rows at the leaves.
    joins : float
        Which branches lead to one and the same node.
    alpha : float
        Which of several pseudo-counts was taken; 0 if it was given.

    Examples
    --------
    >>> MessageParts(structure=2.0, attributes=1.5, cuts=1.0, categories=20.0).total
    24.5
    """

    structure: float
    attributes: float
    cuts: float
    categories: float
    joins: float = 0.0
    alpha: float = 0.0

    @property
    def total(self) -> float:
        """Length of the whole message, in bits."""
        return float(sum(getattr(self, field.name) for field in fields(self)))


def structure_bits(is_test: ArrayLike, n_branches: ArrayLike) -> NDArray[np.float64]:
    """Tell whether a node below another is a test.

    Parameters
    ----------
    is_test : array-like of bool
        Whether the node is a test; else it is a leaf, or an end that is joined with others.
    n_branches : array-like of int
        Number of branches of the node above, at least 2.

    Returns
    -------
    ndarray of float64
        Bits, at least 0.

    Notes
    -----
    A child of a node with a branches is a test with probability 1/a, so that one branch of each test is
    expected to go on, and the expected size of a tree stays finite [1]_.

    References
    ----------
    .. [1] Wallace, C. S. and Patrick, J. D., "Coding decision trees", Machine Learning 11, 1993, 7-22.

    Examples
    --------
    >>> structure_bits([True, False], 4).round(3).tolist()
    [2.0, 0.415]
    """
    a = np.asarray(n_branches, np.float64)
    return np.where(is_test, np.log2(a), np.log2(a) - np.log2(a - 1.0))


def root_bits(is_test: ArrayLike, n_attributes: ArrayLike) -> NDArray[np.float64]:
    """Tell whether a root, of the tree or of what follows a join, is a test.

    Parameters
    ----------
    is_test : array-like of bool
        Whether it is.
    n_attributes : array-like of int
        Number A of attributes that it may ask for.

    Returns
    -------
    ndarray of float64
        Bits: a leaf has the probability 1/A, or 1/2 if there is one attribute. Without any, a leaf is
        certain.

    Examples
    --------
    >>> root_bits([False, True], 4).round(3).tolist(), root_bits(False, [0, 1]).tolist()
    ([2.0, 0.415], [0.0, 1.0])
    """
    n = np.asarray(n_attributes, np.float64)
    of_leaf = np.where(n == 1.0, 1.0, np.log2(np.maximum(n, 1.0)))
    with np.errstate(divide="ignore"):
        of_test = -np.log2(1.0 - 0.5**of_leaf)
    return np.where(is_test, of_test, of_leaf)


def attribute_bits(n_available: ArrayLike) -> NDArray[np.float64]:
    """Tell which of the attributes that are available a test asks for.

    Parameters
    ----------
    n_available : array-like of int
        How many there are: all but those nominal ones that a test above has settled.

    Returns
    -------
    ndarray of float64
        Bits, at least 0.

    Examples
    --------
    >>> float(attribute_bits(8))
    3.0
    """
    return np.log2(np.maximum(np.asarray(n_available, np.float64), 1.0))


def uniform_cut_bits(n_numbers: ArrayLike) -> NDArray[np.float64]:
    """Tell a cut between neighboring numbers, all cuts being as likely.

    Parameters
    ----------
    n_numbers : array-like of int
        Distinct numbers at the node.

    Returns
    -------
    ndarray of float64
        Bits, at least 0.

    Examples
    --------
    >>> float(uniform_cut_bits(5))
    2.0
    """
    return np.log2(np.maximum(np.asarray(n_numbers, np.float64) - 1.0, 1.0))


def quantile_cut_bits(weights: ArrayLike) -> NDArray[np.float64]:
    """Tell a cut between neighboring numbers, those near the middle of the rows being more likely.

    Parameters
    ----------
    weights : array-like of shape (n_numbers,)
        Weight of the rows with each number, in ascending order of the numbers; above 0.

    Returns
    -------
    ndarray of float64, shape (n_numbers - 1,)
        Bits of the cut behind each number but the last: 1, 3, 5, ...

    Notes
    -----
    The median has 1 bit, the other quartiles 3, the other octiles 5: on level k there are 2^(k-1) quantiles
    of 2k - 1 bits [1]_. A quantile is the name of the cut that comes nearest to it, the lower of two; a cut
    is told by its shortest name. So every cut has a name, and their probabilities sum to at most one.

    References
    ----------
    .. [1] Wallace, C. S. and Patrick, J. D., "Coding decision trees", Machine Learning 11, 1993, 7-22.

    Examples
    --------
    >>> quantile_cut_bits([1, 1, 1, 1, 1, 1, 1, 1]).tolist()
    [5.0, 3.0, 5.0, 1.0, 5.0, 3.0, 5.0]
    >>> quantile_cut_bits([1, 99]).tolist()
    [1.0]
    """
    shares = np.asarray(weights, np.float64)
    if shares.size < 2:
        return np.empty(0)
    below = np.cumsum(shares)
    cuts = below[:-1] / below[-1]
    between = (below[:-2] + below[1:-1]) / (2.0 * below[-1])
    lower = np.concatenate([[0.0], between])
    upper = np.concatenate([between, [np.nextafter(1.0, 0.0)]])
    level, named = np.zeros(cuts.size), np.zeros(cuts.size, dtype=bool)
    size = 1.0
    while not named.all():
        size *= 2.0
        level[~named] += 1.0
        named |= np.floor(lower * size) + 1.0 <= upper * size
    return 2.0 * level - 1.0


def category_bits(counts: ArrayLike, alpha: float) -> NDArray[np.float64]:
    """Tell the classes of the rows of a leaf one by one, learning their frequencies on the way.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        Weight of the rows of each class; whole or not.
    alpha : float
        Pseudo-count of each class, above 0; 1 expects all frequencies alike, less expects pure leaves.

    Returns
    -------
    ndarray of float64, shape (...)
        Bits, at least 0 for whole counts; 0 for no rows, or for one class.

    Notes
    -----
    After j rows, i of them of class m, the next row of that class costs -log2((i + alpha) / (j + K alpha)).

    Examples
    --------
    >>> round(float(category_bits([9, 5], 1.0)), 6)
    14.874117
    """
    n = np.asarray(counts, np.float64)
    spread = n.shape[-1] * alpha
    nats = gammaln(n.sum(axis=-1) + spread) - gammaln(spread) - (gammaln(n + alpha) - gammaln(alpha)).sum(-1)
    return nats / np.log(2.0)
