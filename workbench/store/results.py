"""The results of a study as tidy frames, with one row per cell and score."""

import functools
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from workbench.base import catalogue
from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.errors import WorkbenchError, brief_errors, nearest
from workbench.base.score_key import ScoreKey, preference
from workbench.base.text import and_of, count_of
from workbench.designs import Design, FreshSamples, Resampling
from workbench.designs._shared.base import AbsentDesign
from workbench.metrics._shared.base import Metric
from workbench.store import schema
from workbench.store.reading import read_frames, read_predictions
from workbench.store.run_notes import REPEAT_OF, said_of_learners
from workbench.store.tidy_scores import TidyScores, over_parts, over_truths
from workbench.store.writing import Store
from workbench.study.document import StudyDocument
from workbench.study.rows_source import AnySource
from workbench.study.stored_metrics import metric_of
from workbench.study.study import Study

__all__ = [
    "FOUND_IN",
    "INPUT_OF",
    "OPTIMUM_OF",
    "TOO_LARGE",
    "StudyResults",
    "read_results",
    "results_of",
]

#: How the provenance of a run begins the entry of what a learner was given.
INPUT_OF = "input of "
FOUND_IN = "found in "
#: Why a truth has no exact scores: `generators.networks.truth.ENUMERABLE_CELLS`.
TOO_LARGE = "exact scores need nominal attributes with at most 100,000 combinations of values"
#: How it begins the entry of the law of a source, or of why there is no optimum.
OPTIMUM_OF = "optimum of "


class Sentences(pd.Series):
    """Sentences by key, printed in full."""

    @property
    def _constructor(self) -> type["Sentences"]:
        return Sentences

    def to_string(self, *args: Any, **kwargs: Any) -> Any:
        """Write every word."""
        with pd.option_context("display.max_colwidth", None):
            return super().to_string(*args, **kwargs)


