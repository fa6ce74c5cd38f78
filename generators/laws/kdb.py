"""The law of random k-dependence networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.laws._shared.dirichlet import DirichletLaw, attribute_parents
from generators.laws._shared.law import check_count

__all__ = ["KDBLaw"]


@dataclass(frozen=True)
class KDBLaw(DirichletLaw):
    """Attributes with the class and k preceding attributes as parents (law of `random_kdb`).

    The order of the attributes is hidden and uniformly distributed. An attribute with fewer than k
    predecessors has all predecessors as parents. Otherwise all sets of k predecessors are equally probable.

    Parameters
    ----------
    concentration, class_marginal, class_imbalance
        See `NaiveBayesLaw`.
    k : int, default=2
        Number of attribute parents.

    Raises
    ------
    ValueError
        If a value is out of range.

    Examples
    --------
    >>> KDBLaw(k=1).words
    'k-dependence with k = 1, Dirichlet(1) rows'
    """

    kind = "kdb"
    template = "k-dependence with k = {k}, Dirichlet({concentration}) rows"
    k: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "k", check_count("k", self.k))

    def _misfit_of_parents(self, truth: Any) -> str | None:
        parents = attribute_parents(truth)
        if isinstance(parents, str):
            return parents
        by_size = sorted(zip(parents, truth.attributes, strict=True), key=lambda pair: len(pair[0]))
        before: set[int] = set()
        for place, (own, child) in enumerate(by_size):
            if len(own) != min(self.k, place) or (place < self.k and own != before):
                return (
                    f"in no order of the attributes does each have the {self.k} attribute parents that it can"
                )
            before.add(child)
        return None
