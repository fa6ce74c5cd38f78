"""How often each class was right where training rows got the same set of classes."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["SetFrequencies"]

WORD = 64  # classes that fit into one key


@dataclass(frozen=True)
class SetFrequencies:
    """Class probabilities by prediction set.

    Attributes
    ----------
    places : dict of bytes to int
        Line of `frequencies` for each set that training rows got.
    frequencies : ndarray of float64, shape (n_sets + 1, n_classes)
        Laplace frequencies of the classes of these rows; in the last line those of all rows.

    Examples
    --------
    >>> y_set = np.array([[True, False], [True, False], [False, False]])
    >>> found = SetFrequencies.of(y_set, np.array([0, 1, 1]), None)
    >>> found.forecast(np.array([[True, False], [False, False], [True, True]])).round(3).tolist()
    [[0.5, 0.5], [0.333, 0.667], [0.4, 0.6]]
    """

    places: dict[bytes, int]
    frequencies: NDArray[np.float64]

    @classmethod
    def of(cls, y_set: NDArray[np.bool_], y: NDArray[np.intp], weight: NDArray[np.float64] | None) -> Self:
        """Count the classes of the training rows set by set.

        Parameters
        ----------
        y_set : ndarray of bool, shape (n_samples, n_classes)
            The sets that the training rows got.
        y : ndarray of intp, shape (n_samples,)
            Their class codes.
        weight : ndarray of float64, shape (n_samples,), or None
            Their weights; None when all are 1.

        Returns
        -------
        SetFrequencies
        """
        n_classes = y_set.shape[1]
        firsts, ids = _distinct_sets(y_set)
        counts = np.bincount(ids * n_classes + y, weights=weight, minlength=firsts.size * n_classes)
        by_set = counts.reshape(-1, n_classes).astype(np.float64)
        by_set = np.vstack([by_set, by_set.sum(axis=0)]) + 1.0
        places = {y_set[first].tobytes(): k for k, first in enumerate(firsts)}
        return cls(places, by_set / by_set.sum(axis=1, keepdims=True))

    def forecast(self, y_set: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Give the frequencies of the training rows with the same set, of all rows if there were none.

        Parameters
        ----------
        y_set : ndarray of bool, shape (n_samples, n_classes)

        Returns
        -------
        ndarray of float64, shape (n_samples, n_classes)
        """
        firsts, ids = _distinct_sets(y_set)
        unknown = len(self.places)
        lines = np.array(
            [self.places.get(y_set[first].tobytes(), unknown) for first in firsts], dtype=np.intp
        )
        return self.frequencies[lines[ids]]


def _distinct_sets(y_set: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the first row of each distinct set, and for each row the number of its set, by hashing."""
    ids = np.zeros(len(y_set), dtype=np.intp)
    for first in range(0, y_set.shape[1], WORD):
        part = y_set[:, first : first + WORD]
        words = part @ (np.uint64(1) << np.arange(part.shape[1], dtype=np.uint64))
        here, words_here = pd.factorize(words)
        ids = pd.factorize(ids * len(words_here) + here)[0]
    n_sets = int(ids.max()) + 1 if ids.size else 0
    firsts = np.zeros(n_sets, dtype=np.intp)
    firsts[ids[::-1]] = np.arange(len(ids) - 1, -1, -1)
    return firsts, ids
