"""Check the built site: `python docs/scripts/check_site.py build/docs/html`, which `make docs` runs.

Every local link leads to a file, and to a place in it if it names one; nothing is loaded from elsewhere.
"""

import os
import re
import sys
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

ELEMENT = re.compile(r"<(a|iframe|img|link|script|source)\b[^>]*?\b(?:href|src)=\"([^\"]*)\"")
PLACE = re.compile(r"<[^>]*?\b(?:id|name)=\"([^\"]*)\"")


@dataclass(frozen=True)
class Page:
    """What a page links to, what it loads, and which places it has."""

    links: frozenset[str]
    loaded: frozenset[str]
    places: frozenset[str]


def read(path: Path) -> Page:
    """Read a page."""
    text = path.read_text(encoding="utf-8")
    found = [(tag, unescape(target)) for tag, target in ELEMENT.findall(text)]
    return Page(
        frozenset(target for tag, target in found if tag == "a"),
        frozenset(target for tag, target in found if tag != "a"),
        frozenset(PLACE.findall(text)),
    )


def faults_of(site: Path) -> list[str]:
    """List what is wrong, one sentence each."""
    files = [
        path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts
    ]  # a theme's templates
    pages = {path: read(path) for path in files}
    faults = [] if pages else [f"{site} has no pages: make docs builds them"]
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for target in sorted(page.links | page.loaded):
            parts = urlsplit(target)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if target in page.loaded:
                    faults.append(f"{name} loads {target}, which is elsewhere")
                continue
            file = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            if not file.is_file():
                faults.append(f"{name} links to {target}, which is no file")
            elif file in pages and parts.fragment and unquote(parts.fragment) not in pages[file].places:
                faults.append(f"{name} links to {target}: there is no such place")
    return faults


def main() -> int:
    """Print the faults; exit with 1 if there are any."""
    site = Path(sys.argv[1]).resolve()
    faults = faults_of(site)
    print("\n".join([*faults, f"{site}: {len(faults)} links or pages at fault"]))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
