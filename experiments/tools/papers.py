"""Write how much of each paper is reproduced into docs/studies/papers.md, or say what is not there yet.

Run from the root of the repository, after the studies (`make papers` does all):

    python experiments/tools/papers.py --stores . --to docs/studies/papers.md

Exit code 1 if a study has not been run to its end; then the page stays as it is, and the table of the
others is printed.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from workbench import Results, load
from workbench.base.errors import WorkbenchError
from workbench.report.renderers.markdown import between_markers
from workbench.reproduction import Printed, Reproduction

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path("experiments", "papers")  # from the root
PAGE = ROOT / "docs" / "studies" / "papers.md"
PAPERS = ("korb2001", "hope2002", "hope2004_uci", "cleary1996")
COUNTS = ("cells", "agree", "near", "differ", "unknown")


def finished(store: Path) -> Results:
    """Read a store whose study has been run to its end."""
    results = load(store)
    pending = int((results.cells()["state"] == "pending").sum())
    if pending:
        raise WorkbenchError(f"{pending} cells of {store} are still to come: run the study again to go on")
    return results


def summary(found: Sequence[tuple[str, Reproduction]], folder: str) -> str:
    """Write the counts of every printed table, paper by paper, as Markdown."""
    heads = ["paper", "table", *COUNTS, "expected by chance"]
    lines = [f"| {' | '.join(heads)} |", "|---|---|" + "---:|" * (len(heads) - 2)]
    for name, one in found:
        paper = f"[{one.paper}]({folder}/{name}/notes.md)"
        totals = [(f"**{kind}**", row) for kind, row in one.totals.iterrows()]
        for table, row in [*one.counts.iterrows(), *totals]:
            counts = [f"{row[word]:.0f}" for word in COUNTS]
            lines.append(f"| {' | '.join([paper, str(table), *counts, f'{row.expected_by_chance:.1f}'])} |")
            paper = ""
    return "\n".join(lines)


def main() -> int:
    """Read the stores, and write the table between the markers of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stores", type=Path, default=Path(), help="their folder")
    parser.add_argument("--to", type=Path, default=PAGE, help="a page with the generated-section markers")
    asked = parser.parse_args()
    found, missing = [], []
    for name in PAPERS:
        try:
            results = finished(asked.stores / f"{name}.db")
            printed = Printed.from_toml(ROOT / FOLDER / name / "printed.toml")
            found.append((name, Reproduction.of(results, printed)))
        except WorkbenchError as error:
            missing.append(f"not reproduced: {name}: {error}")
    links_to = Path(os.path.relpath(ROOT / FOLDER, asked.to.resolve().parent))
    table = summary(found, links_to.as_posix())
    if missing:
        if found:
            print(table)
        print("\n".join(missing), file=sys.stderr)
        return 1
    asked.to.write_text(between_markers(asked.to.read_text(encoding="utf-8"), table), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
