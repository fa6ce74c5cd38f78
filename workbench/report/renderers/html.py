"""The report as one HTML file that needs no network."""

import functools
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from workbench.base.text import capitalized, printable
from workbench.report.document import Document, Picture, Text
from workbench.report.renderers.pictures import inline_svg
from workbench.report.table import Number, Table, Tag

if TYPE_CHECKING:
    import jinja2
    from jinja2.runtime import Context
    from markupsafe import Markup

__all__ = ["Link", "asset", "digest", "write_html"]


class Link(NamedTuple):
    """A link to another page, relative to this one."""

    text: str
    address: str


def asset(name: str) -> str:
    """Return a style or a script of reports, which other pages use, too."""
    return (files("workbench.report") / "templates" / name).read_text(encoding="utf-8")


def digest(script: str) -> str:
    """Name a script by its hash, so that a page can refuse every other one."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def write_html(document: Document, path: Path, *, home: Link | None = None) -> None:
    """Write a report as HTML, with a link to the page that it belongs to if there is one."""
    from markupsafe import Markup

    script = asset("tables.js") + asset("report.js")
    page = _template().render(
        document=document, home=home, numbers=count(), script=Markup(script), digest=digest(script)
    )
    path.write_text(page, encoding="utf-8")


@functools.cache
def _template() -> "jinja2.Template":
    """Compile the template, once for all reports."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("workbench.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tests = {"table": Table, "picture": Picture, "text": Text, "numeric": Number, "tag": Tag}
    for name, kind in tests.items():
        environment.tests[name] = lambda part, kind=kind: isinstance(part, kind)
    environment.filters["svg"] = jinja2.pass_context(_svg)
    environment.filters["bold"] = jinja2.pass_context(_bold)
    environment.filters["code"] = _code
    environment.filters["breakable"] = _breakable
    environment.filters["kinds"] = _kinds
    return environment.get_template("report.html.jinja")


def _svg(context: "Context", picture: Picture) -> "Markup":
    """Draw a picture; the SVG is matplotlib's, and all text in it is drawn as outlines."""
    from markupsafe import Markup

    return Markup(inline_svg(picture, next(context["numbers"])))


def _kinds(table: Table) -> list[tuple[bool, bool]]:
    """Return of each column whether it holds numbers and whether it is grey."""
    return [(table.is_numeric(i), table.is_grey(i)) for i in range(len(table.columns))]


def _shown(value: object) -> object:
    """Escape what a page would obey and not show; what is Markup has been made of such text."""
    return printable(value) if type(value) is str else value


def _bold(context: "Context", part: str) -> "Markup":
    """Let the eye find who wins where."""
    from markupsafe import Markup, escape

    text = str(escape(printable(part)))
    for winner in context["document"].winners:
        name = str(escape(winner))
        for one in (name, capitalized(name)):
            text = text.replace(f" {one} wins ", f" <b>{one}</b> wins ")
    return Markup(text)


def _breakable(text: str) -> "Markup":
    """Let a long name of a class break before its words, as the head of a narrow column must."""
    from markupsafe import Markup, escape

    words = re.split(r"(?<=[a-z0-9(])(?=[A-Z])|(?<=[_/])", text) if len(text) > 12 else [text]
    return Markup("<wbr>").join(escape(printable(word)) for word in words)


def _code(text: str) -> "Markup":
    """Set what stands between backquotes as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(printable(text)))))
