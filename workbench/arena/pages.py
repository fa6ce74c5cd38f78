"""Pages of the arena as HTML without network access and foreign scripts."""

import functools
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from workbench.arena.content import UNIT_OF_COST, ArenaContent
from workbench.arena.leaderboard import LEVEL
from workbench.arena.words import basis
from workbench.base.text import printable
from workbench.report.renderers.html import asset, digest

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

__all__ = ["MARK", "enter_page", "index_page"]

#: By which a page of an arena is known; one without it is somebody else's.
MARK = "workbench arena"


def index_page(content: ArenaContent, provenance: Mapping[str, str]) -> str:
    """Return the page of the leaderboard."""
    script = asset("tables.js") + _own("arena.js")
    own = content.boards[content.default]
    return _page(
        "index.html.jinja",
        content,
        provenance,
        script,
        rows=content.rows(content.default),
        say=content.say(own.view),
        basis=basis(own),
        chosen=vars(content.default),
        level=f"{LEVEL:g}",
        has_unit=any(entry.key == UNIT_OF_COST for entry in content.entries),
        data=_json(content.plain),
    )


def enter_page(content: ArenaContent, provenance: Mapping[str, str]) -> str:
    """Return the page about how to enter a learner."""
    return _page("enter.html.jinja", content, provenance, "")


def _page(
    template: str, content: ArenaContent, provenance: Mapping[str, str], script: str, **parts: Any
) -> str:
    """Render a template, with all text escaped."""
    from markupsafe import Markup

    style = asset("report.css") + _own("arena.css")
    return (
        _environment()
        .get_template(template)
        .render(
            content=content,
            provenance=list(provenance.items()),
            mark=MARK,
            style=Markup(style),
            style_digest=Markup(f"'{digest(style)}'"),
            script=Markup(script),
            script_digest=Markup(f"'{digest(script)}'" if script else "'none'"),
            **parts,
        )
    )


@functools.cache
def _environment() -> "jinja2.Environment":
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader("workbench.arena"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _json(data: Any) -> "Markup":
    """Write plain data so that no text in it ends the element that contains it."""
    from markupsafe import Markup

    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _own(name: str) -> str:
    return (files("workbench.arena") / "templates" / name).read_text(encoding="utf-8")


def _shown(value: object) -> object:
    """Escape text that a page would interpret. Markup has been made of such text."""
    return printable(value) if type(value) is str else value
