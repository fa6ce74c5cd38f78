"""The decision stump, a tree with one test."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.tables.columns import Column
from learners.base import TrainingTable
from learners.facts import LearnerFacts, Variant
from learners.options import check_choice, check_number, is_whole
from learners.rules._kernels.intervals import entropy_cut, total_entropy
from learners.rules._shared.attribute_split import AttributeSplit, SortedColumn, sorted_columns
from learners.rules._shared.one_attribute import OneAttributeClassifier
from learners.rules._shared.split_theory import SplitCode, binary_theory, equal_width_theory, value_theory
from learners.rules._shared.value_rules import best_value_rules, equal_width_cuts
from learners.shown_text import label_text
from learners.tables.holte import holte_cuts

__all__ = ["DecisionStumpClassifier"]

SPLITS = ("values", "binary")
TIE = 1e-12


class DecisionStumpClassifier(OneAttributeClassifier):
    """Decision stump: tests one attribute and forecasts the class frequencies of the branch.

    It assumes what 1R assumes. By default it has the attribute and the branches of 1R. The key `stump_binary`
    is Weka's DecisionStump, with the two branches of lowest class entropy. Missing values have their own
    branch. If the attribute is never missing in training, this branch has the class frequencies of all rows.

    Parameters
    ----------
    split : {"values", "binary"}, default "values"
        "values" has a branch for each value or interval of the attribute that classifies most training rows
        correctly, as in 1R. "binary" has the two branches of lowest class entropy, as in Weka's
        DecisionStump: one value against all other values, or numbers below and above a cut.
    small : float, default 6
        With "values": minimum total weight of the rows of the most frequent class in an interval of numbers.
    bins : int, optional
        With "values": number of intervals of equal width into which numbers are cut. By default, the
        intervals of 1R are used.
    missing_sets : {"empty", "predicted"}, default "empty"
        Result of `predict_set` for a row in which the attribute is missing: "empty" is no class, and
        "predicted" is the class of `predict`.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    attribute_ : str or None
        Name of the attribute, or None if no attribute is informative.
    split_ : AttributeSplit or None
        Branches, with the class weights of each.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class frequencies of all training rows: the forecast of a branch without training rows.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    OneRClassifier : The learner of ``split="values"`` without `bins`.

    Notes
    -----
    `split="values"` is the learner called DStump in the paper of 2001. The paper does not state how numbers
    were cut, but its figures suggest a few coarse intervals, hence `bins`. With "binary", the entropy of the
    class is summed over the branches, including the branch of missing values. In ties, the first split is
    taken. A cut lies midway between two values. A number equal to a cut belongs to the branch below it.

    References
    ----------
    .. [1] R. C. Holte, "Very simple classification rules perform well on most commonly used datasets",
       Machine Learning 11, 1993.
    .. [2] K. B. Korb, L. R. Hope, M. J. Hughes, "The evaluation of predictive learners: some theoretical and
       empirical results", ECML 2001.
    .. [3] I. H. Witten, E. Frank, "Data Mining: Practical Machine Learning Tools and Techniques", Morgan
       Kaufmann, second edition, 2005, on Weka's DecisionStump.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sun", "rain", "snow"] * 6, "wind": [1.0, 3.0] * 9})
    >>> y = ["go", "stay", "stay"] * 6
    >>> print(DecisionStumpClassifier(split="binary").fit(X, y).export_text())
    sky
        = sun -> go  (6 of 6)
        != sun -> stay  (12 of 12)
    """

    workbench_identity = "learners.trees.stump:DecisionStumpClassifier"
    facts = LearnerFacts(
        key="stump",
        authors="Holte",
        title="Very simple classification rules perform well on most commonly used datasets",
        year=1993,
        numbers="taken",
        missing="own value",
        weights="any",
        also=("predict_set", "export_text", "rules_table", "theory_complexity"),
        variants={
            "stump_binary": Variant(
                {"split": "binary"},
                {
                    "authors": "Witten, Frank",
                    "title": "Data Mining: Practical Machine Learning Tools and Techniques",
                    "year": 2005,
                },
            ),
        },
    )

    def __init__(
        self,
        split: str = "values",
        small: float = 6,
        bins: int | None = None,
        missing_sets: str = "empty",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.split = split
        self.small = small
        self.bins = bins
        self.missing_sets = missing_sets
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "DecisionStumpClassifier":
        """Choose the attribute and its branches.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If a parameter is out of range.
        """
        check_choice("split", self.split, SPLITS)
        if self.bins is not None and (not is_whole(self.bins) or self.bins < 2):
            raise ValueError(f"bins must be None or a whole number of at least 2, but was {self.bins!r}.")
        self._check_sets()
        small = check_number("small", self.small, at_least=0)
        table = self._read_training(X, y, sample_weight)
        if self.split == "binary":
            self._keep_split(self._best_binary(table), table)
        else:
            self._keep_split(best_value_rules(table, self._schema, self._cutter(small)), table)
        return self

    def _split_code(self) -> SplitCode:
        if self.split == "binary":
            return binary_theory
        return value_theory if self.bins is None else equal_width_theory

    def _cutter(self, small: float) -> Callable[[SortedColumn], NDArray[np.float64]]:
        if self.bins is not None:
            n_bins = int(self.bins)
            return lambda column: equal_width_cuts(column, n_bins)
        order = self._declared_order
        return lambda column: holte_cuts(column.x, column.y, column.weight, order, small)

    def _best_binary(self, table: TrainingTable) -> AttributeSplit | None:
        """Find the two branches with the least class entropy."""
        best, least = None, np.inf
        row, columns = 0, sorted_columns(table)
        for attribute in self._schema.attributes:
            if attribute.is_numeric:
                found = _best_cut(table, next(columns))
            else:
                found, row = _best_value(table, attribute, row), row + 1
            if found is None:
                continue
            cost = sum(total_entropy(counts) for counts in found.by_group)
            if cost < least - TIE * table.y.size:
                best, least = found, cost
        return best


def _best_cut(table: TrainingTable, column: SortedColumn) -> AttributeSplit | None:
    cut, _ = entropy_cut(column.x, column.y, column.weight, table.n_classes)
    if np.isnan(cut):
        return None
    return AttributeSplit.of_cuts(table, column.row, np.array([cut]), cut_below=True)


def _best_value(table: TrainingTable, attribute: Column, row: int) -> AttributeSplit | None:
    """Find the value that is best split from the rest."""
    every = AttributeSplit.of_values(
        table, row, tuple(map(str, attribute.states)), np.arange(attribute.arity)
    ).by_group
    shown = np.flatnonzero(every[:-1].any(axis=1))
    if shown.size < 2:
        return None
    known = every[:-1].sum(axis=0)
    best, least = 0, np.inf
    for code in shown.tolist():
        cost = total_entropy(every[code]) + total_entropy(known - every[code])
        if cost < least - TIE * table.y.size:
            best, least = code, cost
    value = label_text(attribute.states[best])
    labels = (f"= {value}", f"!= {value}")
    return AttributeSplit.of_values(table, row, labels, (np.arange(attribute.arity) != best).astype(np.intp))
