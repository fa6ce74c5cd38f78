"""What truths with numeric attributes answer: sample, log_joint, posterior, but not enumerate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.base.draw import RandomState, as_generator, batch_sizes
from generators.files import documents

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NumericTruth"]


class NumericTruth(ABC):
    """A known joint distribution of a class and attributes, some or all of them numbers.

    `GaussianNaiveBayes` and `NumericCuts` are such truths; this class holds what they share and cannot be
    used alone.

    Attributes
    ----------
    attribute_names : tuple of str
    class_name : str
    classes : tuple
        States of the class.
    """

    kind: ClassVar[str]
    enumerable = False
    attribute_names: tuple[str, ...]
    class_name: str
    classes: tuple[Hashable, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        # rebuilt from its parts: no caches in the pickle, and arrays are read-only again
        return type(self), tuple(getattr(self, part.name) for part in fields(self))  # type: ignore[arg-type]

    @property
    @abstractmethod
    def structure(self) -> str:
        """Who depends on whom, in words."""

    @abstractmethod
    def sample(self, n: int, random_state: RandomState = None) -> tuple[pd.DataFrame, pd.Series]:
        """Draw rows: X with float columns, y categorical."""

    @abstractmethod
    def log_joint(self, X: pd.DataFrame | ArrayLike, y: Any = None) -> NDArray[np.float64]:
        """Return the log-density of each row, in nats; what is missing is summed out."""

    @abstractmethod
    def posterior(self, X: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
        """Return the distribution of the class given the attributes, exactly, (n_samples, n_classes)."""

    @abstractmethod
    def class_marginal(self) -> NDArray[np.float64]:
        """Return the distribution of the class before any evidence."""

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """Return the truth as plain data with its kind, for `to_json`."""

    @classmethod
    @abstractmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth that a document of its kind describes."""

    def sample_batches(
        self, n: int, *, batch_rows: int = 1_000_000, random_state: RandomState = None
    ) -> Iterator[tuple[pd.DataFrame, pd.Series]]:
        """Draw many rows batch by batch, as `Truth.sample_batches` does."""
        sizes, rng = batch_sizes(n, batch_rows), as_generator(random_state)
        return (self.sample(size, rng) for size in sizes)

    def enumerate(self) -> NoReturn:
        """Refuse, with a ValueError: numbers have no list of combinations."""
        raise ValueError("there is no list of all numbers; score on a sample instead")

    def to_json(self) -> str:
        """Return the truth as JSON text, from which `generators.from_json` gives back all that it is."""
        return documents.dump(self.to_document())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote.

        Raises
        ------
        ValueError
            If the text is something else; the sentence says what is wrong.
        """
        return cls.from_document(documents.load(text, kind=cls.kind))
