"""Label noise: a class that is sometimes recorded wrongly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from generators.alterations._shared.alterable import alterable, likelihood, only_before
from generators.base.draw import RandomState, as_generator
from generators.base.probabilities import inverse_cdf, log_sum, logs
from generators.base.validation import check_cpts, shown
from generators.files import documents
from generators.laws.intractable import IntractableLaw
from generators.networks.programs import SoftEvidence
from generators.networks.truth import Truth

__all__ = ["LabelNoise", "add_label_noise"]


@dataclass(frozen=True, eq=False, repr=False)
class LabelNoise(Truth):
    """A truth with label noise: errors in the recorded class that depend only on the true class.

    `posterior`, `class_marginal` and scores refer to the recorded class. The true class is the class of
    `truth`. With the same seed, both truths draw the same attribute values.

    Parameters
    ----------
    truth : Truth
        The truth without label noise: nominal, with a class and without missing values.
    confusion : array-like of shape (n_classes, n_classes)
        P(recorded class | true class), with one row for each true class. Rows sum to one within 1e-8.

    Attributes
    ----------
    names, states, class_index
        Names, states and class index of the truth.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    add_label_noise : Add label noise with equally likely errors.

    Examples
    --------
    >>> from generators import random_naive_bayes
    >>> clean = random_naive_bayes(n_attributes=2, n_classes=2, class_marginal=[0.9, 0.1], random_state=0)
    >>> noisy = LabelNoise(clean, [[1.0, 0.0], [0.5, 0.5]])
    >>> noisy.class_marginal()
    array([0.95, 0.05])
    """

    kind = "label_noise"
    __getattr__ = only_before
    law = IntractableLaw("labels are noisy, so the class of every training row is hidden")
    truth: Truth
    confusion: NDArray[np.float64]

    def __post_init__(self) -> None:
        truth = alterable(self.truth, "label noise")
        names = (f"true {truth.class_name}", f"written {truth.class_name}")
        states = (truth.classes, truth.classes)
        n = len(truth.classes)
        _, confusion = check_cpts(names, states, ((), (0,)), (np.full(n, 1 / n), self.confusion))
        checked = {
            "confusion": confusion,
            "names": truth.names,
            "states": truth.states,
            "class_index": truth.class_index,
        }
        for field, value in checked.items():
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        return f"LabelNoise({self.truth!r}, {self.rate:.3g} of the labels wrong)"

    @property
    def rate(self) -> float:
        """Probability that the recorded class is not the true class."""
        return float(self.truth.class_marginal() @ (1 - np.diag(self.confusion)))

    @property
    def structure(self) -> str:
        """Description of the dependencies."""
        return f"{self.truth.structure}; {self.rate:.1%} of the labels are wrong"

    @property
    def reduced(self) -> Truth:
        """The truth without its irrelevant attributes, with the same label noise."""
        inner = self.truth.reduced
        return self if inner is self.truth else LabelNoise(inner, self.confusion)

    def to_document(self) -> dict[str, Any]:
        """Return the truth and the confusion matrix as plain data."""
        inner, confusion = self.truth.to_document(), self.confusion.tolist()
        return {**documents.head(self.kind), "truth": inner, "confusion": confusion}

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Self:
        """Make the truth from a document that `to_document` returned."""
        confusion = documents.field_of(document, "confusion", list, "the label noise")
        return cls(documents.altered_truth(document, "the label noise"), confusion)

    def sample_codes(self, n: int, random_state: RandomState = None) -> NDArray[Any]:
        """Draw rows as state codes, of shape (n, n_variables).

        Random numbers are drawn first for the truth, then one uniform number for each row.
        """
        rng = as_generator(random_state)
        codes = self.truth.sample_codes(n, rng)
        written = inverse_cdf(self.confusion, codes[:, self.class_index], rng.random(len(codes)))
        codes[:, self.class_index] = written
        return codes

    def joint_array(self, axes: Sequence[int]) -> NDArray[np.float64]:
        """Return the joint distribution of all variables as one array with axes in the given order."""
        place = list(axes).index(self.class_index)  # type: ignore[arg-type]
        return np.moveaxis(np.tensordot(self.truth.joint_array(axes), self.confusion, (place, 0)), -1, place)

    def _log_joint_table(
        self, columns: NDArray[np.intp], target: int | None, soft: SoftEvidence | None = None
    ) -> NDArray[np.float64]:
        place, passed = self._class_place, dict(soft or {})
        own = passed.pop(place, None)
        clean = columns.copy()
        clean[place] = -1
        if target == place:
            table = self._written(self.truth._log_joint_table(clean, place, passed))
            return table if own is None else table + own
        passed[place] = likelihood(logs(self.confusion), columns[place], own)
        return self.truth._log_joint_table(clean, target, passed)

    def _log_posterior_table(self, columns: NDArray[np.intp], target: int) -> NDArray[np.float64]:
        if target == self._class_place:
            return self._written(self.truth._log_posterior_table(columns, target))
        return self._log_joint_table(columns, target)

    @property
    def _class_place(self) -> int:
        assert self.class_index is not None
        return self.class_index

    def _written(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert log P(evidence, class) to that of the recorded class."""
        return log_sum(table[:, :, np.newaxis] + logs(self.confusion), axis=1)


def add_label_noise(truth: Truth, rate: float) -> LabelNoise:
    """Add label noise: a wrong label is any of the other classes with equal probability.

    Parameters
    ----------
    truth : Truth
        Nominal truth with at least two classes and without missing values.
    rate : float
        Share of wrong labels, from 0 to 1.

    Returns
    -------
    LabelNoise

    Raises
    ------
    ValueError
        If the rate is not a probability, or the truth has only one class.

    Examples
    --------
    >>> from generators import random_naive_bayes
    >>> add_label_noise(random_naive_bayes(n_classes=3, random_state=0), 0.2).confusion
    array([[0.8, 0.1, 0.1],
           [0.1, 0.8, 0.1],
           [0.1, 0.1, 0.8]])
    """
    n = len(alterable(truth, "label noise").classes)
    if isinstance(rate, bool) or not isinstance(rate, int | float | np.number) or not 0 <= rate <= 1:
        raise ValueError(f"the rate of wrong labels is {shown(rate)}: expected a probability, from 0 to 1")
    if n == 1:
        raise ValueError("the truth has one class: label noise needs a truth with two or more")
    confusion: ArrayLike = np.where(np.eye(n) == 1, 1 - rate, rate / (n - 1))
    return LabelNoise(truth, confusion)  # type: ignore[arg-type]
