"""How a pool is fitted: members forecast folds, are weighed, and those with weight see all rows."""

import warnings
from collections.abc import Callable, Collection
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.caller import user_level
from learners.networks.progress import advance
from workbench.base.text import error_line
from workbench.estimators.foreign import MISTAKES
from workbench.estimators.pooled.candidate import Candidate, Training
from workbench.estimators.pooled.log_pool import pool_weights, pooled

__all__ = ["MembersLeftOutWarning", "Pooling"]

#: The race is decided by the first fold if it holds so many rows.
RACING_ROWS = 400
#: Seconds of a fit to all rows by those of a fold, about.
ALL_ROWS = 1.3


class MembersLeftOutWarning(UserWarning):
    """Members of a pool could not be fitted, or Ctrl-C came before they were, so the pool does without them.

    Examples
    --------
    >>> issubclass(MembersLeftOutWarning, UserWarning)
    True
    """


class Pooling:
    """A pool while it is fitted.

    Then `kept` are its members, and `weights` and `losses` are of all forecasts: 0 and NaN of those that lost
    the race.
    """

    def __init__(self, candidates: Collection[Candidate], training: Training) -> None:
        self.candidates = list(candidates)  # without those that failed
        self.kept: list[Candidate] = []
        self.training = training
        self.y, self.weight = training.y[:0], np.empty(0)
        if training.folds:
            self.y = np.concatenate([training.y[fold.rows] for fold in training.folds])
            self.weight = np.concatenate([fold.weight for fold in training.folds])

    def run(self, racing: bool) -> None:
        """Forecast the folds, weigh the members, and fit those with weight to all rows."""
        if self.training.folds:
            self._hold_out(racing)
        self.kept = [candidate for candidate in self.candidates if not candidate.left(self.training)]
        weights = self._weights(self.kept)
        self.kept = self._fitted(weights)
        if any(weights[name] and name not in self._names(self.kept) for name in weights.index):
            weights = self._weights(self.kept)  # without those that failed, or were interrupted
        if not self.training.folds and self.kept:
            weights = self._given_weights()
        self.weights = weights.reindex(self._names(self.candidates) or weights.index, fill_value=0.0)
        self.losses = self._losses(self.weights)

    def _hold_out(self, racing: bool) -> None:
        """Let all members forecast the first fold, and the others those that are still in the race."""
        first = self.training.folds[0]
        try:
            for candidate in list(self.candidates):
                self._try(candidate, partial(Candidate.forecast_fold, training=self.training))
            going = list(self.candidates)
            if racing and first.weight.sum() >= RACING_ROWS:
                weights = self._weights(going, first.rows.size)
                going = [candidate for candidate in going if weights[candidate.names].any()]
            for candidate in going:
                while candidate in self.candidates and candidate.left(self.training):
                    self._try(candidate, partial(Candidate.forecast_fold, training=self.training))
        except KeyboardInterrupt:
            self._interrupted(
                [candidate for candidate in self.candidates if not candidate.left(self.training)]
            )

    def _fitted(self, weights: "pd.Series[float]") -> list[Candidate]:
        """Fit members with weight to all rows, and return them; without folds all of them."""
        wanted = [one for one in self.kept if not one.names or weights[one.names].any()]
        done = []
        try:
            for candidate in wanted:
                names = {name for name in candidate.names if weights[name]}
                fit_all = partial(Candidate.fit_all, training=self.training, names=names)
                if candidate.has_models or self._try(candidate, fit_all):
                    done.append(candidate)
        except KeyboardInterrupt:
            self._interrupted(done)
        return done

    def _weights(self, candidates: Collection[Candidate], n_rows: int | None = None) -> "pd.Series[float]":
        """Return the weight of each forecast of some members, by the first held-out rows or all."""
        logs = {name: own[:n_rows] for name, own in self._logs(candidates).items()}
        if not logs:
            return pd.Series(dtype=np.float64)
        y, weight = self.y[:n_rows], self.weight[:n_rows]
        shares = _beforehand(candidates, [len(candidate.names) for candidate in candidates])
        return pd.Series(pool_weights(np.array(list(logs.values())), y, weight, shares), list(logs))

    def _given_weights(self) -> "pd.Series[float]":
        """Return the weights beforehand, where no row could be held out."""
        own = self.training
        names = [list(one.logs(own.X.iloc[:1], own.classes, own.counts())) for one in self.kept]
        return pd.Series(
            _beforehand(self.kept, list(map(len, names))), [name for one in names for name in one]
        )

    def _losses(self, weights: "pd.Series[float]") -> "pd.Series[float]":
        """Return the mean log loss of the held-out rows in bits, of each forecast and of the pool."""
        logs = self._logs([candidate for candidate in self.candidates if not candidate.left(self.training)])
        found = pd.Series(np.nan, [*weights.index, "pool"])
        if logs:
            shares = weights[list(logs)].to_numpy()
            logs["pool"] = np.log(pooled(np.array(list(logs.values())), shares))
        for name, own in logs.items():
            found[name] = (
                -(own[np.arange(self.y.size), self.y] @ self.weight) / self.weight.sum() / np.log(2.0)
            )
        return found

    def _logs(self, candidates: Collection[Candidate]) -> dict[str, NDArray[np.float64]]:
        """Return the log forecasts of held-out rows by some members."""
        return {
            name: np.concatenate([part[name] for part in candidate.held_out])
            for candidate in candidates
            for name in candidate.names
        }

    @staticmethod
    def _names(candidates: Collection[Candidate]) -> list[str]:
        return [name for candidate in candidates for name in candidate.names]

    def _try(self, candidate: Candidate, step: Callable[[Candidate], None]) -> bool:
        """Go a step further with a member; if that fails, without it and with a warning."""
        self._report(candidate)
        try:
            step(candidate)
        except MISTAKES:
            raise
        except Exception as error:
            self.candidates.remove(candidate)
            if not self.candidates:
                raise
            warnings.warn(
                f"{candidate.member.name} cannot be fitted, so the pool does without it: {error_line(error)}",
                MembersLeftOutWarning,
                stacklevel=user_level(),
            )
            return False
        return True

    def _report(self, candidate: Candidate) -> None:
        """Say what is fitted, and how much of the work is done by the seconds of earlier folds."""
        n_folds = len(self.training.folds)
        left = candidate.left(self.training)
        what = f"fold {n_folds - left + 1} of {n_folds}" if left else "all rows"
        spent = sum(one.seconds for one in self.candidates)
        rest = sum(one.fold_seconds * (one.left(self.training) + ALL_ROWS) for one in self.candidates)
        known = n_folds and all(one.names for one in self.candidates)
        advance(spent / (spent + rest) if known else 0.0, f"{candidate.member.name}, {what}")

    def _interrupted(self, done: list[Candidate]) -> None:
        """Warn that Ctrl-C leaves only these members; raise if there are none."""
        if not done:
            raise KeyboardInterrupt
        names = [one.member.name for one in self.candidates if one not in done]
        self.candidates = done
        if names:
            warnings.warn(
                f"Interrupted: the pool does without {', '.join(names)}; Ctrl-C once more ends the fit.",
                MembersLeftOutWarning,
                stacklevel=user_level(),
            )


def _beforehand(candidates: Collection[Candidate], numbers: list[int]) -> NDArray[np.float64]:
    """Return the weights of forecasts, so many of each member, before any row is held out."""
    shares = [candidate.member.beforehand for candidate in candidates]
    if not any(shares):
        shares = [1.0] * len(candidates)
    each = [np.full(n, share / n) for n, share in zip(numbers, shares, strict=True)]
    return np.concatenate(each) / sum(shares)
