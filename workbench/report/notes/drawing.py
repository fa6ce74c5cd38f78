"""Figures in the style of the package's own."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.figures._shared.style import settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure_style", "save_figure"]


@contextlib.contextmanager
def figure_style(text: str | None = None) -> Iterator[None]:
    """Draw in the style of the package's figures, inside a ``with`` block.

    Parameters
    ----------
    text : str, optional
        The color of text and lines.
    """
    import matplotlib as mpl

    with mpl.rc_context(settings(text)):
        yield


def save_figure(figure: "Figure", place: str | Path) -> None:
    """Save a figure without the program's version, so that the same figure is the same file.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    place : str or Path
        Ends in ``.png``.
    """
    figure.savefig(place, dpi=130, metadata={"Software": None})
