"""Results of a study as tidy frames: one row a cell and score."""

import functools
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench.base.cell import ENDED_WITHOUT_SCORES
from workbench.base.errors import WorkbenchError, nearest
from workbench.store import schema
from workbench.store.mean_scores import over_parts, over_truths
from workbench.store.reading import Stored, read_predictions, read_stored
from workbench.store.tidy_scores import TidyScores
from workbench.study.metric_facts import MetricFacts, facts_of
from workbench.study.record import is_on_tables, missing_scores
from workbench.study.scores import ScoreKey, preference

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.figures import Display
    from workbench.store.writing import Store

__all__ = ["Results", "load"]


@dataclass(frozen=True, repr=False)
class Results:
    """What a store holds of the study that was run last.

    Parameters
    ----------
    study : dict
        `Study.describe` of that study.
    runs : DataFrame
        One row a run: started, ended (None if it was stopped), computed, study, toml, provenance.
    n_earlier : int
        Number of cells in the store that only earlier versions of the study had; no table shows them.
    definitions : dict
        Descriptions of the metrics that are not the catalogue's, by key.

    Examples
    --------
    >>> from workbench import compare
    >>> from generators import random_tan
    >>> from sklearn.dummy import DummyClassifier
    >>> truths = [random_tan(n_attributes=3, random_state=seed) for seed in range(2)]
    >>> learners = {"dummy": DummyClassifier()}
    >>> results = compare(learners, on=truths, sizes=(50,), metrics=("accuracy",), n_test=100)
    >>> list(results.frame().columns)
    ['source', 'replicate', 'n_train', 'training_set', 'fold', 'learner', 'metric', 'prior', 'rows', 'cutoff',
     'value', 'n_infinite']
    >>> results.table("accuracy").columns.tolist()
    [(50, 'mean'), (50, 'half_width'), (50, 'n_infinite'), (50, 'n')]
    """

    study: dict[str, Any]
    runs: pd.DataFrame
    _cells: pd.DataFrame = field(repr=False)
    _scores: pd.DataFrame = field(repr=False)
    _path: Path | None = field(default=None, repr=False)
    n_earlier: int = 0
    definitions: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        states = self._cells["state"].value_counts()
        timed_out = f", {states['timed_out']} timed out" if "timed_out" in states else ""
        return (
            f"<Results of study {self.study['name']!r}, seed {self.study['seed']}: {len(self._cells)} cells, "
            f"{states.get('done', 0)} done, {states.get('failed', 0)} failed{timed_out}, "
            f"{len(self._scores)} scores>"
        )

    def cells(self) -> pd.DataFrame:
        """Give one row a cell: its place, state, attempts, times, and why it failed if it did.

        Returns
        -------
        DataFrame
            In the order of the study.
        """
        return self._cells.drop(columns="cell").reset_index(drop=True)

    def frame(self) -> pd.DataFrame:
        """Give one row a cell and score.

        Returns
        -------
        DataFrame
            Columns source, replicate, n_train, training_set, fold, learner; metric, prior, rows, cutoff;
            value (may be infinite), n_infinite (how many test rows, or attribute cells, were infinite).
        """
        return self._tidy.frame()

    def table(
        self,
        metric: str | None = None,
        *,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
    ) -> pd.DataFrame:
        """Give means over replicates with 95% intervals; on tables, means over parts.

        Parameters
        ----------
        metric : str, optional
            By default `ir_b` where the study has it, else the study's first metric.
        prior, rows, cutoff : str, optional
            By default as `choose` says.

        Returns
        -------
        DataFrame
            Index (source, learner); columns (n_train, "mean" | "half_width" | "n_infinite" | "n"). The half
            width is that of Student's t interval over replicates (NaN for one replicate or an infinite mean);
            an infinite mean is shown as such beside the number of cells that are infinite. "n" is the number
            of replicates behind the mean: fewer than the study has where cells failed or are still to come.

            On tables the columns are mean, sd, n, n_infinite, over the n parts of a table. Parts share rows:
            sd is the standard deviation of their scores (NaN for one part or an infinite mean), and divided
            by the root of n it is no standard error.

        Raises
        ------
        WorkbenchError
            If there is no such score, or all cells failed.
        """
        key = self.choose(metric, prior=prior, rows=rows, cutoff=cutoff)
        if key not in self._means:
            means = over_parts if self.on_tables else over_truths
            self._means[key] = means(self.scores(key))
        return self._means[key].copy()

    def choose(
        self,
        metric: str | None = None,
        *,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
    ) -> ScoreKey:
        """Say which score is meant where not all is said.

        Parameters
        ----------
        metric : str, optional
            By default `ir_b` where the study has it, else the study's first metric.
        prior, rows : str, optional
            By default the first that there is of: marginal, training, test, uniform; and of: exact, test,
            training.
            What only some of the cells have comes after what all have.
        cutoff : str, optional
            By default "none" where there is that score without cut-off.

        Returns
        -------
        ScoreKey

        Raises
        ------
        WorkbenchError
            If there is no such score, or all cells failed.
        """
        metrics = self.study["scores"]["metrics"]
        name = metric or ("ir_b" if "ir_b" in metrics else metrics[0])
        failed = self._cells["message"][self._cells["state"].isin(ENDED_WITHOUT_SCORES)]
        if 0 < len(failed) == len(self._cells):
            raise WorkbenchError(f"all {len(failed)} cells failed: {failed.iloc[0]}")
        counts = {key: n for key, n in self._tidy.counts.items() if key.metric == name}
        if not counts:
            known = {key.metric for key in self._tidy.counts}
            raise WorkbenchError(f"there is no metric {name!r} here: {nearest(name, known)}")
        fitting = [
            key for key in counts if key == (name, prior or key.prior, rows or key.rows, cutoff or key.cutoff)
        ]
        if not fitting:
            known_words = "; ".join(" ".join(key[1:]) for key in sorted(counts))
            raise WorkbenchError(
                f"there is no such score of {name}: prior, rows and cut-off known are {known_words}"
            )
        most = max(counts.values())
        return min(fitting, key=lambda key: (counts[key] < most, preference(key)))

    def scores(self, key: ScoreKey) -> pd.DataFrame:
        """Give the rows of `frame` with one score.

        Parameters
        ----------
        key : ScoreKey

        Returns
        -------
        DataFrame
        """
        return self._tidy.scores(key)

    def metric(self, key: str) -> MetricFacts:
        """Give what a metric of the store says of itself: unit, direction, what it needs, its definition.

        Parameters
        ----------
        key : str
            As in the column metric of `frame`.

        Returns
        -------
        MetricFacts

        Raises
        ------
        WorkbenchError
            If there is no such metric.
        """
        return facts_of(key, self.definitions)

    def anova(
        self,
        metric: str | None = None,
        *,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Analyze learner by size with repeated measures; every source is an experiment of its own.

        Parameters
        ----------
        metric, prior, rows, cutoff : str, optional
            The score, as `choose` takes them.
        learners : sequence of str, optional
            By default those that the study compares.

        Returns
        -------
        DataFrame
            Index (source, effect); columns df, df_error, ss, ss_error, F, p, Greenhouse and Geisser's epsilon
            and p, Huynh and Feldt's, and generalized eta squared.

        Raises
        ------
        WorkbenchError
            If there is no such score, fewer than two learners can be compared, or there is one replicate.
        """
        from workbench.analyses import Variance, experiments_of

        experiments = experiments_of(
            self, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners
        )
        return pd.concat({one.source: Variance.of(one).table for one in experiments}, names=["source"])

    def differences(
        self,
        metric: str | None = None,
        *,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Compare every pair of learners at every size on the same truths.

        Parameters
        ----------
        metric, prior, rows, cutoff, learners : optional
            As in `anova`.

        Returns
        -------
        DataFrame
            One row a source, pair and size; see `workbench.analyses.Differences`. On tables one row a table
            and pair; see `workbench.analyses.Resampled`.

        Raises
        ------
        WorkbenchError
            As `anova`.
        """
        from workbench.analyses import Differences, experiments_of, resampled_of

        if self.on_tables:
            tests = resampled_of(
                self, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners
            )
            tables = {one.source: one.table for one in tests}
        else:
            experiments = experiments_of(
                self, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners
            )
            tables = {one.source: Differences.of(one).table for one in experiments}
        return pd.concat(tables, names=["source"]).reset_index("source").reset_index(drop=True)

    def answer(
        self,
        metric: str | None = None,
        *,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
        learners: Sequence[str] | None = None,
    ) -> str:
        """Say in one sentence who won, by how much, and how sure that is.

        Parameters
        ----------
        metric, prior, rows, cutoff, learners : optional
            As in `anova`. On tables a score that is infinite for a learner gives way to the same after a
            cut-off, if there is one and `cutoff` is left out.

        Returns
        -------
        str
            On tables wins, ties and losses by Alpaydin's F after `FiveByTwo` and the corrected resampled t
            after other designs, with Holm's correction over the pairs of each table; then, a sentence each,
            who could not be tested.

        Raises
        ------
        WorkbenchError
            As `anova`.
        """
        from workbench.analyses import Differences, Verdict, experiments_of, resampled_of

        if self.on_tables:
            from workbench.analyses._shared.tables_answer import answer, counting_all

            score = self.choose(metric, prior=prior, rows=rows, cutoff=cutoff)
            if cutoff is None:
                score = counting_all(self, score, learners)
            return answer(self, resampled_of(self, **score._asdict(), learners=learners))
        experiments = experiments_of(
            self, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners
        )
        return Verdict.of([Differences.of(one) for one in experiments]).sentence

    def plot(
        self,
        kind: str = "reward_by_size",
        *,
        source: str | None = None,
        metric: str | None = None,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
        learners: Sequence[str] | None = None,
        ax: "Axes | None" = None,
    ) -> "Display":
        """Draw a figure.

        Parameters
        ----------
        kind : str
            A key of `workbench.figures.FIGURES`: "reward_by_size", "paired_differences", "interaction",
            "crossovers", "exact_against_sampled", "score_against_time", or that of an installed package; or
            of `STUDY_FIGURES`, which know all sources: "best_map", "sample_complexity", "bias_variance".
        source : str, optional
            May be left out where there is only one, and for figures of all sources.
        metric, prior, rows, cutoff, learners : optional
            As in `anova`.
        ax : matplotlib Axes, optional
            New ones by default.

        Returns
        -------
        Display
            With `ax_`, `figure_`, `caption` and `save(path)`.

        Raises
        ------
        WorkbenchError
            If there is no such figure, source, score or learner.
        """
        from workbench.base import catalogue
        from workbench.figures import STUDY_FIGURES

        display = (STUDY_FIGURES.get(kind) or catalogue.find("figures", kind)).from_results(
            self, source=source, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners
        )
        return display.plot(ax)

    def report(
        self,
        path: str | Path,
        *,
        metric: str | None = None,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
    ) -> Path:
        """Write a report: the answer, figures, tables, tests, settings and where the numbers come from.

        Parameters
        ----------
        path : str or Path
            Ends in .html (one file that needs no network), .md or .tex (with the figures in a folder beside
            it).
        metric, prior, rows, cutoff : str, optional
            The score to go by, as `choose` takes them; on tables all are shown.

        Returns
        -------
        Path

        Raises
        ------
        WorkbenchError
            If the ending is another, or there is nothing to report yet or no such score.
        """
        from workbench.report import write_report

        score = {"metric": metric, "prior": prior, "rows": rows, "cutoff": cutoff}
        return write_report(self, path, score=score)

    def predictions(self, identity: str) -> np.ndarray:
        """Give the probabilities that a cell's learner gave on the test rows.

        Parameters
        ----------
        identity : str
            As in `cells`.

        Returns
        -------
        ndarray of shape (n_test, n_classes)

        Raises
        ------
        WorkbenchError
            If the store is gone or has none for this cell.
        """
        if self._path is None:
            raise WorkbenchError("these results are of a store in memory: give a store to keep predictions")
        return read_predictions(self._path, identity)

    def missing_scores(self) -> dict[ScoreKey, int]:
        """Count the cells that are done and lack a score that the study asks for.

        Returns
        -------
        dict
            (metric, prior, rows, cutoff) to number of cells; only scores that are missing somewhere. They
            were computed before the study asked for it, or the score is not defined for them.
        """
        done = self._cells[self._cells["state"] == "done"]
        n_exact = int(done["exact"].sum())
        return missing_scores(
            self.study, self._tidy.counts, n_done=len(done), n_exact=n_exact, facts=self.metric
        )

    @property
    def on_tables(self) -> bool:
        """Whether the study splits tables; then its replicates share rows and are no independent subjects."""
        return is_on_tables(self.study)

    @property
    def score_keys(self) -> list[ScoreKey]:
        """The combinations (metric, prior, rows, cutoff) that occur, in the order of the study's metrics."""
        order = {metric: i for i, metric in enumerate(self.study["scores"]["metrics"])}
        return sorted(self._tidy.counts, key=lambda key: order.get(key.metric, len(order)))

    @functools.cached_property
    def _means(self) -> dict[ScoreKey, pd.DataFrame]:
        """The tables that have been asked for: the parts of a report ask for the same ones."""
        return {}

    @functools.cached_property
    def _tidy(self) -> TidyScores:
        return TidyScores.of(self._cells, self._scores)


def load(path: str | Path) -> Results:
    """Read the results of the study that a store has seen last.

    Parameters
    ----------
    path : str or Path
        The store; another process may be writing it.

    Returns
    -------
    Results

    Raises
    ------
    WorkbenchError
        If there is no such file or it is no store.

    Examples
    --------
    >>> load("nowhere.db")
    Traceback (most recent call last):
    ...
    workbench.base.errors.WorkbenchError: there is no store nowhere.db: `workbench run STUDY.toml ...` makes
    one
    """
    with schema.told(Path(path)), closing(schema.read_only(Path(path))) as connection:
        return _results(read_stored(connection, Path(path)), Path(path))


def of_store(store: "Store") -> Results:
    """Read the results of a store that is open."""
    return _results(read_stored(store.connection, store.path), store.path)


def _results(stored: Stored, path: Path | None) -> Results:
    return Results(
        stored.study, stored.runs, stored.cells, stored.scores, path, stored.n_earlier, stored.definitions
    )
