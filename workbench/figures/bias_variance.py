"""Bias and variance of learners by training size."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from workbench.analyses import BiasVariance
from workbench.errors import WorkbenchError, nearest
from workbench.figures.sizes_axis import SizesAxis
from workbench.figures.study_display import StudyDisplay
from workbench.figures.style import GREY, legend_below, looks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from workbench.results import Results

__all__ = ["BiasVarianceDisplay"]

PARTS = {"bias": ("-", True), "variance": ((0, (4, 2)), False)}  # line, and whether its marks are filled
DEPTH = 1e4  # how many times the least loss the axis may go below it


class BiasVarianceDisplay(StudyDisplay):
    """Draw bias and variance of every learner against the training size, both axes logarithmic.

    Look for lines of bias that level off: that loss no amount of data takes away. Variance mostly falls in a
    straight line; where a learner's two lines cross, more flexible learners begin to pay.

    Parameters
    ----------
    found : BiasVariance
    source : str, optional
        May be left out where there is only one.

    Raises
    ------
    WorkbenchError
        If there is no such source, or there are several and none is named.
    """

    key = "bias_variance"
    title = "Bias and variance"

    def __init__(self, found: BiasVariance, *, source: str | None = None) -> None:
        sources = list(dict.fromkeys(found.by_truth["source"]))
        if source is None and len(sources) > 1:
            raise WorkbenchError(f"there are {len(sources)} sources: name one of {', '.join(sources)}")
        if source is not None and source not in sources:
            raise WorkbenchError(f"there is no source {source!r} here: {nearest(source, sources)}")
        self.found = found
        self.source = source or sources[0]

    @classmethod
    def from_results(
        cls,
        results: "Results",
        *,
        source: str | None = None,
        metric: str | None = None,
        prior: str | None = None,
        rows: str | None = None,
        cutoff: str | None = None,
        learners: Sequence[str] | None = None,
    ) -> Self:
        """Make the display of a study, whose store keeps the predictions on test rows.

        Parameters
        ----------
        results : Results
        source : str, optional
            May be left out where there is only one.
        metric : {"kl_divergence", "quadratic_loss"}, optional
            Which loss is decomposed; by default the first.
        prior, rows : str, optional
            No other than "none" and "test".
        cutoff : str, optional
        learners : sequence of str, optional
            By default those that the study compares.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            As `BiasVariance.of`, or if another score is asked for.
        """
        losses = {None: "kl", "kl_divergence": "kl", "quadratic_loss": "brier"}
        if metric not in losses:
            raise WorkbenchError(
                f"{metric!r} is not decomposed into bias and variance: choose kl_divergence or quadratic_loss"
            )
        if prior not in (None, "none") or rows not in (None, "test"):
            raise WorkbenchError(
                f"prior {prior!r} and rows {rows!r} are not decomposed: a store keeps answers on test rows, "
                "and these losses have no prior"
            )
        found = BiasVariance.of(
            results, loss=losses[metric], cutoff=cutoff or "none", learners=learners, source=source  # type: ignore[arg-type]
        )  # fmt: skip
        return cls(found, source=source)

    def draw(self, ax: "Axes") -> None:
        """Draw on axes."""
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
                    markerfacecolor=look.color if filled else "white", label=key if filled else None,
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
        ax.set_title("the truths" if self.source == "truths" else f"{self.source} truths")
        legend_below(ax)

    @property
    def caption(self) -> str:
        """What is shown."""
        table = self._table
        where = {
            "exact": "over all inputs, weighted by their probability",
            "test": "over the same test rows for all training sets",
        }[self.found.rows]
        clipped = "" if self.found.cutoff == "none" else f" after the cut-off of {self.found.cutoff}"
        words = [
            f"Mean {self.found.name}{clipped} on {table['n'].max()} truths, split into bias and variance "
            f"over {table['n_sets'].max()} training sets of each size, {where}; both corrected for the "
            "finite number of training sets (jackknife)."
        ]
        absent = self._absent(table)
        if absent:
            words.append(f"Not drawn, as it is infinite or not above 0: {'; '.join(absent)}.")
        return " ".join(words)

    @property
    def _table(self) -> "pd.DataFrame":
        table = self.found.table
        return table[table["source"] == self.source]

    @staticmethod
    def _absent(table: "pd.DataFrame") -> list[str]:
        """Say what has no place on a logarithmic axis, and at which sizes."""
        sizes: dict[str, list[str]] = {}
        for row in table.to_dict("records"):
            for part in PARTS:
                if not (row[part] > 0 and np.isfinite(row[part])):
                    sizes.setdefault(f"{part} of {row['learner']}", []).append(str(row["n_train"]))
        return [f"{what} at {', '.join(own)} rows" for what, own in sizes.items()]
