"""What the tables of the notes ask of the counted agreements, and how a cell of them is written."""

import numpy as np
from agreements import EXACT, JUDGED, PARTS, TARGETS, Agreements, agree, signs
from numpy.typing import NDArray

from workbench.comparisons import find_crossovers, mean_intervals

SHOWN = (50, 200, 1000, 5000)  # test rows of the tables
MAIN = 200  # training rows of the tables that show one size
#: Assigns probability 0 (its leaves have frequencies): its pairs are only in the sensitivity tables.
UNSMOOTHED = "c45"
#: Counts errors, and where two learners make equally many it compares their log losses.
TIES_BROKEN = JUDGED[-1]

Floats = NDArray[np.float64]


class Smoothed:
    """The pairs of learners that never assign probability 0, and what the tables ask of them."""

    def __init__(self, found: Agreements) -> None:
        self.found = found
        self.pairs = ~(found.pairs == UNSMOOTHED).any(axis=1)
        self.parts = np.array([source.split(", ") for source in found.source]).T

    def percent(self, target: str, n_train: int, chosen: NDArray[np.bool_] | None = None) -> Floats:
        """Return the agreement by truth (truths, test sizes, metrics) over the chosen pairs (pairs,)."""
        return 100.0 * self._share(target, n_train)[..., self.pairs if chosen is None else chosen].mean(
            axis=-1
        )

    def lead(
        self, comparison: tuple[str, str, str], n_train: int, chosen: NDArray[np.bool_] | None = None
    ) -> Floats:
        """Return by truth and test size how far one metric is ahead of another, over the chosen pairs."""
        target, metric, other = comparison
        share = self._share(target, n_train)
        ahead = 100.0 * (share[:, :, JUDGED.index(metric)] - share[:, :, JUDGED.index(other)])
        if chosen is None:
            chosen = np.broadcast_to(self.pairs, self.gap(target, n_train).shape)
        return _mean_of(ahead, chosen)

    def percent_of(self, metric: str, target: str, n_train: int, chosen: NDArray[np.bool_]) -> Floats:
        """Return the agreement of one metric by truth and test size over the chosen pairs (truths, pairs)."""
        return _mean_of(100.0 * self._share(target, n_train)[:, :, JUDGED.index(metric)], chosen)

    def equal_errors(self, n_train: int) -> Floats:
        """Return the percentage of pairs that err equally often, by truth and test size."""
        return 100.0 * self.found.equal_errors[:, self._train(n_train)][..., self.pairs].mean(axis=-1)

    def gap(self, target: str, n_train: int) -> Floats:
        """Return the distance of the exact scores (truths, pairs)."""
        return np.abs(self.found.gap[:, self._train(n_train), EXACT.index(target)])

    def exact(self, metric: str, target: str, n_train: int) -> float:
        """Return the percentage of pairs that one exact score ranks as another."""
        own = self.found.gap[:, self._train(n_train)][..., self.pairs]
        one, other = (signs(own[:, EXACT.index(name)]) for name in (metric, target))
        return 100 * float(agree(one, other).mean())

    def _share(self, target: str, n_train: int) -> NDArray[np.float32]:
        return self.found.share[:, self._train(n_train), TARGETS.index(target)]

    def _train(self, n_train: int) -> int:
        return self.found.sizes.tolist().index(n_train)


def _mean_of(values: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """Return the mean over the chosen pairs (truths, test sizes, pairs) of the truths that have some."""
    weight = chosen[chosen.any(axis=1)][:, None, :]
    return (values[chosen.any(axis=1)] * weight).sum(axis=-1) / weight.sum(axis=-1)


def cells(values: Floats, n_intervals: int) -> list[str]:
    """Return the mean over truths of each column with its interval, simultaneous over a family."""
    found = mean_intervals(values, n_intervals=n_intervals)
    return [f"{m:.1f} ± {h:.1f}" for m, h in zip(found.mean, found.half_width, strict=True)]


def at(values: Floats) -> Floats:
    """Return the test sizes of the tables, of (truths, test sizes, ...)."""
    return values[:, [list(PARTS).index(n) for n in SHOWN]]


def crossing(lead: Floats) -> str:
    """Return the test rows from which a metric is ahead up to the most, with a 95% interval."""
    found = find_crossovers(lead, list(PARTS))
    rises = [one for one in found.crossovers if one.after == 1]
    if rises:
        low, high = (f"{end:.0f}" if np.isfinite(end) else "∞" for end in (rises[-1].low, rises[-1].high))
        return f"{rises[-1].size:.0f} [{low}, {high}]"
    return f"{min(PARTS)} or fewer" if found.signs[-1] > 0 else f"over {max(PARTS)}"


def test_rows() -> list[str]:
    """Return the heads of the columns by test rows."""
    return [f"{n} test rows" for n in SHOWN]
