"""The arena: a static site of a few files that opens from disk."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from workbench.arena.content import ArenaContent, Entry, arena_content
from workbench.arena.learner_page import learner_document
from workbench.arena.pages import MARK, enter_page, index_page
from workbench.base.errors import WorkbenchError
from workbench.profiles.entrants import Entrant
from workbench.profiles.scores import SuiteScores
from workbench.report.document import Document
from workbench.report.renderers.html import Link, write_html

__all__ = ["check_folder", "write_arena"]

HOME = Link("Leaderboard", "../index.html")
#: How the page of an arena is known, by its head.
KNOWN = f'content="{MARK}"'


def write_arena(
    scores: SuiteScores,
    entrants: Mapping[str, Entrant],
    folder: str | Path,
    *,
    provenance: Mapping[str, str],
    profile_page: Callable[[str], Document | None] | None = None,
    failures: Mapping[str, int] | None = None,
    newcomers: Collection[str] = (),
    n_resamples: int = 200,
) -> Path:
    """Write the leaderboard, a page for each learner, and how to enter, and return the path of index.html."""
    # Pages of an earlier arena are written anew. Without a `profile_page` a learner's page has its place on
    # every part of the map. The others are ranked as without `newcomers`, see `board`.
    place = check_folder(folder)
    content = arena_content(scores, entrants, failures=failures, newcomers=newcomers, n_resamples=n_resamples)
    try:
        place.joinpath("learners").mkdir(parents=True, exist_ok=True)
        _write(place / "index.html", index_page(content, provenance))
        _write(place / "enter.html", enter_page(content, provenance))
        for entry in content.entries:
            document = _document(content, entry, entrants, provenance, profile_page)
            write_html(document, place / entry.page, home=HOME)
    except OSError as error:
        raise WorkbenchError(f"{place} cannot be written: {error.strerror or error}") from error
    return place / "index.html"


def check_folder(folder: str | Path) -> Path:
    """Return the folder of a site, or raise WorkbenchError if it has a page that is not of an arena."""
    place = Path(folder)
    index = place / "index.html"
    if place.exists() and not place.is_dir():
        raise WorkbenchError(f"{place} is a file: name a folder for the site, such as site/")
    page = index.read_text(encoding="utf-8", errors="replace") if index.exists() else KNOWN
    if KNOWN not in page:
        raise WorkbenchError(f"{index} is not a page of an arena: name another folder for the site")
    return place


def _document(
    content: ArenaContent,
    entry: Entry,
    entrants: Mapping[str, Entrant],
    provenance: Mapping[str, str],
    profile_page: Callable[[str], Document | None] | None,
) -> Document:
    profile = profile_page(entry.key) if profile_page is not None else None
    return profile or learner_document(content, entry, entrants.get(entry.key), provenance)


def _write(path: Path, page: str) -> None:
    # Windows would write other ends of lines, and the hashes of scripts would not fit.
    path.write_text(page, encoding="utf-8", newline="\n")
