"""The interface of models with numeric attributes: sample, log_joint, posterior, but not enumerate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.base.draw import RandomState, as_generator, batch_sizes
from generators.files.documents import Documented
from generators.laws._shared.law import Law

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NumericTruth"]


class NumericTruth(Documented):
    """A known joint distribution of a class and partly or fully numeric attributes (abstract base)."""

    enumerable = False
    attribute_names: tuple[str, ...]
    class_name: str
    classes: tuple[Hashable, ...]

    @property
    def law(self) -> Law | None:
        """The law from which the truth was drawn, if it is known."""
        return None

    @property
    @abstractmethod
    def structure(self) -> str:
        """Description of the dependencies."""

    @abstractmethod
    def sample(self, n: int, random_state: RandomState = None) -> tuple[pd.DataFrame, pd.Series]:
        """Draw rows: X with float columns, and y as categorical Series."""

    @abstractmethod
    def log_joint(self, X: pd.DataFrame | ArrayLike, y: Any = None) -> NDArray[np.float64]:
        """Return the log-density of each row in nats. Missing values are summed out."""

    @abstractmethod
    def posterior(self, X: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
        """Return the exact class probabilities of each row, of shape (n_samples, n_classes)."""

    @abstractmethod
    def class_marginal(self) -> NDArray[np.float64]:
        """Return the marginal distribution of the class."""

    def sample_batches(
        self, n: int, *, batch_rows: int = 1_000_000, random_state: RandomState = None
    ) -> Iterator[tuple[pd.DataFrame, pd.Series]]:
        """Draw many rows in batches, as `Truth.sample_batches` does."""
        sizes, rng = batch_sizes(n, batch_rows), as_generator(random_state)
        return (self.sample(size, rng) for size in sizes)

    def enumerate(self) -> NoReturn:
        """Raise a ValueError, since numeric attributes cannot be enumerated."""
        raise ValueError("a truth with numeric attributes cannot be enumerated: score on a sample instead")
