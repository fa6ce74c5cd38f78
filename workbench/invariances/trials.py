"""What several checks share: drawn rows, the forecasts of plain fits, and how random the learner is."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.base.seeds import generator_for
from workbench.invariances.fits import Difference, FreshFits, difference
from workbench.invariances.rows import INDEPENDENT, NOMINAL, NUMERIC, TrialRows, draw_rows

__all__ = ["OWN", "Trials"]

#: The kind of rows that the learner reads as they are.
OWN = "own"
#: How often the same rows are fitted with other seeds.
N_REFITS = 5
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Trials:
    """One learner on several truths of each kind; what was computed is kept."""

    fits: FreshFits
    reads_numbers: bool  # whether it is given an array of numbers, so that numeric rows are its own
    n_rows: int
    n_truths: int
    seed: int
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def kind(self, wanted: str) -> str:
        """Return the kind of rows of a check, which may be the learner's own."""
        return {OWN: NUMERIC if self.reads_numbers else NOMINAL}.get(wanted, wanted)

    @property
    def separable(self) -> str:
        """The learner's own kind of rows, with attributes that all tell something by themselves."""
        return NUMERIC if self.reads_numbers else INDEPENDENT

    def rng(self, *place: object) -> np.random.Generator:
        """Return the random generator of a part of a check."""
        return generator_for("invariances", self.seed, *place)

    def rows(self, kind: str, truth: int) -> TrialRows:
        """Return the rows of a truth."""
        return self._once(("rows", kind, truth), lambda: draw_rows(kind, self.n_rows, self.seed, truth))

    def plain(self, kind: str, truth: int) -> NDArray[np.float64]:
        """Return the forecast after a fit to the rows as they are."""
        return self._once(("plain", kind, truth), lambda: self.fits.forecast(self.rows(kind, truth)))

    def refits(self, kind: str, truth: int) -> list[Difference]:
        """Return how much fits to the same rows with other seeds change the forecast."""
        return self._once(("refits", kind, truth), lambda: self._refits(kind, truth))

    def _refits(self, kind: str, truth: int) -> list[Difference]:
        found: list[Difference] = []
        for reseed in range(1, N_REFITS + 1):
            again = self.fits.forecast(self.rows(kind, truth), reseed=reseed)
            found.append(difference(self.plain(kind, truth), again))
            if not self.fits.takes_seed and not found[0].largest:
                break
        return found

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = compute()
        found: T = self._kept[key]
        return found
