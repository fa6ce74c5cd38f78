"""The base of learners of normal attributes: nominal attributes, and the forecast."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.gaussian_truth import GaussianTruth
from learners.base import ProbabilisticClassifier
from learners.bayes._shared.class_normals import ClassNormals
from learners.counts.class_values import ClassValues
from learners.options import check_number

__all__ = ["GaussianClassifier"]


class GaussianClassifier(ProbabilisticClassifier):
    """Base class of learners with normal attributes given the class, and nominal ones as in naive Bayes."""

    # a subclass tells the density of numbers in each class, and names the truth that has it
    _takes_numbers = True

    def __init__(
        self,
        n0: float = 5.0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.n0 = n0
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Estimate the normal distributions of each class.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.
        """
        check_number("n0", self.n0, above=0)  # without common rows, a class of two rows has no variance
        self.__dict__.pop("_truth", None)  # of an earlier fit
        table = self._read_training(X, y, sample_weight)
        self._nominal = ClassValues.of(table)
        self.class_prior_ = self._nominal.prior
        self._normals = ClassNormals.of(table.values, table.y, table.n_classes, table.weight, self.n0)
        self._learn()
        return self

    def _learn(self) -> None:
        """Learn the structure before forecasts."""

    @abstractmethod
    def _log_densities(self, standard: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log-densities of rows, (n_rows, n_varied), in each class, (n_rows, n_classes)."""

    @abstractmethod
    def _make_truth(self) -> GaussianTruth:
        """Return the distribution of the class and the numbers that vary."""

    def _with_arcs(self, parents: NDArray[np.int64]) -> ConditionalGaussian:
        """Return the truth in which each varied attribute has this parent, -1 for none."""
        names, states = self._variable_names(), tuple(self.classes_.tolist())
        numeric = tuple(names[self._schema.numeric[j]] for j in self._normals.units.varied)
        networks = [
            GaussianNetwork(numeric, *self._normals.equations(c, parents))  # type: ignore[arg-type]
            for c in range(len(states))
        ]
        return ConditionalGaussian(self.class_prior_, networks, names[-1], states)  # type: ignore[arg-type]

    def _learned(self, what: str) -> Any:
        """Return the learned distribution of all variables, or raise AttributeError if no class has it."""
        check_is_fitted(self)
        n_nominal, n_numeric = len(self._schema.nominal), len(self._normals.units.varied)
        if n_nominal and self._schema.numeric:
            raise AttributeError(
                f"{what} requires only numeric columns, or only nominal ones, but this table has "
                f"{n_nominal} nominal and {len(self._schema.numeric)} numeric. Leave out one kind, or use "
                "predict_proba."
            )
        if n_nominal:
            n = self.arities_.size
            return self._name_network([*[(n,)] * n, ()], self._nominal.tables())
        if not n_numeric:
            raise AttributeError(
                f"{what} requires a column whose numbers differ, but all are constant. Use class_prior_."
            )
        if "_truth" not in self.__dict__:
            self._truth = self._make_truth()
        return self._truth

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        coded = self._code(X)
        log_densities = np.zeros((coded.n_samples, len(self.classes_)))
        if self._normals.units.varied.size:
            standard = np.ascontiguousarray(self._normals.units.standardized(coded.values).T)
            log_densities = self._log_densities(standard)
        return self._nominal.posterior(coded.codes, log_densities)
