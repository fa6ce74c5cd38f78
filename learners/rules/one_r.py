"""Holte's 1R: a rule on the single attribute that predicts the class best."""

from collections.abc import Sequence
from typing import Any

from learners.facts import LearnerFacts
from learners.options import check_number
from learners.rules._shared.one_attribute import OneAttributeClassifier
from learners.rules._shared.value_rules import best_value_rules
from learners.tables.holte import holte_cuts

__all__ = ["OneRClassifier"]


class OneRClassifier(OneAttributeClassifier):
    """1R classifier: predicts the most frequent class for each value of the single best attribute.

    It assumes that a single attribute predicts the class as well as all attributes together. Each value of an
    attribute predicts its most frequent class. The attribute that classifies most training rows correctly is
    chosen. A missing value counts as a further value. Numbers are cut into intervals (see `small`).

    Parameters
    ----------
    small : float, default 6
        Minimum total weight of the rows of the most frequent class in an interval of numbers, except in the
        last interval. Holte took 3 for his two smallest data sets.
    missing_sets : {"empty", "predicted"}, default "empty"
        Result of `predict_set` for a row in which the attribute is missing: "empty" is no class, as with
        rules written in Prolog, and "predicted" is the class of `predict`.
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
        Values or intervals of the attribute, with the class weights of each.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class frequencies of all training rows: the forecast for a value that does not occur in training.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    DecisionStumpClassifier : The same test, or two branches chosen by entropy, or intervals of equal width.

    Notes
    -----
    The intervals are the same as in Weka's OneR. In ascending order, a value joins the interval before it if
    both have the same most frequent class, or if that class has fewer than `small` rows in the interval. Then
    neighboring intervals with the same most frequent class are joined. Cuts lie midway between values. A
    number equal to a cut belongs to the interval above it. In ties, the first attribute and the class that
    was declared first are taken.

    `predict_proba` returns the class frequencies of the value or interval, including zeros, whereas Weka
    assigns probability 1 to one class. For a value that does not occur in training, Weka predicts the first
    class, and this learner the most frequent class.

    References
    ----------
    .. [1] R. C. Holte, "Very simple classification rules perform well on most commonly used datasets",
       Machine Learning 11, 1993.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sun", "rain"] * 9, "wind": [1.0, 3.0, 5.0] * 6})
    >>> y = ["go", "go", "stay"] * 6
    >>> print(OneRClassifier().fit(X, y).export_text())
    wind
        < 4 -> go  (12 of 12)
        >= 4 -> stay  (6 of 6)
    """

    workbench_identity = "learners.trees.one_r:OneRClassifier"
    facts = LearnerFacts(
        key="one_r",
        authors="Holte",
        title="Very simple classification rules perform well on most commonly used datasets",
        year=1993,
        numbers="taken",
        missing="own value",
        weights="any",
        also=("predict_set", "export_text", "rules_table", "theory_complexity"),
    )

    def __init__(
        self,
        small: float = 6,
        missing_sets: str = "empty",
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.small = small
        self.missing_sets = missing_sets
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "OneRClassifier":
        """Find the attribute that predicts the class best.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If a parameter is out of range.
        """
        small = check_number("small", self.small, at_least=0)
        self._check_sets()
        table = self._read_training(X, y, sample_weight)
        order = self._declared_order
        split = best_value_rules(
            table, self._schema, lambda one: holte_cuts(one.x, one.y, one.weight, order, small)
        )
        self._keep_split(split, table)
        return self
