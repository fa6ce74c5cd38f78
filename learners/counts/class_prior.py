"""Class probabilities before any evidence, from counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["class_prior"]


def class_prior(counts: ArrayLike, *, alpha: float = 0.5) -> NDArray[np.float64]:
    """Estimate class probabilities from class counts (Hope & Korb, 2004, section 3.3 and footnote 3)."""
    # reward metrics use this for their prior, so a forecast made with it is the same to the last bit
    found = np.asarray(counts, dtype=np.float64)
    if found.ndim != 1 or found.size == 0 or not (found >= 0).all():
        raise ValueError(
            f"counts must be a list of numbers of at least 0, one per class, but was {counts!r}."
        )
    total = found.sum() + alpha * found.size
    if total <= 0:
        raise ValueError("counts and alpha are all zero. Give a positive alpha or at least one row.")
    return (found + alpha) / total
