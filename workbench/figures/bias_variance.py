"""Bias and variance of learners by training size."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import BiasVariance, PairedScores
from workbench.base.errors import WorkbenchError, check_known
from workbench.base.names import learner_list, learner_name
from workbench.base.score_key import ScoreKey
from workbench.figures._shared.sizes_axis import SizesAxis
from workbench.figures._shared.study_display import StudyDisplay
from workbench.figures._shared.style import GREY, legend_below, looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from workbench.store.results import StudyResults

__all__ = ["BiasVarianceDisplay"]

PARTS = {"bias": ("-", True), "variance": ((0, (4, 2)), False)}  # line, and whether its markers are filled
#: Limits on predictions, their rows, and rebuilt truths, above which a report omits the figure: at these it
#: takes some seconds (0.5 ms per prediction of 1,000 rows).
MOST_PREDICTIONS, MOST_FORECASTS, MOST_TRUTHS = 10_000, 5_000_000, 500
MOST_ABSENCES = 3  # named in a caption with their sizes
DEPTH = 1e4  # how far below the least loss the axis may go, as a factor


class BiasVarianceDisplay(StudyDisplay):
    """Bias and variance of every learner against the training size, on two logarithmic axes.

    Look for lines of bias that level off. More data does not remove that part of the loss. Variance usually
    decreases in a straight line. At sizes where the bias of a learner exceeds its variance, a more flexible
    learner may have a lower loss.

    Parameters
    ----------
    found : BiasVariance
        The decomposition to show.
    source : str, optional
        Key of the source. Optional if there is only one source.

    Raises
    ------
    WorkbenchError
        If there is no such source, or if there are several sources and none is named.
    """

    key = "bias_variance"
    draws = ("truths",)
    title = "Bias and variance"

    def __init__(self, found: BiasVariance, *, source: str | None = None) -> None:
        sources = list(dict.fromkeys(found.by_truth["source"]))
        if source is None and len(sources) > 1:
            raise WorkbenchError(f"there are {len(sources)} sources: name one of {', '.join(sources)}")
        check_known("source", () if source is None else (source,), sources)
        self.found = found
        self.source = source or sources[0]

    @classmethod
    def from_results(
        cls,
        results: "StudyResults",
        *,
        source: str | None = None,
        score: ScoreKey | str | None = None,
        learners: Sequence[str] | None = None,
    ) -> Self:
        """Make the figure from the results of a study whose store keeps predictions.

        Parameters
        ----------
        results : StudyResults
        source : str, optional
            Key of the source. Optional if there is only one source.
        score : ScoreKey or str, optional
            The loss to decompose, as in `BiasVariance.of`.
        learners : sequence of str, optional
            The learners to show. By default the compared learners.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            As for `BiasVariance.of`.
        """
        found = BiasVariance.of(results, score=score, learners=learners, source=source)
        return cls(found, source=source)

    @classmethod
    def reported(cls, results: "StudyResults", experiments: Sequence[PairedScores]) -> "Iterator[Self | str]":
        """Return one display per source, if there are several training sets and not too many predictions.

        The loss is the Kullback-Leibler (KL) divergence, whatever the score of the report is.
        """
        cells = _several(results)
        if cells.empty:
            return
        reason = _not_kept(results) or _too_many(cells)
        if reason:
            yield f"Bias and variance are not drawn: {reason}."
            return
        try:
            found = BiasVariance.of(results)
        except WorkbenchError as error:
            why, path = str(error), results._path
            if path is not None:
                why = why.replace(str(path), path.name)  # without local folders
            yield f"Bias and variance are not drawn: {why}."
            return
        for source in dict.fromkeys(found.by_truth["source"]):
            display = cls(found, source=source)
            if display._has_markers:
                yield display
            else:
                yield (
                    f"Bias and variance on {source} are infinite: "
                    '`results.plot("bias_variance", source=..., score="quadratic_loss")` '
                    "draws those of a loss that is finite."
                )
        yield from (f"{note[0].upper()}{note[1:]}." for note in found.notes)

    def draw(self, ax: "Axes") -> None:
        """Draw the figure on given axes."""
        table = self._table
        axis = SizesAxis(sorted(set(table["n_train"])))
        learners = list(dict.fromkeys(table["learner"]))
        ax.set_yscale("log")
        for key, look in looks(learners).items():
            own = table[table["learner"] == key].sort_values("n_train")
            x = np.log10(own["n_train"].to_numpy(dtype=np.float64))
            for part, (line, filled) in PARTS.items():
                y = own[part].to_numpy()
                drawn = (y > 0) & np.isfinite(y)
                ax.plot(
                    x[drawn], y[drawn], color=look.color, marker=look.marker, linestyle=line,
                    markerfacecolor=look.color if filled else "white",
                    label=learner_name(key) if filled else None,
                )  # fmt: skip
        for part, (line, filled) in PARTS.items():
            ax.plot([], [], color=GREY, linestyle=line, marker="o", label=part,
                    markerfacecolor=GREY if filled else "white")  # fmt: skip
        axis.label(ax)
        least = table["loss"].min()
        if np.isfinite(least) and least > 0:
            ax.set_ylim(bottom=max(ax.get_ylim()[0], least / DEPTH))
        ax.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
        ax.set_ylabel(f"part of the loss [{self.found.unit}]")
        ax.set_title(self.kind)
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What the figure shows, in full sentences."""
        table = self._table
        where = {
            "exact": "over all inputs, weighted by their probability",
            "test": "over the same test rows for all training sets",
        }[self.found.score.rows]
        words = [
            f"Mean {self.found.name}, {self.found.score.words}, on {table['n'].max()} truths, split into "
            f"bias and variance over {table['n_sets'].max()} training sets of each size, {where}. Both are "
            "corrected for the finite number of training sets (jackknife)."
        ]
        absent = self._absent(table)
        if absent:
            words.append(f"Not drawn, because it is infinite or not above 0: {'; '.join(absent)}.")
        return " ".join(words)

    @property
    def _table(self) -> "pd.DataFrame":
        table = self.found.table
        return table[table["source"] == self.source]

    @property
    def _has_markers(self) -> bool:
        parts = self._table[list(PARTS)].to_numpy()
        return bool((np.isfinite(parts) & (parts > 0)).any())

    @staticmethod
    def _absent(table: "pd.DataFrame") -> list[str]:
        """List what cannot be drawn on a logarithmic axis, with sizes if the list is short."""
        n_sizes = table["n_train"].nunique()
        alike: dict[tuple[str, str], list[str]] = {}
        for part in PARTS:
            undrawn = table[~((table[part] > 0) & np.isfinite(table[part]))]
            for learner, own in undrawn.groupby("learner", sort=False, observed=True):
                sizes = "all sizes" if len(own) == n_sizes else f"{', '.join(map(str, own['n_train']))} rows"
                alike.setdefault((part, sizes), []).append(str(learner))
        if len(alike) <= MOST_ABSENCES:
            return [f"{part} of {learner_list(own)} at {sizes}" for (part, sizes), own in alike.items()]
        by_part = {p: [key for (part, _), own in alike.items() if part == p for key in own] for p in PARTS}
        return [f"{part} of {learner_list(own)} at some sizes or all" for part, own in by_part.items() if own]


