"""The possible ranks of each player by mean score, given the error of all differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.base.checks import Direction, sign_of
from workbench.comparisons._shared.base import ROUNDING, check_share
from workbench.comparisons._shared.multiplicity import holm
from workbench.comparisons._shared.players import BLOCK, PlayerScores, read_players

__all__ = ["RankIntervals", "rank_intervals"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RankIntervals:
    """Mean scores of players, with intervals of their ranks. Rank 1 is the best.

    Attributes
    ----------
    low, high : ndarray of int of shape (n_players,)
        The best and the worst plausible rank of each player. With probability `level`, all these intervals
        contain the true ranks simultaneously.
    own_low, own_high : ndarray of int of shape (n_players,)
        Single intervals of the ranks. Each has probability `level` for one player that was chosen before the
        scores were seen. They are never wider than low .. high.
    mean, mean_low, mean_high : ndarray of shape (n_players,)
        Mean score of each player over its subjects, with equal weights of strata and settings, and the ends
        of its interval. These intervals are also simultaneous.
    difference : ndarray of shape (n_players, n_players)
        Mean of the row's player minus mean of the column's player, over the subjects that both players have.
    p : ndarray of shape (n_players, n_players)
        Two-sided p values of the differences, not adjusted for their number. 1 on the diagonal.
    level : float
        Coverage of the intervals.

    See Also
    --------
    rank_intervals : returns these intervals.

    Examples
    --------
    >>> from workbench.comparisons import rank_intervals
    >>> found = rank_intervals([[1.0, 2.0], [1.1, 2.2], [0.9, 1.9], [1.0, 2.1]], direction="lower")
    >>> found.low, found.high
    (array([1, 2]), array([1, 2]))
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    own_low: NDArray[np.int64]
    own_high: NDArray[np.int64]
    mean: Array
    mean_low: Array
    mean_high: Array
    difference: Array
    p: Array
    level: float


def rank_intervals(
    values: ArrayLike,
    *,
    direction: Direction,
    strata: ArrayLike | None = None,
    level: float = 0.95,
) -> RankIntervals:
    """Compute intervals of the ranks of players (such as learners) by mean score.

    It is assumed that subjects (such as truths) are drawn independently within each stratum, and that mean
    differences are approximately normal. Players may have different variances and any correlation.

    Parameters
    ----------
    values : array-like of shape (n_subjects, n_players) or (n_subjects, n_players, n_settings)
        Scores on the same subjects, NaN where a player has no score. If a stratum has no scores in some
        setting, its values there are NaN for all players.
    strata : array-like of shape (n_subjects,), optional
        The stratum of each subject. The mean of a player is the mean of its means over all strata and
        settings.
    direction : {"higher", "lower"}
        Whether higher or lower means are better.
    level : float
        Probability with which the intervals cover the true ranks and means.

    Returns
    -------
    RankIntervals

    Raises
    ------
    ValueError
        If the scores do not have these axes, or if a score is infinite. Also if two players have fewer than
        two subjects in common in a stratum at one of its settings, because their means would then be over
        different subjects.

    See Also
    --------
    bradley_terry : estimates strengths from wins.
    paired_differences : computes the differences.

    Notes
    -----
    The rank of a player is one more than the number of better players. It is at least one more than the
    number of players that are significantly better. It is at most the number of players minus the number of
    players that are significantly worse [1]_. The tests are paired t tests of all pairs in both directions,
    with Holm's adjustment over one-sided tests. There are n(n - 1) tests for `low` and `high`, and 2(n - 1)
    tests with the player for `own_low` and `own_high`. An interval misses the true rank only if a true
    one-sided hypothesis is rejected. Holm's procedure bounds the probability of this under any dependence. If
    no difference is significant, every interval is 1 to n.

    The mean of K means of strata and settings has the variance ``sum_k v_k / K^2``. Here v_k is the variance
    of the sum over the settings of a stratum, with subjects as clusters. Degrees of freedom are
    Satterthwaite's, as in `stratified_mean`. The intervals of the means are Bonferroni's over the players.

    Coverage in simulations is reported in docs/reference/arena_ranks.md.

    References
    ----------
    .. [1] Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D., "Inference for ranks with applications
       to mobility across neighbourhoods and academic achievement across countries", Review of Economic
       Studies 91, 2024.
    .. [2] Holm, S., "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
       Statistics 6, 1979.

    Examples
    --------
    The third player is significantly worse than the first two, which do not differ significantly:

    >>> losses = [[1.0, 1.1, 3.0], [2.0, 1.8, 4.1], [1.5, 1.6, 3.4], [1.2, 1.1, 3.2]]
    >>> found = rank_intervals(losses, direction="lower")
    >>> found.low, found.high
    (array([1, 1, 3]), array([2, 2, 3]))
    """
    scores = read_players(values, strata)
    if np.isinf(scores.values).any():
        place = tuple(int(i) for i in np.argwhere(np.isinf(scores.values))[0])
        raise ValueError(f"values is infinite at {place}: use a score that is always finite")
    check_share(level, what="level")
    n = scores.n_players
    first, second = np.triu_indices(n, 1)
    pairs = _pair_means(scores, first, second)
    found = _p_of_better(pairs, scores, sign_of(direction))
    mean, reach = _player_means(scores, level)
    difference = np.zeros((n, n))
    difference[first, second], difference[second, first] = pairs.mean, 0.0 - pairs.mean
    return RankIntervals(
        *_joint_ranks(found, 1 - level),
        *_own_ranks(found, 1 - level),
        mean,
        mean - reach,
        mean + reach,
        difference,
        np.minimum(1.0, 2 * np.minimum(found, found.T)),
        float(level),
    )


