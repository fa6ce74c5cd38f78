"""Halve, round by round, the interval of sizes in which one learner overtakes another."""

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
from workbench.designs._shared.base import Plan
from workbench.designs._shared.fresh_rows import FreshRows, check_positive

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Crossover"]

WORDS = ("metric", "prior", "rows", "cutoff")


@dataclass(frozen=True)
class Crossover(FreshRows):
    """A coarse grid of sizes, then the middle of every interval in which two learners change places.

    The first round is the grid. Wherever the mean difference of the pair on the same truths has opposite
    signs at neighboring sizes, the next round adds the size in the middle of them, on a logarithmic scale,
    until neighbors with opposite signs are less than `ratio` apart. Every source is searched by itself; one
    without a change of sign has the grid alone, one with several has all of them narrowed. Every learner of
    the study is computed at every size, so a study of the pair alone is the cheapest; cells are those that
    `FreshSamples` has at the same sizes.

    Parameters
    ----------
    pair : tuple of str
        Keys of two learners; by default the first two of the study.
    sizes : tuple of int
        The coarse grid, ascending.
    ratio : float
        How many times the smaller of two neighboring sizes the larger may be where they enclose a crossover.
    metric, prior, rows, cutoff : str
        The score, in the words of score tables; by default `ir_b` where the study has it, else the first
        there is, exact before test rows, and the marginal prior first.
    replicates, n_test, training_sets, once
        As `FreshSamples` has them. A learner of the pair with one training set is compared with the other's
        answer to that one.

    Raises
    ------
    WorkbenchError
        If a number is not a positive integer, sizes do not ascend, `ratio` is not above 1, the pair is not
        two learners, or `once` is no list of keys; before anything is computed, if the study has no such
        learner or score; after the first round, if a score on all inputs was asked for and no truth has few
        enough.

    Notes
    -----
    Signs decide, not tests: where noise is larger than the difference, the last rounds settle somewhere
    within the noise, and the interval of `workbench.analyses.Crossovers` shows how wide that is. A
    difference that is infinite, as one learner gave probability 0 to what happened, is not counted.

    References
    ----------
    .. [1] Perlich, C., Provost, F., and Simonoff, J. S., "Tree induction vs. logistic regression: a
       learning-curve analysis", Journal of Machine Learning Research 4, 2003, on curves that cross.

    Examples
    --------
    >>> design = Crossover(pair=("nb", "tan"), sizes=(50, 5000), replicates=2)
    >>> first = next(design.rounds(Plan({"tan": 1}, ("nb", "tan"), scores=list)))
    >>> sorted({cell.n_train for cell in first}), len(first)
    ([50, 5000], 8)
    """

    pair: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (50, 500, 5000)
    ratio: float = 1.1
    metric: str = ""
    prior: str = ""
    rows: str = ""
    cutoff: str = ""
    replicates: int = 40
    n_test: int = 1000
    training_sets: int = 1
    once: tuple[str, ...] = ()
    key: ClassVar[str] = "crossover"

    def __post_init__(self) -> None:
        self.check_options()
        object.__setattr__(self, "sizes", _ascending(self.sizes))
        object.__setattr__(self, "pair", _pair(self.pair))
        if not isinstance(self.ratio, Real) or isinstance(self.ratio, bool) or not 1 < self.ratio < math.inf:
            raise WorkbenchError(f"ratio is {self.ratio!r}: expected a number above 1, such as 1.1")
        for name in WORDS:
            if not isinstance(getattr(self, name), str):
                raise WorkbenchError(f"{name} is {getattr(self, name)!r}: expected a word")

    def check_learners(self, learners: Sequence[str]) -> None:
        """Raise WorkbenchError if the study lacks one of the pair, or a learner that `once` names.

        Parameters
        ----------
        learners : sequence of str
            Keys of the study's learners.
        """
        super().check_learners(learners)
        self._pair_of(learners)

    def check_scores(self, keys: Sequence[ScoreKey]) -> None:
        """Raise WorkbenchError if the study asks for no score that the design can go by.

        Parameters
        ----------
        keys : sequence of ScoreKey
            The scores of every cell.
        """
        _fitting(keys, self)

    def rounds(self, plan: Plan) -> Iterator[tuple[Cell, ...]]:
        """Yield the grid, then the middles of intervals, until all are narrow."""
        pair = self._pair_of(plan.learners)
        known = {source: list(self.sizes) for source in plan.sources}
        todo = {source: list(self.sizes) for source in plan.sources}
        while any(todo.values()):
            yield tuple(self.cells(plan, todo))
            differences = self._differences(plan.scores(), pair)
            todo = {}
            for source, sizes in known.items():
                todo[source] = _middles(sizes, differences.get(source, {}), self.ratio)
                known[source] = sorted([*sizes, *todo[source]])

    def _pair_of(self, learners: Sequence[str]) -> tuple[str, str]:
        pair = self.pair or tuple(learners[:2])
        if len(pair) < 2:
            raise WorkbenchError("a crossover needs two learners: name one more in the study")
        for key in pair:
            if key not in learners:
                raise WorkbenchError(
                    f"the pair of the design names the unknown learner {key!r}; {nearest(key, learners)}"
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


def _chosen(scores: "pd.DataFrame", design: Crossover) -> "pd.Series":
    """Say which rows are of the score that the design goes by."""
    counts = scores.groupby(list(WORDS), sort=False, observed=True).size()
    most = int(counts.max())
    fitting = _fitting([ScoreKey(*key) for key in counts.index], design)
    best = min(fitting, key=lambda key: (counts[key] < most, preference(key)))
    chosen: pd.Series = (scores[list(WORDS)] == list(best)).all(axis=1)
    return chosen


def _fitting(keys: Sequence[ScoreKey], design: Crossover) -> list[ScoreKey]:
    """Return the scores, of those there are, that the words of a design may mean."""
    names = [key.metric for key in keys]
    metric = design.metric or ("ir_b" if "ir_b" in names else names[0])
    asked = ScoreKey(metric, design.prior, design.rows, design.cutoff)
    found = [key for key in keys if asked.fits(key)]
    if not found:
        known = "; ".join(" ".join(key) for key in keys)
        words = " ".join(filter(None, asked))
        raise WorkbenchError(f"the design goes by {words}, no score of the study: known are {known}")
    return found


def _middles(sizes: Sequence[int], differences: dict[int, float], ratio: float) -> list[int]:
    """Return the middles of neighboring sizes with opposite signs that are too far apart."""
    signed = [(size, math.copysign(1, differences[size])) for size in sizes if differences.get(size)]
    found = []
    for (low, before), (high, after) in pairwise(signed):
        middle = round(math.sqrt(low * high))
        # Between them may be a size without a sign: a tie, or one where cells have failed.
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
