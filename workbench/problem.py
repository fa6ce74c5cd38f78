"""The fixed part of a replicate: the truth, its test rows, and its attribute space where that is small."""

import functools
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.seeds import canonical, generator_for
from workbench.source import Source

if TYPE_CHECKING:
    from generators.truth import Truth

__all__ = ["Problem", "Recipe", "Rows", "pose"]


@dataclass(frozen=True)
class Rows:
    """Rows on which a learner is asked, and how they are weighted.

    Parameters
    ----------
    X : DataFrame of shape (n_rows, n_attributes)
        Categoricals.
    y : ndarray of shape (n_rows,)
        Class codes of the test rows; empty for the attribute space.
    joint : ndarray of shape (n_rows, n_classes) or None
        P(x, class) of the attribute space; None for the test rows.
    p_true : ndarray of shape (n_rows, n_classes)
        The truth's posterior.
    """

    X: pd.DataFrame
    y: NDArray[np.intp]
    joint: NDArray[np.float64] | None
    p_true: NDArray[np.float64]

    @functools.cached_property
    def weight(self) -> NDArray[np.float64]:
        """P(x) of the attribute space, of shape (n_rows,)."""
        assert self.joint is not None
        return self.joint.sum(axis=1)


@dataclass(frozen=True)
class Problem:
    """What all cells of a replicate share.

    Parameters
    ----------
    recipe : Recipe
    truth : truth
    classes : tuple
        The declared classes, in the order of all columns of probabilities.
    test : Rows
        The test rows.
    exact : Rows or None
        The attribute space; None if it is too large or nobody asks for it.
    marginal : ndarray of shape (n_classes,)
        The true class distribution.
    test_digest : str
        Hash of the test rows: two cells with the same are paired.
    """

    recipe: "Recipe"
    truth: "Truth"
    classes: tuple[Any, ...]
    test: Rows
    exact: Rows | None
    marginal: NDArray[np.float64]
    test_digest: str

    def training_rows(self, n_train: int, training_set: int) -> tuple[pd.DataFrame, pd.Series]:
        """Draw the training rows of a size: the same for every learner."""
        return self.truth.sample(n_train, self.recipe.generator("training rows", n_train, training_set))

    def codes(self, y: Any) -> NDArray[np.intp]:
        """Give the place of each label in `classes`."""
        return _codes(y, self.classes)


@dataclass(frozen=True)
class Recipe:
    """What decides a problem; two recipes with the same identity and numbers are equal.

    Parameters
    ----------
    source : Source
    seed : int
        The study's seed.
    replicate : int
    n_test : int
        Number of test rows.
    exact : bool
        Whether to enumerate the attribute space where it is small enough.
    """

    source: Source = field(compare=False, repr=False)
    seed: int
    replicate: int
    n_test: int
    exact: bool
    identity: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", canonical(self.source.identity(self.replicate)))

    def generator(self, purpose: str, *place: int) -> np.random.Generator:
        """Give the random generator of some rows of this replicate."""
        return generator_for(purpose, self.seed, self.identity, self.replicate, *place)


@functools.lru_cache(maxsize=4)
def pose(recipe: Recipe) -> Problem:
    """Draw the truth and the test rows of a replicate; each process keeps the latest few.

    Parameters
    ----------
    recipe : Recipe

    Returns
    -------
    Problem
        The same in every process.

    Examples
    --------
    >>> source = Source("nb", generator="naive_bayes")
    >>> problem = pose(Recipe(source, seed=1, replicate=0, n_test=10, exact=True))
    >>> len(problem.test.y), round(float(problem.exact.joint.sum()), 12)
    (10, 1.0)
    """
    truth = recipe.source.draw(seed=recipe.seed, replicate=recipe.replicate)
    X, y = truth.sample(recipe.n_test, recipe.generator("test rows"))
    classes = tuple(truth.classes)
    codes = _codes(y, classes)
    return Problem(
        recipe=recipe,
        truth=truth,
        classes=classes,
        test=Rows(X=X, y=codes, joint=None, p_true=truth.posterior(X)),
        exact=_attribute_space(truth) if recipe.exact and truth.enumerable else None,
        marginal=truth.class_marginal(),
        test_digest=_hash_rows(X, codes),
    )


def _attribute_space(truth: "Truth") -> Rows:
    space = truth.enumerate()
    return Rows(X=space.X, y=np.empty(0, dtype=np.intp), joint=space.joint, p_true=truth.posterior(space.X))


def _codes(y: Any, classes: tuple[Any, ...]) -> NDArray[np.intp]:
    return np.asarray(pd.Categorical(y, categories=list(classes)).codes, dtype=np.intp)


def _hash_rows(X: pd.DataFrame, codes: NDArray[np.intp]) -> str:
    hashed = hashlib.sha256(codes.astype("<i8").tobytes())
    for name in X:
        hashed.update(np.asarray(X[name].cat.codes, dtype="<i8").tobytes())
    return hashed.hexdigest()[:32]
