"""Bias and variance of a learner on a few truths of the map, next to its companions."""

import time
from collections.abc import Sequence

import numpy as np
import pandas as pd

from workbench.analyses.bias_variance import BiasVariance
from workbench.base.score_key import ScoreKey
from workbench.designs import FreshSamples
from workbench.profiles.part import N_TEST, SEED, SUITE
from workbench.study.learner_spec import LearnerSpec
from workbench.study.source import Source
from workbench.study.study import Study

__all__ = ["spread_of"]

#: Kinds, whose truths are narrow and of medium difficulty; sizes; truths of each kind, training sets of each.
KINDS, SIZES, TRUTHS, SETS = ("naive_bayes", "tan", "dag", "rules"), (50, 500), 3, 6
#: Companions that are quick enough to be fitted again.
QUICK = ("nb", "tan", "aode", "c45")
SCORE = ScoreKey("kl_divergence", "none", "exact", "2002")


def spread_of(
    spec: LearnerSpec, *, companions: Sequence[str], n_jobs: int = 1, seconds: float | None = None
) -> pd.DataFrame:
    """Split a learner's loss to the truth into bias and variance, if that takes at most some seconds."""
    # bits with 95% intervals by source, learner, n_train; empty if it would take longer, or a fit fails
    others = tuple(LearnerSpec(key, key) for key in companions if key in QUICK and key != spec.key)
    study = Study(
        name="spread of a profile",
        seed=SEED,
        sources=tuple(Source(kind, suite=SUITE, place=f"{kind}-narrow-medium") for kind in KINDS),
        learners=(spec, *others),
        design=FreshSamples(replicates=TRUTHS, sizes=SIZES, n_test=N_TEST, training_sets=SETS),
    )
    n_fits = len(KINDS) * len(SIZES) * TRUTHS * SETS
    if seconds is not None and n_fits * _seconds_of_a_fit(spec, study) > seconds * max(1, n_jobs):
        return pd.DataFrame()
    try:
        return BiasVariance.refit(study, score=SCORE, n_jobs=n_jobs).table
    except Exception:  # of the learner, which the cells of the profile report
        return pd.DataFrame()


def _seconds_of_a_fit(spec: LearnerSpec, study: Study) -> float:
    """Return the seconds of a fit and forecast at the largest size; infinite if it fails."""
    from workbench.estimators.fair_fit import FairFit

    truth = study.sources[1].draw(seed=SEED, replicate=0)  # type: ignore[union-attr]
    X, y = truth.sample(max(SIZES), 0)
    test, _ = truth.sample(N_TEST, 1)
    begun = time.perf_counter()
    try:
        FairFit(spec.build(), truth.classes, input=spec.input).fit(X, y).forecast(test)
    except Exception:
        return float(np.inf)
    return time.perf_counter() - begun
