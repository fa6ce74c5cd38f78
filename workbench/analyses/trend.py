"""How scores, and leads of one learner over another, move with a parameter of the sources."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from workbench.analyses._shared.paired_scores import PairedScores, paired_scores
from workbench.base.errors import WorkbenchError, check_known, nearest
from workbench.base.score_key import ScoreKey
from workbench.comparisons._shared.base import LEVEL
from workbench.comparisons._shared.multiplicity import holm

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Trend"]

Values = NDArray[np.float64]
#: Columns of the statistics of a slope.
STATISTICS = ("slope", "low", "high", "t", "df", "p")


@dataclass(frozen=True, eq=False)
class Trend:
    """Slopes of scores against a parameter of the sources, at every size.

    Parameters
    ----------
    parameter : str
        What differs between the sources.
    levels : mapping of str to float
        Its value by source, in ascending order.
    score : ScoreKey
    unit : str
    is_shared : bool
        Whether the sources share their random numbers (``seeds = "shared"``), so that a truth is met at every
        level. Then each truth has a slope of its own, and these are tested; else truths of all levels are
        independent, and a line is fitted through all.
    table : DataFrame
        One row per size and learner, and per pair of learners (learner minus other; other is "" for the
        scores themselves): n_train, learner, other, slope (per unit of the parameter), low, high (95%), t,
        df, p, p_holm (over the pairs), n (truths, or points).
    means : DataFrame
        Means by n_train, learner, other and level, with the half widths of their 95% intervals.
    notes : tuple of str

    Notes
    -----
    With shared truths a slope is the mean of the slopes of single truths, by ordinary least squares, and t is
    that of their mean, with a degree of freedom less than truths: differences between truths cancel. Else it
    is the slope of one least-squares line, with two degrees less than points. Both suppose a straight line.

    Examples
    --------
    >>> from workbench import Source, compare
    >>> noise = {f"noise {level}": Source("x", "tan", {"n_attributes": 3, "label_noise": level},
    ...          seeds="shared") for level in (0.0, 0.2)}
    >>> found = Trend.of(compare(["nb", "tan"], on=noise, sizes=30, n_test=50), "label_noise")
    >>> found.is_shared, found.table["df"].tolist()
    (True, [9.0, 9.0, 9.0])
    """

    parameter: str
    levels: Mapping[str, float]
    score: ScoreKey
    unit: str
    is_shared: bool
    table: pd.DataFrame
    means: pd.DataFrame
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        parameter: str,
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> "Trend":
        """Fit slopes over the sources that differ in a parameter.

        Parameters
        ----------
        results : StudyResults
            On truths that generators drew.
        parameter : str
            A parameter of the generator, or an alteration such as "label_noise", that is a number in two
            sources or more.
        score, learners : optional
            As `paired_scores` takes them.

        Returns
        -------
        Trend

        Raises
        ------
        WorkbenchError
            If fewer than two sources have different numbers for the parameter, or learners lack scores.
        """
        experiments = {one.source: one for one in paired_scores(
            results, score=score, learners=learners, at_least=1, independent=True
        )}  # fmt: skip
        levels, shared = _levels(results, parameter, list(experiments))
        return cls.among(parameter, levels, [experiments[key] for key in levels], shared)

    @classmethod
    def between(
        cls,
        results: "StudyResults",
        source: str,
        other: str,
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Return the table of differences between two sources; see `Results.contrast`."""
        experiments = {one.source: one for one in paired_scores(
            results, score=score, learners=learners, at_least=1, independent=True
        )}  # fmt: skip
        check_known("source", (source, other), experiments)
        entries = {str(entry["key"]): entry for entry in results.study.content["sources"]}
        shared = all(entries[key].get("seeds") == "shared" for key in (source, other))
        levels = {other: 0.0, source: 1.0}
        found = cls.among("source", levels, [experiments[other], experiments[source]], shared, welch=True)
        return found.table.rename(columns={"slope": "difference"})

    @classmethod
    def among(
        cls,
        parameter: str,
        levels: Mapping[str, float],
        experiments: Sequence[PairedScores],
        shared: bool,
        *,
        welch: bool = False,
    ) -> "Trend":
        """Fit slopes over paired scores, one for each level.

        Parameters
        ----------
        parameter : str
        levels : mapping of str to float
            By source, in ascending order.
        experiments : sequence of PairedScores
            In the order of the levels.
        shared : bool
            Whether blocks of the same key are the same truth.
        welch : bool
            Of two levels that are not shared: whether their variances may differ.

        Returns
        -------
        Trend
        """
        first = experiments[0]
        learners = [key for key in first.learners if all(key in one.learners for one in experiments)]
        sizes = [size for size in first.sizes if all(size in one.sizes for one in experiments)]
        blocks = [one.blocks for one in experiments]
        common = [block for block in blocks[0] if all(block in own for own in blocks)]
        x = np.array(list(levels.values()))
        rows, means = [], []
        for size in sizes:
            for learner, other in [*((key, "") for key in learners), *combinations(learners, 2)]:
                ys = [
                    _values(one, learner, other, size, common if shared else one.blocks)
                    for one in experiments
                ]
                if shared:
                    found = _of_truths(x, np.column_stack(ys))
                else:
                    found = _of_two(*ys) if welch else _of_points(x, ys)
                rows.append((size, learner, other, *found))
                means += [(size, learner, other, level, *_mean(y)) for level, y in zip(x, ys, strict=True)]
        table = pd.DataFrame(rows, columns=["n_train", "learner", "other", *STATISTICS, "n"])
        pairs = table["other"] != ""
        table["p_holm"] = np.nan
        table.loc[pairs, "p_holm"] = holm(table.loc[pairs, "p"].fillna(1.0).to_numpy())
        by_level = pd.DataFrame(means, columns=["n_train", "learner", "other", "level", "mean", "half_width"])
        left = [one.source for one in experiments if len(one.learners) > len(learners)]
        notes = [f"left out, without scores at some level: learners of {', '.join(left)}"] if left else []
        notes += [note for one in experiments for note in one.notes]
        return cls(parameter, dict(levels), first.score, first.unit, shared, table, by_level, tuple(notes))


