"""Tests of two learners that were scored on the same blocks. A design names the test for its blocks."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.comparisons._shared.base import LEVEL
from workbench.comparisons._shared.multiplicity import bonferroni, holm
from workbench.comparisons.corrected import corrected_t
from workbench.comparisons.five_by_two import five_by_two_t
from workbench.comparisons.paired import paired_differences
from workbench.comparisons.power import detectable_difference

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CombinedF", "CorrectedT", "PairTest", "PairedT"]

Scores = NDArray[np.float64]


class PairTest:
    """Base class of tests of two learners on the same blocks. Subclasses define `name` and `pair`.

    Attributes
    ----------
    name : str
        Name of the test, as it follows "by" in a sentence.
    statistics : mapping of str to str
        The columns that the test reports, including "p", with their headings. Names of columns with p values
        begin with p.
    decides : str
        The column with the p values that decide on significance.
    by_intervals : bool
        Whether simultaneous intervals, in the columns low and high, decide on significance. Otherwise p
        values with Holm's correction decide.
    needs_all : bool
        Whether the test needs all planned blocks. Otherwise it can be computed from the blocks that are
        complete.
    has_interval : bool
        Whether `pair` returns low and high, the ends of the single 95% interval of a difference.
    holds : bool
        Whether the test is valid. Otherwise no pair is tested, and the note of the design gives the reason.
    """

    name: ClassVar[str]
    statistics: ClassVar[Mapping[str, str]] = {"t": "t", "p": "p"}
    decides: ClassVar[str] = "p"
    by_intervals: ClassVar[bool] = False
    needs_all: ClassVar[bool] = False
    holds: ClassVar[bool] = True
    has_interval: ClassVar[bool] = False

    def has_spread(self, differences: Scores, *, largest: float) -> bool:
        """Return whether differences vary by more than rounding, as the test requires."""
        return bool(np.ptp(differences) > 1e-9 * largest)

    def contradicts(self, row: Mapping[Hashable, Any], p: str) -> bool:
        """Return whether the statistic behind a p column has the opposite sign of the mean difference."""
        return False

    def deciding(self, source: str) -> str:
        """Return the criterion of significance in words. `source` is a word such as "data set"."""
        if self.by_intervals:
            return f"simultaneous 95% intervals of {self.name}"
        return f"{self.name} at 5% with Holm's correction over the pairs of each {source}"

    @property
    def uncorrected(self) -> str:
        """The test behind column p in words, without a correction for the number of pairs."""
        return f"{self.name} at 5%, without Holm's correction"

    @property
    def legend(self) -> tuple[str, ...]:
        """The meaning of the statistics, in clauses."""
        return (f"{', '.join(self.statistics.values())}: {self.name}",)

    def pair(self, differences: Scores, *, test_share: float, largest: float) -> Mapping[str, float]:
        """Test the differences of one pair of learners.

        Parameters
        ----------
        differences : ndarray of shape (n_blocks,)
            Score of one learner minus score of the other on each block. At least two blocks, in their order.
        test_share : float
            Nominal ratio of test rows to training rows, 0 for independent blocks.
        largest : float
            Largest absolute value of the scores that were subtracted.

        Returns
        -------
        mapping of str to float
            The statistics by column, NaN if there is no test. An entry "difference" replaces the mean of the
            differences, for example by 0 if rounding explains them.
        """
        raise NotImplementedError(f"{type(self).__name__} defines no pair")

    def table(
        self, values: Scores, learners: Sequence[str], sizes: Sequence[int], *, test_share: float
    ) -> "pd.DataFrame":
        """Test every pair of learners at every size, with correction for the number of tests.

        Values have the shape (n_blocks, n_learners, n_sizes). A pair that cannot be tested counts in the
        correction, with
        p = 1.
        """
        import pandas as pd

        ends = ("low", "high") if self.has_interval else ()
        rows = []
        for j, size in enumerate(sizes):
            for a, b in combinations(range(len(learners)), 2):
                d, largest = values[:, a, j] - values[:, b, j], float(np.abs(values[:, [a, b], j]).max())
                found = self.pair(d, test_share=test_share, largest=largest) if len(d) > 1 else {}
                difference = found.get("difference", float(d.mean()))
                statistics = [found.get(name, float("nan")) for name in (*ends, *self.statistics)]
                rows.append((learners[a], learners[b], size, difference, *statistics))
        columns = ["learner", "other", "n_train", "difference", *ends, *self.statistics]
        table = pd.DataFrame(rows, columns=columns)
        family = table[self.decides].astype("float64").fillna(1.0)
        return table.assign(p_holm=holm(family), p_bonferroni=bonferroni(family))


class PairedT(PairTest):
    """Student's paired t test, for independent differences. Simultaneous intervals decide on significance."""

    name = "the paired t test over truths"
    by_intervals = True

    def deciding(self, source: str) -> str:
        """Return the criterion of the decision, in words."""
        return "the simultaneous 95% intervals of paired differences (Bonferroni)"

    def table(
        self, values: Scores, learners: Sequence[str], sizes: Sequence[int], *, test_share: float
    ) -> "pd.DataFrame":
        """Test every pair at every size with `paired_differences`."""
        table = paired_differences(values, learners=learners, settings=sizes).table()
        spread = table["sd"].to_numpy()
        table["p_bonferroni"] = bonferroni(table["p"])
        table["detectable"] = detectable_difference(spread, len(values))
        table["detectable_together"] = detectable_difference(spread, len(values), alpha=LEVEL / len(table))
        first = ["learner", "other", "n_train", "difference", "low", "high", "sd", "t", "df", "p", "p_holm"]
        last = ["p_bonferroni", "d_z", "detectable", "detectable_together"]
        return table.rename(columns={"setting": "n_train"})[[*first, *last]]


