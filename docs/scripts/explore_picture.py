"""Take the picture of docs/guides/explore.md with Chromium: `python docs/scripts/explore_picture.py`."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from workbench import read_study, run

PLACE = Path(__file__).resolve().parents[1] / "figures" / "explore.png"
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
    """Run a study, open its page and take the picture."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("WORKBENCH_CHROMIUM") or shutil.which("chromium")
    if program is None:
        sys.exit("no browser: install chromium, or name one in WORKBENCH_CHROMIUM")
    as_root = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = run(read_study(STUDY), Path(folder) / "explored.db").explore(Path(folder) / "explored.html")
        browser = driver.chromium.launch(executable_path=program, args=as_root)
        sight = browser.new_page(viewport={"width": 1280, "height": 560}, reduced_motion="reduce")
        sight.goto(page.as_uri())
        sight.wait_for_selector("html[data-ready]")
        sight.locator(".mark").nth(30).focus()
        sight.screenshot(path=PLACE)
        browser.close()


if __name__ == "__main__":
    main()
