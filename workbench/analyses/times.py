"""Mean scores against run time."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.analyses._shared.paired_scores import PairedScores
from workbench.base.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.store.results import StudyResults

__all__ = ["Times"]


@dataclass(frozen=True, eq=False)
class Times:
    """The mean score of each learner at each size, with the run time of fit and prediction.

    Parameters
    ----------
    experiment : PairedScores
        The scores of one source.
    table : DataFrame
        One row per learner and size with a finite mean: learner, n_train, mean, seconds, undominated. The
        truth is left out, as it is not trained. Seconds are medians over cells, because the first fit of a
        process may include compilation. A row is undominated if no other row is as fast and has a better
        mean, or is faster and has as good a mean.
    n_test : int
        Number of predicted rows per cell, the largest number if cells differ.
    without_mean : tuple of str
        Learners that are left out because a mean is infinite or a cell is missing.

    Examples
    --------
    >>> from generators import random_tan
    >>> from learners import NaiveBayesClassifier, TANClassifier
    >>> from workbench import compare
    >>> from workbench.analyses import paired_scores
    >>> learners = {"nb": NaiveBayesClassifier(), "tan": TANClassifier()}
    >>> results = compare(learners, on=random_tan(n_attributes=3, random_state=1), sizes=50, n_test=100)
    >>> times = Times.of(paired_scores(results)[0], results)
    >>> times.table["learner"].tolist(), bool((times.table["seconds"] > 0).all())
    (['nb', 'tan'], True)
    """

    experiment: PairedScores
    table: pd.DataFrame
    n_test: int
    without_mean: tuple[str, ...]

    @classmethod
    def of(cls, experiment: PairedScores, results: "StudyResults") -> "Times":
        """Compute the run times of an experiment.

        Parameters
        ----------
        experiment : PairedScores
            The scores of one source.
        results : StudyResults
            The results of the study that the experiment comes from.

        Returns
        -------
        Times

        Raises
        ------
        WorkbenchError
            If a cell has no run time.
        """
        cells = results.cells()
        own = cells[(cells["source"] == experiment.source) & (cells["state"] == "done")]
        own = own[own["replicate"].isin(experiment.blocks)].astype({"learner": "str"})
        taken = (own["fit_seconds"] + own["predict_seconds"]).astype("float64")
        seconds = taken.groupby([own["learner"], own["n_train"]]).median()
        columns = {key: experiment.values[:, i] for i, key in enumerate(experiment.learners)}
        columns |= {key: experiment.alongside[key] for key in experiment.shown if key != experiment.truth}
        means = {key: values.mean(axis=0) for key, values in columns.items()}
        known = [key for key, mean in means.items() if np.isfinite(mean).all()]
        rows = [
            (key, size, float(means[key][i]), float(seconds.get((key, size), np.nan)))
            for key in known
            for i, size in enumerate(experiment.sizes)
        ]
        table = pd.DataFrame(rows, columns=["learner", "n_train", "mean", "seconds"])
        if not (table["seconds"] > 0).all():
            raise WorkbenchError(
                f"some cells of {experiment.source} have no run times, so there is nothing to show: name "
                "another source"
            )
        table["undominated"] = _undominated(
            experiment.sign * table["mean"].to_numpy(), table["seconds"].to_numpy()
        )
        left_out = tuple(key for key in means if key not in known)
        return cls(experiment, table, int(own["n_test"].max()), left_out)


def _undominated(good: NDArray[np.float64], seconds: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each row whether it is Pareto optimal in score and time."""
    as_good: NDArray[np.bool_] = (good >= good[:, None]) & (seconds <= seconds[:, None])
    better = (good > good[:, None]) | (seconds < seconds[:, None])
    return np.asarray(~(as_good & better).any(axis=1))
