"""The law of random networks in which the class can be any node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.base.probabilities import check_concentration
from generators.laws._shared.law import Law, check_count

__all__ = ["DAGLaw"]


@dataclass(frozen=True)
class DAGLaw(Law):
    """Any directed acyclic graph over attributes and class (law of `random_dag_with_class`).

    The order of the nodes is uniform. The number of a node's parents is uniform from 0 to `max_parents`, or
    to the number of preceding nodes if that is smaller. All parent sets of that size are equally probable.

    Parameters
    ----------
    max_parents : int, default=3
        Maximum number of parents of a node.
    concentration : float, default=1.0
        Dirichlet parameter of all rows of all CPTs, from 1e-6 to 1e6.

    Raises
    ------
    ValueError
        If a value is out of range.

    Examples
    --------
    >>> DAGLaw(max_parents=2).words
    'any directed acyclic graph with up to 2 parents, Dirichlet(1) rows'
    """

    kind = "dag"
    template = "any directed acyclic graph with up to {max_parents} parents, Dirichlet({concentration}) rows"
    draws = ("network",)
    max_parents: int = 3
    concentration: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_parents", check_count("max_parents", self.max_parents))
        object.__setattr__(self, "concentration", check_concentration(self.concentration))

    def _misfit(self, truth: Any) -> str | None:
        most = max(map(len, truth.parent_indices))
        return f"a node has {most} parents" if most > self.max_parents else None
