"""The part that learners of normal attributes share: nominal ones beside them, and the forecast."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.gaussian_truth import GaussianTruth
from generators.networks.network import Network
from learners.base import ProbabilisticClassifier
from learners.bayes._kernels.factors import class_factors
from learners.bayes._kernels.one_dependence import add_log_factors
from learners.bayes._shared.class_normals import ClassNormals
from learners.counts.class_prior import class_prior
from learners.counts.counts import ValueCounts
from learners.options import check_number

__all__ = ["GaussianClassifier"]


class GaussianClassifier(ProbabilisticClassifier):
    """Base of learners whose numeric attributes are normal given the class and one another.

    Nominal attributes depend on the class alone. A subclass tells the density of numbers in each class, and
    names the truth that has it.
    """

    n0: float
    _takes_numbers = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Estimate the normal distributions of each class.

        The arguments are those of `ProbabilisticClassifier.fit`.
        """
        check_number("n0", self.n0, above=0)  # without common rows, a class of two rows has no variance
        self.__dict__.pop("_truth", None)  # of an earlier fit
        table = self._read_training(X, y, sample_weight)
        counts = ValueCounts.of(table)
        self.class_prior_ = class_prior(counts.by_class, alpha=1.0)
        self._offsets = counts.offsets
        ones = np.ones(len(counts.by_slot))
        self._log_factors = np.log(class_factors(counts.by_slot, ones, counts.offsets, counts.arities))
        self._normals = ClassNormals.of(table.values, table.y, table.n_classes, table.weight, self.n0)
        self._learn()
        return self

    def _learn(self) -> None:
        """Find what else is to be found before forecasts."""

    @abstractmethod
    def _log_densities(self, standard: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log-densities of rows, (n_rows, n_varied), in each class, (n_rows, n_classes)."""

    @abstractmethod
    def _make_truth(self) -> GaussianTruth:
        """Return the distribution of the class and the numbers that vary."""

    def _numeric_names(self) -> tuple[str, ...]:
        """Return the names of the numeric attributes that vary."""
        names = self._variable_names()
        return tuple(names[self._schema.numeric[j]] for j in self._normals.varied)

    def _with_arcs(self, parents: NDArray[np.int64]) -> ConditionalGaussian:
        """Return the truth in which each varied attribute has this parent, -1 for none."""
        names, states = self._variable_names(), tuple(self.classes_.tolist())
        numeric = self._numeric_names()
        networks = [
            GaussianNetwork(numeric, *self._normals.equations(c, parents))  # type: ignore[arg-type]
            for c in range(len(states))
        ]
        return ConditionalGaussian(self.class_prior_, networks, names[-1], states)  # type: ignore[arg-type]

    def _learned(self, what: str) -> Any:
        """Return the learned distribution of all variables, or raise AttributeError if no class has it."""
        check_is_fitted(self)
        if self._normals.varied.size and not self._schema.nominal:
            if "_truth" not in self.__dict__:
                self._truth = self._make_truth()
            return self._truth
        if not self._schema.numeric:
            return self._naive_bayes()
        raise AttributeError(
            f"{what} requires numeric columns alone, or nominal ones alone, but this table has "
            f"{len(self._schema.nominal)} nominal and {self._normals.varied.size} numeric that are not "
            "constant; leave out one kind, or use predict_proba."
        )

    def _naive_bayes(self) -> Network:
        """Return the network of a table of nominal attributes."""
        n, ends = self.arities_.size, zip(self._offsets, self.arities_, strict=False)
        factors = np.exp(self._log_factors)
        tables = [factors[first : first + arity].T for first, arity in ends]
        return self._name_network([*[(n,)] * n, ()], [*tables, self.class_prior_])

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        coded = self._code(X)
        out = np.zeros((coded.n_samples, len(self.classes_)))
        if self._normals.varied.size:
            out[:] = self._log_densities(self._normals.standardized(coded.values))
        add_log_factors(coded.codes, np.log(self.class_prior_), self._log_factors, self._offsets, out)
        return out
