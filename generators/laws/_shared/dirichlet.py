"""The part that the laws of nominal truths share: Dirichlet rows, and the distribution of the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generators.laws._shared.law import Law, check_marginal, check_positive

__all__ = ["DirichletLaw", "attribute_parents", "misfit_of_marginal"]


@dataclass(frozen=True)
class DirichletLaw(Law):
    """Rows of all CPTs are drawn from a symmetric Dirichlet; the class distribution too, unless it is known.

    Attributes
    ----------
    concentration : float
        Parameter of the Dirichlet.
    class_marginal : tuple of float or None
        The distribution of the class, known beforehand; None if it is drawn like the other rows.
    """

    concentration: float = 1.0
    class_marginal: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "concentration", check_positive("concentration", self.concentration))
        object.__setattr__(self, "class_marginal", check_marginal(self.class_marginal))

    @property
    def words(self) -> str:
        """The law in words."""
        known = "" if self.class_marginal is None else ", known class distribution"
        return f"{self._structure}, Dirichlet({self.concentration:g}) rows{known}"

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
        return misfit_of_marginal(self.class_marginal, truth.cpts[truth.class_index])

    def _misfit_of_parents(self, truth: Any) -> str | None:
        return None


def misfit_of_marginal(known: tuple[float, ...] | None, own: Any) -> str | None:
    """Return how a truth's class distribution differs from the known one."""
    if known is None:
        return None
    if len(known) != len(own):
        return f"class_marginal has {len(known)} probabilities, and the truth {len(own)} classes"
    if not np.allclose(known, own, rtol=0, atol=1e-8):
        return "its class distribution is another than class_marginal"
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