class _Means(NamedTuple):
    """Means of strata's means, their standard errors and degrees of freedom."""

    mean: Array
    error: Array
    df: Array


def _pair_means(scores: PlayerScores, first: NDArray[np.intp], second: NDArray[np.intp]) -> _Means:
    """Return the mean difference of each pair."""
    block = max(1, BLOCK // max(1, scores.values[:, 0].size))
    found = []
    for start in range(0, len(first), block):
        a, b = first[start : start + block], second[start : start + block]
        names = [f"players {i} and {j} have" for i, j in zip(a.tolist(), b.tolist(), strict=True)]
        parts = ((label, part[:, a] - part[:, b]) for label, part in scores.parts())
        found.append(_stratified(parts, names))
    return _Means(*(np.concatenate(one) for one in zip(*found, strict=True)))


def _player_means(scores: PlayerScores, level: float) -> tuple[Array, Array]:
    """Return the mean of each player, and the half width of its interval."""
    from scipy.special import stdtrit

    names = [f"player {i} has" for i in range(scores.n_players)]
    means = _stratified(scores.parts(), names)
    return means.mean, means.error * stdtrit(means.df, 1 - (1 - level) / (2 * scores.n_players))


def _stratified(parts: Iterable[tuple[object, Array]], names: Sequence[str]) -> _Means:
    """Average values (n_subjects, n_columns, n_settings) over subjects, then over all strata and settings."""
    total, variance, by_freedom = np.zeros((3, len(names)))
    n_cells, freedom = 0, np.zeros(len(names))
    for label, values in parts:
        known = ~np.isnan(values)
        n = known.sum(axis=0)
        if n.size and n.min() < 2:
            column, setting = (int(i) for i in np.argwhere(n < 2)[0])
            raise ValueError(
                f"{names[column]} fewer than two subjects in common in the stratum {label!s} at its setting "
                f"{setting}: leave out that player, or that stratum or setting for all players"
            )
        mean = np.where(known, values, 0.0).sum(axis=0) / n
        apart = np.where(known, values - mean, 0.0) / np.sqrt(n * (n - 1.0))
        own = (apart.sum(axis=2) ** 2).sum(axis=0)
        n_cells += values.shape[2]
        total += mean.sum(axis=1)
        variance += own
        if n.size:
            by_freedom += own**2 / (n.min(axis=1) - 1)
            freedom += n.min(axis=1) - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        df = np.where(by_freedom > 0, variance**2 / by_freedom, freedom)
    return _Means(total / n_cells, np.sqrt(variance) / n_cells, df)


def _p_of_better(pairs: _Means, scores: PlayerScores, sign: float) -> Array:
    """Return the one-sided p value of each player (row) being better than each other one (column)."""
    from scipy.special import stdtr

    tolerance = ROUNDING * max(1.0, float(np.nanmax(np.abs(scores.values))))
    constant = pairs.error <= tolerance
    mean = np.where(constant & (np.abs(pairs.mean) <= tolerance), 0.0, sign * pairs.mean)
    t = np.divide(mean, pairs.error, out=np.copysign(np.where(mean == 0, 0.0, np.inf), mean), where=~constant)
    first, second = np.triu_indices(scores.n_players, 1)
    found = np.ones((scores.n_players, scores.n_players))
    found[first, second], found[second, first] = stdtr(pairs.df, -t), stdtr(pairs.df, t)
    return found


def _joint_ranks(p: Array, alpha: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return simultaneous intervals of ranks."""
    n = len(p)
    apart = ~np.eye(n, dtype=bool)
    better = np.zeros((n, n), dtype=bool)
    better[apart] = holm(p[apart]) <= alpha
    return 1 + better.sum(axis=0), n - better.sum(axis=1)


def _own_ranks(p: Array, alpha: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return single intervals of ranks."""
    n = len(p)
    low, high = np.ones(n, dtype=np.int64), np.full(n, n, dtype=np.int64)
    for i in range(n):
        others = np.arange(n) != i
        above, below = holm([p[others, i], p[i, others]]) <= alpha
        low[i] += above.sum()
        high[i] -= below.sum()
    return low, high