@dataclass(frozen=True, repr=False)
class StudyResults:
    """The results of the last study of a store."""

    study: StudyDocument
    runs: pd.DataFrame  # started, ended (None if it was stopped), computed, study, provenance
    _cells: pd.DataFrame = field(repr=False)
    _scores: pd.DataFrame = field(repr=False)
    _path: Path | None = field(default=None, repr=False)
    n_earlier: int = 0  # cells of earlier versions of the study only; tables leave them out
    # of the metrics that are not the catalogue's, by key
    definitions: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)
    _design: Design | None = field(default=None, repr=False)  # of the study that ran, if no store can name it
    # of the study that ran, by key, those that no store can make again
    _sources: dict[str, AnySource] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        states = self._cells["state"].value_counts()
        timed_out = f", {states['timed_out']} timed out" if "timed_out" in states else ""
        return (
            f"<Results of study {self.study.name!r}, seed {self.study.seed}: {self.study.size}, "
            f"{len(self._cells)} cells, "
            f"{states.get('done', 0)} done, {states.get('failed', 0)} failed{timed_out}, {len(self._scores)} "
            "scores>"
        )

    def cells(self) -> pd.DataFrame:
        """Return one row per cell, with its position in the study, state, attempts, run times and failure.

        Returns
        -------
        DataFrame
            In the order of the study. Columns: source, replicate, n_train, training_set, fold, learner,
            n_test, state ("done", "failed", "timed_out" or "pending"), attempts, started and finished (times
            of day), fit_seconds, predict_seconds, score_seconds, exact (whether exact scores were computed),
            r_hat (for learners with sampled forecasts: near 1 if their Markov chains agree, otherwise NaN),
            test_digest (hash of the test rows), message and traceback of a failure, and identity.
        """
        return self._cells.drop(columns="cell").reset_index(drop=True)

    def frame(self, *, regret: bool = False) -> pd.DataFrame:
        """Return one row per cell and score.

        Parameters
        ----------
        regret : bool
            Whether to add a column regret: the loss of a score relative to the score of the optimum (the
            learner "optimal") with the same training rows. NaN if the optimum has no such score, and for
            metrics such as auc, for which the optimum is not guaranteed to be the best.

        Returns
        -------
        DataFrame
            Columns source, replicate, n_train, training_set, fold, learner, metric, prior, rows, cutoff,
            value (may be infinite), n_infinite (number of test rows with an infinite score, or of
            combinations of attribute values for exact scores), and mc_error. mc_error is the Monte Carlo
            standard error of the value if forecasts are sampled, otherwise 0. It is NaN if it is unknown, as
            for accuracy and all metrics that are not proper.
        """
        frame = self._tidy.frame()
        if regret:
            optimum = next(iter(self.study.with_role("optimal")), None)
            found = {metric: self.metric(metric) for metric in frame["metric"].unique()}
            signs = {key: np.nan if one.has_optimum is False else one.sign for key, one in found.items()}
            frame["regret"] = self._tidy.behind(optimum) * frame["metric"].map(signs)
        return frame

    @brief_errors
    def table(
        self,
        score: ScoreKey | str | None = None,
    ) -> pd.DataFrame:
        """Return mean scores: over replicates with 95% intervals, or over the parts of data sets.

        Parameters
        ----------
        score : ScoreKey or str, optional
            A score key metric/prior/rows/cut-off, some elements of which may be empty, such as "ir_b///2002".
            See `choose`.

        Returns
        -------
        DataFrame
            Index (source, learner). Columns (n_train, "mean" | "half_width" | "n_infinite" | "n"). The
            columns are named by the score if its cut-off was chosen by default (see `choose`). The half width
            is half of Student's 95% t interval over replicates (NaN for one replicate or an infinite mean).
            An infinite mean is shown as such, next to the number of infinite cells. "n" is the number of
            replicates behind the mean. It is smaller where cells failed or are pending.

            On data sets the columns are mean, sd, n and n_infinite, where n is the number of parts
            (train-test splits). Parts share rows, so sd divided by the root of n is not a standard error. sd
            is the standard deviation of the scores of parts (NaN for one part or an infinite mean).

        Raises
        ------
        WorkbenchError
            If there is no such score, or if all cells failed.
        """
        key = self.choose(score)
        if key not in self._means:
            means = over_truths if self.design.blocks.has_sizes else over_parts
            self._means[key] = means(self.scores(key))
        named = key.words if key.cutoff not in ("none", self.asked(score).cutoff) else None
        table = self._means[key].copy()
        table.columns.names = [*table.columns.names[:-1], named]
        return table

    @brief_errors
    def choose(self, score: ScoreKey | str | None = None) -> ScoreKey:
        """Complete a partial score key.

        Parameters
        ----------
        score : ScoreKey or str, optional
            A score key metric/prior/rows/cut-off, such as "ir_b/marginal/exact/2002". Elements may be left
            out at the end, as in "ir_b", or be empty: "ir_b///2002" leaves prior and rows open. The default
            metric is the first metric of the study. The default prior is the first available of marginal,
            training, test and uniform. The default rows are the first available of exact, test and training.
            A score that only some cells have is chosen last. The default cut-off is "none", or the study's
            first cut-off if the score without a cut-off is infinite for a learner. All methods and functions
            that take a score use these defaults.

        Returns
        -------
        ScoreKey

        Raises
        ------
        WorkbenchError
            If there is no such score, or if all cells failed.
        """
        asked = self.asked(score)
        asked = asked._replace(metric=asked.metric or self.study.metrics[0])
        failed = self._cells["message"][self._cells["state"].isin(ENDED_WITHOUT_SCORES)]
        if 0 < len(failed) == len(self._cells):
            raise WorkbenchError(f"all {len(failed)} cells failed: {failed.iloc[0]}")
        counts = {key: n for key, n in self._tidy.counts.items() if key.metric == asked.metric}
        if not counts:
            raise WorkbenchError(self._lacking(asked.metric))
        fitting = [key for key in counts if asked.fits(key)]
        if not fitting:
            known_scores = ", ".join(map(str, sorted(counts)))
            raise WorkbenchError(f"these results have no score {str(asked)!r}: choose one of {known_scores}")
        most = max(counts.values())
        chosen = min(fitting, key=lambda key: (counts[key] < most, preference(key)))
        return chosen if asked.cutoff else self._counting_all(chosen)

    def _counting_all(self, score: ScoreKey) -> ScoreKey:
        """Use a score after a cut-off if the score without it would exclude learners."""
        if score.cutoff != "none" or not self._infinite(score):
            return score
        clipped = (key for key in self.score_keys if key.cutoff != "none")
        return next((key for key in clipped if key == score._replace(cutoff=key.cutoff)), score)

    def infinite_without_cutoff(self, score: ScoreKey, learners: Sequence[str] | None = None) -> list[str]:
        """List the compared learners whose scores are infinite without the cut-off of a score."""
        plain = score._replace(cutoff="none")
        found = () if score.cutoff == "none" else self._infinite(plain)
        return [key for key in self.study.compared_learners(learners) if key in found]

    def _infinite(self, score: ScoreKey) -> set[str]:
        """Return the learners with infinite scores."""
        # A source whose attribute space cannot be enumerated is scored on test rows in place of exactly.
        keys = [score, score._replace(rows="test")] if score.rows == "exact" else [score]
        return {learner for key in keys for learner in self._tidy.infinite.get(key, ())}

    def asked(self, score: ScoreKey | str | None) -> ScoreKey:
        """Read a partial key whose metric may have its printed name, such as "brier"."""
        key = ScoreKey.parse(score)
        return key._replace(metric=catalogue.key_of("metrics", key.metric, self.study.metrics))

    def _lacking(self, metric: str) -> str:
        """Report that there are no scores of a metric, and how to get them if there is such a metric."""
        known = {key.metric for key in self._tidy.counts}
        if metric not in catalogue.keys("metrics"):
            return f"unknown metric {metric!r}; {nearest(metric, known)}"
        if not known:
            too_large = f'{TOO_LARGE}: ask for rows="test"'
            why = too_large if self.not_enumerated() else "no cell has a score yet"
            return f"these results have no {metric}, as {why}"
        if metric in self.study.metrics and self._always_asked_for(metric):
            n = count_of(int((self._cells["state"] == "done").sum()), "done cell")
            return f"the study asks for {metric}, but none of {n} has a value: {self._why_undefined(metric)}"
        how = f'ask for it in the next run, with metrics=("{metric}", ...)'
        if self._path is not None:
            given = [f'"{key}": ...' for key in self.study.source_keys if not self.study.is_kept(key)]
            on = f", on={{{', '.join(given)}}}" if given else ""
            how = f'add it from the kept predictions, with workbench.rescore("{self._path}", "{metric}"{on})'
        return f"these results have no {metric}, only {and_of(sorted(known))}: {how}"

    def _always_asked_for(self, metric: str) -> bool:
        """Return whether every run asked for a metric, so that no cell was computed without it."""
        return all(metric in StudyDocument.from_json(text).metrics for text in {*self.runs["study"]})

    def _why_undefined(self, metric: str) -> str:
        needs = self.metric(metric).needs
        if "truth" in needs and self.study.on_datasets:
            return "it needs the true probabilities, which are unknown for data sets"
        if "theory" in needs:
            return "it measures the theory of a learner, and no learner here has one"
        said = self._cells["message"].fillna("")
        unfit = said[said.str.contains(f" {metric} ", regex=False)]
        if len(unfit):
            return str(unfit.iloc[0])
        return "it is undefined on their rows, for example where all test rows have the same class"

    @brief_errors
    def scores(self, key: ScoreKey | str) -> pd.DataFrame:
        """Return the rows of `frame` that have one score.

        Parameters
        ----------
        key : ScoreKey or str
            A full key, or a partial key, which is completed as in `choose`.

        Returns
        -------
        DataFrame

        Raises
        ------
        WorkbenchError
            If a partial key fits no score.
        """
        if not isinstance(key, ScoreKey) or not all(key):
            key = self.choose(key)
        return self._tidy.scores(key)

    @brief_errors
    def metric(self, key: str) -> Metric:
        """Return a metric of the study, with its unit, direction, needs and definition.

        Parameters
        ----------
        key : str
            Key of the metric, as in the column metric of `frame`.

        Returns
        -------
        Metric

        Raises
        ------
        WorkbenchError
            If there is no such metric.
        """
        return metric_of(key, self.definitions)

    @brief_errors
    def predictions(self, identity: str) -> np.ndarray:
        """Return the probabilities that the learner of a cell assigned to the classes of the test rows.

        Parameters
        ----------
        identity : str
            The identity of the cell, from the column identity of `cells`.

        Returns
        -------
        ndarray of shape (n_test, n_classes)

        Raises
        ------
        WorkbenchError
            If the store no longer exists, or has no predictions for this cell.
        """
        if self._path is None:
            raise WorkbenchError(
                "these results are in memory, without predictions: pass a store to run, which keeps them"
            )
        return read_predictions(self._path, identity)

    def inputs(self) -> pd.Series:
        """Return the form in which each learner received the rows, from the cells computed last.

        Returns
        -------
        Series of str
            Named "given", with index learner, in the order of the study. Empty for stores that an earlier
            version of the program wrote.
        """
        return Sentences(self._of_learners(INPUT_OF), name="given", dtype="object").rename_axis("learner")

    def not_reproducible(self) -> dict[str, str]:
        """Return the warnings about learners that are not reproducible, by the key of the learner."""
        return self._of_learners(REPEAT_OF)

    def _of_learners(self, prefix: str) -> dict[str, str]:
        runs = zip(self.runs["provenance"], self.runs["study"], strict=True)
        return said_of_learners(prefix, self.study, runs)

    def optima(self) -> pd.Series:
        """Return for each source the law of its truths, or why there is no optimum, in words.

        Returns
        -------
        Series of str
            Named "optimum", with index source, in the order of the study. For a source without an optimum the
            text is "none, as ...". Empty if no learner uses the optimum.
        """
        return Sentences(self._about(OPTIMUM_OF), name="optimum", dtype="object").rename_axis("source")

    def findings(self) -> pd.Series:
        """Return the warnings about each data set that were issued when its cells were computed.

        Returns
        -------
        Series of str
            Named "finding", with index source. A data set without a warning has no row.
        """
        return Sentences(self._about(FOUND_IN), name="finding", dtype="object").rename_axis("source")

    def _about(self, prefix: str) -> dict[str, str]:
        """Return for each source what the last run that recorded something recorded."""
        about: dict[str, Any] = {}
        for text in self.runs["provenance"]:
            about |= json.loads(text)
        found = {key: about.get(f"{prefix}{key}") for key in self.study.source_keys}
        return {key: str(words) for key, words in found.items() if words is not None}

    def missing_scores(self) -> dict[ScoreKey, int]:
        """Count the done cells that lack a score that the study asks for.

        Returns
        -------
        dict
            Maps (metric, prior, rows, cutoff) to the number of cells without this score. Scores that no cell
            lacks are not listed. These cells were computed before the study asked for the score, or the score
            is undefined for them.
        """
        done = self._cells[self._cells["state"] == "done"]
        n_exact = int(done["exact"].sum())
        return self.study.missing_scores(
            self._tidy.counts, n_done=len(done), n_exact=n_exact, metric=self.metric
        )

    def not_enumerated(self) -> dict[str, tuple[int, int]]:
        """Count the truths of each source that lack exact scores, and all truths, where some lack them."""
        done = self._cells[self._cells["state"] == "done"]
        asked = "exact" in self.study.content["scores"]["rows"] and not self.study.on_datasets
        if done.empty or not asked:
            return {}
        enumerated = done.groupby(["source", "replicate"], observed=True)["exact"].any()
        counts = (~enumerated).groupby("source", observed=True).agg(["sum", "size"])
        return {str(one.Index): (int(one.sum), int(one.size)) for one in counts.itertuples() if one.sum}

    @functools.cached_property
    def design(self) -> Design:
        """The design of the study: its cells, the blocks by which scores are paired, and its test."""
        usual = Resampling if self.study.on_datasets else FreshSamples
        absent = AbsentDesign(self.study.design["kind"], usual.blocks, usual.test)
        return self._design or self.study.make_design() or absent

    @property
    def score_keys(self) -> list[ScoreKey]:
        """The keys (metric, prior, rows, cutoff) of all scores, in the order of the study's metrics."""
        order = {metric: i for i, metric in enumerate(self.study.metrics)}
        return sorted(self._tidy.counts, key=lambda key: order.get(key.metric, len(order)))

    @functools.cached_property
    def _means(self) -> dict[ScoreKey, pd.DataFrame]:
        """Cached tables, as the parts of a report use the same ones."""
        return {}

    @functools.cached_property
    def _tidy(self) -> TidyScores:
        return TidyScores.of(self._cells, self._scores)


def read_results(path: str | Path) -> StudyResults:
    """Read the results of the last study of a store, which another process may be writing."""
    with schema.plain_errors(Path(path)), closing(schema.read_only(Path(path))) as connection:
        return StudyResults(**read_frames(connection, Path(path)))


def results_of(store: Store, study: Study | None = None) -> StudyResults:
    """Read the results of an open store, and keep the parts of the study that the store cannot remake."""
    found = StudyResults(**read_frames(store.connection, store.path))
    if study is None:
        return found
    kept = {source.key: source for source in study.sources if not found.study.is_kept(source.key)}
    return replace(found, _design=None if found.study.make_design() else study.design, _sources=kept)
