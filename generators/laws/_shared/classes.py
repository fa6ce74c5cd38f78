"""The class distribution of a law, drawn or known."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from generators.base.probabilities import check_concentration, skewed
from generators.base.validation import shown
from generators.laws._shared.law import Law

__all__ = ["LawWithClasses"]


class LawWithClasses(Law):
    """Base of laws whose class distribution is drawn from a symmetric Dirichlet, unless it is known."""

    concentration: float
    class_marginal: Sequence[float] | None
    class_imbalance: float | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "concentration", check_concentration(self.concentration))
        object.__setattr__(self, "class_marginal", _checked_marginal(self.class_marginal))
        if self.class_imbalance is None:
            return
        if self.class_marginal is not None:
            raise ValueError("class_marginal and class_imbalance are both given: give one of them")
        skewed(2, self.class_imbalance)
        object.__setattr__(self, "class_imbalance", float(self.class_imbalance))

    def known_classes(self, n_classes: int) -> tuple[float, ...] | None:
        """Return the known distribution of the classes, given their number, or None if it is drawn."""
        if self.class_imbalance is not None:
            return tuple(skewed(n_classes, self.class_imbalance).tolist())
        return None if self.class_marginal is None else tuple(self.class_marginal)

    def misfit_of_classes(self, own: Any) -> str | None:
        """Return how a truth's class distribution differs from the distribution that the law specifies."""
        known = self.known_classes(len(own))
        if known is None:
            return None
        if len(known) != len(own):
            return f"class_marginal has {len(known)} probabilities, and the truth has {len(own)} classes"
        if not np.allclose(known, own, rtol=0, atol=1e-8):
            return "its class distribution differs from that of the law"
        return None


def _checked_marginal(value: Any) -> tuple[float, ...] | None:
    """Return a class distribution as a tuple, or None for None."""
    if value is None:
        return None
    given = np.asarray(value, dtype=object)
    numbers = given.ndim == 1 and given.size and all(isinstance(one, Real) for one in given)
    checked = given.astype(float) if numbers else np.zeros(1)
    if not (checked > 0).all() or abs(checked.sum() - 1) > 1e-8:
        raise ValueError(
            f"class_marginal is {shown(value)}: expected positive probabilities that sum to one, or None"
        )
    return tuple(checked.tolist())
