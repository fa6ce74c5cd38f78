"""Any classifiers, pooled by how they forecast held-out rows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from learners.averages._shared.folds import folds
from learners.base import ProbabilisticClassifier, TrainingTable
from learners.bayes._shared.backed_off_tables import check_seed
from learners.counts.class_prior import class_prior
from learners.counts.threads import check_threads
from learners.facts import LearnerFacts
from learners.networks.progress import Progress, check_progress, phase, reporting
from learners.options import check_flag, is_whole
from learners.tables.attributes import CodedTable
from workbench.base.text import count_of
from workbench.estimators.pooled.candidate import Candidate, Training, logs_of
from workbench.estimators.pooled.log_pool import pooled
from workbench.estimators.pooled.pooling import Pooling

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.estimators.pooled.members import PoolMember

__all__ = ["PooledClassifier"]

#: Folds are forecast until they hold so many rows.
ENOUGH_ROWS = 2_500


class PooledClassifier(ProbabilisticClassifier):
    """Pool of classifiers of several kinds, weighted by their forecasts of held-out rows.

    The pool makes no assumption beyond those of its members: the best member may differ between data sets,
    and held-out rows decide. The default members are logistic regression, the ensemble of Bayesian networks,
    a random forest and boosting with early stopping. The pool takes numbers, text, categories, missing values
    and weights, and needs no tuning. The pool is logarithmic: the members' forecasts are raised to their
    weights and multiplied. The weights maximize the likelihood of held-out rows. With few held-out rows they
    shrink towards weight only on the networks, which need few rows, or towards equal weights if the pool has
    no networks.

    Parameters
    ----------
    learners : "default", or a sequence or mapping of learners
        The members. Each is a key of the catalogue, such as "catboost", an unfitted scikit-learn classifier,
        or a table as in study files. Names can be given by a mapping, or as pairs (name, learner). The
        default is "logistic", "bn_ensemble", "random_forest" and "boosting". The keys boosting, catboost,
        lightgbm and xgboost stand for boosting with early stopping, and the key logistic for logistic
        regressions with three penalties. Instances, and tables with parameters, are fitted as given.
    n_folds : int, default 5
        Number of folds whose held-out forecasts determine the weights, at least 2.
    racing : bool, default True
        Whether members with weight 0 on the first fold are dropped before the other folds, if the first fold
        has at least 400 rows.
    random_state : int, default 0
        Seed of members that draw random numbers, unless they have their own seed.
    n_jobs : int, default 1
        Threads of members that can use several. -1 uses one for each processor.
    progress : bool, None or function of str
        Whether to report progress and the remaining time. None reports both in interactive use only. A
        function is called with each line.
    categorical_features : "from_dtype", mask, names or indices
        The nominal columns: by default those with a dtype of text or categories.
    arities : sequence of int or None, optional
        Number of values of each column of integer codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    weights_ : Series of float
        Weight of each forecast, 0 or more. A member may have several forecasts. If the weights sum to more
        than 1, the pool is sharper than the average of its members.
    held_out_ : DataFrame
        A row for each forecast and one for the pool. Columns: "loss", the mean log loss of the held-out rows
        in bits (NaN if the forecast was dropped after the first fold), and "seconds", the run time of the
        member. For new rows, the loss of a member tends to be slightly lower, because its models are fitted
        to more rows, or averaged. The loss of the pool tends to be slightly higher, because the weights were
        fitted to the held-out rows.
    n_held_out_ : int
        Number of held-out rows.
    n_features_in_ : int
        Number of columns seen in `fit`.

    Warns
    -----
    MembersLeftOutWarning
        If a member cannot be fitted, or Ctrl-C ended the fit after some members were done.

    See Also
    --------
    learners.BayesianNetworkEnsembleClassifier : The ensemble of networks without other members.
    workbench.compare : Compares learners on held-out rows.

    Notes
    -----
    Folds are stratified and the same for all members. Cut points, scales and the number of
    boosting rounds are learned only from rows outside the fold. The set of values of a nominal column is read
    from all rows. For large data sets, only as many folds are used as contain 2,500 rows. A forest is fitted
    once, to all rows: its trees forecast their out-of-bag rows. Boosting with three or more folds forecasts
    new rows by the mean of the models fitted for the folds, each of which stopped early on different rows.
    All other members are refitted to all rows. Members with weight 0 are dropped.

    Rows are assumed independent. If rows are copies, or several rows belong to one person, some of them are
    held out while others are used for training, and forecasts become overconfident. If a nominal column has
    many values, forests and logistic regression use the 100 most frequent values, and boosting the 250 most
    frequent.

    After Ctrl-C, the members that have forecast all folds are fitted to all rows, and the other members are
    left out. A second Ctrl-C also leaves out the members that are not yet fitted to all rows. If no member
    remains, the fit raises KeyboardInterrupt.

    References
    ----------
    .. [1] D. H. Wolpert, "Stacked generalization", Neural Networks 5, 1992.
    .. [2] C. Genest, J. V. Zidek, "Combining probability distributions: a critique and an annotated
       bibliography", Statistical Science 1, 1986, section 3.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> pool = PooledClassifier(["logistic", "bn_ensemble"]).fit(X[::2], y[::2])
    >>> pool.score(X[1::2], y[1::2]) > 0.9
    True
    """

    workbench_identity = "workbench.pooled:PooledClassifier"
    facts = LearnerFacts(
        key="pooled",
        authors="Wolpert",
        title="Stacked generalization",
        year=1992,
        numbers="as inside",
        missing="as inside",
        weights="whole rows",
        limit="as inside",
        also=("plot",),
    )

    _takes_numbers = True  # members read them in their own ways

    def __init__(
        self,
        learners: Any = "default",
        n_folds: int = 5,
        racing: bool = True,
        random_state: int = 0,
        n_jobs: int = 1,
        progress: Progress = None,
        categorical_features: Any = "from_dtype",
        arities: Sequence[int | None] | None = None,
    ) -> None:
        self.learners = learners
        self.n_folds = n_folds
        self.racing = racing
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress
        self.categorical_features = categorical_features
        self.arities = arities

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Determine the members' weights on held-out folds, and fit members with weight to all rows.

        The arguments are those of `ProbabilisticClassifier.fit`.

        Raises
        ------
        WorkbenchError
            If a learner is unknown, or not a classifier.
        ValueError
            If a parameter is out of range, weights are given and a member takes none, or no member can be
            fitted.
        """
        members = self._check_parameters()
        table = self._read_training(X, y, sample_weight)
        if table.weight is not None and (table.weight == 1.0).all():
            table = table._replace(weight=None)  # which members need not take
        _check_weights(members, table)
        parts = folds(table, int(self.n_folds), ENOUGH_ROWS)
        held = [fold for fold in parts if np.ptp(table.y[fold.seen])]  # two classes are seen
        frame = self._frame(CodedTable(table.codes, table.values, table.y.size))
        training = Training(frame, table.y, self.classes_, table.weight, held)
        self._counts = training.counts()
        several = np.ptp(table.y) > 0  # else there is nothing to learn
        pooling = Pooling([Candidate(one) for one in members] if several else [], training)
        with reporting(self.progress), threadpool_limits(check_threads(self.n_jobs)):
            phase(f"pooling {count_of(len(members), 'learner')}")
            pooling.run(self.racing)
        self._models = [candidate.models for candidate in pooling.kept]
        self.weights_ = pooling.weights.rename("weight")
        seconds = {name: candidate.seconds for candidate in pooling.candidates for name in candidate.names}
        self.held_out_ = pd.DataFrame(
            {"loss": pooling.losses, "seconds": pd.Series(seconds, dtype=np.float64)}
        )
        self.held_out_ = self.held_out_.reindex([*self.weights_.index, "pool"])
        self.n_held_out_ = pooling.y.size
        return self

    def _forecast(self, X: Any) -> NDArray[np.float64]:
        coded = self._schema.code(self._check_table(X, reset=False))
        if not self._models:
            return np.tile(class_prior(self._counts), (coded.n_samples, 1))
        frame = self._frame(coded)
        logs: dict[str, NDArray[np.float64]] = {}
        with threadpool_limits(check_threads(self.n_jobs)):
            for models in self._models:
                logs |= logs_of(models, frame, self.classes_, self._counts)
        used = self.weights_[self.weights_ > 0]
        return pooled(np.array([logs[name] for name in used.index]), used.to_numpy())

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the weight and the held-out loss of each forecast.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw in. By default a new figure that fits.

        Returns
        -------
        matplotlib Axes
            Losses are points: the pool's at the top, then the forecasts' from the best to the worst. Weights
            are numbers next to the points.

        Raises
        ------
        NotFittedError
            If the pool is not fitted.

        Examples
        --------
        >>> import matplotlib
        >>> matplotlib.use("Agg")
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> PooledClassifier(["logistic", "nb"]).fit(X, y).plot().get_xlabel()
        'log loss of 150 held-out rows, bits per row'
        """
        self._require_fit()
        from workbench.estimators.pooled.drawing import draw_pool

        return draw_pool(self.weights_, self.held_out_["loss"], self.n_held_out_, ax)

    def __getstate__(self) -> dict[str, Any]:
        # a function for progress belongs to this process, and may not pickle
        return {**super().__getstate__(), "progress": None if callable(self.progress) else self.progress}

    # -- parts ---------------------------------------------------------------------------------

    def _frame(self, coded: CodedTable) -> pd.DataFrame:
        """Return coded rows as a table of declared categories and numbers."""
        attributes = self._schema.attributes
        columns: dict[int, Any] = dict(zip(self._schema.numeric, coded.values, strict=True))
        for j, codes in zip(self._schema.nominal, coded.codes, strict=True):
            missing = codes >= attributes[j].arity
            columns[j] = _uniform(attributes[j].labels(np.where(missing, -1, codes.astype(np.int64))))
        frame = pd.DataFrame({j: columns[j] for j in range(len(attributes))})
        if getattr(self, "_columns", None) is not None:
            frame.columns = self._columns
        return frame

    def _check_parameters(self) -> list["PoolMember"]:
        """Return the members, unfitted."""
        # forests and boosting of scikit-learn are slow to import, and the catalogue imports this file
        from workbench.estimators.pooled.members import members_of

        if not is_whole(self.n_folds) or self.n_folds < 2:
            raise ValueError(f"n_folds must be a whole number of at least 2, but was {self.n_folds!r}.")
        check_flag("racing", self.racing)
        check_seed(self.random_state)
        check_progress(self.progress)
        return members_of(self.learners, self.random_state, check_threads(self.n_jobs))


def _uniform(labels: Any) -> Any:
    """Return categories as text if they are bools or of several types, which encoders reject."""
    values = labels.categories
    is_number = [pd.api.types.is_number(one) and not pd.api.types.is_bool(one) for one in values]
    if all(is_number) or all(isinstance(one, str) for one in values):
        return labels
    text = [str(one) for one in values]
    return labels.rename_categories(text if len(set(text)) == len(text) else [repr(one) for one in values])


def _check_weights(members: Sequence["PoolMember"], table: TrainingTable) -> None:
    """Reject weights that a member does not accept."""
    without = [own.name for own in members if own.weight_parameter is None]
    if table.weight is not None and without:
        raise ValueError(
            f"{without[0]} takes no sample_weight: leave it out of learners, or fit without weights."
        )