def _several(results: "StudyResults") -> "pd.DataFrame":
    """Return the done cells of learners with several training sets in a source."""
    cells = results.cells()
    cells = cells[cells["learner"].isin(results.study.compared_learners()) & (cells["state"] == "done")]
    n_sets = cells.groupby(["source", "learner"], observed=True)["training_set"].transform("nunique")
    return cells[n_sets > 1]


def _too_many(cells: "pd.DataFrame") -> str:
    """Return how to draw what would be slow, otherwise an empty text."""
    n_truths = len(cells[["source", "replicate"]].drop_duplicates())
    n_rows = int(cells["n_test"].sum())
    if len(cells) <= MOST_PREDICTIONS and n_rows <= MOST_FORECASTS and n_truths <= MOST_TRUTHS:
        return ""
    return (
        f"{len(cells):,} kept predictions of {n_rows:,} rows on {n_truths:,} truths take longer than a "
        'report may; `results.plot("bias_variance", source=...)` draws and '
        "`workbench analyze bias STORE` prints them"
    )


def _not_kept(results: "StudyResults") -> str:
    """Return what a store lacks for the decomposition, otherwise an empty text."""
    if results._path is None:
        return "a store in memory keeps no predictions"
    study = results.study
    if not study.content["keep_predictions"]:
        return (
            "the study keeps no predictions; `workbench.analyses.BiasVariance.refit(study)` fits its "
            "learners again"
        )
    given = [key for key in study.source_keys if study.is_given(key) and not study.is_kept(key)]
    if given:
        return (
            f"the truths of {', '.join(given)} were passed in Python and are not in the store; "
            "`workbench.analyses.BiasVariance.of(results, on={...})` takes them"
        )
    return ""
