"""Means of scores: over truths with intervals, over the parts of tables with deviations."""

import numpy as np
import pandas as pd
from scipy.special import stdtrit

__all__ = ["over_parts", "over_truths"]


def over_truths(scores: pd.DataFrame) -> pd.DataFrame:
    """Return means over truths, which are independent, with 95% intervals."""
    # Training sets of one replicate are no independent replicates.
    groups = ["source", "learner", "n_train"]
    means = (
        scores.groupby([*groups, "replicate"], observed=True)["value"].mean().groupby(groups, observed=True)
    )
    infinite = np.isinf(scores["value"]).groupby([scores[g] for g in groups], observed=True).sum()
    table = pd.DataFrame(
        {
            "mean": means.mean(),
            "half_width": means.agg(_half_width),
            "n_infinite": infinite,
            "n": means.size(),
        }
    )
    wide = table.unstack("n_train").swaplevel(axis=1)
    counts = [name for name in wide if name[1] in ("n", "n_infinite")]
    wide = wide.astype(dict.fromkeys(counts, "float64")).fillna(dict.fromkeys(counts, 0))
    wide = wide.astype(dict.fromkeys(counts, "int64"))
    order = [(size, name) for size in sorted(scores["n_train"].unique()) for name in table.columns]
    return wide[order]


def over_parts(scores: pd.DataFrame) -> pd.DataFrame:
    """Return means over the parts of tables, which share rows."""
    values = scores.groupby(["source", "learner"], observed=True)["value"]
    n_infinite = values.agg(lambda own: int(np.isinf(own).sum()))
    finite = scores.assign(value=scores["value"].where(np.isfinite(scores["value"])))
    sd = finite.groupby(["source", "learner"], observed=True)["value"].std(ddof=1)
    columns = {
        "mean": values.mean(),
        "sd": sd.where(n_infinite == 0),
        "n": values.size(),
        "n_infinite": n_infinite,
    }
    return pd.DataFrame(columns)


def _half_width(values: pd.Series) -> float:
    """Return the half width of the 95% t interval of a mean."""
    if len(values) < 2 or not np.isfinite(values).all():
        return float("nan")
    return float(stdtrit(len(values) - 1, 0.975) * values.std(ddof=1) / np.sqrt(len(values)))
