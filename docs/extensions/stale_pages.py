"""Generated pages whose source is gone are removed, so that a renamed name does not stop the next build."""

from pathlib import Path
from typing import Any

from api_lists import pages_of
from sphinx.application import Sphinx


def stale_names(docs: Path, files: dict[str, str]) -> list[Path]:
    """Return the generated pages of names that no page lists; `files` has those with another file name."""
    names = {name for page in pages_of(docs).values() for name in page.own}
    kept = {files.get(name, name) for name in names}
    return [page for page in (docs / "generated" / "api").glob("*.rst") if page.stem not in kept]


def stale_examples(docs: Path) -> list[Path]:
    """Return what was generated of examples that are gone."""
    generated = docs / "generated" / "gallery"
    found = []
    for page in generated.rglob("plot_*.*"):
        folder = page.parent.relative_to(generated)
        if not (docs / "gallery" / folder / f"{page.name.partition('.')[0]}.py").exists() and page.is_file():
            found += [] if "images" in folder.parts else [page]
    return found


def remove(app: Sphinx) -> None:
    """Remove them before others are generated."""
    docs = Path(app.srcdir)
    for page in (*stale_names(docs, app.config.autosummary_filename_map), *stale_examples(docs)):
        page.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Run before autosummary and the gallery, which generate at 500."""
    app.connect("builder-inited", remove, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
