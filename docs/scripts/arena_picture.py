"""Take the picture of docs/guides/arena.md with Chromium: `python docs/scripts/arena_picture.py`."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from workbench.arena.site import write_arena
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.reference import read_reference

PLACE = Path(__file__).resolve().parents[1] / "figures" / "arena.png"


def main() -> None:
    """Write the site, open its first page and take the picture."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("WORKBENCH_CHROMIUM") or shutil.which("chromium")
    if program is None:
        sys.exit("no browser: install chromium, or name one in WORKBENCH_CHROMIUM")
    as_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    reference = read_reference()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        index = write_arena(reference.scores, ENTRANTS, folder, provenance={}, failures=reference.failures)
        browser = driver.chromium.launch(executable_path=program, args=as_root)
        sight = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        sight.goto(index.as_uri())
        sight.screenshot(path=PLACE)
        browser.close()


if __name__ == "__main__":
    main()
