"""The base of figures: displays that draw on given or new axes and describe themselves."""

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
LEGEND_LINES, LINE = 2, 0.18  # legend lines included in the height; inches of each further line


class Display(ABC):
    """Base class of figures. A display draws results that were computed before, and computes nothing itself.

    A subclass declares the attributes below, defines how the figure is drawn (`draw`) and describes the
    figure in words (`caption`). Displays of a study's results derive from `ExperimentDisplay` or
    `StudyDisplay`. Other displays are made from arrays.

    Attributes
    ----------
    key : str
        The key of the figure in `Results.plot` and in study files.
    title : str
        Heading of the figure in a report.
    ax_ : matplotlib Axes
        The axes with the figure, set by `plot`.
    figure_ : matplotlib Figure
        The figure that contains the axes, set by `plot`.

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
        """Draw the figure on given axes.

        Parameters
        ----------
        ax : matplotlib Axes
            The axes to draw on.
        """

    @property
    def width(self) -> float:
        """Width in inches. In a report, a wide figure takes a full row."""
        return WIDTH

    @property
    def height(self) -> float:
        """Height in inches, including a legend of two lines."""
        return HEIGHT

    @property
    @abstractmethod
    def caption(self) -> str:
        """Full sentences on what the figure shows and what to look for."""

    def plot(self, ax: "Axes | None" = None) -> Self:
        """Draw the figure, by default on new axes.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes to draw on. By default new axes.

        Returns
        -------
        Display
            The display, with the attributes `ax_` and `figure_`.
        """
        import matplotlib as mpl
        import matplotlib.pyplot as plt

        # The first figure starts the backend, which sets parameters that the end of the context would undo: a
        # notebook would show no further figure.
        new = plt.figure(layout="constrained") if ax is None else None
        with mpl.rc_context(settings()):
            if ax is None:
                assert new is not None
                ax = self._fill(new)
            else:
                self.draw(ax)
        figure = ax.get_figure(root=True)
        assert figure is not None  # axes that were removed from their figure cannot be used
        self.ax_, self.figure_ = ax, figure
        return self

    def save(self, path: str | Path, **options: Any) -> None:
        """Save the figure to a file.

        Parameters
        ----------
        path : str or Path
            A path that ends in .pdf, .png or .svg.
        **options
            Options of matplotlib's `Figure.savefig`, such as dpi.

        Raises
        ------
        WorkbenchError
            If the path has another ending.
        """
        import matplotlib as mpl

        with mpl.rc_context(settings()):
            save_figure(self.sketch(), path, **options)

    def sketch(self) -> "Figure":
        """Draw the figure without opening a window.

        Returns
        -------
        matplotlib Figure
        """
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained")
        self._fill(figure)
        return figure

    def _fill(self, figure: "Figure") -> "Axes":
        """Draw on the axes of a new figure, which grows with its legend."""
        figure.set_size_inches(self.width, self.height)
        ax = figure.add_subplot()
        self.draw(ax)
        more = max(0, legend_lines(ax) - LEGEND_LINES)
        figure.set_size_inches(self.width, self.height + LINE * more)
        return ax


def save_figure(figure: "Figure", path: str | Path, **options: Any) -> None:
    """Write a figure to a file. Equal figures give equal bytes."""
    import matplotlib as mpl

    place = Path(path)
    if place.suffix not in FORMATS:
        raise WorkbenchError(f"{place} ends in {place.suffix!r}: expected {', '.join(FORMATS)}")
    undated = {"metadata": {DATES[place.suffix]: None}} if place.suffix in DATES else {}
    with mpl.rc_context(settings()):
        figure.savefig(place, **{"dpi": 200, **undated, **options})
