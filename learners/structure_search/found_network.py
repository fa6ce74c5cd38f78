"""What a search gives back."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["FoundNetwork"]


@dataclass(frozen=True, eq=False)
class FoundNetwork:
    """The network with the shortest message that a search found.

    Attributes
    ----------
    parents : tuple of tuple of int
        Parents of each node, ascending.
    length : float
        Nats of the whole message.
    arc_probability : float
        The probability at which the arcs were told.
    trace : ndarray of shape (n_improvements, 2)
        Seconds since the start, and the shortest message then known in nats; empty for exact searches.
    interrupted : bool
        Whether the search was stopped, by the user or by its limit of time, before it was done.
    """

    parents: tuple[tuple[int, ...], ...]
    length: float
    arc_probability: float
    trace: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 2)))
    interrupted: bool = False
