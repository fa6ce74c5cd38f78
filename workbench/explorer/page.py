"""One page in one file, which needs no network and runs no script but its own."""

import json
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.base.errors import WorkbenchError
from workbench.base.score_key import ScoreKey
from workbench.base.text import count_of, printable
from workbench.explorer.content import described_score, described_study, ordered_keys, packed
from workbench.explorer.layout import PageLayout
from workbench.explorer.library import read_library
from workbench.store.results import StudyResults

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["MOST_BYTES", "ExplorerPage", "check_place", "explorer_page", "write_explorer"]

#: How long a page may be: scores beyond it are left out, and named.
MOST_BYTES = 5_000_000
#: Our own scripts, in the order in which they use each other.
SCRIPTS = (
    "numbers",
    "words",
    "state",
    "rows",
    "figure",
    "curves",
    "dots",
    "map",
    "table",
    "save",
    "controls",
    "page",
)


@dataclass(frozen=True)
class ExplorerPage:
    """A page, which scores it holds, and which are left out for its length."""

    html: str
    scores: tuple[ScoreKey, ...]  # the first is the one that the page opens with
    left_out: tuple[ScoreKey, ...]

    @property
    def contents(self) -> str:
        """How many scores there are, and how long the page is."""
        return f"{count_of(len(self.scores), 'score')}, {len(self.html) / 1e6:.1f} MB"

    def write(self, path: str | Path) -> Path:
        """Write the page."""
        place = check_place(path)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            # Windows would write other ends of lines, and the hashes of the scripts would not fit.
            place.write_text(self.html, encoding="utf-8", newline="\n")
        except OSError as error:
            raise WorkbenchError(f"{place} cannot be written: {error.strerror or error}") from error
        return place


def write_explorer(results: StudyResults, path: str | Path, *, score: ScoreKey | str | None = None) -> Path:
    """Write the page of a study, opened at a score."""
    place = check_place(path)
    return explorer_page(results, score).write(place)


def check_place(path: str | Path) -> Path:
    """Check that a page can be written there, before anything is computed."""
    place = Path(path)
    if place.suffix != ".html":
        raise WorkbenchError(f"{place} ends in {place.suffix!r}: expected .html")
    if place.is_dir():
        raise WorkbenchError(f"{place} is a folder: name a file, e.g. {place / 'explore.html'}")
    return place


def explorer_page(results: StudyResults, score: ScoreKey | str | None = None) -> ExplorerPage:
    """Make the page of a study with as many scores as fit; numbers have seven digits if all do, else five."""
    keys = ordered_keys(results, score)
    layout = PageLayout.of(results)
    found = _page(results, layout, keys, octets=4)
    return found if not found.left_out else _page(results, layout, keys, octets=3)


def _page(results: StudyResults, layout: PageLayout, keys: list[ScoreKey], octets: int) -> ExplorerPage:
    study = {**described_study(results, layout), "octets": octets}
    room = MOST_BYTES - len(_rendered({**study, "scores": [], "left_out": [str(key) for key in keys]}, []))
    kept: dict[ScoreKey, tuple[Any, str]] = {}
    for key in keys:
        numbers, on_test = packed(results, layout, key, octets)
        described, text = described_score(results, key, numbers.forms, on_test), numbers.text
        room -= len(text) + len(json.dumps(described)) + 100
        if room < 0 and kept:
            break
        kept[key] = (described, text)
    scores = tuple(sorted(kept, key=results.score_keys.index))
    left_out = tuple(key for key in results.score_keys if key not in kept)
    content = {
        **study,
        "scores": [kept[key][0] for key in scores],
        "open": scores.index(keys[0]),
        "left_out": [key.words for key in left_out],
    }
    html = _rendered(content, [kept[key][1] for key in scores])
    return ExplorerPage(html, (keys[0], *(key for key in scores if key != keys[0])), left_out)


def _rendered(content: dict[str, Any], numbers: list[str]) -> str:
    """Fill in the template."""
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("workbench.explorer"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    library = read_library()
    style = _template("explorer.css")
    own = "\n".join(['"use strict";', *(_template(f"{name}.js") for name in SCRIPTS)])
    return environment.get_template("explorer.html.jinja").render(
        title=printable(content["study"]),
        about=content["about"],
        footer=content["footer"],
        library=library,
        scripts=[Markup(library.script), Markup(own)],
        digests=[_digest(library.script), _digest(own)],
        style=Markup(style),
        style_digest=_digest(style),
        content=_json(content),
        numbers=[Markup(text) for text in numbers],
    )


def _template(name: str) -> str:
    return (files("workbench.explorer") / "templates" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Name a script by its hash, so that a page can refuse every other one."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _json(content: dict[str, Any]) -> "Markup":
    """Write data that a page can hold: no text in it can end the element that it is in."""
    from markupsafe import Markup

    return Markup(json.dumps(content, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"))
