"""What pages of results are written with: Markdown tables, numbers with intervals, sections, figures."""

from workbench.figures._shared.names import write_names
from workbench.figures._shared.sizes_axis import SizesAxis
from workbench.figures._shared.style import GREY, SERIES, Look, legend_below_all, looks, named_artists
from workbench.report.notes.drawing import figure_style, save_figure
from workbench.report.notes.writing import (
    half_width,
    interval,
    number,
    starred,
    stratified,
    table,
    write_section,
)

__all__ = [
    "GREY",
    "SERIES",
    "Look",
    "SizesAxis",
    "figure_style",
    "half_width",
    "interval",
    "legend_below_all",
    "looks",
    "named_artists",
    "number",
    "save_figure",
    "starred",
    "stratified",
    "table",
    "write_names",
    "write_section",
]
