"""The bits that tell what a learner has learned, as the learner itself counts them."""

from typing import Any

__all__ = ["theory_bits"]


def theory_bits(learner: Any) -> float:
    """Return the bits of a fitted learner's theory."""
    if not hasattr(learner, "theory_complexity"):
        raise ValueError(
            f"{type(learner).__name__} has no theory_complexity(), so that it tells no theory: give a "
            "fitted tree, graph or rule learner"
        )
    return float(learner.theory_complexity().total)
