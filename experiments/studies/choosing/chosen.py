"""Choose one of several learners from the training rows alone, or mix them, and forecast by that.

Study files name the class "experiments.studies.choosing.chosen:ChosenClassifier", from the root of the
repository. The candidates have the keys that they have as learners of the studies.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from generators.networks.network import Network
from learners import (
    AnDEClassifier,
    AODEClassifier,
    AveragedAssumptionsClassifier,
    AveragedTANClassifier,
    C45Classifier,
    CaMMLClassifier,
    KDBClassifier,
    MMLTreeClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    message_length,
)
from learners.base import ProbabilisticClassifier
from workbench.base.seeds import generator_for
from workbench.datasets.dataset import hash_rows
from workbench.metrics import clip_probabilities

#: All that can be chosen from, by the keys that they have in the studies.
CANDIDATES: dict[str, ProbabilisticClassifier] = {
    "nb": NaiveBayesClassifier(),
    "tan": TANClassifier(smoothing="laplace"),
    "aode": AODEClassifier(),
    "a2de": AnDEClassifier(),
    "kdb": KDBClassifier(k=2),
    "camml": CaMMLClassifier(),
    "camml_average": CaMMLClassifier(averaging="exact", constant="none"),
    "averaged_tan": AveragedTANClassifier(),
    "mml_tree": MMLTreeClassifier(),
    "c45": C45Classifier(),
    "averaged_dag": AveragedAssumptionsClassifier(assumptions=["dag"]),
    "camml_1": CaMMLClassifier(estimate="posterior_mean"),
}
#: What is chosen from: any learners, those with an exact marginal likelihood, and single networks; of the
#: first, those that are no averages, and those that assign no probability 0.
SETS: dict[str, tuple[str, ...]] = {
    "any": tuple(CANDIDATES)[:10],
    "evidence": ("nb", "averaged_tan", "averaged_dag"),
    "networks": ("nb", "tan", "camml_1"),
    "single": ("nb", "tan", "kdb", "camml", "mml_tree", "c45"),
    "positive": tuple(CANDIDATES)[:8],
}
#: Candidates that have an exact marginal likelihood, and the assumption of which it is.
ASSUMED = {"nb": "naive_bayes", "averaged_tan": "tan", "averaged_dag": "dag"}
#: Rows before the first forecast of the prequential code; all candidates code these alike.
FIRST = 10
DOUBLING, EACH = "doubling", "each"
#: A part of a split: training rows, and rows to forecast.
Part = tuple[NDArray[np.intp], NDArray[np.intp]]


def fold_parts(codes: NDArray[np.intp], n_folds: int, rng: np.random.Generator) -> Iterator[Part]:
    """Yield stratified folds: rows sorted by class are dealt in turn, so that rare classes need no rule."""
    shuffled = rng.permutation(len(codes))
    fold = np.empty(len(codes), dtype=np.intp)
    fold[shuffled[np.argsort(codes[shuffled], kind="stable")]] = np.arange(len(codes)) % n_folds
    for k in range(min(n_folds, len(codes))):
        yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)


def doubling_parts(n_rows: int, first: int = FIRST) -> Iterator[Part]:
    """Yield blocks: from the first rows forecast as many again, and so on."""
    start = first
    while start < n_rows:
        stop = min(2 * start, n_rows)
        yield np.arange(start), np.arange(start, stop)
        start = stop


class TrainingRows:
    """Training rows, and what candidates say of them, each computed once."""

    _latest: ClassVar["TrainingRows | None"] = None  # a study fits its learners to the same rows in turn

    def __init__(self, X: pd.DataFrame, y: pd.Series, digest: str) -> None:
        self.X, self.y, self.digest = X, y, digest
        self.codes = np.searchsorted(np.sort(np.asarray(y.cat.categories)), np.asarray(y))
        self._fitted: dict[str, Any] = {}
        self._forecasts: dict[tuple[str, int | str], list[tuple[Part, NDArray[np.float64]]]] = {}

    @classmethod
    def of(cls, X: pd.DataFrame, y: pd.Series, random_state: int) -> "TrainingRows":
        """Return these rows with what is known of them, if they are those of the latest fit."""
        digest = f"{random_state} {hash_rows(X, np.asarray(y.cat.codes, dtype=np.intp))}"
        if cls._latest is None or cls._latest.digest != digest:
            cls._latest = cls(X, y, digest)
        return cls._latest

    def rng(self) -> np.random.Generator:
        """Return the same random numbers for the same rows, whoever asks."""
        return generator_for("choosing", self.digest)

    def fitted(self, name: str) -> Any:
        """Return a candidate fitted to all rows."""
        if name not in self._fitted:
            self._fitted[name] = clone(CANDIDATES[name]).fit(self.X, self.y)
        return self._fitted[name]

    def forecasts(self, name: str, split: int | str) -> list[tuple[Part, NDArray[np.float64]]]:
        """Return the parts of a split with a candidate's forecasts of rows that it has not seen."""
        if (name, split) not in self._forecasts:
            n_folds = len(self.y) if split == EACH else split
            parts = (
                doubling_parts(len(self.y))
                if split == DOUBLING
                else fold_parts(self.codes, int(n_folds), self.rng())
            )
            self._forecasts[name, split] = [(part, self._forecast(name, *part)) for part in parts]
        return self._forecasts[name, split]

    def _forecast(self, name: str, seen: NDArray[np.intp], unseen: NDArray[np.intp]) -> NDArray[np.float64]:
        learner = clone(CANDIDATES[name]).fit(self.X.iloc[seen], self.y.iloc[seen])
        return np.asarray(learner.predict_proba(self.X.iloc[unseen]))


