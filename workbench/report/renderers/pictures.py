"""Pictures of a report as SVG for the page, or as files next to it."""

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.figures._shared.style import MUTED, ORDERED, SERIES, settings
from workbench.report.document import Document, Part, Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["inline_svg", "pictures_of", "save_pictures"]

#: Stands for the color of the page's text until the SVG is in the page.
INK = "#0b0c0d"
#: Of what is drawn as pixels, as there are so many points of it.
DOTS_PER_INCH = 200
#: How far a picture may grow.
GROWTH = 1.35
#: Colors that the page sets for light and dark.
SHADES = {
    **{color: f"--series-{i}" for i, color in enumerate(SERIES)},
    **{color: f"--shade-{i}" for i, color in enumerate(ORDERED)},
    MUTED: "--grid",
}


def inline_svg(picture: Picture, number: int) -> str:
    """Draw a picture as SVG text for an HTML page."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with mpl.rc_context(settings(text=INK)):
        figure = _laid_out(picture.sketch())
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None}, dpi=DOTS_PER_INCH)
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(?<=[" ])id="', f'id="p{number}-', svg)
    svg = svg.replace('xlink:href="#', f'xlink:href="#p{number}-').replace("url(#", f"url(#p{number}-")
    svg = svg.replace(INK, "currentColor")
    for color, variable in SHADES.items():
        svg = svg.replace(color, f"var({variable}, {color})")
    # The page scales the picture to its column, small ones not beyond the size of its text.
    size = re.search(r'(<svg[^>]*?) width="([\d.]+)pt"([^>]*?) height="[\d.]+pt"', svg)
    assert size is not None  # matplotlib writes both
    widest = GROWTH * float(size[2])
    return f'{size[1]}{size[3]} style="max-width: {widest:.0f}pt"{svg[size.end() :]}'


def _laid_out(figure: "Figure") -> "Figure":
    """Lay a figure out now: matplotlib, when it saves one that it has to lay out, draws it twice."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    engine = figure.get_layout_engine()
    if engine is not None:
        FigureCanvasSVG(figure)  # which measures text as the file will have it
        engine.execute(figure)
        figure.set_layout_engine(None)
    return figure


def pictures_of(document: Document) -> list[Picture]:
    """List the pictures of a report, those of the first screen first."""
    parts: list[Part] = [
        *document.pictures,
        *(part for section in document.sections for part in section.parts),
    ]
    return [part for part in parts if isinstance(part, Picture)]


def save_pictures(document: Document, report: Path, ending: str) -> str:
    """Draw all pictures into files in a folder next to the report."""
    import matplotlib as mpl

    folder = report.with_name(f"{report.stem}_figures")
    folder.mkdir(exist_ok=True)
    for picture in pictures_of(document):
        with mpl.rc_context(settings()):
            # No date, so that the same results give the same file.
            metadata = {"CreationDate": None} if ending == "pdf" else {"Date": None}
            place = folder / f"{picture.name}.{ending}"
            picture.sketch().savefig(place, metadata=metadata, dpi=DOTS_PER_INCH)
    return folder.name
