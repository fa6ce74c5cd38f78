"""The part that the laws of nominal truths share: Dirichlet rows, and the distribution of the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generators.base.probabilities import skewed
from generators.laws._shared.law import Law, check_marginal, check_positive

__all__ = [
    "DirichletLaw",
    "attribute_parents",
    "check_classes",
    "known_classes",
    "misfit_of_classes",
    "words_of_classes",
]


@dataclass(frozen=True)
class DirichletLaw(Law):
    """Rows of all CPTs are drawn from a symmetric Dirichlet; the class distribution too, unless it is known.

    Attributes
    ----------
    concentration : float
        Parameter of the Dirichlet.
    class_marginal : tuple of float or None
        The distribution of the class, known beforehand; None if it is drawn like the other rows.
    class_skew : float or None
        Instead of it, for any number of classes: how many times as frequent the first class is as the last.
    """

    concentration: float = 1.0
    class_marginal: Sequence[float] | None = None
    class_skew: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "concentration", check_positive("concentration", self.concentration))
        check_classes(self)

    def known_classes(self, n_classes: int) -> tuple[float, ...] | None:
        """Return the distribution of so many classes where it is known beforehand, else None."""
        return known_classes(self.class_marginal, self.class_skew, n_classes)

    @property
    def words(self) -> str:
        """The law in words."""
        return f"{self._structure}, Dirichlet({self.concentration:g}) rows{words_of_classes(self)}"

    @property
    def _structure(self) -> str:
        return self.kind

    def misfit(self, truth: Any) -> str | None:
        """Return what about a truth cannot come from this law; None if nothing is found."""
        if not hasattr(truth, "parents"):
            return None
        if truth.class_index is None:
            return "it has no class"
        return self._misfit_of_class(truth) or self._misfit_of_parents(truth)

    def _misfit_of_class(self, truth: Any) -> str | None:
        if truth.parents[truth.class_index]:
            return "its class has parents"
        return misfit_of_classes(self, truth.cpts[truth.class_index])

    def _misfit_of_parents(self, truth: Any) -> str | None:
        return None


def check_classes(law: Any) -> None:
    """Check and convert what a law says of its classes."""
    object.__setattr__(law, "class_marginal", check_marginal(law.class_marginal))
    if law.class_skew is None:
        return
    if law.class_marginal is not None:
        raise ValueError("class_marginal and class_skew are both given; give one of them")
    skewed(2, law.class_skew)
    object.__setattr__(law, "class_skew", float(law.class_skew))


def known_classes(
    marginal: Sequence[float] | None, skew: float | None, n_classes: int
) -> tuple[float, ...] | None:
    """Return the distribution of so many classes where it is known beforehand, else None."""
    if skew is not None:
        return tuple(skewed(n_classes, skew).tolist())
    return None if marginal is None else tuple(marginal)


def words_of_classes(law: Any) -> str:
    """Return in words what a law knows of its classes."""
    if law.class_skew is not None:
        return f", class skew {law.class_skew:g}"
    if law.class_marginal is None:
        return ""
    return f", class distribution {' '.join(f'{p:.3g}' for p in law.class_marginal)}"


def misfit_of_classes(law: Any, own: Any) -> str | None:
    """Return how a truth's class distribution differs from the one that its law knows."""
    known = law.known_classes(len(own))
    if known is None:
        return None
    if len(known) != len(own):
        return f"class_marginal has {len(known)} probabilities, and the truth {len(own)} classes"
    if not np.allclose(known, own, rtol=0, atol=1e-8):
        return "its class distribution is another than the law's"
    return None


def attribute_parents(truth: Any) -> list[set[int]] | str:
    """Return the attribute parents of each attribute, or in words where the class is no parent."""
    found = []
    for child in truth.attributes:
        parents: Sequence[int] = truth.parents[child]
        if truth.class_index not in parents:
            return f"its class is not a parent of {truth.names[child]!r}"
        found.append({*parents} - {truth.class_index})
    return found