def _levels(results: "StudyResults", parameter: str, sources: Sequence[str]) -> tuple[dict[str, float], bool]:
    """Return the parameter of each source that has it as a number, and whether all share random numbers."""
    entries = {str(entry["key"]): entry for entry in results.study.content["sources"]}
    given = {key: entries[key] for key in sources if "generator" in entries.get(key, {})}
    found = {key: _level(entry, parameter) for key, entry in given.items()}
    levels = {key: value for key, value in found.items() if value is not None}
    if len(set(levels.values())) < 2:
        names = {name for entry in given.values() for name in entry}
        known = sorted(names - {"key", "generator", "seeds"})
        raise WorkbenchError(
            f"{len(set(levels.values()))} of the sources' values of {parameter!r} differ: expected two or "
            f"more sources of a generator with different numbers for it; {nearest(parameter, known)}"
        )
    shared = all(given[key].get("seeds") == "shared" for key in levels)
    return dict(sorted(levels.items(), key=lambda pair: pair[1])), shared


def _level(entry: Mapping[str, Any], parameter: str) -> float | None:
    """Return the number that a source gives a parameter; an alteration's default if it names none."""
    from generators.altered import ALTERATIONS

    value = entry.get(parameter, ALTERATIONS.get(parameter))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


def _values(one: PairedScores, learner: str, other: str, size: int, blocks: Sequence[Hashable]) -> Values:
    """Return the scores of a learner, or its lead over another, by truth."""
    places, j = [list[Hashable](one.blocks).index(block) for block in blocks], list(one.sizes).index(size)
    own = one.values[places, list(one.learners).index(learner), j]
    return own - one.values[places, list(one.learners).index(other), j] if other else own


def _of_truths(x: Values, y: Values) -> Iterator[float]:
    """Return the statistics of the mean of each truth's slope; y is (n_truths, n_levels)."""
    centered = x - x.mean()
    slopes = (y - y.mean(axis=1, keepdims=True)) @ centered / (centered @ centered)
    error = slopes.std(ddof=1) / math.sqrt(len(slopes)) if len(slopes) > 1 else math.nan
    return _statistics(float(slopes.mean()), float(error), len(slopes) - 1, len(slopes))


def _of_points(x: Values, ys: Sequence[Values]) -> Iterator[float]:
    """Return the statistics of the slope of one line through all points."""
    xs, y = np.repeat(x, [len(own) for own in ys]), np.concatenate(ys)
    centered = xs - xs.mean()
    slope = float(centered @ (y - y.mean()) / (centered @ centered))
    residuals = y - y.mean() - slope * centered
    df = len(y) - 2
    error = math.sqrt(float(residuals @ residuals) / df / float(centered @ centered)) if df > 0 else math.nan
    return _statistics(slope, error, df, len(y))


def _of_two(first: Values, second: Values) -> Iterator[float]:
    """Return the statistics of the difference of two independent means, the second minus the first."""
    parts = [float(own.var(ddof=1)) / len(own) if len(own) > 1 else math.nan for own in (first, second)]
    error = math.sqrt(sum(parts))
    freedom = sum(part**2 / (len(own) - 1) for part, own in zip(parts, (first, second), strict=True))
    df = sum(parts) ** 2 / freedom if freedom > 0 else math.nan
    return _statistics(float(second.mean() - first.mean()), error, df, len(first) + len(second))


def _statistics(slope: float, error: float, df: float, n: int) -> Iterator[float]:
    if not error > 0:  # no spread, or one truth: no test
        return iter((slope, math.nan, math.nan, math.nan, float(df), math.nan, n))
    t, half = slope / error, float(stats.t.ppf(1 - LEVEL / 2, df)) * error
    return iter((slope, slope - half, slope + half, t, float(df), 2 * float(stats.t.sf(abs(t), df)), n))


def _mean(y: Values) -> tuple[float, float]:
    """Return a mean and the half width of its 95% interval."""
    if len(y) < 2:
        return float(y.mean()), math.nan
    return float(y.mean()), float(stats.t.ppf(1 - LEVEL / 2, len(y) - 1) * y.std(ddof=1) / math.sqrt(len(y)))
