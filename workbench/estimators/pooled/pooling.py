"""The fit of a pool: members forecast folds, are weighted, and those with weight are fitted to all rows."""

import warnings
from collections.abc import Callable, Collection
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.caller import user_level
from learners.counts.class_prior import class_prior
from learners.networks.progress import advance
from workbench.base.text import error_line
from workbench.estimators.foreign import MISTAKES
from workbench.estimators.pooled.candidate import Candidate, Training, logs_of
from workbench.estimators.pooled.log_pool import pool_weights, pooled

__all__ = ["MembersLeftOutWarning", "Pooling"]

#: The race is decided by the first fold if it holds so many rows.
RACING_ROWS = 400
#: Seconds of work by which the share that is done is known, though it is next to nothing.
KNOWN = 1e-6


class MembersLeftOutWarning(UserWarning):
    """Warning that a pool leaves members out, because they could not be fitted or Ctrl-C stopped the fit.

    Examples
    --------
    >>> issubclass(MembersLeftOutWarning, UserWarning)
    True
    """


class Pooling:
    """A pool while it is fitted."""

    # Then `kept` are its members, and `weights` and `losses` are of all forecasts: 0 and NaN of those that
    # lost the race.

    def __init__(self, candidates: Collection[Candidate], training: Training) -> None:
        self.candidates = list(candidates)  # without those that failed
        self.kept: list[Candidate] = []
        self.training = training
        self._seconds_first: float | None = None  # of the first fold
        self.y, self.weight = training.y[:0], np.empty(0)
        if training.folds:
            self.y = np.concatenate([training.y[fold.rows] for fold in training.folds])
            self.weight = np.concatenate([fold.weight for fold in training.folds])

    def run(self, racing: bool) -> None:
        """Forecast the folds, weight the members, and fit those with weight to all rows."""
        if self.training.folds:
            self._hold_out(racing)
        weights = self._fit_all()
        if not self.training.folds and self.kept:
            weights = self._given_weights()
        self.weights = weights.reindex(_names(self.candidates) or weights.index, fill_value=0.0)
        self.losses = self._losses(self.weights)

    @property
    def _done(self) -> list[Candidate]:
        """Members that forecast all folds."""
        return [candidate for candidate in self.candidates if not candidate.left(self.training)]

    def _hold_out(self, racing: bool) -> None:
        """Forecast the first fold with all members, and the others with those that remain in the race."""
        first = self.training.folds[0]
        forecast = partial(Candidate.forecast_fold, training=self.training)
        try:
            for candidate in list(self.candidates):
                self._try(candidate, forecast)
            if racing and first.rows.size >= RACING_ROWS:
                self._race(first.rows.size)
            self._forecast_rest()
        except KeyboardInterrupt:
            self._interrupted([candidate for candidate in self.candidates if not candidate.lost], self._done)

    def _forecast_rest(self) -> None:
        """Forecast the remaining folds with the members in the race."""
        while waiting := [one for one in self.candidates if one.left(self.training) and not one.lost]:
            self._try(waiting[0], partial(Candidate.forecast_fold, training=self.training))

    def _race(self, n_rows: int) -> None:
        """Drop members without weight on the first rows, unless that would drop all."""
        weights = self._weights(self.candidates, n_rows)
        for candidate in self.candidates if weights.any() else ():
            candidate.lost = bool(candidate.left(self.training)) and not weights[candidate.names].any()

    def _fit_all(self) -> "pd.Series[float]":
        """Fit members with weight, or all members without folds, to all rows, and return the weights."""
        wanted: list[Candidate] = []
        while True:
            self.kept = []
            try:
                self._forecast_rest()  # of members that return, as those that won have failed
                weights = self._weights(self._done)
                wanted = [one for one in self._done if not one.names or weights[one.names].any()]
                for candidate in wanted:
                    names = {name for name in candidate.names if weights[name]}
                    fit_all = partial(Candidate.fit_all, training=self.training, names=names)
                    if not _is_ready(candidate, names) and not self._try(candidate, fit_all):
                        break  # the others are weighed without it
                    self.kept.append(candidate)
                else:
                    return weights
            except KeyboardInterrupt:
                self.kept = [candidate for candidate in wanted if candidate.ready is not None]
                self._interrupted(wanted, self.kept)
                return self._weights(self.kept, ready=True)

    def _weights(
        self, candidates: Collection[Candidate], n_rows: int | None = None, *, ready: bool = False
    ) -> "pd.Series[float]":
        """Return the weights of members' forecasts, all or the finished ones, by the first rows or all."""
        names = [[name for name in one.names if not ready or name in (one.ready or ())] for one in candidates]
        logs = self._logs(candidates)
        flat = [name for own in names for name in own]
        if not flat:
            return pd.Series(dtype=np.float64)
        chosen = np.array([logs[name][:n_rows] for name in flat])
        shares = _beforehand(candidates, list(map(len, names)))
        return pd.Series(pool_weights(chosen, self.y[:n_rows], self.weight[:n_rows], shares), flat)

    def _given_weights(self) -> "pd.Series[float]":
        """Return the prior weights, if no row could be held out."""
        own = self.training
        names = [list(logs_of(one.models, own.X.iloc[:1], own.classes, own.counts())) for one in self.kept]
        return pd.Series(
            _beforehand(self.kept, list(map(len, names))), [name for one in names for name in one]
        )

    def _losses(self, weights: "pd.Series[float]") -> "pd.Series[float]":
        """Return the mean log loss of the held-out rows in bits, of each forecast and of the pool."""
        logs = self._logs(self._done)
        found = pd.Series(np.nan, [*weights.index, "pool"])
        if logs:
            shares = weights[list(logs)].to_numpy()
            together = pooled(np.array(list(logs.values())), shares)
            logs["pool"] = np.log(together) if shares.any() else self._log_frequencies()
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

    def _log_frequencies(self) -> NDArray[np.float64]:
        """Return the forecasts of held-out rows by the class frequencies of the other rows."""
        own = self.training
        return np.concatenate(
            [np.tile(np.log(class_prior(own.counts(fold))), (fold.rows.size, 1)) for fold in own.folds]
        )

    def _try(self, candidate: Candidate, step: Callable[[Candidate], None]) -> bool:
        """Take the next step with a member. If it fails, drop it with a warning."""
        self._report(candidate)
        try:
            step(candidate)
        except MISTAKES:
            raise
        except Exception as error:
            self.candidates.remove(candidate)
            if not self.candidates:
                raise
            if all(one.lost for one in self.candidates):
                for one in self.candidates:
                    one.lost = False
            warnings.warn(
                f"{candidate.member.name} cannot be fitted and is left out of the pool: {error_line(error)}",
                MembersLeftOutWarning,
                stacklevel=user_level(),
            )
            return False
        return True

    def _report(self, candidate: Candidate) -> None:
        """Report what is fitted, and which share of the work after the first fold is done."""
        n_folds = len(self.training.folds)
        left = candidate.left(self.training)
        what = f"fold {n_folds - left + 1} of {n_folds}" if left else "all rows"
        spent = sum(one.seconds for one in self.candidates)
        if self._seconds_first is None and n_folds and all(one.names for one in self.candidates):
            self._seconds_first = spent
        share = 0.0
        if self._seconds_first is not None:
            rest = sum(one.seconds_left(self.training) for one in self.candidates)
            done = max(spent - self._seconds_first, KNOWN)
            share = done / (done + rest)
        advance(share, f"{candidate.member.name}, {what}")

    def _interrupted(self, wanted: list[Candidate], done: list[Candidate]) -> None:
        """Warn that Ctrl-C leaves only some of the members, or raise if it leaves none."""
        if not done:
            raise KeyboardInterrupt
        missing = [candidate for candidate in wanted if candidate not in done]
        self.candidates = [candidate for candidate in self.candidates if candidate not in missing]
        if missing:
            warnings.warn(
                f"Interrupted: the pool goes on without {', '.join(one.member.name for one in missing)}.",
                MembersLeftOutWarning,
                stacklevel=user_level(),
            )


def _names(candidates: Collection[Candidate]) -> list[str]:
    return [name for candidate in candidates for name in candidate.names]


def _is_ready(candidate: Candidate, names: set[str]) -> bool:
    return candidate.ready is not None and names <= candidate.ready


def _beforehand(candidates: Collection[Candidate], numbers: list[int]) -> NDArray[np.float64]:
    """Return the prior weights of forecasts, with their number for each member."""
    shares = [candidate.member.beforehand for candidate in candidates]
    if not any(shares):
        shares = [1.0] * len(candidates)
    each = [np.full(n, share / n) for n, share in zip(numbers, shares, strict=True)]
    return np.concatenate(each) / sum(shares)
