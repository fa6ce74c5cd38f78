"""Losses of learners fitted to some rows of a table and scored on others of it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from generators.tables.columns import labels_of_codes
from workbench.base.errors import WorkbenchError
from workbench.base.seeds import integer_seed
from workbench.base.text import error_line
from workbench.datasets.dataset import declare, shown_columns
from workbench.engine.progress import Progress
from workbench.estimators.fair_fit import FairFit, seeded
from workbench.metrics import class_prior, clip_probabilities, ir_b, log_loss
from workbench.study.learner_spec import LearnerSpec

__all__ = ["Array", "Fits", "Indices"]

Array = NDArray[np.float64]
Indices = NDArray[np.intp]


class Fits:
    """Fits learners to rows, all to the same ones; one that fails takes no further part."""

    # `check` is called after each fit: it raises KeyboardInterrupt if Ctrl-C came that a learner took for an
    # early end. `failed` says by learner on how many rows it failed, and why.

    def __init__(
        self,
        specs: Sequence[LearnerSpec],
        classes: tuple[Any, ...],
        seed: int,
        progress: Progress,
        check: Callable[[], None],
    ) -> None:
        self.specs, self.classes = tuple(specs), classes
        self.seed, self.progress, self.check = seed, progress, check
        self.failed: dict[str, str] = {}

    def scores(
        self, X: pd.DataFrame, codes: Indices, train: Indices, test: Indices, *, spare: bool = False
    ) -> tuple[Array, Array]:
        """Return mean log loss and IR_B of each learner on the test rows, in bits; NaN where it failed."""
        # Text gets the values that the training rows show, as in studies: any other counts as missing. A
        # learner that fails on `spare` rows, fewer than it will ever have, still takes part.
        columns = shown_columns(X.iloc[train])
        X_train, X_test = declare(X.iloc[train], columns), declare(X.iloc[test], columns)
        y_train = labels_of_codes(codes[train], self.classes, index=X_train.index)
        prior = class_prior(codes[train], classes=range(len(self.classes)))
        losses, rewards = np.full((2, len(self.specs)), np.nan)
        for i, spec in enumerate(self.specs):
            if spec.key in self.failed:
                self.progress.advance(1, 1)
                continue
            try:
                learner = seeded(spec.build(), partial(integer_seed, "learner of a plan", self.seed))
                fit = FairFit(learner, self.classes, input=spec.input, given=X if columns else None)
                y_prob = fit.fit(X_train, y_train).forecast(X_test)
                y_prob = clip_probabilities(y_prob, n_train=len(train))
                losses[i] = log_loss(codes[test], y_prob)
                rewards[i] = ir_b(codes[test], y_prob, prior=prior)
            except Exception as error:  # anybody's code, which must not lose the others
                self.check()
                if not spare:
                    self.failed[spec.key] = f"on {len(train):,} rows: {error_line(error).rstrip('.')}"
            self.check()
            self.progress.advance(1, spec.key in self.failed)
        if len(self.failed) == len(self.specs):
            key, why = next(iter(self.failed.items()))
            raise WorkbenchError(f"no learner could be fitted; {key} failed {why}")
        return losses, rewards
