"""Shared part of the laws of nominal truths: Dirichlet rows below a class without parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from generators.laws._shared.classes import LawWithClasses

__all__ = ["DirichletLaw", "attribute_parents"]


@dataclass(frozen=True)
class DirichletLaw(LawWithClasses):
    """Base of laws in which all CPT rows are symmetric Dirichlet. The class distribution may be known."""

    draws = ("network",)
    concentration: float = 1.0
    class_marginal: Sequence[float] | None = None  # the class distribution, if known beforehand
    class_imbalance: float | None = None  # or how many times as frequent the first class is as the last

    def _misfit(self, truth: Any) -> str | None:
        if truth.parent_indices[truth.class_index]:
            return "its class has parents"
        return self.misfit_of_classes(truth.cpts[truth.class_index]) or self._misfit_of_parents(truth)

    def _misfit_of_parents(self, truth: Any) -> str | None:
        return None


def attribute_parents(truth: Any) -> list[set[int]] | str:
    """Return the attribute parents of each attribute, or a text where the class is no parent."""
    found = []
    for child in truth.attributes:
        parents: Sequence[int] = truth.parent_indices[child]
        if truth.class_index not in parents:
            return f"its class is not a parent of {truth.names[child]!r}"
        found.append({*parents} - {truth.class_index})
    return found
