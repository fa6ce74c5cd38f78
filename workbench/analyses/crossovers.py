"""Training sizes at which one learner overtakes another."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from workbench.analyses._shared.paired_scores import PairedScores
from workbench.base.names import capital, spoken_name
from workbench.comparisons import SignChanges, find_crossovers

__all__ = ["Crossovers"]

COLUMNS = ["learner", "other", "before", "after", "n_train", "low", "high", "left", "right", "decided"]


@dataclass(frozen=True, eq=False)
class Crossovers:
    """The training sizes at which pairs of learners change their order on the truths of one source.

    Parameters
    ----------
    experiment : PairedScores
        The scores of the source.
    pairs : dict of (str, str) to SignChanges
        By pair (learner, other), the sign changes of the difference learner minus other. Signs are such that
        the first learner is better above zero.
    table : DataFrame
        One row per crossover: learner, other, before and after (the better learner at smaller sizes and at
        larger sizes), n_train (the size of the crossover), low and high (the ends of its 95% interval, 0 or
        infinite on a side without a significant leader), left and right (the measured sizes that enclose it),
        and decided (whether the leaders on both sides are significant). A pair with the same leader at all
        sizes has no row.

    See Also
    --------
    workbench.comparisons.find_crossovers : computes crossovers and their intervals.
    workbench.designs.CrossoverSearch : is a design that finds crossovers with few fits.

    Examples
    --------
    >>> import numpy as np
    >>> from workbench.base.score_key import ScoreKey
    >>> noise = np.array([-0.01, 0.0, 0.01])[:, None]
    >>> values = np.stack([noise + [0.2, 0.2], 2 * noise + [0.0, 0.6]], axis=1)
    >>> score = ScoreKey("ir_b", "marginal", "exact", "none")
    >>> experiment = PairedScores("tan", score, ("nb", "tan"), (100, 800), (0, 1, 2), values)
    >>> Crossovers.of(experiment).table[["before", "after", "n_train", "decided"]].round(6)
      before after  n_train  decided
    0     nb   tan    200.0     True
    """

    experiment: PairedScores
    pairs: dict[tuple[str, str], SignChanges]
    table: pd.DataFrame

    @classmethod
    def of(cls, experiment: PairedScores) -> "Crossovers":
        """Find the crossovers of an experiment.

        Parameters
        ----------
        experiment : PairedScores
            The scores of one source at several sizes.

        Returns
        -------
        Crossovers

        Raises
        ------
        WorkbenchError
            If the experiment has only one replicate.
        """
        experiment.check_blocks()
        pairs = {
            (experiment.learners[i], experiment.learners[j]): find_crossovers(
                experiment.sign * (experiment.values[:, i] - experiment.values[:, j]), experiment.sizes
            )
            for i, j in combinations(range(len(experiment.learners)), 2)
        }
        rows = [
            (*pair, *(pair if one.after < 0 else pair[::-1]), one.size, one.low, one.high, one.left,
             one.right, one.decided)
            for pair, found in pairs.items()
            for one in found.crossovers
        ]  # fmt: skip
        return cls(experiment, pairs, pd.DataFrame(rows, columns=COLUMNS))

    @property
    def sentences(self) -> tuple[str, ...]:
        """One sentence for each pair of learners."""
        return tuple(self._sentence(pair, found) for pair, found in self.pairs.items())

    def _sentence(self, pair: tuple[str, str], found: SignChanges) -> str:
        first, last = found.sizes[0], found.sizes[-1]
        pair = (spoken_name(pair[0]), spoken_name(pair[1]))
        where = f"with {first} to {last} rows" if last > first else f"with {first} rows"
        if not found.crossovers:
            return capital(self._unchanged(pair, found, where))
        words = []
        for one in found.crossovers:
            before, after = pair if one.after < 0 else pair[::-1]
            sure = "" if one.decided else ", not significant"
            words.append(
                f"{after} overtakes {before} at {one.size:.0f} rows "
                f"({interval_words(one.low, one.high, last)}{sure})"
            )
        return capital(f"{', then '.join(words)}.")

    def _unchanged(self, pair: tuple[str, str], found: SignChanges, where: str) -> str:
        """Return the sentence of a pair without a crossover."""
        decided = {sign for sign, sure in zip(found.signs, found.decided, strict=True) if sure}
        if not decided:
            return f"{pair[0]} and {pair[1]} do not differ significantly {where}."
        ahead, behind = pair if decided == {1} else pair[::-1]
        sure = list(found.decided)
        often = f", significantly at {sum(sure)} of {len(sure)} sizes"
        if sure == sorted(sure):  # from some size on
            often = "" if all(sure) else f", significantly from {found.sizes[sure.index(True)]} rows on"
        return f"{ahead} is ahead of {behind} {where}{often}."


def interval_words(low: float, high: float, largest: int) -> str:
    """Return an interval of sizes in words, open where no leader is decided."""
    if low <= 0 and np.isinf(high):
        return "anywhere"
    start = "anywhere below" if low <= 0 else f"{low:.0f} to"
    return f"{start} {f'more than {largest}' if np.isinf(high) else f'{high:.0f}'}"
