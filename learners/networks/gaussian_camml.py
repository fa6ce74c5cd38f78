"""CaMML for numeric attributes: the linear-Gaussian network with the shortest message, given the class."""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from generators.networks.conditional_gaussian import ConditionalGaussian
from generators.networks.gaussian_network import GaussianNetwork
from generators.networks.network import Network
from generators.tables.caller import user_level
from generators.tables.columns import sorted_classes
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.code_lengths.multinomial import adaptive_code_length, parameter_constant
from learners.counts.class_values import ClassValues
from learners.counts.counts import ValueCounts
from learners.facts import LearnerFacts
from learners.networks.checked_problem import check_coefficient_prior
from learners.networks.group_moments import GroupMoments
from learners.networks.learned_graph import STOPPED
from learners.networks.network_table import warn_of_constant_columns
from learners.networks.regressions import gaussian_network, learn_regression
from learners.networks.search import find_network
from learners.networks.search.annealing import check_search_factor
from learners.networks.search.equals import first_of_equals
from learners.networks.search.gaussian_problem import GaussianProblem
from learners.networks.search.problem import check_limit
from learners.networks.search.search_choice import is_quickly_exact

__all__ = ["GaussianCaMMLClassifier"]

SEARCHES = ("auto", "exact", "fast", "metropolis")
FAST_PARENTS = 4  # most numeric parents where "auto" is fast and no limit is given

Parents = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class _Numbers:
    """The learned model of the non-constant numeric attributes, in units of their deviations."""

    moments: GroupMoments
    problem: GaussianProblem
    parents: Parents
    apart: NDArray[np.bool_]  # whether the class is one more parent of each
    networks: tuple[GaussianNetwork, ...]  # one for each class

    @classmethod
    def of(
        cls, moments: GroupMoments, problem: GaussianProblem, parents: Parents, groups: NDArray[np.intp]
    ) -> "_Numbers":
        """Estimate the regressions, with the group of each class (the last for a class without rows)."""
        n = problem.n_nodes
        apart = np.array([problem.is_apart(v, parents[v]) for v in range(n)], dtype=np.bool_)
        steady = moments.steadied.problem(as_noise=problem.moments.as_noise)
        together = [learn_regression(problem, v, parents[v]) for v in range(n)]
        networks = []
        for group in groups.tolist():
            own = [
                learn_regression(steady, v, parents[v], group + 1) if apart[v] else together[v]
                for v in range(n)
            ]
            networks.append(gaussian_network([f"x{v}" for v in range(n)], parents, own))
        return cls(moments, problem, parents, apart, tuple(networks))

    def log_densities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log-densities of rows, (n_rows, n_classes), up to a constant common to all classes."""
        standard = self.moments.units.standardized(values)
        out = np.empty((standard.shape[1], len(self.networks)))
        holed = np.isnan(standard).any(axis=0)
        complete = standard if not holed.any() else standard[:, ~holed]
        for c, network in enumerate(self.networks):
            out[~holed, c] = self._log_complete(network, complete)
            if holed.any():
                out[holed, c] = network.log_joint(standard[:, holed].T)
        return out

    def _log_complete(self, network: GaussianNetwork, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum over the children of the class only. The others add the same to each class."""
        total = np.zeros(rows.shape[1])
        assert network.intercepts is not None
        for v in np.flatnonzero(self.apart):
            expected = network.intercepts[v] + network.coefficients[v] @ rows[list(self.parents[v])]
            deviation = network.deviations[v]
            total -= 0.5 * ((rows[v] - expected) / deviation) ** 2 + math.log(deviation)
        return total

    def in_row_units(self, names: Sequence[str]) -> list[GaussianNetwork]:
        """Return the network of each class in the units of the rows."""
        centers, scales = self.moments.units.centers, self.moments.units.scales
        found = []
        for network in self.networks:
            assert network.intercepts is not None
            slopes = [
                weights * scales[v] / scales[list(others)]
                for v, (weights, others) in enumerate(zip(network.coefficients, self.parents, strict=True))
            ]
            shifts = [own @ centers[list(others)] for own, others in zip(slopes, self.parents, strict=True)]
            intercepts = centers + scales * network.intercepts - np.array(shifts)
            found.append(
                GaussianNetwork(
                    tuple(names), self.parents, tuple(slopes), scales * network.deviations, intercepts
                )
            )
        return found


