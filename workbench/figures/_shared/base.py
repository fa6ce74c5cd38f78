"""What every figure is: a display that draws on axes that one may give, and says what it shows."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from workbench.base.errors import WorkbenchError
from workbench.figures._shared.style import legend_lines, settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Display", "save_figure"]

FORMATS = (".pdf", ".png", ".svg")
DATES = {".pdf": "CreationDate", ".svg": "Date"}
WIDTH, HEIGHT = 4.5, 3.3  # inches: a third of a wide page, or a phone
LEGEND_LINES, LINE = 2, 0.18  # lines of a legend that the height has room for; inches of each more


class Display(ABC):
    """Draw what has been computed; a display computes nothing.

    A subclass declares the attributes below, and says how it is drawn (`draw`) and what it shows (`caption`).
    Those of a study's results are `ExperimentDisplay`; others are made from arrays.

    Attributes
    ----------
    key : str
        The short name.
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

    @abstractmethod
    def draw(self, ax: "Axes") -> None:
        """Draw on axes.

        Parameters
        ----------
        ax : matplotlib Axes
        """

    @property
    def width(self) -> float:
        """Inches that the figure should have; a report gives one that is wider than usual a whole row."""
        return WIDTH

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

        with mpl.rc_context(settings()):
            save_figure(self.sketch(), path, **options)

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
        figure.set_size_inches(self.width, self.height)
        ax = figure.add_subplot()
        self.draw(ax)
        more = max(0, legend_lines(ax) - LEGEND_LINES)
        figure.set_size_inches(self.width, self.height + LINE * more)
        return ax


def save_figure(figure: "Figure", path: str | Path, **options: Any) -> None:
    """Write a figure into a file, the same figure always as the same bytes."""
    import matplotlib as mpl

    place = Path(path)
    if place.suffix not in FORMATS:
        raise WorkbenchError(f"{place} ends in {place.suffix!r}: expected {', '.join(FORMATS)}")
    undated = {"metadata": {DATES[place.suffix]: None}} if place.suffix in DATES else {}
    with mpl.rc_context(settings()):
        figure.savefig(place, **{"dpi": 200, **undated, **options})
