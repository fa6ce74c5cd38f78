"""`workbench explore`: write a page to explore a store in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from workbench.cli.options import Score, Store, say

__all__ = ["explore"]


def explore(
    store: Store,
    to: Annotated[Path | None, typer.Option(help="The page, .html. Default: STORE.explore.html.")] = None,
    score: Score = None,
) -> None:
    """Write a page to explore a store in a browser: means, differences, a map, a table."""
    from workbench.explorer.page import check_place, explorer_page
    from workbench.results import load

    place = check_place(to or store.with_suffix(".explore.html"))
    page = explorer_page(load(store), score)
    typer.echo(f"explorer: {page.write(place)}, {page.contents}")
    if page.left_out:
        words = ", ".join(str(key) for key in page.left_out)
        say(f"left out, as the page would be too long: {words}. To keep one of these scores, use --score")
