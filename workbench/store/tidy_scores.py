"""All scores of a study as one frame in the study's order, and each score of it by its words."""

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.base.score_key import ScoreKey
from workbench.store.reading import KEYS, SCORES, WORDS

__all__ = ["TidyScores"]


@dataclass(frozen=True, eq=False)
class TidyScores:
    """The scores of a study's cells.

    Parameters
    ----------
    table : DataFrame
        One row a cell and score, in the order of the study: `KEYS`, then `SCORES`; the words of a score are
        categories, which take a tenth of the room.

    Examples
    --------
    >>> place = {name: [0, 0] for name in KEYS}
    >>> cells = pd.DataFrame({**place, "cell": [7, 8], "replicate": [1, 0]})
    >>> words = {name: ["none"] * 2 for name in WORDS}
    >>> scores = pd.DataFrame({"cell": [7, 8], **words, "value": [0.5, 0.25], "n_infinite": [0, 0]})
    >>> tidy = TidyScores.of(cells, scores)
    >>> tidy.frame()["value"].tolist(), list(tidy.counts.values())
    ([0.25, 0.5], [2])
    """

    table: pd.DataFrame

    @classmethod
    def of(cls, cells: pd.DataFrame, scores: pd.DataFrame) -> "TidyScores":
        """Put scores beside the places of their cells."""
        cells = cells.sort_values(list(KEYS), kind="stable")
        place = pd.Index(cells["cell"]).get_indexer(scores["cell"])
        order = np.argsort(place, kind="stable")
        order = order[place[order] >= 0]
        left = cells[list(KEYS)].take(place[order]).reset_index(drop=True)
        right = scores[list(SCORES)].take(order).reset_index(drop=True)
        return cls(pd.concat([left, right.astype(dict.fromkeys(WORDS, "category"))], axis=1))

    def frame(self) -> pd.DataFrame:
        """Return all scores in a frame of one's own, which has strings for words."""
        return _spelled(self.table)

    def scores(self, key: ScoreKey) -> pd.DataFrame:
        """Return the rows of `frame` with one score."""
        keys, numbers = self._numbered
        return _spelled(self.table[numbers == (keys.index(key) if key in keys else -1)])

    @functools.cached_property
    def counts(self) -> dict[ScoreKey, int]:
        """How many cells have each score, in the order in which they first occur."""
        keys, numbers = self._numbered
        return dict(zip(keys, np.bincount(numbers, minlength=len(keys)).tolist(), strict=True))

    @functools.cached_property
    def _numbered(self) -> tuple[list[ScoreKey], NDArray[np.intp]]:
        """The scores that occur, and which of them each row is."""
        if self.table.empty:
            return [], np.empty(0, np.intp)
        words = [self.table[word].cat for word in WORDS]
        shape = tuple(len(word.categories) for word in words)
        numbers, found = pd.factorize(np.ravel_multi_index([word.codes for word in words], shape))
        places = np.transpose(np.unravel_index(found, shape))
        keys = [
            ScoreKey(*(str(word.categories[i]) for word, i in zip(words, place, strict=True)))
            for place in places
        ]
        return keys, numbers


def _spelled(table: pd.DataFrame) -> pd.DataFrame:
    return table.astype(dict.fromkeys(WORDS, "str"))
