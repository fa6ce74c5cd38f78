"""The report as one HTML file that needs no network."""

import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.report.document import Document, Number, Picture, Table, Text
from workbench.report.pictures import inline_svg

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["write_html"]


def write_html(document: Document, path: Path) -> None:
    """Write a report as HTML.

    Parameters
    ----------
    document : Document
    path : Path
    """
    import jinja2
    from markupsafe import Markup

    numbers = count()
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("workbench.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tests = {"table": Table, "picture": Picture, "text": Text, "numeric": Number}
    for name, kind in tests.items():
        environment.tests[name] = lambda part, kind=kind: isinstance(part, kind)
    # The SVG is matplotlib's; all text in it is drawn as outlines.
    environment.filters["svg"] = lambda picture: Markup(inline_svg(picture, next(numbers)))
    environment.filters["bold"] = lambda part: _bold(part, document.winners)
    environment.filters["code"] = _code
    page = environment.get_template("report.html.jinja").render(document=document)
    path.write_text(page, encoding="utf-8")


def _bold(part: str, winners: tuple[str, ...]) -> "Markup":
    """Let the eye find who wins where."""
    from markupsafe import Markup, escape

    text = str(escape(part))
    for winner in winners:
        name = str(escape(winner))
        text = text.replace(f" {name} wins ", f" <b>{name}</b> wins ")
    return Markup(text)


def _code(text: str) -> "Markup":
    """Set what stands between backquotes as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))
