"""Write every page of a study again from its stores, and say where it differs from the page that is there.

Run from the root of the repository, with the stores in one folder, under the names of their studies:

    python experiments/tools/recompute_notes.py STORES

Pages are copied and written anew; nothing in the repository is changed. Exit code 1 if a page differs, or a
store is missing.
"""

import argparse
import difflib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAPER, STUDIES = "papers/hope2004_simulation", "studies"
#: Options of write_notes.py by its folder: {s} has the stores, {page} is the page, {to} its folder.
PAGES = {
    PAPER: ["--study", "{s}/hope2004_simulation.db", "--factors", "{s}/hope2004_factors.db"],
    f"{STUDIES}/metric_of_metrics": ["{s}/metric_of_metrics.db"],
    f"{STUDIES}/choosing": [
        "{s}/choosing.db", "--folds", "{s}/choosing_folds.db", "--optimum", "{s}/choosing_optimum.db",
        "--other", "{s}/choosing_other_truths.db", "--accuracy", "{s}/choosing_accuracy.db",
        "--mixtures", "{s}/choosing_mixtures.db",
    ],
    f"{STUDIES}/theory_complexity": [
        "{s}/theory_complexity.db", "--scores", "{s}/theory_complexity_scores",
        "--truths", "{s}/theory_complexity_truths.db",
        "--truths-scores", "{s}/theory_complexity_truths_scores",
    ],
    f"{STUDIES}/prequential": ["--to", "{s}/prequential", "--notes", "{page}"],
    f"{STUDIES}/learner_bias": ["--stores", "{s}", "--figures", "{to}"],
}  # fmt: skip


def differences(folder: str, options: list[str], stores: Path) -> list[str]:
    """Return the lines of a page that are not what its script writes now."""
    page = ROOT / "experiments" / folder / "notes.md"
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, "notes.md")
        shutil.copy(page, copy)
        asked = options if "{page}" in options else [*options, "--to", "{page}"]
        given = [one.format(s=stores, page=copy, to=place) for one in asked]
        script = page.with_name("write_notes.py")
        subprocess.run([sys.executable, str(script), *given], cwd=ROOT, check=True)
        page_text, again = (path.read_text(encoding="utf-8").splitlines() for path in (page, copy))
    return list(difflib.unified_diff(page_text, again, "page", "again", n=0, lineterm=""))


def main() -> int:
    """Compare all pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("stores", type=Path, help="their folder")
    stores = parser.parse_args().stores.resolve()
    failed = 0
    for folder, options in PAGES.items():
        try:
            found = differences(folder, options, stores)
            words = "differs" if found else "as written"
        except subprocess.CalledProcessError as error:
            found, words = [], f"its script ended with code {error.returncode}"
        print(f"{folder}: {words}", *found, sep="\n  ")
        failed += words != "as written"
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
