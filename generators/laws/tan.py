"""The law of random tree-augmented naive Bayes networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.laws._shared.dirichlet import DirichletLaw, attribute_parents

__all__ = ["TANLaw"]


@dataclass(frozen=True)
class TANLaw(DirichletLaw):
    """Attributes with the class and their parent in a random rooted tree as parents (law of `random_tan`).

    Parameters
    ----------
    concentration, class_marginal, class_imbalance
        See `NaiveBayesLaw`.

    Raises
    ------
    ValueError
        If a value is out of range.

    Examples
    --------
    >>> TANLaw().words
    'a uniform rooted tree, Dirichlet(1) rows'
    """

    kind = "tan"
    template = "a uniform rooted tree, Dirichlet({concentration}) rows"

    def _misfit_of_parents(self, truth: Any) -> str | None:
        parents = attribute_parents(truth)
        if isinstance(parents, str):
            return parents
        if any(len(own) > 1 for own in parents):
            return "an attribute has several attribute parents"
        n_roots = sum(not own for own in parents)
        if n_roots == 1:
            return None
        return f"{n_roots} attributes have no attribute parent, but a tree has exactly one root"
