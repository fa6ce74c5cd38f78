"""Search for the sizes at which one learner overtakes another, by bisection."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from workbench.base.cell import Cell
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey, preference
from workbench.designs._shared.base import StudyOutline
from workbench.designs._shared.fresh_rows import FreshRows, check_positive

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CrossoverSearch"]


@dataclass(frozen=True)
class CrossoverSearch(FreshRows):
    """Design that finds the training sizes at which two learners change their order, by bisection.

    The first round computes a coarse grid of sizes. If the mean difference of the pair on the same truths has
    different signs at two neighboring sizes, the next round adds the geometric mean of these sizes. The
    search ends when neighboring sizes with opposite signs are at most a factor of `ratio` apart. Each source
    is searched separately. A source without a change of sign has only the grid. If a source has several
    changes of sign, all are narrowed down. Every learner of the study is fitted at every size, so a study of
    only the pair is cheapest. The cells are the same as those of `FreshSamples` at the same sizes.

    Parameters
    ----------
    pair : tuple of str
        Keys of the two learners. By default the first two learners of the study.
    sizes : tuple of int
        The coarse grid of training sizes, ascending.
    ratio : float
        The search ends when the sizes that enclose a crossover have at most this ratio. Above 1.
    score : str
        Key of the score by which the learners are compared, such as "ir_b/marginal/exact/2002". Elements may
        be left out. The default metric is `ir_b` if the study has it, otherwise the study's first metric. By
        default exact rows come before test rows, and the marginal prior before other priors.
    replicates, n_test, training_sets, once
        As in `FreshSamples`. If one learner of the pair has only one training set per truth and size, the two
        are compared on that training set.

    Raises
    ------
    WorkbenchError
        If a number is not a positive integer, sizes do not ascend, `ratio` is not above 1, the pair is not
        two learners, the score cannot be read, or `once` is not a list of keys. Before anything is computed,
        if the study has no such learner or score. After the first round, if an exact score was requested and
        the attribute space of every truth is too large.

    Notes
    -----
    The search uses the signs of mean differences, not tests. If the noise exceeds the difference, the last
    rounds only follow the noise. The interval of `workbench.analyses.Crossovers` shows how large this
    uncertainty is. Infinite differences (where a learner assigns probability 0 to the true class) are
    ignored.

    References
    ----------
    .. [1] Perlich, C., Provost, F., and Simonoff, J. S., "Tree induction vs. logistic regression: a
       learning-curve analysis", Journal of Machine Learning Research 4, 2003, on curves that cross.

    Examples
    --------
    >>> design = CrossoverSearch(pair=("nb", "tan"), sizes=(50, 5000), replicates=2)
    >>> first = next(design.rounds(StudyOutline({"tan": 1}, ("nb", "tan"), scores=list)))
    >>> sorted({cell.n_train for cell in first}), len(first)
    ([50, 5000], 8)
    """

    pair: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (50, 500, 5000)
    ratio: float = 1.1
    score: str = ""
    replicates: int = 40
    n_test: int = 1000
    training_sets: int = 1
    once: tuple[str, ...] = ()
    key: ClassVar[str] = "crossover_search"
    has_more_rounds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.check_options()
        object.__setattr__(self, "sizes", _ascending(self.sizes))
        object.__setattr__(self, "pair", _pair(self.pair))
        if not isinstance(self.ratio, Real) or isinstance(self.ratio, bool) or not 1 < self.ratio < math.inf:
            raise WorkbenchError(f"ratio is {self.ratio!r}: expected a number above 1, such as 1.1")
        object.__setattr__(self, "score", str(ScoreKey.parse(self.score)))

    def check_learners(self, learners: Sequence[str]) -> None:
        """Raise WorkbenchError if the study lacks a learner of the pair, or a learner named in `once`.

        Parameters
        ----------
        learners : sequence of str
            Keys of the learners of the study.
        """
        super().check_learners(learners)
        self._pair_of(learners)

    def check_scores(self, keys: Sequence[ScoreKey]) -> None:
        """Raise WorkbenchError if the study does not have the score by which the design compares.

        Parameters
        ----------
        keys : sequence of ScoreKey
            The scores that every cell has.
        """
        _fitting(keys, self)

    def rounds(self, plan: StudyOutline) -> Iterator[tuple[Cell, ...]]:
        """Yield the cells of the grid, then of midpoints of sizes with opposite signs, round by round."""
        pair = self._pair_of(plan.learners)
        known = {source: list(self.sizes) for source in plan.sources}
        todo = {source: list(self.sizes) for source in plan.sources}
        while any(todo.values()):
            yield tuple(self.cells(plan, todo))
            differences = self._differences(plan.scores(), pair)
            todo = {}
            for source, sizes in known.items():
                todo[source] = _midpoints(sizes, differences.get(source, {}), self.ratio)
                known[source] = sorted([*sizes, *todo[source]])

    def _pair_of(self, learners: Sequence[str]) -> tuple[str, str]:
        pair = self.pair or tuple(learners[:2])
        if len(pair) < 2:
            raise WorkbenchError("a crossover search needs two learners: add another learner to the study")
        for key in pair:
            if key not in learners:
                raise WorkbenchError(
                    f"unknown learner {key!r} in the pair of the design; {nearest(key, learners)}"
                )
        return pair[0], pair[1]

    def _differences(self, scores: "pd.DataFrame", pair: tuple[str, str]) -> dict[str, dict[int, float]]:
        """Return the mean difference of the pair over truths, by source and size."""
        if scores.empty:
            return {}  # all cells failed, which the run reports
        own = scores[_chosen(scores, self)]
        own = own[own["learner"].isin(pair)].astype({"source": "str", "learner": "str"})
        place = ["source", "n_train", "replicate", "training_set"]
        wide = own.set_index([*place, "learner"])["value"].unstack("learner").reindex(columns=list(pair))
        with np.errstate(invalid="ignore"):
            gap = wide[pair[0]] - wide[pair[1]]
        by_truth = gap[np.isfinite(gap)].groupby(level=["source", "n_train", "replicate"]).mean()
        means = by_truth.groupby(level=["source", "n_train"]).mean()
        found: dict[str, dict[int, float]] = {}
        for (source, size), mean in means.items():
            found.setdefault(str(source), {})[int(size)] = float(mean)
        return found


def _chosen(scores: "pd.DataFrame", design: CrossoverSearch) -> "pd.Series":
    """Return which rows have the score to compare by."""
    counts = scores.groupby(list(ScoreKey._fields), sort=False, observed=True).size()
    most = int(counts.max())
    fitting = _fitting([ScoreKey(*key) for key in counts.index], design)
    best = min(fitting, key=lambda key: (counts[key] < most, preference(key)))
    chosen: pd.Series = (scores[list(ScoreKey._fields)] == list(best)).all(axis=1)
    return chosen


def _fitting(keys: Sequence[ScoreKey], design: CrossoverSearch) -> list[ScoreKey]:
    """Return the study's scores that fit the key of a design."""
    asked = ScoreKey.parse(design.score)
    if not asked.metric:
        names = [key.metric for key in keys]
        asked = asked._replace(metric="ir_b" if "ir_b" in names else names[0])
    found = [key for key in keys if asked.fits(key)]
    if not found:
        raise WorkbenchError(
            f"unknown score {str(asked)!r} in the design; expected one of {', '.join(map(str, keys))}"
        )
    return found


