"""Averages of a learner over several discretizations of the numeric columns."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from learners.base import ProbabilisticClassifier, TrainingTable
from learners.bayes.aode import AODEClassifier
from learners.facts import LearnerFacts
from learners.options import is_whole
from learners.tables.discretize import mdlp_cut_points
from learners.tables.random_cuts import Spread

__all__ = ["AveragedDiscretizationsClassifier"]


class AveragedDiscretizationsClassifier(ProbabilisticClassifier):
    """Average of a learner's forecasts over several discretizations of the numeric columns.

    It assumes what the averaged learner assumes, but not that any one discretization is right. A value near a
    cut of one discretization lies inside an interval of another one, so forecasts change smoothly with the
    numbers. Nominal columns are treated as the averaged learner treats them. Without numeric columns, the
    learner is fitted only once. There is no `partial_fit`.

    Parameters
    ----------
    estimator : classifier, optional
        A learner of this package that discretizes numeric columns. By default it is `AODEClassifier`.
    n_discretizations : int, default 10
        Number of random discretizations.
    discretization : "random", "mdlp" or int, default "random"
        "random" draws cuts that ignore the class. "mdlp" uses the cuts of Fayyad and Irani's method, as the
        learner itself does. A number cuts each column into that many intervals of about equal frequency. With
        "mdlp" or a number there is only one discretization.
    random_state : int, default 0
        Seed of the cuts.
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal. The same parameter of `estimator` is ignored.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes. The same parameter of `estimator` is ignored.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    estimators_ : list of classifier
        The fitted learners, each with its `cut_points_`.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities of the fitted learners before any evidence, if the learners have a `class_prior_`.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    BayesianNetworkEnsembleClassifier : Weighted average of discriminative models over discretizations.

    Notes
    -----
    A random discretization cuts each column into 3 to n ** 0.4 intervals of about equal frequency, but at
    most 12, with n training rows. More cuts towards the ends of a column did not improve learners that count
    values. `fit` and forecasts take `n_discretizations` times as long as for one learner.

    References
    ----------
    .. [1] Y. Yang, G. I. Webb, "Discretization for naive-Bayes learning: managing discretization bias and
       variance", Machine Learning 74, 2009.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from learners import TANClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> smooth = AveragedDiscretizationsClassifier(TANClassifier()).fit(X, y)
    >>> len(smooth.estimators_), smooth.score(X, y) > 0.9
    (10, True)
    """

    workbench_identity = "learners.averages.averaged_discretizations:AveragedDiscretizationsClassifier"
    facts = LearnerFacts(
        key="averaged_discretizations",
        authors="Yang, Webb",
        title="Discretization for naive-Bayes learning: managing discretization bias and variance",
        year=2009,
        numbers="random intervals",
        missing="left out",
        weights="any",
        limit="the limit of the averaged learner",
    )

    _takes_numbers = True  # the cuts are those of the learners inside

    def __init__(
        self,
        estimator: Any = None,
        n_discretizations: int = 10,
        discretization: Any = "random",
        random_state: int = 0,
        categorical_features: Any = "from_dtype",
        arities: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_discretizations = n_discretizations
        self.discretization = discretization
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the learner once for each discretization.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.

        Raises
        ------
        ValueError
            If a parameter is out of range.
        TypeError
            If `estimator` is not a learner of this package, or does not cut numbers.
        """
        inside = self._check_parameters()
        table = self._read_training(X, y, sample_weight)
        given = {"sample_weight": sample_weight} if sample_weight is not None else {}
        self.estimators_ = []
        for cuts in self._discretizations(table):
            member = clone(inside).set_params(
                categorical_features=self.categorical_features, arities=self.arities
            )
            member._given_cuts = cuts
            member.fit(X, y, **given)
            if cuts and not hasattr(member, "cut_points_"):
                raise TypeError(
                    f"estimator must cut numeric columns, but {inside!r} takes them as numbers. Use another "
                    'learner, or an option such as numeric="mdlp" of NaiveBayesClassifier.'
                )
            self.estimators_.append(member)
        return self

    @property
    def class_prior_(self) -> NDArray[np.float64]:
        """Class probabilities of the learners before any evidence."""
        check_is_fitted(self, "estimators_")
        return self.estimators_[0].class_prior_

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        self._check_table(X, reset=False)
        return np.mean([member.predict_proba(X) for member in self.estimators_], axis=0)

    def _discretizations(self, table: TrainingTable) -> list[dict[Any, NDArray[np.float64]]]:
        """Return the cuts of each numeric column by name, for each discretization."""
        names = [self._schema.attributes[j].name for j in self._schema.numeric]
        if not names:
            return [{}]
        if self.discretization == "mdlp":
            return [
                {
                    name: mdlp_cut_points(x, table.y, table.n_classes, sample_weight=table.weight)
                    for name, x in zip(names, table.values, strict=True)
                }
            ]
        spreads = [Spread.of(x, table.weight) for x in table.values]
        if self.discretization != "random":
            n = int(self.discretization)
            return [{name: spread.even_cuts(n) for name, spread in zip(names, spreads, strict=True)}]
        out = []
        for seed in np.random.SeedSequence(self.random_state).spawn(self.n_discretizations):
            rng = np.random.default_rng(seed)
            out.append({name: spread.draw_cuts(rng) for name, spread in zip(names, spreads, strict=True)})
        return out

    def _check_parameters(self) -> Any:
        """Return the learner to fit."""
        if not is_whole(self.n_discretizations) or self.n_discretizations < 1:
            raise ValueError(
                f"n_discretizations must be a whole number of at least 1, but was {self.n_discretizations!r}."
            )
        rule = self.discretization
        if not (isinstance(rule, str) and rule in ("random", "mdlp")) and not (is_whole(rule) and rule >= 1):
            raise ValueError(
                'discretization must be "random", "mdlp" or a number of intervals of at least 1, but was '
                f"{rule!r}."
            )
        inside = AODEClassifier() if self.estimator is None else self.estimator
        if not isinstance(inside, ProbabilisticClassifier):
            raise TypeError(f"estimator must be a learner of this package, but was {inside!r}.")
        return inside
