"""How many rows a learner needs for shares of what can be known."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from workbench.comparisons import required_sample_size
from workbench.profiles.kinds import kinds_of, places_of
from workbench.profiles.scores import LOSS, SuiteScores

__all__ = ["SHARES", "rows_needed"]

#: Shares of the way from the class frequencies to the truth.
SHARES = (0.5, 0.8, 0.9)


def rows_needed(scores: SuiteScores, learner: str) -> pd.DataFrame:
    """Return the rows after which a learner is a share of the way from prior to truth, by kind and share."""
    # size, low, high (95% bootstrap over truths); infinite where the largest size does not suffice
    return pd.DataFrame(list(_rows(scores, learner)))


def _rows(scores: SuiteScores, learner: str) -> Iterator[dict[str, object]]:
    loss = scores.values[LOSS].astype(np.float64)
    for kind in kinds_of(scores):
        places = places_of(scores, kind)
        own, floor, top = (
            loss[scores.at(key)][places].reshape(-1, len(scores.sizes)) for key in (learner, "prior", "truth")
        )
        known = np.isfinite(own + floor + top).all(axis=1)
        if known.sum() < 2:
            continue
        for share in SHARES:
            found = required_sample_size(
                own[known], scores.sizes, ceiling=top[known], floor=floor[known], share=share, n_resamples=500
            )
            yield {"kind": kind, "share": share, "size": found.size, "low": found.low, "high": found.high}