class CorrectedT(PairTest):
    """Nadeau and Bengio's corrected t test, for parts (train-test splits) that share rows."""

    name = "Nadeau and Bengio's corrected resampled t test"
    has_interval = True

    def pair(self, differences: Scores, *, test_share: float, largest: float) -> Mapping[str, float]:
        """Test one pair with `corrected_t`."""
        found = corrected_t(differences, test_share=test_share, largest=largest)
        return {"difference": found.mean, "low": found.low, "high": found.high, "t": found.t, "p": found.p}


class CombinedF(PairTest):
    """Alpaydin's combined F test, reported with Dietterich's t test.

    F decides on significance. The numerator of t is only the first of the ten differences, so t depends on
    which half came first. F uses all ten differences. In Alpaydin's experiments F had fewer false alarms and
    more power.
    """

    name = "Alpaydin's combined 5x2cv F test"
    uncorrected = "Dietterich's 5x2cv t test at 5%, uncorrected"
    legend = ("t, p: Dietterich's 5x2cv test", "F, p of F: Alpaydin's combined test")
    statistics: ClassVar[Mapping[str, str]] = {"t": "t", "p": "p", "F": "F", "p_F": "p of F"}
    decides = "p_F"
    needs_all = True
    has_interval = True

    def has_spread(self, differences: Scores, *, largest: float) -> bool:
        """Return whether the two differences of some replicate differ."""
        return bool(np.ptp(differences.reshape(5, 2), axis=1).max() > 1e-9 * largest)

    def contradicts(self, row: Mapping[Hashable, Any], p: str) -> bool:
        """Return whether Dietterich's t, which uses only the first difference, has the other sign."""
        return p == "p" and row["t"] * row["difference"] < 0

    def pair(self, differences: Scores, *, test_share: float, largest: float) -> Mapping[str, float]:
        """Test one pair with `five_by_two_t`: five replicates of two folds."""
        found = five_by_two_t(differences.reshape(5, 2), largest=largest)
        return {"difference": found.mean, **asdict(found)}
