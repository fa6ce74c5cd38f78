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
    """The results of a study, with methods for tables, tests, figures and reports.

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
        """Return the training and test rows of a cell, to refit its learner and forecast by hand.

        Parameters
        ----------
        identity : str
            The identity of the cell, from the column identity of `cells`.
        data, on, groups : optional
            As in `workbench.rescore`: the folder of data sets, and the sources that were passed in Python.
            Not needed for results in memory.

        Returns
        -------
        CellRows
            The rows, with the attributes X, y, X_test and y_test. Rows of truths are drawn again, and files
            and data sets are read and split again. X has the attributes in their original form. Estimators
            from other packages received an encoding of X that `inputs` names, such as one-hot columns
            (``pandas.get_dummies(rows.X)``). ``rows.seeded(learner)`` returns a copy of the learner with the
            seeds of the study where `random_state` is None. Optimal learners, which use the law of the
            truths, have other seeds.

        Raises
        ------
        WorkbenchError
            If there is no such cell, or its source no longer exists or now has other rows.

        See Also
        --------
        predictions : returns the stored forecasts for the test rows, in the same order.

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
        r"""Return a table of mean scores as text, with their spread and a mark for the best mean.

        Parameters
        ----------
        score : ScoreKey or str, optional
            The score, as a key or a part of one (see `choose`). The table is named by it.
        learners, sources : sequence of str, optional
            The learners and sources to show, in this order. By default all.

        Returns
        -------
        DataFrame of str
            Rows are learners. Columns are sizes or data sets. The number after ± is the half width of the 95%
            interval over truths, or the standard deviation over the parts (train-test splits) of a data set.
            A star marks the best mean of the compared learners. n is the number of truths or parts behind a
            mean. It is shown only where it is smaller than elsewhere.

        Raises
        ------
        WorkbenchError
            If there is no such score, learner or source.

        See Also
        --------
        table : returns the means as numbers.
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
        r"""Return the table of means as LaTeX, with the best mean in bold. It needs the package booktabs.

        Parameters
        ----------
        score, learners, sources : optional
            As in `means`.

        Returns
        -------
        str
            A tabular environment, with comments that describe it.
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
        """Compute a repeated-measures analysis of variance of learner by size, for each source.

        Parameters
        ----------
        score : ScoreKey or str, optional
            The score, as a key or a part of one (see `choose`).
        learners : sequence of str, optional
            The learners to analyze. By default the learners that the study compares.

        Returns
        -------
        DataFrame
            Index (source, effect). Columns df, df_error, ss, ss_error, F, p, the epsilon and p value of
            Greenhouse and Geisser, the epsilon and p value of Huynh and Feldt, and generalized eta squared.

        Raises
        ------
        WorkbenchError
            If there is no such score, if fewer than two learners can be compared, or if there is only one
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
        """Test the difference of every pair of learners at every size, paired by truth or part of a data set.

        Parameters
        ----------
        score, learners : optional
            As in `anova`.

        Returns
        -------
        DataFrame
            One row per source, pair and size, with the column source and the columns of
            `workbench.analyses.Comparison`.

        Raises
        ------
        WorkbenchError
            As for `anova`. Also if no test is valid for the parts of a data set, as for splits in time.

        Warns
        -----
        Untested
            If learners, or some truths, are left out because scores are missing. The warning names them.
        """
        from workbench.analyses import comparisons_of

        if not self.design.test.holds:
            raise WorkbenchError(f"differences cannot be tested: {self.design.note}")
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
        """Estimate the effect of a parameter of the sources on scores and on differences between learners.

        Parameters
        ----------
        parameter : str
            A parameter of generators with different numbers in the sources, such as "label_noise".
        score, learners : optional
            As in `anova`. ``learners=["tan", "nb"]`` gives the differences of tan minus nb.
        sources : sequence of str, optional
            The sources to use. By default all.

        Returns
        -------
        DataFrame
            The table of `workbench.analyses.Trend`: slopes with intervals and tests, by size, learner and
            pair.

        Raises
        ------
        WorkbenchError
            If there is no such source or no two sources differ in the parameter. Also as for `anova`.

        Warns
        -----
        Confounded
            If the sources differ in further parameters. The warning names them.
        LeftOutWarning
            If sources have no number for the parameter. The warning names them.
        Untested
            If learners, or some of their truths, are left out. The warning gives the reason.

        See Also
        --------
        plot : ``plot("trend", parameter=...)`` draws the effect.
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
            Keys of the two sources.
        score, learners : optional
            As in `anova`.

        Returns
        -------
        DataFrame
            The columns of `trend`, with difference (source minus other) in place of slope. The test is paired
            by truth if both sources have the same truths or share their random numbers. Otherwise it is
            Welch's test.

        Raises
        ------
        WorkbenchError
            If there is no such source or both sources are the same. Also as for `anova`.

        Warns
        -----
        Confounded
            If the scores are exact for one source and on test rows for the other.
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
            The score, as a key or a part of one (see `choose`).
        learners : sequence of str, optional
            By default the compared learners. One learner is enough.

        Returns
        -------
        DataFrame
            One row per source, size and learner, with the columns to_truth, irreducible, structure_regret,
            learner_regret, regret, low and high (the ends of the interval of the regret), and n. The columns
            are named by the score. Without the learner "optimal" only to_truth has values. Without
            "optimal_mixture" learner_regret is the whole regret. `workbench.analyses.Regret.of_results` adds
            intervals of all components of the loss, and notes on sources without an optimum.

        Raises
        ------
        WorkbenchError
            If there is no such score or learner, if the study lacks both the optimum and the truth, or if the
            optimum is not guaranteed to have the best score of this kind.

        Warns
        -----
        Untested
            If learners, or some truths, are left out because scores are missing. The warning names them.

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
        _warn_of_lacking(found.experiments, found.left_out)
        return found.summary.rename_axis(columns=found.experiments[0].score.words)

    @brief_errors
    def answer(
        self,
        score: ScoreKey | str | None = None,
        *,
        learners: Sequence[str] | None = None,
    ) -> str:
        """Return a sentence with the winner, its lead over the next learner, and the significance.

        Parameters
        ----------
        score, learners : optional
            As in `anova`, with one exception: if the score is infinite for a learner, the same score after a
            cut-off is used instead. This applies if the study has a cut-off and `score` names none. The
            answer then states the cut-off.

        Returns
        -------
        str
            On truths, the winner or leader at each size of each source. On data sets, the learner that wins
            or leads and the number of data sets on which it does, by the test of the design, with Holm's
            correction over the pairs of each data set. Further sentences list pairwise wins, ties and losses,
            and learners that could not be tested. While cells are pending, the text starts with the number of
            computed cells.

        Raises
        ------
        WorkbenchError
            As for `anova`.
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
        """Return the standing of every learner in every setting, by the tests of `answer`.

        Parameters
        ----------
        score, learners : optional
            As in `answer`.

        Returns
        -------
        DataFrame
            Rows are learners. Columns are sources and sizes, or data sets. "wins": significantly better than
            every other learner. "leads": the best mean, but not significantly better than the learners marked
            "tied". "worse": significantly worse than the learner with the best mean. "not compared": without
            finite scores. See `workbench.analyses.LearnerRanking`.

        Raises
        ------
        WorkbenchError
            As for `anova`.
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
        """Compare learners with a base learner: means, marked "v" if significantly better, "*" if worse.

        Parameters
        ----------
        base : str
            Key of the base learner.
        score, learners : optional
            As in `anova`.
        corrected : bool
            Whether p values are corrected by Holm's procedure for the number of comparisons with the base, on
            each data set or in each source. Weka's tester makes no such correction.

        Returns
        -------
        DataFrame
            Index source for data sets, (source, n_train) for truths. Columns (learner, "mean" | "mark"). The
            base is first and has no marks. A mark is "" if there is no significant difference, and missing if
            there is no test. `workbench.analyses.ComparisonToBase` has p values, counts and notes.

        Raises
        ------
        WorkbenchError
            If there is no such learner or score, or if there is no other learner to compare.

        Warns
        -----
        Untested
            If a learner, or the base itself, is in no test. The warning gives the reason.

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
        """Draw a figure of the results.

        Parameters
        ----------
        kind : str, optional
            Key of the figure, by default "reward_by_size" for truths and "data_sets" for data sets. Figures
            of one source are "reward_by_size", "paired_differences", "interaction", "crossovers",
            "exact_against_sampled" and "score_against_time". Figures of all truths are "best_map", "regret",
            "sample_complexity", "bias_variance" and "trend". An installed package may add keys. `workbench
            list figures` describes the figures.
        source : str, optional
            The source to draw. Optional if there is only one, and for figures of all sources.
        sources : sequence of str, optional
            Several sources in this order. A figure of one source is drawn for each, side by side with common
            axes. A figure of all sources uses only these.
        score, learners : optional
            As in `anova`. If learners are given, only they are drawn, and the truth as the upper limit.
        parameter, n_train, base : optional
            Only for "trend": the parameter of the sources, the number of training rows (by default the
            largest), and the learner that others are compared with.
        ax : matplotlib Axes, optional
            Axes to draw in. By default new axes.

        Returns
        -------
        Display
            The drawn figure, with `ax_`, `figure_`, `caption` and `save(path)`.

        Raises
        ------
        WorkbenchError
            If there is no such figure, source, score or learner, if the figure does not apply to the study,
            or if the figure does not take one of the given options.
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
                f"figure {kind!r} draws studies of {and_of(found.draws)}, but this is a study of {of}: "
                f"use {fitting}"
            )
        asked = {"parameter": parameter, "n_train": n_train, "base": base}
        options: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
        foreign = [name for name in options if name not in inspect.signature(found.from_results).parameters]
        if foreign:
            raise WorkbenchError(f"figure {kind!r} has no option {and_of(foreign)}: leave it out")
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
        """Write a report: the answer, figures, tables, tests, settings and the versions behind the results.

        Parameters
        ----------
        path : str or Path
            A path that ends in .html (one file that needs no network), .md or .tex (with the figures in a
            folder next to it), or .csv (only the tables).
        score : ScoreKey or str, optional
            The score to report, as in `answer`. On data sets all scores are reported, with this score first.

        Returns
        -------
        Path

        Raises
        ------
        WorkbenchError
            If the ending is unknown, if there is nothing to report yet, or if there is no such score.
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
        """Write an HTML page for exploring the results, with means, differences, a map and a table.

        Parameters
        ----------
        path : str or Path
            A path that ends in .html. The page is one file that needs no network.
        score : ScoreKey or str, optional
            The score that is shown first, as in `answer`. The page contains all scores.

        Returns
        -------
        Path

        Raises
        ------
        WorkbenchError
            If the path has another ending, if there are no scores yet, or if there is no such score.
        """
        from workbench.explorer.page import write_explorer

        return write_explorer(self, path, score=score)


@brief_errors
def load(path: str | Path) -> Results:
    """Read the results of the last study in a store.

    Parameters
    ----------
    path : str or Path
        The store (the file with the results of a study). Another process may be writing to it.

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


def _warn_of_lacking(experiments: "Sequence[PairedScores]", others: Sequence[str] = ()) -> None:
    """Warn once of the learners that are not compared, and of those whose missing scores exclude truths."""
    said = [*(sentence for one in experiments for sentence in one.lacking_sentences), *others]
    if said:
        warnings.warn("; ".join(said), Untested, stacklevel=user_level())
