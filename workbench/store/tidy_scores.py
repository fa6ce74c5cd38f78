"""All scores of a study as one frame in the study's order, and single scores by key."""

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit

from workbench.base.score_key import ScoreKey
from workbench.store.reading import KEYS, SCORES, WORDS

__all__ = ["TidyScores", "over_parts", "over_truths"]


@dataclass(frozen=True, eq=False)
class TidyScores:
    """The scores of a study's cells."""

    # one row per cell and score, in the order of the study: `KEYS`, then `SCORES`; parts of score keys are
    # categories, which take a tenth of the memory
    table: pd.DataFrame

    @classmethod
    def of(cls, cells: pd.DataFrame, scores: pd.DataFrame) -> "TidyScores":
        """Join scores with the places of their cells."""
        cells = cells.sort_values(list(KEYS), kind="stable")
        place = pd.Index(cells["cell"]).get_indexer(scores["cell"])
        order = np.argsort(place, kind="stable")
        order = order[place[order] >= 0]
        left = cells[list(KEYS)].take(place[order]).reset_index(drop=True)
        right = scores[list(SCORES)].take(order).reset_index(drop=True)
        return cls(pd.concat([left, right.astype(dict.fromkeys(WORDS, "category"))], axis=1))

    def frame(self) -> pd.DataFrame:
        """Return all scores in a new frame, with keys as strings."""
        return _spelled(self.table)

    def behind(self, learner: str | None) -> NDArray[np.float64]:
        """Return how far each score is below that of a learner at the same place, NaN without one."""
        if learner is None:
            return np.full(len(self.table), np.nan)
        table = self.table.reset_index(drop=True)
        place = [name for name in (*KEYS, *WORDS) if name != "learner"]
        own = table.loc[table["learner"] == learner, [*place, "value"]]
        joined = table[place].merge(own, on=place, how="left")
        values = table["value"].to_numpy(dtype=np.float64)
        with np.errstate(invalid="ignore"):  # both may be infinite
            return np.asarray(joined["value"].to_numpy(dtype=np.float64) - values)

    def scores(self, key: ScoreKey) -> pd.DataFrame:
        """Return the rows of `frame` with one score."""
        keys, numbers = self._numbered
        return _spelled(self.table[numbers == (keys.index(key) if key in keys else -1)])

    @functools.cached_property
    def counts(self) -> dict[ScoreKey, int]:
        """Number of cells with each score, in order of first occurrence."""
        keys, numbers = self._numbered
        return dict(zip(keys, np.bincount(numbers, minlength=len(keys)).tolist(), strict=True))

    @functools.cached_property
    def infinite(self) -> dict[ScoreKey, frozenset[str]]:
        """The learners with infinite scores, by score."""
        keys, numbers = self._numbered
        rows = np.isinf(self.table["value"].to_numpy(dtype=np.float64))
        learners = self.table["learner"][rows].astype("str").groupby(numbers[rows]).unique()
        return {keys[int(number)]: frozenset(own) for number, own in learners.items()}

    @functools.cached_property
    def _numbered(self) -> tuple[list[ScoreKey], NDArray[np.intp]]:
        """The scores that occur, and the index of each row's score."""
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


def over_truths(scores: pd.DataFrame) -> pd.DataFrame:
    """Return means over independent truths, with 95% intervals."""
    # Training sets of one replicate are not independent.
    groups = ["source", "learner", "n_train"]
    means = (
        scores.groupby([*groups, "replicate"], observed=True)["value"].mean().groupby(groups, observed=True)
    )
    infinite = np.isinf(scores["value"]).groupby([scores[g] for g in groups], observed=True).sum()
    table = pd.DataFrame(
        {
            "mean": means.mean(),
            "half_width": means.agg(_half_width),
            "n_infinite": infinite,
            "n": means.size(),
        }
    )
    wide = table.unstack("n_train").swaplevel(axis=1)
    counts = [name for name in wide if name[1] in ("n", "n_infinite")]
    wide = wide.astype(dict.fromkeys(counts, "float64")).fillna(dict.fromkeys(counts, 0))
    wide = wide.astype(dict.fromkeys(counts, "int64"))
    order = [(size, name) for size in sorted(scores["n_train"].unique()) for name in table.columns]
    return wide[order]


def over_parts(scores: pd.DataFrame) -> pd.DataFrame:
    """Return means over the parts of data sets, which share rows."""
    values = scores.groupby(["source", "learner"], observed=True)["value"]
    n_infinite = values.agg(lambda own: int(np.isinf(own).sum()))
    finite = scores.assign(value=scores["value"].where(np.isfinite(scores["value"])))
    sd = finite.groupby(["source", "learner"], observed=True)["value"].std(ddof=1)
    columns = {
        "mean": values.mean(),
        "sd": sd.where(n_infinite == 0),
        "n": values.size(),
        "n_infinite": n_infinite,
    }
    return pd.DataFrame(columns)


def _half_width(values: pd.Series) -> float:
    """Return the half width of the 95% t interval of a mean."""
    if len(values) < 2 or not np.isfinite(values).all():
        return float("nan")
    return float(stdtrit(len(values) - 1, 0.975) * values.std(ddof=1) / np.sqrt(len(values)))
