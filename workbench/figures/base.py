"""What every figure is: a display made from results, drawn on axes that one may give."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from workbench.analyses.experiment import Experiment, experiments_of
from workbench.errors import WorkbenchError
from workbench.figures.style import legend_lines, settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from workbench.results import Results

__all__ = ["Display"]

FORMATS = (".pdf", ".png", ".svg")
DATES = {".pdf": "CreationDate", ".svg": "Date"}
WIDTH, HEIGHT = 4.5, 3.3  # inches: a third of a wide page, or a phone
LEGEND_LINES, LINE = 2, 0.18  # lines of a legend that the height has room for; inches of each more


class Display(ABC):
    """Draw one experiment: the truths of one source.

    A display computes nothing: an analysis has computed what it draws. A subclass declares the attributes
    below, and says how it is made of an experiment (`of`), how it is drawn (`draw`) and what it shows
    (`caption`).

    Attributes
    ----------
    key : str
        The short name, for `Results.plot`.
    title : str
        What stands above it in a report.
    ax_ : matplotlib Axes
        Where it was drawn; there after `plot`.
    figure_ : matplotlib Figure
        What the axes belong to; there after `plot`.

    Examples
    --------
    >>> from workbench.figures import FIGURES
    >>> FIGURES["reward_by_size"].title
    'Score by training size'
    """

    key: ClassVar[str]
    title: ClassVar[str]
    ax_: "Axes"
    figure_: "Figure"

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
        """Make the display of one source.

        Parameters
        ----------
        results : Results
        source : str, optional
            May be left out where there is only one.
        metric, prior, rows, cutoff : str, optional
            The score, as `Results.choose` takes them.
        learners : sequence of str, optional
            Which are compared; by default those that the study says.

        Returns
        -------
        Display

        Raises
        ------
        WorkbenchError
            If there is no such source, score or learner, or several sources and none is named.
        """
        sources = [key for key, _ in results.study["sources"]]
        if source is None and len(sources) > 1:
            raise WorkbenchError(f"there are {len(sources)} sources: name one of {', '.join(sources)}")
        experiments = experiments_of(
            results, metric=metric, prior=prior, rows=rows, cutoff=cutoff, learners=learners, source=source
        )
        if not experiments:
            raise WorkbenchError(f"{source or sources[0]} has no scores to draw")
        return cls.of(experiments[0], results)

    @classmethod
    @abstractmethod
    def of(cls, experiment: Experiment, results: "Results") -> Self:
        """Make the display of an experiment.

        Parameters
        ----------
        experiment : Experiment
        results : Results
            What it was read from.

        Returns
        -------
        Display
        """

    @abstractmethod
    def draw(self, ax: "Axes") -> None:
        """Draw on axes.

        Parameters
        ----------
        ax : matplotlib Axes
        """

    @property
    def height(self) -> float:
        """Inches that the figure should have, with a legend of two lines."""
        return HEIGHT

    @property
    @abstractmethod
    def caption(self) -> str:
        """What is shown and what to look for, in full sentences."""

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw, on new axes if none are given.

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        Display
            Itself, with `ax_` and `figure_`.
        """
        import matplotlib as mpl

        with mpl.rc_context(settings()):
            if ax is None:
                import matplotlib.pyplot as plt

                ax = self._fill(plt.figure(layout="constrained"))
            else:
                self.draw(ax)
        figure = ax.get_figure(root=True)
        assert figure is not None  # axes that were removed from theirs cannot be drawn on
        self.ax_, self.figure_ = ax, figure
        return self

    def save(self, path: str | Path, **options: Any) -> None:
        """Draw into a file.

        Parameters
        ----------
        path : str or Path
            Ends in .pdf, .png or .svg.
        **options
            For matplotlib's `Figure.savefig`, such as dpi.

        Raises
        ------
        WorkbenchError
            If the ending is another.
        """
        import matplotlib as mpl

        place = Path(path)
        if place.suffix not in FORMATS:
            raise WorkbenchError(f"{place} ends in {place.suffix!r}: expected {', '.join(FORMATS)}")
        with mpl.rc_context(settings()):
            # No date, so that the same results give the same file.
            undated = {"metadata": {DATES[place.suffix]: None}} if place.suffix in DATES else {}
            self.sketch().savefig(place, **{"dpi": 200, **undated, **options})

    def sketch(self) -> "Figure":
        """Draw into a figure that no window shows.

        Returns
        -------
        matplotlib Figure
        """
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        self._fill(figure)
        return figure

    def _fill(self, figure: "Figure") -> "Axes":
        """Draw on axes of a new figure, which grows with its legend."""
        figure.set_size_inches(WIDTH, self.height)
        ax = figure.add_subplot()
        self.draw(ax)
        more = max(0, legend_lines(ax) - LEGEND_LINES)
        figure.set_size_inches(WIDTH, self.height + LINE * more)
        return ax
