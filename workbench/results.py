"""The results of a study for users: tables, tests, the answer, figures and reports."""

import inspect
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from generators.tables.caller import user_level
from workbench.base.errors import Untested, WorkbenchError, brief_errors
from workbench.base.score_key import ScoreKey
from workbench.base.text import and_of
from workbench.store.results import StudyResults, read_results

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from workbench.analyses import PairedScores
    from workbench.engine.cell_rows import CellRows
    from workbench.figures import Display

__all__ = ["Results", "load"]


@dataclass(frozen=True, repr=False)
class Results(StudyResults):
    """The results of a study, with tables, tests, figures and reports.

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
     'value', 'n_infinite', 'mc_error']
    >>> results.table("accuracy").columns.tolist()
    [(50, 'mean'), (50, 'half_width'), (50, 'n_infinite'), (50, 'n')]
    """

    @classmethod
    def of(cls, found: StudyResults) -> "Results":
        """Wrap results that were read or computed."""
        return cls(*(getattr(found, field.name) for field in fields(found)))

    @cached_property
    def _shown(self) -> str:
        from workbench.report.notebook import notebook_html

        return notebook_html(self)

    def _repr_html_(self) -> str:
        return self._shown

    @brief_errors
    def rows(
        self, identity: str, *, data: str | Path | None = None, on: Any = None, groups: Any = None
    ) -> "CellRows":
        """Return the training and test rows of a cell, to refit and predict by hand.

        Parameters
        ----------
        identity : str
            As in `cells`.
        data, on, groups : optional
            As in `workbench.rescore`: the folder of data sets, and what was given in Python. Not needed for
            results in memory.

        Returns
        -------
        CellRows
            With X and y, X_test and y_test. Truths, files and data sets are drawn, read and split again. X is
            the data set before the encoding of `inputs`, which estimators from other packages receive, such
            as one-hot columns (``pandas.get_dummies(rows.X)``). ``rows.seeded(learner)`` is a copy with the
            seeds that the study sets where `random_state` is None. Optima of a law have other seeds.

        Raises
        ------
        WorkbenchError
            If there is no such cell, or its source no longer exists or has other rows.

        See Also
        --------
        predictions : The forecasts of the learner for the test rows, in the same order.

        Examples
        --------
        >>> from generators import random_tan
        >>> from workbench import compare
        >>> results = compare(["nb", "tan"], on=random_tan(n_attributes=3, random_state=1), sizes=50)
        >>> cell = results.cells().query("learner == 'tan'").iloc[0]
        >>> results.rows(cell["identity"])
        <50 training and 1000 test rows of 3 attributes>
        """
        from workbench.engine.cell_rows import cell_rows

        return cell_rows(self, identity, data=data, on=on, groups=groups)

    @brief_errors
    def means(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        r"""Return the means as text: with their spread, the best marked, named by the score.

        Parameters
        ----------
        score : ScoreKey or str, optional
            As `choose` takes it.
        learners, sources : sequence of str, optional
            Which to show, in this order. By default all.

        Returns
        -------
        DataFrame of str
            Learners down, sizes or data sets across. The number after ± is the half width of the 95% interval
            over truths, or the standard deviation over the parts of a data set. A star marks the best mean of
            the compared learners. n is the number of truths or parts, shown where it is smaller than
            elsewhere.

        Raises
        ------
        WorkbenchError
            If there is no such score, learner or source.

        See Also
        --------
        table : The same as numbers.
        """
        from workbench.report.paper_table import means_frame, paper_table

        return means_frame(paper_table(self, score, learners, sources, named=False))

    @brief_errors
    def latex(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
    ) -> str:
        r"""Return the means as LaTeX, the best in bold. It needs the package booktabs.

        Parameters
        ----------
        score, learners, sources : optional
            As in `means`.

        Returns
        -------
        str
            A tabular environment, described in comments.
        """
        from workbench.report.paper_table import paper_table
        from workbench.report.renderers.latex import tabular

        table = paper_table(self, score, learners, sources)
        return f"% {table.title}\n% {table.note}\n{tabular(table)}"

    @brief_errors
    def anova(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Compute a repeated-measures analysis of variance, learner by size, for each source.

        Parameters
        ----------
        score : ScoreKey or str, optional
            As `choose` takes it.
        learners : sequence of str, optional
            By default those that the study compares.

        Returns
        -------
        DataFrame
            Index (source, effect). Columns df, df_error, ss, ss_error, F, p, Greenhouse and Geisser's epsilon
            and p, Huynh and Feldt's, and generalized eta squared.

        Raises
        ------
        WorkbenchError
            If there is no such score, fewer than two learners can be compared, or there is only one
            replicate.
        """
        from workbench.analyses import Variance, paired_scores

        experiments = paired_scores(self, score=score, learners=learners, independent=True)
        _warn_of_lacking(experiments)
        return pd.concat({one.source: Variance.of(one).table for one in experiments}, names=["source"])

    @brief_errors
    def differences(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Compare every pair of learners at every size, paired by truth or by part of a data set.

        Parameters
        ----------
        score, learners : optional
            As in `anova`.

        Returns
        -------
        DataFrame
            One row per source, pair and size: source and the columns of `workbench.analyses.Comparison`.

        Raises
        ------
        WorkbenchError
            As `anova`, or if no test is valid for the parts, as for splits in time.

        Warns
        -----
        Untested
            If learners, or some truths, are left out for lack of scores. The warning names them.
        """
        from workbench.analyses import comparisons_of

        if not self.design.test.holds:
            raise WorkbenchError(f"there are no tests of differences: {self.design.note}")
        tests = comparisons_of(self, score=score, learners=learners)
        _warn_of_lacking([one.scores for one in tests])
        tables = {one.scores.source: one.table for one in tests}
        return pd.concat(tables, names=["source"]).reset_index("source").reset_index(drop=True)

    @brief_errors
    def trend(
        self,
        parameter: str,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Fit the effect of a parameter of the sources on scores and on differences between learners.

        Parameters
        ----------
        parameter : str
            A number by which sources of a generator differ, such as "label_noise".
        score, learners : optional
            As in `anova`. ``learners=["tan", "nb"]`` gives differences of tan minus nb.
        sources : sequence of str, optional
            The sources to use.

        Returns
        -------
        DataFrame
            The table of `workbench.analyses.Trend`: slopes with intervals and tests, by size, learner and
            pair.

        Raises
        ------
        WorkbenchError
            If there is no such source, no two sources differ in the parameter, or as `anova`.

        Warns
        -----
        Confounded
            If the sources also differ in other parameters. The warning names them.
        LeftOutWarning
            If sources have no number for the parameter. The warning names them.
        Untested
            If learners, or some of their truths, are left out. The warning gives the reason.

        See Also
        --------
        plot : ``plot("trend", parameter=...)`` draws it.
        """
        from workbench.analyses import Trend

        chosen = self if sources is None else replace(self, study=self.study.only_sources(sources))
        return Trend.of(chosen, parameter, score=score, learners=learners).table

    @brief_errors
    def contrast(
        self,
        source: str,
        other: str,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Test whether scores, and differences between learners, differ between two sources of truths.

        Parameters
        ----------
        source, other : str
            Sources.
        score, learners : optional
            As in `anova`.

        Returns
        -------
        DataFrame
            As `trend`, with difference (source minus other) in place of slope. Truths are paired if both
            sources have the same truths or share their random numbers. Otherwise the test is Welch's.

        Raises
        ------
        WorkbenchError
            If there is no such source, both are the same, or as `anova`.

        Warns
        -----
        Confounded
            If the scores of one source are exact and those of the other are of test rows.
        Untested
            If learners, or some of their truths, are left out. The warning gives the reason.
        """
        from workbench.analyses import Trend

        return Trend.between(self, source, other, score=score, learners=learners)

    @brief_errors
    def regret(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Split each learner's loss relative to the truth into the irreducible loss and its regret.

        Parameters
        ----------
        score : ScoreKey or str, optional
            As `choose` takes it.
        learners : sequence of str, optional
            By default the compared learners. One is enough.

        Returns
        -------
        DataFrame
            One row per source, size and learner, with the columns to_truth, irreducible, structure_regret,
            learner_regret, regret, the ends of its interval, n. The columns are named by the score.
            `workbench.analyses.Regret.of_results(results)` adds intervals of all parts, and notes on sources
            without an optimum.

        Raises
        ------
        WorkbenchError
            If there is no such score or learner, the study lacks the learner "optimal", or the optimum need
            not be the best by this score.

        Examples
        --------
        >>> from generators import random_naive_bayes
        >>> from workbench import compare
        >>> truths = [random_naive_bayes(n_attributes=3, random_state=seed) for seed in range(3)]
        >>> results = compare(["tan", "truth", "optimal"], on=truths, sizes=(50,), n_test=100)
        >>> (row,) = results.regret().itertuples()
        >>> abs(row.to_truth - row.irreducible - row.regret) < 1e-12
        True
        """
        from workbench.analyses import Regret

        found = Regret.of_results(self, score=score, learners=learners)
        return found.summary.rename_axis(columns=found.experiments[0].score.words)

    @brief_errors
    def answer(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
    ) -> str:
        """Return in one sentence the winner, its lead and the significance.

        Parameters
        ----------
        score, learners : optional
            As in `anova`, but a score that is infinite for a learner is replaced by the same score after a
            cut-off, if there is one and `score` names none. The answer then states it.

        Returns
        -------
        str
            On data sets, the learner that wins or leads and on how many, by the design's test, with Holm's
            correction over the pairs of each data set. Further sentences list pairwise wins, ties and losses,
            and learners that could not be tested. While cells are pending, the text starts with the number of
            computed cells.

        Raises
        ------
        WorkbenchError
            As `anova`.
        """
        from workbench.analyses import answer_of

        return answer_of(self, score, learners=learners)

    @brief_errors
    def ranking(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
    ) -> pd.DataFrame:
        """Return the standing of every learner in every setting, by the tests of the answer.

        Parameters
        ----------
        score, learners : optional
            As in `answer`.

        Returns
        -------
        DataFrame
            Learners down, sources and sizes, or data sets, across. "wins": significantly better than every
            other learner. "leads": the best mean, but "tied" with the learners so named. "worse":
            significantly worse than the leader. "not compared": without finite scores. See
            `workbench.analyses.LearnerRanking`.

        Raises
        ------
        WorkbenchError
            As `anova`.
        """
        from workbench.analyses import LearnerRanking
        from workbench.analyses.verdict import deciding_tests

        tests = deciding_tests(self, score, learners=learners)
        _warn_of_lacking([replace(one.scores, left_out=()) for one in tests])  # which the matrix shows
        return LearnerRanking.of(tests).matrix

    @brief_errors
    def compare_to(
        self,
        base: str,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
        corrected: bool = True,
    ) -> pd.DataFrame:
        """Compare learners with a base: means, marked "v" if significantly better and "*" if worse.

        Parameters
        ----------
        base : str
            Key of the learner to compare with.
        score, learners : optional
            As in `anova`.
        corrected : bool
            Whether p values are corrected by Holm's procedure for the number of comparisons with the base, on
            each data set or in each source. Weka's tester does not correct.

        Returns
        -------
        DataFrame
            Index source, of truths (source, n_train). Columns (learner, "mean" | "mark"), the base first and
            without marks. A mark is "" for no significant difference and missing where there is no test. p
            values, counts and notes: `workbench.analyses.ComparisonToBase`.

        Raises
        ------
        WorkbenchError
            If there is no such learner or score, or there is nothing to compare.

        Warns
        -----
        Untested
            If a learner, such as the base, is in no test. The warning gives the reason.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from workbench import compare
        >>> iris = {"iris": load_iris(return_X_y=True, as_frame=True)}
        >>> results = compare(["prior", "j48", "one_r"], on=iris, metrics="accuracy")
        >>> results.compare_to("prior", learners=["j48", "one_r"]).round(2)
        learner prior   j48      one_r
                 mean  mean mark  mean mark
        source
        iris     0.33  0.93    v  0.94    v
        """
        from workbench.analyses import ComparisonToBase

        found = ComparisonToBase.of(self, base, score=score, learners=learners, corrected=corrected)
        if found.table["mark"].isna().any():
            warnings.warn(" ".join(found.notes) or self.design.note, Untested, stacklevel=user_level())
        return found.matrix

    @brief_errors
    def plot(
        self,
        kind: str | None = None,
        *,
        source: str | None = None,
        sources: Sequence[str] | None = None,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
        parameter: str | None = None,
        n_train: int | None = None,
        base: str | None = None,
        ax: "Axes | None" = None,
    ) -> "Display":
        """Draw a figure.

        Parameters
        ----------
        kind : str, optional
            By default "reward_by_size", for data sets "data_sets". For one source "reward_by_size",
            "paired_differences", "interaction", "crossovers", "exact_against_sampled" or
            "score_against_time". For all truths "best_map", "regret", "sample_complexity", "bias_variance" or
            "trend". Or the key of an installed package. `workbench list figures` describes them.
        source : str, optional
            Optional if there is only one, and for figures of all sources.
        sources : sequence of str, optional
            Several sources in this order: side by side with common axes, or the sources in a figure of all.
        score, learners : optional
            As in `anova`. If learners are named, only they are drawn, and the truth as the ceiling.
        parameter, n_train, base : optional
            Only for "trend": the parameter of the sources, the size (by default the largest), and the learner
            relative to which leads are drawn.
        ax : matplotlib Axes, optional
            By default new axes.

        Returns
        -------
        Display
            With `ax_`, `figure_`, `caption` and `save(path)`.

        Raises
        ------
        WorkbenchError
            If there is no such figure, source, score or learner, the figure does not apply to the study, or
            it does not take an option.
        """
        from workbench.base import catalogue
        from workbench.figures import RESULT_FIGURES
        from workbench.figures.panels.source_panels import of_sources

        by = self.design.blocks
        kind = kind or ("reward_by_size" if by.has_sizes else "data_sets")
        found, of = catalogue.find("figures", kind), "truths" if by.truth_known else "data sets"
        if of not in getattr(found, "draws", (of,)):
            fitting = and_of([key for key, one in RESULT_FIGURES.items() if of in one.draws])
            raise WorkbenchError(
                f"figure {kind!r} is for {and_of(found.draws)}, but this is a study of {of}: use {fitting}"
            )
        asked = {"parameter": parameter, "n_train": n_train, "base": base}
        options: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
        foreign = [name for name in options if name not in inspect.signature(found.from_results).parameters]
        if foreign:
            raise WorkbenchError(f"figure {kind!r} does not take {and_of(foreign)}: leave it out")
        options |= {"score": score, "learners": learners}
        if sources is None:
            return found.from_results(self, source=source, **options).plot(ax)
        if source is not None:
            raise WorkbenchError("source= and sources= are both given: leave out one of the two")
        return of_sources(found, self, sources, **options).plot(ax)

    @brief_errors
    def report(
        self,
        path: str | Path,
        *,
        score: ScoreKey | str | None = None,
    ) -> Path:
        """Write a report: the answer, figures, tables, tests, settings and provenance.

        Parameters
        ----------
        path : str or Path
            Ends in .html (one file that needs no network), .md or .tex (with the figures in a folder next to
            it), or .csv (only the tables).
        score : ScoreKey or str, optional
            The score to report, as in `answer`. On data sets all scores are reported, this one first.

        Returns
        -------
        Path

        Raises
        ------
        WorkbenchError
            If the ending is unknown, there is nothing to report yet, or there is no such score.
        """
        from workbench.report import write_report

        return write_report(self, path, score=score)

    @brief_errors
    def explore(
        self,
        path: str | Path,
        *,
        score: ScoreKey | str | None = None,
    ) -> Path:
        """Write an HTML page to explore the results: means, differences, a map, a table.

        Parameters
        ----------
        path : str or Path
            Ends in .html. One file that needs no network.
        score : ScoreKey or str, optional
            The score shown first, as in `answer`. The page has all scores.

        Returns
        -------
        Path

        Raises
        ------
        WorkbenchError
            If the path has another ending, there are no scores yet, or there is no such score.
        """
        from workbench.explorer.page import write_explorer

        return write_explorer(self, path, score=score)


@brief_errors
def load(path: str | Path) -> Results:
    """Read the results of the last study of a store.

    Parameters
    ----------
    path : str or Path
        The store. Another process may be writing to it.

    Returns
    -------
    Results

    Raises
    ------
    WorkbenchError
        If there is no such file, or it is not a store.

    Examples
    --------
    >>> load("nowhere.db")
    Traceback (most recent call last):
    ...
    workbench.base.errors.WorkbenchError: there is no store nowhere.db: `workbench run STUDY.toml ...` creates
    one
    """
    return Results.of(read_results(path))


def _warn_of_lacking(experiments: "Sequence[PairedScores]") -> None:
    """Warn once of the learners that are not compared, and of those whose missing scores exclude truths."""
    said = [sentence for one in experiments for sentence in one.lacking_sentences]
    if said:
        warnings.warn("; ".join(said), Untested, stacklevel=user_level())