def of_classes(
    rows: TrainingRows, name: str, *, split: int | str, cutoff: str
) -> Iterator[NDArray[np.float64]]:
    """Yield, for each part, the probabilities that a candidate assigns to the classes of its unseen rows."""
    for (seen, unseen), y_prob in rows.forecasts(name, split):
        kept = clip_probabilities(y_prob, n_train=len(seen)) if cutoff == "2002" else y_prob
        yield kept[np.arange(len(unseen)), rows.codes[unseen]]


def log_loss(rows: TrainingRows, name: str, *, split: int | str, cutoff: str) -> float:
    """Return the bits of unseen rows; without a cut-off, infinite after one probability of 0."""
    bits = 0.0
    with np.errstate(divide="ignore"):
        for probabilities in of_classes(rows, name, split=split, cutoff=cutoff):
            bits -= np.log2(probabilities).sum()
    return bits


def errors(rows: TrainingRows, name: str, *, split: int | str) -> float:
    """Count the unseen rows whose class is not the most probable one."""
    parts = rows.forecasts(name, split)
    return float(sum((y_prob.argmax(axis=1) != rows.codes[unseen]).sum() for (_, unseen), y_prob in parts))


def errors_then_log_loss(rows: TrainingRows, name: str, *, split: int | str, cutoff: str) -> float:
    """Count errors; equal numbers are decided by log loss, which is far below the factor."""
    return 1e6 * errors(rows, name, split=split) + log_loss(rows, name, split=split, cutoff=cutoff)


def evidence(rows: TrainingRows, name: str) -> float:
    """Return the bits of classes and attributes under a candidate's assumption, integrated exactly."""
    average = AveragedAssumptionsClassifier(assumptions=[ASSUMED[name]]).fit(rows.X, rows.y)
    return -average.log_evidence_ / math.log(2)


def message(rows: TrainingRows, name: str) -> float:
    """Return the length of the message that states structure, tables and rows, but not the kind, in bits."""
    network: Network = rows.fitted(name).network_
    whole = message_length(_joined(rows), network.parent_indices)
    n_attributes = rows.X.shape[1]
    if name == "nb":
        structure = 0.0
    elif name == "tan":
        structure = (n_attributes - 2) * math.log2(n_attributes)  # Cayley; the root is the first attribute
    else:  # which pairs are joined and an order, less what is free as several orders fit
        n = n_attributes + 1
        structure = whole.structure + math.log2(math.factorial(n) / n_orders(network.parent_indices))
    return structure + float(whole.parameters.sum() + whole.data.sum())


def bic(rows: TrainingRows, name: str) -> float:
    """Return minus the log likelihood of classes and attributes, and half a log n a parameter, in bits."""
    network: Network = rows.fitted(name).network_
    table = _joined(rows)
    codes = np.column_stack([table[column].cat.codes for column in table])
    arities = [len(table[column].cat.categories) for column in table]
    bits = 0.0
    for v, parents in enumerate(network.parent_indices):
        shape = [*(arities[u] for u in parents), arities[v]]
        cells = np.ravel_multi_index(tuple(codes[:, [*parents, v]].T), shape)
        counts = np.bincount(cells, minlength=math.prod(shape)).reshape(-1, arities[v])
        totals = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
        there = counts > 0
        bits -= float((counts[there] * np.log2(counts[there] / totals[there])).sum())
        bits += 0.5 * math.log2(len(codes)) * len(counts) * (arities[v] - 1)
    return bits


def n_orders(parents: Sequence[Sequence[int]]) -> int:
    """Count the orders in which every node comes after its parents, by sets of the nodes that came."""
    needed = [sum(1 << u for u in others) for others in parents]
    ways = [1] + [0] * ((1 << len(parents)) - 1)
    for came, number in enumerate(ways):
        for v, before in enumerate(needed):
            if number and not came >> v & 1 and came & before == before:
                ways[came | 1 << v] += number
    return ways[-1]


def _joined(rows: TrainingRows) -> pd.DataFrame:
    """Return the attributes and, last, the class."""
    return rows.X.assign(**{"the class": rows.y})


