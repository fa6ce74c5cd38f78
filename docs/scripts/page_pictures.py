"""Take the pictures of docs/guides/arena.md and explore.md with Chromium: no arguments."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from workbench import read_study, run
from workbench.arena.site import write_arena
from workbench.profiles.entrants import ENTRANTS
from workbench.profiles.reference import read_reference

FIGURES = Path(__file__).resolve().parents[1] / "figures"
STUDY = """
name = "explored"
seed = 1
learners = ["nb", "tan", "aode", "j48", "prior", "truth"]
[[sources]]
generator = "naive_bayes"
n_attributes = 4
arity = 3
[[sources]]
generator = "tan"
n_attributes = 4
arity = 3
[[sources]]
generator = "aode"
n_attributes = 4
arity = 3
[design]
replicates = 30
sizes = [20, 50, 200, 1000]
n_test = 200
[scores]
metrics = ["ir_b", "accuracy", "kl_divergence"]
cutoffs = ["none", "2002"]
"""


def main() -> None:
    """Write both pages, open them and take the pictures."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("WORKBENCH_CHROMIUM") or shutil.which("chromium")
    if program is None:
        sys.exit("no browser: install chromium, or name one in WORKBENCH_CHROMIUM")
    as_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    reference = read_reference()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        site, store = Path(folder) / "arena", Path(folder) / "explored.db"
        arena = write_arena(reference.scores, ENTRANTS, site, provenance={}, failures=reference.failures)
        page = run(read_study(STUDY), store).explore(store.with_suffix(".html"))
        browser = driver.chromium.launch(executable_path=program, args=as_root)
        for name, height, place in (("arena", 900, arena), ("explore", 560, page)):
            sight = browser.new_page(viewport={"width": 1280, "height": height}, reduced_motion="reduce")
            sight.goto(place.as_uri())
            if name == "explore":
                sight.wait_for_selector("html[data-ready]")
                sight.locator(".mark").nth(30).focus()
            sight.screenshot(path=FIGURES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
