"""Figures in the style of the package's own."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.figures._shared.style import settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure_style", "save_figure"]


@contextlib.contextmanager
def figure_style(changed: Mapping[str, object] | None = None) -> Iterator[None]:
    """Draw in the style of the package's figures, inside a ``with`` block.

    Parameters
    ----------
    changed : mapping of str to object, optional
        matplotlib settings that replace those of the style, such as ``{"axes.grid": False}``.
    """
    import matplotlib as mpl

    chosen: Any = {**settings(), **(changed or {})}
    with mpl.rc_context(chosen):
        yield


def save_figure(figure: "Figure", place: str | Path, dpi: int = 130) -> None:
    """Save a figure without matplotlib's version in the file, so that the same figure gives the same file.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    place : str or Path
        The file, with the ending ``.png``.
    dpi : int
        Resolution in dots per inch.
    """
    figure.savefig(place, dpi=dpi, metadata={"Software": None})