class GaussianCaMMLClassifier(ProbabilisticClassifier):
    """Gaussian CaMML: linear-Gaussian network of the class and numeric attributes with the shortest message.

    It assumes that the class comes first, and that every numeric attribute is a linear function of its
    parents plus normal noise. If the class is a parent of an attribute, each class has a separate function
    and noise. Arcs among the numeric attributes and arcs from the class are found together. Nominal
    attributes depend only on the class, as in naive Bayes, and are not part of the search. At prediction,
    missing values are integrated out exactly. In training, their expected means and products are used (see
    Notes).

    Parameters
    ----------
    search : {"auto", "exact", "fast", "metropolis"}, default "auto"
        Search method. "exact" searches all graphs, with up to 25 numeric attributes. "fast" is a local search
        over orders of the attributes. "metropolis" is simulated annealing as in the CaMML program. "auto" is
        exact up to 16 attributes that are not constant, and fast for more. The exact search of 16 attributes
        takes some 20 s with 10 classes.
    arc_probability : float, "joint" or "fixed_point", default "joint"
        Probability of an arc between numeric attributes, strictly between 0 and 1. "joint" chooses the value
        with the shortest message among (a + 1/2) / (M + 1), a = 0 .. M, where M is the number of pairs of
        attributes. In ties it takes the smallest value. "fixed_point" estimates the probability from the
        shortest network, and repeats the search until both agree. An arc from the class has probability 1/2.
    max_parents : int or None, default None
        Maximum number of numeric parents of an attribute. An attribute never has more than one numeric parent
        for each four distinct rows. None sets no further limit, with one exception: if "auto" is fast, the
        limit is 4, because without a limit the fast search takes minutes when some 30 columns all depend on
        one another. With ``search="fast"``, None sets no limit.
    coefficient_prior : {"unit", "noise"}, default "unit"
        Prior of the coefficients. With "unit", the coefficients of variables that are scaled to variance 1
        have the prior N(0, 1). With "noise", the prior is N(0, s^2) as in the papers, with s^2 the variance
        of the noise. "noise" finds too many arcs if parents explain nearly all of a variable's variance.
    search_factor : float, default 1.0
        Factor by which the work of "fast" and the steps of "metropolis" are multiplied.
    max_seconds : float or None, default None
        Time limit of the search in seconds, without the compilation of kernels. When it is reached, the best
        network so far is used, as after Ctrl-C.
    random_state : int, Generator or None, default 0
        Seed of "fast" and "metropolis".
    categorical_features : "from_dtype", mask, names or indices
        Which columns are nominal.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    arities_ : ndarray of int64, shape (n_nominal,)
        Number of declared values of each nominal attribute.
    class_prior_ : ndarray of float64, shape (n_classes,)
        Class probabilities: ``(n_c + 1) / (n + n_classes)``, with n_c of the n training rows in the class.
    parents_ : tuple of tuple of int
        Indices of the parents of each attribute and of the class, which has no parents. The index n_features
        is the class.
    class_children_ : tuple
        Names (or column numbers of an array) of the numeric attributes that have the class as parent.
    network_ : ConditionalGaussian or Network
        Network of the class and the numeric attributes that are not constant, in the units of the rows. It
        can be sampled, plotted, and queried for posteriors of the class. If all attributes are nominal, it is
        the network of the attributes and the class. If there are both numeric and nominal attributes, or all
        numbers are constant, this attribute does not exist.
    message_length_ : float
        Length of the whole message in bits, which encodes the classes, nominal values, arcs and numbers.
        Numbers have a precision of one standard deviation of the attribute. A higher precision would add the
        same length to every network.
    arc_probability_ : float
        Arc probability used to encode the arcs among numeric attributes.
    interrupted_ : bool
        Whether the search was stopped early.
    n_features_in_ : int
        Number of columns seen in `fit`.

    See Also
    --------
    CaMMLClassifier : CaMML with discretized numbers, in which the class may also have parents.
    GaussianTANClassifier : A tree of all numeric attributes, with the class as common parent.
    learn_network : Learn a network of a data set without a class, with ``local_model="gaussian"``. It also
        computes posteriors of arcs and accepts prior knowledge of arcs.
    generators.random_gaussian_tan : Draw generating models that this learner can represent.

    Notes
    -----
    Each numeric attribute is standardized by its mean and standard deviation over all rows. For each
    attribute and set of parents, the message has one regression for all rows or one for each class, whichever
    is shorter. A regression on N rows has the same cost as in `learn_network`, and in addition the following
    cost. Here m is the mean and d the standard deviation of the attribute in these rows, and s is the
    standard deviation of the noise in units of d:

        N ln d + [m^2 / 2 + (1/2) ln (2 pi) + (1/2) ln (N / (s d)^2) + (1/2) (1 - ln 12)] + ln ln 1000:

    The first term is the cost of encoding values in units of d. The bracket is the cost of the mean, which
    has the prior N(0, 1) and the Fisher information N / (s d)^2. The last term is the cost of the prior 1 /
    s, whose range is a factor of 1000. As a consequence, s^2 is estimated with the divisor N - 1, minus a
    term for the coefficients.

    The lower limit of a standard deviation is q / sqrt(12), where q is the median gap between neighboring
    distinct numbers, or the attribute's standard deviation over all rows if that is smaller. An attribute may
    therefore be constant in a class. An attribute that is constant in all rows is uninformative and left out.
    A class whose rows have a total weight below one counts as one row in the message. For forecasts,
    covariances are estimated as in `GaussianTANClassifier` with ``n0=5``: the pooled covariances are added to
    each class with the weight of five rows, and variances are multiplied by 1 + 1 / n for the estimated mean.
    A class without rows has the means and variances of all rows, and the pooled correlations.

    In rows with missing numbers, these are replaced by the expected means and products under a normal
    distribution for each class. The distributions are fitted by EM until changes are below 1e-4, in at most
    200 steps. The time of a step grows with the number of missing-value patterns times the cube of the number
    of columns. Rows with missing numbers count as whole rows, so arcs to and from a column that is mostly
    missing are found too easily. For instance, in 200 data sets of 300 rows, all four columns and the class
    were noise, and one column had missing values. The column was a child of the class in 2% of the data sets
    if 20% of its values were missing, in 5% with half of them, in 26% with 70%, and in 82% with 90%. Leave
    such columns out.

    Networks that differ only in the direction of arcs can have messages of equal length. The learner then
    chooses the network in which earlier columns have earlier parents. Nominal values contribute the factors
    of naive Bayes, ``(n_xc + 1) / (n_c + r)``.

    References
    ----------
    .. [1] Wallace, C. S. & Korb, K. B. 1999, "Learning linear causal models by MML sampling", in Causal
       Models and Intelligent Data Management.
    .. [2] Wallace, C. S. 2005, Statistical and Inductive Inference by Minimum Message Length.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 300)
    >>> a = y + rng.normal(size=300)
    >>> X = np.column_stack([a, a + 0.5 * rng.normal(size=300), rng.normal(size=300)])
    >>> camml = GaussianCaMMLClassifier().fit(X, y)
    >>> camml.parents_  # 3 is the class
    ((3,), (0,), (), ())
    >>> camml.predict_proba([[0.0, 5.0, 5.0]]).round(3)
    array([[0.58, 0.42]])
    """

    workbench_identity = "learners.gaussian_camml:GaussianCaMMLClassifier"
    facts = LearnerFacts(
        key="gaussian_camml",
        authors="Wallace, Korb",
        title="Learning linear causal models by MML sampling",
        year=1999,
        numbers="taken",
        missing="summed out",
        weights="any",
        limit="25 numeric attributes by exact search",
        also=("network_.plot", "explain", "message_length_"),
    )
    _takes_numbers = True

    def __init__(
        self,
        search: str = "auto",
        arc_probability: float | str = "joint",
        max_parents: int | None = None,
        coefficient_prior: str = "unit",
        search_factor: float = 1.0,
        max_seconds: float | None = None,
        random_state: int | np.random.Generator | None = 0,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.search = search
        self.arc_probability = arc_probability
        self.max_parents = max_parents
        self.coefficient_prior = coefficient_prior
        self.search_factor = search_factor
        self.max_seconds = max_seconds
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "GaussianCaMMLClassifier":
        """Find the network and estimate its regressions.

        `X` has the training rows, `y` their class labels, and `sample_weight` optional weights of the rows.
        """
        self._check_options()
        table = self._read_training(X, y, sample_weight)
        self._nominal = ClassValues.of(table)
        self.class_prior_ = self._nominal.prior
        seen, groups = sorted_classes(table.y)
        moments = GroupMoments.of(table.values, groups, table.weight)
        self._left_out = np.setdiff1d(np.arange(len(table.values)), moments.units.varied)
        names = self._variable_names()
        warn_of_constant_columns([names[self._schema.numeric[j]] for j in self._left_out])
        self._numbers: _Numbers | None = None
        nats = 0.0
        self.arc_probability_, self.interrupted_ = math.nan, False
        if moments.units.varied.size:
            nats = self._search(table, moments, seen)
        self.message_length_ = (nats + _nominal_nats(self._nominal.counts)) / math.log(2)
        if self.interrupted_ and self.max_seconds is None:
            warnings.warn(STOPPED, UserWarning, stacklevel=user_level())
        return self

    def _check_options(self) -> None:
        """Raise an error for invalid options, even if there is nothing to search."""
        check_coefficient_prior(self.coefficient_prior)
        if self.search not in SEARCHES:
            raise ValueError(f"search must be one of {', '.join(SEARCHES)}, but was {self.search!r}.")
        check_search_factor(self.search_factor)
        check_limit("max_parents", self.max_parents, 0)

    def _problem(self, moments: GroupMoments) -> GaussianProblem:
        """Return the search problem."""
        as_noise = self.coefficient_prior == "noise"
        problem = moments.problem(as_noise=as_noise, max_parents=self.max_parents)
        if self.search == "auto" and self.max_parents is None and not is_quickly_exact(problem):
            return moments.problem(as_noise=as_noise, max_parents=FAST_PARENTS)
        return problem

    def _search(self, table: TrainingTable, moments: GroupMoments, seen: NDArray[np.intp]) -> float:
        """Find the network of the numeric attributes, and return the nats of its arcs and of the numbers."""
        problem = self._problem(moments)
        found = find_network(
            problem,
            search=self.search,
            arc_probability=self.arc_probability,
            search_factor=self.search_factor,
            max_seconds=self.max_seconds,
            random_state=self.random_state,
        )
        group_of = np.full(table.n_classes, seen.size)
        group_of[seen] = np.arange(seen.size)
        self._numbers = _Numbers.of(moments, problem, first_of_equals(problem, found.parents), group_of)
        self.arc_probability_ = found.arc_probability
        self.interrupted_ = found.interrupted
        return found.length + problem.n_nodes * math.log(2)

    @property
    def _columns_varied(self) -> list[int]:
        """Columns of the numeric attributes that vary."""
        numeric = self._schema.numeric
        return [] if self._numbers is None else [numeric[j] for j in self._numbers.moments.units.varied]

    @property
    def parents_(self) -> Parents:
        """Indices of the parents of each attribute and of the class, which has index n_features."""
        check_is_fitted(self)
        n_features, columns = len(self._schema.attributes), self._columns_varied
        found: list[tuple[int, ...]] = [()] * (n_features + 1)
        for column in self._schema.nominal:
            found[column] = (n_features,)
        if self._numbers is not None:
            for v, (others, apart) in enumerate(zip(self._numbers.parents, self._numbers.apart, strict=True)):
                own = sorted(columns[u] for u in others)
                found[columns[v]] = (*own, n_features) if apart else tuple(own)
        return tuple(found)

    @property
    def class_children_(self) -> tuple[Any, ...]:
        """Names (or column numbers of an array) of the numeric attributes that have the class as parent."""
        check_is_fitted(self)
        if self._numbers is None:
            return ()
        names = self._schema.names
        return tuple(names[self._columns_varied[v]] for v in np.flatnonzero(self._numbers.apart))

    @property
    def network_(self) -> ConditionalGaussian | Network:
        """The learned network, created on first access."""
        check_is_fitted(self)
        nominal, numeric = self._schema.nominal, self._schema.numeric
        if nominal and numeric:
            raise AttributeError(self._why_no_network(nominal[0], numeric[0]))
        if self._numbers is not None:
            return self._conditional(self._numbers)
        if not nominal:
            raise AttributeError(
                "network_ requires a column whose numbers differ, but all are constant. Use class_prior_."
            )
        n_features = len(nominal)
        return self._name_network([*[(n_features,)] * n_features, ()], self._nominal.tables())

    def _why_no_network(self, nominal: int, numeric: int) -> str:
        """Return why there is no network for a table with these two columns."""
        names = self._schema.names
        if self._numbers is None:
            return (
                f"network_ requires only nominal attributes, but column {names[numeric]!r} is numeric and "
                "constant. Leave out the numeric columns."
            )
        return (
            "network_ requires only numeric attributes, or only nominal ones, but column "
            f"{names[nominal]!r} is nominal and {names[numeric]!r} numeric. Leave out one kind, or use "
            "explain() and predict_proba."
        )

    def _conditional(self, numbers: _Numbers) -> ConditionalGaussian:
        names, states = self._variable_names(), tuple(self.classes_.tolist())
        networks = numbers.in_row_units([names[column] for column in self._columns_varied])
        return ConditionalGaussian(self.class_prior_, networks, names[-1], states)  # type: ignore[arg-type]

    def explain(self) -> str:
        """Describe the arcs and the equations of each class in a text.

        Returns
        -------
        str
            Several lines.

        Raises
        ------
        NotFittedError
            If the learner is not fitted.

        Examples
        --------
        >>> y = np.repeat([0, 1], 50)
        >>> up = np.tile([1.0, 2.0, 3.0, 4.0, 5.0], 20)
        >>> print(GaussianCaMMLClassifier().fit(np.column_stack([up + 4 * y, up]), y).explain())
        179.1 bits. The class y is a parent of 1 of 2 numeric attributes; 1 of 1 pairs of them are joined.
        x0: x1, y
        x1: no parents
        <BLANKLINE>
        y = 0, probability 0.5
          x0 = 0.004966 + 0.9983 x1 + 0.2887 e, 0.96 of its variance explained
          x1 = 3 + 1.421 e
        y = 1, probability 0.5
          x0 = 4.005 + 0.9983 x1 + 0.2887 e, 0.96 of its variance explained
          x1 = 3 + 1.421 e
        """
        self._require_fit()
        names = self._variable_names()
        constant = {self._schema.numeric[j] for j in self._left_out}
        lines = [self._summary()]
        for name, column, others in zip(names, range(len(names) - 1), self.parents_, strict=False):
            from_where = ", ".join(names[u] for u in others) or "no parents"
            lines.append(f"{name}: {'constant, left out' if column in constant else from_where}")
        if self._numbers is not None:
            lines += ["", self._conditional(self._numbers).explain()]
        return "\n".join(lines)

    def _summary(self) -> str:
        """Return a text on the message length and the number of arcs."""
        bits, columns = f"{self.message_length_:.1f} bits.", set(self._columns_varied)
        if self._numbers is None:
            return f"{bits} No numeric attribute varies."
        n, n_apart = len(columns), int(self._numbers.apart.sum())
        n_arcs = sum(map(len, self._numbers.parents))
        return (
            f"{bits} The class {self._variable_names()[-1]} is a parent of {n_apart} of {n} numeric "
            f"attributes; {n_arcs} of {n * (n - 1) // 2} pairs of them are joined."
        )

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        coded = self._code(X)
        log_densities = np.zeros((coded.n_samples, self.class_prior_.size))
        if self._numbers is not None:
            log_densities = self._numbers.log_densities(coded.values)
        return self._nominal.posterior(coded.codes, log_densities)


def _nominal_nats(counts: ValueCounts) -> float:
    """Return the nats that encode the class, and nominal attributes given the class."""
    constant = parameter_constant("exact")

    def multinomial(seen: NDArray[np.float64]) -> float:
        """Return the nats of one or several rows of counts."""
        lengths = adaptive_code_length(seen)  # type: ignore[arg-type]  # weights may be fractions
        return float(np.sum(lengths + constant * (seen.shape[-1] - 1)))

    nats = multinomial(counts.by_class)
    for first, arity in zip(counts.offsets, counts.arities.tolist(), strict=False):
        nats += multinomial(counts.by_slot[first : first + arity].T)
    return nats
