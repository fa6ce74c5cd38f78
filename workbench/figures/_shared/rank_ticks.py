"""Ticks of an axis of ranks, labeled as densely as there is room."""

from matplotlib.ticker import Locator

__all__ = ["RankTicks"]

# In heights of the letters:
DIGIT, GAP = 0.64, 0.3  # width of a digit; least distance of two labels
SPACE = 3  # the unit in which matplotlib measures the room of an axis


class RankTicks(Locator):
    """Place ticks at rank 1 and the multiples of 1, 2, 5, 10 ... whose labels do not touch."""

    # The layout of a figure changes the width of its axes when it is drawn, so the room is measured then.

    def __init__(self, n_ranks: int) -> None:
        self.n_ranks = n_ranks

    def __call__(self) -> list[int]:
        """Return the ranks that are labeled."""
        return self.tick_values(*self.axis.get_view_interval())  # type: ignore[union-attr]

    def tick_values(self, vmin: float, vmax: float) -> list[int]:
        """Return the ranks that are labeled if the axis shows values from vmin to vmax."""
        room = SPACE * self.axis.get_tick_space() / abs(vmax - vmin)  # type: ignore[union-attr]
        needed = DIGIT * len(str(self.n_ranks)) + GAP
        step = 1
        while (ranks := _ranks(step, self.n_ranks))[1:] and (ranks[1] - 1) * room < needed:
            step = _next(step)
        return ranks


def _ranks(step: int, n_ranks: int) -> list[int]:
    """Return 1 and the multiples of a step, or the odd ranks, since 2 is too near to 1."""
    return [*range(1, n_ranks + 1, step)] if step <= 2 else [1, *range(step, n_ranks + 1, step)]


def _next(step: int) -> int:
    """Return the number after it in 1, 2, 5, 10, 20, 50 ..."""
    return step * 5 // 2 if str(step)[0] == "2" else step * 2