def _midpoints(sizes: Sequence[int], differences: dict[int, float], ratio: float) -> list[int]:
    """Return the geometric means of neighboring sizes with opposite signs that are too far apart."""
    signed = [(size, math.copysign(1, differences[size])) for size in sizes if differences.get(size)]
    found = []
    for (low, before), (high, after) in pairwise(signed):
        middle = round(math.sqrt(low * high))
        # A size without a sign may lie between them: a tie, or one where cells have failed.
        if before != after and high > ratio * low and low < middle < high and middle not in sizes:
            found.append(middle)
    return found


def _ascending(sizes: object) -> tuple[int, ...]:
    if isinstance(sizes, str) or not isinstance(sizes, Iterable):
        raise WorkbenchError(f"sizes is {sizes!r}: expected at least two sizes, ascending")
    numbers = tuple(check_positive("sizes", size) for size in sizes)
    if len(numbers) < 2 or any(low >= high for low, high in pairwise(numbers)):
        raise WorkbenchError(f"sizes is {list(numbers)}: expected at least two sizes, ascending")
    return numbers


def _pair(pair: object) -> tuple[str, ...]:
    if isinstance(pair, str) or not isinstance(pair, Iterable):
        raise WorkbenchError(f'pair is {pair!r}: expected two learners, such as ["nb", "tan"]')
    keys = tuple(pair)
    if keys and (len(keys) != 2 or keys[0] == keys[1] or not all(isinstance(key, str) for key in keys)):
        raise WorkbenchError(f"pair is {list(keys)}: expected the keys of two different learners")
    return keys
