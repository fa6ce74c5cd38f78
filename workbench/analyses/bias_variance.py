"""Bias and variance of learners, by kind of truth and training size."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.analyses._shared.answers import Answers, kept_answers, places_of
from workbench.analyses._shared.fitted_answers import of_fitted_answers
from workbench.analyses._shared.subjects import check_learners, check_source
from workbench.base import catalogue
from workbench.base.errors import WorkbenchError, nearest
from workbench.base.score_key import ScoreKey
from workbench.comparisons import DecomposedLoss, decompose_brier, decompose_kl, mean_intervals
from workbench.designs import FreshSamples
from workbench.study.document import StudyDocument

if TYPE_CHECKING:
    from workbench.engine.progress import Progress
    from workbench.store.results import StudyResults
    from workbench.study.study import Study

__all__ = ["BiasVariance", "bias_variance", "decomposed_score"]

#: The metrics that are decomposed; the first by default.
LOSSES: dict[str, Callable[..., DecomposedLoss]] = {
    "kl_divergence": decompose_kl,
    "quadratic_loss": decompose_brier,
}
#: Name and unit of each loss.
NAMES = {
    "kl_divergence": ("KL divergence from the truth", "bits"),
    "quadratic_loss": ("quadratic loss above the truth's", "loss"),
}
PLACE = ["source", "replicate", "n_train", "learner"]
MEASURES = ("loss", "bias_corrected", "variance_corrected")


@dataclass(frozen=True, eq=False)
class BiasVariance:
    """The loss of learners, split into bias (common to all training sets) and variance (between them).

    Parameters
    ----------
    score : ScoreKey
        The key of the loss: the metric "kl_divergence" or "quadratic_loss", the rows and the cut-off. Rows
        are "exact" for the whole attribute space weighted by P(x), or "test" for the test rows.
    by_truth : DataFrame
        One row per source, replicate, n_train and learner, with loss, bias, variance, bias_corrected and
        variance_corrected (both corrected for the finite number of training sets), n_infinite (number of
        inputs with infinite loss: test rows or combinations of attribute values) and n_sets (number of
        training sets).
    notes : tuple of str
        Sentences on what was left out and why.

    See Also
    --------
    workbench.comparisons.decompose_kl : has the formulas, and the effects of few training sets and of zeros.
    bias_variance : computes the same without a study.

    Notes
    -----
    There are two ways to compute the decomposition. `of` reads a store. All training sets of a truth share
    test rows, whose forecasts are stored, so no learner is refitted. Loss = bias + variance holds exactly on
    these rows, and bias and variance are unbiased estimates over the draw of the test rows. `refit` fits the
    learners again. It is for stores without predictions and for forecasts of the whole attribute space.

    References
    ----------
    .. [1] Heskes, T., "Bias/variance decompositions for likelihood-based estimators", Neural Computation 10,
       1998.
    .. [2] Domingos, P., "A unified bias-variance decomposition and its applications", ICML 2000: explains why
       each loss has its own mean prediction.

    Examples
    --------
    >>> import tempfile
    >>> from workbench import read_study, run
    >>> study = read_study('''
    ... name = "tiny"
    ... seed = 1
    ... learners = ["nb", "tan"]
    ... [[sources]]
    ... generator = "tan"
    ... n_attributes = 2
    ... [design]
    ... replicates = 2
    ... sizes = [50]
    ... training_sets = 3
    ... ''')
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = BiasVariance.of(run(study, f"{folder}/tiny.db"))
    >>> every_input = BiasVariance.refit(study)
    >>> str(kept.score), str(every_input.score), len(kept.table), len(every_input.table)
    ('kl_divergence/none/test/none', 'kl_divergence/none/exact/none', 2, 2)
    """

    score: ScoreKey
    by_truth: pd.DataFrame
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        results: "StudyResults",
        *,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        source: str | None = None,
        on: Mapping[str, Any] | None = None,
    ) -> "BiasVariance":
        """Decompose the loss on the test rows, using stored predictions.

        Parameters
        ----------
        results : StudyResults
            Results from a store (see `load`), of a study with several training sets.
        score : ScoreKey or str, optional
            "kl_divergence", the default, or "quadratic_loss", with a cut-off if wanted, as in
            "kl_divergence///2002". Without a cut-off a probability of 0 can make a loss infinite.
        learners : sequence of str, optional
            By default the compared learners.
        source : str, optional
            Use only this source. By default all sources.
        on : mapping of str to truths, optional
            Truths by source, for sources whose truths were passed in Python and are not in the store.

        Returns
        -------
        BiasVariance

        Raises
        ------
        WorkbenchError
            If there is no such learner, source or score, if the study has one training set per size, or if
            the store has no predictions.
        """
        key = decomposed_score(score, rows=("test",))
        check_learners(results, learners or [])
        check_source(results, source)
        chosen = list(learners or results.study.compared_learners())
        cells, notes = places_of(results, chosen, source)
        cells = cells[cells["source"].isin(results.study.source_keys)]  # a figure may be of some of them
        rows = [_row(one, key) for one in kept_answers(results, cells, on=on)]
        return cls(key, _in_order(rows, results.study), notes)

    @classmethod
    def refit(
        cls,
        study: "Study",
        *,
        score: ScoreKey | str | None = None,
        source: str | None = None,
        n_jobs: int = 1,
        progress: "Progress | None" = None,
    ) -> "BiasVariance":
        """Decompose the loss by refitting every learner and forecasting the same rows.

        Parameters
        ----------
        study : Study
            A study with the design `FreshSamples` and training_sets of at least 2.
        score : ScoreKey or str, optional
            As in `of`, with a choice of rows: "kl_divergence//exact", the default, for the whole attribute
            space, which must be small enough to enumerate, or "kl_divergence//test" for the test rows of a
            run.
        source : str, optional
            Use only this source. By default all sources.
        n_jobs : int
            Number of joblib processes, which work on different truths. The results do not depend on it.
        progress : Progress, optional
            A display such as `workbench.engine.progress.for_stderr()`. By default nothing is shown.

        Returns
        -------
        BiasVariance
            The decomposition. Training rows and learners' seeds are the same as in a run of the study, so the
            mean loss equals the mean loss of the run.

        Raises
        ------
        WorkbenchError
            If the design is not suitable, if there is no such source or score, or if an attribute space is
            too large.
        """
        key = decomposed_score(score)
        found, notes = of_fitted_answers(
            study,
            functools.partial(_row, key=key),
            rows="exact" if key.rows == "exact" else "test",
            source=source,
            n_jobs=n_jobs,
            progress=progress,
        )
        return cls(key, _in_order(found, StudyDocument.of(study)), notes)

    @property
    def unit(self) -> str:
        """The unit of loss, bias and variance."""
        return NAMES[self.score.metric][1]

    @property
    def name(self) -> str:
        """The name of the loss in words."""
        return NAMES[self.score.metric][0]

    @property
    def table(self) -> pd.DataFrame:
        """One row per source, learner and size, with means over truths.

        Columns: source, learner, n_train, loss, bias and variance (corrected for the finite number of
        training sets), the ends of their single 95% intervals (loss_low, loss_high, ...), variance_share (the
        share of variance in the loss), n (number of truths), n_sets and n_infinite (number of inputs).
        Intervals are Student's t over truths. They are NaN if there is one truth or a mean is infinite.
        """
        groups = self.by_truth.groupby(["source", "learner", "n_train"], sort=False, observed=True)
        rows = [{**dict(zip(groups.keys, place, strict=True)), **_means(own)} for place, own in groups]
        order = {name: list(dict.fromkeys(self.by_truth[name])) for name in ("source", "learner")}
        return _sorted(pd.DataFrame(rows), ["source", "learner", "n_train"], order)


def bias_variance(
    learners: Any,
    *,
    on: Any,
    sizes: Sequence[int],
    training_sets: int = 20,
    score: ScoreKey | str | None = None,
    n_test: int = 1000,
    seed: int = 0,
    n_jobs: int = 1,
) -> BiasVariance:
    """Split the loss of learners on truths into bias and variance, over all possible rows or a sample.

    Parameters
    ----------
    learners : list of classifiers, or mapping of str to classifier
        As in `workbench.compare`. A key, such as "nb", stands for a learner of this project.
    on : truth, sequence of truths, or mapping of kind to these
        The truths. Exact scores need attribute spaces that can be enumerated.
    sizes : sequence of int
        Numbers of training rows.
    training_sets : int
        Number of training sets for each truth and size, at least 2.
    score : ScoreKey or str, optional
        As in `BiasVariance.refit`. "kl_divergence//test" uses a sample of `n_test` rows of each truth, other
        scores use all possible rows.
    n_test : int
        Number of test rows of each truth, used only for such a sample.
    seed : int
        Seed from which the training rows derive.
    n_jobs : int
        Number of joblib processes. The results do not depend on it.

    Returns
    -------
    BiasVariance

    Raises
    ------
    WorkbenchError
        As for `BiasVariance.refit`, or if an argument cannot be used.

    Examples
    --------
    On data from a naive Bayes network, naive Bayes has hardly any bias. A learner that only counts classes
    has hardly any variance.

    >>> from generators import random_naive_bayes
    >>> truths = [random_naive_bayes(n_attributes=2, arity=2, random_state=seed) for seed in range(2)]
    >>> found = bias_variance(["nb", "prior"], on=truths, sizes=[1000], training_sets=20)
    >>> share = found.table.set_index("learner")["variance_share"]
    >>> bool(share["nb"] > 0.8), bool(share["prior"] < 0.1)
    (True, True)
    """
    from workbench.study.learner_spec import read_learners
    from workbench.study.source import Source
    from workbench.study.study import Study

    kinds = on if isinstance(on, Mapping) else {"truths": on}
    study = Study(
        name="bias and variance",
        seed=seed,
        sources=tuple(
            Source(str(key), truths=tuple(own) if isinstance(own, list | tuple) else (own,))
            for key, own in kinds.items()
        ),
        learners=read_learners(learners),
        design=FreshSamples(replicates=1, sizes=tuple(sizes), n_test=n_test, training_sets=training_sets),
    )
    return BiasVariance.refit(study, score=score, n_jobs=n_jobs)


def decomposed_score(score: ScoreKey | str | None, *, rows: Sequence[str] = ("exact", "test")) -> ScoreKey:
    """Return the key of a loss that can be decomposed on some kinds of rows, by default the first."""
    asked = ScoreKey.parse(score)
    key = ScoreKey(
        catalogue.key_of("metrics", asked.metric) if asked.metric else next(iter(LOSSES)),
        asked.prior or "none",
        asked.rows or rows[0],
        asked.cutoff or "none",
    )
    if key.metric not in LOSSES:
        raise WorkbenchError(
            f"{key.metric} cannot be decomposed into bias and variance; {nearest(key.metric, LOSSES)}"
        )
    if key.prior != "none":
        raise WorkbenchError(
            f"{key} names the prior {key.prior}, but {key.metric} has no prior: leave that element empty"
        )
    if key.rows not in rows:
        why = "" if "exact" in rows else ", as a store keeps forecasts of test rows (exact rows need a refit)"
        raise WorkbenchError(f"{key} is for {key.rows} rows: expected rows {' or '.join(rows)}{why}")
    return key


def _row(answers: Answers, key: ScoreKey) -> dict[str, Any]:
    y_prob = answers.y_prob
    if key.cutoff != "none":
        from workbench.metrics import clip_probabilities

        n_train: Any = {"n_train": answers.place[2], "rule": key.cutoff}
        y_prob = np.stack([clip_probabilities(one, **n_train) for one in y_prob])
    found = LOSSES[key.metric](answers.p_true, y_prob)
    place = dict(zip(PLACE, answers.place, strict=True))
    return {**place, **asdict(found.mean(answers.weight)), "n_sets": found.n_sets}


def _in_order(rows: Iterable[dict[str, Any]], study: StudyDocument) -> pd.DataFrame:
    """Sort by source, truth, size and learner, in the order of the study."""
    table = pd.DataFrame(list(rows))
    if table.empty:
        raise WorkbenchError(
            "no learner has forecasts for all training sets of any size, so nothing can be decomposed: "
            "compute the missing cells first"
        )
    order = {"source": study.source_keys, "learner": study.learner_keys}
    return _sorted(table, PLACE, order)


def _sorted(table: pd.DataFrame, columns: list[str], order: Mapping[str, list[str]]) -> pd.DataFrame:
    """Sort by columns, some of which have a given order."""

    def places(column: pd.Series) -> pd.Series:
        keys = order.get(str(column.name))
        return column if keys is None else column.map({key: i for i, key in enumerate(keys)})

    return table.sort_values(columns, key=places, kind="stable", ignore_index=True)


def _means(own: pd.DataFrame) -> dict[str, Any]:
    """Return means over truths with intervals."""
    found: dict[str, Any] = {}
    for measure in MEASURES:
        name, values = measure.removesuffix("_corrected"), own[measure].to_numpy()
        mean, low, high = float(values.mean()), np.nan, np.nan
        if len(values) > 1 and np.isfinite(values).all():
            interval = mean_intervals(values[:, None], n_intervals=1)
            low, high = float(interval.low[0]), float(interval.high[0])
        found |= {name: mean, f"{name}_low": low, f"{name}_high": high}
    share = found["variance"] / found["loss"] if 0 < found["loss"] < np.inf else np.nan
    counts = {"n_sets": int(own["n_sets"].iloc[0]), "n_infinite": int(own["n_infinite"].sum())}
    return {**found, "variance_share": share, "n": len(own), **counts}