class ChosenClassifier(ProbabilisticClassifier):
    """The candidate that is best by a criterion of the training rows, fitted to all of them."""

    def __init__(
        self,
        candidates: str | Sequence[str] = "any",  # a key of `SETS`, or keys of `CANDIDATES`
        by: str = "log_loss",
        folds: int | str = 10,  # "each" leaves out one row at a time
        cutoff: str = "2002",  # or "none"
        random_state: int = 0,  # of the folds, and of ties
    ) -> None:
        self.candidates, self.by, self.folds = candidates, by, folds
        self.cutoff, self.random_state = cutoff, random_state

    def fit(self, X: pd.DataFrame, y: pd.Series, sample_weight: None = None) -> Self:
        """Compare the candidates, and fit the best one."""
        rows = TrainingRows.of(X, y, self.random_state)
        criterion = self._criterion()
        self.criteria_ = pd.Series({name: criterion(rows, name) for name in _names(self.candidates)})
        best = self.criteria_.index[self.criteria_ <= self.criteria_.min()]
        self.chosen_ = str(best[rows.rng().integers(len(best))])
        self._learner = rows.fitted(self.chosen_)
        self.classes_ = self._learner.classes_
        self.n_features_in_ = X.shape[1]
        return self

    def predict_proba(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Forecast by the chosen candidate."""
        return np.asarray(self._learner.predict_proba(X))

    def _criterion(self) -> Callable[[TrainingRows, str], float]:
        known: dict[str, Callable[..., float]] = {
            "log_loss": partial(log_loss, split=self.folds, cutoff=self.cutoff),
            "accuracy": partial(errors, split=self.folds),
            "accuracy_then_log_loss": partial(errors_then_log_loss, split=self.folds, cutoff=self.cutoff),
            "prequential": partial(log_loss, split=DOUBLING, cutoff=self.cutoff),
            "evidence": evidence,
            "message_length": message,
            "bic": bic,
        }
        if self.by not in known:
            raise ValueError(f"by must be one of {', '.join(known)}, but was {self.by!r}")
        return known[self.by]


class MixedClassifier(ProbabilisticClassifier):
    """The mean of the candidates' forecasts, weighted by ten-fold cross-validation after the cut-off."""

    def __init__(
        self,
        candidates: str | Sequence[str] = "any",
        by: str = "equal",  # or "log_loss", "best_three", "stacking"
        exponent: float = 1.0,  # of the weights by log loss
        random_state: int = 0,
    ) -> None:
        self.candidates, self.by = candidates, by
        self.exponent, self.random_state = exponent, random_state

    def fit(self, X: pd.DataFrame, y: pd.Series, sample_weight: None = None) -> Self:
        """Fit all candidates, and weigh them."""
        rows, names = TrainingRows.of(X, y, self.random_state), _names(self.candidates)
        weights = self._weigh(rows, names)
        self.weights_ = pd.Series(weights / weights.sum(), list(names))
        self._learners = [rows.fitted(name) for name in names]
        self.classes_ = self._learners[0].classes_
        self.n_features_in_ = X.shape[1]
        return self

    def predict_proba(self, X: pd.DataFrame) -> NDArray[np.float64]:
        """Return the weighted mean of the candidates' forecasts."""
        found = [one.predict_proba(X) for one in self._learners]
        return np.asarray(np.tensordot(self.weights_.to_numpy(), found, axes=1))

    def _weigh(self, rows: TrainingRows, names: Sequence[str]) -> NDArray[np.float64]:
        """Return weights that need not sum to 1."""
        if self.by == "equal":
            return np.ones(len(names))
        if self.by == "stacking":
            parts = [list(of_classes(rows, name, split=10, cutoff="2002")) for name in names]
            return stacking_weights(np.column_stack([np.concatenate(own) for own in parts]))
        bits = np.array([log_loss(rows, name, split=10, cutoff="2002") for name in names])
        if self.by == "best_three":
            return np.isin(np.arange(len(names)), np.argsort(bits, kind="stable")[:3]).astype(np.float64)
        if self.by != "log_loss":
            raise ValueError(f"by must be equal, log_loss, best_three or stacking, but was {self.by!r}")
        return np.asarray(np.exp2(self.exponent * (bits.min() - bits)))


def stacking_weights(
    of_class: NDArray[np.float64], tolerance: float = 1e-6, n_steps: int = 20_000
) -> NDArray[np.float64]:
    """Return the weights of the mixture of columns with the greatest mean log, by EM from equal weights."""
    # The mean log is at most the log of the greatest gradient below its maximum, as it is concave.
    weights = np.full(of_class.shape[1], 1 / of_class.shape[1])
    for _ in range(n_steps):
        gradient = (of_class / (of_class @ weights)[:, None]).mean(axis=0)
        if gradient.max() <= 1 + tolerance:
            break
        weights = weights * gradient
    return weights


def _names(candidates: str | Sequence[str]) -> Sequence[str]:
    return SETS[candidates] if isinstance(candidates, str) else candidates
